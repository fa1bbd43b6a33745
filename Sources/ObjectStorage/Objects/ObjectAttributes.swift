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

  package init() {}

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
  }

  /// - Throws: `.invalidArgument` if there would be too much.
  package mutating func apply(_ changes: AttributeChanges) throws(StorageError) {
    if changes.replacesAll { self = ObjectAttributes() }
    changes.contentType.apply(to: &contentType)
    changes.contentEncoding.apply(to: &contentEncoding)
    changes.contentDisposition.apply(to: &contentDisposition)
    changes.contentLanguage.apply(to: &contentLanguage)
    changes.cacheControl.apply(to: &cacheControl)
    changes.storageClass.apply(to: &storageClass)
    changes.customTime.apply(to: &customTime)
    temporaryHold = changes.temporaryHold ?? temporaryHold
    eventBasedHold = changes.eventBasedHold ?? eventBasedHold
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
  /// Whether what is not set goes.
  package var replacesAll = false
  /// The download tokens to have instead of those that are there.
  package var tokens: [String]?

  package init() {}
}
