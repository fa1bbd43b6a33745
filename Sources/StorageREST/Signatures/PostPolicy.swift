internal import Coding
internal import ObjectStorage

/// What a form that brings a file may say, and until when.
struct PostPolicy {
  private enum Condition {
    case equal(name: String, String)
    case prefix(name: String, String)
    case size(ClosedRange<Int64>)

    /// The field that it is about.
    var name: String? {
      switch self {
      case .equal(let name, _), .prefix(let name, _): name
      case .size: nil
      }
    }
  }

  private let end: Timestamp?
  private let conditions: [Condition]

  /// - Throws: `.invalidArgument` for what is no policy, in base64.
  init(_ text: String) throws(StorageError) {
    guard let bytes = Base64.decode(text), let json = try? JSONValue(bytes) else {
      throw Self.failure("The policy is no JSON.")
    }
    end = json["expiration"]?.text.flatMap { Timestamp(rfc3339: $0) }
    var conditions: [Condition] = []
    for condition in json["conditions"]?.elements ?? [] {
      conditions += try Self.conditions(condition)
    }
    self.conditions = conditions
  }

  private static func conditions(_ json: JSONValue) throws(StorageError) -> [Condition] {
    if let members = json.members {
      return members.compactMap { name, value in
        value.text.map { .equal(name: name.string.lowercased(), $0) }
      }
    }
    guard let elements = json.elements, elements.count == 3, let word = elements[0].text else {
      throw failure("A condition is malformed.")
    }
    let name = elements[1].text.map { $0.drop { $0 == "$" }.lowercased() }
    switch (word, name, elements[2].text) {
    case ("eq", .some(let name), .some(let value)): return [.equal(name: name, value)]
    case ("starts-with", .some(let name), .some(let value)):
      return [.prefix(name: name, value)]
    case ("content-length-range", _, _):
      guard let least = elements[1].integer, let most = elements[2].integer, least <= most else {
        throw failure("A range of sizes is malformed.")
      }
      return [.size(least...most)]
    default: throw failure("There is no condition \(word).")
    }
  }

  /// How big the file may be.
  var sizes: ClosedRange<Int64>? {
    for case .size(let range) in conditions { return range }
    return nil
  }

  /// - Throws: `.invalidArgument` for a form that does not meet the conditions. `now` is in seconds since 1970.
  func check(_ fields: [String: String], now: Int64) throws(StorageError) {
    if let end, end.seconds < now { throw Self.failure("The policy has expired.") }
    for condition in conditions {
      let isMet =
        switch condition {
        case .equal(let name, let value): fields[name]?.utf8.elementsEqual(value.utf8) ?? false
        case .prefix(let name, let value): fields[name]?.utf8.starts(with: value.utf8) ?? false
        case .size: true
        }
      guard isMet else {
        throw Self.failure("The form does not meet the condition on \(condition.name ?? "").")
      }
    }
  }

  static func failure(_ message: String) -> StorageError {
    StorageError(.invalidArgument, message, reason: "InvalidPolicyDocument")
  }
}
