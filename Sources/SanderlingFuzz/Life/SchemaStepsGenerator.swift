import Foundation
import Sanderling

/// Makes changes of the schema as an app or a migration makes them, and reversals of changes that remove needed
/// objects.
struct SchemaStepsGenerator {
  let world: World
  var random: SeededGenerator

  /// Transactions that change the schema, and transactions that restore the removed objects.
  struct Change {
    var transactions: [[String]]
    var undoing: [[String]] = []
  }

  init(_ world: World, random: SeededGenerator) {
    self.world = world
    self.random = random
  }

  mutating func change(_ kind: LifeKind) -> Change {
    switch kind {
    case .away: return away(random.element(of: world.tables))
    case .dropColumn: return droppedColumn(random.element(of: world.tables))
    default: break
    }
    let table = random.element(of: world.tables)
    switch random.number(0..<8) {
    case 0:
      return Change(transactions: [["ALTER TABLE \(table.name) ADD COLUMN added_\(random.number(10..<99)) DEFAULT 1"]])
    case 1, 2:
      let column = random.element(of: table.columns).name.quotedIdentifier
      return Change(
        transactions: [["ALTER TABLE \(table.name) RENAME COLUMN \(column) TO away_column"]],
        undoing: [["ALTER TABLE \(table.name) RENAME COLUMN away_column TO \(column)"]])
    case 3: return droppedColumn(table)
    case 4: return Change(transactions: [table.rebuild])
    case 5: return away(table)
    case 6:
      return Change(
        transactions: [["DROP TABLE \(table.name)", table.sql()] + table.newTriggers + rows(of: table)])
    default:
      return Change(
        transactions: [["DROP TABLE \(table.name)"], [table.sql()] + table.newTriggers + rows(of: table)])
    }
  }

  /// Statements that create all missing tables.
  var missingTables: [String] {
    world.tables.flatMap(\.statementsIfMissing) + [
      World.auditTable.replacing(#/^CREATE TABLE /#, with: "CREATE TABLE IF NOT EXISTS ")
    ]
  }

  mutating func rows(of table: PhysicalTable) -> [String] {
    (0..<random.number(0..<6)).map { _ in
      StatementGenerator.insert(into: table.record, "INSERT OR IGNORE", pool: world.pool, using: &random)
    }
  }

  private mutating func away(_ table: PhysicalTable) -> Change {
    let name = table.name
    let columns = table.columns.map(\.name.quotedIdentifier).joined(separator: ", ")
    if random.chance(30) {
      return Change(
        transactions: [["DROP TABLE \(name)"]], undoing: [[table.sql()] + table.newTriggers + rows(of: table)])
    }
    let leaving = legacy(["ALTER TABLE \(name) RENAME TO away_\(name)"])
    if random.chance(50) {
      return Change(
        transactions: [leaving],
        undoing: [
          legacy(["DROP TABLE IF EXISTS \(name)", "ALTER TABLE away_\(name) RENAME TO \(name)"])
            + table.newTriggers
        ])
    }
    return Change(
      transactions: [leaving],
      undoing: [
        [
          table.sql(), "INSERT INTO \(name) (\(columns)) SELECT \(columns) FROM away_\(name)",
          "DROP TABLE away_\(name)",
        ] + table.newTriggers
      ])
  }

  /// Renames in SQLite's legacy mode, which leaves references to the table unchanged.
  private mutating func legacy(_ statements: [String]) -> [String] {
    guard random.chance(50) else { return statements }
    return ["PRAGMA legacy_alter_table = ON"] + statements + ["PRAGMA legacy_alter_table = OFF"]
  }

  private mutating func droppedColumn(_ table: PhysicalTable) -> Change {
    // Without its triggers, an index holds texts that its rows no longer have.
    let indexed = table.record.table.columns.filter { !$0.searchKinds.isDisjoint(with: [.words, .substrings]) }
    let kept = table.keyNames + (indexed.count > 1 ? indexed.map(\.name) : [])
    let column = random.element(of: table.columns.filter { !kept.contains($0.name) })
    let name = column.name.quotedIdentifier
    // SQLite refuses to drop a column that an index or a trigger names.
    var leaving: [String] = []
    for feature in world.features {
      guard let own = feature.firstName(after: "INDEX ") ?? feature.firstName(after: "TRIGGER "), random.chance(80)
      else {
        continue
      }
      if feature.contains("INDEX "), feature.contains(" ON \(table.name) (") {
        leaving.append("DROP INDEX IF EXISTS \(own)")
      } else if feature.contains("TRIGGER ") {
        leaving.append("DROP TRIGGER IF EXISTS \(own)")
      }
    }
    // The texts in the restored column are neither folded nor indexed.
    var again: [String] = []
    for trigger in table.record.table.derivingTriggers where trigger.sql.contains(name) {
      let dropping = "DROP TRIGGER IF EXISTS \(trigger.name.quotedIdentifier)"
      leaving.append(dropping)
      again += [dropping, trigger.sql]
      for sql in trigger.renewalSQL where !again.contains(sql) { again.append(sql) }
    }
    let value: String =
      switch column.type {
      case "INTEGER", "BIGINT", "NUMERIC", "BOOLEAN": "1"
      case "BLOB": "X'61'"
      default: "'1'"
      }
    var definition = "\(name) \(column.type)"
    if column.isNotNull { definition += " NOT NULL" }
    if column.isNotNull || random.chance(50) { definition += " DEFAULT \(value)" }
    if column.collation != "BINARY" { definition += " COLLATE \(column.collation)" }
    return Change(
      transactions: [leaving + ["ALTER TABLE \(table.name) DROP COLUMN \(name)"]],
      undoing: [["ALTER TABLE \(table.name) ADD COLUMN \(definition)"] + again])
  }
}

extension String {
  /// The word after a part of the text.
  fileprivate func firstName(after part: String) -> String? {
    guard let range = range(of: part) else { return nil }
    return self[range.upperBound...].split(separator: " ").first.map(String.init)
  }
}
