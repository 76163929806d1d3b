-- schema: places
-- about: The places of a browser with the tables and indexes that it has in the field, analyzed, queried by add-ons and by tools that \
--   were not made for it.

CREATE TABLE moz_origins (id INTEGER PRIMARY KEY, prefix TEXT NOT NULL, host TEXT NOT NULL,
  frecency INTEGER NOT NULL, recalc_frecency INTEGER NOT NULL DEFAULT 0, UNIQUE (prefix, host));
CREATE TABLE moz_places (
  id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR, rev_host LONGVARCHAR, visit_count INTEGER DEFAULT 0,
  hidden INTEGER DEFAULT 0 NOT NULL, typed INTEGER DEFAULT 0 NOT NULL, frecency INTEGER DEFAULT -1 NOT NULL,
  last_visit_date INTEGER, guid TEXT, foreign_count INTEGER DEFAULT 0 NOT NULL,
  url_hash INTEGER DEFAULT 0 NOT NULL, description TEXT, preview_image_url TEXT,
  origin_id INTEGER REFERENCES moz_origins (id));
CREATE TABLE moz_historyvisits (
  id INTEGER PRIMARY KEY, from_visit INTEGER, place_id INTEGER, visit_date INTEGER, visit_type INTEGER,
  session INTEGER, source INTEGER DEFAULT 0 NOT NULL);
CREATE TABLE moz_inputhistory (
  place_id INTEGER NOT NULL, input LONGVARCHAR NOT NULL, use_count INTEGER, PRIMARY KEY (place_id, input));
CREATE TABLE moz_bookmarks (
  id INTEGER PRIMARY KEY, type INTEGER, fk INTEGER DEFAULT NULL, parent INTEGER, position INTEGER,
  title LONGVARCHAR, dateAdded INTEGER, lastModified INTEGER, guid TEXT, syncStatus INTEGER NOT NULL DEFAULT 0,
  syncChangeCounter INTEGER NOT NULL DEFAULT 1);
CREATE TABLE moz_anno_attributes (id INTEGER PRIMARY KEY, name VARCHAR(32) UNIQUE NOT NULL);
CREATE TABLE moz_annos (
  id INTEGER PRIMARY KEY, place_id INTEGER NOT NULL, anno_attribute_id INTEGER, content LONGVARCHAR,
  flags INTEGER DEFAULT 0, expiration INTEGER DEFAULT 0, dateAdded INTEGER DEFAULT 0);
CREATE TABLE moz_places_metadata (
  id INTEGER PRIMARY KEY, place_id INTEGER NOT NULL REFERENCES moz_places (id) ON DELETE CASCADE,
  referrer_place_id INTEGER REFERENCES moz_places (id) ON DELETE CASCADE, created_at INTEGER NOT NULL,
  total_view_time INTEGER NOT NULL DEFAULT 0, typing_time INTEGER NOT NULL DEFAULT 0,
  key_presses INTEGER NOT NULL DEFAULT 0);
CREATE INDEX moz_places_url_hashindex ON moz_places (url_hash);
CREATE INDEX moz_places_hostindex ON moz_places (rev_host);
CREATE INDEX moz_places_visitcount ON moz_places (visit_count);
CREATE INDEX moz_places_frecencyindex ON moz_places (frecency);
CREATE INDEX moz_places_lastvisitdateindex ON moz_places (last_visit_date);
CREATE UNIQUE INDEX moz_places_guid_uniqueindex ON moz_places (guid);
CREATE INDEX moz_places_originidindex ON moz_places (origin_id);
CREATE INDEX moz_historyvisits_placedateindex ON moz_historyvisits (place_id, visit_date);
CREATE INDEX moz_historyvisits_fromindex ON moz_historyvisits (from_visit);
CREATE INDEX moz_historyvisits_dateindex ON moz_historyvisits (visit_date);
CREATE INDEX moz_bookmarks_itemindex ON moz_bookmarks (fk, type);
CREATE INDEX moz_bookmarks_parentindex ON moz_bookmarks (parent, position);
CREATE INDEX moz_bookmarks_itemlastmodifiedindex ON moz_bookmarks (fk, lastModified);
CREATE INDEX moz_bookmarks_dateaddedindex ON moz_bookmarks (dateAdded);
CREATE UNIQUE INDEX moz_bookmarks_guid_uniqueindex ON moz_bookmarks (guid);
CREATE UNIQUE INDEX moz_annos_placeattributeindex ON moz_annos (place_id, anno_attribute_id);
CREATE UNIQUE INDEX moz_places_metadata_placecreated_uniqueindex ON moz_places_metadata (place_id, created_at);

INSERT INTO moz_origins (id, prefix, host, frecency)
SELECT i, iif(i % 9 = 0, 'http://', 'https://'), word(i) || '.' || iif(i % 4 = 0, 'net', 'com'), skewed(1, i, 9000)
FROM numbers WHERE i <= 3000;
INSERT INTO moz_places
SELECT n.i, o.prefix || o.host || '/' || word(pick(2, n.i, 700)) || '?p=' || n.i,
  iif(chance(3, n.i) < 0.88, title(4, n.i, 4), NULL),
  iif(o.id % 4 = 0, 'ten.', 'moc.') || substr(o.host, 1, length(o.host) - 4) || '.',
  iif(chance(5, n.i) < 0.06, 0, skewed(6, n.i, 400)), chance(7, n.i) < 0.2, chance(8, n.i) < 0.05,
  iif(chance(9, n.i) < 0.02, -1, skewed(10, n.i, 30000)),
  iif(chance(5, n.i) < 0.06, NULL, 1580000000000000 + n.i * 2900000000 + pick(11, n.i, 2000000000)),
  printf('p%011x', n.i * 40503), iif(chance(12, n.i) < 0.1, 1, 0),
  47356000000000 + n.i * 2654435761 % 4294967291, iif(chance(13, n.i) < 0.3, prose(14, n.i, 150), NULL),
  iif(chance(15, n.i) < 0.2, o.prefix || o.host || '/preview/' || n.i || '.png', NULL), o.id
FROM numbers n JOIN moz_origins o ON o.id = skewed(16, n.i, 3000) WHERE n.i <= 45000;
INSERT INTO moz_historyvisits (id, from_visit, place_id, visit_date, visit_type, session)
SELECT i, iif(chance(17, i) < 0.4 AND i > 30, i - pick(18, i, 20), 0),
  iif(i % 200 = 7, 4711, iif(chance(19, i) < 0.5, skewed(20, i, 45000), pick(21, i, 45000))),
  1580000000000000 + i * 1450000000, iif(chance(22, i) < 0.97, 1 + pick(23, i, 2), 7), 0
FROM numbers WHERE i <= 90000;
INSERT OR IGNORE INTO moz_inputhistory
SELECT pick(24, i, 45000), word(skewed(25, i, 2500)), pick(26, i, 30) FROM numbers WHERE i <= 20000;
INSERT INTO moz_bookmarks
SELECT i, iif(i <= 300, 2, 1), iif(i <= 300, NULL, iif(i BETWEEN 9000 AND 9016, 4711, pick(27, i, 45000))),
  iif(i = 1, 0, iif(i <= 300, 1 + (i - 2) / 6, 7 + skewed(28, i, 290))), i,
  iif(chance(29, i) < 0.9, title(30, i, 2), NULL), 1580000000000000 + i * 11000000000,
  1580000000000000 + i * 11000000000 + pick(31, i, 900000000), printf('b%011x', i * 7919), 2,
  chance(32, i) < 0.004
FROM numbers WHERE i <= 20000;
INSERT INTO moz_anno_attributes
SELECT i, CASE i WHEN 1 THEN 'downloads/destinationFileURI' WHEN 2 THEN 'downloads/metaData'
  ELSE 'addon/' || word(i) END FROM numbers WHERE i <= 40;
INSERT OR IGNORE INTO moz_annos (id, place_id, anno_attribute_id, content, dateAdded)
SELECT i, iif(i <= 16, 4711, pick(33, i, 45000)), iif(i <= 16, i, skewed(34, i, 40)),
  'file:///home/' || prose(35, i, 30 + pick(36, i, 100)), 1580000000000000 + i * 5000000000
FROM numbers WHERE i <= 24000;
INSERT OR IGNORE INTO moz_places_metadata (id, place_id, referrer_place_id, created_at, total_view_time)
SELECT i, pick(37, i, 45000), iif(chance(38, i) < 0.6, pick(39, i, 45000), NULL), 1580000000000 + i * 4000000,
  skewed(40, i, 900000)
FROM numbers WHERE i <= 30000;
ANALYZE;

-- statement: places-01
-- is: full-scan
-- because: what was typed is the last column of the primary key, so all 20,000 inputs are read
-- run: 'brari'

SELECT h.id, h.url, h.title, i.use_count
FROM moz_inputhistory AS i JOIN moz_places AS h ON h.id = i.place_id
WHERE i.input BETWEEN :typed AND :typed || x'EFBFBF' ORDER BY i.use_count DESC LIMIT 6

-- best
-- index: moz_inputhistory (input)

-- or
-- index: moz_inputhistory (input, use_count)

-- statement: places-02
-- is: full-scan, or-without-index
-- because: the guid has an index, the address has none, so neither side is looked up
-- run: 'https://peflo.com/clethadi?p=31234'

SELECT id, guid, url, title FROM moz_places WHERE guid = :ref OR url = :ref LIMIT 1

-- best
-- index: moz_places (url)

-- statement: places-03
-- fine
-- because: the index on the frecency ends after about 16 rows

-- the tiles of a new tab
SELECT url, title, frecency FROM moz_places
WHERE hidden = 0 AND last_visit_date NOTNULL ORDER BY frecency DESC LIMIT 12

-- statement: places-04
-- is: full-scan, partial-index
-- because: 0.4 % of the bookmarks have changes to send

SELECT b.guid, b.parent, b.lastModified FROM moz_bookmarks b WHERE b.syncChangeCounter > 0

-- best
-- index: moz_bookmarks (syncChangeCounter)

-- or
-- index: moz_bookmarks (id) WHERE syncChangeCounter > 0

-- statement: places-05
-- fine
-- because: the order's index gives the newest, each page is found by rowid

select b.title, h.url, b.dateAdded
from moz_bookmarks b inner join moz_places h on h.id = b.fk
where b.type = 1 order by b.dateAdded desc limit 15

-- statement: places-06
-- is: join-fan-out
-- because: 450 visits × 17 bookmarks × 16 annotations
-- run: 4711

SELECT h.guid, COUNT(DISTINCT v.id) AS visits, COUNT(DISTINCT b.id) AS bookmarks,
  COUNT(DISTINCT a.id) AS annotations
FROM moz_places h
LEFT JOIN moz_historyvisits v ON v.place_id = h.id
LEFT JOIN moz_bookmarks b ON b.fk = h.id
LEFT JOIN moz_annos a ON a.place_id = h.id
WHERE h.id = ?1 GROUP BY h.id

-- best

SELECT h.guid, (SELECT COUNT(*) FROM moz_historyvisits WHERE place_id = h.id) AS visits,
  (SELECT COUNT(*) FROM moz_bookmarks WHERE fk = h.id) AS bookmarks,
  (SELECT COUNT(*) FROM moz_annos WHERE place_id = h.id) AS annotations
FROM moz_places h WHERE h.id = ?1

-- statement: places-07
-- is: expression-index, full-scan, function-on-column
-- because: the date has an index; divided, it can't be used
-- run: 1650000000, 1650600000

SELECT COUNT(*) AS n FROM moz_historyvisits v
WHERE v.visit_date / 1000000 >= $from AND v.visit_date / 1000000 < $to

-- best

SELECT COUNT(*) AS n FROM moz_historyvisits v
WHERE v.visit_date >= $from * 1000000 AND v.visit_date < $to * 1000000

-- or
-- index: moz_historyvisits (visit_date / 1000000)

-- statement: places-08
-- is: case-insensitive-without-index, full-scan, pattern-without-index
-- because: the host's index is BINARY, LIKE folds case

SELECT id, url, title FROM moz_places WHERE rev_host LIKE 'moc.pliha.%'

-- best
-- index: moz_places (rev_host COLLATE NOCASE)

-- or

SELECT id, url, title FROM moz_places WHERE rev_host GLOB 'moc.pliha.*'

-- statement: places-09
-- fine
-- because: the text becomes an integer before it is compared, so the index is used
-- run: '47356912286617', 'https://clemudi.net/thabra?p=777'

SELECT id, title, frecency FROM moz_places WHERE url_hash = ? AND url = ?

-- statement: places-10
-- fine
-- because: from a bookmark up to the root by rowid
-- run: 'b000071483e8'

WITH RECURSIVE path (id, parent, title, depth) AS (
  SELECT id, parent, title, 0 FROM moz_bookmarks WHERE guid = :guid
  UNION ALL
  SELECT b.id, b.parent, b.title, depth + 1 FROM moz_bookmarks b JOIN path ON b.id = path.parent
)
SELECT title FROM path ORDER BY depth DESC

-- statement: places-11
-- is: large-offset
-- because: 25,000 pages are stepped over to show 100
-- run: 25000

SELECT id, url, title, last_visit_date FROM moz_places WHERE last_visit_date IS NOT NULL ORDER BY last_visit_date DESC LIMIT 100 OFFSET ?

-- best
-- run: 1633392378386296

SELECT id, url, title, last_visit_date FROM moz_places WHERE last_visit_date IS NOT NULL AND last_visit_date < ? ORDER BY last_visit_date \
DESC LIMIT 100

-- statement: places-12
-- is: repeated-statement
-- because: each incoming record looks up its bookmark on its own
-- operation: apply incoming bookmarks
-- run: 97 | 194 | 291 | 388 | 485 | 582 | 679 | 776 | 873 | 970 | 1067 | 1164 | 1261 | 1358 | 1455 | 1552 | 1649 | 1746 | 1843 | 1940 | \
--   2037 | 2134 | 2231 | 2328 | 2425 | 2522 | 2619 | 2716 | 2813 | 2910 | 3007 | 3104 | 3201 | 3298 | 3395 | 3492 | 3589 | 3686 | 3783 | 3880 \
--   | 3977 | 4074 | 4171 | 4268 | 4365 | 4462 | 4559 | 4656 | 4753 | 4850 | 4947 | 5044 | 5141 | 5238 | 5335 | 5432 | 5529 | 5626 | 5723 | \
--   5820 | 5917 | 6014 | 6111 | 6208 | 6305 | 6402 | 6499 | 6596 | 6693 | 6790 | 6887 | 6984 | 7081 | 7178 | 7275 | 7372 | 7469 | 7566 | 7663 \
--   | 7760 | 7857 | 7954 | 8051 | 8148 | 8245 | 8342 | 8439 | 8536 | 8633 | 8730 | 8827 | 8924 | 9021 | 9118 | 9215 | 9312 | 9409 | 9506 | \
--   9603 | 9700 | 9797 | 9894 | 9991 | 10088 | 10185 | 10282 | 10379 | 10476 | 10573 | 10670 | 10767 | 10864 | 10961 | 11058 | 11155 | 11252 | \
--   11349 | 11446 | 11543 | 11640 | 11737 | 11834 | 11931 | 12028 | 12125 | 12222 | 12319 | 12416 | 12513 | 12610 | 12707 | 12804 | 12901 | \
--   12998 | 13095 | 13192 | 13289 | 13386 | 13483 | 13580

SELECT id, parent, title FROM moz_bookmarks WHERE id = ?

-- best
-- run: '[97,194,291,388,485,582,679,776,873,970,1067,1164,1261,1358,1455,1552,1649,1746,1843,1940,2037,2134,2231,2328,2425,2522,2619,2716,\
--   2813,2910,3007,3104,3201,3298,3395,3492,3589,3686,3783,3880,3977,4074,4171,4268,4365,4462,4559,4656,4753,4850,4947,5044,5141,5238,5335,\
--   5432,5529,5626,5723,5820,5917,6014,6111,6208,6305,6402,6499,6596,6693,6790,6887,6984,7081,7178,7275,7372,7469,7566,7663,7760,7857,7954,\
--   8051,8148,8245,8342,8439,8536,8633,8730,8827,8924,9021,9118,9215,9312,9409,9506,9603,9700,9797,9894,9991,10088,10185,10282,10379,10476,\
--   10573,10670,10767,10864,10961,11058,11155,11252,11349,11446,11543,11640,11737,11834,11931,12028,12125,12222,12319,12416,12513,12610,12707,\
--   12804,12901,12998,13095,13192,13289,13386,13483,13580]'

SELECT id, parent, title FROM moz_bookmarks WHERE id IN (SELECT value FROM json_each(?))

-- statement: places-13
-- is: full-scan, index-not-covering, wide-rows-for-count
-- because: 75 % count, but they can be counted within an index instead of the pages with their descriptions

SELECT count(*) FROM moz_places WHERE hidden = 0 AND visit_count > 0

-- best
-- index: moz_places (hidden, visit_count)

-- or
-- index: moz_places (visit_count, hidden)

-- or
-- index: moz_places (visit_count) WHERE hidden = 0

-- statement: places-14
-- is: index-not-covering, sort-without-index, subquery-per-row
-- because: all pages of all sites are read before the first 25 sites are known; a maximum is one end of a range

SELECT o.host, (SELECT MAX(p.last_visit_date) FROM moz_places p WHERE p.origin_id = o.id) AS "last"
FROM moz_origins o ORDER BY o.host LIMIT 25 -- first page of the list of sites

-- best
-- index: moz_places (origin_id, last_visit_date)
-- index: moz_origins (host)

-- or
-- index: moz_places (origin_id, last_visit_date)

-- statement: places-15
-- is: full-scan
-- because: one of them alone is the end of the index; both at once read all of it

SELECT MIN(visit_date), MAX(visit_date) FROM moz_historyvisits

-- best

SELECT (SELECT MIN(visit_date) FROM moz_historyvisits), (SELECT MAX(visit_date) FROM moz_historyvisits)

-- statement: places-16
-- is: automatic-index, full-scan
-- because: the unique index begins with the page
-- sampled
-- run: 'addon/drilo'

SELECT h.url, a.content FROM moz_anno_attributes n
JOIN moz_annos a ON a.anno_attribute_id = n.id JOIN moz_places h ON h.id = a.place_id
WHERE n.name = ?

-- best
-- index: moz_annos (anno_attribute_id)

-- statement: places-17
-- fine
-- because: both from unique indexes
-- run: 4711, 'downloads/metaData'

SELECT a.content FROM moz_annos a JOIN moz_anno_attributes n ON n.id = a.anno_attribute_id
WHERE a.place_id = :page_id AND n.name = :anno_name

-- statement: places-18
-- fine
-- because: a write of one row by its primary key
-- run: 77, 'gudi'

INSERT INTO moz_inputhistory (place_id, input, use_count) VALUES (?1, ?2, 1)
ON CONFLICT (place_id, input) DO UPDATE SET use_count = use_count * .9 + 1
