/// A row of a tree with the rows directly below it, for views that show hierarchies.
///
/// ```swift
/// OutlineGroup(list.rows.nested(), children: \.children) { node in Text(node.name) }
/// ```
///
/// A node has the properties of its record: `node.name` is `node.row.record.name`.
@dynamicMemberLookup
public struct TreeNode<Record: StoredRecord>: Sendable {
  /// The node's own row, with its depth and path.
  public let row: TreeRow<Record>
  /// The nodes directly below the node; nil if there are none.
  public let children: [TreeNode]?

  @inlinable
  public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value>) -> Value {
    row.record[keyPath: keyPath]
  }
}

extension TreeNode: Identifiable where Record: Identifiable {
  /// The record's `id`.
  @inlinable
  public var id: Record.ID { row.id }
}

extension TreeNode: Equatable where Record: Equatable {}
extension TreeNode: Hashable where Record: Hashable {}

extension Sequence {
  /// The rows of a tree as nested nodes. The rows must be in the order of the tree, each before its descendants.
  ///
  /// If a filter left out a row's parent, the row belongs to its nearest ancestor among the rows, or to the outermost
  /// nodes.
  ///
  /// - Complexity: O(rows).
  public func nested<Record>() -> [TreeNode<Record>] where Element == TreeRow<Record> {
    // The rows on the path to the last row, each with the nodes that were found below it.
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
  /// Whether the path to another row of the tree leads through this row.
  fileprivate func isAbove(_ other: TreeRow) -> Bool {
    other.path.indices.contains(depth) && depth < other.depth && path.last == other.path[depth]
  }
}
