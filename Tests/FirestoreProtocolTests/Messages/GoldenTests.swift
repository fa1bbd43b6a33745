import Coding
import FirestoreProtocol
import Foundation
import HibachiTesting
import Testing

/// Messages that another implementation of protobuf wrote in both forms.
@Suite struct GoldenTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let method: String
    let side: String
    let protobuf: Data
    /// JSON text.
    let json: String

    var testDescription: String { "\(method) \(side)" }

    var type: any Message.Type {
      get throws {
        let found = try #require(V1.FirestoreMethod.allCases.first { $0.name == method })
        return side == "request" ? found.request : found.response
      }
    }
  }

  static let cases: [Case] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appending(path: "testdata/wire/messages.json")
    return (try? JSONDecoder().decode([Case].self, from: Data(contentsOf: file))) ?? []
  }()

  @Test func everyMethodHasCases() {
    #expect(Set(Self.cases.map(\.method)).count == V1.FirestoreMethod.allCases.count)
  }

  @Test(arguments: cases)
  func bothFormsAreReadAndWritten(golden: Case) throws {
    try check(golden.type, golden)
  }

  private func check<M: Message>(_ type: M.Type, _ golden: Case) throws {
    let bytes = [UInt8](golden.protobuf)
    let message = try M(protobuf: bytes)
    #expect(message.protobufBytes().count == bytes.count)
    let expected = try JSONValue(Array(golden.json.utf8))
    for isPretty in [false, true] {
      let json = message.jsonBytes(isPretty: isPretty)
      #expect(try JSONValue(json) == expected)
      let back = try M(json: json)
      #expect(back.protobufBytes().count == bytes.count)
      #expect(try JSONValue(back.jsonBytes()) == expected)
    }
    let numbers = message.jsonBytes(enumsAreNumbers: true)
    #expect(try M(json: numbers).protobufBytes() == M(json: message.jsonBytes()).protobufBytes())
    let again = try M(protobuf: message.protobufBytes())
    #expect(again.protobufBytes() == message.protobufBytes())
    let fromGolden = try M(json: Array(golden.json.utf8))
    #expect(fromGolden.protobufBytes().count == bytes.count)
  }

  @Test(arguments: 0..<300)
  func noBytesTrap(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    for golden in Self.cases where generator.once(in: 20) {
      try scramble(golden.type, golden, &generator)
    }
  }

  private func scramble<M: Message>(
    _ type: M.Type, _ golden: Case, _ generator: inout SeededGenerator
  ) throws {
    if let message = try? M(protobuf: generator.mutated([UInt8](golden.protobuf))) {
      let text = String(decoding: message.jsonBytes(), as: UTF8.self)
      #expect(throws: Never.self) { try JSONValue(Array(text.utf8)) }
    }
    _ = try? M(protobuf: generator.bytes(upTo: 200))
    let json = try M(protobuf: [UInt8](golden.protobuf)).jsonBytes()
    if let message = try? M(json: generator.mutated(json)) {
      _ = try M(protobuf: message.protobufBytes())
    }
  }

  @Test func unknownFieldsAreSkippedAndPackingIsFree() throws {
    var writer = ProtobufWriter()
    writer.writeInt32(5, 1)
    writer.writeInt32(5, -2)
    writer.writeString(1_000, "?")
    writer.writeMessage(5) { $0.appendVarint(3) }
    let change = try V1.DocumentChange(protobuf: writer.bytes)
    #expect(change.targetIDs == [1, -2, 3])
    #expect(change.jsonBytes() == Array(#"{"targetIds":[1,-2,3]}"#.utf8))
  }

  @Test func messagesInPartsAreMerged() throws {
    var writer = ProtobufWriter()
    writer.writeMessage(3) { $0.writeString(1, "a") }
    writer.writeMessage(3) { $0.writeString(1, "b") }
    writer.writeMessage(1) { $0.writeString(1, "first") }
    writer.writeMessage(1) { $0.writeMessage(3) { $0.writeInt64(1, 5) } }
    let write = try V1.Write(protobuf: writer.bytes)
    #expect(write.updateMask?.fieldPaths == ["a", "b"])
    guard case .update(let document) = write.operation else {
      Issue.record("no update")
      return
    }
    #expect(document.name == "first" && document.createTime?.seconds == 5)
  }

  @Test func depthIsBounded() {
    var bytes: [UInt8] = []
    for _ in 0..<150 {
      var writer = ProtobufWriter()
      writer.writeMessage(2) { writer in writer.writeMessage(1) { $0.append(bytes) } }
      bytes = writer.bytes
    }
    let filter = bytes
    let error = #expect(throws: WireError.self) {
      _ = try V1.StructuredQuery.CompositeFilter(protobuf: filter)
    }
    #expect(error?.code == .tooDeep)
  }

  @Test func methodsHavePathsAndBindings() {
    #expect(V1.FirestoreMethod.allCases.count == 17)
    #expect(V1.FirestoreMethod.listen.path == "/google.firestore.v1.Firestore/Listen")
    #expect(
      V1.FirestoreMethod.listen.isClientStreaming && V1.FirestoreMethod.listen.isServerStreaming)
    #expect(
      V1.FirestoreMethod.updateDocument.bindings == [
        HTTPBinding(
          "PATCH", "/v1/{document.name=projects/*/databases/*/documents/*/**}",
          body: .member("document"))
      ])
  }

  @Test func parametersOfURLsAreSet() throws {
    var request = V1.UpdateDocumentRequest()
    for (name, value) in [
      ("document.name", "n"), ("mask.fieldPaths", "a"), ("mask.field_paths", "b\""),
      ("update_mask.fieldPaths", "c"), ("currentDocument.exists", "true"),
    ] {
      #expect(try request.setParameter(name, value))
    }
    #expect(request.document?.name == "n" && request.mask?.fieldPaths == ["a", "b\""])
    #expect(request.updateMask?.fieldPaths == ["c"])
    guard case .exists(true) = request.currentDocument?.conditionType else {
      Issue.record("no precondition")
      return
    }
    for name in ["key", "", ".", "mask.x", "mask.fieldPaths.x", "document.name.", "a.b.c"] {
      #expect(try !request.setParameter(name, "x"))
    }
    #expect(throws: JSONError.self) { try request.setParameter("currentDocument.updateTime", "x") }
    #expect(throws: JSONError.self) { try request.setParameter("mask", "x") }
    var list = V1.ListDocumentsRequest()
    #expect(try list.setParameter("pageSize", "30"))
    #expect(try list.setParameter("showMissing", "true"))
    #expect(try list.setParameter("readTime", "2020-01-02T03:04:05Z"))
    #expect(list.pageSize == 30 && list.showMissing && list.consistencySelector != nil)
  }
}
