import Coding
import FirestoreModel
import FirestoreProtocol
import Testing

@Suite struct WriteTests {
  private static let name = "projects/p/databases/(default)/documents/c/a"

  private func write(_ json: String) throws -> Write {
    try Write(V1.Write(json: Array(json.replacing("NAME", with: Self.name).utf8)))
  }

  @Test(arguments: [
    ("{}", "empty write operation"),
    (#"{"update":{"fields":{}}}"#, #"Document name "" lacks "projects" at index 0."#),
    (#"{"delete":"/NAME"}"#, #"Document name "/NAME" lacks "projects" at index 0."#),
    (
      #"{"delete":"NAME","updateMask":{"fieldPaths":["x"]}}"#,
      "a delete must not specify a document mask."
    ),
    (
      #"{"delete":"NAME","updateTransforms":[{"fieldPath":"n","increment":{"integerValue":"1"}}]}"#,
      "a delete must not specify a update transform."
    ),
    (#"{"verify":"NAME"}"#, "a verify must contain a precondition"),
    (
      #"{"update":{"name":"NAME"},"updateMask":{"fieldPaths":[""]}}"#,
      "Invalid empty property path string."
    ),
    (
      #"{"transform":{"document":"NAME","fieldTransforms":[]}}"#,
      "The list of FieldTransform must not be empty."
    ),
    (
      #"{"transform":{"fieldTransforms":[{"fieldPath":"n","increment":{"integerValue":"1"}}]}}"#,
      #"Document name "" lacks "projects" at index 0."#
    ),
    (
      #"{"transform":{"document":"NAME","fieldTransforms":[{"fieldPath":"t","setToServerValue":"SERVER_VALUE_UNSPECIFIED"}]}}"#,
      "ServerValue type must be specified for set_to_server_value transformation."
    ),
    (
      #"{"transform":{"document":"NAME","fieldTransforms":[{"fieldPath":"t"}]}}"#,
      "Operation type must be specified for field transformation."
    ),
    (
      #"{"transform":{"document":"NAME","fieldTransforms":[{"fieldPath":"n","minimum":{"stringValue":"a"}}]}}"#,
      "Input must be int64 or double."
    ),
    (
      #"{"transform":{"document":"NAME","fieldTransforms":[{"fieldPath":"n","increment":{}}]}}"#,
      "Cannot convert firestore.v1.Value with type unset."
    ),
    (
      #"{"transform":{"document":"NAME","fieldTransforms":[{"fieldPath":"q.a","increment":{"integerValue":1}},{"fieldPath":"r","increment":{"integerValue":1}},{"fieldPath":"q","increment":{"integerValue":1}}]}}"#,
      "Cannot transform property q and its nested property at the same time."
    ),
  ])
  func refuses(json: String, message: String) throws {
    let error = #expect(throws: FirestoreError.self) { try write(json) }
    #expect(error == .invalidArgument(message.replacing("NAME", with: Self.name)))
  }

  @Test(arguments: [
    #"{"update":{"name":"NAME"},"delete":"NAME"}"#, #"{"update":[]}"#, #"{"foo":1}"#,
    #"{"transform":{"fieldTransforms":[{"fieldPath":"t","setToServerValue":"NOPE"}]}}"#,
  ])
  func refusesTheShape(json: String) {
    #expect(throws: JSONError.self) { try write(json) }
  }

  @Test func anUpdateHasFieldsMaskAndPrecondition() throws {
    let write = try write(
      #"{"update":{"name":"NAME","fields":{"x":{"integerValue":1}}},"updateMask":{},"currentDocument":{"exists":false},"updateTransforms":[{"fieldPath":"`a b`","setToServerValue":1},{"fieldPath":"`a b`","appendMissingElements":{"values":[{"nullValue":null}]}}]}"#
    )
    guard case .update(let name, let fields, let mask?) = write.operation else {
      Issue.record("no update with a mask")
      return
    }
    #expect(name.text == Self.name && fields.count == 1 && mask.paths.isEmpty)
    #expect(write.precondition == .exists(false) && write.transforms.count == 2)
    guard case .requestTime = write.transforms[0].operation,
      case .appendMissingElements(let elements) = write.transforms[1].operation
    else {
      Issue.record("other transforms")
      return
    }
    #expect(write.transforms[0].path.segments == ["a b"] && elements.count == 1)
  }

  @Test func theOldTransformIsAnUpdateThatTouchesNothing() throws {
    let write = try write(
      #"{"transform":{"document":"NAME","fieldTransforms":[{"fieldPath":"n","increment":{"integerValue":1}}]}}"#
    )
    guard case .update(_, let fields, let mask?) = write.operation else {
      Issue.record("no update with a mask")
      return
    }
    #expect(fields.isEmpty && mask.paths.isEmpty && write.transforms.count == 1)
  }

  @Test func verifyIsUnderstood() throws {
    let write = try write(
      #"{"verify":"NAME","currentDocument":{"updateTime":"2020-01-02T03:04:05.123456789Z"}}"#)
    guard case .verify = write.operation else {
      Issue.record("no verify")
      return
    }
    #expect(write.precondition == .updateTime(.init(seconds: 1_577_934_245, nanos: 123_456_000)))
  }

  @Test func timesAreChecked() {
    var message = V1.Write(operation: .delete(Self.name))
    message.currentDocument = V1.Precondition(
      conditionType: .updateTime(.init(seconds: .max, nanos: -1)))
    #expect(throws: FirestoreError.self) { try Write(message) }
  }

  @Test func resultsAreWritten() {
    let result = CommitResult(
      writeResults: [
        WriteResult(
          updateTime: .init(seconds: 1, nanos: 0), transformResults: [.null, .double(2)]),
        WriteResult(updateTime: nil),
      ], commitTime: .init(seconds: 2, nanos: 1_000))
    #expect(
      V1.CommitResponse(result).jsonBytes()
        == Array(
          #"{"writeResults":[{"updateTime":"1970-01-01T00:00:01Z","transformResults":[{"nullValue":null},{"doubleValue":2.0}]},{}],"commitTime":"1970-01-01T00:00:02.000001Z"}"#
            .utf8))
    let batch = V1.BatchWriteResponse([
      .success(WriteResult(updateTime: nil)), .failure(FirestoreError(.notFound, "x")),
    ])
    #expect(
      batch.jsonBytes()
        == Array(#"{"writeResults":[{},{}],"status":[{},{"code":5,"message":"x"}]}"#.utf8))
  }
}
