package import Coding
package import FirestoreModel
internal import KeyValue
internal import Synchronization

extension Engine {
  /// Microseconds since 1970 by the clock of the engine, which may be set back.
  package var timeOfDay: Int64 { clock.timeOfDay }

  /// The newest state of a document; nothing but one look into the store.
  package func document(_ name: DocumentName) throws(FirestoreError) -> Document? {
    while true {
      let clearings = clearings.load(ordering: .acquiring)
      guard let number = state.withLock({ $0.databases[name.database]?.number }) else { return nil }
      let key = StorageKey.document(number, name.path)
      let document: Document?
      do {
        document = try store.get(.documents, key).map(DocumentRecord.init(decoding:))?
          .document(named: name)
      } catch {
        throw FirestoreError(thrown: error)
      }
      // A database that was cleared meanwhile may be half deleted under its old number.
      if self.clearings.load(ordering: .acquiring) == clearings { return document }
    }
  }

  /// How many documents a collection has now, by one look into the store; `nil` where that can't tell, as while commits come in.
  func documentCount(
    in collection: CollectionPath, of database: DatabaseName
  ) throws(FirestoreError) -> (count: Int, point: ReadPoint)? {
    let clearings = clearings.load(ordering: .acquiring)
    guard let number = state.withLock({ $0.databases[database]?.number }) else { return nil }
    let time = clock.readTime()
    let count: Int
    do {
      count =
        try store.get(.collections, Keys.collection(number, collection.segments))
        .map(Keys.documentCount) ?? 0
    } catch {
      throw FirestoreError(thrown: error)
    }
    guard !clock.hasCommits(behind: time),
      self.clearings.load(ordering: .acquiring) == clearings
    else { return nil }
    return (count, ReadPoint(version: time))
  }

  /// Lends `database` as it was at `point`, or as it is now, to `body`, which runs at once.
  ///
  /// - Throws: `FAILED_PRECONDITION` if the history no longer reaches back to `point`.
  package func read<Result>(
    _ database: DatabaseName, at point: ReadPoint? = nil,
    _ body: (DatabaseView) throws -> Result
  ) throws(FirestoreError) -> Result {
    let time = point?.version ?? clock.readTime()
    do {
      return try store.read { reader in
        let newest = try reader.version
        let record = try reader.record(of: database)
        let isPast = point != nil && newest > time
        if isPast, let record, record.horizon > time { throw FirestoreError.readTimeTooOld }
        return try body(
          DatabaseView(
            database: database,
            point: ReadPoint(version: point == nil ? max(time, newest) : time), reader: reader,
            record: record, isPast: isPast))
      }
    } catch {
      throw FirestoreError(thrown: error)
    }
  }

  /// The moment that a client names by a time. All commits up to it can be seen when this returns.
  ///
  /// - Throws: `INVALID_ARGUMENT`, `FAILED_PRECONDITION`.
  package func point(at time: Timestamp) async throws(FirestoreError) -> ReadPoint {
    guard time == time.truncatedToMicroseconds else {
      throw .invalidArgument("timestamp cannot have more than microseconds precision")
    }
    let point = ReadPoint(version: time.microseconds)
    guard point.version >= clock.timeOfDay - retention.microseconds else {
      throw .readTimeTooOld
    }
    switch clock.accept(point.version) {
    case .ready: return point
    case .inFuture:
      throw .invalidArgument("The requested 'read_time' cannot be in the future.")
    case .afterPendingCommits:
      do {
        try await store.write { _ in }
      } catch {
        throw FirestoreError(thrown: error)
      }
      return point
    }
  }
}

extension FirestoreError {
  static var readTimeTooOld: FirestoreError {
    FirestoreError(.failedPrecondition, "The requested 'read_time' is too old.")
  }
}
