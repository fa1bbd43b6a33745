package import Coding
package import ObjectStorage

/// Who may do what: a line of an access control list.
package struct AccessEntry: Hashable, Sendable {
  package static let projectNumber = "000000000000"

  package var entity: String
  package var role: String

  package init(entity: String, role: String) {
    self.entity = entity
    self.role = role
  }

  /// A line as clients write it; `nil` for what is none.
  package init?(_ json: JSONValue) {
    guard let entity = json["entity"]?.text, let role = json["role"]?.text, !entity.isEmpty else {
      return nil
    }
    self.init(entity: entity, role: role)
  }

  var json: JSONValue { .object(["entity": .string(entity), "role": .string(role)]) }

  /// The lines of a list; `nil` for what is no array.
  static func list(_ json: JSONValue) -> [AccessEntry]? {
    json.elements?.compactMap { AccessEntry($0) }
  }

  package static let projectOwners = "project-owners-\(projectNumber)"

  static let standard = [
    AccessEntry(entity: projectOwners, role: "OWNER"),
    AccessEntry(entity: "project-editors-\(projectNumber)", role: "OWNER"),
    AccessEntry(entity: "project-viewers-\(projectNumber)", role: "READER"),
  ]

  /// The list that a word stands for; `nil` for an unknown word. `owner` comes first of an object's.
  package static func predefined(_ name: String, owner: String) -> [AccessEntry]? {
    let first = AccessEntry(entity: owner, role: "OWNER")
    let others: [AccessEntry]? =
      switch name {
      case "private": []
      case "publicRead": [AccessEntry(entity: "allUsers", role: "READER")]
      case "publicReadWrite": [AccessEntry(entity: "allUsers", role: "WRITER")]
      case "authenticatedRead": [AccessEntry(entity: "allAuthenticatedUsers", role: "READER")]
      case "bucketOwnerRead": [AccessEntry(entity: projectOwners, role: "READER")]
      case "bucketOwnerFullControl": [AccessEntry(entity: projectOwners, role: "OWNER")]
      case "projectPrivate": standard
      default: nil
      }
    return others.map { [first] + $0.filter { $0.entity != owner } }
  }
}

extension [AccessEntry] {
  package var json: JSONValue { .array(map(\.json)) }
}

extension Bucket {
  /// Its list.
  package var access: [AccessEntry] {
    settings["acl"].flatMap { AccessEntry.list($0) } ?? AccessEntry.standard
  }

  /// That which its objects begin with.
  package var objectAccess: [AccessEntry] {
    settings["defaultObjectAcl"].flatMap { AccessEntry.list($0) } ?? AccessEntry.standard
  }
}

extension Object {
  /// Who made it.
  package var owner: String {
    attributes.settings["owner"]?.text ?? AccessEntry.projectOwners
  }

  /// Its list.
  package func access(in bucket: Bucket) -> [AccessEntry] {
    if let list = attributes.settings["acl"].flatMap({ AccessEntry.list($0) }) { return list }
    let standard = bucket.objectAccess
    guard !standard.contains(where: { $0.entity == owner }) else { return standard }
    return standard + [AccessEntry(entity: owner, role: "OWNER")]
  }
}
