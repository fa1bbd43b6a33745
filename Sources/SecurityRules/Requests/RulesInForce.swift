internal import Synchronization
internal import Threading

/// A set of rules in force. Each thread judges by a copy of its own, so that threads do not wait for each other: the first to judge
/// by what was compiled with the set, the others by a copy made then. All count for the same coverage.
package final class RulesInForce: Sendable {
  package let ruleset: Ruleset
  /// Tells of the coverage; `nil` if the set has errors.
  package let original: ServiceRules?
  private let isOriginalTaken = Atomic<Bool>(false)
  private let make: @Sendable (Ruleset) -> ServiceRules?
  private let copies = PerThread<ServiceRules?>(nil)

  /// The rules of Cloud Firestore in a set.
  package convenience init(firestore ruleset: Ruleset) {
    self.init(ruleset) { ServiceRules(firestore: $0) }
  }

  /// The rules of Cloud Storage in a set.
  package convenience init(storage ruleset: Ruleset) {
    self.init(ruleset) { ServiceRules(storage: $0) }
  }

  private init(_ ruleset: Ruleset, _ make: @escaping @Sendable (Ruleset) -> ServiceRules?) {
    self.ruleset = ruleset
    self.make = make
    original = make(ruleset)
  }

  /// What judges; `nil` if the set has errors.
  package var rules: ServiceRules? {
    guard let original else { return nil }
    return copies.withValue { copy in
      if let copy { return copy }
      let isFirst = !isOriginalTaken.exchange(true, ordering: .relaxed)
      copy =
        isFirst
        ? original
        : make(Ruleset(name: ruleset.name, content: ruleset.content))?
          .counted(by: original.coverage)
      return copy
    }
  }
}
