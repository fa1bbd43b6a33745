import Coding
import FirestoreListen
import FirestoreModel
import FirestoreProtocol
import Testing

@testable import FirestoreAPI

@Suite struct ListenAnswerTests {
  @Test(
    "A document that is encoded once is told as one that is encoded each time",
    arguments: [[], [7], [1, -2, .max]])
  func changed(_ ids: [Int32]) throws {
    let name = DocumentName(
      database: DatabaseName(project: "p", database: "(default)"),
      path: DocumentPath(segments: ["c", "é😀"]))
    let time = Timestamp(microseconds: 1_700_000_000_000_000)
    let document = Document(
      name: name, fields: StoredFields(MapValue([.init(name: "n", value: .integer(1))])),
      createTime: time, updateTime: time)
    let shared = SharedDocument(document)
    for answer in [
      ListenAnswer(.changed(shared, targets: ids, left: [])),
      ListenAnswer(.changed(shared, targets: [3], left: ids)),
    ] {
      #expect(answer.jsonBytes() == answer.response.jsonBytes())
      #expect(answer.protobufBytes() == answer.response.protobufBytes())
    }
  }
}
