extension Corpus {
  /// A shop: customers, orders, lines, stock and an import log with keys as text; analyzed.
  static let commerce = CorpusSchema(
    name: "commerce", script: commerceScript, statements: commerceStatements,
    superfluousIndexes: [.redundant("order_line_order")])

  private static let commerceScript = """
    CREATE TABLE customer (
      id INTEGER PRIMARY KEY, email TEXT NOT NULL, name TEXT NOT NULL, country TEXT NOT NULL, city TEXT NOT NULL,
      joined TEXT NOT NULL, notes TEXT);
    CREATE TABLE product (
      id INTEGER PRIMARY KEY, sku TEXT NOT NULL UNIQUE, name TEXT NOT NULL, category_id INTEGER NOT NULL,
        price REAL NOT NULL,
      description TEXT NOT NULL);
    CREATE TABLE orders (
      id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (id), status TEXT NOT NULL,
      currency TEXT NOT NULL, country TEXT NOT NULL, placed_at TEXT NOT NULL, total REAL NOT NULL, tax REAL NOT NULL,
      shipping REAL NOT NULL, address TEXT NOT NULL);
    CREATE TABLE order_line (
      id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id), line_no INTEGER NOT NULL,
      product_id INTEGER NOT NULL REFERENCES product (id), quantity INTEGER NOT NULL, price REAL NOT NULL);
    CREATE TABLE stock (
      product_id INTEGER NOT NULL, warehouse TEXT NOT NULL, quantity INTEGER NOT NULL, reorder_level INTEGER NOT NULL,
      PRIMARY KEY (product_id, warehouse)) WITHOUT ROWID;
    CREATE TABLE payment (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, amount REAL NOT NULL,
      method TEXT NOT NULL);
    CREATE TABLE ticket (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, opened TEXT NOT NULL,
      subject TEXT NOT NULL);
    CREATE TABLE import_log (id INTEGER PRIMARY KEY, order_ref TEXT NOT NULL, file TEXT NOT NULL,
      line INTEGER NOT NULL);
    CREATE TABLE order_archive (id INTEGER PRIMARY KEY, customer_id INTEGER, placed_at TEXT, total REAL);
    CREATE TABLE tax_rate (country TEXT PRIMARY KEY, rate REAL NOT NULL);
    CREATE INDEX customer_email_nocase ON customer (email COLLATE NOCASE);
    CREATE INDEX orders_customer ON orders (customer_id);
    CREATE INDEX orders_status ON orders (status);
    CREATE INDEX order_line_order ON order_line (order_id);
    CREATE INDEX order_line_order_no ON order_line (order_id, line_no);
    CREATE INDEX ticket_customer ON ticket (customer_id);
    CREATE INDEX import_log_ref ON import_log (order_ref);

    INSERT INTO customer
    SELECT i, word(i) || '@example.com', title(1, i, 2), CASE WHEN chance(2, i) < 0.6 THEN 'DE' WHEN chance(2,
      i) < 0.8 THEN 'AT'
      ELSE upper(substr(word(skewed(3, i, 30)), 1, 2)) END, title(4, skewed(5, i, 500), 1),
        date(1500000000 + i * 15000, 'unixepoch'),
      iif(chance(6, i) < 0.3, prose(7, i, pick(8, i, 300)), NULL)
    FROM numbers WHERE i <= 9000;
    INSERT INTO product
    SELECT i, printf('%s-%05d', upper(substr(word(i % 90), 1, 3)), i), title(9, i, 3), skewed(10, i, 60), pick(11,
      i, 50000) / 100.0,
      prose(12, i, 300 + pick(13, i, 500))
    FROM numbers WHERE i <= 2500;
    INSERT INTO orders
    SELECT i, iif(i % 12 = 0, 5, pick(14, i, 9000)), CASE WHEN chance(15, i) < 0.93 THEN 'delivered' WHEN chance(15,
      i) < 0.985
      THEN 'returned' WHEN chance(15, i) < 0.995 THEN 'open' ELSE 'failed' END,
      iif(chance(16, i) < 0.8, 'EUR', 'CHF'), iif(chance(16, i) < 0.8, iif(chance(17, i) < 0.7, 'DE', 'AT'), 'CH'),
      datetime(1560000000 + i * 2700, 'unixepoch'), pick(18, i, 60000) / 100.0, pick(19, i, 9000) / 100.0, 4.9,
        prose(20, i, 60 + pick(21, i, 60))
    FROM numbers WHERE i <= 48000;
    INSERT INTO order_line
    SELECT i, 1 + (i - 1) * 48000 / 120000, 1 + i % 5, skewed(22, i, 2400), min(9, skewed(23, i, 12)), pick(24, i,
      50000) / 100.0
    FROM numbers WHERE i <= 120000;
    INSERT INTO stock
    SELECT 1 + (i - 1) / 4, 'W' || (1 + i % 4), pick(25, i, 1000), pick(26, i, 40) FROM numbers WHERE i <= 10000;
    INSERT INTO payment
    SELECT i, i, pick(27, i, 60000) / 100.0, iif(i % 3 = 0, 'card', 'transfer') FROM numbers WHERE i <= 48000
      AND chance(28, i) < 0.985;
    INSERT INTO ticket
    SELECT i, iif(i <= 40, 5, pick(29, i, 9000)), datetime(1600000000 + i * 9000, 'unixepoch'), title(30, i, 4)
    FROM numbers WHERE i <= 6000;
    INSERT INTO import_log
    SELECT i, CAST(pick(31, i, 48000) AS TEXT), 'orders-' || (i / 500) || '.csv', i % 500 FROM numbers WHERE i <= 20000;
    INSERT INTO tax_rate SELECT upper(word(i)), 0.05 + i / 200.0 FROM numbers WHERE i <= 30;
    ANALYZE;
    """

  private static let commerceStatements: [CorpusStatement] = [
    .fine("commerce-21", "SELECT * FROM orders WHERE total > ?", [40.0], because: "93 % match"),
    .slow(
      "commerce-01",
      "SELECT id, placed_at, total FROM orders WHERE customer_id = ? ORDER BY placed_at DESC LIMIT 10", [5], [800],
      is: [.sortWithoutIndex], best: .index("orders (customer_id, placed_at)"),
      because: "one customer has 4,000 orders, all sorted for the last ten"),
    .fine(
      "commerce-02", "SELECT * FROM orders WHERE status = ?", ["failed"],
      because: "the index finds the 0.5 %"),
    .fine(
      "commerce-03",
      """
      SELECT COUNT(*), SUM(total), SUM(tax), SUM(shipping), AVG(total), MIN(placed_at),
        MAX(placed_at), MAX(address)
      FROM orders WHERE total >= 0
      """,
      because: "a report over all rows and most columns"),
    .slow(
      "commerce-04",
      """
      SELECT date(placed_at) AS day, SUM(total) FROM orders WHERE placed_at >= ? AND placed_at < ? GROUP BY day
      """,
      ["2021-03-01", "2021-04-01"], is: [.fullScan, .groupWithoutIndex, .indexNotCovering],
      best: .index("orders (placed_at, total)"), or: [.index("orders (placed_at)")],
      because: "a month of four years"),
    .slow(
      "commerce-05",
      """
      SELECT o.id, l.file FROM orders o JOIN import_log l ON l.order_ref = o.id WHERE o.status = 'failed'
      """,
      is: [.typeMismatch, .automaticIndex, .fullScan],
      best: .rewrite(
        """
        SELECT o.id, l.file FROM orders o JOIN import_log l ON l.order_ref = CAST(o.id AS TEXT) \
        WHERE o.status = 'failed'
        """
      ),
      because: "text compared with an integer is compared as numbers, which the index on the text can't serve"),
    .slow(
      "commerce-06", "SELECT id, name FROM product WHERE id NOT IN (SELECT product_id FROM order_line)",
      is: [.indexNotCovering, .fullScan, .automaticIndex], best: .index("order_line (product_id)"),
      because: "120,000 lines are put into a temporary set; an index is that set"),
    .slow(
      "commerce-07",
      """
      SELECT c.id, c.name, SUM(o.total) AS revenue, COUNT(t.id) AS tickets FROM customer c
      LEFT JOIN orders o ON o.customer_id = c.id LEFT JOIN ticket t ON t.customer_id = c.id
      WHERE c.id = ? GROUP BY c.id
      """,
      [5], is: [.multipliedAggregate],
      best: .correct(
        """
        SELECT c.id, c.name, (SELECT SUM(total) FROM orders WHERE customer_id = c.id) AS revenue,
        (SELECT COUNT(*) FROM ticket WHERE customer_id = c.id) AS tickets FROM customer c WHERE c.id = ?
        """),
      because: "each order is summed once for each of 41 tickets"),
    .slow(
      "commerce-08", "SELECT id, name FROM customer WHERE lower(name) = ?", ["stazulo hano"],
      is: [.functionOnColumn, .expressionIndex, .caseInsensitiveWithoutIndex, .fullScan],
      best: .index("customer (lower(name))"), because: "an index on the expression"),
    .slow(
      "commerce-09", "SELECT id, name FROM customer WHERE email = ?", ["sotufo@example.com"], sampled: true,
      is: [.fullScan, .caseInsensitiveWithoutIndex],
      best: .index("customer (email)"), because: "the only index on the address is NOCASE, the comparison is BINARY"),
    .slow(
      "commerce-10", "SELECT product_id, warehouse FROM stock WHERE quantity < reorder_level",
      is: [.partialIndex, .fullScan], best: .index("stock (product_id, warehouse) WHERE quantity < reorder_level"),
      or: [.index("stock (warehouse) WHERE quantity < reorder_level")],
      because: "two columns compared: only a partial index with this condition knows the 2 %"),
    .slow(
      "commerce-11", "SELECT sku, name FROM product WHERE substr(sku, 1, 3) = ?", ["BAX"],
      is: [.functionOnColumn, .expressionIndex, .fullScan], best: .index("product (substr(sku, 1, 3))"),
      or: [
        .rewrite(
          "SELECT sku, name FROM product WHERE sku >= ?1 AND sku < ?1 || char(1114111) AND substr(sku, 1, 3) = ?1")
      ],
      because: "the beginning of an indexed text hidden in a function"),
    .fine(
      "commerce-12", "SELECT line_no, product_id, quantity FROM order_line WHERE order_id = ? ORDER BY line_no",
      [20_000],
      because: "an order's lines, in order of an index"),
    .slow(
      "commerce-13",
      """
      SELECT o.id FROM orders o LEFT JOIN payment p ON p.order_id = o.id WHERE p.id IS NULL AND o.status = 'delivered'
      AND o.id > ?
      """,
      [40_000], is: [.automaticIndex, .fullScan], best: .index("payment (order_id)"),
      because: "the payments are indexed anew at each execution"),
    .slow(
      "commerce-14",
      """
      INSERT INTO order_archive (id, customer_id, placed_at, total)
      SELECT id, customer_id, placed_at, total FROM orders WHERE placed_at < ? AND status = 'delivered'
      """,
      ["2019-06-10"], is: [.fullScan, .indexNotCovering], best: .index("orders (status, placed_at)"),
      because: "the index on the status finds 93 % and would be preferred to one on the date alone"),
    .fine(
      "commerce-15", "UPDATE stock SET quantity = quantity - ? WHERE product_id = ? AND warehouse = ?", [1, 77, "W2"],
      because: "primary key"),
    .fine("commerce-16", "SELECT rate FROM tax_rate WHERE rate > ?", [0.1], because: "30 rows"),
    .slow(
      "commerce-17",
      """
      SELECT id, total, placed_at FROM orders WHERE currency = 'CHF' AND country = 'CH' AND total > ?
      """,
      [595.0], is: [.fullScan], best: .index("orders (country, total)"),
      or: [.index("orders (currency, total)"), .index("orders (currency, country, total)")],
      because: "currency and country go together: one of them and the total are enough"),
    .slow(
      "commerce-18",
      """
      SELECT product_id, SUM(quantity * price) AS revenue FROM order_line GROUP BY product_id
        ORDER BY revenue DESC LIMIT 10
      """,
      is: [.groupWithoutIndex, .indexNotCovering], best: .index("order_line (product_id, quantity, price)"),
      because: "all lines count: grouped by walking a covering index"),
    .slow(
      "commerce-19",
      "SELECT COUNT(*) FROM orders WHERE status IN ('open', 'failed') AND placed_at >= ?", ["2022-01-01"],
      is: [.indexNotCovering, .wideRowsForCount], best: .index("orders (status, placed_at)"),
      because: "both conditions are answered within the index"),
    .fine(
      "commerce-20",
      """
      SELECT o.id, c.name FROM orders o INNER JOIN customer c ON c.id = o.customer_id WHERE o.id BETWEEN ?1 AND ?2
      """,
      [20_000, 20_020], because: "primary keys on both sides"),
    .slow(
      "commerce-22", "SELECT id, file, line FROM import_log WHERE CAST(order_ref AS INTEGER) = :order", [31_007],
      is: [.typeMismatch, .functionOnColumn, .expressionIndex, .fullScan],
      best: .rewrite("SELECT id, file, line FROM import_log WHERE order_ref = CAST(:order AS TEXT)"),
      or: [.index("import_log (CAST(order_ref AS INTEGER))")],
      because: "converting the value leaves the column to its index"),
    .slow(
      "commerce-23",
      """
      SELECT o.id FROM orders o WHERE o.status = 'failed'
      AND NOT EXISTS (SELECT 1 FROM import_log l WHERE l.order_ref = o.id)
      """,
      is: [.typeMismatch, .subqueryPerRow, .fullScan],
      best: .rewrite(
        """
        SELECT o.id FROM orders o WHERE o.status = 'failed'
        AND NOT EXISTS (SELECT 1 FROM import_log l WHERE l.order_ref = CAST(o.id AS TEXT))
        """),
      because: "an integer on the other side keeps the index on the text from being used, for each order"),
  ]
}
