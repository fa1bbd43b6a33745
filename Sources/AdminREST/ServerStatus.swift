internal import Coding

/// What a server says of itself.
package struct ServerStatus: Hashable, Sendable {
  package var version: String
  package var processIdentifier: Int32
  /// `HOST:PORT`.
  package var firestore: String
  /// `HOST:PORT`; `nil` without Cloud Storage.
  package var storage: String?
  /// The project that is expected.
  package var project: String?
  /// The data folder; `nil` if everything is in memory.
  package var folder: String?

  package init(
    version: String, processIdentifier: Int32, firestore: String, storage: String?,
    project: String?, folder: String?
  ) {
    self.version = version
    self.processIdentifier = processIdentifier
    self.firestore = firestore
    self.storage = storage
    self.project = project
    self.folder = folder
  }

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.writeKey("version")
    json.writeString(version)
    json.writeKey("processId")
    json.writeInt32(processIdentifier)
    json.writeKey("firestore")
    json.writeString(firestore)
    let optional: [(StaticString, String?)] = [
      ("storage", storage), ("project", project), ("dataFolder", folder),
    ]
    for (key, value) in optional {
      guard let value else { continue }
      json.writeKey(key)
      json.writeString(value)
    }
    json.endObject()
  }
}
