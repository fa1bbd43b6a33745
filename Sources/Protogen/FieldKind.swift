/// What a field holds, with the pieces of Swift that read and write one such value.
enum FieldKind {
  /// A scalar; `name` is the part of its reading and writing functions.
  case scalar(name: String, type: String, wireType: Int)
  case enumeration(type: String)
  case message(type: String)
  case timestamp
  /// `google.protobuf.Int32Value` and its like.
  case wrapper(name: String, type: String)
  /// The fields of a document, encoded.
  case documentFields

  init(_ type: String, in schema: Schema) {
    switch type {
    case "string": self = .scalar(name: "String", type: "String", wireType: 2)
    case "bytes": self = .scalar(name: "Bytes", type: "[UInt8]", wireType: 2)
    case "bool": self = .scalar(name: "Bool", type: "Bool", wireType: 0)
    case "int32": self = .scalar(name: "Int32", type: "Int32", wireType: 0)
    case "int64": self = .scalar(name: "Int64", type: "Int64", wireType: 0)
    case "double": self = .scalar(name: "Double", type: "Double", wireType: 1)
    case "fields": self = .documentFields
    case "google.protobuf.Timestamp": self = .timestamp
    case "google.protobuf.Int32Value": self = .wrapper(name: "Int32", type: "Int32")
    case "google.protobuf.Int64Value": self = .wrapper(name: "Int64", type: "Int64")
    case "google.protobuf.DoubleValue": self = .wrapper(name: "Double", type: "Double")
    case _ where schema.enumerations.contains { $0.name == type }:
      self = .enumeration(type: "\(schema.namespace).\(type)")
    default: self = .message(type: Self.swiftName(type, in: schema))
    }
  }

  static func swiftName(_ type: String, in schema: Schema) -> String {
    for (package, namespace) in [("google.protobuf.", "WellKnown."), ("google.rpc.", "RPC.")]
    where type.hasPrefix(package) {
      return namespace + Names.message(String(type.dropFirst(package.count)))
    }
    return "\(schema.namespace).\(Names.message(type))"
  }

  var type: String {
    switch self {
    case .scalar(_, let type, _), .enumeration(let type), .message(let type),
      .wrapper(_, let type):
      type
    case .timestamp: "Timestamp"
    case .documentFields: "V1.DocumentFields"
    }
  }

  /// Whether a singular field knows absence.
  var isOptional: Bool {
    switch self {
    case .message, .timestamp, .wrapper: true
    case .scalar, .enumeration, .documentFields: false
    }
  }

  var isPackable: Bool {
    switch self {
    case .scalar(_, _, let wireType): wireType != 2
    case .enumeration: true
    case .message, .timestamp, .wrapper, .documentFields: false
    }
  }

  var wireType: Int {
    switch self {
    case .scalar(_, _, let wireType): wireType
    case .enumeration: 0
    case .message, .timestamp, .wrapper, .documentFields: 2
    }
  }

  /// The default of a singular field without absence.
  var defaultValue: String {
    switch self {
    case .scalar("String", _, _): "\"\""
    case .scalar("Bytes", _, _): "[]"
    case .scalar("Bool", _, _): "false"
    case .scalar: "0"
    case .enumeration(let type): "\(type)(rawValue: 0)"
    case .documentFields: "V1.DocumentFields()"
    case .message, .timestamp, .wrapper: "nil"
    }
  }

  /// The condition under which a singular field without absence is written.
  func isSet(_ property: String) -> String {
    switch self {
    case .scalar("String", _, _): "!\(property).utf8.isEmpty"
    case .scalar("Bytes", _, _): "!\(property).isEmpty"
    case .scalar("Bool", _, _): property
    case .scalar: "\(property) != 0"
    case .enumeration: "\(property).rawValue != 0"
    case .documentFields: "!\(property).bytes.isEmpty"
    case .message, .timestamp, .wrapper: "\(property) != nil"
    }
  }

  var protobufRead: String {
    switch self {
    case .scalar(let name, _, _): "reader.read\(name)()"
    case .enumeration(let type): "\(type)(rawValue: reader.readInt32())"
    case .message(let type): "\(type)(protobuf: reader.readMessage())"
    case .timestamp: "reader.readTimestamp()"
    case .wrapper(let name, _): "reader.read\(name)Wrapper()"
    case .documentFields: "reader.readSpan()"
    }
  }

  func protobufWrite(_ number: Int, _ value: String) -> String {
    switch self {
    case .scalar(let name, _, _): "writer.write\(name)(\(number), \(value))"
    case .enumeration: "writer.writeInt32(\(number), \(value).rawValue)"
    case .message: "writer.writeMessage(\(number), \(value))"
    case .timestamp: "writer.writeTimestamp(\(number), \(value))"
    case .wrapper(let name, _): "writer.write\(name)Wrapper(\(number), \(value))"
    case .documentFields: "writer.append(\(value).bytes)"
    }
  }

  var jsonRead: String {
    switch self {
    case .scalar(let name, _, _): "reader.read\(name)Member()"
    case .enumeration(let type): "\(type)(json: &reader)"
    case .message(let type): "\(type)(json: &reader)"
    case .timestamp: "reader.readTimestampMember()"
    case .wrapper(let name, _): "reader.read\(name)Wrapper()"
    case .documentFields: "V1.DocumentFields(json: &reader)"
    }
  }

  func jsonWrite(_ value: String) -> String {
    switch self {
    case .scalar("Bytes", _, _): "writer.writeBase64(\(value).span)"
    case .scalar(let name, _, _): "writer.write\(name)(\(value))"
    case .enumeration, .message, .documentFields: "\(value).write(to: &writer)"
    case .timestamp: "writer.writeTimestamp(\(value))"
    case .wrapper(let name, _): "writer.write\(name)(\(value))"
    }
  }
}
