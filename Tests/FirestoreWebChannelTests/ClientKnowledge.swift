import Foundation

/// What a client has been told by the arrays of a back channel.
struct ClientKnowledge: Equatable {
  struct Target: Equatable {
    var documents: [String: String] = [:]
    var isCurrent = false
    var cause: Int?
  }

  private(set) var targets: [Int: Target] = [:]
  /// Whether everything told so far is one moment of the database.
  private(set) var isSnapshot = false
  private(set) var errors: [String] = []
  /// For each answer of a Write stream what each write did: times and results of transforms.
  private(set) var writes: [[String]] = []

  mutating func learn(_ content: Any) {
    guard let message = content as? [String: Any] else { return }
    if let error = message["error"] as? [String: Any] {
      errors.append(error["status"] as? String ?? "")
    } else if let change = message["targetChange"] as? [String: Any] {
      learn(targetChange: change)
    } else if let change = message["documentChange"] as? [String: Any] {
      learn(documentChange: change)
    } else if let gone = message["documentDelete"] as? [String: Any]
      ?? message["documentRemove"] as? [String: Any]
    {
      isSnapshot = false
      for id in gone["removedTargetIds"] as? [Int] ?? [] {
        targets[id]?.documents[gone["document"] as? String ?? ""] = nil
      }
    } else if message["streamToken"] is String {
      let results = message["writeResults"] as? [[String: Any]] ?? []
      writes.append(
        results.map { result in
          let transforms = (result["transformResults"] as? [Any] ?? []).count
          return
            "\(result["updateTime"] is String) \(transforms) \(message["commitTime"] is String)"
        })
    }
  }

  private mutating func learn(targetChange change: [String: Any]) {
    let ids = change["targetIds"] as? [Int] ?? []
    switch change["targetChangeType"] as? String ?? "NO_CHANGE" {
    case "ADD": for id in ids { targets[id] = Target() }
    case "CURRENT": for id in ids { targets[id]?.isCurrent = true }
    case "RESET": for id in ids { targets[id] = Target() }
    case "REMOVE":
      for id in ids {
        targets[id] = (change["cause"] as? [String: Any]).map { Target(cause: $0["code"] as? Int) }
      }
    default: if ids.isEmpty { isSnapshot = change["readTime"] is String }
    }
  }

  private mutating func learn(documentChange change: [String: Any]) {
    isSnapshot = false
    guard let document = change["document"] as? [String: Any],
      let name = document["name"] as? String,
      let fields = try? JSONSerialization.data(
        withJSONObject: document["fields"] ?? [:], options: .sortedKeys)
    else { return }
    for id in change["targetIds"] as? [Int] ?? [] {
      targets[id]?.documents[name] = String(decoding: fields, as: UTF8.self)
    }
    for id in change["removedTargetIds"] as? [Int] ?? [] { targets[id]?.documents[name] = nil }
  }
}
