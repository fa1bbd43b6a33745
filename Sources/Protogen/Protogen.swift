import Coding

/// Reads a schema from standard input and writes the Swift of its messages to standard output; with the argument
/// `descriptors` any number of schemas, and the Swift of their descriptors.
@main
enum Protogen {
  static func main() throws {
    let lines = Array(AnyIterator { readLine() })
    if CommandLine.arguments.dropFirst() == ["descriptors"] {
      print(try descriptors(lines), terminator: "")
    } else {
      print(try messages(Schema(lines: lines)), terminator: "")
    }
  }

  private static func messages(_ schema: Schema) -> String {
    var code = Code()
    code.line("// swift-format-ignore-file")
    code.line("// Written by Protogen from the schema of \(schema.package).")
    code.line("package import Coding")
    code.line()
    code.line("/// The messages of `\(schema.package)`.")
    code.line("package enum \(schema.namespace) {}")
    code.line()
    for message in schema.messages {
      MessageEmitter(schema: schema, message: message).emit(into: &code)
    }
    for enumeration in schema.enumerations {
      EnumerationEmitter(schema: schema, enumeration: enumeration).emit(into: &code)
    }
    if let service = schema.service {
      ServiceEmitter(schema: schema, service: service).emit(into: &code)
    }
    return code.text
  }

  private static func descriptors(_ lines: [String]) throws -> String {
    let starts = lines.indices.filter { lines[$0].hasPrefix("package ") } + [lines.count]
    let emitter = DescriptorEmitter(
      schemas: try zip(starts, starts.dropFirst()).map { start, end in
        try Schema(lines: lines[start..<end])
      })
    var code = Code()
    code.line("// swift-format-ignore-file")
    code.line("// Written by Protogen from all schemas.")
    code.line("internal import Coding")
    code.line()
    code.line("/// What the schemas declare, as serialised `google.protobuf.FileDescriptorProto`s.")
    code.block("package enum Descriptors") { code in
      code.line("/// Decoded anew each time.")
      code.line("package static var files: [[UInt8]] { texts.compactMap { Base64.decode($0) } }")
      code.line("private static let texts = [")
      for file in emitter.files {
        var text = Substring(Base64.encode(emitter.descriptor(of: file)))
        code.line("  // \(file)")
        code.line("  \"\"\"")
        while text.count > 120 {
          code.line("  \(text.prefix(120))\\")
          text = text.dropFirst(120)
        }
        code.line("  \(text)")
        code.line("  \"\"\",")
      }
      code.line("]")
    }
    return code.text
  }
}
