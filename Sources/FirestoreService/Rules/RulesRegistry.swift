package import Coding
package import FirestoreModel
package import SecurityRules
internal import Synchronization

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

  /// A set of rules, and what judges by it; `nil` if it has errors.
  final class Entry: Sendable {
    let ruleset: Ruleset
    let rules: ServiceRules?

    init(_ ruleset: Ruleset) {
      self.ruleset = ruleset
      rules = ServiceRules(firestore: ruleset)
    }
  }

  /// Whether there are any: a request without rules looks at nothing else.
  private let isInForce = Atomic<Bool>(false)
  let decoded = DecodedDocuments()
  private let entries = Mutex<[Scope: Entry]>([:])

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
    let entry = Entry(ruleset)
    entries.withLock { $0[scope] = entry }
    isInForce.store(true, ordering: .releasing)
    changed.withLock { $0 }? { self.entry(for: $0) === entry }
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
    entry(for: scope)?.rules
  }

  /// What judges requests for `database`; `nil` if everything is allowed there.
  func entry(for database: DatabaseName) -> Entry? {
    entry(for: .database(database))
  }

  private func entry(for scope: Scope) -> Entry? {
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
  private func entry(of name: DatabaseName, in entries: [Scope: Entry]) -> Entry? {
    let (project, database) = (
      entries[.project(name.project)], entries[.everyProject(database: name.database)]
    )
    return name.database == Self.defaultDatabase ? project ?? database : database ?? project
  }
}
