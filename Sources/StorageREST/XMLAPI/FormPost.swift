internal import HTTPServer
internal import ObjectStorage

/// A form that brings a file: fields, then the file, whatever comes behind.
struct FormPost {
  /// Of all fields together, each with what it takes to keep it.
  private static let maximumSize = 1 << 20
  private static let fieldSize = 64
  /// Fields with `x-goog-` at their start that are known.
  private static let known: Set = [
    "x-goog-algorithm", "x-goog-credential", "x-goog-date", "x-goog-signature", "x-goog-acl",
    "x-goog-custom-time", "x-goog-storage-class", "x-goog-encryption-kms-key-name",
  ]

  /// By their names in lower case; the first of several counts.
  private(set) var fields: [String: String] = [:]
  var file: FormFile
  private let fileName: String
  private let fileType: String?

  /// Whether a request brings one.
  static func isBrought(by call: StorageCall) -> Bool {
    call.request.method == "POST" && boundary(call) != nil
  }

  private static func boundary(_ call: StorageCall) -> String? {
    MultipartReader<RequestBytes>.boundary(
      of: call.fields.first("content-type") ?? "", kind: "multipart/form-data")
  }

  /// Reads up to the file.
  ///
  /// - Throws: `.invalidArgument` for a form without a file, or with a field of Google's that is unknown.
  init(_ call: StorageCall) async throws(StorageError) {
    var reader = MultipartReader(
      RequestBytes(body: call.exchange.body), boundary: Self.boundary(call) ?? "")
    var size = 0
    while let head = try await reader.nextPart() {
      guard let name = head.parameter("name")?.lowercased() else { throw Self.missing("name") }
      if name == "file" {
        file = FormFile(reader: reader)
        fileName = head.parameter("filename") ?? ""
        fileType = head.type
        return
      }
      var value: [UInt8] = []
      try Self.grow(&size, by: name.utf8.count + Self.fieldSize)
      while let piece = try await reader.nextPiece() {
        try Self.grow(&size, by: piece.count)
        value += piece
      }
      if name.hasPrefix("x-goog-"), !name.hasPrefix("x-goog-meta-"), !Self.known.contains(name) {
        throw PostPolicy.failure("There is no field \(name).")
      }
      if fields[name] == nil { fields[name] = String(decoding: value, as: UTF8.self) }
    }
    throw Self.missing("file")
  }

  private static func grow(_ size: inout Int, by count: Int) throws(StorageError) {
    size += count
    guard size <= maximumSize else {
      throw StorageError(.invalidArgument, "The fields of the form are too long.")
    }
  }

  /// What the object is to be called.
  ///
  /// - Throws: `.invalidArgument` without a name.
  func key() throws(StorageError) -> String {
    guard let key = fields["key"], !key.isEmpty else { throw Self.missing("key") }
    return key.replacing("${filename}", with: fileName)
  }

  /// The metadata that the fields give, as if they were those of a request.
  var requestFields: HTTPFields {
    var lines = fields.map { (name: $0.key, value: $0.value) }
    if fields["content-type"] == nil, let fileType { lines.append(("content-type", fileType)) }
    return HTTPFields(lines)
  }

  private static func missing(_ field: String) -> StorageError {
    StorageError(.invalidArgument, "The form has no field \(field).")
  }
}

/// The content of a file in a form.
struct FormFile: ByteSource {
  fileprivate var reader: MultipartReader<RequestBytes>
  /// How big it may be.
  var sizes: ClosedRange<Int64>?
  private var size: Int64 = 0

  fileprivate init(reader: MultipartReader<RequestBytes>) {
    self.reader = reader
  }

  mutating func next() async throws(StorageError) -> [UInt8]? {
    let piece = try await reader.nextPiece()
    size += Int64(piece?.count ?? 0)
    if let sizes, size > sizes.upperBound || piece == nil && size < sizes.lowerBound {
      throw PostPolicy.failure("The file is not of a size that the policy allows.")
    }
    return piece
  }
}
