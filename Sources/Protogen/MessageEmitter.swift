/// Writes the Swift of one message.
struct MessageEmitter {
  let schema: Schema
  let message: Schema.Message

  private var fullName: String { FieldKind.swiftName(message.name, in: schema) }

  func emit(into code: inout Code) {
    let parts = fullName.split(separator: ".")
    code.block("extension \(parts.dropLast().joined(separator: "."))") { code in
      code.line("/// `\(schema.package).\(message.name)`.")
      code.block("package struct \(parts[parts.count - 1]): Message") { code in
        emitOneofs(&code)
        for member in message.members {
          let property = Property(member, in: schema)
          code.line("package var \(property.name): \(property.type)\(property.initial)")
        }
        emitInitializers(&code)
      }
    }
    code.line()
    code.block("extension \(fullName)") { code in
      emitMerge(&code)
      emitWrite(&code)
      if !message.hasJSONByHand { emitJSON(&code) }
    }
    code.line()
  }

  private func kind(_ field: Schema.Field) -> FieldKind { FieldKind(field.type, in: schema) }

  private func emitOneofs(_ code: inout Code) {
    for case .oneof(let name, let fields) in message.members {
      code.block("package enum \(Names.type(name)): Sendable") { code in
        for field in fields {
          code.line("case \(Names.property(field.name))(\(kind(field).type))")
        }
      }
    }
  }

  private func emitInitializers(_ code: inout Code) {
    code.line("package init() {}")
    let properties = message.members.map { Property($0, in: schema) }
    guard !properties.isEmpty else { return }
    let parameters = properties.map { property in
      "\(property.name): \(property.type)"
        + (property.initial.isEmpty ? " = nil" : property.initial)
    }
    code.block("package init(\(parameters.joined(separator: ", ")))") { code in
      for property in properties { code.line("self.\(property.name) = \(property.name)") }
    }
  }
}

/// A stored property of a message.
struct Property {
  var name: String
  var type: String
  /// Its initial value with the equals sign; nothing for an optional.
  var initial: String

  init(_ member: Schema.Member, in schema: Schema) {
    switch member {
    case .oneof(let name, _):
      self.name = Names.property(name)
      self.type = "\(Names.type(name))?"
      self.initial = ""
    case .field(let field):
      let kind = FieldKind(field.type, in: schema)
      self.name = Names.property(field.name)
      switch field.label {
      case .repeated:
        self.type = "[\(kind.type)]"
        self.initial = " = []"
      case .map:
        self.type = "[MapEntry<\(kind.type)>]"
        self.initial = " = []"
      case .singular:
        self.type = kind.isOptional ? "\(kind.type)?" : kind.type
        self.initial = kind.isOptional ? "" : " = \(kind.defaultValue)"
      }
    }
  }
}

// MARK: - Protobuf

extension MessageEmitter {
  private func emitMerge(_ code: inout Code) {
    code.block(
      "package mutating func merge(from reader: inout ProtobufReader) throws(WireError)"
    ) { code in
      code.block("while let tag = try reader.nextTag()") { code in
        code.line("switch tag.rawValue {")
        for member in message.members {
          switch member {
          case .field(let field): emitMerge(field, &code)
          case .oneof(let name, let fields):
            for field in fields { emitMerge(field, of: Names.property(name), &code) }
          }
        }
        code.line("default: try reader.skip(tag)")
        code.line("}")
      }
    }
  }

  private func emitMerge(_ field: Schema.Field, _ code: inout Code) {
    let kind = kind(field)
    let name = Names.property(field.name)
    let tag = field.number << 3 | kind.wireType
    switch (field.label, kind) {
    case (.repeated, _):
      code.line("case \(tag): \(name).append(try \(kind.protobufRead))")
      guard kind.isPackable else { return }
      code.line("case \(field.number << 3 | 2):")
      code.line("  var reader = try reader.readMessage()")
      code.line("  while !reader.isAtEnd { \(name).append(try \(kind.protobufRead)) }")
    case (.map, _):
      code.line("case \(tag): \(name).append(try MapEntry(protobuf: reader.readMessage()))")
    case (.singular, .documentFields):
      code.line(
        "case \(tag): \(name).append(entry: try reader.readSpan(), remaining: reader.remaining)")
    case (.singular, .message):
      code.line("case \(tag): try merge(reader.readMessage(), into: &\(name))")
    case (.singular, _):
      code.line("case \(tag): \(name) = try \(kind.protobufRead)")
    }
  }

  /// A member of a oneof; of two messages in the same member the second is merged into the first.
  private func emitMerge(_ field: Schema.Field, of oneof: String, _ code: inout Code) {
    let kind = kind(field)
    let member = Names.property(field.name)
    let tag = field.number << 3 | kind.wireType
    guard case .message(let type) = kind else {
      code.line("case \(tag): \(oneof) = .\(member)(try \(kind.protobufRead))")
      return
    }
    code.line("case \(tag):")
    code.line("  var message = \(type)()")
    code.line("  if case .\(member)(let earlier)? = \(oneof) { message = earlier }")
    code.line("  var reader = try reader.readMessage()")
    code.line("  try message.merge(from: &reader)")
    code.line("  \(oneof) = .\(member)(message)")
  }

  private func emitWrite(_ code: inout Code) {
    code.block("package func write(to writer: inout ProtobufWriter)") { code in
      for member in message.members {
        switch member {
        case .field(let field): emitWrite(field, &code)
        case .oneof(let name, let fields):
          code.line("switch \(Names.property(name)) {")
          for field in fields {
            code.line(
              "case .\(Names.property(field.name))(let value)?: "
                + kind(field).protobufWrite(field.number, "value"))
          }
          code.line("case nil: break")
          code.line("}")
        }
      }
    }
  }

  private func emitWrite(_ field: Schema.Field, _ code: inout Code) {
    let kind = kind(field)
    let name = Names.property(field.name)
    switch field.label {
    case .repeated where kind.isPackable:
      code.line("writer.writePacked(\(field.number), \(name))")
    case .repeated, .map:
      let write = kind.protobufWrite(field.number, "value")
      let entry = "writer.writeMessage(\(field.number), value)"
      code.line("for value in \(name) { \(field.label == .map ? entry : write) }")
    case .singular:
      let value = kind.isOptional ? "value" : name
      let condition = kind.isOptional ? "let value = \(name)" : kind.isSet(name)
      code.line("if \(condition) { \(kind.protobufWrite(field.number, value)) }")
    }
  }
}

// MARK: - JSON

extension MessageEmitter {
  /// Every field with the name of its oneof, in the order of their indexes in JSON.
  private var fields: [(field: Schema.Field, oneof: String?)] {
    message.members.flatMap { member -> [(Schema.Field, String?)] in
      switch member {
      case .field(let field): [(field, nil)]
      case .oneof(let name, let fields): fields.map { ($0, Names.property(name)) }
      }
    }
  }

  private func emitJSON(_ code: inout Code) {
    let names = fields.map { "\"\(Names.json($0.field.name))\", \"\($0.field.name)\"" }
    code.line("package static let jsonNames: [StaticString] = [\(names.joined(separator: ", "))]")
    emitReadMember(&code)
    emitReadParameter(&code)
    code.block("package func writeMembers(to writer: inout JSONWriter)") { code in
      for member in message.members { emitJSONWrite(member, &code) }
    }
  }

  private func emitReadMember(_ code: inout Code) {
    code.block(
      "package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError)"
    ) { code in
      guard !fields.isEmpty else { return }
      code.line("switch index {")
      for (index, (field, oneof)) in fields.enumerated() {
        let kind = kind(field)
        let name = Names.property(field.name)
        switch (field.label, oneof) {
        case (.repeated, _):
          code.line("case \(index):")
          code.line("  \(name) = []")
          code.line("  try reader.beginArray()")
          code.line("  while try reader.nextElement() { \(name).append(try \(kind.jsonRead)) }")
        case (.map, _):
          code.line("case \(index):")
          code.line("  \(name) = []")
          code.line("  try reader.beginObject()")
          code.block("  while let key = try reader.nextKey()") { code in
            code.line("  \(name).append(MapEntry(key: key, value: try \(kind.jsonRead)))")
          }
        case (.singular, let oneof?):
          code.line("case \(index):")
          code.line("  guard \(oneof) == nil else { throw reader.wrongValue() }")
          code.line("  \(oneof) = .\(name)(try \(kind.jsonRead))")
        case (.singular, nil):
          code.line("case \(index): \(name) = try \(kind.jsonRead)")
        }
      }
      code.line("default: throw reader.wrongValue()")
      code.line("}")
    }
  }

  private func emitReadParameter(_ code: inout Code) {
    var cases: [String] = []
    for (index, (field, oneof)) in fields.enumerated() {
      let name = Names.property(field.name)
      switch (field.label, kind(field)) {
      case (.repeated, .scalar), (.repeated, .enumeration):
        cases.append(
          "case \(index) where path.isEmpty: \(name).append(try \(kind(field).jsonRead))")
      case (.singular, .message) where oneof == nil:
        cases.append(
          "case \(index) where !path.isEmpty: \(name) = try \(name).reading(path, &reader)")
      default: break
      }
    }
    guard !cases.isEmpty else { return }
    code.block(
      "package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, "
        + "_ reader: inout JSONReader) throws(JSONError)"
    ) { code in
      code.line("switch index {")
      for line in cases { code.line(line) }
      code.line("case _ where path.isEmpty: try readMember(index, &reader)")
      code.line("default: throw JSONError(.unknownName, at: 0)")
      code.line("}")
    }
  }

  private func emitJSONWrite(_ member: Schema.Member, _ code: inout Code) {
    switch member {
    case .oneof(let name, let fields):
      code.line("switch \(Names.property(name)) {")
      for field in fields {
        code.line("case .\(Names.property(field.name))(let value)?:")
        code.line("  writer.writeKey(\"\(Names.json(field.name))\")")
        code.line("  \(kind(field).jsonWrite("value"))")
      }
      code.line("case nil: break")
      code.line("}")
    case .field(let field):
      let kind = kind(field)
      let name = Names.property(field.name)
      let isList = field.label != .singular
      let isBound = !isList && kind.isOptional
      let condition =
        isList ? "!\(name).isEmpty" : isBound ? "let value = \(name)" : kind.isSet(name)
      code.block("if \(condition)") { code in
        code.line("writer.writeKey(\"\(Names.json(field.name))\")")
        switch field.label {
        case .singular: code.line(kind.jsonWrite(isBound ? "value" : name))
        case .repeated:
          code.line("writer.beginArray()")
          code.line("for value in \(name) { \(kind.jsonWrite("value")) }")
          code.line("writer.endArray()")
        case .map:
          code.line("writer.beginObject()")
          code.block("for entry in \(name)") { code in
            code.line("writer.writeKey(entry.key)")
            code.line(kind.jsonWrite("entry.value"))
          }
          code.line("writer.endObject()")
        }
      }
    }
  }
}
