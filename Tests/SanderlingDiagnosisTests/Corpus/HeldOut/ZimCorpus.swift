extension Corpus {
  /// The index of a desktop wiki: pages in a tree, links between them, tags, and the files that they come from.
  // From github.com/zim-desktop-wiki/zim-desktop-wiki: zim/notebook/index/files.py, pages.py, links.py, tags.py
  static let zim = CorpusSchema(
    name: "zim", script: zimScript, statements: zimStatements, superfluousIndexes: [.duplicate("pages_name")],
    origin: "Zim (GPL-2.0-or-later, Copyright Jaap Karssenberg): the five tables of its index, with their index"
  )

  private static let zimScript = """
    CREATE TABLE files (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES files(id), path TEXT UNIQUE NOT NULL, node_type INTEGER NOT NULL, mtime TIMESTAMP, index_status INTEGER DEFAULT 3 CONSTRAINT no_self_ref CHECK (parent <> id));
    CREATE TABLE pages (
      id INTEGER PRIMARY KEY, parent INTEGER REFERENCES pages(id), n_children INTEGER DEFAULT 0, name TEXT UNIQUE NOT NULL, sortkey TEXT NOT NULL, mtime TIMESTAMP, source_file INTEGER REFERENCES files(id), is_link_placeholder BOOLEAN DEFAULT 0);
    CREATE UNIQUE INDEX pages_name ON pages(name);
    CREATE TABLE links (
      source INTEGER REFERENCES pages(id), target INTEGER REFERENCES pages(id), rel INTEGER, names TEXT, anchorkey TEXT, needscheck BOOLEAN DEFAULT 0, CONSTRAINT uc_LinkOnce UNIQUE (source, rel, names));
    CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT, sortkey TEXT, CONSTRAINT uc_TagOnce UNIQUE (name));
    CREATE TABLE tagsources (source INTEGER REFERENCES pages(id), tag INTEGER REFERENCES tags(id), CONSTRAINT uc_TagSourceOnce UNIQUE (source, tag));

    INSERT INTO pages (id, parent, name, sortkey) VALUES (1, 0, '', '');
    INSERT INTO files VALUES (1, 0, '.', 1, 1700000000, 0);
    INSERT INTO pages
    SELECT i, iif(i <= 40, 1, iif(i <= 1000, 1 + skewed(1, i, 39), 40 + skewed(2, i, 950))), 0, 'x' || i, word(skewed(3, i, 6000)), 1600000000 + pick(4, i, 130000000), NULL, i > 40 AND chance(5, i) < 0.15 FROM numbers WHERE i BETWEEN 2 AND 20000;
    UPDATE pages SET name = word(id) WHERE parent = 1;
    UPDATE pages SET name = (SELECT p.name FROM pages AS p WHERE p.id = pages.parent) || ':' || word(id) WHERE id BETWEEN 41 AND 1000;
    UPDATE pages SET name = (SELECT p.name FROM pages AS p WHERE p.id = pages.parent) || ':' || word(id) WHERE id > 1000;
    INSERT INTO files SELECT id, 1, replace(name, ':', '/') || '.txt', 2, mtime, iif(chance(6, id) < 0.01, 2, iif(chance(6, id) < 0.03, 1, 0)) FROM pages WHERE id > 1 AND is_link_placeholder = 0;
    UPDATE files SET parent = (SELECT iif(p.parent > 1 AND p.parent IN (SELECT id FROM pages WHERE is_link_placeholder = 0), p.parent, 1) FROM pages AS p WHERE p.id = files.id) WHERE id > 1;
    UPDATE pages SET source_file = id WHERE id > 1 AND is_link_placeholder = 0;
    CREATE TEMP TABLE children AS SELECT parent, count(*) AS n FROM pages GROUP BY parent ORDER BY parent;
    CREATE UNIQUE INDEX temp.children_parent ON children (parent);
    UPDATE pages SET n_children = coalesce((SELECT n FROM children WHERE children.parent = pages.id), 0);
    DROP TABLE temp.children;
    INSERT OR IGNORE INTO links
    SELECT p.id, t.id, CASE skewed(9, i, 3) WHEN 1 THEN 1 WHEN 2 THEN 0 ELSE 2 END, t.name, t.sortkey, chance(10, i) < 0.004 FROM numbers JOIN pages AS p ON p.id = 2 + i % 14000 AND p.is_link_placeholder = 0 JOIN pages AS t ON t.id = 1 + iif(chance(7, i) < 0.6, skewed(8, i, 19000), pick(11, i, 19000)) WHERE i <= 55000;
    INSERT INTO tags SELECT i, word(i * 5), word(i * 5) FROM numbers WHERE i <= 600;
    INSERT OR IGNORE INTO tagsources SELECT p.id, skewed(12, i, 570) FROM numbers JOIN pages AS p ON p.id = 2 + pick(13, i, 19000) AND p.is_link_placeholder = 0 WHERE i <= 24000;
    """

  private static let zimStatements: [CorpusStatement] = [
    .slow(
      "zim-01",
      "SELECT id, path, node_type FROM files WHERE index_status = ? AND path LIKE ? ORDER BY node_type, id LIMIT 1",
      [2, "%"], [2, "vace/%"],
      is: [.fullScan, .sortWithoutIndex, .partialIndex],
      best: .index("files (index_status, node_type)"),
      because: "the next file to be read again: a hundredth of all"),
    .fine(
      "zim-02",
      "SELECT DISTINCT source, target FROM links WHERE source = ?", [1502],
      tolerated: [.indexNotCovering, .distinctWithoutIndex],
      because: "where a page links to, by the key"),
    .slow(
      "zim-03",
      "SELECT DISTINCT source, target FROM links WHERE source = ?1 OR target = ?1", [5000], [12_000],
      is: [.orWithoutIndex, .fullScan, .distinctWithoutIndex],
      best: .index("links (target)"),
      or: [.index("links (target, source)")],
      because: "links from and to a page: only those from it have an index"),
    .slow(
      "zim-04",
      "SELECT id, name, n_children FROM pages WHERE parent = ? ORDER BY sortkey, name LIMIT 20", [41], [2],
      is: [.fullScan, .sortWithoutIndex],
      best: .index("pages (parent, sortkey, name)"),
      because: "the first pages below one, for the tree"),
    .slow(
      "zim-05",
      "SELECT name FROM pages WHERE sortkey = ? AND is_link_placeholder = 0 ORDER BY name DESC", ["gudi"], ["tave"],
      is: [.fullScan, .sortWithoutIndex],
      best: .index("pages (sortkey, is_link_placeholder, name)"),
      or: [.index("pages (sortkey, name)")],
      because: "pages of a name, wherever in the tree"),
    .slow(
      "zim-06",
      "SELECT source, target, rel, names FROM links WHERE needscheck = 1 ORDER BY anchorkey, names",
      is: [.fullScan, .sortWithoutIndex, .partialIndex],
      best: .change("CREATE INDEX corpus_best_1 ON links (anchorkey, names) WHERE needscheck = 1"),
      or: [.index("links (needscheck, anchorkey, names)")],
      because: "links to be resolved again, of which there are few"),
    .slow(
      "zim-07",
      """
      SELECT pages.id FROM pages LEFT JOIN links ON pages.id = links.target WHERE pages.is_link_placeholder = 1 AND pages.n_children = 0 AND links.source IS NULL
      """,
      is: [.automaticIndex, .fullScan],
      best: .rewrite(
        """
        SELECT id FROM pages WHERE is_link_placeholder = 1 AND n_children = 0 EXCEPT SELECT target FROM links
        """, with: "links (target)", "pages (is_link_placeholder, n_children)"),
      or: [.index("links (target, source)")],
      because: "placeholders that nothing links to: SQLite makes an index of all links each time"),
    .slow(
      "zim-08",
      """
      UPDATE links SET needscheck = 1 WHERE rel = ? AND anchorkey = ? AND target IN (SELECT id FROM pages WHERE is_link_placeholder = 1)
      """, [1, "tave"], [1, "gudi"],
      is: [.fullScan],
      best: .rewrite(
        """
        UPDATE links SET needscheck = 1 WHERE rel = ? AND anchorkey = ? AND EXISTS (SELECT 1 FROM pages WHERE pages.id = links.target AND is_link_placeholder = 1)
        """, with: "links (anchorkey, rel)"),
      because: "a page of a name came to be: the links to that name are looked at again, and all placeholders listed"),
    .slow(
      "zim-09",
      """
      SELECT tags.name, tags.id FROM tags INNER JOIN tagsources ON tags.id = tagsources.tag GROUP BY tags.id ORDER BY count(*) DESC, tags.id
      """,
      is: [.automaticIndex, .fullScan, .groupWithoutIndex, .joinOrder, .missingStatistics],
      best: .rewrite(
        """
        SELECT tags.name, tags.id FROM tags JOIN (SELECT tag, count(*) AS n FROM tagsources GROUP BY tag) AS s ON s.tag = tags.id ORDER BY s.n DESC, tags.id
        """, with: "tagsources (tag)"),
      because: "all tags, the most frequent first: each use is joined before they are counted"),
    .slow(
      "zim-10",
      """
      SELECT tags.name, tags.id FROM tags INNER JOIN tagsources ON tags.id = tagsources.tag
      WHERE tagsources.source IN (SELECT source FROM tagsources WHERE tag IN (?, ?) GROUP BY source HAVING count(tag) = 2) GROUP BY tags.id ORDER BY count(*) DESC, tags.id
      """, [20, 31], [5, 44],
      is: [.fullScan, .groupWithoutIndex, .joinOrder, .missingStatistics, .automaticIndex],
      best: .index("tagsources (tag, source)"),
      because: "tags that go with two others: the key begins with the page"),
    .slow(
      "zim-11",
      "DELETE FROM pages WHERE name = ?", ["vace:sostadi:baquiki"],
      is: [.slowForeignKey],
      best: .index("pages (parent)", "links (target)"),
      because: "a page goes: all pages and all links are read for what refers to it"),
    .slow(
      "zim-12",
      """
      SELECT p.name, count(*) AS n FROM links AS l JOIN pages AS p ON p.id = l.target JOIN tagsources AS s ON s.source = l.source WHERE s.tag = ? AND p.is_link_placeholder = 0 GROUP BY p.id ORDER BY n DESC, p.name LIMIT 10
      """, [30],
      is: [.fullScan, .joinOrder, .missingStatistics, .indexNotCovering, .groupWithoutIndex],
      best: .index("tagsources (tag, source)", "links (source, target)"),
      or: [.index("tagsources (tag, source)")],
      because: "what the pages of a tag link to: SQLite can't begin with the tag"),
    .fine(
      "zim-13", "SELECT id, name, mtime, source_file FROM pages WHERE name = ?", ["xigu:grukice:quitulo"],
      because: "a page by its name"),
    .fine(
      "zim-14",
      """
      SELECT tags.name, tags.id FROM tagsources LEFT JOIN tags ON tagsources.tag = tags.id WHERE tagsources.source = ? ORDER BY tags.sortkey, tags.name
      """, [1502],
      tolerated: [.sortWithoutIndex],
      because: "the tags of a page, by keys"),
    .fine(
      "zim-15", "UPDATE pages SET mtime = ? WHERE name = ?", [1_730_000_000, "xigu:grukice:quitulo"],
      because: "a page was written, found by its name"),
    .fine(
      "zim-16",
      """
      WITH RECURSIVE up (id, parent, name) AS (
        SELECT id, parent, name FROM pages WHERE name = ? UNION ALL SELECT p.id, p.parent, p.name FROM up JOIN pages AS p ON p.id = up.parent)
      SELECT name FROM up
      """, ["xigu:grukice:quitulo"],
      because: "a page and those above it, by keys"),
    .fine(
      "zim-17", "SELECT name FROM pages WHERE name >= ? AND name < ? ORDER BY name LIMIT 30", ["drice:", "drice;"],
      because: "what is below a page, as a range of names in the key"),
  ]
}
