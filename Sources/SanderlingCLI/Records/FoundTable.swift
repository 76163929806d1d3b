import GRDB
import Sanderling

/// A table of an existing database, with some of its values.
struct FoundTable {
  @dynamicMemberLookup
  struct Column {
    let definition: ActualColumn
    var values = FoundValues()

    /// SQLite has the name as it was written where the collation is one of an app.
    var collation: String { definition.collation.uppercased() }

    subscript<Value>(dynamicMember path: KeyPath<ActualColumn, Value>) -> Value { definition[keyPath: path] }
  }

  @dynamicMemberLookup
  struct Index {
    let definition: TableReader.Index
    let terms: [TableReader.Term]
    /// Nothing for the index of a constraint.
    let sql: String?

    subscript<Value>(dynamicMember path: KeyPath<TableReader.Index, Value>) -> Value { definition[keyPath: path] }
  }

  enum Kind {
    case table, view, virtual
  }

  let name: String
  let kind: Kind
  var columns: [Column]
  let references: [Sanderling.ForeignKey]
  let indexes: [Index]
  let isWithoutRowID: Bool
  /// Whether there are more rows than were read.
  let hasMoreRows: Bool

  /// The tables and views that are an app's own: not those of SQLite, of GRDB and of stores, and none that a virtual table keeps
  /// its data in.
  static func all(in db: Database, rows: Int) throws -> [FoundTable] {
    let known = ["sqlite_", "grdb_migrations", "sanderling_"]
    let schema = try SchemaReader(db)
    return try Row.fetchAll(db, sql: "SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' ORDER BY name")
      .filter { row in !known.contains { (row[0] as String).lowercased().hasPrefix($0) } && row[1] != "shadow" }
      .map { try FoundTable($0[0], $0[1], isWithoutRowID: $0[2], schema, db, rows: rows) }
  }

  private init(
    _ name: String, _ type: String, isWithoutRowID: Bool, _ schema: SchemaReader, _ db: Database, rows: Int
  ) throws {
    self.name = name
    self.isWithoutRowID = isWithoutRowID
    kind = type == "view" ? .view : type == "virtual" ? .virtual : .table
    let reader = TableReader(name, db)
    columns = try reader.columns().map { Column(definition: $0) }
    references = try reader.foreignKeys()
    indexes = try reader.indexes().reversed().map { index in
      Index(definition: index, terms: try reader.terms(of: index), sql: schema.object(named: index.name)?.sql)
    }
    if kind == .virtual || columns.isEmpty {
      hasMoreRows = false
      return
    }
    var values = columns.map { _ in FoundValues() }
    var count = 0
    let quoted = name.quotedIdentifier
    let names = columns.map { "\(quoted).\($0.name.quotedIdentifier)" }.joined(separator: ", ")
    let cursor = try Row.fetchCursor(db, sql: "SELECT \(names) FROM main.\(quoted) LIMIT \(rows + 1)")
    while count < rows, let row = try cursor.next() {
      count += 1
      for index in values.indices { values[index].add(row[index] as DatabaseValue) }
    }
    hasMoreRows = try count == rows && cursor.next() != nil
    for index in values.indices { columns[index].values = values[index] }
  }

  func column(_ name: String) -> Column? {
    columns.first { $0.name.lowercased() == name.lowercased() }
  }

  /// Whether a store made the column for the folds of a text, which a record declares with `@Searchable`.
  func isOfFolds(_ column: Column) -> Bool {
    FoldedColumn.isMade(column.name, defaultSQL: column.defaultSQL, beside: columns.map(\.name))
  }

  /// Whether there is such a column for a text.
  func isSearchable(_ text: Column) -> Bool {
    columns.contains { isOfFolds($0) && $0.name.lowercased() == FoldedColumn.name(of: text.name).lowercased() }
  }

  var keyColumns: [Column] {
    columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
  }

  /// Whether SQLite makes up the key of new rows: it is the rowid, under the column's name.
  var assignsKey: Bool {
    let key = keyColumns
    return key.count == 1 && key[0].type.uppercased() == "INTEGER" && !isWithoutRowID
      && !indexes.contains(where: \.isKey)
  }
}
