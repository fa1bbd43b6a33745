import Coding
import FirestoreEngine
import FirestoreModel
import Foundation
import Testing

@testable import Hibachi

@Suite("A listener that stops reading")
struct DeafListenerTests {
  private static let database = DatabaseName(project: "p", database: "(default)")
  private static let kibibytes = 20
  private static let rounds = 50

  private func commit(_ number: Int, to engine: Engine, mark: String = "") async throws {
    let text = UTF8String(mark + String(repeating: "x", count: Self.kibibytes << 10))
    let writes = (0..<20).map { index in
      let path = DocumentPath(segments: ["c", UTF8String("d\(index)")])
      let fields = MapValue([
        .init(name: "n", value: .integer(Int64(number))), .init(name: "text", value: .string(text)),
      ])
      return FirestoreModel.Write(
        .update(DocumentName(database: Self.database, path: path), fields, nil))
    }
    try await engine.commit(Self.database, writes)
  }

  @Test("holds up nobody, is kept within bounds, and is told what is true when it reads again")
  func deafListener() async throws {
    var configuration = HibachiConfiguration()
    (configuration.port, configuration.storagePort) = (0, 0)
    configuration.logLevel = .error
    let emulator = Emulator(configuration)
    let backend = try await Backend.open(HibachiConfiguration(), feeding: emulator.hub)
    let engine = backend.engine
    try await emulator.start(open: { backend })
    try await stop(emulator) { emulator in
      try await commit(0, to: engine, mark: "the-start")
      let listener = try SlowClient(port: emulator.port)
      try listener.write(ListenBytes.start + ListenBytes.listen)
      var received: [UInt8] = []
      try listener.receive(into: &received, until: "the-start")
      for number in 1...Self.rounds { try await commit(number, to: engine) }
      try listener.write(ListenBytes.openWindows)
      try await commit(Self.rounds + 1, to: engine, mark: "the-end")
      try listener.receive(into: &received, until: "the-end")
      #expect(received.count < Self.rounds * 20 * Self.kibibytes << 10 / 2)
    }
  }
}

extension SlowClient {
  fileprivate func receive(into received: inout [UInt8], until text: String) throws {
    while Data(received).range(of: Data(text.utf8)) == nil {
      let part = try receive(1 << 20)
      try #require(!part.isEmpty)
      received += part
    }
  }
}

/// What the client of a Listen stream sends.
private enum ListenBytes {
  static let start = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4, 0, 0, [])
  static let openWindows =
    frame(8, 0, 0, [0x7F, 0xFF, 0, 0]) + frame(8, 0, 1, [0x7F, 0xFF, 0, 0])

  static let listen: [UInt8] = {
    let database = "projects/p/databases/(default)"
    let query =
      field(1, Array("\(database)/documents".utf8))
      + field(2, field(2, field(2, Array("c".utf8))))
    let message = field(1, Array(database.utf8)) + field(2, field(2, query) + [5 << 3, 2])
    return frame(1, 4, 1, head) + frame(0, 0, 1, [0, 0, 0, 0, UInt8(message.count)] + message)
  }()

  /// The fields of the call, as literals that no table keeps.
  private static let head: [UInt8] = {
    func literal(_ name: [UInt8], _ value: String) -> [UInt8] {
      name + [UInt8(value.utf8.count)] + Array(value.utf8)
    }
    return [0x83, 0x86] + literal([0x04], "/google.firestore.v1.Firestore/Listen")
      + literal([0x01], "test") + literal([0x0F, 16], "application/grpc")
      + literal([0x0F, 8], "Bearer owner") + literal([0, 2] + Array("te".utf8), "trailers")
  }()

  private static func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
    [number << 3 | 2, UInt8(content.count)] + content
  }

  private static func frame(
    _ type: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8]
  ) -> [UInt8] {
    [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
  }
}
