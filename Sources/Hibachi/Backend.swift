internal import FirestoreEngine
internal import FirestoreListen
internal import FirestoreModel
internal import KeyValue
internal import KeyValueSQLite
internal import NetIO
internal import Telemetry

/// What is behind the front ends: a store and the engine on it.
struct Backend: Sendable {
  /// History that is kept in memory goes at the cost of everything else there.
  private static let historyBytesInMemory = 64 << 20

  let engine: Engine
  let store: any OrderedStore

  /// The commits go to `hub`.
  ///
  /// - Throws: `.storage`.
  static func open(
    _ configuration: HibachiConfiguration, feeding hub: ListenHub
  ) async throws(EmulatorError) -> Backend {
    let store: any OrderedStore
    var retention = Engine.Retention(duration: configuration.retention)
    switch configuration.storage {
    case .memory:
      store = MemoryStore()
      retention.bytes = historyBytesInMemory
    case .folder(let folder, let durability):
      do throws(StoreError) {
        store = try await SQLiteStore.open(folder: folder, durability: Durability(durability))
      } catch {
        throw EmulatorError(.storage, error.message)
      }
    }
    do throws(FirestoreError) {
      let engine = try Engine(
        store: store, retention: retention, indexes: IndexPolicy(configuration.indexes),
        transactions: TransactionSettings(
          concurrency: Concurrency(configuration.concurrency), lockGrace: configuration.lockGrace,
          lockWait: configuration.lockWait),
        limitsWrites: configuration.limits == .on, now: { WallClock.microseconds },
        feed: hub.receive)
      return Backend(engine: engine, store: store)
    } catch {
      await store.close()
      throw EmulatorError(.storage, error.message)
    }
  }

  /// Tidies up until the task is cancelled.
  func run(_ logger: Logger) async {
    let failed = { @Sendable (error: FirestoreError) in
      logger.error("upkeep failed", [.error: .string(error.message)])
    }
    await withTaskGroup { tasks in
      // Beside the upkeep, which a long build of an index must not hold up.
      tasks.addTask { await engine.runIndexing(failed: failed) }
      await engine.run(clock: ContinuousClock(), failed: failed)
    }
  }

  /// Ends the store; what was answered is in it.
  func close() async {
    await store.close()
  }
}

extension IndexPolicy {
  fileprivate init(_ indexes: HibachiConfiguration.Indexes) {
    self =
      switch indexes {
      case .adaptive: .adaptive
      case .always: .always
      case .never: .never
      }
  }
}

extension Concurrency {
  fileprivate init(_ concurrency: HibachiConfiguration.Concurrency) {
    self =
      switch concurrency {
      case .pessimistic: .pessimistic
      case .optimistic: .optimistic
      }
  }
}

extension Durability {
  fileprivate init(_ durability: HibachiConfiguration.Durability) {
    self =
      switch durability {
      case .normal: .normal
      case .full: .full
      }
  }
}
