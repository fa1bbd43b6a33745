internal import FirestoreModel

extension [Write] {
  /// A document that is verified has no other write in a commit.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  func checkVerifications() throws(FirestoreError) {
    guard contains(where: \.isVerification) else { return }
    var isVerified: [DocumentName: Bool] = [:]
    for write in self {
      let earlier = isVerified.updateValue(write.isVerification, forKey: write.name)
      let problem: String
      switch (earlier, write.isVerification) {
      case (nil, _), (false, false): continue
      case (false, true): problem = "written and then verified"
      case (true, false): problem = "verified and then written"
      case (true, true): problem = "verified more than once"
      }
      throw .invalidArgument("the same document cannot be \(problem) in a single request")
    }
  }
}

extension Write {
  fileprivate var isVerification: Bool {
    switch operation {
    case .verify: true
    case .update, .delete: false
    }
  }
}
