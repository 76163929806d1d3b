/// The limits of a file, so that a hostile one can't exhaust memory. A row that exceeds a limit is refused, with the
/// limit's name.
public struct FileLimits: Sendable, Hashable {
  /// The bytes of a row: of a JSON object, or of all fields of a CSV row. 16 MB by default.
  public var row: Int
  /// The columns of a row. 2,000 by default, as in SQLite.
  public var columns: Int
  /// The depth to which values are nested. 64 by default.
  public var depth: Int
  /// The rows of one batch, if ``batchBytes`` allows as many.
  public var batchRows: Int
  /// The bytes of the rows in one batch. A single row may have more.
  public var batchBytes: Int

  public init(
    row: Int = 16 << 20, columns: Int = 2000, depth: Int = 64, batchRows: Int = 1000, batchBytes: Int = 1 << 20
  ) {
    self.row = row
    self.columns = columns
    self.depth = depth
    self.batchRows = batchRows
    self.batchBytes = batchBytes
  }
}

extension FileLimits {
  var tooLong: String { "the row has more than \(row) bytes (FileLimits.row)" }
  var tooWide: String { "the row has more than \(columns) columns (FileLimits.columns)" }
  /// Appended to the JSON reader's message about too deep values.
  static let ofDepth = " (FileLimits.depth)"
}
