/// An ordered map of byte keys: a B-tree with structural sharing.
///
/// A copy is one retain, and later edits of either copy leave the other as it was. Reads, edits and
/// counts are O(log n); removing a range or cutting the tree in two is too, because whole subtrees
/// move.
struct KeyTree: Sendable {
  private var root = KeyTreeNode()

  /// The number of keys.
  var count: Int { root.count }

  func value(at key: [UInt8]) -> [UInt8]? {
    root.value(at: key)
  }

  /// The number of keys in `range`.
  func count(in range: KeyRange) -> Int {
    let (start, end) = ranks(of: range)
    return max(0, end - start)
  }

  /// The key of `range` that `offset` of its keys precede.
  func key(in range: KeyRange, behind offset: Int) -> [UInt8]? {
    let (start, end) = ranks(of: range)
    return offset < end - start ? root.key(at: start + offset) : nil
  }

  func pairs(in range: KeyRange, _ direction: ScanDirection, limit: Int) -> [KeyValuePair] {
    var result: [KeyValuePair] = []
    guard limit > 0 else { return result }
    switch direction {
    case .ascending: root.collectAscending(range, limit: limit, into: &result)
    case .descending: root.collectDescending(range, limit: limit, into: &result)
    }
    return result
  }

  mutating func put(_ pair: KeyValuePair) {
    if let overflow = root.put(pair) { root = Self.raise(root, overflow) }
  }

  mutating func remove(_ key: [UInt8]) {
    guard root.value(at: key) != nil else { return }
    root.remove(key)
    root = Self.lower(root)
  }

  /// Removes at most `limit` pairs of `range`, lowest first; returns how many there were.
  mutating func remove(in range: KeyRange, limit: Int) -> Int {
    let (start, end) = ranks(of: range)
    let removed = min(limit, end - start)
    guard removed > 0 else { return 0 }
    let (below, rest) = Self.split(root, at: start)
    let (_, above) = Self.split(rest, at: removed)
    root = Self.join(below, above)
    return removed
  }

  private func ranks(of range: KeyRange) -> (start: Int, end: Int) {
    (root.rank(of: range.lower), range.upper.map(root.rank) ?? root.count)
  }

  // MARK: Cutting and joining

  private static func raise(_ node: KeyTreeNode, _ overflow: KeyTreeNode.Overflow) -> KeyTreeNode {
    KeyTreeNode(pairs: [overflow.separator], children: [node, overflow.node])
  }

  /// A root without pairs gives way to its only child.
  private static func lower(_ node: KeyTreeNode) -> KeyTreeNode {
    node.pairs.isEmpty ? node.children.first ?? node : node
  }

  /// The first `offset` pairs of `node`, and the others.
  private static func split(
    _ node: KeyTreeNode, at offset: Int
  ) -> (KeyTreeNode, KeyTreeNode) {
    let (pairs, children) = (node.pairs, node.children)
    guard !children.isEmpty else {
      return (KeyTreeNode(pairs: pairs[..<offset]), KeyTreeNode(pairs: pairs[offset...]))
    }
    var index = 0
    var rest = offset
    while rest > children[index].count {
      rest -= children[index].count + 1
      index += 1
    }
    var (below, above) = split(children[index], at: rest)
    if index > 0 {
      let left = KeyTreeNode(pairs: pairs[..<(index - 1)], children: children[..<index])
      below = join(lower(left), pairs[index - 1], below)
    }
    if index < pairs.count {
      let right = KeyTreeNode(pairs: pairs[(index + 1)...], children: children[(index + 1)...])
      above = join(above, pairs[index], lower(right))
    }
    return (below, above)
  }

  private static func join(_ left: KeyTreeNode, _ right: KeyTreeNode) -> KeyTreeNode {
    guard left.count > 0 else { return right }
    var left = left
    let separator = left.removeLast()
    return join(lower(left), separator, right)
  }

  /// All of `left`, then `separator`, then all of `right`.
  private static func join(
    _ left: KeyTreeNode, _ separator: KeyValuePair, _ right: KeyTreeNode
  ) -> KeyTreeNode {
    let difference = left.height - right.height
    var node: KeyTreeNode
    let overflow: KeyTreeNode.Overflow?
    if left.count == 0 {
      node = right
      overflow = node.put(separator)
    } else if right.count == 0 {
      node = left
      overflow = node.put(separator)
    } else if difference >= 0 {
      node = left
      overflow = node.append(separator, right, depth: difference)
    } else {
      node = right
      overflow = node.prepend(left, separator, depth: -difference)
    }
    return overflow.map { raise(node, $0) } ?? node
  }
}
