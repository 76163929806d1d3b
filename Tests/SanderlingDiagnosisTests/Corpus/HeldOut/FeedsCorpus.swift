extension Corpus {
  /// A feed reader's storage: rows with whole articles, an index on an expression, keys of two texts.
  static let feeds = CorpusSchema(
    name: "feeds", script: feedsScript, statements: feedsStatements,
    origin:
      "reader 3.26 (BSD-3-Clause, Copyright 2018 Adrian): tables and indexes as the program makes them, without its triggers"
  )

  private static let feedsScript = """
    CREATE TABLE feeds (
      url TEXT PRIMARY KEY NOT NULL, title TEXT, link TEXT, updated TIMESTAMP, author TEXT, subtitle TEXT, version TEXT,
      user_title TEXT, caching_info TEXT, data_hash BLOB, stale INTEGER NOT NULL DEFAULT 0,
      updates_enabled INTEGER NOT NULL DEFAULT 1, update_after TIMESTAMP, last_retrieved TIMESTAMP, last_updated TIMESTAMP,
      added TIMESTAMP NOT NULL, last_exception TEXT);
    CREATE TABLE entries (
      id TEXT NOT NULL, feed TEXT NOT NULL, title TEXT, link TEXT, updated TIMESTAMP, author TEXT, published TIMESTAMP,
      summary TEXT, content TEXT, enclosures TEXT, source TEXT, original_feed TEXT, data_hash BLOB,
      data_hash_changed INTEGER, read INTEGER, read_modified TIMESTAMP, important INTEGER, important_modified TIMESTAMP,
      added_by TEXT NOT NULL, last_updated TIMESTAMP NOT NULL, first_updated TIMESTAMP NOT NULL,
      first_updated_epoch TIMESTAMP NOT NULL, feed_order INTEGER NOT NULL, recent_sort TIMESTAMP NOT NULL, sequence BLOB,
      PRIMARY KEY (id, feed), FOREIGN KEY (feed) REFERENCES feeds(url) ON UPDATE CASCADE ON DELETE CASCADE);
    CREATE TABLE entry_tags (
      id TEXT NOT NULL, feed TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (id, feed, key),
      FOREIGN KEY (id, feed) REFERENCES entries(id, feed) ON UPDATE CASCADE ON DELETE CASCADE);
    CREATE INDEX entries_by_recent ON entries (
      recent_sort DESC, coalesce(published, updated, first_updated) DESC, feed DESC, last_updated DESC,
      - feed_order DESC, id DESC);
    CREATE INDEX entries_by_feed ON entries (feed);
    CREATE INDEX entry_tags_by_key ON entry_tags(key);

    INSERT INTO feeds (url, title, link, user_title, updates_enabled, update_after, last_retrieved, added)
    SELECT 'https://example.com/feed/' || i, title(1, i, 3), 'https://example.com/' || i, iif(chance(2, i) < 0.1, title(3, i, 2), NULL),
      chance(4, i) < 0.9, iif(chance(5, i) < 0.1, NULL, datetime(1680000000 + pick(6, i, 100000), 'unixepoch')),
      datetime(1680000000 - pick(7, i, 100000), 'unixepoch'), '2020-01-01 00:00:00'
    FROM numbers WHERE i <= 240;
    INSERT INTO entries (
      id, feed, title, link, updated, author, published, summary, content, read, read_modified, important, added_by,
      last_updated, first_updated, first_updated_epoch, feed_order, recent_sort)
    SELECT 'tag:example.com,' || i, 'https://example.com/feed/' || skewed(8, i, 240), title(9, i, 6),
      'https://example.com/article/' || i, iif(chance(10, i) < 0.5, datetime(1600000000 + i * 2600, 'unixepoch'), NULL),
      iif(chance(11, i) < 0.3, NULL, word(skewed(12, i, 900))),
      iif(chance(13, i) < 0.15, NULL, datetime(1600000000 + i * 2500, 'unixepoch')), prose(14, i, 200),
      iif(chance(15, i) < 0.4, NULL, prose(16, i, 300 + pick(17, i, 1500))), chance(18, i) < 0.2,
      iif(chance(18, i) < 0.2, datetime(1600000000 + i * 2500 + pick(19, i, 90000), 'unixepoch'), NULL),
      CASE WHEN chance(20, i) < 0.001 THEN 1 WHEN chance(20, i) < 0.5 THEN 0 END, iif(chance(21, i) < 0.995, 'feed', 'user'),
      datetime(1600000000 + i * 2550, 'unixepoch'), datetime(1600000000 + i * 2500, 'unixepoch'),
      datetime(1600000000 + i * 2500, 'unixepoch'), pick(22, i, 30), datetime(1600000000 + i * 2500, 'unixepoch')
    FROM numbers WHERE i <= 30000;
    INSERT OR IGNORE INTO entry_tags
    SELECT id, feed, word(skewed(23, rowid, 40)), 'null' FROM entries WHERE chance(24, rowid) < 0.3;
    """

  private static let feedsStatements: [CorpusStatement] = [
    .fine(
      "feeds-01",
      """
      SELECT entries.id, entries.feed, entries.title, entries.published, feeds.title FROM entries
      JOIN feeds ON feeds.url = entries.feed WHERE entries.read = ?
      ORDER BY entries.recent_sort DESC, coalesce(entries.published, entries.updated, entries.first_updated) DESC,
      entries.feed DESC, entries.last_updated DESC, - entries.feed_order DESC, entries.id DESC LIMIT 64
      """, [0], because: "the index has the order, and most entries are unread"),
    .slow(
      "feeds-02",
      """
      SELECT entries.id, entries.feed, entries.title FROM entries WHERE entries.important = ?
      ORDER BY entries.recent_sort DESC, coalesce(entries.published, entries.updated, entries.first_updated) DESC,
      entries.feed DESC, entries.last_updated DESC, - entries.feed_order DESC, entries.id DESC LIMIT 64
      """, [1], is: [.fullScan, .sortWithoutIndex, .indexNotCovering], best: .index("entries (important)"),
      or: [.index("entries (important, recent_sort)")],
      because: "one of a thousand is important: finding and sorting those beats the walk in order"),
    .slow(
      "feeds-03", "SELECT id, feed FROM entries WHERE link = ?", ["https://example.com/article/1234"], is: [.fullScan],
      best: .index("entries (link)"), because: "has this been saved before"),
    .slow(
      "feeds-04",
      """
      SELECT feeds.url, coalesce(feeds.user_title, feeds.title), (
        SELECT count(*) FROM entries WHERE entries.feed = feeds.url AND entries.read = 0) AS unread
      FROM feeds ORDER BY lower(coalesce(feeds.user_title, feeds.title, feeds.url))
      """, is: [.subqueryPerRow, .indexNotCovering], best: .index("entries (feed, read)"),
      because: "the index of feeds leads to each whole article only to see whether it was read"),
    .slow(
      "feeds-05",
      "SELECT count(*), sum(read IS 1), sum(important IS 1), sum(enclosures IS NOT NULL) FROM entries",
      is: [.fullScan, .wideRowsForCount, .indexNotCovering], best: .index("entries (read, important, enclosures)"),
      because: "three short columns of rows with whole articles"),
    .fine(
      "feeds-06",
      """
      SELECT e.id, e.feed, e.title FROM entry_tags AS t JOIN entries AS e ON (e.id, e.feed) = (t.id, t.feed)
      WHERE t.key = ?
      """, ["tufo"], because: "by the index of keys, then by the primary key"),
    .fine(
      "feeds-07",
      "SELECT url, title FROM feeds WHERE updates_enabled AND (update_after IS NULL OR update_after <= ?) ORDER BY url",
      ["2023-03-29 00:00:00"], because: "240 feeds"),
    .slow(
      "feeds-08", "SELECT id, feed, title FROM entries WHERE added_by = ? ORDER BY last_updated DESC LIMIT 30",
      ["user"],
      is: [.fullScan, .sortWithoutIndex], best: .index("entries (added_by, last_updated)"),
      because: "what the user added by hand, one of 200, newest first"),
  ]
}
