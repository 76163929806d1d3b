import SanderlingSQL

/// A change of a database's schema that needs no decision of the app's author.
enum SchemaChange: Hashable, Sendable {
  case dropIndex(String)
  case dropTrigger(String)
  case dropTable(String)
  case createTable(DeclaredTable)
  /// Adds a column by ALTER TABLE, whose cost doesn't depend on the size of the table.
  case addColumn(table: String, definition: String)
  /// Creates the table again, for changes that ALTER TABLE can't make.
  case rebuild(table: String, TableEdit)
  case createIndex(DeclaredIndex)
  case createTrigger(DeclaredTrigger)
  /// Derives all texts of a table again.
  case deriveAgain(table: String, DerivedTexts)
  /// Creates the tables of full-text indexes, and indexes all texts again.
  case makeSearchTables(SearchIndex)
}

/// A change of a table's definition.
enum TableEdit: Hashable, Sendable {
  case addColumn(DeclaredColumn)
  case setDefault(DeclaredColumn)
  case allowNull(DeclaredColumn)
  case setCollation(DeclaredColumn)
  case addForeignKey(TableForeignKey)
  case removeForeignKeys(column: String)
}

extension CreateTableSyntax {
  mutating func apply(_ edit: TableEdit) {
    switch edit {
    case .addColumn(let column):
      // Only a definition for ALTER TABLE needs another form, for the existing rows.
      let definition = column.definition(inStrictTable: isStrict)
      if let column = Column(definition: definition) { columns.append(column) }
    case .setDefault(let column):
      replace(.defaultValue, of: column.name, by: column.defaultClause(for: .creation))
    case .allowNull(let column):
      replace(.notNull, of: column.name, by: nil)
    case .setCollation(let column):
      replace(.collate, of: column.name, by: "COLLATE \(column.collation.rawValue)")
    case .addForeignKey(let foreignKey):
      constraints.append(Constraint(kind: .foreignKey, sql: foreignKey.constraint, columns: foreignKey.columns))
    case .removeForeignKeys(let column):
      constraints.removeAll { $0.kind == .foreignKey && $0.columns.folded == [column.folded] }
      replace(.references, of: column, by: nil)
    }
  }

  private mutating func replace(_ kind: Constraint.Kind, of column: String, by sql: String?) {
    guard let index = columns.firstIndex(where: { $0.name.folded == column.folded }) else { return }
    columns[index].constraints.removeAll { $0.kind == kind }
    if let sql { columns[index].constraints.append(Constraint(kind: kind, sql: sql)) }
  }
}
