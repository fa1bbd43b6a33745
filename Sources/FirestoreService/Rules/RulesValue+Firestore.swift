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
    case .reference(let name): self = .path(name.rulesPath)
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

extension DocumentName {
  /// The path that rules see: from `databases` on, without the project.
  var rulesPath: RulesPath {
    var segments: [RulesPath.Segment] = []
    segments.reserveCapacity(path.segments.count + 3)
    segments.append(.text("databases"))
    segments.append(.text(database.database.string))
    segments.append(.text("documents"))
    for segment in path.segments { segments.append(.text(segment.string)) }
    return RulesPath(segments: segments)
  }
}

extension DocumentPath {
  var rulesSegments: [String] { segments.map(\.string) }

  /// The path that rules see as this one, from `databases` on; `nil` if no document can have it.
  init?(rulesPath: RulesPath) {
    let count = rulesPath.segments.count
    guard count > 3, count % 2 == 1 else { return nil }
    var segments: [UTF8String] = []
    segments.reserveCapacity(count - 3)
    for place in 3..<count {
      guard let text = rulesPath.text(at: place) else { return nil }
      segments.append(UTF8String(text))
    }
    self.init(segments: segments)
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
  /// Why one could not be read; `nil` if all could.
  private(set) var failure: FirestoreError?

  init(
    database: DatabaseName, _ decoded: DecodedDocuments,
    read: @escaping (DocumentName) throws(FirestoreError) -> Document?
  ) {
    self.database = database
    self.decoded = decoded
    self.read = read
    known.reserveCapacity(2)
  }

  /// The document, or that there is none, as rules saw it the last time, which is when they let it pass: what was refused is
  /// judged once more, by what is there then. `nil` if they did not look.
  func seen(_ name: DocumentName) -> Document?? {
    known.last { $0.name == name }?.document
  }

  func document(_ path: RulesPath) throws(RulesDocumentsError) -> RulesDocument? {
    guard let documentPath = DocumentPath(rulesPath: path) else { return nil }
    let name = DocumentName(database: database, path: documentPath)
    do throws(FirestoreError) {
      let document = try read(name)
      known.append((name, document))
      return if let document { try decoded.rulesDocument(document, at: path) } else { nil }
    } catch {
      failure = error
      throw RulesDocumentsError()
    }
  }

  func documentAfter(_ path: RulesPath) throws(RulesDocumentsError) -> RulesDocument? {
    try document(path)
  }
}
