package import Coding
internal import FirestoreModel
internal import Synchronization

/// The project that the requests are expected to name. Others are served too and each is told of once, or they are refused.
package final class ExpectedProject: Sendable {
  /// So many other projects are told of; who uses more knows by then.
  private static let mostOthers = 100

  private let project: UTF8String
  private let refusesOthers: Bool
  private let report: @Sendable (_ warning: String) -> Void
  private let others = Mutex<Set<UTF8String>>([])

  /// `report` is given a sentence on each other project.
  package init(
    _ project: UTF8String, refusesOthers: Bool, report: @escaping @Sendable (String) -> Void
  ) {
    self.project = project
    self.refusesOthers = refusesOthers
    self.report = report
  }

  /// Takes note of the project of a request.
  ///
  /// - Throws: `.invalidArgument` if it is another one and others are refused.
  func note(_ requested: UTF8String) throws(FirestoreError) {
    guard requested != project else { return }
    if refusesOthers { throw .invalidArgument(sentence("permitted", requested)) }
    let isNew = others.withLock { others in
      others.count < Self.mostOthers && others.insert(requested).inserted
    }
    if isNew { report(sentence("recommended", requested)) }
  }

  /// The official emulator's text.
  private func sentence(_ what: String, _ requested: UTF8String) -> String {
    """
    Multiple projectIds are not \(what) in single project mode. Requested project ID \(requested.string), but the \
    emulator is configured for \(project.string). To opt-out of single project mode add/set the \
    '"singleProjectMode": false' property in the firebase.json emulators config.
    """
  }
}
