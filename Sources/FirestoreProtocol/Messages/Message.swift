package import Coding

/// A protobuf message with its binary and its JSON form.
package protocol Message: Sendable {
  init()

  /// Reads the fields up to the end of `reader` into the message, as protobuf merges: single values are replaced,
  /// lists grow, messages are merged. Unknown fields are passed over.
  mutating func merge(from reader: inout ProtobufReader) throws(WireError)

  /// Appends the fields; defaults go unwritten, members of oneofs don't.
  func write(to writer: inout ProtobufWriter)

  init(json reader: inout JSONReader) throws(JSONError)

  func write(to writer: inout JSONWriter)

  /// For each field its name in JSON and its name in the schema, both of which are read.
  static var jsonNames: [StaticString] { get }

  /// Reads the value of the field with this index in `jsonNames`, halved.
  mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError)

  /// Reads a parameter of a URL into the field with this index; `path` is the rest of its name.
  mutating func readParameter(
    _ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader
  ) throws(JSONError)

  func writeMembers(to writer: inout JSONWriter)
}

// MARK: - Protobuf

extension Message {
  package init(protobuf bytes: Span<UInt8>) throws(WireError) {
    try self.init(protobuf: ProtobufReader(bytes))
  }

  package init(protobuf bytes: [UInt8]) throws(WireError) {
    try self.init(protobuf: bytes.span)
  }

  init(protobuf message: consuming ProtobufReader) throws(WireError) {
    self.init()
    var reader = message
    try merge(from: &reader)
  }

  /// The message in its binary form.
  package func protobufBytes() -> [UInt8] {
    var writer = ProtobufWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// Merges a message of a field into what the field held before.
  func merge<Field: Message>(
    _ message: consuming ProtobufReader, into field: inout Field?
  ) throws(WireError) {
    var merged = field ?? Field()
    var reader = message
    try merged.merge(from: &reader)
    field = merged
  }
}

// MARK: - JSON

extension Message {
  /// Reads the whole of a JSON text; one that is empty gives an empty message.
  package init(json bytes: Span<UInt8>) throws(JSONError) {
    guard !bytes.isEmpty else {
      self.init()
      return
    }
    var reader = JSONReader(bytes)
    try self.init(json: &reader)
    try reader.finish()
  }

  package init(json bytes: [UInt8]) throws(JSONError) {
    try self.init(json: bytes.span)
  }

  /// Reads an object; `null` stands for an absent member, an unknown member is an error, of equal names the last counts.
  package init(json reader: inout JSONReader) throws(JSONError) {
    self.init()
    try reader.beginObject()
    while let name = try reader.nextMember(of: Self.jsonNames) {
      guard try !reader.skipNull() else { continue }
      try readMember(name / 2, &reader)
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(to: &writer)
    writer.endObject()
  }

  /// The message as JSON, compact or pretty.
  package func jsonBytes(isPretty: Bool = false, enumsAreNumbers: Bool = false) -> [UInt8] {
    var writer = JSONWriter(isPretty: isPretty, enumsAreNumbers: enumsAreNumbers)
    writer.bytes.reserveCapacity(2_048)
    write(to: &writer)
    writer.finish()
    return writer.bytes
  }

  package static var jsonNames: [StaticString] { [] }

  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    throw reader.wrongValue()
  }

  package func writeMembers(to writer: inout JSONWriter) {}
}

// MARK: - Parameters of URLs

extension Message {
  /// Reads a parameter of a URL or a variable of its path, such as `mask.fieldPaths`, into the field that its name
  /// leads to; repeated fields grow.
  ///
  /// - Returns: `false` if the message has no such field.
  package mutating func setParameter(_ name: String, _ value: String) throws(JSONError) -> Bool {
    let dot = UInt8(ascii: ".")
    let path =
      name.utf8.contains(dot)
      ? name.utf8.split(separator: dot, omittingEmptySubsequences: false).map { Substring($0) }
      : [Substring(name)]
    var writer = JSONWriter()
    writer.writeString(value)
    var reader = JSONReader(writer.bytes.span)
    do {
      try setParameter(path[...], &reader)
      return true
    } catch  where error.code == .unknownName {
      return false
    }
  }

  mutating func setParameter(
    _ path: ArraySlice<Substring>, _ reader: inout JSONReader
  ) throws(JSONError) {
    guard let name = path.first,
      let index = JSONReader.index(of: name, in: Self.jsonNames)
    else { throw JSONError(.unknownName, at: 0) }
    try readParameter(index / 2, path.dropFirst(), &reader)
  }

  package mutating func readParameter(
    _ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader
  ) throws(JSONError) {
    guard path.isEmpty else { throw JSONError(.unknownName, at: 0) }
    try readMember(index, &reader)
  }
}

extension Optional where Wrapped: Message {
  /// The message with the parameter at `path` set.
  func reading(
    _ path: ArraySlice<Substring>, _ reader: inout JSONReader
  ) throws(JSONError) -> Wrapped {
    var message = self ?? Wrapped()
    try message.setParameter(path, &reader)
    return message
  }
}
