/// Refuses a change of an object by throwing; told what the object is before and after it, where it is there.
///
/// It runs on the writer of the store, perhaps twice, and must be short.
package typealias ObjectReview =
  @Sendable (_ before: Object?, _ after: Object?) throws(StorageError) -> Void

/// Finds what reviews an upload by the `author` that its start named; `nil` if nothing does.
package typealias UploadReview = @Sendable (_ author: String) -> ObjectReview?
