/// A node of a `KeyTree`: a B-tree whose pairs live in inner nodes as well as in leaves.
///
/// Nodes are values. Copies share their arrays, and an edit copies only what somebody else still
/// holds: the path from the root, or nothing at all.
struct KeyTreeNode: Sendable {
  /// The most pairs of a node.
  static let capacity = 31
  /// A node with fewer pairs is filled up from a sibling when something below it was removed.
  static let minimum = 15

  /// What a node had too much: its upper part and the pair before it.
  struct Overflow: Sendable {
    var separator: KeyValuePair
    var node: KeyTreeNode
  }

  private(set) var pairs: [KeyValuePair]
  /// Empty in a leaf; otherwise one more than there are pairs, all of one height.
  private(set) var children: [KeyTreeNode]
  /// The pairs in this node and below.
  private(set) var count: Int

  init(
    pairs: some Collection<KeyValuePair> = [], children: some Collection<KeyTreeNode> = []
  ) {
    self.pairs = Array(pairs)
    self.children = Array(children)
    self.count = self.children.reduce(self.pairs.count) { $0 + $1.count }
  }

  var height: Int { children.first.map { $0.height + 1 } ?? 0 }

  // MARK: Reading

  /// The number of the node's own pairs whose keys are below `key`, and whether the next one has it.
  func search(_ key: [UInt8]) -> (index: Int, found: Bool) {
    var low = 0
    var high = pairs.count
    while low < high {
      let middle = (low + high) / 2
      switch compareBytes(pairs[middle].key, key) {
      case .less: low = middle + 1
      case .greater: high = middle
      case .equal: return (middle, true)
      }
    }
    return (low, false)
  }

  func value(at key: [UInt8]) -> [UInt8]? {
    let (index, found) = search(key)
    if found { return pairs[index].value }
    return children.isEmpty ? nil : children[index].value(at: key)
  }

  /// The number of keys below `key`.
  func rank(of key: [UInt8]) -> Int {
    let (index, found) = search(key)
    guard !children.isEmpty else { return index }
    let before = children[..<index].reduce(index) { $0 + $1.count }
    return before + (found ? children[index].count : children[index].rank(of: key))
  }

  /// The key that `rank` keys precede, fewer than there are.
  func key(at rank: Int) -> [UInt8] {
    guard !children.isEmpty else { return pairs[rank].key }
    var rest = rank
    var index = 0
    while rest > children[index].count {
      rest -= children[index].count + 1
      index += 1
    }
    return rest == children[index].count ? pairs[index].key : children[index].key(at: rest)
  }

  /// Appends the pairs of `range` in ascending order until `result` has `limit`.
  func collectAscending(_ range: KeyRange, limit: Int, into result: inout [KeyValuePair]) {
    let low = search(range.lower).index
    let high = range.upper.map { search($0).index } ?? pairs.count
    guard low <= high else { return }
    for index in low...high {
      if !children.isEmpty {
        children[index].collectAscending(range, limit: limit, into: &result)
      }
      guard result.count < limit else { return }
      if index < high { result.append(pairs[index]) }
    }
  }

  /// Appends the pairs of `range` in descending order until `result` has `limit`.
  func collectDescending(_ range: KeyRange, limit: Int, into result: inout [KeyValuePair]) {
    let low = search(range.lower).index
    let high = range.upper.map { search($0).index } ?? pairs.count
    guard low <= high else { return }
    for index in (low...high).reversed() {
      if !children.isEmpty {
        children[index].collectDescending(range, limit: limit, into: &result)
      }
      guard result.count < limit else { return }
      if index > low { result.append(pairs[index - 1]) }
    }
  }

  // MARK: Changing

  /// Puts `pair`, in place of one with the same key.
  mutating func put(_ pair: KeyValuePair) -> Overflow? {
    let (index, found) = search(pair.key)
    if found {
      pairs[index].value = pair.value
      return nil
    }
    guard !children.isEmpty else {
      pairs.insert(pair, at: index)
      count += 1
      return takeOverflow(appended: index == pairs.count - 1)
    }
    let before = children[index].count
    let overflow = children[index].put(pair)
    count += children[index].count - before
    guard let overflow else { return nil }
    insert(overflow, behind: index)
    return takeOverflow(appended: index == pairs.count - 1)
  }

  /// Removes the pair at `key`, which must be there.
  mutating func remove(_ key: [UInt8]) {
    let (index, found) = search(key)
    guard !children.isEmpty else {
      precondition(found, "removing a key that is not in the tree")
      pairs.remove(at: index)
      count -= 1
      return
    }
    if found {
      pairs[index] = children[index].removeLast()
    } else {
      children[index].remove(key)
    }
    count -= 1
    mend(index)
  }

  /// Removes the pair with the greatest key; the node must not be empty.
  mutating func removeLast() -> KeyValuePair {
    count -= 1
    guard let last = children.indices.last else { return pairs.removeLast() }
    let pair = children[last].removeLast()
    mend(last)
    return pair
  }

  /// Appends `separator` and `node`, which has the height of this node's descendants `depth` below.
  mutating func append(_ separator: KeyValuePair, _ node: KeyTreeNode, depth: Int) -> Overflow? {
    guard depth > 0, let last = children.indices.last else {
      return absorb(separator, node)
    }
    let before = children[last].count
    let overflow = children[last].append(separator, node, depth: depth - 1)
    count += children[last].count - before
    guard let overflow else { return nil }
    insert(overflow, behind: last)
    return takeOverflow(appended: false)
  }

  /// Puts `node` and `separator` first; `node` has the height of this node's descendants `depth`
  /// below.
  mutating func prepend(_ node: KeyTreeNode, _ separator: KeyValuePair, depth: Int) -> Overflow? {
    guard depth > 0, !children.isEmpty else {
      let upper = self
      self = node
      return absorb(separator, upper)
    }
    let before = children[0].count
    let overflow = children[0].prepend(node, separator, depth: depth - 1)
    count += children[0].count - before
    guard let overflow else { return nil }
    insert(overflow, behind: 0)
    return takeOverflow(appended: false)
  }

  /// Adds a sibling of the same height; what is too much comes back.
  private mutating func absorb(_ separator: KeyValuePair, _ node: KeyTreeNode) -> Overflow? {
    pairs.append(separator)
    pairs += node.pairs
    children += node.children
    count += 1 + node.count
    return takeOverflow(appended: false)
  }

  private mutating func insert(_ overflow: Overflow, behind index: Int) {
    pairs.insert(overflow.separator, at: index)
    children.insert(overflow.node, at: index + 1)
    count += 1 + overflow.node.count
  }

  /// Splits the node if it has too many pairs: in halves, or near the end if the newest pair came
  /// last, so that ascending keys leave full nodes behind.
  private mutating func takeOverflow(appended: Bool) -> Overflow? {
    guard pairs.count > Self.capacity else { return nil }
    let cut = appended ? Self.capacity - 4 : pairs.count / 2
    let upper = KeyTreeNode(
      pairs: pairs[(cut + 1)...], children: children.isEmpty ? [] : children[(cut + 1)...])
    let separator = pairs[cut]
    pairs.removeSubrange(cut...)
    if !children.isEmpty { children.removeSubrange((cut + 1)...) }
    count -= upper.count + 1
    return Overflow(separator: separator, node: upper)
  }

  /// Joins the child at `index` with a sibling if it has become small.
  private mutating func mend(_ index: Int) {
    guard children[index].pairs.count < Self.minimum, !pairs.isEmpty else { return }
    let left = max(0, index - 1)
    let separator = pairs.remove(at: left)
    let right = children.remove(at: left + 1)
    count -= 1 + right.count
    let before = children[left].count
    let overflow = children[left].absorb(separator, right)
    count += children[left].count - before
    if let overflow { insert(overflow, behind: left) }
  }
}

enum ByteOrder {
  case less
  case equal
  case greater
}

/// The order of `memcmp`, a shorter prefix first.
func compareBytes(_ left: [UInt8], _ right: [UInt8]) -> ByteOrder {
  let left = left.span
  let right = right.span
  let common = min(left.count, right.count)
  var index = 0
  while index < common {
    let (a, b) = (left[index], right[index])
    if a != b { return a < b ? .less : .greater }
    index += 1
  }
  if left.count == right.count { return .equal }
  return left.count < right.count ? .less : .greater
}
