package import Coding

extension Coverage {
  /// Writes the report as a value: an array; `nil` if there is nothing to report on.
  package func write(to writer: inout JSONWriter, key: StaticString) {
    let nodes = nodes
    guard !nodes.isEmpty else { return }
    writer.writeKey(key)
    writer.beginArray()
    for node in nodes { node.write(to: &writer) }
    writer.endArray()
  }
}

extension SourceRange {
  /// Writes the members that are not 0.
  package func writeMembers(to writer: inout JSONWriter) {
    let numbers: [(StaticString, Int)] = [
      ("column", column), ("currentOffset", offset), ("endOffset", endOffset), ("line", line),
    ]
    for (key, number) in numbers where number != 0 {
      writer.writeKey(key)
      writer.writeInt32(Int32(clamping: number))
    }
  }
}

extension CoverageNode {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if !children.isEmpty {
      writer.writeKey("children")
      writer.beginArray()
      for child in children { child.write(to: &writer) }
      writer.endArray()
    }
    writer.writeKey("sourcePosition")
    writer.beginObject()
    range.writeMembers(to: &writer)
    writer.endObject()
    if !entries.isEmpty {
      writer.writeKey("values")
      writer.beginArray()
      for entry in entries {
        writer.beginObject()
        writer.writeKey("count")
        writer.writeInt32(Int32(clamping: entry.count))
        writer.writeKey("value")
        entry.outcome.write(to: &writer)
        writer.endObject()
      }
      writer.endArray()
    }
    writer.endObject()
  }
}

extension CoverageRecord.Outcome {
  fileprivate func write(to writer: inout JSONWriter) {
    switch self {
    case .value(let value): value.write(to: &writer)
    case .skipped:
      writer.beginObject()
      writer.endObject()
    case .failed(let failure):
      writer.beginObject()
      writer.writeKey("undefined")
      writer.beginObject()
      if let cause = failure.cause {
        writer.writeKey("causeMessage")
        writer.writeString(cause)
        if let range = failure.range {
          writer.writeKey("sourcePosition")
          writer.beginObject()
          range.writeMembers(to: &writer)
          writer.endObject()
        }
      }
      writer.endObject()
      writer.endObject()
    }
  }
}

extension RulesValue {
  /// Writes an object whose one member says the type.
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .null:
      writer.writeKey("nullValue")
      writer.writeNull()
    case .bool(let bool):
      writer.writeKey("boolValue")
      writer.writeBool(bool)
    case .int(let number):
      writer.writeKey("intValue")
      writer.writeInt64(number)
    case .float(let number):
      writer.writeKey("floatValue")
      writer.writeDouble(number)
    case .string(let text):
      writer.writeKey("stringValue")
      writer.writeString(text)
    case .bytes(let bytes):
      writer.writeKey("bytesValue")
      writer.writeBase64(bytes.span)
    case .timestamp(let time):
      writer.writeKey("timestampValue")
      writer.writeTimestamp(time)
    case .duration(let duration):
      writer.writeKey("durationValue")
      writer.writeString(duration.text)
    case .list(let values): Self.write(values, "listValue", to: &writer)
    case .set(let values): Self.write(values, "setValue", to: &writer)
    case .vector(let numbers): Self.write(numbers.map { .float($0) }, "vectorValue", to: &writer)
    case .map(let map): map.write(to: &writer)
    case .mapDiff(let diff): diff.write(to: &writer)
    case .path(let path):
      writer.writeKey("pathValue")
      writer.beginObject()
      writer.writeKey("segments")
      writer.beginArray()
      for segment in path.segments { segment.write(to: &writer) }
      writer.endArray()
      writer.endObject()
    case .latlng(let latitude, let longitude):
      writer.writeKey("latlngValue")
      writer.beginObject()
      writer.writeKey("latitude")
      writer.writeDouble(latitude)
      writer.writeKey("longitude")
      writer.writeDouble(longitude)
      writer.endObject()
    case .constraint(let constraints): Self.write(constraints, to: &writer)
    case .unknown:
      writer.writeKey("undefined")
      writer.beginObject()
      writer.endObject()
    }
    writer.endObject()
  }

  private static func write(
    _ values: [RulesValue], _ key: StaticString, to writer: inout JSONWriter
  ) {
    writer.writeKey(key)
    writer.beginObject()
    if !values.isEmpty {
      writer.writeKey("values")
      writer.beginArray()
      for value in values { value.write(to: &writer) }
      writer.endArray()
    }
    writer.endObject()
  }

  private static func write(_ constraints: [RulesConstraint], to writer: inout JSONWriter) {
    writer.writeKey("constraintValue")
    writer.beginObject()
    writer.writeKey("simpleConstraints")
    writer.beginArray()
    for constraint in constraints {
      writer.beginObject()
      writer.writeKey("comparator")
      writer.writeString(constraint.comparator.rawValue)
      writer.writeKey("value")
      constraint.value.write(to: &writer)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }
}

extension RulesMap {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.writeKey("mapValue")
    writer.beginObject()
    if count > 0 {
      writer.writeKey("fields")
      writer.beginObject()
      for entry in entries {
        writer.writeKey(entry.key)
        entry.value.write(to: &writer)
      }
      writer.endObject()
    }
    writer.endObject()
  }
}

extension RulesMapDiff {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.writeKey("mapDiffValue")
    writer.beginObject()
    writer.writeKey("keyStatuses")
    writer.beginObject()
    for entry in entries {
      writer.writeKey(entry.key)
      writer.writeString("\(entry.status)".uppercased())
    }
    writer.endObject()
    writer.endObject()
  }
}

extension RulesPath.Segment {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .text(let text):
      writer.writeKey("simple")
      writer.writeString(text)
    case .capture(let name, let value):
      writer.writeKey("capture")
      Self.write(name, value, to: &writer)
    case .glob(let name, let values):
      writer.writeKey("globCapture")
      Self.write(name, values.map { $0.joined(separator: "/") }, to: &writer)
    }
    writer.endObject()
  }

  private static func write(_ name: String, _ value: String?, to writer: inout JSONWriter) {
    writer.beginObject()
    if let value {
      writer.writeKey("boundValue")
      writer.writeString(value)
    }
    writer.writeKey("variableName")
    writer.writeString(name)
    writer.endObject()
  }
}
