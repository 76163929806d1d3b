/// The conditions on rows and values under which two statements return the same. The report shows them with the
/// rewrite.
struct RewriteAssumption: Sendable {
  /// A condition on a table's own columns that all its rows must satisfy.
  struct Rows: Sendable {
    var table: String
    var condition: String
    /// A statement that makes generated rows satisfy the condition, if random ones rarely do; nil if the other rows are
    /// simply deleted.
    var mending: String?
  }

  var rows: [Rows] = []
  /// Conditions on the generated rows but not on the app's rows, for statements that are meant to differ for other
  /// rows.
  var madeRows: [Rows] = []
  /// Conditions on the compared values, which are literals and parameters of the statement.
  var values: [String] = []

  static let none = RewriteAssumption()

  static func + (one: Self, other: Self) -> Self {
    Self(rows: one.rows + other.rows, madeRows: one.madeRows + other.madeRows, values: one.values + other.values)
  }
}
