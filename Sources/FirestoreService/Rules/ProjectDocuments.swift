package import Coding
internal import FirestoreEngine
internal import FirestoreModel
package import SecurityRules

/// The documents of a project as the rules of another service look at them: those of all its databases, whoever asks.
package struct ProjectDocuments: RulesDocuments, Sendable {
  private let project: UTF8String
  private let engine: Engine
  private let decoded: DecodedDocuments

  package init(of project: UTF8String, _ operations: FirestoreOperations) {
    self.project = project
    engine = operations.engine
    decoded = operations.rules.decoded
  }

  package func document(_ path: RulesPath) throws(RulesDocumentsError) -> RulesDocument? {
    guard let name = path.text(at: 1) else { return nil }
    let database = DatabaseName(project: project, database: UTF8String(name))
    return try StoredDocuments(database: database, decoded) {
      [engine] (name) throws(FirestoreError) in
      try engine.document(name)
    }.document(path)
  }

  package func documentAfter(_ path: RulesPath) throws(RulesDocumentsError) -> RulesDocument? {
    try document(path)
  }
}
