internal import Coding
internal import HTTPServer
internal import ObjectStorage

extension StorageAnswer {
  /// An object as Cloud Storage shows it.
  init(cloudStorage object: Object, _ form: CloudObjectForm) {
    self.init { $0.write(cloudStorage: object, form) }
    fields += [
      ("ETag", object.etag), ("X-Goog-Generation", String(object.generation)),
      ("X-Goog-Metageneration", String(object.metageneration)),
      ("X-Goog-Stored-Content-Length", String(object.size)),
    ]
    if form.showsChecksums(of: object) { fields.append(("X-Goog-Hash", object.hashes)) }
  }

  init(cloudStorage error: StorageError) {
    let (status, message) = (error.code.httpStatus, error.publicMessage)
    let reason = error.reason ?? error.code.reason
    self.init(status: status) { writer in
      writer.beginObject()
      writer.writeKey("error")
      writer.beginObject()
      writer.writeKey("code")
      writer.writeInt32(Int32(status))
      writer.write("message", message)
      writer.writeKey("errors")
      writer.beginArray()
      writer.beginObject()
      writer.write("message", message)
      writer.write("domain", "global")
      writer.write("reason", reason)
      if error.code == .failedPrecondition {
        writer.write("locationType", "header")
        writer.write("location", "If-Match")
      }
      writer.endObject()
      writer.endArray()
      writer.endObject()
      writer.endObject()
    }
  }

  /// The same with the parts of the JSON that a mask names.
  func selecting(_ mask: String?) throws(StorageError) -> StorageAnswer {
    guard let mask, !mask.isEmpty, status == 200, !body.isEmpty else { return self }
    guard let mask = FieldsMask(mask) else {
      throw StorageError(.invalidArgument, "Invalid field selection \(mask)")
    }
    guard let value = try? JSONValue(body) else { return self }
    var answer = self
    answer.body = mask.applied(to: value).bytes
    return answer
  }
}

extension StorageError {
  static let condition = StorageError(
    .failedPrecondition, "At least one of the pre-conditions you specified did not hold.")
}

extension StorageError.Code {
  /// The word of Cloud Storage for it.
  fileprivate var reason: String {
    switch self {
    case .invalidArgument: "invalid"
    case .permissionDenied: "forbidden"
    case .retained: "retentionPolicyNotMet"
    case .notFound: "notFound"
    case .conflict: "conflict"
    case .failedPrecondition: "conditionNotMet"
    case .full: "quotaExceeded"
    case .interrupted: "invalid"
    case .notImplemented: "notImplemented"
    case .internalError: "backendError"
    }
  }
}

extension Object {
  /// The checksums as `X-Goog-Hash` has them.
  var hashes: String {
    "crc32c=\(crc32cText)" + (md5Text.map { ",md5=\($0)" } ?? "")
  }
}
