import Coding
import FirestoreEngine
import FirestoreListen
import FirestoreModel
import FirestoreService
import Testing

/// Listeners that come back, that lag behind, and that are many.
@Suite("Listeners under rules, in trouble")
struct ListenRulesResumeTests {
  private let fixture: ListenRulesFixture

  private static let owners =
    "match /c/{d} { allow read: if resource.data.owner == request.auth.uid; } match /big/{d} { allow read; }"
  private static let denied = "permissionDenied"

  init() throws {
    fixture = try ListenRulesFixture()
  }

  /// A token for what there is now, as somebody gets it who may see everything.
  private func token(_ selection: ListenTarget.Selection) async throws -> [UInt8] {
    var token: [UInt8] = []
    try await fixture.withListener(.administrator) { listener in
      _ = try await listener.toldWhenAdding(2, selection)
      token = listener.token
    }
    return token
  }

  private enum Kind: CaseIterable {
    case documents
    case query

    var selection: ListenTarget.Selection {
      get throws {
        switch self {
        case .documents: FirestoreServiceTests.documents("c/a")
        case .query: try FirestoreServiceTests.query(where: ("owner", .string("u")))
        }
      }
    }
  }

  @Test("a token opens nothing that rules have closed", arguments: [0, 1])
  func resumed(kind: Int) async throws {
    let selection = try Kind.allCases[kind].selection
    fixture.setRules(Self.owners)
    try await fixture.commit(set("c/a", ["owner": .string("u"), "n": .integer(1)]))
    let token = try await token(selection)
    try await fixture.commit(set("c/a", ["owner": .string("u"), "n": .integer(2)]))
    fixture.setRules("match /c/{d} { allow read: if false; }")
    try await fixture.withListener(user("u")) { listener in
      let told = try await listener.toldWhenAdding(2, selection, resume: token)
      #expect(told.count == 2 && told[0] == "add 2" && told[1].contains(Self.denied))
      // What was missed meanwhile comes when the rules allow it again.
      fixture.setRules(Self.owners)
      #expect(
        try await listener.toldWhenAdding(2, selection, resume: token)
          == ["add 2", "c/a n=2,owner=u [2]", "current [2]"])
    }
  }

  @Test("of what was given away meanwhile a token gets nothing, and a query only that it is gone")
  func resumedWithoutDocument() async throws {
    fixture.setRules(Self.owners)
    try await fixture.commit(set("c/a", ["owner": .string("u")]))
    let token = try await token(documents("c/a"))
    try await fixture.commit(set("c/a", ["owner": .string("v"), "secret": .integer(1)]))
    try await fixture.withListener(user("u")) { listener in
      let told = try await listener.toldWhenAdding(2, documents("c/a"), resume: token)
      #expect(told.count == 2 && told[0] == "add 2" && told[1].contains(Self.denied))
      let found = try await listener.toldWhenAdding(
        4, query(where: ("owner", .string("u"))), resume: token)
      #expect(found == ["add 4", "c/a out [4]", "current [4]"])
      let few = try await listener.toldWhenAdding(
        6, query(where: ("owner", .string("u")), limit: 3), resume: token)
      #expect(few == ["add 6", "c/a out [6]", "current [6]"])
    }
  }

  @Test("a listener that lagged behind gets nothing that rules refuse by now")
  func lagging() async throws {
    fixture.setRules(Self.owners)
    try await fixture.commit(
      set("c/a", ["owner": .string("u")]), set("c/b", ["owner": .string("u")]))
    try await fixture.withListener(user("u")) { listener in
      await listener.add(2, documents("c/a"))
      await listener.add(4, documents("c/b"))
      await listener.add(6, try query(where: ("owner", .string("u"))))
      await listener.add(8, try query("big"))
      _ = try await listener.told()
      try await listener.stall()
      try await fixture.commit(set("c/a", ["owner": .string("v"), "secret": .integer(1)]))
      // More than is kept for a listener.
      let text = UTF8String(String(repeating: "x", count: 900_000))
      for number in 0..<8 {
        try await fixture.commit(set("big/\(number)", ["text": .string(text)]))
      }
      try await fixture.commit(set("c/b", ["owner": .string("u"), "n": .integer(2)]))
      listener.goOn()
      let told = try await listener.told()
      let refused = told.filter { $0.contains(Self.denied) }
      #expect(refused.map { $0.prefix(8) } == ["remove 2"])
      let small = Set(told).subtracting(refused).filter { $0.hasPrefix("c/") }
      #expect(small == ["c/b n=2,owner=u [4]", "c/a out [6]", "c/b n=2,owner=u [6]"])
      #expect(told.count { $0.hasPrefix("big/") } == 8)
    }
  }

  @Test("commits that are told together are judged by what is told of them")
  func merged() async throws {
    fixture.setRules(Self.owners)
    try await fixture.commit(set("c/a", ["owner": .string("u")]))
    try await fixture.withListener(user("u")) { listener in
      _ = try await listener.toldWhenAdding(2, documents("c/a"))
      try await listener.stall()
      try await fixture.commit(set("c/a", ["owner": .string("v"), "secret": .integer(1)]))
      try await fixture.commit(set("c/a", ["owner": .string("u"), "n": .integer(3)]))
      listener.goOn()
      let told = try await listener.told()
      #expect(!told.contains { $0.contains("secret") })
      #expect(told == ["c/a n=3,owner=u [2]"])
    }
  }

  @Test("five hundred targets of a stream are all judged at one change, and other streams go on")
  func many() async throws {
    fixture.setRules("match /{d=**} { allow read; }")
    for number in 0..<10 { try await fixture.commit(set("c/\(number)")) }
    try await fixture.withListener { crowded in
      try await fixture.withListener { other in
        for number in 0..<500 {
          let id = Int32(number + 2)
          await crowded.add(
            id,
            number % 2 == 0 ? documents("c/\(number % 10)") : try query(UTF8String("c\(number)")))
        }
        _ = try await crowded.told()
        _ = try await other.toldWhenAdding(2, documents("c/0"))
        // Half of them: the documents.
        fixture.setRules("match /c/{d} { allow get: if d == '0'; } match /{d=**} { allow list; }")
        #expect(try await other.told() == [])
        let told = try await crowded.told()
        let expected = (0..<500).filter { $0 % 2 == 0 && $0 % 10 != 0 }.map { "remove \($0 + 2)" }
        #expect(told.count == expected.count && told.allSatisfy { $0.contains(Self.denied) })
        #expect(
          told.map { $0.prefix { $0 != "p" }.dropLast() }.elementsEqual(expected) { $0 == $1 })
        fixture.setRules("")
        #expect(
          try await other.told() == ["remove 2 permissionDenied No matching allow statements"])
        let rest = try await crowded.told()
        #expect(rest.count == 300)
        #expect(rest.allSatisfy { $0.contains(Self.denied) })
        try await fixture.commit(set("c/0", ["n": .integer(1)]))
        #expect(try await crowded.told() == [])
      }
    }
  }
}
