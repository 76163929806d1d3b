-- schema: bazarr
-- about: Subtitles for the series and films that others download: lists as text in columns, and no index but the keys.
-- origin: Bazarr 1.4 (GPL-3.0, Copyright the Bazarr contributors): seven of its tables, some columns left out

CREATE TABLE table_languages_profiles (profileId INTEGER NOT NULL PRIMARY KEY, cutoff INTEGER, originalFormat INTEGER, items TEXT NOT \
NULL, name TEXT NOT NULL, mustContain TEXT, mustNotContain TEXT);
CREATE TABLE table_shows (
  sonarrSeriesId INTEGER NOT NULL PRIMARY KEY, alternativeTitles TEXT, audio_language TEXT, imdbId TEXT, monitored TEXT, overview TEXT, \
path TEXT NOT NULL UNIQUE, profileId INTEGER REFERENCES table_languages_profiles (profileId) ON DELETE SET NULL,
  seriesType TEXT, sortTitle TEXT, tags TEXT, title TEXT NOT NULL, tvdbId INTEGER, year TEXT);
CREATE TABLE table_episodes (
  sonarrEpisodeId INTEGER NOT NULL PRIMARY KEY, audio_codec TEXT, audio_language TEXT, episode INTEGER NOT NULL, episode_file_id INTEGER, \
failedAttempts TEXT, ffprobe_cache BLOB, file_size INTEGER, format TEXT, missing_subtitles TEXT, monitored TEXT,
  path TEXT NOT NULL, resolution TEXT, sceneName TEXT, season INTEGER NOT NULL, sonarrSeriesId INTEGER REFERENCES table_shows \
(sonarrSeriesId) ON DELETE CASCADE, subtitles TEXT, title TEXT NOT NULL, video_codec TEXT);
CREATE TABLE table_history (
  id INTEGER NOT NULL PRIMARY KEY, action INTEGER NOT NULL, description TEXT NOT NULL, language TEXT, provider TEXT, score INTEGER, \
sonarrEpisodeId INTEGER REFERENCES table_episodes (sonarrEpisodeId) ON DELETE CASCADE,
  sonarrSeriesId INTEGER REFERENCES table_shows (sonarrSeriesId) ON DELETE CASCADE, subs_id TEXT, subtitles_path TEXT, timestamp DATETIME \
NOT NULL, video_path TEXT, matched TEXT, not_matched TEXT, upgradedFromId INTEGER REFERENCES table_history (id));
CREATE TABLE table_movies (
  radarrId INTEGER NOT NULL PRIMARY KEY, alternativeTitles TEXT, audio_language TEXT, failedAttempts TEXT, ffprobe_cache BLOB, file_size \
INTEGER, imdbId TEXT, missing_subtitles TEXT, monitored TEXT, overview TEXT, path TEXT NOT NULL UNIQUE,
  profileId INTEGER REFERENCES table_languages_profiles (profileId) ON DELETE SET NULL, sceneName TEXT, sortTitle TEXT, subtitles TEXT, \
tags TEXT, title TEXT NOT NULL, tmdbId TEXT NOT NULL UNIQUE, year TEXT);
CREATE TABLE table_history_movie (
  id INTEGER NOT NULL PRIMARY KEY, action INTEGER NOT NULL, description TEXT NOT NULL, language TEXT, provider TEXT, radarrId INTEGER \
REFERENCES table_movies (radarrId) ON DELETE CASCADE, score INTEGER, subs_id TEXT, subtitles_path TEXT,
  timestamp DATETIME NOT NULL, video_path TEXT, matched TEXT, not_matched TEXT, upgradedFromId INTEGER REFERENCES table_history_movie (id));
CREATE TABLE table_blacklist (id INTEGER NOT NULL PRIMARY KEY, language TEXT, provider TEXT, sonarr_episode_id INTEGER REFERENCES \
table_episodes (sonarrEpisodeId) ON DELETE CASCADE, sonarr_series_id INTEGER REFERENCES table_shows (sonarrSeriesId) ON DELETE CASCADE,
  subs_id TEXT, timestamp DATETIME);

INSERT INTO table_languages_profiles SELECT i, NULL, 0, '[{"id": 1, "language": "en", "hi": "False", "forced": "False"}]', word(i), '[]', \
'[]' FROM numbers WHERE i <= 5;
INSERT INTO table_shows
SELECT i, '[]', '[''English'']', printf('tt%07d', i * 7919), iif(chance(1, i) < 0.8, 'True', 'False'), prose(2, i, 300), '/tv/' || \
title(3, i, 2) || ' ' || i, iif(chance(4, i) < 0.1, NULL, skewed(5, i, 5)), 'standard', lower(title(3, i, 2)), '[]', title(3, i, 2), 70000 \
+ i * 13, CAST(1980 + pick(6, i, 44) AS TEXT)
FROM numbers WHERE i <= 600;
INSERT INTO table_episodes
SELECT i, 'EAC3', '[''English'']', 1 + i % 24, 50000 + i, iif(chance(7, i) < 0.04, '[[''en'', ' || (1700000000 + i) || '.5]]', NULL), \
CAST(prose(8, i, 250 + pick(9, i, 200)) AS BLOB), 100000000 + pick(10, i, 900000000), 'WEBDL-1080p',
  CASE WHEN chance(11, i) < 0.015 THEN '[''en'']' WHEN chance(11, i) < 0.02 THEN '[''en'', ''fr:forced'']' WHEN chance(11, i) < 0.1 THEN \
NULL ELSE '[]' END, iif(chance(12, i) < 0.85, 'True', 'False'),
  '/tv/' || word(skewed(13, i, 600)) || '/Season ' || (1 + i % 9) || '/e' || i || '.mkv', '1080', title(14, i, 3) || '.1080p.WEB', 1 + i / \
24 % 9, iif(chance(15, i) < 0.4, skewed(13, i, 590), 1 + i / 40 % 590), '[[''en'', ''/tv/' || i || '.en.srt'', 30000]]', title(16, i, 3), \
'h264'
FROM numbers WHERE i <= 20000;
INSERT INTO table_history
SELECT i, iif(chance(20, i) < 0.05, 0, skewed(21, i, 6)), 'English subtitles downloaded from ' || word(skewed(22, i, 12)) || ' with a \
score of 94%.', CASE WHEN chance(23, i) < 0.8 THEN 'en' WHEN chance(23, i) < 0.9 THEN 'fr:hi' ELSE NULL END, word(skewed(22, i, 12)), \
iif(chance(24, i) < 0.1, NULL, 200 + pick(25, i, 160)),
  e.sonarrEpisodeId, e.sonarrSeriesId, 'https://subs.example/' || (i * 7919), replace(e.path, '.mkv', '.en.srt'), datetime(1640000000 + i \
* 2200, 'unixepoch') || '.' || printf('%06d', i), e.path, '["series", "season", "episode"]', '["hash"]', NULL
FROM numbers JOIN table_episodes AS e ON e.sonarrEpisodeId = iif(chance(26, i) < 0.2, skewed(27, i, 19000), pick(28, i, 19000)) WHERE i <= 36000;
INSERT INTO table_movies
SELECT i, '[]', '[''English'']', NULL, CAST(prose(30, i, 400) AS BLOB), 1000000000 + i, printf('tt%07d', 5000000 + i * 131), \
iif(chance(31, i) < 0.03, '[''en'']', '[]'), iif(chance(32, i) < 0.8, 'True', 'False'), prose(33, i, 400), '/movies/' || title(34, i, 2) \
|| ' ' || i || '.mkv', skewed(35, i, 5), '', lower(title(34, i, 2)), '[]', '[]', title(34, i, 2),
  CAST(1000 + i * 17 AS TEXT), CAST(1950 + pick(36, i, 74) AS TEXT)
FROM numbers WHERE i <= 3000;
INSERT INTO table_history_movie
SELECT i, 1, 'English subtitles downloaded', 'en', word(skewed(37, i, 12)), m.radarrId, 60 + pick(38, i, 60), 'https://subs.example/m' || \
i, replace(m.path, '.mkv', '.en.srt'), datetime(1640000000 + i * 13000, 'unixepoch') || '.' || printf('%06d', i), m.path, '[]', '[]', NULL
FROM numbers JOIN table_movies AS m ON m.radarrId = pick(39, i, 2900) WHERE i <= 6000;
INSERT INTO table_blacklist SELECT i, 'en', word(skewed(40, i, 12)), pick(41, i, 18000), 1 + i % 590, 'https://subs.example/' || i, \
datetime(1650000000 + i * 80000, 'unixepoch') FROM numbers WHERE i <= 700;

-- statement: bazarr-01
-- is: full-scan, sort-without-index
-- because: the episodes of a series: all rows with what ffprobe said are read
-- run: 400 | 555

SELECT sonarrEpisodeId, season, episode, title, missing_subtitles, subtitles FROM table_episodes WHERE sonarrSeriesId = ? ORDER BY season \
DESC, episode DESC, sonarrEpisodeId

-- best
-- index: table_episodes (sonarrSeriesId, season, episode)

-- or
-- index: table_episodes (sonarrSeriesId)

-- statement: bazarr-02
-- is: full-scan, partial-index
-- because: what is wanted: one of fifty episodes, by an inequality

SELECT s.title, e.season || 'x' || e.episode AS episode_number, e.title, e.missing_subtitles FROM table_episodes AS e INNER JOIN \
table_shows AS s ON s.sonarrSeriesId = e.sonarrSeriesId
WHERE e.missing_subtitles != '[]' AND e.monitored = 'True' ORDER BY e.sonarrEpisodeId DESC LIMIT 400

-- best
-- index: table_episodes (sonarrEpisodeId) WHERE missing_subtitles != '[]' AND monitored = 'True'

-- or
-- index: table_episodes (sonarrEpisodeId) WHERE missing_subtitles != '[]'

-- statement: bazarr-03
-- is: full-scan, group-without-index
-- because: what may be upgraded since some days: the history is read from its beginning
-- run: '2024-06-15 00:00:00.000000'

SELECT video_path, language, max(timestamp) AS newest, max(score) FROM table_history WHERE action IN (1, 2, 3, 6) AND timestamp > ? AND \
score IS NOT NULL GROUP BY video_path, language

-- best
-- index: table_history (timestamp)

-- statement: bazarr-04
-- is: foreign-key-without-index
-- because: an episode goes: the history is read for what belongs to it
-- run: 19500 | 19800

DELETE FROM table_episodes WHERE sonarrEpisodeId = ?

-- best
-- index: table_history (sonarrEpisodeId)
-- index: table_blacklist (sonarr_episode_id)

-- or
-- index: table_history (sonarrEpisodeId)

-- statement: bazarr-05
-- is: full-scan, index-not-covering, join-order, wide-rows-for-count
-- because: the number of pages: a series is looked up for each row of the history

SELECT COUNT(*) AS count FROM table_history LEFT JOIN table_shows ON table_history.sonarrSeriesId = table_shows.sonarrSeriesId WHERE \
table_shows.title IS NOT NULL

-- best
-- index: table_history (sonarrSeriesId)

SELECT COUNT(*) AS count FROM table_shows CROSS JOIN table_history ON table_history.sonarrSeriesId = table_shows.sonarrSeriesId WHERE \
table_shows.title IS NOT NULL

-- statement: bazarr-06
-- is: large-offset, sort-without-index
-- because: a late page of the history: all is joined and sorted for it
-- run: 5000 | 20000

SELECT h.id, h.timestamp, s.title, e.title FROM table_history AS h LEFT JOIN table_episodes AS e ON e.sonarrEpisodeId = h.sonarrEpisodeId \
LEFT JOIN table_shows AS s ON s.sonarrSeriesId = h.sonarrSeriesId
ORDER BY h.timestamp DESC LIMIT 25 OFFSET ?

-- best
-- index: table_history (timestamp)
-- run: 31001 | 16001

SELECT h.id, h.timestamp, s.title, e.title FROM table_history AS h LEFT JOIN table_episodes AS e ON e.sonarrEpisodeId = h.sonarrEpisodeId \
LEFT JOIN table_shows AS s ON s.sonarrSeriesId = h.sonarrSeriesId
WHERE h.timestamp < (SELECT timestamp FROM table_history WHERE id = ?) ORDER BY h.timestamp DESC LIMIT 25

-- statement: bazarr-07
-- is: full-scan
-- because: an episode by its file
-- run: '/tv/bace/Season 4/e9.mkv' | '/tv/nowhere.mkv'

UPDATE table_episodes SET missing_subtitles = '[]' WHERE path = ?

-- best
-- index: table_episodes (path)

-- statement: bazarr-08
-- is: multiplied-aggregate
-- because: each episode counts once for each download and the other way round
-- run: 500, 505

SELECT s.title, count(e.sonarrEpisodeId) AS episodes, count(h.id) AS downloads FROM table_shows AS s LEFT JOIN table_episodes AS e ON \
e.sonarrSeriesId = s.sonarrSeriesId LEFT JOIN table_history AS h ON h.sonarrSeriesId = s.sonarrSeriesId
WHERE s.sonarrSeriesId BETWEEN ? AND ? GROUP BY s.sonarrSeriesId

-- best
-- index: table_episodes (sonarrSeriesId)
-- index: table_history (sonarrSeriesId)
-- changes results

SELECT s.title, (SELECT count(*) FROM table_episodes AS e WHERE e.sonarrSeriesId = s.sonarrSeriesId) AS episodes, (SELECT count(*) FROM \
table_history AS h WHERE h.sonarrSeriesId = s.sonarrSeriesId) AS downloads
FROM table_shows AS s WHERE s.sonarrSeriesId BETWEEN ? AND ?

-- statement: bazarr-09
-- is: case-insensitive-without-index, full-scan
-- because: a film by its number elsewhere
-- run: 'TT5013100' | 'tt5000131'

SELECT radarrId, title FROM table_movies WHERE imdbId = ? COLLATE NOCASE

-- best
-- index: table_movies (imdbId COLLATE NOCASE)

-- statement: bazarr-10
-- is: expression-index, full-scan, function-on-column, group-without-index
-- because: a week's downloads by day
-- run: '2024-06-20'

SELECT date(timestamp) AS day, count(*) FROM table_history WHERE date(timestamp) >= date(?, '-6 days') AND action <> 0 GROUP BY day ORDER BY day

-- best
-- index: table_history (timestamp, action)

SELECT date(timestamp) AS day, count(*) FROM table_history WHERE timestamp >= date(?, '-6 days') AND action <> 0 GROUP BY day ORDER BY day

-- or
-- index: table_history (date(timestamp), action)

-- or
-- index: table_history (date(timestamp))

-- statement: bazarr-11
-- is: full-scan, sort-without-index
-- because: where a file of subtitles came from, be it of a film or of a series
-- run: '/tv/bace/Season 4/e9.en.srt'

SELECT description, timestamp FROM table_history_movie WHERE subtitles_path = ?1 UNION ALL SELECT description, timestamp FROM \
table_history WHERE subtitles_path = ?1 ORDER BY timestamp DESC LIMIT 1

-- best
-- index: table_history (subtitles_path, timestamp)
-- index: table_history_movie (subtitles_path, timestamp)

-- or
-- index: table_history (subtitles_path)
-- index: table_history_movie (subtitles_path)

-- statement: bazarr-12
-- is: automatic-index, full-scan, subquery-per-row
-- because: newer episodes for which nothing was ever found: the history is read for each
-- run: 19000

SELECT e.sonarrEpisodeId, e.path FROM table_episodes AS e WHERE e.failedAttempts IS NOT NULL AND e.sonarrEpisodeId > ?
AND NOT EXISTS (SELECT 1 FROM table_history AS h WHERE h.sonarrEpisodeId = e.sonarrEpisodeId AND h.action IN (1, 2, 3))

-- best
-- index: table_history (sonarrEpisodeId, action)

-- or
-- index: table_history (sonarrEpisodeId)

-- statement: bazarr-13
-- fine
-- tolerated: sort-without-index
-- because: all series, of which there are some hundred, with what they are about

SELECT sonarrSeriesId, title, path, profileId, monitored, overview FROM table_shows ORDER BY sortTitle ASC

-- statement: bazarr-14
-- fine
-- because: the newest of the history by its key

SELECT s.title, e.season || 'x' || e.episode, e.title, h.timestamp, h.description FROM table_history AS h INNER JOIN table_shows AS s ON \
s.sonarrSeriesId = h.sonarrSeriesId INNER JOIN table_episodes AS e ON e.sonarrEpisodeId = h.sonarrEpisodeId
WHERE h.action != 0 ORDER BY h.id DESC LIMIT 10

-- statement: bazarr-15
-- fine
-- because: one episode by its key
-- run: '[[''en'', 1718900000.1]]', '[''en'']', 777

UPDATE table_episodes SET failedAttempts = ?, missing_subtitles = ? WHERE sonarrEpisodeId = ?

-- statement: bazarr-16
-- fine
-- tolerated: index-not-covering
-- because: a page of films by their unique path
-- run: '/movies/Lo'

SELECT radarrId, path FROM table_movies WHERE path > ? ORDER BY path LIMIT 50

-- statement: bazarr-17
-- fine
-- tolerated: full-scan, or-without-index
-- because: nearly all of a small table goes
-- run: '2024-02-01 00:00:00'

DELETE FROM table_blacklist WHERE timestamp < ? OR provider IS NULL

-- statement: bazarr-18
-- fine
-- because: a film comes in or changes
-- run: 9001, 'Lofo Bace', '/movies/Lofo Bace.mkv', '18000'

INSERT INTO table_movies (radarrId, title, path, tmdbId, missing_subtitles) VALUES (?1, ?2, ?3, ?4, '[]') ON CONFLICT (tmdbId) DO UPDATE \
SET title = excluded.title, path = excluded.path

-- statement: bazarr-19
-- fine
-- because: some films by their keys, with their list read as JSON
-- run: 700, 740

SELECT m.title, json_array_length(replace(m.missing_subtitles, '''', '"')) AS n, m.overview, m.subtitles FROM table_movies AS m WHERE \
m.monitored = 'True' AND m.radarrId BETWEEN ? AND ?
