package import FirestoreModel
internal import KeyValue
internal import Synchronization

/// When queries use indexes.
package enum IndexPolicy: String, CaseIterable, Sendable {
  /// Once they pay.
  case adaptive
  /// Every query that an index can serve builds it first; for tests.
  case always
  /// For tests.
  case never
}

extension Engine {
  private static let entriesPerStep = 256

  /// Builds and drops indexes until it is cancelled. `failed` is told of what went wrong; it is tried again when there is more
  /// to do.
  package func runIndexing(failed: (FirestoreError) -> Void) async {
    while !Task.isCancelled {
      do throws(FirestoreError) {
        try await tidyIndexes()
      } catch {
        if !Task.isCancelled { failed(error) }
      }
      await catalog.signal.wait()
    }
  }

  /// Builds the indexes that queries would like to have and those that were left half built, and drops those that nobody uses.
  package func tidyIndexes() async throws(FirestoreError) {
    for wish in catalog.takeWishes() { try await define(wish.shape, in: wish.database) }
    for database in databases {
      while let definition = try unfinishedIndex(of: database) {
        try await step(definition, in: database)
        await Task.yield()
        if Task.isCancelled { throw FirestoreError(.cancelled, "The request was cancelled.") }
      }
    }
  }

  /// How to answer `query` in a view. Where results need not come in order, they all have the fields `required`.
  func plan(
    _ query: Query, _ view: DatabaseView, needsOrder: Bool, required: [FieldPath]
  ) throws(StoreError) -> QueryPlan {
    guard indexes != .never, let record = view.record else { return .scan([]) }
    let ready = try catalog.definitions(record, view.reader).filter { $0.state == .ready }
    let planner = QueryPlanner(
      query: query, number: record.number, definitions: ready, needsOrder: needsOrder,
      required: required)
    let plan = planner.plan()
    if case .index(let plan) = plan { catalog.use(record.number, plan.indexes) }
    return plan
  }

  /// Builds the indexes that serve `query` best, and returns when they are there.
  func buildIndexes(for query: Query) async throws(FirestoreError) {
    guard let scope = query.indexScope else { return }
    let fields = query.branches.map(\.indexFields)
    guard fields.allSatisfy({ !$0.isEmpty }) else { return }
    for fields in Set(fields) {
      try await define(IndexShape(scope: scope, fields: fields), in: query.database)
    }
    while let definition = try unfinishedIndex(of: query.database) {
      try await step(definition, in: query.database)
      await Task.yield()
    }
  }

  private func unfinishedIndex(
    of database: DatabaseName
  ) throws(FirestoreError) -> IndexDefinition? {
    try read(database) { view in
      guard let record = view.record else { return nil }
      return try catalog.definitions(record, view.reader).first { definition in
        switch definition.state {
        case .building, .dropping: true
        case .ready: indexes == .adaptive && catalog.isUnused(record.number, definition.id)
        }
      }
    }
  }

  /// Makes the definition of an index that is not there, unless there are too many.
  private func define(
    _ shape: IndexShape, in database: DatabaseName
  ) async throws(FirestoreError) {
    let policy = indexes
    _ = try await write { transaction, version in
      guard var record = try transaction.record(of: database) else { return }
      var definitions: [IndexDefinition] = []
      try transaction.forEach(.indexes, KeyRange(prefix: StorageKey.database(record.number))) {
        pair throws(StoreError) in definitions.append(try IndexDefinition(pair))
      }
      guard !definitions.contains(where: { $0.shape == shape && $0.state != .dropping }),
        policy == .always || definitions.count < IndexCatalog.most
      else { return }
      let id = (definitions.map(\.id).max() ?? 0) + 1
      let definition = IndexDefinition(id: id, version: version, shape)
      try transaction.put(.indexes, Keys.index(record.number, id), definition.encoded)
      record.indexGeneration = version
      try transaction.put(.databases, Keys.database(database), record.encoded)
    } applied: { _, _ in
      nil
    }
  }

  /// Goes on with building or dropping an index, or begins to drop it if it is ready.
  private func step(
    _ known: IndexDefinition, in database: DatabaseName
  ) async throws(FirestoreError) {
    await store.settle()
    let used = try await write { transaction, version -> DatabaseNumber? in
      guard var record = try transaction.record(of: database) else { return nil }
      let key = Keys.index(record.number, known.id)
      guard let value = try transaction.get(.indexes, key) else { return nil }
      var definition = try IndexDefinition(KeyValuePair(key: key, value: value))
      guard definition.version == known.version else { return nil }
      var isBuilt = false
      switch definition.state {
      case .ready:
        guard known.state == .ready else { return nil }
        definition.state = .dropping
      case .building(let position):
        let build = IndexBuild(
          transaction: transaction, number: record.number, definition: definition)
        let next = try build.step(from: position)
        definition.state = next.map(IndexDefinition.State.building) ?? .ready
        isBuilt = next == nil
      case .dropping:
        let deleted = try transaction.delete(
          .entries, KeyRange(prefix: key), limit: Self.entriesPerStep)
        if deleted == Self.entriesPerStep { return nil }
      }
      if case .dropping = definition.state, case .dropping = known.state {
        try transaction.delete(.indexes, key)
      } else {
        try transaction.put(.indexes, key, definition.encoded)
      }
      record.indexGeneration = version
      try transaction.put(.databases, Keys.database(database), record.encoded)
      return isBuilt ? record.number : nil
    } applied: { _, _ in
      nil
    }
    if let used { catalog.use(used, [known.id]) }
  }
}
