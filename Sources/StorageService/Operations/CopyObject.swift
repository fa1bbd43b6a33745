internal import Coding
package import ObjectStorage

/// One object as the source of another.
package struct ObjectSource: Hashable, Sendable {
  package var name: ObjectName
  /// `nil` means the one that is there.
  package var generation: Int64?
  package var preconditions = Preconditions()

  package init(name: ObjectName) {
    self.name = name
  }
}

extension StorageOperations {
  /// The object that a source names.
  ///
  /// - Throws: `.notFound`, `.failedPrecondition`.
  package func find(_ source: ObjectSource) throws(StorageError) -> Object {
    guard let object = try store.object(source.name, generation: source.generation) else {
      throw .missing(source.name)
    }
    try source.preconditions.check(object)
    return object
  }

  /// Makes an object of the bytes and the metadata of another. Members of `changes` stand for those of the source; custom metadata all
  /// together.
  ///
  /// - Throws: `.notFound`, `.failedPrecondition`.
  package func copyObject(
    _ object: Object, to target: ObjectName, _ changes: AttributeChanges,
    _ preconditions: Preconditions
  ) async throws(StorageError) -> Object {
    var (attributes, tokens) = (object.attributes, object.tokens)
    (attributes.temporaryHold, attributes.eventBasedHold) = (nil, nil)
    for name: UTF8String in ["acl", "owner", "retention"] { attributes.settings[name] = nil }
    var changes = changes
    if case .merge(let entries) = changes.custom {
      attributes.custom = entries.mapValues { $0 ?? "" }
      changes.custom = .keep
      tokens = []
    }
    try attributes.apply(changes)
    var request = UploadRequest(
      name: target, attributes: attributes, tokens: changes.tokens ?? tokens)
    request.preconditions = preconditions
    request.componentCount = object.componentCount
    return try await store.assemble(request, of: [object])
  }

  /// Gives an object another name in its bucket.
  ///
  /// - Throws: `.notFound`, `.failedPrecondition`.
  package func moveObject(
    _ source: ObjectSource, to target: ObjectName, _ preconditions: Preconditions
  ) async throws(StorageError) -> Object {
    let object = try find(source)
    var conditions = source.preconditions
    conditions.generation = object.generation
    return try await store.move(source.name, conditions, to: target, preconditions)
  }

  /// Makes an object of the bytes of others, one behind the other.
  ///
  /// - Throws: `.invalidArgument` for none or more than 32, `.notFound`, `.failedPrecondition`.
  package func composeObject(
    _ target: ObjectName, of sources: [ObjectSource], _ changes: AttributeChanges,
    _ preconditions: Preconditions, deletesSources: Bool
  ) async throws(StorageError) -> Object {
    guard !sources.isEmpty else {
      throw StorageError(.invalidArgument, "You must provide at least one source component.")
    }
    guard sources.count <= 32 else {
      throw StorageError(
        .invalidArgument,
        "The number of source components provided (\(sources.count)) exceeds the maximum (32)")
    }
    var objects: [Object] = []
    for source in sources { objects.append(try find(source)) }
    var attributes = ObjectAttributes()
    try attributes.apply(changes)
    var request = UploadRequest(name: target, attributes: attributes, tokens: changes.tokens ?? [])
    request.preconditions = preconditions
    request.componentCount = objects.reduce(0) { $0 + max(1, $1.componentCount ?? 1) }
    let object = try await store.assemble(request, of: objects)
    if deletesSources {
      for source in Set(sources) where source.name != target {
        do throws(StorageError) {
          try await store.delete(source.name, generation: source.generation)
        } catch {
          guard error.code == .notFound else { throw error }
        }
      }
    }
    return object
  }
}
