internal import Coding

/// The service `grpc.reflection.v1.ServerReflection` and the same as `v1alpha`: tells generic clients what there is to call.
package struct GRPCReflection: Sendable {
  /// `ServerReflectionRequest`: one question.
  private enum Question {
    case file(String)
    case symbol(String)
    case services
    /// About extensions, which our messages do not have.
    case extensions(of: String)
    case nothing
  }

  private let descriptors: @Sendable () -> [[UInt8]]

  /// `descriptors` gives serialised `google.protobuf.FileDescriptorProto`s, with those that they import; the services in
  /// them are listed. It is called once for each stream of questions.
  package init(_ descriptors: @escaping @Sendable () -> [[UInt8]]) {
    self.descriptors = descriptors
  }

  package var services: [GRPCService] {
    ["v1", "v1alpha"].map { version in
      GRPCService(
        "grpc.reflection.\(version).ServerReflection",
        ["ServerReflectionInfo": .bidirectional(answerAll)])
    }
  }

  private func answerAll(_ call: GRPCCall) async throws(GRPCStatus) {
    var index: DescriptorIndex?
    while let request = try await call.nextMessage() {
      let answer: [UInt8]
      do throws(WireError) {
        let known = if let index { index } else { try DescriptorIndex(descriptors()) }
        index = known
        answer = try Self.answer(request, known)
      } catch {
        throw GRPCStatus(.invalidArgument, "The request is no valid message.")
      }
      try await call.send(answer)
    }
  }

  /// `ServerReflectionResponse`: the question in field 2, then the answer.
  private static func answer(
    _ request: [UInt8], _ index: DescriptorIndex
  ) throws(WireError) -> [UInt8] {
    var writer = ProtobufWriter()
    writer.writeBytes(2, request)
    switch try question(request) {
    case .file(let name):
      write(index.file(named: name), "File not found: \(name)", to: &writer)
    case .symbol(let symbol):
      write(index.file(declaring: symbol), "Symbol not found: \(symbol)", to: &writer)
    case .services:
      let start = writer.begin(6)
      for service in index.services {
        let entry = writer.begin(1)
        writer.writeString(1, service)
        writer.end(entry)
      }
      writer.end(start)
    case .extensions(let type):
      write(nil, "There are no extensions of \(type)", to: &writer)
    case .nothing:
      write(.invalidArgument, "The request has no question", to: &writer)
    }
    return writer.bytes
  }

  /// `FileDescriptorResponse`.
  private static func write(_ file: [UInt8]?, _ missing: String, to writer: inout ProtobufWriter) {
    guard let file else { return write(.notFound, missing, to: &writer) }
    let start = writer.begin(4)
    writer.writeBytes(1, file)
    writer.end(start)
  }

  /// `ErrorResponse`.
  private static func write(
    _ code: GRPCStatus.Code, _ message: String, to writer: inout ProtobufWriter
  ) {
    let start = writer.begin(7)
    writer.writeInt32(1, Int32(code.rawValue))
    writer.writeString(2, message)
    writer.end(start)
  }

  private static func question(_ request: [UInt8]) throws(WireError) -> Question {
    var question = Question.nothing
    var reader = ProtobufReader(request.span)
    while let tag = try reader.nextTag() {
      switch tag {
      case ProtobufTag(3, .lengthDelimited): question = .file(try reader.readString())
      case ProtobufTag(4, .lengthDelimited): question = .symbol(try reader.readString())
      case ProtobufTag(5, .lengthDelimited):
        // `ExtensionRequest`, whose field 1 names the type.
        var extensions = try reader.readMessage()
        question = .extensions(of: "")
        while let tag = try extensions.nextTag() {
          guard tag == ProtobufTag(1, .lengthDelimited) else {
            try extensions.skip(tag)
            continue
          }
          question = .extensions(of: try extensions.readString())
        }
      case ProtobufTag(6, .lengthDelimited): question = .extensions(of: try reader.readString())
      case ProtobufTag(7, .lengthDelimited):
        _ = try reader.readSpan()
        question = .services
      default: try reader.skip(tag)
      }
    }
    return question
  }
}
