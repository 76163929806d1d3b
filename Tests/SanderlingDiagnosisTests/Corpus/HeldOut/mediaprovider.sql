-- schema: mediaprovider
-- about: The media of a phone: files with what is known of pictures, videos and music, and views of each kind.
-- origin: Android MediaProvider of Android 12 (Apache-2.0, Copyright The Android Open Source Project): its tables with most columns, \
--   views and indexes; the trigger is that of Android 10 without a call of the provider's own function
-- superfluous: duplicate-index path_index

CREATE TABLE thumbnails (_id INTEGER PRIMARY KEY, _data TEXT, image_id INTEGER, kind INTEGER, width INTEGER, height INTEGER);
CREATE TABLE videothumbnails (_id INTEGER PRIMARY KEY, _data TEXT, video_id INTEGER, kind INTEGER, width INTEGER, height INTEGER);
CREATE TABLE files (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, _data TEXT UNIQUE COLLATE NOCASE, _size INTEGER, format INTEGER, parent INTEGER, date_added \
INTEGER, date_modified INTEGER, mime_type TEXT, title TEXT, description TEXT, _display_name TEXT,
  orientation INTEGER, latitude DOUBLE, longitude DOUBLE, datetaken INTEGER, bucket_id TEXT, bucket_display_name TEXT, isprivate INTEGER, \
title_key TEXT, artist_id INTEGER, album_id INTEGER, composer TEXT, track INTEGER,
  year INTEGER CHECK (year != 0), is_ringtone INTEGER, is_music INTEGER, is_alarm INTEGER, is_notification INTEGER, is_podcast INTEGER, \
album_artist TEXT, duration INTEGER, bookmark INTEGER, artist TEXT, album TEXT, resolution TEXT,
  media_type INTEGER, width INTEGER, height INTEGER, owner_package_name TEXT DEFAULT NULL, is_pending INTEGER DEFAULT 0, is_download \
INTEGER DEFAULT 0, date_expires INTEGER DEFAULT NULL, is_trashed INTEGER DEFAULT 0,
  relative_path TEXT DEFAULT NULL, volume_name TEXT DEFAULT NULL, artist_key TEXT DEFAULT NULL, album_key TEXT DEFAULT NULL, genre TEXT \
DEFAULT NULL, genre_key TEXT DEFAULT NULL, genre_id INTEGER, is_favorite INTEGER DEFAULT 0,
  generation_added INTEGER DEFAULT 0, generation_modified INTEGER DEFAULT 0, xmp BLOB DEFAULT NULL, _modifier INTEGER DEFAULT 0, _user_id \
INTEGER DEFAULT 0);
CREATE TABLE log (time DATETIME, message TEXT);
CREATE TABLE deleted_media (_id INTEGER PRIMARY KEY AUTOINCREMENT, old_id INTEGER UNIQUE, generation_modified INTEGER NOT NULL);
CREATE TABLE audio_playlists_map (_id INTEGER PRIMARY KEY, audio_id INTEGER NOT NULL, playlist_id INTEGER NOT NULL, play_order INTEGER NOT NULL);
CREATE VIEW audio_playlists AS SELECT _id, _data, title AS name, date_added, date_modified, owner_package_name, volume_name FROM files \
WHERE media_type = 4;
CREATE VIEW audio AS SELECT
  _id, _data, _display_name, _size, mime_type, date_added, date_modified, title, title_key, duration, artist_id, artist, artist_key, \
album_id, album, album_key, track, year, is_music, is_podcast, genre, genre_id, is_pending, is_trashed,
  is_favorite, volume_name, bucket_id FROM files WHERE media_type = 2;
CREATE VIEW video AS SELECT _id, _data, _display_name, _size, mime_type, title, duration, resolution, datetaken, bucket_id, \
bucket_display_name, width, height, is_pending, is_trashed, is_favorite, date_added, date_modified, volume_name FROM files WHERE \
media_type = 3;
CREATE VIEW images AS SELECT
  _id, _data, _display_name, _size, mime_type, title, datetaken, orientation, latitude, longitude, bucket_id, bucket_display_name, width, \
height, is_pending, is_trashed, is_favorite, date_added, date_modified, owner_package_name, volume_name
  FROM files WHERE media_type = 1;
CREATE VIEW audio_albums AS SELECT
  album_id AS _id, album_id, MIN(album) AS album, album_key, artist_id, artist, artist_key, COUNT(DISTINCT _id) AS numsongs, MIN(year) AS \
minyear, MAX(year) AS maxyear
  FROM audio WHERE is_music = 1 AND is_pending = 0 AND is_trashed = 0 AND volume_name IN ('external_primary') GROUP BY album_id;
CREATE TRIGGER audio_playlists_cleanup DELETE ON files WHEN old.media_type = 4 BEGIN DELETE FROM audio_playlists_map WHERE playlist_id = old._id; END;
CREATE INDEX image_id_index ON thumbnails (image_id);
CREATE INDEX video_id_index ON videothumbnails (video_id);
CREATE INDEX album_id_idx ON files (album_id);
CREATE INDEX artist_id_idx ON files (artist_id);
CREATE INDEX genre_id_idx ON files (genre_id);
CREATE INDEX bucket_index ON files (bucket_id, media_type, datetaken, _id);
CREATE INDEX bucket_name ON files (bucket_id, media_type, bucket_display_name);
CREATE INDEX format_index ON files (format);
CREATE INDEX media_type_index ON files (media_type);
CREATE INDEX parent_index ON files (parent);
CREATE INDEX path_index ON files (_data);
CREATE INDEX sort_index ON files (datetaken ASC, _id ASC);
CREATE INDEX title_idx ON files (title);
CREATE INDEX titlekey_index ON files (title_key);

INSERT INTO files (_id, _data, format, parent, date_added, date_modified, title, _display_name, media_type, relative_path, volume_name, \
bucket_id, bucket_display_name)
SELECT i, '/storage/emulated/0/' || CASE WHEN i = 1 THEN 'DCIM' WHEN i = 2 THEN 'Music' WHEN i = 3 THEN 'WhatsApp' WHEN i <= 40 THEN \
'DCIM/' || word(i) WHEN i <= 1000 THEN 'Music/' || word(i) ELSE 'WhatsApp/' || word(i) END, 12289,
  CASE WHEN i <= 3 THEN 0 WHEN i <= 40 THEN 1 WHEN i <= 1000 THEN 2 ELSE 3 END, 1500000000 + i, 1500000000 + i, word(i), word(i), 0, '', \
'external_primary', CAST(i * 7919 AS TEXT), word(i) FROM numbers WHERE i <= 1200;
INSERT INTO files (_id, _data, _size, format, parent, date_added, date_modified, mime_type, title, _display_name, orientation, latitude, \
longitude, datetaken, bucket_id, bucket_display_name, media_type, width, height, owner_package_name,
  is_pending, is_download, date_expires, is_trashed, relative_path, volume_name, is_favorite, generation_added, generation_modified, duration)
SELECT 1200 + i, p._data || '/IMG_' || printf('%06d', i) || iif(chance(1, i) < 0.1, '.mp4', '.jpg'), iif(chance(2, i) < 0.01, 2000000, \
1000000 + pick(3, i, 5000000)), iif(chance(1, i) < 0.1, 47490, 14337), p._id, 1500000000 + i * 7000, 1500000000 + pick(4, i, 210000000), \
iif(chance(1, i) < 0.1, 'video/mp4', 'image/jpeg'),
  'IMG_' || printf('%06d', i), 'IMG_' || printf('%06d', iif(chance(5, i) < 0.03, i / 5, i)) || '.jpg', 90 * pick(6, i, 4), iif(chance(7, \
i) < 0.4, 40 + chance(8, i) * 12, NULL), iif(chance(7, i) < 0.4, chance(9, i) * 20, NULL), iif(chance(10, i) < 0.1, NULL, 1500000000000 + \
i * 7000000),
  p.bucket_id, p.bucket_display_name, iif(chance(1, i) < 0.1, 3, 1), 4000, 3000, iif(chance(11, i) < 0.7, 'com.android.camera', \
'com.whatsapp'), chance(12, i) < 0.003, chance(13, i) < 0.03, iif(chance(14, i) < 0.01, 1712000000 + pick(15, i, 2600000), NULL), \
chance(14, i) < 0.01, 'DCIM/', 'external_primary',
  chance(16, i) < 0.003, i, i + iif(chance(17, i) < 0.1, pick(18, i, 40000), 0), iif(chance(1, i) < 0.1, pick(19, i, 100000), NULL)
FROM numbers JOIN files AS p ON p._id = iif(chance(20, i) < 0.7, 3 + skewed(21, i, 37), iif(chance(20, i) < 0.95, 1000 + skewed(22, i, \
200), 40 + pick(23, i, 900))) WHERE i <= 28000;
INSERT INTO files (_id, _data, _size, format, parent, date_added, date_modified, mime_type, title, _display_name, title_key, artist_id, \
album_id, track, year, is_music, is_podcast, is_ringtone, duration, artist, album, media_type, relative_path, volume_name, artist_key, \
album_key, genre, genre_id,
  bucket_id, bucket_display_name, generation_added, generation_modified, is_favorite)
SELECT 29200 + i, p._data || '/' || printf('%05d', i) || '.mp3', 3000000 + pick(30, i, 9000000), 12297, p._id, 1500000000 + i * 9000, \
1500000000 + i * 9000, 'audio/mpeg', title(31, i, 3), printf('%05d', i) || '.mp3', lower(title(31, i, 3)), skewed(32, p._id, 400), p._id, \
i % 12 + 1, 1960 + pick(33, p._id, 60),
  chance(34, i) < 0.95, chance(34, i) >= 0.97, 0, pick(35, i, 400000), title(36, skewed(32, p._id, 400), 2), title(37, p._id, 2), 2, \
'Music/', 'external_primary', lower(title(36, skewed(32, p._id, 400), 2)), lower(title(37, p._id, 2)), word(skewed(38, p._id, 20)), \
skewed(38, p._id, 20), p.bucket_id, p.bucket_display_name, 28000 + i, 28000 + i, 0
FROM numbers JOIN files AS p ON p._id = 40 + pick(39, i, 900) WHERE i <= 10000;
INSERT INTO files (_id, _data, format, parent, date_added, date_modified, mime_type, title, _display_name, media_type, relative_path, volume_name)
SELECT 39200 + i, '/storage/emulated/0/Music/list' || i || '.m3u', 47621, 2, 1600000000 + i, 1600000000 + i, 'audio/mpegurl', 'list' || i, \
'list' || i || '.m3u', 4, 'Music/', 'external_primary' FROM numbers WHERE i <= 300;
INSERT INTO audio_playlists_map SELECT i, 29200 + skewed(40, i, 10000), 39200 + skewed(41, i, 300), pick(42, i, 5000) FROM numbers WHERE i <= 30000;
INSERT INTO thumbnails SELECT i, '/storage/emulated/0/DCIM/.thumbnails/' || i || '.jpg', 1200 + i, 1, 512, 384 FROM numbers WHERE i <= \
28000 AND chance(43, i) < 0.98;
INSERT INTO deleted_media SELECT i, 100000 + i, 20000 + i * 3 FROM numbers WHERE i <= 3000;

-- statement: mediaprovider-01
-- fine
-- because: the newest pictures of a folder, in the order of an index
-- run: '31676' | '79190'

SELECT _id, _data, datetaken, orientation FROM images WHERE bucket_id = ? AND is_pending = 0 AND is_trashed = 0 ORDER BY datetaken DESC, \
_id DESC LIMIT 100

-- statement: mediaprovider-02
-- is: harmful-index, index-not-covering, sort-without-index
-- because: the pictures as they were changed last: all are looked up and sorted

SELECT _id, _display_name, mime_type, date_modified FROM files WHERE media_type = 1 AND is_trashed = 0 ORDER BY date_modified DESC LIMIT 60

-- best
-- index: files (media_type, date_modified)

-- or
-- index: files (media_type, is_trashed, date_modified)

-- statement: mediaprovider-03
-- fine
-- because: a folder by the beginning of its path: the index has the collation that LIKE needs

SELECT _id, _data FROM files WHERE _data LIKE '/storage/emulated/0/Music/ya%'

-- statement: mediaprovider-04
-- is: full-scan, pattern-without-index
-- because: paths with a beginning, exactly so: the index ignores case, so GLOB can't use it

SELECT _id, _size FROM files WHERE _data GLOB '/storage/emulated/0/WhatsApp/ce*' ORDER BY _id

-- best
-- index: files (_data COLLATE BINARY)

-- or

SELECT _id, _size FROM files WHERE _data LIKE '/storage/emulated/0/WhatsApp/ce%' AND _data GLOB '/storage/emulated/0/WhatsApp/ce*' ORDER BY _id

-- statement: mediaprovider-05
-- is: group-without-index, index-not-covering, partial-index
-- because: folders with their pictures: each picture is looked up

SELECT bucket_id, bucket_display_name, count(*) AS n, max(datetaken) AS newest FROM images WHERE is_trashed = 0 GROUP BY bucket_id ORDER BY n DESC

-- best
-- index: files (media_type, is_trashed, bucket_id, bucket_display_name, datetaken)

-- statement: mediaprovider-06
-- is: harmful-index, index-not-covering, missing-statistics
-- because: an album by a view: the songs of all albums are looked up by the kind of file, although there is an index of albums
-- run: 100 | 700

SELECT album, artist, numsongs, minyear FROM audio_albums WHERE _id = ?

-- best
-- index: files (album_id, media_type)

-- or
-- change: ANALYZE

-- or
-- change: DROP INDEX media_type_index

-- statement: mediaprovider-07
-- is: full-scan, join-order, sort-without-index
-- because: the songs of a playlist: the map of all playlists is read
-- run: 39230 | 39295

SELECT a._id, a.title, a.artist, m.play_order FROM audio_playlists_map AS m JOIN audio AS a ON a._id = m.audio_id WHERE m.playlist_id = ? \
ORDER BY m.play_order

-- best
-- index: audio_playlists_map (playlist_id, play_order, audio_id)

-- or
-- index: audio_playlists_map (playlist_id, play_order)

-- or
-- index: audio_playlists_map (playlist_id)

-- statement: mediaprovider-08
-- is: full-scan, partial-index
-- because: what can be deleted from the trash: nearly nothing has that date
-- run: 1712100000

SELECT _id, _data FROM files WHERE date_expires IS NOT NULL AND date_expires < ?

-- best
-- index: files (date_expires) WHERE date_expires IS NOT NULL

-- or
-- index: files (date_expires)

-- statement: mediaprovider-09
-- is: group-without-index, index-not-covering
-- because: files that may be the same: all are looked up and sorted

SELECT _size, _display_name, count(*) AS n, min(_id) FROM files WHERE media_type IN (1, 3) GROUP BY _size, _display_name HAVING count(*) > 1

-- best
-- index: files (_size, _display_name, media_type)

SELECT _size, _display_name, count(*) AS n, min(_id) FROM files WHERE +media_type IN (1, 3) GROUP BY _size, _display_name HAVING count(*) > 1

-- or
-- index: files (media_type, _size, _display_name)

-- statement: mediaprovider-10
-- fine
-- because: pictures without a thumbnail: each is looked for in an index

SELECT _id FROM images WHERE _id NOT IN (SELECT image_id FROM thumbnails WHERE image_id IS NOT NULL) ORDER BY _id

-- statement: mediaprovider-11
-- is: expression-index, function-on-column, group-without-index, harmful-index, index-not-covering
-- because: the pictures of a year by month: the year is made of each date
-- run: '2019' | '2022'

SELECT strftime('%m', datetaken / 1000, 'unixepoch') AS month, count(*) FROM images WHERE strftime('%Y', datetaken / 1000, 'unixepoch') = \
? GROUP BY month

-- best
-- index: files (media_type, strftime('%Y', datetaken / 1000, 'unixepoch'), strftime('%m', datetaken / 1000, 'unixepoch'))

-- or
-- index: files (media_type, datetaken)

SELECT strftime('%m', datetaken / 1000, 'unixepoch') AS month, count(*) FROM images WHERE datetaken >= strftime('%s', ?1 || '-01-01') * \
1000 AND datetaken < strftime('%s', (?1 + 1) || '-01-01') * 1000 GROUP BY month

-- or
-- index: files (media_type, datetaken)

-- statement: mediaprovider-12
-- is: full-scan, harmful-index, index-not-covering, partial-index, sort-without-index
-- because: favourites, of which there are few: all files are looked up by date

SELECT _id, _data, media_type FROM files WHERE is_favorite = 1 AND is_trashed = 0 AND is_pending = 0 ORDER BY datetaken DESC, _id DESC LIMIT 100

-- best
-- index: files (datetaken, _id) WHERE is_favorite = 1

-- or
-- index: files (is_favorite, datetaken, _id)

-- or
-- index: files (is_favorite)

-- statement: mediaprovider-13
-- is: full-scan, index-not-covering
-- because: a playlist goes: its trigger reads the map of all playlists
-- run: 39250 | 39260 | 39270

DELETE FROM files WHERE _id = ?

-- best
-- index: audio_playlists_map (playlist_id)

-- statement: mediaprovider-14
-- fine
-- tolerated: index-not-covering, or-without-index, pattern-without-index, sort-without-index
-- because: some letters in what songs are called: no index finds them, and the index of kinds leaves out the pictures

SELECT _id, title, artist, album FROM audio WHERE title LIKE '%lola%' OR artist LIKE '%lola%' OR album LIKE '%lola%' ORDER BY title_key

-- statement: mediaprovider-15
-- is: full-scan, harmful-index, index-not-covering, sort-without-index
-- because: what changed since a picker was brought up to date
-- run: 27000 | 60000

SELECT _id, media_type, generation_modified FROM files WHERE generation_modified > ? AND media_type IN (1, 3) AND is_pending = 0 ORDER BY \
generation_modified LIMIT 500

-- best
-- index: files (generation_modified)

SELECT _id, media_type, generation_modified FROM files WHERE generation_modified > ? AND +media_type IN (1, 3) AND is_pending = 0 ORDER BY \
generation_modified LIMIT 500

-- or
-- index: files (media_type, generation_modified)

-- statement: mediaprovider-16
-- fine
-- because: how many files there are of each kind, counted in an index

SELECT media_type, count(*) FROM files GROUP BY media_type

-- statement: mediaprovider-17
-- fine
-- because: where somebody stopped listening, by its key
-- run: 61000, 1712000000, 30010

UPDATE files SET bookmark = ?, date_modified = ? WHERE _id = ?
