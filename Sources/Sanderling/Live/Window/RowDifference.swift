/// The changes that turn the rows of one snapshot into those of another, to be applied in order.
///
/// ```swift
/// for await change in list.changes {
///   change.difference.apply(to: &titles) { change.snapshot.rows[$0].title }
/// }
/// ```
///
/// Rows with equal identities are the same row. The changes come in this order, and each position counts after the
/// changes before it:
///
/// 1. Removals, from the last row to the first. Their positions are also those before all changes.
/// 2. Moves, as few as possible.
/// 3. Insertions, from the first row to the last. Their positions are also those after all changes.
/// 4. Updates, from the first row to the last, by the positions after all changes. A moved row may be among them.
///
/// Batch updates of tables and collection views take removals by the positions before all changes, and insertions by
/// those after. They take ``movedRows`` in place of the moves. Reconfigure updated rows after the batch.
public struct RowDifference: Hashable, Sendable {
  /// A row that moved, by its position before all changes and after all changes.
  public struct MovedRow: Hashable, Sendable {
    /// The position before all changes.
    public let from: Int
    /// The position after all changes.
    public let to: Int
  }

  private let changes: [RowChange]
  /// The rows that moved relative to those that stay, in their new order.
  public let movedRows: [MovedRow]

  /// Finds the changes that turn old rows into new ones.
  ///
  /// Shared parts are skipped. O(chunks) for rows that were only updated, otherwise O(k log k) in the number k of rows
  /// in changed chunks.
  public init<Value>(from old: LiveRows<Value>, to new: LiveRows<Value>) {
    let comparison = RowComparison(from: old.stamps, to: new.stamps)
    movedRows = comparison.movedRows
    changes =
      comparison.removed.reversed().map { .remove(at: $0) } + comparison.moves
      + comparison.inserted.map { .insert(at: $0) } + comparison.updated.map { .update(at: $0) }
  }

  /// Applies the changes to an array with one element for each of the old rows.
  ///
  /// - Parameter element: Makes the array's element for the row at a position of the new rows. Called for inserted and
  ///   updated rows.
  public func apply<Element>(to array: inout [Element], element: (Int) throws -> Element) rethrows {
    for change in changes {
      switch change {
      case .remove(let position): array.remove(at: position)
      case .insert(let position): array.insert(try element(position), at: position)
      case .move(let from, let to): array.insert(array.remove(at: from), at: to)
      case .update(let position): array[position] = try element(position)
      }
    }
  }
}

extension RowDifference: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { changes.count }

  public subscript(position: Int) -> RowChange { changes[position] }
}
