package import Coding
package import FirestoreModel
package import SecurityRules
internal import Synchronization
internal import Threading

/// The rules in force: one set for each database, or for all of a project, or for all there are.
package final class RulesRegistry: Sendable {
  /// Which databases a set of rules is for.
  package enum Scope: Hashable, Sendable {
    case everywhere
    /// The databases of this name in all projects.
    case everyProject(database: UTF8String)
    case project(UTF8String)
    case database(DatabaseName)
  }

  /// What the rules of the database are that a thread has asked for last.
  private final class Latest: Sendable {
    let database: DatabaseName
    /// Which change of the rules it was.
    let change: Int
    let rules: (all: RulesInForce, judge: ServiceRules?)?

    init(_ database: DatabaseName, _ change: Int, _ rules: RulesInForce?) {
      self.database = database
      self.change = change
      self.rules = rules.map { ($0, $0.rules) }
    }
  }

  /// Whether there are any: a request without rules looks at nothing else.
  private let isInForce = Atomic<Bool>(false)
  let decoded = DecodedDocuments()
  private let entries = Mutex<[Scope: RulesInForce]>([:])
  /// Rises when rules change.
  private let changes = Atomic<Int>(0)
  private let latest = PerThread<Latest?>(nil)

  /// Told that rules have changed, and asks which databases they are for.
  typealias Attendant = @Sendable (_ concerns: (DatabaseName) -> Bool) -> Void

  private let changed = Mutex<Attendant?>(nil)

  /// Told of denials, with what explains them; `nil` if nobody wants to know.
  let report: (@Sendable (DenialReport) -> Void)?

  package init(report: (@Sendable (DenialReport) -> Void)? = nil) {
    self.report = report
  }

  /// Puts `ruleset` in force for `scope`, from the next request on. With errors in it every request is refused.
  package func set(_ ruleset: Ruleset, for scope: Scope) {
    let rules = RulesInForce(firestore: ruleset)
    entries.withLock { $0[scope] = rules }
    changes.add(1, ordering: .releasing)
    isInForce.store(true, ordering: .releasing)
    changed.withLock { $0 }? { self.entry(for: .database($0)) === rules }
  }

  /// Calls `body` from now on when rules have changed, instead of what was called before.
  func attend(_ body: @escaping Attendant) {
    changed.withLock { $0 = body }
  }

  /// What was set for `scope`, or for the wider ones around it.
  package func ruleset(for scope: Scope) -> Ruleset? {
    entry(for: scope)?.ruleset
  }

  /// What judges by the rules of `scope`, with its coverage; `nil` if there are none or they have errors.
  package func serviceRules(for scope: Scope) -> ServiceRules? {
    entry(for: scope)?.original
  }

  /// Whether there are rules for `database`; if not, everything is allowed there.
  func bind(_ database: DatabaseName) -> Bool { entry(for: .database(database)) != nil }

  /// The rules for `database` with what judges by them; `nil` if everything is allowed there.
  func rules(for database: DatabaseName) -> (all: RulesInForce, judge: ServiceRules?)? {
    guard isInForce.load(ordering: .acquiring) else { return nil }
    let change = changes.load(ordering: .acquiring)
    if let latest = latest.withValue({ $0 }), latest.change == change,
      latest.database == database
    {
      return latest.rules
    }
    let found = Latest(database, change, entry(for: .database(database)))
    latest.withValue { $0 = found }
    return found.rules
  }

  private func entry(for scope: Scope) -> RulesInForce? {
    guard isInForce.load(ordering: .acquiring) else { return nil }
    return entries.withLock { entries in
      switch scope {
      case .everywhere: entries[.everywhere]
      case .everyProject: entries[scope] ?? entries[.everywhere]
      case .project:
        entries[scope] ?? entries[.everyProject(database: Self.defaultDatabase)]
          ?? entries[.everywhere]
      case .database(let name):
        entries[scope] ?? entry(of: name, in: entries) ?? entries[.everywhere]
      }
    }
  }

  private static let defaultDatabase: UTF8String = "(default)"

  /// What is set for a project is first of all for its database `(default)`: another one that has rules of its own keeps those.
  private func entry(of name: DatabaseName, in entries: [Scope: RulesInForce]) -> RulesInForce? {
    let (project, database) = (
      entries[.project(name.project)], entries[.everyProject(database: name.database)]
    )
    return name.database == Self.defaultDatabase ? project ?? database : database ?? project
  }
}
