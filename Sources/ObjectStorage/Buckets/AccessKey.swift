internal import Coding
internal import KeyValue

/// What is known of a key of a service account.
package struct AccessKey: Hashable, Sendable {
  package enum State: String, Hashable, CaseIterable, Sendable {
    case active = "ACTIVE"
    case inactive = "INACTIVE"
    case deleted = "DELETED"
  }

  package let identifier: String
  package let project: String
  package let email: String
  /// Microseconds since 1970.
  package let created: Int64
  package var updated: Int64
  package var state = State.active

  package init(identifier: String, project: String, email: String, created: Int64) {
    self.identifier = identifier
    self.project = project
    self.email = email
    self.created = created
    updated = created
  }
}

/// Keys as the store has them, in JSON.
extension AccessKey {
  var stored: [UInt8] {
    JSONValue.object([
      "identifier": .string(identifier), "project": .string(project), "email": .string(email),
      "created": .string(String(created)), "updated": .string(String(updated)),
      "state": .string(state.rawValue),
    ]).bytes
  }

  /// - Throws: `.internalError` for bytes that `stored` did not make.
  init(stored: [UInt8]) throws(StorageError) {
    guard let json = try? JSONValue(stored), let identifier = json["identifier"]?.text,
      let project = json["project"]?.text, let email = json["email"]?.text,
      let created = json["created"]?.integer, let updated = json["updated"]?.integer,
      let state = json["state"]?.text.flatMap({ State(rawValue: $0) })
    else { throw StorageError(.internalError, "a stored key cannot be read") }
    self.init(identifier: identifier, project: project, email: email, created: created)
    self.updated = updated
    self.state = state
  }
}

extension ObjectStore {
  package func putAccessKey(_ key: AccessKey) async throws(StorageError) {
    try await write { try $0.put(.buckets, Keys.accessKey(key.identifier), key.stored) }
  }

  package func accessKey(_ identifier: String) throws(StorageError) -> AccessKey? {
    try read { reader in
      try reader.get(.buckets, Keys.accessKey(identifier)).map { try AccessKey(stored: $0) }
    }
  }

  /// All keys, at most a thousand.
  package func accessKeys() throws(StorageError) -> [AccessKey] {
    let start = Keys.accessKey("")
    let range = KeyRange(from: start, to: Keys.end(of: start))
    return try read { reader in
      try reader.scan(.buckets, range, .ascending, limit: 1000).map {
        try AccessKey(stored: $0.value)
      }
    }
  }
}
