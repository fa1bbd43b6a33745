internal import Coding
internal import ObjectStorage

/// What a path of the JSON API is about.
struct CloudStoragePath: Hashable {
  struct Target: Hashable {
    var bucket: UTF8String
    var name: UTF8String
  }

  enum Resource: Hashable {
    case buckets
    case bucket
    case objects
    case object
    case copy(to: Target)
    case rewrite(to: Target)
    case move(to: UTF8String)
    case compose
    case restore
    /// Lists of access of an object, and what stands behind.
    case objectAccess(entity: String?)
    /// What belongs to a bucket beside its objects, and what stands behind.
    case part(String, [String])
    /// What belongs to a project.
    case project(String, [String])
  }

  let resource: Resource
  var bucket: UTF8String?
  var name: UTF8String?
  /// Whether the path is one that only uploads have.
  let isUpload: Bool
  /// Whether the path is one that only downloads have.
  let isDownload: Bool

  /// - Returns: `nil` for paths of other APIs.
  init?(_ segments: [String]) {
    var rest = segments[...]
    if rest.first == "resumable", rest.dropFirst().first == "upload" { rest = rest.dropFirst() }
    isUpload = rest.first == "upload"
    isDownload = rest.first == "download"
    if isUpload || isDownload { rest = rest.dropFirst() }
    if rest.starts(with: ["storage", "v1"]) { rest = rest.dropFirst(2) }
    if rest.first == "projects", let kind = rest.dropFirst(2).first,
      ["serviceAccount", "hmacKeys"].contains(kind)
    {
      resource = .project(rest[rest.startIndex + 1], Array(rest.dropFirst(2)))
      return
    }
    guard rest.popFirst() == "b" else { return nil }
    if rest.last?.isEmpty == true, rest.count != 3 { rest = rest.dropLast() }
    guard let bucket = rest.popFirst() else {
      resource = .buckets
      return
    }
    self.bucket = UTF8String(bucket)
    guard let kind = rest.popFirst() else {
      resource = .bucket
      return
    }
    guard kind == "o" else {
      resource = .part(kind, Array(rest))
      return
    }
    let (resource, name) = Self.split(Array(rest))
    self.resource = resource
    self.name = name
  }

  /// Takes what stands behind `/o/` apart. Slashes that are not escaped belong to the name.
  private static func split(_ segments: [String]) -> (Resource, UTF8String?) {
    func joined(_ segments: some Sequence<String>) -> UTF8String {
      UTF8String(segments.joined(separator: "/"))
    }
    if segments.isEmpty || segments == [""] { return (.objects, nil) }
    if segments.count > 1, segments.last == "compose" {
      return (.compose, joined(segments.dropLast()))
    }
    if segments.count > 1, segments.last == "restore" {
      return (.restore, joined(segments.dropLast()))
    }
    if let place = segments.dropFirst().suffix(2).lastIndex(of: "acl") {
      let entity = place + 1 < segments.count ? segments[place + 1] : nil
      return (.objectAccess(entity: entity), joined(segments[..<place]))
    }
    if segments.count > 3,
      let verb = segments.indices.dropFirst().first(where: { index in
        segments[index] == "moveTo" && index + 2 < segments.count && segments[index + 1] == "o"
      })
    {
      return (.move(to: joined(segments[(verb + 2)...])), joined(segments[..<verb]))
    }
    let verb = segments.indices.dropFirst().first { index in
      ["copyTo", "rewriteTo"].contains(segments[index]) && index + 4 < segments.count
        && segments[index + 1] == "b" && segments[index + 3] == "o"
    }
    guard let verb else { return (.object, joined(segments)) }
    let target = Target(
      bucket: UTF8String(segments[verb + 2]), name: joined(segments[(verb + 4)...]))
    return (
      segments[verb] == "copyTo" ? .copy(to: target) : .rewrite(to: target),
      joined(segments[..<verb])
    )
  }
}
