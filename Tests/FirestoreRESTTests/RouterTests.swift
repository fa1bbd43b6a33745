import FirestoreProtocol
import HTTPServer
import Testing

@testable import FirestoreREST

@Suite struct RouterTests {
  private static let documents = "/v1/projects/p/databases/(default)/documents"
  private static let name = "projects/p/databases/(default)/documents"
  private let router = Router()

  private func match(_ method: String, _ target: String) throws -> Router.Match? {
    router.match(method, try #require(HTTPTarget(target)))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var verb: String
    var path: String
    var method: V1.FirestoreMethod
    var variables: [String]

    init(_ verb: String, _ path: String, _ method: V1.FirestoreMethod, _ variables: String...) {
      self.verb = verb
      self.path = path
      self.method = method
      self.variables = variables
    }

    var testDescription: String { "\(verb) \(path)" }
  }

  @Test(
    "paths below the documents",
    arguments: [
      Case("GET", "/c/a", .getDocument, "\(name)/c/a"),
      Case("GET", "/c/a/s/b?mask.fieldPaths=x", .getDocument, "\(name)/c/a/s/b"),
      Case("GET", "/c", .listDocuments, name, "c"),
      Case("GET", "/c/a/s", .listDocuments, "\(name)/c/a", "s"),
      Case("GET", "/", .listDocuments, name, ""),
      Case("GET", "/c/a/", .listDocuments, "\(name)/c/a", ""),
      Case("GET", "/c/x:runQuery", .getDocument, "\(name)/c/x:runQuery"),
      Case("PATCH", "/c/a:commit", .updateDocument, "\(name)/c/a:commit"),
      Case("PATCH", "/c", .updateDocument, "\(name)/c"),
      Case("DELETE", "/c/a+b%2Bc", .deleteDocument, "\(name)/c/a+b+c"),
      Case("POST", "/c?documentId=x", .createDocument, name, "c"),
      Case("POST", "/c/a:fooBar", .createDocument, "\(name)/c", "a:fooBar"),
      Case("POST", ":runQuery", .runQuery, name),
      Case("POST", "/c/a:runQuery", .runQuery, "\(name)/c/a"),
      Case("POST", "/c/a:b:runQuery", .runQuery, "\(name)/c/a:b"),
      Case("POST", "/c:runQuery", .runQuery, "\(name)/c"),
      Case("POST", "/c/a%3ArunQuery", .createDocument, "\(name)/c", "a:runQuery"),
      Case("POST", ":commit", .commit, "projects/p/databases/(default)"),
      Case("POST", ":batchGet", .batchGetDocuments, "projects/p/databases/(default)"),
    ])
  func bound(_ expected: Case) throws {
    let match = try #require(try match(expected.verb, Self.documents + expected.path))
    #expect(match.method == expected.method)
    #expect(match.variables.map(\.value) == expected.variables)
    #expect(!match.hasEncodedSlash)
  }

  @Test(
    "nothing is bound",
    arguments: [
      "GET /v1", "GET /v1/", "GET /v1/projects", "GET /foo", "GET /", "OPTIONS *",
      "GET \(documents)", "GET \(documents)x", "POST \(documents):fooBar", "POST \(documents):",
      "POST \(documents):listen", "POST \(documents):write", "PUT \(documents)/c/a",
      "HEAD \(documents)/c/a", "GET /v2/projects/p/databases/d/documents/c/a",
      "POST /v1/projects/p/databases/d:runQuery",
    ])
  func unbound(line: String) throws {
    let parts = line.split(separator: " ").map(String.init)
    #expect(try match(parts[0], parts[1]) == nil)
  }

  @Test("the older version and encoded segments")
  func decoded() throws {
    let match = try #require(
      try match("GET", "/v1beta1/projects/p/databases/%28default%29/documents/%C3%A9/a"))
    #expect(match.variables.map(\.value) == ["\(Self.name)/é/a"])
  }

  @Test("an encoded slash is seen")
  func slash() throws {
    let match = try #require(try match("GET", Self.documents + "/c/a%2Fb"))
    #expect(match.hasEncodedSlash)
  }

  @Test("every binding of a method without a stream of requests leads to it")
  func allBindings() throws {
    for method in V1.FirestoreMethod.allCases where !method.isClientStreaming {
      for binding in method.bindings {
        let path = binding.template
          .replacing("projects/*/databases/*", with: "projects/p/databases/d")
          .replacing("/*/**", with: "/c/a").replacing("{collection_id}", with: "c")
          .replacing(#/\{[a-z._]+=([^}]*)\}/#) { $0.output.1 }.replacing("/**", with: "")
        #expect(try match(binding.verb, path)?.method == method, "\(binding.verb) \(path)")
      }
    }
  }
}
