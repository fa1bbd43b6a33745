package import FirestoreListen
package import FirestoreModel

extension FirestoreOperations {
  /// Listen: a stream on `database`, whose targets are admitted or refused one by one.
  package func listen(
    _ database: DatabaseName, as principal: Principal, outlet: ListenOutlet? = nil
  ) -> ListenStream {
    ListenStream(database, hub: hub, engine: engine, outlet: outlet) {
      [self] (selection) throws(FirestoreError) in
      switch selection {
      case .documents(let names):
        for name in names { try await authorize(.get(name), as: principal) }
      case .query(let query): try await authorize(.list(query.query.parent), as: principal)
      }
    }
  }
}
