internal import Coding
internal import FirestoreService
internal import SecurityRules
internal import StorageService
internal import Telemetry

/// The files of rules that are in force from the start.
struct RulesFiles: Sendable {
  /// A file for some buckets.
  private struct BucketFile: Sendable {
    let file: RulesFile
    /// `nil` means all there are.
    let buckets: [UTF8String]?

    func put(_ ruleset: Ruleset, in force: StorageRules) {
      if let buckets { force.set(ruleset, for: buckets) } else { force.set(ruleset) }
    }
  }

  /// A file for all databases, or for those of one name.
  private struct DatabaseFile: Sendable {
    let file: RulesFile
    let scope: RulesRegistry.Scope
  }

  private let firestore: [DatabaseFile]
  private let storage: [BucketFile]
  private let hasStorage: Bool

  /// Reads and compiles them.
  ///
  /// - Throws: `.rules` if one cannot be read.
  init(_ configuration: HibachiConfiguration) throws(EmulatorError) {
    var files = configuration.databaseRules.sorted { $0.key < $1.key }.map { database, path in
      (path, RulesRegistry.Scope.everyProject(database: UTF8String(database)))
    }
    if let path = configuration.rulesFile { files.insert((path, .everywhere), at: 0) }
    firestore = try files.map { (path, scope) throws(EmulatorError) in
      DatabaseFile(file: try RulesFile(reading: path), scope: scope)
    }
    hasStorage = configuration.storagePort != nil
    switch hasStorage ? configuration.storageRules : nil {
    case nil: storage = []
    case .file(let path): storage = [BucketFile(file: try RulesFile(reading: path), buckets: nil)]
    case .files(let files):
      storage = try Set(files.values).sorted().map { (path) throws(EmulatorError) in
        BucketFile(
          file: try RulesFile(reading: path),
          buckets: files.filter { $0.value == path }.keys.map { UTF8String($0) })
      }
    }
  }

  /// Puts them in force, and says what that means.
  func apply(to firestoreRules: RulesRegistry, _ storageRules: StorageRules, _ logger: Logger) {
    for firestore in firestore {
      firestoreRules.set(firestore.file.ruleset, for: firestore.scope)
      firestore.file.log(to: logger, "every request is refused")
    }
    if firestore.isEmpty {
      logger.info("no security rules of Firestore: everything is allowed")
    }
    for storage in storage {
      storage.put(storage.file.ruleset, in: storageRules)
      storage.file.log(to: logger, "every request is refused")
    }
    if hasStorage, storage.isEmpty {
      logger.info("no security rules of Cloud Storage: everything is allowed")
    }
  }

  /// Puts files in force anew whenever they change, until the task is cancelled.
  func watch(
    for firestoreRules: RulesRegistry, _ storageRules: StorageRules, _ logger: Logger
  ) async {
    // All end with the task of the caller.
    await withDiscardingTaskGroup { tasks in
      for firestore in firestore {
        tasks.addTask {
          await firestore.file.watch(clock: ContinuousClock(), logger) { ruleset in
            firestoreRules.set(ruleset, for: firestore.scope)
          }
        }
      }
      for storage in storage {
        tasks.addTask {
          await storage.file.watch(clock: ContinuousClock(), logger) { ruleset in
            storage.put(ruleset, in: storageRules)
          }
        }
      }
    }
  }
}
