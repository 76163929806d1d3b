@testable import Sanderling

/// Tables of random shapes, and random statements that write them.
struct RandomTables {
  struct Table {
    let record: any StoredRecord.Type
    let sql: [String]
    let key: [String]
    /// The columns that statements may set.
    let columns: [String]

    var name: String { record.table.name }
    var type: RecordType { RecordType(record) }
  }

  var random: SeededGenerator
  private(set) var tables: [Table] = []
  private(set) var triggers: [String] = []

  init(_ random: SeededGenerator) {
    self.random = random
    tables = [numbered(), named(), blob(), pair()]
    for table in tables where chance(2) { triggers.append(contentsOf: trigger(on: table)) }
  }

  var sql: [String] { tables.flatMap(\.sql) + triggers }

  mutating func chance(_ denominator: Int) -> Bool { Int.random(in: 0..<denominator, using: &random) == 0 }

  mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }

  // MARK: Tables

  private mutating func numbered() -> Table {
    table(NumberedRow.self, key: ["id"], ["id INTEGER PRIMARY KEY\(chance(3) ? " AUTOINCREMENT" : "")"])
  }

  private mutating func named() -> Table {
    let column = "name \(pick(["TEXT", "", "NUMERIC"])) \(pick(["", "NOT NULL", "NOT NULL DEFAULT 'a'"]))"
    return table(
      NamedRow.self, key: ["name"], ["\(column) \(pick(["", "COLLATE NOCASE"])) PRIMARY KEY"], mayLackRowID: true)
  }

  private mutating func blob() -> Table {
    chance(3)
      ? table(BlobRow.self, key: ["id"], ["number INTEGER PRIMARY KEY", "id BLOB NOT NULL UNIQUE"], ["number"])
      : table(BlobRow.self, key: ["id"], ["id BLOB NOT NULL PRIMARY KEY"], mayLackRowID: true)
  }

  private mutating func pair() -> Table {
    let columns = ["first INTEGER NOT NULL", "second TEXT NOT NULL \(pick(["", "COLLATE NOCASE", "COLLATE RTRIM"]))"]
    return chance(3)
      ? table(PairRow.self, key: ["first", "second"], columns + ["UNIQUE (second, first)"])
      : table(
        PairRow.self, key: ["first", "second"], columns + ["PRIMARY KEY (first, second)"], mayLackRowID: true)
  }

  private mutating func table(
    _ record: any StoredRecord.Type, key: [String], _ definitions: [String], _ others: [String] = [],
    mayLackRowID: Bool = false
  ) -> Table {
    let name = record.table.name
    var columns = definitions.filter { !$0.hasPrefix("PRIMARY") && !$0.hasPrefix("UNIQUE") }
    let constraints = definitions.filter { $0.hasPrefix("PRIMARY") || $0.hasPrefix("UNIQUE") }
    let isWithoutRowID = mayLackRowID && chance(2)
    columns.append("x \(pick(["TEXT", "", "REAL"])) \(pick(["", "COLLATE NOCASE", "NOT NULL DEFAULT 'b'"]))")
    columns.append("y \(pick(["INTEGER", "", "NUMERIC"])) \(pick(["", "", "UNIQUE", "UNIQUE ON CONFLICT REPLACE"]))")
    columns.append(
      "parent INTEGER "
        + pick([
          "", "", "REFERENCES numberedRow(id) ON DELETE CASCADE ON UPDATE CASCADE",
          "REFERENCES numberedRow(id) ON DELETE SET NULL ON UPDATE SET NULL",
          "REFERENCES numberedRow(id) ON DELETE SET DEFAULT DEFERRABLE INITIALLY DEFERRED",
        ]))
    columns.append("extra")
    if chance(3) { columns.append("sum AS (y || extra) \(pick(["STORED", "VIRTUAL"]))") }
    var sql = [
      "CREATE TABLE \(name) (\((columns + constraints).joined(separator: ", ")))\(isWithoutRowID ? " WITHOUT ROWID" : "")"
    ]
    if chance(3) { sql.append("CREATE UNIQUE INDEX \(name)_x ON \(name) (x \(pick(["", "COLLATE NOCASE"])), extra)") }
    let rowID = isWithoutRowID ? [] : ["rowid"]
    return Table(record: record, sql: sql, key: key, columns: key + others + ["x", "y", "parent", "extra"] + rowID)
  }

  // MARK: Triggers

  private mutating func trigger(on table: Table) -> [String] {
    let (name, other) = (table.name, pick(tables))
    let isSame = table.key.map { "\($0) IS NEW.\($0)" }.joined(separator: " AND ")
    return pick([
      [
        "CREATE TRIGGER \(name)_touch AFTER UPDATE ON \(name) BEGIN UPDATE \(name) SET extra = ifnull(extra, 0) + 1 WHERE \(isSame); END"
      ],
      ["CREATE TRIGGER \(name)_new AFTER INSERT ON \(name) BEGIN UPDATE \(name) SET x = x || 'n' WHERE \(isSame); END"],
      [
        "CREATE TRIGGER \(name)_audit AFTER DELETE ON \(name) BEGIN INSERT INTO \(other.name) (\(other.key.joined(separator: ", ")), y) VALUES (\(other.key.map { _ in "OLD.x" }.joined(separator: ", ")), OLD.y); END"
      ],
      ["CREATE TRIGGER \(name)_clear BEFORE INSERT ON \(name) BEGIN DELETE FROM \(other.name) WHERE y = NEW.y; END"],
      [
        "CREATE TRIGGER \(name)_move BEFORE UPDATE ON \(name) BEGIN UPDATE \(other.name) SET y = y + 1 WHERE parent = OLD.parent; END"
      ],
      [
        "CREATE TRIGGER \(name)_stop BEFORE DELETE ON \(name) WHEN OLD.y = 3 BEGIN SELECT RAISE(\(pick(["IGNORE", "ABORT, 'no'", "FAIL, 'no'", "ROLLBACK, 'no'"]))); END"
      ],
    ])
  }

  // MARK: Statements

  /// Returns a random value that often equals another value of the column.
  mutating func value(of column: String) -> String {
    if chance(12) { return pick(["NULL", "1.0", "'1'", "x'61'", "-0.0", "2.5"]) }
    switch column {
    case "id", "number", "rowid", "first", "parent", "y": return pick(["1", "2", "3", "4", "5", "6", "NULL"])
    case "name", "second", "x": return pick(["'a'", "'A'", "'b'", "'B'", "'b '", "'é'", "''"])
    default: return pick(["'a'", "1", "2", "NULL"])
    }
  }

  mutating func value(of column: String, in table: Table) -> String {
    table.record == BlobRow.self && column == "id" && !chance(12)
      ? "x'0000000000000000000000000000000\(pick(["0", "1", "2", "3"]))'" : value(of: column)
  }

  mutating func condition(_ table: Table) -> String {
    let column = pick(table.columns)
    return "\(table.name).\(column) \(pick(["=", "<", ">", "IS NOT"])) \(value(of: column, in: table))"
  }

  private mutating func policy() -> String {
    pick(["", "", "OR REPLACE", "OR REPLACE", "OR IGNORE", "OR FAIL", "OR ABORT", "OR ROLLBACK"])
  }

  private mutating func assignments(_ table: Table) -> String {
    let columns = (0...Int.random(in: 0...1, using: &random)).map { _ in pick(table.columns) }
    return Set(columns).sorted().map { column in
      "\(column) = \(chance(3) && column != "id" ? "\(column) + 1" : value(of: column, in: table))"
    }.joined(separator: ", ")
  }

  private mutating func insert(_ table: Table, mayReplace: Bool = true) -> String {
    let verb = mayReplace && chance(6) ? "REPLACE" : "INSERT \(policy())"
    let optional = table.columns.filter { !table.key.contains($0) }.filter { _ in chance(2) }
    let columns = (chance(6) ? [] : table.key) + optional
    guard !columns.isEmpty else { return "\(verb) INTO \(table.name) DEFAULT VALUES" }
    let rows = (0..<pick([1, 1, 1, 2, 5])).map { _ in
      "(" + columns.map { value(of: $0, in: table) }.joined(separator: ", ") + ")"
    }
    return
      "\(verb) INTO \(table.name) (\(columns.joined(separator: ", "))) VALUES \(rows.joined(separator: ", "))"
  }

  mutating func statement() -> String {
    let table = pick(tables)
    let other = pick(tables)
    let conflict = table.record == PairRow.self || chance(2) ? "" : "(\(table.key[0]))"
    switch Int.random(in: 0..<16, using: &random) {
    case 0...4: return insert(table)
    case 5:
      return "\(insert(table)) ON CONFLICT \(conflict) DO "
        + (conflict.isEmpty || chance(3) ? "NOTHING" : "UPDATE SET \(assignments(table)) WHERE \(condition(table))")
    case 6:
      return "INSERT \(policy()) INTO \(table.name) (\(table.key.joined(separator: ", ")), x, y) "
        + "SELECT \(table.key.map { _ in pick(["y", "x", "parent"]) }.joined(separator: ", ")), x, y FROM \(other.name)"
    case 7...10: return "UPDATE \(policy()) \(table.name) SET \(assignments(table)) WHERE \(condition(table))"
    case 11: return "UPDATE \(policy()) \(table.name) SET \(assignments(table))"
    case 12:
      return other.name == table.name
        ? "UPDATE \(policy()) \(table.name) SET y = 7 - y"
        : "UPDATE \(policy()) \(table.name) SET x = \(other.name).x, y = \(other.name).y FROM \(other.name) "
          + "WHERE \(table.name).parent = \(other.name).parent"
    case 13, 14: return "DELETE FROM \(table.name) WHERE \(condition(table))"
    default: return chance(4) ? "DELETE FROM \(table.name)" : insert(table)
    }
  }

  /// Returns the statements of one transaction, or some statements outside a transaction.
  mutating func transaction() -> [String] {
    var statements: [String] = []
    let count = pick([1, 1, 2, 3, 8])
    if chance(4) { return (0..<count).map { _ in statement() } }
    statements.append(pick(["BEGIN", "BEGIN IMMEDIATE", "SAVEPOINT s0"]))
    let isSavepoint = statements[0].hasPrefix("SAVEPOINT")
    for _ in 0..<count {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: statements.append("SAVEPOINT s1")
      case 1: statements.append("ROLLBACK TO s1")
      case 2: statements.append("RELEASE s1")
      default: statements.append(statement())
      }
    }
    statements.append(chance(6) ? "ROLLBACK" : isSavepoint ? "RELEASE s0" : "COMMIT")
    return statements
  }
}
