import Coding
import FirestoreEngine
import FirestoreListen
import FirestoreModel
import FirestoreService
import KeyValue
import SecurityRules
import Synchronization

/// The operations over a store in memory, for listeners that rules bind.
struct ListenRulesFixture: Sendable {
  static let database = DatabaseName(project: "p", database: "(default)")

  /// A clock that goes on by a microsecond whenever it is read.
  private final class Time: Sendable {
    private let now = Mutex<Int64>(1_700_000_000_000_000)

    func next() -> Int64 {
      now.withLock { now in
        now += 1
        return now
      }
    }
  }

  let operations: FirestoreOperations
  let engine: Engine
  /// Told of denials.
  let denials = Denials()

  final class Denials: Sendable {
    private let count = Mutex(0)
    var number: Int { count.withLock { $0 } }
    func note() { count.withLock { $0 += 1 } }
  }

  init() throws {
    let time = Time()
    let hub = ListenHub()
    engine = try Engine(store: MemoryStore(), now: { time.next() }, feed: hub.receive)
    operations = FirestoreOperations(
      engine: engine, hub: hub, rules: RulesRegistry { [denials] _ in denials.note() })
  }

  /// Sets rules: `body` beside a document that everybody may read.
  func setRules(
    _ body: String, for scope: RulesRegistry.Scope = .project("p")
  ) {
    let content =
      "rules_version = '2';\nservice cloud.firestore { match /databases/{database}/documents {\n"
      + "match /fence/{x} { allow read; }\n\(body)\n} }"
    let ruleset = Ruleset(name: "a.rules", content: content)
    operations.rules.set(ruleset, for: scope)
  }

  /// Commits writes to one database.
  func commit(_ writes: Write...) async throws {
    let database = writes.first?.name.database ?? Self.database
    try await engine.commit(database, writes)
  }

  /// Runs `body` with a client of a new stream, which ends after it.
  func withListener(
    _ principal: Principal = .anonymous, in database: DatabaseName = database,
    _ body: (RuledListener) async throws -> Void
  ) async throws {
    let listener = RuledListener(self, database, operations.listen(database, as: principal))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      // Ends with the test: it is cancelled.
      tasks.addTask {
        do {
          try await listener.stream.run { (messages) throws(FirestoreError) in
            try await listener.receive(messages)
          }
        } catch {
          listener.end(error)
        }
      }
      defer { tasks.cancelAll() }
      await listener.add(1, documents("fence/x", in: database))
      try await listener.wait(for: "current [1]")
      _ = try await listener.told()
      try await body(listener)
    }
  }
}

/// A client of a stream; what it is told becomes lines.
final class RuledListener: Sendable {
  fileprivate struct State {
    var lines: [String] = []
    /// How many of them a test has looked at.
    var looked = 0
    var token: [UInt8] = []
    /// Nothing is taken while this is set.
    var isStalled = false
    /// Somebody waits to be taken from.
    var isHeld = false
  }

  let stream: ListenStream
  private let fixture: ListenRulesFixture
  private let database: DatabaseName
  private let state = Mutex(State())
  private let changed = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  private let resumed = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

  init(_ fixture: ListenRulesFixture, _ database: DatabaseName, _ stream: ListenStream) {
    self.fixture = fixture
    self.database = database
    self.stream = stream
  }

  /// The newest token.
  var token: [UInt8] { state.withLock { $0.token } }

  func add(
    _ id: Int32, _ selection: ListenTarget.Selection, resume: [UInt8]? = nil
  ) async {
    await stream.receive(
      .add(
        ListenTarget(id: id, selection: .success(selection), resume: resume.map { .token($0) })))
  }

  /// Adds a target; what it is told then.
  func toldWhenAdding(
    _ id: Int32, _ selection: ListenTarget.Selection, resume: [UInt8]? = nil
  ) async throws -> [String] {
    await add(id, selection, resume: resume)
    return try await told()
  }

  /// What it was told since the last call, snapshots aside: all that was to be told before a document changes that it may always
  /// read.
  func told() async throws -> [String] {
    // A request is taken when the one before is answered, and before what rules have become, and both before commits.
    for _ in 0..<2 { await stream.receive(.remove(9999)) }
    // Of two commits the second is certainly taken after all that came before the first.
    for _ in 0..<2 {
      let seen = state.withLock { $0.fences }
      try await fixture.commit(set("fence/x", ["n": .integer(Int64(seen))], in: database))
      try await wait { $0.fences > seen }
    }
    return state.withLock { state in
      defer { state.looked = state.lines.count }
      return state.lines[state.looked...].filter { !$0.hasPrefix("fence/") && $0 != "snapshot" }
    }
  }

  /// Holds back what comes, and waits until something does.
  func stall() async throws {
    state.withLock { $0.isStalled = true }
    try await fixture.commit(set("fence/x", ["n": .integer(-1)], in: database))
    try await wait { $0.isHeld }
  }

  func goOn() {
    state.withLock { $0.isStalled = false }
    resumed.continuation.yield()
  }

  /// Waits for a line that begins so.
  func wait(for start: String) async throws {
    try await wait { $0.lines.contains { $0.hasPrefix(start) } }
  }

  private func wait(until condition: (State) -> Bool) async throws {
    var iterator = changed.stream.makeAsyncIterator()
    while !state.withLock({ condition($0) }) {
      guard await iterator.next() != nil else { throw CancellationError() }
    }
  }

  func receive(_ messages: [ListenMessage]) async throws(FirestoreError) {
    var iterator = resumed.stream.makeAsyncIterator()
    while state.withLock({ $0.hold() }) {
      changed.continuation.yield()
      guard await iterator.next() != nil else {
        throw FirestoreError(.cancelled, "The test is over.")
      }
    }
    state.withLock { state in
      for message in messages {
        state.lines.append(message.line)
        if case .snapshot(let moment) = message { state.token = moment.token.bytes }
      }
    }
    changed.continuation.yield()
  }

  func end(_ error: any Error) {
    state.withLock { $0.lines.append("end \(error)") }
    changed.continuation.finish()
  }
}

extension RuledListener.State {
  /// How often the document that may always be read was told.
  fileprivate var fences: Int { lines.count { $0.hasPrefix("fence/") } }

  fileprivate mutating func hold() -> Bool {
    isHeld = isStalled
    return isHeld
  }
}

extension ListenMessage {
  fileprivate var line: String {
    switch self {
    case .added(let id): "add \(id)"
    case .removed(let id, let cause):
      "remove \(id)\(cause.map { " \($0.code) \($0.message.split(separator: "\n").joined())" } ?? "")"
    case .reset(let ids, _): "reset \(ids)"
    case .current(let ids, _): "current \(ids)"
    case .snapshot: "snapshot"
    case .changed(let shared, let ids, let left):
      "\(shared.document.name.path.text) \(shared.document.text) \(ids)\(left.isEmpty ? "" : " left \(left)")"
    case .deleted(let name, _, let left): "\(name.path.text) deleted \(left)"
    case .leftView(let name, _, let left): "\(name.path.text) out \(left)"
    case .filter(let filter): "filter \(filter.count)"
    }
  }
}

extension DocumentPath {
  fileprivate var text: String { segments.map(\.string).joined(separator: "/") }
}

extension Document {
  /// Its fields as a test sets them, but not those that are long.
  fileprivate var text: String {
    let fields = (try? self.fields.decoded().fields) ?? []
    return fields.sorted { $0.name.string < $1.name.string }.map { field in
      switch field.value {
      case .integer(let number): "\(field.name.string)=\(number)"
      case .string(let text): "\(field.name.string)=\(text.string.prefix(9))"
      case .boolean(let flag): "\(field.name.string)=\(flag)"
      default: field.name.string
      }
    }.joined(separator: ",")
  }
}

func name(
  _ path: String, in database: DatabaseName = ListenRulesFixture.database
) -> DocumentName {
  DocumentName(
    database: database,
    path: DocumentPath(segments: path.split(separator: "/").map { UTF8String(String($0)) }))
}

func set(
  _ path: String, _ fields: KeyValuePairs<String, Value> = [:],
  in database: DatabaseName = ListenRulesFixture.database
) -> Write {
  let fields = fields.map { MapValue.Field(name: UTF8String($0.key), value: $0.value) }
  return Write(.update(name(path, in: database), MapValue(fields), nil))
}

func documents(
  _ paths: String..., in database: DatabaseName = ListenRulesFixture.database
) -> ListenTarget.Selection {
  .documents(paths.map { name($0, in: database) })
}

func query(
  _ collection: UTF8String = "c", where filters: (String, Value)..., limit: Int? = nil,
  in database: DatabaseName = ListenRulesFixture.database
) throws -> ListenTarget.Selection {
  let filters = try filters.map { Filter.field(try FieldPath(parsing: $0.0), .equal($0.1)) }
  let asked = StructuredQuery(
    from: [.init(collectionID: collection, allDescendants: false)],
    filter: filters.count > 1 ? .and(filters) : filters.first, limit: limit)
  return .query(try ListenQuery(asked, parent: ParentName(database: database, document: nil)))
}

func user(_ id: String) -> Principal {
  .user(UserToken(claims: Array("{\"sub\":\"\(id)\"}".utf8)))
}
