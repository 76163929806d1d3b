extension Corpus {
  // Taken from go-shiori/shiori, internal/database/migrations/sqlite.

  /// A keeper of bookmarks: addresses with tags, and the texts of the pages in a full-text table that has its own copy of the number.
  static let shiori = CorpusSchema(
    name: "shiori", script: shioriScript, statements: shioriStatements,
    origin:
      "Shiori at b54aa74b (MIT, Copyright the Shiori contributors): five tables of its SQLite migrations with their indexes"
  )

  private static let shioriScript = """
    CREATE TABLE account(
      id INTEGER NOT NULL, username TEXT NOT NULL, password TEXT NOT NULL, owner INTEGER NOT NULL DEFAULT 0, showid INTEGER NOT NULL DEFAULT 0, listmode INTEGER NOT NULL DEFAULT 0, hidethumbnail INTEGER NOT NULL DEFAULT 0, hideexcerpt INTEGER NOT NULL DEFAULT 0, nightmode INTEGER NOT NULL DEFAULT 0, keepmetadata INTEGER NOT NULL DEFAULT 0, usearchive INTEGER NOT NULL DEFAULT 0, makepublic INTEGER NOT NULL DEFAULT 0,
      config JSON NOT NULL DEFAULT '{}', CONSTRAINT account_PK PRIMARY KEY(id), CONSTRAINT account_username_UNIQUE UNIQUE(username));
    CREATE TABLE bookmark(
      id INTEGER NOT NULL, url TEXT NOT NULL, title TEXT NOT NULL, excerpt TEXT NOT NULL DEFAULT '', author TEXT NOT NULL DEFAULT '', public INTEGER NOT NULL DEFAULT 0, created_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
      has_content BOOLEAN DEFAULT FALSE NOT NULL, modified_at TEXT NULL, archiver TEXT NOT NULL DEFAULT '', archive_path TEXT NOT NULL DEFAULT '', CONSTRAINT bookmark_PK PRIMARY KEY(id), CONSTRAINT bookmark_url_UNIQUE UNIQUE(url));
    CREATE TABLE tag(
      id INTEGER NOT NULL, name TEXT NOT NULL, CONSTRAINT tag_PK PRIMARY KEY(id), CONSTRAINT tag_name_UNIQUE UNIQUE(name));
    CREATE TABLE bookmark_tag(
      bookmark_id INTEGER NOT NULL, tag_id INTEGER NOT NULL, CONSTRAINT bookmark_tag_PK PRIMARY KEY(bookmark_id, tag_id), CONSTRAINT bookmark_id_FK FOREIGN KEY(bookmark_id) REFERENCES bookmark(id), CONSTRAINT tag_id_FK FOREIGN KEY(tag_id) REFERENCES tag(id));
    CREATE VIRTUAL TABLE bookmark_content USING fts5(title, content, html, docid);
    CREATE INDEX idx_created_at ON bookmark(created_at);
    CREATE INDEX idx_modified_at ON bookmark(modified_at);

    INSERT INTO account (id, username, password, owner) SELECT i, word(i), printf('$2a$10$%x', i * 7919), i = 1 FROM numbers WHERE i <= 5;
    INSERT INTO bookmark SELECT i, 'https://' || word(skewed(1, i, 1800)) || '.example/' || word(i) || '/' || i, title(2, i, 5), prose(3, i, 40 + pick(4, i, 160)), iif(chance(5, i) < 0.6, '', title(6, skewed(7, i, 2500), 2)), chance(8, i) < 0.1, datetime(1500000000 + i * 9000 + pick(9, i, 8000), 'unixepoch'),
      chance(10, i) < 0.93, datetime(1500000000 + i * 9000 + iif(chance(11, i) < 0.2, pick(12, i, 40000000), 8000), 'unixepoch'), iif(chance(13, i) < 0.7, 'warc', ''), iif(chance(13, i) < 0.7, 'archive/' || i, '') FROM numbers WHERE i <= 22000;
    INSERT INTO tag SELECT i, word(i) FROM numbers WHERE i <= 1500;
    INSERT OR IGNORE INTO bookmark_tag SELECT pick(14, i, 21000), skewed(15, i, 1400) FROM numbers WHERE i <= 52000 AND pick(14, i, 21000) % 12 > 0;
    INSERT INTO bookmark_content (title, content, html, docid) SELECT title, iif(has_content, prose(16, id, 100 + pick(17, id, 350)), ''), iif(has_content, '<p>' || prose(16, id, 100 + pick(17, id, 350)) || '</p>', ''), id FROM bookmark WHERE id % 50 > 0;
    """

  private static let shioriStatements: [CorpusStatement] = [
    .fine(
      "shiori-01",
      """
      SELECT id, url, title, excerpt, author, public, modified_at, has_content FROM bookmark ORDER BY id DESC LIMIT 30
      """,
      because: "the newest, by key"),
    .slow(
      "shiori-02",
      """
      SELECT b.id, b.url, b.title FROM bookmark AS b WHERE b.id IN (SELECT bt.bookmark_id FROM bookmark_tag AS bt LEFT JOIN tag AS t ON bt.tag_id = t.id WHERE t.name IN (?, ?)) ORDER BY b.created_at DESC, b.id DESC LIMIT 30
      """, ["hatu", "cledidi"], ["hatregu", "stamu"],
      is: [.fullScan, .joinOrder],
      best: .rewrite(
        """
        SELECT b.id, b.url, b.title FROM bookmark AS b WHERE b.id IN (SELECT bt.bookmark_id FROM tag AS t CROSS JOIN bookmark_tag AS bt ON bt.tag_id = t.id WHERE t.name IN (?, ?)) ORDER BY b.created_at DESC, b.id DESC LIMIT 30
        """, with: "bookmark_tag (tag_id, bookmark_id)"),
      because: "what has one of two tags: the key begins with the bookmark"),
    .fine(
      "shiori-03",
      """
      SELECT t.id, t.name FROM bookmark_tag AS bt JOIN tag AS t ON bt.tag_id = t.id WHERE bt.bookmark_id = ? ORDER BY t.name
      """, [15], [20001],
      tolerated: [.sortWithoutIndex],
      because: "the tags of a bookmark, by key"),
    .slow(
      "shiori-04",
      """
      SELECT bt.tag_id AS id, t.name, COUNT(bt.tag_id) AS n_bookmarks FROM bookmark_tag AS bt LEFT JOIN tag AS t ON bt.tag_id = t.id GROUP BY bt.tag_id ORDER BY t.name
      """,
      is: [.groupWithoutIndex, .fullScan],
      best: .rewrite(
        """
        SELECT bt.tag_id AS id, t.name, bt.n_bookmarks FROM (SELECT tag_id, count(*) AS n_bookmarks FROM bookmark_tag GROUP BY tag_id) AS bt LEFT JOIN tag AS t ON bt.tag_id = t.id ORDER BY t.name
        """, with: "bookmark_tag (tag_id)"),
      or: [.index("bookmark_tag (tag_id)")],
      because: "all tags and how often each is used: sorted for each run"),
    .fine(
      "shiori-05",
      """
      SELECT b.id, b.title FROM bookmark AS b WHERE b.url LIKE ?1 OR b.excerpt LIKE ?1 ORDER BY b.id DESC LIMIT 30
      """, ["%dice%"], ["%guba%"],
      tolerated: [.patternWithoutIndex, .orWithoutIndex, .fullScan],
      because: "a word anywhere, from the newest: enough are soon found"),
    .slow(
      "shiori-06",
      "SELECT content, html FROM bookmark_content WHERE docid = ?", [21003], [9001],
      is: [.fullScan],
      best: .rewrite(
        """
        SELECT content, html FROM bookmark_content WHERE bookmark_content MATCH 'docid : ' || ?1 AND docid = ?1
        """),
      because: "a bookmark's text by a column of the full-text table: all texts are read"),
    .slow(
      "shiori-07",
      """
      SELECT id, url, title FROM bookmark WHERE id NOT IN (SELECT DISTINCT bookmark_id FROM bookmark_tag) ORDER BY id DESC LIMIT 30
      """,
      is: [.subqueryPerRow, .distinctWithoutIndex, .fullScan],
      best: .rewrite(
        """
        SELECT id, url, title FROM bookmark AS b WHERE NOT EXISTS (SELECT 1 FROM bookmark_tag AS t WHERE t.bookmark_id = b.id) ORDER BY id DESC LIMIT 30
        """),
      because: "the newest without tags: all tags are listed for a page of them"),
    .slow(
      "shiori-08",
      """
      SELECT substr(url, 9, instr(substr(url, 9), '/') - 1) AS host, count(*) AS n FROM bookmark GROUP BY substr(url, 9, instr(substr(url, 9), '/') - 1) ORDER BY n DESC, host LIMIT 20
      """,
      is: [.groupWithoutIndex, .functionOnColumn, .expressionIndex, .fullScan],
      best: .index("bookmark (substr(url, 9, instr(substr(url, 9), '/') - 1), url)"),
      because: "the hosts with most bookmarks: cut out of each address and sorted"),
    .slow(
      "shiori-09",
      """
      SELECT id, title, created_at FROM bookmark WHERE author = ? COLLATE NOCASE ORDER BY created_at DESC, id DESC LIMIT 50
      """, ["haki LONAFO"], ["Wewece Loce"], ["nobody here"],
      is: [.caseInsensitiveWithoutIndex, .fullScan],
      best: .index("bookmark (author COLLATE NOCASE, created_at)"),
      or: [.index("bookmark (author COLLATE NOCASE)")],
      because: "what an author wrote, whatever the case: all are walked by date"),
    .slow(
      "shiori-10",
      "DELETE FROM tag WHERE id = ?", [1401], [1450], [1500],
      is: [.slowForeignKey],
      best: .index("bookmark_tag (tag_id)"),
      because: "a tag goes: all uses of tags are read for it"),
    .slow(
      "shiori-11",
      "SELECT count(*), sum(has_content) FROM bookmark WHERE strftime('%Y-%m', created_at) = ?", ["2019-03"],
      ["2021-11"],
      is: [.functionOnColumn, .expressionIndex, .fullScan],
      best: .rewrite(
        """
        SELECT count(*), sum(has_content) FROM bookmark WHERE created_at >= ?1 || '-01' AND created_at < date(?1 || '-01', '+1 month')
        """, with: "bookmark (created_at, has_content)"),
      or: [
        .rewrite(
          """
          SELECT count(*), sum(has_content) FROM bookmark WHERE created_at >= ?1 || '-01' AND created_at < date(?1 || '-01', '+1 month')
          """), .index("bookmark (strftime('%Y-%m', created_at), has_content)"),
      ],
      because: "a month's bookmarks, by a function of the date that has an index"),
    .fine(
      "shiori-12",
      "SELECT count(*) FROM bookmark WHERE modified_at > ?", ["2023-08-01 00:00:00"], ["2023-09-10 00:00:00"],
      because: "what was changed lately, counted in an index"),
    .slow(
      "shiori-13",
      "SELECT id, url FROM bookmark WHERE has_content = 0 AND archive_path = '' ORDER BY id",
      is: [.fullScan, .partialIndex],
      best: .change("CREATE INDEX corpus_best_1 ON bookmark (id, url) WHERE has_content = 0 AND archive_path = ''"),
      or: [
        .index("bookmark (has_content, archive_path)"),
        .change("CREATE INDEX corpus_best_1 ON bookmark (id) WHERE has_content = 0 AND archive_path = ''"),
      ],
      because: "what has neither text nor archive yet: one of fifty"),
    .fine(
      "shiori-14",
      "SELECT docid FROM bookmark_content WHERE bookmark_content MATCH ? ORDER BY rank LIMIT 30", ["hatu"],
      ["pemu AND haki"],
      because: "the best of a full-text search"),
    .slow(
      "shiori-15",
      "SELECT id, url, title, excerpt FROM bookmark ORDER BY id DESC LIMIT 30 OFFSET ?", [15000], [21000],
      is: [.largeOffset],
      best: .keyset(
        "SELECT id, url, title, excerpt FROM bookmark WHERE id < ? ORDER BY id DESC LIMIT 30", [7001], [1001]),
      because: "a page far behind"),
    .fine(
      "shiori-16",
      "SELECT id FROM bookmark WHERE url = ?", ["https://loce.example/wesobradi/12345"],
      ["https://foba.example/diba/5"],
      because: "whether an address is kept, by its unique key"),
  ]
}
