/// The conditions on rows and values under which two statements mean the same. A report shows them with the rewrite.
struct RewriteAssumption: Sendable {
  /// A condition on a table's own columns that all its rows have to fulfil.
  struct Rows: Sendable {
    var table: String
    var condition: String
    /// Makes the condition true of made rows, where they would seldom fulfil it by chance; nil where those that don't just go.
    var mending: String?
  }

  var rows: [Rows] = []
  /// Conditions that the made rows have to fulfil, but not the app's rows: where two statements are meant to differ in
  /// the others.
  var madeRows: [Rows] = []
  /// Conditions on what the statement compares with, in its own literals and parameters.
  var values: [String] = []

  static let none = RewriteAssumption()

  static func + (one: Self, other: Self) -> Self {
    Self(rows: one.rows + other.rows, madeRows: one.madeRows + other.madeRows, values: one.values + other.values)
  }
}
