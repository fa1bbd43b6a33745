internal import Coding
internal import HTTPServer
internal import ObjectStorage
internal import StorageService

/// Uploads that pages send as forms.
extension XMLHandler {
  func answerForm(_ call: StorageCall) async throws(StorageError) -> StorageAnswer {
    var form = try await FormPost(call)
    let key = try form.key()
    if let text = form.fields["policy"] {
      let policy = try PostPolicy(text)
      var fields = form.fields
      fields["bucket"] = fields["bucket"] ?? call.bucket.string
      fields["key"] = key
      try policy.check(fields, now: now())
      form.file.sizes = policy.sizes
      if let account, form.fields["x-goog-algorithm"] ?? "GOOG4-RSA-SHA256" == "GOOG4-RSA-SHA256" {
        let signature =
          form.fields["x-goog-signature"].flatMap { Hexadecimal.decode($0) }
          ?? form.fields["signature"].flatMap { Base64.decode($0) }
        guard account.verifies(signature, of: text) else {
          throw StorageError(.permissionDenied, "The signature is not that of the policy.")
        }
      }
    }
    _ = try operations.getBucket(call.bucket)
    let name = try ObjectName(bucket: call.bucket, name: UTF8String(key))
    var changes = form.requestFields.xmlChanges
    try call.complete(&changes, in: try operations.getBucket(call.bucket), acl: form.fields["acl"])
    let object = try await operations.insertObject(
      UploadDescription(name: name, changes: changes), from: form.file)
    return answer(object, form.fields, call)
  }

  private func answer(
    _ object: Object, _ fields: [String: String], _ call: StorageCall
  ) -> StorageAnswer {
    let (bucket, name) = (object.name.bucket.string, object.name.name.string)
    if let redirect = fields["success_action_redirect"] ?? fields["redirect"], !redirect.isEmpty {
      let query = ["bucket": bucket, "key": name, "etag": object.xmlETag]
        .sorted { $0.key < $1.key }.map { "\($0.key)=\(PercentCoding.encode($0.value))" }
        .joined(separator: "&")
      return StorageAnswer(status: 303).adding(
        "Location", "\(redirect)\(redirect.contains("?") ? "&" : "?")\(query)".fieldValue)
    }
    let location = "\(call.origin)/\(PercentCoding.encode(bucket))/\(PercentCoding.encode(name))"
    var answer = StorageAnswer.noContent
    switch fields["success_action_status"] {
    case "200": answer = StorageAnswer(status: 200)
    case "201":
      var writer = XMLWriter()
      writer.element("PostResponse") { writer in
        writer.element("Location", location)
        writer.element("Bucket", bucket)
        writer.element("Key", name)
        writer.element("ETag", object.xmlETag)
      }
      answer = StorageAnswer(xml: writer, status: 201)
    default: break
    }
    return answer.adding("ETag", object.xmlETag).adding("Location", location.fieldValue)
  }
}
