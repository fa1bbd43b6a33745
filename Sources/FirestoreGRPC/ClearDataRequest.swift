internal import Coding
internal import FirestoreProtocol

/// `google.firestore.emulator.v1.ClearDataRequest`: the name of the database is its field 1.
struct ClearDataRequest: Message {
  var database = ""

  mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: database = try reader.readString()
      default: try reader.skip(tag)
      }
    }
  }

  func write(to writer: inout ProtobufWriter) {
    writer.writeString(1, database)
  }
}
