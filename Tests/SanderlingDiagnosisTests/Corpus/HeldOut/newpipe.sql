-- schema: newpipe
-- about: A player of streams on a phone: subscriptions and their feed, what was watched and how far, playlists and searches.
-- origin: NewPipe 0.27, database version 9 (GPL-3.0-or-later, Copyright NewPipe contributors and NewPipe e.V.): ten of its tables with \
--   their indexes; many statements as it runs them
-- superfluous: redundant-index index_stream_history_stream_id
-- superfluous: duplicate-index index_playlist_stream_join_playlist_id_join_index

CREATE TABLE subscriptions (uid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, service_id INTEGER NOT NULL, url TEXT, name TEXT, avatar_url \
TEXT, subscriber_count INTEGER, description TEXT, notification_mode INTEGER NOT NULL);
CREATE UNIQUE INDEX index_subscriptions_service_id_url ON subscriptions (service_id, url);
CREATE TABLE search_history (creation_date INTEGER, service_id INTEGER NOT NULL, search TEXT, id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL);
CREATE INDEX index_search_history_search ON search_history (search);
CREATE TABLE streams (
  uid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, service_id INTEGER NOT NULL, url TEXT NOT NULL, title TEXT NOT NULL, stream_type TEXT \
NOT NULL, duration INTEGER NOT NULL, uploader TEXT NOT NULL, uploader_url TEXT, thumbnail_url TEXT,
  view_count INTEGER, textual_upload_date TEXT, upload_date INTEGER, is_upload_date_approximation INTEGER);
CREATE UNIQUE INDEX index_streams_service_id_url ON streams (service_id, url);
CREATE TABLE stream_history (stream_id INTEGER NOT NULL, access_date INTEGER NOT NULL, repeat_count INTEGER NOT NULL, PRIMARY \
KEY(stream_id, access_date), FOREIGN KEY(stream_id) REFERENCES streams(uid) ON UPDATE CASCADE ON DELETE CASCADE);
CREATE INDEX index_stream_history_stream_id ON stream_history (stream_id);
CREATE TABLE stream_state (stream_id INTEGER NOT NULL, progress_time INTEGER NOT NULL, PRIMARY KEY(stream_id), FOREIGN KEY(stream_id) \
REFERENCES streams(uid) ON UPDATE CASCADE ON DELETE CASCADE);
CREATE TABLE playlists (uid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, name TEXT, is_thumbnail_permanent INTEGER NOT NULL, \
thumbnail_stream_id INTEGER NOT NULL, display_index INTEGER NOT NULL);
CREATE TABLE playlist_stream_join (
  playlist_id INTEGER NOT NULL, stream_id INTEGER NOT NULL, join_index INTEGER NOT NULL, PRIMARY KEY(playlist_id, join_index), FOREIGN \
KEY(playlist_id) REFERENCES playlists(uid) ON UPDATE CASCADE ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY(stream_id) REFERENCES streams(uid) ON UPDATE CASCADE ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED);
CREATE UNIQUE INDEX index_playlist_stream_join_playlist_id_join_index ON playlist_stream_join (playlist_id, join_index);
CREATE INDEX index_playlist_stream_join_stream_id ON playlist_stream_join (stream_id);
CREATE TABLE feed (
  stream_id INTEGER NOT NULL, subscription_id INTEGER NOT NULL, PRIMARY KEY(stream_id, subscription_id), FOREIGN KEY(stream_id) REFERENCES \
streams(uid) ON UPDATE CASCADE ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY(subscription_id) REFERENCES subscriptions(uid) ON UPDATE CASCADE ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED);
CREATE INDEX index_feed_subscription_id ON feed (subscription_id);
CREATE TABLE feed_group_subscription_join (
  group_id INTEGER NOT NULL, subscription_id INTEGER NOT NULL, PRIMARY KEY(group_id, subscription_id), FOREIGN KEY(subscription_id) \
REFERENCES subscriptions(uid) ON UPDATE CASCADE ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED);
CREATE INDEX index_feed_group_subscription_join_subscription_id ON feed_group_subscription_join (subscription_id);
CREATE TABLE feed_last_updated (subscription_id INTEGER NOT NULL, last_updated INTEGER, PRIMARY KEY(subscription_id), FOREIGN \
KEY(subscription_id) REFERENCES subscriptions(uid) ON UPDATE CASCADE ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED);

INSERT INTO subscriptions SELECT i, iif(i % 9 = 0, 4, 0), 'https://video.example/channel/' || word(i * 31) || i, title(1, i, 2), \
'https://img.example/a/' || i, pick(2, i, 900000), prose(3, i, 200), i % 3 = 0 FROM numbers WHERE i <= 320;
INSERT INTO search_history SELECT 1600000000000 + i * 9000000, iif(chance(4, i) < 0.9, 0, 4), iif(chance(5, i) < 0.2, title(6, i, 1), \
lower(title(6, i, 1 + i % 3))), i FROM numbers WHERE i <= 14000;
INSERT INTO streams
SELECT i, iif(i % 9 = 0, 4, 0), 'https://video.example/watch?v=' || printf('%011x', i * 104729), title(7, i, 6), CASE WHEN chance(8, i) < \
0.003 THEN 'LIVE_STREAM' WHEN chance(8, i) < 0.004 THEN 'AUDIO_LIVE_STREAM' ELSE 'VIDEO_STREAM' END, iif(chance(9, i) < 0.01, -1, 30 + \
pick(10, i, 3600)),
  word(skewed(11, i, 320)) || ' ' || word(skewed(11, i, 320) * 3), 'https://video.example/channel/' || skewed(11, i, 320), \
'https://img.example/vi/' || printf('%011x', i * 104729) || '/hq720.jpg?sqp=' || prose(12, i, 40), pick(13, i, 4000000), '3 weeks ago', \
iif(chance(14, i) < 0.05, NULL, 1580000000000 + i * 3400000 + pick(15, i, 90000000)), chance(16, i) < 0.5
FROM numbers WHERE i <= 42000;
INSERT OR IGNORE INTO stream_history SELECT iif(chance(17, i) < 0.7, 42000 - skewed(18, i, 41000), pick(19, i, 42000)), 1600000000000 + i \
* 9500000, 1 + skewed(20, i, 6) FROM numbers WHERE i <= 13000;
INSERT INTO stream_state SELECT DISTINCT stream_id, 1000 * pick(21, stream_id, 3000) FROM stream_history WHERE stream_id % 5 > 0;
INSERT INTO playlists SELECT i, title(22, i, 2), 0, i, i FROM numbers WHERE i <= 60;
INSERT INTO playlist_stream_join SELECT skewed(23, i, 60), pick(24, i, 42000), i FROM numbers WHERE i <= 9000;
INSERT OR IGNORE INTO feed SELECT uid, skewed(11, uid, 320) FROM streams WHERE uid > 24000;
INSERT OR IGNORE INTO playlist_stream_join SELECT 60, uid, 10000 + uid FROM streams WHERE uid <= 24000 AND uid % 40 > 0 AND uid NOT IN \
(SELECT stream_id FROM stream_history);
INSERT OR IGNORE INTO feed_group_subscription_join SELECT skewed(25, i, 8), pick(26, i, 320) FROM numbers WHERE i <= 400;
INSERT INTO feed_last_updated SELECT uid, iif(uid % 20 = 0, NULL, 1719000000000 + uid) FROM subscriptions;

-- statement: newpipe-01
-- is: index-not-covering, subquery-per-row
-- because: what is too old leaves the feed, but for the newest of each channel: that one is looked for again for every stream
-- run: 1666500000000

DELETE FROM feed WHERE feed.stream_id IN (SELECT uid from (
  SELECT s.uid, (SELECT MAX(upload_date) FROM streams s1 INNER JOIN feed f1 ON s1.uid = f1.stream_id WHERE f1.subscription_id = \
f.subscription_id) max_upload_date
  FROM streams s INNER JOIN feed f ON s.uid = f.stream_id WHERE s.upload_date < ? AND s.upload_date <> max_upload_date))

-- best

DELETE FROM feed WHERE feed.stream_id IN (
  SELECT s.uid FROM feed f INNER JOIN streams s ON s.uid = f.stream_id
  INNER JOIN (SELECT f1.subscription_id, MAX(s1.upload_date) AS max_upload_date FROM feed f1 INNER JOIN streams s1 ON s1.uid = \
f1.stream_id GROUP BY f1.subscription_id) AS newest ON newest.subscription_id = f.subscription_id
  WHERE s.upload_date < ? AND s.upload_date <> newest.max_upload_date)

-- statement: newpipe-02
-- is: full-scan, join-order, missing-statistics, sort-without-index
-- because: what was watched this week: the key begins with the stream
-- run: 1722000000000

SELECT s.title, s.uploader, h.access_date, h.repeat_count FROM streams AS s INNER JOIN stream_history AS h ON s.uid = h.stream_id WHERE \
h.access_date >= ? ORDER BY h.access_date DESC

-- best
-- index: stream_history (access_date)

-- or
-- index: stream_history (access_date, stream_id, repeat_count)

-- statement: newpipe-03
-- is: full-scan, index-not-covering, join-order, missing-statistics, or-without-index, partial-index
-- because: a channel's old live streams: those of all channels are collected first
-- run: 90 | 111 | 200

DELETE FROM feed WHERE feed.subscription_id = ? AND feed.stream_id IN (SELECT s.uid FROM streams s INNER JOIN feed f ON s.uid = \
f.stream_id WHERE s.stream_type = "LIVE_STREAM" OR s.stream_type = "AUDIO_LIVE_STREAM")

-- best
-- index: streams (stream_type)

-- or

DELETE FROM feed WHERE feed.subscription_id = ? AND EXISTS (SELECT 1 FROM streams s WHERE s.uid = feed.stream_id AND (s.stream_type = \
'LIVE_STREAM' OR s.stream_type = 'AUDIO_LIVE_STREAM'))

-- statement: newpipe-04
-- is: full-scan
-- because: a stream by its address, when it isn't known which service it is of: the unique index begins with that
-- run: 'https://video.example/watch?v=000bb4521b0'

SELECT uid, title, uploader FROM streams WHERE url = ?

-- best
-- index: streams (url)

-- statement: newpipe-05
-- is: case-insensitive-without-index, full-scan, index-not-covering, pattern-without-index
-- because: former searches that begin with what was typed: LIKE ignores case, the index doesn't
-- run: 'kis%' | 'floq%'

SELECT search FROM search_history WHERE search LIKE ? GROUP BY search ORDER BY MAX(creation_date) DESC LIMIT 10

-- best
-- index: search_history (search COLLATE NOCASE)

-- or
-- index: search_history (search COLLATE NOCASE, creation_date)

-- statement: newpipe-06
-- is: group-without-index, index-not-covering
-- because: the last searches: the index has their order, but the date of each is looked up
-- run: 25

SELECT search FROM search_history GROUP BY search ORDER BY MAX(creation_date) DESC LIMIT ?

-- best
-- index: search_history (search, creation_date)

-- statement: newpipe-07
-- is: full-scan, group-without-index, index-not-covering
-- because: who most streams are of
-- run: 0

SELECT uploader, count(*) AS n, sum(duration) FROM streams WHERE service_id = ? GROUP BY uploader ORDER BY n DESC, uploader LIMIT 20

-- best
-- index: streams (service_id, uploader, duration)

-- statement: newpipe-08
-- is: large-offset, sort-without-index
-- because: far down the list of streams by date

SELECT uid, title, upload_date FROM streams WHERE upload_date IS NOT NULL ORDER BY upload_date DESC, uid DESC LIMIT 30 OFFSET 15000

-- best
-- index: streams (upload_date, uid)
-- run: 1668909527966, 26133

SELECT uid, title, upload_date FROM streams WHERE (upload_date, uid) < (?, ?) ORDER BY upload_date DESC, uid DESC LIMIT 30

-- or
-- index: streams (upload_date)

-- statement: newpipe-09
-- is: full-scan, type-mismatch
-- because: what was watched since a day: the column has milliseconds, than which any text is larger

SELECT count(*), sum(repeat_count) FROM stream_history WHERE access_date >= '2024-05-01'

-- best
-- index: stream_history (access_date)
-- changes results

SELECT count(*), sum(repeat_count) FROM stream_history WHERE access_date >= unixepoch('2024-05-01') * 1000

-- statement: newpipe-10
-- is: case-insensitive-without-index, full-scan, sort-without-index
-- because: what wasn't watched of somebody, whatever the case of their name
-- run: 'HAJEDI SOWEJE' | 'muhadi Stasoje'

SELECT s.uid, s.title FROM streams AS s WHERE s.uid NOT IN (SELECT stream_id FROM stream_history) AND s.uploader = ? COLLATE NOCASE ORDER \
BY s.upload_date DESC LIMIT 20

-- best
-- index: streams (uploader COLLATE NOCASE, upload_date)

-- or
-- index: streams (uploader COLLATE NOCASE)

-- statement: newpipe-11
-- fine
-- because: when a stream was watched last: the end of its part of the key, although another index has the stream only
-- run: 41999 | 41990

SELECT * FROM stream_history WHERE stream_id = ? ORDER BY access_date DESC LIMIT 1

-- statement: newpipe-12
-- fine
-- because: a playlist in its order: subqueries that SQLite takes apart, and keys for all of them
-- run: 40 | 52

SELECT * FROM streams INNER JOIN (SELECT stream_id, join_index FROM playlist_stream_join WHERE playlist_id = ?) ON uid = stream_id
LEFT JOIN (SELECT stream_id AS stream_id_alias, progress_time FROM stream_state) ON uid = stream_id_alias ORDER BY join_index ASC

-- statement: newpipe-13
-- fine
-- because: a stream by service and address, which are a unique key
-- run: 'https://video.example/watch?v=000bb4521b0', 0

SELECT uid, stream_type, upload_date, duration FROM streams WHERE url = ? AND service_id = ?

-- statement: newpipe-14
-- fine
-- because: the end of a playlist, which is an end of the key
-- run: 1 | 60

SELECT COALESCE(MAX(join_index), -1) FROM playlist_stream_join WHERE playlist_id = ?

-- statement: newpipe-15
-- fine
-- tolerated: full-scan, or-without-index
-- because: channels to be asked again: there are 320
-- run: 1719000000100, 1

SELECT s.uid, s.name FROM subscriptions s LEFT JOIN feed_last_updated lu ON s.uid = lu.subscription_id WHERE (lu.last_updated IS NULL OR \
lu.last_updated < ?) AND s.notification_mode = ?

-- statement: newpipe-16
-- fine
-- because: how many channels of a group weren't loaded yet: a small group, and all by keys
-- run: 5

SELECT COUNT(*) FROM subscriptions s INNER JOIN feed_group_subscription_join fgs ON s.uid = fgs.subscription_id AND fgs.group_id = ? LEFT \
JOIN feed_last_updated lu ON s.uid = lu.subscription_id WHERE lu.last_updated IS NULL
