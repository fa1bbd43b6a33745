internal import Coding
internal import FirestoreEngine
internal import FirestoreModel

extension ListenRun {
  /// Where the telling of a target begins.
  enum Start: Hashable, Sendable {
    /// With nothing, which a client that knows something has to be told.
    case empty(isReset: Bool)
    /// With what it was at a point. `isLive` if the client knows it from this stream.
    case point(ReadPoint, isLive: Bool)
  }

  /// What a moment looks like before anything is read.
  private struct Facts {
    var incarnation: Int64
    var commit: Int64
    var start: Start
  }

  /// Answers the request for a target.
  mutating func add(
    _ asked: ListenTarget, _ send: ListenStream.Send
  ) async throws(FirestoreError) {
    let id: Int32
    switch table.admit(asked.id) {
    case .broken(let error): throw error
    case .refused(let error): return try await send([.removed(asked.id, cause: error)])
    case .admitted(let admitted): id = admitted
    }
    let target: ActiveTarget
    do throws(FirestoreError) {
      let selection = try asked.selection.get()
      try selection.check(in: stream.database)
      let key = stream.hub.subscribe(stream, to: selection, in: stream.database)
      target = ActiveTarget(id: id, key: key, selection: selection)
    } catch {
      if error.code == .cancelled { throw error }
      return try await send([.added(id), .removed(id, cause: error)])
    }
    do throws(FirestoreError) {
      try await begin(target, asked, send)
    } catch {
      unsubscribe(target)
      if error.code == .cancelled { throw error }
      try await send([.removed(id, cause: error)])
    }
  }

  /// Tells a new target from its start to a snapshot.
  private mutating func begin(
    _ new: ActiveTarget, _ asked: ListenTarget, _ send: ListenStream.Send
  ) async throws(FirestoreError) {
    var loader = TargetLoader(stream, new)
    loader.pending.append(.added(new.id))
    var isReset = false
    for attempt in 1...Self.attempts {
      // The subscription came first: what is not in this moment comes as a commit.
      let point = ReadPoint(version: stream.hub.now(stream.engine))
      try await advance(upTo: point.version, send)
      let facts = try facts(at: point, asked.resume)
      incarnation = facts.incarnation
      let moment = moment(point.version, commit: facts.commit)
      do throws(FirestoreError) {
        // At the moment that is told, as what rules look at may change at any time.
        try stream.admit(new.selection, point)
        let start = isReset ? .empty(isReset: true) : facts.start
        try await loader.load(from: start, to: moment, at: point, asked.expectedCount, send)
      } catch {
        guard error.code == .failedPrecondition, attempt < Self.attempts else {
          // The client learns of the target before it learns that there is none.
          try await loader.flush(send)
          throw error
        }
        isReset = true
        continue
      }
      position = point.version
      loader.pending += [.current([new.id], moment), .snapshot(moment)]
      if asked.once {
        unsubscribe(new)
        loader.pending.append(.removed(new.id, cause: nil))
      } else {
        table.insert(loader.target)
      }
      return try await loader.flush(send)
    }
  }

  private func facts(
    at point: ReadPoint, _ resume: ListenTarget.Resume?
  ) throws(FirestoreError) -> Facts {
    try stream.engine.read(stream.database, at: point) { view in
      Facts(
        incarnation: view.incarnation, commit: try view.newestCommit,
        start: try Self.start(resume, view))
    }
  }

  /// A client that comes from another life of the database, from the future, or from before all history begins anew.
  private static func start(
    _ resume: ListenTarget.Resume?, _ view: DatabaseView
  ) throws -> Start {
    let version: Int64
    switch resume {
    case nil: return .empty(isReset: false)
    case .token(let bytes)?:
      guard let token = ResumeToken(bytes), token.incarnation == view.incarnation,
        token.version <= (try view.newestCommit)
      else { return .empty(isReset: true) }
      version = token.version
    case .readTime(let time)?:
      version = time.microseconds
      guard version <= view.point.version, version >= view.incarnation else {
        return .empty(isReset: true)
      }
    }
    guard version >= view.horizon, version >= 0 else { return .empty(isReset: true) }
    return .point(ReadPoint(version: version), isLive: false)
  }

  // MARK: - Without commits

  /// How long a stream may be silent, in microseconds.
  private static let silence: Int64 = 30_000_000

  /// Shows the moment, with a token for it, if the last one is long ago.
  mutating func refresh(_ send: ListenStream.Send) async throws(FirestoreError) {
    let point = ReadPoint(version: stream.hub.now(stream.engine))
    guard !table.isEmpty, point.version - position >= Self.silence else { return }
    let last = position
    try await advance(upTo: point.version, send)
    guard position == last else { return }
    let facts = try facts(at: point, nil)
    incarnation = facts.incarnation
    position = point.version
    try await send([.snapshot(moment(point.version, commit: facts.commit))])
  }

  // MARK: - Commits that were dropped

  /// Brings all targets from the last snapshot to a new one by what the store knows.
  mutating func resynchronise(
    at version: Int64, _ send: ListenStream.Send
  ) async throws(FirestoreError) {
    var version = version
    for attempt in 1...Self.attempts {
      do throws(FirestoreError) {
        return try await resynchronise(
          from: attempt == 1 ? ReadPoint(version: position) : nil,
          to: ReadPoint(version: version), send)
      } catch {
        guard error.code == .failedPrecondition else { throw error }
        guard attempt < Self.attempts else {
          // Clients come back after this one, with what they know.
          throw FirestoreError(.unavailable, "The stream fell too far behind.")
        }
        version = stream.hub.now(stream.engine)
      }
    }
  }

  private mutating func resynchronise(
    from last: ReadPoint?, to point: ReadPoint, _ send: ListenStream.Send
  ) async throws(FirestoreError) {
    let facts = try facts(at: point, nil)
    let isSame = facts.incarnation == incarnation
    incarnation = facts.incarnation
    let moment = moment(point.version, commit: facts.commit)
    var reset: [Int32] = []
    for target in table.inOrder {
      do throws(FirestoreError) {
        if stream.isBound() { try stream.admit(target.selection, point) }
      } catch {
        if error.code == .failedPrecondition { throw error }
        drop(target)
        try await send([.removed(target.id, cause: error)])
        continue
      }
      var loader = TargetLoader(stream, target)
      var start = Start.empty(isReset: true)
      if let last, isSame { start = .point(last, isLive: true) }
      try await loader.load(from: start, to: moment, at: point, nil, send)
      try await loader.flush(send)
      if loader.isReset { reset.append(target.id) }
      table.insert(loader.target)
    }
    position = point.version
    try await send((reset.isEmpty ? [] : [.current(reset, moment)]) + [.snapshot(moment)])
  }
}
