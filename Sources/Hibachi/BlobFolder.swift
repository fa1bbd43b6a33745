internal import NetIO
internal import ObjectStorage

/// The files of objects, in two folders: `objects`, and `uploads` for those that are not whole yet.
final class BlobFolder: BlobFiles {
  private let path: String
  private let pool: ThreadPool
  /// Whether what is placed has to survive a power cut.
  private let isSynchronized: Bool
  /// Whether all of it ends with the process.
  private let isTemporary: Bool

  /// Makes the folders in `path`, or in a new temporary one.
  ///
  /// - Throws: `.storage`.
  static func open(
    _ path: String?, _ pool: ThreadPool, isSynchronized: Bool
  ) async throws(EmulatorError) -> BlobFolder {
    let result: Result<BlobFolder, FileError> = await pool.run {
      do throws(FileError) {
        return .success(try BlobFolder(path, pool, isSynchronized: isSynchronized))
      } catch {
        return .failure(error)
      }
    }
    do throws(FileError) {
      return try result.get()
    } catch {
      throw EmulatorError(.storage, "The folder for objects cannot be made: \(error.message).")
    }
  }

  private init(_ path: String?, _ pool: ThreadPool, isSynchronized: Bool) throws(FileError) {
    self.pool = pool
    self.isSynchronized = isSynchronized
    isTemporary = path == nil
    if let path {
      self.path = path
    } else {
      self.path = try FileSystem.createUniqueFolder(FileSystem.temporaryFolder + "/hibachi-")
    }
    for folder in ["objects", "uploads"] { try FileSystem.createFolder("\(self.path)/\(folder)") }
  }

  func offload<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await pool.run(body)
  }

  func openForWriting(_ blob: BlobID) throws(StorageError) -> any BlobFile {
    try Self.attempt { () throws(FileError) in
      let path = try Self.find(placed(blob)) == nil ? temporary(blob) : placed(blob)
      return OpenBlob(file: try File(path, .writing))
    }
  }

  func size(of blob: BlobID) throws(StorageError) -> Int64 {
    try Self.attempt { () throws(FileError) in
      if let file = try Self.find(temporary(blob)) { return try file.size }
      return try Self.find(placed(blob))?.size ?? 0
    }
  }

  func open(_ blob: BlobID) throws(StorageError) -> (any BlobFile)? {
    try Self.attempt { () throws(FileError) in
      try Self.find(placed(blob)).map { OpenBlob(file: $0) }
    }
  }

  func place(_ blob: BlobID) throws(StorageError) {
    try Self.attempt { () throws(FileError) in
      // One that a process placed before it ended is there already.
      let isPlaced = try Self.find(placed(blob)) != nil
      let current = isPlaced ? placed(blob) : temporary(blob)
      if isSynchronized { try File(current, .reading).synchronize() }
      if !isPlaced { try FileSystem.rename(current, to: placed(blob)) }
      if isSynchronized { try File("\(path)/objects", .reading).synchronize() }
    }
  }

  func remove(_ blob: BlobID) throws(StorageError) {
    try Self.attempt { () throws(FileError) in
      try FileSystem.remove(temporary(blob))
      try FileSystem.remove(placed(blob))
    }
  }

  /// Removes everything if it was to end with the process.
  func close() async {
    guard isTemporary else { return }
    await pool.run { [path] in
      // What cannot be removed is left to the system, which tidies its temporary folder.
      for folder in ["\(path)/objects", "\(path)/uploads"] {
        for name in (try? FileSystem.names(in: folder)) ?? [] {
          try? FileSystem.remove("\(folder)/\(name)")
        }
        try? FileSystem.removeFolder(folder)
      }
      try? FileSystem.removeFolder(path)
    }
  }

  /// Opens a file for reading; `nil` if there is none.
  private static func find(_ path: String) throws(FileError) -> File? {
    do throws(FileError) {
      return try File(path, .reading)
    } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }

  private func temporary(_ blob: BlobID) -> String { "\(path)/uploads/\(blob.text)" }

  private func placed(_ blob: BlobID) -> String { "\(path)/objects/\(blob.text)" }

  fileprivate static func attempt<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(StorageError) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      switch error.code {
      case .full: throw StorageError(.full, "There is no space left.")
      case .notFound, .alreadyExists, .system:
        throw StorageError(.internalError, error.message)
      }
    }
  }
}

private struct OpenBlob: BlobFile {
  let file: File

  func write(_ bytes: [UInt8], at offset: Int64) throws(StorageError) {
    try BlobFolder.attempt { () throws(FileError) in try file.write(bytes.span, at: offset) }
  }

  func copy(
    _ count: Int, at offset: Int64, to descriptor: Int32
  ) throws(StorageError) -> Int {
    try BlobFolder.attempt { () throws(FileError) in
      try file.send(count, at: offset, to: descriptor)
    }
  }

  func read(_ count: Int, at offset: Int64) throws(StorageError) -> [UInt8] {
    try BlobFolder.attempt { () throws(FileError) in try file.read(count, at: offset) }
  }
}
