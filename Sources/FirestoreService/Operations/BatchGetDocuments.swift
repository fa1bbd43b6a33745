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
    try await authorize(.get(names, database), at: consistency, as: principal)
    try await read(database, consistency, .documents(names)) {
      (point, began) async throws(FirestoreError) in
      if let began { try await receive(.began(began)) }
      try await read(names, of: database, mask, at: point, receive)
    }
  }

  private func read(
    _ names: [DocumentName], of database: DatabaseName, _ mask: FieldMask?, at point: ReadPoint?,
    _ receive: (BatchGetAnswer) async throws(FirestoreError) -> Void
  ) async throws(FirestoreError) {
    var point = point
    for start in stride(from: 0, to: names.count, by: 64) {
      let part = names[start..<min(start + 64, names.count)]
      let (documents, reached) = try engine.read(database, at: point) { view in
        (try part.map { try view.document($0.path) }, view.point)
      }
      point = reached
      for (name, document) in zip(part, documents) {
        if let document {
          try await receive(.found(try document.projected(to: mask), readTime: reached.time))
        } else {
          try await receive(.missing(name, readTime: reached.time))
        }
      }
    }
  }
}
