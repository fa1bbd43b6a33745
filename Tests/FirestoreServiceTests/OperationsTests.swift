import Coding
import FirestoreEngine
import FirestoreListen
import FirestoreModel
import FirestoreService
import HibachiTesting
import KeyValue
import Testing

@Suite("Operations")
struct OperationsTests {
  private let database = DatabaseName(project: "p", database: "(default)")
  private let operations: FirestoreOperations

  init() throws {
    let engine = try Engine(store: MemoryStore(), now: { 1_700_000_000_000_000 })
    operations = FirestoreOperations(
      engine: engine, hub: ListenHub(), random: SeededGenerator(seed: 1))
  }

  private func name(_ path: String, in database: DatabaseName? = nil) -> DocumentName {
    DocumentName(
      database: database ?? self.database,
      path: DocumentPath(segments: path.split(separator: "/").map { UTF8String(String($0)) }))
  }

  private var root: ParentName { ParentName(database: database, document: nil) }

  private func fields(_ values: (String, Int64)...) -> MapValue {
    MapValue(values.map { MapValue.Field(name: UTF8String($0.0), value: .integer($0.1)) })
  }

  private func create(_ path: String, _ values: MapValue = MapValue()) async throws {
    _ = try await operations.updateDocument(
      name(path), fields: values, updateMask: nil, mask: nil, precondition: nil, as: .anonymous)
  }

  @Test("get, whole and masked, and missing")
  func get() async throws {
    try await create("c/a", fields(("x", 1), ("y", 2)))
    let cases: [(FieldMask?, MapValue)] = [
      (nil, fields(("x", 1), ("y", 2))), (try FieldMask(parsing: ["y"]), fields(("y", 2))),
      (FieldMask([]), fields()), (try FieldMask(parsing: ["none"]), fields()),
    ]
    for (mask, expected) in cases {
      let document = try await operations.getDocument(
        name("c/a"), mask: mask, consistency: .latest, as: .anonymous)
      #expect(try document.fields.decoded() == expected)
      #expect(document.name == name("c/a"))
    }
    let error = await #expect(throws: FirestoreError.self) {
      try await operations.getDocument(
        name("c/none"), mask: nil, consistency: .latest, as: .anonymous)
    }
    #expect(
      error
        == FirestoreError(
          .notFound,
          "Document (projects/p/databases/(default)/documents/c/none) not found."))
  }

  @Test("transactions that are none are refused in words that SDKs know")
  func unknownTransactions() async throws {
    let expired = FirestoreError.invalidArgument(
      "The referenced transaction has expired or is no longer valid.")
    let invalid = FirestoreError.invalidArgument("Invalid transaction.")
    let unknown: [UInt8] = [0x11, 1, 0, 0, 0, 0, 0, 0, 0]
    for (transaction, expected) in [(unknown, expired), ([1], invalid)] {
      let get = await #expect(throws: FirestoreError.self) {
        try await operations.getDocument(
          name("c/a"), mask: nil, consistency: .transaction(transaction), as: .anonymous)
      }
      #expect(get == expected)
      let commit = await #expect(throws: FirestoreError.self) {
        try await operations.commit(
          database, writes: [], transaction: transaction, as: .anonymous)
      }
      #expect(commit == expected)
    }
  }

  @Test("batch get: each name once, in order, all at one time")
  func batchGet() async throws {
    for index in 0..<130 where index % 2 == 0 { try await create("c/\(index)", fields(("x", 1))) }
    let names = (0..<130).map { name("c/\($0)") }
    var answers: [BatchGetAnswer] = []
    try await operations.batchGetDocuments(
      database, names: names + names, mask: nil, consistency: .latest, as: .anonymous
    ) { answers.append($0) }
    #expect(answers.count == 130)
    var times: Set<Timestamp> = []
    for (index, answer) in answers.enumerated() {
      switch answer {
      case .began: Issue.record("no transaction was asked for")
      case .found(let document, let time):
        #expect(index % 2 == 0 && document.name == names[index])
        times.insert(time)
      case .missing(let name, let time):
        #expect(index % 2 == 1 && name == names[index])
        times.insert(time)
      }
    }
    #expect(times.count == 1)
    let other = DatabaseName(project: "p", database: "other")
    let error = await #expect(throws: FirestoreError.self) {
      try await operations.batchGetDocuments(
        database, names: [name("c/a", in: other)], mask: nil, consistency: .latest,
        as: .anonymous
      ) { _ in }
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test("create: ids of its own, given ids, conflicts")
  func createDocument() async throws {
    let made = try await operations.createDocument(
      in: root, collectionID: "c", id: nil, fields: fields(("x", 1), ("y", 2)),
      mask: try FieldMask(parsing: ["x"]), as: .anonymous)
    #expect(made.name.path.id.count == 20)
    #expect(made.createTime == made.updateTime)
    #expect(try made.fields.decoded() == fields(("x", 1)))
    let parent = ParentName(database: database, document: name("c/none").path)
    let named = try await operations.createDocument(
      in: parent, collectionID: "s", id: "k", fields: fields(), mask: nil, as: .anonymous)
    #expect(named.name == name("c/none/s/k"))
    for (id, code) in [("k", FirestoreError.Code.alreadyExists), ("a/b", .invalidArgument)] {
      let error = await #expect(throws: FirestoreError.self) {
        try await operations.createDocument(
          in: parent, collectionID: "s", id: UTF8String(id), fields: fields(), mask: nil,
          as: .anonymous)
      }
      #expect(error?.code == code)
    }
  }

  @Test("update keeps the time of what does not change; delete")
  func updateAndDelete() async throws {
    let first = try await operations.updateDocument(
      name("c/a"), fields: fields(("x", 1)), updateMask: nil, mask: nil, precondition: nil,
      as: .anonymous)
    let same = try await operations.updateDocument(
      name("c/a"), fields: fields(("x", 1)), updateMask: nil, mask: nil,
      precondition: .exists(true), as: .anonymous)
    #expect(first == same)
    let merged = try await operations.updateDocument(
      name("c/a"), fields: fields(("y", 2)), updateMask: try FieldMask(parsing: ["y"]), mask: nil,
      precondition: .updateTime(first.updateTime), as: .anonymous)
    #expect(try merged.fields.decoded() == fields(("x", 1), ("y", 2)))
    #expect(merged.createTime == first.createTime && merged.updateTime > first.updateTime)
    let old = try await operations.getDocument(
      name("c/a"), mask: nil, consistency: .readTime(first.updateTime), as: .anonymous)
    #expect(old == first)
    try await operations.deleteDocument(name("c/a"), precondition: nil, as: .anonymous)
    let error = await #expect(throws: FirestoreError.self) {
      try await operations.deleteDocument(
        name("c/a"), precondition: .exists(true), as: .anonymous)
    }
    #expect(error?.code == .notFound)
  }

  @Test("pages of a listing")
  func list() async throws {
    for index in 0..<40 { try await create("c/\(index + 10)", fields(("n", Int64(index)))) }
    var request = ListDocumentsRequest(parent: root, collectionID: "c")
    let first = try await operations.listDocuments(request, as: .anonymous)
    #expect(first.entries.count == 30)
    request.pageToken = first.nextPageToken
    request.pageSize = 1_000
    request.mask = FieldMask([])
    let second = try await operations.listDocuments(request, as: .anonymous)
    #expect(second.entries.count == 10 && second.nextPageToken.isEmpty)
    for entry in second.entries {
      guard case .document(let document) = entry else { continue }
      #expect(document.fields.bytes.isEmpty)
    }

    let refused: [(ListDocumentsRequest, String)] = [
      (
        ListDocumentsRequest(
          parent: root, collectionID: "c", pageToken: first.nextPageToken, orderBy: "n"),
        "invalid page token"
      ),
      (
        ListDocumentsRequest(parent: root, collectionID: "c", pageToken: "garbage"),
        "invalid page token"
      ),
      (
        ListDocumentsRequest(parent: root, collectionID: "c", pageSize: -1),
        "Page size must be nonnegative."
      ),
      (
        ListDocumentsRequest(parent: root, collectionID: "c", orderBy: "n", showMissing: true),
        "cannot specify an order when show_missing is true"
      ),
      (
        ListDocumentsRequest(parent: root, collectionID: "", showMissing: true),
        "collection id must be set when show_missing is true"
      ),
    ]
    for (request, text) in refused {
      let error = await #expect(throws: FirestoreError.self) {
        try await operations.listDocuments(request, as: .anonymous)
      }
      #expect(error == .invalidArgument(text))
    }
  }

  @Test("pages of collection ids")
  func collectionIDs() async throws {
    for id in ["k0", "k1", "k2"] { try await create("\(id)/1") }
    let first = try await operations.listCollectionIDs(
      of: root, pageSize: 2, pageToken: "", consistency: .latest, as: .administrator)
    #expect(first.collectionIDs == ["k0", "k1"])
    let second = try await operations.listCollectionIDs(
      of: root, pageSize: 2, pageToken: first.nextPageToken, consistency: .latest,
      as: .administrator)
    #expect(second == ListCollectionIDsAnswer(collectionIDs: ["k2"], nextPageToken: ""))
  }

  @Test("batch write and clear")
  func batchWriteAndClear() async throws {
    let results = try await operations.batchWrite(
      database,
      writes: [
        Write(.update(name("c/a"), fields(("x", 1)), nil)),
        Write(.delete(name("c/b")), precondition: .exists(true)),
      ], as: .administrator)
    #expect(results.count == 2)
    #expect(throws: Never.self) { try results[0].get() }
    #expect(throws: FirestoreError.self) { try results[1].get() }
    try await operations.clear(database)
    await #expect(throws: FirestoreError.self) {
      try await operations.getDocument(
        name("c/a"), mask: nil, consistency: .latest, as: .anonymous)
    }
  }
}
