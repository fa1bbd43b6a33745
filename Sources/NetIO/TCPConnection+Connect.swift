internal import CUV
internal import Synchronization

extension TCPConnection {
  /// Connects to `address` from `loop`; the connection reads nothing until it is told to.
  ///
  /// - Throws: `.connectionRefused`, `.addressNotAvailable`, `.outOfResources`, `.system`.
  package static func connect(
    to address: SocketAddress, on loop: EventLoop
  ) async throws(NetIOError) -> LoopBound<TCPConnection> {
    let result = await withCheckedContinuation { continuation in
      LoopBound((), on: loop).execute { _ in
        loop.connectionCount.add(1, ordering: .relaxed)
        let attempt = ConnectAttempt(loop) { continuation.resume(returning: $0) }
        attempt.begin(address)
      }
    }
    return try result.get()
  }
}

/// One attempt to connect; its request holds it until the system has answered.
@safe
private final class ConnectAttempt {
  private let handle: UnsafeMutablePointer<uv_tcp_t>
  private let request: UnsafeMutablePointer<uv_connect_t>
  private let connection: TCPConnection
  private let answer: (Result<LoopBound<TCPConnection>, NetIOError>) -> Void

  init(
    _ loop: EventLoop, _ answer: @escaping (Result<LoopBound<TCPConnection>, NetIOError>) -> Void
  ) {
    unsafe handle = .allocate(capacity: 1)
    unsafe request = .allocate(capacity: 1)
    let status = unsafe uv_tcp_init(loop.handle, handle)
    precondition(status == 0, "uv_tcp_init: \(status)")
    connection = unsafe TCPConnection(handle, on: loop)
    self.answer = answer
  }

  deinit {
    unsafe request.deallocate()
  }

  func begin(_ address: SocketAddress) {
    unsafe request.pointee.data = Unmanaged.passRetained(self).toOpaque()
    let status = unsafe address.withSystemAddress {
      unsafe uv_tcp_connect(request, handle, $0) { request, status in
        guard let data = unsafe request?.pointee.data else { return }
        unsafe Unmanaged<ConnectAttempt>.fromOpaque(data).takeRetainedValue().ended(status)
      }
    }
    if status != 0 {
      unsafe Unmanaged.passUnretained(self).release()
      ended(status)
    }
  }

  private func ended(_ status: Int32) {
    if status == 0 {
      answer(.success(LoopBound(connection, on: connection.loop)))
    } else {
      connection.close()
      answer(.failure(NetIOError(status: status)))
    }
  }
}
