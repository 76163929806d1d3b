import GRDB

/// Finds the differences between the triggers of a record's table and those in the database.
struct TriggerComparison {
  let table: DeclaredTable
  let reader: SchemaReader
  let isOwned: Bool

  func differences(_ db: Database) throws -> [SchemaPlan.Difference] {
    let existing = try SchemaReader.triggers(of: table.name, db).filter(\.isTouchTrigger)
    // Which runs first depends on which was made first.
    if existing.count == table.triggers.count, zip(table.triggers, existing).allSatisfy({ $0.isEquivalent(to: $1) }) {
      return []
    }
    if isOwned { return [Self.creation(of: table, replacing: existing.map(\.name), reader)] }
    return table.triggers.filter { trigger in !existing.contains(where: trigger.isEquivalent) }.map { trigger in
      .harmless(
        table.name, "there is no trigger like \(trigger.sql)",
        because: "Columns that are declared with touch: keep their values where nobody sets them.")
    }
  }

  static func creation(
    of table: DeclaredTable, replacing existing: [String], _ reader: SchemaReader
  ) -> SchemaPlan.Difference {
    let names = Set(table.triggers.map(\.name.folded))
    // A table that was renamed took its triggers along, under their old names.
    let elsewhere = reader.objects.filter { $0.isTouchTrigger && names.contains($0.name.folded) }.map(\.name)
    let dropped = Set(existing + elsewhere).sorted()
    return SchemaPlan.Difference(
      table: table.name,
      summary: dropped.isEmpty
        ? table.triggers.map(\.sql).joined(separator: "; ")
        : "replace the triggers \(dropped.quotedIdentifiers) by those of the columns declared with touch:",
      effect: .additive, steps: [],
      changes: dropped.map { .dropTrigger($0) } + table.triggers.map { .createTrigger($0) })
  }
}

extension SchemaObject {
  /// Whether it is a trigger that a store made.
  var isTouchTrigger: Bool { type == "trigger" && name.folded.hasPrefix(DeclaredTrigger.namePrefix) }
}
