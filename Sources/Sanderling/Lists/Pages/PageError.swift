import Foundation

/// The reason why a page can't be read.
///
/// Messages name tables, never stored values.
public enum PageError: Error, Hashable, Sendable {
  /// The query's rows have no stable places, for the given reason.
  case notPageable(reason: String)
  /// The text is no intact cursor: it was cut or altered.
  case damagedCursor
  /// The cursor was written by a version of the library with another form of cursors.
  case cursorOfOtherVersion(Int)
  /// The cursor belongs to a query with other conditions, groups or orderings, or of another table.
  case cursorOfOtherQuery(table: String)
  /// The query has no row with the key.
  case noSuchRow(table: String)
  /// A row's primary key is NULL, which identifies no row.
  case keyIsNull(table: String)
}

extension PageError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .notPageable(let reason):
      "The query can't be read in pages: \(reason)."
    case .damagedCursor:
      "The text is no intact cursor of a page: it was cut or altered. Begin with the first page."
    case .cursorOfOtherVersion(let version):
      "The cursor has the form \(version), which this version of the library doesn't read. Begin with the first page."
    case .cursorOfOtherQuery(let table):
      "The cursor doesn't belong to this query of table \(table), but to a query with another table, or with other conditions, groups "
        + "or orderings. Use the cursor with the query of its page, or begin with the first page."
    case .noSuchRow(let table):
      "The query has no row with this key of table \(table): the row was deleted, or doesn't satisfy the query's condition any more. "
        + "Continue from the cursor of a page, or begin with the first page."
    case .keyIsNull(let table):
      "A row of table \(table) has the primary key NULL, which identifies no row. Give the row a key, or exclude rows "
        + "without a key from the query."
    }
  }
}
