internal import Coding

extension Filter {
  /// Checks operands, combinations and the size of the normal form.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  func check(in database: DatabaseName) throws(FirestoreError) {
    try checkTree(in: database)
    let conditions = conditions
    var negations = 0
    var hasNotIn = false
    var hasDisjunction = hasOr
    for (_, condition) in conditions {
      switch condition {
      case .notIn:
        hasNotIn = true
        negations += 1
      case .notEqual, .isNotNull, .isNotNaN: negations += 1
      case .in, .arrayContainsAny: hasDisjunction = true
      case .equal, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .arrayContains,
        .isNull, .isNaN:
        break
      }
    }
    guard negations <= 1 else {
      throw .invalidArgument(
        "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per "
          + "query.")
    }
    guard !(hasNotIn && hasDisjunction) else {
      throw .invalidArgument(
        "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'.")
    }
    guard arrayContainments <= 1 else {
      throw .invalidArgument(
        "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.")
    }
    let count = disjunctions
    guard count <= 30 else {
      throw .invalidArgument(
        "Too many disjunctions after normalization. Result had \(count) disjunctions which is "
          + "more than the maximum of 30")
    }
  }

  /// The most array conditions in one disjunction. Of equal members of one AND the first counts, as in the official emulator.
  private var arrayContainments: Int {
    switch self {
    case .and(let filters):
      var counted: Set<Filter> = []
      return filters.reduce(0) { sum, filter in
        let count = filter.arrayContainments
        return count > 0 && counted.insert(filter).inserted ? sum + count : sum
      }
    case .or(let filters): return filters.map(\.arrayContainments).max() ?? 0
    case .field(_, .arrayContains), .field(_, .arrayContainsAny): return 1
    case .field: return 0
    }
  }

  private var hasOr: Bool {
    switch self {
    case .and(let filters): filters.contains(where: \.hasOr)
    case .or: true
    case .field: false
    }
  }

  private func checkTree(in database: DatabaseName) throws(FirestoreError) {
    switch self {
    case .and(let filters):
      for filter in filters { try filter.checkTree(in: database) }
    case .or(let filters):
      guard !filters.isEmpty else {
        throw .invalidArgument("Composite filter must have at least one sub-filter.")
      }
      for filter in filters { try filter.checkTree(in: database) }
    case .field(let path, let condition):
      try condition.checkCounts()
      if path.isDocumentName {
        try condition.checkNames(in: database)
      } else {
        try condition.checkSizes(of: path)
      }
    }
  }
}

extension Filter.Condition {
  /// The operands that a field is compared with.
  package var operands: [Value] {
    switch self {
    case .equal(let value), .notEqual(let value), .lessThan(let value),
      .lessThanOrEqual(let value), .greaterThan(let value), .greaterThanOrEqual(let value),
      .arrayContains(let value):
      [value]
    case .in(let values), .notIn(let values), .arrayContainsAny(let values): values
    case .isNull, .isNotNull, .isNaN, .isNotNaN: []
    }
  }

  fileprivate func checkCounts() throws(FirestoreError) {
    let name: String
    let maximum: Int
    switch self {
    case .in: (name, maximum) = ("IN", 30)
    case .notIn: (name, maximum) = ("NOT_IN", 10)
    case .arrayContainsAny: (name, maximum) = ("ARRAY_CONTAINS_ANY", 30)
    case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
      .arrayContains, .isNull, .isNotNull, .isNaN, .isNotNaN:
      return
    }
    guard !operands.isEmpty else {
      throw .invalidArgument("'\(name)' requires an non-empty ArrayValue.")
    }
    guard operands.count <= maximum else {
      throw .invalidArgument("'\(name)' supports up to \(maximum) comparison values.")
    }
  }

  fileprivate func checkNames(in database: DatabaseName) throws(FirestoreError) {
    switch self {
    case .arrayContains, .arrayContainsAny:
      throw .invalidArgument("the name __key__ is reserved")
    case .isNull, .isNotNull, .isNaN, .isNotNaN:
      throw .invalidArgument("__key__ filter value must be a Key")
    case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .in,
      .notIn:
      break
    }
    for operand in operands {
      guard case .reference(let name) = operand else {
        throw .invalidArgument("__key__ filter value must be a Key")
      }
      try name.check(in: database)
    }
  }

  fileprivate func checkSizes(of path: FieldPath) throws(FirestoreError) {
    for operand in operands where operand.storageSize > Limits.indexedBytes {
      throw .invalidArgument("value for \(path.plainText) is too large to be used in a query")
    }
  }
}

extension DocumentName {
  /// - Throws: `INVALID_ARGUMENT` if the document is of another database.
  func check(in database: DatabaseName) throws(FirestoreError) {
    guard self.database == database else {
      throw .invalidArgument(
        "The request was for database '\(database.text)' but was attempting to access database "
          + "'\(self.database.text)'")
    }
  }
}
