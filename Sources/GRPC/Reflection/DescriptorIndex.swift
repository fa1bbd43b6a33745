internal import Coding

/// Files of descriptors, found by their names and by what they declare.
struct DescriptorIndex: Sendable {
  /// A serialised `google.protobuf.FileDescriptorProto` and what is looked for in it.
  private struct File {
    var name = ""
    var symbols: [String] = []
    var services: [String] = []
  }

  private(set) var services: [String] = []
  private var files: [String: [UInt8]] = [:]
  private var symbols: [String: [UInt8]] = [:]

  init(_ descriptors: [[UInt8]]) throws(WireError) {
    for bytes in descriptors {
      let file = try Self.read(bytes)
      files[file.name] = bytes
      for symbol in file.symbols { symbols[symbol] = bytes }
      services += file.services
    }
  }

  func file(named name: String) -> [UInt8]? { files[name] }

  /// The file that declares a message, an enumeration, a service or a method, by its full name.
  func file(declaring symbol: String) -> [UInt8]? { symbols[symbol] }

  private static func read(_ bytes: [UInt8]) throws(WireError) -> File {
    var file = File()
    var prefix = ""
    var reader = ProtobufReader(bytes.span)
    // The package stands before the declarations, as fields are written in the order of their numbers.
    while let tag = try reader.nextTag() {
      switch tag {
      case ProtobufTag(1, .lengthDelimited): file.name = try reader.readString()
      case ProtobufTag(2, .lengthDelimited): prefix = try reader.readString() + "."
      case ProtobufTag(4, .lengthDelimited):
        try addMessage(reader.readMessage(), below: prefix, to: &file.symbols)
      case ProtobufTag(5, .lengthDelimited):
        file.symbols.append(prefix + (try name(reader.readMessage())))
      case ProtobufTag(6, .lengthDelimited):
        try addService(reader.readMessage(), below: prefix, to: &file)
      default: try reader.skip(tag)
      }
    }
    return file
  }

  /// `DescriptorProto`: messages within are its field 3, enumerations 4.
  private static func addMessage(
    _ reader: consuming ProtobufReader, below prefix: String, to symbols: inout [String]
  ) throws(WireError) {
    var prefix = prefix
    while let tag = try reader.nextTag() {
      switch tag {
      case ProtobufTag(1, .lengthDelimited):
        prefix += try reader.readString()
        symbols.append(prefix)
        prefix += "."
      case ProtobufTag(3, .lengthDelimited):
        try addMessage(reader.readMessage(), below: prefix, to: &symbols)
      case ProtobufTag(4, .lengthDelimited):
        symbols.append(prefix + (try name(reader.readMessage())))
      default: try reader.skip(tag)
      }
    }
  }

  /// `ServiceDescriptorProto`: methods are its field 2.
  private static func addService(
    _ reader: consuming ProtobufReader, below prefix: String, to file: inout File
  ) throws(WireError) {
    var service = ""
    while let tag = try reader.nextTag() {
      switch tag {
      case ProtobufTag(1, .lengthDelimited):
        service = prefix + (try reader.readString())
        file.services.append(service)
        file.symbols.append(service)
      case ProtobufTag(2, .lengthDelimited):
        file.symbols.append(service + "." + (try name(reader.readMessage())))
      default: try reader.skip(tag)
      }
    }
  }

  /// The name of any descriptor, its field 1.
  private static func name(_ reader: consuming ProtobufReader) throws(WireError) -> String {
    while let tag = try reader.nextTag() {
      if tag == ProtobufTag(1, .lengthDelimited) { return try reader.readString() }
      try reader.skip(tag)
    }
    return ""
  }
}
