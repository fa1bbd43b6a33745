package import Coding

/// A document as stored: its fields stay in their stored form until someone looks at one.
package struct Document: Hashable, Sendable {
  package var name: DocumentName
  package var fields: StoredFields
  /// The commit that made the document exist.
  package var createTime: Timestamp
  /// The last commit that changed it.
  package var updateTime: Timestamp

  package init(
    name: DocumentName, fields: StoredFields, createTime: Timestamp, updateTime: Timestamp
  ) {
    self.name = name
    self.fields = fields
    self.createTime = createTime
    self.updateTime = updateTime
  }
}
