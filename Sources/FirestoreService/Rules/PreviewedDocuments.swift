internal import FirestoreEngine
internal import FirestoreModel
internal import SecurityRules

/// The documents that rules look at in a commit.
struct PreviewedDocuments: RulesDocuments {
  let preview: CommitPreview
  let decoded: DecodedDocuments

  func document(_ path: RulesPath) throws(RulesDocumentsError) -> RulesDocument? {
    try read(path) { (path) throws(FirestoreError) in try preview.document(path) }
  }

  func documentAfter(_ path: RulesPath) throws(RulesDocumentsError) -> RulesDocument? {
    try read(path) { (path) throws(FirestoreError) in try preview.documentAfter(path) }
  }

  private func read(
    _ path: RulesPath, _ read: (DocumentPath) throws(FirestoreError) -> Document?
  ) throws(RulesDocumentsError) -> RulesDocument? {
    guard let documentPath = DocumentPath(rulesPath: path) else { return nil }
    do throws(FirestoreError) {
      guard let document = try read(documentPath) else { return nil }
      return try decoded.rulesDocument(document, at: path)
    } catch {
      throw RulesDocumentsError()
    }
  }
}
