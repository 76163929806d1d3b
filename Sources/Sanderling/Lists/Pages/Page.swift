/// Successive rows of a query, with the cursors from which reading continues.
public struct Page<Element: Sendable>: Sendable {
  /// The rows, in the query's order. Pages that are read backward have this order too.
  public let rows: [Element]
  /// The place after which the next page begins; nil if no row followed at the time of reading.
  ///
  /// A page that was read backward from a cursor always has one. The next page may then be empty, if the rows after the
  /// cursor were deleted.
  public let next: PageCursor?
  /// The place before which the previous page ends. Nil on the first page, and if no row preceded at the time of
  /// reading.
  ///
  /// A page that was read forward from a cursor always has one. The previous page may then be empty, if the rows before
  /// the cursor were deleted.
  public let previous: PageCursor?
  /// The place of the first row; nil without rows. Reading before it later returns rows that were inserted there, such
  /// as the new rows of a list with the newest first.
  public let start: PageCursor?
  /// The place of the last row; nil without rows. Reading after it later returns rows that were inserted there.
  public let end: PageCursor?
}

extension Page: Equatable where Element: Equatable {}
extension Page: Hashable where Element: Hashable {}
