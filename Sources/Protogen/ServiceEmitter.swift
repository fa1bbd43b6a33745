/// Writes the table of the methods of a service.
struct ServiceEmitter {
  let schema: Schema
  let service: String

  func emit(into code: inout Code) {
    code.block("extension \(schema.namespace)") { code in
      code.line("/// The methods of `\(schema.package).\(service)`.")
      code.block("package enum \(service)Method: ServiceMethod") { code in
        for method in schema.methods { code.line("case \(Names.method(method.name))") }
        code.line("package static let service = \"\(schema.package).\(service)\"")
        emit("name: String", &code) { "\"\($0.name)\"" }
        emit("request: any Message.Type", &code) {
          FieldKind.swiftName($0.request, in: schema) + ".self"
        }
        emit("response: any Message.Type", &code) {
          FieldKind.swiftName($0.response, in: schema) + ".self"
        }
        emit("isClientStreaming: Bool", &code) { "\($0.isClientStreaming)" }
        emit("isServerStreaming: Bool", &code) { "\($0.isServerStreaming)" }
        emit("bindings: [HTTPBinding]", &code) { method in
          "[" + method.bindings.map(binding).joined(separator: ", ") + "]"
        }
      }
    }
  }

  private func emit(_ property: String, _ code: inout Code, _ value: (Schema.Method) -> String) {
    code.block("package var \(property)") { code in
      code.line("switch self {")
      for method in schema.methods {
        code.line("case .\(Names.method(method.name)): \(value(method))")
      }
      code.line("}")
    }
  }

  private func binding(_ binding: Schema.Binding) -> String {
    let body = binding.body.map { $0 == "*" ? ".message" : ".member(\"\($0)\")" } ?? ".absent"
    return "HTTPBinding(\"\(binding.verb)\", \"\(binding.path)\", body: \(body))"
  }
}
