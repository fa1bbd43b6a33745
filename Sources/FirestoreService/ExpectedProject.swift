package import Coding
internal import Synchronization

/// The project that the requests are expected to name. Others are served too, and each is told of once.
package final class ExpectedProject: Sendable {
  /// So many other projects are told of; who uses more knows by then.
  private static let mostOthers = 100

  private let project: UTF8String
  private let report: @Sendable (UTF8String) -> Void
  private let others = Mutex<Set<UTF8String>>([])

  /// `report` is told the id of each other project.
  package init(_ project: UTF8String, report: @escaping @Sendable (UTF8String) -> Void) {
    self.project = project
    self.report = report
  }

  /// Takes note of the project of a request.
  func note(_ requested: UTF8String) {
    guard requested != project else { return }
    let isNew = others.withLock { others in
      others.count < Self.mostOthers && others.insert(requested).inserted
    }
    if isNew { report(requested) }
  }
}
