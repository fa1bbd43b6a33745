internal import Coding
internal import NetIO
internal import ObjectStorage
internal import StorageService

/// A folder of buckets, and of files in those that become objects.
struct StorageSeed {
  private static let maximumDepth = 100

  let folder: String
  let pool: ThreadPool

  /// Makes what is in the folder, instead of what was there before under the same names. No folder is an empty one.
  ///
  /// - Throws: `.storage`.
  func load(into operations: StorageOperations) async throws(EmulatorError) {
    do throws(StorageError) {
      for bucket in await names(in: folder) {
        try await operations.ensureBucket(UTF8String(bucket))
        for name in await files(in: "\(folder)/\(bucket)", depth: 0) {
          try await load("\(folder)/\(bucket)/\(name)", bucket, name, into: operations)
        }
      }
    } catch {
      throw EmulatorError(.storage, "The objects of \(folder) cannot be made: \(error.message)")
    }
  }

  private func load(
    _ path: String, _ bucket: String, _ name: String, into operations: StorageOperations
  ) async throws(StorageError) {
    let file: Result<File, StorageError> = await pool.run {
      do throws(FileError) {
        return .success(try File(path, .reading))
      } catch {
        return .failure(StorageError(.internalError, error.message))
      }
    }
    let object = try ObjectName(bucket: UTF8String(bucket), name: UTF8String(name))
    _ = try await operations.insertObject(
      UploadDescription(name: object, changes: AttributeChanges()),
      from: FileSource(file: try file.get(), pool: pool))
  }

  /// Names without those that begin with a dot, in order; none of what is no folder.
  private func names(in folder: String) async -> [String] {
    await pool.run { (try? FileSystem.names(in: folder)) ?? [] }.filter { !$0.hasPrefix(".") }
      .sorted()
  }

  /// The files of a folder and of those in it, with slashes between.
  private func files(in folder: String, depth: Int) async -> [String] {
    guard depth < Self.maximumDepth else { return [] }
    var files: [String] = []
    for name in await names(in: folder) {
      let path = "\(folder)/\(name)"
      if await pool.run({ (try? FileSystem.names(in: path)) != nil }) {
        files += await self.files(in: path, depth: depth + 1).map { "\(name)/\($0)" }
      } else {
        files.append(name)
      }
    }
    return files
  }
}

/// The bytes of a file.
private struct FileSource: ByteSource {
  private static let pieceSize = 256 << 10

  let file: File
  let pool: ThreadPool
  private var offset: Int64 = 0

  init(file: File, pool: ThreadPool) {
    self.file = file
    self.pool = pool
  }

  mutating func next() async throws(StorageError) -> [UInt8]? {
    let place = offset
    let piece: [UInt8]? = await pool.run { [file] in try? file.read(Self.pieceSize, at: place) }
    guard let piece else { throw StorageError(.internalError, "\(file.path) cannot be read") }
    offset += Int64(piece.count)
    return piece.isEmpty ? nil : piece
  }
}
