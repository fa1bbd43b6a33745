/// Reads a schema from standard input and writes the Swift of its messages to standard output.
@main
enum Protogen {
  static func main() throws {
    let schema = try Schema(lines: AnyIterator { readLine() })
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
    print(code.text, terminator: "")
  }
}
