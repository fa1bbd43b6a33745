internal import Coding
internal import FirestoreModel
internal import SecurityRules

extension RulesValue {
  /// A value of a field as rules see it.
  init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .boolean(let bool): self = .bool(bool)
    case .integer(let number): self = .int(number)
    case .double(let number): self = .float(number)
    case .timestamp(let time): self = .timestamp(time)
    case .string(let text): self = .string(text.string)
    case .bytes(let bytes): self = .bytes(bytes)
    case .reference(let name): self = .path(RulesPath(name.rulesPath))
    case .geoPoint(let point):
      self = .latlng(latitude: point.latitude, longitude: point.longitude)
    case .array(let values): self = .list(values.map { RulesValue($0) })
    case .vector(let numbers): self = .vector(numbers)
    case .map(let map): self = .map(RulesMap(map))
    }
  }
}

extension RulesMap {
  /// The fields of a document or map as rules see them.
  init(_ map: MapValue) {
    self.init(sorted: map.fields.map { Entry(key: $0.name.string, value: RulesValue($0.value)) })
  }
}

extension RulesDocument {
  /// - Throws: `DATA_LOSS` if the document can't be read.
  init(_ document: Document, _ decoded: DecodedDocuments) throws(FirestoreError) {
    self.init(path: document.name.rulesPath, data: try decoded.map(of: document.fields))
  }
}

extension DocumentName {
  /// The segments that rules see: from `databases` on, without the project.
  var rulesPath: [String] {
    ["databases", database.database.string, "documents"] + path.rulesSegments
  }
}

extension DocumentPath {
  var rulesSegments: [String] { segments.map(\.string) }

  /// The path that rules see as this one, from `databases` on; `nil` if no document can have it.
  init?(rulesPath: [String]) {
    guard rulesPath.count > 3, rulesPath.count % 2 == 1 else { return nil }
    self.init(segments: rulesPath[3...].map { UTF8String($0) })
  }
}

// MARK: - Documents

/// The documents that rules look at in a read, kept for the read itself.
final class StoredDocuments: RulesDocuments {
  private let database: DatabaseName
  private let decoded: DecodedDocuments
  /// Reads one.
  private let read: (DocumentName) throws(FirestoreError) -> Document?
  // Few, by the limits of rules.
  private var known: [(name: DocumentName, document: Document?)] = []

  init(
    database: DatabaseName, _ decoded: DecodedDocuments,
    read: @escaping (DocumentName) throws(FirestoreError) -> Document?
  ) {
    self.database = database
    self.decoded = decoded
    self.read = read
  }

  /// The document, or that there is none, as rules saw it the last time, which is when they let it pass: what was refused is
  /// judged once more, by what is there then. `nil` if they did not look.
  func seen(_ name: DocumentName) -> Document?? {
    known.last { $0.name == name }?.document
  }

  func document(_ path: [String]) throws(RulesDocumentsError) -> RulesDocument? {
    guard let path = DocumentPath(rulesPath: path) else { return nil }
    let name = DocumentName(database: database, path: path)
    do throws(FirestoreError) {
      let document = try read(name)
      known.append((name, document))
      return if let document { try RulesDocument(document, decoded) } else { nil }
    } catch {
      throw RulesDocumentsError()
    }
  }

  func documentAfter(_ path: [String]) throws(RulesDocumentsError) -> RulesDocument? {
    try document(path)
  }
}
