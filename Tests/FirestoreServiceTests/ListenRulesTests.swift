import Coding
import FirestoreEngine
import FirestoreListen
import FirestoreModel
import FirestoreService
import HibachiTesting
import Testing

/// What rules do to those who listen, as the official emulator 1.19.9 does it, but at once where rules change.
@Suite("Listeners under rules")
struct ListenRulesTests {
  private let fixture: ListenRulesFixture

  private static let owners =
    "match /c/{d} { allow read: if resource.data.owner == request.auth.uid; }"
  private static let admins = """
    match /c/{d} {
      allow read: if get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role == 'admin';
    }
    """

  init() throws {
    fixture = try ListenRulesFixture()
  }

  /// That a target was refused with this text.
  private func refusal(_ id: Int32, _ text: String) -> String {
    "remove \(id) permissionDenied \(text)"
  }

  private func noStatement(_ id: Int32) -> String {
    "remove \(id) permissionDenied No matching allow statements"
  }

  // MARK: - Rules that change

  @Test("targets that new rules refuse are over, and the others of the stream live on")
  func stricter() async throws {
    fixture.setRules("match /{d=**} { allow read; }")
    try await fixture.commit(set("c/a", ["n": .integer(1)]), set("o/x", ["n": .integer(1)]))
    try await fixture.withListener { listener in
      #expect(
        try await listener.toldWhenAdding(2, documents("c/a"))
          == ["add 2", "c/a n=1 [2]", "current [2]"])
      #expect(
        try await listener.toldWhenAdding(4, query()) == ["add 4", "c/a n=1 [4]", "current [4]"])
      #expect(
        try await listener.toldWhenAdding(6, query("o")) == ["add 6", "o/x n=1 [6]", "current [6]"])
      fixture.setRules("match /o/{d} { allow read; }")
      #expect(try await listener.told() == [noStatement(2), noStatement(4)])
      try await fixture.commit(set("c/a", ["n": .integer(2)]), set("o/x", ["n": .integer(2)]))
      #expect(try await listener.told() == ["o/x n=2 [6]"])
      // Their ids are free again.
      fixture.setRules("match /{d=**} { allow read; }")
      #expect(
        try await listener.toldWhenAdding(2, documents("c/a"))
          == ["add 2", "c/a n=2 [2]", "current [2]"])
    }
  }

  @Test("rules that still allow a target leave it alone, whatever else they say")
  func stillAllowed() async throws {
    fixture.setRules("match /c/{d} { allow read; }")
    try await fixture.commit(set("c/a", ["n": .integer(1)]))
    try await fixture.withListener(user("u")) { listener in
      await listener.add(2, documents("c/a"))
      await listener.add(4, try query())
      _ = try await listener.told()
      for condition in ["true", "request.auth.uid == 'u'", "d == 'a' || request.method == 'list'"] {
        fixture.setRules("match /c/{d} { allow read: if \(condition); }")
        #expect(try await listener.told() == [])
      }
      try await fixture.commit(set("c/a", ["n": .integer(2)]))
      #expect(try await listener.told() == ["c/a n=2 [2, 4]"])
    }
  }

  @Test("the first rules there are bind those who listen already, but no administrator")
  func fromNoRules() async throws {
    try await fixture.commit(set("c/a", ["n": .integer(1)]))
    try await fixture.withListener { listener in
      try await fixture.withListener(.administrator) { administrator in
        for client in [listener, administrator] {
          await client.add(2, documents("c/a"))
          await client.add(4, try query())
          _ = try await client.told()
        }
        fixture.setRules("match /c/{d} { allow read: if false; }")
        #expect(
          try await listener.told() == [
            refusal(2, "false for 'get' @ L4"), refusal(4, "false for 'list' @ L4"),
          ])
        #expect(try await administrator.told() == [])
        try await fixture.commit(set("c/a", ["n": .integer(2)]))
        #expect(try await administrator.told() == ["c/a n=2 [2, 4]"])
        #expect(try await listener.told() == [])
      }
    }
  }

  @Test(
    "rules with errors, where they are put in force, refuse all as invalid, until they are mended")
  func errors() async throws {
    fixture.setRules("match /c/{d} { allow read; }")
    try await fixture.withListener(user("u")) { listener in
      await listener.add(2, documents("c/a"))
      _ = try await listener.told()
      fixture.setRules("match /c/{d} { allow read: if; }")
      let text = "Error compiling rules:"
      try await listener.wait(
        for: "remove 2 invalidArgument \(text)")
      await listener.add(3, documents("c/a"))
      try await listener.wait(
        for: "remove 3 invalidArgument \(text)")
      fixture.setRules("match /c/{d} { allow read; }")
      await listener.add(4, documents("c/a"))
      try await listener.wait(for: "current [4]")
    }
  }

  @Test("rules of one database are nothing to listeners of another")
  func otherDatabases() async throws {
    let (other, project) = (
      DatabaseName(project: "p", database: "other"),
      DatabaseName(project: "q", database: "(default)")
    )
    fixture.setRules("match /c/{d} { allow read; }", for: .everywhere)
    fixture.setRules("match /c/{d} { allow read; }", for: .database(other))
    for database in [other, project] {
      try await fixture.commit(set("c/a", ["n": .integer(1)], in: database))
    }
    try await fixture.withListener { listener in
      try await fixture.withListener(in: other) { inOther in
        try await fixture.withListener(in: project) { inProject in
          await listener.add(2, documents("c/a"))
          await inOther.add(2, documents("c/a", in: other))
          await inProject.add(2, documents("c/a", in: project))
          for client in [listener, inOther, inProject] { _ = try await client.told() }
          fixture.setRules("")
          #expect(try await listener.told() == [noStatement(2)])
          #expect(try await inOther.told() == [])
          #expect(try await inProject.told() == [])
          fixture.setRules("", for: .database(other))
          #expect(try await inOther.told() == [noStatement(2)])
          fixture.setRules("", for: .everywhere)
          #expect(try await inProject.told() == [noStatement(2)])
        }
      }
    }
  }

  @Test("only listeners of databases that new rules are for are judged again")
  func judgedAgain() async throws {
    let other = DatabaseName(project: "q", database: "(default)")
    fixture.setRules(Self.admins, for: .everywhere)
    for database in [ListenRulesFixture.database, other] {
      try await fixture.commit(
        set("users/u", ["role": .string("admin")], in: database))
    }
    try await fixture.withListener(user("u"), in: other) { listener in
      _ = try await listener.toldWhenAdding(2, documents("c/a", in: other))
      try await fixture.commit(set("users/u", ["role": .string("none")], in: other))
      fixture.setRules(Self.admins)
      #expect(try await listener.told() == [])
      fixture.setRules(Self.admins, for: .project("q"))
      #expect(
        try await listener.told().map { $0.prefix(25) } == ["remove 2 permissionDenied"])
    }
  }

  // MARK: - Documents that change

  /// An administrator by `users/u`, who listens to `c/a` as a document and to all of `c`.
  private func withAdmin(_ body: (RuledListener) async throws -> Void) async throws {
    fixture.setRules(Self.admins)
    try await fixture.commit(
      set("c/a", ["n": .integer(1)]), set("users/u", ["role": .string("admin")]))
    try await fixture.withListener(user("u")) { listener in
      await listener.add(2, documents("c/a"))
      await listener.add(4, try query())
      _ = try await listener.told()
      try await body(listener)
    }
  }

  @Test("a document that rules look at by get() counts when the target has something to tell")
  func role() async throws {
    try await withAdmin { listener in
      try await fixture.commit(set("users/u", ["role": .string("none")]))
      #expect(try await listener.told() == [])
      try await fixture.commit(set("c/b", ["n": .integer(2)]))
      #expect(
        try await listener.told()
          == [refusal(4, "evaluation error at L5:18 for 'list' @ L5, false for 'list' @ L5")])
      try await fixture.commit(set("c/a", ["n": .integer(2)]))
      #expect(
        try await listener.told()
          == [refusal(2, "evaluation error at L5:18 for 'get' @ L5, false for 'get' @ L5")])
      await listener.add(6, documents("c/a"))
      #expect(try await listener.told().last?.prefix(25) == "remove 6 permissionDenied")
      try await fixture.commit(set("users/u", ["role": .string("admin")]))
      #expect(
        try await listener.toldWhenAdding(6, documents("c/a"))
          == ["add 6", "c/a n=2 [6]", "current [6]"])
    }
  }

  @Test("what takes the right and changes the document in one commit tells nothing of the change")
  func together() async throws {
    try await withAdmin { listener in
      try await fixture.commit(
        set("users/u", ["role": .string("none")]), set("c/a", ["n": .integer(2)]))
      #expect(
        try await listener.told().map { $0.prefix(25) }
          == ["remove 2 permissionDenied", "remove 4 permissionDenied"])
    }
  }

  @Test("a document of another owner, a deleted one and one of many are refused with their target")
  func owner() async throws {
    fixture.setRules(Self.owners)
    let mine: KeyValuePairs<String, Value> = ["owner": .string("u"), "n": .integer(1)]
    for path in ["c/a", "c/b", "c/d", "c/e"] { try await fixture.commit(set(path, mine)) }
    try await fixture.withListener(user("u")) { listener in
      await listener.add(2, documents("c/a"))
      await listener.add(4, documents("c/b"))
      await listener.add(6, documents("c/d", "c/e"))
      _ = try await listener.told()
      try await fixture.commit(set("c/a", ["owner": .string("u"), "n": .integer(2)]))
      #expect(try await listener.told() == ["c/a n=2,owner=u [2]"])
      try await fixture.commit(set("c/a", ["owner": .string("v"), "n": .integer(3)]))
      let changed = "evaluation error at L4:31 for 'get' @ L4, false for 'get' @ L4"
      #expect(try await listener.told() == [refusal(2, changed)])
      try await fixture.commit(set("c/a", mine))
      #expect(try await listener.told() == [])
      try await fixture.commit(Write(.delete(name("c/b"))))
      #expect(
        try await listener.told() == [
          refusal(4, "evaluation error at L4:31 for 'get' @ L4, Null value error. for 'get' @ L4")
        ])
      try await fixture.commit(set("c/e", ["owner": .string("v")]))
      #expect(try await listener.told().map { $0.prefix(25) } == ["remove 6 permissionDenied"])
    }
  }

  @Test("clearing a database refuses what only its documents allowed")
  func cleared() async throws {
    fixture.setRules(
      "match /c/{d} { allow get: if resource.data.owner == request.auth.uid; allow list; }")
    try await fixture.commit(set("c/a", ["owner": .string("u")]))
    try await fixture.withListener(user("u")) { listener in
      await listener.add(2, documents("c/a"))
      await listener.add(4, try query())
      _ = try await listener.told()
      try await fixture.operations.clear(ListenRulesFixture.database)
      let told = try await listener.told()
      #expect(
        told == [
          refusal(2, "evaluation error at L4:30 for 'get' @ L4, Null value error. for 'get' @ L4"),
          "reset [4]", "current [4]",
        ])
    }
  }

  // MARK: - Queries

  @Test("a query is proved by its filters, when it begins and when rules change")
  func proofs() async throws {
    fixture.setRules(Self.owners)
    try await fixture.commit(
      set("c/a", ["owner": .string("u")]), set("c/b", ["owner": .string("v")]))
    try await fixture.withListener(user("u")) { listener in
      let (mine, published) = (("owner", Value.string("u")), ("pub", Value.boolean(true)))
      await listener.add(2, try query(where: mine))
      await listener.add(4, try query(where: mine, published))
      #expect(
        try await listener.told() == [
          "add 2", "c/a owner=u [2]", "current [2]", "add 4", "current [4]",
        ])
      #expect(
        try await listener.toldWhenAdding(6, query(where: ("owner", .string("v"))))
          == ["add 6", refusal(6, "false for 'list' @ L4")])
      #expect(
        try await listener.toldWhenAdding(8, query())
          == ["add 8", refusal(8, "Property owner is undefined on object. for 'list' @ L4")])
      fixture.setRules(
        "match /c/{d} { allow list: if resource.data.owner == request.auth.uid && resource.data.pub; }"
      )
      #expect(
        try await listener.told()
          == [refusal(2, "Property pub is undefined on object. for 'list' @ L4")])
      try await fixture.commit(set("c/a", ["owner": .string("u"), "pub": .boolean(true)]))
      #expect(try await listener.told() == ["c/a owner=u,pub=true [4]"])
    }
  }

  @Test("limits are proved too, and a name is looked up")
  func limits() async throws {
    fixture.setRules("match /c/{d} { allow list: if request.query.limit <= 2; }")
    try await fixture.commit(
      set("c/a", ["owner": .string("u")]), set("c/b", ["owner": .string("v")]))
    try await fixture.withListener(user("u")) { listener in
      await listener.add(2, try query(limit: 2))
      await listener.add(4, try query(limit: 1))
      _ = try await listener.told()
      fixture.setRules("match /c/{d} { allow list: if request.query.limit <= 1; }")
      #expect(try await listener.told() == [refusal(2, "false for 'list' @ L4")])
      try await fixture.commit(set("c/a", ["n": .integer(2)]))
      #expect(try await listener.told() == ["c/a n=2 [4]"])

      fixture.setRules(Self.owners)
      #expect(try await listener.told().map { $0.prefix(25) } == ["remove 4 permissionDenied"])
      try await fixture.commit(set("c/a", ["owner": .string("u")]))
      let named = try query(where: ("__name__", .reference(name("c/a"))))
      #expect(
        try await listener.toldWhenAdding(6, named) == ["add 6", "c/a owner=u [6]", "current [6]"])
      try await fixture.commit(set("c/a", ["owner": .string("v")]))
      #expect(try await listener.told().map { $0.prefix(25) } == ["remove 6 permissionDenied"])
    }
  }

  @Test("of a document that a query finds no longer nothing is told that may not be read")
  func left() async throws {
    fixture.setRules(Self.owners)
    let mine: KeyValuePairs<String, Value> = ["owner": .string("u"), "open": .boolean(true)]
    for path in ["c/a", "c/b"] { try await fixture.commit(set(path, mine)) }
    try await fixture.withListener(user("u")) { listener in
      let asked = (("owner", Value.string("u")), ("open", Value.boolean(true)))
      await listener.add(2, try query(where: asked.0, asked.1))
      await listener.add(4, try query(where: asked.0, limit: 5))
      _ = try await listener.told()
      let denials = fixture.denials.number
      try await fixture.commit(set("c/a", ["owner": .string("v"), "secret": .integer(1)]))
      #expect(try await listener.told() == ["c/a out [2, 4]"])
      try await fixture.commit(set("c/b", ["owner": .string("u"), "open": .boolean(false)]))
      #expect(try await listener.told() == ["c/b open=false,owner=u [4] left [2]"])
      #expect(fixture.denials.number == denials, "nobody asked")
    }
  }
}
