/// Where the bytes of an upload come from, piece by piece.
package protocol ByteSource {
  /// The next bytes; `nil` after the last.
  ///
  /// - Throws: `.interrupted` if the sender is gone, `.invalidArgument` if what it sends makes no sense.
  mutating func next() async throws(StorageError) -> [UInt8]?
}

/// Joins small pieces to such as are worth a change of threads.
struct PieceJoiner<Source: ByteSource> {
  private static var pieceSize: Int { 512 << 10 }

  private var source: Source
  /// Bytes at the start that are there already.
  private var skipped: Int64
  /// Why the source ended early; what came before it is given out first.
  private(set) var failure: StorageError?

  init(_ source: Source, skipping skipped: Int64 = 0) {
    self.source = source
    self.skipped = skipped
  }

  /// The next bytes, empty at the end.
  mutating func next() async -> [UInt8] {
    guard failure == nil else { return [] }
    var joined: [UInt8] = []
    do throws(StorageError) {
      while joined.count < Self.pieceSize, let piece = try await source.next() {
        if skipped > 0 {
          let count = min(skipped, Int64(piece.count))
          skipped -= count
          joined += piece.dropFirst(Int(count))
        } else if joined.isEmpty, piece.count >= Self.pieceSize {
          return piece
        } else {
          if joined.isEmpty { joined.reserveCapacity(Self.pieceSize + (64 << 10)) }
          joined += piece
        }
      }
    } catch {
      failure = error
    }
    return joined
  }
}
