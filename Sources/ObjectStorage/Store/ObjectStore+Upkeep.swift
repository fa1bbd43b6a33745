internal import KeyValue
internal import Synchronization

/// Tidying up.
extension ObjectStore {
  /// How long an upload waits for its next bytes, in microseconds: a week.
  private static let activeTime: Int64 = 7 * 86_400_000_000
  /// How long the end of an upload can be asked for: an hour.
  private static let endedTime: Int64 = 3_600_000_000
  private static let interval = Duration.seconds(600)

  /// Removes what earlier processes left, then what gets old, until the task is cancelled.
  package func run(
    clock: some Clock<Duration>, failed: @Sendable (StorageError) -> Void
  ) async {
    while !Task.isCancelled {
      do throws(StorageError) {
        try await removeLeftovers()
        try await removeExpired()
      } catch {
        failed(error)
      }
      try? await clock.sleep(for: Self.interval)
    }
  }

  /// Removes blobs that belong to no object and to no upload, and forgets uploads that are over.
  package func removeLeftovers() async throws(StorageError) {
    var next: [UInt8] = []
    while true {
      let range = KeyRange(from: next, to: nil)
      let rows = try read { try $0.scan(.uploads, range, .ascending, limit: 64) }
      for row in rows {
        try await tidy(row)
        next = row.key + [0]
      }
      if rows.count < 64 { return }
    }
  }

  private func tidy(_ row: KeyValuePair) async throws(StorageError) {
    let (blob, stored) = (BlobID(text: String(decoding: row.key, as: UTF8.self)), row.value)
    switch try UploadRecord(stored: stored) {
    case .part(let part, _):
      // It goes when its upload has gone.
      let (now, upload) = (now(), Array(row.key.prefix { $0 != UInt8(ascii: "/") }))
      let isUnused = try await write { transaction in
        guard try transaction.get(.uploads, upload) == nil,
          try transaction.get(.uploads, row.key) == stored
        else { return false }
        try transaction.delete(.uploads, row.key)
        try transaction.put(.leftover(time: now), for: part.blob)
        return true
      }
      if isUnused { try await remove(part.blob) }
    case .leftover(let time):
      // One that is being made right now was not there when this process began, or it is busy.
      guard time <= now(), !memory.withLock({ $0.busy.contains(blob) }) else { return }
      try await remove(blob)
    case .resumable(_, let upload, let time):
      let isActive = upload.phase == .active
      guard now() - time > (isActive ? Self.activeTime : Self.endedTime) else { return }
      var isObject = false
      if case .final(.committed) = upload.phase { isObject = true }
      try await forget(blob, stored, isObject: isObject)
    }
  }

  /// Forgets an upload, and removes its bytes unless they are those of an object.
  private func forget(
    _ blob: BlobID, _ stored: [UInt8], isObject: Bool
  ) async throws(StorageError) {
    let isFree = memory.withLock { memory in
      guard memory.sessions.remove(blob) else { return false }
      memory.busy.insert(blob)
      return true
    }
    // Whoever is using it may finish; it is looked at another time.
    guard isFree else { return }
    defer {
      memory.withLock { memory in
        memory.busy.remove(blob)
        memory.sessions.noteRemoval()
      }
    }
    let now = now()
    let isUnchanged = try await write { transaction in
      // The object may be another one by now, and this blob on its way out.
      guard try transaction.get(.uploads, Keys.upload(blob)) == stored else { return false }
      if isObject {
        try transaction.delete(.uploads, Keys.upload(blob))
      } else {
        try transaction.put(.leftover(time: now), for: blob)
      }
      return true
    }
    if isUnchanged, !isObject { try await remove(blob) }
  }
}
