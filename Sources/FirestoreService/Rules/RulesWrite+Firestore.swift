internal import FirestoreModel
internal import SecurityRules

extension RulesWrite {
  /// What a commit does to each document, in the order of their first writes.
  static func writes(of writes: [Write]) -> [RulesWrite] {
    var order: [DocumentName] = []
    var byName: [DocumentName: [Write]] = [:]
    for write in writes {
      if byName[write.name] == nil { order.append(write.name) }
      byName[write.name, default: []].append(write)
    }
    return order.map { RulesWrite($0.path, byName[$0] ?? []) }
  }

  /// All writes of one document: how it ends is that of the last one, what it was before is said by the precondition of the first.
  private init(_ path: DocumentPath, _ writes: [Write]) {
    self.init(path: path.rulesSegments, kind: Self.kind(writes))
    transformedFields = writes.flatMap { $0.transforms.map(\.path.plainText) }
    for write in writes {
      guard case .update(_, let fields, let mask) = write.operation else { continue }
      if let mask {
        maskedFields = (maskedFields ?? []) + mask.paths.map(\.plainText)
        result = nil
      } else {
        // Whatever came before is overwritten.
        result = write.transforms.isEmpty ? RulesMap(fields) : nil
      }
    }
  }

  private static func kind(_ writes: [Write]) -> Kind {
    switch writes.last?.operation {
    case .delete: return .delete
    case .verify, nil: return .verify
    case .update: break
    }
    switch writes.first?.precondition {
    case .exists(false): return .create
    case .exists(true), .updateTime: return .update
    case nil: return .createOrUpdate
    }
  }
}
