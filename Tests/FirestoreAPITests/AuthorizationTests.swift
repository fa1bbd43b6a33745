import Coding
import FirestoreAPI
import FirestoreModel
import FirestoreService
import Testing

@Suite struct AuthorizationTests {
  private static func jwt(_ payload: String, header: String = #"{"alg":"none"}"#) -> String {
    "\(Base64.encode(Array(header.utf8))).\(Base64.encode(Array(payload.utf8)))."
  }

  @Test("nobody", arguments: [nil, ""])
  func anonymous(header: String?) throws {
    #expect(try Principal(authorization: header) == .anonymous)
  }

  @Test(
    "administrators",
    arguments: [
      "Bearer owner", "bearer OWNER", "BEARER  owner", "Bearer ya29.a0Af",
      "Bearer "
        + jwt(#"{"iss":"a@p.iam.gserviceaccount.com","sub":"a@p.iam.gserviceaccount.com"}"#),
    ])
  func administrator(header: String) throws {
    #expect(try Principal(authorization: header) == .administrator)
  }

  @Test(
    "users keep their claims as they came",
    arguments: [
      "{}", #"{"sub":"u1","exp":1}"#, #"{"sub": "é", "a": [1, {"b": null}]}"#,
      #"{"iss":"x.gserviceaccount.com","sub":"y"}"#, #"{"iss":1,"sub":1}"#,
    ])
  func user(claims: String) throws {
    #expect(
      try Principal(authorization: "Bearer \(Self.jwt(claims))")
        == .user(UserToken(claims: Array(claims.utf8))))
  }

  @Test(
    "what is no JWT",
    arguments: [
      "garbage", "a.b.c", "a.b", jwt("[]"), jwt("{"), jwt("{}x"), jwt("{}", header: "x"),
      "owner.owner.owner", jwt("{}") + ".x",
    ])
  func invalid(token: String) {
    #expect(throws: FirestoreError(.invalidArgument, "invalid jwt")) {
      try Principal(authorization: "Bearer \(token)")
    }
  }

  @Test("another scheme", arguments: ["owner", "Bearer", "Bearer ", "Basic abc", "Firebase a.b.c"])
  func scheme(header: String) {
    let error = #expect(throws: FirestoreError.self) { try Principal(authorization: header) }
    #expect(error?.code == .unauthenticated)
  }

  @Test("the same token is one object, however often it comes")
  func repeated() throws {
    let principals = RecentPrincipals()
    func user(_ number: Int) throws -> UserToken? {
      let token = Self.jwt(#"{"sub":"u\#(number)"}"#)
      guard case .user(let token) = try principals.principal(authorization: "Bearer \(token)")
      else {
        return nil
      }
      return token
    }
    let first = try #require(try user(0))
    #expect(try user(0) === first)
    for number in 1..<200 { #expect(try user(number) != first) }
    #expect(try user(0) == first)
  }
}
