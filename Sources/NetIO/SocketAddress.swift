internal import CUV

/// An IP address with a port.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
  package enum Family: Hashable, Sendable {
    case ipv4
    case ipv6
  }

  package let family: Family
  /// The address in the system's numeric form, such as `127.0.0.1` or `::1`.
  package let host: String
  package let port: UInt16

  /// `127.0.0.1:8080` or `[::1]:8080`.
  package var description: String {
    switch family {
    case .ipv4: "\(host):\(port)"
    case .ipv6: "[\(host)]:\(port)"
    }
  }

  /// Whether only this machine reaches the address.
  package var isLoopback: Bool {
    switch family {
    case .ipv4: host.hasPrefix("127.")
    case .ipv6: host == "::1" || host.hasPrefix("::ffff:127.")
    }
  }

  /// Reads an IP literal; an IPv6 one may stand in brackets. `nil` for anything else.
  package init?(literal: String, port: UInt16) {
    var text = literal
    if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
    guard !text.utf8.contains(0) else { return nil }
    var storage = sockaddr_storage()
    let parsed = unsafe withUnsafeMutablePointer(to: &storage) { pointer -> Bool in
      let raw = UnsafeMutableRawPointer(pointer)
      return unsafe uv_ip4_addr(text, Int32(port), raw.assumingMemoryBound(to: sockaddr_in.self))
        == 0
        || uv_ip6_addr(text, Int32(port), raw.assumingMemoryBound(to: sockaddr_in6.self)) == 0
    }
    guard parsed else { return nil }
    self.init(&storage)
  }

  /// The addresses behind a host name, found without asking anybody: `localhost` is 127.0.0.1 and ::1, everything else must be
  /// an IP literal.
  ///
  /// - Throws: `.unknownHost`.
  package static func resolve(host: String, port: UInt16) throws(NetIOError) -> [SocketAddress] {
    let names = host.lowercased() == "localhost" ? ["127.0.0.1", "::1"] : [host]
    let addresses = names.compactMap { SocketAddress(literal: $0, port: port) }
    guard addresses.count == names.count else {
      throw NetIOError(
        .unknownHost, "'\(host)' is neither an IP address nor 'localhost': names are not looked up")
    }
    return addresses
  }

  /// The same address with another port.
  package func with(port: UInt16) -> SocketAddress {
    SocketAddress(family: family, host: host, port: port)
  }

  private init(family: Family, host: String, port: UInt16) {
    self.family = family
    self.host = host
    self.port = port
  }

  /// `nil` if the storage holds neither IPv4 nor IPv6.
  init?(_ storage: inout sockaddr_storage) {
    var name: [CChar] = Array(repeating: 0, count: 64)
    let family = Int32(storage.ss_family)
    let port = unsafe withUnsafeMutablePointer(to: &storage) { pointer -> UInt16? in
      let raw = UnsafeMutableRawPointer(pointer)
      if family == AF_INET {
        let address = unsafe raw.assumingMemoryBound(to: sockaddr_in.self)
        unsafe uv_ip4_name(address, &name, name.count)
        return unsafe UInt16(bigEndian: address.pointee.sin_port)
      }
      guard family == AF_INET6 else { return nil }
      let address = unsafe raw.assumingMemoryBound(to: sockaddr_in6.self)
      unsafe uv_ip6_name(address, &name, name.count)
      return unsafe UInt16(bigEndian: address.pointee.sin6_port)
    }
    guard let port else { return nil }
    let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    self.init(
      family: family == AF_INET ? .ipv4 : .ipv6, host: String(decoding: bytes, as: UTF8.self),
      port: port)
  }

  /// Lends the address as the system wants it.
  func withSystemAddress<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
    var storage = sockaddr_storage()
    return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      let raw = UnsafeMutableRawPointer(pointer)
      switch family {
      case .ipv4:
        unsafe uv_ip4_addr(host, Int32(port), raw.assumingMemoryBound(to: sockaddr_in.self))
      case .ipv6:
        unsafe uv_ip6_addr(host, Int32(port), raw.assumingMemoryBound(to: sockaddr_in6.self))
      }
      return unsafe body(UnsafePointer(raw.assumingMemoryBound(to: sockaddr.self)))
    }
  }
}
