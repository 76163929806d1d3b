extension Corpus {
  /// A music library with play counts and reviews; not analyzed, one index is a prefix of another, one a view away.
  static let music = CorpusSchema(
    name: "music", script: musicScript, statements: musicStatements,
    superfluousIndexes: [.redundant("track_album")])

  private static let musicScript = """
    CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT NOT NULL, sort_name TEXT NOT NULL, country TEXT);
    CREATE TABLE album (
      id INTEGER PRIMARY KEY, artist_id INTEGER NOT NULL REFERENCES artist (id), title TEXT NOT NULL, label TEXT,
      year INTEGER, notes TEXT);
    CREATE TABLE genre (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE track (
      id INTEGER PRIMARY KEY, album_id INTEGER NOT NULL REFERENCES album (id), genre_id INTEGER, title TEXT NOT NULL,
      composer TEXT, disc_no INTEGER NOT NULL, track_no INTEGER NOT NULL, ms INTEGER NOT NULL, bytes INTEGER NOT NULL,
      rating INTEGER, added_at TEXT NOT NULL, path TEXT NOT NULL);
    CREATE TABLE playlist (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE playlist_track (
      playlist_id INTEGER NOT NULL, position INTEGER NOT NULL, track_id INTEGER NOT NULL,
      PRIMARY KEY (playlist_id, position)) WITHOUT ROWID;
    CREATE TABLE play (id INTEGER PRIMARY KEY, track_id INTEGER NOT NULL, played_at INTEGER NOT NULL, device TEXT);
    CREATE TABLE review (
      id INTEGER PRIMARY KEY, album_id INTEGER NOT NULL REFERENCES album (id), stars INTEGER NOT NULL,
        body TEXT NOT NULL);
    CREATE INDEX artist_sort_name ON artist (sort_name);
    CREATE INDEX track_album ON track (album_id);
    CREATE INDEX track_album_position ON track (album_id, disc_no, track_no);
    CREATE INDEX play_track ON play (track_id);
    CREATE INDEX review_album ON review (album_id);
    CREATE VIEW track_details AS
    SELECT track.id, track.title, track.ms, track.rating, album.title AS album, album.year, artist.name AS artist
    FROM track JOIN album ON album.id = track.album_id JOIN artist ON artist.id = album.artist_id;

    INSERT INTO artist SELECT i, title(1, i, 2), title(1, i, 2), iif(chance(2, i) < 0.8,
      upper(word(skewed(3, i, 40))), NULL)
    FROM numbers WHERE i <= 2500;
    INSERT INTO album
    SELECT i, skewed(4, i, 2500), title(5, i, 3), iif(chance(6, i) < 0.7, title(7, skewed(8, i, 300), 1), NULL),
      1960 + pick(9, i, 60), iif(chance(10, i) < 0.3, prose(11, i, 300), NULL)
    FROM numbers WHERE i <= 6000;
    INSERT INTO genre SELECT i, title(12, i, 1) FROM numbers WHERE i <= 25;
    INSERT INTO track
    SELECT i, 1 + (i - 1) / 9, skewed(13, i, 25), title(14, i, 3), iif(chance(15, i) < 0.5,
      title(16, pick(17, i, 3000), 2), NULL),
      1, 1 + (i - 1) % 9, 90000 + pick(18, i, 300000), 2000000 + pick(19, i, 9000000),
      iif(chance(20, i) < 0.15, pick(21, i, 5), NULL), datetime(1400000000 + i * 4000, 'unixepoch'),
      '/music/' || word(i % 2500) || '/' || word(i) || '.flac'
    FROM numbers WHERE i <= 54000;
    INSERT INTO playlist SELECT i, title(22, i, 2) FROM numbers WHERE i <= 150;
    INSERT INTO playlist_track SELECT 1 + i % 150, i / 150, pick(23, i, 54000) FROM numbers WHERE i <= 40000;
    INSERT INTO play
    SELECT i, skewed(24, i, 54000), 1600000000 + i * 700, iif(chance(25, i) < 0.8, 'phone', 'speaker')
    FROM numbers WHERE i <= 110000;
    INSERT INTO review
    SELECT i, iif(i <= 60, 40, pick(26, i, 6000)), pick(27, i, 5), prose(28, i, 100 + pick(29, i, 200))
    FROM numbers WHERE i <= 9000;
    """

  private static let musicStatements: [CorpusStatement] = [
    .fine(
      "music-20", "SELECT * FROM track WHERE ms > ?", [100_000], because: "97 % match: an index would be slower"),
    .fine(
      "music-21", "SELECT * FROM album ORDER BY random() LIMIT 10",
      because: "every row gets a random number; nothing can give that order"),
    .slow(
      "music-01",
      """
      SELECT "track"."id", "track"."title", "album"."title", "artist"."name" FROM "track" \
      LEFT OUTER JOIN "album" ON ("album"."id" = "track"."album_id") \
      LEFT OUTER JOIN "artist" ON ("artist"."id" = "album"."artist_id") WHERE "artist"."name" = ?
      """,
      ["Fogu gudi"], is: [.fullScan],
      best: .rewrite(
        """
        SELECT "track"."id", "track"."title", "album"."title", "artist"."name" FROM "track" \
        JOIN "album" ON ("album"."id" = "track"."album_id") \
        JOIN "artist" ON ("artist"."id" = "album"."artist_id") WHERE "artist"."name" = ?
        """,
        with: "artist (name)", "album (artist_id)"),
      because: "the condition on the artist makes the outer joins inner ones, but SQLite keeps their order: say so"),
    .fine(
      "music-02", "SELECT id, title, ms FROM track WHERE album_id = ? ORDER BY disc_no, track_no", [400],
      because: "nine rows in the order of an index"),
    .fine(
      "music-03", "SELECT track_id, COUNT(*) AS plays FROM play GROUP BY track_id ORDER BY plays DESC LIMIT 25",
      because: "all plays count; the index covers and groups"),
    .slow(
      "music-04", "SELECT track_id, device FROM play ORDER BY played_at DESC LIMIT 30",
      is: [.sortWithoutIndex, .fullScan],
      best: .index("play (played_at)"), because: "the newest of 110,000"),
    .slow(
      "music-05", "SELECT COUNT(DISTINCT track_id) FROM play WHERE played_at >= $since AND played_at < $until",
      [1_650_000_000, 1_651_000_000], is: [.fullScan], best: .index("play (played_at, track_id)"),
      or: [.index("play (played_at)")], because: "a range of dates"),
    .slow(
      "music-06",
      "SELECT p.id, p.name FROM playlist p WHERE p.id IN (SELECT playlist_id FROM playlist_track WHERE track_id = ?)",
      [5000], sampled: true, is: [.fullScan], best: .index("playlist_track (track_id)"),
      or: [.index("playlist_track (track_id, playlist_id)")],
      because: "a WITHOUT ROWID table found by its last column; the index holds the primary key anyway"),
    .slow(
      "music-07",
      """
      SELECT album.id, album.title, SUM(track.ms) AS length, AVG(review.stars) AS stars, COUNT(review.id) AS reviews
      FROM album LEFT JOIN track ON track.album_id = album.id LEFT JOIN review ON review.album_id = album.id
      WHERE album.id = ? GROUP BY album.id
      """,
      [40], is: [.multipliedAggregate],
      best: .correct(
        """
        SELECT album.id, album.title, (SELECT SUM(ms) FROM track WHERE album_id = album.id) AS length,
        (SELECT AVG(stars) FROM review WHERE album_id = album.id) AS stars,
        (SELECT COUNT(*) FROM review WHERE album_id = album.id) AS reviews FROM album WHERE album.id = ?
        """),
      because: "9 tracks × 60 reviews: the album plays for hours"),
    .slow(
      "music-08",
      """
      SELECT album.id, COUNT(DISTINCT track.id) AS tracks, COUNT(DISTINCT play.id) AS plays,
        COUNT(DISTINCT review.id) AS reviews
      FROM album LEFT JOIN track ON track.album_id = album.id LEFT JOIN play ON play.track_id = track.id
      LEFT JOIN review ON review.album_id = album.id WHERE album.id = ? GROUP BY album.id
      """,
      [1], [40], is: [.joinFanOut],
      best: .rewrite(
        """
        SELECT album.id, (SELECT COUNT(*) FROM track WHERE album_id = album.id) AS tracks,
        (SELECT COUNT(*) FROM track JOIN play ON play.track_id = track.id WHERE track.album_id = album.id) AS plays,
        (SELECT COUNT(*) FROM review WHERE album_id = album.id) AS reviews FROM album WHERE album.id = ?
        """),
      because: "plays and reviews multiply each other"),
    .slow(
      "music-09", "SELECT id, name FROM artist ORDER BY sort_name COLLATE NOCASE LIMIT 50",
      is: [.sortWithoutIndex, .caseInsensitiveWithoutIndex], best: .index("artist (sort_name COLLATE NOCASE)"),
      because: "the index on the sort name is BINARY"),
    .slow(
      "music-10", "SELECT id, title, rating FROM track WHERE genre_id = ? ORDER BY rating DESC, title ASC LIMIT 20",
      [3],
      is: [.fullScan, .sortWithoutIndex], best: .index("track (genre_id, rating DESC, title ASC)"),
      or: [.index("track (genre_id, rating, title DESC)")],
      because: "mixed directions need an index with the same mix"),
    .fine(
      "music-11", "SELECT MAX(played_at), COUNT(*) FROM play WHERE track_id = ?", [20_000],
      because: "few plays, found by index"),
    .fine(
      "music-12", "SELECT id, position_name FROM (SELECT id, name AS position_name FROM genre) ORDER BY position_name",
      because: "25 rows"),
    .slow(
      "music-13",
      "SELECT genre.name, (SELECT COUNT(*) FROM track WHERE track.genre_id = genre.id) AS tracks FROM genre",
      is: [.subqueryPerRow, .fullScan, .automaticIndex], best: .index("track (genre_id)"),
      because: "the tracks are scanned 25 times"),
    .fine(
      "music-14", "SELECT SUM(ms), MAX(rating) FROM track WHERE album_id = ?", [1200],
      because: "nine rows side by side: a covering index would save next to nothing"),
    .slow(
      "music-15", "SELECT title, album FROM track_details WHERE artist = ? ORDER BY year, title LIMIT 20",
      ["Dije trejedi"],
      is: [.fullScan], best: .index("artist (name)", "album (artist_id)"),
      because: "the view's joins start at the artist when that can be found"),
    .fine(
      "music-16", "INSERT INTO play (track_id, played_at, device) VALUES (?, ?, ?)", [77, 1_700_000_000, "phone"],
      because: "a write of one row"),
    .fine("music-17", "UPDATE track SET rating = :rating WHERE id = :id", [5, 777], because: "by rowid"),
    .slow(
      "music-18",
      "SELECT title FROM track WHERE composer = ?1 UNION SELECT title FROM album WHERE label = ?2",
      ["Drice loce", "Kisova"], is: [.fullScan], best: .index("track (composer)", "album (label)"),
      because: "each arm of the compound needs its index"),
    .slow(
      "music-19", "SELECT id, title FROM track WHERE rating >= 4 AND genre_id = 20 ORDER BY title", is: [.fullScan],
      best: .index("track (genre_id, rating)"), or: [.index("track (genre_id, title) WHERE rating >= 4")],
      because: "equality first, then the range; the few rows left are sorted at no cost"),
  ]
}
