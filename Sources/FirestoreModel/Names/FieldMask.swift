internal import Coding

/// Paths that an operation is restricted to. An empty mask is a mask: it names nothing.
package struct FieldMask: Hashable, Sendable {
  package var paths: [FieldPath]

  package init(_ paths: [FieldPath]) {
    self.paths = paths
  }

  /// Reads the paths in their form on the wire.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  package init(parsing texts: [String]) throws(FirestoreError) {
    var paths: [FieldPath] = []
    paths.reserveCapacity(texts.count)
    for text in texts {
      let path = try FieldPath(parsing: text)
      guard path.segments.last != "__type__" else {
        throw .invalidArgument("the name __type__ is reserved")
      }
      paths.append(path)
    }
    self.paths = paths
  }
}

extension MapValue {
  /// With what `mask` names as `source` has it, or without it where `source` lacks it; `__name__` names nothing here. What is
  /// on the way to something new and no map becomes one; a map that loses its last value stays.
  package func replacing(_ mask: FieldMask, with source: MapValue) -> MapValue {
    let paths = mask.paths.filter { !$0.isDocumentName }
      .sorted { FieldPath.compare($0, $1) == .ascending }
    return replacing(paths[...], depth: 0, with: source)
  }

  /// `paths` are sorted and agree in their first `depth` names.
  private func replacing(
    _ paths: ArraySlice<FieldPath>, depth: Int, with source: MapValue
  ) -> MapValue {
    var result = MapValue()
    var kept = fields[...]
    var rest = paths
    while let path = rest.first {
      let name = path.segments[depth]
      let matching = rest.prefix { $0.segments[depth] == name }
      rest = rest[matching.endIndex...]
      let before = kept.prefix { $0.name < name }
      result.fields += before
      kept = kept[before.endIndex...]
      let old = kept.first?.name == name ? kept.removeFirst().value : nil
      // A path that ends here stands first, and says all.
      let value =
        path.segments.count == depth + 1
        ? source[name] : Self.replacing(matching, depth: depth + 1, in: old, with: source[name])
      if let value { result.fields.append(Field(name: name, value: value)) }
    }
    result.fields += kept
    return result
  }

  private static func replacing(
    _ paths: ArraySlice<FieldPath>, depth: Int, in old: Value?, with source: Value?
  ) -> Value? {
    let sourceMap = if case .map(let map)? = source { map } else { MapValue() }
    guard case .map(let map)? = old else {
      let made = MapValue().replacing(paths, depth: depth, with: sourceMap)
      return made.isEmpty ? old : .map(made)
    }
    return .map(map.replacing(paths, depth: depth, with: sourceMap))
  }

  /// Only what `mask` names, with the maps around it; `__name__` names nothing here.
  package func projected(to mask: FieldMask) -> MapValue {
    let paths = mask.paths.filter { !$0.isDocumentName }
      .sorted { FieldPath.compare($0, $1) == .ascending }
    return projected(to: paths[...], depth: 0) ?? MapValue()
  }

  /// `paths` are sorted and agree in their first `depth` names. `nil` if they name nothing here.
  private func projected(to paths: ArraySlice<FieldPath>, depth: Int) -> MapValue? {
    var result = MapValue()
    var rest = paths
    for field in fields {
      rest = rest.drop { $0.segments[depth] < field.name }
      let matching = rest.prefix { $0.segments[depth] == field.name }
      guard let first = matching.first else { continue }
      if first.segments.count == depth + 1 {
        result.fields.append(field)
      } else if case .map(let map) = field.value,
        let inner = map.projected(to: matching, depth: depth + 1)
      {
        result.fields.append(Field(name: field.name, value: .map(inner)))
      }
    }
    return result.fields.isEmpty ? nil : result
  }
}
