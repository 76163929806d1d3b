import SanderlingSQL

/// Finds the differences between the tables of a record's full-text indexes and those in the database.
struct SearchComparison {
  let table: DeclaredTable
  let actual: ActualTable
  let reader: SchemaReader
  let isOwned: Bool

  var differences: [SchemaPlan.Difference] {
    let found = foundTables
    guard let index = table.searchIndex else {
      if found.isEmpty || !isOwned { return [] }
      return [
        SchemaPlan.Difference(
          table: table.name, summary: "drop its full-text indexes, which the record doesn't declare", effect: .additive,
          steps: [], changes: found.map { .dropTable($0.name) })
      ]
    }
    let isThere = index.tables.allSatisfy { table in
      found.contains { $0.name.folded == table.name.folded && $0.sql?.isIdentical(to: table.sql) == true }
    }
    let existing = reader.objects.filter { $0.isTouchTrigger && $0.table.folded == table.name.folded }
    let triggers = table.triggers.filter { $0.kept == .documents(index) }
    let isKept = triggers.allSatisfy { trigger in existing.contains(where: trigger.isEquivalent) }
    if isThere && isKept && found.count == index.tables.count { return [] }
    if isOwned { return [Self.creation(of: index, replacing: found.map(\.name))] }
    // A missing column is reported elsewhere, with everything that belongs to it, and so is a missing trigger.
    if isThere || index.hasDocumentColumn && actual.column(SearchIndex.documentColumn) == nil { return [] }
    let former = existing.filter { $0.name.folded.hasPrefix(DeclaredTrigger.namePrefix + SearchTriggers.purposePrefix) }
    return [
      .refused(
        table.name, "its full-text indexes are missing or differ from the declaration",
        because: "Searches would miss rows.",
        [.makeSearchTables(of: index, triggers, replacing: found.map(\.name), former.map(\.name))])
    ]
  }

  /// The existing tables that a store created for the full-text indexes of a table, without FTS5's own tables.
  private var foundTables: [SchemaObject] {
    let names = Set(SearchIndex.tableNames(of: table.name, columns: actual.columns.map(\.name)).folded)
    return reader.objects.filter { $0.type == "table" && names.contains($0.name.folded) }
  }

  static func creation(of index: SearchIndex, replacing found: [String]) -> SchemaPlan.Difference {
    SchemaPlan.Difference(
      table: index.table, summary: index.tables.map(\.sql).joined(separator: "; "), effect: .additive, steps: [],
      changes: found.map { .dropTable($0) } + [.makeSearchTables(index)])
  }
}

extension ExplicitStep {
  /// Creates the tables of full-text indexes. Afterwards, all texts are indexed again.
  static func makeSearchTables(
    of index: SearchIndex, _ triggers: [DeclaredTrigger], replacing found: [String], _ formerTriggers: [String]
  ) -> ExplicitStep {
    ExplicitStep(
      "To have the texts indexed again, register", name: "index the texts of \(index.table)",
      onlyWith: .table(index.table),
      statements: formerTriggers.map { "DROP TRIGGER IF EXISTS \($0.quotedIdentifier)" }
        + found.map { "DROP TABLE IF EXISTS \($0.quotedIdentifier)" } + index.tables.map(\.sql)
        + triggers.map(\.sql) + index.renewalSQL)
  }
}
