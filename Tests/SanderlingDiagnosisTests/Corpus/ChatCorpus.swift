extension Corpus {
  /// A chat whose statistics are of its first days: the index on the kind of a message looks selective, one table
  /// empty.
  static let chat = CorpusSchema(
    name: "chat", script: chatScript, statements: chatStatements,
    superfluousIndexes: [.duplicate("reaction_message", "reaction_message_copy")])

  private static let chatScript = """
    CREATE TABLE user (id INTEGER PRIMARY KEY, handle TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
      is_bot INTEGER NOT NULL);
    CREATE TABLE conversation (id INTEGER PRIMARY KEY, title TEXT, is_group INTEGER NOT NULL, updated INTEGER NOT NULL);
    CREATE TABLE participant (
      conversation_id INTEGER NOT NULL, user_id INTEGER NOT NULL, joined INTEGER NOT NULL, last_read INTEGER NOT NULL,
      PRIMARY KEY (conversation_id, user_id)) WITHOUT ROWID;
    CREATE TABLE message (
      id INTEGER PRIMARY KEY, conversation_id INTEGER NOT NULL, sender_id INTEGER NOT NULL, kind INTEGER NOT NULL,
      sent INTEGER NOT NULL, edited INTEGER, reply_to INTEGER, state INTEGER NOT NULL, text TEXT NOT NULL);
    CREATE TABLE reaction (id INTEGER PRIMARY KEY, message_id INTEGER NOT NULL, user_id INTEGER NOT NULL,
      emoji TEXT NOT NULL);
    CREATE TABLE receipt (message_id INTEGER NOT NULL, user_id INTEGER NOT NULL, at INTEGER NOT NULL);
    CREATE INDEX message_conversation ON message (conversation_id, sent);
    CREATE INDEX message_kind ON message (kind);
    CREATE INDEX message_sender ON message (sender_id);
    CREATE INDEX reaction_message ON reaction (message_id);
    CREATE INDEX reaction_message_copy ON reaction (message_id);
    CREATE INDEX receipt_message ON receipt (message_id, user_id);

    INSERT INTO user SELECT i, '@' || word(i), title(1, i, 2), chance(2, i) < 0.01 FROM numbers WHERE i <= 3000;
    INSERT INTO conversation
    SELECT i, iif(chance(3, i) < 0.4, title(4, i, 2), NULL), chance(3, i) < 0.4, 1650000000 + pick(5, i, 9000000)
    FROM numbers WHERE i <= 500;
    INSERT OR IGNORE INTO participant
    SELECT 1 + i % 500, pick(6, i, 3000), 1600000000 + i, pick(7, i, 90000) FROM numbers WHERE i <= 8000;
    INSERT INTO message
    SELECT i, skewed(8, i, 500), skewed(9, i, 3000), CASE WHEN chance(10, i) < 0.9 THEN 0 WHEN chance(10, i) < 0.999
      THEN 1 ELSE 2 END,
      1600000000 + i * 600, iif(chance(11, i) < 0.02, 1600000000 + i * 600 + 60, NULL),
      iif(chance(12, i) < 0.1 AND i > 100, i - pick(13, i, 99), NULL), iif(chance(14, i) < 0.003, pick(15, i, 2),
        0), prose(16, i, skewed(17, i, 600))
    FROM numbers WHERE i <= 90000;
    INSERT INTO reaction SELECT i, pick(18, i, 90000), skewed(19, i, 3000), char(128512 + skewed(20, i, 40))
      FROM numbers WHERE i <= 45000;
    INSERT INTO receipt SELECT pick(21, i, 90000), pick(22, i, 3000), 1600000000 + i * 500 FROM numbers
      WHERE i <= 100000;
    ANALYZE;
    UPDATE sqlite_stat1 SET stat = '200 2' WHERE idx = 'message_kind';
    UPDATE sqlite_stat1 SET stat = '200 90 1' WHERE idx = 'message_conversation';
    UPDATE sqlite_stat1 SET stat = '200 80' WHERE idx = 'message_sender';
    UPDATE sqlite_stat1 SET stat = '3 3' WHERE idx LIKE 'reaction_message%';
    """

  private static let chatStatements: [CorpusStatement] = [
    .fine(
      "chat-19", "SELECT id, kind, sent, text FROM message WHERE kind <> 2", because: "all but 78 of 90,000 match"),
    .slow(
      "chat-01",
      """
      SELECT id, sender_id, sent, text FROM message WHERE conversation_id = ? AND kind = 0 \
      ORDER BY sent DESC LIMIT 40
      """,
      [3], [250], is: [.staleStatistics, .harmfulIndex, .sortWithoutIndex], best: .change("ANALYZE"),
      or: [.change("DROP INDEX message_kind"), .index("message (conversation_id, kind, sent)")],
      because: "statistics say that a kind has two messages; it has 81,000"),
    .slow(
      "chat-02", "SELECT id, text FROM message WHERE sender_id = ? AND kind = 0 ORDER BY id DESC LIMIT 20", [900],
      is: [.staleStatistics, .harmfulIndex, .sortWithoutIndex, .indexNotCovering], best: .change("ANALYZE"),
      or: [.change("DROP INDEX message_kind"), .index("message (sender_id, kind)")],
      because: "the wrong index is chosen: few messages are of the sender, nearly all of the kind"),
    .slow(
      "chat-03", "SELECT COUNT(*) FROM message WHERE conversation_id = ?1 AND id > ?2 AND kind = 0", [40, 80_000],
      is: [.staleStatistics, .harmfulIndex, .wideRowsForCount, .indexNotCovering],
      best: .index("message (conversation_id, kind)"), or: [.change("ANALYZE")],
      because: "the badge of unread messages: counted within an index that ends with the rowid"),
    .slow(
      "chat-04", "SELECT emoji, COUNT(*) FROM reaction WHERE message_id = ? GROUP BY emoji", [31822],
      is: [.staleStatistics, .fullScan], best: .change("ANALYZE"), or: [.index("reaction (message_id, emoji)")],
      because: "statistics from when there were three reactions: the index is there, and not used"),
    .slow(
      "chat-05", "SELECT message_id, emoji FROM reaction WHERE user_id = ? ORDER BY id DESC LIMIT 20", [357],
      is: [.fullScan], best: .index("reaction (user_id)"),
      because: "walks back through most reactions for a rare user"),
    .slow(
      "chat-06",
      """
      SELECT c.id, c.title, (SELECT m.text FROM message m WHERE m.conversation_id = c.id
        ORDER BY m.sent DESC LIMIT 1) AS last
      FROM conversation c JOIN participant p ON p.conversation_id = c.id WHERE p.user_id = ? ORDER BY c.updated DESC
      """,
      [2598], is: [.fullScan], best: .index("participant (user_id)"),
      or: [.index("participant (user_id, conversation_id)")],
      because: "the user's conversations are looked for among all participants"),
    .fine(
      "chat-07", "SELECT id, text FROM message WHERE id > ? ORDER BY id LIMIT 100", [60_000], because: "a page by rowid"
    ),
    .slow(
      "chat-08", "SELECT id, conversation_id, text FROM message WHERE state <> 0", is: [.partialIndex, .fullScan],
      best: .index("message (id) WHERE state <> 0"), because: "0.3 % still have to be sent"),
    .slow(
      "chat-09", "SELECT id FROM message WHERE reply_to = ?", [83], sampled: true, is: [.fullScan],
      best: .index("message (reply_to)"),
      or: [.index("message (reply_to) WHERE reply_to IS NOT NULL")], because: "the replies to one message"),
    .slow(
      "chat-10",
      """
      SELECT u.id, u.handle, COUNT(r.message_id) AS seen FROM user u LEFT JOIN receipt r ON r.user_id = u.id
      WHERE u.is_bot = 1 GROUP BY u.id
      """,
      is: [.automaticIndex, .fullScan], best: .index("receipt (user_id, message_id)"),
      or: [.index("receipt (user_id)")],
      because: "100,000 receipts are indexed at each execution"),
    .fine("chat-11", "SELECT * FROM user WHERE handle = ?", ["@bage"], sampled: true, because: "a unique index"),
    .fine(
      "chat-12", "INSERT OR IGNORE INTO participant (conversation_id, user_id, joined, last_read) VALUES (?, ?, ?, ?)",
      [9, 2999, 1_700_000_000, 0], because: "a write of one row"),
    .fine(
      "chat-13", "UPDATE participant SET last_read = ? WHERE conversation_id = ? AND user_id = ?", [90_000, 1, 77],
      because: "primary key"),
    .slow(
      "chat-14", "SELECT text FROM message WHERE edited IS NOT NULL ORDER BY edited DESC LIMIT 25",
      is: [.sortWithoutIndex, .fullScan, .partialIndex], best: .index("message (edited) WHERE edited IS NOT NULL"),
      or: [.index("message (edited)")], because: "2 % were edited"),
    .repeated(
      "chat-15", "SELECT id, handle, name FROM user WHERE id = ?", (1...100).map { [.integer($0 * 29)] },
      in: "show messages",
      best: .batch(
        "SELECT id, handle, name FROM user WHERE id IN (SELECT value FROM json_each(?))",
        [.text("[" + (1...100).map { String($0 * 29) }.joined(separator: ",") + "]")]),
      because: "the sender of each message of a screen, one by one"),
    .slow(
      "chat-16",
      """
      SELECT conversation_id, MAX(sent), SUM(length(text)) FROM message WHERE kind = 1 GROUP BY conversation_id
      """,
      is: [.groupWithoutIndex, .staleStatistics, .indexNotCovering],
      best: .index("message (kind, conversation_id, sent, text)"),
      because: "10 % are pictures; grouped by walking the conversations within the kind"),
    .fine(
      "chat-17", "SELECT * FROM message WHERE text LIKE '%thadrigru%' AND conversation_id = 490 AND sent > 1640000000",
      tolerated: [.patternWithoutIndex, .staleStatistics],
      because: "a small conversation by index; no index for the text"),
    .slow(
      "chat-18", "SELECT kind, COUNT(*), SUM(edited IS NOT NULL) FROM message GROUP BY kind",
      is: [.indexNotCovering, .groupWithoutIndex, .harmfulIndex, .staleStatistics],
      best: .change("CREATE INDEX corpus_best_1 ON message (kind, edited)", "ANALYZE"),
      or: [.change("CREATE INDEX corpus_best_1 ON message (kind, edited)", "DROP INDEX message_kind")],
      because: "the index on the kind leads to 90,000 look-ups; covering pays"),
    .slow(
      "chat-20",
      #"""
      SELECT "conversation"."id", COUNT(DISTINCT "message"."id") AS "messageCount", \#
      COUNT(DISTINCT "participant"."user_id") AS "participantCount" FROM "conversation" \#
      LEFT JOIN "message" ON "message"."conversation_id" = "conversation"."id" \#
      LEFT JOIN "participant" ON "participant"."conversation_id" = "conversation"."id" \#
      WHERE "conversation"."id" = ? GROUP BY "conversation"."id"
      """#,
      [3], [40], is: [.joinFanOut],
      best: .rewrite(
        #"""
        SELECT "conversation"."id", \#
        (SELECT COUNT(*) FROM "message" WHERE "conversation_id" = "conversation"."id") AS "messageCount", \#
        (SELECT COUNT(*) FROM "participant" WHERE "conversation_id" = "conversation"."id") AS "participantCount" \#
        FROM "conversation" WHERE "conversation"."id" = ?
        """#),
      because: "each of thousands of messages is joined with each of 16 participants"),
  ]
}
