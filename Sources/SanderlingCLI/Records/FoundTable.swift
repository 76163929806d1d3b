import GRDB
import Sanderling
import SanderlingSQL

/// A table of an existing database, with some of its values.
struct FoundTable {
  @dynamicMemberLookup
  struct Column {
    let definition: ActualColumn
    /// Whether the table is STRICT. In a STRICT table, the type ANY converts no value.
    let isInStrictTable: Bool
    var values = FoundValues()
    /// The reason why SQLite can't compute the column here; nil for columns that can be read.
    var obstacle: String?

    /// The collation in capitals. SQLite reports an app's collation as it was written.
    var collation: String { definition.collation.uppercased() }

    /// The values that the declared type is meant for.
    var form: ColumnForm { ColumnForm(declaredType: definition.type, inStrictTable: isInStrictTable) }

    subscript<Value>(dynamicMember path: KeyPath<ActualColumn, Value>) -> Value { definition[keyPath: path] }
  }

  @dynamicMemberLookup
  struct Index {
    let definition: TableReader.Index
    let terms: [TableReader.Term]
    /// The CREATE INDEX statement; nil for the index of a constraint.
    let sql: String?

    subscript<Value>(dynamicMember path: KeyPath<TableReader.Index, Value>) -> Value { definition[keyPath: path] }
  }

  typealias Kind = SchemaReader.Listed.Kind

  let name: String
  let kind: Kind
  var columns: [Column]
  let references: [TableForeignKey]
  let indexes: [Index]
  let isWithoutRowID: Bool
  /// Whether the table has more rows than were read.
  private(set) var hasMoreRows = false
  /// The reason why some of the requested rows couldn't be read; nil if all were read.
  private(set) var rowsObstacle: String?

  /// Whether a row has NULL in its declared key.
  private(set) var hasRowWithoutKey = false

  /// - Parameter rows: The number of rows to read for their values.
  /// - Throws: SQLite's error for a table or view that can't be read here.
  init(_ listed: SchemaReader.Listed, _ reader: TableReader, _ schema: SchemaReader, _ db: Database, rows: Int) throws {
    (name, kind, isWithoutRowID) = (listed.name, listed.kind, listed.isWithoutRowID)
    let isStrict = try reader.isStrict()
    columns = try reader.columns().map { Column(definition: $0, isInStrictTable: isStrict) }
    references = try reader.foreignKeys()
    indexes = try reader.indexes().reversed().map { index in
      Index(definition: index, terms: try reader.terms(of: index), sql: schema.object(named: index.name)?.sql)
    }
    if kind == .table {
      try findObstacles(db)
      try readValues(db, rows)
    } else {
      // Some views have readable columns and an unreadable SELECT.
      _ = try db.makeStatement(sql: "SELECT * FROM main.\(name.quotedIdentifier)")
    }
  }

  /// Finds the columns that can't be computed, such as a column that an app's function generates.
  ///
  /// - Throws: SQLite's error for a table without a readable column.
  private mutating func findObstacles(_ db: Database) throws {
    do {
      _ = try db.makeStatement(sql: selection(limit: nil))
    } catch let error as DatabaseError where UnusableObject.isOfObject(error) {
      for index in columns.indices {
        do {
          _ = try db.makeStatement(sql: "SELECT \(sql(of: columns[index])) FROM main.\(name.quotedIdentifier)")
        } catch let error as DatabaseError where UnusableObject.isOfObject(error) {
          columns[index].obstacle = UnusableObject.reason(error)
        }
      }
      if columns.allSatisfy({ $0.obstacle != nil }) { throw error }
    }
  }

  private mutating func readValues(_ db: Database, _ rows: Int) throws {
    if rows == 0 { return }
    let places = columns.indices.filter { columns[$0].obstacle == nil }
    do {
      let cursor = try Row.fetchCursor(db, sql: selection(limit: rows + 1))
      var count = 0
      while count < rows, let row = try cursor.next() {
        count += 1
        for (index, place) in places.enumerated() { columns[place].values.add(row[index] as DatabaseValue) }
      }
      hasMoreRows = try count == rows && cursor.next() != nil
      if allowsRowWithoutKey {
        let isNull = keyColumns.filter { $0.obstacle == nil }.map { "\(sql(of: $0)) IS NULL" }.joined(separator: " OR ")
        hasRowWithoutKey =
          try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM main.\(name.quotedIdentifier) WHERE \(isNull))")
          ?? false
      }
    } catch let error as DatabaseError where UnusableObject.isOfObject(error) {
      rowsObstacle = UnusableObject.reason(error)
    }
  }

  private func selection(limit: Int?) -> String {
    let names = columns.filter { $0.obstacle == nil }.map(sql).joined(separator: ", ")
    return "SELECT \(names) FROM main.\(name.quotedIdentifier)" + (limit.map { " LIMIT \($0)" } ?? "")
  }

  /// Returns the column with its table's name. SQLite would take an unknown name in quotes alone for a text.
  private func sql(of column: Column) -> String { "\(name.quotedIdentifier).\(column.name.quotedIdentifier)" }

  func column(_ name: String) -> Column? {
    columns.first { $0.name.folded == name.folded }
  }

  /// Whether a store made the column for the folds of a text, as `@Searchable` declares them.
  func isOfFolds(_ column: Column) -> Bool {
    FoldedColumn.isMade(column.name, defaultSQL: column.defaultSQL, beside: columns.map(\.name))
  }

  /// Whether the table has a column of folds for a text.
  func isSearchable(_ text: Column) -> Bool {
    columns.contains { isOfFolds($0) && $0.name.folded == FoldedColumn.name(of: text.name).folded }
  }

  var keyColumns: [Column] {
    columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
  }

  /// Whether SQLite assigns the keys of new rows, because the key is an alias of the rowid.
  var assignsKey: Bool {
    let key = keyColumns
    return key.count == 1 && key[0].type.uppercased() == "INTEGER" && !isWithoutRowID
      && !indexes.contains(where: \.isKey)
  }
}

extension FoundTable {
  /// Returns an index as an argument of `@Record`; nil for an index that an argument can't declare.
  ///
  /// - Parameter property: Returns the property of a column; nil for a column without one.
  func declaration(of index: Index, property: (String) -> String?) -> String? {
    if index.isPartial { return nil }
    var parts: [String] = []
    for term in index.terms {
      guard let column = term.column.flatMap(column), !column.isGenerated, !isOfFolds(column),
        column.collation == term.collation.uppercased(), let property = property(column.name)
      else { return nil }
      let path = "\\.\(SwiftName.quoted(property))"
      parts.append(term.isDescending ? ".descending(\(path))" : path)
    }
    return ".\(index.isUnique ? "unique(on: " : "on(")\(parts.joined(separator: ", ")))"
  }
}

extension FoundTable.Index {
  /// A comment in place of a declaration.
  var comment: String {
    "Not declared: \((sql ?? definition.name).split(whereSeparator: \.isWhitespace).joined(separator: " ").printable)"
  }
}
