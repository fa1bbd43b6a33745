internal import Coding
internal import HTTPServer
internal import ObjectStorage
internal import StorageService

extension StorageCall {
  /// A generation that a parameter names; 0 names none.
  func generation(_ parameter: String = "generation") throws(StorageError) -> Int64? {
    try number(parameter).flatMap { $0 == 0 ? nil : $0 }
  }

  /// The object that the path and the query name.
  func source(_ name: ObjectName) throws(StorageError) -> ObjectSource {
    var source = ObjectSource(name: name)
    source.generation = try generation()
    return source
  }

  /// What a read is answered whose conditions do not hold; `nil` if they do.
  func precluded(
    _ object: Object, etag: String? = nil
  ) throws(StorageError) -> StorageAnswer? {
    let conditions = try preconditions()
    if conditions.notGeneration == object.generation
      || conditions.notMetageneration == object.metageneration
    {
      return StorageAnswer(status: 304)
    }
    try conditions.check(object)
    let etag = etag ?? object.etag
    switch DownloadConditions(fields, object, etag: etag).outcome {
    case .proceed: return nil
    case .notModified: return StorageAnswer(status: 304).adding("ETag", etag)
    case .failed: throw .condition
    }
  }

  static func rewriteToken(_ object: Object, _ bytes: Int64) -> String {
    Base64.encode(Array("\(object.generation)/\(bytes)".utf8), alphabet: .urlSafe)
  }

  /// How far an earlier call said that it was.
  func rewrittenBytes(of object: Object) throws(StorageError) -> Int64 {
    guard let token = parameter("rewriteToken"), !token.isEmpty else { return 0 }
    let parts = Base64.decode(token).map {
      String(decoding: $0, as: UTF8.self).split(separator: "/").map { Int64($0) }
    }
    guard let parts, parts.count == 2, parts[0] == object.generation, let bytes = parts[1],
      0..<object.size ~= bytes
    else { throw StorageError(.invalidArgument, "Invalid rewrite token.") }
    return bytes
  }
}
