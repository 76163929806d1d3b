import SanderlingSQL

/// The differences where only the record or only the table in the database has a column or a foreign key.
extension TableComparison {
  // MARK: Missing columns

  func addition(of column: DeclaredColumn) -> Difference {
    let name = column.name.quotedIdentifier
    let foreignKey = declared.foreignKey(of: column.name)
    guard isOwned else {
      if column.isFolded || column.isOfDocuments {
        return .refused(
          table, "there is no column \(name)",
          because: "The app's own migrations must create it, with its indexes and triggers.",
          [.derive(column, of: declared, inStrictTable: actual.syntax.isStrict)])
      }
      return .refused(
        table, "there is no column \(name)", because: "The app's own migrations must create it." + hint(for: column),
        [.add(column, to: table)])
    }
    if column.isKey || column.isNotNull && column.defaultValue == nil {
      return .refused(
        table, "column \(name) is new, NOT NULL and without default",
        because: "The existing rows have no value for it. " + advice(for: column),
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

  private func advice(for column: DeclaredColumn) -> String {
    let former = renames.formerColumns(of: column, among: removedColumns)
    let initial = "ive the property an initial value, or make it optional."
    return former.isEmpty
      ? "G\(initial)\(hint(for: column))"
      : "If it is a new name of \(former.map(\.name).quotedIdentifiers), see below; otherwise g\(initial)"
  }

  /// A hint at the existing columns that a missing column may be, if the former declaration is unknown.
  private func hint(for column: DeclaredColumn) -> String {
    let candidates = undeclaredColumns.filter { existing in
      recordedColumn(existing.name) == nil && column.isNotNull == existing.isNotNull
        && isCompatible(column, existing)
    }
    if candidates.isEmpty { return "" }
    return
      " If the property belongs to an existing column (\(candidates.map(\.name).quotedIdentifiers)), name that column with "
      + "@Stored(\"…\")."
  }

  // MARK: Columns without a property

  private var undeclaredColumns: [ActualColumn] {
    actual.columns.filter { declared.column($0.name) == nil && !$0.isGenerated }
  }

  /// The columns that the store created for properties, and that no property has any more.
  private var removedColumns: [ActualColumn] {
    undeclaredColumns.filter {
      recordedColumn($0.name) != nil && !isOfFoldedTexts($0) && $0.name.folded != SearchIndex.documentColumn.folded
    }
  }

  private var renames: ColumnRenames {
    ColumnRenames(
      removed: removedColumns, missing: declared.columns.filter { actual.column($0.name) == nil },
      isCompatible: isCompatible)
  }

  private func recordedColumn(_ name: String) -> CreateTableSyntax.Column? {
    recorded?.columns.first { $0.name.folded == name.folded }
  }

  func extraColumns() -> [Difference] {
    let renames = self.renames
    return undeclaredColumns.compactMap { column in
      let name = column.name.quotedIdentifier
      let needsValue = column.isNotNull && column.defaultSQL == nil && column.keyPosition == 0
      if recordedColumn(column.name) == nil {
        if column.keyPosition > 0 { return nil }
        return needsValue
          ? .refused(
            table, "column \(name) is NOT NULL, without default, and not in the record",
            because: "Insertions would fail. Add a property for the column, or give the column a default.")
          : .harmless(
            table, "column \(name) is not in the record", because: "It keeps its values, and new rows get its default.")
      }
      if isOfFoldedTexts(column) {
        return .harmless(
          table, "column \(name) holds folded texts, and the record has no searchable text",
          because: "The column stays. If the text becomes searchable again, all texts are folded again.")
      }
      if column.name.folded == SearchIndex.documentColumn.folded {
        return .harmless(
          table, "column \(name) belongs to full-text indexes, and the record declares none",
          because: "The column stays. If the record gets a full-text index again, all texts are indexed again.")
      }
      return .refused(
        table, "column \(name) is not in the record any more",
        because: "Dropping it would lose its values. A newer version of the app may have created it.",
        renames.newColumns(of: column.name).map { .rename(column: column.name, to: $0.name, in: table) }
          + [drop(column)])
    }
  }

  /// Whether a column was created for the folded texts of another column, and not for a property.
  private func isOfFoldedTexts(_ column: ActualColumn) -> Bool {
    FoldedColumn.isMade(column.name, defaultSQL: column.defaultSQL, beside: actual.columns.map(\.name))
  }

  private func drop(_ column: ActualColumn) -> ExplicitStep {
    let isConstrained =
      column.keyPosition > 0 || actual.foreignKeys.contains { $0.columns.folded.contains(column.name.folded) }
      || indexes(using: column.name).contains { $0.sql == nil }
    if isConstrained { return recreation }
    return .drop(
      column: column.name, in: table, indexes: indexes(using: column.name).map(\.name), triggers: actual.notingTriggers)
  }

  // MARK: Foreign keys

  func foreignKeys() -> [Difference] {
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

  /// The removal of foreign keys that the store created and that the record doesn't declare any more.
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
