package import Coding

/// Named values, sorted by the UTF-8 bytes of their names, each name once.
package struct MapValue: Sendable {
  package struct Field: Sendable {
    package var name: UTF8String
    package var value: Value

    package init(name: UTF8String, value: Value) {
      self.name = name
      self.value = value
    }
  }

  package internal(set) var fields: [Field]

  package init() {
    self.fields = []
  }

  /// Sorts `fields`; of equal names the last one counts.
  package init(_ fields: [Field]) {
    guard !zip(fields, fields.dropFirst()).allSatisfy({ $0.name < $1.name }) else {
      self.fields = fields
      return
    }
    self.fields = []
    self.fields.reserveCapacity(fields.count)
    let sorted = fields.enumerated().sorted { left, right in
      switch Ordering(left.element.name.utf8, right.element.name.utf8) {
      case .ascending: true
      case .descending: false
      case .equal: left.offset < right.offset
      }
    }
    for (_, field) in sorted {
      if let last = self.fields.last, last.name == field.name { self.fields.removeLast() }
      self.fields.append(field)
    }
  }

  package var isEmpty: Bool { fields.isEmpty }
  package var count: Int { fields.count }

  /// The value called `name`; setting `nil` removes it.
  package subscript(name: UTF8String) -> Value? {
    get {
      let index = lowerBound(name)
      return index < fields.count && fields[index].name == name ? fields[index].value : nil
    }
    set {
      let index = lowerBound(name)
      let isThere = index < fields.count && fields[index].name == name
      switch (newValue, isThere) {
      case (let value?, true): fields[index].value = value
      case (let value?, false): fields.insert(Field(name: name, value: value), at: index)
      case (nil, true): fields.remove(at: index)
      case (nil, false): break
      }
    }
  }

  /// The value at `path`; `nil` if a name is missing or something on the way is no map.
  package subscript(path: FieldPath) -> Value? {
    self[path.segments[...]]
  }

  /// Puts `value` at `path`; what is on the way and no map becomes one.
  package mutating func set(_ path: FieldPath, to value: Value) {
    set(path.segments[...], to: value)
  }

  /// Removes the value at `path`, if it is there; the maps around it stay.
  package mutating func remove(_ path: FieldPath) {
    guard self[path] != nil else { return }
    remove(path.segments[...])
  }

  private subscript(path: ArraySlice<UTF8String>) -> Value? {
    guard let first = path.first, let value = self[first] else { return nil }
    guard path.count > 1 else { return value }
    guard case .map(let map) = value else { return nil }
    return map[path.dropFirst()]
  }

  private mutating func set(_ path: ArraySlice<UTF8String>, to value: Value) {
    guard let first = path.first else { return }
    guard path.count > 1 else {
      self[first] = value
      return
    }
    var inner = MapValue()
    if case .map(let map) = self[first] {
      inner = map
      self[first] = .null  // leaves `inner` alone with its storage, so that it is not copied
    }
    inner.set(path.dropFirst(), to: value)
    self[first] = .map(inner)
  }

  private mutating func remove(_ path: ArraySlice<UTF8String>) {
    guard let first = path.first else { return }
    guard path.count > 1, case .map(var inner) = self[first] else {
      self[first] = nil
      return
    }
    self[first] = .null
    inner.remove(path.dropFirst())
    self[first] = .map(inner)
  }

  private func lowerBound(_ name: UTF8String) -> Int {
    var low = 0
    var high = fields.count
    while low < high {
      let middle = (low + high) / 2
      if fields[middle].name < name { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
