internal import Coding

/// What the store knows of a blob that belongs to no object: of an upload, or of one that is to be removed.
///
/// ```
/// 1 kind (1 leftover, 2 resumable, 3 part)   2 time
/// of a part:
/// 24 size   28 number   29 MD5   34 CRC-32C   35 blob
/// of a resumable upload:
/// 3 bucket   4 name   9–14 metadata   15 token, repeated   16 MD5   17 CRC-32C   18 announced size
/// 19 … 22 preconditions   23 phase (1 active, 2 committed, 3 refused, 4 cancelled)   24 size at the end
/// 25 the object as it was committed   26 why it was refused   27 the same as a code (2 a condition failed, 3 not permitted)
/// 40 author
/// ```
enum UploadRecord: Sendable {
  /// The blob is of no use any more if nobody writes it now.
  case leftover(time: Int64)
  /// `time` is that of the start, or of the end if it has ended.
  case resumable(UploadRequest, ResumableUpload, time: Int64)
  /// A part of an upload that comes in numbered parts.
  case part(UploadPart, time: Int64)

  var stored: [UInt8] {
    var writer = ProtobufWriter()
    switch self {
    case .leftover(let time):
      writer.writeInt64(1, 1)
      writer.writeInt64(2, time)
    case .resumable(let request, let upload, let time):
      writer.writeInt64(1, 2)
      writer.writeInt64(2, time)
      Self.write(request, to: &writer)
      Self.write(upload, to: &writer)
    case .part(let part, let time):
      writer.writeInt64(1, 3)
      writer.writeInt64(2, time)
      writer.writeInt64(24, part.size)
      writer.writeInt64(28, Int64(part.number))
      writer.writeBytes(29, part.md5)
      writer.writeInt64(34, Int64(part.crc32c))
      writer.writeString(35, part.blob.text)
    }
    return writer.bytes
  }

  private static func write(_ request: UploadRequest, to writer: inout ProtobufWriter) {
    writer.writeString(3, request.name.bucket.string)
    writer.writeString(4, request.name.name.string)
    request.attributes.write(to: &writer)
    for token in request.tokens { writer.writeString(15, token) }
    if let md5 = request.expected.md5 { writer.writeString(16, md5) }
    if let crc32c = request.expected.crc32c { writer.writeString(17, crc32c) }
    let conditions = request.preconditions
    let numbers = [
      conditions.generation, conditions.notGeneration, conditions.metageneration,
      conditions.notMetageneration,
    ]
    for (index, number) in numbers.enumerated() {
      if let number { writer.writeInt64(19 + index, number) }
    }
    if let author = request.author { writer.writeString(40, author) }
  }

  private static func write(_ upload: ResumableUpload, to writer: inout ProtobufWriter) {
    if let size = upload.announcedSize { writer.writeInt64(18, size) }
    writer.writeInt64(24, upload.received)
    switch upload.phase {
    case .active, .finishing: writer.writeInt64(23, 1)
    case .final(.committed(let object)):
      writer.writeInt64(23, 2)
      writer.writeBytes(25, object.stored)
    case .final(.refused(let error)):
      writer.writeInt64(23, 3)
      writer.writeString(26, error.message)
      switch error.code {
      case .failedPrecondition: writer.writeInt64(27, 2)
      case .permissionDenied: writer.writeInt64(27, 3)
      case .invalidArgument, .retained, .notFound, .conflict, .full, .interrupted, .notImplemented,
        .internalError:
        break
      }
    case .cancelled: writer.writeInt64(23, 4)
    }
  }

  /// - Throws: `.internalError` for bytes that `stored` did not make.
  init(stored: [UInt8]) throws(StorageError) {
    var fields = Fields()
    do throws(WireError) {
      var reader = ProtobufReader(stored.span)
      while let tag = try reader.nextTag() { try fields.read(tag, from: &reader) }
    } catch {
      throw StorageError(error)
    }
    if fields.kind == 3 {
      self = .part(fields.part, time: fields.time)
      return
    }
    guard fields.kind == 2 else {
      self = .leftover(time: fields.time)
      return
    }
    let name = try ObjectName(bucket: UTF8String(fields.bucket), name: UTF8String(fields.name))
    var request = UploadRequest(
      name: name, attributes: fields.attributes, tokens: fields.tokens, expected: fields.expected)
    request.preconditions = fields.preconditions
    request.author = fields.author
    let phase: ResumableUpload.Phase =
      switch fields.phase {
      case 2: .final(.committed(try Object(name, stored: fields.object)))
      case 3:
        .final(
          .refused(
            StorageError(
              [2: .failedPrecondition, 3: .permissionDenied][fields.refusalCode]
                ?? .invalidArgument, fields.refusal)))
      case 4: .cancelled
      default: .active
      }
    let upload = ResumableUpload(
      received: fields.size, announcedSize: fields.announcedSize, phase: phase)
    self = .resumable(request, upload, time: fields.time)
  }

  private struct Fields {
    var (kind, time, phase, size) = (Int64(0), Int64(0), Int64(0), Int64(0))
    var refusalCode: Int64 = 0
    var (number, crc32c, md5, blob) = (Int64(0), Int64(0), [UInt8](), "")

    var part: UploadPart {
      UploadPart(
        number: Int(clamping: number), size: size, md5: md5,
        crc32c: UInt32(truncatingIfNeeded: crc32c), blob: BlobID(text: blob))
    }
    var (bucket, name, refusal) = ("", "", "")
    var attributes = ObjectAttributes()
    var tokens: [String] = []
    var author: String?
    var expected = ExpectedChecksums()
    var preconditions = Preconditions()
    var announcedSize: Int64?
    var object: [UInt8] = []

    mutating func read(
      _ tag: ProtobufTag, from reader: inout ProtobufReader
    ) throws(WireError) {
      switch tag.number {
      case 1: kind = try reader.readInt64()
      case 2: time = try reader.readInt64()
      case 3: bucket = try reader.readString()
      case 4: name = try reader.readString()
      case 15: tokens.append(try reader.readString())
      case 16: expected.md5 = try reader.readString()
      case 17: expected.crc32c = try reader.readString()
      case 18: announcedSize = try reader.readInt64()
      case 19: preconditions.generation = try reader.readInt64()
      case 20: preconditions.notGeneration = try reader.readInt64()
      case 21: preconditions.metageneration = try reader.readInt64()
      case 22: preconditions.notMetageneration = try reader.readInt64()
      case 23: phase = try reader.readInt64()
      case 24: size = try reader.readInt64()
      case 25: object = try reader.readBytes()
      case 26: refusal = try reader.readString()
      case 27: refusalCode = try reader.readInt64()
      case 28: number = try reader.readInt64()
      case 29: md5 = try reader.readBytes()
      case 34: crc32c = try reader.readInt64()
      case 35: blob = try reader.readString()
      case 40: author = try reader.readString()
      default: try attributes.read(tag, from: &reader)
      }
    }
  }
}
