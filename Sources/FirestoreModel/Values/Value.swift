package import Coding

/// A value of a field. Equality here is that of the stored form; `Value.compare` has the order of queries.
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
  /// In a document never holds an array or a vector directly.
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
