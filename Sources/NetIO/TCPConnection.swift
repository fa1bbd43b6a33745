internal import CUV
internal import Synchronization

/// Is told what happens on a connection, always on its loop and never from inside a call to the connection.
package protocol TCPConnectionDelegate: AnyObject {
  /// Bytes came; they are valid only during the call.
  func connectionReceived(_ bytes: Span<UInt8>)
  /// The peer sends nothing more. Reading has stopped; writing still works.
  func connectionReceivedEnd()
  /// What waits to be written fell to the low-water mark or below.
  func connectionDrained()
  /// The connection is closed, by either side; the last call, made exactly once.
  func connectionClosed(_ error: NetIOError?)
}

/// One TCP connection, confined to its loop. It lives until it is closed, whoever holds it.
@safe
package final class TCPConnection: LoopHandle {
  /// At or below this many waiting bytes, `connectionDrained` is called.
  package static let lowWaterMark = 32 << 10
  /// Above this many waiting bytes, whoever writes should wait for `connectionDrained`.
  package static let highWaterMark = 128 << 10

  package let loop: EventLoop
  /// Held until the connection is closed.
  package var delegate: (any TCPConnectionDelegate)?
  /// `nil` if the peer was gone before it could be asked for.
  package let peer: SocketAddress?

  private var handle: UnsafeMutablePointer<uv_tcp_t>?
  private var error: NetIOError?
  private var isFinishing = false

  /// Takes over an initialised handle of `loop`, on it.
  init(_ handle: UnsafeMutablePointer<uv_tcp_t>, on loop: EventLoop) {
    self.loop = loop
    unsafe self.handle = handle
    var storage = sockaddr_storage()
    var size = Int32(MemoryLayout<sockaddr_storage>.size)
    let status = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe uv_tcp_getpeername(
        handle, UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), &size)
    }
    peer = status == 0 ? SocketAddress(&storage) : nil
    super.init()
    unsafe handle.pointee.data = Unmanaged.passRetained(self as LoopHandle).toOpaque()
    unsafe uv_tcp_nodelay(handle, 1)
  }

  private static func of(_ data: UnsafeMutableRawPointer?) -> TCPConnection? {
    guard let data = unsafe data else { return nil }
    return unsafe Unmanaged<TCPConnection>.fromOpaque(data).takeUnretainedValue()
  }

  private var stream: UnsafeMutablePointer<uv_stream_t>? {
    guard let handle = unsafe handle else { return nil }
    return unsafe UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_stream_t.self)
  }

  /// Whether it is closed or about to be.
  package var isClosing: Bool { unsafe handle == nil }

  /// How many bytes wait for the peer to take them.
  package var outstandingBytes: Int {
    guard let stream = unsafe stream else { return 0 }
    return unsafe uv_stream_get_write_queue_size(stream)
  }

  // MARK: Reading

  /// Begins or resumes to give bytes to the delegate.
  package func startReading() {
    guard let stream = unsafe stream else { return }
    let status = unsafe uv_read_start(
      stream,
      { handle, _, buffer in
        guard let memory = unsafe TCPConnection.of(handle?.pointee.data)?.loop.readBuffer else {
          return
        }
        let base = UnsafeMutableRawPointer(memory.baseAddress)
        unsafe buffer?.pointee = unsafe uv_buf_t(
          base: base?.assumingMemoryBound(to: CChar.self), len: memory.count)
      },
      { stream, count, _ in
        unsafe TCPConnection.of(stream?.pointee.data)?.received(count)
      })
    // An end that was already seen gives ENOTCONN: there is nothing more to read.
    if status != 0, status != UV_ENOTCONN.rawValue, status != UV_EALREADY.rawValue {
      fail(status)
    }
  }

  /// Holds the peer back: what it sends stays with the system.
  package func stopReading() {
    if let stream = unsafe stream { unsafe uv_read_stop(stream) }
  }

  private func received(_ count: Int) {
    if count > 0 {
      let bytes = unsafe UnsafeBufferPointer(rebasing: loop.readBuffer[..<count])
      unsafe delegate?.connectionReceived(bytes.span)
    } else if count == Int(UV_EOF.rawValue) {
      stopReading()
      delegate?.connectionReceivedEnd()
    } else if count < 0 {
      fail(Int32(truncatingIfNeeded: count))
    }
  }

  // MARK: Writing

  /// Sends bytes in order; what the system does not take at once is copied and counted in `outstandingBytes`.
  package func write(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer {
      unsafe write($0, UnsafeBufferPointer(start: nil, count: 0))
    }
  }

  /// Sends two pieces with one call to the system.
  package func write(_ first: Span<UInt8>, _ second: Span<UInt8>) {
    unsafe first.withUnsafeBufferPointer { first in
      unsafe second.withUnsafeBufferPointer { second in unsafe write(first, second) }
    }
  }

  private func write(_ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>) {
    guard let stream = unsafe stream, !isFinishing else { return }
    var sent = 0
    if unsafe uv_stream_get_write_queue_size(stream) == 0 {
      let buffers = unsafe [uvBuffer(first), uvBuffer(second)] as InlineArray<2, uv_buf_t>
      let result = unsafe buffers.span.withUnsafeBufferPointer {
        unsafe uv_try_write(stream, $0.baseAddress, second.isEmpty ? 1 : 2)
      }
      if result >= 0 {
        sent = Int(result)
      } else if result != UV_EAGAIN.rawValue {
        failLater(result)
        return
      }
    }
    guard sent < first.count + second.count else { return }
    unsafe enqueue(first.dropFirst(sent), second.dropFirst(max(0, sent - first.count)), stream)
  }

  private func enqueue(
    _ first: Slice<UnsafeBufferPointer<UInt8>>, _ second: Slice<UnsafeBufferPointer<UInt8>>,
    _ stream: UnsafeMutablePointer<uv_stream_t>
  ) {
    let count = unsafe first.count + second.count
    let header = unsafe MemoryLayout<uv_write_t>.stride
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: header + count, alignment: unsafe MemoryLayout<uv_write_t>.alignment)
    unsafe UnsafeMutableRawBufferPointer(rebasing: memory[header..<(header + first.count)])
      .copyBytes(from: first)
    unsafe UnsafeMutableRawBufferPointer(rebasing: memory[(header + first.count)...])
      .copyBytes(from: second)
    guard let base = memory.baseAddress else { return }
    let request = unsafe base.bindMemory(to: uv_write_t.self, capacity: 1)
    var buffer = unsafe uv_buf_t(
      base: (base + header).assumingMemoryBound(to: CChar.self), len: count)
    let status = unsafe uv_write(request, stream, &buffer, 1) { request, status in
      guard let request = unsafe request else { return }
      let connection = unsafe TCPConnection.of(request.pointee.handle?.pointee.data)
      unsafe UnsafeMutableRawPointer(request).deallocate()
      connection?.wrote(status)
    }
    guard status != 0 else { return }
    unsafe base.deallocate()
    failLater(status)
  }

  private func wrote(_ status: Int32) {
    guard !isClosing else { return }
    if status < 0 {
      fail(status)
    } else if outstandingBytes <= Self.lowWaterMark {
      delegate?.connectionDrained()
    }
  }

  /// Lends the socket to the only one who writes to it until it is given back. Nothing may wait to be written.
  ///
  /// - Returns: `nil` if the connection is closed, or the process has no descriptor left.
  package func lendSocket() -> SocketLoan? {
    guard let handle = unsafe handle, !isFinishing else { return nil }
    precondition(outstandingBytes == 0, "bytes wait to be written")
    var descriptor = uv_os_fd_t()
    let base = unsafe UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self)
    guard unsafe uv_fileno(base, &descriptor) == 0 else { return nil }
    return SocketLoan(descriptor)
  }

  /// Ends the output after what is written so far; input goes on.
  package func finishWriting() {
    guard let stream = unsafe stream, !isFinishing else { return }
    isFinishing = true
    let request = UnsafeMutablePointer<uv_shutdown_t>.allocate(capacity: 1)
    let status = unsafe uv_shutdown(request, stream) { request, _ in unsafe request?.deallocate() }
    if status != 0 { unsafe request.deallocate() }
  }

  // MARK: End

  /// Closes at once; what is not written yet is lost.
  package override func close() {
    guard let handle = unsafe handle else { return }
    unsafe self.handle = nil
    let base = unsafe UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self)
    unsafe uv_close(base) { base in
      guard let base = unsafe base, let data = unsafe base.pointee.data else { return }
      unsafe UnsafeMutableRawPointer(base).assumingMemoryBound(to: uv_tcp_t.self).deallocate()
      let owner = unsafe Unmanaged<TCPConnection>.fromOpaque(data).takeRetainedValue()
      owner.closed()
    }
  }

  private func closed() {
    loop.connectionCount.subtract(1, ordering: .relaxed)
    let delegate = delegate
    self.delegate = nil
    delegate?.connectionClosed(error)
  }

  private func fail(_ status: Int32) {
    if error == nil { error = NetIOError(status: status) }
    close()
  }

  /// Closing is itself deferred by libuv, so the delegate is not called from inside its own call.
  private func failLater(_ status: Int32) { fail(status) }
}

private func uvBuffer(_ bytes: UnsafeBufferPointer<UInt8>) -> uv_buf_t {
  let base = unsafe UnsafeMutableRawPointer(mutating: UnsafeRawPointer(bytes.baseAddress))
  return unsafe uv_buf_t(base: base?.assumingMemoryBound(to: CChar.self), len: bytes.count)
}
