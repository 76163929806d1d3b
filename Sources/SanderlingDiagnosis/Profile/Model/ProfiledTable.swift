/// The shape of a table's rows.
struct ProfiledTable: Codable, Equatable, Sendable {
  var name: String
  var rows: Int64
  /// The number of sampled rows for the dependence between columns; nil if all rows were read.
  var sampledRows: Int64?
  var columns: [ProfiledColumn]
  /// The dependence between columns, and on the place on disk.
  var joint = ProfiledJoint()
}

/// The frequencies with which values of several columns occur in one row. Values are given by their places in the order
/// of each column.
struct ProfiledJoint: Codable, Equatable, Sendable {
  /// The number of blocks of equal size into which the rows are cut, in their order on disk.
  var blocks = 1
  /// The positions of the columns in the table's list.
  var columns: [Int] = []
  /// For each column, the first range of each group of ranges that are counted together.
  var groups: [[Int]] = []
  /// `block: group, group…= rows`, with -1 for NULL; rare combinations are left out.
  var cells: [String] = []
  /// `block: column, group= rows` for the rows that are in no cell.
  var others: [String] = []
}

/// The shape of a column, or of a path in a JSON column.
struct ProfiledColumn: Codable, Equatable, Sendable {
  var name: String
  /// A path in JSON, such as `$.state`.
  var path: String?
  var nulls: Int64 = 0
  /// The number of distinct values; nil if it was not counted, for example for long texts.
  var distinct: Int64?
  /// The number of the set that its values belong to.
  var domain: Int?
  /// Pairs of a place among its own values and the place in the set. Places between these are interpolated.
  var places: [[Int64]] = []
  /// In the order of values.
  var ranges: [ProfiledRange] = []
  var order = Order.scattered
  /// For the orders `ascending` and `descending`: the number of rows within which neighbours are shuffled.
  var window: Int64 = 1
  /// The parts of an uncounted column.
  var parts: [ProfiledValues]?

  /// The order of the values along the rows on the disk.
  enum Order: String, Codable, Sendable {
    case ascending, descending
    /// Equal values are adjacent, in no order.
    case runs
    case scattered
  }

  var id: ColumnID { ColumnID(name: name, path: path) }
}

/// A column of a table, or a path in it.
struct ColumnID: Hashable, Sendable {
  var name: String
  var path: String?
}

/// Consecutive values in the order of a column.
struct ProfiledRange: Codable, Equatable, Sendable {
  var rows: Int64
  var distinct: Int64
  /// Pairs: a number of about equally frequent values, and the total number of their rows.
  var frequencies: [[Int64]]
}
