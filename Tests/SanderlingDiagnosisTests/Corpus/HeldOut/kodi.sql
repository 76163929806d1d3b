-- schema: kodi
-- about: Films and series: columns without names, links by kind and number, and views that join what a list shows.
-- origin: Kodi 21, MyVideos (GPL-2.0-or-later, Copyright Team Kodi): thirteen of its tables with their indexes and two of its views, of \
--   the numbered columns those that are used here

CREATE TABLE path (
  idPath integer primary key, strPath text, strContent text, strScraper text, strHash text, scanRecursive integer, useFolderNames bool,
  strSettings text, noUpdate bool, exclude bool, allAudio bool, dateAdded text, idParentPath integer);
CREATE TABLE files (idFile integer primary key, idPath integer, strFilename text, playCount integer, lastPlayed text, dateAdded text);
CREATE TABLE movie (
  idMovie integer primary key, idFile integer, c00 text, c01 text, c05 text, c09 text, c12 text, c14 text, c16 text, c22 text, c23 text,
  idSet integer, userrating integer, premiered text);
CREATE TABLE tvshow (
  idShow integer primary key, c00 text, c01 text, c05 text, c08 text, c13 text, c14 text, userrating integer, duration INTEGER);
CREATE TABLE seasons (idSeason integer primary key, idShow integer, season integer, name text, userrating integer);
CREATE TABLE episode (
  idEpisode integer primary key, idFile integer, c00 text, c01 text, c05 text, c12 varchar(24), c13 varchar(24), c17 varchar(24), c18 text, c19 text,
  idShow integer, userrating integer, idSeason integer);
CREATE TABLE bookmark (
  idBookmark integer primary key, idFile integer, timeInSeconds double, totalTimeInSeconds double, thumbNailImage text, player text,
  playerState text, type integer);
CREATE TABLE genre (genre_id integer primary key, name TEXT);
CREATE TABLE genre_link (genre_id integer, media_id integer, media_type TEXT);
CREATE TABLE actor (actor_id INTEGER PRIMARY KEY, name TEXT, art_urls TEXT);
CREATE TABLE actor_link(actor_id INTEGER, media_id INTEGER, media_type TEXT, role TEXT, cast_order INTEGER);
CREATE TABLE streamdetails (
  idFile integer, iStreamType integer, strVideoCodec text, fVideoAspect float, iVideoWidth integer, iVideoHeight integer, strAudioCodec text,
  iAudioChannels integer, strAudioLanguage text, strSubtitleLanguage text, iVideoDuration integer, strStereoMode text, strVideoLanguage \
text, strHdrType text);
CREATE TABLE uniqueid (uniqueid_id INTEGER PRIMARY KEY, media_id INTEGER, media_type TEXT, value TEXT, type TEXT);
CREATE INDEX ix_bookmark ON bookmark (idFile, type);
CREATE INDEX ix_path ON path (strPath);
CREATE INDEX ix_path2 ON path (idParentPath);
CREATE INDEX ix_files ON files (idPath, strFilename);
CREATE UNIQUE INDEX ix_movie_file_1 ON movie (idFile, idMovie);
CREATE UNIQUE INDEX ix_movie_file_2 ON movie (idMovie, idFile);
CREATE INDEX ixMovieBasePath ON movie (c23);
CREATE INDEX ix_movie_title ON movie (c00);
CREATE UNIQUE INDEX ix_episode_file_1 ON episode (idEpisode, idFile);
CREATE UNIQUE INDEX id_episode_file_2 ON episode (idFile, idEpisode);
CREATE INDEX ix_episode_season_episode ON episode (c12, c13);
CREATE INDEX ix_episode_bookmark ON episode (c17);
CREATE INDEX ix_episode_show1 ON episode (idEpisode, idShow);
CREATE INDEX ix_episode_show2 ON episode (idShow, idEpisode);
CREATE INDEX ixEpisodeBasePath ON episode (c19);
CREATE INDEX ix_streamdetails ON streamdetails (idFile);
CREATE INDEX ix_seasons ON seasons (idShow, season);
CREATE INDEX ix_uniqueid1 ON uniqueid (media_id, media_type, type);
CREATE INDEX ix_uniqueid2 ON uniqueid (media_type, value);
CREATE UNIQUE INDEX ix_actor_1 ON actor (name);
CREATE UNIQUE INDEX ix_actor_link_1 ON actor_link (actor_id, media_type, media_id, role);
CREATE INDEX ix_actor_link_2 ON actor_link (media_id, media_type, actor_id);
CREATE INDEX ix_actor_link_3 ON actor_link (media_type);
CREATE UNIQUE INDEX ix_genre_1 ON genre (name);
CREATE UNIQUE INDEX ix_genre_link_1 ON genre_link (genre_id, media_type, media_id);
CREATE UNIQUE INDEX ix_genre_link_2 ON genre_link (media_id, media_type, genre_id);
CREATE INDEX ix_genre_link_3 ON genre_link (media_type);
CREATE VIEW episode_view AS
  SELECT episode.*, files.strFilename AS strFileName, path.strPath AS strPath, files.playCount AS playCount, files.lastPlayed AS lastPlayed,
    files.dateAdded AS dateAdded, tvshow.c00 AS strTitle, tvshow.c08 AS genre, tvshow.c14 AS studio, tvshow.c05 AS premiered, tvshow.c13 AS mpaa,
    bookmark.timeInSeconds AS resumeTimeInSeconds, bookmark.totalTimeInSeconds AS totalTimeInSeconds
  FROM episode JOIN files ON files.idFile=episode.idFile JOIN tvshow ON tvshow.idShow=episode.idShow
    JOIN seasons ON seasons.idSeason=episode.idSeason JOIN path ON files.idPath=path.idPath
    LEFT JOIN bookmark ON bookmark.idFile=episode.idFile AND bookmark.type=1;
CREATE VIEW tvshowcounts AS
  SELECT tvshow.idShow AS idShow, MAX(files.lastPlayed) AS lastPlayed, NULLIF(COUNT(episode.c12), 0) AS totalCount,
    COUNT(files.playCount) AS watchedcount, NULLIF(COUNT(DISTINCT(episode.c12)), 0) AS totalSeasons, MAX(files.dateAdded) AS dateAdded
  FROM tvshow LEFT JOIN episode ON episode.idShow=tvshow.idShow LEFT JOIN files ON files.idFile=episode.idFile GROUP BY tvshow.idShow;

INSERT INTO path SELECT i, 'smb://nas/' || iif(i <= 1500, 'films/', 'series/') || word(i) || '/', NULL, NULL, NULL, 0, 0, NULL, 0, 0, 0, NULL, 1
  FROM numbers WHERE i <= 2500;
INSERT INTO files
SELECT i, iif(i <= 3000, 1 + i % 1500, 1501 + i % 1000), word(pick(1, i, 400000)) || '.' || i || '.mkv', iif(chance(2, i) < 0.6, pick(3, i, 4), NULL),
  iif(chance(2, i) < 0.6, datetime(1600000000 + pick(4, i, 100000000), 'unixepoch'), NULL), datetime(1500000000 + pick(5, i, 200000) * \
1000, 'unixepoch')
FROM numbers WHERE i <= 23000;
INSERT INTO movie
SELECT i, i, title(6, i, 3), prose(7, i, 500), i, 'tt' || (1000000 + i * 37), 'PG', 'Drama', title(6, i, 3), 'smb://nas/films/' || i, 1 + i % 1500,
  NULL, NULL, date(100000000 + pick(8, i, 15000) * 90000, 'unixepoch') FROM numbers WHERE i <= 3000;
INSERT INTO tvshow SELECT i, title(9, i, 2), prose(10, i, 300), '2001-01-01', 'Drama', 'TV-14', word(i), NULL, 3000 FROM numbers WHERE i <= 300;
INSERT INTO seasons SELECT i, 1 + (i - 1) / 8, (i - 1) % 8 + 1, NULL, NULL FROM numbers WHERE i <= 2400;
INSERT INTO episode
SELECT i, 3000 + i, title(11, i, 3), prose(12, i, 300), date(1000000000 + i * 30000, 'unixepoch'), (i / 300) % 8 + 1, i / 2400 + 1, -1, \
'', 1501 + i % 1000,
  1 + i % 300, NULL, (i % 300) * 8 + (i / 300) % 8 + 1 FROM numbers WHERE i <= 20000;
INSERT INTO bookmark SELECT i, pick(13, i, 23000), pick(14, i, 3000), 3600, NULL, 'VideoPlayer', '', 1 FROM numbers WHERE i <= 300;
INSERT INTO genre SELECT i, word(i) FROM numbers WHERE i <= 25;
INSERT OR IGNORE INTO genre_link SELECT skewed(15, i, 25), 1 + i % 3000, 'movie' FROM numbers WHERE i <= 6000;
INSERT OR IGNORE INTO genre_link SELECT skewed(16, i, 25), 1 + i % 300, 'tvshow' FROM numbers WHERE i <= 600;
INSERT INTO actor SELECT i, title(17, i, 2) || ' ' || i, prose(18, i, 80) FROM numbers WHERE i <= 9000;
INSERT OR IGNORE INTO actor_link SELECT skewed(19, i, 9000), 1 + i % 3000, 'movie', word(i), i / 3000 FROM numbers WHERE i <= 24000;
INSERT OR IGNORE INTO actor_link SELECT skewed(20, i, 9000), 1 + i % 20000, 'episode', word(i), i / 20000 FROM numbers WHERE i <= 40000;
INSERT INTO streamdetails
SELECT 1 + (i - 1) / 2, (i - 1) % 2, iif(i % 2 = 1, iif(chance(21, i) < 0.05, 'av1', 'hevc'), NULL), 1.78, iif(i % 2 = 1, iif(chance(22, \
i) < 0.05, 3840, 1920), NULL), 1080,
  iif(i % 2 = 0, 'eac3', NULL), 6, 'eng', NULL, 3000, '', '', '' FROM numbers WHERE i <= 46000;
INSERT INTO uniqueid SELECT i, i, 'movie', 'tt' || (1000000 + i * 37), 'imdb' FROM numbers WHERE i <= 3000;
INSERT INTO uniqueid SELECT 3000 + i, i, 'episode', 200000 + i * 3, 'tvdb' FROM numbers WHERE i <= 20000;

-- statement: kodi-01
-- is: full-scan, join-order, sort-without-index
-- because: what is new: all episodes are joined with all they have, and sorted

SELECT * FROM episode_view ORDER BY dateAdded DESC, idEpisode DESC LIMIT 25

-- best
-- index: files (dateAdded)

SELECT v.* FROM (SELECT f.dateAdded AS d, e.idEpisode AS i FROM files f CROSS JOIN episode e ON e.idFile = f.idFile
  ORDER BY f.dateAdded DESC, e.idEpisode DESC LIMIT 25) n CROSS JOIN episode_view v ON v.idEpisode = n.i
ORDER BY n.d DESC, n.i DESC

-- statement: kodi-02
-- fine
-- tolerated: index-not-covering
-- because: the episodes of one series, each by its key
-- run: 42

SELECT idShow, totalCount, watchedcount, lastPlayed FROM tvshowcounts WHERE idShow = ?

-- statement: kodi-03
-- fine
-- tolerated: sort-without-index
-- because: a few films of one actor
-- run: 900

SELECT m.idMovie, m.c00, m.premiered FROM actor_link a JOIN movie m ON m.idMovie = a.media_id WHERE a.actor_id = ? AND a.media_type = \
'movie' ORDER BY m.c00

-- statement: kodi-04
-- is: full-scan
-- because: a file by its name alone: the index begins with the folder
-- run: 'grugrunotuce.77.mkv' | 'pestashutuce.900.mkv'

SELECT idFile, idPath FROM files WHERE strFilename = ?

-- best
-- index: files (strFilename)

-- statement: kodi-05
-- fine
-- tolerated: full-scan, pattern-without-index
-- because: titles of 3,000 films, read in their index alone

SELECT idMovie, c00 FROM movie WHERE c00 LIKE '%lofo%'

-- statement: kodi-06
-- is: expression-index, full-scan, function-on-column
-- because: what lies below a folder: a function hides the column
-- run: 'smb://nas/series/c' | 'smb://nas/series/s'

SELECT idPath, strPath FROM path WHERE substr(strPath, 1, 18) = ?

-- best

SELECT idPath, strPath FROM path WHERE strPath >= ?1 AND strPath < ?1 || char(1114111) AND substr(strPath, 1, 18) = ?1

-- or
-- index: path (substr(strPath, 1, 18))

-- statement: kodi-07
-- is: index-not-covering, join-order, sort-without-index
-- because: what is left of a season: by the number of the season those of all series are read
-- run: 42, 3 | 7, 1

SELECT idEpisode, c00, c13 FROM episode_view WHERE idShow = ? AND c12 = ? AND playCount IS NULL ORDER BY c13

-- best
-- index: episode (idShow, c12, c13)

-- statement: kodi-08
-- is: full-scan, index-not-covering, join-order, partial-index
-- because: films in 4K, one in twenty

SELECT m.idMovie, m.c00 FROM movie m JOIN streamdetails s ON s.idFile = m.idFile WHERE s.iStreamType = 0 AND s.iVideoWidth >= 3000 ORDER BY m.c00

-- best
-- index: streamdetails (iStreamType, iVideoWidth, idFile)

-- or
-- index: streamdetails (idFile, iStreamType, iVideoWidth)

-- statement: kodi-09
-- fine
-- because: its index has both
-- run: 'tt1000370'

SELECT media_id FROM uniqueid WHERE media_type = 'movie' AND value = ?

-- statement: kodi-10
-- is: full-scan, join-order, sort-without-index
-- because: what was watched last: all films are sorted, since the join begins with them

SELECT m.idMovie, m.c00, f.lastPlayed FROM movie m JOIN files f ON f.idFile = m.idFile WHERE f.lastPlayed IS NOT NULL
ORDER BY f.lastPlayed DESC LIMIT 10

-- best
-- index: files (lastPlayed)

SELECT m.idMovie, m.c00, f.lastPlayed FROM files f CROSS JOIN movie m ON f.idFile = m.idFile WHERE f.lastPlayed IS NOT NULL
ORDER BY f.lastPlayed DESC LIMIT 10
