internal import CUV
internal import Synchronization

/// A listening socket. It accepts on one loop and gives each connection to the loop that has the fewest.
package final class TCPListener: Sendable {
  /// Where it listens, with the port that was chosen if 0 was asked for.
  package let address: SocketAddress
  private let socket: LoopBound<ListeningSocket>

  /// Listens at `address`; port 0 lets the system choose one. `accept` is called on the loop of the new connection, which reads
  /// nothing until it is told to.
  ///
  /// - Throws: `.addressInUse`, `.addressNotAvailable`, `.permissionDenied`, `.outOfResources`, `.system`.
  package static func listen(
    at address: SocketAddress, group: EventLoopGroup, backlog: Int32 = 1024,
    accept: @escaping @Sendable (TCPConnection) -> Void
  ) async throws(NetIOError) -> TCPListener {
    let loop = group.loops[0]
    let opened = await LoopBound((), on: loop).run {
      _ -> Result<(LoopBound<ListeningSocket>, SocketAddress), NetIOError> in
      do throws(NetIOError) {
        let socket = try ListeningSocket(address, backlog, loop, group, accept)
        return .success((LoopBound(socket, on: loop), try socket.boundAddress()))
      } catch {
        return .failure(error)
      }
    }
    let (socket, bound) = try opened.get()
    return TCPListener(socket, bound)
  }

  private init(_ socket: LoopBound<ListeningSocket>, _ address: SocketAddress) {
    self.socket = socket
    self.address = address
  }

  /// Stops listening; the port is free when this returns. Connections go on.
  package func close() async {
    await socket.run { $0.close() }
  }
}

/// The handle of a listener, on the loop that accepts.
@safe
private final class ListeningSocket: LoopHandle {
  private var handle: UnsafeMutablePointer<uv_tcp_t>?
  private let loop: EventLoop
  private let group: EventLoopGroup
  private let accept: @Sendable (TCPConnection) -> Void

  init(
    _ address: SocketAddress, _ backlog: Int32, _ loop: EventLoop, _ group: EventLoopGroup,
    _ accept: @escaping @Sendable (TCPConnection) -> Void
  ) throws(NetIOError) {
    self.loop = loop
    self.group = group
    self.accept = accept
    super.init()
    let handle = unsafe newHandle(on: loop)
    unsafe self.handle = handle
    unsafe handle.pointee.data = Unmanaged.passRetained(self as LoopHandle).toOpaque()
    var status = unsafe address.withSystemAddress { unsafe uv_tcp_bind(handle, $0, 0) }
    if status == 0 {
      status = unsafe uv_listen(handle.asStream, backlog) { stream, status in
        guard status == 0, let data = unsafe stream?.pointee.data else { return }
        unsafe Unmanaged<ListeningSocket>.fromOpaque(data).takeUnretainedValue().acceptOne()
      }
    }
    if status != 0 {
      close()
      throw NetIOError(status: status)
    }
  }

  func boundAddress() throws(NetIOError) -> SocketAddress {
    guard let handle = unsafe handle else { throw NetIOError(.system, "closed") }
    var storage = sockaddr_storage()
    var size = Int32(MemoryLayout<sockaddr_storage>.size)
    let status = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe uv_tcp_getsockname(
        handle, UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), &size)
    }
    guard status == 0, let address = SocketAddress(&storage) else {
      throw NetIOError(status: status)
    }
    return address
  }

  private func acceptOne() {
    guard let handle = unsafe handle else { return }
    let accepted = unsafe newHandle(on: loop)
    guard unsafe uv_accept(handle.asStream, accepted.asStream) == 0 else {
      unsafe discard(accepted)
      return
    }
    let target = group.leastLoaded
    if target === loop {
      target.connectionCount.add(1, ordering: .relaxed)
      accept(unsafe TCPConnection(accepted, on: loop))
      return
    }
    var descriptor: Int32 = -1
    let status = unsafe uv_fileno(accepted.asHandle, &descriptor)
    let copy = status == 0 ? cuv_duplicate(descriptor) : -1
    unsafe discard(accepted)
    guard copy >= 0 else { return }
    target.connectionCount.add(1, ordering: .relaxed)
    target.execute { [accept] in
      let handle = unsafe newHandle(on: target)
      let status = unsafe uv_tcp_open(handle, copy)
      let connection = unsafe TCPConnection(handle, on: target)
      if status == 0 {
        accept(connection)
      } else {
        connection.close()
      }
    }
  }

  override func close() {
    guard let handle = unsafe handle else { return }
    unsafe self.handle = nil
    unsafe uv_close(handle.asHandle) { base in
      guard let base = unsafe base, let data = unsafe base.pointee.data else { return }
      unsafe Unmanaged<LoopHandle>.fromOpaque(data).release()
      unsafe UnsafeMutableRawPointer(base).assumingMemoryBound(to: uv_tcp_t.self).deallocate()
    }
  }
}

private func newHandle(on loop: EventLoop) -> UnsafeMutablePointer<uv_tcp_t> {
  let handle = UnsafeMutablePointer<uv_tcp_t>.allocate(capacity: 1)
  let status = unsafe uv_tcp_init(loop.handle, handle)
  precondition(status == 0, "uv_tcp_init: \(status)")
  unsafe handle.pointee.data = nil
  return unsafe handle
}

private func discard(_ handle: UnsafeMutablePointer<uv_tcp_t>) {
  unsafe uv_close(handle.asHandle) {
    unsafe UnsafeMutableRawPointer($0)?.assumingMemoryBound(to: uv_tcp_t.self).deallocate()
  }
}

extension UnsafeMutablePointer<uv_tcp_t> {
  fileprivate var asStream: UnsafeMutablePointer<uv_stream_t> {
    unsafe UnsafeMutableRawPointer(self).assumingMemoryBound(to: uv_stream_t.self)
  }
  fileprivate var asHandle: UnsafeMutablePointer<uv_handle_t> {
    unsafe UnsafeMutableRawPointer(self).assumingMemoryBound(to: uv_handle_t.self)
  }
}
