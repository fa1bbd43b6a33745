internal import Coding
internal import HTTPServer
internal import ObjectStorage
internal import StorageService

/// What a new object has beside what its metadata say.
extension StorageCall {
  /// Adds what the query and the fields say, and the bucket. Parameters begin with `prefix`; `acl` stands for that of the fields.
  func complete(
    _ changes: inout AttributeChanges, in bucket: Bucket, _ prefix: String = "", acl: String? = nil
  ) throws(StorageError) {
    func parameter(_ name: String) -> String? {
      self.parameter(
        prefix.isEmpty ? name : prefix + name.prefix(1).uppercased() + name.dropFirst())
    }
    let owner = email.map { "user-\($0)" }
    changes.settings["owner"] = owner.map { .string($0) }
    if let list = parameter("predefinedAcl") ?? acl ?? fields.first("x-goog-acl") {
      changes.settings["acl"] = try Self.access(list, owner: owner ?? AccessEntry.projectOwners)
    }
    if let key = try CustomerKey(self) { changes.settings["customerEncryption"] = key.json }
    let standard = bucket.settings["encryption"]?["defaultKmsKeyName"]?.text
    let given = parameter("kmsKeyName") ?? fields.first("x-goog-encryption-kms-key-name")
    if let key = given ?? changes.settings["kmsKeyName"]?.text ?? standard {
      changes.settings["kmsKeyName"] = .string(
        key.contains("/cryptoKeyVersions/") ? key : key + "/cryptoKeyVersions/1")
    }
  }

  /// The list that a word stands for, in the spelling of either API: `publicRead` or `public-read`.
  static func access(_ name: String, owner: String) throws(StorageError) -> JSONValue {
    let words = name.split(separator: "-").map(String.init)
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let word = (words.prefix(1) + rest).joined()
    guard let list = AccessEntry.predefined(word, owner: owner) else {
      throw StorageError(.invalidArgument, "Invalid value for predefinedAcl.")
    }
    return list.json
  }
}
