-- schema: linkding
-- about: Bookmarks of several people with tags, in the tables that an object-relational mapper makes.
-- origin: linkding 1.36 (MIT, Copyright Sascha Ißbrücker): five tables as its migrations leave them, of the users' table two columns

CREATE TABLE auth_user (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, username varchar(150) NOT NULL UNIQUE);
CREATE TABLE bookmarks_bookmark (
  id integer NOT NULL PRIMARY KEY AUTOINCREMENT, url varchar(2048) NOT NULL, title varchar(512) NOT NULL,
  description text NOT NULL, notes text NOT NULL, website_title varchar(512) NULL, website_description text NULL,
  web_archive_snapshot_url varchar(2048) NOT NULL, favicon_file varchar(512) NOT NULL, unread bool NOT NULL,
  is_archived bool NOT NULL, shared bool NOT NULL, date_added datetime NOT NULL, date_modified datetime NOT NULL,
  date_accessed datetime NULL, owner_id integer NOT NULL REFERENCES auth_user (id) DEFERRABLE INITIALLY DEFERRED);
CREATE INDEX bookmarks_bookmark_owner_id_0d4ab7c0 ON bookmarks_bookmark (owner_id);
CREATE TABLE bookmarks_tag (
  id integer NOT NULL PRIMARY KEY AUTOINCREMENT, name varchar(64) NOT NULL, date_added datetime NOT NULL,
  owner_id integer NOT NULL REFERENCES auth_user (id) DEFERRABLE INITIALLY DEFERRED);
CREATE INDEX bookmarks_tag_owner_id_ae8f4c36 ON bookmarks_tag (owner_id);
CREATE TABLE bookmarks_bookmark_tags (
  id integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  bookmark_id integer NOT NULL REFERENCES bookmarks_bookmark (id) DEFERRABLE INITIALLY DEFERRED,
  tag_id integer NOT NULL REFERENCES bookmarks_tag (id) DEFERRABLE INITIALLY DEFERRED);
CREATE UNIQUE INDEX bookmarks_bookmark_tags_bookmark_id_tag_id_uniq ON bookmarks_bookmark_tags (bookmark_id, tag_id);
CREATE INDEX bookmarks_bookmark_tags_bookmark_id ON bookmarks_bookmark_tags (bookmark_id);
CREATE INDEX bookmarks_bookmark_tags_tag_id ON bookmarks_bookmark_tags (tag_id);
CREATE TABLE bookmarks_bookmarkasset (
  id integer NOT NULL PRIMARY KEY AUTOINCREMENT, date_created datetime NOT NULL, file varchar(2048) NOT NULL,
  file_size integer NULL, asset_type varchar(64) NOT NULL, content_type varchar(128) NOT NULL,
  display_name varchar(2048) NOT NULL, status varchar(64) NOT NULL, gzip bool NOT NULL,
  bookmark_id integer NOT NULL REFERENCES bookmarks_bookmark (id) DEFERRABLE INITIALLY DEFERRED);
CREATE INDEX bookmarks_bookmarkasset_bookmark_id ON bookmarks_bookmarkasset (bookmark_id);

INSERT INTO auth_user SELECT i, word(i) FROM numbers WHERE i <= 12;
INSERT INTO bookmarks_bookmark
SELECT i, 'https://' || word(skewed(1, i, 2000)) || '.example.com/' || i, title(2, i, 5), prose(3, i, pick(4, i, 300)),
  iif(chance(5, i) < 0.9, '', prose(6, i, 150)), NULL, NULL, '', 'favicon.png', chance(7, i) < 0.01, chance(8, i) < 0.2,
  chance(9, i) < 0.4, datetime(1600000000 + i * 5000, 'unixepoch'), datetime(1600000000 + i * 5000 + pick(10, i, 90000), 'unixepoch'),
  NULL, skewed(11, i, 12)
FROM numbers WHERE i <= 20000;
INSERT INTO bookmarks_tag
SELECT i, iif(chance(12, i) < 0.5, word(i), upper(substr(word(i), 1, 1)) || substr(word(i), 2)), '2022-01-01 00:00:00', skewed(13, i, 12)
FROM numbers WHERE i <= 3000;
INSERT OR IGNORE INTO bookmarks_bookmark_tags (bookmark_id, tag_id)
SELECT 1 + i % 20000, skewed(14, i, 2900) FROM numbers WHERE i <= 70000;
INSERT INTO bookmarks_bookmarkasset (date_created, file, file_size, asset_type, content_type, display_name, status, gzip, bookmark_id)
SELECT datetime(1650000000 + i * 1000, 'unixepoch'), 'asset_' || i || '.html.gz', pick(15, i, 900000), iif(chance(16, i) < 0.9, 'snapshot', 'upload'),
  'text/html', 'HTML snapshot', iif(chance(17, i) < 0.003, 'pending', 'complete'), 1, 1 + (i * 7) % 10000
FROM numbers WHERE i <= 50000;

-- statement: linkding-01
-- is: sort-without-index
-- because: the first page, of a person with thousands: sorted whole, for thirty
-- run: 1 | 5

SELECT id, url, title, description, date_added FROM bookmarks_bookmark WHERE owner_id = ? AND NOT is_archived
ORDER BY date_added DESC LIMIT 30

-- best
-- index: bookmarks_bookmark (owner_id, date_added)

-- statement: linkding-02
-- is: case-insensitive-without-index, expression-index, full-scan, function-on-column, join-order
-- because: names in any case: one tag of 3,000, then its bookmarks
-- run: 'nodidi', 2

SELECT b.id, b.title FROM bookmarks_bookmark b JOIN bookmarks_bookmark_tags bt ON bt.bookmark_id = b.id
JOIN bookmarks_tag t ON t.id = bt.tag_id WHERE upper(t.name) = upper(?) AND b.owner_id = ?

-- best
-- index: bookmarks_tag (upper(name))

SELECT b.id, b.title FROM bookmarks_tag t CROSS JOIN bookmarks_bookmark_tags bt ON bt.tag_id = t.id
CROSS JOIN bookmarks_bookmark b ON b.id = bt.bookmark_id WHERE upper(t.name) = upper(?1) AND b.owner_id = ?2

-- statement: linkding-03
-- is: join-fan-out
-- because: two children multiply
-- run: 3

SELECT b.id, b.title, count(DISTINCT bt.tag_id) AS tags, count(DISTINCT a.id) AS assets FROM bookmarks_bookmark b
LEFT JOIN bookmarks_bookmark_tags bt ON bt.bookmark_id = b.id
LEFT JOIN bookmarks_bookmarkasset a ON a.bookmark_id = b.id WHERE b.owner_id = ? GROUP BY b.id

-- best

SELECT b.id, b.title, (SELECT count(*) FROM bookmarks_bookmark_tags bt WHERE bt.bookmark_id = b.id) AS tags,
(SELECT count(*) FROM bookmarks_bookmarkasset a WHERE a.bookmark_id = b.id) AS assets
FROM bookmarks_bookmark b WHERE b.owner_id = ?

-- statement: linkding-04
-- is: or-without-index, sort-without-index
-- because: a page by its key, written as OR: a row value and an index begin at the page
-- run: 1, '2022-05-01 00:00:00', 12000

SELECT id, url, title FROM bookmarks_bookmark WHERE owner_id = ?1 AND (date_added < ?2 OR (date_added = ?2 AND id < ?3))
ORDER BY date_added DESC, id DESC LIMIT 30

-- best
-- index: bookmarks_bookmark (owner_id, date_added)

SELECT id, url, title FROM bookmarks_bookmark WHERE owner_id = ?1 AND (date_added, id) < (?2, ?3)
ORDER BY date_added DESC, id DESC LIMIT 30

-- or
-- index: bookmarks_bookmark (owner_id, date_added)

-- statement: linkding-05
-- is: pattern-without-index
-- because: only a full-text index would help
-- run: 1, 'shutha'

SELECT id, title FROM bookmarks_bookmark WHERE owner_id = ?1 AND (title LIKE '%' || ?2 || '%' OR description LIKE '%' || ?2 || '%'
OR notes LIKE '%' || ?2 || '%' OR url LIKE '%' || ?2 || '%') ORDER BY date_added DESC

-- best: design

-- statement: linkding-06
-- is: full-scan, index-not-covering
-- because: asked before each is saved; the owner has thousands
-- run: 1, 'https://jecece.example.com/4701'

SELECT id FROM bookmarks_bookmark WHERE owner_id = ? AND url = ?

-- best
-- index: bookmarks_bookmark (owner_id, url)

-- statement: linkding-07
-- fine
-- because: three tags by their keys
-- run: 777

SELECT t.name FROM bookmarks_tag t JOIN bookmarks_bookmark_tags bt ON bt.tag_id = t.id WHERE bt.bookmark_id = ? ORDER BY t.name

-- statement: linkding-08
-- is: large-offset
-- because: what everybody shares, page 200
-- run: 6000

SELECT id, url, title FROM bookmarks_bookmark WHERE shared = 1 ORDER BY id DESC LIMIT 30 OFFSET ?

-- best
-- run: 4933

SELECT id, url, title FROM bookmarks_bookmark WHERE shared = 1 AND id < ? ORDER BY id DESC LIMIT 30

-- statement: linkding-09
-- is: full-scan, index-not-covering, partial-index
-- because: 1 % are unread; a partial index holds them alone
-- run: 1

UPDATE bookmarks_bookmark SET unread = 0 WHERE owner_id = ? AND unread

-- best
-- index: bookmarks_bookmark (owner_id) WHERE unread

-- statement: linkding-10
-- fine
-- because: each tag of one person is looked up in the index
-- run: 6

SELECT t.id, t.name FROM bookmarks_tag t WHERE t.owner_id = ?
AND NOT EXISTS (SELECT 1 FROM bookmarks_bookmark_tags bt WHERE bt.tag_id = t.id)
