import Foundation
import SanderlingDiagnosis

/// Statements and logs that are malicious, meaningless or almost correct.
struct HostileInput {
  /// A file that no statement may create.
  static let stolenFile = "stolen.sqlite"

  var random: SeededGenerator

  /// A workload of some statements and a log. Parts that the readers refuse are left out.
  mutating func workload(in folder: URL) throws -> Workload {
    var reader = WorkloadReader()
    for _ in 0..<random.number(1..<7) { reader.add(sql: statement(folder)) }
    if random.chance(60) {
      let log = folder.appending(path: "log.txt")
      try logBytes(folder).write(to: log)
      do {
        try reader.addLog(at: log)
      } catch {
        // A log without statements is rightly an error.
      }
    }
    return reader.workload
  }

  private mutating func statement(_ folder: URL) -> String {
    let stolen = folder.appending(path: Self.stolenFile).path
    let usual = [
      "SELECT * FROM item WHERE name = ? ORDER BY amount LIMIT 10 OFFSET 500",
      "SELECT count(*) FROM item WHERE flag = 1 OR amount > 5",
      "SELECT i.id, count(n.tag), sum(c.amount) FROM item i LEFT JOIN note n ON n.item = i.id LEFT JOIN item c ON c.parent = i.id GROUP BY i.id",
      "SELECT DISTINCT tag FROM note ORDER BY tag DESC", "UPDATE item SET amount = 0 WHERE name LIKE 'name 1%'",
      "DELETE FROM item WHERE id IN (SELECT item FROM note WHERE tag = :tag)", "INSERT INTO note VALUES (?, ?)",
      "SELECT * FROM everything WHERE tag = 'tag 1'", "SELECT max(amount) FROM item WHERE lower(name) = 'name 3'",
      "SELECT * FROM item WHERE NSCoreDataStringSearch(name, ?, 385, 0)", "SELECT * FROM word WHERE word MATCH 'name'",
    ]
    let hostile = [
      "ATTACH '\(stolen)' AS stolen", "VACUUM INTO '\(stolen)'", "SELECT load_extension('/tmp/x')",
      "PRAGMA journal_mode = DELETE",
      "SELECT writefile('\(stolen)', 'x')", "SELECT i FROM endless", "DROP TABLE item",
      "CREATE TRIGGER t AFTER DELETE ON item BEGIN SELECT 1; END",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
      "SELECT fts3_tokenizer('simple', x'00')",
      "SELECT randomblob(1000000000)", "SELECT zeroblob(2147483647)", "SELECT \(String(repeating: "(", count: 5_000))1",
      "SELECT * FROM item a, item b, item c, item d, item e ORDER BY a.name || b.name",
      "SELECT group_concat(name, '</script>') FROM item",
      "SELECT * FROM item WHERE id IN (\((0..<5_000).map(String.init).joined(separator: ",")))", "EXPLAIN SELECT 1",
      ";;;", "SELECT '",
      "SELECT printf('%1000000000d', 1)", "REPLACE INTO sqlite_stat1 VALUES ('item', 'item_name', '1 1')",
      "SELECT * FROM \u{1B}[31mitem",
    ]
    var sql = random.element(of: random.chance(60) ? usual : hostile)
    if random.chance(35) { sql = damaged(sql) }
    return sql
  }

  /// The text with some characters removed, doubled or exchanged.
  private mutating func damaged(_ text: String) -> String {
    var characters = Array(text)
    for _ in 0..<random.number(1..<5) where !characters.isEmpty {
      let place = random.number(0..<characters.count)
      switch random.number(0..<4) {
      case 0: characters.remove(at: place)
      case 1: characters.insert(random.element(of: Array("'\"`[]();,.*?:@\u{0}\u{202E}é")), at: place)
      case 2: characters.removeSubrange(place..<min(characters.count, place + random.number(1..<20)))
      default: characters.insert(contentsOf: characters[place..<min(characters.count, place + 20)], at: place)
      }
    }
    return String(characters)
  }

  private mutating func logBytes(_ folder: URL) -> Data {
    var bytes = Data()
    for _ in 0..<random.number(1..<60) {
      let sql = statement(folder)
      let line =
        switch random.number(0..<9) {
        case 0: "CoreData: sql: \(sql)"
        case 1:
          "2026-01-05 10:11:12.345678+0100 App[12:34] CoreData: details: SQLite bind[\(random.number(-1..<99999))] = \(sql.prefix(20))"
        case 2:
          "CoreData: annotation: total fetch execution time: \(random.number(0..<9)).\(random.number(0..<9999))s for \(random.next()) rows."
        case 3: "\(random.number(0..<9)).003s \(sql)"
        case 4: "{\"sql\":\"\(sql)\",\"duration\":1e999,\"rows\":-5}"
        case 5: "SQL: \(sql)"
        case 6: "Run Time: real \(random.next()).000 user 0 sys 0"
        case 7: String(repeating: "x", count: random.number(0..<3_000))
        default: sql
        }
      bytes.append(contentsOf: line.utf8)
      if random.chance(10) { bytes.append(contentsOf: [0xFF, 0xFE, 0x00]) }
      bytes.append(0x0A)
    }
    if random.chance(5) { bytes.append(Data(repeating: 0x61, count: 3 << 20)) }
    return bytes
  }
}
