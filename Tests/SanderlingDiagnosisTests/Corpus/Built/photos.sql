-- schema: photos
-- about: A photo library of 100 MB: wide rows with metadata, faces, albums; analyzed.

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

-- statement: photos-21
-- fine
-- because: 92 % match

SELECT * FROM asset WHERE kind = 0

-- statement: photos-01
-- fine
-- because: nearly every row of the walk along the dates is wanted

SELECT * FROM asset WHERE trashed_at IS NULL AND hidden = 0 ORDER BY created DESC LIMIT 200

-- statement: photos-02
-- is: full-scan, index-not-covering, partial-index, sort-without-index
-- because: 1.5 % are favourites: the walk along the dates reads 66 rows for each

SELECT id, created, kind FROM asset WHERE favorite = 1 ORDER BY created DESC LIMIT 100

-- best
-- index: asset (created) WHERE favorite = 1

-- or
-- index: asset (favorite, created)

-- statement: photos-03
-- is: group-without-index, index-not-covering
-- because: duplicates are neighbours in an index; without one 100 MB are sorted

SELECT checksum, COUNT(*) FROM asset GROUP BY checksum HAVING COUNT(*) > 4

-- best
-- index: asset (checksum)

-- statement: photos-04
-- is: full-scan, index-not-covering
-- because: a range and, from the same index, the other one without reading rows
-- run: 52.2, 52.4, 3.0, 3.5

SELECT id, latitude, longitude FROM asset WHERE latitude BETWEEN ? AND ? AND longitude BETWEEN ? AND ?

-- best
-- index: asset (latitude, longitude)

-- statement: photos-05
-- is: full-scan
-- because: 100 MB for one row
-- sampled
-- run: '19178EF0-0249F0'

SELECT * FROM asset WHERE uuid = ?

-- best
-- index: asset (uuid)

-- statement: photos-06
-- is: expression-index, full-scan, function-on-column, group-without-index, index-not-covering
-- because: 8 % are videos; the index holds all that the count needs

SELECT strftime('%Y-%m', created, 'unixepoch') AS month, COUNT(*) FROM asset WHERE kind = 1 GROUP BY month

-- best
-- index: asset (kind, created)

-- or
-- index: asset (created) WHERE kind = 1

-- statement: photos-07
-- is: full-scan, subquery-per-row
-- because: a rare person: start from the faces, not from 210,000 assets
-- run: 300

SELECT a.id, a.created FROM asset a
WHERE EXISTS (SELECT 1 FROM face f WHERE f.asset_id = a.id AND f.person_id = ?) ORDER BY a.created DESC LIMIT 60

-- best
-- index: face (person_id, asset_id)

SELECT a.id, a.created FROM asset a WHERE a.id IN (SELECT asset_id FROM face WHERE person_id = ?)
ORDER BY +a.created DESC LIMIT 60

-- or
-- index: face (person_id, asset_id)

SELECT a.id, a.created FROM asset a WHERE a.id IN (SELECT asset_id FROM face WHERE person_id = ?)
ORDER BY a.created DESC LIMIT 60

-- statement: photos-08
-- fine
-- because: the primary key gives the album in order
-- run: 7

SELECT a.id, a.uuid FROM album_asset aa JOIN asset a ON a.id = aa.asset_id WHERE aa.album_id = ?
  ORDER BY aa.position

-- statement: photos-09
-- is: full-scan, index-not-covering, wide-rows-for-count
-- because: a count over 210,000 rows of 450 bytes
-- run: 1

SELECT COUNT(*) FROM asset WHERE kind = ? AND hidden = 0

-- best
-- index: asset (kind, hidden)

-- statement: photos-10
-- fine
-- because: an export by key
-- run: 100000

SELECT * FROM asset WHERE id > ? ORDER BY id LIMIT 500

-- statement: photos-11
-- is: large-offset
-- because: the index gives the order, but 150,000 entries are stepped over

SELECT id, uuid FROM asset ORDER BY created LIMIT 100 OFFSET 150000

-- best
-- run: 1585037500.0

SELECT id, uuid FROM asset WHERE created > ? ORDER BY created LIMIT 100

-- statement: photos-12
-- is: full-scan, index-not-covering
-- because: all rows count, but 2 MB of index say the same as 100 MB of table

SELECT SUM(bytes) FROM asset

-- best
-- index: asset (bytes)

-- statement: photos-13
-- is: distinct-without-index, index-not-covering
-- because: 30 cameras; an index is a hundredth of the table

SELECT DISTINCT camera FROM asset ORDER BY camera

-- best
-- index: asset (camera)

-- statement: photos-14
-- fine
-- because: the partial index serves the condition, which implies NOT NULL
-- run: 1690010000.0

DELETE FROM asset WHERE trashed_at < ?

-- statement: photos-15
-- fine
-- because: 200 albums, and their rows along the primary key

SELECT album.title, album_asset.asset_id FROM album
JOIN album_asset ON album_asset.album_id = album.id WHERE album.kind = 1

-- statement: photos-16
-- is: expression-index, full-scan, function-on-column
-- because: a product is found by an index on it

SELECT id, width, height FROM asset WHERE width * height > 16100000

-- best
-- index: asset (width * height)

-- statement: photos-17
-- is: full-scan, or-without-index, partial-index
-- because: each side is rare; both need an index, or the OR one partial index

SELECT id FROM asset WHERE favorite = 1 OR hidden = 1

-- best
-- index: asset (favorite)
-- index: asset (hidden)

-- or
-- index: asset (id) WHERE favorite = 1 OR hidden = 1

-- statement: photos-18
-- fine
-- because: 45 rows of a day, found by the date
-- run: 1500000000.0, 1500086400.0, 0

SELECT id, kind FROM asset WHERE created >= ?1 AND created < ?2 AND kind = ?3

-- statement: photos-19
-- is: automatic-index, full-scan
-- because: the assets are scanned or indexed for three look-ups

SELECT m.title, a.id FROM memory m JOIN asset a ON a.uuid = m.asset_uuid WHERE m.id BETWEEN 10 AND 12

-- best
-- index: asset (uuid)

-- statement: photos-20
-- is: repeated-statement
-- because: once for each of 150 assets
-- operation: show faces of page
-- run: 100003 | 100006 | 100009 | 100012 | 100015 | 100018 | 100021 | 100024 | 100027 | 100030 | 100033 | 100036 | 100039 | 100042 | \
--   100045 | 100048 | 100051 | 100054 | 100057 | 100060 | 100063 | 100066 | 100069 | 100072 | 100075 | 100078 | 100081 | 100084 | 100087 | \
--   100090 | 100093 | 100096 | 100099 | 100102 | 100105 | 100108 | 100111 | 100114 | 100117 | 100120 | 100123 | 100126 | 100129 | 100132 | \
--   100135 | 100138 | 100141 | 100144 | 100147 | 100150 | 100153 | 100156 | 100159 | 100162 | 100165 | 100168 | 100171 | 100174 | 100177 | \
--   100180 | 100183 | 100186 | 100189 | 100192 | 100195 | 100198 | 100201 | 100204 | 100207 | 100210 | 100213 | 100216 | 100219 | 100222 | \
--   100225 | 100228 | 100231 | 100234 | 100237 | 100240 | 100243 | 100246 | 100249 | 100252 | 100255 | 100258 | 100261 | 100264 | 100267 | \
--   100270 | 100273 | 100276 | 100279 | 100282 | 100285 | 100288 | 100291 | 100294 | 100297 | 100300 | 100303 | 100306 | 100309 | 100312 | \
--   100315 | 100318 | 100321 | 100324 | 100327 | 100330 | 100333 | 100336 | 100339 | 100342 | 100345 | 100348 | 100351 | 100354 | 100357 | \
--   100360 | 100363 | 100366 | 100369 | 100372 | 100375 | 100378 | 100381 | 100384 | 100387 | 100390 | 100393 | 100396 | 100399 | 100402 | \
--   100405 | 100408 | 100411 | 100414 | 100417 | 100420 | 100423 | 100426 | 100429 | 100432 | 100435 | 100438 | 100441 | 100444 | 100447 | \
--   100450

SELECT id, quality, person_id FROM face WHERE asset_id = ?

-- best
-- run: '[100003,100006,100009,100012,100015,100018,100021,100024,100027,100030,100033,100036,100039,100042,100045,100048,100051,100054,\
--   100057,100060,100063,100066,100069,100072,100075,100078,100081,100084,100087,100090,100093,100096,100099,100102,100105,100108,100111,\
--   100114,100117,100120,100123,100126,100129,100132,100135,100138,100141,100144,100147,100150,100153,100156,100159,100162,100165,100168,\
--   100171,100174,100177,100180,100183,100186,100189,100192,100195,100198,100201,100204,100207,100210,100213,100216,100219,100222,100225,\
--   100228,100231,100234,100237,100240,100243,100246,100249,100252,100255,100258,100261,100264,100267,100270,100273,100276,100279,100282,\
--   100285,100288,100291,100294,100297,100300,100303,100306,100309,100312,100315,100318,100321,100324,100327,100330,100333,100336,100339,\
--   100342,100345,100348,100351,100354,100357,100360,100363,100366,100369,100372,100375,100378,100381,100384,100387,100390,100393,100396,\
--   100399,100402,100405,100408,100411,100414,100417,100420,100423,100426,100429,100432,100435,100438,100441,100444,100447,100450]'

SELECT id, quality, person_id FROM face WHERE asset_id IN (SELECT value FROM json_each(?))

-- statement: photos-22
-- fine
-- because: covered by the index
-- run: 100003

SELECT COUNT(*) FROM face WHERE asset_id = ?
