/// The resumable uploads that this process has in memory: all that requests use now, and of the others the last ones. Those that go
/// are found in the store again.
struct SessionTable: Sendable {
  private struct Entry {
    let session: UploadSession
    /// How many requests use it.
    var users: Int
    var lastUse: UInt64
  }

  /// How many uploads are kept; only those in use may be more.
  private let limit: Int
  private var entries: [BlobID: Entry] = [:]
  private var uses: UInt64 = 0
  /// How often one went. What was read from the store before may be older than what that one had done.
  private(set) var removals: UInt64 = 0

  init(limit: Int = 1000) {
    self.limit = limit
  }

  var count: Int { entries.count }

  /// The session of an upload, for the use of one request more.
  mutating func take(_ blob: BlobID) -> UploadSession? {
    uses += 1
    entries[blob]?.users += 1
    entries[blob]?.lastUse = uses
    return entries[blob]?.session
  }

  /// Adds a session for the use of one request.
  mutating func add(_ session: UploadSession) {
    while entries.count >= limit,
      let oldest = entries.filter({ $0.value.users == 0 }).min(by: {
        $0.value.lastUse < $1.value.lastUse
      })
    {
      remove(oldest.key)
    }
    uses += 1
    entries[session.blob] = Entry(session: session, users: 1, lastUse: uses)
  }

  /// A request has no use for it any more.
  mutating func release(_ blob: BlobID) {
    entries[blob]?.users -= 1
  }

  /// Takes out what nobody uses.
  ///
  /// - Returns: whether nobody does.
  @discardableResult
  mutating func remove(_ blob: BlobID) -> Bool {
    guard let entry = entries[blob] else { return true }
    guard entry.users == 0 else { return false }
    entries[blob] = nil
    noteRemoval()
    return true
  }

  /// What the store says of an upload has changed without its session.
  mutating func noteRemoval() {
    removals += 1
  }
}
