extension Corpus {
  /// A cache of notifications: one wide table, with indexes of one column each.
  static let ntfy = CorpusSchema(
    name: "ntfy", script: ntfyScript, statements: ntfyStatements,
    origin:
      "ntfy 2.0, message cache schema 10 (Apache-2.0 or GPL-2.0, Copyright Philipp C. Heckel): its table with its indexes"
  )

  private static let ntfyScript = """
    CREATE TABLE messages (
      id INTEGER PRIMARY KEY AUTOINCREMENT, mid TEXT NOT NULL, time INT NOT NULL, expires INT NOT NULL, topic TEXT NOT NULL,
      message TEXT NOT NULL, title TEXT NOT NULL, priority INT NOT NULL, tags TEXT NOT NULL, click TEXT NOT NULL, icon TEXT NOT NULL,
      actions TEXT NOT NULL, attachment_name TEXT NOT NULL, attachment_type TEXT NOT NULL, attachment_size INT NOT NULL,
      attachment_expires INT NOT NULL, attachment_url TEXT NOT NULL, attachment_deleted INT NOT NULL, sender TEXT NOT NULL,
      user TEXT NOT NULL, encoding TEXT NOT NULL, published INT NOT NULL);
    CREATE INDEX idx_mid ON messages (mid);
    CREATE INDEX idx_time ON messages (time);
    CREATE INDEX idx_topic ON messages (topic);
    CREATE INDEX idx_expires ON messages (expires);
    CREATE INDEX idx_attachment_expires ON messages (attachment_expires);

    INSERT INTO messages
    SELECT i, printf('m%011x', i * 7919), 1690000000 + i * 5, 1690000000 + i * 5 + 43200 * (1 + i % 2), 'topic-' || word(skewed(1, i, 150)),
      prose(2, i, 40 + pick(3, i, 300)), title(4, i, 3), pick(5, i, 5), iif(chance(6, i) < 0.4, 'warning,' || word(pick(7, i, 40)), ''), '', '', '',
      iif(chance(8, i) < 0.15, word(i) || '.jpg', ''), iif(chance(8, i) < 0.15, 'image/jpeg', ''), iif(chance(8, i) < 0.15, pick(9, i, 900000), 0),
      iif(chance(8, i) < 0.15, 1690000000 + i * 5 + 10800, 0), '', 0, '203.0.113.' || skewed(10, i, 200), iif(chance(11, i) < 0.3, 'u_' || word(skewed(12, i, 80)), ''), '',
      iif(chance(13, i) < 0.001, 0, 1)
    FROM numbers WHERE i <= 40000;
    """

  private static let ntfyStatements: [CorpusStatement] = [
    .slow(
      "ntfy-01",
      "SELECT mid, time, topic, message, title, priority, tags FROM messages WHERE topic = ? AND time >= ? AND published = 1 ORDER BY time, id",
      ["topic-bafo", 1_690_150_000], ["topic-loce", 1_690_190_000],
      is: [.sortWithoutIndex, .indexNotCovering, .fullScan],
      best: .index("messages (topic, time)"), or: [.index("messages (topic, published, time)")],
      because: "what a subscriber missed: either all of the topic or all of the hour is read"),
    .slow(
      "ntfy-02", "SELECT mid, time, topic, message FROM messages WHERE time <= ? AND published = 0 ORDER BY time, id",
      [1_690_300_000], is: [.partialIndex, .fullScan, .indexNotCovering, .sortWithoutIndex],
      best: .index("messages (time) WHERE published = 0"),
      or: [.index("messages (published, time)")],
      because: "what is due, asked every few seconds: one in a thousand isn't out yet"),
    .slow(
      "ntfy-03",
      "SELECT ifnull(sum(attachment_size), 0) FROM messages WHERE user = '' AND sender = ? AND attachment_expires >= ?",
      ["203.0.113.40", 1_690_100_000], ["203.0.113.3", 1_690_050_000],
      is: [.indexNotCovering, .fullScan, .partialIndex],
      best: .index("messages (sender, attachment_expires)"),
      or: [.index("messages (user, sender, attachment_expires)")],
      because: "what a visitor has stored: of 6,000 files some are the visitor's"),
    .fine(
      "ntfy-04", "SELECT topic, count(*) FROM messages GROUP BY topic",
      because: "all are counted, in an index of the topics"),
    .slow(
      "ntfy-05", "SELECT DISTINCT topic FROM messages", is: [.distinctWithoutIndex, .groupWithoutIndex, .fullScan],
      best: .rewrite(
        """
        WITH RECURSIVE t (topic) AS (
          SELECT min(topic) FROM messages UNION ALL
          SELECT (SELECT min(m.topic) FROM messages m WHERE m.topic > t.topic) FROM t WHERE t.topic IS NOT NULL)
        SELECT topic FROM t WHERE topic IS NOT NULL
        """), because: "150 topics of 40,000 messages: from one to the next in the index"),
    .fine(
      "ntfy-06",
      "SELECT mid, time, message FROM messages WHERE topic = ? AND id > ? AND published = 1 ORDER BY time, id",
      ["topic-bafo", 39_800], because: "the index of the topic ends with the key"),
    .slow(
      "ntfy-07",
      """
      SELECT topic, mid, time FROM (
        SELECT topic, mid, time, row_number() OVER (PARTITION BY topic ORDER BY time DESC) AS place FROM messages) WHERE place <= 3
      """, is: [.sortWithoutIndex, .fullScan, .indexNotCovering], best: .index("messages (topic, time DESC, mid)"),
      because: "the last three of each topic: all are sorted"),
    .slow(
      "ntfy-08",
      "SELECT user, count(*), sum(attachment_size) FROM messages WHERE user <> '' AND attachment_size > 0 GROUP BY user HAVING count(*) > 2",
      is: [.fullScan, .groupWithoutIndex, .partialIndex, .indexNotCovering],
      best: .index("messages (attachment_size, user)"), or: [.index("messages (user, attachment_size)")],
      because: "who stores files: four in a hundred"),
    .fine(
      "ntfy-09", "UPDATE messages SET published = 1 WHERE mid = ?", ["m00000001eef"],
      because: "one message by its index"),
  ]
}
