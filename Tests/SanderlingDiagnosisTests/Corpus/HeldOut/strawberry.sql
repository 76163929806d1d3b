-- schema: strawberry
-- about: A player of music: one wide table of songs, playlists that hold copies of them, and folders.
-- origin: Strawberry 1.1 (GPL-3.0-or-later, Copyright the Strawberry contributors): five of its tables with their indexes and a view, \
--   columns of no use here left out

CREATE TABLE directories (path TEXT NOT NULL, subdirs INTEGER NOT NULL);
CREATE TABLE subdirectories (directory_id INTEGER NOT NULL, path TEXT NOT NULL, mtime INTEGER NOT NULL);
CREATE TABLE songs (
  title TEXT, album TEXT, artist TEXT, albumartist TEXT, track INTEGER NOT NULL DEFAULT -1, disc INTEGER NOT NULL DEFAULT -1, year INTEGER \
NOT NULL DEFAULT -1, genre TEXT, composer TEXT, comment TEXT, lyrics TEXT, length INTEGER NOT NULL DEFAULT 0, bitrate INTEGER NOT NULL \
DEFAULT -1,
  source INTEGER NOT NULL DEFAULT 0, directory_id INTEGER NOT NULL DEFAULT -1, url TEXT NOT NULL, filetype INTEGER NOT NULL DEFAULT 0, \
filesize INTEGER NOT NULL DEFAULT -1, mtime INTEGER NOT NULL DEFAULT -1, unavailable INTEGER DEFAULT 0, fingerprint TEXT, playcount \
INTEGER NOT NULL DEFAULT 0,
  skipcount INTEGER NOT NULL DEFAULT 0, lastplayed INTEGER NOT NULL DEFAULT -1, lastseen INTEGER NOT NULL DEFAULT -1, \
compilation_effective INTEGER NOT NULL DEFAULT 0, art_automatic TEXT, art_manual TEXT, art_unset INTEGER DEFAULT 0, effective_albumartist \
TEXT, cue_path TEXT, rating INTEGER DEFAULT -1,
  musicbrainz_recording_id TEXT);
CREATE TABLE playlists (name TEXT NOT NULL, last_played INTEGER NOT NULL DEFAULT -1, ui_order INTEGER NOT NULL DEFAULT 0, special_type \
TEXT, is_favorite INTEGER NOT NULL DEFAULT 0);
CREATE TABLE playlist_items (playlist INTEGER NOT NULL, type INTEGER NOT NULL DEFAULT 0, collection_id INTEGER, playlist_url TEXT, title \
TEXT, album TEXT, artist TEXT, length INTEGER, url TEXT NOT NULL DEFAULT '');
CREATE INDEX idx_url ON songs (url);
CREATE INDEX idx_comp_artist ON songs (compilation_effective, artist);
CREATE INDEX idx_albumartist ON songs (albumartist);
CREATE INDEX idx_artist ON songs (artist);
CREATE INDEX idx_album ON songs (album);
CREATE INDEX idx_title ON songs (title);
CREATE VIEW duplicated_songs AS SELECT artist AS dup_artist, album AS dup_album, title AS dup_title FROM songs WHERE artist <> '' AND \
album <> '' AND title <> '' AND unavailable = 0 GROUP BY artist, album, title HAVING count(*) > 1;

INSERT INTO directories SELECT '/music/' || word(i), 1 FROM numbers WHERE i <= 5;
INSERT INTO subdirectories SELECT skewed(1, i, 5), '/music/' || word(skewed(1, i, 5)) || '/' || word(i), 1650000000 + pick(2, i, 60000000) \
FROM numbers WHERE i <= 6000;
INSERT INTO songs
SELECT title(3, iif(chance(4, i) < 0.02, i - 3000, i), 3), iif(chance(5, i / 11) < 0.05, '', title(6, i / 11, 2)), title(7, skewed(8, i / \
11, 1500), 2), iif(chance(9, i / 11) < 0.3, '', title(7, skewed(8, i / 11, 1500), 2)), 1 + i % 11, 1, 1960 + pick(10, i / 11, 64), \
word(skewed(11, i / 11, 90)), '', iif(chance(12, i) < 0.1, prose(13, i, 80), ''),
  iif(chance(14, i) < 0.15, prose(15, i, 600), ''), pick(16, i, 400) * 1000000000, 320, 2, skewed(1, i / 11 % 6000, 5), 'file:///music/' \
|| word(i / 11) || '/' || word(i) || '.flac', 2, 30000000, 1650000000 + pick(17, i, 60000000), chance(18, i) < 0.03, iif(chance(19, i) < \
0.5, printf('%016x', iif(chance(4, i) < 0.02, i - 3000, i) * 7919), ''), iif(chance(20, i) < 0.6, 0, skewed(21, i, 300)),
  0, iif(chance(20, i) < 0.6, -1, 1690000000 + pick(22, i, 30000000)), 1720000000 - iif(chance(23, i) < 0.01, 9000000, 0), chance(24, i / \
11) < 0.08, '', '', 0, title(7, skewed(8, i / 11, 1500), 2), '', iif(chance(25, i) < 0.85, -1, pick(26, i, 10) / 10.0), \
printf('%08x-%04x', i * 7919, i % 65536)
FROM numbers WHERE i <= 30000;
INSERT INTO songs SELECT title, album, artist, albumartist, track, disc, year, genre, composer, comment, lyrics, length, bitrate, source, \
directory_id, url || '.mp3', filetype, filesize, mtime, unavailable, fingerprint, playcount, skipcount, lastplayed, lastseen, \
compilation_effective, art_automatic, art_manual, art_unset, effective_albumartist, cue_path, rating, musicbrainz_recording_id FROM songs \
WHERE rowid % 60 = 0;
INSERT INTO playlists SELECT title(27, i, 2), 1690000000 + i, i, '', i % 7 = 0 FROM numbers WHERE i <= 90;
INSERT INTO playlist_items SELECT skewed(28, i, 90), iif(chance(29, i) < 0.93, 2, 4), iif(chance(29, i) < 0.93, skewed(30, i, 30000), \
NULL), '', iif(chance(29, i) < 0.93, '', title(31, i, 3)), '', '', 0, iif(chance(29, i) < 0.93, '', 'https://radio.example/' || word(i)) \
FROM numbers WHERE i <= 40000;

-- statement: strawberry-01
-- fine
-- tolerated: index-not-covering, or-without-index
-- because: a song by its address, written in two ways
-- run: 'file:///music/flobra/dritreje.flac', 'file:///music/flobra/dritreje%20.flac'

SELECT rowid, title, album, artist, unavailable FROM songs WHERE (url = ?1 OR url = ?2) AND unavailable = 0

-- statement: strawberry-02
-- is: full-scan, group-without-index, index-not-covering, join-order, partial-index
-- because: songs that are there twice, by a view: all are grouped, then their fellows are looked for

SELECT s.rowid, s.title, s.artist FROM songs AS s, duplicated_songs WHERE s.artist = dup_artist AND s.album = dup_album AND s.title = \
dup_title ORDER BY s.artist, s.title, s.rowid

-- best
-- index: songs (artist, album, title, unavailable)

-- statement: strawberry-03
-- is: distinct-without-index, full-scan, index-not-covering
-- because: the albums of an artist: that column has no index, and nearly no song is of a compilation
-- run: 'Brafogu rixice' | 'Fogu pliha'

SELECT DISTINCT album FROM songs WHERE unavailable = 0 AND effective_albumartist = ? AND compilation_effective = 0 AND album <> '' ORDER BY album

-- best
-- index: songs (effective_albumartist, compilation_effective, album)

-- or
-- index: songs (effective_albumartist)

-- or
-- index: songs (effective_albumartist, album)

-- statement: strawberry-04
-- is: full-scan
-- because: a short playlist: the items of all are read
-- run: 60 | 85

SELECT s.rowid, s.title, s.artist, p.title, p.url, p.type FROM playlist_items AS p LEFT JOIN songs AS s ON p.collection_id = s.rowid WHERE \
p.playlist = ?

-- best
-- index: playlist_items (playlist)

-- statement: strawberry-05
-- is: full-scan
-- because: a folder is gone: all folders are read
-- run: 2, '/music/vace/driripli' | 3, '/music/none/b'

DELETE FROM subdirectories WHERE directory_id = ? AND path = ?

-- best
-- index: subdirectories (directory_id, path)

-- or
-- index: subdirectories (path)

-- or
-- index: subdirectories (path, directory_id)

-- statement: strawberry-06
-- is: full-scan, partial-index, sort-without-index
-- because: liked songs not heard for long: one in fifty

SELECT rowid, title, artist FROM songs WHERE unavailable = 0 AND rating >= 0.8 AND playcount > 0 ORDER BY lastplayed LIMIT 30

-- best
-- index: songs (lastplayed) WHERE unavailable = 0 AND rating >= 0.8 AND playcount > 0

-- or
-- index: songs (rating)

-- or
-- index: songs (lastplayed) WHERE rating >= 0.8

-- or
-- index: songs (lastplayed) WHERE playcount > 0

-- statement: strawberry-07
-- is: full-scan
-- because: songs that a scan did not see: all are read for a few
-- run: 2, 1712000000 | 4, 1712000000

UPDATE songs SET unavailable = 1 WHERE directory_id = ? AND unavailable = 0 AND lastseen > 0 AND lastseen < ?

-- best
-- index: songs (directory_id, lastseen)

-- or
-- index: songs (lastseen)

-- or
-- index: songs (lastseen, directory_id)

-- or
-- index: songs (directory_id, lastseen) WHERE unavailable = 0

-- statement: strawberry-08
-- is: full-scan
-- because: whether a file was moved: songs by the hash of their sound
-- run: '0000000007157b60' | '0000'

SELECT rowid, url FROM songs WHERE fingerprint = ?

-- best
-- index: songs (fingerprint)

-- statement: strawberry-09
-- is: case-insensitive-without-index, full-scan
-- because: plays from elsewhere, by names whatever their case
-- run: 10, 'LOCE STANARI', 'YODI THAJE LOCE' | 3, 'vace treki', 'lodri fobace haxilo'

UPDATE songs SET playcount = ? WHERE artist = ? COLLATE NOCASE AND title = ? COLLATE NOCASE AND playcount <> ?1

-- best
-- index: songs (artist COLLATE NOCASE, title COLLATE NOCASE)

-- or
-- index: songs (title COLLATE NOCASE)

-- or
-- index: songs (title COLLATE NOCASE, artist COLLATE NOCASE)

-- or
-- index: songs (artist COLLATE NOCASE)

-- statement: strawberry-10
-- is: full-scan, group-without-index
-- because: how much each artist is played at most: all songs are read, with their texts

SELECT effective_albumartist, max(playcount), count(*) FROM songs WHERE effective_albumartist <> '' AND unavailable = 0 AND playcount > 0 \
GROUP BY effective_albumartist ORDER BY max(playcount) DESC, effective_albumartist LIMIT 20

-- best
-- index: songs (effective_albumartist, playcount) WHERE unavailable = 0 AND playcount > 0

-- statement: strawberry-11
-- is: automatic-index, full-scan, subquery-per-row
-- because: in how many playlists the songs of an album are: for each, all items are read
-- run: 'Bafo zuxice' | 'Clestazu jeha'

SELECT s.rowid, s.title, (SELECT count(*) FROM playlist_items AS p WHERE p.collection_id = s.rowid) AS n FROM songs AS s WHERE s.album = ? \
ORDER BY s.disc, s.track, s.rowid

-- best
-- index: playlist_items (collection_id)

-- statement: strawberry-12
-- fine
-- because: large albums, counted in their index

SELECT album, count(*) FROM songs GROUP BY album HAVING count(*) > 30

-- statement: strawberry-13
-- fine
-- tolerated: full-scan, sort-without-index
-- because: favourite playlists, of which there are few at all

SELECT rowid, name FROM playlists WHERE is_favorite = 1 ORDER BY ui_order

-- statement: strawberry-14
-- fine
-- because: the song of a file, by its index
-- run: 'file:///music/none.flac'

SELECT rowid, title, artist FROM songs WHERE url = ?
