internal import KeyValue
internal import NetIO
internal import ObjectStorage
internal import Telemetry

/// What is behind the front ends of storage: objects in the store, and their bytes in files beside it.
struct ObjectBackend: Sendable {
  let objects: ObjectStore
  private let files: BlobFolder

  /// - Throws: `.storage`.
  static func open(
    _ storage: HibachiConfiguration.Storage, _ store: any OrderedStore, _ pool: ThreadPool
  ) async throws(EmulatorError) -> ObjectBackend {
    let files: BlobFolder =
      switch storage {
      case .memory: try await .open(nil, pool, isSynchronized: false)
      case .folder(let folder, let durability):
        try await .open(folder, pool, isSynchronized: durability == .full)
      }
    let objects = ObjectStore(store: store, files: files, now: { WallClock.microseconds })
    return ObjectBackend(objects: objects, files: files)
  }

  /// Tidies up until the task is cancelled.
  func run(_ logger: Logger) async {
    await objects.run(clock: ContinuousClock()) { error in
      logger.error("upkeep of objects failed", [.error: .string(error.message)])
    }
  }

  /// Removes what ends with the process.
  func close() async {
    await files.close()
  }
}
