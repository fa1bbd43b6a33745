internal import FirestoreModel

/// The open transactions, the locks that they hold, and who waits for them.
///
/// A state machine without threads, sockets and clocks: every event comes with its time, which counts from any zero and never
/// goes back. What waits is named by a ticket; `takeDecisions` gives the tickets that were decided since the last call.
///
/// Documents have shared locks for reads and exclusive ones for writes, each with a line of those who wait. A read waits while
/// another transaction holds the document: racing transactions pass one after the other. When nothing was handed over for
/// `lockGrace`, the first in the line shares it. A document that the last two readers left unwritten is shared at once.
/// A write waits for all other holders; one by a holder goes ahead of the line. All documents of a write become its own at one
/// moment, so that a write that waits blocks nobody but those behind it.
struct TransactionTable {
  /// Stands for a transaction, or for one commit outside of transactions.
  typealias Owner = TransactionID

  struct Ticket: Hashable, Sendable {
    let number: UInt64
  }

  enum Decision: Hashable, Sendable {
    case granted
    /// The transaction has ended.
    case aborted
    case cancelled
  }

  enum Kind: Hashable, Sendable {
    case locking
    /// The point of all reads, once there was one.
    case optimistic(ReadPoint?)
    case readOnly(ReadPoint)
    /// A commit outside of transactions.
    case commit
  }

  struct Entry {
    let database: DatabaseName
    var kind: Kind
    /// Smaller is older; a retry has the age of the first attempt.
    let age: UInt64
    let began: Duration
    /// The database's life at the beginning; `nil` if nothing had been written.
    let incarnation: Int64?
    /// All commits up to it must be seen by reads.
    var barrier: Int64 = 0
    var lastActive: Duration
    /// Calls that are being answered.
    var calls = 0
    var isCommitting = false
    /// Why the next call fails.
    var loss: FirestoreError?
    /// The documents that it has read: locked, if it locks.
    var documents: Set<DocumentName> = []
    /// Of optimistic ones.
    var queries: [Predicate] = []
    var predicates: Set<UInt64> = []
    var requests: Set<Ticket> = []
  }

  struct Request {
    enum Kind {
      case read
      case write
      /// The number of its predicate.
      case query(UInt64)
    }

    let owner: Owner
    let kind: Kind
    /// Of a read, those that it waits for.
    var documents: Set<DocumentName>
    let arrived: Duration
    /// Of a write that has its documents.
    var isActive = false
    /// Predicates that a write waits for.
    var obstacles: Set<UInt64> = []
    /// Of a write, once it is known.
    var changes: [DocumentChange]?
  }

  struct Line {
    var holders: Set<Owner> = []
    /// The write that has the document.
    var active: Ticket?
    var queue: [Ticket] = []
    /// When the document was last handed to a reader.
    var handedOver = Duration.zero
    /// Since when there is a queue.
    var waitingSince = Duration.zero
  }

  struct HeldPredicate {
    let owner: Owner
    let predicate: Predicate
    let ticket: Ticket
    /// The writes that were there before.
    var waitsFor: Set<Ticket>
  }

  private static let mostRemembered = 10_000

  let settings: TransactionSettings
  var entries: [Owner: Entry] = [:]
  var requests: [Ticket: Request] = [:]
  var lines: [DocumentName: Line] = [:]
  /// Documents with a queue.
  var waitingLines: Set<DocumentName> = []
  var predicates: [UInt64: HeldPredicate] = [:]
  /// Writes whose changes are known, and those among them that wait for a predicate.
  var changing: Set<Ticket> = []
  var obstructed: Set<Ticket> = []
  /// How many readers in a row left a document unwritten.
  private var unwritten: [DocumentName: Int] = [:]
  /// Ages of transactions that were aborted and may be tried again.
  private var ages: [Owner: UInt64] = [:]
  private(set) var lockingCount = 0
  /// No transaction expires before it.
  var nextExpiry = Duration.zero
  private var nextOwner: UInt64
  private var nextNumber: UInt64 = 1
  private var decisions: [(Ticket, Decision)] = []

  /// Ids begin at `firstID`, which no earlier process must have reached.
  init(_ settings: TransactionSettings, firstID: UInt64) {
    self.settings = settings
    self.nextOwner = firstID
  }

  /// The tickets decided since the last call, in order.
  mutating func takeDecisions() -> [(Ticket, Decision)] {
    defer { decisions = [] }
    return decisions
  }

  // MARK: - Transactions

  /// - Throws: `RESOURCE_EXHAUSTED`.
  mutating func begin(
    _ kind: Kind, in database: DatabaseName, incarnation: Int64?, retrying previous: Owner? = nil,
    at now: Duration
  ) throws(FirestoreError) -> Owner {
    advance(to: now)
    guard kind == .commit || entries.count < settings.mostTransactions else {
      throw FirestoreError(.resourceExhausted, "Too many transactions are open.")
    }
    let id = Owner(number: nextOwner)
    nextOwner += 1
    let age = previous.map { ages.removeValue(forKey: $0) ?? min($0.number, id.number) }
    entries[id] = Entry(
      database: database, kind: kind, age: age ?? id.number, began: now, incarnation: incarnation,
      lastActive: now)
    if kind == .locking { lockingCount += 1 }
    nextExpiry = min(nextExpiry, now + settings.idleTime)
    return id
  }

  /// Whether the id was given out, now or by an earlier process.
  func wasIssued(_ id: Owner) -> Bool { id.number < nextOwner }

  /// Begins a call in a transaction.
  ///
  /// - Throws: `INVALID_ARGUMENT` if it is not open, `ABORTED` if it lost its locks.
  mutating func enter(
    _ id: Owner, in database: DatabaseName, at now: Duration
  ) throws(FirestoreError) -> Entry {
    advance(to: now)
    guard let entry = entries[id], entry.database == database, entry.kind != .commit,
      !entry.isCommitting
    else { throw .transactionExpired }
    if let loss = entry.loss {
      entries[id] = nil
      throw loss
    }
    entries[id]?.calls += 1
    entries[id]?.lastActive = now
    return entry
  }

  mutating func leave(_ id: Owner, at now: Duration) {
    guard let calls = entries[id]?.calls, calls > 0 else { return }
    entries[id]?.calls = calls - 1
    entries[id]?.lastActive = now
  }

  /// Ends a transaction that has made `written`; its locks go to those who wait.
  mutating func end(_ id: Owner, written: Set<DocumentName> = [], at now: Duration) {
    guard let entry = entries[id] else { return }
    for name in entry.documents where entry.kind == .locking {
      if written.contains(name) {
        unwritten[name] = nil
      } else {
        if unwritten.count >= Self.mostRemembered { unwritten = [:] }
        unwritten[name, default: 0] += 1
      }
    }
    remove(id, at: now)
  }

  /// Ends a transaction against its will.
  mutating func abort(_ id: Owner, at now: Duration) {
    guard let entry = entries[id] else { return }
    if ages.count >= Self.mostRemembered { ages = [:] }
    ages[id] = entry.age
    remove(id, at: now)
  }

  /// Takes its locks from a transaction whose next call fails with `error`.
  mutating func lose(_ id: Owner, _ error: FirestoreError, at now: Duration) {
    guard var entry = entries[id] else { return }
    abort(id, at: now)
    entry.documents = []
    entry.queries = []
    entry.predicates = []
    entry.requests = []
    entry.loss = error
    entry.calls = 0
    entries[id] = entry
  }

  /// Ends all transactions of a database that was cleared; commits at work end by themselves.
  mutating func endAll(of database: DatabaseName, at now: Duration) {
    // First those that wait, so that they are given nothing.
    let order = entries.sorted { !$0.value.requests.isEmpty && $1.value.requests.isEmpty }
    for (id, entry) in order where entry.database == database && entry.kind != .commit {
      guard !entry.requests.contains(where: { requests[$0]?.isActive == true }) else { continue }
      lose(id, .databaseCleared, at: now)
    }
  }

  private mutating func remove(_ id: Owner, at now: Duration) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    if entry.kind == .locking, entry.loss == nil { lockingCount -= 1 }
    for ticket in entry.requests.sorted(by: { $0.number < $1.number }) {
      drop(ticket, .aborted, at: now)
    }
    for number in entry.predicates { removePredicate(number, at: now) }
    guard entry.kind == .locking else { return }
    for name in entry.documents { lines[name]?.holders.remove(id) }
    for name in entry.documents { settle(name, at: now) }
  }

  // MARK: - Parts

  func isSharedAtOnce(_ name: DocumentName) -> Bool {
    unwritten[name, default: 0] >= 2
  }

  mutating func number() -> UInt64 {
    defer { nextNumber += 1 }
    return nextNumber
  }

  mutating func decide(_ ticket: Ticket, _ decision: Decision) {
    decisions.append((ticket, decision))
  }
}

extension FirestoreError {
  /// SDKs look for "transaction has expired".
  static var transactionExpired: FirestoreError {
    .invalidArgument("The referenced transaction has expired or is no longer valid.")
  }

  static var invalidTransaction: FirestoreError { .invalidArgument("Invalid transaction.") }

  static var contention: FirestoreError {
    FirestoreError(
      .aborted,
      "Aborted due to cross-transaction contention. This occurs when multiple transactions attempt to "
        + "access the same data, requiring Firestore to abort at least one in order to enforce "
        + "serializability.")
  }

  static var databaseCleared: FirestoreError {
    FirestoreError(.aborted, "The transaction ended, as its database was cleared.")
  }

  static var tooManyLocks: FirestoreError {
    FirestoreError(.resourceExhausted, "A transaction has read too many documents.")
  }

  static var tooManyWaiting: FirestoreError {
    FirestoreError(.resourceExhausted, "Too many requests wait for locks.")
  }
}
