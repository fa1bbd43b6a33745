package import FirestoreModel
internal import Synchronization

/// A Write stream after its handshake: batches are committed in the order of their requests.
package struct WriteStream: Sendable {
  /// What a request is answered with.
  package struct Answer: Sendable {
    package var token: [UInt8]
    /// `nil` for a request without writes.
    package var result: CommitResult?
  }

  package let id: String
  private let operations: FirestoreOperations
  private let database: DatabaseName
  private let principal: Principal
  private var count = 0

  fileprivate init(
    _ id: String, _ operations: FirestoreOperations, _ database: DatabaseName,
    _ principal: Principal
  ) {
    self.id = id
    self.operations = operations
    self.database = database
    self.principal = principal
  }

  /// The token that goes with the newest answer.
  package var token: [UInt8] { Array(String(count).utf8) }

  /// Makes all of `writes` or none; an error ends the stream.
  ///
  /// - Throws: as `commit`.
  package mutating func write(_ writes: [Write]) async throws(FirestoreError) -> Answer {
    var result: CommitResult?
    if !writes.isEmpty {
      result = try await operations.commit(
        database, writes: writes, transaction: nil, as: principal)
    }
    count += 1
    return Answer(token: token, result: result)
  }
}

extension FirestoreOperations {
  /// Write: opens a stream. Streams that ended can't be resumed.
  package func writeStream(_ database: DatabaseName, as principal: Principal) -> WriteStream {
    let number = writeStreams.add(1, ordering: .relaxed).oldValue
    return WriteStream(String(number), self, database, principal)
  }
}
