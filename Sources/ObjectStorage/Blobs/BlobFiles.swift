/// The name of a file of bytes: letters and digits of our making, never of a user's.
package struct BlobID: Hashable, Sendable {
  package let text: String

  init(text: String) {
    self.text = text
  }

  init(_ random: () -> UInt64) {
    text = (0..<2).map { _ in
      let digits = String(random(), radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }
}

/// Where the bytes of objects lie. A blob begins under a temporary name and gets its own with `place`.
///
/// All calls but `offload` block: they are made in what `offload` runs.
package protocol BlobFiles: Sendable {
  /// Runs `body` where it may block.
  func offload<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result
  /// Opens the file of a blob under the name that it has; it is made, under the temporary one, if it is missing.
  func openForWriting(_ blob: BlobID) throws(StorageError) -> any BlobFile
  /// How many bytes a blob has under the name that it has; 0 if there is none.
  func size(of blob: BlobID) throws(StorageError) -> Int64
  /// Opens a placed blob; `nil` if it is gone.
  func open(_ blob: BlobID) throws(StorageError) -> (any BlobFile)?
  /// Makes what was written durable as far as the store is, and moves it to its place, where it may be already.
  func place(_ blob: BlobID) throws(StorageError)
  /// Removes a blob under both names; it is no error if there is none. Whoever has it open reads on.
  func remove(_ blob: BlobID) throws(StorageError)
}

/// An open blob. Its calls block.
package protocol BlobFile: Sendable {
  func write(_ bytes: [UInt8], at offset: Int64) throws(StorageError)
  /// Gives at most `count` bytes to another open descriptor, without taking them into memory.
  ///
  /// - Returns: how many; 0 if it takes none now.
  func copy(_ count: Int, at offset: Int64, to descriptor: Int32) throws(StorageError) -> Int
  /// At most `count` bytes; fewer only at the end.
  func read(_ count: Int, at offset: Int64) throws(StorageError) -> [UInt8]
}

extension BlobFiles {
  /// Runs what can fail where it may block.
  func attempt<Result: Sendable>(
    _ body: @escaping @Sendable () throws(StorageError) -> Result
  ) async throws(StorageError) -> Result {
    let result: Swift.Result<Result, StorageError> = await offload {
      do throws(StorageError) {
        return .success(try body())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
