/// The process that listens on a port, as far as this user may know.
package struct PortOwner: Hashable, Sendable {
  package let processIdentifier: Int32
  /// The name of its program, such as `java`.
  package let name: String

  private static let limit = 1 << 20
  /// What the kernel calls a socket that listens.
  private static let listening = "0A"

  /// Who listens on `port` of any address of this machine; `nil` if that cannot be found out. It blocks for some milliseconds.
  /// Linux alone tells, in `/proc/net/tcp` and in the open files of every process.
  package static func find(_ port: UInt16) -> PortOwner? {
    let sockets = Set(
      ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { Self.sockets(of: port, in: $0) })
    guard !sockets.isEmpty, let processes = try? FileSystem.names(in: "/proc") else { return nil }
    for process in processes.compactMap({ Int32($0) }) {
      let folder = "/proc/\(process)/fd"
      guard let descriptors = try? FileSystem.names(in: folder) else { continue }
      let hasIt = descriptors.contains { descriptor in
        (try? FileSystem.target(ofLink: "\(folder)/\(descriptor)")).map(sockets.contains) == true
      }
      guard hasIt else { continue }
      let name = (try? FileSystem.contents(of: "/proc/\(process)/comm", limit: 64)) ?? []
      return PortOwner(
        processIdentifier: process,
        name: String(decoding: name.prefix { $0 != 0x0a }, as: UTF8.self))
    }
    return nil
  }

  /// The sockets that listen on `port`, named as in a process's open files.
  private static func sockets(of port: UInt16, in table: String) -> [String] {
    guard let bytes = try? FileSystem.contents(of: table, limit: limit) else { return [] }
    let hexadecimal = String(port, radix: 16, uppercase: true)
    let suffix = ":" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst().compactMap {
      let columns = $0.split(separator: " ")
      guard columns.count > 9, columns[1].hasSuffix(suffix), columns[3] == Self.listening else {
        return nil
      }
      return "socket:[\(columns[9])]"
    }
  }
}
