/// How a resumable upload is doing, for those who sent it.
package enum UploadStatus: Hashable, Sendable {
  /// It has this many bytes and waits for more.
  case active(received: Int64)
  case committed(Object)
  /// It ended without an object.
  case refused(StorageError)
  case cancelled(received: Int64)

  init(_ upload: ResumableUpload) {
    self =
      switch upload.phase {
      case .active, .finishing: .active(received: upload.received)
      case .final(.committed(let object)): .committed(object)
      case .final(.refused(let error)): .refused(error)
      case .cancelled: .cancelled(received: upload.received)
      }
  }
}

/// What a command to a resumable upload came to.
package enum UploadAnswer: Hashable, Sendable {
  case ok(UploadStatus)
  /// The command makes no sense in this state.
  case refused(UploadStatus)
}
