import GRDB
import SanderlingSQL

/// Finds the differences between the triggers of a record's table and those in the database.
struct TriggerComparison {
  let table: DeclaredTable
  let reader: SchemaReader
  let isOwned: Bool

  func differences(_ db: Database) throws -> [SchemaPlan.Difference] {
    let existing = try SchemaReader.triggers(of: table.name, db).filter(\.isTouchTrigger)
    // The order counts, because it decides which trigger runs first.
    if existing.count == table.triggers.count, zip(table.triggers, existing).allSatisfy({ $0.isEquivalent(to: $1) }) {
      return []
    }
    let missing = table.triggers.filter { trigger in !existing.contains(where: trigger.isEquivalent) }
    if isOwned {
      let creation = Self.creation(of: table, replacing: existing.map(\.name), reader)
      // Texts that were written without their trigger may have a wrong fold or document.
      var texts: [DerivedTexts] = []
      for case let kept? in missing.map(\.kept) where !texts.contains(kept) { texts.append(kept) }
      return [creation.with(more: texts.map { .deriveAgain(table: table.name, $0) })]
    }
    return try missing.flatMap { trigger in
      if trigger.kept != nil { return try absence(of: trigger, existing) }
      return [
        .harmless(
          table.name, "there is no trigger like \(trigger.sql)",
          because: "Without the trigger, columns that are declared with touch: keep their old values.")
      ]
    }
  }

  /// The difference for a missing trigger of derived texts, without which searches would miss rows. A missing column or
  /// table is reported elsewhere.
  private func absence(of trigger: DeclaredTrigger, _ existing: [SchemaObject]) throws -> [SchemaPlan.Difference] {
    let isThere =
      if let name = trigger.kept?.column {
        try reader.table(named: table.name)?.column(name) != nil
      } else {
        table.searchIndex?.tables.allSatisfy { reader.object(named: $0.name) != nil } == true
      }
    if !isThere { return [] }
    let former = existing.filter { other in
      other.keepsDerivedColumn && !table.triggers.contains { $0.isEquivalent(to: other) }
    }
    return [
      .refused(
        table.name, "there is no trigger like \(trigger.sql)",
        because: "Searches would not find rows that other programs write.",
        [.fold(with: trigger, replacing: former.map(\.name))])
    ]
  }

  static func creation(
    of table: DeclaredTable, replacing existing: [String], _ reader: SchemaReader
  ) -> SchemaPlan.Difference {
    let names = Set(table.triggers.map(\.name.folded))
    // A renamed table kept its triggers, under their old names.
    let elsewhere = reader.objects.filter { $0.isTouchTrigger && names.contains($0.name.folded) }.map(\.name)
    let dropped = Set(existing + elsewhere).sorted()
    return SchemaPlan.Difference(
      table: table.name,
      summary: dropped.isEmpty
        ? table.triggers.map(\.sql).joined(separator: "; ")
        : "replace the triggers \(dropped.quotedIdentifiers) by those of the columns declared with touch: or @Searchable",
      effect: .additive, steps: [],
      changes: dropped.map { .dropTrigger($0) } + table.triggers.map { .createTrigger($0) })
  }
}

extension SchemaObject {
  /// Whether the object is a trigger in a store's schema.
  var isTouchTrigger: Bool { type == "trigger" && name.folded.hasPrefix(DeclaredTrigger.namePrefix) }
}

extension SchemaObject {
  /// Whether the object is a trigger, of any version, that marks texts for folding or indexing.
  var keepsDerivedColumn: Bool {
    isTouchTrigger
      && [FoldTriggers.purposePrefix, SearchTriggers.purposePrefix].contains {
        name.folded.hasPrefix(DeclaredTrigger.namePrefix + $0)
      }
  }
}
