internal import KeyValue
internal import Synchronization

/// A write that waits for its group, whatever its result.
protocol PendingWrite: Sendable {
  /// Runs the body and keeps its result, in place of an earlier one.
  func run(_ transaction: any StoreTransaction) throws
  /// Tells what the body put that it is in.
  func applied()
  /// Resumes the caller with the result of the newest run.
  func succeed()
  /// Resumes the caller with `error`.
  func fail(_ error: any Error)
}

final class Write<Result: Sendable>: PendingWrite {
  private let body: @Sendable (any StoreTransaction) throws -> Result
  private let whenApplied: @Sendable (Result) -> Void
  private let continuation: CheckedContinuation<Result, any Error>
  private let result = Mutex<Result?>(nil)

  init(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Result,
    _ applied: @escaping @Sendable (Result) -> Void,
    _ continuation: CheckedContinuation<Result, any Error>
  ) {
    self.body = body
    self.whenApplied = applied
    self.continuation = continuation
  }

  func run(_ transaction: any StoreTransaction) throws {
    let new = try body(transaction)
    result.withLock { $0 = new }
  }

  func applied() {
    if let result = result.withLock({ $0 }) { whenApplied(result) }
  }

  func succeed() {
    guard let result = result.withLock({ $0 }) else {
      preconditionFailure("a write succeeded that never ran")
    }
    continuation.resume(returning: result)
  }

  func fail(_ error: any Error) {
    continuation.resume(throwing: error)
  }
}
