import FirestoreModel
import FirestoreProtocol
import Testing

@Suite struct StatusTests {
  private static let table: [(Int32, String, Int)] = [
    (1, "CANCELLED", 499), (2, "UNKNOWN", 500), (3, "INVALID_ARGUMENT", 400),
    (4, "DEADLINE_EXCEEDED", 504), (5, "NOT_FOUND", 404), (6, "ALREADY_EXISTS", 409),
    (7, "PERMISSION_DENIED", 403), (8, "RESOURCE_EXHAUSTED", 429), (9, "FAILED_PRECONDITION", 400),
    (10, "ABORTED", 409), (11, "OUT_OF_RANGE", 400), (12, "UNIMPLEMENTED", 501),
    (13, "INTERNAL", 500),
    (14, "UNAVAILABLE", 503), (15, "DATA_LOSS", 500), (16, "UNAUTHENTICATED", 401),
  ]

  @Test(arguments: FirestoreError.Code.allCases)
  func codesHaveNumberNameAndStatus(code: FirestoreError.Code) throws {
    let row = try #require(Self.table.first { $0.0 == code.number })
    #expect(row.1 == code.name.description && row.2 == code.httpStatus)
  }

  @Test func errorsHaveTwoForms() throws {
    let error = FirestoreError(.notFound, "no \"a\"/é")
    #expect(
      error.jsonBytes()
        == Array(#"{"error":{"code":404,"message":"no \"a\"/é","status":"NOT_FOUND"}}"#.utf8))
    #expect(
      FirestoreError(.unknown, "").jsonBytes()
        == Array(#"{"error":{"code":500,"status":"UNKNOWN"}}"#.utf8))
    #expect(RPC.Status(error).protobufBytes() == [8, 5, 18, 9] + Array("no \"a\"/é".utf8))
  }
}
