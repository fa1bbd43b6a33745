internal import Coding

// How the fields of generated messages are read and written that are neither scalars nor plain messages.

extension ProtobufReader {
  mutating func readTimestamp() throws(WireError) -> Timestamp {
    var time = Timestamp(seconds: 0, nanos: 0)
    var reader = try readMessage()
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 8: time.seconds = try reader.readInt64()
      case 16: time.nanos = try reader.readInt32()
      default: try reader.skip(tag)
      }
    }
    return time
  }

  mutating func readInt64Wrapper() throws(WireError) -> Int64 {
    var value: Int64 = 0
    var reader = try readMessage()
    while let tag = try reader.nextTag() {
      if tag.rawValue == 8 { value = try reader.readInt64() } else { try reader.skip(tag) }
    }
    return value
  }

  mutating func readInt32Wrapper() throws(WireError) -> Int32 {
    Int32(truncatingIfNeeded: try readInt64Wrapper())
  }

  mutating func readDoubleWrapper() throws(WireError) -> Double {
    var value = 0.0
    var reader = try readMessage()
    while let tag = try reader.nextTag() {
      if tag.rawValue == 9 { value = try reader.readDouble() } else { try reader.skip(tag) }
    }
    return value
  }
}

extension ProtobufWriter {
  mutating func writeMessage(_ number: Int, _ message: some Message) {
    let start = begin(number)
    message.write(to: &self)
    end(start)
  }

  mutating func writeMessage<Value>(_ number: Int, _ entry: MapEntry<Value>) {
    let start = begin(number)
    entry.write(to: &self)
    end(start)
  }

  mutating func writeTimestamp(_ number: Int, _ time: Timestamp) {
    let start = begin(number)
    if time.seconds != 0 { writeInt64(1, time.seconds) }
    if time.nanos != 0 { writeInt32(2, time.nanos) }
    end(start)
  }

  mutating func writeInt32Wrapper(_ number: Int, _ value: Int32) {
    writeInt64Wrapper(number, Int64(value))
  }

  mutating func writeInt64Wrapper(_ number: Int, _ value: Int64) {
    let start = begin(number)
    if value != 0 { writeInt64(1, value) }
    end(start)
  }

  mutating func writeDoubleWrapper(_ number: Int, _ value: Double) {
    let start = begin(number)
    if value.bitPattern != 0 { writeDouble(1, value) }
    end(start)
  }

  /// A packed list of `int32`.
  mutating func writePacked(_ number: Int, _ values: [Int32]) {
    guard !values.isEmpty else { return }
    let start = begin(number)
    for value in values { appendVarint(UInt64(bitPattern: Int64(value))) }
    end(start)
  }
}
