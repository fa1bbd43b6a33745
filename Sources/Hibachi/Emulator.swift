internal import AdminREST
internal import Coding
internal import FirestoreAPI
internal import FirestoreEngine
internal import FirestoreGRPC
internal import FirestoreListen
internal import FirestoreProtocol
internal import FirestoreREST
internal import FirestoreService
internal import FirestoreWebChannel
internal import GRPC
internal import HTTPServer
internal import NetIO
internal import SecurityRules
internal import StorageREST
internal import StorageService
internal import Synchronization
internal import Telemetry
internal import WebChannel

/// One emulator in this process: start it, point clients at its `address`, `stop` it.
///
/// ```swift
/// let emulator = try await Emulator.start(.ephemeral)
/// // … clients of emulator.address …
/// await emulator.stop()
/// ```
///
/// It serves until it is stopped, even when nothing holds it any more: a test suite may start one and leave it to the end of the
/// process. Several can run side by side. All calls may come from any thread.
public final class Emulator: Sendable {
  /// What listens, each at its own port.
  private struct Servers: Sendable {
    var group: EventLoopGroup
    var firestore: Server
    var storage: Server?

    func beginGracefulShutdown() {
      firestore.beginGracefulShutdown()
      storage?.beginGracefulShutdown()
    }

    /// Returns when both are drained.
    func run() async {
      await withTaskGroup { tasks in
        if let storage { tasks.addTask { await storage.run() } }
        await firestore.run()
      }
    }
  }

  private struct State {
    var address: SocketAddress?
    var storageAddress: SocketAddress?
    var servers: Servers?
    var channels: WebChannelHandler?
    var service: Task<Void, Never>?
    var signals: SignalWatcher?
  }

  public let configuration: HibachiConfiguration
  private let logger: Logger
  private var log: RequestLog { RequestLog(logger: logger) }
  let hub = ListenHub()
  private let state = Mutex(State())
  private let health = GRPCHealth(services: FirestoreServices.names)

  /// The version of this library and of the command.
  public static let version = "0.1.0"

  public init(_ configuration: HibachiConfiguration = HibachiConfiguration()) {
    self.configuration = configuration
    self.logger = Logger(configuration)
  }

  /// `HOST:PORT` as clients need it in `FIRESTORE_EMULATOR_HOST`, with the real port; empty before `start`.
  public var address: String {
    state.withLock { $0.address?.description ?? "" }
  }

  /// The real port; 0 before `start`.
  public var port: UInt16 {
    state.withLock { $0.address?.port ?? 0 }
  }

  /// `HOST:PORT` as clients need it in `FIREBASE_STORAGE_EMULATOR_HOST`, with the real port; empty before `start` and
  /// without Cloud Storage.
  public var storageAddress: String {
    state.withLock { $0.storageAddress?.description ?? "" }
  }

  /// The real port of Cloud Storage; 0 before `start`.
  public var storagePort: UInt16 {
    state.withLock { $0.storageAddress?.port ?? 0 }
  }

  /// A new emulator that serves already.
  ///
  /// - Throws: what `start()` throws.
  public static func start(
    _ configuration: HibachiConfiguration
  ) async throws(EmulatorError) -> Emulator {
    let emulator = Emulator(configuration)
    try await emulator.start()
    return emulator
  }

  /// Begins to serve; when it returns, clients can connect. To be called once.
  ///
  /// The port accepts before the store is open; requests that come until then wait.
  public func start() async throws(EmulatorError) {
    try await start(endsOnSignals: false) {}
  }

  /// Begins to serve, and calls `listening` when the port accepts, with the store still to be opened. With
  /// `endsOnSignals` the first SIGINT or SIGTERM begins the graceful end from then on, and the next one ends the
  /// process at once.
  package func start(
    endsOnSignals: Bool, listening: () -> Void
  ) async throws(EmulatorError) {
    try await start(endsOnSignals: endsOnSignals, listening: listening) {
      () async throws(EmulatorError) in try await Backend.open(configuration, feeding: hub)
    }
  }

  /// The same on what `open` gives.
  func start(
    endsOnSignals: Bool = false, listening: () -> Void = {},
    open: () async throws(EmulatorError) -> Backend
  ) async throws(EmulatorError) {
    let rules = try RulesFiles(configuration)
    let account = try signingAccount()
    let doorway = Doorway()
    let storageDoorway = Doorway()
    let servers = try await listen(doorway, storageDoorway, endsOnSignals)
    listening()
    let backend: Backend
    let objects: ObjectBackend?
    do throws(EmulatorError) {
      backend = try await open()
      objects = try await openObjects(backend, servers.group)
    } catch {
      doorway.shut()
      storageDoorway.shut()
      servers.beginGracefulShutdown()
      await servers.run()
      await servers.group.shutdown()
      throw error
    }
    let operations = FirestoreOperations(
      engine: backend.engine, hub: hub, expectedProject: expectedProject,
      rules: RulesRegistry(report: denialReport))
    let storageRules = storageRules(reading: operations)
    rules.apply(to: operations.rules, storageRules, logger)
    let loops = servers.group.loops
    let methods = FirestoreMethods(operations)
    let channels = WebChannelHandler(FirestoreChannels(methods).services, on: loops)
    state.withLock { $0.channels = channels }
    doorway.open(frontDoor(operations, methods, channels))
    if let objects {
      storageDoorway.open(storageDoor(objects, storageRules, account))
    }
    // Ends when the servers are drained; `run` cancels it.
    let service = Task { [logger, hub] in
      await withTaskGroup { tasks in
        tasks.addTask { await backend.run(logger) }
        if let objects { tasks.addTask { await objects.run(logger) } }
        tasks.addTask { await hub.run(clock: ContinuousClock()) }
        tasks.addTask { await rules.watch(for: operations.rules, storageRules, logger) }
        tasks.addTask(executorPreference: loops[0]) { await channels.run() }
        await servers.run()
        tasks.cancelAll()
      }
      await backend.close()
      await objects?.close()
      await servers.group.shutdown()
      logger.info("stopped")
    }
    state.withLock { $0.service = service }
    logger.info("started", [.address: .string(address)])
  }

  private func openObjects(
    _ backend: Backend, _ group: EventLoopGroup
  ) async throws(EmulatorError) -> ObjectBackend? {
    guard configuration.storagePort != nil else { return nil }
    do throws(EmulatorError) {
      let pool = ThreadPool(group)
      let objects = try await ObjectBackend.open(configuration.storage, backend.store, pool)
      if let folder = configuration.storageSeed {
        try await StorageSeed(folder: folder, pool: pool)
          .load(into: StorageOperations(store: objects.objects))
      }
      return objects
    } catch {
      await backend.close()
      throw error
    }
  }

  private func listen(
    _ handler: Doorway, _ storageHandler: Doorway, _ endsOnSignals: Bool
  ) async throws(EmulatorError) -> Servers {
    var (host, port) = (configuration.host, configuration.port)
    do throws(NetIOError) {
      let group = try EventLoopGroup(count: ProcessEnvironment.processorCount)
      let servers = Servers(
        group: group, firestore: Server(group: group, handler: handler),
        storage: configuration.storagePort.map { _ in
          Server(group: group, handler: storageHandler)
        })
      do throws(NetIOError) {
        if endsOnSignals { try await watchSignals(for: servers) }
        try await servers.firestore.listen(host: host, port: port)
        if let storage = servers.storage, let storagePort = configuration.storagePort {
          (host, port) = (configuration.storageHost ?? host, storagePort)
          try await storage.listen(host: host, port: port)
        }
      } catch {
        servers.beginGracefulShutdown()
        await servers.run()
        await group.shutdown()
        throw error
      }
      state.withLock {
        $0.address = servers.firestore.addresses.first
        $0.storageAddress = servers.storage?.addresses.first
        $0.servers = servers
      }
      return servers
    } catch {
      throw EmulatorError(error, host: host, port: port)
    }
  }

  private func watchSignals(for servers: Servers) async throws(NetIOError) {
    let signals = try await SignalWatcher.watch(on: servers.group.loops[0]) { [self] signal in
      logger.info("stopping", [.signal: .string("\(signal)")])
      health.stop()
      servers.beginGracefulShutdown()
      endStreams()
      state.withLock { $0.signals }?.stop()
    }
    state.withLock { $0.signals = signals }
  }

  /// Waits for the end of the service, which `beginGracefulShutdown` or `POST /shutdown` brings about. If the
  /// task is cancelled, everything ends at once.
  public func run() async {
    guard let service = state.withLock({ $0.service }) else { return }
    await withTaskCancellationHandler {
      await service.value
    } onCancel: {
      service.cancel()
    }
  }

  /// Stops accepting, ends listeners, and ends when the requests in flight are finished. Returns at once; may be called several
  /// times.
  public func beginGracefulShutdown() {
    health.stop()
    state.withLock { $0.servers }?.beginGracefulShutdown()
    endStreams()
  }

  private func endStreams() {
    hub.close()
    state.withLock { $0.channels }?.close()
  }

  /// Ends gracefully, and returns when that is done.
  public func stop() async {
    beginGracefulShutdown()
    await run()
  }

  /// Logs a sentence for the user.
  package func warn(_ sentence: String) {
    logger.warning("note", [.detail: .string(sentence)])
  }

  /// What `GET /emulator/v1/status` answers.
  private var status: ServerStatus {
    let folder: String? =
      switch configuration.storage {
      case .memory: nil
      case .folder(let folder, _): folder
      }
    return ServerStatus(
      version: Self.version, processIdentifier: ProcessEnvironment.processIdentifier,
      firestore: address, storage: storageAddress.isEmpty ? nil : storageAddress,
      project: configuration.project, folder: folder)
  }

  private var expectedProject: ExpectedProject? {
    configuration.project.map { [logger] expected in
      ExpectedProject(
        UTF8String(expected), refusesOthers: configuration.refusesOtherProjects
      ) { warning in
        logger.warning("another project", [.detail: .string(warning)])
      }
    }
  }

  /// Logs what rules refuse, unless nobody would see it: to explain a denial takes as long as to judge it.
  private var denialReport: (@Sendable (DenialReport) -> Void)? {
    switch configuration.logLevel {
    case .warning, .error: return nil
    case .trace, .debug, .info: break
    }
    return { [logger] denial in
      logger.info(
        "refused by rules",
        [
          .path: .string(denial.place), .detail: .string(denial.identity),
          .reason: .string(denial.lines.joined(separator: "\n")),
        ])
    }
  }

  /// Rules of Cloud Storage, which look at documents of the expected project, or else of that which a bucket is named after.
  private func storageRules(reading operations: FirestoreOperations) -> StorageRules {
    let project = configuration.project.map { UTF8String($0) }
    return StorageRules(
      documents: { bucket in
        ProjectDocuments(of: project ?? bucket.projectOfBucket, operations)
      }, now: { WallClock.microseconds }, report: denialReport)
  }

  private func guardian(of host: String) -> ControlGuard {
    ControlGuard(
      allowedOrigins: configuration.allowedOrigins, isLoopback: HostName(host).isLoopback)
  }

  /// - Throws: `.configuration` for a file that is no key.
  private func signingAccount() throws(EmulatorError) -> SigningAccount? {
    guard let file = configuration.storageKeyFile else { return nil }
    let text = try? FileSystem.contents(of: file, limit: 1 << 20)
    guard let account = text.flatMap({ SigningAccount(json: $0) }) else {
      throw EmulatorError(
        .storage, "\(file) is no key of a service account: it needs private_key and client_email.")
    }
    return account
  }

  private func storageDoor(
    _ objects: ObjectBackend, _ rules: StorageRules, _ account: SigningAccount?
  ) -> StorageDoor {
    let guardian = guardian(of: configuration.storageHost ?? configuration.host)
    return StorageDoor(
      StorageOperations(
        store: objects.objects, style: configuration.storageStyle.bucketStyle, rules: rules),
      account: account,
      rules: StorageRulesHandler(rules: rules, guardian: guardian, logger: logger),
      control: StorageControl(guardian: guardian, externalURL: configuration.storageURL), log: log)
  }

  private func frontDoor(
    _ operations: FirestoreOperations, _ methods: FirestoreMethods, _ channels: WebChannelHandler
  ) -> FrontDoor {
    let guardian = guardian(of: configuration.host)
    let log = log
    let services = FirestoreServices(methods).all + GRPCReflection { Descriptors.files }.services
    return FrontDoor(
      grpc: GRPCHandler(services + [health.service]) { log.failed($0, $1) },
      rest: RESTHandler(methods) { log.failed($0, $1) }, channels: channels,
      admin: AdminHandler(
        operations: operations, guardian: guardian, logger: logger,
        status: status, shutDown: { [weak self] in self?.beginGracefulShutdown() }),
      log: log)
  }
}

extension HibachiConfiguration.StorageStyle {
  fileprivate var bucketStyle: BucketStyle {
    switch self {
    case .firebase: .firebase
    case .fakeGCSServer: .fakeGCSServer
    }
  }
}

extension UTF8String {
  /// The project whose default bucket has this name.
  fileprivate var projectOfBucket: UTF8String {
    for suffix in [".appspot.com", ".firebasestorage.app"] where string.hasSuffix(suffix) {
      return UTF8String(String(string.dropLast(suffix.count)))
    }
    return self
  }
}
