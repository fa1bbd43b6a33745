internal import FirestoreModel
internal import KeyValue

// Counts by the entries of indexes, where each stands for a result.

extension Engine {
  /// Entries that are counted in one step.
  private static let entriesPerCount = 8_192

  /// The answer to a query that only counts; `nil` if it has to look at documents.
  func indexedCount(
    _ query: AggregationQuery, at point: ReadPoint?
  ) async throws(FirestoreError) -> AggregationAnswer? {
    guard query.fields.isEmpty, query.query.nearest == nil, point == nil else { return nil }
    if indexes == .always { try await buildIndexes(for: query.query) }
    let (ranges, answer) = try read(query.query.database) { view in
      let ranges = try countedRanges(query.query, view)
      return (ranges, try ranges.flatMap { try Self.count($0, query, view) })
    }
    if ranges == nil { return nil }
    if let answer { return answer }
    return try await longCount(query)
  }

  /// The ranges of entries, of which no two are for one document, that all together are the results.
  private func countedRanges(
    _ query: Query, _ view: DatabaseView
  ) throws(StoreError) -> [KeyRange]? {
    guard case .index(let plan) = try plan(query, view, needsOrder: true, required: []),
      plan.isExact, plan.areDisjoint
    else { return nil }
    return plan.branches.map(\.range)
  }

  /// Counts at once; `nil` if there are more entries than a step may count.
  private static func count(
    _ ranges: [KeyRange], _ query: AggregationQuery, _ view: DatabaseView
  ) throws(StoreError) -> AggregationAnswer? {
    var count = 0
    for range in ranges {
      guard try view.reader.key(.entries, range, behind: entriesPerCount - count) == nil else {
        return nil
      }
      count += try view.reader.count(.entries, range)
      guard count < entriesPerCount else { return nil }
    }
    return query.answer(counting: count, at: view.point)
  }

  /// Counts step by step, all in one view.
  private func longCount(
    _ query: AggregationQuery
  ) async throws(FirestoreError) -> AggregationAnswer? {
    let database = query.query.database
    let time = clock.readTime()
    let snapshot: any StoreSnapshot
    do {
      snapshot = try await store.snapshot()
    } catch {
      throw FirestoreError(thrown: error)
    }
    defer { snapshot.close() }
    do {
      let view = DatabaseView(
        database: database, point: ReadPoint(version: max(time, try snapshot.version)),
        reader: snapshot, record: try snapshot.record(of: database), isPast: false)
      guard let ranges = try countedRanges(query.query, view) else { return nil }
      var count = 0
      for range in ranges {
        var rest = range
        while let key = try snapshot.key(.entries, rest, behind: Self.entriesPerCount) {
          count += Self.entriesPerCount
          rest.lower = key
          await Task.yield()
          if Task.isCancelled { throw FirestoreError(.cancelled, "The request was cancelled.") }
        }
        count += try snapshot.count(.entries, rest)
      }
      return query.answer(counting: count, at: view.point)
    } catch {
      throw FirestoreError(thrown: error)
    }
  }
}
