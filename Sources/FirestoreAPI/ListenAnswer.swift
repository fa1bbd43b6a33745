internal import Coding
internal import FirestoreListen
internal import FirestoreModel
package import FirestoreProtocol

/// A message of a Listen stream on its way to the client. Documents of it are encoded once for all clients.
package struct ListenAnswer: Sendable {
  private let message: ListenMessage

  init(_ message: ListenMessage) {
    self.message = message
  }

  package func protobufBytes() -> [UInt8] {
    guard case .changed(let shared, let targets, let left) = message else {
      return response.protobufBytes()
    }
    let document = shared.bytes(.protobuf) { V1.Document($0).protobufBytes() }
    var writer = ProtobufWriter()
    writer.bytes.reserveCapacity(document.count + 32)
    let start = writer.begin(3)
    writer.writeBytes(1, document)
    Self.write(targets, 5, &writer)
    Self.write(left, 6, &writer)
    writer.end(start)
    return writer.bytes
  }

  package func jsonBytes() -> [UInt8] {
    guard case .changed(let shared, let targets, let left) = message else {
      return response.jsonBytes()
    }
    let document = shared.bytes(.json) { V1.Document($0).jsonBytes() }
    var bytes = Array(#"{"documentChange":{"document":"#.utf8)
    bytes.reserveCapacity(document.count + 128)
    bytes += document
    Self.append(#","targetIds":["#, targets, to: &bytes)
    Self.append(#","removedTargetIds":["#, left, to: &bytes)
    bytes += "}}".utf8
    return bytes
  }

  private static func append(_ name: String, _ ids: [Int32], to bytes: inout [UInt8]) {
    guard !ids.isEmpty else { return }
    bytes += name.utf8
    bytes += ids.map { String($0) }.joined(separator: ",").utf8
    bytes.append(UInt8(ascii: "]"))
  }

  /// Ids of targets, packed.
  private static func write(_ ids: [Int32], _ number: Int, _ writer: inout ProtobufWriter) {
    guard !ids.isEmpty else { return }
    let start = writer.begin(number)
    for id in ids { writer.appendVarint(UInt64(bitPattern: Int64(id))) }
    writer.end(start)
  }

  /// The message as a response.
  package var response: V1.ListenResponse { V1.ListenResponse(responseType: type) }

  private var type: V1.ListenResponse.ResponseType {
    switch message {
    case .added(let id): .targetChange(V1.TargetChange(targetChangeType: .add, targetIDs: [id]))
    case .removed(let id, let cause):
      .targetChange(
        V1.TargetChange(
          targetChangeType: .remove, targetIDs: [id], cause: cause.map { RPC.Status($0) }))
    case .reset(let ids, let moment): .targetChange(V1.TargetChange(.reset, ids, moment))
    case .current(let ids, let moment): .targetChange(V1.TargetChange(.current, ids, moment))
    case .snapshot(let moment): .targetChange(V1.TargetChange(.noChange, [], moment))
    case .changed(let shared, let targets, let left):
      .documentChange(
        V1.DocumentChange(
          document: V1.Document(shared.document), targetIDs: targets, removedTargetIDs: left))
    case .deleted(let name, let time, let left):
      .documentDelete(
        V1.DocumentDelete(document: name.text, readTime: time, removedTargetIDs: left))
    case .leftView(let name, let time, let left):
      .documentRemove(
        V1.DocumentRemove(document: name.text, removedTargetIDs: left, readTime: time))
    case .filter(let filter): .filter(V1.ExistenceFilter(filter))
    }
  }
}

extension V1.TargetChange {
  fileprivate init(_ type: TargetChangeType, _ ids: [Int32], _ moment: ListenMoment) {
    self.init(
      targetChangeType: type, targetIDs: ids, resumeToken: moment.token.bytes,
      readTime: moment.readTime)
  }
}

extension V1.ExistenceFilter {
  fileprivate init(_ filter: FirestoreListen.ExistenceFilter) {
    self.init(
      targetID: filter.target, count: Int32(clamping: filter.count),
      unchangedNames: filter.names.map { names in
        V1.BloomFilter(
          bits: V1.BitSequence(bitmap: names.bitmap, padding: Int32(names.padding)),
          hashCount: Int32(names.hashCount))
      })
  }
}
