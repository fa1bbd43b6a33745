import Foundation
import Hibachi

/// The bytes and checksums that the cases use.
enum Sample {
  static let hello = Array("hello".utf8)
  static let md5 = "XUFAKrxLKna5cZ2REBfFkg=="
  static let crc32c = "mnG7TA=="
  /// `hello world` as gzip.
  static let gzip: [UInt8] = stride(from: 0, to: hex.count, by: 2).map { index in
    let start = hex.index(hex.startIndex, offsetBy: index)
    return UInt8(hex[start...].prefix(2), radix: 16) ?? 0
  }
  private static let hex = "1f8b08000000000002ffcb48cdc9c95728cf2fca49010085114a0d0b000000"

  /// Bytes that repeat only after a long time.
  static func bytes(_ count: Int) -> [UInt8] {
    var block = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + block.count)
    while bytes.count < count {
      for index in 0..<4 { block[index] = UInt8(truncatingIfNeeded: bytes.count >> (8 * index)) }
      bytes += block
    }
    return Array(bytes[..<count])
  }
}

/// Talks to the storage of an emulator of its own, about one bucket, as the administrator.
struct StorageClient {
  static let bucket = "bkt"

  let emulator: Emulator
  let client: RawClient

  init(_ emulator: Emulator) throws {
    self.emulator = emulator
    client = try RawClient(port: emulator.storagePort)
  }

  var host: String { "127.0.0.1:\(emulator.storagePort)" }

  /// Another connection to the same server.
  func another() throws -> StorageClient { try StorageClient(emulator) }

  /// `/o` and the name of an object as one segment.
  func path(_ name: String? = nil, _ query: String = "") -> String {
    "/v0/b/\(Self.bucket)/o\(name.map { "/" + Self.encode($0) } ?? "")\(query)"
  }

  static func encode(_ name: String) -> String {
    name.utf8.map { byte in
      let scalar = Character(Unicode.Scalar(byte))
      let isPlain = byte < 0x80 && (scalar.isLetter || scalar.isNumber || "-_.".contains(scalar))
      return isPlain ? String(scalar) : "%" + String(0x100 + Int(byte), radix: 16).dropFirst()
    }.joined()
  }

  @discardableResult
  func send(
    _ method: String, _ target: String, _ fields: [(String, String)] = [], _ body: [UInt8] = [],
    as authorization: String? = "Bearer owner"
  ) async throws -> RawClient.Answer {
    var all = fields.contains { $0.0 == "Host" } ? [] : [("Host", host)]
    if let authorization { all.append(("Authorization", authorization)) }
    return try await client.exchange(method, target, all + fields, body)
  }

  func get(_ name: String, _ fields: [(String, String)] = []) async throws -> RawClient.Answer {
    try await send("GET", path(name, "?alt=media"), fields)
  }

  func metadata(_ name: String) async throws -> RawClient.Answer {
    try await send("GET", path(name))
  }

  /// Uploads as the web SDK does with small files: the closing delimiter has no end of line.
  @discardableResult
  func put(
    _ name: String, _ content: [UInt8] = Sample.hello, _ metadata: String = "{}",
    type: String = "multipart/related; boundary=123", end: String = "\r\n", last: String = "",
    as authorization: String? = "Bearer owner"
  ) async throws -> RawClient.Answer {
    let lines = [
      "--123", "Content-Type: application/json; charset=utf-8", "", metadata, "--123",
      "Content-Type: text/plain", "", "",
    ]
    let body =
      Array(lines.joined(separator: end).utf8) + content + Array("\(end)--123--\(last)".utf8)
    return try await send(
      "POST", path(nil, "?name=\(Self.encode(name))"),
      [("X-Goog-Upload-Protocol", "multipart"), ("Content-Type", type)], body, as: authorization)
  }

  func patch(_ name: String, _ json: String) async throws -> RawClient.Answer {
    try await send("PATCH", path(name), [], Array(json.utf8))
  }

  /// Starts a resumable upload.
  func start(
    _ name: String, _ json: String = "", _ fields: [(String, String)] = [],
    as authorization: String? = "Bearer owner"
  ) async throws -> ResumableClient {
    let answer = try await send(
      "POST", path(nil, "?name=\(Self.encode(name))"),
      [("X-Goog-Upload-Protocol", "resumable"), ("X-Goog-Upload-Command", "start")] + fields,
      Array(json.utf8), as: authorization)
    return ResumableClient(client: self, start: answer)
  }
}

/// One resumable upload.
struct ResumableClient {
  let client: StorageClient
  let start: RawClient.Answer

  var url: String { start["X-Goog-Upload-URL"] ?? "" }

  var target: String { "/" + url.split(separator: "/", maxSplits: 2).dropFirst(2).joined() }

  @discardableResult
  func callAsFunction(
    _ command: String, _ bytes: [UInt8] = [], at offset: Any? = nil, method: String = "POST",
    _ fields: [(String, String)] = [], as authorization: String? = "Bearer owner"
  ) async throws -> RawClient.Answer {
    let place = offset.map { [("X-Goog-Upload-Offset", "\($0)")] } ?? []
    return try await client.send(
      method, target, [("X-Goog-Upload-Command", command)] + place + fields, bytes,
      as: authorization)
  }
}

extension RawClient.Answer {
  var uploadStatus: String? { self["X-Goog-Upload-Status"] }

  var received: String? { self["X-Goog-Upload-Size-Received"] }

  /// A text member of the JSON.
  func text(_ member: String) -> String? { json[member] as? String }

  var names: [String] {
    (json["items"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
  }

  var prefixes: [String]? { json["prefixes"] as? [String] }
}
