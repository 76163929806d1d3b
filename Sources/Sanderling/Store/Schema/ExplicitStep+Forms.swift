extension ExplicitStep {
  static func rename(column: String, to newName: String, in table: String) -> ExplicitStep {
    ExplicitStep(
      "If \(column.quotedIdentifier) is now called \(newName.quotedIdentifier), register",
      name: "rename \(table).\(column) to \(newName)", kind: .rename, onlyWith: .column(column, of: table),
      statements: [
        "ALTER TABLE \(table.quotedIdentifier) RENAME COLUMN \(column.quotedIdentifier) "
          + "TO \(newName.quotedIdentifier)"
      ])
  }

  static func rename(table: String, to newName: String) -> ExplicitStep {
    ExplicitStep(
      "If \(table.quotedIdentifier) is now called \(newName.quotedIdentifier), register",
      name: "rename \(table) to \(newName)", kind: .rename, onlyWith: .table(table),
      statements: ["ALTER TABLE \(table.quotedIdentifier) RENAME TO \(newName.quotedIdentifier)"])
  }

  static func drop(table: String) -> ExplicitStep {
    ExplicitStep(
      "If its rows are not needed any more, register", name: "drop \(table)", onlyWith: .table(table),
      statements: ["DROP TABLE \(table.quotedIdentifier)"])
  }

  /// Drops a column.
  ///
  /// - Parameters:
  ///   - indexes: The indexes that use the column. SQLite drops the column only after them.
  ///   - triggers: The triggers of a synchronisation that name the column. The synchronisation makes them again.
  static func drop(column: String, in table: String, indexes: [String], triggers: [String]) -> ExplicitStep {
    ExplicitStep(
      "If its values are not needed any more, register", name: "drop \(table).\(column)",
      onlyWith: .column(column, of: table),
      statements: triggers.map(dropTrigger) + indexes.map(dropIndex) + [
        "ALTER TABLE \(table.quotedIdentifier) DROP COLUMN \(column.quotedIdentifier)"
      ])
  }

  static func add(_ column: DeclaredColumn, to table: String) -> ExplicitStep {
    ExplicitStep(
      "If the column is new, give the existing rows a value, and register", name: "add \(table).\(column.name)",
      onlyWith: .table(table),
      statements: [
        "ALTER TABLE \(table.quotedIdentifier) ADD COLUMN \(column.definitionWithPlaceholder(named: column.name))"
      ])
  }

  /// Adds a column of folded texts or of document numbers, with its indexes, tables and triggers.
  static func derive(_ column: DeclaredColumn, of table: DeclaredTable, inStrictTable isStrict: Bool) -> ExplicitStep {
    let definition = column.definition(for: .addition, inStrictTable: isStrict)
    let indexes = table.indexes.filter { $0.leadingColumn == column.name.folded }
    let triggers = table.triggers.filter { $0.kept?.column == column.name }
    let tables = column.isOfDocuments ? table.searchIndex?.tables.map(\.sql) ?? [] : []
    return ExplicitStep(
      column.isOfDocuments ? "For the full-text indexes, register" : "For the column of the folded text, register",
      name: "add \(table.name).\(column.name)",
      onlyWith: .table(table.name),
      statements: ["ALTER TABLE \(table.name.quotedIdentifier) ADD COLUMN \(definition)"] + indexes.map(\.sql)
        + tables + triggers.map(\.sql))
  }

  /// Creates a trigger of searched texts. Afterwards, all of these texts are folded or indexed again.
  static func fold(with trigger: DeclaredTrigger, replacing former: [String]) -> ExplicitStep {
    ExplicitStep(
      "To have the texts found again, register", name: "make \(trigger.name)", onlyWith: .table(trigger.table),
      statements: former.map { "DROP TRIGGER IF EXISTS \($0.quotedIdentifier)" } + [trigger.sql]
        + trigger.renewalSQL)
  }

  /// Replaces a column by a new one of the same name with converted values.
  ///
  /// - Parameters:
  ///    - value: The new value, calculated from the old column.
  ///    - indexes: The indexes that use the column. Opening a store makes the declared ones again.
  ///    - triggers: The triggers of a synchronisation that name the column. The synchronisation makes them again.
  static func convert(
    _ column: DeclaredColumn, in table: String, name: String, value: String, indexes: [String], triggers: [String]
  ) -> ExplicitStep {
    let alter = "ALTER TABLE \(table.quotedIdentifier)"
    let interim = "new_\(column.name)"
    return ExplicitStep(
      "To convert the values, check the conversion, and register", name: name,
      onlyWith: .column(column.name, of: table),
      statements: triggers.map(dropTrigger) + [
        "\(alter) ADD COLUMN \(column.definitionWithPlaceholder(named: interim))",
        "UPDATE \(table.quotedIdentifier) SET \(interim.quotedIdentifier) = \(value)",
      ] + indexes.map(dropIndex) + [
        "\(alter) DROP COLUMN \(column.name.quotedIdentifier)",
        "\(alter) RENAME COLUMN \(interim.quotedIdentifier) TO \(column.name.quotedIdentifier)",
      ])
  }

  /// Creates the table again as it is declared, with the values of the existing columns.
  ///
  /// Columns are written with their table, because SQLite takes a name in quotes that is no column for a text.
  static func recreate(_ declared: DeclaredTable, from actual: ActualTable) -> ExplicitStep {
    let interim = "new_\(declared.name)"
    let table = declared.name.quotedIdentifier
    let copied: [(column: String, value: String)] = declared.columns.compactMap { column in
      let name = column.name.quotedIdentifier
      if let existing = actual.column(column.name) {
        var value = "\(table).\(name)"
        if !column.isCompatible(with: existing, inStrictTable: actual.syntax.isStrict, isOwned: true) {
          value = column.type.conversion(of: value)
        }
        if column.isNotNull && !existing.isNotNull && existing.keyPosition == 0 {
          value = "coalesce(\(value), \(column.placeholder))"
        }
        return (name, value)
      }
      return column.isNotNull && column.defaultValue == nil ? (name, column.placeholder) : nil
    }
    return ExplicitStep(
      "To recreate the table, check the effects on values, on rows that refer to them, on columns that the record lacks, "
        + "and on the table's triggers. Then register",
      name: "recreate \(declared.name)", kind: .recreation, onlyWith: .table(declared.name),
      statements: [
        declared.sql(named: interim),
        "INSERT INTO \(interim.quotedIdentifier) (\(copied.map(\.column).joined(separator: ", ")))\n"
          + "SELECT \(copied.map(\.value).joined(separator: ", ")) FROM \(table)",
        "DROP TABLE \(table)",
        // The table doesn't exist at this moment. Otherwise the renaming would fail for views of the table.
        "PRAGMA legacy_alter_table = ON",
        "ALTER TABLE \(interim.quotedIdentifier) RENAME TO \(table)",
        "PRAGMA legacy_alter_table = OFF",
      ])
  }

  private static func dropTrigger(_ name: String) -> String {
    "DROP TRIGGER IF EXISTS \(name.quotedIdentifier)"
  }

  private static func dropIndex(_ name: String) -> String {
    "DROP INDEX IF EXISTS \(name.quotedIdentifier)"
  }
}

extension DeclaredColumn {
  /// The column's definition, with a value for existing rows even if no default is declared.
  fileprivate func definitionWithPlaceholder(named name: String) -> String {
    let definition = definition(for: .addition, name: name)
    return isNotNull && defaultValue == nil ? "\(definition) DEFAULT \(placeholder)" : definition
  }

  /// A valid value of the column's type, which a meaningful one should replace.
  var placeholder: String {
    switch defaultValue {
    case .constant(let value): value.defaultLiteral(for: .addition)
    case .expression(let sql): "(\(sql))"
    case nil:
      switch type {
      case .integer: "0"
      case .real: "0.0"
      case .text: "''"
      case .blob: "X''"
      }
    }
  }
}

extension ColumnType {
  func conversion(of value: String) -> String {
    "CAST(\(value) AS \(title))"
  }
}
