/// The members of the message `Value`, the frequent ones first.
enum ValueMember: Int, CaseIterable {
  case string, integer, map, boolean, double, timestamp, array, null, reference, geoPoint, bytes
  case function, pipeline, fieldReference, variableReference

  /// The field number.
  var number: Int {
    switch self {
    case .boolean: 1
    case .integer: 2
    case .double: 3
    case .reference: 5
    case .map: 6
    case .geoPoint: 8
    case .array: 9
    case .timestamp: 10
    case .null: 11
    case .string: 17
    case .bytes: 18
    case .fieldReference: 19
    case .function: 20
    case .pipeline: 21
    case .variableReference: 22
    }
  }

  /// The names in JSON and in the schema, in the order of the cases.
  static let names: [StaticString] = [
    "stringValue", "string_value", "integerValue", "integer_value", "mapValue", "map_value",
    "booleanValue", "boolean_value", "doubleValue", "double_value", "timestampValue",
    "timestamp_value", "arrayValue", "array_value", "nullValue", "null_value", "referenceValue",
    "reference_value", "geoPointValue", "geo_point_value", "bytesValue", "bytes_value",
    "functionValue", "function_value", "pipelineValue", "pipeline_value", "fieldReferenceValue",
    "field_reference_value", "variableReferenceValue", "variable_reference_value",
  ]
}
