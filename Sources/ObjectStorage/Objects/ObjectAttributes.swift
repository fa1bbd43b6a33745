package import Coding

/// The metadata that users write. What is `nil` is not set.
package struct ObjectAttributes: Hashable, Sendable {
  /// How many bytes all of it may have.
  static let maximumSize = 32 << 10

  package var contentType: String?
  package var contentEncoding: String?
  package var contentDisposition: String?
  package var contentLanguage: String?
  package var cacheControl: String?
  package var custom: [UTF8String: String] = [:]
  package var storageClass: String?
  /// RFC 3339.
  package var customTime: String?
  package var temporaryHold: Bool?
  package var eventBasedHold: Bool?
  /// What else clients of Cloud Storage have set, kept as it came: retention, contexts, access, the hash of a key.
  package var settings: [UTF8String: JSONValue] = [:]

  package init() {}

  /// Microseconds since 1970 until which its own retention keeps it.
  package var retainedUntil: Int64? {
    settings["retention"]?["retainUntilTime"]?.text.flatMap { Timestamp(rfc3339: $0) }?.microseconds
  }

  /// The custom entries in the order of their keys.
  package var sortedCustom: [(key: UTF8String, value: String)] {
    custom.sorted { $0.key < $1.key }
  }

  private var size: Int {
    let fixed = [
      contentType, contentEncoding, contentDisposition, contentLanguage, cacheControl, storageClass,
      customTime,
    ]
    return fixed.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
      + custom.reduce(0) { $0 + $1.key.count + $1.value.utf8.count }
      + (settings.isEmpty ? 0 : JSONValue.object(settings).bytes.count)
  }

  /// - Throws: `.invalidArgument` if there would be too much.
  package mutating func apply(_ changes: AttributeChanges) throws(StorageError) {
    if changes.replacesAll {
      let kept = settings.filter { Self.lasting.contains($0.key) }
      self = ObjectAttributes()
      settings = kept
    }
    changes.contentType.apply(to: &contentType)
    changes.contentEncoding.apply(to: &contentEncoding)
    changes.contentDisposition.apply(to: &contentDisposition)
    changes.contentLanguage.apply(to: &contentLanguage)
    changes.cacheControl.apply(to: &cacheControl)
    changes.storageClass.apply(to: &storageClass)
    changes.customTime.apply(to: &customTime)
    temporaryHold = changes.temporaryHold ?? temporaryHold
    eventBasedHold = changes.eventBasedHold ?? eventBasedHold
    apply(changes.settings)
    switch changes.custom {
    case .keep: break
    case .clear: custom = [:]
    case .merge(let entries):
      for (key, value) in entries { custom[key] = value }
    }
    guard size <= Self.maximumSize else {
      throw StorageError(.invalidArgument, "The metadata is over \(Self.maximumSize) bytes.")
    }
  }

  /// What a client does not take away by leaving it out.
  private static let lasting: Set<UTF8String> = [
    "customerEncryption", "kmsKeyName", "owner", "acl", "retention",
  ]

  private mutating func apply(_ changes: [UTF8String: JSONValue]) {
    guard !changes.isEmpty else { return }
    settings.merge(changes, depth: 4)
    for name in changes["contexts"]?["custom"]?.members?.keys.map({ $0 }) ?? [] {
      // One without a value is none; one that was given is new.
      var contexts = settings["contexts"]?["custom"]?.members ?? [:]
      var context = contexts[name]?.members ?? [:]
      context["updateTime"] = nil
      contexts[name] = context["value"] == nil ? nil : .object(context)
      settings["contexts"] = .object(["custom": .object(contexts)])
    }
    for name: UTF8String in ["retention", "contexts"]
    where settings[name]?.members?.isEmpty ?? false { settings[name] = nil }
  }

  /// Gives contexts that are new their times.
  mutating func stampContexts(_ now: Int64) {
    guard var contexts = settings["contexts"]?["custom"]?.members else { return }
    let time = JSONValue.string(Timestamp(microseconds: now).rfc3339)
    for (name, value) in contexts {
      let times: [UTF8String: JSONValue] = ["createTime": time, "updateTime": time]
      contexts[name] = .object(times.merging(value.members ?? [:]) { $1 })
    }
    settings["contexts"] = .object(["custom": .object(contexts)])
  }
}

/// What a request says about the metadata of an object.
package struct AttributeChanges: Hashable, Sendable {
  package enum Change: Hashable, Sendable {
    case keep
    case clear
    case set(String)

    func apply(to value: inout String?) {
      switch self {
      case .keep: break
      case .clear: value = nil
      case .set(let text): value = text
      }
    }
  }

  package enum CustomChange: Hashable, Sendable {
    case keep
    case clear
    /// Sets entries; those with `nil` go.
    case merge([UTF8String: String?])
  }

  package var contentType = Change.keep
  package var contentEncoding = Change.keep
  package var contentDisposition = Change.keep
  package var contentLanguage = Change.keep
  package var cacheControl = Change.keep
  package var custom = CustomChange.keep
  package var storageClass = Change.keep
  package var customTime = Change.keep
  package var temporaryHold: Bool?
  package var eventBasedHold: Bool?
  /// Members of `ObjectAttributes.settings`; `null` removes one.
  package var settings: [UTF8String: JSONValue] = [:]
  /// Whether what is not set goes.
  package var replacesAll = false
  /// The download tokens to have instead of those that are there.
  package var tokens: [String]?

  package init() {}
}
