internal import Coding
package import FirestoreEngine
package import FirestoreListen
internal import FirestoreModel
internal import Synchronization

/// The operations of Firestore, each in a file of its own: who asks is admitted or refused, the engine does the work.
package final class FirestoreOperations: Sendable {
  let engine: Engine
  let hub: ListenHub
  let expectedProject: ExpectedProject?
  /// The security rules in force.
  package let rules: RulesRegistry
  /// How many Write streams were opened.
  let writeStreams = Atomic<Int>(0)
  private let random: Mutex<any RandomNumberGenerator & Sendable>

  /// `hub` is fed by `engine`; `random` makes the ids of documents that are created without one; `expectedProject` is `nil`
  /// where any project is as good as another.
  package init(
    engine: Engine, hub: ListenHub, expectedProject: ExpectedProject? = nil,
    rules: RulesRegistry = RulesRegistry(),
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.engine = engine
    self.hub = hub
    self.expectedProject = expectedProject
    self.rules = rules
    self.random = Mutex(random)
    rules.attend { [hub] concerns in hub.judgeAgain(where: concerns) }
  }

  /// An id for a new document: 20 letters and digits.
  func automaticID() -> UTF8String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    return random.withLock { random in
      var id = ""
      for _ in 0..<20 { id.append(alphabet[Self.next(below: alphabet.count, &random)]) }
      return UTF8String(id)
    }
  }

  private static func next(
    below count: Int, _ random: inout any RandomNumberGenerator & Sendable
  ) -> Int {
    func next(_ random: inout some RandomNumberGenerator) -> Int {
      Int.random(in: 0..<count, using: &random)
    }
    return next(&random)
  }
}
