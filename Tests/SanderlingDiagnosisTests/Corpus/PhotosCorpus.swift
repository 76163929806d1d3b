extension Corpus {
  /// A photo library of 100 MB: wide rows with metadata, faces, albums; analyzed.
  static let photos = CorpusSchema(name: "photos", script: photosScript, statements: photosStatements)

  private static let photosScript = """
    CREATE TABLE asset (
      id INTEGER PRIMARY KEY, uuid TEXT NOT NULL, kind INTEGER NOT NULL, favorite INTEGER NOT NULL,
        hidden INTEGER NOT NULL,
      trashed_at REAL, created REAL NOT NULL, added REAL NOT NULL, latitude REAL, longitude REAL,
        width INTEGER NOT NULL,
      height INTEGER NOT NULL, duration REAL, camera TEXT, file_name TEXT NOT NULL, bytes INTEGER NOT NULL,
      checksum TEXT NOT NULL, metadata BLOB NOT NULL);
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE face (
      id INTEGER PRIMARY KEY, asset_id INTEGER NOT NULL, person_id INTEGER, quality REAL NOT NULL, x REAL, y REAL);
    CREATE TABLE album (id INTEGER PRIMARY KEY, title TEXT NOT NULL, kind INTEGER NOT NULL);
    CREATE TABLE album_asset (
      album_id INTEGER NOT NULL, position INTEGER NOT NULL, asset_id INTEGER NOT NULL,
      PRIMARY KEY (album_id, position)) WITHOUT ROWID;
    CREATE TABLE memory (id INTEGER PRIMARY KEY, title TEXT NOT NULL, day TEXT NOT NULL, asset_uuid TEXT NOT NULL);
    CREATE INDEX asset_created ON asset (created);
    CREATE INDEX asset_trashed ON asset (trashed_at) WHERE trashed_at IS NOT NULL;
    CREATE INDEX face_asset ON face (asset_id);

    INSERT INTO asset
    SELECT i, printf('%08X-%06X', i * 2654435761 & 4294967295, i), CASE WHEN chance(1, i) < 0.92 THEN 0 ELSE 1 END,
      chance(2, i) < 0.015, chance(3, i) < 0.003, iif(chance(4, i) < 0.008, 1690000000 + i * 10.5, NULL),
      1300000000 + i * 1900.25, 1300000000 + i * 1900.25 + pick(5, i, 90000),
      iif(chance(6, i) < 0.7, 30 + skewed(7, i, 30) + chance(8, i), NULL),
      iif(chance(6, i) < 0.7, -10 + skewed(9, i, 40) + chance(10, i), NULL),
      CASE pick(11, i, 3) WHEN 1 THEN 4032 WHEN 2 THEN 3024 ELSE 1000 + pick(12, i, 3000) END, 1000 + pick(13, i, 3000),
      iif(chance(1, i) < 0.92, NULL, pick(14, i, 900)), iif(chance(15, i) < 0.9, 'Camera ' || skewed(16, i, 30), NULL),
      printf('IMG_%06d.HEIC', i % 10000), 500000 + pick(17, i, 6000000),
      printf('%016x', pick(18, i, 225000) * 7046029254386353131), zeroblob(210 + pick(19, i, 140))
    FROM numbers WHERE i <= 210000;
    INSERT INTO person SELECT i, title(20, i, 2) FROM numbers WHERE i <= 500;
    INSERT INTO face
    SELECT i, pick(21, i, 210000), iif(chance(22, i) < 0.8, skewed(23, i, 500), NULL), chance(24, i), chance(25, i),
      chance(26, i)
    FROM numbers WHERE i <= 120000;
    INSERT INTO album SELECT i, title(27, i, 2), i % 3 FROM numbers WHERE i <= 200;
    INSERT INTO album_asset SELECT 1 + i % 200, i / 200, pick(28, i, 210000) FROM numbers WHERE i <= 50000;
    INSERT INTO memory
    SELECT i, title(29, i, 3), date(1600000000 + i * 86400, 'unixepoch'),
      printf('%08X-%06X', pick(30, i, 210000) * 2654435761 & 4294967295, pick(30, i, 210000))
    FROM numbers WHERE i <= 300;
    ANALYZE;
    """

  private static let photosStatements: [CorpusStatement] = [
    .fine(
      "photos-21", "SELECT * FROM asset WHERE kind = 0",
      because: "92 % match"),
    .fine(
      "photos-01",
      """
      SELECT * FROM asset WHERE trashed_at IS NULL AND hidden = 0 ORDER BY created DESC LIMIT 200
      """,
      because: "nearly every row of the walk along the dates is wanted"),
    .slow(
      "photos-02", "SELECT id, created, kind FROM asset WHERE favorite = 1 ORDER BY created DESC LIMIT 100",
      is: [.partialIndex, .fullScan, .sortWithoutIndex, .indexNotCovering],
      best: .index("asset (created) WHERE favorite = 1"), or: [.index("asset (favorite, created)")],
      because: "1.5 % are favourites: the walk along the dates reads 66 rows for each"),
    .slow(
      "photos-03", "SELECT checksum, COUNT(*) FROM asset GROUP BY checksum HAVING COUNT(*) > 4",
      is: [.groupWithoutIndex, .indexNotCovering], best: .index("asset (checksum)"),
      because: "duplicates are neighbours in an index; without one 100 MB are sorted"),
    .slow(
      "photos-04",
      "SELECT id, latitude, longitude FROM asset WHERE latitude BETWEEN ? AND ? AND longitude BETWEEN ? AND ?",
      [52.2, 52.4, 3.0, 3.5], is: [.fullScan, .indexNotCovering], best: .index("asset (latitude, longitude)"),
      because: "a range and, from the same index, the other one without reading rows"),
    .slow(
      "photos-05", "SELECT * FROM asset WHERE uuid = ?", ["19178EF0-0249F0"], sampled: true, is: [.fullScan],
      best: .index("asset (uuid)"), because: "100 MB for one row"),
    .slow(
      "photos-06",
      """
      SELECT strftime('%Y-%m', created, 'unixepoch') AS month, COUNT(*) FROM asset WHERE kind = 1 GROUP BY month
      """,
      is: [.groupWithoutIndex, .expressionIndex, .functionOnColumn, .fullScan, .indexNotCovering],
      best: .index("asset (kind, created)"), or: [.index("asset (created) WHERE kind = 1")],
      because: "8 % are videos; the index holds all that the count needs"),
    .slow(
      "photos-07",
      """
      SELECT a.id, a.created FROM asset a
      WHERE EXISTS (SELECT 1 FROM face f WHERE f.asset_id = a.id AND f.person_id = ?) ORDER BY a.created DESC LIMIT 60
      """,
      [300], is: [.subqueryPerRow, .fullScan],
      best: .rewrite(
        """
        SELECT a.id, a.created FROM asset a WHERE a.id IN (SELECT asset_id FROM face WHERE person_id = ?)
        ORDER BY +a.created DESC LIMIT 60
        """,
        with: "face (person_id, asset_id)"),
      or: [
        .rewrite(
          """
          SELECT a.id, a.created FROM asset a WHERE a.id IN (SELECT asset_id FROM face WHERE person_id = ?)
          ORDER BY a.created DESC LIMIT 60
          """,
          with: "face (person_id, asset_id)")
      ],
      because: "a rare person: start from the faces, not from 210,000 assets"),
    .fine(
      "photos-08",
      """
      SELECT a.id, a.uuid FROM album_asset aa JOIN asset a ON a.id = aa.asset_id WHERE aa.album_id = ?
        ORDER BY aa.position
      """,
      [7], because: "the primary key gives the album in order"),
    .slow(
      "photos-09", "SELECT COUNT(*) FROM asset WHERE kind = ? AND hidden = 0", [1],
      is: [.wideRowsForCount, .fullScan, .indexNotCovering], best: .index("asset (kind, hidden)"),
      because: "a count over 210,000 rows of 450 bytes"),
    .fine(
      "photos-10", "SELECT * FROM asset WHERE id > ? ORDER BY id LIMIT 500", [100_000], because: "an export by key"),
    .slow(
      "photos-11", "SELECT id, uuid FROM asset ORDER BY created LIMIT 100 OFFSET 150000", is: [.largeOffset],
      best: .keyset("SELECT id, uuid FROM asset WHERE created > ? ORDER BY created LIMIT 100", [1_585_037_500.0]),
      because: "the index gives the order, but 150,000 entries are stepped over"),
    .slow(
      "photos-12", "SELECT SUM(bytes) FROM asset", is: [.indexNotCovering, .fullScan], best: .index("asset (bytes)"),
      because: "all rows count, but 2 MB of index say the same as 100 MB of table"),
    .slow(
      "photos-13", "SELECT DISTINCT camera FROM asset ORDER BY camera", is: [.distinctWithoutIndex, .indexNotCovering],
      best: .index("asset (camera)"), because: "30 cameras; an index is a hundredth of the table"),
    .fine(
      "photos-14", "DELETE FROM asset WHERE trashed_at < ?", [1_690_010_000.0],
      because: "the partial index serves the condition, which implies NOT NULL"),
    .fine(
      "photos-15",
      """
      SELECT album.title, album_asset.asset_id FROM album
      JOIN album_asset ON album_asset.album_id = album.id WHERE album.kind = 1
      """,
      because: "200 albums, and their rows along the primary key"),
    .slow(
      "photos-16", "SELECT id, width, height FROM asset WHERE width * height > 16100000",
      is: [.expressionIndex, .functionOnColumn, .fullScan], best: .index("asset (width * height)"),
      because: "a product is found by an index on it"),
    .slow(
      "photos-17", "SELECT id FROM asset WHERE favorite = 1 OR hidden = 1",
      is: [.orWithoutIndex, .fullScan, .partialIndex],
      best: .index("asset (favorite)", "asset (hidden)"),
      or: [.index("asset (id) WHERE favorite = 1 OR hidden = 1")],
      because: "each side is rare; both need an index, or the OR one partial index"),
    .fine(
      "photos-18", "SELECT id, kind FROM asset WHERE created >= ?1 AND created < ?2 AND kind = ?3",
      [1_500_000_000.0, 1_500_086_400.0, 0], because: "45 rows of a day, found by the date"),
    .slow(
      "photos-19",
      "SELECT m.title, a.id FROM memory m JOIN asset a ON a.uuid = m.asset_uuid WHERE m.id BETWEEN 10 AND 12",
      is: [.fullScan, .automaticIndex], best: .index("asset (uuid)"),
      because: "the assets are scanned or indexed for three look-ups"),
    .repeated(
      "photos-20", "SELECT id, quality, person_id FROM face WHERE asset_id = ?",
      (1...150).map { [.integer(100_000 + $0 * 3)] }, in: "show faces of page",
      best: .batch(
        "SELECT id, quality, person_id FROM face WHERE asset_id IN (SELECT value FROM json_each(?))",
        [.text("[" + (1...150).map { String(100_000 + $0 * 3) }.joined(separator: ",") + "]")]),
      because: "once for each of 150 assets"),
    .fine(
      "photos-22", "SELECT COUNT(*) FROM face WHERE asset_id = ?", [100_003], because: "covered by the index"),
  ]
}
