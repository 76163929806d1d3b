extension Corpus {
  /// A mail client: 20 MB, single-column indexes only, not analyzed.
  static let mail = CorpusSchema(name: "mail", script: mailScript, statements: mailStatements)

  private static let mailScript = """
    CREATE TABLE account (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE mailbox (id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, name TEXT NOT NULL);
    CREATE TABLE address (id INTEGER PRIMARY KEY, address TEXT NOT NULL, display_name TEXT);
    CREATE TABLE message (
      id INTEGER PRIMARY KEY, mailbox_id INTEGER NOT NULL, thread_id INTEGER NOT NULL, message_id TEXT NOT NULL,
      sender TEXT NOT NULL, subject TEXT NOT NULL, date_received INTEGER NOT NULL, size INTEGER NOT NULL,
      flags INTEGER NOT NULL, read INTEGER NOT NULL, snippet TEXT NOT NULL);
    CREATE TABLE recipient (message INTEGER NOT NULL, address_id INTEGER NOT NULL, kind INTEGER NOT NULL);
    CREATE TABLE attachment (id INTEGER PRIMARY KEY, message INTEGER NOT NULL, name TEXT NOT NULL,
      bytes INTEGER NOT NULL);
    CREATE INDEX message_mailbox ON message (mailbox_id);
    CREATE INDEX message_date ON message (date_received);
    CREATE INDEX message_thread ON message (thread_id);
    CREATE INDEX recipient_message ON recipient (message);

    INSERT INTO account VALUES (1, 'Work'), (2, 'Home'), (3, 'List');
    INSERT INTO mailbox SELECT i, 1 + i % 3, title(1, i, 1) FROM numbers WHERE i <= 60;
    INSERT INTO address SELECT i, word(i) || '@' || word(i % 50) || '.net', title(2, i, 2) FROM numbers WHERE i <= 4000;
    INSERT INTO message
    SELECT i, skewed(3, i, 60), 1 + (i * 7 + pick(4, i, 40)) / 25, printf('<%x.%x@host>', i * 7919, i),
      word(skewed(5, i, 4000)) || '@mail.net', CASE pick(6, i, 3) WHEN 1 THEN 'Re: ' ELSE '' END || title(7, i, 4),
      1550000000 + i * 4000 + pick(8, i, 4000), 500 + skewed(9, i, 5000000),
      iif(chance(10, i) < 0.01, 4, 0) + pick(11, i, 2), chance(12, i) < 0.95, prose(13, i, 150 + pick(14, i, 250))
    FROM numbers WHERE i <= 32000;
    INSERT INTO recipient SELECT pick(15, i, 32000), skewed(16, i, 4000), pick(17, i, 3) FROM numbers WHERE i <= 75000;
    INSERT INTO attachment SELECT i, pick(18, i, 32000), word(i) || '.pdf', skewed(19, i, 9000000)
    FROM numbers WHERE i <= 9000;
    """

  private static let mailStatements: [CorpusStatement] = [
    .fine("mail-19", "SELECT id, subject, snippet, sender, size FROM message WHERE read = 1", because: "95 % match"),
    .slow(
      "mail-01",
      """
      SELECT id, subject, sender, date_received FROM message WHERE mailbox_id = ? \
      ORDER BY date_received DESC LIMIT 50
      """,
      [1], [40], is: [.sortWithoutIndex], best: .index("message (mailbox_id, date_received)"),
      because: "one of the two single-column indexes is used, and either leaves most of the work"),
    .slow(
      "mail-02", "SELECT mailbox_id, COUNT(*) FROM message WHERE read = 0 GROUP BY mailbox_id",
      is: [.groupWithoutIndex, .partialIndex, .indexNotCovering, .fullScan, .wideRowsForCount],
      best: .index("message (mailbox_id) WHERE read = 0"),
      or: [.index("message (read, mailbox_id)"), .index("message (mailbox_id, read)")],
      because: "5 % are unread; the counts need nothing but an index"),
    .fine(
      "mail-03", "SELECT * FROM message WHERE thread_id = ? ORDER BY date_received", [800], sampled: true,
      because: "a thread has four messages, found by index"),
    .slow(
      "mail-04", "SELECT id, sender FROM message WHERE sender LIKE ?", ["bratre%"],
      is: [.patternWithoutIndex, .caseInsensitiveWithoutIndex, .fullScan],
      best: .index("message (sender COLLATE NOCASE)"), because: "a prefix search with SQLite's own LIKE folds case"),
    .slow(
      "mail-05", "SELECT id, date_received FROM message WHERE subject GLOB 'Bagu*'",
      is: [.patternWithoutIndex, .fullScan], best: .index("message (subject)"),
      because: "GLOB is exact: here a BINARY index serves, and a NOCASE one would not"),
    .slow(
      "mail-06",
      """
      SELECT m.id, m.subject FROM message m JOIN recipient r ON r.message = m.id JOIN address a ON a.id = r.address_id
      WHERE a.address = ? ORDER BY m.date_received DESC LIMIT 20
      """,
      ["cledidi@cece.net"], is: [.fullScan, .automaticIndex, .sortWithoutIndex],
      best: .index("address (address)", "recipient (address_id, message)"),
      or: [.index("address (address)", "recipient (address_id)")],
      because: "from the address to its messages no index leads"),
    .slow(
      "mail-07", "SELECT id, subject FROM message WHERE flags & 4 ORDER BY date_received DESC LIMIT 50",
      is: [.partialIndex, .expressionIndex, .functionOnColumn, .fullScan],
      best: .index("message (date_received) WHERE flags & 4"),
      because: "1 % have the bit: only a partial index knows it, and it holds the order as well"),
    .fine(
      "mail-08", "SELECT * FROM message WHERE date_received > ? ORDER BY date_received DESC", [1_677_500_000],
      because: "range and order from the index, few rows"),
    .slow(
      "mail-09", "SELECT id, subject FROM message WHERE message_id = ?1 OR sender = ?2",
      ["<f1ab30.7d0@host>", "sori@mail.net"], is: [.orWithoutIndex, .fullScan],
      best: .index("message (message_id)", "message (sender)"), because: "an index for each side"),
    .slow(
      "mail-10", "DELETE FROM message WHERE mailbox_id = ? AND date_received < ?", [1, 1_550_400_000],
      is: [.indexNotCovering, .fullScan], best: .index("message (mailbox_id, date_received)"),
      because: "each single-column index finds thousands of rows too many"),
    .slow(
      "mail-11", "SELECT COUNT(*) FROM attachment WHERE message = ?", [17], sampled: true,
      is: [.fullScan, .wideRowsForCount],
      best: .index("attachment (message)"), because: "a child table without an index on its parent"),
    .slow(
      "mail-12", "SELECT sender, COUNT(*) AS n FROM message GROUP BY sender ORDER BY n DESC LIMIT 10",
      is: [.groupWithoutIndex, .indexNotCovering], best: .index("message (sender)"),
      because: "grouped by walking an index, without reading the messages"),
    .slow(
      "mail-13", "SELECT id FROM message WHERE message_id = ?", ["<16a80c8.bb8@host>"], sampled: true, is: [.fullScan],
      best: .index("message (message_id)"), because: "looking up a reply's parent reads all messages"),
    .slow(
      "mail-14",
      """
      SELECT id, thread_id, ROW_NUMBER() OVER (PARTITION BY thread_id ORDER BY date_received DESC) AS position
      FROM message WHERE mailbox_id = ?
      """,
      [1], is: [.sortWithoutIndex, .indexNotCovering],
      best: .index("message (mailbox_id, thread_id, date_received DESC)"),
      because: "partition and order come from a covering index"),
    .slow(
      "mail-15",
      """
      SELECT a.id FROM address a WHERE a.id > ? AND NOT EXISTS (SELECT 1 FROM recipient r WHERE r.address_id = a.id)
      """,
      [3900], is: [.subqueryPerRow, .fullScan], best: .index("recipient (address_id)"),
      because: "the recipients are scanned for each address"),
    .fine("mail-16", "SELECT name FROM mailbox WHERE account_id = ? ORDER BY name", [2], because: "60 rows"),
    .fine("mail-17", "UPDATE message SET read = 1, flags = flags | 1 WHERE id = ?", [400], because: "by rowid"),
    .fine(
      "mail-18", "SELECT r.kind, a.address FROM recipient r JOIN address a ON a.id = r.address_id WHERE r.message = ?",
      [77], because: "index, then rowid"),
    .slow(
      "mail-20", "SELECT DISTINCT thread_id FROM message WHERE mailbox_id = ?", [2],
      is: [.distinctWithoutIndex, .indexNotCovering], best: .index("message (mailbox_id, thread_id)"),
      because: "a covering index gives the threads in order"),
    .slow(
      "mail-21",
      "SELECT thread_id, MAX(date_received) AS last FROM message GROUP BY thread_id HAVING MAX(date_received) >= ?",
      [1_677_500_000], is: [.groupWithoutIndex, .indexNotCovering, .fullScan],
      best: .rewrite(
        "SELECT thread_id, MAX(date_received) AS last FROM message WHERE date_received >= ? GROUP BY +thread_id"),
      because: "threads with new messages: the index of the date finds these, that of the threads finds all"),
  ]
}
