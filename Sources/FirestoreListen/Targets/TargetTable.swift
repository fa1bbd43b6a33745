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
  private var targets: [TargetKey: ActiveTarget] = [:]
  private var keys: [Int32: TargetKey] = [:]
  /// The last id that was chosen here; `nil` while clients choose.
  private var lastChosen: Int32?

  var isEmpty: Bool { targets.isEmpty }

  var inOrder: [ActiveTarget] { targets.values.sorted { $0.key < $1.key } }

  var keysInOrder: [TargetKey] { targets.keys.sorted() }

  /// The id for a target that is asked for under `id`.
  mutating func admit(_ id: Int32) -> Admission {
    guard id >= 0 else { return .broken(.invalidArgument("A target id must not be negative.")) }
    guard keys[id] == nil else {
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
    repeat { next = next == .max ? 1 : next + 1 } while keys[next] != nil
    lastChosen = next
    return .admitted(next)
  }

  mutating func insert(_ target: ActiveTarget) {
    targets[target.key] = target
    keys[target.id] = target.key
  }

  mutating func remove(_ id: Int32) -> ActiveTarget? {
    keys.removeValue(forKey: id).flatMap { targets.removeValue(forKey: $0) }
  }

  subscript(key: TargetKey) -> ActiveTarget? { targets[key] }
}
