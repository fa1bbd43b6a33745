internal import Coding
internal import KeyValue

/// Why something about buckets, objects or uploads could not be done.
package struct StorageError: Error, Hashable, Sendable {
  package enum Code: Hashable, CaseIterable, Sendable {
    /// What was asked makes no sense, or the bytes are not those that were announced.
    case invalidArgument
    case permissionDenied
    /// A policy keeps the object as it is.
    case retained
    /// There is no such object or upload.
    case notFound
    /// There is one already, or there is something in it.
    case conflict
    /// A condition on a generation or metageneration does not hold.
    case failedPrecondition
    /// The disk is full, or its quota.
    case full
    /// The sender of the bytes went away, or another request goes on with its upload.
    case interrupted
    /// There is no such thing here.
    case notImplemented
    /// Our fault: the message is for the log only.
    case internalError
  }

  package var code: Code
  /// One sentence.
  package var message: String
  /// The word of Cloud Storage for it, where the code does not tell.
  package var reason: String?

  package init(_ code: Code, _ message: String, reason: String? = nil) {
    self.code = code
    self.message = message
    self.reason = reason
  }

  static let noObject = StorageError(.notFound, "Not Found.")
  package static let noBucket = StorageError(.notFound, "The specified bucket does not exist.")
  package static let noUpload = StorageError(.notFound, "There is no such upload.")

  /// There is no object of this name, in the words of Cloud Storage.
  package static func missing(_ name: ObjectName) -> StorageError {
    StorageError(.notFound, "No such object: \(name.bucket)/\(name.name)")
  }

  /// What a failed write or read of the store means.
  init(_ error: any Error) {
    if let error = error as? StorageError {
      self = error
    } else if let error = error as? StoreError {
      self.init(error.code == .full ? .full : .internalError, error.message)
    } else {
      self.init(.internalError, "\(error)")
    }
  }

  init(_ error: WireError) {
    self.init(.internalError, "stored metadata cannot be read: \(error)")
  }
}
