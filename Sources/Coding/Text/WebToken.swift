/// What a JSON Web Token claims; no signature is looked at.
package struct WebToken: Sendable {
  /// The claims: the text of a JSON object.
  package let claims: [UInt8]
  private let issuer: String?
  private let subject: String?

  /// Whether a service account wrote it for itself: it is named as issuer and as subject.
  package var isOfServiceAccount: Bool {
    guard let issuer, let subject else { return false }
    return issuer.hasSuffix(".gserviceaccount.com") && issuer.utf8.elementsEqual(subject.utf8)
  }

  /// `nil` unless `text` has three parts, and the first two are JSON objects in base64.
  package init?(_ text: Substring) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, Self.object(parts[0]) != nil, let payload = Self.object(parts[1]) else {
      return nil
    }
    (claims, issuer, subject) = payload
  }

  private static func object(
    _ part: Substring
  ) -> (json: [UInt8], issuer: String?, subject: String?)? {
    guard let json = Base64.decode(String(part)) else { return nil }
    var reader = JSONReader(json.span)
    var issuer: String?
    var subject: String?
    do {
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch try reader.peek() {
        case .string where key == "iss": issuer = try reader.readString()
        case .string where key == "sub": subject = try reader.readString()
        case .string, .number, .boolean, .null, .object, .array: try reader.skipValue()
        }
      }
      try reader.finish()
    } catch {
      return nil
    }
    return (json, issuer, subject)
  }
}
