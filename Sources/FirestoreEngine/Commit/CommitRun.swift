internal import Coding
internal import FirestoreModel
internal import KeyValue

/// One commit at work inside a write of the store.
struct CommitRun {
  /// What a commit did, for its caller and for what is kept in memory.
  struct Outcome: Sendable {
    /// One for each write, in order.
    var results: [Result<WriteResult, FirestoreError>]
    /// What the commit left of each document, in the order of their first writes.
    let documents: [DocumentRecord?]
    let version: Int64
    /// `nil` if nothing changed.
    let event: CommitEvent?
    /// The record of the database, if the commit made it.
    let createdDatabase: DatabaseRecord?
    /// Whose history grew, and by how many bytes.
    let number: DatabaseNumber
    let historyBytes: Int
  }

  private let transaction: any StoreTransaction
  private let catalog: IndexCatalog
  private let database: DatabaseName
  private let version: Int64
  private let requestTime: Timestamp
  private let record: DatabaseRecord
  private let isNew: Bool
  private let checksLimits: Bool
  private var states: [DocumentState] = []
  private var indexes: [[UInt8]: Int] = [:]

  init(
    _ transaction: any StoreTransaction, _ catalog: IndexCatalog, database: DatabaseName,
    version: Int64, checksLimits: Bool
  ) throws(StoreError) {
    self.checksLimits = checksLimits
    self.transaction = transaction
    self.catalog = catalog
    self.database = database
    self.version = version
    self.requestTime = ReadPoint(version: version - version % 1_000).time
    if let record = try transaction.record(of: database) {
      self.record = record
      self.isNew = false
    } else {
      self.record = DatabaseRecord(
        number: try transaction.nextNumber(), incarnation: version, createVersion: version,
        horizon: 0)
      self.isNew = true
    }
  }

  /// What the commit finds, with `point` to look back to.
  func view(at point: ReadPoint) -> DatabaseView {
    DatabaseView(
      database: database, point: point, reader: transaction, record: isNew ? nil : record,
      isPast: true)
  }

  /// Asked what would change before anything is put; a commit that is not admitted puts nothing.
  typealias Admission = ([DocumentChange]) throws -> Bool

  /// Makes all writes or none; `nil` if they are not admitted.
  mutating func makeAll(_ writes: [PreparedWrite], _ admits: Admission) throws -> Outcome? {
    var made: [Made] = []
    made.reserveCapacity(writes.count)
    reserve(writes.count)
    for write in writes { made.append(try make(write)) }
    return try finish(made.map(Result.success), admits)
  }

  /// Makes those writes whose preconditions hold; the others answer why not. `nil` if they are not admitted.
  mutating func makeEach(_ writes: [PreparedWrite], _ admits: Admission) throws -> Outcome? {
    var made: [Result<Made, FirestoreError>] = []
    made.reserveCapacity(writes.count)
    reserve(writes.count)
    for write in writes {
      do {
        made.append(.success(try make(write)))
      } catch let error as FirestoreError {
        made.append(.failure(error))
      }
    }
    return try finish(made, admits)
  }

  private mutating func reserve(_ count: Int) {
    states.reserveCapacity(count)
    indexes.reserveCapacity(count)
  }

  /// Shows `review` what the writes would make of the documents if all preconditions held; to be called before any is made.
  func rehearse(_ writes: [PreparedWrite], for review: CommitReview) throws {
    var rehearsal = self
    for write in writes { _ = try rehearsal.make(write, checksPrecondition: false) }
    var results: [DocumentPath: Document?] = [:]
    for state in rehearsal.states {
      let name = DocumentName(database: database, path: state.path)
      results[state.path] = .some(state.after?.document(named: name))
    }
    try review(
      CommitPreview(
        requestTime: requestTime, results: results, transaction: transaction, database: database,
        number: isNew ? nil : record.number))
  }

  /// A write that was made: the document it was for, and what its transforms answer.
  private struct Made {
    let index: Int
    let transformResults: [Value]
  }

  private mutating func make(
    _ write: PreparedWrite, checksPrecondition: Bool = true
  ) throws -> Made {
    let index = try stateIndex(write.name.path)
    if checksPrecondition { try states[index].check(write.precondition, name: write.name) }
    switch write.action {
    case .replace(let fields):
      states[index].put(fields, version: version)
    case .merge(let fields, let mask):
      // A method that changes a state of `self` in place would make each write copy the list of states.
      let (result, answers) = try merged(
        fields, mask, write.transforms, with: states[index].current?.fields, at: write.name.path)
      states[index].put(result, version: version)
      return Made(index: index, transformResults: answers)
    case .delete:
      states[index].delete()
    case .verify: break
    }
    return Made(index: index, transformResults: [])
  }

  private func merged(
    _ fields: MapValue, _ mask: FieldMask?, _ transforms: [FieldTransform],
    with stored: StoredFields?, at path: DocumentPath
  ) throws(FirestoreError) -> (StoredFields, [Value]) {
    var result = fields
    if let mask {
      let current = try stored?.decoded() ?? MapValue()
      result = current.replacing(mask, with: fields)
    }
    var answers: [Value] = []
    answers.reserveCapacity(transforms.count)
    for transform in transforms {
      answers.append(transform.apply(to: &result, requestTime: requestTime))
    }
    try result.checkFields()
    let size = try result.checkSize(at: path)
    if checksLimits { try IndexEntries.check(result, at: path, size: size) }
    return (StoredFields(result), answers)
  }

  private mutating func stateIndex(_ path: DocumentPath) throws(StoreError) -> Int {
    let key = StorageKey.document(record.number, path)
    if let index = indexes[key] { return index }
    var before: DocumentRecord?
    if !isNew, let bytes = try transaction.get(.documents, key) {
      before = try DocumentRecord(decoding: bytes)
    }
    indexes[key] = states.count
    states.append(DocumentState(path: path, key: key, before: before))
    return states.count - 1
  }

  /// Puts what changed into the store.
  private func finish(
    _ made: [Result<Made, FirestoreError>], _ admits: Admission
  ) throws -> Outcome? {
    var changes: [DocumentChange] = []
    changes.reserveCapacity(states.count)
    for state in states where state.isChanged {
      changes.append(DocumentChange(path: state.path, before: state.before, after: state.after))
    }
    guard try admits(changes) else { return nil }
    var historyBytes = 0
    if !changes.isEmpty {
      if isNew {
        try database.checkNew()
        try transaction.create(record, named: database)
      }
      var counts = CollectionCounts()
      var index = 0
      for state in states where state.isChanged {
        historyBytes += try put(state, index: index)
        counts.note(state)
        index += 1
      }
      try counts.put(into: transaction, record.number)
      try catalog.update(transaction, record, states)
      try transaction.setVersion(version)
    }
    let results = made.map { result in
      result.map { made in
        WriteResult(
          updateTime: states[made.index].after.map { ReadPoint(version: $0.updateVersion).time },
          transformResults: made.transformResults)
      }
    }
    return Outcome(
      results: results, documents: states.map(\.after), version: version,
      event: changes.isEmpty
        ? nil
        : CommitEvent(
          database: database, incarnation: record.incarnation, version: version,
          content: .changes(changes)),
      createdDatabase: isNew && !changes.isEmpty ? record : nil,
      number: record.number, historyBytes: historyBytes)
  }

  /// Puts a changed document with its history; returns the bytes that those take.
  private func put(_ state: DocumentState, index: Int) throws(StoreError) -> Int {
    if let after = state.after {
      try transaction.put(.documents, state.key, after.encoded)
    } else {
      try transaction.delete(.documents, state.key)
    }
    let historyKey = Keys.history(state.key, version: version)
    let before = state.before?.encoded ?? []
    let changeKey = Keys.change(record.number, version: version, index: index)
    let bytes = historyKey.count + before.count + changeKey.count + state.key.count + 8
    try transaction.put(.history, historyKey, before)
    try transaction.put(
      .changes, changeKey, ChangeEntry.value(historyBytes: bytes, documentKey: state.key))
    return bytes
  }
}

/// How the numbers of documents in collections change in a commit.
private struct CollectionCounts {
  private var changes: [CollectionPath: Int] = [:]

  mutating func note(_ state: DocumentState) {
    switch (state.before, state.after) {
    case (nil, .some): changes[state.path.collection, default: 0] += 1
    case (.some, nil): changes[state.path.collection, default: 0] -= 1
    case (nil, nil), (.some, .some): break
    }
  }

  func put(into transaction: any StoreTransaction, _ number: DatabaseNumber) throws(StoreError) {
    for (path, change) in changes where change != 0 {
      let keys: [(Space, [UInt8])] = [
        (.collections, Keys.collection(number, path.segments)), (.groups, Keys.group(number, path)),
      ]
      for (space, key) in keys {
        let count = try transaction.documentCount(space, key) + change
        if count > 0 {
          try transaction.put(space, key, Keys.value(documentCount: count))
        } else {
          try transaction.delete(space, key)
        }
      }
    }
  }
}

extension StoreTransaction {
  /// The number that the next database gets; `create` or `putNextNumber` uses it up.
  func nextNumber() throws(StoreError) -> DatabaseNumber {
    guard let bytes = try get(.databases, Keys.nextNumber) else {
      return DatabaseNumber(rawValue: 1)
    }
    var reader = KeyReader(bytes)
    guard let number = reader.unsigned() else { throw .damaged }
    return DatabaseNumber(rawValue: number)
  }

  /// Puts the record of a database whose number came from `nextNumber`.
  func create(_ record: DatabaseRecord, named name: DatabaseName) throws(StoreError) {
    var writer = KeyWriter()
    writer.unsigned(record.number.rawValue + 1)
    try put(.databases, Keys.nextNumber, writer.bytes)
    try put(.databases, Keys.database(name), record.encoded)
  }
}
