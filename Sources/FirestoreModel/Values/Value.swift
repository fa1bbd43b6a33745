package import Coding

/// A value of a field. Equality here is that of the stored form; `Value.order` has the order of queries.
package indirect enum Value: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// NaN is kept as one canonical NaN; the sign of zero is kept.
  case double(Double)
  /// Whole microseconds.
  case timestamp(Timestamp)
  case string(UTF8String)
  case bytes([UInt8])
  case reference(DocumentName)
  case geoPoint(GeoPoint)
  /// Never holds an array directly.
  case array([Value])
  /// On the wire a map of `__type__` and `value`.
  case vector([Double])
  case map(MapValue)
}

/// Degrees, latitude -90...90 and longitude -180...180.
package struct GeoPoint: Hashable, Sendable {
  package var latitude: Double
  package var longitude: Double

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// Named values, sorted by the UTF-8 bytes of their names, each name once.
package struct MapValue: Sendable {
  package struct Field: Sendable {
    package var name: UTF8String
    package var value: Value

    package init(name: UTF8String, value: Value) {
      self.name = name
      self.value = value
    }
  }

  package internal(set) var fields: [Field]

  package init() {
    self.fields = []
  }
}
