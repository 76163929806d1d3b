/// The possible meanings of names: the tables and views of a database, with their columns.
struct SchemaDescription: Sendable {
  struct Column: Hashable, Sendable {
    var name: String
    var declaredType = ""
    /// The collation in the schema's spelling; `BINARY` if the schema names none.
    var collation = "BINARY"
    /// Whether the column is the table's INTEGER PRIMARY KEY.
    var isRowidAlias = false
  }

  struct Table: Sendable {
    var name: String
    var columns: [Column]
    /// False for WITHOUT ROWID tables and for views.
    var hasRowid = true
    /// The CREATE VIEW statement of a view.
    var viewSQL: String?

    /// The column that is an alias of the rowid.
    var rowidAlias: Column? { columns.first(where: \.isRowidAlias) }
  }

  private let tables: [String: Table]

  init(tables: [Table] = []) {
    self.tables = Dictionary(tables.map { ($0.name.asciiLowercased, $0) }) { first, _ in first }
  }

  /// Returns a table or view by its name, in any case. O(1).
  func table(named name: String) -> Table? {
    tables[name.asciiLowercased]
  }
}
