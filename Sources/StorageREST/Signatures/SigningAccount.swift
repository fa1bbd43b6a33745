internal import Coding
internal import HTTPServer
internal import ObjectStorage

/// The account whose signatures count, where one is configured; without one, every signature does.
package struct SigningAccount: Hashable, Sendable {
  let email: String
  private let key: RSAPublicKey

  /// A file of Google's for a service account; `nil` for what is none.
  package init?(json text: [UInt8]) {
    guard let json = try? JSONValue(text), let pem = json["private_key"]?.text,
      let email = json["client_email"]?.text, let key = RSAPublicKey(pem: pem)
    else { return nil }
    self.email = email
    self.key = key
  }

  func verifies(_ signature: [UInt8]?, of text: String) -> Bool {
    signature.map { key.verifies($0, of: Array(text.utf8)) } ?? false
  }
}

/// The signature in the query of a request.
struct URLSignature {
  private static let names: Set = ["googleaccessid", "expires", "signature"]
  /// What clients add after they have signed in the second version.
  private static let unsigned: Set = [
    "generation", "response-content-type", "response-content-disposition",
  ]

  private let call: StorageCall
  private let path: Substring
  /// As they came: they are signed in their encoded form.
  private let query: [Substring]

  init(_ call: StorageCall) {
    self.call = call
    let parts = call.request.target.split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts[0]
    query = parts.count > 1 ? parts[1].split(separator: "&") : []
  }

  /// - Throws: `SignatureDoesNotMatch` for one that another key made, or of another request. None at all is fine.
  func check(by account: SigningAccount) throws(XMLError) {
    if let signature = call.parameter("X-Goog-Signature") {
      guard call.parameter("X-Goog-Algorithm") == "GOOG4-RSA-SHA256" else { return }
      let bytes = Hexadecimal.decode(signature)
      guard account.verifies(bytes, of: stringToSign) else { throw .wrongSignature }
    } else if let signature = call.parameter("Signature") {
      let bytes = Base64.decode(signature)
      guard oldStrings.contains(where: { account.verifies(bytes, of: $0) }) else {
        throw .wrongSignature
      }
    }
  }

  // MARK: The fourth version

  private var stringToSign: String {
    let date = call.parameter("X-Goog-Date") ?? ""
    let scope = (call.parameter("X-Goog-Credential") ?? "").split(separator: "/").dropFirst()
    let digest = SHA256.digest(Array(canonicalRequest.utf8))
    return ["GOOG4-RSA-SHA256", date, scope.joined(separator: "/"), Hexadecimal.encode(digest)]
      .joined(separator: "\n")
  }

  private var canonicalRequest: String {
    let names = (call.parameter("X-Goog-SignedHeaders") ?? "").split(separator: ";").map(
      String.init)
    let fields = names.map { name in
      let value =
        name == "host" ? call.request.authority : call.fields.all(name).joined(separator: ",")
      return "\(name):\(value.split(separator: " ").joined(separator: " "))\n"
    }
    let payload =
      names.contains("x-goog-content-sha256")
      ? call.fields.first("x-goog-content-sha256") ?? "" : "UNSIGNED-PAYLOAD"
    let signed = query.filter { !$0.hasPrefix("X-Goog-Signature=") }
      .map { $0.contains("=") ? String($0) : "\($0)=" }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return [
      call.request.method, String(path), signed.joined(separator: "&"), fields.joined(),
      names.joined(separator: ";"), payload,
    ].joined(separator: "\n")
  }

  // MARK: The second version

  /// What may have been signed: the resource alone, or with what else the query has.
  private var oldStrings: [String] {
    let fields = call.fields
    let extensions = Set(fields.lines.map(\.name)).filter {
      $0.hasPrefix("x-goog-") && !$0.hasPrefix("x-goog-encryption-key")
    }.sorted().map { "\($0):\(fields.all($0).joined(separator: ","))" }
    let start =
      [
        call.request.method, fields.first("content-md5") ?? "", fields.first("content-type") ?? "",
        call.parameter("Expires") ?? "",
      ] + extensions
    // Libraries add a type of their own to what has none.
    var other = start
    other[2] = ""
    let added = query.filter { pair in
      let name = pair.prefix { $0 != "=" }.lowercased()
      return !Self.names.contains(name) && !Self.unsigned.contains(name)
    }.sorted()
    // At a host that is called like the bucket, the resource has it before the path.
    let resources = ["\(path)", "/\(call.bucket)\(path)"].flatMap {
      [$0, "\($0)?\(added.joined(separator: "&"))"]
    }
    return [start, other].flatMap { lines in
      resources.map { (lines + [$0]).joined(separator: "\n") }
    }
  }
}
