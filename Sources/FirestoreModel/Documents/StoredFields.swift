internal import Coding

/// The fields of a document in their stored form: canonical protobuf bytes.
///
/// The bytes are those of the entries of `google.firestore.v1.Document.fields` (field 2, tags included): names sorted
/// by UTF-8 bytes at every level, each once, times cut to microseconds, unknown fields gone, defaults of oneof members
/// written. So they go out over gRPC as they are, and equal bytes mean that a write changed nothing.
package struct StoredFields: Hashable, Sendable {
  package let bytes: [UInt8]

  /// `bytes` must be canonical: read from the store, or made by this type.
  package init(canonical bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The stored form of `map`.
  package init(_ map: MapValue) {
    var writer = ProtobufWriter()
    map.encode(to: &writer, number: 2)
    self.bytes = writer.bytes
  }

  /// All fields.
  ///
  /// - Throws: `DATA_LOSS` if the bytes are not what this type writes.
  package func decoded() throws(FirestoreError) -> MapValue {
    var reader = ProtobufReader(bytes.span)
    do throws(FirestoreError) {
      return try MapValue(decoding: &reader, number: 2)
    } catch {
      throw Self.dataLoss
    }
  }

  /// The value at `path`, of which alone is decoded; `nil` if a name is missing or something on the way is no map.
  ///
  /// - Throws: `DATA_LOSS` if the bytes are not what this type writes.
  package func value(at path: FieldPath) throws(FirestoreError) -> Value? {
    do {
      return try Self.find(path.segments[...], in: ProtobufReader(bytes.span), number: 2)
    } catch {
      throw Self.dataLoss
    }
  }

  private static let dataLoss = FirestoreError(.dataLoss, "A stored document can't be read.")

  /// Finds `path` among the entries with field number `number`. Names come sorted, so a greater one ends the search.
  private static func find(
    _ path: ArraySlice<UTF8String>, in message: consuming ProtobufReader, number: Int
  ) throws -> Value? {
    guard let name = path.first else { return nil }
    var reader = message
    while let tag = try reader.nextTag() {
      guard tag == ProtobufTag(number, .lengthDelimited) else {
        throw WireError(.invalidTag, at: reader.offset)
      }
      var entry = try reader.readMessage()
      _ = try entry.nextTag()
      let entryName = try entry.readSpan()
      if number == 1, compare(entryName, "__type__".utf8) == .equal { return nil }  // a vector
      switch compare(entryName, name.utf8) {
      case .ascending: continue
      case .descending: return nil
      case .equal: break
      }
      _ = try entry.nextTag()
      var value = try entry.readMessage()
      if path.count == 1 { return try Value(decoding: &value) }
      guard try value.nextTag() == ProtobufTag(6, .lengthDelimited) else { return nil }
      return try find(path.dropFirst(), in: value.readMessage(), number: 1)
    }
    return nil
  }

  private static func compare(_ left: Span<UInt8>, _ right: String.UTF8View) -> Ordering {
    var index = 0
    for byte in right {
      guard index < left.count else { return .ascending }
      guard left[index] == byte else { return left[index] < byte ? .ascending : .descending }
      index += 1
    }
    return index == left.count ? .equal : .descending
  }
}
