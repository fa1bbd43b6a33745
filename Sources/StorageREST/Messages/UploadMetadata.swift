internal import Coding
internal import HTTPServer
internal import ObjectStorage
internal import StorageService

/// The metadata that clients send with an upload or a change. Members that are not theirs to write are passed over, with any value.
struct UploadMetadata {
  /// The custom entry that stands for the download tokens.
  private static let tokensKey: UTF8String = "firebaseStorageDownloadTokens"
  static let maximumSize = 1 << 20

  /// Which API the metadata came through: that of Cloud Storage has more members, and clears tokens.
  enum Form {
    case firebase
    case cloudStorage
  }

  private var form = Form.firebase
  var name: String?
  var changes = AttributeChanges()
  var expected = ExpectedChecksums()

  init() {}

  /// Nothing at all is metadata too.
  ///
  /// - Throws: `.invalidArgument` for anything but an object.
  init(json: [UInt8], _ form: Form = .firebase) throws(StorageError) {
    self.form = form
    guard json.contains(where: { $0 > 0x20 }) else { return }
    do throws(JSONError) {
      var reader = JSONReader(json.span)
      if try !reader.skipNull() {
        try reader.beginObject()
        while let key = try reader.nextKey() { try read(key, &reader) }
      }
      try reader.finish()
    } catch {
      throw StorageError(.invalidArgument, "The metadata is not valid JSON.")
    }
  }

  private mutating func read(_ key: String, _ reader: inout JSONReader) throws(JSONError) {
    switch key {
    case "name": name = try Self.text(&reader)
    case "md5Hash": expected.md5 = try Self.text(&reader)
    case "crc32c": expected.crc32c = try Self.text(&reader)
    case "contentType": try Self.change(&changes.contentType, &reader)
    case "contentEncoding": try Self.change(&changes.contentEncoding, &reader)
    case "contentDisposition": try Self.change(&changes.contentDisposition, &reader)
    case "contentLanguage": try Self.change(&changes.contentLanguage, &reader)
    case "cacheControl": try Self.change(&changes.cacheControl, &reader)
    case "metadata": try readCustom(&reader)
    case "storageClass" where form == .cloudStorage:
      try Self.change(&changes.storageClass, &reader)
    case "customTime" where form == .cloudStorage: try Self.change(&changes.customTime, &reader)
    case "temporaryHold" where form == .cloudStorage:
      changes.temporaryHold = try Self.hold(&reader)
    case "eventBasedHold" where form == .cloudStorage:
      changes.eventBasedHold = try Self.hold(&reader)
    case "retention", "contexts", "acl", "kmsKeyName":
      let value = try JSONValue(&reader)
      if form == .cloudStorage { changes.settings[UTF8String(key)] = Self.setting(key, value) }
    default: try reader.skipValue()
    }
  }

  private static func setting(_ key: String, _ value: JSONValue) -> JSONValue {
    guard key == "acl", let list = value.elements else { return value }
    return list.compactMap { AccessEntry($0) }.json
  }

  private static func hold(_ reader: inout JSONReader) throws(JSONError) -> Bool? {
    if try reader.peek() == .boolean { return try reader.readBool() }
    try reader.skipValue()
    return nil
  }

  private static func text(_ reader: inout JSONReader) throws(JSONError) -> String? {
    if try reader.peek() == .string { return try reader.readString() }
    try reader.skipValue()
    return nil
  }

  private static func change(
    _ change: inout AttributeChanges.Change, _ reader: inout JSONReader
  ) throws(JSONError) {
    switch try reader.peek() {
    case .string: change = .set(try reader.readString())
    case .null:
      try reader.readNull()
      change = .clear
    case .number, .boolean, .object, .array: try reader.skipValue()
    }
  }

  private mutating func readCustom(_ reader: inout JSONReader) throws(JSONError) {
    switch try reader.peek() {
    case .object: break
    case .null:
      try reader.readNull()
      changes.custom = .clear
      return
    case .string, .number, .boolean, .array: return try reader.skipValue()
    }
    var entries: [UTF8String: String?] = [:]
    try reader.beginObject()
    while let key = try reader.nextKey() {
      let key = UTF8String(key)
      switch try reader.peek() {
      case .string: entries[key] = .some(try reader.readString())
      case .number: entries[key] = .some(String(utf8: try reader.readNumber()))
      case .boolean: entries[key] = .some(try reader.readBool() ? "true" : "false")
      case .null:
        try reader.readNull()
        entries[key] = .some(nil)
      case .object, .array: try reader.skipValue()
      }
    }
    if let tokens = entries.removeValue(forKey: Self.tokensKey) {
      let parts = tokens?.split(separator: ",").map(String.init) ?? []
      if !parts.isEmpty || form == .cloudStorage { changes.tokens = parts }
    }
    changes.custom = .merge(entries)
  }

  /// Takes the checksums that the request itself carries, and its type where the metadata has none.
  func description(
    _ call: StorageCall, type: String?
  ) throws(StorageError) -> UploadDescription {
    var description = UploadDescription(
      name: try call.uploadName(name), changes: changes, expected: expected)
    description.preconditions = try call.preconditions()
    if case .keep = changes.contentType, let type, !type.isEmpty {
      description.changes.contentType = .set(type)
    }
    if let md5 = call.fields.first("content-md5") { description.expected.md5 = md5 }
    description.expected.add(call.checksums)
    return description
  }
}

extension StringProtocol {
  /// Without blanks at both ends.
  var trimmed: String {
    String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
