/// The rows of a live list with their identities, for selections without an `id`.
///
/// ```swift
/// ForEach(list.rows.identified) { row in Text(row.element.0) }
/// ```
public struct IdentifiedRows<Value: Sendable>: RandomAccessCollection, Sendable {
  let rows: LiveRows<Value>

  public var startIndex: Int { 0 }
  public var endIndex: Int { rows.count }

  /// The row at a position. O(log rows).
  public subscript(position: Int) -> LiveRow<Value> { rows.row(at: position) }
}

extension LiveRows {
  /// The same rows with their identities. O(1).
  public var identified: IdentifiedRows<Value> { IdentifiedRows(rows: self) }
}
