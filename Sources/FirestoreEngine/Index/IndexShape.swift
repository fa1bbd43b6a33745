internal import Coding
internal import FirestoreModel

/// What an index holds: of which documents, and what of each. Behind the fields comes the name, ascending.
struct IndexShape: Hashable, Sendable {
  enum Scope: Hashable, Sendable {
    case collection(CollectionPath)
    /// All collections of one id.
    case group(UTF8String)
  }

  /// How a field stands in the entries. The raw value is part of the durable format.
  enum Part: UInt8, Sendable {
    case ascending = 1
    case descending = 2
    /// Each element of an array has an entry of its own.
    case element = 3
  }

  struct Field: Hashable, Sendable {
    var path: FieldPath
    var part: Part
  }

  var scope: Scope
  /// Not empty.
  var fields: [Field]
}

extension IndexShape.Scope {
  /// Whether the documents of `collection` are in the index.
  func contains(_ collection: CollectionPath) -> Bool {
    switch self {
    case .collection(let path): path == collection
    case .group(let id): id == collection.id
    }
  }
}

extension IndexShape.Part {
  /// The part of an order in an index whose names ascend while those of the query go in `direction`.
  init(_ order: Query.Direction, names direction: Query.Direction) {
    self = order == direction ? .ascending : .descending
  }
}

extension Query {
  /// The documents that an index for the query has to hold; `nil` if it is answered in the order of names alone.
  var indexScope: IndexShape.Scope? {
    switch source {
    case .collection(let path): .collection(path)
    case .group(let id, below: nil): .group(id)
    case .group(_, below: .some), .collections, .descendants: nil
    }
  }

  /// The alternatives of the filter; none if nothing can pass it.
  var branches: [QueryBranch] {
    (filter?.conjunctions ?? [Conjunction()]).map { QueryBranch($0, of: self) }
  }
}
