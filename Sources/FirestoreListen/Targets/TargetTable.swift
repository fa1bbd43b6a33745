internal import FirestoreModel

/// The targets of a stream by their ids.
struct TargetTable {
  enum Admission {
    /// The target has this id.
    case admitted(Int32)
    /// The target is none.
    case refused(FirestoreError)
    /// Nothing sensible can follow on the stream.
    case broken(FirestoreError)
  }

  static let limit = 1_000
  private(set) var targets: [Int32: ActiveTarget] = [:]
  /// The last id that was chosen here; `nil` while clients choose.
  private var lastChosen: Int32?

  var inOrder: [ActiveTarget] { targets.values.sorted { $0.key < $1.key } }

  /// The id for a target that is asked for under `id`.
  mutating func admit(_ id: Int32) -> Admission {
    guard id >= 0 else { return .broken(.invalidArgument("A target id must not be negative.")) }
    guard targets[id] == nil else {
      return .broken(.invalidArgument("The target id \(id) is in use on this stream."))
    }
    guard targets.count < Self.limit else {
      return .refused(
        FirestoreError(.resourceExhausted, "A stream has at most \(Self.limit) targets."))
    }
    guard id == 0 else {
      return lastChosen == nil
        ? .admitted(id)
        : .refused(.invalidArgument("Targets with and without an id can't be on one stream."))
    }
    var next = lastChosen ?? 0
    repeat { next = next == .max ? 1 : next + 1 } while targets[next] != nil
    lastChosen = next
    return .admitted(next)
  }

  mutating func insert(_ target: ActiveTarget) {
    targets[target.id] = target
  }

  mutating func remove(_ id: Int32) -> ActiveTarget? {
    targets.removeValue(forKey: id)
  }
}
