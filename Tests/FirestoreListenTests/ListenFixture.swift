import Coding
import Dispatch
import FirestoreEngine
import FirestoreModel
import KeyValue
import Synchronization

@testable import FirestoreListen

/// An engine in memory with its hub.
struct ListenFixture: Sendable {
  static let database = DatabaseName(project: "p", database: "(default)")

  /// A clock that goes on by a microsecond whenever it is read.
  private final class Time: Sendable {
    private let now = Mutex<Int64>(1_700_000_000_000_000)

    func advance(by microseconds: Int64) -> Int64 {
      now.withLock { now in
        now += microseconds
        return now
      }
    }
  }

  let hub = ListenHub()
  let engine: Engine
  /// What the clients of streams may see.
  var admit: ListenStream.Admission = { (_, _) in }
  /// Whether they have to ask.
  var isBound = false
  private let time = Time()

  init(retention: Engine.Retention = .init()) throws {
    engine = try Engine(
      store: MemoryStore(), retention: retention, now: { [time] in time.advance(by: 1) },
      feed: hub.receive)
  }

  /// Lets seconds pass, in which the hub reminds every stream.
  func pass(seconds: Int64) {
    _ = time.advance(by: seconds * 1_000_000)
    for _ in 0..<StreamRing.partCount { hub.refreshNext() }
  }

  /// Returns the version.
  @discardableResult
  func commit(_ writes: Write...) async throws -> Int64 {
    try await engine.commit(Self.database, writes).commitTime.microseconds
  }

  func stream(outlet: ListenOutlet? = nil) -> ListenStream {
    ListenStream(
      Self.database, hub: hub, engine: engine, outlet: outlet,
      isBound: { [isBound] in isBound }, admit: admit)
  }

  /// How a stream is served.
  enum Mode: CaseIterable {
    /// All by its task.
    case task
    /// By its task, but what can be told at once through an outlet.
    case outlet
    /// Through an outlet, and by tasks that come and go.
    case session
  }

  /// Runs `body` with a client of a new stream, which ends after it.
  func withClient(
    _ mode: Mode = .session, _ body: (ListenClient) async throws -> Void
  ) async throws {
    let queue = DispatchQueue(label: "outlet")
    let box = ClientBox()
    let outlet = ListenOutlet(
      place: ObjectIdentifier(queue), execute: { body in queue.async { body() } },
      offer: { box.client.withLock { $0 }?.take($0.messages) ?? false })
    let stream = self.stream(outlet: mode == .task ? nil : outlet)
    let client = ListenClient(stream)
    box.client.withLock { $0 = client }
    defer { box.client.withLock { $0 = nil } }
    let send: ListenStream.Send = { (messages) throws(FirestoreError) in
      try await client.receive(messages)
    }
    guard mode == .session else { return try await run(client, send, body) }
    let over = AsyncStream.makeStream(of: Void.self)
    stream.open(
      ListenAttendance(
        send: send, start: { work in Task { await work() } }, hasRoom: {},
        ended: { error in
          client.end(error)
          over.continuation.finish()
        }))
    let result: Result<Void, any Error>
    do { result = .success(try await body(client)) } catch { result = .failure(error) }
    client.stall(false)
    stream.end(FirestoreError(.cancelled, "The test is over."))
    for await _ in over.stream {}
    try result.get()
  }

  private func run(
    _ client: ListenClient, _ send: @escaping ListenStream.Send,
    _ body: (ListenClient) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask {
        do throws(FirestoreError) {
          try await client.stream.run(send: send)
          client.end(nil)
        } catch {
          client.end(error)
        }
      }
      defer { tasks.cancelAll() }
      try await body(client)
    }
  }

  /// The names and update times of what the query finds now.
  func results(of query: StructuredQuery) async throws -> [DocumentName: Document] {
    var run = QueryRun(try Query(query, parent: .root), in: engine, at: nil)
    var documents: [DocumentName: Document] = [:]
    while let page = try await run.next() {
      for document in page.documents { documents[document.name] = document }
    }
    return documents
  }
}

/// Where an outlet finds its client.
private final class ClientBox: Sendable {
  let client = Mutex<ListenClient?>(nil)
}

/// What a client knows that follows the messages of a stream as SDKs do, and checks them.
final class ListenClient: Sendable {
  struct Target {
    var documents: [DocumentName: Document] = [:]
    var isCurrent = false
    var removed: FirestoreError?
    var isOver = false
    var filters: [ExistenceFilter] = []
    var resets = 0
  }

  struct State {
    var targets: [Int32: Target] = [:]
    /// What was last shown to listeners.
    var shown: [Int32: [DocumentName: Document]] = [:]
    var log: [String] = []
    var snapshots = 0
    /// Documents that it was told of.
    var events = 0
    /// Is told the moment and what the targets show.
    var onSnapshot: (@Sendable (ListenMoment, [Int32: [DocumentName: Document]]) -> Void)?
    /// Offers that are refused, one of as many.
    var refusals = 5
    var offers = 0
    var moment: ListenMoment?
    var problems: [String] = []
    var end: FirestoreError??
    /// No message is taken while this is set.
    var isStalled = false
  }

  let stream: ListenStream
  let state = Mutex(State())
  private let changed = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  private let resumed = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

  init(_ stream: ListenStream) {
    self.stream = stream
  }

  var log: [String] { state.withLock { $0.log } }
  var problems: [String] { state.withLock { $0.problems } }
  var token: [UInt8] { state.withLock { $0.moment?.token.bytes ?? [] } }
  func target(_ id: Int32) -> Target { state.withLock { $0.targets[id] ?? Target() } }
  func shown(_ id: Int32) -> [DocumentName: Document] { state.withLock { $0.shown[id] ?? [:] } }

  func add(
    _ id: Int32, _ selection: ListenTarget.Selection, resume: ListenTarget.Resume? = nil,
    knowing known: [DocumentName: Document] = [:], expectedCount: Int? = nil, once: Bool = false
  ) async {
    state.withLock { $0.targets[id] = Target(documents: known) }
    await stream.receive(
      .add(
        ListenTarget(
          id: id, selection: .success(selection), resume: resume, expectedCount: expectedCount,
          once: once)))
  }

  /// Waits until `condition` holds.
  func wait(until condition: (State) -> Bool) async throws {
    var iterator = changed.stream.makeAsyncIterator()
    while !state.withLock({ condition($0) }) {
      guard await iterator.next() != nil else { throw CancellationError() }
    }
  }

  /// Waits for a snapshot at `version` or later.
  func wait(for version: Int64) async throws {
    try await wait { $0.moment.map { $0.readTime.microseconds >= version } ?? false }
  }

  func stall(_ isStalled: Bool) {
    state.withLock { $0.isStalled = isStalled }
    if !isStalled { resumed.continuation.yield() }
  }

  func end(_ error: FirestoreError?) {
    state.withLock { $0.end = .some(error) }
    changed.continuation.yield()
  }

  /// Takes messages, unless it stalls, or now and then just so.
  func take(_ messages: [ListenMessage]) -> Bool {
    let isTaken = state.withLock { state in
      state.offers += 1
      guard !state.isStalled, state.offers % state.refusals != 0 else { return false }
      for message in messages { state.apply(message) }
      return true
    }
    if isTaken { changed.continuation.yield() }
    return isTaken
  }

  func receive(_ messages: [ListenMessage]) async throws(FirestoreError) {
    var iterator = resumed.stream.makeAsyncIterator()
    while state.withLock({ $0.isStalled }) {
      guard await iterator.next() != nil else {
        throw FirestoreError(.cancelled, "The test is over.")
      }
    }
    state.withLock { state in
      for message in messages { state.apply(message) }
    }
    changed.continuation.yield()
  }
}

extension ListenClient.State {
  mutating func apply(_ message: ListenMessage) {
    switch message {
    case .added(let id):
      log.append("add \(id)")
      if targets[id] == nil { targets[id] = .init() }
    case .removed(let id, let cause):
      log.append("remove \(id)\(cause.map { " \($0.code)" } ?? "")")
      targets[id, default: .init()].isOver = true
      targets[id]?.removed = cause
    case .reset(let ids, _):
      log.append("reset \(ids)")
      for id in ids {
        targets[id]?.documents = [:]
        targets[id]?.isCurrent = false
        targets[id]?.resets += 1
      }
    case .current(let ids, _):
      log.append("current \(ids)")
      for id in ids { targets[id]?.isCurrent = true }
    case .snapshot(let moment):
      log.append("snapshot")
      if let last = self.moment, moment.readTime < last.readTime {
        problems.append("the read time went back")
      }
      self.moment = moment
      snapshots += 1
      for (id, target) in targets where target.isCurrent { shown[id] = target.documents }
      onSnapshot?(moment, shown)
    case .changed(let shared, let ids, let left):
      log.append("change \(shared.document.name.text.suffix(3)) \(ids) \(left)")
      events += 1
      for id in ids {
        let known = targets[id]?.documents.updateValue(
          shared.document, forKey: shared.document.name)
        if known == shared.document { problems.append("\(shared.document.name.text) came twice") }
      }
      for id in left { remove(shared.document.name, from: id) }
    case .deleted(let name, _, let left):
      events += 1
      log.append("delete \(name.text.suffix(3)) \(left)")
      for id in left { targets[id]?.documents[name] = nil }
    case .leftView(let name, _, let left):
      events += 1
      log.append("out \(name.text.suffix(3)) \(left)")
      for id in left { remove(name, from: id) }
    case .filter(let filter):
      log.append("filter \(filter.count)")
      targets[filter.target]?.filters.append(filter)
      guard let names = filter.names else { return }
      let known = targets[filter.target]?.documents ?? [:]
      if known.count != filter.count {
        targets[filter.target]?.documents = known.filter {
          names.contains(BloomFilter.Entry($0.key.text))
        }
      }
    }
  }

  private mutating func remove(_ name: DocumentName, from id: Int32) {
    if targets[id]?.documents.removeValue(forKey: name) == nil {
      problems.append("\(name.text) left \(id) without having been there")
    }
  }
}

extension ParentName {
  static let root = ParentName(database: ListenFixture.database, document: nil)
}

func name(_ path: String) -> DocumentName {
  DocumentName(
    database: ListenFixture.database,
    path: DocumentPath(segments: path.split(separator: "/").map { UTF8String(String($0)) }))
}

func set(_ path: String, _ fields: [String: Int] = [:]) -> Write {
  Write(
    .update(
      name(path),
      MapValue(
        fields.map { MapValue.Field(name: UTF8String($0.key), value: .integer(Int64($0.value))) }),
      nil))
}

func delete(_ path: String) -> Write { Write(.delete(name(path))) }

func query(
  _ collection: UTF8String = "c", group: Bool = false, filter: Filter? = nil,
  orderBy: [Query.Order] = [], limit: Int? = nil, offset: Int = 0
) -> StructuredQuery {
  StructuredQuery(
    from: [.init(collectionID: collection, allDescendants: group)], filter: filter,
    orderBy: orderBy, offset: offset, limit: limit)
}

func selection(_ query: StructuredQuery) throws -> ListenTarget.Selection {
  .query(try ListenQuery(query, parent: .root))
}

func documents(_ paths: String...) -> ListenTarget.Selection { .documents(paths.map { name($0) }) }

func field(_ name: String) -> FieldPath {
  guard let path = try? FieldPath(parsing: name) else { preconditionFailure(name) }
  return path
}
