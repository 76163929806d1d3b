-- schema: navidrome
-- about: A music server: keys are texts, what users did with an item is in one table for all kinds of items.
-- origin: Navidrome 0.55 (GPL-3.0, Copyright Deluan Quintão and the Navidrome contributors): six of its tables with their indexes, \
--   without columns that nothing here reads
-- superfluous: redundant-index album_artists_album_id

CREATE TABLE artist (
  id varchar(255) not null primary key, name varchar(255) default '' not null, full_text varchar(255) default '', biography varchar(255) \
default '' not null,
  order_artist_name varchar collate NOCASE default '' not null, sort_artist_name varchar collate NOCASE default '' not null,
  mbz_artist_id varchar default '' not null, missing boolean default false not null, updated_at datetime, created_at datetime);
CREATE INDEX artist_name ON artist (name);
CREATE INDEX artist_order_artist_name ON artist (order_artist_name);
CREATE INDEX artist_sort_name ON artist (coalesce(nullif(sort_artist_name,''),order_artist_name) collate NOCASE);
CREATE INDEX artist_updated_at ON artist (updated_at);
CREATE TABLE album (
  id varchar(255) not null primary key, name varchar(255) default '' not null, album_artist varchar(255) default '' not null, min_year int \
default 0 not null,
  max_year integer default 0 not null, compilation bool default FALSE not null, song_count integer default 0 not null, duration real \
default 0 not null,
  genre varchar(255) default '' not null, created_at datetime, updated_at datetime, full_text varchar(255) default '', album_artist_id \
varchar(255) default '',
  size integer default 0 not null, description varchar(255) default '' not null, order_album_name varchar collate NOCASE default '' not null,
  order_album_artist_name varchar collate NOCASE default '' not null, sort_album_name varchar collate NOCASE default '' not null,
  sort_album_artist_name varchar collate NOCASE default '' not null, mbz_album_id varchar default '' not null, mbz_album_type varchar \
default '' not null,
  library_id integer default 1 not null, imported_at datetime default '0000-00-00 00:00:00' not null, missing boolean default false not null,
  tags jsonb default '{}' not null);
CREATE INDEX album_alphabetical_by_artist ON album (compilation, order_album_artist_name, order_album_name);
CREATE INDEX album_artist_album_id ON album (album_artist_id);
CREATE INDEX album_created_at ON album (created_at);
CREATE INDEX album_genre ON album (genre);
CREATE INDEX album_max_year ON album (max_year);
CREATE INDEX album_mbz_album_type ON album (mbz_album_type);
CREATE INDEX album_min_year ON album (min_year);
CREATE INDEX album_name ON album (name);
CREATE INDEX album_order_album_artist_name ON album (order_album_artist_name);
CREATE INDEX album_order_album_name ON album (order_album_name);
CREATE INDEX album_size ON album (size);
CREATE INDEX album_sort_name ON album (coalesce(nullif(sort_album_name,''),order_album_name) collate NOCASE);
CREATE INDEX album_sort_album_artist_name ON album (coalesce(nullif(sort_album_artist_name,''),order_album_artist_name) collate NOCASE);
CREATE INDEX album_updated_at ON album (updated_at);
CREATE INDEX album_imported_at ON album (imported_at);
CREATE TABLE media_file (
  id varchar(255) not null primary key, path varchar(255) default '' not null, title varchar(255) default '' not null, album varchar(255) \
default '' not null,
  artist varchar(255) default '' not null, artist_id varchar(255) default '' not null, album_artist varchar(255) default '' not null,
  album_id varchar(255) default '' not null, track_number integer default 0 not null, disc_number integer default 0 not null, year integer \
default 0 not null,
  size integer default 0 not null, suffix varchar(255) default '' not null, duration real default 0 not null, bit_rate integer default 0 not null,
  genre varchar(255) default '' not null, created_at datetime, updated_at datetime, full_text varchar(255) default '', album_artist_id \
varchar(255) default '',
  order_album_name varchar collate NOCASE default '' not null, order_artist_name varchar collate NOCASE default '' not null,
  order_title varchar collate NOCASE default '' not null, mbz_recording_id varchar default '' not null, bpm integer default 0 not null,
  channels integer default 0 not null, lyrics jsonb default '[]' not null, library_id integer default 1 not null, folder_id varchar \
default '' not null,
  pid varchar default '' not null, missing boolean default false not null, birth_time datetime);
CREATE INDEX media_file_album_artist ON media_file (album_artist);
CREATE INDEX media_file_album_id ON media_file (album_id);
CREATE INDEX media_file_artist ON media_file (artist);
CREATE INDEX media_file_artist_album_id ON media_file (album_artist_id);
CREATE INDEX media_file_artist_id ON media_file (artist_id);
CREATE INDEX media_file_bpm ON media_file (bpm);
CREATE INDEX media_file_channels ON media_file (channels);
CREATE INDEX media_file_created_at ON media_file (created_at);
CREATE INDEX media_file_duration ON media_file (duration);
CREATE INDEX media_file_genre ON media_file (genre);
CREATE INDEX media_file_mbz_track_id ON media_file (mbz_recording_id);
CREATE INDEX media_file_order_album_name ON media_file (order_album_name);
CREATE INDEX media_file_order_artist_name ON media_file (order_artist_name);
CREATE INDEX media_file_order_title ON media_file (order_title);
CREATE INDEX media_file_path ON media_file (path);
CREATE INDEX media_file_title ON media_file (title);
CREATE INDEX media_file_track_number ON media_file (disc_number, track_number);
CREATE INDEX media_file_updated_at ON media_file (updated_at);
CREATE INDEX media_file_year ON media_file (year);
CREATE INDEX media_file_birth_time ON media_file (birth_time);
CREATE INDEX media_file_folder_id ON media_file (folder_id);
CREATE INDEX media_file_pid ON media_file (pid);
CREATE INDEX media_file_missing ON media_file (missing);
CREATE TABLE media_file_artists (
  media_file_id varchar not null references media_file (id) on delete cascade, artist_id varchar not null references artist (id) on delete cascade,
  role varchar default '' not null, sub_role varchar default '' not null, constraint artist_tracks unique (artist_id, media_file_id, role, sub_role));
CREATE INDEX media_file_artists_media_file_id ON media_file_artists (media_file_id);
CREATE INDEX media_file_artists_role ON media_file_artists (role);
CREATE TABLE album_artists (
  album_id varchar not null references album (id) on delete cascade, artist_id varchar not null references artist (id) on delete cascade,
  role varchar default '' not null, sub_role varchar default '' not null, constraint album_artists unique (album_id, artist_id, role, sub_role));
CREATE INDEX album_artists_album_id ON album_artists (album_id);
CREATE INDEX album_artists_role ON album_artists (role);
CREATE TABLE annotation (
  user_id varchar(255) default '' not null, item_id varchar(255) default '' not null, item_type varchar(255) default '' not null, \
play_count integer default 0,
  play_date datetime, rating integer default 0, starred bool default FALSE not null, starred_at datetime, unique (user_id, item_id, item_type));
CREATE INDEX annotation_play_count ON annotation (play_count);
CREATE INDEX annotation_play_date ON annotation (play_date);
CREATE INDEX annotation_rating ON annotation (rating);
CREATE INDEX annotation_starred ON annotation (starred);
CREATE INDEX annotation_starred_at ON annotation (starred_at);
CREATE TABLE playlist_tracks (id integer default 0 not null, playlist_id varchar(255) not null, media_file_id varchar(255) not null);
CREATE UNIQUE INDEX playlist_tracks_pos ON playlist_tracks (playlist_id, id);

INSERT INTO artist
SELECT 'ar' || i, title(1, i, 2), lower(title(1, i, 2)), '', lower(title(1, i, 2)), '', '', 0, datetime(1650000000 + i * 9000, \
'unixepoch'), datetime(1600000000 + i * 9000, 'unixepoch')
FROM numbers WHERE i <= 900;
INSERT INTO album
SELECT 'al' || i, title(2, i, 3), 'x', 1960 + pick(3, i, 64), 1960 + pick(3, i, 64), chance(4, i) < 0.08, 10, 2400.5, word(skewed(5, i, 40)),
  datetime(1600000000 + i * 60000, 'unixepoch'), datetime(1650000000 + pick(6, i, 50000000), 'unixepoch'), lower(title(2, i, 3)), 'ar' || \
skewed(7, i, 900), pick(8, i, 500000000),
  '', lower(title(2, i, 3)), lower(title(1, skewed(7, i, 900), 2)), '', '', '', '', 1, datetime(1640000000 + i * 30000, 'unixepoch'), \
chance(9, i) < 0.02, '{}'
FROM numbers WHERE i <= 2000;
INSERT INTO media_file
SELECT 'mf' || i, word(skewed(7, 1 + i / 10, 900)) || '/' || title(2, 1 + i / 10, 3) || '/' || (1 + i % 10) || ' - ' || title(10, i, 3) || \
'.mp3', title(10, i, 3), title(2, 1 + i / 10, 3),
  title(1, skewed(7, 1 + i / 10, 900), 2), 'ar' || skewed(7, 1 + i / 10, 900), 'x', 'al' || (1 + i / 10), 1 + i % 10, 1, 1960 + pick(3, 1 \
+ i / 10, 64),
  pick(11, i, 20000000), CASE WHEN chance(12, i) < 0.7 THEN 'mp3' WHEN chance(12, i) < 0.98 THEN 'flac' ELSE 'opus' END, 120 + pick(13, i, \
300), 320, word(skewed(5, 1 + i / 10, 40)),
  datetime(1600000000 + i * 6000, 'unixepoch'), datetime(1650000000 + pick(14, i, 50000000), 'unixepoch'), lower(title(10, i, 3)) || ' ' \
|| prose(15, i, 40), 'ar' || skewed(7, 1 + i / 10, 900),
  lower(title(2, 1 + i / 10, 3)), lower(title(1, skewed(7, 1 + i / 10, 900), 2)), lower(title(10, i, 3)), '', 0, 2, prose(16, i, \
iif(chance(17, i) < 0.3, 600, 2)), 1, 'fo' || (i / 10),
  printf('%08x', i * 7919), chance(18, i) < 0.01, datetime(1600000000 + i * 6000, 'unixepoch')
FROM numbers WHERE i <= 16000;
INSERT OR IGNORE INTO media_file_artists SELECT id, artist_id, 'artist', '' FROM media_file;
INSERT OR IGNORE INTO media_file_artists SELECT id, artist_id, 'albumartist', '' FROM media_file;
INSERT OR IGNORE INTO media_file_artists SELECT 'mf' || i, 'ar' || skewed(19, i, 900), 'composer', '' FROM numbers WHERE i <= 16000 AND \
chance(20, i) < 0.3;
INSERT OR IGNORE INTO album_artists SELECT id, album_artist_id, 'albumartist', '' FROM album;
INSERT INTO annotation
SELECT 'u' || (1 + i % 3), 'mf' || (1 + i / 2), 'media_file', skewed(21, i, 60), datetime(1690000000 + pick(22, i, 30000000), \
'unixepoch'), iif(chance(23, i) < 0.05, pick(24, i, 5), 0),
  chance(25, i) < 0.02, iif(chance(25, i) < 0.02, datetime(1690000000 + pick(26, i, 30000000), 'unixepoch'), NULL) FROM numbers WHERE i <= 18000;
INSERT INTO annotation
SELECT 'u' || (1 + i % 3), 'al' || (1 + i / 2), 'album', skewed(27, i, 90), datetime(1690000000 + pick(28, i, 30000000), 'unixepoch'), 0, \
chance(29, i) < 0.03,
  iif(chance(29, i) < 0.03, datetime(1690000000 + pick(30, i, 30000000), 'unixepoch'), NULL) FROM numbers WHERE i <= 3000;
INSERT INTO playlist_tracks SELECT 1 + i / 60, 'pl' || (1 + i % 60), 'mf' || skewed(31, i, 16000) FROM numbers WHERE i <= 9000;

-- statement: navidrome-01
-- fine
-- tolerated: index-not-covering
-- because: the newest albums by their index, what the user did with each by its key
-- run: 'u1'

SELECT album.id, album.name, album.album_artist, coalesce(annotation.starred, 0) AS starred, annotation.play_count FROM album
LEFT JOIN annotation ON annotation.item_id = album.id AND annotation.item_type = 'album' AND annotation.user_id = ?
WHERE album.missing = 0 ORDER BY album.created_at DESC LIMIT 20

-- statement: navidrome-02
-- is: full-scan, index-not-covering, sort-without-index
-- because: the albums that were played last: all that the user did is sorted
-- run: 'u2' | 'u3'

SELECT album.id, album.name, annotation.play_date FROM album
LEFT JOIN annotation ON annotation.item_id = album.id AND annotation.item_type = 'album' AND annotation.user_id = ?
WHERE annotation.play_date > '' ORDER BY annotation.play_date DESC LIMIT 20

-- best
-- index: annotation (user_id, item_type, play_date)

-- or
-- index: annotation (item_type, play_date)

-- statement: navidrome-03
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: the ten songs of an album
-- run: 'al50'

SELECT id, title, track_number FROM media_file WHERE album_id = ? ORDER BY order_album_name, disc_number, track_number

-- statement: navidrome-04
-- is: harmful-index, join-order, missing-statistics, sort-without-index, subquery-per-row
-- because: the songs of an artist: each song of all is asked for its artist
-- run: 'ar400', 'composer' | 'ar12', 'artist'

SELECT id, title, album FROM media_file WHERE missing = 0
AND EXISTS (SELECT 1 FROM media_file_artists m WHERE m.media_file_id = media_file.id AND m.artist_id = ? AND m.role = ?)
ORDER BY order_title, id LIMIT 100

-- best

SELECT id, title, album FROM media_file WHERE +missing = 0
AND id IN (SELECT m.media_file_id FROM media_file_artists m WHERE m.artist_id = ? AND m.role = ?)
ORDER BY order_title, id LIMIT 100

-- statement: navidrome-05
-- is: case-insensitive-without-index, expression-index, full-scan, index-not-covering
-- because: a song by its path, whatever its case: the index of paths minds the case
-- run: 'Loce/Stadi Baxi grunoce/1 - diridi grugu wezudi.mp3' | 'sogudi/xipe sonape dipli/2 - gudi.mp3'

SELECT id, path FROM media_file WHERE path COLLATE NOCASE = ? AND library_id = 1

-- best
-- index: media_file (path COLLATE NOCASE)

-- statement: navidrome-06
-- is: distinct-without-index, full-scan, index-not-covering
-- because: the lists that a song is in: only lists are looked up
-- run: 'mf12' | 'mf4000'

SELECT DISTINCT playlist_id FROM playlist_tracks WHERE media_file_id = ?

-- best
-- index: playlist_tracks (media_file_id, playlist_id)

-- or
-- index: playlist_tracks (media_file_id)

-- statement: navidrome-07
-- fine
-- tolerated: index-not-covering
-- because: a list in its order, each song by its key
-- run: 'pl7', 40

SELECT t.id, f.title FROM playlist_tracks t JOIN media_file f ON f.id = t.media_file_id WHERE t.playlist_id = ? AND t.id > ? ORDER BY t.id LIMIT 40

-- statement: navidrome-08
-- is: index-not-covering, join-order, missing-statistics, sort-without-index
-- because: what was played most: all that the user did is looked up and sorted
-- run: 'u1'

SELECT f.id, f.title, a.play_count FROM annotation a JOIN media_file f ON f.id = a.item_id
WHERE a.user_id = ? AND a.item_type = 'media_file' AND a.play_count > 0 ORDER BY a.play_count DESC, a.item_id LIMIT 20

-- best
-- index: annotation (user_id, item_type, play_count DESC, item_id)

-- or
-- index: annotation (user_id, item_type, play_count)

-- statement: navidrome-09
-- is: full-scan, pattern-without-index
-- because: words of a search: an index of words
-- run: 'ceweha'

SELECT id, title FROM media_file WHERE full_text LIKE '%' || ? || '%' AND missing = 0 ORDER BY order_title, id LIMIT 20

-- best: design

-- statement: navidrome-10
-- is: harmful-index, index-not-covering, missing-statistics, partial-index
-- because: the songs of a folder: the index of what is missing finds nearly all songs
-- run: 'fo20' | 'fo900'

SELECT id, path, updated_at FROM media_file WHERE folder_id = ? AND missing = 0

-- best
-- index: media_file (folder_id, missing)

-- or
-- change: ANALYZE

-- or

SELECT id, path, updated_at FROM media_file WHERE folder_id = ? AND +missing = 0

-- statement: navidrome-11
-- is: harmful-index, index-not-covering, missing-statistics, partial-index, sort-without-index
-- because: the songs of a genre by title: nearly all songs are found, and sorted
-- run: 'gudi' | 'soha'

SELECT id, title FROM media_file WHERE genre = ? AND missing = 0 ORDER BY order_title, id LIMIT 50

-- best
-- index: media_file (genre, missing, order_title)

-- or
-- index: media_file (genre, order_title)

-- statement: navidrome-12
-- is: harmful-index, index-not-covering, missing-statistics
-- because: what a user rated well: all that the user did is read
-- run: 'u1', 4 | 'u2', 5

SELECT item_id, rating FROM annotation WHERE user_id = ? AND item_type = 'media_file' AND rating >= ?

-- best
-- index: annotation (user_id, item_type, rating)

-- or
-- index: annotation (user_id, rating)

-- statement: navidrome-13
-- is: group-without-index, harmful-index, index-not-covering, missing-statistics
-- because: how many files of each kind: nearly all rows are looked up by an index

SELECT suffix, count(*) FROM media_file WHERE missing = 0 GROUP BY suffix

-- best
-- index: media_file (missing, suffix)
