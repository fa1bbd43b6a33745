/// Requests as gRPC sends them: a length and a protobuf message, written here by field numbers.
struct GRPCBody {
  private(set) var bytes: [UInt8] = []

  mutating func integer(_ field: Int, _ value: Int) {
    varint(field << 3)
    varint(value)
  }

  mutating func data(_ field: Int, _ value: [UInt8]) { embed(field, value) }

  mutating func text(_ field: Int, _ value: String) { embed(field, Array(value.utf8)) }

  mutating func message(_ field: Int, _ build: (inout GRPCBody) -> Void) {
    var inner = GRPCBody()
    build(&inner)
    embed(field, inner.bytes)
  }

  private mutating func embed(_ field: Int, _ content: [UInt8]) {
    varint(field << 3 | 2)
    varint(content.count)
    bytes += content
  }

  private mutating func varint(_ value: Int) {
    var rest = UInt(bitPattern: value)
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// The message behind its five bytes of prefix.
  var framed: [UInt8] {
    [0] + (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (24 - 8 * $0)) } + bytes
  }

  static let headers = ["content-type: application/grpc", "te: trailers"]

  /// The URL of a method of Firestore.
  static func url(_ port: Int, _ method: String) -> String {
    "http://127.0.0.1:\(port)/google.firestore.v1.Firestore/\(method)"
  }

  /// A query for all documents of a collection.
  static func query(of collection: String) -> GRPCBody {
    var request = GRPCBody()
    request.text(1, "\(Subject.database)/documents")
    request.message(2) { query in
      query.message(2) { $0.text(2, collection) }
    }
    return request
  }

  /// A count of all documents of a collection.
  static func count(of collection: String) -> GRPCBody {
    var request = GRPCBody()
    request.text(1, "\(Subject.database)/documents")
    request.message(2) { aggregation in
      aggregation.message(1) { query in
        query.message(2) { $0.text(2, collection) }
      }
      aggregation.message(3) { count in
        count.message(1) { _ in }
        count.text(7, "count")
      }
    }
    return request
  }

  /// A commit that adds one to a field of each document, so that every one changes something.
  static func increments(of documents: [String]) -> GRPCBody {
    var commit = GRPCBody()
    commit.text(1, Subject.database)
    for document in documents {
      commit.message(2) { write in
        write.message(6) { transform in
          transform.text(1, "\(Subject.database)/documents/\(document)")
          transform.message(2) { field in
            field.text(1, "n")
            field.message(3) { $0.integer(2, 1) }
          }
        }
      }
    }
    return commit
  }
}
