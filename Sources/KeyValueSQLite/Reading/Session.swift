internal import KeyValue
internal import SQLite

/// A connection with the statements prepared on it; for one thread at a time.
final class Session {
  private final class Prepared {
    var statement: Statement

    init(_ statement: consuming Statement) {
      self.statement = statement
    }
  }

  let connection: Connection
  /// Each statement of each space, prepared when it is first used.
  private var queries: [Prepared?]
  private var commands: [Prepared?]

  init(_ connection: consuming Connection) {
    self.connection = connection
    let spaces = Int(Space.allCases.reduce(0) { max($0, $1.rawValue) }) + 1
    queries = Array(repeating: nil, count: spaces * Query.allCases.count)
    commands = Array(repeating: nil, count: Command.allCases.count)
  }

  // MARK: Transactions

  func run(_ command: Command) throws(SQLiteError) {
    try use(command) { (statement) throws(SQLiteError) in _ = try statement.step() }
  }

  func version() throws(SQLiteError) -> Int64 {
    try use(.version) { (statement) throws(SQLiteError) in
      try statement.step() ? statement.int64(0) : 0
    }
  }

  func setVersion(_ version: Int64) throws(SQLiteError) {
    try use(.setVersion) { (statement) throws(SQLiteError) in
      try statement.bind(1, version)
      _ = try statement.step()
    }
  }

  // MARK: Reading

  func get(_ space: Space, _ key: [UInt8]) throws(SQLiteError) -> [UInt8]? {
    try prepared(.get, space).statement.lend(with: key) { (statement) throws(SQLiteError) in
      try statement.step() ? statement.bytes(0) : nil
    }
  }

  func scan(
    _ space: Space, _ range: KeyRange, _ direction: ScanDirection, limit: Int
  ) throws(SQLiteError) -> [KeyValuePair] {
    guard limit > 0 else { return [] }
    let query: Query =
      switch direction {
      case .ascending: range.upper == nil ? .scanUpToEnd : .scanUp
      case .descending: range.upper == nil ? .scanDownFromEnd : .scanDown
      }
    return try use(query, space, range) { (statement) throws(SQLiteError) in
      try statement.bind(3, Int64(limit))
      var pairs: [KeyValuePair] = []
      while try statement.step() {
        pairs.append(KeyValuePair(key: statement.bytes(0), value: statement.bytes(1)))
      }
      return pairs
    }
  }

  func count(_ space: Space, _ range: KeyRange) throws(SQLiteError) -> Int {
    try use(range.upper == nil ? .countToEnd : .count, space, range) {
      (statement) throws(SQLiteError) in
      try statement.step() ? Int(statement.int64(0)) : 0
    }
  }

  // MARK: Writing

  func put(_ space: Space, _ key: [UInt8], _ value: [UInt8]) throws(SQLiteError) {
    try prepared(.put, space).statement.lend(with: key, value) { (statement) throws(SQLiteError) in
      _ = try statement.step()
    }
  }

  func delete(_ space: Space, _ key: [UInt8]) throws(SQLiteError) {
    try prepared(.delete, space).statement.lend(with: key) { (statement) throws(SQLiteError) in
      _ = try statement.step()
    }
  }

  func delete(_ space: Space, _ range: KeyRange, limit: Int) throws(SQLiteError) -> Int {
    guard limit > 0 else { return 0 }
    var range = range
    if let boundary = try boundary(space, range, limit) { range.upper = boundary }
    return try use(range.upper == nil ? .deleteToEnd : .deleteRange, space, range) {
      (statement) throws(SQLiteError) in
      _ = try statement.step()
      return connection.changes
    }
  }

  /// The key behind the lowest `limit` of `range`; nil if there are no more.
  func boundary(
    _ space: Space, _ range: KeyRange, _ limit: Int
  ) throws(SQLiteError) -> [UInt8]? {
    try use(range.upper == nil ? .boundaryToEnd : .boundary, space, range) {
      (statement) throws(SQLiteError) in
      try statement.bind(3, Int64(limit))
      return try statement.step() ? statement.bytes(0) : nil
    }
  }

  // MARK: Statements

  /// Lends a statement with its range bound.
  private func use<Result>(
    _ query: Query, _ space: Space, _ range: KeyRange,
    _ body: (inout Statement) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let prepared = try prepared(query, space)
    guard let upper = range.upper else {
      return try prepared.statement.lend(with: range.lower, body)
    }
    return try prepared.statement.lend(with: range.lower, upper, body)
  }

  private func prepared(_ query: Query, _ space: Space) throws(SQLiteError) -> Prepared {
    let index = Int(space.rawValue) * Query.allCases.count + query.rawValue
    if let known = queries[index] { return known }
    let prepared = Prepared(try connection.prepare(query.sql(space)))
    queries[index] = prepared
    return prepared
  }

  private func use<Result>(
    _ command: Command, _ body: (inout Statement) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let prepared: Prepared
    if let known = commands[command.rawValue] {
      prepared = known
    } else {
      prepared = Prepared(try connection.prepare(command.sql))
      commands[command.rawValue] = prepared
    }
    defer { prepared.statement.reset() }
    return try body(&prepared.statement)
  }
}
