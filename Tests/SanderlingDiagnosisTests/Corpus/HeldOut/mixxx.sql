-- schema: mixxx
-- about: A DJ's library: tracks with long rows, their files, cues, crates, playlists, and a playlist for each evening.
-- origin: Mixxx 2.5 (GPL-2.0-or-later, Copyright the Mixxx development team): eight tables of its schema at revision 39 with their \
--   indexes, columns that it adds later in their place; a temporary view made lasting; foreign keys, which it doesn't enforce, left out

CREATE TABLE track_locations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, location varchar(512) UNIQUE, filename varchar(512), directory varchar(512), filesize INTEGER, \
fs_deleted INTEGER, needs_verification INTEGER);
CREATE TABLE library (
  id INTEGER PRIMARY KEY AUTOINCREMENT, artist varchar(64), title varchar(64), album varchar(64), year varchar(16), genre varchar(64), \
tracknumber varchar(3), location INTEGER, comment varchar(256), url varchar(256), duration FLOAT,
  bitrate INTEGER, samplerate INTEGER, cuepoint INTEGER, bpm FLOAT, wavesummaryhex BLOB, channels INTEGER, datetime_added DEFAULT \
CURRENT_TIMESTAMP, mixxx_deleted INTEGER, played INTEGER, header_parsed INTEGER DEFAULT 0,
  filetype varchar(8) DEFAULT '?', replaygain FLOAT DEFAULT 0, timesplayed INTEGER DEFAULT 0, rating INTEGER DEFAULT 0, key varchar(8) \
DEFAULT '', beats BLOB, beats_version TEXT, composer varchar(64) DEFAULT '', bpm_lock INTEGER DEFAULT 0,
  beats_sub_version TEXT DEFAULT '', keys BLOB, keys_version TEXT, keys_sub_version TEXT, key_id INTEGER DEFAULT 0, grouping TEXT DEFAULT \
'', album_artist TEXT DEFAULT '', coverart_source INTEGER DEFAULT 0, coverart_type INTEGER DEFAULT 0,
  coverart_location TEXT DEFAULT '', coverart_hash INTEGER DEFAULT 0, replaygain_peak REAL DEFAULT -1.0, tracktotal TEXT DEFAULT '//', \
color INTEGER, coverart_color INTEGER, coverart_digest BLOB, last_played_at DATETIME DEFAULT NULL,
  source_synchronized_ms INTEGER DEFAULT NULL);
CREATE TABLE Playlists (
  id INTEGER PRIMARY KEY, name varchar(48), position INTEGER, hidden INTEGER DEFAULT 0 NOT NULL, date_created datetime, date_modified \
datetime, locked INTEGER DEFAULT 0);
CREATE TABLE PlaylistTracks (id INTEGER PRIMARY KEY, playlist_id INTEGER, track_id INTEGER, position INTEGER, pl_datetime_added);
CREATE TABLE cues (
  id INTEGER PRIMARY KEY AUTOINCREMENT, track_id INTEGER NOT NULL, type INTEGER DEFAULT 0 NOT NULL, position INTEGER DEFAULT -1 NOT NULL, \
length INTEGER DEFAULT 0 NOT NULL, hotcue INTEGER DEFAULT -1 NOT NULL, label TEXT DEFAULT '' NOT NULL,
  color INTEGER DEFAULT 4294901760 NOT NULL);
CREATE TABLE crates (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name varchar(48) UNIQUE NOT NULL, count INTEGER DEFAULT 0, show INTEGER DEFAULT 1, locked INTEGER \
DEFAULT 0, autodj_source INTEGER DEFAULT 0);
CREATE TABLE crate_tracks (crate_id INTEGER NOT NULL, track_id INTEGER NOT NULL, UNIQUE (crate_id, track_id));
CREATE TABLE track_analysis (
  id INTEGER PRIMARY KEY AUTOINCREMENT, track_id INTEGER NOT NULL, type varchar(512), description varchar(1024), version varchar(512), \
created DEFAULT CURRENT_TIMESTAMP, data_checksum varchar(512));
CREATE INDEX track_analysis_track_id_index ON track_analysis (track_id);
CREATE INDEX idx_PlaylistTracks_playlist_id_track_id ON PlaylistTracks (playlist_id, track_id);
CREATE INDEX idx_PlaylistTracks_track_id ON PlaylistTracks (track_id);
CREATE INDEX idx_crate_tracks_track_id ON crate_tracks (track_id);
CREATE VIEW crate_summary AS SELECT crates.*, COUNT(CASE library.mixxx_deleted WHEN 0 THEN 1 ELSE NULL END) AS track_count, SUM(CASE \
library.mixxx_deleted WHEN 0 THEN library.duration ELSE 0 END) AS track_duration
FROM crates LEFT JOIN crate_tracks ON crate_tracks.crate_id = crates.id LEFT JOIN library ON library.id = crate_tracks.track_id GROUP BY crates.id;

INSERT INTO track_locations
SELECT i, '/music/' || word(skewed(1, i / 12, 1200)) || '/' || word(i / 12) || '/' || (1 + i % 12) || '-' || word(i) || '.flac', (1 + i % \
12) || '-' || word(i) || '.flac', '/music/' || word(skewed(1, i / 12, 1200)) || '/' || word(i / 12), 8000000 + pick(2, i, 40000000), \
chance(3, i) < 0.004, 0
FROM numbers WHERE i <= 24000;
INSERT INTO library (id, artist, title, album, year, genre, tracknumber, location, comment, url, duration, bitrate, samplerate, bpm, \
channels, datetime_added, mixxx_deleted, played, header_parsed, filetype, timesplayed, rating, key, beats, beats_version, key_id, keys, \
album_artist, coverart_hash)
SELECT i, title(4, skewed(1, i / 12, 1200), 2), title(5, i, 3), title(6, i / 12, 2), CAST(1975 + pick(7, i / 12, 49) AS TEXT), title(8, \
skewed(9, i / 12, 45), 1), CAST(1 + i % 12 AS TEXT), i, iif(chance(10, i) < 0.4, prose(11, i, 60), ''), '', 120 + pick(12, i, 360), 900, \
44100, iif(chance(13, i) < 0.05, 0, 70 + pick(14, i, 110)), 2,
  datetime(1400000000 + i / 12 * 150000, 'unixepoch'), chance(15, i) < 0.03, 0, 1, 'flac', iif(chance(16, i) < 0.6, 0, skewed(17, i, 80)), \
iif(chance(18, i) < 0.8, 0, pick(19, i, 5)), '', CAST(prose(20, i, 90 + pick(21, i, 250)) AS BLOB), 'BeatGrid-2.0', pick(22, i, 24), \
CAST(prose(23, i, 40) AS BLOB),
  iif(chance(24, i) < 0.5, title(4, skewed(1, i / 12, 1200), 2), ''), pick(25, i / 12, 60000)
FROM numbers WHERE i <= 24000;
INSERT INTO cues (track_id, type, position, hotcue, label) SELECT pick(26, i, 24000), iif(i % 5, 1, 2), pick(27, i, 10000000), i % 8, \
iif(chance(28, i) < 0.2, word(skewed(29, i, 40)), '') FROM numbers WHERE i <= 50000;
INSERT INTO Playlists SELECT i, iif(i % 4 = 0, title(30, i, 2), date(1400000000 + i * 500000, 'unixepoch')), i, iif(i = 1, 1, iif(i % 4 = \
0, 0, 2)), datetime(1400000000 + i * 500000, 'unixepoch'), datetime(1400000000 + i * 500000, 'unixepoch'), 0 FROM numbers WHERE i <= 600;
INSERT INTO PlaylistTracks SELECT i, iif(i % 9 = 0, 8, 1 + i / 84), iif(chance(31, i) < 0.7, skewed(32, i, 24000), pick(33, i, 24000)), \
iif(i % 9 = 0, i / 9, 1 + i % 84), datetime(1400000000 + (i / 84) * 500000 + (i % 84) * 240, 'unixepoch') FROM numbers WHERE i <= 50000;
INSERT INTO crates (id, name) SELECT i, title(34, i, 2) || ' ' || i FROM numbers WHERE i <= 90;
INSERT OR IGNORE INTO crate_tracks SELECT skewed(35, i, 90), pick(36, i, 24000) FROM numbers WHERE i <= 20000;
INSERT INTO track_analysis (track_id, type, version, data_checksum) SELECT i / 2 + 1, '1', 'Waveform-5.0', '12345' FROM numbers WHERE i <= 40000;

-- statement: mixxx-01
-- is: full-scan
-- because: the cues of a track as it is loaded into a deck: the only table of tracks' belongings without an index
-- sampled
-- run: 500 | 23000

SELECT id, track_id, type, position, length, hotcue, label, color FROM cues WHERE track_id = ?

-- best
-- index: cues (track_id)

-- statement: mixxx-02
-- is: full-scan, join-order, missing-statistics, partial-index
-- because: tracks whose file is missing: each track is looked up in the other table for very few

SELECT library.id, artist, title, track_locations.location FROM library INNER JOIN track_locations ON library.location = \
track_locations.id WHERE mixxx_deleted = 0 AND fs_deleted = 1

-- best
-- index: track_locations (fs_deleted)
-- index: library (location)

-- or
-- index: track_locations (fs_deleted) WHERE fs_deleted = 1
-- index: library (location)

-- statement: mixxx-03
-- is: full-scan, index-not-covering
-- because: the track at a place of a long playlist, when it is taken out: its index goes by the track
-- run: 8, 4000 | 8, 17

SELECT track_id FROM PlaylistTracks WHERE playlist_id = ? AND position = ?

-- best
-- index: PlaylistTracks (playlist_id, position)

-- or
-- index: PlaylistTracks (playlist_id, position, track_id)

-- or
-- index: PlaylistTracks (position, playlist_id)

-- statement: mixxx-04
-- is: full-scan
-- because: folders found unchanged by a scan of the disk
-- run: '/music/loce/shudri', '/music/kixi/fohaha', '/music/socece/vasope'

UPDATE track_locations SET needs_verification = 0 WHERE directory IN (?, ?, ?)

-- best
-- index: track_locations (directory)

-- statement: mixxx-05
-- is: case-insensitive-without-index, full-scan, join-order, pattern-without-index
-- because: a folder moved: LIKE ignores case, the unique index of the paths doesn't
-- run: '/music/kixi/fohaha/%'

SELECT library.id, track_locations.id, track_locations.location FROM library INNER JOIN track_locations ON track_locations.id = \
library.location WHERE track_locations.location LIKE ?

-- best
-- index: track_locations (location COLLATE NOCASE)
-- index: library (location)

-- statement: mixxx-06
-- is: full-scan, sort-without-index
-- because: what is new in the library: all tracks are joined and sorted for a hundred

SELECT library.id, artist, title, album, datetime_added FROM library INNER JOIN track_locations ON library.location = track_locations.id \
WHERE mixxx_deleted = 0 AND fs_deleted = 0 ORDER BY datetime_added DESC, library.id DESC LIMIT 100

-- best
-- index: library (datetime_added)

-- or
-- index: library (mixxx_deleted, datetime_added)

-- or
-- index: library (datetime_added) WHERE mixxx_deleted = 0

-- statement: mixxx-07
-- is: full-scan
-- because: tracks that go well with the one that plays, by key and tempo
-- run: 3, 4, 15, 124.0, 126.0

SELECT id, artist, title, bpm, key_id FROM library WHERE mixxx_deleted = 0 AND key_id IN (?, ?, ?) AND bpm BETWEEN ? AND ?

-- best
-- index: library (key_id, bpm)

-- or
-- index: library (bpm)

-- or
-- index: library (mixxx_deleted, key_id, bpm)

-- or
-- index: library (key_id, mixxx_deleted, bpm)

-- or
-- index: library (bpm, key_id)

-- statement: mixxx-08
-- is: full-scan, or-without-index
-- because: an artist's tracks, under either name
-- sampled
-- run: 'Plicece wezudi' | 'Nobody'

SELECT id, artist, album_artist, title FROM library WHERE mixxx_deleted = 0 AND (artist = ?1 OR album_artist = ?1)

-- best
-- index: library (artist)
-- index: library (album_artist)

-- or
-- index: library (artist, mixxx_deleted)
-- index: library (album_artist, mixxx_deleted)

-- statement: mixxx-09
-- is: full-scan, group-without-index, index-not-covering, sort-without-index
-- because: whose tracks are rated best: one of twenty-five tracks, out of long rows
-- run: 5

SELECT artist, count(*) AS n, avg(bpm) AS tempo FROM library WHERE mixxx_deleted = 0 AND rating >= ? GROUP BY artist ORDER BY n DESC, artist LIMIT 50

-- best
-- index: library (mixxx_deleted, rating)

-- or
-- index: library (rating)

-- or
-- index: library (mixxx_deleted, rating, artist, bpm)

-- statement: mixxx-10
-- fine
-- tolerated: index-not-covering
-- because: the view of all crates, but of one: the condition goes into it
-- run: 30

SELECT * FROM crate_summary WHERE id = ?

-- statement: mixxx-11
-- fine
-- tolerated: case-insensitive-without-index, full-scan, sort-without-index
-- because: the crates that are no source of tracks for playing by itself: there are few crates
-- run: 0

SELECT * FROM crates WHERE autodj_source = ? ORDER BY name COLLATE NOCASE

-- statement: mixxx-12
-- fine
-- tolerated: full-scan
-- because: the whole library for its table, but for a thirtieth

SELECT library.id, played, timesplayed, album_artist, artist, title, album, year, genre, composer, grouping, tracknumber, duration, \
rating, key, key_id, bpm, bpm_lock, replaygain, filetype, bitrate, samplerate, comment, datetime_added, color, coverart_hash, \
track_locations.location FROM library INNER JOIN track_locations ON library.location = track_locations.id WHERE mixxx_deleted = 0 AND \
fs_deleted = 0

-- statement: mixxx-13
-- fine
-- tolerated: group-without-index, index-not-covering, sort-without-index
-- because: the playlists of a track
-- run: 1109

SELECT playlist_id, count(*) FROM PlaylistTracks WHERE track_id = ? GROUP BY playlist_id ORDER BY playlist_id
