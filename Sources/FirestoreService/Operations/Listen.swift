package import FirestoreListen
package import FirestoreModel

extension FirestoreOperations {
  /// Listen: a stream on `database`, whose targets are admitted or refused one by one, and again when rules change
  /// or there is something to tell of them.
  package func listen(
    _ database: DatabaseName, as principal: Principal, outlet: ListenOutlet? = nil
  ) -> ListenStream {
    ListenStream(
      database, hub: hub, engine: engine, outlet: outlet,
      isBound: { [self] in isBound(principal, in: database) }
    ) { [self] (selection) throws(FirestoreError) in
      switch selection {
      case .documents(let names):
        try await authorize(.get(names, database), as: principal)
      case .query(let query): try await authorize(.query(query.query), as: principal)
      }
    }
  }
}
