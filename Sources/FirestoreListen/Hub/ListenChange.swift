internal import FirestoreEngine
internal import FirestoreModel

/// A changed document, shared by all who listen to it.
final class ListenChange: Sendable {
  let name: DocumentName
  let before: Document?
  let after: SharedDocument?
  /// About the memory that it keeps.
  let size: Int

  init(name: DocumentName, before: Document?, after: SharedDocument?) {
    self.name = name
    self.before = before
    self.after = after
    self.size =
      200 + (before?.fields.bytes.count ?? 0) + 2 * (after?.document.fields.bytes.count ?? 0)
  }

  convenience init(_ change: DocumentChange, in database: DatabaseName) {
    let name = DocumentName(database: database, path: change.path)
    self.init(
      name: name, before: change.before?.document(named: name),
      after: change.after.map { SharedDocument($0.document(named: name)) })
  }
}

/// What one commit changed for one target of a stream, or for all of them.
struct Delivery: Sendable {
  enum Content: Sendable {
    case news(TargetNews, for: TargetKey)
    case cleared
  }

  let version: Int64
  let incarnation: Int64
  let content: Content
}

/// Names one target of one stream for good, while the ids that clients choose are used again.
struct TargetKey: Hashable, Comparable, Sendable {
  let number: UInt64

  static func < (left: TargetKey, right: TargetKey) -> Bool { left.number < right.number }
}
