/// Writes the Swift of one enumeration; numbers that it doesn't name are kept.
struct EnumerationEmitter {
  let schema: Schema
  let enumeration: Schema.Enumeration

  func emit(into code: inout Code) {
    let parts = "\(schema.namespace).\(enumeration.name)".split(separator: ".")
    code.block("extension \(parts.dropLast().joined(separator: "."))") { code in
      code.line("/// `\(schema.package).\(enumeration.name)`.")
      code.block("package enum \(parts[parts.count - 1]): WireEnumeration") { code in
        for value in enumeration.values { code.line("case \(Names.property(value.name))") }
        code.line("case unrecognized(Int32)")
        code.block("package init(rawValue: Int32)") { code in
          code.line("switch rawValue {")
          for value in enumeration.values {
            code.line("case \(value.number): self = .\(Names.property(value.name))")
          }
          code.line("default: self = .unrecognized(rawValue)")
          code.line("}")
        }
        code.block("package var rawValue: Int32") { code in
          code.line("switch self {")
          for value in enumeration.values {
            code.line("case .\(Names.property(value.name)): \(value.number)")
          }
          code.line("case .unrecognized(let number): number")
          code.line("}")
        }
        code.line("package static let names: [(number: Int32, name: StaticString)] = [")
        for value in enumeration.values { code.line("  (\(value.number), \"\(value.name)\"),") }
        code.line("]")
      }
    }
    code.line()
  }
}
