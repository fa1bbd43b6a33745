package import Coding
package import ObjectStorage

/// What else belongs to a bucket, kept as its clients wrote it.
package enum BucketList: Hashable, Sendable {
  case notifications
  /// Folders that have policies of their own.
  case folders

  fileprivate var setting: UTF8String {
    switch self {
    case .notifications: BucketSettings.notifications
    case .folders: BucketSettings.folders
    }
  }

  /// The member that an entry is named by.
  package var key: UTF8String {
    switch self {
    case .notifications: "id"
    case .folders: "name"
    }
  }
}

extension StorageOperations {
  private static let maximumEntries = 1000

  /// - Throws: `.notFound` for the bucket.
  package func entries(
    _ list: BucketList, of bucket: UTF8String
  ) throws(StorageError) -> [[UTF8String: JSONValue]] {
    Self.entries(list, try getBucket(bucket).settings)
  }

  /// Adds an entry; one without a name gets a number for it.
  ///
  /// - Throws: `.notFound`, `.conflict` if there is one of its name.
  package func addEntry(
    _ entry: [UTF8String: JSONValue], to list: BucketList, of bucket: UTF8String
  ) async throws(StorageError) -> [UTF8String: JSONValue] {
    let settings = try await store.updateBucket(bucket, Preconditions()) {
      settings throws(StorageError) in
      var (all, entry) = (Self.entries(list, settings), entry)
      let last = all.compactMap { $0[list.key]?.integer }.max() ?? 0
      entry[list.key] = entry[list.key] ?? .string(String(last &+ 1))
      guard !all.contains(where: { $0[list.key] == entry[list.key] }) else {
        throw StorageError(.conflict, "There is one of this name already.")
      }
      guard all.count < Self.maximumEntries else {
        throw StorageError(.invalidArgument, "There are \(Self.maximumEntries) already.")
      }
      all.append(entry)
      settings[list.setting] = .array(all.map { .object($0) })
    }.settings
    return Self.entries(list, settings).last ?? entry
  }

  /// - Throws: `.notFound`.
  package func removeEntry(
    _ name: String, from list: BucketList, of bucket: UTF8String
  ) async throws(StorageError) {
    _ = try await store.updateBucket(bucket, Preconditions()) { settings throws(StorageError) in
      let all = Self.entries(list, settings)
      let rest = all.filter { $0[list.key] != .string(name) }
      guard rest.count < all.count else { throw StorageError(.notFound, "There is no \(name).") }
      settings[list.setting] = .array(rest.map { .object($0) })
    }
  }

  private static func entries(
    _ list: BucketList, _ settings: [UTF8String: JSONValue]
  ) -> [[UTF8String: JSONValue]] {
    settings[list.setting]?.elements?.compactMap(\.members) ?? []
  }
}
