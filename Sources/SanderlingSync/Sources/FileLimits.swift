/// What a file may not exceed, so that a hostile one can't exhaust memory.
public struct FileLimits: Sendable, Hashable {
  /// Bytes of a row: of a line of JSON, or all fields of a row of CSV.
  public var row: Int
  /// Columns of a row.
  public var columns: Int
  /// How deep values are nested.
  public var depth: Int
  /// Rows that are given at once, as many as ``batchBytes`` leaves room for.
  public var batchRows: Int
  /// Bytes of rows that are given at once, unless it is one row.
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
