import Foundation

/// Calls of the APIs of Cloud Storage, about a bucket of their own.
extension StorageClient {
  static let cloudBucket = "bkt2"

  /// Sends JSON to the JSON API.
  @discardableResult
  func api(
    _ method: String, _ path: String, _ json: String = "", _ fields: [(String, String)] = []
  ) async throws -> RawClient.Answer {
    try await send(method, "/storage/v1/\(path)", fields, Array(json.utf8))
  }

  @discardableResult
  func makeBucket(_ settings: String = "") async throws -> RawClient.Answer {
    let json = #"{"name":"\#(Self.cloudBucket)"\#(settings.isEmpty ? "" : ",\(settings)")}"#
    return try await api("POST", "b?project=p", json)
  }

  /// Uploads bytes alone.
  @discardableResult
  func insert(
    _ name: String, _ content: [UInt8] = Sample.hello, _ query: String = "",
    _ fields: [(String, String)] = []
  ) async throws -> RawClient.Answer {
    try await send(
      "POST",
      "/upload/storage/v1/b/\(Self.cloudBucket)/o?uploadType=media&name=\(Self.encode(name))\(query)",
      fields, content)
  }

  /// Uploads metadata and bytes.
  func insertMultipart(
    _ json: String, _ content: [UInt8] = Sample.hello, boundary: String = "\"===x==\"",
    _ fields: [(String, String)] = []
  ) async throws -> RawClient.Answer {
    let bare = boundary.filter { $0 != "\"" }
    let head = "--\(bare)\r\nContent-Type: application/json\r\n\r\n\(json)\r\n--\(bare)\r\n"
    let body =
      Array("\(head)Content-Type: text/plain\r\n\r\n".utf8) + content
      + Array("\r\n--\(bare)--\r\n".utf8)
    return try await send(
      "POST", "/upload/storage/v1/b/\(Self.cloudBucket)/o?uploadType=multipart",
      [("Content-Type", "multipart/related; boundary=\(boundary)")] + fields, body)
  }

  /// Starts an upload that comes in several requests.
  func begin(
    _ name: String, _ query: String = "", _ json: String = ""
  ) async throws -> CloudUpload {
    CloudUpload(
      client: self,
      start: try await send(
        "POST",
        "/upload/storage/v1/b/\(Self.cloudBucket)/o?uploadType=resumable&name=\(name)\(query)", [],
        Array(json.utf8)))
  }

  /// `o/NAME` of the bucket.
  func object(_ name: String, _ rest: String = "") -> String {
    "b/\(Self.cloudBucket)/o/\(Self.encode(name))\(rest)"
  }
}

/// One upload in several requests.
struct CloudUpload {
  let client: StorageClient
  let start: RawClient.Answer

  @discardableResult
  func callAsFunction(
    _ range: String?, _ bytes: [UInt8] = [], method: String = "PUT",
    _ fields: [(String, String)] = []
  ) async throws -> RawClient.Answer {
    let location = start["Location"] ?? ""
    let target = "/" + location.split(separator: "/", maxSplits: 2).dropFirst(2).joined()
    let place = range.map { [("Content-Range", "bytes \($0)")] } ?? []
    return try await client.send(method, target, place + fields, bytes)
  }
}

extension RawClient.Answer {
  /// The reason of an error of the JSON API.
  var reason: String? {
    let errors = (json["error"] as? [String: Any])?["errors"] as? [[String: Any]]
    return errors?.first?["reason"] as? String
  }

  /// The code of an error of the XML API.
  var xmlCode: String? { element("Code") }

  /// The text of the first element of a name.
  func element(_ name: String) -> String? {
    guard let start = text.range(of: "<\(name)>"),
      let end = text[start.upperBound...].range(of: "</\(name)>")
    else { return nil }
    return String(text[start.upperBound..<end.lowerBound])
  }

  var items: [[String: Any]] { json["items"] as? [[String: Any]] ?? [] }
}
