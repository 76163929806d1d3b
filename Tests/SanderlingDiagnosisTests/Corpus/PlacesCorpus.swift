extension Corpus {
  /// The places of a browser with the tables and indexes that it has in the field, analyzed, queried by add-ons and by
  /// tools that were not made for it.
  static let places = CorpusSchema(name: "places", script: placesScript, statements: placesStatements)

  private static let placesScript = """
    CREATE TABLE moz_origins (id INTEGER PRIMARY KEY, prefix TEXT NOT NULL, host TEXT NOT NULL,
      frecency INTEGER NOT NULL, recalc_frecency INTEGER NOT NULL DEFAULT 0, UNIQUE (prefix, host));
    CREATE TABLE moz_places (
      id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR, rev_host LONGVARCHAR, visit_count INTEGER DEFAULT 0,
      hidden INTEGER DEFAULT 0 NOT NULL, typed INTEGER DEFAULT 0 NOT NULL, frecency INTEGER DEFAULT -1 NOT NULL,
      last_visit_date INTEGER, guid TEXT, foreign_count INTEGER DEFAULT 0 NOT NULL,
      url_hash INTEGER DEFAULT 0 NOT NULL, description TEXT, preview_image_url TEXT,
      origin_id INTEGER REFERENCES moz_origins (id));
    CREATE TABLE moz_historyvisits (
      id INTEGER PRIMARY KEY, from_visit INTEGER, place_id INTEGER, visit_date INTEGER, visit_type INTEGER,
      session INTEGER, source INTEGER DEFAULT 0 NOT NULL);
    CREATE TABLE moz_inputhistory (
      place_id INTEGER NOT NULL, input LONGVARCHAR NOT NULL, use_count INTEGER, PRIMARY KEY (place_id, input));
    CREATE TABLE moz_bookmarks (
      id INTEGER PRIMARY KEY, type INTEGER, fk INTEGER DEFAULT NULL, parent INTEGER, position INTEGER,
      title LONGVARCHAR, dateAdded INTEGER, lastModified INTEGER, guid TEXT, syncStatus INTEGER NOT NULL DEFAULT 0,
      syncChangeCounter INTEGER NOT NULL DEFAULT 1);
    CREATE TABLE moz_anno_attributes (id INTEGER PRIMARY KEY, name VARCHAR(32) UNIQUE NOT NULL);
    CREATE TABLE moz_annos (
      id INTEGER PRIMARY KEY, place_id INTEGER NOT NULL, anno_attribute_id INTEGER, content LONGVARCHAR,
      flags INTEGER DEFAULT 0, expiration INTEGER DEFAULT 0, dateAdded INTEGER DEFAULT 0);
    CREATE TABLE moz_places_metadata (
      id INTEGER PRIMARY KEY, place_id INTEGER NOT NULL REFERENCES moz_places (id) ON DELETE CASCADE,
      referrer_place_id INTEGER REFERENCES moz_places (id) ON DELETE CASCADE, created_at INTEGER NOT NULL,
      total_view_time INTEGER NOT NULL DEFAULT 0, typing_time INTEGER NOT NULL DEFAULT 0,
      key_presses INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX moz_places_url_hashindex ON moz_places (url_hash);
    CREATE INDEX moz_places_hostindex ON moz_places (rev_host);
    CREATE INDEX moz_places_visitcount ON moz_places (visit_count);
    CREATE INDEX moz_places_frecencyindex ON moz_places (frecency);
    CREATE INDEX moz_places_lastvisitdateindex ON moz_places (last_visit_date);
    CREATE UNIQUE INDEX moz_places_guid_uniqueindex ON moz_places (guid);
    CREATE INDEX moz_places_originidindex ON moz_places (origin_id);
    CREATE INDEX moz_historyvisits_placedateindex ON moz_historyvisits (place_id, visit_date);
    CREATE INDEX moz_historyvisits_fromindex ON moz_historyvisits (from_visit);
    CREATE INDEX moz_historyvisits_dateindex ON moz_historyvisits (visit_date);
    CREATE INDEX moz_bookmarks_itemindex ON moz_bookmarks (fk, type);
    CREATE INDEX moz_bookmarks_parentindex ON moz_bookmarks (parent, position);
    CREATE INDEX moz_bookmarks_itemlastmodifiedindex ON moz_bookmarks (fk, lastModified);
    CREATE INDEX moz_bookmarks_dateaddedindex ON moz_bookmarks (dateAdded);
    CREATE UNIQUE INDEX moz_bookmarks_guid_uniqueindex ON moz_bookmarks (guid);
    CREATE UNIQUE INDEX moz_annos_placeattributeindex ON moz_annos (place_id, anno_attribute_id);
    CREATE UNIQUE INDEX moz_places_metadata_placecreated_uniqueindex ON moz_places_metadata (place_id, created_at);

    INSERT INTO moz_origins (id, prefix, host, frecency)
    SELECT i, iif(i % 9 = 0, 'http://', 'https://'), word(i) || '.' || iif(i % 4 = 0, 'net', 'com'), skewed(1, i, 9000)
    FROM numbers WHERE i <= 3000;
    INSERT INTO moz_places
    SELECT n.i, o.prefix || o.host || '/' || word(pick(2, n.i, 700)) || '?p=' || n.i,
      iif(chance(3, n.i) < 0.88, title(4, n.i, 4), NULL),
      iif(o.id % 4 = 0, 'ten.', 'moc.') || substr(o.host, 1, length(o.host) - 4) || '.',
      iif(chance(5, n.i) < 0.06, 0, skewed(6, n.i, 400)), chance(7, n.i) < 0.2, chance(8, n.i) < 0.05,
      iif(chance(9, n.i) < 0.02, -1, skewed(10, n.i, 30000)),
      iif(chance(5, n.i) < 0.06, NULL, 1580000000000000 + n.i * 2900000000 + pick(11, n.i, 2000000000)),
      printf('p%011x', n.i * 40503), iif(chance(12, n.i) < 0.1, 1, 0),
      47356000000000 + n.i * 2654435761 % 4294967291, iif(chance(13, n.i) < 0.3, prose(14, n.i, 150), NULL),
      iif(chance(15, n.i) < 0.2, o.prefix || o.host || '/preview/' || n.i || '.png', NULL), o.id
    FROM numbers n JOIN moz_origins o ON o.id = skewed(16, n.i, 3000) WHERE n.i <= 45000;
    INSERT INTO moz_historyvisits (id, from_visit, place_id, visit_date, visit_type, session)
    SELECT i, iif(chance(17, i) < 0.4 AND i > 30, i - pick(18, i, 20), 0),
      iif(i % 200 = 7, 4711, iif(chance(19, i) < 0.5, skewed(20, i, 45000), pick(21, i, 45000))),
      1580000000000000 + i * 1450000000, iif(chance(22, i) < 0.97, 1 + pick(23, i, 2), 7), 0
    FROM numbers WHERE i <= 90000;
    INSERT OR IGNORE INTO moz_inputhistory
    SELECT pick(24, i, 45000), word(skewed(25, i, 2500)), pick(26, i, 30) FROM numbers WHERE i <= 20000;
    INSERT INTO moz_bookmarks
    SELECT i, iif(i <= 300, 2, 1), iif(i <= 300, NULL, iif(i BETWEEN 9000 AND 9016, 4711, pick(27, i, 45000))),
      iif(i = 1, 0, iif(i <= 300, 1 + (i - 2) / 6, 7 + skewed(28, i, 290))), i,
      iif(chance(29, i) < 0.9, title(30, i, 2), NULL), 1580000000000000 + i * 11000000000,
      1580000000000000 + i * 11000000000 + pick(31, i, 900000000), printf('b%011x', i * 7919), 2,
      chance(32, i) < 0.004
    FROM numbers WHERE i <= 20000;
    INSERT INTO moz_anno_attributes
    SELECT i, CASE i WHEN 1 THEN 'downloads/destinationFileURI' WHEN 2 THEN 'downloads/metaData'
      ELSE 'addon/' || word(i) END FROM numbers WHERE i <= 40;
    INSERT OR IGNORE INTO moz_annos (id, place_id, anno_attribute_id, content, dateAdded)
    SELECT i, iif(i <= 16, 4711, pick(33, i, 45000)), iif(i <= 16, i, skewed(34, i, 40)),
      'file:///home/' || prose(35, i, 30 + pick(36, i, 100)), 1580000000000000 + i * 5000000000
    FROM numbers WHERE i <= 24000;
    INSERT OR IGNORE INTO moz_places_metadata (id, place_id, referrer_place_id, created_at, total_view_time)
    SELECT i, pick(37, i, 45000), iif(chance(38, i) < 0.6, pick(39, i, 45000), NULL), 1580000000000 + i * 4000000,
      skewed(40, i, 900000)
    FROM numbers WHERE i <= 30000;
    ANALYZE;
    """

  private static let placesStatements: [CorpusStatement] = [
    .slow(
      "places-01",
      """
      SELECT h.id, h.url, h.title, i.use_count
      FROM moz_inputhistory AS i JOIN moz_places AS h ON h.id = i.place_id
      WHERE i.input BETWEEN :typed AND :typed || x'EFBFBF' ORDER BY i.use_count DESC LIMIT 6
      """,
      ["brari"], is: [.fullScan], best: .index("moz_inputhistory (input)"),
      or: [.index("moz_inputhistory (input, use_count)")],
      because: "what was typed is the last column of the primary key, so all 20,000 inputs are read"),
    .slow(
      "places-02",
      """
      SELECT id, guid, url, title FROM moz_places WHERE guid = :ref OR url = :ref LIMIT 1
      """,
      ["https://peflo.com/clethadi?p=31234"], is: [.orWithoutIndex, .fullScan], best: .index("moz_places (url)"),
      because: "the guid has an index, the address has none, so neither side is looked up"),
    .fine(
      "places-03",
      """
      -- the tiles of a new tab
      SELECT url, title, frecency FROM moz_places
      WHERE hidden = 0 AND last_visit_date NOTNULL ORDER BY frecency DESC LIMIT 12
      """,
      because: "the index on the frecency ends after about 16 rows"),
    .slow(
      "places-04",
      """
      SELECT b.guid, b.parent, b.lastModified FROM moz_bookmarks b WHERE b.syncChangeCounter > 0
      """,
      is: [.partialIndex, .fullScan], best: .index("moz_bookmarks (syncChangeCounter)"),
      or: [.index("moz_bookmarks (id) WHERE syncChangeCounter > 0")],
      because: "0.4 % of the bookmarks have changes to send"),
    .fine(
      "places-05",
      """
      select b.title, h.url, b.dateAdded
      from moz_bookmarks b inner join moz_places h on h.id = b.fk
      where b.type = 1 order by b.dateAdded desc limit 15
      """,
      because: "the order's index gives the newest, each page is found by rowid"),
    .slow(
      "places-06",
      """
      SELECT h.guid, COUNT(DISTINCT v.id) AS visits, COUNT(DISTINCT b.id) AS bookmarks,
        COUNT(DISTINCT a.id) AS annotations
      FROM moz_places h
      LEFT JOIN moz_historyvisits v ON v.place_id = h.id
      LEFT JOIN moz_bookmarks b ON b.fk = h.id
      LEFT JOIN moz_annos a ON a.place_id = h.id
      WHERE h.id = ?1 GROUP BY h.id
      """,
      [4711], is: [.joinFanOut],
      best: .rewrite(
        """
        SELECT h.guid, (SELECT COUNT(*) FROM moz_historyvisits WHERE place_id = h.id) AS visits,
          (SELECT COUNT(*) FROM moz_bookmarks WHERE fk = h.id) AS bookmarks,
          (SELECT COUNT(*) FROM moz_annos WHERE place_id = h.id) AS annotations
        FROM moz_places h WHERE h.id = ?1
        """),
      because: "450 visits × 17 bookmarks × 16 annotations"),
    .slow(
      "places-07",
      """
      SELECT COUNT(*) AS n FROM moz_historyvisits v
      WHERE v.visit_date / 1000000 >= $from AND v.visit_date / 1000000 < $to
      """,
      [1_650_000_000, 1_650_600_000], is: [.functionOnColumn, .expressionIndex, .fullScan],
      best: .rewrite(
        """
        SELECT COUNT(*) AS n FROM moz_historyvisits v
        WHERE v.visit_date >= $from * 1000000 AND v.visit_date < $to * 1000000
        """),
      or: [.index("moz_historyvisits (visit_date / 1000000)")],
      because: "the date has an index; divided, it can't be used"),
    .slow(
      "places-08", "SELECT id, url, title FROM moz_places WHERE rev_host LIKE 'moc.pliha.%'",
      is: [.patternWithoutIndex, .caseInsensitiveWithoutIndex, .fullScan],
      best: .index("moz_places (rev_host COLLATE NOCASE)"),
      or: [.rewrite("SELECT id, url, title FROM moz_places WHERE rev_host GLOB 'moc.pliha.*'")],
      because: "the host's index is BINARY, LIKE folds case"),
    .fine(
      "places-09", "SELECT id, title, frecency FROM moz_places WHERE url_hash = ? AND url = ?",
      ["47356912286617", "https://clemudi.net/thabra?p=777"],
      because: "the text becomes an integer before it is compared, so the index is used"),
    .fine(
      "places-10",
      """
      WITH RECURSIVE path (id, parent, title, depth) AS (
        SELECT id, parent, title, 0 FROM moz_bookmarks WHERE guid = :guid
        UNION ALL
        SELECT b.id, b.parent, b.title, depth + 1 FROM moz_bookmarks b JOIN path ON b.id = path.parent
      )
      SELECT title FROM path ORDER BY depth DESC
      """,
      ["b000071483e8"], because: "from a bookmark up to the root by rowid"),
    .slow(
      "places-11",
      """
      SELECT id, url, title, last_visit_date FROM moz_places WHERE last_visit_date IS NOT NULL \
      ORDER BY last_visit_date DESC LIMIT 100 OFFSET ?
      """,
      [25_000], is: [.largeOffset],
      best: .keyset(
        """
        SELECT id, url, title, last_visit_date FROM moz_places WHERE last_visit_date IS NOT NULL \
        AND last_visit_date < ? ORDER BY last_visit_date DESC LIMIT 100
        """, [1_633_392_378_386_296]),
      because: "25,000 pages are stepped over to show 100"),
    .repeated(
      "places-12", "SELECT id, parent, title FROM moz_bookmarks WHERE id = ?", (1...140).map { [.integer($0 * 97)] },
      in: "apply incoming bookmarks",
      best: .batch(
        "SELECT id, parent, title FROM moz_bookmarks WHERE id IN (SELECT value FROM json_each(?))",
        [.text("[" + (1...140).map { String($0 * 97) }.joined(separator: ",") + "]")]),
      because: "each incoming record looks up its bookmark on its own"),
    .slow(
      "places-13", "SELECT count(*) FROM moz_places WHERE hidden = 0 AND visit_count > 0",
      is: [.wideRowsForCount, .indexNotCovering, .fullScan], best: .index("moz_places (hidden, visit_count)"),
      or: [.index("moz_places (visit_count, hidden)"), .index("moz_places (visit_count) WHERE hidden = 0")],
      because: "75 % count, but they can be counted within an index instead of the pages with their descriptions"),
    .slow(
      "places-14",
      """
      SELECT o.host, (SELECT MAX(p.last_visit_date) FROM moz_places p WHERE p.origin_id = o.id) AS "last"
      FROM moz_origins o ORDER BY o.host LIMIT 25 -- first page of the list of sites
      """,
      is: [.subqueryPerRow, .sortWithoutIndex, .indexNotCovering],
      best: .index("moz_places (origin_id, last_visit_date)", "moz_origins (host)"),
      or: [.index("moz_places (origin_id, last_visit_date)")],
      because: "all pages of all sites are read before the first 25 sites are known; a maximum is one end of a range"),
    .slow(
      "places-15", "SELECT MIN(visit_date), MAX(visit_date) FROM moz_historyvisits", is: [.fullScan],
      best: .rewrite(
        """
        SELECT (SELECT MIN(visit_date) FROM moz_historyvisits), (SELECT MAX(visit_date) FROM moz_historyvisits)
        """),
      because: "one of them alone is the end of the index; both at once read all of it"),
    .slow(
      "places-16",
      """
      SELECT h.url, a.content FROM moz_anno_attributes n
      JOIN moz_annos a ON a.anno_attribute_id = n.id JOIN moz_places h ON h.id = a.place_id
      WHERE n.name = ?
      """,
      ["addon/drilo"], sampled: true, is: [.fullScan, .automaticIndex], best: .index("moz_annos (anno_attribute_id)"),
      because: "the unique index begins with the page"),
    .fine(
      "places-17",
      """
      SELECT a.content FROM moz_annos a JOIN moz_anno_attributes n ON n.id = a.anno_attribute_id
      WHERE a.place_id = :page_id AND n.name = :anno_name
      """,
      [4711, "downloads/metaData"], because: "both from unique indexes"),
    .fine(
      "places-18",
      """
      INSERT INTO moz_inputhistory (place_id, input, use_count) VALUES (?1, ?2, 1)
      ON CONFLICT (place_id, input) DO UPDATE SET use_count = use_count * .9 + 1
      """,
      [77, "gudi"], because: "a write of one row by its primary key"),
  ]
}
