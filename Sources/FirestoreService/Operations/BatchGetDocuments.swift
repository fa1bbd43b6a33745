internal import FirestoreEngine
package import FirestoreModel

extension FirestoreOperations {
  /// BatchGetDocuments: one answer for each name, a name that comes twice has one.
  ///
  /// - Throws: `INVALID_ARGUMENT`, and what `receive` throws.
  package func batchGetDocuments(
    _ database: DatabaseName, names: [DocumentName], mask: FieldMask?,
    consistency: ReadConsistency, as principal: Principal,
    receive: (BatchGetAnswer) async throws(FirestoreError) -> Void
  ) async throws(FirestoreError) {
    for name in names { try database.check(name) }
    var seen: Set<DocumentName> = []
    let names = names.filter { seen.insert($0).inserted }
    for name in names { try await authorize(.get(name), as: principal) }
    var point = try await point(of: consistency)
    for start in stride(from: 0, to: names.count, by: 64) {
      let part = names[start..<min(start + 64, names.count)]
      let (documents, reached) = try engine.read(database, at: point) { view in
        (try part.map { try view.document($0.path) }, view.point)
      }
      point = reached
      for (name, document) in zip(part, documents) {
        let outcome: BatchGetAnswer.Outcome =
          if let document { .found(try document.projected(to: mask)) } else { .missing(name) }
        try await receive(BatchGetAnswer(outcome: outcome, readTime: reached.time))
      }
    }
  }
}
