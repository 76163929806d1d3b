import Sanderling

/// Statements that change flags.
extension StatementGenerator {
  mutating func toggle() -> String {
    let (record, flag) = flag()
    let condition = random.chance(70) ? keyCondition(record) : condition(on: record)
    return "UPDATE \(record.table.name) SET \(flag) = NOT \(flag) WHERE \(condition)"
  }

  private mutating func flag() -> (record: any FuzzRecord.Type, name: String) {
    random.element(of: [
      (Place.self, "isOpen"), (Crate.self, "isSealed"), (Person.self, "isActive"), (Note.self, "isDone"),
    ])
  }

  /// Returns a statement that stores a number in a flag, which no record does. Other statements restore a flag.
  mutating func unreadable() -> String {
    let (record, flag) = flag()
    let key = record.table.keyColumns.map(\.name.quotedIdentifier).joined(separator: ", ")
    // A row that is chosen by its position exists.
    let condition =
      random.chance(80)
      ? "(\(key)) = (SELECT \(key) FROM \(record.table.name) ORDER BY \(key) LIMIT 1 OFFSET \(random.number(0..<8)))"
      : condition(on: record)
    return "UPDATE \(record.table.name) SET \(flag) = \(random.element(of: [2, 5, -1])) WHERE \(condition)"
  }
}
