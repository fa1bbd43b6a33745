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
      isBound: { [self] in isBound(principal, in: database) },
      mayRead: { [self] (name, point) in
        do throws(FirestoreError) {
          try authorize(.get([name], database), at: point, as: principal, isAsked: false)
          return true
        } catch {
          // What can't be judged is not shown.
          return false
        }
      },
      admit: { [self] (selection, point) throws(FirestoreError) in
        switch selection {
        case .documents(let names):
          try authorize(.get(names, database), at: point, as: principal)
        case .query(let query): try authorize(.query(query.query), at: point, as: principal)
        }
      })
  }
}
