import Coding
import Synchronization

/// The service `grpc.health.v1.Health`: tells that the server serves, until `stop`.
package final class GRPCHealth: Sendable {
  private struct State {
    var isServing = true
    var watchers: [Int: AsyncStream<Never>.Continuation] = [:]
    var lastWatcher = 0
  }

  /// `ServingStatus` of `HealthCheckResponse`.
  private enum ServingStatus: Int32 {
    case serving = 1
    case notServing = 2
    case serviceUnknown = 3
  }

  private let names: Set<String>
  private let state = Mutex(State())

  /// The health of `services` and of the server as a whole, which has the empty name.
  package init(services: [String]) {
    names = Set(services + [""])
  }

  /// Tells the watchers that the server no longer serves, and ends them.
  package func stop() {
    let watchers = state.withLock { state in
      defer { state.watchers = [:] }
      state.isServing = false
      return state.watchers.values
    }
    for watcher in watchers { watcher.finish() }
  }

  package var service: GRPCService {
    GRPCService(
      "grpc.health.v1.Health",
      [
        "Check": .unary { (_, request) throws(GRPCStatus) in
          let name = try Self.name(request)
          guard self.names.contains(name) else {
            throw GRPCStatus(.notFound, "unknown service \(name)")
          }
          return Self.response(self.isServing ? .serving : .notServing)
        },
        "Watch": .serverStreaming { (call, request) throws(GRPCStatus) in
          try await self.watch(try Self.name(request), call)
        },
      ])
  }

  private var isServing: Bool { state.withLock(\.isServing) }

  private func watch(_ name: String, _ call: GRPCCall) async throws(GRPCStatus) {
    let (end, continuation) = AsyncStream.makeStream(of: Never.self)
    let watcher = state.withLock { state -> Int? in
      guard state.isServing else { return nil }
      state.lastWatcher += 1
      state.watchers[state.lastWatcher] = continuation
      return state.lastWatcher
    }
    if let watcher {
      defer { state.withLock { $0.watchers[watcher] = nil } }
      try await call.send(Self.response(names.contains(name) ? .serving : .serviceUnknown))
      for await _ in end {}
      if isServing { throw GRPCStatus(.cancelled) }
    }
    try await call.send(Self.response(.notServing))
    throw GRPCStatus(.unavailable, "The server is shutting down.")
  }

  /// `HealthCheckRequest`: the name of a service in field 1.
  private static func name(_ request: [UInt8]) throws(GRPCStatus) -> String {
    do {
      var reader = ProtobufReader(request.span)
      var name = ""
      while let tag = try reader.nextTag() {
        if tag == ProtobufTag(1, .lengthDelimited) {
          name = try reader.readString()
        } else {
          try reader.skip(tag)
        }
      }
      return name
    } catch {
      throw GRPCStatus(.internalError, "Invalid request message")
    }
  }

  /// `HealthCheckResponse`: a status in field 1.
  private static func response(_ status: ServingStatus) -> [UInt8] {
    var writer = ProtobufWriter()
    writer.writeInt32(1, status.rawValue)
    return writer.bytes
  }
}
