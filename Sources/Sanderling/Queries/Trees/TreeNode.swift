/// A row of a tree with the rows right below it, for views that show hierarchies.
///
/// ```swift
/// OutlineGroup(list.rows.nested(), children: \.children) { node in Text(node.name) }
/// ```
///
/// The properties of the record are to be had of the node: `node.name` is `node.row.record.name`.
@dynamicMemberLookup
public struct TreeNode<Record: StoredRecord>: Sendable {
  /// The node's own row, with its depth and path.
  public let row: TreeRow<Record>
  /// The nodes right below it; nil for none.
  public let children: [TreeNode]?

  @inlinable
  public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value>) -> Value {
    row.record[keyPath: keyPath]
  }
}

extension TreeNode: Identifiable where Record: Identifiable {
  /// The record's own.
  @inlinable
  public var id: Record.ID { row.id }
}

extension TreeNode: Equatable where Record: Equatable {}
extension TreeNode: Hashable where Record: Hashable {}

extension Sequence {
  /// The rows of a tree inside of each other. They must be in the order of the tree, each before its descendants.
  ///
  /// A row whose parent is not among them, because a filter left it out, is in the nearest row above it that is, or outside of all.
  ///
  /// - Complexity: O(rows).
  public func nested<Record>() -> [TreeNode<Record>] where Element == TreeRow<Record> {
    // The way to the last row, each with the nodes that were found below it.
    var way: [(row: Element, children: [TreeNode<Record>])] = []
    var outermost: [TreeNode<Record>] = []
    func close() {
      let (row, children) = way.removeLast()
      let node = TreeNode(row: row, children: children.isEmpty ? nil : children)
      if way.isEmpty { outermost.append(node) } else { way[way.count - 1].children.append(node) }
    }
    for row in self {
      while let last = way.last, !last.row.isAbove(row) { close() }
      way.append((row, []))
    }
    while !way.isEmpty { close() }
    return outermost
  }
}

extension TreeRow {
  /// Whether the way to another row of the tree leads by this one.
  fileprivate func isAbove(_ other: TreeRow) -> Bool {
    other.path.indices.contains(depth) && depth < other.depth && path.last == other.path[depth]
  }
}
