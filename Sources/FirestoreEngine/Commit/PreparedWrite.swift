package import FirestoreModel

/// A write that was checked as far as that goes without the store, on the caller's thread.
struct PreparedWrite: Sendable {
  enum Action: Sendable {
    /// The fields as they will be stored.
    case replace(StoredFields)
    /// Fields that have to be joined with the stored ones (if there is a mask), and transformed.
    case merge(MapValue, FieldMask?)
    case delete
    case verify
  }

  let name: DocumentName
  let action: Action
  let transforms: [FieldTransform]
  let precondition: Precondition?
  /// As commits count it.
  let size: Int

  /// Whether it may change its document.
  var isChange: Bool {
    switch action {
    case .replace, .merge, .delete: true
    case .verify: false
    }
  }

  /// - Throws: `INVALID_ARGUMENT`.
  init(
    _ write: Write, in database: DatabaseName, checksLimits: Bool
  ) throws(FirestoreError) {
    self.name = write.name
    self.transforms = write.transforms
    self.precondition = write.precondition
    try database.check(name)
    guard !checksLimits || name.path.nameSize <= Limits.nameBytes else {
      throw .invalidArgument("Document name is longer than \(Limits.nameBytes) bytes.")
    }
    switch write.operation {
    case .update(let name, let fields, let mask):
      try Self.check(write.transforms)
      try fields.checkFields()
      guard mask == nil, write.transforms.isEmpty else {
        self.action = .merge(fields, mask)
        self.size = fields.documentSize(at: name.path)
        return
      }
      self.size = try fields.checkSize(at: name.path)
      if checksLimits { try IndexEntries.check(fields, at: name.path, size: size) }
      self.action = .replace(StoredFields(fields))
    case .delete:
      try Self.checkNoTransforms(write, of: "delete")
      self.action = .delete
      self.size = write.name.path.nameSize
    case .verify:
      try Self.checkNoTransforms(write, of: "verify")
      guard write.precondition != nil else {
        throw .invalidArgument("a verify must contain a precondition")
      }
      self.action = .verify
      self.size = write.name.path.nameSize
    }
  }

  private static func checkNoTransforms(
    _ write: Write, of operation: String
  ) throws(FirestoreError) {
    guard write.transforms.isEmpty else {
      throw .invalidArgument("a \(operation) must not specify a update transform.")
    }
  }

  private static func check(_ transforms: [FieldTransform]) throws(FirestoreError) {
    for transform in transforms {
      switch transform.operation {
      case .increment(let operand), .maximum(let operand), .minimum(let operand):
        guard operand.typeClass == .number else {
          throw .invalidArgument("Input must be int64 or double.")
        }
      case .requestTime, .appendMissingElements, .removeAllFromArray: break
      }
    }
    try checkNesting(transforms.map(\.path))
  }

  /// No path may lie inside another one; the same path twice is fine. Sorted, a path stands right before those inside it.
  private static func checkNesting(_ paths: [FieldPath]) throws(FirestoreError) {
    guard paths.count > 1 else { return }
    let sorted = paths.sorted { FieldPath.compare($0, $1) == .ascending }
    for (outer, inner) in zip(sorted, sorted.dropFirst())
    where outer != inner && outer.contains(inner) {
      throw .invalidArgument(
        "Cannot transform property \(outer.text) and its nested property at the same time.")
    }
  }
}

extension DatabaseName {
  /// Checks that a document that a request for this database names lies in it.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  package func check(_ name: DocumentName) throws(FirestoreError) {
    guard name.database == self else {
      throw .invalidArgument(
        "The request was for database '\(text)' but was attempting to access database "
          + "'\(name.database.text)'")
    }
  }
}
