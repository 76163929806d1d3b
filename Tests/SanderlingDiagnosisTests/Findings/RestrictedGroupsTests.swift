import Testing

@testable import SanderlingDiagnosis

/// Subqueries and views that group all rows, although the statement reads few groups.
@Suite struct RestrictedGroupsTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, code TEXT COLLATE NOCASE);
      CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER, status TEXT, placed INTEGER, folded TEXT COLLATE NOCASE);
      CREATE TABLE line ("order" INTEGER, number INTEGER, price REAL, PRIMARY KEY ("order", number));
      CREATE INDEX orders_on_customer ON orders (customer); CREATE INDEX orders_on_status ON orders (status);
      CREATE VIEW totals AS
        SELECT o.id, o.customer, o.placed, sum(l.price) AS amount FROM orders o JOIN line l ON l."order" = o.id GROUP BY o.id;
      CREATE VIEW latest AS SELECT o.*, row_number() OVER (PARTITION BY customer ORDER BY placed DESC) AS place FROM orders o;
      \(DetectorFixture.numbers(400)) INSERT INTO customer SELECT i, 'n' || i, nullif('c' || (i % 40), 'c7'), 'C' || (i % 9) FROM n;
      \(DetectorFixture.numbers(3_000)) INSERT INTO orders
        SELECT i, nullif(i * 7919 % 400, 3), CASE i % 100 WHEN 0 THEN 'held' WHEN 1 THEN NULL ELSE 'done' END, i % 700, 'F' || (i % 5) FROM n;
      INSERT INTO line SELECT id, 1, id % 13 FROM orders; INSERT INTO line SELECT id, 2, id % 7 FROM orders WHERE id % 3 = 0;
      """, showsValues: true)
  }

  @Test(arguments: [
    // A condition on a column that is equal for all rows of a group.
    "SELECT * FROM totals WHERE customer = 17 ORDER BY placed",
    "SELECT t.id, t.amount FROM totals AS t WHERE (t.placed = 5 OR t.customer = 9) AND t.amount > 3",
    // A join with another table whose rows are filtered.
    "SELECT o.id, t.amount FROM orders o JOIN (SELECT \"order\", sum(price) AS amount FROM line GROUP BY \"order\") t ON t.\"order\" = o.id WHERE o.status = 'held'",
    "SELECT o.id, t.amount FROM orders o LEFT JOIN (SELECT \"order\", count(*) AS amount FROM line GROUP BY 1) t ON t.\"order\" = o.id WHERE o.customer = 8",
    "SELECT t.id, c.name FROM totals t JOIN customer c ON c.id = t.customer WHERE c.name = 'n31'",
    """
    WITH s AS (SELECT customer, max(placed) AS last FROM orders WHERE status = 'done' GROUP BY customer)
    SELECT c.name, s.last FROM s JOIN customer c ON c.id = s.customer WHERE c.city = 'c5'
    """,
    // Rows that are numbered within groups.
    "SELECT c.name, l.placed FROM customer c JOIN latest l ON l.customer = c.id AND l.place = 1 WHERE c.city = 'c5'",
  ])
  func filterMovesIntoTheGroups(sql: String) throws {
    let finding = try #require(try fixture.findings(RestrictedGroupsDetector(), sql).first)
    #expect(finding.kind == .groupWithoutIndex && finding.isProven)
    let fix = try #require(finding.fix?.sql.last)
    let (before, after) = (try fixture.context.rows(sql), try fixture.context.rows(fix))
    #expect(Set(before) == Set(after) && before.count == after.count && !before.isEmpty)
  }

  @Test(arguments: [
    // SQLite itself pushes this condition down.
    "SELECT * FROM totals WHERE id = 17",
    // The column may differ among the rows of a group.
    "SELECT s.n FROM (SELECT customer, placed, count(*) AS n FROM orders GROUP BY customer) s WHERE s.placed = 3",
    "SELECT s.n FROM (SELECT customer, count(*) AS n FROM orders GROUP BY customer) s WHERE s.n = 3",
    // The restriction to 'f1' would lose the rows with 'F1', which are in the same group.
    "SELECT s.n FROM (SELECT folded, count(*) AS n FROM orders GROUP BY folded) s JOIN customer c ON c.name = s.folded WHERE c.city = 'c5'",
    // LIMIT keeps some rows only, and the outer join needs all groups.
    "SELECT s.n FROM (SELECT customer, count(*) AS n FROM orders GROUP BY customer LIMIT 20) s JOIN customer c ON c.id = s.customer WHERE c.city = 'c5'",
    "SELECT s.n, c.name FROM (SELECT customer, count(*) AS n FROM orders GROUP BY customer) s LEFT JOIN customer c ON c.id = s.customer AND c.city = 'c5'",
    // The other table has no filter.
    "SELECT c.name, s.n FROM customer c JOIN (SELECT customer, count(*) AS n FROM orders GROUP BY customer) s ON s.customer = c.id",
    // The window covers all rows.
    "SELECT r.id FROM (SELECT id, customer, rank() OVER (ORDER BY placed) AS place FROM orders) r JOIN customer c ON c.id = r.customer WHERE c.city = 'c5'",
  ])
  func otherQuestions(sql: String) throws {
    #expect(try fixture.findings(RestrictedGroupsDetector(), sql).isEmpty)
  }
}
