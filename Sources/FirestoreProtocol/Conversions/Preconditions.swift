package import FirestoreModel

extension Optional<Precondition> {
  /// The precondition of a request, `nil` where it has none or an empty one.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a time that is none.
  package init(_ message: V1.Precondition?) throws(FirestoreError) {
    switch message?.conditionType {
    case .exists(let exists)?: self = .exists(exists)
    case .updateTime(let time)?: self = .updateTime(try time.checked())
    case nil: self = nil
    }
  }
}
