extension Corpus {
  /// Core Data's shape: 15,002 screenees of 40 profiles with their visits and tags. The framework never analyzes.
  static let contacts = CorpusSchema(name: "contacts", script: contactsScript, statements: contactsStatements)

  private static let contactsScript = """
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    CREATE TABLE ZPROFILE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPOSITION INTEGER, ZNAME VARCHAR);
    CREATE TABLE ZASCREENEE (
      Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAGE INTEGER, ZISFAVORITE INTEGER, ZPROFILE INTEGER,
      ZCREATED TIMESTAMP, ZEMAIL VARCHAR, ZFIRSTNAME VARCHAR, ZLASTNAME VARCHAR, ZNORMALIZEDNAME VARCHAR,
        ZNOTE VARCHAR);
    CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
    CREATE TABLE ZVISIT (
      Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZKIND INTEGER, ZSTATE INTEGER, ZSCREENEE INTEGER,
      ZDATE TIMESTAMP, ZDURATION FLOAT, ZSUMMARY VARCHAR);
    CREATE TABLE Z_1TAGS (Z_1SCREENEES INTEGER, Z_3TAGS INTEGER, PRIMARY KEY (Z_1SCREENEES, Z_3TAGS));
    CREATE INDEX ZASCREENEE_ZPROFILE_INDEX ON ZASCREENEE (ZPROFILE);
    CREATE INDEX ZVISIT_ZSCREENEE_INDEX ON ZVISIT (ZSCREENEE);
    CREATE INDEX Z_1TAGS_Z_3TAGS_INDEX ON Z_1TAGS (Z_3TAGS, Z_1SCREENEES);

    INSERT INTO Z_PRIMARYKEY VALUES
      (1, 'AScreenee', 0, 15002), (2, 'Profile', 0, 40), (3, 'Tag', 0, 80), (4, 'Visit', 0, 60000);
    INSERT INTO ZPROFILE SELECT i, 2, 1, i, title(1, i, 2) FROM numbers WHERE i <= 40;
    INSERT INTO ZASCREENEE
    SELECT i, 1, 1 + pick(2, i, 5), 18 + pick(3, i, 70), chance(4, i) < 0.02, skewed(5, i, 40), 400000000 + i * 9000.25,
      lower(word(i)) || '@example.org', title(6, i, 1), title(7, i, 1),
        lower(title(6, i, 1)) || ' ' || lower(title(7, i, 1)),
      iif(chance(8, i) < 0.4, prose(9, i, pick(10, i, 400)), NULL)
    FROM numbers WHERE i <= 15002;
    INSERT INTO ZTAG SELECT i, 3, 1, word(i) FROM numbers WHERE i <= 80;
    INSERT INTO ZVISIT
    SELECT i, 4, 1, min(4, skewed(11, i, 5)), iif(chance(12, i) < 0.006, 9, pick(13, i, 3)),
      iif(i % 20 = 0, 77, skewed(14, i, 15002)), 400000000 + i * 2250.5, pick(15, i, 5400), prose(16, i,
        pick(17, i, 200))
    FROM numbers WHERE i <= 60000;
    INSERT OR IGNORE INTO Z_1TAGS SELECT pick(18, i, 15002), skewed(19, i, 80) FROM numbers WHERE i <= 30000;
    """

  private static let columns = """
    t0.Z_PK, t0.Z_OPT, t0.ZAGE, t0.ZISFAVORITE, t0.ZCREATED, t0.ZEMAIL, t0.ZFIRSTNAME, t0.ZLASTNAME, \
    t0.ZNORMALIZEDNAME, t0.ZNOTE, t0.ZPROFILE
    """

  private static let contactsStatements: [CorpusStatement] = [
    .slow(
      "contacts-01",
      "SELECT 0, t0.Z_PK FROM ZASCREENEE t0 WHERE  t0.ZPROFILE = ? ORDER BY t0.ZLASTNAME, t0.ZFIRSTNAME",
      [1], is: [.sortWithoutIndex, .indexNotCovering],
      best: .index("ZASCREENEE (ZPROFILE, ZLASTNAME, ZFIRSTNAME)"),
      because: "the index on the profile alone leaves a sort; one index serves both, and covers"),
    .slow(
      "contacts-02",
      "SELECT 0, \(columns) FROM ZASCREENEE t0 WHERE  t0.ZPROFILE = ? ORDER BY t0.ZLASTNAME, t0.ZFIRSTNAME LIMIT 100",
      [2], is: [.sortWithoutIndex], best: .index("ZASCREENEE (ZPROFILE, ZLASTNAME, ZFIRSTNAME)"),
      because: "a page of a sorted list needs the order from the index"),
    .slow(
      "contacts-03",
      "SELECT 0, \(columns) FROM ZASCREENEE t0 WHERE  NSCoreDataStringSearch( t0.ZFIRSTNAME, ?, 385, 0)",
      ["bagu"], is: [.patternWithoutIndex, .functionOnColumn, .caseInsensitiveWithoutIndex, .fullScan], best: .design,
      because: "the app's function sees every row: a stored normalized name is searched by range"),
    .slow(
      "contacts-04",
      "SELECT 0, \(columns) FROM ZASCREENEE t0 WHERE ( t0.ZNORMALIZEDNAME >= ? AND  t0.ZNORMALIZEDNAME < ?)",
      ["bagu", "bagv"], is: [.fullScan], best: .index("ZASCREENEE (ZNORMALIZEDNAME)"),
      because: "BEGINSWITH on a normalized attribute is a range"),
    .slow(
      "contacts-05", "SELECT COUNT( DISTINCT t0.Z_PK) FROM ZASCREENEE t0 WHERE  t0.ZISFAVORITE = ?", [1],
      is: [.fullScan, .wideRowsForCount, .indexNotCovering], best: .index("ZASCREENEE (ZISFAVORITE)"),
      because: "2 % are favourites"),
    .fine(
      "contacts-06",
      """
      SELECT DISTINCT 0, t0.Z_PK, t0.Z_OPT, t0.ZFIRSTNAME, t0.ZLASTNAME FROM ZASCREENEE t0 \
      JOIN Z_1TAGS t1 ON t0.Z_PK = t1.Z_1SCREENEES WHERE  t1.Z_3TAGS = ?
      """,
      [40], because: "the inverse index of the join table covers, the rest is by primary key"),
    .slow(
      "contacts-07",
      "SELECT 0, t0.Z_PK, t0.ZDATE FROM ZVISIT t0 WHERE  t0.ZSCREENEE = ? ORDER BY t0.ZDATE DESC LIMIT 1",
      [77], is: [.sortWithoutIndex], best: .index("ZVISIT (ZSCREENEE, ZDATE)"),
      because: "one screenee has 3,000 visits, all read for the last one"),
    .fine(
      "contacts-08",
      "SELECT 0, \(columns) FROM ZASCREENEE t0 WHERE  t0.Z_PK IN (?,?,?,?,?,?,?,?)",
      [11, 502, 1003, 4004, 7005, 9006, 12007, 15001], because: "a batch of rows by primary key"),
    .slow(
      "contacts-09",
      "SELECT 0, t0.Z_PK, t0.ZKIND FROM ZVISIT t0 WHERE ( t0.ZDATE >= ? AND  t0.ZDATE < ?) ORDER BY t0.ZDATE",
      [450_000_000.0, 450_604_800.0], is: [.fullScan, .sortWithoutIndex], best: .index("ZVISIT (ZDATE)"),
      because: "a week of four years, in order"),
    .repeated(
      "contacts-10",
      "SELECT 0, \(columns) FROM ZASCREENEE t0 WHERE  t0.Z_PK = ? ",
      (1...200).map { [.integer($0 * 61)] }, in: "fire faults",
      best: .batch(
        "SELECT 0, \(columns) FROM ZASCREENEE t0 WHERE  t0.Z_PK IN (SELECT value FROM json_each(?))",
        [.text("[" + (1...200).map { String($0 * 61) }.joined(separator: ",") + "]")]),
      because: "200 faults are fired one by one"),
    .slow(
      "contacts-11",
      "SELECT 0, \(columns) FROM ZASCREENEE t0 WHERE ( t0.ZEMAIL = ? OR  t0.ZNORMALIZEDNAME = ?)",
      ["tufo@example.org", "loce vace"], is: [.orWithoutIndex, .fullScan],
      best: .index("ZASCREENEE (ZEMAIL)", "ZASCREENEE (ZNORMALIZEDNAME)"),
      because: "each side of the OR needs an index of its own; one alone is useless"),
    .slow(
      "contacts-12", "SELECT DISTINCT t0.ZLASTNAME FROM ZASCREENEE t0 ORDER BY t0.ZLASTNAME",
      is: [.distinctWithoutIndex, .sortWithoutIndex, .indexNotCovering], best: .index("ZASCREENEE (ZLASTNAME)"),
      because: "the index covers, in order, so that equal names are neighbours"),
    .fine(
      "contacts-13", "UPDATE ZASCREENEE SET ZFIRSTNAME = ?, Z_OPT = ?  WHERE Z_PK = ? AND Z_OPT = ?",
      ["Nora", 3, 500, 2], because: "Core Data's optimistic save is by primary key"),
    .fine("contacts-14", "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [4], because: "primary key of a tiny table"),
    .fine(
      "contacts-15",
      """
      SELECT 0, \(columns), t1.ZNAME FROM ZASCREENEE t0 LEFT OUTER JOIN ZPROFILE t1 ON t0.ZPROFILE = t1.Z_PK \
      WHERE ( t0.Z_PK > ? AND  t0.Z_PK <= ?) ORDER BY t0.Z_PK
      """,
      [14_000, 14_050], because: "a range of the primary key in its order, and a look-up by another"),
    .slow(
      "contacts-16", "SELECT t0.ZKIND, COUNT( t0.Z_PK) FROM ZVISIT t0 GROUP BY  t0.ZKIND",
      is: [.groupWithoutIndex, .indexNotCovering], best: .index("ZVISIT (ZKIND)"),
      because: "60,000 wide rows are sorted to count four groups"),
    .slow(
      "contacts-17", "DELETE FROM ZVISIT WHERE ZSTATE = ?1 AND ZDATE < ?2", [9, 440_000_000.0], is: [.fullScan],
      best: .index("ZVISIT (ZSTATE, ZDATE)"),
      or: [.index("ZVISIT (ZSTATE)"), .index("ZVISIT (ZDATE) WHERE ZSTATE = 9")],
      because: "0.6 % are in state 9"),
  ]
}
