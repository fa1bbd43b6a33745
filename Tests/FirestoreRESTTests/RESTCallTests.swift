import Coding
import FirestoreModel
import FirestoreProtocol
import HTTPServer
import Testing

@testable import FirestoreREST

@Suite struct RESTCallTests {
  private func call(
    _ method: String, _ path: String, body: String = ""
  ) throws -> RESTCall {
    let target = try #require(HTTPTarget("/v1/projects/p/databases/d/documents" + path))
    let match = try #require(Router().match(method, target))
    return RESTCall(match: match, query: target.query, body: Array(body.utf8))
  }

  @Test("parameters in both spellings, repeated and nested; unknown ones do not matter")
  func parameters() throws {
    let request: V1.ListDocumentsRequest = try call(
      "GET",
      "/c?pageSize=3&page_token=a+b%2Bc&mask.fieldPaths=x&mask.field_paths=y.z&showMissing=TRUE"
        + "&readTime=2024-01-02T03:04:05.5Z&key=k&$.xgafv=1&alt=json&orderBy=n%20desc"
    ).request()
    #expect(request.parent == "projects/p/databases/d/documents")
    #expect(request.collectionID == "c")
    #expect(request.pageSize == 3)
    #expect(request.pageToken == "a b+c")
    #expect(request.orderBy == "n desc")
    #expect(request.mask?.fieldPaths == ["x", "y.z"])
    #expect(request.showMissing)
    guard case .readTime(let time)? = request.consistencySelector else {
      Issue.record("no read time")
      return
    }
    #expect(time == Timestamp(seconds: 1_704_164_645, nanos: 500_000_000))
  }

  @Test("parameters that cannot be read", arguments: ["pageSize=x", "readTime=x", "transaction=!"])
  func invalidParameter(query: String) throws {
    let call = try call("GET", "/c?" + query)
    let error = #expect(throws: FirestoreError.self) {
      let _: V1.ListDocumentsRequest = try call.request()
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test("what is not true is false")
  func boolean() throws {
    let request: V1.DeleteDocumentRequest = try call(
      "DELETE", "/c/a?currentDocument.exists=maybe"
    ).request()
    guard case .exists(false)? = request.currentDocument?.conditionType else {
      Issue.record("\(request)")
      return
    }
  }

  @Test(
    "a body that is the document",
    arguments: ["", #","name":"projects/p/databases/d/documents/c/a""#])
  func document(name: String) throws {
    let request: V1.UpdateDocumentRequest = try call(
      "PATCH", "/c/a?updateMask.fieldPaths=x&mask.fieldPaths=y", body: "{\"fields\":{}\(name)}"
    ).request(\.document)
    #expect(request.document?.name == "projects/p/databases/d/documents/c/a")
    #expect(request.updateMask?.fieldPaths == ["x"])
    #expect(request.mask?.fieldPaths == ["y"])
  }

  @Test("a body that is the message; an empty one is an empty message", arguments: ["", "{}"])
  func message(body: String) throws {
    let request: V1.CommitRequest = try call("POST", ":commit", body: body).request(\.database)
    #expect(request.database == "projects/p/databases/d")
  }

  @Test("a name in the body that is not that of the path")
  func otherName() throws {
    let commit = try call("POST", ":commit", body: #"{"database":"projects/p/databases/x"}"#)
    #expect(throws: FirestoreError.self) {
      let _: V1.CommitRequest = try commit.request(\.database)
    }
    let update = try call(
      "PATCH", "/c/a", body: #"{"name":"projects/p/databases/d/documents/c/b"}"#)
    #expect(throws: FirestoreError.self) {
      let _: V1.UpdateDocumentRequest = try update.request(\.document)
    }
  }

  @Test("bodies of another shape", arguments: ["{", "[]", "1", #"{"foo":1}"#, #"{"writes":{}}"#])
  func malformed(body: String) throws {
    let call = try call("POST", ":commit", body: body)
    #expect(throws: FirestoreError(.invalidArgument, "Payload isn't valid for request.")) {
      let _: V1.CommitRequest = try call.request(\.database)
    }
  }
}
