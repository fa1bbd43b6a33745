internal import Coding

/// A value as bytes that sort as `Value.compare` does; what is equal there has the same bytes here.
///
/// ```
/// number     double rounded down; from ±2^53 to ±2^63 two bytes with what rounding took away
/// timestamp  microseconds as integer
/// string, bytes as text; reference: project and database as text, name key, 00
/// geo point  two doubles
/// array      elements, 00
/// vector     number of dimensions, eight bytes, then doubles
/// map        for each field 01, the name as text, the value; 00
/// ```
/// In front of each value stands the byte of its type class, never 0.
package enum ValueKey {
  package static func encode(_ value: Value) -> [UInt8] {
    var writer = KeyWriter()
    writer.value(value)
    return writer.bytes
  }
}

extension KeyWriter {
  package mutating func value(_ value: Value) {
    byte(value.typeClass.rawValue)
    switch value {
    case .null: break
    case .boolean(let boolean): byte(boolean ? 1 : 0)
    case .integer(let integer): number(integer)
    case .double(let double): number(double)
    case .timestamp(let time): integer(time.microseconds)
    case .string(let string): text(string)
    case .bytes(let content): bytes(content)
    case .reference(let name):
      text(name.database.project)
      text(name.database.database)
      path(name.path.segments)
      byte(0)
    case .geoPoint(let point):
      double(point.latitude)
      double(point.longitude)
    case .array(let values):
      for value in values { self.value(value) }
      byte(0)
    case .vector(let numbers):
      unsigned(UInt64(numbers.count))
      for number in numbers { double(number) }
    case .map(let map):
      for field in map.fields {
        byte(1)
        text(field.name)
        self.value(field.value)
      }
      byte(0)
    }
  }

  private mutating func number(_ value: Double) {
    double(value)
    if Self.hasRest(value) { rest(0) }
  }

  private mutating func number(_ value: Int64) {
    var floor = Double(value)
    if floor >= 0x1p63 || Int64(floor) > value { floor = floor.nextDown }
    double(floor)
    if Self.hasRest(floor) { rest(UInt16(truncatingIfNeeded: value - Int64(floor))) }
  }

  private mutating func rest(_ rest: UInt16) {
    byte(UInt8(rest >> 8))
    byte(UInt8(truncatingIfNeeded: rest))
  }

  /// Whether integers lie between `floor` and the next double.
  private static func hasRest(_ floor: Double) -> Bool {
    floor.magnitude >= 0x1p53 && floor.magnitude <= 0x1p63
  }
}
