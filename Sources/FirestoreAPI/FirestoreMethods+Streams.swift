internal import Coding
internal import FirestoreListen
package import FirestoreModel
package import FirestoreProtocol
package import FirestoreService

extension FirestoreMethods {
  /// Listen. `next` gives the requests of the client, `nil` after the last, from a task of its own. What can be told at once
  /// goes out through `outlet`, if there is one.
  package func listen(
    as principal: Principal, outlet: ListenAnswerOutlet? = nil,
    next: @escaping @Sendable () async throws(FirestoreError) -> V1.ListenRequest?,
    send: @escaping @Sendable ([ListenAnswer]) async throws(FirestoreError) -> Void
  ) async throws(FirestoreError) {
    guard let (database, first) = try await Self.request(next) else { return }
    let stream = operations.listen(
      try DatabaseName(parsing: database), as: principal, outlet: outlet?.outlet)
    let failure = await withTaskGroup(of: Void.self) { tasks -> FirestoreError? in
      // Requests come while answers go; it is cancelled when the stream ends.
      tasks.addTask { await Self.receive(first, next, into: stream) }
      defer { tasks.cancelAll() }
      do throws(FirestoreError) {
        try await stream.run { (messages) throws(FirestoreError) in
          try await send(messages.map { ListenAnswer($0) })
        }
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  /// Hands over requests until the last or an error.
  private static func receive(
    _ first: Result<ListenRequest, FirestoreError>,
    _ next: @Sendable () async throws(FirestoreError) -> V1.ListenRequest?,
    into stream: ListenStream
  ) async {
    do throws(FirestoreError) {
      await stream.receive(try first.get())
      while !Task.isCancelled, let (_, request) = try await request(next) {
        await stream.receive(try request.get())
      }
      stream.end()
    } catch {
      stream.end(error)
    }
  }

  /// The next request with its database. It is small, unlike the message, as streams spend their time waiting for one.
  private static func request(
    _ next: @Sendable () async throws(FirestoreError) -> V1.ListenRequest?
  ) async throws(FirestoreError) -> (
    database: String, request: Result<ListenRequest, FirestoreError>
  )? {
    guard let message = try await next() else { return nil }
    return Self.parts(of: message)
  }

  /// Not a part of `request`, which would keep all that it needs on the way for as long as it waits.
  @inline(never)
  private static func parts(
    of message: V1.ListenRequest
  ) -> (database: String, request: Result<ListenRequest, FirestoreError>) {
    (message.database, Result { () throws(FirestoreError) in try ListenRequest(message) })
  }

  /// Write. `next` gives the requests of the client, `nil` after the last.
  package func write(
    as principal: Principal, next: () async throws(FirestoreError) -> V1.WriteRequest?,
    send: (V1.WriteResponse) async throws(FirestoreError) -> Void
  ) async throws(FirestoreError) {
    guard let first = try await next() else { return }
    guard !first.database.isEmpty else {
      throw .invalidArgument("'database' must be set on an initial write request.")
    }
    guard first.streamID.isEmpty else {
      throw .invalidArgument("Resuming streams is not supported, do not set stream ID.")
    }
    guard first.writes.isEmpty else {
      throw .invalidArgument("'writes' must not be set on an initial write request.")
    }
    var stream = operations.writeStream(
      try DatabaseName(parsing: first.database), as: principal)
    try await send(V1.WriteResponse(streamID: stream.id, streamToken: stream.token))
    while let request = try await next() {
      let answer = try await stream.write([Write](request.writes))
      let results = answer.result?.writeResults.map { V1.WriteResult($0) } ?? []
      try await send(
        V1.WriteResponse(
          streamToken: answer.token, writeResults: results,
          commitTime: answer.result?.commitTime))
    }
  }
}

extension ListenRequest {
  /// - Throws: `INVALID_ARGUMENT` for what names no target.
  init(_ message: V1.ListenRequest) throws(FirestoreError) {
    switch message.targetChange {
    case .addTarget(let target)?: self = .add(try ListenTarget(target))
    case .removeTarget(let id)?: self = .remove(id)
    case nil: throw .invalidArgument("A listen request must add or remove a target.")
    }
  }
}

extension ListenTarget {
  /// What is wrong with the selection is kept in it.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a target without a selection.
  fileprivate init(_ message: V1.Target) throws(FirestoreError) {
    let selection: Result<Selection, FirestoreError>
    switch message.targetType {
    case .query(let query)?:
      selection = Result(catching: { () throws(FirestoreError) in .query(try ListenQuery(query)) })
    case .documents(let documents)?:
      selection = Result(catching: { () throws(FirestoreError) in
        var names: [DocumentName] = []
        for name in documents.documents { names.append(try DocumentName(parsing: name)) }
        return .documents(names)
      })
    case .pipelineQuery?:
      selection = .failure(
        FirestoreError(.unimplemented, "Pipeline queries can't be listened to."))
    case nil: throw .invalidArgument("A target must have a query or documents.")
    }
    let resume: Resume? =
      switch message.resumeType {
      case .resumeToken(let token)?: token.isEmpty ? nil : .token(token)
      case .readTime(let time)?: .readTime(time)
      case nil: nil
      }
    self.init(
      id: message.targetID, selection: selection, resume: resume,
      expectedCount: message.expectedCount.map { Int($0) }, once: message.once)
  }
}

extension ListenQuery {
  fileprivate convenience init(_ message: V1.Target.QueryTarget) throws(FirestoreError) {
    let parent = try ParentName(parsing: message.parent)
    guard case .structuredQuery(let query)? = message.queryType else {
      throw .invalidArgument("only structured queries are supported")
    }
    try self.init(StructuredQuery(query), parent: parent)
  }
}
