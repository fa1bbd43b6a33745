package import Coding

/// What ListCollectionIds answers.
package struct ListCollectionIDsAnswer: Hashable, Sendable {
  /// In the order of their bytes.
  package var collectionIDs: [UTF8String]
  /// Empty on the last page.
  package var nextPageToken: String

  package init(collectionIDs: [UTF8String], nextPageToken: String) {
    self.collectionIDs = collectionIDs
    self.nextPageToken = nextPageToken
  }
}
