package import FirestoreModel

extension V1.Document {
  package init(_ document: FirestoreModel.Document) {
    self.init(
      name: document.name.text, fields: V1.DocumentFields(document.fields),
      createTime: document.createTime, updateTime: document.updateTime)
  }
}

extension FieldMask {
  /// - Throws: `INVALID_ARGUMENT` for a path that is none.
  package init(_ message: V1.DocumentMask) throws(FirestoreError) {
    try self.init(parsing: message.fieldPaths)
  }
}

extension Optional<FieldMask> {
  /// The mask of a request, `nil` where it has none.
  package init(_ message: V1.DocumentMask?) throws(FirestoreError) {
    guard let message else {
      self = nil
      return
    }
    self = try FieldMask(message)
  }
}
