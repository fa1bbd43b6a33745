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
        try await tidy(
          BlobID(text: String(decoding: row.key, as: UTF8.self)), UploadRecord(stored: row.value))
        next = row.key + [0]
      }
      if rows.count < 64 { return }
    }
  }

  private func tidy(_ blob: BlobID, _ record: UploadRecord) async throws(StorageError) {
    switch record {
    case .leftover(let time):
      // One that is being made right now was not there when this process began, or it is busy.
      guard time <= now(), !memory.withLock({ $0.busy.contains(blob) }) else { return }
      try await remove(blob)
    case .resumable(_, let upload, let time):
      let age = now() - time
      switch upload.phase {
      case .active, .finishing:
        guard age > Self.activeTime else { return }
        memory.withLock { _ = $0.sessions.removeValue(forKey: blob) }
        try await remove(blob)
      case .final, .cancelled:
        guard age > Self.endedTime else { return }
        memory.withLock { _ = $0.sessions.removeValue(forKey: blob) }
        try await write { try $0.delete(.uploads, Keys.upload(blob)) }
      }
    }
  }
}
