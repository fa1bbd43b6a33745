package import Coding
package import SecurityRules
internal import Synchronization

/// The rules of Cloud Storage in force: one set for all buckets, or one for each.
package final class StorageRules: Sendable {
  /// Gives the documents of Firestore that the rules of a bucket may look at.
  package typealias Documents = @Sendable (_ bucket: UTF8String) -> any RulesDocuments

  private enum Scope {
    case everywhere(RulesInForce)
    case buckets([UTF8String: RulesInForce])
  }

  /// Whether there are any: a request without rules looks at nothing else.
  private let isInForce = Atomic<Bool>(false)
  private let scope = Mutex<Scope>(.buckets([:]))
  let documents: Documents
  /// The microseconds since 1970.
  let now: @Sendable () -> Int64
  /// Told of denials, with what explains them; `nil` if nobody wants to know.
  let report: (@Sendable (DenialReport) -> Void)?

  package init(
    documents: @escaping Documents, now: @escaping @Sendable () -> Int64,
    report: (@Sendable (DenialReport) -> Void)? = nil
  ) {
    self.documents = documents
    self.now = now
    self.report = report
  }

  /// Puts `ruleset` in force for all buckets, from the next request on. With errors in it every request is refused.
  package func set(_ ruleset: Ruleset) {
    put(.everywhere(RulesInForce(storage: ruleset)))
  }

  /// Puts a set in force for each of some buckets; requests for others are refused.
  package func set(_ rulesets: [UTF8String: Ruleset]) {
    put(.buckets(rulesets.mapValues { RulesInForce(storage: $0) }))
  }

  /// Puts `ruleset` in force for some buckets. Others keep sets of their own; one for all buckets ends.
  package func set(_ ruleset: Ruleset, for buckets: [UTF8String]) {
    let entry = RulesInForce(storage: ruleset)
    scope.withLock { scope in
      var entries: [UTF8String: RulesInForce] = [:]
      if case .buckets(let others) = scope { entries = others }
      for bucket in buckets { entries[bucket] = entry }
      scope = .buckets(entries)
    }
    isInForce.store(true, ordering: .releasing)
  }

  private func put(_ new: Scope) {
    scope.withLock { $0 = new }
    isInForce.store(true, ordering: .releasing)
  }

  /// What judges requests for `bucket`; `.some(nil)` if nothing does and so nothing is allowed, `nil` if everything is.
  func entry(for bucket: UTF8String) -> RulesInForce?? {
    guard isInForce.load(ordering: .acquiring) else { return nil }
    return .some(
      scope.withLock { scope in
        switch scope {
        case .everywhere(let entry): entry
        case .buckets(let entries): entries[bucket]
        }
      })
  }

  /// The rules of `bucket`, or where all buckets have the same of all, with what judges by them and has their coverage; `nil` if
  /// there are none.
  package func ruleset(for bucket: UTF8String?) -> (ruleset: Ruleset, rules: ServiceRules?)? {
    scope.withLock { scope in
      switch scope {
      case .everywhere(let entry): (entry.ruleset, entry.original)
      case .buckets(let entries):
        bucket.flatMap { entries[$0] }.map { ($0.ruleset, $0.original) }
      }
    }
  }
}
