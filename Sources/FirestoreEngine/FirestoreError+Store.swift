package import FirestoreModel
internal import KeyValue

extension FirestoreError {
  /// What a client is told about `error`; unexpected ones are not shown to it.
  package init(thrown error: any Error) {
    switch error {
    case let error as FirestoreError: self = error
    case let error as StoreError: self.init(error)
    case is CancellationError: self.init(.cancelled, "The request was cancelled.")
    default: self.init(.internalError, "An internal error occurred.")
    }
  }

  private init(_ error: StoreError) {
    switch error.code {
    case .full: self.init(.resourceExhausted, "The data folder has no space left.")
    case .unavailable: self.init(.unavailable, "The data can't be read or written.")
    case .inUse, .newerFormat, .closed: self.init(.unavailable, "The database is not open.")
    }
  }
}
