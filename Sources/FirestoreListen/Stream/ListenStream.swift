package import FirestoreEngine
package import FirestoreModel

/// A Listen stream: requests go in from one task, messages come out in another.
package final class ListenStream: Sendable {
  /// Gives messages to the client; waits while it does not read.
  package typealias Send = ([ListenMessage]) async throws(FirestoreError) -> Void

  let database: DatabaseName
  let hub: ListenHub
  let engine: Engine
  let inbox = ListenInbox()
  let admit: @Sendable (ListenTarget.Selection) async throws(FirestoreError) -> Void

  /// `admit` throws if the client may not see a target.
  package init(
    _ database: DatabaseName, hub: ListenHub, engine: Engine,
    admit: @escaping @Sendable (ListenTarget.Selection) async throws(FirestoreError) -> Void
  ) {
    self.database = database
    self.hub = hub
    self.engine = engine
    self.admit = admit
  }

  /// Takes a request; waits until the one before is being answered.
  package func receive(_ request: ListenRequest) async {
    await inbox.put(request)
  }

  /// No request comes any more: what was asked is answered, then the stream ends, with `error` at once.
  package func end(_ error: FirestoreError? = nil) {
    inbox.end(error)
  }

  /// Answers until the end. To be called once.
  ///
  /// - Throws: what `send` throws, the error that ended the stream, `CANCELLED` in a cancelled task.
  package func run(send: Send) async throws(FirestoreError) {
    hub.open(inbox)
    var run = ListenRun(self)
    defer {
      run.removeAll()
      hub.close(inbox)
    }
    try await run.answer(send)
  }
}
