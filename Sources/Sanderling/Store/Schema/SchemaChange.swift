import SanderlingSQL

/// A change of a database's schema that needs no decision of the app's author.
enum SchemaChange: Hashable, Sendable {
  case dropIndex(String)
  case dropTrigger(String)
  case dropTable(String)
  case createTable(DeclaredTable)
  /// By ALTER TABLE, which costs the same whatever the size of the table.
  case addColumn(table: String, definition: String)
  /// By making the table anew, where ALTER TABLE can't do it.
  case rebuild(table: String, TableEdit)
  case createIndex(DeclaredIndex)
  case createTrigger(DeclaredTrigger)
  /// Derives all values of a table again.
  case deriveAgain(table: String, DerivedTexts)
  /// Makes the tables of full-text indexes, and has all texts indexed anew.
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
      // Only rows from before an addition by ALTER TABLE need another form.
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
