import Coding

/// Writes the files of all schemas as serialised `google.protobuf.FileDescriptorProto`s.
struct DescriptorEmitter {
  let schemas: [Schema]

  /// Numbers of `FieldDescriptorProto.Type`.
  private static let scalars: [String: Int32] = [
    "double": 1, "int64": 3, "int32": 5, "bool": 8, "string": 9, "bytes": 12,
  ]

  /// The names of the files, each once.
  var files: [String] {
    let all = schemas.flatMap { $0.messages.map(\.file) + [$0.file] }
    return all.enumerated().filter { index, file in !all[..<index].contains(file) }.map(\.element)
  }

  func descriptor(of file: String) -> [UInt8] {
    let parts = schemas.filter { schema in
      schema.file == file || schema.messages.contains { $0.file == file }
    }
    var writer = ProtobufWriter()
    writer.writeString(1, file)
    if let package = parts.first?.package { writer.writeString(2, package) }
    for dependency in dependencies(of: file) { writer.writeString(3, dependency) }
    for schema in parts {
      for message in schema.messages where message.file == file && !message.name.contains(".") {
        writer.writeMessage(4) { write(message, schema, &$0) }
      }
      for enumeration in schema.enumerations
      where enumeration.file == file && !enumeration.name.contains(".") {
        writer.writeMessage(5) { write(enumeration, &$0) }
      }
      if let service = schema.service, schema.file == file {
        writer.writeMessage(6) { write(service, schema, &$0) }
      }
    }
    writer.writeString(12, "proto3")
    return writer.bytes
  }

  /// The other files whose types occur, in the order of `files`.
  private func dependencies(of file: String) -> [String] {
    var names: Set<String> = []
    for schema in schemas {
      for message in schema.messages where message.file == file {
        for field in message.fields { names.insert(fullName(field.type, schema)) }
      }
      guard schema.file == file else { continue }
      for method in schema.methods {
        names.formUnion([fullName(method.request, schema), fullName(method.response, schema)])
      }
    }
    let needed = Set(
      schemas.flatMap { schema in
        let declared =
          schema.messages.map { ($0.name, $0.file) }
          + schema.enumerations.map { ($0.name, $0.file) }
        return declared.filter { names.contains("\(schema.package).\($0.0)") }.map(\.1)
      })
    return files.filter { needed.contains($0) && $0 != file }
  }

  private func fullName(_ type: String, _ schema: Schema) -> String {
    type.hasPrefix("google.") ? type : "\(schema.package).\(type == "fields" ? "Value" : type)"
  }

  /// `DescriptorProto`.
  private func write(_ message: Schema.Message, _ schema: Schema, _ writer: inout ProtobufWriter) {
    writer.writeString(1, Self.lastName(message.name))
    let oneofs = message.members.compactMap { member -> String? in
      if case .oneof(let name, _) = member { name } else { nil }
    }
    for member in message.members {
      switch member {
      case .field(let field):
        writer.writeMessage(2) { write(field, of: message, schema, oneof: nil, &$0) }
      case .oneof(let name, let fields):
        let index = oneofs.firstIndex(of: name)
        for field in fields {
          writer.writeMessage(2) { write(field, of: message, schema, oneof: index, &$0) }
        }
      }
    }
    for other in schema.messages where Self.isDeclared(other.name, in: message.name) {
      writer.writeMessage(3) { write(other, schema, &$0) }
    }
    for field in message.fields where field.isMap {
      writer.writeMessage(3) { writeEntry(of: field, schema, &$0) }
    }
    for other in schema.enumerations where Self.isDeclared(other.name, in: message.name) {
      writer.writeMessage(4) { write(other, &$0) }
    }
    for name in oneofs { writer.writeMessage(8) { $0.writeString(1, name) } }
  }

  /// `FieldDescriptorProto`.
  private func write(
    _ field: Schema.Field, of message: Schema.Message, _ schema: Schema, oneof: Int?,
    _ writer: inout ProtobufWriter
  ) {
    writer.writeString(1, field.name)
    writer.writeInt32(3, Int32(field.number))
    writer.writeInt32(4, field.label == .singular && !field.isMap ? 1 : 3)
    if field.isMap {
      writer.writeInt32(5, 11)
      writer.writeString(6, ".\(schema.package).\(message.name).\(Self.entryName(field))")
    } else {
      writeType(field.type, schema, &writer)
    }
    if let oneof {
      writer.appendTag(9, .varint)
      writer.appendVarint(UInt64(oneof))
    }
    writer.writeString(10, Names.json(field.name))
  }

  private func writeType(_ type: String, _ schema: Schema, _ writer: inout ProtobufWriter) {
    if let number = Self.scalars[type] {
      writer.writeInt32(5, number)
    } else {
      let name = fullName(type, schema)
      let isEnumeration = schemas.contains { schema in
        schema.enumerations.contains { "\(schema.package).\($0.name)" == name }
      }
      writer.writeInt32(5, isEnumeration ? 14 : 11)
      writer.writeString(6, "." + name)
    }
  }

  /// The message that an entry of a map is.
  private func writeEntry(
    of field: Schema.Field, _ schema: Schema, _ writer: inout ProtobufWriter
  ) {
    writer.writeString(1, Self.entryName(field))
    for (number, name, type) in [
      (1, "key", "string"), (2, "value", field.type == "fields" ? "Value" : field.type),
    ] {
      writer.writeMessage(2) { writer in
        writer.writeString(1, name)
        writer.writeInt32(3, Int32(number))
        writer.writeInt32(4, 1)
        writeType(type, schema, &writer)
        writer.writeString(10, name)
      }
    }
    writer.writeMessage(7) { $0.writeBool(7, true) }
  }

  /// `EnumDescriptorProto`.
  private func write(_ enumeration: Schema.Enumeration, _ writer: inout ProtobufWriter) {
    writer.writeString(1, Self.lastName(enumeration.name))
    for value in enumeration.values {
      writer.writeMessage(2) { writer in
        writer.writeString(1, value.name)
        // Zero too: it is the number, not a default.
        writer.appendTag(2, .varint)
        writer.appendVarint(UInt64(value.number))
      }
    }
  }

  /// `ServiceDescriptorProto`.
  private func write(_ service: String, _ schema: Schema, _ writer: inout ProtobufWriter) {
    writer.writeString(1, service)
    for method in schema.methods {
      writer.writeMessage(2) { writer in
        writer.writeString(1, method.name)
        writer.writeString(2, "." + fullName(method.request, schema))
        writer.writeString(3, "." + fullName(method.response, schema))
        if method.isClientStreaming { writer.writeBool(5, true) }
        if method.isServerStreaming { writer.writeBool(6, true) }
      }
    }
  }

  private static func entryName(_ field: Schema.Field) -> String {
    Names.type(field.name) + "Entry"
  }

  private static func lastName(_ name: String) -> String {
    name.split(separator: ".").last.map(String.init) ?? name
  }

  /// Whether `name` is directly within `outer`.
  private static func isDeclared(_ name: String, in outer: String) -> Bool {
    name.hasPrefix(outer + ".") && !name.dropFirst(outer.count + 1).contains(".")
  }
}

extension Schema.Message {
  fileprivate var fields: [Schema.Field] {
    members.flatMap { member in
      switch member {
      case .field(let field): [field]
      case .oneof(_, let fields): fields
      }
    }
  }
}

extension Schema.Field {
  fileprivate var isMap: Bool { label == .map || type == "fields" }
}
