/// Where the bytes of an upload come from, piece by piece.
package protocol ByteSource {
  /// The next bytes; `nil` after the last.
  ///
  /// - Throws: `.interrupted` if the sender is gone, `.invalidArgument` if what it sends makes no sense.
  mutating func next() async throws(StorageError) -> [UInt8]?
}

/// Bytes one behind the other, as they came.
struct Pieces: Sendable {
  private(set) var arrays: [[UInt8]] = []
  private(set) var count = 0

  init() {}

  init(_ bytes: [UInt8]) {
    append(bytes)
  }

  var isEmpty: Bool { count == 0 }

  /// Small ones are joined, so that there are few of them.
  mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    count += bytes.count
    if let last = arrays.indices.last, arrays[last].count + bytes.count <= Self.joinedSize {
      arrays[last] += bytes
    } else {
      arrays.append(bytes)
    }
  }

  private static let joinedSize = 32 << 10
}

/// Collects pieces until there are as many bytes as are worth a change of threads.
struct PieceCollector<Source: ByteSource> {
  private static var size: Int { 512 << 10 }

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
  mutating func next() async -> Pieces {
    var pieces = Pieces()
    guard failure == nil else { return pieces }
    do throws(StorageError) {
      while pieces.count < Self.size, let piece = try await source.next() {
        let skip = min(skipped, Int64(piece.count))
        skipped -= skip
        pieces.append(skip == 0 ? piece : Array(piece.dropFirst(Int(skip))))
      }
    } catch {
      failure = error
    }
    return pieces
  }
}
