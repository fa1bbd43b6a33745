// swift-format-ignore-file
// Written by Protogen from the schema of google.firestore.v1.
package import Coding

/// The messages of `google.firestore.v1`.
package enum V1 {}

extension V1 {
  /// `google.firestore.v1.AggregationResult`.
  package struct AggregationResult: Message {
    package var aggregateFields: [MapEntry<V1.Value>] = []
    package init() {}
    package init(aggregateFields: [MapEntry<V1.Value>] = []) {
      self.aggregateFields = aggregateFields
    }
  }
}

extension V1.AggregationResult {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 18: aggregateFields.append(try MapEntry(protobuf: reader.readMessage()))
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    for value in aggregateFields { writer.writeMessage(2, value) }
  }
  package static let jsonNames: [StaticString] = ["aggregateFields", "aggregate_fields"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      aggregateFields = []
      try reader.beginObject()
      while let key = try reader.nextKey() {
        aggregateFields.append(MapEntry(key: key, value: try V1.Value(json: &reader)))
      }
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !aggregateFields.isEmpty {
      writer.writeKey("aggregateFields")
      writer.beginObject()
      for entry in aggregateFields {
        writer.writeKey(entry.key)
        entry.value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}

extension V1 {
  /// `google.firestore.v1.BatchGetDocumentsRequest`.
  package struct BatchGetDocumentsRequest: Message {
    package enum ConsistencySelector: Sendable {
      case transaction([UInt8])
      case newTransaction(V1.TransactionOptions)
      case readTime(Timestamp)
    }
    package var database: String = ""
    package var documents: [String] = []
    package var mask: V1.DocumentMask?
    package var consistencySelector: ConsistencySelector?
    package var requestOptions: V1.RequestOptions?
    package init() {}
    package init(database: String = "", documents: [String] = [], mask: V1.DocumentMask? = nil, consistencySelector: ConsistencySelector? = nil, requestOptions: V1.RequestOptions? = nil) {
      self.database = database
      self.documents = documents
      self.mask = mask
      self.consistencySelector = consistencySelector
      self.requestOptions = requestOptions
    }
  }
}

extension V1.BatchGetDocumentsRequest {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: database = try reader.readString()
      case 18: documents.append(try reader.readString())
      case 26: try merge(reader.readMessage(), into: &mask)
      case 34: consistencySelector = .transaction(try reader.readBytes())
      case 42:
        var message = V1.TransactionOptions()
        if case .newTransaction(let earlier)? = consistencySelector { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        consistencySelector = .newTransaction(message)
      case 58: consistencySelector = .readTime(try reader.readTimestamp())
      case 66: try merge(reader.readMessage(), into: &requestOptions)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !database.utf8.isEmpty { writer.writeString(1, database) }
    for value in documents { writer.writeString(2, value) }
    if let value = mask { writer.writeMessage(3, value) }
    switch consistencySelector {
    case .transaction(let value)?: writer.writeBytes(4, value)
    case .newTransaction(let value)?: writer.writeMessage(5, value)
    case .readTime(let value)?: writer.writeTimestamp(7, value)
    case nil: break
    }
    if let value = requestOptions { writer.writeMessage(8, value) }
  }
  package static let jsonNames: [StaticString] = ["database", "database", "documents", "documents", "mask", "mask", "transaction", "transaction", "newTransaction", "new_transaction", "readTime", "read_time", "requestOptions", "request_options"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: database = try reader.readStringMember()
    case 1:
      documents = []
      try reader.beginArray()
      while try reader.nextElement() { documents.append(try reader.readStringMember()) }
    case 2: mask = try V1.DocumentMask(json: &reader)
    case 3:
      guard consistencySelector == nil else { throw reader.wrongValue() }
      consistencySelector = .transaction(try reader.readBytesMember())
    case 4:
      guard consistencySelector == nil else { throw reader.wrongValue() }
      consistencySelector = .newTransaction(try V1.TransactionOptions(json: &reader))
    case 5:
      guard consistencySelector == nil else { throw reader.wrongValue() }
      consistencySelector = .readTime(try reader.readTimestampMember())
    case 6: requestOptions = try V1.RequestOptions(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 1 where path.isEmpty: documents.append(try reader.readStringMember())
    case 2 where !path.isEmpty: mask = try mask.reading(path, &reader)
    case 6 where !path.isEmpty: requestOptions = try requestOptions.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !database.utf8.isEmpty {
      writer.writeKey("database")
      writer.writeString(database)
    }
    if !documents.isEmpty {
      writer.writeKey("documents")
      writer.beginArray()
      for value in documents { writer.writeString(value) }
      writer.endArray()
    }
    if let value = mask {
      writer.writeKey("mask")
      value.write(to: &writer)
    }
    switch consistencySelector {
    case .transaction(let value)?:
      writer.writeKey("transaction")
      writer.writeBase64(value.span)
    case .newTransaction(let value)?:
      writer.writeKey("newTransaction")
      value.write(to: &writer)
    case .readTime(let value)?:
      writer.writeKey("readTime")
      writer.writeTimestamp(value)
    case nil: break
    }
    if let value = requestOptions {
      writer.writeKey("requestOptions")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.BatchGetDocumentsResponse`.
  package struct BatchGetDocumentsResponse: Message {
    package enum Result: Sendable {
      case found(V1.Document)
      case missing(String)
    }
    package var result: Result?
    package var transaction: [UInt8] = []
    package var readTime: Timestamp?
    package init() {}
    package init(result: Result? = nil, transaction: [UInt8] = [], readTime: Timestamp? = nil) {
      self.result = result
      self.transaction = transaction
      self.readTime = readTime
    }
  }
}

extension V1.BatchGetDocumentsResponse {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10:
        var message = V1.Document()
        if case .found(let earlier)? = result { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        result = .found(message)
      case 18: result = .missing(try reader.readString())
      case 26: transaction = try reader.readBytes()
      case 34: readTime = try reader.readTimestamp()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    switch result {
    case .found(let value)?: writer.writeMessage(1, value)
    case .missing(let value)?: writer.writeString(2, value)
    case nil: break
    }
    if !transaction.isEmpty { writer.writeBytes(3, transaction) }
    if let value = readTime { writer.writeTimestamp(4, value) }
  }
  package static let jsonNames: [StaticString] = ["found", "found", "missing", "missing", "transaction", "transaction", "readTime", "read_time"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      guard result == nil else { throw reader.wrongValue() }
      result = .found(try V1.Document(json: &reader))
    case 1:
      guard result == nil else { throw reader.wrongValue() }
      result = .missing(try reader.readStringMember())
    case 2: transaction = try reader.readBytesMember()
    case 3: readTime = try reader.readTimestampMember()
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    switch result {
    case .found(let value)?:
      writer.writeKey("found")
      value.write(to: &writer)
    case .missing(let value)?:
      writer.writeKey("missing")
      writer.writeString(value)
    case nil: break
    }
    if !transaction.isEmpty {
      writer.writeKey("transaction")
      writer.writeBase64(transaction.span)
    }
    if let value = readTime {
      writer.writeKey("readTime")
      writer.writeTimestamp(value)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.BatchWriteRequest`.
  package struct BatchWriteRequest: Message {
    package var database: String = ""
    package var writes: [V1.Write] = []
    package var labels: [MapEntry<String>] = []
    package var requestOptions: V1.RequestOptions?
    package init() {}
    package init(database: String = "", writes: [V1.Write] = [], labels: [MapEntry<String>] = [], requestOptions: V1.RequestOptions? = nil) {
      self.database = database
      self.writes = writes
      self.labels = labels
      self.requestOptions = requestOptions
    }
  }
}

extension V1.BatchWriteRequest {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: database = try reader.readString()
      case 18: writes.append(try V1.Write(protobuf: reader.readMessage()))
      case 26: labels.append(try MapEntry(protobuf: reader.readMessage()))
      case 34: try merge(reader.readMessage(), into: &requestOptions)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !database.utf8.isEmpty { writer.writeString(1, database) }
    for value in writes { writer.writeMessage(2, value) }
    for value in labels { writer.writeMessage(3, value) }
    if let value = requestOptions { writer.writeMessage(4, value) }
  }
  package static let jsonNames: [StaticString] = ["database", "database", "writes", "writes", "labels", "labels", "requestOptions", "request_options"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: database = try reader.readStringMember()
    case 1:
      writes = []
      try reader.beginArray()
      while try reader.nextElement() { writes.append(try V1.Write(json: &reader)) }
    case 2:
      labels = []
      try reader.beginObject()
      while let key = try reader.nextKey() {
        labels.append(MapEntry(key: key, value: try reader.readStringMember()))
      }
    case 3: requestOptions = try V1.RequestOptions(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 3 where !path.isEmpty: requestOptions = try requestOptions.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !database.utf8.isEmpty {
      writer.writeKey("database")
      writer.writeString(database)
    }
    if !writes.isEmpty {
      writer.writeKey("writes")
      writer.beginArray()
      for value in writes { value.write(to: &writer) }
      writer.endArray()
    }
    if !labels.isEmpty {
      writer.writeKey("labels")
      writer.beginObject()
      for entry in labels {
        writer.writeKey(entry.key)
        writer.writeString(entry.value)
      }
      writer.endObject()
    }
    if let value = requestOptions {
      writer.writeKey("requestOptions")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.BatchWriteResponse`.
  package struct BatchWriteResponse: Message {
    package var writeResults: [V1.WriteResult] = []
    package var status: [RPC.Status] = []
    package init() {}
    package init(writeResults: [V1.WriteResult] = [], status: [RPC.Status] = []) {
      self.writeResults = writeResults
      self.status = status
    }
  }
}

extension V1.BatchWriteResponse {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: writeResults.append(try V1.WriteResult(protobuf: reader.readMessage()))
      case 18: status.append(try RPC.Status(protobuf: reader.readMessage()))
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    for value in writeResults { writer.writeMessage(1, value) }
    for value in status { writer.writeMessage(2, value) }
  }
  package static let jsonNames: [StaticString] = ["writeResults", "write_results", "status", "status"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      writeResults = []
      try reader.beginArray()
      while try reader.nextElement() { writeResults.append(try V1.WriteResult(json: &reader)) }
    case 1:
      status = []
      try reader.beginArray()
      while try reader.nextElement() { status.append(try RPC.Status(json: &reader)) }
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !writeResults.isEmpty {
      writer.writeKey("writeResults")
      writer.beginArray()
      for value in writeResults { value.write(to: &writer) }
      writer.endArray()
    }
    if !status.isEmpty {
      writer.writeKey("status")
      writer.beginArray()
      for value in status { value.write(to: &writer) }
      writer.endArray()
    }
  }
}

extension V1 {
  /// `google.firestore.v1.BeginTransactionRequest`.
  package struct BeginTransactionRequest: Message {
    package var database: String = ""
    package var options: V1.TransactionOptions?
    package var requestOptions: V1.RequestOptions?
    package init() {}
    package init(database: String = "", options: V1.TransactionOptions? = nil, requestOptions: V1.RequestOptions? = nil) {
      self.database = database
      self.options = options
      self.requestOptions = requestOptions
    }
  }
}

extension V1.BeginTransactionRequest {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: database = try reader.readString()
      case 18: try merge(reader.readMessage(), into: &options)
      case 26: try merge(reader.readMessage(), into: &requestOptions)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !database.utf8.isEmpty { writer.writeString(1, database) }
    if let value = options { writer.writeMessage(2, value) }
    if let value = requestOptions { writer.writeMessage(3, value) }
  }
  package static let jsonNames: [StaticString] = ["database", "database", "options", "options", "requestOptions", "request_options"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: database = try reader.readStringMember()
    case 1: options = try V1.TransactionOptions(json: &reader)
    case 2: requestOptions = try V1.RequestOptions(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 1 where !path.isEmpty: options = try options.reading(path, &reader)
    case 2 where !path.isEmpty: requestOptions = try requestOptions.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !database.utf8.isEmpty {
      writer.writeKey("database")
      writer.writeString(database)
    }
    if let value = options {
      writer.writeKey("options")
      value.write(to: &writer)
    }
    if let value = requestOptions {
      writer.writeKey("requestOptions")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.BeginTransactionResponse`.
  package struct BeginTransactionResponse: Message {
    package var transaction: [UInt8] = []
    package init() {}
    package init(transaction: [UInt8] = []) {
      self.transaction = transaction
    }
  }
}

extension V1.BeginTransactionResponse {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: transaction = try reader.readBytes()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !transaction.isEmpty { writer.writeBytes(1, transaction) }
  }
  package static let jsonNames: [StaticString] = ["transaction", "transaction"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: transaction = try reader.readBytesMember()
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !transaction.isEmpty {
      writer.writeKey("transaction")
      writer.writeBase64(transaction.span)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.BitSequence`.
  package struct BitSequence: Message {
    package var bitmap: [UInt8] = []
    package var padding: Int32 = 0
    package init() {}
    package init(bitmap: [UInt8] = [], padding: Int32 = 0) {
      self.bitmap = bitmap
      self.padding = padding
    }
  }
}

extension V1.BitSequence {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: bitmap = try reader.readBytes()
      case 16: padding = try reader.readInt32()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !bitmap.isEmpty { writer.writeBytes(1, bitmap) }
    if padding != 0 { writer.writeInt32(2, padding) }
  }
  package static let jsonNames: [StaticString] = ["bitmap", "bitmap", "padding", "padding"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: bitmap = try reader.readBytesMember()
    case 1: padding = try reader.readInt32Member()
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !bitmap.isEmpty {
      writer.writeKey("bitmap")
      writer.writeBase64(bitmap.span)
    }
    if padding != 0 {
      writer.writeKey("padding")
      writer.writeInt32(padding)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.BloomFilter`.
  package struct BloomFilter: Message {
    package var bits: V1.BitSequence?
    package var hashCount: Int32 = 0
    package init() {}
    package init(bits: V1.BitSequence? = nil, hashCount: Int32 = 0) {
      self.bits = bits
      self.hashCount = hashCount
    }
  }
}

extension V1.BloomFilter {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: try merge(reader.readMessage(), into: &bits)
      case 16: hashCount = try reader.readInt32()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if let value = bits { writer.writeMessage(1, value) }
    if hashCount != 0 { writer.writeInt32(2, hashCount) }
  }
  package static let jsonNames: [StaticString] = ["bits", "bits", "hashCount", "hash_count"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: bits = try V1.BitSequence(json: &reader)
    case 1: hashCount = try reader.readInt32Member()
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0 where !path.isEmpty: bits = try bits.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if let value = bits {
      writer.writeKey("bits")
      value.write(to: &writer)
    }
    if hashCount != 0 {
      writer.writeKey("hashCount")
      writer.writeInt32(hashCount)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.CommitRequest`.
  package struct CommitRequest: Message {
    package var database: String = ""
    package var writes: [V1.Write] = []
    package var transaction: [UInt8] = []
    package var requestOptions: V1.RequestOptions?
    package init() {}
    package init(database: String = "", writes: [V1.Write] = [], transaction: [UInt8] = [], requestOptions: V1.RequestOptions? = nil) {
      self.database = database
      self.writes = writes
      self.transaction = transaction
      self.requestOptions = requestOptions
    }
  }
}

extension V1.CommitRequest {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: database = try reader.readString()
      case 18: writes.append(try V1.Write(protobuf: reader.readMessage()))
      case 26: transaction = try reader.readBytes()
      case 34: try merge(reader.readMessage(), into: &requestOptions)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !database.utf8.isEmpty { writer.writeString(1, database) }
    for value in writes { writer.writeMessage(2, value) }
    if !transaction.isEmpty { writer.writeBytes(3, transaction) }
    if let value = requestOptions { writer.writeMessage(4, value) }
  }
  package static let jsonNames: [StaticString] = ["database", "database", "writes", "writes", "transaction", "transaction", "requestOptions", "request_options"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: database = try reader.readStringMember()
    case 1:
      writes = []
      try reader.beginArray()
      while try reader.nextElement() { writes.append(try V1.Write(json: &reader)) }
    case 2: transaction = try reader.readBytesMember()
    case 3: requestOptions = try V1.RequestOptions(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 3 where !path.isEmpty: requestOptions = try requestOptions.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !database.utf8.isEmpty {
      writer.writeKey("database")
      writer.writeString(database)
    }
    if !writes.isEmpty {
      writer.writeKey("writes")
      writer.beginArray()
      for value in writes { value.write(to: &writer) }
      writer.endArray()
    }
    if !transaction.isEmpty {
      writer.writeKey("transaction")
      writer.writeBase64(transaction.span)
    }
    if let value = requestOptions {
      writer.writeKey("requestOptions")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.CommitResponse`.
  package struct CommitResponse: Message {
    package var writeResults: [V1.WriteResult] = []
    package var commitTime: Timestamp?
    package init() {}
    package init(writeResults: [V1.WriteResult] = [], commitTime: Timestamp? = nil) {
      self.writeResults = writeResults
      self.commitTime = commitTime
    }
  }
}

extension V1.CommitResponse {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: writeResults.append(try V1.WriteResult(protobuf: reader.readMessage()))
      case 18: commitTime = try reader.readTimestamp()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    for value in writeResults { writer.writeMessage(1, value) }
    if let value = commitTime { writer.writeTimestamp(2, value) }
  }
  package static let jsonNames: [StaticString] = ["writeResults", "write_results", "commitTime", "commit_time"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      writeResults = []
      try reader.beginArray()
      while try reader.nextElement() { writeResults.append(try V1.WriteResult(json: &reader)) }
    case 1: commitTime = try reader.readTimestampMember()
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !writeResults.isEmpty {
      writer.writeKey("writeResults")
      writer.beginArray()
      for value in writeResults { value.write(to: &writer) }
      writer.endArray()
    }
    if let value = commitTime {
      writer.writeKey("commitTime")
      writer.writeTimestamp(value)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.CreateDocumentRequest`.
  package struct CreateDocumentRequest: Message {
    package var parent: String = ""
    package var collectionID: String = ""
    package var documentID: String = ""
    package var document: V1.Document?
    package var mask: V1.DocumentMask?
    package var requestOptions: V1.RequestOptions?
    package init() {}
    package init(parent: String = "", collectionID: String = "", documentID: String = "", document: V1.Document? = nil, mask: V1.DocumentMask? = nil, requestOptions: V1.RequestOptions? = nil) {
      self.parent = parent
      self.collectionID = collectionID
      self.documentID = documentID
      self.document = document
      self.mask = mask
      self.requestOptions = requestOptions
    }
  }
}

extension V1.CreateDocumentRequest {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: parent = try reader.readString()
      case 18: collectionID = try reader.readString()
      case 26: documentID = try reader.readString()
      case 34: try merge(reader.readMessage(), into: &document)
      case 42: try merge(reader.readMessage(), into: &mask)
      case 50: try merge(reader.readMessage(), into: &requestOptions)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !parent.utf8.isEmpty { writer.writeString(1, parent) }
    if !collectionID.utf8.isEmpty { writer.writeString(2, collectionID) }
    if !documentID.utf8.isEmpty { writer.writeString(3, documentID) }
    if let value = document { writer.writeMessage(4, value) }
    if let value = mask { writer.writeMessage(5, value) }
    if let value = requestOptions { writer.writeMessage(6, value) }
  }
  package static let jsonNames: [StaticString] = ["parent", "parent", "collectionId", "collection_id", "documentId", "document_id", "document", "document", "mask", "mask", "requestOptions", "request_options"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: parent = try reader.readStringMember()
    case 1: collectionID = try reader.readStringMember()
    case 2: documentID = try reader.readStringMember()
    case 3: document = try V1.Document(json: &reader)
    case 4: mask = try V1.DocumentMask(json: &reader)
    case 5: requestOptions = try V1.RequestOptions(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 3 where !path.isEmpty: document = try document.reading(path, &reader)
    case 4 where !path.isEmpty: mask = try mask.reading(path, &reader)
    case 5 where !path.isEmpty: requestOptions = try requestOptions.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !parent.utf8.isEmpty {
      writer.writeKey("parent")
      writer.writeString(parent)
    }
    if !collectionID.utf8.isEmpty {
      writer.writeKey("collectionId")
      writer.writeString(collectionID)
    }
    if !documentID.utf8.isEmpty {
      writer.writeKey("documentId")
      writer.writeString(documentID)
    }
    if let value = document {
      writer.writeKey("document")
      value.write(to: &writer)
    }
    if let value = mask {
      writer.writeKey("mask")
      value.write(to: &writer)
    }
    if let value = requestOptions {
      writer.writeKey("requestOptions")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.Cursor`.
  package struct Cursor: Message {
    package var values: [V1.Value] = []
    package var before: Bool = false
    package init() {}
    package init(values: [V1.Value] = [], before: Bool = false) {
      self.values = values
      self.before = before
    }
  }
}

extension V1.Cursor {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: values.append(try V1.Value(protobuf: reader.readMessage()))
      case 16: before = try reader.readBool()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    for value in values { writer.writeMessage(1, value) }
    if before { writer.writeBool(2, before) }
  }
  package static let jsonNames: [StaticString] = ["values", "values", "before", "before"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      values = []
      try reader.beginArray()
      while try reader.nextElement() { values.append(try V1.Value(json: &reader)) }
    case 1: before = try reader.readBoolMember()
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !values.isEmpty {
      writer.writeKey("values")
      writer.beginArray()
      for value in values { value.write(to: &writer) }
      writer.endArray()
    }
    if before {
      writer.writeKey("before")
      writer.writeBool(before)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.DeleteDocumentRequest`.
  package struct DeleteDocumentRequest: Message {
    package var name: String = ""
    package var currentDocument: V1.Precondition?
    package var requestOptions: V1.RequestOptions?
    package init() {}
    package init(name: String = "", currentDocument: V1.Precondition? = nil, requestOptions: V1.RequestOptions? = nil) {
      self.name = name
      self.currentDocument = currentDocument
      self.requestOptions = requestOptions
    }
  }
}

extension V1.DeleteDocumentRequest {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: name = try reader.readString()
      case 18: try merge(reader.readMessage(), into: &currentDocument)
      case 26: try merge(reader.readMessage(), into: &requestOptions)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !name.utf8.isEmpty { writer.writeString(1, name) }
    if let value = currentDocument { writer.writeMessage(2, value) }
    if let value = requestOptions { writer.writeMessage(3, value) }
  }
  package static let jsonNames: [StaticString] = ["name", "name", "currentDocument", "current_document", "requestOptions", "request_options"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: name = try reader.readStringMember()
    case 1: currentDocument = try V1.Precondition(json: &reader)
    case 2: requestOptions = try V1.RequestOptions(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 1 where !path.isEmpty: currentDocument = try currentDocument.reading(path, &reader)
    case 2 where !path.isEmpty: requestOptions = try requestOptions.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !name.utf8.isEmpty {
      writer.writeKey("name")
      writer.writeString(name)
    }
    if let value = currentDocument {
      writer.writeKey("currentDocument")
      value.write(to: &writer)
    }
    if let value = requestOptions {
      writer.writeKey("requestOptions")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.Document`.
  package struct Document: Message {
    package var name: String = ""
    package var fields: V1.DocumentFields = V1.DocumentFields()
    package var createTime: Timestamp?
    package var updateTime: Timestamp?
    package init() {}
    package init(name: String = "", fields: V1.DocumentFields = V1.DocumentFields(), createTime: Timestamp? = nil, updateTime: Timestamp? = nil) {
      self.name = name
      self.fields = fields
      self.createTime = createTime
      self.updateTime = updateTime
    }
  }
}

extension V1.Document {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: name = try reader.readString()
      case 18: fields.append(entry: try reader.readSpan(), remaining: reader.remaining)
      case 26: createTime = try reader.readTimestamp()
      case 34: updateTime = try reader.readTimestamp()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !name.utf8.isEmpty { writer.writeString(1, name) }
    if !fields.bytes.isEmpty { writer.append(fields.bytes) }
    if let value = createTime { writer.writeTimestamp(3, value) }
    if let value = updateTime { writer.writeTimestamp(4, value) }
  }
  package static let jsonNames: [StaticString] = ["name", "name", "fields", "fields", "createTime", "create_time", "updateTime", "update_time"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: name = try reader.readStringMember()
    case 1: fields = try V1.DocumentFields(json: &reader)
    case 2: createTime = try reader.readTimestampMember()
    case 3: updateTime = try reader.readTimestampMember()
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !name.utf8.isEmpty {
      writer.writeKey("name")
      writer.writeString(name)
    }
    if !fields.bytes.isEmpty {
      writer.writeKey("fields")
      fields.write(to: &writer)
    }
    if let value = createTime {
      writer.writeKey("createTime")
      writer.writeTimestamp(value)
    }
    if let value = updateTime {
      writer.writeKey("updateTime")
      writer.writeTimestamp(value)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.DocumentChange`.
  package struct DocumentChange: Message {
    package var document: V1.Document?
    package var targetIDs: [Int32] = []
    package var removedTargetIDs: [Int32] = []
    package init() {}
    package init(document: V1.Document? = nil, targetIDs: [Int32] = [], removedTargetIDs: [Int32] = []) {
      self.document = document
      self.targetIDs = targetIDs
      self.removedTargetIDs = removedTargetIDs
    }
  }
}

extension V1.DocumentChange {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: try merge(reader.readMessage(), into: &document)
      case 40: targetIDs.append(try reader.readInt32())
      case 42:
        var reader = try reader.readMessage()
        while !reader.isAtEnd { targetIDs.append(try reader.readInt32()) }
      case 48: removedTargetIDs.append(try reader.readInt32())
      case 50:
        var reader = try reader.readMessage()
        while !reader.isAtEnd { removedTargetIDs.append(try reader.readInt32()) }
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if let value = document { writer.writeMessage(1, value) }
    writer.writePacked(5, targetIDs)
    writer.writePacked(6, removedTargetIDs)
  }
  package static let jsonNames: [StaticString] = ["document", "document", "targetIds", "target_ids", "removedTargetIds", "removed_target_ids"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: document = try V1.Document(json: &reader)
    case 1:
      targetIDs = []
      try reader.beginArray()
      while try reader.nextElement() { targetIDs.append(try reader.readInt32Member()) }
    case 2:
      removedTargetIDs = []
      try reader.beginArray()
      while try reader.nextElement() { removedTargetIDs.append(try reader.readInt32Member()) }
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0 where !path.isEmpty: document = try document.reading(path, &reader)
    case 1 where path.isEmpty: targetIDs.append(try reader.readInt32Member())
    case 2 where path.isEmpty: removedTargetIDs.append(try reader.readInt32Member())
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if let value = document {
      writer.writeKey("document")
      value.write(to: &writer)
    }
    if !targetIDs.isEmpty {
      writer.writeKey("targetIds")
      writer.beginArray()
      for value in targetIDs { writer.writeInt32(value) }
      writer.endArray()
    }
    if !removedTargetIDs.isEmpty {
      writer.writeKey("removedTargetIds")
      writer.beginArray()
      for value in removedTargetIDs { writer.writeInt32(value) }
      writer.endArray()
    }
  }
}

extension V1 {
  /// `google.firestore.v1.DocumentDelete`.
  package struct DocumentDelete: Message {
    package var document: String = ""
    package var readTime: Timestamp?
    package var removedTargetIDs: [Int32] = []
    package init() {}
    package init(document: String = "", readTime: Timestamp? = nil, removedTargetIDs: [Int32] = []) {
      self.document = document
      self.readTime = readTime
      self.removedTargetIDs = removedTargetIDs
    }
  }
}

extension V1.DocumentDelete {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: document = try reader.readString()
      case 34: readTime = try reader.readTimestamp()
      case 48: removedTargetIDs.append(try reader.readInt32())
      case 50:
        var reader = try reader.readMessage()
        while !reader.isAtEnd { removedTargetIDs.append(try reader.readInt32()) }
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !document.utf8.isEmpty { writer.writeString(1, document) }
    if let value = readTime { writer.writeTimestamp(4, value) }
    writer.writePacked(6, removedTargetIDs)
  }
  package static let jsonNames: [StaticString] = ["document", "document", "readTime", "read_time", "removedTargetIds", "removed_target_ids"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: document = try reader.readStringMember()
    case 1: readTime = try reader.readTimestampMember()
    case 2:
      removedTargetIDs = []
      try reader.beginArray()
      while try reader.nextElement() { removedTargetIDs.append(try reader.readInt32Member()) }
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 2 where path.isEmpty: removedTargetIDs.append(try reader.readInt32Member())
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !document.utf8.isEmpty {
      writer.writeKey("document")
      writer.writeString(document)
    }
    if let value = readTime {
      writer.writeKey("readTime")
      writer.writeTimestamp(value)
    }
    if !removedTargetIDs.isEmpty {
      writer.writeKey("removedTargetIds")
      writer.beginArray()
      for value in removedTargetIDs { writer.writeInt32(value) }
      writer.endArray()
    }
  }
}

extension V1 {
  /// `google.firestore.v1.DocumentMask`.
  package struct DocumentMask: Message {
    package var fieldPaths: [String] = []
    package init() {}
    package init(fieldPaths: [String] = []) {
      self.fieldPaths = fieldPaths
    }
  }
}

extension V1.DocumentMask {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: fieldPaths.append(try reader.readString())
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    for value in fieldPaths { writer.writeString(1, value) }
  }
  package static let jsonNames: [StaticString] = ["fieldPaths", "field_paths"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      fieldPaths = []
      try reader.beginArray()
      while try reader.nextElement() { fieldPaths.append(try reader.readStringMember()) }
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0 where path.isEmpty: fieldPaths.append(try reader.readStringMember())
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !fieldPaths.isEmpty {
      writer.writeKey("fieldPaths")
      writer.beginArray()
      for value in fieldPaths { writer.writeString(value) }
      writer.endArray()
    }
  }
}

extension V1 {
  /// `google.firestore.v1.DocumentRemove`.
  package struct DocumentRemove: Message {
    package var document: String = ""
    package var removedTargetIDs: [Int32] = []
    package var readTime: Timestamp?
    package init() {}
    package init(document: String = "", removedTargetIDs: [Int32] = [], readTime: Timestamp? = nil) {
      self.document = document
      self.removedTargetIDs = removedTargetIDs
      self.readTime = readTime
    }
  }
}

extension V1.DocumentRemove {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: document = try reader.readString()
      case 16: removedTargetIDs.append(try reader.readInt32())
      case 18:
        var reader = try reader.readMessage()
        while !reader.isAtEnd { removedTargetIDs.append(try reader.readInt32()) }
      case 34: readTime = try reader.readTimestamp()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !document.utf8.isEmpty { writer.writeString(1, document) }
    writer.writePacked(2, removedTargetIDs)
    if let value = readTime { writer.writeTimestamp(4, value) }
  }
  package static let jsonNames: [StaticString] = ["document", "document", "removedTargetIds", "removed_target_ids", "readTime", "read_time"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: document = try reader.readStringMember()
    case 1:
      removedTargetIDs = []
      try reader.beginArray()
      while try reader.nextElement() { removedTargetIDs.append(try reader.readInt32Member()) }
    case 2: readTime = try reader.readTimestampMember()
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 1 where path.isEmpty: removedTargetIDs.append(try reader.readInt32Member())
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !document.utf8.isEmpty {
      writer.writeKey("document")
      writer.writeString(document)
    }
    if !removedTargetIDs.isEmpty {
      writer.writeKey("removedTargetIds")
      writer.beginArray()
      for value in removedTargetIDs { writer.writeInt32(value) }
      writer.endArray()
    }
    if let value = readTime {
      writer.writeKey("readTime")
      writer.writeTimestamp(value)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.DocumentTransform`.
  package struct DocumentTransform: Message {
    package var document: String = ""
    package var fieldTransforms: [V1.DocumentTransform.FieldTransform] = []
    package init() {}
    package init(document: String = "", fieldTransforms: [V1.DocumentTransform.FieldTransform] = []) {
      self.document = document
      self.fieldTransforms = fieldTransforms
    }
  }
}

extension V1.DocumentTransform {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: document = try reader.readString()
      case 18: fieldTransforms.append(try V1.DocumentTransform.FieldTransform(protobuf: reader.readMessage()))
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !document.utf8.isEmpty { writer.writeString(1, document) }
    for value in fieldTransforms { writer.writeMessage(2, value) }
  }
  package static let jsonNames: [StaticString] = ["document", "document", "fieldTransforms", "field_transforms"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: document = try reader.readStringMember()
    case 1:
      fieldTransforms = []
      try reader.beginArray()
      while try reader.nextElement() { fieldTransforms.append(try V1.DocumentTransform.FieldTransform(json: &reader)) }
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !document.utf8.isEmpty {
      writer.writeKey("document")
      writer.writeString(document)
    }
    if !fieldTransforms.isEmpty {
      writer.writeKey("fieldTransforms")
      writer.beginArray()
      for value in fieldTransforms { value.write(to: &writer) }
      writer.endArray()
    }
  }
}

extension V1.DocumentTransform {
  /// `google.firestore.v1.DocumentTransform.FieldTransform`.
  package struct FieldTransform: Message {
    package enum TransformType: Sendable {
      case setToServerValue(V1.DocumentTransform.FieldTransform.ServerValue)
      case increment(V1.Value)
      case maximum(V1.Value)
      case minimum(V1.Value)
      case appendMissingElements(V1.ArrayValue)
      case removeAllFromArray(V1.ArrayValue)
    }
    package var fieldPath: String = ""
    package var transformType: TransformType?
    package init() {}
    package init(fieldPath: String = "", transformType: TransformType? = nil) {
      self.fieldPath = fieldPath
      self.transformType = transformType
    }
  }
}

extension V1.DocumentTransform.FieldTransform {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: fieldPath = try reader.readString()
      case 16: transformType = .setToServerValue(try V1.DocumentTransform.FieldTransform.ServerValue(rawValue: reader.readInt32()))
      case 26:
        var message = V1.Value()
        if case .increment(let earlier)? = transformType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        transformType = .increment(message)
      case 34:
        var message = V1.Value()
        if case .maximum(let earlier)? = transformType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        transformType = .maximum(message)
      case 42:
        var message = V1.Value()
        if case .minimum(let earlier)? = transformType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        transformType = .minimum(message)
      case 50:
        var message = V1.ArrayValue()
        if case .appendMissingElements(let earlier)? = transformType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        transformType = .appendMissingElements(message)
      case 58:
        var message = V1.ArrayValue()
        if case .removeAllFromArray(let earlier)? = transformType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        transformType = .removeAllFromArray(message)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !fieldPath.utf8.isEmpty { writer.writeString(1, fieldPath) }
    switch transformType {
    case .setToServerValue(let value)?: writer.writeInt32(2, value.rawValue)
    case .increment(let value)?: writer.writeMessage(3, value)
    case .maximum(let value)?: writer.writeMessage(4, value)
    case .minimum(let value)?: writer.writeMessage(5, value)
    case .appendMissingElements(let value)?: writer.writeMessage(6, value)
    case .removeAllFromArray(let value)?: writer.writeMessage(7, value)
    case nil: break
    }
  }
  package static let jsonNames: [StaticString] = ["fieldPath", "field_path", "setToServerValue", "set_to_server_value", "increment", "increment", "maximum", "maximum", "minimum", "minimum", "appendMissingElements", "append_missing_elements", "removeAllFromArray", "remove_all_from_array"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: fieldPath = try reader.readStringMember()
    case 1:
      guard transformType == nil else { throw reader.wrongValue() }
      transformType = .setToServerValue(try V1.DocumentTransform.FieldTransform.ServerValue(json: &reader))
    case 2:
      guard transformType == nil else { throw reader.wrongValue() }
      transformType = .increment(try V1.Value(json: &reader))
    case 3:
      guard transformType == nil else { throw reader.wrongValue() }
      transformType = .maximum(try V1.Value(json: &reader))
    case 4:
      guard transformType == nil else { throw reader.wrongValue() }
      transformType = .minimum(try V1.Value(json: &reader))
    case 5:
      guard transformType == nil else { throw reader.wrongValue() }
      transformType = .appendMissingElements(try V1.ArrayValue(json: &reader))
    case 6:
      guard transformType == nil else { throw reader.wrongValue() }
      transformType = .removeAllFromArray(try V1.ArrayValue(json: &reader))
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !fieldPath.utf8.isEmpty {
      writer.writeKey("fieldPath")
      writer.writeString(fieldPath)
    }
    switch transformType {
    case .setToServerValue(let value)?:
      writer.writeKey("setToServerValue")
      value.write(to: &writer)
    case .increment(let value)?:
      writer.writeKey("increment")
      value.write(to: &writer)
    case .maximum(let value)?:
      writer.writeKey("maximum")
      value.write(to: &writer)
    case .minimum(let value)?:
      writer.writeKey("minimum")
      value.write(to: &writer)
    case .appendMissingElements(let value)?:
      writer.writeKey("appendMissingElements")
      value.write(to: &writer)
    case .removeAllFromArray(let value)?:
      writer.writeKey("removeAllFromArray")
      value.write(to: &writer)
    case nil: break
    }
  }
}

extension V1 {
  /// `google.firestore.v1.ExecutePipelineRequest`.
  package struct ExecutePipelineRequest: Message {
    package enum PipelineType: Sendable {
      case structuredPipeline(V1.StructuredPipeline)
    }
    package enum ConsistencySelector: Sendable {
      case transaction([UInt8])
      case newTransaction(V1.TransactionOptions)
      case readTime(Timestamp)
    }
    package var database: String = ""
    package var pipelineType: PipelineType?
    package var consistencySelector: ConsistencySelector?
    package var autoCommitTransaction: Bool = false
    package var requestOptions: V1.RequestOptions?
    package init() {}
    package init(database: String = "", pipelineType: PipelineType? = nil, consistencySelector: ConsistencySelector? = nil, autoCommitTransaction: Bool = false, requestOptions: V1.RequestOptions? = nil) {
      self.database = database
      self.pipelineType = pipelineType
      self.consistencySelector = consistencySelector
      self.autoCommitTransaction = autoCommitTransaction
      self.requestOptions = requestOptions
    }
  }
}

extension V1.ExecutePipelineRequest {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: database = try reader.readString()
      case 18:
        var message = V1.StructuredPipeline()
        if case .structuredPipeline(let earlier)? = pipelineType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        pipelineType = .structuredPipeline(message)
      case 42: consistencySelector = .transaction(try reader.readBytes())
      case 50:
        var message = V1.TransactionOptions()
        if case .newTransaction(let earlier)? = consistencySelector { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        consistencySelector = .newTransaction(message)
      case 58: consistencySelector = .readTime(try reader.readTimestamp())
      case 72: autoCommitTransaction = try reader.readBool()
      case 82: try merge(reader.readMessage(), into: &requestOptions)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !database.utf8.isEmpty { writer.writeString(1, database) }
    switch pipelineType {
    case .structuredPipeline(let value)?: writer.writeMessage(2, value)
    case nil: break
    }
    switch consistencySelector {
    case .transaction(let value)?: writer.writeBytes(5, value)
    case .newTransaction(let value)?: writer.writeMessage(6, value)
    case .readTime(let value)?: writer.writeTimestamp(7, value)
    case nil: break
    }
    if autoCommitTransaction { writer.writeBool(9, autoCommitTransaction) }
    if let value = requestOptions { writer.writeMessage(10, value) }
  }
  package static let jsonNames: [StaticString] = ["database", "database", "structuredPipeline", "structured_pipeline", "transaction", "transaction", "newTransaction", "new_transaction", "readTime", "read_time", "autoCommitTransaction", "auto_commit_transaction", "requestOptions", "request_options"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: database = try reader.readStringMember()
    case 1:
      guard pipelineType == nil else { throw reader.wrongValue() }
      pipelineType = .structuredPipeline(try V1.StructuredPipeline(json: &reader))
    case 2:
      guard consistencySelector == nil else { throw reader.wrongValue() }
      consistencySelector = .transaction(try reader.readBytesMember())
    case 3:
      guard consistencySelector == nil else { throw reader.wrongValue() }
      consistencySelector = .newTransaction(try V1.TransactionOptions(json: &reader))
    case 4:
      guard consistencySelector == nil else { throw reader.wrongValue() }
      consistencySelector = .readTime(try reader.readTimestampMember())
    case 5: autoCommitTransaction = try reader.readBoolMember()
    case 6: requestOptions = try V1.RequestOptions(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 6 where !path.isEmpty: requestOptions = try requestOptions.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !database.utf8.isEmpty {
      writer.writeKey("database")
      writer.writeString(database)
    }
    switch pipelineType {
    case .structuredPipeline(let value)?:
      writer.writeKey("structuredPipeline")
      value.write(to: &writer)
    case nil: break
    }
    switch consistencySelector {
    case .transaction(let value)?:
      writer.writeKey("transaction")
      writer.writeBase64(value.span)
    case .newTransaction(let value)?:
      writer.writeKey("newTransaction")
      value.write(to: &writer)
    case .readTime(let value)?:
      writer.writeKey("readTime")
      writer.writeTimestamp(value)
    case nil: break
    }
    if autoCommitTransaction {
      writer.writeKey("autoCommitTransaction")
      writer.writeBool(autoCommitTransaction)
    }
    if let value = requestOptions {
      writer.writeKey("requestOptions")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.ExecutePipelineResponse`.
  package struct ExecutePipelineResponse: Message {
    package var transaction: [UInt8] = []
    package var results: [V1.Document] = []
    package var executionTime: Timestamp?
    package var explainStats: V1.ExplainStats?
    package init() {}
    package init(transaction: [UInt8] = [], results: [V1.Document] = [], executionTime: Timestamp? = nil, explainStats: V1.ExplainStats? = nil) {
      self.transaction = transaction
      self.results = results
      self.executionTime = executionTime
      self.explainStats = explainStats
    }
  }
}

extension V1.ExecutePipelineResponse {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: transaction = try reader.readBytes()
      case 18: results.append(try V1.Document(protobuf: reader.readMessage()))
      case 26: executionTime = try reader.readTimestamp()
      case 34: try merge(reader.readMessage(), into: &explainStats)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !transaction.isEmpty { writer.writeBytes(1, transaction) }
    for value in results { writer.writeMessage(2, value) }
    if let value = executionTime { writer.writeTimestamp(3, value) }
    if let value = explainStats { writer.writeMessage(4, value) }
  }
  package static let jsonNames: [StaticString] = ["transaction", "transaction", "results", "results", "executionTime", "execution_time", "explainStats", "explain_stats"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: transaction = try reader.readBytesMember()
    case 1:
      results = []
      try reader.beginArray()
      while try reader.nextElement() { results.append(try V1.Document(json: &reader)) }
    case 2: executionTime = try reader.readTimestampMember()
    case 3: explainStats = try V1.ExplainStats(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 3 where !path.isEmpty: explainStats = try explainStats.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !transaction.isEmpty {
      writer.writeKey("transaction")
      writer.writeBase64(transaction.span)
    }
    if !results.isEmpty {
      writer.writeKey("results")
      writer.beginArray()
      for value in results { value.write(to: &writer) }
      writer.endArray()
    }
    if let value = executionTime {
      writer.writeKey("executionTime")
      writer.writeTimestamp(value)
    }
    if let value = explainStats {
      writer.writeKey("explainStats")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.ExecutionStats`.
  package struct ExecutionStats: Message {
    package var resultsReturned: Int64 = 0
    package var executionDuration: WellKnown.Duration?
    package var readOperations: Int64 = 0
    package var debugStats: WellKnown.Struct?
    package init() {}
    package init(resultsReturned: Int64 = 0, executionDuration: WellKnown.Duration? = nil, readOperations: Int64 = 0, debugStats: WellKnown.Struct? = nil) {
      self.resultsReturned = resultsReturned
      self.executionDuration = executionDuration
      self.readOperations = readOperations
      self.debugStats = debugStats
    }
  }
}

extension V1.ExecutionStats {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 8: resultsReturned = try reader.readInt64()
      case 26: try merge(reader.readMessage(), into: &executionDuration)
      case 32: readOperations = try reader.readInt64()
      case 42: try merge(reader.readMessage(), into: &debugStats)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if resultsReturned != 0 { writer.writeInt64(1, resultsReturned) }
    if let value = executionDuration { writer.writeMessage(3, value) }
    if readOperations != 0 { writer.writeInt64(4, readOperations) }
    if let value = debugStats { writer.writeMessage(5, value) }
  }
  package static let jsonNames: [StaticString] = ["resultsReturned", "results_returned", "executionDuration", "execution_duration", "readOperations", "read_operations", "debugStats", "debug_stats"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: resultsReturned = try reader.readInt64Member()
    case 1: executionDuration = try WellKnown.Duration(json: &reader)
    case 2: readOperations = try reader.readInt64Member()
    case 3: debugStats = try WellKnown.Struct(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 1 where !path.isEmpty: executionDuration = try executionDuration.reading(path, &reader)
    case 3 where !path.isEmpty: debugStats = try debugStats.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if resultsReturned != 0 {
      writer.writeKey("resultsReturned")
      writer.writeInt64(resultsReturned)
    }
    if let value = executionDuration {
      writer.writeKey("executionDuration")
      value.write(to: &writer)
    }
    if readOperations != 0 {
      writer.writeKey("readOperations")
      writer.writeInt64(readOperations)
    }
    if let value = debugStats {
      writer.writeKey("debugStats")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.ExistenceFilter`.
  package struct ExistenceFilter: Message {
    package var targetID: Int32 = 0
    package var count: Int32 = 0
    package var unchangedNames: V1.BloomFilter?
    package init() {}
    package init(targetID: Int32 = 0, count: Int32 = 0, unchangedNames: V1.BloomFilter? = nil) {
      self.targetID = targetID
      self.count = count
      self.unchangedNames = unchangedNames
    }
  }
}

extension V1.ExistenceFilter {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 8: targetID = try reader.readInt32()
      case 16: count = try reader.readInt32()
      case 26: try merge(reader.readMessage(), into: &unchangedNames)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if targetID != 0 { writer.writeInt32(1, targetID) }
    if count != 0 { writer.writeInt32(2, count) }
    if let value = unchangedNames { writer.writeMessage(3, value) }
  }
  package static let jsonNames: [StaticString] = ["targetId", "target_id", "count", "count", "unchangedNames", "unchanged_names"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: targetID = try reader.readInt32Member()
    case 1: count = try reader.readInt32Member()
    case 2: unchangedNames = try V1.BloomFilter(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 2 where !path.isEmpty: unchangedNames = try unchangedNames.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if targetID != 0 {
      writer.writeKey("targetId")
      writer.writeInt32(targetID)
    }
    if count != 0 {
      writer.writeKey("count")
      writer.writeInt32(count)
    }
    if let value = unchangedNames {
      writer.writeKey("unchangedNames")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.ExplainMetrics`.
  package struct ExplainMetrics: Message {
    package var planSummary: V1.PlanSummary?
    package var executionStats: V1.ExecutionStats?
    package init() {}
    package init(planSummary: V1.PlanSummary? = nil, executionStats: V1.ExecutionStats? = nil) {
      self.planSummary = planSummary
      self.executionStats = executionStats
    }
  }
}

extension V1.ExplainMetrics {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: try merge(reader.readMessage(), into: &planSummary)
      case 18: try merge(reader.readMessage(), into: &executionStats)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if let value = planSummary { writer.writeMessage(1, value) }
    if let value = executionStats { writer.writeMessage(2, value) }
  }
  package static let jsonNames: [StaticString] = ["planSummary", "plan_summary", "executionStats", "execution_stats"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: planSummary = try V1.PlanSummary(json: &reader)
    case 1: executionStats = try V1.ExecutionStats(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0 where !path.isEmpty: planSummary = try planSummary.reading(path, &reader)
    case 1 where !path.isEmpty: executionStats = try executionStats.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if let value = planSummary {
      writer.writeKey("planSummary")
      value.write(to: &writer)
    }
    if let value = executionStats {
      writer.writeKey("executionStats")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.ExplainOptions`.
  package struct ExplainOptions: Message {
    package var analyze: Bool = false
    package init() {}
    package init(analyze: Bool = false) {
      self.analyze = analyze
    }
  }
}

extension V1.ExplainOptions {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 8: analyze = try reader.readBool()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if analyze { writer.writeBool(1, analyze) }
  }
  package static let jsonNames: [StaticString] = ["analyze", "analyze"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: analyze = try reader.readBoolMember()
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if analyze {
      writer.writeKey("analyze")
      writer.writeBool(analyze)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.ExplainStats`.
  package struct ExplainStats: Message {
    package var data: WellKnown.AnyMessage?
    package init() {}
    package init(data: WellKnown.AnyMessage? = nil) {
      self.data = data
    }
  }
}

extension V1.ExplainStats {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: try merge(reader.readMessage(), into: &data)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if let value = data { writer.writeMessage(1, value) }
  }
  package static let jsonNames: [StaticString] = ["data", "data"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: data = try WellKnown.AnyMessage(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0 where !path.isEmpty: data = try data.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if let value = data {
      writer.writeKey("data")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.Function`.
  package struct Function: Message {
    package var name: String = ""
    package var args: [V1.Value] = []
    package var options: [MapEntry<V1.Value>] = []
    package init() {}
    package init(name: String = "", args: [V1.Value] = [], options: [MapEntry<V1.Value>] = []) {
      self.name = name
      self.args = args
      self.options = options
    }
  }
}

extension V1.Function {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: name = try reader.readString()
      case 18: args.append(try V1.Value(protobuf: reader.readMessage()))
      case 26: options.append(try MapEntry(protobuf: reader.readMessage()))
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !name.utf8.isEmpty { writer.writeString(1, name) }
    for value in args { writer.writeMessage(2, value) }
    for value in options { writer.writeMessage(3, value) }
  }
  package static let jsonNames: [StaticString] = ["name", "name", "args", "args", "options", "options"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: name = try reader.readStringMember()
    case 1:
      args = []
      try reader.beginArray()
      while try reader.nextElement() { args.append(try V1.Value(json: &reader)) }
    case 2:
      options = []
      try reader.beginObject()
      while let key = try reader.nextKey() {
        options.append(MapEntry(key: key, value: try V1.Value(json: &reader)))
      }
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !name.utf8.isEmpty {
      writer.writeKey("name")
      writer.writeString(name)
    }
    if !args.isEmpty {
      writer.writeKey("args")
      writer.beginArray()
      for value in args { value.write(to: &writer) }
      writer.endArray()
    }
    if !options.isEmpty {
      writer.writeKey("options")
      writer.beginObject()
      for entry in options {
        writer.writeKey(entry.key)
        entry.value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}

extension V1 {
  /// `google.firestore.v1.GetDocumentRequest`.
  package struct GetDocumentRequest: Message {
    package enum ConsistencySelector: Sendable {
      case transaction([UInt8])
      case readTime(Timestamp)
    }
    package var name: String = ""
    package var mask: V1.DocumentMask?
    package var consistencySelector: ConsistencySelector?
    package var requestOptions: V1.RequestOptions?
    package init() {}
    package init(name: String = "", mask: V1.DocumentMask? = nil, consistencySelector: ConsistencySelector? = nil, requestOptions: V1.RequestOptions? = nil) {
      self.name = name
      self.mask = mask
      self.consistencySelector = consistencySelector
      self.requestOptions = requestOptions
    }
  }
}

extension V1.GetDocumentRequest {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: name = try reader.readString()
      case 18: try merge(reader.readMessage(), into: &mask)
      case 26: consistencySelector = .transaction(try reader.readBytes())
      case 42: consistencySelector = .readTime(try reader.readTimestamp())
      case 82: try merge(reader.readMessage(), into: &requestOptions)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !name.utf8.isEmpty { writer.writeString(1, name) }
    if let value = mask { writer.writeMessage(2, value) }
    switch consistencySelector {
    case .transaction(let value)?: writer.writeBytes(3, value)
    case .readTime(let value)?: writer.writeTimestamp(5, value)
    case nil: break
    }
    if let value = requestOptions { writer.writeMessage(10, value) }
  }
  package static let jsonNames: [StaticString] = ["name", "name", "mask", "mask", "transaction", "transaction", "readTime", "read_time", "requestOptions", "request_options"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: name = try reader.readStringMember()
    case 1: mask = try V1.DocumentMask(json: &reader)
    case 2:
      guard consistencySelector == nil else { throw reader.wrongValue() }
      consistencySelector = .transaction(try reader.readBytesMember())
    case 3:
      guard consistencySelector == nil else { throw reader.wrongValue() }
      consistencySelector = .readTime(try reader.readTimestampMember())
    case 4: requestOptions = try V1.RequestOptions(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 1 where !path.isEmpty: mask = try mask.reading(path, &reader)
    case 4 where !path.isEmpty: requestOptions = try requestOptions.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !name.utf8.isEmpty {
      writer.writeKey("name")
      writer.writeString(name)
    }
    if let value = mask {
      writer.writeKey("mask")
      value.write(to: &writer)
    }
    switch consistencySelector {
    case .transaction(let value)?:
      writer.writeKey("transaction")
      writer.writeBase64(value.span)
    case .readTime(let value)?:
      writer.writeKey("readTime")
      writer.writeTimestamp(value)
    case nil: break
    }
    if let value = requestOptions {
      writer.writeKey("requestOptions")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.ListCollectionIdsRequest`.
  package struct ListCollectionIdsRequest: Message {
    package enum ConsistencySelector: Sendable {
      case readTime(Timestamp)
    }
    package var parent: String = ""
    package var pageSize: Int32 = 0
    package var pageToken: String = ""
    package var consistencySelector: ConsistencySelector?
    package var requestOptions: V1.RequestOptions?
    package init() {}
    package init(parent: String = "", pageSize: Int32 = 0, pageToken: String = "", consistencySelector: ConsistencySelector? = nil, requestOptions: V1.RequestOptions? = nil) {
      self.parent = parent
      self.pageSize = pageSize
      self.pageToken = pageToken
      self.consistencySelector = consistencySelector
      self.requestOptions = requestOptions
    }
  }
}

extension V1.ListCollectionIdsRequest {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: parent = try reader.readString()
      case 16: pageSize = try reader.readInt32()
      case 26: pageToken = try reader.readString()
      case 34: consistencySelector = .readTime(try reader.readTimestamp())
      case 42: try merge(reader.readMessage(), into: &requestOptions)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !parent.utf8.isEmpty { writer.writeString(1, parent) }
    if pageSize != 0 { writer.writeInt32(2, pageSize) }
    if !pageToken.utf8.isEmpty { writer.writeString(3, pageToken) }
    switch consistencySelector {
    case .readTime(let value)?: writer.writeTimestamp(4, value)
    case nil: break
    }
    if let value = requestOptions { writer.writeMessage(5, value) }
  }
  package static let jsonNames: [StaticString] = ["parent", "parent", "pageSize", "page_size", "pageToken", "page_token", "readTime", "read_time", "requestOptions", "request_options"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: parent = try reader.readStringMember()
    case 1: pageSize = try reader.readInt32Member()
    case 2: pageToken = try reader.readStringMember()
    case 3:
      guard consistencySelector == nil else { throw reader.wrongValue() }
      consistencySelector = .readTime(try reader.readTimestampMember())
    case 4: requestOptions = try V1.RequestOptions(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 4 where !path.isEmpty: requestOptions = try requestOptions.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !parent.utf8.isEmpty {
      writer.writeKey("parent")
      writer.writeString(parent)
    }
    if pageSize != 0 {
      writer.writeKey("pageSize")
      writer.writeInt32(pageSize)
    }
    if !pageToken.utf8.isEmpty {
      writer.writeKey("pageToken")
      writer.writeString(pageToken)
    }
    switch consistencySelector {
    case .readTime(let value)?:
      writer.writeKey("readTime")
      writer.writeTimestamp(value)
    case nil: break
    }
    if let value = requestOptions {
      writer.writeKey("requestOptions")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.ListCollectionIdsResponse`.
  package struct ListCollectionIdsResponse: Message {
    package var collectionIDs: [String] = []
    package var nextPageToken: String = ""
    package init() {}
    package init(collectionIDs: [String] = [], nextPageToken: String = "") {
      self.collectionIDs = collectionIDs
      self.nextPageToken = nextPageToken
    }
  }
}

extension V1.ListCollectionIdsResponse {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: collectionIDs.append(try reader.readString())
      case 18: nextPageToken = try reader.readString()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    for value in collectionIDs { writer.writeString(1, value) }
    if !nextPageToken.utf8.isEmpty { writer.writeString(2, nextPageToken) }
  }
  package static let jsonNames: [StaticString] = ["collectionIds", "collection_ids", "nextPageToken", "next_page_token"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      collectionIDs = []
      try reader.beginArray()
      while try reader.nextElement() { collectionIDs.append(try reader.readStringMember()) }
    case 1: nextPageToken = try reader.readStringMember()
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0 where path.isEmpty: collectionIDs.append(try reader.readStringMember())
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !collectionIDs.isEmpty {
      writer.writeKey("collectionIds")
      writer.beginArray()
      for value in collectionIDs { writer.writeString(value) }
      writer.endArray()
    }
    if !nextPageToken.utf8.isEmpty {
      writer.writeKey("nextPageToken")
      writer.writeString(nextPageToken)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.ListDocumentsRequest`.
  package struct ListDocumentsRequest: Message {
    package enum ConsistencySelector: Sendable {
      case transaction([UInt8])
      case readTime(Timestamp)
    }
    package var parent: String = ""
    package var collectionID: String = ""
    package var pageSize: Int32 = 0
    package var pageToken: String = ""
    package var orderBy: String = ""
    package var mask: V1.DocumentMask?
    package var consistencySelector: ConsistencySelector?
    package var showMissing: Bool = false
    package var requestOptions: V1.RequestOptions?
    package init() {}
    package init(parent: String = "", collectionID: String = "", pageSize: Int32 = 0, pageToken: String = "", orderBy: String = "", mask: V1.DocumentMask? = nil, consistencySelector: ConsistencySelector? = nil, showMissing: Bool = false, requestOptions: V1.RequestOptions? = nil) {
      self.parent = parent
      self.collectionID = collectionID
      self.pageSize = pageSize
      self.pageToken = pageToken
      self.orderBy = orderBy
      self.mask = mask
      self.consistencySelector = consistencySelector
      self.showMissing = showMissing
      self.requestOptions = requestOptions
    }
  }
}

extension V1.ListDocumentsRequest {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: parent = try reader.readString()
      case 18: collectionID = try reader.readString()
      case 24: pageSize = try reader.readInt32()
      case 34: pageToken = try reader.readString()
      case 50: orderBy = try reader.readString()
      case 58: try merge(reader.readMessage(), into: &mask)
      case 66: consistencySelector = .transaction(try reader.readBytes())
      case 82: consistencySelector = .readTime(try reader.readTimestamp())
      case 96: showMissing = try reader.readBool()
      case 106: try merge(reader.readMessage(), into: &requestOptions)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !parent.utf8.isEmpty { writer.writeString(1, parent) }
    if !collectionID.utf8.isEmpty { writer.writeString(2, collectionID) }
    if pageSize != 0 { writer.writeInt32(3, pageSize) }
    if !pageToken.utf8.isEmpty { writer.writeString(4, pageToken) }
    if !orderBy.utf8.isEmpty { writer.writeString(6, orderBy) }
    if let value = mask { writer.writeMessage(7, value) }
    switch consistencySelector {
    case .transaction(let value)?: writer.writeBytes(8, value)
    case .readTime(let value)?: writer.writeTimestamp(10, value)
    case nil: break
    }
    if showMissing { writer.writeBool(12, showMissing) }
    if let value = requestOptions { writer.writeMessage(13, value) }
  }
  package static let jsonNames: [StaticString] = ["parent", "parent", "collectionId", "collection_id", "pageSize", "page_size", "pageToken", "page_token", "orderBy", "order_by", "mask", "mask", "transaction", "transaction", "readTime", "read_time", "showMissing", "show_missing", "requestOptions", "request_options"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: parent = try reader.readStringMember()
    case 1: collectionID = try reader.readStringMember()
    case 2: pageSize = try reader.readInt32Member()
    case 3: pageToken = try reader.readStringMember()
    case 4: orderBy = try reader.readStringMember()
    case 5: mask = try V1.DocumentMask(json: &reader)
    case 6:
      guard consistencySelector == nil else { throw reader.wrongValue() }
      consistencySelector = .transaction(try reader.readBytesMember())
    case 7:
      guard consistencySelector == nil else { throw reader.wrongValue() }
      consistencySelector = .readTime(try reader.readTimestampMember())
    case 8: showMissing = try reader.readBoolMember()
    case 9: requestOptions = try V1.RequestOptions(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 5 where !path.isEmpty: mask = try mask.reading(path, &reader)
    case 9 where !path.isEmpty: requestOptions = try requestOptions.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !parent.utf8.isEmpty {
      writer.writeKey("parent")
      writer.writeString(parent)
    }
    if !collectionID.utf8.isEmpty {
      writer.writeKey("collectionId")
      writer.writeString(collectionID)
    }
    if pageSize != 0 {
      writer.writeKey("pageSize")
      writer.writeInt32(pageSize)
    }
    if !pageToken.utf8.isEmpty {
      writer.writeKey("pageToken")
      writer.writeString(pageToken)
    }
    if !orderBy.utf8.isEmpty {
      writer.writeKey("orderBy")
      writer.writeString(orderBy)
    }
    if let value = mask {
      writer.writeKey("mask")
      value.write(to: &writer)
    }
    switch consistencySelector {
    case .transaction(let value)?:
      writer.writeKey("transaction")
      writer.writeBase64(value.span)
    case .readTime(let value)?:
      writer.writeKey("readTime")
      writer.writeTimestamp(value)
    case nil: break
    }
    if showMissing {
      writer.writeKey("showMissing")
      writer.writeBool(showMissing)
    }
    if let value = requestOptions {
      writer.writeKey("requestOptions")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.ListDocumentsResponse`.
  package struct ListDocumentsResponse: Message {
    package var documents: [V1.Document] = []
    package var nextPageToken: String = ""
    package init() {}
    package init(documents: [V1.Document] = [], nextPageToken: String = "") {
      self.documents = documents
      self.nextPageToken = nextPageToken
    }
  }
}

extension V1.ListDocumentsResponse {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: documents.append(try V1.Document(protobuf: reader.readMessage()))
      case 18: nextPageToken = try reader.readString()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    for value in documents { writer.writeMessage(1, value) }
    if !nextPageToken.utf8.isEmpty { writer.writeString(2, nextPageToken) }
  }
  package static let jsonNames: [StaticString] = ["documents", "documents", "nextPageToken", "next_page_token"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      documents = []
      try reader.beginArray()
      while try reader.nextElement() { documents.append(try V1.Document(json: &reader)) }
    case 1: nextPageToken = try reader.readStringMember()
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !documents.isEmpty {
      writer.writeKey("documents")
      writer.beginArray()
      for value in documents { value.write(to: &writer) }
      writer.endArray()
    }
    if !nextPageToken.utf8.isEmpty {
      writer.writeKey("nextPageToken")
      writer.writeString(nextPageToken)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.ListenRequest`.
  package struct ListenRequest: Message {
    package enum TargetChange: Sendable {
      case addTarget(V1.Target)
      case removeTarget(Int32)
    }
    package var database: String = ""
    package var targetChange: TargetChange?
    package var labels: [MapEntry<String>] = []
    package var requestOptions: V1.RequestOptions?
    package init() {}
    package init(database: String = "", targetChange: TargetChange? = nil, labels: [MapEntry<String>] = [], requestOptions: V1.RequestOptions? = nil) {
      self.database = database
      self.targetChange = targetChange
      self.labels = labels
      self.requestOptions = requestOptions
    }
  }
}

extension V1.ListenRequest {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: database = try reader.readString()
      case 18:
        var message = V1.Target()
        if case .addTarget(let earlier)? = targetChange { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        targetChange = .addTarget(message)
      case 24: targetChange = .removeTarget(try reader.readInt32())
      case 34: labels.append(try MapEntry(protobuf: reader.readMessage()))
      case 42: try merge(reader.readMessage(), into: &requestOptions)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !database.utf8.isEmpty { writer.writeString(1, database) }
    switch targetChange {
    case .addTarget(let value)?: writer.writeMessage(2, value)
    case .removeTarget(let value)?: writer.writeInt32(3, value)
    case nil: break
    }
    for value in labels { writer.writeMessage(4, value) }
    if let value = requestOptions { writer.writeMessage(5, value) }
  }
  package static let jsonNames: [StaticString] = ["database", "database", "addTarget", "add_target", "removeTarget", "remove_target", "labels", "labels", "requestOptions", "request_options"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: database = try reader.readStringMember()
    case 1:
      guard targetChange == nil else { throw reader.wrongValue() }
      targetChange = .addTarget(try V1.Target(json: &reader))
    case 2:
      guard targetChange == nil else { throw reader.wrongValue() }
      targetChange = .removeTarget(try reader.readInt32Member())
    case 3:
      labels = []
      try reader.beginObject()
      while let key = try reader.nextKey() {
        labels.append(MapEntry(key: key, value: try reader.readStringMember()))
      }
    case 4: requestOptions = try V1.RequestOptions(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 4 where !path.isEmpty: requestOptions = try requestOptions.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !database.utf8.isEmpty {
      writer.writeKey("database")
      writer.writeString(database)
    }
    switch targetChange {
    case .addTarget(let value)?:
      writer.writeKey("addTarget")
      value.write(to: &writer)
    case .removeTarget(let value)?:
      writer.writeKey("removeTarget")
      writer.writeInt32(value)
    case nil: break
    }
    if !labels.isEmpty {
      writer.writeKey("labels")
      writer.beginObject()
      for entry in labels {
        writer.writeKey(entry.key)
        writer.writeString(entry.value)
      }
      writer.endObject()
    }
    if let value = requestOptions {
      writer.writeKey("requestOptions")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.ListenResponse`.
  package struct ListenResponse: Message {
    package enum ResponseType: Sendable {
      case targetChange(V1.TargetChange)
      case documentChange(V1.DocumentChange)
      case documentDelete(V1.DocumentDelete)
      case filter(V1.ExistenceFilter)
      case documentRemove(V1.DocumentRemove)
    }
    package var responseType: ResponseType?
    package init() {}
    package init(responseType: ResponseType? = nil) {
      self.responseType = responseType
    }
  }
}

extension V1.ListenResponse {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 18:
        var message = V1.TargetChange()
        if case .targetChange(let earlier)? = responseType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        responseType = .targetChange(message)
      case 26:
        var message = V1.DocumentChange()
        if case .documentChange(let earlier)? = responseType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        responseType = .documentChange(message)
      case 34:
        var message = V1.DocumentDelete()
        if case .documentDelete(let earlier)? = responseType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        responseType = .documentDelete(message)
      case 42:
        var message = V1.ExistenceFilter()
        if case .filter(let earlier)? = responseType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        responseType = .filter(message)
      case 50:
        var message = V1.DocumentRemove()
        if case .documentRemove(let earlier)? = responseType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        responseType = .documentRemove(message)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    switch responseType {
    case .targetChange(let value)?: writer.writeMessage(2, value)
    case .documentChange(let value)?: writer.writeMessage(3, value)
    case .documentDelete(let value)?: writer.writeMessage(4, value)
    case .filter(let value)?: writer.writeMessage(5, value)
    case .documentRemove(let value)?: writer.writeMessage(6, value)
    case nil: break
    }
  }
  package static let jsonNames: [StaticString] = ["targetChange", "target_change", "documentChange", "document_change", "documentDelete", "document_delete", "filter", "filter", "documentRemove", "document_remove"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      guard responseType == nil else { throw reader.wrongValue() }
      responseType = .targetChange(try V1.TargetChange(json: &reader))
    case 1:
      guard responseType == nil else { throw reader.wrongValue() }
      responseType = .documentChange(try V1.DocumentChange(json: &reader))
    case 2:
      guard responseType == nil else { throw reader.wrongValue() }
      responseType = .documentDelete(try V1.DocumentDelete(json: &reader))
    case 3:
      guard responseType == nil else { throw reader.wrongValue() }
      responseType = .filter(try V1.ExistenceFilter(json: &reader))
    case 4:
      guard responseType == nil else { throw reader.wrongValue() }
      responseType = .documentRemove(try V1.DocumentRemove(json: &reader))
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    switch responseType {
    case .targetChange(let value)?:
      writer.writeKey("targetChange")
      value.write(to: &writer)
    case .documentChange(let value)?:
      writer.writeKey("documentChange")
      value.write(to: &writer)
    case .documentDelete(let value)?:
      writer.writeKey("documentDelete")
      value.write(to: &writer)
    case .filter(let value)?:
      writer.writeKey("filter")
      value.write(to: &writer)
    case .documentRemove(let value)?:
      writer.writeKey("documentRemove")
      value.write(to: &writer)
    case nil: break
    }
  }
}

extension V1 {
  /// `google.firestore.v1.PartitionQueryRequest`.
  package struct PartitionQueryRequest: Message {
    package enum QueryType: Sendable {
      case structuredQuery(V1.StructuredQuery)
    }
    package enum ConsistencySelector: Sendable {
      case readTime(Timestamp)
    }
    package var parent: String = ""
    package var queryType: QueryType?
    package var partitionCount: Int64 = 0
    package var pageToken: String = ""
    package var pageSize: Int32 = 0
    package var consistencySelector: ConsistencySelector?
    package var requestOptions: V1.RequestOptions?
    package init() {}
    package init(parent: String = "", queryType: QueryType? = nil, partitionCount: Int64 = 0, pageToken: String = "", pageSize: Int32 = 0, consistencySelector: ConsistencySelector? = nil, requestOptions: V1.RequestOptions? = nil) {
      self.parent = parent
      self.queryType = queryType
      self.partitionCount = partitionCount
      self.pageToken = pageToken
      self.pageSize = pageSize
      self.consistencySelector = consistencySelector
      self.requestOptions = requestOptions
    }
  }
}

extension V1.PartitionQueryRequest {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: parent = try reader.readString()
      case 18:
        var message = V1.StructuredQuery()
        if case .structuredQuery(let earlier)? = queryType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        queryType = .structuredQuery(message)
      case 24: partitionCount = try reader.readInt64()
      case 34: pageToken = try reader.readString()
      case 40: pageSize = try reader.readInt32()
      case 50: consistencySelector = .readTime(try reader.readTimestamp())
      case 58: try merge(reader.readMessage(), into: &requestOptions)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !parent.utf8.isEmpty { writer.writeString(1, parent) }
    switch queryType {
    case .structuredQuery(let value)?: writer.writeMessage(2, value)
    case nil: break
    }
    if partitionCount != 0 { writer.writeInt64(3, partitionCount) }
    if !pageToken.utf8.isEmpty { writer.writeString(4, pageToken) }
    if pageSize != 0 { writer.writeInt32(5, pageSize) }
    switch consistencySelector {
    case .readTime(let value)?: writer.writeTimestamp(6, value)
    case nil: break
    }
    if let value = requestOptions { writer.writeMessage(7, value) }
  }
  package static let jsonNames: [StaticString] = ["parent", "parent", "structuredQuery", "structured_query", "partitionCount", "partition_count", "pageToken", "page_token", "pageSize", "page_size", "readTime", "read_time", "requestOptions", "request_options"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: parent = try reader.readStringMember()
    case 1:
      guard queryType == nil else { throw reader.wrongValue() }
      queryType = .structuredQuery(try V1.StructuredQuery(json: &reader))
    case 2: partitionCount = try reader.readInt64Member()
    case 3: pageToken = try reader.readStringMember()
    case 4: pageSize = try reader.readInt32Member()
    case 5:
      guard consistencySelector == nil else { throw reader.wrongValue() }
      consistencySelector = .readTime(try reader.readTimestampMember())
    case 6: requestOptions = try V1.RequestOptions(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 6 where !path.isEmpty: requestOptions = try requestOptions.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !parent.utf8.isEmpty {
      writer.writeKey("parent")
      writer.writeString(parent)
    }
    switch queryType {
    case .structuredQuery(let value)?:
      writer.writeKey("structuredQuery")
      value.write(to: &writer)
    case nil: break
    }
    if partitionCount != 0 {
      writer.writeKey("partitionCount")
      writer.writeInt64(partitionCount)
    }
    if !pageToken.utf8.isEmpty {
      writer.writeKey("pageToken")
      writer.writeString(pageToken)
    }
    if pageSize != 0 {
      writer.writeKey("pageSize")
      writer.writeInt32(pageSize)
    }
    switch consistencySelector {
    case .readTime(let value)?:
      writer.writeKey("readTime")
      writer.writeTimestamp(value)
    case nil: break
    }
    if let value = requestOptions {
      writer.writeKey("requestOptions")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.PartitionQueryResponse`.
  package struct PartitionQueryResponse: Message {
    package var partitions: [V1.Cursor] = []
    package var nextPageToken: String = ""
    package init() {}
    package init(partitions: [V1.Cursor] = [], nextPageToken: String = "") {
      self.partitions = partitions
      self.nextPageToken = nextPageToken
    }
  }
}

extension V1.PartitionQueryResponse {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: partitions.append(try V1.Cursor(protobuf: reader.readMessage()))
      case 18: nextPageToken = try reader.readString()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    for value in partitions { writer.writeMessage(1, value) }
    if !nextPageToken.utf8.isEmpty { writer.writeString(2, nextPageToken) }
  }
  package static let jsonNames: [StaticString] = ["partitions", "partitions", "nextPageToken", "next_page_token"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      partitions = []
      try reader.beginArray()
      while try reader.nextElement() { partitions.append(try V1.Cursor(json: &reader)) }
    case 1: nextPageToken = try reader.readStringMember()
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !partitions.isEmpty {
      writer.writeKey("partitions")
      writer.beginArray()
      for value in partitions { value.write(to: &writer) }
      writer.endArray()
    }
    if !nextPageToken.utf8.isEmpty {
      writer.writeKey("nextPageToken")
      writer.writeString(nextPageToken)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.Pipeline`.
  package struct Pipeline: Message {
    package var stages: [V1.Pipeline.Stage] = []
    package init() {}
    package init(stages: [V1.Pipeline.Stage] = []) {
      self.stages = stages
    }
  }
}

extension V1.Pipeline {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: stages.append(try V1.Pipeline.Stage(protobuf: reader.readMessage()))
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    for value in stages { writer.writeMessage(1, value) }
  }
  package static let jsonNames: [StaticString] = ["stages", "stages"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      stages = []
      try reader.beginArray()
      while try reader.nextElement() { stages.append(try V1.Pipeline.Stage(json: &reader)) }
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !stages.isEmpty {
      writer.writeKey("stages")
      writer.beginArray()
      for value in stages { value.write(to: &writer) }
      writer.endArray()
    }
  }
}

extension V1.Pipeline {
  /// `google.firestore.v1.Pipeline.Stage`.
  package struct Stage: Message {
    package var name: String = ""
    package var args: [V1.Value] = []
    package var options: [MapEntry<V1.Value>] = []
    package init() {}
    package init(name: String = "", args: [V1.Value] = [], options: [MapEntry<V1.Value>] = []) {
      self.name = name
      self.args = args
      self.options = options
    }
  }
}

extension V1.Pipeline.Stage {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: name = try reader.readString()
      case 18: args.append(try V1.Value(protobuf: reader.readMessage()))
      case 26: options.append(try MapEntry(protobuf: reader.readMessage()))
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !name.utf8.isEmpty { writer.writeString(1, name) }
    for value in args { writer.writeMessage(2, value) }
    for value in options { writer.writeMessage(3, value) }
  }
  package static let jsonNames: [StaticString] = ["name", "name", "args", "args", "options", "options"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: name = try reader.readStringMember()
    case 1:
      args = []
      try reader.beginArray()
      while try reader.nextElement() { args.append(try V1.Value(json: &reader)) }
    case 2:
      options = []
      try reader.beginObject()
      while let key = try reader.nextKey() {
        options.append(MapEntry(key: key, value: try V1.Value(json: &reader)))
      }
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !name.utf8.isEmpty {
      writer.writeKey("name")
      writer.writeString(name)
    }
    if !args.isEmpty {
      writer.writeKey("args")
      writer.beginArray()
      for value in args { value.write(to: &writer) }
      writer.endArray()
    }
    if !options.isEmpty {
      writer.writeKey("options")
      writer.beginObject()
      for entry in options {
        writer.writeKey(entry.key)
        entry.value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}

extension V1 {
  /// `google.firestore.v1.PlanSummary`.
  package struct PlanSummary: Message {
    package var indexesUsed: [WellKnown.Struct] = []
    package init() {}
    package init(indexesUsed: [WellKnown.Struct] = []) {
      self.indexesUsed = indexesUsed
    }
  }
}

extension V1.PlanSummary {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: indexesUsed.append(try WellKnown.Struct(protobuf: reader.readMessage()))
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    for value in indexesUsed { writer.writeMessage(1, value) }
  }
  package static let jsonNames: [StaticString] = ["indexesUsed", "indexes_used"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      indexesUsed = []
      try reader.beginArray()
      while try reader.nextElement() { indexesUsed.append(try WellKnown.Struct(json: &reader)) }
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !indexesUsed.isEmpty {
      writer.writeKey("indexesUsed")
      writer.beginArray()
      for value in indexesUsed { value.write(to: &writer) }
      writer.endArray()
    }
  }
}

extension V1 {
  /// `google.firestore.v1.Precondition`.
  package struct Precondition: Message {
    package enum ConditionType: Sendable {
      case exists(Bool)
      case updateTime(Timestamp)
    }
    package var conditionType: ConditionType?
    package init() {}
    package init(conditionType: ConditionType? = nil) {
      self.conditionType = conditionType
    }
  }
}

extension V1.Precondition {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 8: conditionType = .exists(try reader.readBool())
      case 18: conditionType = .updateTime(try reader.readTimestamp())
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    switch conditionType {
    case .exists(let value)?: writer.writeBool(1, value)
    case .updateTime(let value)?: writer.writeTimestamp(2, value)
    case nil: break
    }
  }
  package static let jsonNames: [StaticString] = ["exists", "exists", "updateTime", "update_time"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      guard conditionType == nil else { throw reader.wrongValue() }
      conditionType = .exists(try reader.readBoolMember())
    case 1:
      guard conditionType == nil else { throw reader.wrongValue() }
      conditionType = .updateTime(try reader.readTimestampMember())
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    switch conditionType {
    case .exists(let value)?:
      writer.writeKey("exists")
      writer.writeBool(value)
    case .updateTime(let value)?:
      writer.writeKey("updateTime")
      writer.writeTimestamp(value)
    case nil: break
    }
  }
}

extension V1 {
  /// `google.firestore.v1.RequestOptions`.
  package struct RequestOptions: Message {
    package var requestTags: [String] = []
    package init() {}
    package init(requestTags: [String] = []) {
      self.requestTags = requestTags
    }
  }
}

extension V1.RequestOptions {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: requestTags.append(try reader.readString())
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    for value in requestTags { writer.writeString(1, value) }
  }
  package static let jsonNames: [StaticString] = ["requestTags", "request_tags"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      requestTags = []
      try reader.beginArray()
      while try reader.nextElement() { requestTags.append(try reader.readStringMember()) }
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0 where path.isEmpty: requestTags.append(try reader.readStringMember())
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !requestTags.isEmpty {
      writer.writeKey("requestTags")
      writer.beginArray()
      for value in requestTags { writer.writeString(value) }
      writer.endArray()
    }
  }
}

extension V1 {
  /// `google.firestore.v1.RollbackRequest`.
  package struct RollbackRequest: Message {
    package var database: String = ""
    package var transaction: [UInt8] = []
    package var requestOptions: V1.RequestOptions?
    package init() {}
    package init(database: String = "", transaction: [UInt8] = [], requestOptions: V1.RequestOptions? = nil) {
      self.database = database
      self.transaction = transaction
      self.requestOptions = requestOptions
    }
  }
}

extension V1.RollbackRequest {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: database = try reader.readString()
      case 18: transaction = try reader.readBytes()
      case 26: try merge(reader.readMessage(), into: &requestOptions)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !database.utf8.isEmpty { writer.writeString(1, database) }
    if !transaction.isEmpty { writer.writeBytes(2, transaction) }
    if let value = requestOptions { writer.writeMessage(3, value) }
  }
  package static let jsonNames: [StaticString] = ["database", "database", "transaction", "transaction", "requestOptions", "request_options"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: database = try reader.readStringMember()
    case 1: transaction = try reader.readBytesMember()
    case 2: requestOptions = try V1.RequestOptions(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 2 where !path.isEmpty: requestOptions = try requestOptions.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !database.utf8.isEmpty {
      writer.writeKey("database")
      writer.writeString(database)
    }
    if !transaction.isEmpty {
      writer.writeKey("transaction")
      writer.writeBase64(transaction.span)
    }
    if let value = requestOptions {
      writer.writeKey("requestOptions")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.RunAggregationQueryRequest`.
  package struct RunAggregationQueryRequest: Message {
    package enum QueryType: Sendable {
      case structuredAggregationQuery(V1.StructuredAggregationQuery)
    }
    package enum ConsistencySelector: Sendable {
      case transaction([UInt8])
      case newTransaction(V1.TransactionOptions)
      case readTime(Timestamp)
    }
    package var parent: String = ""
    package var queryType: QueryType?
    package var consistencySelector: ConsistencySelector?
    package var explainOptions: V1.ExplainOptions?
    package var requestOptions: V1.RequestOptions?
    package init() {}
    package init(parent: String = "", queryType: QueryType? = nil, consistencySelector: ConsistencySelector? = nil, explainOptions: V1.ExplainOptions? = nil, requestOptions: V1.RequestOptions? = nil) {
      self.parent = parent
      self.queryType = queryType
      self.consistencySelector = consistencySelector
      self.explainOptions = explainOptions
      self.requestOptions = requestOptions
    }
  }
}

extension V1.RunAggregationQueryRequest {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: parent = try reader.readString()
      case 18:
        var message = V1.StructuredAggregationQuery()
        if case .structuredAggregationQuery(let earlier)? = queryType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        queryType = .structuredAggregationQuery(message)
      case 34: consistencySelector = .transaction(try reader.readBytes())
      case 42:
        var message = V1.TransactionOptions()
        if case .newTransaction(let earlier)? = consistencySelector { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        consistencySelector = .newTransaction(message)
      case 50: consistencySelector = .readTime(try reader.readTimestamp())
      case 66: try merge(reader.readMessage(), into: &explainOptions)
      case 74: try merge(reader.readMessage(), into: &requestOptions)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !parent.utf8.isEmpty { writer.writeString(1, parent) }
    switch queryType {
    case .structuredAggregationQuery(let value)?: writer.writeMessage(2, value)
    case nil: break
    }
    switch consistencySelector {
    case .transaction(let value)?: writer.writeBytes(4, value)
    case .newTransaction(let value)?: writer.writeMessage(5, value)
    case .readTime(let value)?: writer.writeTimestamp(6, value)
    case nil: break
    }
    if let value = explainOptions { writer.writeMessage(8, value) }
    if let value = requestOptions { writer.writeMessage(9, value) }
  }
  package static let jsonNames: [StaticString] = ["parent", "parent", "structuredAggregationQuery", "structured_aggregation_query", "transaction", "transaction", "newTransaction", "new_transaction", "readTime", "read_time", "explainOptions", "explain_options", "requestOptions", "request_options"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: parent = try reader.readStringMember()
    case 1:
      guard queryType == nil else { throw reader.wrongValue() }
      queryType = .structuredAggregationQuery(try V1.StructuredAggregationQuery(json: &reader))
    case 2:
      guard consistencySelector == nil else { throw reader.wrongValue() }
      consistencySelector = .transaction(try reader.readBytesMember())
    case 3:
      guard consistencySelector == nil else { throw reader.wrongValue() }
      consistencySelector = .newTransaction(try V1.TransactionOptions(json: &reader))
    case 4:
      guard consistencySelector == nil else { throw reader.wrongValue() }
      consistencySelector = .readTime(try reader.readTimestampMember())
    case 5: explainOptions = try V1.ExplainOptions(json: &reader)
    case 6: requestOptions = try V1.RequestOptions(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 5 where !path.isEmpty: explainOptions = try explainOptions.reading(path, &reader)
    case 6 where !path.isEmpty: requestOptions = try requestOptions.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !parent.utf8.isEmpty {
      writer.writeKey("parent")
      writer.writeString(parent)
    }
    switch queryType {
    case .structuredAggregationQuery(let value)?:
      writer.writeKey("structuredAggregationQuery")
      value.write(to: &writer)
    case nil: break
    }
    switch consistencySelector {
    case .transaction(let value)?:
      writer.writeKey("transaction")
      writer.writeBase64(value.span)
    case .newTransaction(let value)?:
      writer.writeKey("newTransaction")
      value.write(to: &writer)
    case .readTime(let value)?:
      writer.writeKey("readTime")
      writer.writeTimestamp(value)
    case nil: break
    }
    if let value = explainOptions {
      writer.writeKey("explainOptions")
      value.write(to: &writer)
    }
    if let value = requestOptions {
      writer.writeKey("requestOptions")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.RunAggregationQueryResponse`.
  package struct RunAggregationQueryResponse: Message {
    package var result: V1.AggregationResult?
    package var transaction: [UInt8] = []
    package var readTime: Timestamp?
    package var explainMetrics: V1.ExplainMetrics?
    package init() {}
    package init(result: V1.AggregationResult? = nil, transaction: [UInt8] = [], readTime: Timestamp? = nil, explainMetrics: V1.ExplainMetrics? = nil) {
      self.result = result
      self.transaction = transaction
      self.readTime = readTime
      self.explainMetrics = explainMetrics
    }
  }
}

extension V1.RunAggregationQueryResponse {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: try merge(reader.readMessage(), into: &result)
      case 18: transaction = try reader.readBytes()
      case 26: readTime = try reader.readTimestamp()
      case 82: try merge(reader.readMessage(), into: &explainMetrics)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if let value = result { writer.writeMessage(1, value) }
    if !transaction.isEmpty { writer.writeBytes(2, transaction) }
    if let value = readTime { writer.writeTimestamp(3, value) }
    if let value = explainMetrics { writer.writeMessage(10, value) }
  }
  package static let jsonNames: [StaticString] = ["result", "result", "transaction", "transaction", "readTime", "read_time", "explainMetrics", "explain_metrics"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: result = try V1.AggregationResult(json: &reader)
    case 1: transaction = try reader.readBytesMember()
    case 2: readTime = try reader.readTimestampMember()
    case 3: explainMetrics = try V1.ExplainMetrics(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0 where !path.isEmpty: result = try result.reading(path, &reader)
    case 3 where !path.isEmpty: explainMetrics = try explainMetrics.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if let value = result {
      writer.writeKey("result")
      value.write(to: &writer)
    }
    if !transaction.isEmpty {
      writer.writeKey("transaction")
      writer.writeBase64(transaction.span)
    }
    if let value = readTime {
      writer.writeKey("readTime")
      writer.writeTimestamp(value)
    }
    if let value = explainMetrics {
      writer.writeKey("explainMetrics")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.RunQueryRequest`.
  package struct RunQueryRequest: Message {
    package enum QueryType: Sendable {
      case structuredQuery(V1.StructuredQuery)
    }
    package enum ConsistencySelector: Sendable {
      case transaction([UInt8])
      case newTransaction(V1.TransactionOptions)
      case readTime(Timestamp)
    }
    package var parent: String = ""
    package var queryType: QueryType?
    package var consistencySelector: ConsistencySelector?
    package var explainOptions: V1.ExplainOptions?
    package var requestOptions: V1.RequestOptions?
    package init() {}
    package init(parent: String = "", queryType: QueryType? = nil, consistencySelector: ConsistencySelector? = nil, explainOptions: V1.ExplainOptions? = nil, requestOptions: V1.RequestOptions? = nil) {
      self.parent = parent
      self.queryType = queryType
      self.consistencySelector = consistencySelector
      self.explainOptions = explainOptions
      self.requestOptions = requestOptions
    }
  }
}

extension V1.RunQueryRequest {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: parent = try reader.readString()
      case 18:
        var message = V1.StructuredQuery()
        if case .structuredQuery(let earlier)? = queryType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        queryType = .structuredQuery(message)
      case 42: consistencySelector = .transaction(try reader.readBytes())
      case 50:
        var message = V1.TransactionOptions()
        if case .newTransaction(let earlier)? = consistencySelector { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        consistencySelector = .newTransaction(message)
      case 58: consistencySelector = .readTime(try reader.readTimestamp())
      case 82: try merge(reader.readMessage(), into: &explainOptions)
      case 90: try merge(reader.readMessage(), into: &requestOptions)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !parent.utf8.isEmpty { writer.writeString(1, parent) }
    switch queryType {
    case .structuredQuery(let value)?: writer.writeMessage(2, value)
    case nil: break
    }
    switch consistencySelector {
    case .transaction(let value)?: writer.writeBytes(5, value)
    case .newTransaction(let value)?: writer.writeMessage(6, value)
    case .readTime(let value)?: writer.writeTimestamp(7, value)
    case nil: break
    }
    if let value = explainOptions { writer.writeMessage(10, value) }
    if let value = requestOptions { writer.writeMessage(11, value) }
  }
  package static let jsonNames: [StaticString] = ["parent", "parent", "structuredQuery", "structured_query", "transaction", "transaction", "newTransaction", "new_transaction", "readTime", "read_time", "explainOptions", "explain_options", "requestOptions", "request_options"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: parent = try reader.readStringMember()
    case 1:
      guard queryType == nil else { throw reader.wrongValue() }
      queryType = .structuredQuery(try V1.StructuredQuery(json: &reader))
    case 2:
      guard consistencySelector == nil else { throw reader.wrongValue() }
      consistencySelector = .transaction(try reader.readBytesMember())
    case 3:
      guard consistencySelector == nil else { throw reader.wrongValue() }
      consistencySelector = .newTransaction(try V1.TransactionOptions(json: &reader))
    case 4:
      guard consistencySelector == nil else { throw reader.wrongValue() }
      consistencySelector = .readTime(try reader.readTimestampMember())
    case 5: explainOptions = try V1.ExplainOptions(json: &reader)
    case 6: requestOptions = try V1.RequestOptions(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 5 where !path.isEmpty: explainOptions = try explainOptions.reading(path, &reader)
    case 6 where !path.isEmpty: requestOptions = try requestOptions.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !parent.utf8.isEmpty {
      writer.writeKey("parent")
      writer.writeString(parent)
    }
    switch queryType {
    case .structuredQuery(let value)?:
      writer.writeKey("structuredQuery")
      value.write(to: &writer)
    case nil: break
    }
    switch consistencySelector {
    case .transaction(let value)?:
      writer.writeKey("transaction")
      writer.writeBase64(value.span)
    case .newTransaction(let value)?:
      writer.writeKey("newTransaction")
      value.write(to: &writer)
    case .readTime(let value)?:
      writer.writeKey("readTime")
      writer.writeTimestamp(value)
    case nil: break
    }
    if let value = explainOptions {
      writer.writeKey("explainOptions")
      value.write(to: &writer)
    }
    if let value = requestOptions {
      writer.writeKey("requestOptions")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.RunQueryResponse`.
  package struct RunQueryResponse: Message {
    package enum ContinuationSelector: Sendable {
      case done(Bool)
    }
    package var document: V1.Document?
    package var transaction: [UInt8] = []
    package var readTime: Timestamp?
    package var skippedResults: Int32 = 0
    package var continuationSelector: ContinuationSelector?
    package var explainMetrics: V1.ExplainMetrics?
    package init() {}
    package init(document: V1.Document? = nil, transaction: [UInt8] = [], readTime: Timestamp? = nil, skippedResults: Int32 = 0, continuationSelector: ContinuationSelector? = nil, explainMetrics: V1.ExplainMetrics? = nil) {
      self.document = document
      self.transaction = transaction
      self.readTime = readTime
      self.skippedResults = skippedResults
      self.continuationSelector = continuationSelector
      self.explainMetrics = explainMetrics
    }
  }
}

extension V1.RunQueryResponse {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: try merge(reader.readMessage(), into: &document)
      case 18: transaction = try reader.readBytes()
      case 26: readTime = try reader.readTimestamp()
      case 32: skippedResults = try reader.readInt32()
      case 48: continuationSelector = .done(try reader.readBool())
      case 90: try merge(reader.readMessage(), into: &explainMetrics)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if let value = document { writer.writeMessage(1, value) }
    if !transaction.isEmpty { writer.writeBytes(2, transaction) }
    if let value = readTime { writer.writeTimestamp(3, value) }
    if skippedResults != 0 { writer.writeInt32(4, skippedResults) }
    switch continuationSelector {
    case .done(let value)?: writer.writeBool(6, value)
    case nil: break
    }
    if let value = explainMetrics { writer.writeMessage(11, value) }
  }
  package static let jsonNames: [StaticString] = ["document", "document", "transaction", "transaction", "readTime", "read_time", "skippedResults", "skipped_results", "done", "done", "explainMetrics", "explain_metrics"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: document = try V1.Document(json: &reader)
    case 1: transaction = try reader.readBytesMember()
    case 2: readTime = try reader.readTimestampMember()
    case 3: skippedResults = try reader.readInt32Member()
    case 4:
      guard continuationSelector == nil else { throw reader.wrongValue() }
      continuationSelector = .done(try reader.readBoolMember())
    case 5: explainMetrics = try V1.ExplainMetrics(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0 where !path.isEmpty: document = try document.reading(path, &reader)
    case 5 where !path.isEmpty: explainMetrics = try explainMetrics.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if let value = document {
      writer.writeKey("document")
      value.write(to: &writer)
    }
    if !transaction.isEmpty {
      writer.writeKey("transaction")
      writer.writeBase64(transaction.span)
    }
    if let value = readTime {
      writer.writeKey("readTime")
      writer.writeTimestamp(value)
    }
    if skippedResults != 0 {
      writer.writeKey("skippedResults")
      writer.writeInt32(skippedResults)
    }
    switch continuationSelector {
    case .done(let value)?:
      writer.writeKey("done")
      writer.writeBool(value)
    case nil: break
    }
    if let value = explainMetrics {
      writer.writeKey("explainMetrics")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.StructuredAggregationQuery`.
  package struct StructuredAggregationQuery: Message {
    package enum QueryType: Sendable {
      case structuredQuery(V1.StructuredQuery)
    }
    package var queryType: QueryType?
    package var aggregations: [V1.StructuredAggregationQuery.Aggregation] = []
    package init() {}
    package init(queryType: QueryType? = nil, aggregations: [V1.StructuredAggregationQuery.Aggregation] = []) {
      self.queryType = queryType
      self.aggregations = aggregations
    }
  }
}

extension V1.StructuredAggregationQuery {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10:
        var message = V1.StructuredQuery()
        if case .structuredQuery(let earlier)? = queryType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        queryType = .structuredQuery(message)
      case 26: aggregations.append(try V1.StructuredAggregationQuery.Aggregation(protobuf: reader.readMessage()))
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    switch queryType {
    case .structuredQuery(let value)?: writer.writeMessage(1, value)
    case nil: break
    }
    for value in aggregations { writer.writeMessage(3, value) }
  }
  package static let jsonNames: [StaticString] = ["structuredQuery", "structured_query", "aggregations", "aggregations"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      guard queryType == nil else { throw reader.wrongValue() }
      queryType = .structuredQuery(try V1.StructuredQuery(json: &reader))
    case 1:
      aggregations = []
      try reader.beginArray()
      while try reader.nextElement() { aggregations.append(try V1.StructuredAggregationQuery.Aggregation(json: &reader)) }
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    switch queryType {
    case .structuredQuery(let value)?:
      writer.writeKey("structuredQuery")
      value.write(to: &writer)
    case nil: break
    }
    if !aggregations.isEmpty {
      writer.writeKey("aggregations")
      writer.beginArray()
      for value in aggregations { value.write(to: &writer) }
      writer.endArray()
    }
  }
}

extension V1.StructuredAggregationQuery {
  /// `google.firestore.v1.StructuredAggregationQuery.Aggregation`.
  package struct Aggregation: Message {
    package enum Operator: Sendable {
      case count(V1.StructuredAggregationQuery.Aggregation.Count)
      case sum(V1.StructuredAggregationQuery.Aggregation.Sum)
      case avg(V1.StructuredAggregationQuery.Aggregation.Avg)
    }
    package var `operator`: Operator?
    package var alias: String = ""
    package init() {}
    package init(`operator`: Operator? = nil, alias: String = "") {
      self.`operator` = `operator`
      self.alias = alias
    }
  }
}

extension V1.StructuredAggregationQuery.Aggregation {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10:
        var message = V1.StructuredAggregationQuery.Aggregation.Count()
        if case .count(let earlier)? = `operator` { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        `operator` = .count(message)
      case 18:
        var message = V1.StructuredAggregationQuery.Aggregation.Sum()
        if case .sum(let earlier)? = `operator` { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        `operator` = .sum(message)
      case 26:
        var message = V1.StructuredAggregationQuery.Aggregation.Avg()
        if case .avg(let earlier)? = `operator` { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        `operator` = .avg(message)
      case 58: alias = try reader.readString()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    switch `operator` {
    case .count(let value)?: writer.writeMessage(1, value)
    case .sum(let value)?: writer.writeMessage(2, value)
    case .avg(let value)?: writer.writeMessage(3, value)
    case nil: break
    }
    if !alias.utf8.isEmpty { writer.writeString(7, alias) }
  }
  package static let jsonNames: [StaticString] = ["count", "count", "sum", "sum", "avg", "avg", "alias", "alias"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      guard `operator` == nil else { throw reader.wrongValue() }
      `operator` = .count(try V1.StructuredAggregationQuery.Aggregation.Count(json: &reader))
    case 1:
      guard `operator` == nil else { throw reader.wrongValue() }
      `operator` = .sum(try V1.StructuredAggregationQuery.Aggregation.Sum(json: &reader))
    case 2:
      guard `operator` == nil else { throw reader.wrongValue() }
      `operator` = .avg(try V1.StructuredAggregationQuery.Aggregation.Avg(json: &reader))
    case 3: alias = try reader.readStringMember()
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    switch `operator` {
    case .count(let value)?:
      writer.writeKey("count")
      value.write(to: &writer)
    case .sum(let value)?:
      writer.writeKey("sum")
      value.write(to: &writer)
    case .avg(let value)?:
      writer.writeKey("avg")
      value.write(to: &writer)
    case nil: break
    }
    if !alias.utf8.isEmpty {
      writer.writeKey("alias")
      writer.writeString(alias)
    }
  }
}

extension V1.StructuredAggregationQuery.Aggregation {
  /// `google.firestore.v1.StructuredAggregationQuery.Aggregation.Avg`.
  package struct Avg: Message {
    package var field: V1.StructuredQuery.FieldReference?
    package init() {}
    package init(field: V1.StructuredQuery.FieldReference? = nil) {
      self.field = field
    }
  }
}

extension V1.StructuredAggregationQuery.Aggregation.Avg {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: try merge(reader.readMessage(), into: &field)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if let value = field { writer.writeMessage(1, value) }
  }
  package static let jsonNames: [StaticString] = ["field", "field"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: field = try V1.StructuredQuery.FieldReference(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0 where !path.isEmpty: field = try field.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if let value = field {
      writer.writeKey("field")
      value.write(to: &writer)
    }
  }
}

extension V1.StructuredAggregationQuery.Aggregation {
  /// `google.firestore.v1.StructuredAggregationQuery.Aggregation.Count`.
  package struct Count: Message {
    package var upTo: Int64?
    package init() {}
    package init(upTo: Int64? = nil) {
      self.upTo = upTo
    }
  }
}

extension V1.StructuredAggregationQuery.Aggregation.Count {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: upTo = try reader.readInt64Wrapper()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if let value = upTo { writer.writeInt64Wrapper(1, value) }
  }
  package static let jsonNames: [StaticString] = ["upTo", "up_to"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: upTo = try reader.readInt64Wrapper()
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if let value = upTo {
      writer.writeKey("upTo")
      writer.writeInt64(value)
    }
  }
}

extension V1.StructuredAggregationQuery.Aggregation {
  /// `google.firestore.v1.StructuredAggregationQuery.Aggregation.Sum`.
  package struct Sum: Message {
    package var field: V1.StructuredQuery.FieldReference?
    package init() {}
    package init(field: V1.StructuredQuery.FieldReference? = nil) {
      self.field = field
    }
  }
}

extension V1.StructuredAggregationQuery.Aggregation.Sum {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: try merge(reader.readMessage(), into: &field)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if let value = field { writer.writeMessage(1, value) }
  }
  package static let jsonNames: [StaticString] = ["field", "field"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: field = try V1.StructuredQuery.FieldReference(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0 where !path.isEmpty: field = try field.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if let value = field {
      writer.writeKey("field")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.StructuredPipeline`.
  package struct StructuredPipeline: Message {
    package var pipeline: V1.Pipeline?
    package var options: [MapEntry<V1.Value>] = []
    package init() {}
    package init(pipeline: V1.Pipeline? = nil, options: [MapEntry<V1.Value>] = []) {
      self.pipeline = pipeline
      self.options = options
    }
  }
}

extension V1.StructuredPipeline {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: try merge(reader.readMessage(), into: &pipeline)
      case 18: options.append(try MapEntry(protobuf: reader.readMessage()))
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if let value = pipeline { writer.writeMessage(1, value) }
    for value in options { writer.writeMessage(2, value) }
  }
  package static let jsonNames: [StaticString] = ["pipeline", "pipeline", "options", "options"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: pipeline = try V1.Pipeline(json: &reader)
    case 1:
      options = []
      try reader.beginObject()
      while let key = try reader.nextKey() {
        options.append(MapEntry(key: key, value: try V1.Value(json: &reader)))
      }
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0 where !path.isEmpty: pipeline = try pipeline.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if let value = pipeline {
      writer.writeKey("pipeline")
      value.write(to: &writer)
    }
    if !options.isEmpty {
      writer.writeKey("options")
      writer.beginObject()
      for entry in options {
        writer.writeKey(entry.key)
        entry.value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}

extension V1 {
  /// `google.firestore.v1.StructuredQuery`.
  package struct StructuredQuery: Message {
    package var select: V1.StructuredQuery.Projection?
    package var from: [V1.StructuredQuery.CollectionSelector] = []
    package var `where`: V1.StructuredQuery.Filter?
    package var orderBy: [V1.StructuredQuery.Order] = []
    package var limit: Int32?
    package var offset: Int32 = 0
    package var startAt: V1.Cursor?
    package var endAt: V1.Cursor?
    package var findNearest: V1.StructuredQuery.FindNearest?
    package init() {}
    package init(select: V1.StructuredQuery.Projection? = nil, from: [V1.StructuredQuery.CollectionSelector] = [], `where`: V1.StructuredQuery.Filter? = nil, orderBy: [V1.StructuredQuery.Order] = [], limit: Int32? = nil, offset: Int32 = 0, startAt: V1.Cursor? = nil, endAt: V1.Cursor? = nil, findNearest: V1.StructuredQuery.FindNearest? = nil) {
      self.select = select
      self.from = from
      self.`where` = `where`
      self.orderBy = orderBy
      self.limit = limit
      self.offset = offset
      self.startAt = startAt
      self.endAt = endAt
      self.findNearest = findNearest
    }
  }
}

extension V1.StructuredQuery {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: try merge(reader.readMessage(), into: &select)
      case 18: from.append(try V1.StructuredQuery.CollectionSelector(protobuf: reader.readMessage()))
      case 26: try merge(reader.readMessage(), into: &`where`)
      case 34: orderBy.append(try V1.StructuredQuery.Order(protobuf: reader.readMessage()))
      case 42: limit = try reader.readInt32Wrapper()
      case 48: offset = try reader.readInt32()
      case 58: try merge(reader.readMessage(), into: &startAt)
      case 66: try merge(reader.readMessage(), into: &endAt)
      case 74: try merge(reader.readMessage(), into: &findNearest)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if let value = select { writer.writeMessage(1, value) }
    for value in from { writer.writeMessage(2, value) }
    if let value = `where` { writer.writeMessage(3, value) }
    for value in orderBy { writer.writeMessage(4, value) }
    if let value = limit { writer.writeInt32Wrapper(5, value) }
    if offset != 0 { writer.writeInt32(6, offset) }
    if let value = startAt { writer.writeMessage(7, value) }
    if let value = endAt { writer.writeMessage(8, value) }
    if let value = findNearest { writer.writeMessage(9, value) }
  }
  package static let jsonNames: [StaticString] = ["select", "select", "from", "from", "where", "where", "orderBy", "order_by", "limit", "limit", "offset", "offset", "startAt", "start_at", "endAt", "end_at", "findNearest", "find_nearest"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: select = try V1.StructuredQuery.Projection(json: &reader)
    case 1:
      from = []
      try reader.beginArray()
      while try reader.nextElement() { from.append(try V1.StructuredQuery.CollectionSelector(json: &reader)) }
    case 2: `where` = try V1.StructuredQuery.Filter(json: &reader)
    case 3:
      orderBy = []
      try reader.beginArray()
      while try reader.nextElement() { orderBy.append(try V1.StructuredQuery.Order(json: &reader)) }
    case 4: limit = try reader.readInt32Wrapper()
    case 5: offset = try reader.readInt32Member()
    case 6: startAt = try V1.Cursor(json: &reader)
    case 7: endAt = try V1.Cursor(json: &reader)
    case 8: findNearest = try V1.StructuredQuery.FindNearest(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0 where !path.isEmpty: select = try select.reading(path, &reader)
    case 2 where !path.isEmpty: `where` = try `where`.reading(path, &reader)
    case 6 where !path.isEmpty: startAt = try startAt.reading(path, &reader)
    case 7 where !path.isEmpty: endAt = try endAt.reading(path, &reader)
    case 8 where !path.isEmpty: findNearest = try findNearest.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if let value = select {
      writer.writeKey("select")
      value.write(to: &writer)
    }
    if !from.isEmpty {
      writer.writeKey("from")
      writer.beginArray()
      for value in from { value.write(to: &writer) }
      writer.endArray()
    }
    if let value = `where` {
      writer.writeKey("where")
      value.write(to: &writer)
    }
    if !orderBy.isEmpty {
      writer.writeKey("orderBy")
      writer.beginArray()
      for value in orderBy { value.write(to: &writer) }
      writer.endArray()
    }
    if let value = limit {
      writer.writeKey("limit")
      writer.writeInt32(value)
    }
    if offset != 0 {
      writer.writeKey("offset")
      writer.writeInt32(offset)
    }
    if let value = startAt {
      writer.writeKey("startAt")
      value.write(to: &writer)
    }
    if let value = endAt {
      writer.writeKey("endAt")
      value.write(to: &writer)
    }
    if let value = findNearest {
      writer.writeKey("findNearest")
      value.write(to: &writer)
    }
  }
}

extension V1.StructuredQuery {
  /// `google.firestore.v1.StructuredQuery.CollectionSelector`.
  package struct CollectionSelector: Message {
    package var collectionID: String = ""
    package var allDescendants: Bool = false
    package init() {}
    package init(collectionID: String = "", allDescendants: Bool = false) {
      self.collectionID = collectionID
      self.allDescendants = allDescendants
    }
  }
}

extension V1.StructuredQuery.CollectionSelector {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 18: collectionID = try reader.readString()
      case 24: allDescendants = try reader.readBool()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !collectionID.utf8.isEmpty { writer.writeString(2, collectionID) }
    if allDescendants { writer.writeBool(3, allDescendants) }
  }
  package static let jsonNames: [StaticString] = ["collectionId", "collection_id", "allDescendants", "all_descendants"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: collectionID = try reader.readStringMember()
    case 1: allDescendants = try reader.readBoolMember()
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !collectionID.utf8.isEmpty {
      writer.writeKey("collectionId")
      writer.writeString(collectionID)
    }
    if allDescendants {
      writer.writeKey("allDescendants")
      writer.writeBool(allDescendants)
    }
  }
}

extension V1.StructuredQuery {
  /// `google.firestore.v1.StructuredQuery.CompositeFilter`.
  package struct CompositeFilter: Message {
    package var op: V1.StructuredQuery.CompositeFilter.Operator = V1.StructuredQuery.CompositeFilter.Operator(rawValue: 0)
    package var filters: [V1.StructuredQuery.Filter] = []
    package init() {}
    package init(op: V1.StructuredQuery.CompositeFilter.Operator = V1.StructuredQuery.CompositeFilter.Operator(rawValue: 0), filters: [V1.StructuredQuery.Filter] = []) {
      self.op = op
      self.filters = filters
    }
  }
}

extension V1.StructuredQuery.CompositeFilter {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 8: op = try V1.StructuredQuery.CompositeFilter.Operator(rawValue: reader.readInt32())
      case 18: filters.append(try V1.StructuredQuery.Filter(protobuf: reader.readMessage()))
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if op.rawValue != 0 { writer.writeInt32(1, op.rawValue) }
    for value in filters { writer.writeMessage(2, value) }
  }
  package static let jsonNames: [StaticString] = ["op", "op", "filters", "filters"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: op = try V1.StructuredQuery.CompositeFilter.Operator(json: &reader)
    case 1:
      filters = []
      try reader.beginArray()
      while try reader.nextElement() { filters.append(try V1.StructuredQuery.Filter(json: &reader)) }
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if op.rawValue != 0 {
      writer.writeKey("op")
      op.write(to: &writer)
    }
    if !filters.isEmpty {
      writer.writeKey("filters")
      writer.beginArray()
      for value in filters { value.write(to: &writer) }
      writer.endArray()
    }
  }
}

extension V1.StructuredQuery {
  /// `google.firestore.v1.StructuredQuery.FieldFilter`.
  package struct FieldFilter: Message {
    package var field: V1.StructuredQuery.FieldReference?
    package var op: V1.StructuredQuery.FieldFilter.Operator = V1.StructuredQuery.FieldFilter.Operator(rawValue: 0)
    package var value: V1.Value?
    package init() {}
    package init(field: V1.StructuredQuery.FieldReference? = nil, op: V1.StructuredQuery.FieldFilter.Operator = V1.StructuredQuery.FieldFilter.Operator(rawValue: 0), value: V1.Value? = nil) {
      self.field = field
      self.op = op
      self.value = value
    }
  }
}

extension V1.StructuredQuery.FieldFilter {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: try merge(reader.readMessage(), into: &field)
      case 16: op = try V1.StructuredQuery.FieldFilter.Operator(rawValue: reader.readInt32())
      case 26: try merge(reader.readMessage(), into: &value)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if let value = field { writer.writeMessage(1, value) }
    if op.rawValue != 0 { writer.writeInt32(2, op.rawValue) }
    if let value = value { writer.writeMessage(3, value) }
  }
  package static let jsonNames: [StaticString] = ["field", "field", "op", "op", "value", "value"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: field = try V1.StructuredQuery.FieldReference(json: &reader)
    case 1: op = try V1.StructuredQuery.FieldFilter.Operator(json: &reader)
    case 2: value = try V1.Value(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0 where !path.isEmpty: field = try field.reading(path, &reader)
    case 2 where !path.isEmpty: value = try value.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if let value = field {
      writer.writeKey("field")
      value.write(to: &writer)
    }
    if op.rawValue != 0 {
      writer.writeKey("op")
      op.write(to: &writer)
    }
    if let value = value {
      writer.writeKey("value")
      value.write(to: &writer)
    }
  }
}

extension V1.StructuredQuery {
  /// `google.firestore.v1.StructuredQuery.FieldReference`.
  package struct FieldReference: Message {
    package var fieldPath: String = ""
    package init() {}
    package init(fieldPath: String = "") {
      self.fieldPath = fieldPath
    }
  }
}

extension V1.StructuredQuery.FieldReference {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 18: fieldPath = try reader.readString()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !fieldPath.utf8.isEmpty { writer.writeString(2, fieldPath) }
  }
  package static let jsonNames: [StaticString] = ["fieldPath", "field_path"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: fieldPath = try reader.readStringMember()
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !fieldPath.utf8.isEmpty {
      writer.writeKey("fieldPath")
      writer.writeString(fieldPath)
    }
  }
}

extension V1.StructuredQuery {
  /// `google.firestore.v1.StructuredQuery.Filter`.
  package struct Filter: Message {
    package enum FilterType: Sendable {
      case compositeFilter(V1.StructuredQuery.CompositeFilter)
      case fieldFilter(V1.StructuredQuery.FieldFilter)
      case unaryFilter(V1.StructuredQuery.UnaryFilter)
    }
    package var filterType: FilterType?
    package init() {}
    package init(filterType: FilterType? = nil) {
      self.filterType = filterType
    }
  }
}

extension V1.StructuredQuery.Filter {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10:
        var message = V1.StructuredQuery.CompositeFilter()
        if case .compositeFilter(let earlier)? = filterType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        filterType = .compositeFilter(message)
      case 18:
        var message = V1.StructuredQuery.FieldFilter()
        if case .fieldFilter(let earlier)? = filterType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        filterType = .fieldFilter(message)
      case 26:
        var message = V1.StructuredQuery.UnaryFilter()
        if case .unaryFilter(let earlier)? = filterType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        filterType = .unaryFilter(message)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    switch filterType {
    case .compositeFilter(let value)?: writer.writeMessage(1, value)
    case .fieldFilter(let value)?: writer.writeMessage(2, value)
    case .unaryFilter(let value)?: writer.writeMessage(3, value)
    case nil: break
    }
  }
  package static let jsonNames: [StaticString] = ["compositeFilter", "composite_filter", "fieldFilter", "field_filter", "unaryFilter", "unary_filter"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      guard filterType == nil else { throw reader.wrongValue() }
      filterType = .compositeFilter(try V1.StructuredQuery.CompositeFilter(json: &reader))
    case 1:
      guard filterType == nil else { throw reader.wrongValue() }
      filterType = .fieldFilter(try V1.StructuredQuery.FieldFilter(json: &reader))
    case 2:
      guard filterType == nil else { throw reader.wrongValue() }
      filterType = .unaryFilter(try V1.StructuredQuery.UnaryFilter(json: &reader))
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    switch filterType {
    case .compositeFilter(let value)?:
      writer.writeKey("compositeFilter")
      value.write(to: &writer)
    case .fieldFilter(let value)?:
      writer.writeKey("fieldFilter")
      value.write(to: &writer)
    case .unaryFilter(let value)?:
      writer.writeKey("unaryFilter")
      value.write(to: &writer)
    case nil: break
    }
  }
}

extension V1.StructuredQuery {
  /// `google.firestore.v1.StructuredQuery.FindNearest`.
  package struct FindNearest: Message {
    package var vectorField: V1.StructuredQuery.FieldReference?
    package var queryVector: V1.Value?
    package var distanceMeasure: V1.StructuredQuery.FindNearest.DistanceMeasure = V1.StructuredQuery.FindNearest.DistanceMeasure(rawValue: 0)
    package var limit: Int32?
    package var distanceResultField: String = ""
    package var distanceThreshold: Double?
    package init() {}
    package init(vectorField: V1.StructuredQuery.FieldReference? = nil, queryVector: V1.Value? = nil, distanceMeasure: V1.StructuredQuery.FindNearest.DistanceMeasure = V1.StructuredQuery.FindNearest.DistanceMeasure(rawValue: 0), limit: Int32? = nil, distanceResultField: String = "", distanceThreshold: Double? = nil) {
      self.vectorField = vectorField
      self.queryVector = queryVector
      self.distanceMeasure = distanceMeasure
      self.limit = limit
      self.distanceResultField = distanceResultField
      self.distanceThreshold = distanceThreshold
    }
  }
}

extension V1.StructuredQuery.FindNearest {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: try merge(reader.readMessage(), into: &vectorField)
      case 18: try merge(reader.readMessage(), into: &queryVector)
      case 24: distanceMeasure = try V1.StructuredQuery.FindNearest.DistanceMeasure(rawValue: reader.readInt32())
      case 34: limit = try reader.readInt32Wrapper()
      case 42: distanceResultField = try reader.readString()
      case 50: distanceThreshold = try reader.readDoubleWrapper()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if let value = vectorField { writer.writeMessage(1, value) }
    if let value = queryVector { writer.writeMessage(2, value) }
    if distanceMeasure.rawValue != 0 { writer.writeInt32(3, distanceMeasure.rawValue) }
    if let value = limit { writer.writeInt32Wrapper(4, value) }
    if !distanceResultField.utf8.isEmpty { writer.writeString(5, distanceResultField) }
    if let value = distanceThreshold { writer.writeDoubleWrapper(6, value) }
  }
  package static let jsonNames: [StaticString] = ["vectorField", "vector_field", "queryVector", "query_vector", "distanceMeasure", "distance_measure", "limit", "limit", "distanceResultField", "distance_result_field", "distanceThreshold", "distance_threshold"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: vectorField = try V1.StructuredQuery.FieldReference(json: &reader)
    case 1: queryVector = try V1.Value(json: &reader)
    case 2: distanceMeasure = try V1.StructuredQuery.FindNearest.DistanceMeasure(json: &reader)
    case 3: limit = try reader.readInt32Wrapper()
    case 4: distanceResultField = try reader.readStringMember()
    case 5: distanceThreshold = try reader.readDoubleWrapper()
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0 where !path.isEmpty: vectorField = try vectorField.reading(path, &reader)
    case 1 where !path.isEmpty: queryVector = try queryVector.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if let value = vectorField {
      writer.writeKey("vectorField")
      value.write(to: &writer)
    }
    if let value = queryVector {
      writer.writeKey("queryVector")
      value.write(to: &writer)
    }
    if distanceMeasure.rawValue != 0 {
      writer.writeKey("distanceMeasure")
      distanceMeasure.write(to: &writer)
    }
    if let value = limit {
      writer.writeKey("limit")
      writer.writeInt32(value)
    }
    if !distanceResultField.utf8.isEmpty {
      writer.writeKey("distanceResultField")
      writer.writeString(distanceResultField)
    }
    if let value = distanceThreshold {
      writer.writeKey("distanceThreshold")
      writer.writeDouble(value)
    }
  }
}

extension V1.StructuredQuery {
  /// `google.firestore.v1.StructuredQuery.Order`.
  package struct Order: Message {
    package var field: V1.StructuredQuery.FieldReference?
    package var direction: V1.StructuredQuery.Direction = V1.StructuredQuery.Direction(rawValue: 0)
    package init() {}
    package init(field: V1.StructuredQuery.FieldReference? = nil, direction: V1.StructuredQuery.Direction = V1.StructuredQuery.Direction(rawValue: 0)) {
      self.field = field
      self.direction = direction
    }
  }
}

extension V1.StructuredQuery.Order {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: try merge(reader.readMessage(), into: &field)
      case 16: direction = try V1.StructuredQuery.Direction(rawValue: reader.readInt32())
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if let value = field { writer.writeMessage(1, value) }
    if direction.rawValue != 0 { writer.writeInt32(2, direction.rawValue) }
  }
  package static let jsonNames: [StaticString] = ["field", "field", "direction", "direction"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: field = try V1.StructuredQuery.FieldReference(json: &reader)
    case 1: direction = try V1.StructuredQuery.Direction(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0 where !path.isEmpty: field = try field.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if let value = field {
      writer.writeKey("field")
      value.write(to: &writer)
    }
    if direction.rawValue != 0 {
      writer.writeKey("direction")
      direction.write(to: &writer)
    }
  }
}

extension V1.StructuredQuery {
  /// `google.firestore.v1.StructuredQuery.Projection`.
  package struct Projection: Message {
    package var fields: [V1.StructuredQuery.FieldReference] = []
    package init() {}
    package init(fields: [V1.StructuredQuery.FieldReference] = []) {
      self.fields = fields
    }
  }
}

extension V1.StructuredQuery.Projection {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 18: fields.append(try V1.StructuredQuery.FieldReference(protobuf: reader.readMessage()))
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    for value in fields { writer.writeMessage(2, value) }
  }
  package static let jsonNames: [StaticString] = ["fields", "fields"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      fields = []
      try reader.beginArray()
      while try reader.nextElement() { fields.append(try V1.StructuredQuery.FieldReference(json: &reader)) }
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !fields.isEmpty {
      writer.writeKey("fields")
      writer.beginArray()
      for value in fields { value.write(to: &writer) }
      writer.endArray()
    }
  }
}

extension V1.StructuredQuery {
  /// `google.firestore.v1.StructuredQuery.UnaryFilter`.
  package struct UnaryFilter: Message {
    package enum OperandType: Sendable {
      case field(V1.StructuredQuery.FieldReference)
    }
    package var op: V1.StructuredQuery.UnaryFilter.Operator = V1.StructuredQuery.UnaryFilter.Operator(rawValue: 0)
    package var operandType: OperandType?
    package init() {}
    package init(op: V1.StructuredQuery.UnaryFilter.Operator = V1.StructuredQuery.UnaryFilter.Operator(rawValue: 0), operandType: OperandType? = nil) {
      self.op = op
      self.operandType = operandType
    }
  }
}

extension V1.StructuredQuery.UnaryFilter {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 8: op = try V1.StructuredQuery.UnaryFilter.Operator(rawValue: reader.readInt32())
      case 18:
        var message = V1.StructuredQuery.FieldReference()
        if case .field(let earlier)? = operandType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        operandType = .field(message)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if op.rawValue != 0 { writer.writeInt32(1, op.rawValue) }
    switch operandType {
    case .field(let value)?: writer.writeMessage(2, value)
    case nil: break
    }
  }
  package static let jsonNames: [StaticString] = ["op", "op", "field", "field"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: op = try V1.StructuredQuery.UnaryFilter.Operator(json: &reader)
    case 1:
      guard operandType == nil else { throw reader.wrongValue() }
      operandType = .field(try V1.StructuredQuery.FieldReference(json: &reader))
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if op.rawValue != 0 {
      writer.writeKey("op")
      op.write(to: &writer)
    }
    switch operandType {
    case .field(let value)?:
      writer.writeKey("field")
      value.write(to: &writer)
    case nil: break
    }
  }
}

extension V1 {
  /// `google.firestore.v1.Target`.
  package struct Target: Message {
    package enum TargetType: Sendable {
      case query(V1.Target.QueryTarget)
      case documents(V1.Target.DocumentsTarget)
      case pipelineQuery(V1.Target.PipelineQueryTarget)
    }
    package enum ResumeType: Sendable {
      case resumeToken([UInt8])
      case readTime(Timestamp)
    }
    package var targetType: TargetType?
    package var resumeType: ResumeType?
    package var targetID: Int32 = 0
    package var once: Bool = false
    package var expectedCount: Int32?
    package init() {}
    package init(targetType: TargetType? = nil, resumeType: ResumeType? = nil, targetID: Int32 = 0, once: Bool = false, expectedCount: Int32? = nil) {
      self.targetType = targetType
      self.resumeType = resumeType
      self.targetID = targetID
      self.once = once
      self.expectedCount = expectedCount
    }
  }
}

extension V1.Target {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 18:
        var message = V1.Target.QueryTarget()
        if case .query(let earlier)? = targetType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        targetType = .query(message)
      case 26:
        var message = V1.Target.DocumentsTarget()
        if case .documents(let earlier)? = targetType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        targetType = .documents(message)
      case 106:
        var message = V1.Target.PipelineQueryTarget()
        if case .pipelineQuery(let earlier)? = targetType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        targetType = .pipelineQuery(message)
      case 34: resumeType = .resumeToken(try reader.readBytes())
      case 90: resumeType = .readTime(try reader.readTimestamp())
      case 40: targetID = try reader.readInt32()
      case 48: once = try reader.readBool()
      case 98: expectedCount = try reader.readInt32Wrapper()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    switch targetType {
    case .query(let value)?: writer.writeMessage(2, value)
    case .documents(let value)?: writer.writeMessage(3, value)
    case .pipelineQuery(let value)?: writer.writeMessage(13, value)
    case nil: break
    }
    switch resumeType {
    case .resumeToken(let value)?: writer.writeBytes(4, value)
    case .readTime(let value)?: writer.writeTimestamp(11, value)
    case nil: break
    }
    if targetID != 0 { writer.writeInt32(5, targetID) }
    if once { writer.writeBool(6, once) }
    if let value = expectedCount { writer.writeInt32Wrapper(12, value) }
  }
  package static let jsonNames: [StaticString] = ["query", "query", "documents", "documents", "pipelineQuery", "pipeline_query", "resumeToken", "resume_token", "readTime", "read_time", "targetId", "target_id", "once", "once", "expectedCount", "expected_count"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      guard targetType == nil else { throw reader.wrongValue() }
      targetType = .query(try V1.Target.QueryTarget(json: &reader))
    case 1:
      guard targetType == nil else { throw reader.wrongValue() }
      targetType = .documents(try V1.Target.DocumentsTarget(json: &reader))
    case 2:
      guard targetType == nil else { throw reader.wrongValue() }
      targetType = .pipelineQuery(try V1.Target.PipelineQueryTarget(json: &reader))
    case 3:
      guard resumeType == nil else { throw reader.wrongValue() }
      resumeType = .resumeToken(try reader.readBytesMember())
    case 4:
      guard resumeType == nil else { throw reader.wrongValue() }
      resumeType = .readTime(try reader.readTimestampMember())
    case 5: targetID = try reader.readInt32Member()
    case 6: once = try reader.readBoolMember()
    case 7: expectedCount = try reader.readInt32Wrapper()
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    switch targetType {
    case .query(let value)?:
      writer.writeKey("query")
      value.write(to: &writer)
    case .documents(let value)?:
      writer.writeKey("documents")
      value.write(to: &writer)
    case .pipelineQuery(let value)?:
      writer.writeKey("pipelineQuery")
      value.write(to: &writer)
    case nil: break
    }
    switch resumeType {
    case .resumeToken(let value)?:
      writer.writeKey("resumeToken")
      writer.writeBase64(value.span)
    case .readTime(let value)?:
      writer.writeKey("readTime")
      writer.writeTimestamp(value)
    case nil: break
    }
    if targetID != 0 {
      writer.writeKey("targetId")
      writer.writeInt32(targetID)
    }
    if once {
      writer.writeKey("once")
      writer.writeBool(once)
    }
    if let value = expectedCount {
      writer.writeKey("expectedCount")
      writer.writeInt32(value)
    }
  }
}

extension V1.Target {
  /// `google.firestore.v1.Target.DocumentsTarget`.
  package struct DocumentsTarget: Message {
    package var documents: [String] = []
    package init() {}
    package init(documents: [String] = []) {
      self.documents = documents
    }
  }
}

extension V1.Target.DocumentsTarget {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 18: documents.append(try reader.readString())
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    for value in documents { writer.writeString(2, value) }
  }
  package static let jsonNames: [StaticString] = ["documents", "documents"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      documents = []
      try reader.beginArray()
      while try reader.nextElement() { documents.append(try reader.readStringMember()) }
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0 where path.isEmpty: documents.append(try reader.readStringMember())
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !documents.isEmpty {
      writer.writeKey("documents")
      writer.beginArray()
      for value in documents { writer.writeString(value) }
      writer.endArray()
    }
  }
}

extension V1.Target {
  /// `google.firestore.v1.Target.PipelineQueryTarget`.
  package struct PipelineQueryTarget: Message {
    package enum PipelineType: Sendable {
      case structuredPipeline(V1.StructuredPipeline)
    }
    package var pipelineType: PipelineType?
    package init() {}
    package init(pipelineType: PipelineType? = nil) {
      self.pipelineType = pipelineType
    }
  }
}

extension V1.Target.PipelineQueryTarget {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10:
        var message = V1.StructuredPipeline()
        if case .structuredPipeline(let earlier)? = pipelineType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        pipelineType = .structuredPipeline(message)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    switch pipelineType {
    case .structuredPipeline(let value)?: writer.writeMessage(1, value)
    case nil: break
    }
  }
  package static let jsonNames: [StaticString] = ["structuredPipeline", "structured_pipeline"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      guard pipelineType == nil else { throw reader.wrongValue() }
      pipelineType = .structuredPipeline(try V1.StructuredPipeline(json: &reader))
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    switch pipelineType {
    case .structuredPipeline(let value)?:
      writer.writeKey("structuredPipeline")
      value.write(to: &writer)
    case nil: break
    }
  }
}

extension V1.Target {
  /// `google.firestore.v1.Target.QueryTarget`.
  package struct QueryTarget: Message {
    package enum QueryType: Sendable {
      case structuredQuery(V1.StructuredQuery)
    }
    package var parent: String = ""
    package var queryType: QueryType?
    package init() {}
    package init(parent: String = "", queryType: QueryType? = nil) {
      self.parent = parent
      self.queryType = queryType
    }
  }
}

extension V1.Target.QueryTarget {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: parent = try reader.readString()
      case 18:
        var message = V1.StructuredQuery()
        if case .structuredQuery(let earlier)? = queryType { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        queryType = .structuredQuery(message)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !parent.utf8.isEmpty { writer.writeString(1, parent) }
    switch queryType {
    case .structuredQuery(let value)?: writer.writeMessage(2, value)
    case nil: break
    }
  }
  package static let jsonNames: [StaticString] = ["parent", "parent", "structuredQuery", "structured_query"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: parent = try reader.readStringMember()
    case 1:
      guard queryType == nil else { throw reader.wrongValue() }
      queryType = .structuredQuery(try V1.StructuredQuery(json: &reader))
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !parent.utf8.isEmpty {
      writer.writeKey("parent")
      writer.writeString(parent)
    }
    switch queryType {
    case .structuredQuery(let value)?:
      writer.writeKey("structuredQuery")
      value.write(to: &writer)
    case nil: break
    }
  }
}

extension V1 {
  /// `google.firestore.v1.TargetChange`.
  package struct TargetChange: Message {
    package var targetChangeType: V1.TargetChange.TargetChangeType = V1.TargetChange.TargetChangeType(rawValue: 0)
    package var targetIDs: [Int32] = []
    package var cause: RPC.Status?
    package var resumeToken: [UInt8] = []
    package var readTime: Timestamp?
    package init() {}
    package init(targetChangeType: V1.TargetChange.TargetChangeType = V1.TargetChange.TargetChangeType(rawValue: 0), targetIDs: [Int32] = [], cause: RPC.Status? = nil, resumeToken: [UInt8] = [], readTime: Timestamp? = nil) {
      self.targetChangeType = targetChangeType
      self.targetIDs = targetIDs
      self.cause = cause
      self.resumeToken = resumeToken
      self.readTime = readTime
    }
  }
}

extension V1.TargetChange {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 8: targetChangeType = try V1.TargetChange.TargetChangeType(rawValue: reader.readInt32())
      case 16: targetIDs.append(try reader.readInt32())
      case 18:
        var reader = try reader.readMessage()
        while !reader.isAtEnd { targetIDs.append(try reader.readInt32()) }
      case 26: try merge(reader.readMessage(), into: &cause)
      case 34: resumeToken = try reader.readBytes()
      case 50: readTime = try reader.readTimestamp()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if targetChangeType.rawValue != 0 { writer.writeInt32(1, targetChangeType.rawValue) }
    writer.writePacked(2, targetIDs)
    if let value = cause { writer.writeMessage(3, value) }
    if !resumeToken.isEmpty { writer.writeBytes(4, resumeToken) }
    if let value = readTime { writer.writeTimestamp(6, value) }
  }
  package static let jsonNames: [StaticString] = ["targetChangeType", "target_change_type", "targetIds", "target_ids", "cause", "cause", "resumeToken", "resume_token", "readTime", "read_time"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: targetChangeType = try V1.TargetChange.TargetChangeType(json: &reader)
    case 1:
      targetIDs = []
      try reader.beginArray()
      while try reader.nextElement() { targetIDs.append(try reader.readInt32Member()) }
    case 2: cause = try RPC.Status(json: &reader)
    case 3: resumeToken = try reader.readBytesMember()
    case 4: readTime = try reader.readTimestampMember()
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 1 where path.isEmpty: targetIDs.append(try reader.readInt32Member())
    case 2 where !path.isEmpty: cause = try cause.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if targetChangeType.rawValue != 0 {
      writer.writeKey("targetChangeType")
      targetChangeType.write(to: &writer)
    }
    if !targetIDs.isEmpty {
      writer.writeKey("targetIds")
      writer.beginArray()
      for value in targetIDs { writer.writeInt32(value) }
      writer.endArray()
    }
    if let value = cause {
      writer.writeKey("cause")
      value.write(to: &writer)
    }
    if !resumeToken.isEmpty {
      writer.writeKey("resumeToken")
      writer.writeBase64(resumeToken.span)
    }
    if let value = readTime {
      writer.writeKey("readTime")
      writer.writeTimestamp(value)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.TransactionOptions`.
  package struct TransactionOptions: Message {
    package enum Mode: Sendable {
      case readOnly(V1.TransactionOptions.ReadOnly)
      case readWrite(V1.TransactionOptions.ReadWrite)
    }
    package var mode: Mode?
    package init() {}
    package init(mode: Mode? = nil) {
      self.mode = mode
    }
  }
}

extension V1.TransactionOptions {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 18:
        var message = V1.TransactionOptions.ReadOnly()
        if case .readOnly(let earlier)? = mode { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        mode = .readOnly(message)
      case 26:
        var message = V1.TransactionOptions.ReadWrite()
        if case .readWrite(let earlier)? = mode { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        mode = .readWrite(message)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    switch mode {
    case .readOnly(let value)?: writer.writeMessage(2, value)
    case .readWrite(let value)?: writer.writeMessage(3, value)
    case nil: break
    }
  }
  package static let jsonNames: [StaticString] = ["readOnly", "read_only", "readWrite", "read_write"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      guard mode == nil else { throw reader.wrongValue() }
      mode = .readOnly(try V1.TransactionOptions.ReadOnly(json: &reader))
    case 1:
      guard mode == nil else { throw reader.wrongValue() }
      mode = .readWrite(try V1.TransactionOptions.ReadWrite(json: &reader))
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    switch mode {
    case .readOnly(let value)?:
      writer.writeKey("readOnly")
      value.write(to: &writer)
    case .readWrite(let value)?:
      writer.writeKey("readWrite")
      value.write(to: &writer)
    case nil: break
    }
  }
}

extension V1.TransactionOptions {
  /// `google.firestore.v1.TransactionOptions.ReadOnly`.
  package struct ReadOnly: Message {
    package enum ConsistencySelector: Sendable {
      case readTime(Timestamp)
    }
    package var consistencySelector: ConsistencySelector?
    package init() {}
    package init(consistencySelector: ConsistencySelector? = nil) {
      self.consistencySelector = consistencySelector
    }
  }
}

extension V1.TransactionOptions.ReadOnly {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 18: consistencySelector = .readTime(try reader.readTimestamp())
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    switch consistencySelector {
    case .readTime(let value)?: writer.writeTimestamp(2, value)
    case nil: break
    }
  }
  package static let jsonNames: [StaticString] = ["readTime", "read_time"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      guard consistencySelector == nil else { throw reader.wrongValue() }
      consistencySelector = .readTime(try reader.readTimestampMember())
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    switch consistencySelector {
    case .readTime(let value)?:
      writer.writeKey("readTime")
      writer.writeTimestamp(value)
    case nil: break
    }
  }
}

extension V1.TransactionOptions {
  /// `google.firestore.v1.TransactionOptions.ReadWrite`.
  package struct ReadWrite: Message {
    package var retryTransaction: [UInt8] = []
    package var concurrencyMode: V1.TransactionOptions.ConcurrencyMode = V1.TransactionOptions.ConcurrencyMode(rawValue: 0)
    package init() {}
    package init(retryTransaction: [UInt8] = [], concurrencyMode: V1.TransactionOptions.ConcurrencyMode = V1.TransactionOptions.ConcurrencyMode(rawValue: 0)) {
      self.retryTransaction = retryTransaction
      self.concurrencyMode = concurrencyMode
    }
  }
}

extension V1.TransactionOptions.ReadWrite {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: retryTransaction = try reader.readBytes()
      case 16: concurrencyMode = try V1.TransactionOptions.ConcurrencyMode(rawValue: reader.readInt32())
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !retryTransaction.isEmpty { writer.writeBytes(1, retryTransaction) }
    if concurrencyMode.rawValue != 0 { writer.writeInt32(2, concurrencyMode.rawValue) }
  }
  package static let jsonNames: [StaticString] = ["retryTransaction", "retry_transaction", "concurrencyMode", "concurrency_mode"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: retryTransaction = try reader.readBytesMember()
    case 1: concurrencyMode = try V1.TransactionOptions.ConcurrencyMode(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !retryTransaction.isEmpty {
      writer.writeKey("retryTransaction")
      writer.writeBase64(retryTransaction.span)
    }
    if concurrencyMode.rawValue != 0 {
      writer.writeKey("concurrencyMode")
      concurrencyMode.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.UpdateDocumentRequest`.
  package struct UpdateDocumentRequest: Message {
    package var document: V1.Document?
    package var updateMask: V1.DocumentMask?
    package var mask: V1.DocumentMask?
    package var currentDocument: V1.Precondition?
    package var requestOptions: V1.RequestOptions?
    package init() {}
    package init(document: V1.Document? = nil, updateMask: V1.DocumentMask? = nil, mask: V1.DocumentMask? = nil, currentDocument: V1.Precondition? = nil, requestOptions: V1.RequestOptions? = nil) {
      self.document = document
      self.updateMask = updateMask
      self.mask = mask
      self.currentDocument = currentDocument
      self.requestOptions = requestOptions
    }
  }
}

extension V1.UpdateDocumentRequest {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: try merge(reader.readMessage(), into: &document)
      case 18: try merge(reader.readMessage(), into: &updateMask)
      case 26: try merge(reader.readMessage(), into: &mask)
      case 34: try merge(reader.readMessage(), into: &currentDocument)
      case 42: try merge(reader.readMessage(), into: &requestOptions)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if let value = document { writer.writeMessage(1, value) }
    if let value = updateMask { writer.writeMessage(2, value) }
    if let value = mask { writer.writeMessage(3, value) }
    if let value = currentDocument { writer.writeMessage(4, value) }
    if let value = requestOptions { writer.writeMessage(5, value) }
  }
  package static let jsonNames: [StaticString] = ["document", "document", "updateMask", "update_mask", "mask", "mask", "currentDocument", "current_document", "requestOptions", "request_options"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: document = try V1.Document(json: &reader)
    case 1: updateMask = try V1.DocumentMask(json: &reader)
    case 2: mask = try V1.DocumentMask(json: &reader)
    case 3: currentDocument = try V1.Precondition(json: &reader)
    case 4: requestOptions = try V1.RequestOptions(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0 where !path.isEmpty: document = try document.reading(path, &reader)
    case 1 where !path.isEmpty: updateMask = try updateMask.reading(path, &reader)
    case 2 where !path.isEmpty: mask = try mask.reading(path, &reader)
    case 3 where !path.isEmpty: currentDocument = try currentDocument.reading(path, &reader)
    case 4 where !path.isEmpty: requestOptions = try requestOptions.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if let value = document {
      writer.writeKey("document")
      value.write(to: &writer)
    }
    if let value = updateMask {
      writer.writeKey("updateMask")
      value.write(to: &writer)
    }
    if let value = mask {
      writer.writeKey("mask")
      value.write(to: &writer)
    }
    if let value = currentDocument {
      writer.writeKey("currentDocument")
      value.write(to: &writer)
    }
    if let value = requestOptions {
      writer.writeKey("requestOptions")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.Write`.
  package struct Write: Message {
    package enum Operation: Sendable {
      case update(V1.Document)
      case delete(String)
      case verify(String)
      case transform(V1.DocumentTransform)
    }
    package var operation: Operation?
    package var updateMask: V1.DocumentMask?
    package var currentDocument: V1.Precondition?
    package var updateTransforms: [V1.DocumentTransform.FieldTransform] = []
    package init() {}
    package init(operation: Operation? = nil, updateMask: V1.DocumentMask? = nil, currentDocument: V1.Precondition? = nil, updateTransforms: [V1.DocumentTransform.FieldTransform] = []) {
      self.operation = operation
      self.updateMask = updateMask
      self.currentDocument = currentDocument
      self.updateTransforms = updateTransforms
    }
  }
}

extension V1.Write {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10:
        var message = V1.Document()
        if case .update(let earlier)? = operation { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        operation = .update(message)
      case 18: operation = .delete(try reader.readString())
      case 42: operation = .verify(try reader.readString())
      case 50:
        var message = V1.DocumentTransform()
        if case .transform(let earlier)? = operation { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        operation = .transform(message)
      case 26: try merge(reader.readMessage(), into: &updateMask)
      case 34: try merge(reader.readMessage(), into: &currentDocument)
      case 58: updateTransforms.append(try V1.DocumentTransform.FieldTransform(protobuf: reader.readMessage()))
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    switch operation {
    case .update(let value)?: writer.writeMessage(1, value)
    case .delete(let value)?: writer.writeString(2, value)
    case .verify(let value)?: writer.writeString(5, value)
    case .transform(let value)?: writer.writeMessage(6, value)
    case nil: break
    }
    if let value = updateMask { writer.writeMessage(3, value) }
    if let value = currentDocument { writer.writeMessage(4, value) }
    for value in updateTransforms { writer.writeMessage(7, value) }
  }
  package static let jsonNames: [StaticString] = ["update", "update", "delete", "delete", "verify", "verify", "transform", "transform", "updateMask", "update_mask", "currentDocument", "current_document", "updateTransforms", "update_transforms"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0:
      guard operation == nil else { throw reader.wrongValue() }
      operation = .update(try V1.Document(json: &reader))
    case 1:
      guard operation == nil else { throw reader.wrongValue() }
      operation = .delete(try reader.readStringMember())
    case 2:
      guard operation == nil else { throw reader.wrongValue() }
      operation = .verify(try reader.readStringMember())
    case 3:
      guard operation == nil else { throw reader.wrongValue() }
      operation = .transform(try V1.DocumentTransform(json: &reader))
    case 4: updateMask = try V1.DocumentMask(json: &reader)
    case 5: currentDocument = try V1.Precondition(json: &reader)
    case 6:
      updateTransforms = []
      try reader.beginArray()
      while try reader.nextElement() { updateTransforms.append(try V1.DocumentTransform.FieldTransform(json: &reader)) }
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 4 where !path.isEmpty: updateMask = try updateMask.reading(path, &reader)
    case 5 where !path.isEmpty: currentDocument = try currentDocument.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    switch operation {
    case .update(let value)?:
      writer.writeKey("update")
      value.write(to: &writer)
    case .delete(let value)?:
      writer.writeKey("delete")
      writer.writeString(value)
    case .verify(let value)?:
      writer.writeKey("verify")
      writer.writeString(value)
    case .transform(let value)?:
      writer.writeKey("transform")
      value.write(to: &writer)
    case nil: break
    }
    if let value = updateMask {
      writer.writeKey("updateMask")
      value.write(to: &writer)
    }
    if let value = currentDocument {
      writer.writeKey("currentDocument")
      value.write(to: &writer)
    }
    if !updateTransforms.isEmpty {
      writer.writeKey("updateTransforms")
      writer.beginArray()
      for value in updateTransforms { value.write(to: &writer) }
      writer.endArray()
    }
  }
}

extension V1 {
  /// `google.firestore.v1.WriteRequest`.
  package struct WriteRequest: Message {
    package var database: String = ""
    package var streamID: String = ""
    package var writes: [V1.Write] = []
    package var streamToken: [UInt8] = []
    package var labels: [MapEntry<String>] = []
    package var requestOptions: V1.RequestOptions?
    package init() {}
    package init(database: String = "", streamID: String = "", writes: [V1.Write] = [], streamToken: [UInt8] = [], labels: [MapEntry<String>] = [], requestOptions: V1.RequestOptions? = nil) {
      self.database = database
      self.streamID = streamID
      self.writes = writes
      self.streamToken = streamToken
      self.labels = labels
      self.requestOptions = requestOptions
    }
  }
}

extension V1.WriteRequest {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: database = try reader.readString()
      case 18: streamID = try reader.readString()
      case 26: writes.append(try V1.Write(protobuf: reader.readMessage()))
      case 34: streamToken = try reader.readBytes()
      case 42: labels.append(try MapEntry(protobuf: reader.readMessage()))
      case 50: try merge(reader.readMessage(), into: &requestOptions)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !database.utf8.isEmpty { writer.writeString(1, database) }
    if !streamID.utf8.isEmpty { writer.writeString(2, streamID) }
    for value in writes { writer.writeMessage(3, value) }
    if !streamToken.isEmpty { writer.writeBytes(4, streamToken) }
    for value in labels { writer.writeMessage(5, value) }
    if let value = requestOptions { writer.writeMessage(6, value) }
  }
  package static let jsonNames: [StaticString] = ["database", "database", "streamId", "stream_id", "writes", "writes", "streamToken", "stream_token", "labels", "labels", "requestOptions", "request_options"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: database = try reader.readStringMember()
    case 1: streamID = try reader.readStringMember()
    case 2:
      writes = []
      try reader.beginArray()
      while try reader.nextElement() { writes.append(try V1.Write(json: &reader)) }
    case 3: streamToken = try reader.readBytesMember()
    case 4:
      labels = []
      try reader.beginObject()
      while let key = try reader.nextKey() {
        labels.append(MapEntry(key: key, value: try reader.readStringMember()))
      }
    case 5: requestOptions = try V1.RequestOptions(json: &reader)
    default: throw reader.wrongValue()
    }
  }
  package mutating func readParameter(_ index: Int, _ path: ArraySlice<Substring>, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 5 where !path.isEmpty: requestOptions = try requestOptions.reading(path, &reader)
    case _ where path.isEmpty: try readMember(index, &reader)
    default: throw JSONError(.unknownName, at: 0)
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !database.utf8.isEmpty {
      writer.writeKey("database")
      writer.writeString(database)
    }
    if !streamID.utf8.isEmpty {
      writer.writeKey("streamId")
      writer.writeString(streamID)
    }
    if !writes.isEmpty {
      writer.writeKey("writes")
      writer.beginArray()
      for value in writes { value.write(to: &writer) }
      writer.endArray()
    }
    if !streamToken.isEmpty {
      writer.writeKey("streamToken")
      writer.writeBase64(streamToken.span)
    }
    if !labels.isEmpty {
      writer.writeKey("labels")
      writer.beginObject()
      for entry in labels {
        writer.writeKey(entry.key)
        writer.writeString(entry.value)
      }
      writer.endObject()
    }
    if let value = requestOptions {
      writer.writeKey("requestOptions")
      value.write(to: &writer)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.WriteResponse`.
  package struct WriteResponse: Message {
    package var streamID: String = ""
    package var streamToken: [UInt8] = []
    package var writeResults: [V1.WriteResult] = []
    package var commitTime: Timestamp?
    package init() {}
    package init(streamID: String = "", streamToken: [UInt8] = [], writeResults: [V1.WriteResult] = [], commitTime: Timestamp? = nil) {
      self.streamID = streamID
      self.streamToken = streamToken
      self.writeResults = writeResults
      self.commitTime = commitTime
    }
  }
}

extension V1.WriteResponse {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: streamID = try reader.readString()
      case 18: streamToken = try reader.readBytes()
      case 26: writeResults.append(try V1.WriteResult(protobuf: reader.readMessage()))
      case 34: commitTime = try reader.readTimestamp()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !streamID.utf8.isEmpty { writer.writeString(1, streamID) }
    if !streamToken.isEmpty { writer.writeBytes(2, streamToken) }
    for value in writeResults { writer.writeMessage(3, value) }
    if let value = commitTime { writer.writeTimestamp(4, value) }
  }
  package static let jsonNames: [StaticString] = ["streamId", "stream_id", "streamToken", "stream_token", "writeResults", "write_results", "commitTime", "commit_time"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: streamID = try reader.readStringMember()
    case 1: streamToken = try reader.readBytesMember()
    case 2:
      writeResults = []
      try reader.beginArray()
      while try reader.nextElement() { writeResults.append(try V1.WriteResult(json: &reader)) }
    case 3: commitTime = try reader.readTimestampMember()
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if !streamID.utf8.isEmpty {
      writer.writeKey("streamId")
      writer.writeString(streamID)
    }
    if !streamToken.isEmpty {
      writer.writeKey("streamToken")
      writer.writeBase64(streamToken.span)
    }
    if !writeResults.isEmpty {
      writer.writeKey("writeResults")
      writer.beginArray()
      for value in writeResults { value.write(to: &writer) }
      writer.endArray()
    }
    if let value = commitTime {
      writer.writeKey("commitTime")
      writer.writeTimestamp(value)
    }
  }
}

extension V1 {
  /// `google.firestore.v1.WriteResult`.
  package struct WriteResult: Message {
    package var updateTime: Timestamp?
    package var transformResults: [V1.Value] = []
    package init() {}
    package init(updateTime: Timestamp? = nil, transformResults: [V1.Value] = []) {
      self.updateTime = updateTime
      self.transformResults = transformResults
    }
  }
}

extension V1.WriteResult {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: updateTime = try reader.readTimestamp()
      case 18: transformResults.append(try V1.Value(protobuf: reader.readMessage()))
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if let value = updateTime { writer.writeTimestamp(1, value) }
    for value in transformResults { writer.writeMessage(2, value) }
  }
  package static let jsonNames: [StaticString] = ["updateTime", "update_time", "transformResults", "transform_results"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: updateTime = try reader.readTimestampMember()
    case 1:
      transformResults = []
      try reader.beginArray()
      while try reader.nextElement() { transformResults.append(try V1.Value(json: &reader)) }
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if let value = updateTime {
      writer.writeKey("updateTime")
      writer.writeTimestamp(value)
    }
    if !transformResults.isEmpty {
      writer.writeKey("transformResults")
      writer.beginArray()
      for value in transformResults { value.write(to: &writer) }
      writer.endArray()
    }
  }
}

extension V1.DocumentTransform.FieldTransform {
  /// `google.firestore.v1.DocumentTransform.FieldTransform.ServerValue`.
  package enum ServerValue: WireEnumeration {
    case serverValueUnspecified
    case requestTime
    case unrecognized(Int32)
    package init(rawValue: Int32) {
      switch rawValue {
      case 0: self = .serverValueUnspecified
      case 1: self = .requestTime
      default: self = .unrecognized(rawValue)
      }
    }
    package var rawValue: Int32 {
      switch self {
      case .serverValueUnspecified: 0
      case .requestTime: 1
      case .unrecognized(let number): number
      }
    }
    package static let names: [(number: Int32, name: StaticString)] = [
      (0, "SERVER_VALUE_UNSPECIFIED"),
      (1, "REQUEST_TIME"),
    ]
  }
}

extension V1.StructuredQuery.CompositeFilter {
  /// `google.firestore.v1.StructuredQuery.CompositeFilter.Operator`.
  package enum Operator: WireEnumeration {
    case operatorUnspecified
    case and
    case or
    case unrecognized(Int32)
    package init(rawValue: Int32) {
      switch rawValue {
      case 0: self = .operatorUnspecified
      case 1: self = .and
      case 2: self = .or
      default: self = .unrecognized(rawValue)
      }
    }
    package var rawValue: Int32 {
      switch self {
      case .operatorUnspecified: 0
      case .and: 1
      case .or: 2
      case .unrecognized(let number): number
      }
    }
    package static let names: [(number: Int32, name: StaticString)] = [
      (0, "OPERATOR_UNSPECIFIED"),
      (1, "AND"),
      (2, "OR"),
    ]
  }
}

extension V1.StructuredQuery {
  /// `google.firestore.v1.StructuredQuery.Direction`.
  package enum Direction: WireEnumeration {
    case directionUnspecified
    case ascending
    case descending
    case unrecognized(Int32)
    package init(rawValue: Int32) {
      switch rawValue {
      case 0: self = .directionUnspecified
      case 1: self = .ascending
      case 2: self = .descending
      default: self = .unrecognized(rawValue)
      }
    }
    package var rawValue: Int32 {
      switch self {
      case .directionUnspecified: 0
      case .ascending: 1
      case .descending: 2
      case .unrecognized(let number): number
      }
    }
    package static let names: [(number: Int32, name: StaticString)] = [
      (0, "DIRECTION_UNSPECIFIED"),
      (1, "ASCENDING"),
      (2, "DESCENDING"),
    ]
  }
}

extension V1.StructuredQuery.FieldFilter {
  /// `google.firestore.v1.StructuredQuery.FieldFilter.Operator`.
  package enum Operator: WireEnumeration {
    case operatorUnspecified
    case lessThan
    case lessThanOrEqual
    case greaterThan
    case greaterThanOrEqual
    case equal
    case notEqual
    case arrayContains
    case `in`
    case arrayContainsAny
    case notIn
    case unrecognized(Int32)
    package init(rawValue: Int32) {
      switch rawValue {
      case 0: self = .operatorUnspecified
      case 1: self = .lessThan
      case 2: self = .lessThanOrEqual
      case 3: self = .greaterThan
      case 4: self = .greaterThanOrEqual
      case 5: self = .equal
      case 6: self = .notEqual
      case 7: self = .arrayContains
      case 8: self = .`in`
      case 9: self = .arrayContainsAny
      case 10: self = .notIn
      default: self = .unrecognized(rawValue)
      }
    }
    package var rawValue: Int32 {
      switch self {
      case .operatorUnspecified: 0
      case .lessThan: 1
      case .lessThanOrEqual: 2
      case .greaterThan: 3
      case .greaterThanOrEqual: 4
      case .equal: 5
      case .notEqual: 6
      case .arrayContains: 7
      case .`in`: 8
      case .arrayContainsAny: 9
      case .notIn: 10
      case .unrecognized(let number): number
      }
    }
    package static let names: [(number: Int32, name: StaticString)] = [
      (0, "OPERATOR_UNSPECIFIED"),
      (1, "LESS_THAN"),
      (2, "LESS_THAN_OR_EQUAL"),
      (3, "GREATER_THAN"),
      (4, "GREATER_THAN_OR_EQUAL"),
      (5, "EQUAL"),
      (6, "NOT_EQUAL"),
      (7, "ARRAY_CONTAINS"),
      (8, "IN"),
      (9, "ARRAY_CONTAINS_ANY"),
      (10, "NOT_IN"),
    ]
  }
}

extension V1.StructuredQuery.FindNearest {
  /// `google.firestore.v1.StructuredQuery.FindNearest.DistanceMeasure`.
  package enum DistanceMeasure: WireEnumeration {
    case distanceMeasureUnspecified
    case euclidean
    case cosine
    case dotProduct
    case unrecognized(Int32)
    package init(rawValue: Int32) {
      switch rawValue {
      case 0: self = .distanceMeasureUnspecified
      case 1: self = .euclidean
      case 2: self = .cosine
      case 3: self = .dotProduct
      default: self = .unrecognized(rawValue)
      }
    }
    package var rawValue: Int32 {
      switch self {
      case .distanceMeasureUnspecified: 0
      case .euclidean: 1
      case .cosine: 2
      case .dotProduct: 3
      case .unrecognized(let number): number
      }
    }
    package static let names: [(number: Int32, name: StaticString)] = [
      (0, "DISTANCE_MEASURE_UNSPECIFIED"),
      (1, "EUCLIDEAN"),
      (2, "COSINE"),
      (3, "DOT_PRODUCT"),
    ]
  }
}

extension V1.StructuredQuery.UnaryFilter {
  /// `google.firestore.v1.StructuredQuery.UnaryFilter.Operator`.
  package enum Operator: WireEnumeration {
    case operatorUnspecified
    case isNan
    case isNull
    case isNotNan
    case isNotNull
    case unrecognized(Int32)
    package init(rawValue: Int32) {
      switch rawValue {
      case 0: self = .operatorUnspecified
      case 2: self = .isNan
      case 3: self = .isNull
      case 4: self = .isNotNan
      case 5: self = .isNotNull
      default: self = .unrecognized(rawValue)
      }
    }
    package var rawValue: Int32 {
      switch self {
      case .operatorUnspecified: 0
      case .isNan: 2
      case .isNull: 3
      case .isNotNan: 4
      case .isNotNull: 5
      case .unrecognized(let number): number
      }
    }
    package static let names: [(number: Int32, name: StaticString)] = [
      (0, "OPERATOR_UNSPECIFIED"),
      (2, "IS_NAN"),
      (3, "IS_NULL"),
      (4, "IS_NOT_NAN"),
      (5, "IS_NOT_NULL"),
    ]
  }
}

extension V1.TargetChange {
  /// `google.firestore.v1.TargetChange.TargetChangeType`.
  package enum TargetChangeType: WireEnumeration {
    case noChange
    case add
    case remove
    case current
    case reset
    case unrecognized(Int32)
    package init(rawValue: Int32) {
      switch rawValue {
      case 0: self = .noChange
      case 1: self = .add
      case 2: self = .remove
      case 3: self = .current
      case 4: self = .reset
      default: self = .unrecognized(rawValue)
      }
    }
    package var rawValue: Int32 {
      switch self {
      case .noChange: 0
      case .add: 1
      case .remove: 2
      case .current: 3
      case .reset: 4
      case .unrecognized(let number): number
      }
    }
    package static let names: [(number: Int32, name: StaticString)] = [
      (0, "NO_CHANGE"),
      (1, "ADD"),
      (2, "REMOVE"),
      (3, "CURRENT"),
      (4, "RESET"),
    ]
  }
}

extension V1.TransactionOptions {
  /// `google.firestore.v1.TransactionOptions.ConcurrencyMode`.
  package enum ConcurrencyMode: WireEnumeration {
    case concurrencyModeUnspecified
    case optimistic
    case pessimistic
    case unrecognized(Int32)
    package init(rawValue: Int32) {
      switch rawValue {
      case 0: self = .concurrencyModeUnspecified
      case 1: self = .optimistic
      case 2: self = .pessimistic
      default: self = .unrecognized(rawValue)
      }
    }
    package var rawValue: Int32 {
      switch self {
      case .concurrencyModeUnspecified: 0
      case .optimistic: 1
      case .pessimistic: 2
      case .unrecognized(let number): number
      }
    }
    package static let names: [(number: Int32, name: StaticString)] = [
      (0, "CONCURRENCY_MODE_UNSPECIFIED"),
      (1, "OPTIMISTIC"),
      (2, "PESSIMISTIC"),
    ]
  }
}

extension V1 {
  /// The methods of `google.firestore.v1.Firestore`.
  package enum FirestoreMethod: ServiceMethod {
    case getDocument
    case listDocuments
    case updateDocument
    case deleteDocument
    case batchGetDocuments
    case beginTransaction
    case commit
    case rollback
    case runQuery
    case executePipeline
    case runAggregationQuery
    case partitionQuery
    case write
    case listen
    case listCollectionIDs
    case batchWrite
    case createDocument
    package static let service = "google.firestore.v1.Firestore"
    package var name: String {
      switch self {
      case .getDocument: "GetDocument"
      case .listDocuments: "ListDocuments"
      case .updateDocument: "UpdateDocument"
      case .deleteDocument: "DeleteDocument"
      case .batchGetDocuments: "BatchGetDocuments"
      case .beginTransaction: "BeginTransaction"
      case .commit: "Commit"
      case .rollback: "Rollback"
      case .runQuery: "RunQuery"
      case .executePipeline: "ExecutePipeline"
      case .runAggregationQuery: "RunAggregationQuery"
      case .partitionQuery: "PartitionQuery"
      case .write: "Write"
      case .listen: "Listen"
      case .listCollectionIDs: "ListCollectionIds"
      case .batchWrite: "BatchWrite"
      case .createDocument: "CreateDocument"
      }
    }
    package var request: any Message.Type {
      switch self {
      case .getDocument: V1.GetDocumentRequest.self
      case .listDocuments: V1.ListDocumentsRequest.self
      case .updateDocument: V1.UpdateDocumentRequest.self
      case .deleteDocument: V1.DeleteDocumentRequest.self
      case .batchGetDocuments: V1.BatchGetDocumentsRequest.self
      case .beginTransaction: V1.BeginTransactionRequest.self
      case .commit: V1.CommitRequest.self
      case .rollback: V1.RollbackRequest.self
      case .runQuery: V1.RunQueryRequest.self
      case .executePipeline: V1.ExecutePipelineRequest.self
      case .runAggregationQuery: V1.RunAggregationQueryRequest.self
      case .partitionQuery: V1.PartitionQueryRequest.self
      case .write: V1.WriteRequest.self
      case .listen: V1.ListenRequest.self
      case .listCollectionIDs: V1.ListCollectionIdsRequest.self
      case .batchWrite: V1.BatchWriteRequest.self
      case .createDocument: V1.CreateDocumentRequest.self
      }
    }
    package var response: any Message.Type {
      switch self {
      case .getDocument: V1.Document.self
      case .listDocuments: V1.ListDocumentsResponse.self
      case .updateDocument: V1.Document.self
      case .deleteDocument: WellKnown.Empty.self
      case .batchGetDocuments: V1.BatchGetDocumentsResponse.self
      case .beginTransaction: V1.BeginTransactionResponse.self
      case .commit: V1.CommitResponse.self
      case .rollback: WellKnown.Empty.self
      case .runQuery: V1.RunQueryResponse.self
      case .executePipeline: V1.ExecutePipelineResponse.self
      case .runAggregationQuery: V1.RunAggregationQueryResponse.self
      case .partitionQuery: V1.PartitionQueryResponse.self
      case .write: V1.WriteResponse.self
      case .listen: V1.ListenResponse.self
      case .listCollectionIDs: V1.ListCollectionIdsResponse.self
      case .batchWrite: V1.BatchWriteResponse.self
      case .createDocument: V1.Document.self
      }
    }
    package var isClientStreaming: Bool {
      switch self {
      case .getDocument: false
      case .listDocuments: false
      case .updateDocument: false
      case .deleteDocument: false
      case .batchGetDocuments: false
      case .beginTransaction: false
      case .commit: false
      case .rollback: false
      case .runQuery: false
      case .executePipeline: false
      case .runAggregationQuery: false
      case .partitionQuery: false
      case .write: true
      case .listen: true
      case .listCollectionIDs: false
      case .batchWrite: false
      case .createDocument: false
      }
    }
    package var isServerStreaming: Bool {
      switch self {
      case .getDocument: false
      case .listDocuments: false
      case .updateDocument: false
      case .deleteDocument: false
      case .batchGetDocuments: true
      case .beginTransaction: false
      case .commit: false
      case .rollback: false
      case .runQuery: true
      case .executePipeline: true
      case .runAggregationQuery: true
      case .partitionQuery: false
      case .write: true
      case .listen: true
      case .listCollectionIDs: false
      case .batchWrite: false
      case .createDocument: false
      }
    }
    package var bindings: [HTTPBinding] {
      switch self {
      case .getDocument: [HTTPBinding("GET", "/v1/{name=projects/*/databases/*/documents/*/**}", body: .absent)]
      case .listDocuments: [HTTPBinding("GET", "/v1/{parent=projects/*/databases/*/documents/*/**}/{collection_id}", body: .absent), HTTPBinding("GET", "/v1/{parent=projects/*/databases/*/documents}/{collection_id}", body: .absent)]
      case .updateDocument: [HTTPBinding("PATCH", "/v1/{document.name=projects/*/databases/*/documents/*/**}", body: .member("document"))]
      case .deleteDocument: [HTTPBinding("DELETE", "/v1/{name=projects/*/databases/*/documents/*/**}", body: .absent)]
      case .batchGetDocuments: [HTTPBinding("POST", "/v1/{database=projects/*/databases/*}/documents:batchGet", body: .message)]
      case .beginTransaction: [HTTPBinding("POST", "/v1/{database=projects/*/databases/*}/documents:beginTransaction", body: .message)]
      case .commit: [HTTPBinding("POST", "/v1/{database=projects/*/databases/*}/documents:commit", body: .message)]
      case .rollback: [HTTPBinding("POST", "/v1/{database=projects/*/databases/*}/documents:rollback", body: .message)]
      case .runQuery: [HTTPBinding("POST", "/v1/{parent=projects/*/databases/*/documents}:runQuery", body: .message), HTTPBinding("POST", "/v1/{parent=projects/*/databases/*/documents/*/**}:runQuery", body: .message)]
      case .executePipeline: [HTTPBinding("POST", "/v1/{database=projects/*/databases/*}/documents:executePipeline", body: .message)]
      case .runAggregationQuery: [HTTPBinding("POST", "/v1/{parent=projects/*/databases/*/documents}:runAggregationQuery", body: .message), HTTPBinding("POST", "/v1/{parent=projects/*/databases/*/documents/*/**}:runAggregationQuery", body: .message)]
      case .partitionQuery: [HTTPBinding("POST", "/v1/{parent=projects/*/databases/*/documents}:partitionQuery", body: .message), HTTPBinding("POST", "/v1/{parent=projects/*/databases/*/documents/*/**}:partitionQuery", body: .message)]
      case .write: [HTTPBinding("POST", "/v1/{database=projects/*/databases/*}/documents:write", body: .message)]
      case .listen: [HTTPBinding("POST", "/v1/{database=projects/*/databases/*}/documents:listen", body: .message)]
      case .listCollectionIDs: [HTTPBinding("POST", "/v1/{parent=projects/*/databases/*/documents}:listCollectionIds", body: .message), HTTPBinding("POST", "/v1/{parent=projects/*/databases/*/documents/*/**}:listCollectionIds", body: .message)]
      case .batchWrite: [HTTPBinding("POST", "/v1/{database=projects/*/databases/*}/documents:batchWrite", body: .message)]
      case .createDocument: [HTTPBinding("POST", "/v1/{parent=projects/*/databases/*/documents/**}/{collection_id}", body: .member("document"))]
      }
    }
  }
}
