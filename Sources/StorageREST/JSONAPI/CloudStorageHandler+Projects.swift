internal import Coding
internal import HTTPServer
internal import ObjectStorage
internal import StorageService

/// What belongs to projects: the account of the service, and keys.
extension CloudStorageHandler {
  func answerProject(
    _ call: StorageCall, _ project: String, _ rest: [String]
  ) async throws(StorageError) -> StorageAnswer {
    switch (rest[0], rest.count) {
    case ("serviceAccount", 1):
      return StorageAnswer { writer in
        writer.beginObject()
        writer.write("kind", "storage#serviceAccount")
        writer.write(
          "email_address",
          "service-\(AccessEntry.projectNumber)@gs-project-accounts.iam.gserviceaccount.com")
        writer.endObject()
      }
    case ("hmacKeys", 1): return try await answerKeys(call, project)
    case ("hmacKeys", 2): return try await answerKey(call, project, rest[1])
    default: throw StorageError(.notFound, "Not Found")
    }
  }

  /// What libraries ask for in the name of a service account whose `token_uri` is here (RFC 6749, RFC 7523).
  func answerToken(_ exchange: HTTPExchange) async throws(StorageError) -> StorageAnswer {
    let form = String(decoding: try await exchange.body.collectJSON(), as: UTF8.self)
    let assertion = HTTPTarget("/?\(form)")?.query.first { $0.name == "assertion" }?.value
    guard let token = assertion.flatMap({ AccessToken(assertion: $0) }) else {
      throw StorageError(.invalidArgument, "The assertion is malformed.")
    }
    return StorageAnswer { writer in
      writer.beginObject()
      writer.write("access_token", token.text)
      writer.write("token_type", "Bearer")
      writer.writeKey("expires_in")
      writer.writeInt32(3600)
      writer.endObject()
    }
  }

  private func answerKeys(
    _ call: StorageCall, _ project: String
  ) async throws(StorageError) -> StorageAnswer {
    let email = call.parameter("serviceAccountEmail")
    switch call.request.method {
    case "GET", "HEAD":
      let keys = try operations.accessKeys(
        of: project, email: email, showsDeleted: call.flag("showDeletedKeys"))
      return StorageAnswer { writer in
        writer.beginObject()
        writer.write("kind", "storage#hmacKeysMetadata")
        writer.writeKey("items")
        writer.beginArray()
        for key in keys { writer.write(key, call.origin) }
        writer.endArray()
        writer.endObject()
      }
    case "POST":
      guard let email, !email.isEmpty else {
        throw StorageError(
          .invalidArgument, "Required parameter: serviceAccountEmail", reason: "required")
      }
      let (key, secret) = try await operations.createAccessKey(project: project, email: email)
      return StorageAnswer { writer in
        writer.beginObject()
        writer.write("kind", "storage#hmacKey")
        writer.write("secret", secret)
        writer.writeKey("metadata")
        writer.write(key, call.origin)
        writer.endObject()
      }
    default: throw Self.unknownMethod(call)
    }
  }

  private func answerKey(
    _ call: StorageCall, _ project: String, _ identifier: String
  ) async throws(StorageError) -> StorageAnswer {
    let key: AccessKey
    switch call.request.method {
    case "GET", "HEAD": key = try operations.accessKey(identifier, of: project)
    case "PUT":
      let state = try await call.object()["state"]?.text.flatMap { AccessKey.State(rawValue: $0) }
      guard let state, state != .deleted else {
        throw StorageError(.invalidArgument, "The state must be ACTIVE or INACTIVE.")
      }
      key = try await operations.setState(state, of: identifier, in: project)
    case "DELETE":
      _ = try await operations.setState(.deleted, of: identifier, in: project)
      return .noContent
    default: throw Self.unknownMethod(call)
    }
    return StorageAnswer { $0.write(key, call.origin) }
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ key: AccessKey, _ origin: String) {
    beginObject()
    write("kind", "storage#hmacKeyMetadata")
    write("id", "\(key.project)/\(key.identifier)")
    write(
      "selfLink",
      "\(origin)/storage/v1/projects/\(PercentCoding.encode(key.project))/hmacKeys/\(key.identifier)"
    )
    write("accessId", key.identifier)
    write("projectId", key.project)
    write("serviceAccountEmail", key.email)
    write("state", key.state.rawValue)
    write("timeCreated", Self.time(key.created))
    write("updated", Self.time(key.updated))
    write("etag", Base64.encode(Array(String(key.updated).utf8)))
    endObject()
  }
}
