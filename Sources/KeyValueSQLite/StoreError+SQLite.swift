internal import KeyValue
internal import SQLite

extension StoreError {
  init(_ error: SQLiteError) {
    let code: Code =
      switch error.code {
      case .full: .full
      case .busy, .corrupt, .inputOutput, .memory, .tooBig, .other: .unavailable
      }
    self.init(code, "The store failed: \(error.message) (SQLite \(error.extendedCode)).")
  }

  static let storeClosed = StoreError(.closed, "The store was closed.")
}
