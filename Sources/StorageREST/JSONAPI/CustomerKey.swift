internal import Coding
internal import HTTPServer
internal import ObjectStorage

/// A key that a client brings for the bytes of an object. Bytes are kept as they are, and given only to who brings the same key.
struct CustomerKey: Hashable {
  private static let algorithm = "AES256"
  private static let size = 32

  /// Base64 of the SHA-256 of the key.
  let hash: String

  /// The key of a request, or that of the object that it copies from; `nil` without one.
  ///
  /// - Throws: `.invalidArgument` for a key that is none, or another than its hash says.
  init?(_ call: StorageCall, ofSource isSource: Bool = false) throws(StorageError) {
    let prefix = isSource ? "x-goog-copy-source-encryption-" : "x-goog-encryption-"
    let fields = ["algorithm", "key", "key-sha256"].map { call.fields.first(prefix + $0) }
    guard fields.contains(where: { $0 != nil }) else { return nil }
    guard fields[0] == Self.algorithm else {
      throw StorageError(
        .invalidArgument, "The encryption algorithm must be AES256.",
        reason: "customerEncryptionAlgorithmIsInvalid")
    }
    guard let key = fields[1].flatMap({ Base64.decode($0) }), key.count == Self.size else {
      throw StorageError(
        .invalidArgument, "Missing an encryption key, or it is not base64 of 256 bits.",
        reason: "customerEncryptionKeyFormatIsInvalid")
    }
    hash = Base64.encode(SHA256.digest(key))
    guard let given = fields[2].flatMap({ Base64.decode($0) }), Base64.encode(given) == hash else {
      throw StorageError(
        .invalidArgument, "Missing a SHA256 hash of the encryption key, or it is not that of it.",
        reason: "customerEncryptionKeySha256IsInvalid")
    }
  }

  /// What an object says of it.
  var json: JSONValue {
    .object(["encryptionAlgorithm": .string(Self.algorithm), "keySha256": .string(hash)])
  }

  /// - Throws: `.invalidArgument` for an object that needs a key or has none, `.permissionDenied` for another key.
  static func check(_ key: CustomerKey?, for object: Object) throws(StorageError) {
    switch (object.keyHash, key?.hash) {
    case (nil, nil): return
    case (.some, nil):
      throw StorageError(
        .invalidArgument,
        "The target object is encrypted by a customer-supplied encryption key.",
        reason: "resourceIsEncryptedWithCustomerEncryptionKey")
    case (nil, .some):
      throw StorageError(
        .invalidArgument,
        "The target object is not encrypted by a customer-supplied encryption key.",
        reason: "resourceNotEncryptedWithCustomerEncryptionKey")
    case (.some(let hash), .some(let given)):
      guard hash != given else { return }
      throw StorageError(
        .permissionDenied, "The provided encryption key is incorrect.",
        reason: "customerEncryptionKeyIsIncorrect")
    }
  }
}

extension Object {
  /// Base64 of the SHA-256 of the key that its bytes need; `nil` if they need none.
  var keyHash: String? { attributes.settings["customerEncryption"]?["keySha256"]?.text }
}
