import Coding
import FirestoreModel
import FirestoreProtocol
import Testing

@Suite struct ValueJSONTests {
  /// What comes back of a value in JSON after it was read, made a value of the model, stored and written.
  private func answer(_ text: String) throws -> String {
    let value = try Value(V1.Value(json: Array(text.utf8)))
    return String(decoding: V1.Value(value).jsonBytes(), as: UTF8.self)
  }

  @Test(arguments: [
    (#"{"nullValue":null}"#, #"{"nullValue":null}"#), (#"{"nullValue":1}"#, #"{"nullValue":null}"#),
    (#"{"nullValue":"NULL_VALUE"}"#, #"{"nullValue":null}"#),
    (#"{"booleanValue":"true"}"#, #"{"booleanValue":true}"#),
    (#"{"boolean_value":false}"#, #"{"booleanValue":false}"#),
    (#"{"integerValue":5}"#, #"{"integerValue":"5"}"#),
    (#"{"integerValue":2.0}"#, #"{"integerValue":"2"}"#),
    (#"{"integerValue":"1e3"}"#, #"{"integerValue":"1000"}"#),
    (#"{"integerValue":1e3}"#, #"{"integerValue":"1000"}"#),
    (#"{"integerValue":"007"}"#, #"{"integerValue":"7"}"#),
    (#"{"integerValue":"+5"}"#, #"{"integerValue":"5"}"#),
    (#"{"integerValue":-0}"#, #"{"integerValue":"0"}"#),
    (#"{"integerValue":9007199254740993}"#, #"{"integerValue":"9007199254740993"}"#),
    (#"{"integerValue":"-9223372036854775808"}"#, #"{"integerValue":"-9223372036854775808"}"#),
    (#"{"doubleValue":1}"#, #"{"doubleValue":1.0}"#),
    (#"{"doubleValue":-0.0}"#, #"{"doubleValue":-0.0}"#),
    (#"{"doubleValue":"-0"}"#, #"{"doubleValue":-0.0}"#),
    (#"{"doubleValue":"1e3"}"#, #"{"doubleValue":1000.0}"#),
    (#"{"doubleValue":NaN}"#, #"{"doubleValue":"NaN"}"#),
    (#"{"doubleValue":"-Infinity"}"#, #"{"doubleValue":"-Infinity"}"#),
    (
      #"{"timestampValue":"2020-01-02T03:04:05+01:00"}"#,
      #"{"timestampValue":"2020-01-02T02:04:05Z"}"#
    ),
    (
      #"{"timestampValue":"9999-12-31T23:59:59.999999999Z"}"#,
      #"{"timestampValue":"9999-12-31T23:59:59.999999Z"}"#
    ),
    (
      #"{"timestampValue":"1969-12-31T23:59:59.5Z"}"#,
      #"{"timestampValue":"1969-12-31T23:59:59.500Z"}"#
    ),
    (#"{"stringValue":5}"#, #"{"stringValue":"5"}"#),
    (#"{"stringValue":true}"#, #"{"stringValue":"true"}"#),
    (#"{"stringValue":""}"#, #"{"stringValue":""}"#),
    (#"{"stringValue":"\u0041\u00e9\ud83d\ude00"}"#, #"{"stringValue":"Aé😀"}"#),
    (#"{"stringValue":"\ud83d"}"#, "{\"stringValue\":\"\u{fffd}\"}"),
    (#"{"bytesValue":"_-8"}"#, #"{"bytesValue":"/+8="}"#),
    (#"{"bytesValue":""}"#, #"{"bytesValue":""}"#),
    (
      #"{"referenceValue":"projects/p/databases/(default)/documents/c/b"}"#,
      #"{"referenceValue":"projects/p/databases/(default)/documents/c/b"}"#
    ),
    (
      #"{"geoPointValue":{"latitude":"1.5","longitude":-2}}"#,
      #"{"geoPointValue":{"latitude":1.5,"longitude":-2.0}}"#
    ),
    (#"{"geoPointValue":{}}"#, #"{"geoPointValue":{}}"#),
    (#"{"geoPointValue":{"latitude":0}}"#, #"{"geoPointValue":{}}"#),
    (#"{"arrayValue":{}}"#, #"{"arrayValue":{}}"#),
    (#"{"arrayValue":{"values":null}}"#, #"{"arrayValue":{}}"#),
    (
      #"{"arrayValue":{"values":[{"integerValue":1},{"mapValue":{}}]}}"#,
      #"{"arrayValue":{"values":[{"integerValue":"1"},{"mapValue":{}}]}}"#
    ),
    (#"{"mapValue":{"fields":{}}}"#, #"{"mapValue":{}}"#),
    (
      #"{"mapValue":{"fields":{"b":{"nullValue":null},"a":{"integerValue":1}}}}"#,
      #"{"mapValue":{"fields":{"a":{"integerValue":"1"},"b":{"nullValue":null}}}}"#
    ),
    (
      #"{"mapValue":{"fields":{"a":{"integerValue":1},"a":{"integerValue":2}}}}"#,
      #"{"mapValue":{"fields":{"a":{"integerValue":"2"}}}}"#
    ),
    (
      #"{"mapValue":{"fields":{"e\u0301":{"integerValue":1},"\u00e9":{"integerValue":2}}}}"#,
      "{\"mapValue\":{\"fields\":{\"e\u{301}\":{\"integerValue\":\"1\"},\"\u{e9}\":{\"integerValue\":\"2\"}}}}"
    ),
    (#"{"integerValue":1,"integerValue":2}"#, #"{"integerValue":"2"}"#),
    (#"{"integerValue":null,"stringValue":"a"}"#, #"{"stringValue":"a"}"#),
    (
      #"{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":{"arrayValue":{"values":[{"doubleValue":1}]}}}}}"#,
      #"{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":{"arrayValue":{"values":[{"doubleValue":1.0}]}}}}}"#
    ),
  ])
  func takes(text: String, result: String) throws {
    let answer = try answer(text)
    #expect(answer.utf8.elementsEqual(result.utf8), "\(answer)")
  }

  @Test(arguments: [
    #"{"nullValue":"x"}"#, #"{"nullValue":false}"#, #"{"booleanValue":1}"#,
    #"{"booleanValue":"TRUE"}"#,
    #"{"integerValue":"9223372036854775808"}"#, #"{"integerValue":""}"#, #"{"integerValue":" 5"}"#,
    #"{"integerValue":"0x10"}"#, #"{"integerValue":true}"#, #"{"integerValue":"1.5"}"#,
    #"{"doubleValue":"nan"}"#,
    #"{"doubleValue":"inf"}"#, #"{"doubleValue":"INFINITY"}"#, #"{"doubleValue":"x"}"#,
    #"{"doubleValue":""}"#,
    #"{"doubleValue":1e999}"#, #"{"timestampValue":"2020-01-02"}"#, #"{"timestampValue":5}"#,
    #"{"timestampValue":"2021-02-29T00:00:00Z"}"#, #"{"bytesValue":"!!"}"#,
    #"{"bytesValue":"YW Jj"}"#,
    #"{"geoPointValue":{"latitude":1,"altitude":2}}"#, #"{"integerValue":"1","stringValue":"a"}"#,
    "5", "null", "[]",
    #"{"IntegerValue":"5"}"#, #"{"mapValue":{"fields":{"x":5}}}"#,
    #"{"mapValue":{"fields":{"x":null}}}"#,
    #"{"arrayValue":{"values":[null]}}"#, #"{"arrayValue":[]}"#, #"{"stringValue":{}}"#,
  ])
  func refusesTheShape(text: String) {
    let error = #expect(throws: JSONError.self) { try V1.Value(json: Array(text.utf8)) }
    #expect(
      error.map { FirestoreError($0) } == .invalidArgument("Payload isn't valid for request."))
  }

  @Test(arguments: [
    ("{}", "Cannot convert firestore.v1.Value with type unset."),
    (#"{"integerValue":null}"#, "Cannot convert firestore.v1.Value with type unset."),
    (
      #"{"geoPointValue":{"latitude":-91}}"#,
      "Geo point latitude '-91.0' outside permitted range -90.0 to 90.0."
    ),
    (
      #"{"geoPointValue":{"longitude":181}}"#,
      "Geo point longitude '181.0' outside permitted range -180.0 to 180.0."
    ),
    (#"{"fieldReferenceValue":"a"}"#, "Value type is not supported: FIELD_REFERENCE_VALUE"),
    (
      #"{"functionValue":{"name":"add","args":[{"integerValue":1}]}}"#,
      "Value type is not supported: FUNCTION_VALUE"
    ),
    (#"{"pipelineValue":{}}"#, "Value type is not supported: PIPELINE_VALUE"),
    (#"{"referenceValue":"hello"}"#, #"Resource name "hello" lacks "projects" at index 0."#),
  ])
  func refusesTheValue(text: String, message: String) throws {
    let encoded = try V1.Value(json: Array(text.utf8))
    let error = #expect(throws: FirestoreError.self) { try Value(encoded) }
    #expect(error == .invalidArgument(message))
  }

  @Test func mapsWithinMapsAreBoundedByTheReader() throws {
    let nested = { (count: Int) in
      Array(
        (String(repeating: #"{"mapValue":{"fields":{"a":"#, count: count) + #"{"integerValue":1}"#
          + String(repeating: "}}}", count: count)).utf8)
    }
    _ = try V1.Value(json: nested(30))
    let error = #expect(throws: JSONError.self) { try V1.Value(json: nested(60)) }
    #expect(error?.code == .tooDeep)
  }

  @Test func storedBytesGoInAndOutUnchanged() throws {
    let fields = StoredFields(
      MapValue([.init(name: "a", value: .string("x")), .init(name: "b", value: .array([]))]))
    let document = V1.Document(name: "n", fields: V1.DocumentFields(fields))
    let back = try V1.Document(protobuf: document.protobufBytes())
    #expect(back.fields.bytes == fields.bytes)
    #expect(
      document.jsonBytes()
        == Array(#"{"name":"n","fields":{"a":{"stringValue":"x"},"b":{"arrayValue":{}}}}"#.utf8))
    let map = try MapValue(V1.Document(json: document.jsonBytes()).fields)
    #expect(StoredFields(map) == fields)
    #expect(V1.Document(name: "n").jsonBytes() == Array(#"{"name":"n"}"#.utf8))
  }
}
