import SanderlingSQL

/// A column that a table must have.
struct DeclaredColumn: Hashable, Sendable {
  enum Default: Hashable, Sendable {
    case constant(StorageValue)
    case expression(String)
  }

  let name: String
  let type: ColumnType
  let form: ColumnForm
  /// Whether the column is the rowid itself.
  let isRowID: Bool
  let isKey: Bool
  let isNotNull: Bool
  let defaultValue: Default?
  let collation: Collation
  /// Whether SQLite assigns a value if a row has none.
  private let isAssigned: Bool
  /// Whether the column contains the folded texts of another column.
  let isFolded: Bool

  init(_ column: RecordColumn, isKey: Bool, isRowID: Bool, isAssigned: Bool, isFolded: Bool = false) {
    self.isFolded = isFolded
    name = column.name
    type = column.type
    form = column.form
    self.isRowID = isRowID
    self.isKey = isKey
    self.isAssigned = isAssigned
    isNotNull = isKey || !column.acceptsNull
    collation = column.collation
    defaultValue =
      switch column.defaultValue {
      case .constant(.null), .invalid, nil: nil
      case .constant(let value): isRowID ? nil : .constant(value)
      case .expression(let sql): .expression(sql)
      }
  }

  /// Whether the column contains the numbers of documents: see ``SearchIndex``.
  var isOfDocuments: Bool { name == SearchIndex.documentColumn }

  /// The statement that contains a definition.
  enum Use {
    case creation, addition
  }

  /// The column's definition in CREATE TABLE or ALTER TABLE ADD COLUMN.
  func definition(for use: Use = .creation, inStrictTable isStrict: Bool = false, name: String? = nil) -> String {
    var parts = [(name ?? self.name).quotedIdentifier]
    if !typeName(inStrictTable: isStrict).isEmpty { parts.append(typeName(inStrictTable: isStrict)) }
    if isRowID { parts.append("PRIMARY KEY") }
    // SQLite replaces a missing rowid by a new one even with NOT NULL, so the constraint would promise too much.
    if isNotNull && !isAssigned { parts.append("NOT NULL") }
    if let clause = defaultClause(for: use) { parts.append(clause) }
    if collation != .binary { parts.append("COLLATE \(collation.rawValue)") }
    return parts.joined(separator: " ")
  }

  func typeName(inStrictTable isStrict: Bool) -> String {
    // A column declared INTEGER as the only key is the rowid, even if a constraint of the table declares the key.
    if type == .integer && isKey && !isRowID { return "INT" }
    // A folded text is a blob until the text is folded.
    return isStrict && (type == .real || isFolded) ? "ANY" : type.rawValue
  }

  func defaultClause(for use: Use) -> String? {
    switch defaultValue {
    case .constant(let value): "DEFAULT \(value.defaultLiteral(for: use))"
    case .expression(let sql): "DEFAULT (\(sql))"
    case nil: nil
    }
  }

  /// Whether ALTER TABLE can add the column.
  ///
  /// See [ALTER TABLE ADD COLUMN](https://www.sqlite.org/lang_altertable.html#altertabaddcol).
  func canBeAdded(with foreignKey: TableForeignKey?) -> Bool {
    switch defaultValue {
    case .expression: false
    case .constant: foreignKey == nil && !isKey
    case nil: !isNotNull && !isKey
    }
  }
}

extension StorageValue {
  /// The value as an expression of a DEFAULT clause.
  func defaultLiteral(for use: DeclaredColumn.Use) -> String {
    switch self {
    case .integer(.min): "-9223372036854775808"
    // In rows from before the column was added, SQLite 3.40 returns a default 1.0 as an integer by typeof(), and a
    // default -0.0 without its sign. A cast keeps these values.
    case .real(let real) where use == .addition && real.rounded() == real && real.isFinite:
      "(CAST(\(Array(String(real).utf8).hexLiteral) AS REAL))"
    case .text(let text) where text.utf8.contains(0): "(\(literal))"
    default: literal
    }
  }
}
