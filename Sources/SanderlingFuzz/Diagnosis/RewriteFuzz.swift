import Foundation
import GRDB
import SanderlingDiagnosis

/// Random statements on a random schema: a rewrite that a report proves must also be right on other random rows.
struct RewriteFuzz {
  private let schema: [String]
  private let statements: [String]
  private let pages: RewrittenPages
  private let rows: Int

  /// The number of other databases: most have few rows, in which NULLs, ties and groups without rows are frequent.
  private static let otherDatabases = 40

  init(random: inout SeededGenerator) {
    let type = { (random: inout SeededGenerator) in
      random.element(of: ["INTEGER", "TEXT", "REAL", "", "NUMERIC", "TEXT COLLATE NOCASE"])
    }
    let isNotNull = { (random: inout SeededGenerator) in random.chance(35) ? " NOT NULL" : "" }
    schema =
      [
        "CREATE TABLE parent (id INTEGER PRIMARY KEY, name \(type(&random))\(isNotNull(&random)), rank "
          + "\(random.element(of: ["INTEGER", "REAL", ""]))\(isNotNull(&random)), at TEXT)",
        "CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER\(isNotNull(&random)), amount INTEGER\(isNotNull(&random)), "
          + "kind \(type(&random)), parent2 INTEGER, stamp INTEGER)",
        "CREATE TABLE pair (a INTEGER NOT NULL, b TEXT NOT NULL, c INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID",
        // A text key may be NULL, in several rows.
        "CREATE TABLE owner (id TEXT PRIMARY KEY, label TEXT)",
        "CREATE VIEW merged AS SELECT c.id, 1 AS source, c.kind AS name, c.stamp FROM child c LEFT JOIN pair q ON q.a = c.id WHERE c.amount IS NOT 4 "
          + "\(random.element(of: ["UNION", "UNION ALL", "EXCEPT", "INTERSECT"])) SELECT id, 1, name, rank + 1 FROM parent",
        "CREATE VIEW named AS SELECT c.id, c.amount, CASE typeof(c.parent) WHEN 'integer' THEN (SELECT name FROM parent p "
          + "WHERE p.id = c.parent) ELSE c.parent END AS name, c.stamp FROM child c",
        "CREATE VIEW listed AS SELECT c.*, p.name AS name, p.rank AS rank, q.c + 1 AS c FROM child c JOIN parent p ON p.id = c.parent "
          + "LEFT JOIN pair q ON q.a = p.id WHERE c.stamp >= 0",
        "CREATE VIEW summed AS SELECT p.id, p.name, p.rank, c.parent2, sum(c.amount) AS amount, count(*) AS n FROM parent p "
          + "JOIN child c ON c.parent = p.id GROUP BY \(random.element(of: ["p.id", "c.parent", "p.id, c.parent2", "p.name"]))",
        "CREATE INDEX child_kind ON child (kind)", "CREATE INDEX parent_rank ON parent (rank)",
        "CREATE INDEX parent_name ON parent (name)", "CREATE INDEX parent_at ON parent (at)",
        "CREATE INDEX child_parent ON child (parent, amount)", "CREATE INDEX child_amount ON child (amount)",
        "CREATE INDEX child_kind_amount ON child (kind, amount)",
        "CREATE INDEX child_kind_stamp ON child (kind, stamp)",
      ] + (random.chance(60) ? ["CREATE INDEX child_parent_id ON child (parent, id)"] : [])
    rows = random.number(3_000..<6_000)
    let number = { (random: inout SeededGenerator) in String(random.number(0..<(random.chance(50) ? 3 : 9))) }
    var made: [String] = []
    for _ in 0..<3 {
      let (n, m) = (number(&random), number(&random))
      made.append(
        random.element(of: [
          "SELECT p.id FROM parent p WHERE EXISTS (SELECT 1 FROM child c WHERE c.parent = p.id AND c.amount > \(n))",
          "SELECT id FROM parent WHERE id IN (SELECT parent FROM child WHERE amount = \(n))",
          "SELECT id FROM parent WHERE rank NOT IN (SELECT parent FROM child WHERE amount > \(n))",
          "SELECT id, name FROM parent WHERE rank = \(n) OR name = 'n\(m)'",
          "SELECT p.id, c.id FROM parent p JOIN child c ON c.parent = p.id WHERE p.rank = \(n) OR c.kind = 'k\(m)'",
          "SELECT p.id, count(DISTINCT c.id), count(DISTINCT q.b) FROM parent p LEFT JOIN child c ON c.parent = p.id "
            + "LEFT JOIN pair q ON q.a = p.id GROUP BY p.id",
          "SELECT p.id, sum(c.amount), max(q.c) FROM parent p JOIN child c ON c.parent = p.id JOIN pair q ON q.a = p.id GROUP BY p.id",
          "SELECT DISTINCT p.id, p.name FROM parent p JOIN child c ON c.parent = p.id WHERE c.amount > \(n)",
          "SELECT DISTINCT p.name FROM parent p JOIN child c ON c.parent = p.id",
          "SELECT p.id FROM parent p LEFT JOIN child c ON c.parent = p.id WHERE c.amount = \(n)",
          "SELECT p.id FROM parent p WHERE (SELECT count(*) FROM child c WHERE c.parent = p.id) > \(n)",
          "SELECT p.id FROM parent p WHERE (SELECT count(c.amount) FROM child c WHERE p.id = c.parent) >= \(n)",
          "SELECT p.id FROM parent p WHERE (SELECT count(*) FROM child c WHERE c.parent = p.id) = \(n)",
          "SELECT p.id FROM parent p WHERE (SELECT count(c.kind) FROM child c WHERE c.parent = p.id AND c.amount <> \(m)) > \(n)",
          "SELECT p.id, p.name FROM parent p WHERE (SELECT count(c.parent2) FROM child c WHERE c.parent = p.id) = \(n)",
          "SELECT min(amount), max(amount) FROM child WHERE kind = 'k\(n)'", "SELECT min(rank), max(rank) FROM parent",
          "SELECT count(*) > 0 AS some FROM child WHERE amount = \(n)",
          "SELECT count(*) FROM (SELECT id, name FROM parent WHERE rank > \(n) ORDER BY name)",
          "SELECT id FROM parent WHERE rank + \(n) = \(m)", "SELECT id FROM parent WHERE +rank > \(n)",
          "SELECT id FROM child WHERE CAST(kind AS INTEGER) = \(n)",
          "SELECT id FROM parent WHERE substr(name, 1, 2) = 'n\(n)'",
          "SELECT id FROM parent WHERE date(at) = '2024-01-1\(n)'", "SELECT id FROM parent WHERE name LIKE '1\(n)%'",
          "SELECT c.id FROM child c JOIN (SELECT parent, max(amount) AS amount FROM child GROUP BY parent) m "
            + "ON m.parent = c.parent AND m.amount = c.amount",
          "SELECT c.id FROM child c WHERE c.amount = (SELECT max(x.amount) FROM child x WHERE x.parent = c.parent) "
            + "AND c.parent > \(n)",
          "SELECT c.id, c.kind FROM child c WHERE c.id = (SELECT min(x.id) FROM child x WHERE x.kind = c.kind AND x.amount > \(n))",
          "SELECT p.id FROM parent p WHERE p.rank <> \(n) AND p.id = (SELECT max(x.id) FROM parent x WHERE x.name = p.name)",
          "SELECT id, amount FROM (SELECT id, amount, row_number() OVER (PARTITION BY parent ORDER BY amount DESC, id) AS n "
            + "FROM child WHERE amount <> \(n)) WHERE n = 1",
          "SELECT i FROM (SELECT id AS i, row_number() OVER (PARTITION BY kind ORDER BY id DESC) AS n FROM child) WHERE n = 1",
          "SELECT id, stamp FROM (SELECT id, stamp, row_number() OVER (PARTITION BY kind ORDER BY stamp, id DESC) AS n FROM child) "
            + "WHERE n = 1",
          "SELECT id FROM (SELECT id, name, row_number() OVER (PARTITION BY rank ORDER BY name) AS n FROM parent) WHERE n = 1",
          "SELECT id, amount, n FROM (SELECT id, amount, row_number() OVER (PARTITION BY parent ORDER BY amount, id DESC) AS n "
            + "FROM child WHERE parent2 <> \(m)) WHERE n <= \(n)",
          "SELECT id, stamp FROM (SELECT id, stamp, row_number() OVER (PARTITION BY kind ORDER BY id DESC) AS n FROM child) "
            + "WHERE n = 1 AND stamp > \(m) ORDER BY id DESC LIMIT 5",
          "SELECT kind, count(*), sum(stamp) FROM child WHERE amount = \(n) AND parent2 > \(m) GROUP BY kind",
          "SELECT parent, min(id), max(stamp) FROM child WHERE kind = 'k\(n)' GROUP BY parent",
          "SELECT id FROM child WHERE kind LIKE 'k' || '%' AND amount = \(n)",
          "SELECT id, name FROM named WHERE name = 'n\(n)\(m)'",
          "SELECT id FROM child WHERE (SELECT p.name FROM parent p WHERE p.id = child.parent2) = 'n\(n)' AND amount > \(m)",
          "SELECT * FROM listed WHERE rank = \(n) ORDER BY stamp DESC, id, c LIMIT 9",
          "SELECT id, name, c FROM listed WHERE name = 'n\(n)\(m)' AND amount > \(n)",
          "SELECT c.id, p.id FROM child c JOIN parent p ON p.name = c.parent2",
          "SELECT p.id, (SELECT count(*) FROM child c WHERE c.parent = p.id) AS children FROM parent p ORDER BY p.id LIMIT 7",
          "SELECT c.id, max(c.amount) AS a, sum(c.amount), count(c.kind), p.name FROM child c LEFT JOIN parent p ON p.id = c.parent "
            + "GROUP BY c.id ORDER BY a DESC, c.id LIMIT 9",
          "SELECT id, min(rank) AS r, sum(rank - 1), count(*) FROM parent WHERE rank <> \(n) GROUP BY id ORDER BY r, id LIMIT 5",
          "SELECT p.id, max(c.amount) FROM parent p LEFT JOIN child c ON c.parent = p.id AND c.amount <> \(n) GROUP BY p.id",
          "SELECT p.name, p.id, min(c.amount) FROM parent p JOIN child c ON c.parent = p.id WHERE p.rank > \(n) GROUP BY p.id",
          "SELECT c.id, c.amount, p.name FROM parent p JOIN child c ON c.parent = p.id WHERE p.rank = \(n) "
            + "ORDER BY c.amount DESC, c.id LIMIT 9",
          "SELECT id, amount FROM child WHERE kind = 'k\(n)' AND parent2 = \(m) ORDER BY amount, id",
          "SELECT sum(c.amount) FROM parent p JOIN child c ON c.parent = p.id JOIN pair q ON q.a = p.id WHERE p.rank > \(n)",
          Self.switched(n, &random),
          "SELECT id, stamp FROM child GROUP BY id HAVING kind = 'k\(n)' AND amount > \(m)",
          "SELECT a, b, count(*), max(c) FROM pair GROUP BY b, a HAVING a = \(n) OR c > \(m)",
          "SELECT id FROM child GROUP BY id HAVING kind = 'k\(n)' UNION SELECT id FROM parent GROUP BY id HAVING rank = \(m) "
            + "LIMIT 5",
          "SELECT parent2, max(amount) AS a FROM child GROUP BY parent2 HAVING a >= 8 AND a < 1\(n)",
          "SELECT parent, min(kind) FROM child WHERE stamp <> \(m) GROUP BY parent HAVING 'k\(n)' >= min(kind)",
          "SELECT p.rank, max(c.stamp) FROM parent p LEFT JOIN child c ON c.parent = p.id GROUP BY p.rank "
            + "HAVING max(c.stamp) BETWEEN \(rows - 20) AND \(rows)",
          "SELECT name, count(*) FROM parent GROUP BY name HAVING name IN (SELECT kind FROM child WHERE amount = \(n)) OR name = 'N1'",
          "SELECT name, max(id) FROM parent GROUP BY name HAVING name = 'n\(n)\(m)'",
          "SELECT id FROM parent WHERE id NOT IN (SELECT parent FROM child WHERE parent IS NOT NULL UNION SELECT a FROM pair)",
          "SELECT id FROM parent WHERE id NOT IN (SELECT amount FROM child UNION ALL SELECT parent2 FROM child WHERE parent2 NOT NULL)",
          "SELECT id FROM parent WHERE name = 'n\(n)\(m)' AND rank IN (SELECT stamp FROM child UNION SELECT c FROM pair WHERE a > \(n))",
        ]))
    }
    made.append(Self.switched(number(&random), &random))
    made.append(Self.grouped(number(&random), number(&random), &random))
    made.append(Self.joined(number(&random), number(&random), &random))
    made.append(Self.sorted(number(&random), number(&random), &random))
    made.append(Self.totals(number(&random), number(&random), &random))
    pages = RewrittenPages(random: &random)
    statements = made + [pages.sql]
  }

  /// - Returns: The number of proven rewrites that were compared.
  func run(in folder: URL, _ options: Diagnosis.Options, _ random: inout SeededGenerator, name: String) throws -> Int {
    let url = folder.appending(path: "rewrites.sqlite")
    for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
    let queue = try DatabaseQueue(path: url.path)
    try queue.writeWithoutTransaction { db in
      for sql in schema { try db.execute(sql: sql) }
      // Without a transaction, each row would wait for the disk.
      try db.inTransaction {
        // The other databases have cases that no row of the app has.
        try fill(db, rows, strangers: random.element(of: [0, 10]), &random)
        return .commit
      }
    }
    try queue.close()
    var reader = WorkloadReader()
    for sql in statements { reader.add(sql: sql) }
    let workload = reader.workload
    let report = try Diagnosis(database: url, options: options).run(workload)
    var compared = 0
    for finding in report.findings {
      guard case .proven = finding.outcome, finding.severity != .wrongResult,
        let original = workload.statements.first(where: { $0.id == finding.statement })?.sql
      else { continue }
      // The finding itself states that values of another type would give different results.
      if finding.limits.contains(where: { $0.hasPrefix("The same as long as") }) { continue }
      let forms = (finding.fix?.sql ?? []).filter { $0.hasPrefix("SELECT") || $0.hasPrefix("WITH") }
      for sql in forms where !sql.contains("?") {
        compared += 1
        let difference = try firstDifference(&random) { try Self.difference(original, sql, $0) }
        if let difference { throw Self.failure(difference, original, [sql], name) }
      }
      for sql in forms where original != pages.sql && original.contains("?1") {
        compared += 1
        let values = (0..<9).map { _ in Self.arguments(of: original, &random) }
        let difference = try firstDifference(&random) { db in
          for arguments in values {
            if let found = try Self.difference(original, sql, db, arguments) { return "\(found) with \(arguments)" }
          }
          return nil
        }
        if let difference { throw Self.failure(difference, original, [sql], name) }
      }
      if original == pages.sql, !forms.isEmpty, forms.allSatisfy({ $0.contains("?") }) {
        compared += 1
        let difference = try firstDifference(&random) { try pages.difference(of: forms, in: $0) }
        if let difference { throw Self.failure(difference, original, forms, name) }
      }
      for sql in finding.fix?.sql ?? [] where sql.hasPrefix("CREATE") || sql.hasPrefix("DROP") {
        let other = try DatabaseQueue()
        try other.write { db in
          for sql in schema { try db.execute(sql: sql) }
          try db.execute(sql: sql)
        }
      }
    }
    return compared
  }

  private static func failure(
    _ difference: String, _ original: String, _ forms: [String], _ name: String
  ) -> DiagnoseFuzzFailure {
    DiagnoseFuzzFailure(
      """
      A proven rewrite returns other rows: \(difference)
      \(original)
      \(forms.joined(separator: "\n"))
      \(name)
      """)
  }

  /// The first difference found in some other databases; nil if there is none.
  private func firstDifference(
    _ random: inout SeededGenerator, _ difference: (Database) throws -> String?
  ) throws -> String? {
    for _ in 0..<Self.otherDatabases {
      let queue = try DatabaseQueue()
      let found = try queue.write { db in
        for sql in schema { try db.execute(sql: sql) }
        try fill(db, random.number(0..<14), strangers: random.element(of: [10, 30, 90]), &random)
        return try difference(db)
      }
      if let found { return found }
    }
    return nil
  }

  /// Values for `?1`, and for `?2` if the statement has it.
  private static func arguments(of sql: String, _ random: inout SeededGenerator) -> StatementArguments {
    StatementArguments(
      (0..<(sql.contains("?2") ? 2 : 1)).map { _ -> (any DatabaseValueConvertible)? in
        let number = random.number(0..<9)
        return random.element(of: [nil, 0, 1, number, number, "", "k\(number)", "1", 2.5])
      })
  }

  /// The difference between the rows of two statements, in any order; nil if there is none.
  private static func difference(
    _ one: String, _ other: String, _ db: Database, _ arguments: StatementArguments = []
  ) throws -> String? {
    func rows(_ sql: String) throws -> [String] {
      try Row.fetchAll(db, sql: sql, arguments: arguments)
        .map { row in row.databaseValues.map { "\($0)" }.joined(separator: "|") }.sorted()
    }
    let (rows, others) = (try rows(one), try rows(other))
    return rows == others ? nil : "\(rows.count) rows became \(others.count), or others"
  }

  /// - Parameter strangers: The percentage of values that no app would have, including NULL.
  private func fill(_ db: Database, _ rows: Int, strangers: Int, _ random: inout SeededGenerator) throws {
    func value(_ usual: String) -> String {
      guard random.chance(strangers) else { return usual }
      return random.element(of: [usual, "NULL", "'n1'", "1", "2", "'1'", "''", "'N1'", "'k2'", "2.5"])
    }
    // With many rows, all stamps are distinct.
    let isLong = rows > 100
    for row in 0..<rows {
      let (n, parent) = (random.number(0..<9), random.number(0..<max(2, rows / 3)))
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO parent VALUES (\(row), \(value("'n\(n)\(row % 50)'")), \(value("\(n)")),
            '2024-01-\(10 + n) 0\(n):00:00');
          INSERT OR IGNORE INTO child VALUES (\(row), \(value("\(parent)")), \(value("\(n)")), \(value("'k\(n)'")), \(value("\(n)")), \(isLong ? row : n % 3));
          INSERT OR IGNORE INTO pair VALUES (\(parent), 'b\(n)', \(value("\(n)")));
          INSERT OR IGNORE INTO owner VALUES (\(random.chance(20) ? "NULL" : value("'k\(n)'")), 'o\(n)');
          """)
    }
  }
}
