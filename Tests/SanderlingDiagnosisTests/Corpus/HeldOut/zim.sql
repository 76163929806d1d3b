-- schema: zim
-- about: The index of a desktop wiki: pages in a tree, links between them, tags, and the files that they come from.
-- source: From github.com/zim-desktop-wiki/zim-desktop-wiki: zim/notebook/index/files.py, pages.py, links.py, tags.py
-- origin: Zim (GPL-2.0-or-later, Copyright Jaap Karssenberg): the five tables of its index, with their index
-- superfluous: duplicate-index pages_name

CREATE TABLE files (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES files(id), path TEXT UNIQUE NOT NULL, node_type INTEGER NOT NULL, \
mtime TIMESTAMP, index_status INTEGER DEFAULT 3 CONSTRAINT no_self_ref CHECK (parent <> id));
CREATE TABLE pages (
  id INTEGER PRIMARY KEY, parent INTEGER REFERENCES pages(id), n_children INTEGER DEFAULT 0, name TEXT UNIQUE NOT NULL, sortkey TEXT NOT \
NULL, mtime TIMESTAMP, source_file INTEGER REFERENCES files(id), is_link_placeholder BOOLEAN DEFAULT 0);
CREATE UNIQUE INDEX pages_name ON pages(name);
CREATE TABLE links (
  source INTEGER REFERENCES pages(id), target INTEGER REFERENCES pages(id), rel INTEGER, names TEXT, anchorkey TEXT, needscheck BOOLEAN \
DEFAULT 0, CONSTRAINT uc_LinkOnce UNIQUE (source, rel, names));
CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT, sortkey TEXT, CONSTRAINT uc_TagOnce UNIQUE (name));
CREATE TABLE tagsources (source INTEGER REFERENCES pages(id), tag INTEGER REFERENCES tags(id), CONSTRAINT uc_TagSourceOnce UNIQUE (source, tag));

INSERT INTO pages (id, parent, name, sortkey) VALUES (1, 0, '', '');
INSERT INTO files VALUES (1, 0, '.', 1, 1700000000, 0);
INSERT INTO pages
SELECT i, iif(i <= 40, 1, iif(i <= 1000, 1 + skewed(1, i, 39), 40 + skewed(2, i, 950))), 0, 'x' || i, word(skewed(3, i, 6000)), 1600000000 \
+ pick(4, i, 130000000), NULL, i > 40 AND chance(5, i) < 0.15 FROM numbers WHERE i BETWEEN 2 AND 20000;
UPDATE pages SET name = word(id) WHERE parent = 1;
UPDATE pages SET name = (SELECT p.name FROM pages AS p WHERE p.id = pages.parent) || ':' || word(id) WHERE id BETWEEN 41 AND 1000;
UPDATE pages SET name = (SELECT p.name FROM pages AS p WHERE p.id = pages.parent) || ':' || word(id) WHERE id > 1000;
INSERT INTO files SELECT id, 1, replace(name, ':', '/') || '.txt', 2, mtime, iif(chance(6, id) < 0.01, 2, iif(chance(6, id) < 0.03, 1, 0)) \
FROM pages WHERE id > 1 AND is_link_placeholder = 0;
UPDATE files SET parent = (SELECT iif(p.parent > 1 AND p.parent IN (SELECT id FROM pages WHERE is_link_placeholder = 0), p.parent, 1) FROM \
pages AS p WHERE p.id = files.id) WHERE id > 1;
UPDATE pages SET source_file = id WHERE id > 1 AND is_link_placeholder = 0;
CREATE TEMP TABLE children AS SELECT parent, count(*) AS n FROM pages GROUP BY parent ORDER BY parent;
CREATE UNIQUE INDEX temp.children_parent ON children (parent);
UPDATE pages SET n_children = coalesce((SELECT n FROM children WHERE children.parent = pages.id), 0);
DROP TABLE temp.children;
INSERT OR IGNORE INTO links
SELECT p.id, t.id, CASE skewed(9, i, 3) WHEN 1 THEN 1 WHEN 2 THEN 0 ELSE 2 END, t.name, t.sortkey, chance(10, i) < 0.004 FROM numbers JOIN \
pages AS p ON p.id = 2 + i % 14000 AND p.is_link_placeholder = 0 JOIN pages AS t ON t.id = 1 + iif(chance(7, i) < 0.6, skewed(8, i, \
19000), pick(11, i, 19000)) WHERE i <= 55000;
INSERT INTO tags SELECT i, word(i * 5), word(i * 5) FROM numbers WHERE i <= 600;
INSERT OR IGNORE INTO tagsources SELECT p.id, skewed(12, i, 570) FROM numbers JOIN pages AS p ON p.id = 2 + pick(13, i, 19000) AND \
p.is_link_placeholder = 0 WHERE i <= 24000;

-- statement: zim-01
-- is: full-scan, partial-index, sort-without-index
-- because: the next file to be read again: a hundredth of all
-- run: 2, '%' | 2, 'vace/%'

SELECT id, path, node_type FROM files WHERE index_status = ? AND path LIKE ? ORDER BY node_type, id LIMIT 1

-- best
-- index: files (index_status, node_type)

-- statement: zim-02
-- fine
-- tolerated: distinct-without-index, index-not-covering
-- because: where a page links to, by the key
-- run: 1502

SELECT DISTINCT source, target FROM links WHERE source = ?

-- statement: zim-03
-- is: distinct-without-index, full-scan, or-without-index
-- because: links from and to a page: only those from it have an index
-- run: 5000 | 12000

SELECT DISTINCT source, target FROM links WHERE source = ?1 OR target = ?1

-- best
-- index: links (target)

-- or
-- index: links (target, source)

-- statement: zim-04
-- is: full-scan, sort-without-index
-- because: the first pages below one, for the tree
-- run: 41 | 2

SELECT id, name, n_children FROM pages WHERE parent = ? ORDER BY sortkey, name LIMIT 20

-- best
-- index: pages (parent, sortkey, name)

-- statement: zim-05
-- is: full-scan, sort-without-index
-- because: pages of a name, wherever in the tree
-- run: 'gudi' | 'tave'

SELECT name FROM pages WHERE sortkey = ? AND is_link_placeholder = 0 ORDER BY name DESC

-- best
-- index: pages (sortkey, is_link_placeholder, name)

-- or
-- index: pages (sortkey, name)

-- statement: zim-06
-- is: full-scan, partial-index, sort-without-index
-- because: links to be resolved again, of which there are few

SELECT source, target, rel, names FROM links WHERE needscheck = 1 ORDER BY anchorkey, names

-- best
-- index: links (anchorkey, names) WHERE needscheck = 1

-- or
-- index: links (needscheck, anchorkey, names)

-- statement: zim-07
-- is: automatic-index, full-scan
-- because: placeholders that nothing links to: SQLite makes an index of all links each time

SELECT pages.id FROM pages LEFT JOIN links ON pages.id = links.target WHERE pages.is_link_placeholder = 1 AND pages.n_children = 0 AND \
links.source IS NULL

-- best
-- index: links (target)
-- index: pages (is_link_placeholder, n_children)

SELECT id FROM pages WHERE is_link_placeholder = 1 AND n_children = 0 EXCEPT SELECT target FROM links

-- or
-- index: links (target, source)

-- statement: zim-08
-- is: full-scan
-- because: a page of a name came to be: the links to that name are looked at again, and all placeholders listed
-- run: 1, 'tave' | 1, 'gudi'

UPDATE links SET needscheck = 1 WHERE rel = ? AND anchorkey = ? AND target IN (SELECT id FROM pages WHERE is_link_placeholder = 1)

-- best
-- index: links (anchorkey, rel)

UPDATE links SET needscheck = 1 WHERE rel = ? AND anchorkey = ? AND EXISTS (SELECT 1 FROM pages WHERE pages.id = links.target AND \
is_link_placeholder = 1)

-- statement: zim-09
-- is: automatic-index, full-scan, group-without-index, join-order, missing-statistics
-- because: all tags, the most frequent first: each use is joined before they are counted

SELECT tags.name, tags.id FROM tags INNER JOIN tagsources ON tags.id = tagsources.tag GROUP BY tags.id ORDER BY count(*) DESC, tags.id

-- best
-- index: tagsources (tag)

SELECT tags.name, tags.id FROM tags JOIN (SELECT tag, count(*) AS n FROM tagsources GROUP BY tag) AS s ON s.tag = tags.id ORDER BY s.n DESC, tags.id

-- statement: zim-10
-- is: automatic-index, full-scan, group-without-index, join-order, missing-statistics
-- because: tags that go with two others: the key begins with the page
-- run: 20, 31 | 5, 44

SELECT tags.name, tags.id FROM tags INNER JOIN tagsources ON tags.id = tagsources.tag
WHERE tagsources.source IN (SELECT source FROM tagsources WHERE tag IN (?, ?) GROUP BY source HAVING count(tag) = 2) GROUP BY tags.id \
ORDER BY count(*) DESC, tags.id

-- best
-- index: tagsources (tag, source)

-- statement: zim-11
-- is: foreign-key-without-index
-- because: a page goes: all pages and all links are read for what refers to it
-- run: 'vace:sostadi:baquiki'

DELETE FROM pages WHERE name = ?

-- best
-- index: pages (parent)
-- index: links (target)

-- statement: zim-12
-- is: full-scan, group-without-index, index-not-covering, join-order, missing-statistics
-- because: what the pages of a tag link to: SQLite can't begin with the tag
-- run: 30

SELECT p.name, count(*) AS n FROM links AS l JOIN pages AS p ON p.id = l.target JOIN tagsources AS s ON s.source = l.source WHERE s.tag = \
? AND p.is_link_placeholder = 0 GROUP BY p.id ORDER BY n DESC, p.name LIMIT 10

-- best
-- index: tagsources (tag, source)
-- index: links (source, target)

-- or
-- index: tagsources (tag, source)

-- statement: zim-13
-- fine
-- because: a page by its name
-- run: 'xigu:grukice:quitulo'

SELECT id, name, mtime, source_file FROM pages WHERE name = ?

-- statement: zim-14
-- fine
-- tolerated: sort-without-index
-- because: the tags of a page, by keys
-- run: 1502

SELECT tags.name, tags.id FROM tagsources LEFT JOIN tags ON tagsources.tag = tags.id WHERE tagsources.source = ? ORDER BY tags.sortkey, tags.name

-- statement: zim-15
-- fine
-- because: a page was written, found by its name
-- run: 1730000000, 'xigu:grukice:quitulo'

UPDATE pages SET mtime = ? WHERE name = ?

-- statement: zim-16
-- fine
-- because: a page and those above it, by keys
-- run: 'xigu:grukice:quitulo'

WITH RECURSIVE up (id, parent, name) AS (
  SELECT id, parent, name FROM pages WHERE name = ? UNION ALL SELECT p.id, p.parent, p.name FROM up JOIN pages AS p ON p.id = up.parent)
SELECT name FROM up

-- statement: zim-17
-- fine
-- because: what is below a page, as a range of names in the key
-- run: 'drice:', 'drice;'

SELECT name FROM pages WHERE name >= ? AND name < ? ORDER BY name LIMIT 30
