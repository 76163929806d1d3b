/// Some rows of a query that follow each other, and where to go on from them.
public struct Page<Element: Sendable>: Sendable {
  /// The rows, in the query's order whichever way pages are read.
  public let rows: [Element]
  /// Where the page after this one begins: nil where no row followed when this one was read.
  ///
  /// A page that was read backward from a cursor always has one, even if the rows after it are deleted by now: the next page may be empty.
  public let next: PageCursor?
  /// Where the page before this one ends: nil where no row preceded when this one was read, and on the first page.
  ///
  /// A page that was read forward from a cursor always has one, even if the rows before it are deleted by now: the previous page may be
  /// empty.
  public let previous: PageCursor?
  /// The place of the first row, to read rows that are inserted before it later: the new rows of a list with the newest first. Nil without
  /// rows.
  public let start: PageCursor?
  /// The last row's place, for rows that come after it later. Nil without rows.
  public let end: PageCursor?
}

extension Page: Equatable where Element: Equatable {}
extension Page: Hashable where Element: Hashable {}
