-- schema: lyrion
-- about: A music server's library: tracks with an index on nearly each column, albums, contributors in roles, genres and playlists.
-- origin: Lyrion Music Server, once Squeezebox Server, 7.6 to 8 (GPL-2.0, Copyright Logitech and the LMS community): ten of the tables of \
--   its SQLite schema with their indexes
-- superfluous: redundant-index contributor_trackRoleIndex
-- superfluous: redundant-index contributor_albumRoleIndex
-- superfluous: redundant-index genre_trackGenreIndex

CREATE TABLE metainformation (name varchar(255) NOT NULL DEFAULT '', value varchar(255) NOT NULL DEFAULT '', PRIMARY KEY (name));
CREATE TABLE albums (
  id INTEGER PRIMARY KEY AUTOINCREMENT, title blob, titlesort text, titlesearch text, customsearch text, compilation bool, year \
smallint(5), artwork int(10), disc tinyint(1), discc tinyint(1), replay_gain float, replay_peak float,
  musicbrainz_id varchar(40), musicmagic_mixable bool, contributor int(10));
CREATE INDEX albumsTitleIndex ON albums (title);
CREATE INDEX albumsSortIndex ON albums (titlesort);
CREATE INDEX albumsSearchIndex ON albums (titlesearch);
CREATE INDEX albumsCustomSearchIndex ON albums (customsearch);
CREATE INDEX compilationSortIndex ON albums (compilation);
CREATE INDEX albumsYearIndex ON albums (year);
CREATE INDEX albumsDiscIndex ON albums (disc);
CREATE INDEX albumsDiscCountIndex ON albums (discc);
CREATE INDEX albumsArtworkIndex ON albums (artwork);
CREATE TABLE tracks (
  id INTEGER PRIMARY KEY AUTOINCREMENT, url text NOT NULL, title blob, titlesort text, titlesearch text, customsearch text, album int(10), \
tracknum int(10), content_type varchar(255), timestamp int(10), filesize int(10), audio_size int(10),
  audio_offset int(10), year smallint(5), secs float, cover blob, vbr_scale varchar(255), bitrate float, samplerate int(10), samplesize \
int(10), channels tinyint(1), bpm smallint(5), disc tinyint(1), audio bool, remote bool, lossless bool,
  lyrics text, musicbrainz_id varchar(40), replay_gain float, extid varchar(64), FOREIGN KEY (`album`) REFERENCES `albums` (`id`) ON DELETE CASCADE);
CREATE INDEX trackTitleIndex ON tracks (title);
CREATE INDEX trackAlbumIndex ON tracks (album);
CREATE INDEX ctSortIndex ON tracks (content_type);
CREATE INDEX trackSortIndex ON tracks (titlesort);
CREATE INDEX trackSearchIndex ON tracks (titlesearch);
CREATE INDEX trackCustomSearchIndex ON tracks (customsearch);
CREATE INDEX trackBitrateIndex ON tracks (bitrate);
CREATE INDEX trackDiscIndex ON tracks (disc);
CREATE INDEX trackFilesizeIndex ON tracks (filesize);
CREATE INDEX trackTimestampIndex ON tracks (timestamp);
CREATE INDEX trackTracknumIndex ON tracks (tracknum);
CREATE INDEX trackAudioIndex ON tracks (audio);
CREATE INDEX trackLyricsIndex ON tracks (lyrics);
CREATE INDEX trackRemoteIndex ON tracks (remote);
CREATE INDEX trackLosslessIndex ON tracks (lossless);
CREATE INDEX urlIndex ON tracks (url);
CREATE INDEX trackExtId ON tracks (extid);
CREATE TABLE playlist_track (
  id INTEGER PRIMARY KEY AUTOINCREMENT, position int(10), playlist int(10), track int(10), FOREIGN KEY (`track`) REFERENCES `tracks` \
(`id`) ON DELETE CASCADE, FOREIGN KEY (`playlist`) REFERENCES `tracks` (`id`) ON DELETE CASCADE);
CREATE INDEX trackIndex ON playlist_track (track);
CREATE INDEX positionIndex ON playlist_track (position);
CREATE INDEX playlistIndex ON playlist_track (playlist);
CREATE TABLE contributors (id INTEGER PRIMARY KEY AUTOINCREMENT, name blob, namesort text, namesearch text, customsearch text, \
musicbrainz_id varchar(40), musicmagic_mixable bool);
CREATE INDEX contributorsNameIndex ON contributors (name);
CREATE INDEX contributorsSortIndex ON contributors (namesort);
CREATE INDEX contributorsSearchIndex ON contributors (namesearch);
CREATE INDEX contributorsCustomSearchIndex ON contributors (customsearch);
CREATE TABLE contributor_track (
  role int(10), contributor int(10), track int(10), PRIMARY KEY (role,contributor,track), FOREIGN KEY (`track`) REFERENCES `tracks` (`id`) \
ON DELETE CASCADE, FOREIGN KEY (`contributor`) REFERENCES `contributors` (`id`) ON DELETE CASCADE);
CREATE INDEX contributor_trackContribIndex ON contributor_track (contributor);
CREATE INDEX contributor_trackTrackIndex ON contributor_track (track);
CREATE INDEX contributor_trackRoleIndex ON contributor_track (role);
CREATE TABLE contributor_album (
  role int(10), contributor int(10), album int(10), PRIMARY KEY (role,contributor,album), FOREIGN KEY (`album`) REFERENCES `albums` (`id`) \
ON DELETE CASCADE, FOREIGN KEY (`contributor`) REFERENCES `contributors` (`id`) ON DELETE CASCADE);
CREATE INDEX contributor_albumContribIndex ON contributor_album (contributor);
CREATE INDEX contributor_albumAlbumIndex ON contributor_album (album);
CREATE INDEX contributor_albumRoleIndex ON contributor_album (role);
CREATE TABLE genres (id INTEGER PRIMARY KEY AUTOINCREMENT, name blob, namesort text, namesearch text, customsearch text, musicmagic_mixable bool);
CREATE INDEX genreNameIndex ON genres (name);
CREATE INDEX genreSortIndex ON genres (namesort);
CREATE INDEX genreSearchIndex ON genres (namesearch);
CREATE TABLE genre_track (
  genre int(10), track int(10), PRIMARY KEY (genre,track), FOREIGN KEY (`track`) REFERENCES `tracks` (`id`) ON DELETE CASCADE, FOREIGN KEY \
(`genre`) REFERENCES `genres` (`id`) ON DELETE CASCADE);
CREATE INDEX genre_trackGenreIndex ON genre_track (genre);
CREATE INDEX genre_trackTrackIndex ON genre_track (track);
CREATE TABLE comments (id INTEGER PRIMARY KEY AUTOINCREMENT, track int(10), value text, FOREIGN KEY (`track`) REFERENCES `tracks` (`id`) \
ON DELETE CASCADE);
CREATE INDEX comments_trackIndex ON comments (track);

INSERT INTO metainformation VALUES ('lastRescanTime', '1735000000'), ('isRescanning', '0');
INSERT INTO contributors SELECT i, title(1, i, 2), upper(title(1, i, 2)), upper(title(1, i, 2)), NULL, iif(chance(2, i) < 0.6, \
printf('%032x', i), NULL), NULL FROM numbers WHERE i <= 3500;
INSERT INTO genres SELECT i, title(3, i, 1), upper(title(3, i, 1)), upper(title(3, i, 1)), NULL, NULL FROM numbers WHERE i <= 70;
INSERT INTO albums
SELECT i, title(4, i, 1 + skewed(5, i, 4)), iif(chance(6, i) < 0.8, upper(title(4, i, 1 + skewed(5, i, 4))), title(4, i, 1 + skewed(5, i, \
4))), upper(title(4, i, 1 + skewed(5, i, 4))), NULL, iif(chance(7, i) < 0.07, 1, iif(chance(7, i) < 0.2, NULL, 0)),
  iif(chance(8, i) < 0.05, 0, 2025 - skewed(9, i, 65)), i * 11, iif(chance(10, i) < 0.1, 2, NULL), iif(chance(10, i) < 0.1, 2, 1), NULL, \
NULL, NULL, NULL, skewed(11, i, 3000) FROM numbers WHERE i <= 2600;
INSERT INTO tracks
SELECT i, 'file:///music/' || iif(chance(12, i / 11) < 0.3, 'Various', word(skewed(11, 1 + i / 11, 3000))) || '/' || word(1 + i / 11) || \
'/' || printf('%02d', 1 + i % 11) || '%20' || word(i) || '.flac', title(13, i, 1 + skewed(14, i, 4)),
  iif(chance(15, i) < 0.8, upper(title(13, i, 1 + skewed(14, i, 4))), title(13, i, 1 + skewed(14, i, 4))), upper(title(13, i, 1 + \
skewed(14, i, 4))), NULL, iif(i > 28500, NULL, 1 + i / 11), iif(chance(16, i) < 0.02, 99, 1 + i % 11),
  iif(i > 28900, iif(i % 2 = 0, 'ssp', 'mp3'), CASE WHEN chance(17, 1 + i / 11) < 0.7 THEN 'flc' WHEN chance(17, 1 + i / 11) < 0.95 THEN \
'mp3' ELSE 'alc' END), 1400000000 + (i / 11) * 120000 + i % 11 * 3, 20000000 + pick(18, i, 30000000), NULL, 0, iif(chance(8, 1 + i / 11) < \
0.05, NULL, 2025 - skewed(9, 1 + i / 11, 65)),
  60 + skewed(19, i, 900), NULL, NULL, 900000, 44100, 16, 2, NULL, NULL, i <= 28900, i > 28900, chance(17, 1 + i / 11) < 0.7, \
iif(chance(20, i) < 0.04, prose(21, i, 300 + pick(22, i, 600)), NULL), iif(chance(23, i) < 0.5, printf('%032x', i), NULL), -7.5, iif(i > \
29200, 'spotify:' || i, NULL)
FROM numbers WHERE i <= 29600;
INSERT INTO playlist_track SELECT i, i - 1, 29590, pick(24, i, 28000) FROM numbers WHERE i <= 6000;
INSERT INTO playlist_track SELECT 6000 + i, i / 60, 29500 + i % 60, skewed(25, i, 28000) FROM numbers WHERE i <= 3000;
INSERT OR IGNORE INTO contributor_track SELECT iif(chance(26, i) < 0.9, 1, 5), iif(chance(12, i / 11) < 0.3, pick(27, i, 3000), skewed(11, \
1 + i / 11, 3000)), i FROM numbers WHERE i <= 28900;
INSERT OR IGNORE INTO contributor_track SELECT 2 + i % 4, skewed(28, i, 3000), pick(29, i, 28900) FROM numbers WHERE i <= 15000;
INSERT INTO contributor_album SELECT DISTINCT role, contributor, album FROM contributor_track JOIN tracks ON tracks.id = \
contributor_track.track WHERE album IS NOT NULL;
INSERT OR IGNORE INTO genre_track SELECT skewed(30, i / 11, 70), i FROM numbers WHERE i <= 28900;
INSERT OR IGNORE INTO genre_track SELECT skewed(31, i, 70), pick(32, i, 28900) FROM numbers WHERE i <= 7000;
INSERT INTO comments SELECT i, pick(33, i, 28900), iif(chance(34, i) < 0.4, 'ripped with ' || word(skewed(35, i, 9)), prose(36, i, 30 + \
pick(37, i, 120))) FROM numbers WHERE i <= 9000;

-- statement: lyrion-01
-- fine
-- tolerated: group-without-index, sort-without-index
-- because: the albums of an artist: a few dozen, by key
-- run: 40 | 333

SELECT albums.id, albums.title, albums.year, albums.artwork FROM contributor_album JOIN albums ON contributor_album.album = albums.id
WHERE contributor_album.contributor = ? AND contributor_album.role IN (1, 5) GROUP BY albums.id ORDER BY albums.titlesort

-- statement: lyrion-02
-- is: full-scan, group-without-index, index-not-covering, join-fan-out, join-order
-- because: new music: each track is joined with its album before they are grouped, and its time read from a wide row

SELECT albums.id, albums.title, max(tracks.timestamp) AS newest FROM tracks JOIN albums ON tracks.album = albums.id GROUP BY tracks.album \
ORDER BY newest DESC LIMIT 50

-- best
-- index: tracks (album, timestamp)

SELECT albums.id, albums.title, n.newest FROM (SELECT album, max(timestamp) AS newest FROM tracks WHERE album IS NOT NULL GROUP BY album \
ORDER BY newest DESC LIMIT 50) AS n JOIN albums ON albums.id = n.album ORDER BY n.newest DESC

-- statement: lyrion-03
-- fine
-- tolerated: full-scan
-- because: artists that nothing is left of: each is looked for in the indexes of the large tables

DELETE FROM contributors WHERE id NOT IN (SELECT contributor FROM contributor_track) AND id NOT IN (SELECT contributor FROM \
contributor_album) AND id NOT IN (SELECT contributor FROM albums WHERE contributor IS NOT NULL)

-- statement: lyrion-04
-- is: full-scan, or-without-index
-- because: a track by either of the names that others give it, of which one has an index
-- run: '00000000000000000000000000002ee4', 'spotify:29333'

SELECT id, url, title, album FROM tracks WHERE musicbrainz_id = ? OR extid = ?

-- best
-- index: tracks (musicbrainz_id)

-- or
-- index: tracks (musicbrainz_id)

SELECT id, url, title, album FROM tracks WHERE id IN (SELECT id FROM tracks WHERE musicbrainz_id = ? UNION SELECT id FROM tracks WHERE extid = ?)

-- statement: lyrion-05
-- is: case-insensitive-without-index, sort-without-index
-- because: a page of albums whatever the case: the index has another order

SELECT id, title, year FROM albums ORDER BY titlesort COLLATE NOCASE, id LIMIT 50

-- best
-- index: albums (titlesort COLLATE NOCASE)

-- statement: lyrion-06
-- is: index-not-covering, sort-without-index
-- because: a page of a long playlist: all of it is joined and sorted
-- run: 29590

SELECT tracks.id, tracks.title, tracks.secs, playlist_track.position FROM playlist_track JOIN tracks ON tracks.id = playlist_track.track \
WHERE playlist_track.playlist = ? ORDER BY playlist_track.position LIMIT 20 OFFSET 40

-- best
-- index: playlist_track (playlist, position)

-- statement: lyrion-07
-- is: index-not-covering, join-fan-out
-- because: tracks that may be there twice: all of the same title are looked up for their length
-- run: 200, 320

SELECT a.id, b.id, a.title FROM tracks AS a JOIN tracks AS b ON b.titlesearch = a.titlesearch AND b.secs BETWEEN a.secs - 1 AND a.secs + 1 \
AND b.id > a.id AND b.album <> a.album WHERE a.album BETWEEN ? AND ? ORDER BY a.id, b.id

-- best
-- index: tracks (titlesearch, secs, album)

-- statement: lyrion-08
-- is: case-insensitive-without-index, pattern-without-index
-- because: what is known of a folder: the start of the address is put together, and LIKE minds no case
-- run: 'file:///music/drice/' | 'file:///music/Various/gruyo/'

SELECT id, url, timestamp, filesize FROM tracks WHERE url LIKE ? || '%' ORDER BY url

-- best

SELECT id, url, timestamp, filesize FROM tracks WHERE url >= ?1 AND url < ?1 || char(1114111) ORDER BY url

-- statement: lyrion-09
-- is: distinct-without-index, full-scan, harmful-index, index-not-covering, sort-without-index
-- because: the years that there is music of: all tracks are read for some sixty

SELECT DISTINCT year FROM tracks WHERE year > 0 AND audio = 1 ORDER BY year DESC

-- best
-- index: tracks (audio, year)

WITH RECURSIVE y (year) AS (SELECT max(year) FROM tracks WHERE year > 0 AND audio = 1 UNION ALL SELECT (SELECT max(t.year) FROM tracks AS \
t WHERE t.year > 0 AND t.year < y.year AND t.audio = 1) FROM y WHERE y.year IS NOT NULL)
SELECT year FROM y WHERE year IS NOT NULL ORDER BY year DESC

-- or
-- index: tracks (audio, year)

-- statement: lyrion-10
-- is: harmful-index, missing-statistics, sort-without-index
-- because: what came in of late, by title: an index on what nearly all have is taken for the better one
-- run: 1712300000 | 1710000000

SELECT url, title FROM tracks WHERE audio = 1 AND remote = 0 AND timestamp >= ? ORDER BY titlesort LIMIT 100

-- best

SELECT url, title FROM tracks WHERE +audio = 1 AND +remote = 0 AND timestamp >= ? ORDER BY +titlesort LIMIT 100

-- or
-- index: tracks (audio, remote, timestamp)

-- statement: lyrion-11
-- is: join-order, missing-statistics, sort-without-index
-- because: the first titles of a frequent genre: all of it is joined and sorted, while the index of titles soon has enough of them
-- run: 1 | 2

SELECT t.id, t.title, a.title AS album, t.secs FROM genre_track AS gt JOIN tracks AS t ON t.id = gt.track JOIN albums AS a ON a.id = \
t.album WHERE gt.genre = ? ORDER BY t.titlesort, t.id LIMIT 50

-- best

SELECT t.id, t.title, a.title AS album, t.secs FROM tracks AS t CROSS JOIN genre_track AS gt ON gt.track = t.id AND gt.genre = ? JOIN \
albums AS a ON a.id = t.album ORDER BY t.titlesort, t.id LIMIT 50

-- statement: lyrion-12
-- fine
-- because: a file is gone: all that refers to it is found by indexes
-- run: 12345

DELETE FROM tracks WHERE id = ?

-- statement: lyrion-13
-- fine
-- tolerated: index-not-covering, subquery-per-row
-- because: a page of artists by their index, with the tracks of thirty
-- run: 'GR'

SELECT c.id, c.name, (SELECT count(*) FROM contributor_track AS ct WHERE ct.contributor = c.id) AS tracks FROM contributors AS c WHERE \
c.namesort >= ? ORDER BY c.namesort LIMIT 30

-- statement: lyrion-14
-- fine
-- because: tracks by format, counted in an index

SELECT content_type, count(*) FROM tracks GROUP BY content_type

-- statement: lyrion-15
-- is: harmful-index, index-not-covering, missing-statistics
-- because: an album with its artists: for each track, the key is searched by the role, which most have
-- run: 700 | 1999

SELECT t.id, t.title, t.tracknum, t.secs, group_concat(c.name, ', ') AS artists FROM tracks AS t LEFT JOIN contributor_track AS ct ON \
ct.track = t.id AND ct.role = 1 LEFT JOIN contributors AS c ON c.id = ct.contributor
WHERE t.album = ? GROUP BY t.id ORDER BY t.disc, t.tracknum

-- best
-- index: contributor_track (track, role, contributor)

-- or
-- change: ANALYZE

-- or

SELECT t.id, t.title, t.tracknum, t.secs, group_concat(c.name, ', ') AS artists FROM tracks AS t LEFT JOIN contributor_track AS ct ON \
ct.track = t.id AND +ct.role = 1 LEFT JOIN contributors AS c ON c.id = ct.contributor
WHERE t.album = ? GROUP BY t.id ORDER BY t.disc, t.tracknum

-- statement: lyrion-16
-- fine
-- tolerated: full-scan, pattern-without-index
-- because: words anywhere in the comments: they have to be read
-- run: '%gudi ce%'

SELECT track, value FROM comments WHERE value LIKE ?
