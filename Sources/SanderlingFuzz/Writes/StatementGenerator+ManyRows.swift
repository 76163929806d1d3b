import Sanderling

/// Statements that change many rows at once.
extension StatementGenerator {
  mutating func bigInsert(_ record: any FuzzRecord.Type) -> String {
    let count = random.element(of: [70, 100, 250, 600])
    return insert(record, keys: 100..<100 + count, refersToOneRow: random.chance(50))
  }

  /// Inserts rows whose values follow from their keys.
  ///
  /// - Parameter refersToOneRow: Whether references outside the primary key lead to the first row of their table, or
  ///   are NULL. Such references violate no foreign key.
  mutating func insert(_ record: any FuzzRecord.Type, keys: Range<Int>, refersToOneRow: Bool) -> String {
    let table = record.table
    let values = table.columns.indices.map { index -> String in
      let isKey = table.key.contains(index)
      if refersToOneRow, !isKey {
        switch record.kinds[index] {
        case .placeKey: return "(SELECT min(id) FROM place)"
        case .crateKey: return table.columns[index].acceptsNull ? "NULL" : "(SELECT min(id) FROM crate)"
        case .loginKey, .word: return "NULL"
        default: break
        }
      }
      return switch record.kinds[index] {
      case .placeKey: isKey ? "i" : "i % 15 + 1"
      case .noteKey: "i"
      case .crateKey: "CAST(printf('%016d', \(isKey ? "i" : "100 + i % 50")) AS BLOB)"
      case .loginKey: isKey ? "'u' || i" : "'u' || (100 + i % 20)"
      case .word: "'w' || (i % 7)"
      case .text: "char(97 + i % 26)"
      case .integer: "i % 11"
      case .real: "(i % 9) / 4.0"
      case .flag: "i % 2"
      case .blob: "zeroblob(i % 5)"
      case .date: "i % 10 * 86400.0"
      case .day, .fold: "i % 10"
      }
    }
    let names = table.columns.map(\.name.quotedIdentifier).joined(separator: ", ")
    let verb = random.element(of: ["INSERT OR IGNORE", "INSERT OR REPLACE"])
    return "\(verb) INTO \(table.name) (\(names)) WITH RECURSIVE n(i) AS (SELECT \(keys.lowerBound) UNION ALL "
      + "SELECT i + 1 FROM n LIMIT \(keys.count)) SELECT \(values.joined(separator: ", ")) FROM n"
  }

  /// Large values that are deleted in the same step, but were old values in between: more than the capture's buffer
  /// holds.
  func bigValues() -> WriteStep {
    .savepoint(
      [
        .sql(
          .bigValues,
          "UPDATE place SET data = zeroblob(18000000 / (SELECT COUNT(*) FROM place WHERE id < 30)) WHERE id < 30",
          isCached: false),
        .sql(.updateAll, "UPDATE place SET rank = coalesce(rank, 0) + 1", isCached: false),
        .sql(.updateWhere, "UPDATE place SET data = X'61' WHERE id < 30", isCached: false),
      ], isUndone: false)
  }

  mutating func bigDelete(_ record: any FuzzRecord.Type) -> String {
    let table = record.table
    guard let key = table.key.first else { preconditionFailure("\(table.name) has a key") }
    let name = table.columns[key].name.quotedIdentifier
    let condition =
      switch record.kinds[key] {
      case .placeKey, .noteKey: "\(name) >= 100"
      case .crateKey: "\(name) >= X'30'"
      default: "\(name) GLOB 'u*'"
      }
    return "DELETE FROM \(table.name) WHERE \(condition)"
  }

  /// Rows that come first or last in most orderings, so that they fill windows or push all other rows out of them.
  mutating func wave() -> String { tide().wave }

  /// Many notes that differ only in their keys, and a statement that removes them.
  mutating func tide() -> (wave: String, ebb: String) {
    let table = Note.table
    let names = table.columns.map(\.name.quotedIdentifier)
    let shared = table.columns.indices.map { index -> String in
      switch Note.kinds[index] {
      case .crateKey where !table.columns[index].acceptsNull: "(SELECT min(id) FROM crate)"
      case .crateKey, .word: "NULL"
      case .flag: "1"
      case let kind: extremeValue(kind, acceptsNull: table.columns[index].acceptsNull)
      }
    }
    let start = random.number(1..<40)
    let tuples = (start..<start + random.number(20..<36)).map { key in
      let values = table.columns.indices.map { table.key.contains($0) ? "\(key)" : shared[$0] }
      return "(\(values.joined(separator: ", ")))"
    }
    let distinguishing = table.columns.indices.filter { [.text, .integer, .real].contains(Note.kinds[$0]) }
    let column = random.element(of: distinguishing)
    return (
      "INSERT OR REPLACE INTO note (\(names.joined(separator: ", "))) VALUES \(tuples.joined(separator: ", "))",
      "DELETE FROM note WHERE \(names[column]) IS \(shared[column])"
    )
  }

  /// A value that sorts before or after all others.
  private mutating func extremeValue(_ kind: ColumnKind, acceptsNull: Bool) -> String {
    if acceptsNull && random.chance(35) { return "NULL" }
    return random.element(of: kind.isText ? ["''", "'\u{10FFFF}'"] : ["-99", "99"])
  }
}
