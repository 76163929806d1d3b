extension Corpus {
  /// A journal app's store as Core Data makes it: entries with media, places and tags, persistent history, and a fetch
  /// index that repeats the one of a relationship. Never analyzed.
  static let core = CorpusSchema(
    name: "core", script: coreScript, statements: coreStatements,
    superfluousIndexes: [.duplicate("ZMEDIA_ZENTRY_INDEX", "Z_Media_byEntry")])

  private static let coreScript = """
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    CREATE TABLE ZJOURNAL (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZORDER INTEGER,
      ZCREATED TIMESTAMP, ZNAME VARCHAR);
    CREATE TABLE ZPLACE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZLATITUDE FLOAT, ZLONGITUDE FLOAT,
      ZCOUNTRY VARCHAR, ZNAME VARCHAR);
    CREATE TABLE ZENTRY (
      Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISSTARRED INTEGER, ZISTRASHED INTEGER, ZMOOD INTEGER,
      ZWORDS INTEGER, ZJOURNAL INTEGER, ZPLACE INTEGER, ZDATE TIMESTAMP, ZMODIFIED TIMESTAMP, ZSYNCED TIMESTAMP,
      ZIDENTIFIER VARCHAR, ZTITLE VARCHAR, ZBODY VARCHAR);
    CREATE TABLE ZMEDIA (
      Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSIZE INTEGER, ZENTRY INTEGER, Z_FOK_ENTRY INTEGER,
      ZCAPTURED TIMESTAMP, ZDURATION FLOAT, ZFILENAME VARCHAR, ZTHUMBNAIL BLOB);
    CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZUSAGE INTEGER, ZNAME VARCHAR);
    CREATE TABLE Z_2TAGS (Z_2ENTRIES INTEGER, Z_7TAGS INTEGER, PRIMARY KEY (Z_2ENTRIES, Z_7TAGS));
    CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER,
      ZTIMESTAMP FLOAT);
    CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER,
      ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
    CREATE INDEX ZENTRY_ZJOURNAL_INDEX ON ZENTRY (ZJOURNAL);
    CREATE INDEX ZENTRY_ZPLACE_INDEX ON ZENTRY (ZPLACE);
    CREATE INDEX Z_Entry_byDate ON ZENTRY (ZDATE);
    CREATE INDEX Z_Entry_byFlags ON ZENTRY (ZISTRASHED, ZISSTARRED);
    CREATE INDEX ZMEDIA_ZENTRY_INDEX ON ZMEDIA (ZENTRY);
    CREATE INDEX Z_Media_byEntry ON ZMEDIA (ZENTRY);
    CREATE INDEX Z_2TAGS_Z_7TAGS_INDEX ON Z_2TAGS (Z_7TAGS, Z_2ENTRIES);
    CREATE INDEX ATRANSACTION_ZTIMESTAMP_INDEX ON ATRANSACTION (ZTIMESTAMP);

    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Journal', 0, 24), (2, 'Entry', 0, 36000), (3, 'Media', 0, 50000),
      (4, 'Photo', 3, 0), (5, 'Audio', 3, 0), (6, 'Place', 0, 2500), (7, 'Tag', 0, 150);
    INSERT INTO ZJOURNAL SELECT i, 1, 1, i, 480000000 + i * 86400.5, title(1, i, 2) FROM numbers WHERE i <= 24;
    INSERT INTO ZPLACE
    SELECT i, 6, 1, 40 + chance(2, i) * 20, chance(3, i) * 30, upper(word(skewed(4, i, 60))), title(5, i, 2)
    FROM numbers WHERE i <= 2500;
    INSERT INTO ZENTRY
    SELECT i, 2, 1 + pick(6, i, 6), chance(7, i) < 0.02, chance(8, i) < 0.04,
      iif(chance(9, i) < 0.3, NULL, pick(9, i, 5)), pick(10, i, 900), skewed(11, i, 24),
      iif(chance(12, i) < 0.45, NULL, skewed(13, i, 2500)), 480000000 + i * 7200.125,
      480000000 + i * 7200.25 + pick(14, i, 20000000) / 8.0,
      iif(chance(15, i) < 0.003, NULL, iif(chance(15, i) < 0.008, 480000000, 1480000000) + i),
      printf('%08X-%04X', i * 2654435761 & 4294967295, i & 65535),
      iif(chance(16, i) < 0.8, title(17, i, 3), NULL), prose(18, i, skewed(19, i, 2500))
    FROM numbers WHERE i <= 36000;
    INSERT INTO ZMEDIA
    SELECT i, iif(chance(20, i) < 0.97, 4, 5), 1, 20000 + skewed(21, i, 9000000),
      iif(i <= 260, 12000, iif(i <= 420, 12001, pick(22, i, 36000))), i * 1024, 480000000 + i * 5000.5,
      iif(chance(20, i) < 0.97, NULL, pick(23, i, 600)), 'IMG_' || i || '.HEIC', zeroblob(pick(24, i, 200))
    FROM numbers WHERE i <= 50000;
    INSERT INTO ZTAG SELECT i, 7, 1, 0, word(i) FROM numbers WHERE i <= 150;
    INSERT OR IGNORE INTO Z_2TAGS
    SELECT iif(i <= 120, 12000 + i % 2, pick(25, i, 36000)), skewed(26, i, 150) FROM numbers WHERE i <= 55000;
    INSERT INTO ATRANSACTION SELECT i, 16001, 1, pick(27, i, 3), 700000000 + i * 300.5 FROM numbers WHERE i <= 5000;
    INSERT INTO ACHANGE
    SELECT i, 16002, 1, pick(28, i, 3) - 1, 1 + skewed(29, i, 6), pick(30, i, 36000), 1 + i / 5, NULL
    FROM numbers WHERE i <= 24990;
    """

  private static let coreColumns = """
    t0.Z_PK, t0.Z_OPT, t0.ZISSTARRED, t0.ZISTRASHED, t0.ZMOOD, t0.ZWORDS, t0.ZDATE, t0.ZMODIFIED, t0.ZIDENTIFIER, \
    t0.ZTITLE, t0.ZBODY, t0.ZJOURNAL, t0.ZPLACE
    """

  private static let coreStatements: [CorpusStatement] = [
    .slow(
      "core-01",
      """
      SELECT 0, \(coreColumns) FROM ZENTRY t0 WHERE ( t0.ZJOURNAL = ? AND  t0.ZISTRASHED = ?) \
      ORDER BY t0.ZDATE DESC LIMIT 50
      """,
      [4, 0], [1, 0], is: [.sortWithoutIndex], best: .index("ZENTRY (ZJOURNAL, ZISTRASHED, ZDATE)"),
      or: [.index("ZENTRY (ZJOURNAL, ZDATE)")],
      because: "a journal has thousands of entries, all sorted for the first screen"),
    .fine(
      "core-02",
      """
      SELECT 0, \(coreColumns) FROM ZENTRY t0 WHERE  t0.Z_PK IN  (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)  LIMIT 20
      """,
      [
        101, 212, 323, 434, 545, 656, 767, 878, 989, 1090, 1201, 1312, 1423, 1534, 1645, 1756, 1867, 1978, 2089, 2190,
      ],
      because: "a batch of faults by primary key"),
    .slow(
      "core-03",
      "SELECT COUNT( DISTINCT t0.Z_PK) FROM ZENTRY t0 JOIN ZMEDIA t1 ON t0.Z_PK = t1.ZENTRY WHERE  t1.Z_ENT = ?",
      [5], is: [.fullScan, .wideRowsForCount, .indexNotCovering], best: .index("ZMEDIA (Z_ENT, ZENTRY)"),
      because: "3 % of the media are recordings; their entries come from one index"),
    .slow(
      "core-04",
      """
      SELECT 0, t0.Z_PK FROM ZENTRY t0 LEFT OUTER JOIN ZPLACE t1 ON t0.ZPLACE = t1.Z_PK WHERE  t1.ZCOUNTRY = ? \
      ORDER BY t0.ZDATE
      """,
      ["GRUPE"], sampled: true, is: [.fullScan], best: .index("ZPLACE (ZCOUNTRY)"),
      because: "found by its country, a place leads to its entries by their index"),
    .slow(
      "core-05",
      """
      SELECT 0, t0.Z_PK FROM ZENTRY t0 WHERE (SELECT COUNT(t1.Z_PK) FROM ZMEDIA t1 WHERE (t0.Z_PK = t1.ZENTRY) ) > ?
      """,
      [6], is: [.subqueryPerRow],
      best: .rewrite(
        """
        SELECT 0, t0.Z_PK FROM ZENTRY t0 \
        WHERE t0.Z_PK IN (SELECT t1.ZENTRY FROM ZMEDIA t1 GROUP BY t1.ZENTRY HAVING COUNT(*) > ?)
        """),
      because: "media.@count > 6 counts once for each of 36,000 entries; the index gives all counts in one walk"),
    .repeated(
      "core-06", "SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZSIZE, t0.ZFILENAME FROM ZMEDIA t0 WHERE  t0.ZENTRY = ? ",
      (1...130).map { [.integer($0 * 211)] }, in: "timeline",
      best: .batch(
        """
        SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZSIZE, t0.ZFILENAME FROM ZMEDIA t0 \
        WHERE  t0.ZENTRY IN (SELECT value FROM json_each(?))
        """,
        [.text("[" + (1...130).map { String($0 * 211) }.joined(separator: ",") + "]")]),
      because: "the relationship's fault fires for each entry on its own; prefetching takes one statement"),
    .slow(
      "core-07",
      "SELECT 0, t0.Z_PK FROM ZENTRY t0 WHERE  NSCoreDataStringSearch( t0.ZTITLE, ?, 393, 0) ORDER BY t0.ZDATE DESC",
      ["gruce"],
      is: [.patternWithoutIndex, .functionOnColumn, .caseInsensitiveWithoutIndex, .fullScan, .indexNotCovering],
      best: .index("ZENTRY (ZDATE, ZTITLE)"),
      because: """
        the framework's search can't be looked up, but the titles can be read in the order that is wanted without \
        fetching 36,000 entries in random order
        """),
    .fine(
      "core-08", "SELECT DISTINCT t0.Z_2ENTRIES FROM Z_2TAGS t0 WHERE  t0.Z_7TAGS IN  (?,?,?) ", [101, 128, 140],
      because: "the index on the other side of the join table covers it"),
    .fine(
      "core-09", "SELECT 0, \(coreColumns) FROM ZENTRY t0 ORDER BY t0.ZDATE DESC LIMIT 20",
      because: "the fetch index gives the order"),
    .slow(
      "core-10",
      "SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZTITLE, t0.ZDATE FROM ZENTRY t0 ORDER BY t0.ZDATE DESC LIMIT 100 OFFSET 18000",
      is: [.largeOffset],
      best: .keyset(
        """
        SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZTITLE, t0.ZDATE FROM ZENTRY t0 WHERE  t0.ZDATE < ? \
        ORDER BY t0.ZDATE DESC LIMIT 100
        """, [609_609_450.125]),
      because: "fetchOffset steps over 18,000 entries"),
    .slow(
      "core-11",
      "SELECT 0, t0.Z_PK FROM ZENTRY t0 WHERE ( t0.ZSYNCED IS NULL OR  t0.ZSYNCED < t0.ZMODIFIED)",
      is: [.partialIndex, .orWithoutIndex, .fullScan],
      best: .index("ZENTRY (Z_PK) WHERE ZSYNCED IS NULL OR ZSYNCED < ZMODIFIED"),
      because: "two columns of a row are compared: only a partial index knows the 0.8 %"),
    .slow(
      "core-12",
      """
      SELECT t0.ZJOURNAL, COUNT( t0.Z_PK), SUM( t0.ZWORDS) FROM ZENTRY t0 WHERE  t0.ZISTRASHED = ? GROUP BY t0.ZJOURNAL
      """,
      [0], is: [.groupWithoutIndex, .indexNotCovering, .missingStatistics, .harmfulIndex],
      best: .index("ZENTRY (ZISTRASHED, ZJOURNAL, ZWORDS)"),
      because: "96 % count: an index on a flag fetches each of them; a covering one is also in order of the groups"),
    .slow(
      "core-13",
      """
      SELECT t0.Z_PK, COUNT( t1.Z_PK), SUM( t1.ZSIZE), COUNT( t2.Z_7TAGS) FROM ZENTRY t0 \
      LEFT OUTER JOIN ZMEDIA t1 ON t0.Z_PK = t1.ZENTRY LEFT OUTER JOIN Z_2TAGS t2 ON t0.Z_PK = t2.Z_2ENTRIES \
      WHERE  t0.Z_PK IN (?, ?) GROUP BY t0.Z_PK
      """,
      [12_000, 12_001], is: [.multipliedAggregate],
      best: .correct(
        """
        SELECT t0.Z_PK, (SELECT COUNT( t1.Z_PK) FROM ZMEDIA t1 WHERE t1.ZENTRY = t0.Z_PK), \
        (SELECT SUM( t1.ZSIZE) FROM ZMEDIA t1 WHERE t1.ZENTRY = t0.Z_PK), \
        (SELECT COUNT( t2.Z_7TAGS) FROM Z_2TAGS t2 WHERE t2.Z_2ENTRIES = t0.Z_PK) FROM ZENTRY t0 \
        WHERE  t0.Z_PK IN (?, ?)
        """),
      because: "260 photos × 30 tags: the album weighs thirty times what it does"),
    .slow(
      "core-14",
      """
      SELECT 0, t0.Z_PK, t0.ZTIMESTAMP FROM ATRANSACTION t0 WHERE ( t0.ZTIMESTAMP > ? AND \
      (SELECT COUNT(t1.Z_PK) FROM ACHANGE t1 WHERE (t1.ZTRANSACTIONID = t0.Z_PK AND ( t1.ZENTITY = 2 ))) > 0)
      """,
      [701_490_000.0], is: [.subqueryPerRow, .fullScan, .automaticIndex],
      best: .index("ACHANGE (ZTRANSACTIONID, ZENTITY)"),
      or: [.index("ACHANGE (ZTRANSACTIONID)")],
      because: "all changes are read for each transaction since the last token"),
    .fine(
      "core-15", "SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZUSAGE, t0.ZNAME FROM ZTAG t0 ORDER BY t0.ZNAME",
      because: "150 tags"),
    .fine(
      "core-16", "UPDATE ZENTRY SET ZTITLE = ?, ZMOOD = ?, Z_OPT = ?  WHERE Z_PK = ? AND Z_OPT = ?",
      ["A day", 4, 3, 5000, 2], because: "a save: by primary key, the version is compared"),
    .fine(
      "core-17",
      "SELECT 0, t0.Z_PK FROM ZENTRY t0 WHERE ( t0.ZPLACE = ? AND  NSCoreDataStringSearch( t0.ZTITLE, ?, 385, 0))",
      [900, "gu"], tolerated: [.patternWithoutIndex, .functionOnColumn, .caseInsensitiveWithoutIndex],
      because: "a few entries of a place, found by its index"),
    .slow(
      "core-18",
      """
      SELECT 0, t0.Z_PK, t0.ZTITLE FROM ZENTRY t0 \
      WHERE (( t0.ZPLACE = ? AND  t0.ZISTRASHED = ?) AND  t0.ZISSTARRED = ?)
      """,
      [900, 0, 0], is: [.missingStatistics, .harmfulIndex], best: .change("ANALYZE"),
      or: [.change("DROP INDEX Z_Entry_byFlags"), .index("ZENTRY (ZPLACE, ZISTRASHED, ZISSTARRED)")],
      because: "without statistics two flags seem to say more than the place: they find 94 %, the place a few"),
  ]
}
