/// Statements whose problem has several varying parts.
extension RewriteFuzz {
  /// A statement that reads few groups of a subquery or view, hides a column in a function, or says how to read a
  /// table.
  static func grouped(_ n: String, _ m: String, _ random: inout SeededGenerator) -> String {
    let key = random.element(of: ["parent", "parent2", "kind", "parent, kind"])
    let groups = "(SELECT \(key), sum(amount) AS amount, max(stamp) AS stamp FROM child GROUP BY \(key)) g"
    let numbered = "(SELECT *, row_number() OVER (PARTITION BY parent ORDER BY stamp, id) AS place FROM child) g"
    let join = random.element(of: ["JOIN", "LEFT JOIN", "CROSS JOIN"])
    let other = random.element(of: ["p.id", "p.name", "p.rank"])
    let column = key.contains(",") ? "g.parent" : "g.\(key)"
    let filter = random.element(of: ["p.rank = \(n)", "p.name = 'n\(n)\(m)'", "p.id < \(n)\(m)", "p.at IS NULL"])
    return random.element(of: [
      "SELECT id, amount FROM summed WHERE name = 'n\(n)\(m)'",
      "SELECT * FROM summed WHERE rank = \(n) AND amount > \(m)",
      "SELECT s.id, s.n FROM summed s \(join) parent p ON p.id = s.parent2 WHERE \(filter)",
      "SELECT p.id, s.amount FROM parent p \(join) summed s ON s.id = p.id WHERE \(filter)",
      "SELECT p.id, g.amount, g.stamp FROM parent p \(join) \(groups) ON \(column) = \(other) WHERE \(filter)",
      "SELECT p.id, g.amount FROM \(groups) \(join) parent p ON \(column) = \(other) WHERE \(filter)",
      "SELECT p.id, g.id, g.place FROM parent p \(join) \(numbered) ON g.parent = \(other) AND g.place < 3 WHERE \(filter)",
      "WITH g AS \(groups.dropLast(2)) SELECT p.name, g.amount FROM parent p, g WHERE \(column) = \(other) AND \(filter)",
      "SELECT c.id FROM child c JOIN parent p ON lower(c.kind) = p.name WHERE \(filter)",
      "SELECT p.id FROM parent p WHERE NOT EXISTS (SELECT 1 FROM child c WHERE abs(c.amount) = \(other)) AND \(filter)",
      "SELECT id FROM child INDEXED BY child_kind WHERE kind > 'k\(n)' AND amount = \(m)",
      "SELECT id FROM child WHERE instr(kind, 'k\(n)') = 1 AND amount > \(m)",
      "SELECT count(*), max(amount) FROM (SELECT sum(amount) AS amount FROM child WHERE stamp < \(n)\(m) GROUP BY kind)",
    ])
  }

  /// A statement that joins rows to exclude them, groups after a join, or reads few rows of a union.
  static func joined(_ n: String, _ m: String, _ random: inout SeededGenerator) -> String {
    let link = random.element(of: ["c.parent = p.id", "p.rank = c.amount", "c.kind = p.name", "c.parent2 = p.rank"])
    let absent = random.element(of: ["c.id", "c.parent", "c.kind", "c.amount"])
    let groups = random.element(of: ["p.rank", "c.parent", "p.id", "p.at"])
    let having = random.element(of: ["", " HAVING count(*) > \(n)", " HAVING max(c.amount) <> \(m)"])
    let filter = random.element(of: [
      "", " WHERE c.amount > \(n)", " WHERE p.rank <> \(m)", " WHERE c.stamp > \(n) AND p.rank >= \(m)",
    ])
    let calls = random.element(of: [
      "count(*)", "sum(c.amount), min(c.stamp)", "max(c.amount), count(c.parent2)", "total(c.stamp)",
    ])
    let inner = "child c JOIN pair q ON q.a = c.parent2 AND q.c = \(n)"
    return random.element(of: [
      "SELECT p.id, p.name FROM parent p LEFT JOIN child c ON \(link) WHERE \(absent) IS NULL",
      "SELECT p.id FROM parent p LEFT JOIN child c ON \(link) AND c.amount > \(n) WHERE p.rank <> \(m) AND \(absent) IS NULL",
      "SELECT \(groups), \(calls) FROM child c JOIN parent p ON p.id = c.parent\(filter) GROUP BY \(groups)\(having)",
      "SELECT \(calls) FROM parent p, child c\(filter.isEmpty ? " WHERE" : filter + " AND") c.parent = p.id GROUP BY \(groups)\(having)",
      "SELECT * FROM merged WHERE name = 'n\(n)\(m)'",
      "SELECT id, stamp FROM merged WHERE id = \(n)\(m) OR stamp = \(n)",
      "SELECT count(*), max(stamp) FROM merged WHERE name LIKE 'k\(n)%' AND id < 1\(m)",
      "SELECT p.id, g.stamp FROM parent p JOIN merged g ON g.id = p.id WHERE g.name = 'k\(n)'",
      "SELECT p.id FROM parent p WHERE NOT EXISTS (SELECT 1 FROM \(inner) WHERE c.parent = p.id)",
      "SELECT p.id, (SELECT count(*) FROM \(inner) WHERE c.parent = p.id) FROM parent p WHERE p.rank = \(m)",
      "SELECT o.id, count(DISTINCT c.id), count(DISTINCT p.id) FROM owner o LEFT JOIN child c ON c.kind = o.id LEFT JOIN parent p ON p.name = o.id GROUP BY o.id",
      "SELECT o.id, count(DISTINCT c.amount), max(p.rank) FROM owner o LEFT JOIN child c ON c.kind = o.id LEFT JOIN parent p ON p.name = o.id GROUP BY o.id",
      "SELECT rank, count(*), max(stamp) FROM listed WHERE amount = \(n) GROUP BY rank",
      "SELECT count(*) FROM listed WHERE rank + 1 = \(m)",
    ])
  }

  /// A statement with running totals, with groups that are mostly dropped, or with a misleading index.
  static func totals(_ n: String, _ m: String, _ random: inout SeededGenerator) -> String {
    let key = random.element(of: ["stamp", "amount", "id", "parent2"])
    let group = random.element(of: [
      "", " AND b.parent = a.parent", " AND a.parent2 = b.parent2", " AND b.amount <> \(n)",
    ])
    let order = random.element(of: [
      "b.\(key) <= a.\(key)", "a.\(key) <= b.\(key)", "b.\(key) BETWEEN a.\(key) - \(m) AND a.\(key)",
    ])
    let call = random.element(of: [
      "count(*)", "sum(b.amount)", "max(b.kind)", "count(b.parent)", "total(b.stamp)", "2 * min(b.amount) + 1",
    ])
    let filter = random.element(of: ["a.stamp < \(n)\(m)", "a.parent = \(n) AND a.\(key) > \(m)", "a.id % 7 = \(n)"])
    let link = random.element(of: ["c.parent = p.id", "c.kind = p.name", "c.parent = p.id AND c.amount > \(n)"])
    let (root, name) = random.element(of: [("parent", "rank"), ("owner", "label")])
    let join = random.element(of: ["LEFT JOIN", "JOIN"])
    return random.element(of: [
      "SELECT a.id, (SELECT \(call) FROM child b WHERE \(order)\(group)) AS total FROM child a WHERE \(filter)",
      "SELECT a.id, a.kind, count(*), sum(b.amount) FROM child a JOIN child b ON \(order)\(group) WHERE \(filter) GROUP BY a.id",
      "SELECT p.id, count(c.id), max(c.amount) FROM \(root) p \(join) child c ON \(root == "parent" ? link : "c.kind = p.id") "
        + "GROUP BY p.id ORDER BY p.\(name), p.id LIMIT \(m)",
      "SELECT p.id FROM \(root) p LEFT JOIN child c ON \(root == "parent" ? link : "c.kind = p.id") GROUP BY p.id HAVING count(c.\(key)) = 0",
      "SELECT id, stamp FROM child WHERE kind = 'k\(n)' AND (parent = \(m) OR amount = \(n)) ORDER BY \(key), id LIMIT 9",
      "SELECT p.id FROM parent p WHERE p.rank > (SELECT avg(x.rank) * 2 FROM parent x WHERE x.name = p.name)",
      "SELECT amount, id, kind FROM child WHERE stamp > \(n) UNION ALL SELECT rank, id, name FROM parent ORDER BY 1, 2, 3 LIMIT \(m)",
    ])
  }

  /// A statement that sorts by NULL first, or hides a column behind NOT or a sum.
  static func sorted(_ n: String, _ m: String, _ random: inout SeededGenerator) -> String {
    let column = random.element(of: ["kind", "amount", "parent", "parent2", "stamp"])
    let test = random.element(of: [
      "\(column) IS NULL", "\(column) IS NOT NULL", "CASE WHEN \(column) IS NULL THEN 1 ELSE 0 END",
      "CASE WHEN \(column) IS NOT NULL THEN 1 ELSE 2 END",
    ])
    let (one, other) = (random.element(of: ["", " DESC"]), random.element(of: ["", " DESC"]))
    let operation = random.element(of: ["<", "<=", ">", ">=", "="])
    return random.element(of: [
      "SELECT id, \(column) FROM child ORDER BY \(test)\(one), \(column)\(other), id LIMIT 9",
      "SELECT id FROM child WHERE amount <> \(n) ORDER BY \(test)\(one), \(column)\(other), id DESC LIMIT 5",
      "SELECT id FROM child WHERE NOT (\(column) \(operation) \(n)) AND stamp < \(m)9",
      "SELECT id FROM parent WHERE NOT rank <> \(n)", "SELECT id FROM child WHERE \(n) - amount \(operation) \(m)",
      "SELECT id FROM child WHERE \(n) - stamp BETWEEN -\(m) AND \(n)",
      "SELECT id FROM parent WHERE julianday('2024-01-1\(n)') - julianday(at) \(operation) \(m)",
      "SELECT id FROM parent WHERE julianday(at) + \(n) \(operation) julianday('2024-01-1\(m)')",
    ])
  }

  /// A statement with a filter that its first parameter turns off.
  static func switched(_ n: String, _ random: inout SeededGenerator) -> String {
    let filter = random.element(of: [
      "(?1 IS NULL OR parent = ?1)", "(kind = ?1 OR ?1 IS NULL)", "parent = coalesce(?1, parent)",
      "amount IS ifnull(?1, amount)", "(?1 = \(n) OR parent = ?2)", "(?1 OR kind = ?2 OR parent = ?2)",
      "(?1 = '' OR kind LIKE ?1)",
    ])
    let others = random.element(of: [
      "", " AND amount <> \(n)", " AND (?1 IS NULL OR stamp = ?1)", " AND parent2 IS NOT NULL",
    ])
    let rows = "FROM child WHERE \(filter)\(others)"
    return random.element(of: [
      "SELECT id, kind, amount \(rows)", "SELECT * \(rows) ORDER BY amount, id DESC",
      "SELECT id \(rows) ORDER BY stamp, kind, id",
      "SELECT count(*) \(rows)", "SELECT max(amount), count(parent2) \(rows)",
      // Under NOCASE, SQLite may return either of two equal spellings.
      "SELECT DISTINCT kind COLLATE BINARY AS kind, amount \(rows)",
      "SELECT min(kind COLLATE BINARY) AS first, count(*) AS n \(rows) GROUP BY kind ORDER BY n",
      "SELECT id, stamp \(rows) ORDER BY id LIMIT 7",
      "SELECT id, row_number() OVER (ORDER BY amount, id) AS place \(rows)",
    ])
  }
}
