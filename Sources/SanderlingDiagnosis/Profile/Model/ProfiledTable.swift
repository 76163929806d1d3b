/// The shape of a table's rows.
struct ProfiledTable: Codable, Equatable, Sendable {
  var name: String
  var rows: Int64
  /// How many rows were looked at for what columns have to do with each other, where it was not all of them.
  var sampledRows: Int64?
  var columns: [ProfiledColumn]
  /// How columns go together, and where on the disk.
  var joint = ProfiledJoint()
}

/// How often values of several columns stand in one row, by places in the order of each column's values.
struct ProfiledJoint: Codable, Equatable, Sendable {
  /// The rows in their order on the disk, cut into as many blocks of the same size.
  var blocks = 1
  /// The places of the columns in the table's list.
  var columns: [Int] = []
  /// For each of them, the first range of each group of ranges that are counted together.
  var groups: [[Int]] = []
  /// `block: group, group…= rows`, where group -1 is NULL; without those that are rare.
  var cells: [String] = []
  /// `block: column, group= rows` of the rows that no cell has.
  var others: [String] = []
}

/// The shape of a column, or of what stands at a path of a JSON column.
struct ProfiledColumn: Codable, Equatable, Sendable {
  var name: String
  /// `$.state`, within JSON.
  var path: String?
  var nulls: Int64 = 0
  /// How many values there are; nil where they were not counted, as of long texts.
  var distinct: Int64?
  /// The set that its values are of, by number.
  var domain: Int?
  /// Pairs of a place among its own values and the place among the set's, between which places are spread evenly.
  var places: [[Int64]] = []
  /// In the order of values.
  var ranges: [ProfiledRange] = []
  var order = Order.scattered
  /// Among how many rows neighbours are mixed where the order is `ascending` or `descending`.
  var window: Int64 = 1
  /// Of columns whose values are not counted.
  var parts: [ProfiledValues]?

  /// The order of the values along the rows on the disk.
  enum Order: String, Codable, Sendable {
    case ascending, descending
    /// Equal values stand together, in no order.
    case runs
    case scattered
  }

  var id: ColumnID { ColumnID(name: name, path: path) }
}

/// A column of a table, or a path within it.
struct ColumnID: Hashable, Sendable {
  var name: String
  var path: String?
}

/// Values that follow each other in the order of a column.
struct ProfiledRange: Codable, Equatable, Sendable {
  var rows: Int64
  var distinct: Int64
  /// Pairs of how many values are about as frequent, and how many rows they have all together.
  var frequencies: [[Int64]]
}
