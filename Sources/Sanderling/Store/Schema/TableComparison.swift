import GRDB

/// Finds the differences between a record's table and the one in the database, but for indexes.
struct TableComparison {
  let declared: DeclaredTable
  let actual: ActualTable
  /// The table as the store last made it, if it did.
  let recorded: CreateTableSyntax?
  let isOwned: Bool

  private typealias Difference = SchemaPlan.Difference

  func differences(_ db: Database) throws -> [SchemaPlan.Difference] {
    var differences = key()
    let keyIsRight = differences.isEmpty
    for column in declared.columns {
      if let existing = actual.column(column.name) {
        differences += try changes(of: column, from: existing, db)
      } else if keyIsRight || !column.isKey {
        differences.append(addition(of: column))
      }
    }
    return differences + extraColumns() + foreignKeys()
  }

  private var table: String { declared.name }

  // MARK: Key

  private func key() -> [Difference] {
    let found = actual.keyColumns.map(\.name)
    let isKey = Set(found.folded) == Set(declared.key.folded) && found.count == declared.key.count
    let isUnique = actual.indexes.contains { index in
      index.shape.isUnique && index.shape.condition == nil
        && Set(index.shape.terms.map(\.sql.folded)) == Set(declared.key.folded)
    }
    if isKey || isUnique && !declared.assignsKey && !isOwned {
      if !declared.assignsKey || actual.keyIsRowID { return [] }
      return [
        .refused(
          table, "SQLite doesn't assign the key",
          because: "It does for a column declared INTEGER PRIMARY KEY only.", [recreation("recreate \(table)")])
      ]
    }
    return [
      .refused(
        table,
        "the key is (\(declared.key.quotedIdentifiers)) in the record, "
          + (found.isEmpty ? "and the table has none" : "and (\(found.quotedIdentifiers)) in the table"),
        because: "Rows with equal new keys would be lost.", [recreation("change the key of \(table)")])
    ]
  }

  private func recreation(_ name: String) -> ExplicitStep {
    .recreate(declared, from: actual, name: name)
  }

  // MARK: Columns that exist

  private func changes(
    of column: DeclaredColumn, from existing: ActualColumn, _ db: Database
  ) throws -> [Difference] {
    let name = column.name.quotedIdentifier
    if existing.isGenerated {
      return [
        .refused(table, "column \(name) is generated", because: "The record writes it, which SQLite doesn't allow.")
      ]
    }
    if !column.isCompatible(with: existing, inStrictTable: actual.syntax.isStrict, isOwned: isOwned) {
      return [typeChange(of: column, from: existing)]
    }
    var differences: [Difference] = []
    differences += nullability(of: column, from: existing)
    differences += collation(of: column, from: existing)
    if isOwned, try column.defaultValue != nil && !hasDefault(column, existing, db) {
      differences.append(
        .additive(
          table, "change column \(name) to \(column.defaultClause(for: .creation) ?? "") (rebuilds the table)",
          .rebuild(table: actual.name, .setDefault(column))))
    }
    return differences
  }

  private func typeChange(of column: DeclaredColumn, from existing: ActualColumn) -> Difference {
    let types = "from \(existing.type.isEmpty ? "REAL" : existing.type) to \(column.type.title)"
    return .refused(
      table, "the type of column \(column.name.quotedIdentifier) changes \(types)",
      because: "Its values would be read as others than were written.",
      [
        conversion(
          of: column, name: "convert \(table).\(column.name) to \(column.type.title)",
          value: column.type.conversion(of: qualified(column)))
      ])
  }

  private func nullability(of column: DeclaredColumn, from existing: ActualColumn) -> [Difference] {
    let name = column.name.quotedIdentifier
    if column.isKey { return [] }
    if column.isNotNull && !existing.isNotNull {
      if !isOwned {
        return [
          .harmless(
            table, "column \(name) may hold NULL", because: "The record has no value for it: such rows can't be read.")
        ]
      }
      return [
        .refused(
          table, "column \(name) becomes NOT NULL", because: "Rows may hold NULL, which the record can't read.",
          [
            conversion(
              of: column, name: "make \(table).\(column.name) not null",
              value: "coalesce(\(qualified(column)), \(column.placeholder))")
          ])
      ]
    }
    if !column.isNotNull && existing.isNotNull {
      return [
        isOwned
          ? .additive(
            table, "allow NULL in column \(name) (rebuilds the table)",
            .rebuild(table: actual.name, .allowNull(column)))
          : .refused(
            table, "column \(name) is NOT NULL", because: "The record writes NULL for nil.",
            [recreation("allow null in \(table).\(column.name)")])
      ]
    }
    return []
  }

  private func collation(of column: DeclaredColumn, from existing: ActualColumn) -> [Difference] {
    let collation = column.collation.rawValue
    if collation.folded == existing.collation.folded { return [] }
    let name = column.name.quotedIdentifier
    guard Collation(rawValue: existing.collation.uppercased()) != nil else {
      return [
        .harmless(
          table, "column \(name) has the collation \(existing.collation), not \(collation)",
          because: "SQL compares it in another way than live results do.")
      ]
    }
    let summary = "change the collation of column \(name) from \(existing.collation) to \(collation)"
    if isOwned && !column.isKey {
      return [
        .additive(
          table, summary + " (rebuilds the table)", .rebuild(table: actual.name, .setCollation(column)))
      ]
    }
    return [
      .refused(
        table, summary,
        because: "Values that were different would be equal, or the other way around. Keep it with "
          + "@Stored(collation: .\(existing.collation.lowercased())), or convert the table.",
        [recreation("change the collation of \(table).\(column.name)")])
    ]
  }

  /// Whether the default has the value that is declared, however it is spelled.
  private func hasDefault(_ column: DeclaredColumn, _ existing: ActualColumn, _ db: Database) throws -> Bool {
    guard let actual = existing.defaultSQL else { return false }
    switch column.defaultValue {
    case nil: return true
    case .expression(let sql): return normalized(actual) == normalized(sql)
    case .constant(let value):
      let literal = value.defaultLiteral(for: .creation)
      if normalized(actual) == normalized(literal) { return true }
      // An expression that is no constant, or no expression at all, is an error or differs.
      let sql = "SELECT typeof(\(actual)) = typeof(\(literal)) AND (\(actual)) IS (\(literal))"
      return (try? Bool.fetchOne(db, sql: sql)) ?? false
    }
  }

  private func normalized(_ sql: String) -> String {
    let tokens = SQLTokens(sql)
    var range = tokens.tokens.indices
    while let first = range.first, tokens.isSymbol("(", at: first),
      tokens.closingParenthesis(of: first) == range.upperBound - 1
    {
      range = first + 1..<range.upperBound - 1
    }
    return tokens.normalized(range)
  }

  /// The step that converts a column. SQLite drops none that a constraint uses, so then the whole table is made anew.
  private func conversion(of column: DeclaredColumn, name: String, value: String) -> ExplicitStep {
    let isConstrained =
      column.isKey || actual.foreignKeys.contains { $0.columns.folded.contains(column.name.folded) }
      || indexes(using: column.name).contains { $0.sql == nil }
    if isConstrained { return recreation(name) }
    return .convert(
      column, in: table, name: name, value: value, indexes: indexes(using: column.name).map(\.name))
  }

  private func indexes(using column: String) -> [ActualIndex] {
    actual.indexes.filter { index in
      let texts = index.shape.terms.map(\.sql) + [index.shape.condition ?? ""]
      return texts.contains { SQLTokens($0).tokens.contains { $0.name.folded == column.folded } }
    }
  }

  private func qualified(_ column: DeclaredColumn) -> String {
    "\(table.quotedIdentifier).\(column.name.quotedIdentifier)"
  }

  // MARK: Columns that are missing

  private func addition(of column: DeclaredColumn) -> Difference {
    let name = column.name.quotedIdentifier
    let foreignKey = declared.foreignKey(of: column.name)
    guard isOwned else {
      return .refused(
        table, "there is no column \(name)", because: "The app's own migrations make it." + hint(for: column),
        [.add(column, to: table)])
    }
    if column.isKey || column.isNotNull && column.defaultValue == nil {
      return .refused(
        table, "column \(name) is new, NOT NULL and without default",
        because: "The existing rows have no value for it. Give the property an initial value, or make it optional."
          + hint(for: column),
        [.add(column, to: table)])
    }
    let isStrict = actual.syntax.isStrict
    if column.canBeAdded(with: foreignKey) {
      let definition =
        column.definition(for: .addition, inStrictTable: isStrict) + (foreignKey.map { " \($0.clause)" } ?? "")
      return .additive(table, "add column \(definition)", .addColumn(table: actual.name, definition: definition))
    }
    let definition = column.definition(inStrictTable: isStrict)
    var changes: [SchemaChange] = [.rebuild(table: actual.name, .addColumn(column))]
    if let foreignKey { changes.append(.rebuild(table: actual.name, .addForeignKey(foreignKey))) }
    return Difference(
      table: table, summary: "add column \(definition) (rebuilds the table)", effect: .additive, steps: [],
      changes: changes)
  }

  /// Which column a missing one might be, where no one knows what was declared before.
  private func hint(for column: DeclaredColumn) -> String {
    let candidates = undeclaredColumns.filter { existing in
      recordedColumn(existing.name) == nil && column.isNotNull == existing.isNotNull
        && column.isCompatible(with: existing, inStrictTable: actual.syntax.isStrict, isOwned: isOwned)
    }
    if candidates.isEmpty { return "" }
    return " If it is one that the record doesn't have (\(candidates.map(\.name).quotedIdentifiers)), name it with "
      + "@Stored(\"…\")."
  }

  // MARK: Columns that no property has

  private var undeclaredColumns: [ActualColumn] {
    actual.columns.filter { declared.column($0.name) == nil && !$0.isGenerated }
  }

  private func recordedColumn(_ name: String) -> CreateTableSyntax.Column? {
    recorded?.columns.first { $0.name.folded == name.folded }
  }

  private func extraColumns() -> [Difference] {
    let missing = declared.columns.filter { actual.column($0.name) == nil }
    return undeclaredColumns.compactMap { column in
      let name = column.name.quotedIdentifier
      let needsValue = column.isNotNull && column.defaultSQL == nil && column.keyPosition == 0
      if recordedColumn(column.name) == nil {
        if column.keyPosition > 0 { return nil }
        return needsValue
          ? .refused(
            table, "column \(name) is NOT NULL, without default, and not in the record",
            because: "Rows could not be inserted. Add a property for it, or give it a default.")
          : .harmless(
            table, "column \(name) is not in the record", because: "It keeps its values, and new rows get its default.")
      }
      let renamed = missing.filter {
        $0.isCompatible(with: column, inStrictTable: actual.syntax.isStrict, isOwned: isOwned)
      }
      return .refused(
        table, "column \(name) is not in the record any more", because: "Its values would be lost.",
        renamed.map { .rename(column: column.name, to: $0.name, in: table) } + [drop(column)])
    }
  }

  private func drop(_ column: ActualColumn) -> ExplicitStep {
    let isConstrained =
      column.keyPosition > 0 || actual.foreignKeys.contains { $0.columns.folded.contains(column.name.folded) }
      || indexes(using: column.name).contains { $0.sql == nil }
    if isConstrained { return recreation("drop \(table).\(column.name)") }
    return .drop(column: column.name, in: table, indexes: indexes(using: column.name).map(\.name))
  }

  // MARK: Foreign keys

  private func foreignKeys() -> [Difference] {
    var differences: [Difference] = []
    for foreignKey in declared.foreignKeys where foreignKey.columns.allSatisfy({ actual.column($0) != nil }) {
      let column = foreignKey.columns[0]
      let found = actual.foreignKeys.filter { $0.columns.folded == [column.folded] }
      if found.contains(where: foreignKey.isEquivalent) { continue }
      let summary = "\(found.isEmpty ? "add" : "change") the foreign key: \(foreignKey.constraint)"
      if isOwned {
        differences.append(
          Difference(
            table: table, summary: summary + " (rebuilds the table)", effect: .additive, steps: [],
            changes: [
              .rebuild(table: actual.name, .removeForeignKeys(column: column)),
              .rebuild(table: actual.name, .addForeignKey(foreignKey)),
            ]))
      } else {
        differences.append(
          .harmless(table, "\(foreignKey.constraint) is missing", because: "SQLite doesn't enforce the reference."))
      }
    }
    return differences + removedForeignKeys()
  }

  /// Only foreign keys that the store made are its own to remove.
  private func removedForeignKeys() -> [Difference] {
    guard isOwned, let recorded else { return [] }
    return actual.foreignKeys.compactMap { foreignKey in
      guard foreignKey.columns.count == 1, let column = foreignKey.columns.first, declared.column(column) != nil,
        declared.foreignKey(of: column) == nil,
        recorded.constraints.contains(where: { $0.kind == .foreignKey && $0.columns.folded == [column.folded] })
      else { return nil }
      return .additive(
        table, "remove the foreign key: \(foreignKey.constraint) (rebuilds the table)",
        .rebuild(table: actual.name, .removeForeignKeys(column: column)))
    }
  }
}
