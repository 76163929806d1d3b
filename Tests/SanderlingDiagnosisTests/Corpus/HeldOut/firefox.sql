-- schema: firefox
-- about: A browser's history and bookmarks: pages found by a hash of their address, visits, and notes on pages by name.
-- origin: Firefox's places.sqlite, schema 52 (MPL-2.0, Copyright Mozilla and contributors): eight of its tables with their indexes, \
--   without its triggers

CREATE TABLE moz_origins (id INTEGER PRIMARY KEY, prefix TEXT NOT NULL, host TEXT NOT NULL, frecency INTEGER NOT NULL, UNIQUE (prefix, host));
CREATE TABLE moz_places (
  id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR, rev_host LONGVARCHAR, visit_count INTEGER DEFAULT 0, hidden INTEGER DEFAULT 0 NOT NULL,
  typed INTEGER DEFAULT 0 NOT NULL, frecency INTEGER DEFAULT -1 NOT NULL, last_visit_date INTEGER, guid TEXT, foreign_count INTEGER \
DEFAULT 0 NOT NULL,
  url_hash INTEGER DEFAULT 0 NOT NULL, description TEXT, preview_image_url TEXT, origin_id INTEGER REFERENCES moz_origins(id));
CREATE INDEX moz_places_url_hashindex ON moz_places (url_hash);
CREATE INDEX moz_places_hostindex ON moz_places (rev_host);
CREATE INDEX moz_places_visitcount ON moz_places (visit_count);
CREATE INDEX moz_places_frecencyindex ON moz_places (frecency);
CREATE INDEX moz_places_lastvisitdateindex ON moz_places (last_visit_date);
CREATE UNIQUE INDEX moz_places_guid_uniqueindex ON moz_places (guid);
CREATE INDEX moz_places_originidindex ON moz_places (origin_id);
CREATE TABLE moz_historyvisits (id INTEGER PRIMARY KEY, from_visit INTEGER, place_id INTEGER, visit_date INTEGER, visit_type INTEGER, \
session INTEGER);
CREATE INDEX moz_historyvisits_placedateindex ON moz_historyvisits (place_id, visit_date);
CREATE INDEX moz_historyvisits_fromindex ON moz_historyvisits (from_visit);
CREATE INDEX moz_historyvisits_dateindex ON moz_historyvisits (visit_date);
CREATE TABLE moz_inputhistory (place_id INTEGER NOT NULL, input LONGVARCHAR NOT NULL, use_count INTEGER, PRIMARY KEY (place_id, input));
CREATE TABLE moz_bookmarks (
  id INTEGER PRIMARY KEY, type INTEGER, fk INTEGER DEFAULT NULL, parent INTEGER, position INTEGER, title LONGVARCHAR, keyword_id INTEGER, \
folder_type TEXT,
  dateAdded INTEGER, lastModified INTEGER, guid TEXT, syncStatus INTEGER NOT NULL DEFAULT 0, syncChangeCounter INTEGER NOT NULL DEFAULT 1);
CREATE INDEX moz_bookmarks_itemindex ON moz_bookmarks (fk, type);
CREATE INDEX moz_bookmarks_parentindex ON moz_bookmarks (parent, position);
CREATE INDEX moz_bookmarks_itemlastmodifiedindex ON moz_bookmarks (fk, lastModified);
CREATE INDEX moz_bookmarks_dateaddedindex ON moz_bookmarks (dateAdded);
CREATE UNIQUE INDEX moz_bookmarks_guid_uniqueindex ON moz_bookmarks (guid);
CREATE TABLE moz_keywords (id INTEGER PRIMARY KEY AUTOINCREMENT, keyword TEXT UNIQUE, place_id INTEGER, post_data TEXT);
CREATE UNIQUE INDEX moz_keywords_placepostdata_uniqueindex ON moz_keywords (place_id, post_data);
CREATE TABLE moz_anno_attributes (id INTEGER PRIMARY KEY, name VARCHAR(32) UNIQUE NOT NULL);
CREATE TABLE moz_annos (
  id INTEGER PRIMARY KEY, place_id INTEGER NOT NULL, anno_attribute_id INTEGER, content LONGVARCHAR, flags INTEGER DEFAULT 0, expiration \
INTEGER DEFAULT 0,
  type INTEGER DEFAULT 0, dateAdded INTEGER DEFAULT 0, lastModified INTEGER DEFAULT 0);
CREATE UNIQUE INDEX moz_annos_placeattributeindex ON moz_annos (place_id, anno_attribute_id);

INSERT INTO moz_origins SELECT i, iif(i % 9 = 0, 'http://', 'https://'), word(i) || '.example.com', 0 FROM numbers WHERE i <= 1200;
INSERT INTO moz_places
SELECT i, 'https://' || word(skewed(1, i, 1200)) || '.example.com/' || word(pick(2, i, 500)) || '/' || i, title(3, i, 6), 'moc.elpmaxe.' \
|| word(skewed(1, i, 1200)) || '.',
  iif(chance(4, i) < 0.9, skewed(5, i, 60), 0), chance(6, i) < 0.1, chance(7, i) < 0.04, iif(chance(4, i) < 0.9, skewed(8, i, 20000), 0), \
iif(chance(4, i) < 0.9, 1640000000000000 + pick(9, i, 700000000) * 100000, NULL),
  printf('%012x', i * 7919), chance(10, i) < 0.06, (i * 2654435761) % 281474976710656, iif(chance(11, i) < 0.4, prose(12, i, 150), NULL), \
NULL, skewed(1, i, 1200)
FROM numbers WHERE i <= 15000;
INSERT INTO moz_historyvisits
SELECT i, iif(chance(13, i) < 0.7, 0, i - 1), skewed(14, i, 15000), 1640000000000000 + i * 2300000000, CASE WHEN chance(15, i) < 0.6 THEN \
1 WHEN chance(15, i) < 0.8 THEN 2 WHEN chance(15, i) < 0.92 THEN 5 WHEN chance(15, i) < 0.99 THEN 8 ELSE 7 END, 0
FROM numbers WHERE i <= 30000;
INSERT INTO moz_bookmarks
SELECT i, iif(i <= 120, 2, 1), iif(i <= 120, NULL, pick(16, i, 15000)), skewed(17, i, 120), i, title(18, i, 4), NULL, NULL, \
1600000000000000 + i * 30000000000, 1600000000000000 + pick(19, i, 900000000) * 100000,
  printf('b%011x', i * 7919), 2, chance(20, i) < 0.005 FROM numbers WHERE i <= 7000;
INSERT OR IGNORE INTO moz_inputhistory SELECT skewed(21, i, 15000), substr(word(pick(22, i, 4000)), 1, 1 + pick(23, i, 5)), skewed(24, i, \
20) FROM numbers WHERE i <= 9000;
INSERT INTO moz_keywords (keyword, place_id, post_data) SELECT word(i), i * 11, '' FROM numbers WHERE i <= 60;
INSERT INTO moz_anno_attributes SELECT i, word(i) || '/' || word(i * 3) FROM numbers WHERE i <= 12;
INSERT OR IGNORE INTO moz_annos SELECT i, pick(25, i, 15000), skewed(26, i, 12), prose(27, i, 60), 0, 4, 3, 1640000000000000 + i * \
3000000000, 0 FROM numbers WHERE i <= 9000;

-- statement: firefox-01
-- fine
-- because: a page by the hash of its address
-- run: 10617743044000, 'https://vafloha.example.com/guzuce/4000'

SELECT id, title, visit_count FROM moz_places WHERE url_hash = ? AND url = ?

-- statement: firefox-02
-- fine
-- tolerated: index-not-covering, join-order
-- because: the last visits by their index

SELECT h.id, h.url, h.title, v.visit_date FROM moz_historyvisits v JOIN moz_places h ON h.id = v.place_id
WHERE h.hidden = 0 AND v.visit_type NOT IN (0, 4, 8) ORDER BY v.visit_date DESC LIMIT 40

-- statement: firefox-03
-- is: full-scan, index-not-covering, partial-index, sort-without-index
-- because: the last downloads: one visit in a hundred, found by reading them by date

SELECT h.id, h.url, v.visit_date FROM moz_historyvisits v JOIN moz_places h ON h.id = v.place_id
WHERE v.visit_type = 7 ORDER BY v.visit_date DESC LIMIT 50

-- best
-- index: moz_historyvisits (visit_type, visit_date)

-- or
-- index: moz_historyvisits (visit_type)

-- statement: firefox-04
-- is: automatic-index, full-scan, index-not-covering
-- because: pages with a note of one kind: all notes are read
-- run: 'bafo/thaje'

SELECT a.place_id, a.content FROM moz_annos a JOIN moz_anno_attributes n ON n.id = a.anno_attribute_id WHERE n.name = ?

-- best
-- index: moz_annos (anno_attribute_id)

-- statement: firefox-05
-- is: full-scan, partial-index
-- because: bookmarks to synchronise: one in two hundred

SELECT guid, title FROM moz_bookmarks WHERE syncChangeCounter >= 1

-- best
-- index: moz_bookmarks (syncChangeCounter)

-- statement: firefox-06
-- is: case-insensitive-without-index, full-scan, pattern-without-index
-- because: what was typed before: a pattern that begins with a parameter
-- run: 'haxi' | 'kibr'

SELECT h.url, h.title, i.use_count FROM moz_inputhistory i JOIN moz_places h ON h.id = i.place_id
WHERE i.input LIKE ? || '%' ORDER BY i.use_count DESC, h.frecency DESC, h.id LIMIT 10

-- best
-- index: moz_inputhistory (input COLLATE NOCASE)

SELECT h.url, h.title, i.use_count FROM moz_inputhistory i JOIN moz_places h ON h.id = i.place_id
WHERE i.input COLLATE NOCASE >= ?1 AND i.input COLLATE NOCASE < ?1 || char(1114111) AND i.input LIKE ?1 || '%'
ORDER BY i.use_count DESC, h.frecency DESC, h.id LIMIT 10

-- statement: firefox-07
-- is: index-not-covering, join-order, subquery-per-row
-- because: a site's pages of some days: each page of the site is asked for visits
-- run: 'moc.elpmaxe.drice.', 1700000000000000, 1701000000000000

SELECT h.id, h.title, h.last_visit_date FROM moz_places h WHERE h.hidden = 0 AND h.rev_host = ?
AND EXISTS (SELECT 1 FROM moz_historyvisits v WHERE v.place_id = h.id AND v.visit_date >= ? AND v.visit_date < ?)

-- best

SELECT h.id, h.title, h.last_visit_date FROM moz_places h WHERE h.hidden = 0 AND h.rev_host = ?
AND h.id IN (SELECT v.place_id FROM moz_historyvisits v WHERE v.visit_date >= ? AND v.visit_date < ?)

-- statement: firefox-08
-- is: full-scan, index-not-covering, partial-index
-- because: pages to forget: bookmarks are read for a number

SELECT h.id, h.url FROM moz_places h LEFT JOIN moz_historyvisits v ON v.place_id = h.id
WHERE h.foreign_count = 0 AND h.last_visit_date IS NULL AND v.id IS NULL LIMIT 100

-- best
-- index: moz_places (last_visit_date, foreign_count)

-- or
-- index: moz_places (foreign_count, last_visit_date)

-- statement: firefox-09
-- is: index-not-covering, subquery-per-row
-- because: the sites that are used most: each page is looked up for one number

SELECT o.id, o.host, (SELECT sum(frecency) FROM moz_places p WHERE p.origin_id = o.id AND p.frecency > 0) AS total
FROM moz_origins o ORDER BY total DESC, o.id LIMIT 20

-- best
-- index: moz_places (origin_id, frecency)

-- statement: firefox-10
-- is: expression-index, function-on-column, group-without-index, sort-without-index
-- because: visits of the last days: all days are counted

SELECT strftime('%Y-%m-%d', visit_date / 1000000, 'unixepoch') AS day, count(*) FROM moz_historyvisits
GROUP BY day ORDER BY day DESC LIMIT 30

-- best
-- index: moz_historyvisits (strftime('%Y-%m-%d', visit_date / 1000000, 'unixepoch'))

-- statement: firefox-11
-- is: full-scan, index-not-covering, partial-index, sort-without-index
-- because: what was typed: one page in twenty-five, found by reading them by their weight

SELECT url, title FROM moz_places WHERE typed = 1 AND hidden = 0 AND frecency <> 0 ORDER BY frecency DESC, id LIMIT 10

-- best
-- index: moz_places (typed, frecency DESC)

-- or
-- index: moz_places (typed, frecency)

-- or
-- index: moz_places (typed, hidden, frecency DESC)

-- statement: firefox-12
-- fine
-- tolerated: index-not-covering
-- because: a folder in its order
-- run: 5

SELECT id, title, fk FROM moz_bookmarks WHERE parent = ? ORDER BY position

-- statement: firefox-13
-- is: full-scan, sort-without-index
-- because: what changed lately: times of change are indexed by page only
-- run: 1689500000000000

SELECT id, guid, title, lastModified FROM moz_bookmarks WHERE type = 1 AND lastModified > ? ORDER BY lastModified

-- best
-- index: moz_bookmarks (lastModified)

-- or
-- index: moz_bookmarks (type, lastModified)

-- statement: firefox-14
-- fine
-- because: a page by its keyword
-- run: 'yomu'

SELECT h.url, k.post_data FROM moz_keywords k JOIN moz_places h ON h.id = k.place_id WHERE k.keyword = ?

-- statement: firefox-15
-- is: index-not-covering, sort-without-index
-- because: the best pages of a large site: all of it is sorted
-- run: 'moc.elpmaxe.loce.'

SELECT h.id, h.url, h.title FROM moz_places h WHERE h.rev_host = ? AND h.hidden = 0 AND h.visit_count > 0
ORDER BY h.frecency DESC, h.id LIMIT 30

-- best
-- index: moz_places (rev_host, hidden, frecency DESC)

-- or
-- index: moz_places (rev_host, frecency)

-- or
-- index: moz_places (rev_host, frecency DESC)
