-- schema: antennapod
-- about: A podcast player: episodes with their descriptions, and the files that belong to them in a table of their own.
-- origin: AntennaPod 3 (GPL-3.0, Copyright the AntennaPod contributors): its tables with their indexes, two of them without settings

CREATE TABLE Feeds (
  id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, custom_title TEXT, file_url TEXT, download_url TEXT, downloaded INTEGER, link TEXT, \
description TEXT,
  last_update TEXT, language TEXT, author TEXT, image_url TEXT, type TEXT, feed_identifier TEXT, auto_download INTEGER DEFAULT 1, \
keep_updated INTEGER DEFAULT 1,
  last_update_failed INTEGER DEFAULT 0, tags TEXT, feed_skip_intro INTEGER DEFAULT 0, feed_skip_ending INTEGER DEFAULT 0, \
episode_notification INTEGER DEFAULT 0);
CREATE TABLE FeedItems (
  id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, pubDate INTEGER, read INTEGER, link TEXT, description TEXT, payment_link TEXT, media \
INTEGER, feed INTEGER,
  has_simple_chapters INTEGER, item_identifier TEXT, image_url TEXT, auto_download INTEGER, podcastindex_chapter_url TEXT);
CREATE TABLE FeedMedia (
  id INTEGER PRIMARY KEY AUTOINCREMENT, duration INTEGER, file_url TEXT, download_url TEXT, downloaded INTEGER, position INTEGER, filesize \
INTEGER, mime_type TEXT,
  playback_completion_date INTEGER, feeditem INTEGER, played_duration INTEGER, has_embedded_picture INTEGER, last_played_time INTEGER);
CREATE TABLE DownloadLog (
  id INTEGER PRIMARY KEY AUTOINCREMENT, feedfile INTEGER, feedfile_type INTEGER, reason INTEGER, successful INTEGER, completion_date \
INTEGER, reason_detailed TEXT, title TEXT);
CREATE TABLE Queue (id INTEGER PRIMARY KEY, feeditem INTEGER, feed INTEGER);
CREATE TABLE SimpleChapters (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, start INTEGER, feeditem INTEGER, link TEXT, image_url TEXT);
CREATE TABLE Favorites (id INTEGER PRIMARY KEY, feeditem INTEGER, feed INTEGER);
CREATE INDEX FeedItems_feed ON FeedItems (feed);
CREATE INDEX FeedItems_pubDate ON FeedItems (pubDate);
CREATE INDEX FeedItems_read ON FeedItems (read);
CREATE INDEX FeedMedia_feeditem ON FeedMedia (feeditem);
CREATE INDEX Queue_feeditem ON Queue (feeditem);
CREATE INDEX SimpleChapters_feeditem ON SimpleChapters (feeditem);

INSERT INTO Feeds (id, title, download_url, description, last_update, keep_updated, tags)
SELECT i, title(1, i, 3), 'https://' || word(i) || '.example.org/feed', prose(2, i, 300), '', chance(3, i) < 0.9, '#root' FROM numbers WHERE i <= 80;
INSERT INTO FeedItems
SELECT i, title(4, i, 6), 1400000000000 + i * 20000000 + pick(5, i, 90000000), CASE WHEN chance(6, i) < 0.012 THEN -1 WHEN chance(6, i) < \
0.3 THEN 0 ELSE 1 END, 'https://example.org/' || i,
  prose(7, i, 900), NULL, i, skewed(8, i, 80), 0, 'urn:' || printf('%08x', i * 7919), NULL, 1, NULL FROM numbers WHERE i <= 14000;
INSERT INTO FeedMedia
SELECT i, 600000 + pick(9, i, 5000000), iif(chance(10, i) < 0.01, '/sd/' || i || '.mp3', NULL), 'https://media.example.org/' || i || \
'.mp3', chance(10, i) < 0.01, iif(chance(11, i) < 0.02, pick(12, i, 600000), 0),
  pick(13, i, 90000000), 'audio/mpeg', iif(chance(14, i) < 0.06, 1600000000000 + pick(15, i, 900000000) * 100, 0), i, iif(chance(14, i) < \
0.5, pick(16, i, 600000), 0), 0,
  iif(chance(14, i) < 0.5, 1600000000000 + pick(17, i, 900000000) * 100, 0) FROM numbers WHERE i <= 14000;
INSERT INTO DownloadLog
SELECT i, iif(chance(18, i) < 0.8, pick(19, i, 80), pick(20, i, 14000)), iif(chance(18, i) < 0.8, 0, 2), 0, chance(21, i) < 0.95, \
1690000000000 + i * 500000, '', title(22, i, 4) FROM numbers WHERE i <= 12000;
INSERT INTO Queue SELECT i, pick(23, i, 14000), 1 FROM numbers WHERE i <= 60;
INSERT INTO Favorites SELECT i, pick(24, i, 14000), 1 FROM numbers WHERE i <= 300;
INSERT INTO SimpleChapters SELECT i, title(25, i, 4), i % 9 * 300000, 1 + i / 9 * 7, NULL, NULL FROM numbers WHERE i <= 9000;

-- statement: antennapod-01
-- is: index-not-covering, sort-without-index
-- because: the newest episodes of a long feed: all are sorted
-- run: 1

SELECT i.id, i.title, i.pubDate, m.duration FROM FeedItems i LEFT JOIN FeedMedia m ON m.feeditem = i.id
WHERE i.feed = ? ORDER BY i.pubDate DESC LIMIT 150

-- best
-- index: FeedItems (feed, pubDate)

-- statement: antennapod-02
-- is: group-without-index, index-not-covering
-- because: how many are unread in each feed: wide rows for one number

SELECT feed, count(*) FROM FeedItems WHERE read = -1 OR read = 0 GROUP BY feed

-- best
-- index: FeedItems (read, feed)

-- statement: antennapod-03
-- fine
-- tolerated: index-not-covering
-- because: the newest episodes of all by their index

SELECT i.id, i.title, i.pubDate, m.duration FROM FeedItems i LEFT JOIN FeedMedia m ON m.feeditem = i.id
ORDER BY i.pubDate DESC LIMIT 50

-- statement: antennapod-04
-- is: full-scan, index-not-covering, partial-index, sort-without-index
-- because: the few that are on the device

SELECT i.id, i.title, m.file_url FROM FeedItems i LEFT JOIN FeedMedia m ON m.feeditem = i.id
WHERE m.downloaded = 1 ORDER BY i.pubDate DESC

-- best
-- index: FeedMedia (downloaded)

-- statement: antennapod-05
-- is: full-scan, index-not-covering, partial-index, sort-without-index
-- because: what was heard last

SELECT i.id, i.title, m.playback_completion_date FROM FeedItems i LEFT JOIN FeedMedia m ON m.feeditem = i.id
WHERE m.playback_completion_date > 0 ORDER BY m.playback_completion_date DESC LIMIT 50

-- best
-- index: FeedMedia (playback_completion_date)

-- statement: antennapod-06
-- is: group-without-index, index-not-covering, join-order
-- because: how long each feed was listened to: two lookups for each episode

SELECT i.feed, count(*) AS episodes, sum(m.duration) AS total, sum(m.played_duration) AS played
FROM FeedItems i JOIN FeedMedia m ON m.feeditem = i.id GROUP BY i.feed

-- best
-- index: FeedMedia (feeditem, duration, played_duration)

-- statement: antennapod-07
-- is: full-scan
-- because: an episode by what its feed calls it
-- run: 'urn:00f1ab30' | 'urn:0001eef0'

SELECT id, title, feed FROM FeedItems WHERE item_identifier = ?

-- best
-- index: FeedItems (item_identifier)

-- statement: antennapod-08
-- is: group-without-index, index-not-covering
-- because: when each feed was last heard of: all episodes are read

SELECT feed, max(pubDate) FROM FeedItems GROUP BY feed

-- best
-- index: FeedItems (feed, pubDate)

-- statement: antennapod-09
-- is: full-scan, harmful-index, index-not-covering, join-order, missing-statistics, partial-index
-- because: what can be deleted from the device: it begins with all that were heard

SELECT i.id, i.title FROM FeedItems i JOIN FeedMedia m ON m.feeditem = i.id
WHERE i.read = 1 AND m.downloaded = 1 AND i.id NOT IN (SELECT feeditem FROM Favorites) AND i.id NOT IN (SELECT feeditem FROM Queue)

-- best
-- index: FeedMedia (downloaded, feeditem)

-- or
-- index: FeedMedia (downloaded)

-- statement: antennapod-10
-- is: full-scan, sort-without-index
-- because: how a feed's last refresh went
-- run: 7 | 40

SELECT successful, reason, completion_date FROM DownloadLog WHERE feedfile = ? AND feedfile_type = 0 ORDER BY completion_date DESC LIMIT 1

-- best
-- index: DownloadLog (feedfile, feedfile_type, completion_date)

-- or
-- index: DownloadLog (feedfile, completion_date)

-- or
-- index: DownloadLog (feedfile)

-- statement: antennapod-11
-- fine
-- tolerated: full-scan
-- because: sixty episodes in their order

SELECT i.id, i.title FROM Queue q JOIN FeedItems i ON i.id = q.feeditem ORDER BY q.id

-- statement: antennapod-12
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: nine chapters
-- run: 1

SELECT title, start FROM SimpleChapters WHERE feeditem = ? ORDER BY start

-- statement: antennapod-13
-- is: pattern-without-index
-- because: words within descriptions: an index of words
-- run: 'sotufo', 'sotufo'

SELECT id, title FROM FeedItems WHERE title LIKE '%' || ? || '%' OR description LIKE '%' || ? || '%' ORDER BY pubDate DESC LIMIT 300

-- best: design

-- statement: antennapod-14
-- is: large-offset, sort-without-index
-- because: far down a long feed
-- run: 1

SELECT i.id, i.title, i.pubDate FROM FeedItems i WHERE i.feed = ? ORDER BY i.pubDate DESC, i.id DESC LIMIT 150 OFFSET 1500

-- best
-- index: FeedItems (feed, pubDate)
-- run: 1, 1492664395704, 4629

SELECT i.id, i.title, i.pubDate FROM FeedItems i WHERE i.feed = ? AND (i.pubDate, i.id) < (?, ?) ORDER BY i.pubDate DESC, i.id DESC LIMIT 150

-- or
-- index: FeedItems (feed, pubDate)

-- statement: antennapod-15
-- fine
-- because: what is new, counted in an index

SELECT count(*) FROM FeedItems WHERE read = -1
