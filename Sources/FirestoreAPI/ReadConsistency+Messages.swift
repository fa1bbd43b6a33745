internal import Coding
internal import FirestoreModel
internal import FirestoreProtocol
internal import FirestoreService

extension ReadConsistency {
  init(_ selector: V1.GetDocumentRequest.ConsistencySelector?) {
    switch selector {
    case .transaction(let id)?: self = .transaction(id)
    case .readTime(let time)?: self = .readTime(time)
    case nil: self = .latest
    }
  }

  init(_ selector: V1.ListDocumentsRequest.ConsistencySelector?) {
    switch selector {
    case .transaction(let id)?: self = .transaction(id)
    case .readTime(let time)?: self = .readTime(time)
    case nil: self = .latest
    }
  }

  init(_ selector: V1.ListCollectionIdsRequest.ConsistencySelector?) {
    switch selector {
    case .readTime(let time)?: self = .readTime(time)
    case nil: self = .latest
    }
  }

  init(_ selector: V1.PartitionQueryRequest.ConsistencySelector?) {
    switch selector {
    case .readTime(let time)?: self = .readTime(time)
    case nil: self = .latest
    }
  }

  init(_ selector: V1.BatchGetDocumentsRequest.ConsistencySelector?) {
    switch selector {
    case .transaction(let id)?: self = .transaction(id)
    case .newTransaction(let options)?:
      self = .newTransaction(TransactionOptions(options, isOfRead: true))
    case .readTime(let time)?: self = .readTime(time)
    case nil: self = .latest
    }
  }

  init(_ selector: V1.RunQueryRequest.ConsistencySelector?) {
    switch selector {
    case .transaction(let id)?: self = .transaction(id)
    case .newTransaction(let options)?:
      self = .newTransaction(TransactionOptions(options, isOfRead: true))
    case .readTime(let time)?: self = .readTime(time)
    case nil: self = .latest
    }
  }

  init(_ selector: V1.RunAggregationQueryRequest.ConsistencySelector?) {
    switch selector {
    case .transaction(let id)?: self = .transaction(id)
    case .newTransaction(let options)?:
      self = .newTransaction(TransactionOptions(options, isOfRead: true))
    case .readTime(let time)?: self = .readTime(time)
    case nil: self = .latest
    }
  }
}

extension TransactionOptions {
  /// Options that say nothing are those of a transaction that reads and writes, but for one that a read begins.
  init(_ options: V1.TransactionOptions, isOfRead: Bool = false) {
    switch options.mode {
    case .readOnly(let readOnly)?:
      switch readOnly.consistencySelector {
      case .readTime(let time)?: self = .readOnly(readTime: time)
      case nil: self = .readOnly(readTime: nil)
      }
    case .readWrite(let readWrite)?:
      let previous = readWrite.retryTransaction
      self = .readWrite(
        retrying: previous.isEmpty ? nil : previous,
        concurrency: Concurrency?(readWrite.concurrencyMode))
    case nil:
      self = isOfRead ? .readOnly(readTime: nil) : .readWrite(retrying: nil, concurrency: nil)
    }
  }
}

extension Concurrency? {
  fileprivate init(_ mode: V1.TransactionOptions.ConcurrencyMode) {
    self =
      switch mode {
      case .optimistic: .optimistic
      case .pessimistic: .pessimistic
      case .concurrencyModeUnspecified, .unrecognized: nil
      }
  }
}
