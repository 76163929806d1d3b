extension Corpus {
  /// Items with tags and dates, analyzed; one expression index and one partial index that statements miss by a hair.
  static let items = CorpusSchema(
    name: "items", script: itemsScript, statements: itemsStatements,
    superfluousIndexes: [.duplicate("item_category", "item_category_copy")])

  private static let itemsScript = """
    CREATE TABLE category (id INTEGER PRIMARY KEY, name TEXT NOT NULL, position INTEGER NOT NULL);
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE item (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, status TEXT NOT NULL, categoryID INTEGER NOT NULL,
        isDone INTEGER NOT NULL,
      price REAL NOT NULL, quantity INTEGER NOT NULL, createdAt REAL NOT NULL, dueAt REAL, details TEXT NOT NULL);
    CREATE TABLE itemTag (itemID INTEGER NOT NULL, tagID INTEGER NOT NULL, PRIMARY KEY (itemID, tagID)) WITHOUT ROWID;
    CREATE INDEX item_category ON item (categoryID);
    CREATE INDEX item_category_copy ON item (categoryID);
    CREATE INDEX item_total ON item (price * quantity);
    CREATE INDEX item_blocked ON item (createdAt) WHERE status = 'blocked';

    INSERT INTO category SELECT i, title(1, i, 1), i FROM numbers WHERE i <= 30;
    INSERT INTO tag SELECT i, word(i) FROM numbers WHERE i <= 400;
    INSERT INTO item
    SELECT i, title(2, i, 3), CASE WHEN chance(3, i) < 0.5 THEN 'active' WHEN chance(3, i) < 0.97 THEN 'done'
      WHEN chance(3, i) < 0.99 THEN 'blocked' ELSE 'failed' END,
      skewed(4, i, 30), chance(5, i) < 0.5, pick(6, i, 100000) / 100.0, skewed(7, i, 50), 1600000000 + i * 2500.5,
      iif(chance(8, i) < 0.4, 1600000000 + pick(9, i, 90000000), NULL), prose(10, i, pick(11, i, 300))
    FROM numbers WHERE i <= 36000;
    INSERT OR IGNORE INTO itemTag SELECT pick(12, i, 36000), skewed(13, i, 400) FROM numbers WHERE i <= 90000;
    ANALYZE;
    """

  private static let itemsStatements: [CorpusStatement] = [
    .fine(
      "items-19",
      """
      SELECT COUNT(*), AVG(price), SUM(quantity), MIN(createdAt), MAX(dueAt), MAX(length(details)), COUNT(title)
      FROM item
      """,
      because: "a report over all rows and most columns"),
    .slow(
      "items-01", "SELECT * FROM item WHERE createdAt >= ? AND createdAt <= ? ORDER BY createdAt DESC",
      [1_650_000_000.0, 1_651_000_000.0], is: [.fullScan, .sortWithoutIndex], best: .index("item (createdAt)"),
      because: "a range of dates in order: the report's first step"),
    .slow(
      "items-02",
      """
      SELECT id, title FROM item WHERE status = 'failed' AND createdAt >= ? ORDER BY createdAt DESC LIMIT 100
      """,
      [1_600_000_000.0], is: [.fullScan, .sortWithoutIndex], best: .index("item (status, createdAt)"),
      or: [.index("item (createdAt) WHERE status = 'failed'")],
      because: "equality first, then range and order"),
    .slow(
      "items-03", "SELECT id, title, price FROM item WHERE price > ? ORDER BY createdAt DESC LIMIT 20", [400.0],
      is: [.sortWithoutIndex, .fullScan], best: .index("item (createdAt)"), or: [.index("item (createdAt, price)")],
      because: "60 % pass the filter, so the order's index ends after 33 rows; one on the price would still sort"),
    .slow(
      "items-04", "SELECT id, title, price FROM item WHERE price > ? ORDER BY dueAt DESC LIMIT 20", [998.0],
      is: [.fullScan, .sortWithoutIndex], best: .index("item (price)"),
      because: "0.2 % pass: here the filter's index is best, and sorting 70 rows costs nothing"),
    .slow(
      "items-05", "SELECT id, status FROM item WHERE lower(title) = lower(?)", ["thaso nofo cequifo"],
      is: [.functionOnColumn, .expressionIndex, .caseInsensitiveWithoutIndex, .fullScan],
      best: .index("item (lower(title))"), because: "an index on the expression as it is written"),
    .slow(
      "items-06", "SELECT id, status FROM item WHERE title = ? COLLATE NOCASE", ["THASO nofo cequifo"], sampled: true,
      is: [.caseInsensitiveWithoutIndex, .fullScan], best: .index("item (title COLLATE NOCASE)"),
      because: "the index must have the comparison's collation"),
    .slow(
      "items-07",
      """
      SELECT "id", "title", "createdAt" FROM "item" WHERE "status" IN (?, ?) ORDER BY "createdAt" DESC LIMIT 50
      """,
      ["active", "blocked"], is: [.sortWithoutIndex, .fullScan], best: .index("item (createdAt)"),
      or: [.index("item (createdAt, status)")],
      because: "after IN an index gives no order, and half of the rows match: walk the dates"),
    .slow(
      "items-08", "SELECT id FROM item WHERE date(createdAt, 'unixepoch') = ?", ["2021-06-15"],
      is: [.functionOnColumn, .expressionIndex, .fullScan],
      best: .rewrite(
        """
        SELECT id FROM item WHERE createdAt >= CAST(strftime('%s', ?1) AS INTEGER)
        AND createdAt < CAST(strftime('%s', ?1, '+1 day') AS INTEGER)
        """,
        with: "item (createdAt)"),
      or: [.index("item (date(createdAt, 'unixepoch'))")],
      because: "a day is a range of the column"),
    .slow(
      "items-09",
      """
      SELECT DISTINCT item.id, item.title FROM item JOIN itemTag ON itemTag.itemID = item.id
        WHERE itemTag.tagID IN (?, ?)
      """,
      [300, 333], is: [.fullScan], best: .index("itemTag (tagID)"), or: [.index("itemTag (tagID, itemID)")],
      because: "the primary key begins with the item"),
    .slow(
      "items-10", "SELECT id, title, createdAt FROM item ORDER BY createdAt DESC, id DESC LIMIT 100 OFFSET 30000",
      is: [.largeOffset, .sortWithoutIndex],
      best: .keyset(
        """
        SELECT id, title, createdAt FROM item WHERE (createdAt, id) < (?, ?) ORDER BY createdAt DESC, id DESC LIMIT 100
        """,
        [1_615_005_500.5, 6001], with: "item (createdAt)"),
      because: "without an index every page sorts everything; with one the offset still steps over 30,000"),
    .fine(
      "items-11", "SELECT categoryID, COUNT(*) FROM item GROUP BY categoryID", because: "covered by the index, in order"
    ),
    .fine("items-12", "SELECT * FROM category ORDER BY position", because: "30 rows"),
    .fine(
      "items-13", "SELECT * FROM item WHERE isDone = 0", because: "half of the rows, all columns: the scan is best"),
    .slow(
      "items-14", "SELECT id, title FROM item WHERE quantity * price > ?", [49_000.0],
      is: [.expressionIndex, .functionOnColumn, .fullScan],
      best: .rewrite("SELECT id, title FROM item WHERE price * quantity > ?"),
      or: [.index("item (quantity * price)")],
      because: "the existing index is on price * quantity: the order of the factors must be the same"),
    .slow(
      "items-15", "SELECT id, title FROM item WHERE status LIKE 'blocked' ORDER BY createdAt",
      is: [.partialIndex, .patternWithoutIndex, .fullScan, .sortWithoutIndex],
      best: .index("item (createdAt) WHERE status LIKE 'blocked'"),
      or: [.index("item (status COLLATE NOCASE)"), .index("item (status COLLATE NOCASE, createdAt)")],
      because: "LIKE folds case, so it implies no equality and the partial index on 'blocked' can't be used"),
    .slow(
      "items-16",
      "SELECT id, title, dueAt FROM item WHERE isDone = 0 ORDER BY dueAt IS NULL, dueAt, id LIMIT 25",
      is: [.sortWithoutIndex, .expressionIndex], best: .index("item (isDone, dueAt IS NULL, dueAt, id)"),
      or: [.index("item (dueAt IS NULL, dueAt)")],
      because: "NULLs last is an expression, which an index can hold"),
    .fine(
      "items-17",
      """
      SELECT item.* FROM item WHERE item.id IN (SELECT itemTag.itemID FROM itemTag \
      WHERE itemTag.itemID BETWEEN ? AND ?)
      """,
      [500, 510], because: "both sides by primary key"),
    .slow(
      "items-18", "SELECT COUNT(*) FROM item WHERE status = ?", ["blocked"], is: [.fullScan, .wideRowsForCount],
      best: .index("item (status)"), because: "2 % of the rows; a covering index counts them without reading any"),
    .slow(
      "items-20", "SELECT DISTINCT status FROM item", is: [.distinctWithoutIndex, .indexNotCovering, .fullScan],
      best: .index("item (status)"), because: "four values, read from an index a twentieth of the table"),
  ]
}
