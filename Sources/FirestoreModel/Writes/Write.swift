package import Coding

/// One `google.firestore.v1.Write`.
package struct Write: Sendable {
  package enum Operation: Sendable {
    /// Without a mask the fields replace the document; with one, only its paths change, and a path
    /// that the fields lack is deleted.
    case update(DocumentName, MapValue, FieldMask?)
    case delete(DocumentName)
    /// Checks the precondition and changes nothing; web and Apple SDKs send it from transactions.
    case verify(DocumentName)
  }

  package var operation: Operation
  /// Applied in order on the result of an update. The old form, a `transform` of its own, is an update with
  /// an empty mask and these.
  package var transforms: [FieldTransform]
  package var precondition: Precondition?

  package init(
    _ operation: Operation, transforms: [FieldTransform] = [], precondition: Precondition? = nil
  ) {
    self.operation = operation
    self.transforms = transforms
    self.precondition = precondition
  }

  package var name: DocumentName {
    switch operation {
    case .update(let name, _, _), .delete(let name), .verify(let name): name
    }
  }
}

/// What the stored document must be like for a write to be made.
package enum Precondition: Hashable, Sendable {
  case exists(Bool)
  /// Whole microseconds.
  case updateTime(Timestamp)
}

/// One `DocumentTransform.FieldTransform`.
package struct FieldTransform: Sendable {
  package enum Operation: Sendable {
    /// The time of the request, the same in the whole commit, cut to milliseconds.
    case requestTime
    case increment(Value)
    case maximum(Value)
    case minimum(Value)
    case appendMissingElements([Value])
    case removeAllFromArray([Value])
  }

  package var path: FieldPath
  package var operation: Operation

  package init(path: FieldPath, operation: Operation) {
    self.path = path
    self.operation = operation
  }
}

/// What one write did.
package struct WriteResult: Sendable {
  /// The update time of the document, the old one if nothing changed; `nil` for a delete.
  package var updateTime: Timestamp?
  /// One value for each transform, null for those of arrays.
  package var transformResults: [Value]

  package init(updateTime: Timestamp?, transformResults: [Value] = []) {
    self.updateTime = updateTime
    self.transformResults = transformResults
  }
}

/// What a commit did: one result for each write, in order.
package struct CommitResult: Sendable {
  package var writeResults: [WriteResult]
  package var commitTime: Timestamp

  package init(writeResults: [WriteResult], commitTime: Timestamp) {
    self.writeResults = writeResults
    self.commitTime = commitTime
  }
}
