package import Coding

// What the conversion of a value from either encoding checks. Limits that concern documents only are in `MapValue.check`.

extension Value {
  /// The value of a map, which is a vector if it has the form of one.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a vector that is none.
  package init(checking map: MapValue) throws(FirestoreError) {
    guard case .string("__vector__") = map["__type__"] else {
      self = .map(map)
      return
    }
    guard let value = map["value"] else {
      throw .invalidArgument("Vector map is missing key 'value'.")
    }
    guard map.count == 2 else {
      throw .invalidArgument("Vector Value map has extraneous entries.")
    }
    guard case .array(let values) = value else {
      throw .invalidArgument("Vector map is missing key 'value'.")
    }
    guard !values.isEmpty else { throw .invalidArgument("Cannot have a zero length vector.") }
    guard values.count <= Limits.vectorDimensions else {
      throw .invalidArgument("Vectors must be at most 2048 dimensions.")
    }
    var numbers: [Double] = []
    numbers.reserveCapacity(values.count)
    for value in values {
      guard case .double(let number) = value else {
        throw .invalidArgument("Vector must only contain values of type 'double'")
      }
      numbers.append(number)
    }
    self = .vector(numbers)
  }

  /// The value of a number; of NaN there is one.
  package init(_ number: Double) {
    self = .double(number.isNaN ? .nan : number)
  }

  /// The value of a time, cut to microseconds.
  ///
  /// - Throws: `INVALID_ARGUMENT` outside the years 1 to 9999.
  package init(checking time: Timestamp) throws(FirestoreError) {
    guard (-62_135_596_800...253_402_300_799).contains(time.seconds),
      (0...999_999_999).contains(time.nanos)
    else {
      throw .invalidArgument("Timestamp is outside of the years 0001 to 9999.")
    }
    self = .timestamp(time.truncatedToMicroseconds)
  }

  /// A degree of -0.0 is the same place as 0.0 and becomes it, as the official emulator has it.
  ///
  /// - Throws: `INVALID_ARGUMENT` outside the globe.
  package init(checking point: GeoPoint) throws(FirestoreError) {
    guard (-90.0...90.0).contains(point.latitude) else {
      throw .invalidArgument(
        "Geo point latitude '\(point.latitude)' outside permitted range -90.0 to 90.0.")
    }
    guard (-180.0...180.0).contains(point.longitude) else {
      throw .invalidArgument(
        "Geo point longitude '\(point.longitude)' outside permitted range -180.0 to 180.0.")
    }
    self = .geoPoint(GeoPoint(latitude: point.latitude + 0, longitude: point.longitude + 0))
  }

  /// The value of a reference in its form on the wire.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  package init(checkingReference text: String) throws(FirestoreError) {
    self = .reference(try DocumentName(parsingReference: text))
  }
}

extension FirestoreError {
  /// A value without any member.
  package static let valueUnset = FirestoreError(
    .invalidArgument, "Cannot convert firestore.v1.Value with type unset.")

  /// Bytes that are no message.
  package init(_ error: WireError) {
    self.init(
      .invalidArgument, "The message can't be read: \(error.code) at byte \(error.offset).")
  }
}

extension MapValue {
  /// Checks the fields of a document that is about to be written.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  package func checkFields() throws(FirestoreError) {
    for field in fields {
      guard !field.name.isEmpty else {
        throw .invalidArgument("The property.name is the empty string.")
      }
      guard field.name.count <= Limits.idBytes else {
        throw .invalidArgument("The property.name is longer than 1500 bytes.")
      }
      guard !ResourceID.isReserved(field.name) else {
        throw .invalidArgument("field name \(field.name) is reserved")
      }
      try field.value.check(in: field.name, depth: 0, pathBytes: field.name.count)
    }
  }

  /// Checks the size of a document with these fields, and gives it.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  @discardableResult
  package func checkSize(at path: DocumentPath) throws(FirestoreError) -> Int {
    let size = documentSize(at: path)
    guard size <= Limits.documentBytes else {
      throw .invalidArgument("maximum entity size is 1048576 bytes")
    }
    return size
  }
}

extension Value {
  /// Checks a value within the field `name`, below `depth` maps and arrays.
  fileprivate func check(
    in name: UTF8String, depth: Int, pathBytes: Int
  ) throws(FirestoreError) {
    switch self {
    case .string(let text): try Value.check(length: text.count, of: name)
    case .bytes(let bytes): try Value.check(length: bytes.count, of: name)
    case .array(let values):
      guard depth < Limits.nesting else { throw Value.invalidNesting(in: name) }
      for value in values {
        switch value {
        case .array: throw .invalidArgument("Cannot convert an array value in an array value.")
        case .vector: throw .invalidArgument("Cannot convert a vector value in an array value.")
        case .null, .boolean, .integer, .double, .timestamp, .string, .bytes, .reference,
          .geoPoint, .map:
          try value.check(in: name, depth: depth + 1, pathBytes: pathBytes)
        }
      }
    case .map(let map):
      guard depth < Limits.nesting else { throw Value.invalidNesting(in: name) }
      for field in map.fields {
        let pathBytes = pathBytes + 1 + field.name.count
        guard !field.name.isEmpty, pathBytes <= Limits.fieldPathBytes, field.name != "__type__"
        else { throw Value.invalidNesting(in: name) }
        guard !ResourceID.isReserved(field.name) else {
          if field.name == "__min__", map.count == 1, field.value.isNull {
            throw .invalidArgument("Value type MIN_VALUE is not allowed")
          }
          throw .invalidArgument("field name '\(field.name)' is reserved.")
        }
        try field.value.check(in: name, depth: depth + 1, pathBytes: pathBytes)
      }
    case .null, .boolean, .integer, .double, .timestamp, .reference, .geoPoint, .vector: break
    }
  }

  private static func check(length: Int, of name: UTF8String) throws(FirestoreError) {
    guard length <= Limits.valueBytes else {
      throw .invalidArgument(
        "The value of property \"\(name)\" is longer than \(Limits.valueBytes) bytes.")
    }
  }

  private static func invalidNesting(in name: UTF8String) -> FirestoreError {
    .invalidArgument("Property \(name) contains an invalid nested entity.")
  }
}
