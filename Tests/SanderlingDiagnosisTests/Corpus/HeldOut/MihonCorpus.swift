extension Corpus {
  /// A reader of comics on a phone: the sources' offers, the library, chapters and the reading history. Views serve the
  /// main screens and triggers count versions.
  static let mihon = CorpusSchema(
    name: "mihon", script: mihonScript, statements: mihonStatements,
    superfluousIndexes: [
      .duplicate("history_history_chapter_id_index"), .redundant("idx_manga_sync_manga_id"),
    ],
    origin:
      "Mihon 0.18 (Apache-2.0, Copyright Javier Tomás and the Mihon contributors): seven of its tables with their indexes, triggers and views; many statements as it runs them"
  )

  private static let mihonScript = """
    CREATE TABLE mangas (
      _id INTEGER NOT NULL PRIMARY KEY, source INTEGER NOT NULL, url TEXT NOT NULL, artist TEXT, author TEXT, description TEXT, genre TEXT, title TEXT NOT NULL, status INTEGER NOT NULL, thumbnail_url TEXT, favorite INTEGER NOT NULL,
      last_update INTEGER, next_update INTEGER, viewer INTEGER NOT NULL, chapter_flags INTEGER NOT NULL, cover_last_modified INTEGER NOT NULL, date_added INTEGER NOT NULL, last_modified_at INTEGER NOT NULL DEFAULT 0,
      favorite_modified_at INTEGER, version INTEGER NOT NULL DEFAULT 0, is_syncing INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX library_favorite_index ON mangas(favorite) WHERE favorite = 1;
    CREATE INDEX mangas_url_index ON mangas(url);
    CREATE TABLE chapters (
      _id INTEGER NOT NULL PRIMARY KEY, manga_id INTEGER NOT NULL, url TEXT NOT NULL, name TEXT NOT NULL, scanlator TEXT, read INTEGER NOT NULL, bookmark INTEGER NOT NULL, last_page_read INTEGER NOT NULL, chapter_number REAL NOT NULL,
      source_order INTEGER NOT NULL, date_fetch INTEGER NOT NULL, date_upload INTEGER NOT NULL, last_modified_at INTEGER NOT NULL DEFAULT 0, version INTEGER NOT NULL DEFAULT 0, is_syncing INTEGER NOT NULL DEFAULT 0,
      FOREIGN KEY(manga_id) REFERENCES mangas (_id) ON DELETE CASCADE);
    CREATE INDEX chapters_manga_id_index ON chapters(manga_id);
    CREATE INDEX chapters_unread_by_manga_index ON chapters(manga_id, read) WHERE read = 0;
    CREATE TABLE history (_id INTEGER NOT NULL PRIMARY KEY, chapter_id INTEGER NOT NULL UNIQUE, last_read INTEGER, time_read INTEGER NOT NULL, FOREIGN KEY(chapter_id) REFERENCES chapters (_id) ON DELETE CASCADE);
    CREATE INDEX history_history_chapter_id_index ON history(chapter_id);
    CREATE TABLE categories (_id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, sort INTEGER NOT NULL, flags INTEGER NOT NULL);
    CREATE TABLE mangas_categories (
      _id INTEGER NOT NULL PRIMARY KEY, manga_id INTEGER NOT NULL, category_id INTEGER NOT NULL, FOREIGN KEY(category_id) REFERENCES categories (_id) ON DELETE CASCADE, FOREIGN KEY(manga_id) REFERENCES mangas (_id) ON DELETE CASCADE);
    CREATE TABLE excluded_scanlators (manga_id INTEGER NOT NULL, scanlator TEXT NOT NULL, FOREIGN KEY(manga_id) REFERENCES mangas (_id) ON DELETE CASCADE);
    CREATE INDEX excluded_scanlators_manga_id_index ON excluded_scanlators(manga_id);
    CREATE TABLE manga_sync (
      _id INTEGER NOT NULL PRIMARY KEY, manga_id INTEGER NOT NULL, sync_id INTEGER NOT NULL, remote_id INTEGER NOT NULL, title TEXT NOT NULL, last_chapter_read REAL NOT NULL, status INTEGER NOT NULL, score REAL NOT NULL,
      UNIQUE (manga_id, sync_id) ON CONFLICT REPLACE, FOREIGN KEY(manga_id) REFERENCES mangas (_id) ON DELETE CASCADE);
    CREATE INDEX idx_manga_sync_manga_id ON manga_sync(manga_id);

    INSERT INTO mangas
    SELECT i, 1000 + skewed(1, i, 40), '/manga/' || word(i) || '-' || i, word(skewed(2, i, 900)), word(skewed(2, i, 900)), prose(3, i, 100 + pick(4, i, 700)), word(skewed(5, i, 40)) || ', ' || word(skewed(6, i, 40)), title(7, i / 2, 3), skewed(8, i, 6), 'https://covers.example/' || i || '.jpg', i % 8 = 0,
      1700000000000 + pick(9, i, 20000000) * 1000, iif(i % 8 = 0, 1719000000000 + (pick(10, i, 60) - 30) * 86400000, 0), 0, 0, 0, 1600000000000 + i * 12000000, 0, NULL, 1, 0
    FROM numbers WHERE i <= 6000;
    INSERT INTO chapters
    SELECT i, CASE WHEN i % 2 = 0 THEN 8 * skewed(11, i, 750) ELSE pick(12, i, 6000) END, '/chapter/' || i || '/' || word(i), 'Vol. ' || (i % 30) || ' Ch. ' || (i % 300) || ': ' || title(13, i, 4), iif(chance(14, i) < 0.3, NULL, word(skewed(15, i, 300))),
      i % 2 = 0 AND chance(16, i) < 0.6, chance(17, i) < 0.01, iif(chance(18, i) < 0.03, pick(19, i, 20), 0), i % 300, i % 300, 1640000000000 + i * 1600000, 1639000000000 + i * 1600000 - pick(20, i, 900000000), 0, 1, 0
    FROM numbers WHERE i <= 48000;
    UPDATE chapters SET is_syncing = 1 WHERE _id % 3 = 0;
    INSERT INTO history SELECT NULL, _id, iif(chance(21, _id) < 0.004, 0, 1650000000000 + (_id * 7919 % 48000) * 1400000), pick(22, _id, 600000) FROM chapters WHERE read = 1;
    INSERT INTO categories SELECT i - 1, iif(i = 1, '', title(23, i, 1)), i - 2, 0 FROM numbers WHERE i <= 14;
    INSERT INTO mangas_categories SELECT NULL, m._id, skewed(24, m._id * 3 + n.i, 13) FROM mangas AS m CROSS JOIN numbers AS n WHERE n.i <= 1 + m._id % 3 AND m.favorite = 1;
    INSERT INTO excluded_scanlators SELECT 8 * skewed(25, i, 750), word(skewed(26, i, 300)) FROM numbers WHERE i <= 300;
    INSERT OR REPLACE INTO manga_sync SELECT i, 8 * pick(27, i, 750), 1 + i % 3, i, title(28, i, 3), 1, 1, 0 FROM numbers WHERE i <= 900;

    CREATE TRIGGER update_last_favorited_at_mangas AFTER UPDATE OF favorite ON mangas BEGIN
      UPDATE mangas SET favorite_modified_at = strftime('%s', 'now') WHERE _id = new._id;
    END;
    CREATE TRIGGER update_last_modified_at_chapters AFTER UPDATE ON chapters FOR EACH ROW BEGIN
      UPDATE chapters SET last_modified_at = strftime('%s', 'now') WHERE _id = new._id;
    END;
    CREATE TRIGGER update_chapter_and_manga_version AFTER UPDATE ON chapters WHEN new.is_syncing = 0 AND (new.read != old.read OR new.bookmark != old.bookmark OR new.last_page_read != old.last_page_read) BEGIN
      UPDATE chapters SET version = version + 1 WHERE _id = new._id;
      UPDATE mangas SET version = version + 1 WHERE _id = new.manga_id AND (SELECT is_syncing FROM mangas WHERE _id = new.manga_id) = 0;
    END;
    CREATE VIEW libraryView AS
    SELECT M.*, coalesce(C.total, 0) AS totalCount, coalesce(C.readCount, 0) AS readCount, coalesce(C.latestUpload, 0) AS latestUpload, coalesce(C.fetchedAt, 0) AS chapterFetchedAt, coalesce(C.lastRead, 0) AS lastRead,
      coalesce(C.bookmarkCount, 0) AS bookmarkCount, coalesce(MC.categories, '0') AS categories
    FROM mangas M LEFT JOIN (
      SELECT chapters.manga_id, count(*) AS total, sum(read) AS readCount, coalesce(max(chapters.date_upload), 0) AS latestUpload, coalesce(max(history.last_read), 0) AS lastRead, coalesce(max(chapters.date_fetch), 0) AS fetchedAt,
        sum(chapters.bookmark) AS bookmarkCount
      FROM chapters LEFT JOIN excluded_scanlators ON chapters.manga_id = excluded_scanlators.manga_id AND chapters.scanlator = excluded_scanlators.scanlator LEFT JOIN history ON chapters._id = history.chapter_id
      WHERE excluded_scanlators.scanlator IS NULL GROUP BY chapters.manga_id) AS C ON M._id = C.manga_id
    LEFT JOIN (SELECT manga_id, group_concat(category_id) AS categories FROM mangas_categories GROUP BY manga_id) AS MC ON MC.manga_id = M._id
    WHERE M.favorite = 1;
    CREATE VIEW historyView AS
    SELECT history._id AS id, mangas._id AS mangaId, chapters._id AS chapterId, mangas.title, mangas.thumbnail_url AS thumbnailUrl, mangas.source, mangas.favorite, mangas.cover_last_modified, chapters.chapter_number AS chapterNumber,
      history.last_read AS readAt, history.time_read AS readDuration, max_last_read.last_read AS maxReadAt, max_last_read.chapter_id AS maxReadAtChapterId
    FROM mangas JOIN chapters ON mangas._id = chapters.manga_id JOIN history ON chapters._id = history.chapter_id
    JOIN (SELECT chapters.manga_id, chapters._id AS chapter_id, MAX(history.last_read) AS last_read FROM chapters JOIN history ON chapters._id = history.chapter_id GROUP BY chapters.manga_id) AS max_last_read
    ON chapters.manga_id = max_last_read.manga_id;
    CREATE VIEW updatesView AS
    SELECT mangas._id AS mangaId, mangas.title AS mangaTitle, chapters._id AS chapterId, chapters.name AS chapterName, chapters.scanlator, chapters.read, chapters.bookmark, chapters.last_page_read, mangas.source, mangas.favorite,
      mangas.thumbnail_url AS thumbnailUrl, chapters.date_upload AS dateUpload, chapters.date_fetch AS datefetch
    FROM mangas JOIN chapters ON mangas._id = chapters.manga_id WHERE favorite = 1 AND date_fetch > date_added ORDER BY date_fetch DESC;
    """

  private static let mihonStatements: [CorpusStatement] = [
    .slow(
      "mihon-01",
      """
      SELECT mangaId, mangaTitle, chapterId, chapterName, scanlator, read, dateUpload, datefetch FROM updatesView WHERE read = ? AND dateUpload > ? LIMIT 100
      """, [0, 1700000000000],
      is: [.sortWithoutIndex, .joinOrder, .fullScan, .missingStatistics, .partialIndex, .indexNotCovering],
      best: .index("chapters (read, date_fetch)"),
      because: "new chapters, newest first: those of the whole library are read and sorted for a hundred"),
    .slow(
      "mihon-02",
      """
      SELECT id, mangaId, chapterId, title, source, chapterNumber, readAt, readDuration FROM historyView WHERE historyView.readAt > 0 ORDER BY readAt DESC LIMIT 1
      """,
      is: [.sortWithoutIndex, .automaticIndex, .groupWithoutIndex, .fullScan, .joinOrder, .missingStatistics],
      best: .rewrite(
        """
        SELECT h._id AS id, m._id AS mangaId, c._id AS chapterId, m.title, m.source, c.chapter_number AS chapterNumber, h.last_read AS readAt, h.time_read AS readDuration
        FROM history AS h JOIN chapters AS c ON c._id = h.chapter_id JOIN mangas AS m ON m._id = c.manga_id WHERE h.last_read > 0 ORDER BY h.last_read DESC LIMIT 1
        """, with: "history (last_read)"),
      because: "what was read last: the view finds the last of each manga first, which isn't asked for"),
    .slow(
      "mihon-03",
      "SELECT source, COUNT(*) AS manga_count FROM mangas WHERE favorite = 0 GROUP BY source",
      is: [.fullScan, .groupWithoutIndex, .partialIndex, .wideRowsForCount, .indexNotCovering],
      best: .change("CREATE INDEX corpus_best_1 ON mangas (source) WHERE favorite = 0"),
      or: [.index("mangas (favorite, source)"), .index("mangas (source, favorite)")],
      because: "how much of each source isn't in the library: the rows with their descriptions are read for a number"),
    .slow(
      "mihon-04",
      "SELECT _id, manga_id, name, read FROM chapters WHERE url = ?", ["/chapter/4711/yokibace"], ["/chapter/7/yodi"],
      is: [.fullScan],
      best: .index("chapters (url)"),
      because: "a chapter by its link"),
    .slow(
      "mihon-05",
      """
      SELECT _id, title, source FROM mangas WHERE favorite = 0 AND _id IN (SELECT DISTINCT chapters.manga_id FROM chapters WHERE read = 1 OR last_page_read != 0)
      """,
      is: [.orWithoutIndex, .fullScan, .partialIndex, .indexNotCovering, .distinctWithoutIndex],
      best: .change("CREATE INDEX corpus_best_1 ON chapters (manga_id) WHERE read = 1 OR last_page_read != 0"),
      or: [.index("chapters (manga_id, read, last_page_read)")],
      because: "what was begun but isn't in the library: all chapters are read"),
    .slow(
      "mihon-06",
      "DELETE FROM history WHERE last_read = 0",
      is: [.fullScan],
      best: .index("history (last_read)"),
      or: [.change("CREATE INDEX corpus_best_1 ON history (last_read) WHERE last_read = 0")],
      because: "what was taken out of the history: a few of many"),
    .slow(
      "mihon-07",
      "UPDATE chapters SET is_syncing = 0 WHERE is_syncing = 1",
      is: [.triggerWithoutColumns],
      best: .change(
        "DROP TRIGGER update_last_modified_at_chapters",
        "CREATE TRIGGER update_last_modified_at_chapters AFTER UPDATE OF manga_id, url, name, scanlator, read, bookmark, last_page_read, chapter_number, source_order, date_fetch, date_upload ON chapters FOR EACH ROW BEGIN UPDATE chapters SET last_modified_at = strftime('%s', 'now') WHERE _id = new._id; END"
      ),
      because:
        "the end of a sync: the trigger writes each row a second time, although nothing that it cares about changed"),
    .slow(
      "mihon-08",
      """
      SELECT a._id, a.title, b._id, b.source FROM mangas AS a JOIN mangas AS b ON lower(b.title) = lower(a.title) AND b._id <> a._id WHERE a.favorite = 1 AND a.source = ? ORDER BY a.title, a._id, b._id
      """, [1001],
      is: [.functionOnColumn, .expressionIndex, .fullScan, .caseInsensitiveWithoutIndex],
      best: .index("mangas (lower(title))"),
      because: "where else a source's favourites are to be had, by title"),
    .repeated(
      "mihon-09",
      """
      SELECT C._id AS id, C.name, C.sort FROM categories C JOIN mangas_categories MC ON C._id = MC.category_id WHERE MC.manga_id = ? ORDER BY C.sort
      """, (1...300).map { [.integer($0 * 16)] }, in: "back up library",
      best: .batch(
        "SELECT C._id AS id, C.name, C.sort FROM mangas_categories MC JOIN categories C ON C._id = MC.category_id WHERE MC.manga_id IN (SELECT value FROM json_each(?)) ORDER BY MC.manga_id, C.sort",
        [.text("[" + (1...300).map { String($0 * 16) }.joined(separator: ",") + "]")]),
      because: "the categories of each manga for a backup, one manga after the other"),
    .slow(
      "mihon-10",
      "SELECT _id, title, totalCount, readCount, lastRead, categories FROM libraryView WHERE source = ? ORDER BY title, _id",
      [1030], [1033],
      is: [.automaticIndex, .fullScan, .groupWithoutIndex, .subqueryPerRow, .indexNotCovering, .joinOrder],
      best: .rewrite(
        """
        SELECT M._id, M.title, (SELECT count(*) FROM chapters C LEFT JOIN excluded_scanlators E ON E.manga_id = C.manga_id AND E.scanlator = C.scanlator WHERE C.manga_id = M._id AND E.scanlator IS NULL) AS totalCount,
          (SELECT coalesce(sum(read), 0) FROM chapters C LEFT JOIN excluded_scanlators E ON E.manga_id = C.manga_id AND E.scanlator = C.scanlator WHERE C.manga_id = M._id AND E.scanlator IS NULL) AS readCount,
          (SELECT coalesce(max(H.last_read), 0) FROM chapters C LEFT JOIN excluded_scanlators E ON E.manga_id = C.manga_id AND E.scanlator = C.scanlator JOIN history H ON H.chapter_id = C._id WHERE C.manga_id = M._id AND E.scanlator IS NULL) AS lastRead,
          coalesce((SELECT group_concat(category_id) FROM mangas_categories WHERE manga_id = M._id), '0') AS categories
        FROM mangas M WHERE M.favorite = 1 AND M.source = ? ORDER BY M.title, M._id
        """),
      because: "the favourites of a small source: for few of them, the chapters of all manga are counted"),
    .slow(
      "mihon-11",
      "SELECT _id, title FROM mangas WHERE favorite = 1 AND LOWER(title) = ? AND _id != ?",
      ["loce stanari shuce", 4001],
      is: [.functionOnColumn, .expressionIndex, .indexNotCovering],
      best: .change("CREATE INDEX corpus_best_1 ON mangas (lower(title)) WHERE favorite = 1"),
      or: [.index("mangas (lower(title))")],
      because: "whether a title is in the library already: an index finds the favourites, but all of them"),
    .fine(
      "mihon-12",
      "SELECT _id, url, name, read FROM chapters WHERE url = ? AND manga_id = ?", ["/chapter/4712/stakibace", 4000],
      tolerated: [.indexNotCovering],
      because: "a chapter by its link, among those of its manga"),
    .fine(
      "mihon-13",
      """
      UPDATE history SET last_read = 0 WHERE _id IN (SELECT H._id FROM mangas M INNER JOIN chapters C ON M._id = C.manga_id INNER JOIN history H ON C._id = H.chapter_id WHERE M._id = ?)
      """, [1600],
      because: "a manga leaves the history: all by indexes"),
    .fine(
      "mihon-14",
      """
      SELECT C._id, C.name, C.scanlator, C.read FROM chapters C LEFT JOIN excluded_scanlators ES ON C.manga_id = ES.manga_id AND C.scanlator = ES.scanlator WHERE C.manga_id = ?1 AND (?2 = 0 OR ES.scanlator IS NULL)
      """, [800, 1],
      tolerated: [.indexNotCovering, .orWithoutIndex],
      because: "the chapters of a manga, without some groups: the OR only switches that on"),
    .fine(
      "mihon-15",
      "UPDATE mangas SET favorite = 1, date_added = ? WHERE _id = ?", [1719000000000, 4003],
      because: "a new favourite: one row, and one more write by its trigger"),
    .fine(
      "mihon-16",
      """
      INSERT INTO history (chapter_id, last_read, time_read) VALUES (?1, ?2, ?3) ON CONFLICT (chapter_id) DO UPDATE SET last_read = ?2, time_read = time_read + ?3 WHERE chapter_id = ?1
      """, [4002, 1719300000000, 5000],
      because: "a chapter was read, once more or for the first time"),
    .fine(
      "mihon-17",
      "SELECT H._id, H.chapter_id, H.last_read, H.time_read FROM history H JOIN chapters C ON H.chapter_id = C._id WHERE C.manga_id = ? AND C._id = H.chapter_id",
      [1600], [2400],
      tolerated: [.indexNotCovering],
      because: "what was read of a manga: its chapters, and the unique key of each"),
    .slow(
      "mihon-18",
      "UPDATE mangas SET last_update = (SELECT max(c.date_fetch) FROM chapters AS c WHERE c.manga_id = mangas._id) WHERE favorite = 1 AND source <> ?",
      [1],
      is: [.indexNotCovering, .subqueryPerRow],
      best: .index("chapters (manga_id, date_fetch)"),
      because: "when each favourite had a new chapter: all of its chapters are looked up for the newest"),
  ]
}
