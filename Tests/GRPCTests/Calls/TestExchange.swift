import HTTPServer
import Synchronization

/// A request body from memory.
final class TestBody: HTTPRequestBody {
  private let pieces: Mutex<[[UInt8]]>
  private let error: HTTPStreamError?

  init(_ pieces: [[UInt8]], error: HTTPStreamError? = nil) {
    self.pieces = Mutex(pieces)
    self.error = error
  }

  func next() async throws(HTTPStreamError) -> [UInt8]? {
    if let piece = pieces.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return piece }
    if let error { throw error }
    return nil
  }
}

/// Writes down what is answered.
final class TestResponse: HTTPResponseWriter {
  struct Record: Sendable {
    var calls: [String] = []
    var status = 0
    var fields: [String] = []
    var body: [UInt8] = []
    var trailers: [String] = []
    var deadline: Duration?
  }

  private let state = Mutex(Record())
  var record: Record { state.withLock { $0 } }

  private func note(_ call: String, _ body: (inout sending Record) -> Void) {
    state.withLock {
      $0.calls.append(call)
      body(&$0)
    }
  }

  func send(_ head: HTTPResponseHead) async throws(HTTPStreamError) {
    note("send") {
      $0.status = head.status
      $0.fields = lines(head.fields)
    }
  }

  func write(_ bytes: [UInt8]) async throws(HTTPStreamError) {
    note("write") { $0.body += bytes }
  }

  func finish(_ trailers: HTTPFields) async throws(HTTPStreamError) {
    note("finish") { $0.trailers = lines(trailers) }
  }

  func respond(
    _ head: HTTPResponseHead, body: [UInt8], trailers: HTTPFields
  ) async throws(HTTPStreamError) {
    note("respond") {
      $0.status = head.status
      $0.fields = lines(head.fields)
      $0.body = body
      $0.trailers = lines(trailers)
    }
  }

  func setDeadline(after duration: Duration) {
    state.withLock { $0.deadline = duration }
  }
}

private func lines(_ fields: HTTPFields) -> [String] {
  fields.lines.map { "\($0.name): \($0.value)" }
}
