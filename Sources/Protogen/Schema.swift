/// One package of messages, as a schema file describes it.
struct Schema {
  struct Field {
    enum Label { case singular, repeated, map }

    var number: Int
    var name: String
    var label: Label
    var type: String
  }

  enum Member {
    case field(Field)
    case oneof(name: String, [Field])
  }

  struct Message {
    var name: String
    var file: String
    /// The JSON form follows rules of its own and is written by hand.
    var hasJSONByHand: Bool
    var members: [Member] = []
  }

  struct Enumeration {
    var name: String
    var file: String
    var values: [(number: Int, name: String)] = []
  }

  struct Binding {
    var verb: String
    var path: String
    var body: String?
  }

  struct Method {
    var name: String
    var request: String
    var response: String
    var isClientStreaming: Bool
    var isServerStreaming: Bool
    var bindings: [Binding] = []
  }

  var package = ""
  /// Where descriptors put what is declared next.
  var file = ""
  /// The Swift namespace of the package.
  var namespace = ""
  var messages: [Message] = []
  var enumerations: [Enumeration] = []
  var service: String?
  var methods: [Method] = []
}

/// A line of a schema that means nothing.
struct SchemaError: Error, CustomStringConvertible {
  var line: String

  var description: String { "not understood: \(line)" }
}

// MARK: - Parsing

extension Schema {
  /// Reads the lines of a schema file.
  init(lines: some Sequence<String>) throws(SchemaError) {
    for line in lines where !line.isEmpty && !line.hasPrefix("#") {
      let indentation = line.prefix { $0 == " " }.count
      let words = line.split(separator: " ").map(String.init)
      switch (indentation, words.first) {
      case (0, _): try startDeclaration(words, line)
      case (2, "oneof") where words.count == 2:
        messages[messages.count - 1].members.append(.oneof(name: words[1], []))
      case (_, _) where service != nil: try addToService(words, indentation, line)
      case (2, _) where words[0].allSatisfy(\.isNumber) && words.count == 2:
        guard let number = Int(words[0]) else { throw SchemaError(line: line) }
        enumerations[enumerations.count - 1].values.append((number, words[1]))
      default:
        try add(Field(words, line), toOneof: indentation == 4)
      }
    }
  }

  private mutating func startDeclaration(_ words: [String], _ line: String) throws(SchemaError) {
    guard words.count > 1 else { throw SchemaError(line: line) }
    switch words[0] {
    case "package" where words.count == 3:
      package = words[1]
      namespace = words[2]
    case "message":
      messages.append(
        Message(name: words[1], file: file, hasJSONByHand: words.contains("json-by-hand")))
    case "enum": enumerations.append(Enumeration(name: words[1], file: file))
    case "file": file = words[1]
    case "service": service = words[1]
    default: throw SchemaError(line: line)
    }
  }

  private mutating func add(_ field: Field, toOneof: Bool) {
    let message = messages.count - 1
    let last = messages[message].members.count - 1
    if toOneof, case .oneof(let name, let fields) = messages[message].members[last] {
      messages[message].members[last] = .oneof(name: name, fields + [field])
    } else {
      messages[message].members.append(.field(field))
    }
  }

  /// A method, `Name(stream Request) -> stream Response`, or one of its bindings.
  private mutating func addToService(
    _ words: [String], _ indentation: Int, _ line: String
  ) throws(SchemaError) {
    guard indentation == 2 else {
      methods[methods.count - 1].bindings.append(
        Binding(verb: words[0], path: words[1], body: words.count == 4 ? words[3] : nil))
      return
    }
    let parts = line.split { "() ->".contains($0) }.map(String.init)
    let types = parts.dropFirst().filter { $0 != "stream" }
    guard types.count == 2 else { throw SchemaError(line: line) }
    methods.append(
      Method(
        name: parts[0], request: types[0], response: types[1],
        isClientStreaming: parts[1] == "stream",
        isServerStreaming: parts[parts.count - 2] == "stream"))
  }
}

extension Schema.Field {
  fileprivate init(_ words: [String], _ line: String) throws(SchemaError) {
    guard let number = words.first.flatMap(Int.init), words.count >= 3, words[1].hasSuffix(":"),
      let type = words.last
    else { throw SchemaError(line: line) }
    self.number = number
    self.name = String(words[1].dropLast())
    self.type = type
    switch words.dropFirst(2).dropLast() {
    case []: label = .singular
    case ["repeated"]: label = .repeated
    case ["map"]: label = .map
    default: throw SchemaError(line: line)
    }
  }
}
