internal import Coding

extension Value {
  /// What an index holds of the value: the beginning, if it is large. Values that begin alike are then one in the order.
  package var indexed: Value {
    guard storageSize > Limits.indexedBytes else { return self }
    var room = Limits.indexedBytes
    return cut(to: &room)
  }

  /// Leaves what fits into `room`, and takes that away from it.
  private func cut(to room: inout Int) -> Value {
    let size = storageSize
    guard size > room else {
      room -= size
      return self
    }
    switch self {
    case .string(let text):
      let end = room - 1
      room = 0
      return .string(text.cut(to: end))
    case .bytes(let bytes):
      let end = room
      room = 0
      return .bytes(Array(bytes.prefix(end)))
    case .reference(let name): return .reference(name.cut(to: &room))
    case .array(let values):
      var kept: [Value] = []
      for value in values where room > 0 { kept.append(value.cut(to: &room)) }
      return .array(kept)
    case .vector(let numbers):
      let count = room / 8
      room = 0
      return .vector(Array(numbers.prefix(count)))
    case .map(let map):
      var kept = MapValue()
      for field in map.fields where room > field.name.storageSize {
        room -= field.name.storageSize
        kept.fields.append(MapValue.Field(name: field.name, value: field.value.cut(to: &room)))
      }
      return .map(kept)
    case .null, .boolean, .integer, .double, .timestamp, .geoPoint:
      room = 0
      return self
    }
  }
}

extension DocumentName {
  fileprivate func cut(to room: inout Int) -> DocumentName {
    var segments: [UTF8String] = []
    for id in path.segments where room > 1 {
      segments.append(id.storageSize > room ? id.cut(to: room - 1) : id)
      room -= min(room, id.storageSize)
    }
    room = 0
    if segments.count % 2 == 1 { segments.append("") }
    return DocumentName(database: database, path: DocumentPath(segments: segments))
  }
}

extension UTF8String {
  /// The whole characters in the first `count` bytes.
  fileprivate func cut(to count: Int) -> UTF8String {
    let bytes = utf8
    guard count > 0 else { return "" }
    guard var end = bytes.index(bytes.startIndex, offsetBy: count, limitedBy: bytes.endIndex)
    else { return self }
    while end > bytes.startIndex, end < bytes.endIndex, bytes[end] & 0xc0 == 0x80 {
      end = bytes.index(before: end)
    }
    return UTF8String(String(string[..<end]))
  }
}
