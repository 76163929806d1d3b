extension Corpus {
  /// A browser's history in the shape of Firefox's places: well indexed, with an index that is there twice; not
  /// analyzed.
  static let history = CorpusSchema(
    name: "history", script: historyScript, statements: historyStatements,
    superfluousIndexes: [
      .duplicate("places_hostindex", "places_hostindex_old"), .redundant("visits_placeindex"),
    ])

  private static let historyScript = """
    CREATE TABLE moz_origins (id INTEGER PRIMARY KEY, prefix TEXT NOT NULL, host TEXT NOT NULL,
      frecency INTEGER NOT NULL,
      UNIQUE (prefix, host));
    CREATE TABLE moz_places (
      id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR, rev_host LONGVARCHAR, visit_count INTEGER DEFAULT 0,
      hidden INTEGER DEFAULT 0 NOT NULL, typed INTEGER DEFAULT 0 NOT NULL, frecency INTEGER DEFAULT -1 NOT NULL,
      last_visit_date INTEGER, guid TEXT, url_hash INTEGER DEFAULT 0 NOT NULL,
        origin_id INTEGER REFERENCES moz_origins (id),
      description TEXT);
    CREATE TABLE moz_historyvisits (
      id INTEGER PRIMARY KEY, from_visit INTEGER, place_id INTEGER, visit_date INTEGER, visit_type INTEGER,
        session INTEGER);
    CREATE TABLE moz_bookmarks (
      id INTEGER PRIMARY KEY, type INTEGER, fk INTEGER DEFAULT NULL, parent INTEGER, position INTEGER,
        title LONGVARCHAR,
      dateAdded INTEGER, guid TEXT);
    CREATE TABLE moz_inputhistory (place_id INTEGER NOT NULL, input LONGVARCHAR NOT NULL, use_count INTEGER,
      PRIMARY KEY (place_id, input));
    CREATE TABLE moz_meta (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
    CREATE INDEX places_url_hashindex ON moz_places (url_hash);
    CREATE INDEX places_hostindex ON moz_places (rev_host);
    CREATE INDEX places_hostindex_old ON moz_places (rev_host);
    CREATE INDEX places_visitcount ON moz_places (visit_count);
    CREATE INDEX places_frecencyindex ON moz_places (frecency);
    CREATE INDEX places_lastvisitdateindex ON moz_places (last_visit_date);
    CREATE INDEX places_hidden_typed ON moz_places (hidden, typed);
    CREATE UNIQUE INDEX places_guid_uniqueindex ON moz_places (guid);
    CREATE INDEX visits_placeindex ON moz_historyvisits (place_id);
    CREATE INDEX visits_placedateindex ON moz_historyvisits (place_id, visit_date);
    CREATE INDEX visits_fromindex ON moz_historyvisits (from_visit);
    CREATE INDEX visits_dateindex ON moz_historyvisits (visit_date);

    INSERT INTO moz_origins SELECT i, 'https://', word(i) || '.org', pick(1, i, 9000) FROM numbers WHERE i <= 1500;
    INSERT INTO moz_places
    SELECT i, 'https://' || word(skewed(2, i, 1500)) || '.org/' || word(pick(3, i, 900)) || '/' || i,
      iif(chance(4, i) < 0.9, title(5, i, 5), NULL), 'gro.' || word(skewed(2, i, 1500) + 7) || '.',
      iif(chance(6, i) < 0.05, 0, skewed(7, i, 300)), chance(8, i) < 0.15, chance(9, i) < 0.04, skewed(10, i, 20000),
      iif(chance(6, i) < 0.05, NULL, (1600000000 + i * 1500 + pick(11, i, 900000)) * 1000000), printf('g%011d', i),
      47350000000000 + i * 2654435761 % 1000000007, skewed(2, i, 1500), iif(chance(12, i) < 0.4,
        prose(13, i, pick(14, i, 250)), NULL)
    FROM numbers WHERE i <= 40000;
    INSERT INTO moz_historyvisits
    SELECT i, iif(chance(15, i) < 0.5 AND i > 50, i - pick(16, i, 20), 0), pick(17, i, 38500),
      (1600000000 + i * 550) * 1000000,
      CASE WHEN chance(18, i) < 0.98 THEN 1 + pick(19, i, 2) ELSE 7 END, 0
    FROM numbers WHERE i <= 110000;
    INSERT INTO moz_bookmarks
    SELECT i, iif(i <= 120, 2, 1), iif(i <= 120, NULL, pick(20, i, 40000)), iif(i <= 120, 1, 2 + skewed(21, i, 118)), i,
      title(22, i, 2), (1600000000 + i * 9000) * 1000000, printf('b%011d', i)
    FROM numbers WHERE i <= 6000;
    INSERT OR IGNORE INTO moz_inputhistory SELECT pick(23, i, 40000), word(skewed(24, i, 300)), pick(25, i, 9)
    FROM numbers WHERE i <= 4000;
    INSERT INTO moz_meta SELECT 'key-' || i, i FROM numbers WHERE i <= 20;
    """

  private static let historyStatements: [CorpusStatement] = [
    .slow(
      "history-01", "SELECT id, title FROM moz_places WHERE url = ?", ["https://haxice.org/harigu/500"],
      is: [.fullScan],
      best: .index("moz_places (url)"), because: "the hash has an index, the address hasn't"),
    .fine(
      "history-02", "SELECT id, title FROM moz_places WHERE url_hash = ? AND url = ?",
      [47_350_654_435_740, "https://none.org/"], because: "found by the hash"),
    .slow(
      "history-03",
      """
      SELECT h.url, h.title, h.frecency FROM moz_places h WHERE h.hidden = 0 AND h.visit_count > 0
      ORDER BY h.frecency DESC LIMIT 10
      """,
      is: [.missingStatistics, .harmfulIndex, .sortWithoutIndex], best: .change("ANALYZE"),
      or: [.change("DROP INDEX places_hidden_typed")],
      because: "never analyzed, an index on a flag seems selective; the order's index would end after a dozen rows"),
    .fine(
      "history-04",
      """
      SELECT p.url, v.* FROM moz_historyvisits v JOIN moz_places p ON p.id = v.place_id
      WHERE v.visit_date > ? ORDER BY v.visit_date DESC LIMIT 20
      """,
      [1_640_000_000_000_000], because: "order by index, place by rowid"),
    .slow(
      "history-05", "SELECT id, url FROM moz_places WHERE url LIKE 'https://bagu%'",
      is: [.patternWithoutIndex, .fullScan],
      best: .index("moz_places (url COLLATE NOCASE)"),
      because: "completing an address: LIKE with a NOCASE index is a range"),
    .fine(
      "history-06", "SELECT id, url FROM moz_places WHERE title LIKE '%gruse bagu%' OR description LIKE '%gruse bagu%'",
      tolerated: [.patternWithoutIndex, .orWithoutIndex],
      because: "no index serves a leading wildcard, on either side"),
    .slow(
      "history-07", "SELECT b.id, b.title, b.parent FROM moz_bookmarks b WHERE b.fk = ?", [2500], sampled: true,
      is: [.fullScan],
      best: .index("moz_bookmarks (fk)"), because: "is this page bookmarked? asked at each page load"),
    .slow(
      "history-08", "SELECT id, title FROM moz_bookmarks WHERE parent = ? ORDER BY position", [90],
      is: [.fullScan, .sortWithoutIndex], best: .index("moz_bookmarks (parent, position)"),
      or: [.index("moz_bookmarks (parent)")], because: "a folder in order"),
    .slow(
      "history-09",
      """
      DELETE FROM moz_places WHERE visit_count = 0 AND frecency < ?
      AND NOT EXISTS (SELECT 1 FROM moz_bookmarks WHERE fk = moz_places.id)
      """,
      [20], is: [.subqueryPerRow, .fullScan], best: .index("moz_bookmarks (fk)"),
      because: "the bookmarks are scanned for each page that might expire"),
    .fine(
      "history-10",
      """
      SELECT id FROM moz_places h WHERE id BETWEEN ? AND ?
      AND NOT EXISTS (SELECT 1 FROM moz_historyvisits WHERE place_id = h.id)
      """,
      [38_000, 38_600], because: "the index on the visits' place covers the look-up"),
    .slow(
      "history-11",
      "SELECT rev_host, SUM(visit_count) AS visits FROM moz_places GROUP BY rev_host ORDER BY visits DESC LIMIT 20",
      is: [.indexNotCovering, .groupWithoutIndex], best: .index("moz_places (rev_host, visit_count)"),
      because: "grouping by index reads every page in random order; covering pays"),
    .slow(
      "history-12", "SELECT place_id, visit_date FROM moz_historyvisits WHERE visit_type = 7", is: [.fullScan],
      best: .index("moz_historyvisits (visit_type, place_id, visit_date)"),
      or: [.index("moz_historyvisits (visit_type)")], because: "2 % are downloads"),
    .slow(
      "history-13",
      """
      SELECT COUNT(*) FROM moz_historyvisits WHERE date(visit_date / 1000000, 'unixepoch') = '2021-05-01'
      """,
      is: [.functionOnColumn, .expressionIndex, .fullScan],
      best: .rewrite(
        """
        SELECT COUNT(*) FROM moz_historyvisits WHERE visit_date >= strftime('%s', '2021-05-01') * 1000000
        AND visit_date < strftime('%s', '2021-05-01', '+1 day') * 1000000
        """),
      or: [.index("moz_historyvisits (date(visit_date / 1000000, 'unixepoch'))")],
      because: "the date has an index, which the function hides"),
    .fine(
      "history-14",
      "SELECT id, url FROM moz_places ORDER BY visit_count DESC LIMIT 10",
      because: "the first ten entries of an index"),
    .fine(
      "history-15",
      """
      SELECT p.id, (SELECT MAX(v.visit_date) FROM moz_historyvisits v WHERE v.place_id = p.id) AS last
      FROM moz_places p WHERE p.origin_id IS NOT NULL AND p.id BETWEEN ? AND ?
      """,
      [500, 600], because: "the maximum is at the end of a range of the index"),
    .fine(
      "history-16",
      "INSERT INTO moz_historyvisits (from_visit, place_id, visit_date, visit_type, session) VALUES (?, ?, ?, ?, 0)",
      [0, 17, 1_700_000_000_000_000, 1], because: "a write of one row"),
    .fine("history-17", "SELECT value FROM moz_meta WHERE key = ?", ["key-7"], because: "primary key"),
    .slow(
      "history-18",
      "SELECT id, url FROM moz_places WHERE typed = 1 AND hidden = 0 ORDER BY last_visit_date DESC LIMIT 50",
      is: [.partialIndex, .indexNotCovering, .sortWithoutIndex, .fullScan],
      best: .index("moz_places (typed, hidden, last_visit_date)"),
      or: [.index("moz_places (hidden, typed, last_visit_date)")],
      because: "the index on both flags finds all 3 % and sorts them; the date behind them ends after 50"),
    .slow(
      "history-19",
      "SELECT place_id FROM moz_inputhistory WHERE input LIKE ?1 ORDER BY use_count DESC, place_id LIMIT 5", ["gudi"],
      is: [.patternWithoutIndex, .caseInsensitiveWithoutIndex, .fullScan, .sortWithoutIndex],
      best: .index("moz_inputhistory (input COLLATE NOCASE, use_count, place_id)"),
      or: [.index("moz_inputhistory (input COLLATE NOCASE)")], because: "the primary key begins with the place"),
    .slow(
      "history-20", "SELECT id, url FROM moz_places WHERE rev_host = ? AND hidden = 0 AND typed = 0", ["gro.kixi."],
      is: [.missingStatistics, .harmfulIndex], best: .change("ANALYZE"),
      or: [.index("moz_places (rev_host, hidden, typed)"), .change("DROP INDEX places_hidden_typed")],
      because: "without statistics two flags seem to say more than the host"),
    .fine(
      "history-21",
      "SELECT h.* FROM moz_places h WHERE h.id IN (SELECT fk FROM moz_bookmarks WHERE id BETWEEN ? AND ?)",
      [500, 520], because: "rowids on both sides"),
  ]
}
