import HTTPServer
import Synchronization

@testable import WebChannel

/// A clock that goes when it is told to.
final class ManualTime: Sendable {
  private let state = Mutex(Duration.zero)

  var channelTime: ChannelTime {
    ChannelTime(now: { self.state.withLock { $0 } }, pause: { _ in await Task.yield() })
  }

  func advance(_ duration: Duration) {
    state.withLock { $0 += duration }
  }
}

final class TestBody: HTTPRequestBody {
  private let pieces: Mutex<[[UInt8]]>

  init(_ text: String) {
    pieces = Mutex([Array(text.utf8)])
  }

  func next() async throws(HTTPStreamError) -> [UInt8]? {
    pieces.withLock { $0.isEmpty ? nil : $0.removeFirst() }.flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// Keeps an answer for a test to look at, and can make its writer wait as a client does that does not read.
final class TestResponse: HTTPResponseWriter {
  private struct State {
    var head: HTTPResponseHead?
    var body: [UInt8] = []
    var isFinished = false
    var changes = 0
    var isStalled = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var watcher: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  var head: HTTPResponseHead? { state.withLock { $0.head } }
  var text: String { String(decoding: state.withLock { $0.body }, as: UTF8.self) }
  var pieces: [String] { ChannelFrameTests.pieces(state.withLock { $0.body }) ?? ["broken"] }
  var isFinished: Bool { state.withLock { $0.isFinished } }

  func stall() { state.withLock { $0.isStalled = true } }

  func resume() {
    let waiting = state.withLock { state in
      state.isStalled = false
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the answer is what `condition` says.
  func wait(until condition: @Sendable (TestResponse) -> Bool) async {
    while true {
      let seen = state.withLock { $0.changes }
      if condition(self) { return }
      await withCheckedContinuation { continuation in
        let isOld = state.withLock { state in
          if state.changes == seen { state.watcher = continuation }
          return state.changes != seen
        }
        if isOld { continuation.resume() }
      }
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let watcher = state.withLock { state in
      body(&state)
      state.changes += 1
      defer { state.watcher = nil }
      return state.watcher
    }
    watcher?.resume()
  }

  func send(_ head: HTTPResponseHead) async throws(HTTPStreamError) {
    change { $0.head = head }
  }

  func write(_ bytes: [UInt8]) async throws(HTTPStreamError) {
    change { $0.body += bytes }
    await withCheckedContinuation { continuation in
      let isStalled = state.withLock { state in
        if state.isStalled { state.waiting.append(continuation) }
        return state.isStalled
      }
      if !isStalled { continuation.resume() }
    }
  }

  func finish(_ trailers: HTTPFields) async throws(HTTPStreamError) {
    change { $0.isFinished = true }
  }

  func respond(
    _ head: HTTPResponseHead, body: [UInt8], trailers: HTTPFields
  ) async throws(HTTPStreamError) {
    change { state in
      state.head = head
      state.body = body
      state.isFinished = true
    }
  }
}
