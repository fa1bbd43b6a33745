/// Bounds of a `SQLiteStore`; tests make them small.
struct StoreLimits: Sendable {
  /// Snapshots at a time.
  var snapshots = 16
  /// Readers kept open while nobody uses them.
  var idleReaders = 4
  /// Bytes that one group may put before the writes behind it make the next. Each key counts 2 KiB
  /// more, as it may be the only one that dirties its page.
  var groupBytes = 16 << 20
  /// New bytes in the log after which the checkpointer moves them into the database file.
  var checkpointBytes = 8 << 20
  /// Bytes in the log after which the writer starts it anew, once nearly all of them have been moved.
  var emptyLogBytes = 64 << 20
  /// Bytes that may be left to be moved then; the writer waits for the disk until they are.
  var lastMoveBytes = 2 << 20
  /// Bytes in the log at which writes wait for readers that keep it from being emptied.
  var logBytes = 192 << 20
  /// How long they wait; a reader that stays longer makes the log grow on.
  var logWait = Duration.seconds(10)
  /// Pages that the database file may have; nil for as many as the disk holds.
  var pages: Int?
}
