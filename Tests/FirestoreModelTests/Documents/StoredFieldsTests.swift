import Coding
import FirestoreModel
import Testing

@Suite struct StoredFieldsTests {
  @Test(arguments: 0..<100)
  func roundTrip(seed: Int) throws {
    var generator = SeededGenerator(seed)
    let map = MapValue(
      (0..<6).map { index in
        MapValue.Field(name: UTF8String("f\(index)"), value: .random(&generator))
      })
    let stored = StoredFields(map)
    #expect(try stored.decoded() == map)
    for field in map.fields {
      #expect(try stored.value(at: FieldPath(segments: [field.name])) == field.value)
      guard case .map(let inner) = field.value, let first = inner.fields.first else { continue }
      #expect(try stored.value(at: FieldPath(segments: [field.name, first.name])) == first.value)
    }
    #expect(try stored.value(at: FieldPath(segments: ["f9"])) == nil)
    #expect(try stored.value(at: FieldPath(segments: ["f0", "no", "no"])) == nil)
  }

  @Test(arguments: 0..<100)
  func brokenBytesThrow(seed: Int) {
    var generator = SeededGenerator(seed)
    let stored = StoredFields(
      MapValue([
        .init(name: "a", value: .random(&generator)), .init(name: "b", value: .random(&generator)),
      ]))
    var bytes = stored.bytes
    for _ in 0..<3 {
      bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
        in: 0...255, using: &generator)
    }
    let broken = StoredFields(canonical: bytes)
    _ = try? broken.decoded()
    _ = try? broken.value(at: FieldPath(segments: ["a", "b"]))
    for count in 0..<bytes.count {
      _ = try? StoredFields(canonical: Array(bytes[..<count])).decoded()
    }
  }

  @Test func unsortedAndDuplicateNames() throws {
    var writer = ProtobufWriter()
    for (name, value) in [("b", 1), ("a", 2), ("b", 3)] {
      writer.writeMessage(2) { entry in
        entry.writeString(1, name)
        entry.writeUInt64(9, 9)
        entry.writeMessage(2) { $0.writeInt64(2, Int64(value)) }
      }
    }
    var reader = ProtobufReader(writer.bytes.span)
    let map = try MapValue(decoding: &reader, number: 2)
    #expect(
      map == MapValue([.init(name: "a", value: .integer(2)), .init(name: "b", value: .integer(3))]))
    #expect(try StoredFields(map).decoded() == map)
  }

  @Test func vectorsHaveNoFields() throws {
    let stored = StoredFields(MapValue([.init(name: "v", value: .vector([1]))]))
    #expect(try stored.value(at: FieldPath(segments: ["v", "value"])) == nil)
  }

  @Test func typeUnset() {
    let bytes: [UInt8] = [0x12, 0x05, 0x0a, 0x01, 0x61, 0x12, 0x00]
    var reader = ProtobufReader(bytes.span)
    var thrown: FirestoreError?
    do { _ = try MapValue(decoding: &reader, number: 2) } catch { thrown = error }
    #expect(thrown == .valueUnset)
  }
}

@Suite struct ValueCheckTests {
  func error(_ value: Value, field: String = "x") -> String? {
    do {
      try MapValue([.init(name: UTF8String(field), value: value)]).checkFields()
      return nil
    } catch { return error.message }
  }

  func nested(_ depth: Int) -> Value {
    depth == 0 ? .null : map(["a": nested(depth - 1)])
  }

  @Test func limits() {
    #expect(error(nested(20)) == nil)
    #expect(error(nested(21)) == "Property x contains an invalid nested entity.")
    #expect(error(.array([.array([])])) == "Cannot convert an array value in an array value.")
    #expect(error(.array([.vector([1])])) == "Cannot convert a vector value in an array value.")
    #expect(error(map(["": .null])) == "Property x contains an invalid nested entity.")
    #expect(error(map(["__a__": .null])) == "field name '__a__' is reserved.")
    #expect(error(.null, field: "__a__") == "field name __a__ is reserved")
    #expect(error(.null, field: "") == "The property.name is the empty string.")
    #expect(
      error(.null, field: String(repeating: "f", count: 1501))
        == "The property.name is longer than 1500 bytes.")
    #expect(error(.null, field: String(repeating: "f", count: 1500)) == nil)
    #expect(
      error(.bytes(Array(repeating: 0, count: 1_048_488)))
        == "The value of property \"x\" is longer than 1048487 bytes.")
    #expect(error(.bytes(Array(repeating: 0, count: 1_048_487))) == nil)
  }

  @Test func sizes() {
    let fields = MapValue([
      .init(name: "type", value: .string("Personal")), .init(name: "done", value: .boolean(false)),
      .init(name: "priority", value: .integer(1)),
      .init(name: "description", value: .string("Learn Cloud Firestore")),
    ])
    #expect(path("users/jeff/tasks/my_task_id").nameSize == 44)
    #expect(fields.documentSize(at: path("users/jeff/tasks/my_task_id")) == 147)
    #expect(map([:]).storageSize == 1)
    #expect(map(["k": map([:])]).storageSize == 3)
  }

  @Test func mapsChange() throws {
    var fields = MapValue()
    fields.set(try FieldPath(parsing: "a.b.c"), to: .integer(1))
    fields.set(try FieldPath(parsing: "a.d"), to: .integer(2))
    #expect(Value.map(fields) == map(["a": map(["b": map(["c": .integer(1)]), "d": .integer(2)])]))
    fields.remove(try FieldPath(parsing: "a.b.c"))
    fields.remove(try FieldPath(parsing: "a.d.x"))
    #expect(Value.map(fields) == map(["a": map(["b": map([:]), "d": .integer(2)])]))
    fields.set(try FieldPath(parsing: "a.d.x"), to: .null)
    #expect(fields[try FieldPath(parsing: "a.d.x")]?.isNull == true)
  }
}
