internal import Coding
internal import FirestoreModel

/// Joins what several targets say about documents: one message for each document.
struct SnapshotBuilder {
  private enum State {
    case exists(SharedDocument)
    case isGone
    /// Only known to be out of view.
    case unknown
  }

  private struct Line {
    let name: DocumentName
    var state: State
    var matching: [Int32] = []
    var left: [Int32] = []
  }

  private var lines: [Line] = []
  private var places: [DocumentPath: Int] = [:]
  /// Documents of targets that get a part of the fields.
  private var projected: [ListenMessage] = []
  /// Targets whose clients forget first.
  private var reset: [Int32] = []
  /// Targets that are over.
  private var failed: [(id: Int32, cause: FirestoreError)] = []

  /// - Throws: `DATA_LOSS` if a document can't be read.
  mutating func append(
    _ effect: TargetEffect, of target: ActiveTarget
  ) throws(FirestoreError) {
    switch effect {
    case .matches(let shared):
      if case .query(let query) = target.selection, query.isProjected {
        let document = SharedDocument(try query.query.projected(shared.document))
        projected.append(.changed(document, targets: [target.id], left: []))
      } else {
        update(shared.document.name, .exists(shared)) { $0.matching.append(target.id) }
      }
    case .left(let shared):
      update(shared.document.name, .exists(shared)) { $0.left.append(target.id) }
    case .leftView(let name): update(name, .unknown) { $0.left.append(target.id) }
    case .deleted(let name): update(name, .isGone) { $0.left.append(target.id) }
    }
  }

  mutating func reset(_ target: ActiveTarget) {
    reset.append(target.id)
  }

  mutating func fail(_ target: ActiveTarget, _ cause: FirestoreError) {
    failed.append((target.id, cause))
  }

  private mutating func update(
    _ name: DocumentName, _ state: State, _ change: (inout Line) -> Void
  ) {
    let place = places[name.path] ?? lines.count
    if place == lines.count {
      places[name.path] = place
      lines.append(Line(name: name, state: state))
    } else if case .unknown = lines[place].state {
      lines[place].state = state
    }
    change(&lines[place])
  }

  /// All messages, the snapshot last; none if nothing happened.
  func messages(at moment: ListenMoment) -> [ListenMessage] {
    var messages = failed.map { ListenMessage.removed($0.id, cause: $0.cause) }
    if !reset.isEmpty { messages.append(.reset(reset, moment)) }
    for line in lines {
      switch line.state {
      case .exists(let shared):
        messages.append(.changed(shared, targets: line.matching, left: line.left))
      case .isGone: messages.append(.deleted(line.name, moment.readTime, left: line.left))
      case .unknown: messages.append(.leftView(line.name, moment.readTime, left: line.left))
      }
    }
    messages += projected
    if !reset.isEmpty { messages.append(.current(reset, moment)) }
    return messages.isEmpty ? [] : messages + [.snapshot(moment)]
  }
}
