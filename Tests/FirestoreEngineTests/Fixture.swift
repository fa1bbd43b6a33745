import Coding
import FirestoreEngine
import FirestoreModel
import KeyValue
import Synchronization

/// A time of day that moves only when told to.
final class ManualTime: Sendable {
  static let start: Int64 = 1_700_000_000_000_000
  private let value = Mutex(start)

  var now: Int64 { value.withLock { $0 } }

  func advance(seconds: Int64) {
    value.withLock { $0 += seconds * 1_000_000 }
  }

  func advance(microseconds: Int64) {
    value.withLock { $0 += microseconds }
  }
}

/// A clock that stands still: nobody loses what he has because a test is slow.
struct StillClock: Clock {
  typealias Instant = ContinuousClock.Instant

  let now = ContinuousClock.now
  let minimumResolution = Duration.zero

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    for await _ in AsyncStream<Never>.makeStream().stream {}
    throw CancellationError()
  }
}

/// An engine in memory, its time and what came out of its feed.
struct Fixture: Sendable {
  static let database = DatabaseName(project: "p", database: "(default)")

  let time = ManualTime()
  let store: any OrderedStore
  let engine: Engine
  let events: Events

  final class Events: Sendable {
    private let list = Mutex<[CommitEvent]>([])
    var all: [CommitEvent] { list.withLock { $0 } }
    func append(_ event: CommitEvent) { list.withLock { $0.append(event) } }
  }

  init(
    store: any OrderedStore = MemoryStore(), retention: Engine.Retention = .init(),
    indexes: IndexPolicy = .adaptive
  ) throws {
    let events = Events()
    self.store = store
    self.events = events
    self.engine = try Engine(
      store: store, retention: retention, indexes: indexes, waitClock: StillClock(),
      now: { [time] in time.now },
      feed: events.append)
  }

  @discardableResult
  func commit(_ writes: Write...) async throws -> CommitResult {
    try await engine.commit(Self.database, writes)
  }

  /// The fields of a document; `nil` if it is missing.
  func fields(_ path: String) throws -> [String: Value]? {
    try engine.document(name(path))?.values
  }

  func list(
    _ collection: String?, of parent: String? = nil, orderBy: String = "",
    showsMissing: Bool = false, from position: DocumentListing.Position? = nil, limit: Int = 100,
    at point: ReadPoint? = nil
  ) async throws -> DocumentListing.Page {
    try await engine.list(
      DocumentListing(
        parent: ParentName(database: Self.database, document: parent.map { name($0).path }),
        collectionID: collection.map { UTF8String($0) }, orders: try ListOrder.parse(orderBy),
        showsMissing: showsMissing),
      from: position, limit: limit, at: point)
  }

  func collectionIDs(of parent: String? = nil, at point: ReadPoint? = nil) throws -> [String] {
    try engine.collectionIDs(
      of: ParentName(database: Self.database, document: parent.map { name($0).path }),
      behind: nil, limit: 100, at: point
    ).map(\.string)
  }
}

extension DocumentListing.Page {
  /// Paths, those of missing documents in parentheses.
  var paths: [String] {
    entries.map { entry in
      switch entry {
      case .document(let document): document.name.path.text
      case .missing(let name, _): "(\(name.path.text))"
      }
    }
  }
}

extension DocumentPath {
  var text: String { segments.map(\.string).joined(separator: "/") }
}

extension Document {
  var values: [String: Value] {
    get throws { try fields.decoded().dictionary }
  }
}

extension MapValue {
  var dictionary: [String: Value] {
    Dictionary(uniqueKeysWithValues: fields.map { ($0.name.string, $0.value) })
  }

  init(_ values: [String: Value]) {
    self.init(values.map { Field(name: UTF8String($0.key), value: $0.value) })
  }
}

extension Value {
  static func map(_ values: [String: Value]) -> Value { .map(MapValue(values)) }
}

func name(_ path: String, in database: DatabaseName = Fixture.database) -> DocumentName {
  DocumentName(
    database: database,
    path: DocumentPath(segments: path.split(separator: "/").map { UTF8String(String($0)) }))
}

func set(
  _ path: String, _ fields: [String: Value] = [:], mask: [String]? = nil,
  transforms: [FieldTransform] = [], if precondition: Precondition? = nil
) -> Write {
  Write(
    .update(
      name(path), MapValue(fields),
      mask.map { FieldMask($0.map { fieldPath($0) }) }), transforms: transforms,
    precondition: precondition)
}

func delete(_ path: String, if precondition: Precondition? = nil) -> Write {
  Write(.delete(name(path)), precondition: precondition)
}

func verify(_ path: String, if precondition: Precondition?) -> Write {
  Write(.verify(name(path)), precondition: precondition)
}

func transform(_ path: String, _ operation: FieldTransform.Operation) -> FieldTransform {
  FieldTransform(path: fieldPath(path), operation: operation)
}

func fieldPath(_ text: String) -> FieldPath {
  guard let path = try? FieldPath(parsing: text) else { preconditionFailure(text) }
  return path
}
