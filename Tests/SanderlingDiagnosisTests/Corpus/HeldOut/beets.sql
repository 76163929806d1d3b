-- schema: beets
-- about: A music library in wide rows, with attributes of any name beside them.
-- origin: beets 2.14.1 (MIT, Copyright Adrian Sampson): the tables and indexes of a new library
-- superfluous: redundant-index item_attributes_by_entity
-- superfluous: redundant-index album_attributes_by_entity

CREATE TABLE items (
  acoustid_fingerprint TEXT, acoustid_id TEXT, added REAL, album TEXT, album_id INTEGER, albumartist TEXT,
  albumartist_credit TEXT, albumartist_sort TEXT, albumartists TEXT, albumartists_credit TEXT,
  albumartists_sort TEXT, albumdisambig TEXT, albumstatus TEXT, albumtype TEXT, albumtypes TEXT, arrangers TEXT,
  arrangers_ids TEXT, artist TEXT, artist_credit TEXT, artist_sort TEXT, artists TEXT, artists_credit TEXT,
  artists_ids TEXT, artists_sort TEXT, asin TEXT, barcode TEXT, bitdepth INTEGER, bitrate INTEGER,
  bitrate_mode TEXT, bpm INTEGER, catalognum TEXT, channels INTEGER, comments TEXT, comp INTEGER,
  composer_sort TEXT, composers TEXT, composers_ids TEXT, country TEXT, day INTEGER, disc INTEGER,
  discogs_albumid INTEGER, discogs_artistid INTEGER, discogs_labelid INTEGER, disctitle TEXT, disctotal INTEGER,
  encoder TEXT, encoder_info TEXT, encoder_settings TEXT, format TEXT, genres TEXT, grouping TEXT,
  id INTEGER PRIMARY KEY, initial_key TEXT, isrc TEXT, label TEXT, language TEXT, length REAL, lyricists TEXT,
  lyricists_ids TEXT, lyrics TEXT, mb_albumartistid TEXT, mb_albumartistids TEXT, mb_albumid TEXT,
  mb_artistid TEXT, mb_artistids TEXT, mb_releasegroupid TEXT, mb_releasetrackid TEXT, mb_trackid TEXT,
  mb_workid TEXT, media TEXT, month INTEGER, mtime REAL, original_day INTEGER, original_month INTEGER,
  original_year INTEGER, path BLOB, r128_album_gain REAL, r128_track_gain REAL, release_group_title TEXT,
  releasegroupdisambig TEXT, remixers TEXT, remixers_ids TEXT, rg_album_gain REAL, rg_album_peak REAL,
  rg_track_gain REAL, rg_track_peak REAL, samplerate INTEGER, script TEXT, style TEXT, subtitle TEXT, title TEXT,
  track INTEGER, trackdisambig TEXT, tracktotal INTEGER, work TEXT, work_disambig TEXT, year INTEGER);
CREATE TABLE item_attributes (
  id INTEGER PRIMARY KEY, entity_id INTEGER, key TEXT, value TEXT, UNIQUE(entity_id, key) ON CONFLICT REPLACE);
CREATE INDEX item_attributes_by_entity ON item_attributes (entity_id);
CREATE INDEX idx_item_album_id ON items (album_id);
CREATE TABLE albums (
  added REAL, album TEXT, albumartist TEXT, albumartist_credit TEXT, albumartist_sort TEXT, albumartists TEXT,
  albumartists_credit TEXT, albumartists_sort TEXT, albumdisambig TEXT, albumstatus TEXT, albumtype TEXT,
  albumtypes TEXT, artpath BLOB, asin TEXT, barcode TEXT, catalognum TEXT, comp INTEGER, country TEXT,
  day INTEGER, discogs_albumid INTEGER, discogs_artistid INTEGER, discogs_labelid INTEGER, disctotal INTEGER,
  genres TEXT, id INTEGER PRIMARY KEY, label TEXT, language TEXT, mb_albumartistid TEXT, mb_albumartistids TEXT,
  mb_albumid TEXT, mb_releasegroupid TEXT, month INTEGER, original_day INTEGER, original_month INTEGER,
  original_year INTEGER, r128_album_gain REAL, release_group_title TEXT, releasegroupdisambig TEXT,
  rg_album_gain REAL, rg_album_peak REAL, script TEXT, style TEXT, year INTEGER);
CREATE TABLE album_attributes (
  id INTEGER PRIMARY KEY, entity_id INTEGER, key TEXT, value TEXT, UNIQUE(entity_id, key) ON CONFLICT REPLACE);
CREATE INDEX album_attributes_by_entity ON album_attributes (entity_id);

INSERT INTO albums (id, album, albumartist, added, comp, genres, mb_albumid, year, albumtype, label)
SELECT i, title(1, i, 3), title(2, skewed(3, i, 1500), 2), 1500000000 + pick(4, i, 200000000) + 0.25, chance(5, i) < 0.04,
  iif(chance(6, i) < 0.2, '', word(skewed(7, i, 60))), 'release-' || i, iif(chance(8, i) < 0.1, 0, 1950 + pick(9, i, 73)),
  iif(chance(10, i) < 0.8, 'album', 'single'), word(skewed(11, i, 300))
FROM numbers WHERE i <= 6000;
INSERT INTO items (
  id, album_id, album, albumartist, artist, title, added, bitrate, format, genres, length, mb_albumid, mb_trackid, mtime,
  path, track, disc, year, comments, lyrics, comp)
SELECT i, iif(chance(12, i) < 0.05, NULL, 1 + i / 6), title(1, 1 + i / 6, 3), title(2, skewed(3, 1 + i / 6, 1500), 2),
  title(2, skewed(3, 1 + i / 6, 1500), 2), title(13, i, 4), 1500000000 + pick(4, 1 + i / 6, 200000000) + 0.25,
  CASE WHEN chance(14, i) < 0.7 THEN 900000 + pick(15, i, 200000) ELSE 320000 END,
  CASE WHEN chance(14, i) < 0.7 THEN 'FLAC' WHEN chance(14, i) < 0.995 THEN 'MP3' ELSE 'WMA' END,
  iif(chance(6, 1 + i / 6) < 0.2, '', word(skewed(7, 1 + i / 6, 60))), 60 + pick(16, i, 40000) / 100.0,
  'release-' || (1 + i / 6), iif(chance(17, i) < 0.3, '', 'track-' || iif(chance(18, i) < 0.01, i - 7, i)),
  1600000000 + pick(19, i, 90000000) + 0.5, CAST('library/' || (1 + i / 6) || '/' || i || '.flac' AS BLOB), 1 + i % 6, 1,
  iif(chance(8, i) < 0.1, 0, 1950 + pick(9, 1 + i / 6, 73)), prose(20, i, 80),
  iif(chance(21, i) < 0.3, prose(22, i, 900), ''), chance(5, 1 + i / 6) < 0.04
FROM numbers WHERE i <= 30000;
INSERT INTO item_attributes (entity_id, key, value)
SELECT i, 'data_source', iif(chance(23, i) < 0.9, 'MusicBrainz', 'Discogs') FROM numbers WHERE i <= 30000;
INSERT INTO item_attributes (entity_id, key, value)
SELECT i, 'play_count', skewed(24, i, 400) FROM numbers WHERE i <= 30000 AND chance(25, i) < 0.4;
INSERT INTO item_attributes (entity_id, key, value)
SELECT i, 'rating', '0.9' FROM numbers WHERE i <= 30000 AND chance(26, i) < 0.004;

-- statement: beets-01
-- fine
-- because: six items by the index
-- run: 77

SELECT * FROM items WHERE album_id = ? ORDER BY disc, track

-- statement: beets-02
-- fine
-- because: by either index
-- run: 501

SELECT key, value FROM item_attributes WHERE entity_id = ?

-- statement: beets-03
-- is: full-scan
-- because: whether a file is there already, asked once per file of an import
-- run: 'library/2/7.flac'

SELECT * FROM items WHERE path = CAST(? AS BLOB)

-- best
-- index: items (path)

-- statement: beets-04
-- is: full-scan
-- because: one item
-- run: 'track-4242'

SELECT id, title, path FROM items WHERE mb_trackid = ? AND mb_trackid <> ''

-- best
-- index: items (mb_trackid)

-- statement: beets-05
-- is: full-scan, group-without-index, index-not-covering
-- because: duplicates, counted in the order of an index

SELECT mb_trackid, count(*) FROM items WHERE mb_trackid <> '' GROUP BY mb_trackid HAVING count(*) > 1

-- best
-- index: items (mb_trackid)

-- statement: beets-06
-- is: full-scan, sort-without-index
-- because: the last ones in the index's order

SELECT id, album, albumartist, added FROM albums ORDER BY added DESC LIMIT 20

-- best
-- index: albums (added)

-- statement: beets-07
-- is: automatic-index, expression-index, full-scan, function-on-column
-- because: the condition makes the join an inner one, and few attributes pass it
-- run: 390

SELECT items.id, items.title, CAST(a.value AS INTEGER) FROM items
LEFT JOIN item_attributes AS a ON a.entity_id = items.id AND a.key = 'play_count'
WHERE CAST(a.value AS INTEGER) >= ?

-- best
-- index: item_attributes (key, CAST(value AS INTEGER))

-- or
-- index: item_attributes (CAST(value AS INTEGER))

-- statement: beets-08
-- is: distinct-without-index, full-scan, index-not-covering, sort-without-index
-- because: 61 values in rows of half a kilobyte

SELECT DISTINCT genres FROM items ORDER BY genres

-- best
-- index: items (genres)

-- statement: beets-09
-- is: full-scan, index-not-covering
-- because: 0.4 % of the items have one; the unique index begins with the item
-- run: 'rating'

SELECT items.id, items.title FROM items JOIN item_attributes AS a ON a.entity_id = items.id WHERE a.key = ?

-- best
-- index: item_attributes (key, entity_id)

-- or
-- index: item_attributes (key)

-- statement: beets-10
-- is: case-insensitive-without-index, full-scan, pattern-without-index, sort-without-index
-- because: LIKE folds case, and so has the index to
-- run: 'wma'

SELECT id, title, format FROM items WHERE format LIKE ? ORDER BY albumartist, album, track

-- best
-- index: items (format COLLATE NOCASE)
