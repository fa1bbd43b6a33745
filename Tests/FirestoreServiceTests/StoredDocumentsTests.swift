import Coding
import FirestoreModel
import Testing

@testable import FirestoreService

@Suite struct StoredDocumentsTests {
  @Test("of a document that changes while rules look twice, the client gets what they saw last")
  func last() throws {
    let name = DocumentName(
      database: DatabaseName(project: "p", database: "(default)"),
      path: DocumentPath(segments: ["t", "d"]))
    var number: Int64 = 0
    let documents = StoredDocuments(database: name.database, DecodedDocuments()) { name in
      number += 1
      let time = Timestamp(seconds: number, nanos: 0)
      return Document(
        name: name, fields: StoredFields(MapValue([.init(name: "n", value: .integer(number))])),
        createTime: time, updateTime: time)
    }
    #expect(documents.seen(name) == nil)
    for _ in 0..<2 {
      _ = try documents.document(name.rulesPath)
    }
    #expect(documents.seen(name)??.updateTime.seconds == 2)
  }
}
