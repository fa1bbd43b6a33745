/// The host of an authority or a URL, without its port.
package struct HostName: Sendable {
  /// Lower case, IPv6 without brackets.
  private let text: String
  private let isBracketed: Bool

  /// `authority` is `host`, `host:port` or `[address]:port`.
  package init(authority: Substring) {
    isBracketed = authority.hasPrefix("[")
    if isBracketed {
      text = authority.dropFirst().prefix { $0 != "]" }.lowercased()
    } else {
      text = authority.prefix { $0 != ":" && $0 != "/" }.lowercased()
    }
  }

  /// An address or a name as someone configures it: IPv6 without brackets is taken too.
  package init(_ host: String) {
    let isAddress = host.utf8.count { $0 == UInt8(ascii: ":") } > 1 && !host.hasPrefix("[")
    self.init(authority: isAddress ? "[\(host)]" : host[...])
  }

  /// `localhost`, or a name below it, which browsers resolve to this machine without asking anyone.
  package var isLocalhost: Bool {
    text == "localhost" || text.hasSuffix(".localhost")
  }

  /// An IPv4 or IPv6 literal.
  package var isAddress: Bool {
    isBracketed || octets != nil
  }

  /// An address that only this machine can reach, or a name for it.
  package var isLoopback: Bool {
    if isBracketed { return text == "::1" || text == "::ffff:127.0.0.1" }
    return isLocalhost || octets?.first == 127
  }

  private var octets: [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    let octets = parts.compactMap { UInt8($0) }
    return octets.count == 4 ? octets : nil
  }
}
