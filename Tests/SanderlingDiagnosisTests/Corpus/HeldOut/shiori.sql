-- schema: shiori
-- about: A keeper of bookmarks: addresses with tags, and the texts of the pages in a full-text table that has its own copy of the number.
-- source: Taken from go-shiori/shiori, internal/database/migrations/sqlite.
-- origin: Shiori at b54aa74b (MIT, Copyright the Shiori contributors): five tables of its SQLite migrations with their indexes

CREATE TABLE account(
  id INTEGER NOT NULL, username TEXT NOT NULL, password TEXT NOT NULL, owner INTEGER NOT NULL DEFAULT 0, showid INTEGER NOT NULL DEFAULT \
0, listmode INTEGER NOT NULL DEFAULT 0, hidethumbnail INTEGER NOT NULL DEFAULT 0, hideexcerpt INTEGER NOT NULL DEFAULT 0, nightmode \
INTEGER NOT NULL DEFAULT 0, keepmetadata INTEGER NOT NULL DEFAULT 0, usearchive INTEGER NOT NULL DEFAULT 0, makepublic INTEGER NOT NULL \
DEFAULT 0,
  config JSON NOT NULL DEFAULT '{}', CONSTRAINT account_PK PRIMARY KEY(id), CONSTRAINT account_username_UNIQUE UNIQUE(username));
CREATE TABLE bookmark(
  id INTEGER NOT NULL, url TEXT NOT NULL, title TEXT NOT NULL, excerpt TEXT NOT NULL DEFAULT '', author TEXT NOT NULL DEFAULT '', public \
INTEGER NOT NULL DEFAULT 0, created_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
  has_content BOOLEAN DEFAULT FALSE NOT NULL, modified_at TEXT NULL, archiver TEXT NOT NULL DEFAULT '', archive_path TEXT NOT NULL DEFAULT \
'', CONSTRAINT bookmark_PK PRIMARY KEY(id), CONSTRAINT bookmark_url_UNIQUE UNIQUE(url));
CREATE TABLE tag(
  id INTEGER NOT NULL, name TEXT NOT NULL, CONSTRAINT tag_PK PRIMARY KEY(id), CONSTRAINT tag_name_UNIQUE UNIQUE(name));
CREATE TABLE bookmark_tag(
  bookmark_id INTEGER NOT NULL, tag_id INTEGER NOT NULL, CONSTRAINT bookmark_tag_PK PRIMARY KEY(bookmark_id, tag_id), CONSTRAINT \
bookmark_id_FK FOREIGN KEY(bookmark_id) REFERENCES bookmark(id), CONSTRAINT tag_id_FK FOREIGN KEY(tag_id) REFERENCES tag(id));
CREATE VIRTUAL TABLE bookmark_content USING fts5(title, content, html, docid);
CREATE INDEX idx_created_at ON bookmark(created_at);
CREATE INDEX idx_modified_at ON bookmark(modified_at);

INSERT INTO account (id, username, password, owner) SELECT i, word(i), printf('$2a$10$%x', i * 7919), i = 1 FROM numbers WHERE i <= 5;
INSERT INTO bookmark SELECT i, 'https://' || word(skewed(1, i, 1800)) || '.example/' || word(i) || '/' || i, title(2, i, 5), prose(3, i, \
40 + pick(4, i, 160)), iif(chance(5, i) < 0.6, '', title(6, skewed(7, i, 2500), 2)), chance(8, i) < 0.1, datetime(1500000000 + i * 9000 + \
pick(9, i, 8000), 'unixepoch'),
  chance(10, i) < 0.93, datetime(1500000000 + i * 9000 + iif(chance(11, i) < 0.2, pick(12, i, 40000000), 8000), 'unixepoch'), \
iif(chance(13, i) < 0.7, 'warc', ''), iif(chance(13, i) < 0.7, 'archive/' || i, '') FROM numbers WHERE i <= 22000;
INSERT INTO tag SELECT i, word(i) FROM numbers WHERE i <= 1500;
INSERT OR IGNORE INTO bookmark_tag SELECT pick(14, i, 21000), skewed(15, i, 1400) FROM numbers WHERE i <= 52000 AND pick(14, i, 21000) % 12 > 0;
INSERT INTO bookmark_content (title, content, html, docid) SELECT title, iif(has_content, prose(16, id, 100 + pick(17, id, 350)), ''), \
iif(has_content, '<p>' || prose(16, id, 100 + pick(17, id, 350)) || '</p>', ''), id FROM bookmark WHERE id % 50 > 0;

-- statement: shiori-01
-- fine
-- because: the newest, by key

SELECT id, url, title, excerpt, author, public, modified_at, has_content FROM bookmark ORDER BY id DESC LIMIT 30

-- statement: shiori-02
-- is: full-scan, join-order
-- because: what has one of two tags: the key begins with the bookmark
-- run: 'hatu', 'cledidi' | 'hatregu', 'stamu'

SELECT b.id, b.url, b.title FROM bookmark AS b WHERE b.id IN (SELECT bt.bookmark_id FROM bookmark_tag AS bt LEFT JOIN tag AS t ON \
bt.tag_id = t.id WHERE t.name IN (?, ?)) ORDER BY b.created_at DESC, b.id DESC LIMIT 30

-- best
-- index: bookmark_tag (tag_id, bookmark_id)

SELECT b.id, b.url, b.title FROM bookmark AS b WHERE b.id IN (SELECT bt.bookmark_id FROM tag AS t CROSS JOIN bookmark_tag AS bt ON \
bt.tag_id = t.id WHERE t.name IN (?, ?)) ORDER BY b.created_at DESC, b.id DESC LIMIT 30

-- statement: shiori-03
-- fine
-- tolerated: sort-without-index
-- because: the tags of a bookmark, by key
-- run: 15 | 20001

SELECT t.id, t.name FROM bookmark_tag AS bt JOIN tag AS t ON bt.tag_id = t.id WHERE bt.bookmark_id = ? ORDER BY t.name

-- statement: shiori-04
-- is: full-scan, group-without-index
-- because: all tags and how often each is used: sorted for each run

SELECT bt.tag_id AS id, t.name, COUNT(bt.tag_id) AS n_bookmarks FROM bookmark_tag AS bt LEFT JOIN tag AS t ON bt.tag_id = t.id GROUP BY \
bt.tag_id ORDER BY t.name

-- best
-- index: bookmark_tag (tag_id)

SELECT bt.tag_id AS id, t.name, bt.n_bookmarks FROM (SELECT tag_id, count(*) AS n_bookmarks FROM bookmark_tag GROUP BY tag_id) AS bt LEFT \
JOIN tag AS t ON bt.tag_id = t.id ORDER BY t.name

-- or
-- index: bookmark_tag (tag_id)

-- statement: shiori-05
-- fine
-- tolerated: full-scan, or-without-index, pattern-without-index
-- because: a word anywhere, from the newest: enough are soon found
-- run: '%dice%' | '%guba%'

SELECT b.id, b.title FROM bookmark AS b WHERE b.url LIKE ?1 OR b.excerpt LIKE ?1 ORDER BY b.id DESC LIMIT 30

-- statement: shiori-06
-- is: full-scan
-- because: a bookmark's text by a column of the full-text table: all texts are read
-- run: 21003 | 9001

SELECT content, html FROM bookmark_content WHERE docid = ?

-- best

SELECT content, html FROM bookmark_content WHERE bookmark_content MATCH 'docid : ' || ?1 AND docid = ?1

-- statement: shiori-07
-- is: distinct-without-index, full-scan, subquery-per-row
-- because: the newest without tags: all tags are listed for a page of them

SELECT id, url, title FROM bookmark WHERE id NOT IN (SELECT DISTINCT bookmark_id FROM bookmark_tag) ORDER BY id DESC LIMIT 30

-- best

SELECT id, url, title FROM bookmark AS b WHERE NOT EXISTS (SELECT 1 FROM bookmark_tag AS t WHERE t.bookmark_id = b.id) ORDER BY id DESC LIMIT 30

-- statement: shiori-08
-- is: expression-index, full-scan, function-on-column, group-without-index
-- because: the hosts with most bookmarks: cut out of each address and sorted

SELECT substr(url, 9, instr(substr(url, 9), '/') - 1) AS host, count(*) AS n FROM bookmark GROUP BY substr(url, 9, instr(substr(url, 9), \
'/') - 1) ORDER BY n DESC, host LIMIT 20

-- best
-- index: bookmark (substr(url, 9, instr(substr(url, 9), '/') - 1), url)

-- statement: shiori-09
-- is: case-insensitive-without-index, full-scan
-- because: what an author wrote, whatever the case: all are walked by date
-- run: 'haki LONAFO' | 'Wewece Loce' | 'nobody here'

SELECT id, title, created_at FROM bookmark WHERE author = ? COLLATE NOCASE ORDER BY created_at DESC, id DESC LIMIT 50

-- best
-- index: bookmark (author COLLATE NOCASE, created_at)

-- or
-- index: bookmark (author COLLATE NOCASE)

-- statement: shiori-10
-- is: foreign-key-without-index
-- because: a tag goes: all uses of tags are read for it
-- run: 1401 | 1450 | 1500

DELETE FROM tag WHERE id = ?

-- best
-- index: bookmark_tag (tag_id)

-- statement: shiori-11
-- is: expression-index, full-scan, function-on-column
-- because: a month's bookmarks, by a function of the date that has an index
-- run: '2019-03' | '2021-11'

SELECT count(*), sum(has_content) FROM bookmark WHERE strftime('%Y-%m', created_at) = ?

-- best
-- index: bookmark (created_at, has_content)

SELECT count(*), sum(has_content) FROM bookmark WHERE created_at >= ?1 || '-01' AND created_at < date(?1 || '-01', '+1 month')

-- or

SELECT count(*), sum(has_content) FROM bookmark WHERE created_at >= ?1 || '-01' AND created_at < date(?1 || '-01', '+1 month')

-- or
-- index: bookmark (strftime('%Y-%m', created_at), has_content)

-- statement: shiori-12
-- fine
-- because: what was changed lately, counted in an index
-- run: '2023-08-01 00:00:00' | '2023-09-10 00:00:00'

SELECT count(*) FROM bookmark WHERE modified_at > ?

-- statement: shiori-13
-- is: full-scan, partial-index
-- because: what has neither text nor archive yet: one of fifty

SELECT id, url FROM bookmark WHERE has_content = 0 AND archive_path = '' ORDER BY id

-- best
-- index: bookmark (id, url) WHERE has_content = 0 AND archive_path = ''

-- or
-- index: bookmark (has_content, archive_path)

-- or
-- index: bookmark (id) WHERE has_content = 0 AND archive_path = ''

-- statement: shiori-14
-- fine
-- because: the best of a full-text search
-- run: 'hatu' | 'pemu AND haki'

SELECT docid FROM bookmark_content WHERE bookmark_content MATCH ? ORDER BY rank LIMIT 30

-- statement: shiori-15
-- is: large-offset
-- because: a page far behind
-- run: 15000 | 21000

SELECT id, url, title, excerpt FROM bookmark ORDER BY id DESC LIMIT 30 OFFSET ?

-- best
-- run: 7001 | 1001

SELECT id, url, title, excerpt FROM bookmark WHERE id < ? ORDER BY id DESC LIMIT 30

-- statement: shiori-16
-- fine
-- because: whether an address is kept, by its unique key
-- run: 'https://loce.example/wesobradi/12345' | 'https://foba.example/diba/5'

SELECT id FROM bookmark WHERE url = ?
