internal import Coding
package import FirestoreModel

extension Write {
  /// The write of a message; the old form `transform` becomes an update that touches no field before its transforms.
  ///
  /// - Throws: `INVALID_ARGUMENT` with the texts of the official emulator.
  package init(_ message: V1.Write) throws(FirestoreError) {
    let precondition = try Precondition?(message.currentDocument)
    switch message.operation {
    case .update(let document)?:
      self.init(
        .update(
          try DocumentName(parsing: document.name), try MapValue(document.fields),
          try FieldMask?(message.updateMask)),
        transforms: try [FieldTransform](message.updateTransforms), precondition: precondition)
    case .delete(let name)?:
      try message.refuseUpdateParts(of: "delete")
      self.init(.delete(try DocumentName(parsing: name)), precondition: precondition)
    case .verify(let name)?:
      try message.refuseUpdateParts(of: "verify")
      guard precondition != nil else {
        throw .invalidArgument("a verify must contain a precondition")
      }
      self.init(.verify(try DocumentName(parsing: name)), precondition: precondition)
    case .transform(let transform)?:
      try message.refuseUpdateParts(of: "transform")
      let name = try DocumentName(parsing: transform.document)
      guard !transform.fieldTransforms.isEmpty else {
        throw .invalidArgument("The list of FieldTransform must not be empty.")
      }
      self.init(
        .update(name, MapValue(), FieldMask([])),
        transforms: try [FieldTransform](transform.fieldTransforms), precondition: precondition)
    case nil: throw .invalidArgument("empty write operation")
    }
  }
}

extension V1.Write {
  /// Masks and transforms belong to updates.
  fileprivate func refuseUpdateParts(of operation: String) throws(FirestoreError) {
    guard updateMask == nil else {
      throw .invalidArgument("a \(operation) must not specify a document mask.")
    }
    guard updateTransforms.isEmpty else {
      throw .invalidArgument("a \(operation) must not specify a update transform.")
    }
  }
}

extension [FieldTransform] {
  /// The transforms of one write. The same field may come twice, a field and one inside it may not.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  fileprivate init(
    _ messages: [V1.DocumentTransform.FieldTransform]
  ) throws(FirestoreError) {
    self = []
    for message in messages { append(try FieldTransform(message)) }
    let paths = map(\.path).sorted { FieldPath.compare($0, $1) == .ascending }
    for (outer, inner) in zip(paths, paths.dropFirst()) where outer != inner {
      guard !outer.contains(inner) else {
        throw .invalidArgument(
          "Cannot transform property \(outer.text) and its nested property at the same time.")
      }
    }
  }
}

extension FieldTransform {
  /// - Throws: `INVALID_ARGUMENT`.
  package init(_ message: V1.DocumentTransform.FieldTransform) throws(FirestoreError) {
    let path = try FieldPath(parsing: message.fieldPath)
    switch message.transformType {
    case .setToServerValue(.requestTime)?: self.init(path: path, operation: .requestTime)
    case .setToServerValue(.serverValueUnspecified)?, .setToServerValue(.unrecognized)?:
      throw .invalidArgument(
        "ServerValue type must be specified for set_to_server_value transformation.")
    case .increment(let operand)?:
      self.init(path: path, operation: .increment(try Self.number(operand)))
    case .maximum(let operand)?:
      self.init(path: path, operation: .maximum(try Self.number(operand)))
    case .minimum(let operand)?:
      self.init(path: path, operation: .minimum(try Self.number(operand)))
    case .appendMissingElements(let elements)?:
      self.init(path: path, operation: .appendMissingElements(try [Value](elements)))
    case .removeAllFromArray(let elements)?:
      self.init(path: path, operation: .removeAllFromArray(try [Value](elements)))
    case nil:
      throw .invalidArgument("Operation type must be specified for field transformation.")
    }
  }

  private static func number(_ message: V1.Value) throws(FirestoreError) -> Value {
    let value = try Value(message)
    switch value {
    case .integer, .double: return value
    case .null, .boolean, .timestamp, .string, .bytes, .reference, .geoPoint, .array, .vector,
      .map:
      throw .invalidArgument("Input must be int64 or double.")
    }
  }
}

extension [Write] {
  /// The writes of a request, in order.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  package init(_ messages: [V1.Write]) throws(FirestoreError) {
    self = []
    reserveCapacity(messages.count)
    for message in messages { append(try Write(message)) }
  }
}

// MARK: - Results

extension V1.WriteResult {
  package init(_ result: FirestoreModel.WriteResult) {
    self.init(
      updateTime: result.updateTime,
      transformResults: result.transformResults.map { V1.Value($0) })
  }
}

extension V1.CommitResponse {
  /// A commit without writes is answered by an empty message, as the official emulator does.
  package init(_ result: CommitResult) {
    guard !result.writeResults.isEmpty else {
      self.init()
      return
    }
    self.init(
      writeResults: result.writeResults.map { V1.WriteResult($0) }, commitTime: result.commitTime)
  }
}

extension V1.BatchWriteResponse {
  /// One result and one status for each write, in order; the result of a failed one is empty.
  package init(_ results: [Result<FirestoreModel.WriteResult, FirestoreError>]) {
    self.init()
    for result in results {
      switch result {
      case .success(let result):
        writeResults.append(V1.WriteResult(result))
        status.append(RPC.Status())
      case .failure(let error):
        writeResults.append(V1.WriteResult())
        status.append(RPC.Status(error))
      }
    }
  }
}
