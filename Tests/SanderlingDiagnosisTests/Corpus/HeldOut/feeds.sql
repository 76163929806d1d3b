-- schema: feeds
-- about: A feed reader's storage: rows with whole articles, an index on an expression, keys of two texts.
-- origin: reader 3.26 (BSD-3-Clause, Copyright 2018 Adrian): tables and indexes as the program makes them, without its triggers

CREATE TABLE feeds (
  url TEXT PRIMARY KEY NOT NULL, title TEXT, link TEXT, updated TIMESTAMP, author TEXT, subtitle TEXT, version TEXT,
  user_title TEXT, caching_info TEXT, data_hash BLOB, stale INTEGER NOT NULL DEFAULT 0,
  updates_enabled INTEGER NOT NULL DEFAULT 1, update_after TIMESTAMP, last_retrieved TIMESTAMP, last_updated TIMESTAMP,
  added TIMESTAMP NOT NULL, last_exception TEXT);
CREATE TABLE entries (
  id TEXT NOT NULL, feed TEXT NOT NULL, title TEXT, link TEXT, updated TIMESTAMP, author TEXT, published TIMESTAMP,
  summary TEXT, content TEXT, enclosures TEXT, source TEXT, original_feed TEXT, data_hash BLOB,
  data_hash_changed INTEGER, read INTEGER, read_modified TIMESTAMP, important INTEGER, important_modified TIMESTAMP,
  added_by TEXT NOT NULL, last_updated TIMESTAMP NOT NULL, first_updated TIMESTAMP NOT NULL,
  first_updated_epoch TIMESTAMP NOT NULL, feed_order INTEGER NOT NULL, recent_sort TIMESTAMP NOT NULL, sequence BLOB,
  PRIMARY KEY (id, feed), FOREIGN KEY (feed) REFERENCES feeds(url) ON UPDATE CASCADE ON DELETE CASCADE);
CREATE TABLE entry_tags (
  id TEXT NOT NULL, feed TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (id, feed, key),
  FOREIGN KEY (id, feed) REFERENCES entries(id, feed) ON UPDATE CASCADE ON DELETE CASCADE);
CREATE INDEX entries_by_recent ON entries (
  recent_sort DESC, coalesce(published, updated, first_updated) DESC, feed DESC, last_updated DESC,
  - feed_order DESC, id DESC);
CREATE INDEX entries_by_feed ON entries (feed);
CREATE INDEX entry_tags_by_key ON entry_tags(key);

INSERT INTO feeds (url, title, link, user_title, updates_enabled, update_after, last_retrieved, added)
SELECT 'https://example.com/feed/' || i, title(1, i, 3), 'https://example.com/' || i, iif(chance(2, i) < 0.1, title(3, i, 2), NULL),
  chance(4, i) < 0.9, iif(chance(5, i) < 0.1, NULL, datetime(1680000000 + pick(6, i, 100000), 'unixepoch')),
  datetime(1680000000 - pick(7, i, 100000), 'unixepoch'), '2020-01-01 00:00:00'
FROM numbers WHERE i <= 240;
INSERT INTO entries (
  id, feed, title, link, updated, author, published, summary, content, read, read_modified, important, added_by,
  last_updated, first_updated, first_updated_epoch, feed_order, recent_sort)
SELECT 'tag:example.com,' || i, 'https://example.com/feed/' || skewed(8, i, 240), title(9, i, 6),
  'https://example.com/article/' || i, iif(chance(10, i) < 0.5, datetime(1600000000 + i * 2600, 'unixepoch'), NULL),
  iif(chance(11, i) < 0.3, NULL, word(skewed(12, i, 900))),
  iif(chance(13, i) < 0.15, NULL, datetime(1600000000 + i * 2500, 'unixepoch')), prose(14, i, 200),
  iif(chance(15, i) < 0.4, NULL, prose(16, i, 300 + pick(17, i, 1500))), chance(18, i) < 0.2,
  iif(chance(18, i) < 0.2, datetime(1600000000 + i * 2500 + pick(19, i, 90000), 'unixepoch'), NULL),
  CASE WHEN chance(20, i) < 0.001 THEN 1 WHEN chance(20, i) < 0.5 THEN 0 END, iif(chance(21, i) < 0.995, 'feed', 'user'),
  datetime(1600000000 + i * 2550, 'unixepoch'), datetime(1600000000 + i * 2500, 'unixepoch'),
  datetime(1600000000 + i * 2500, 'unixepoch'), pick(22, i, 30), datetime(1600000000 + i * 2500, 'unixepoch')
FROM numbers WHERE i <= 30000;
INSERT OR IGNORE INTO entry_tags
SELECT id, feed, word(skewed(23, rowid, 40)), 'null' FROM entries WHERE chance(24, rowid) < 0.3;

-- statement: feeds-01
-- fine
-- because: the index has the order, and most entries are unread
-- run: 0

SELECT entries.id, entries.feed, entries.title, entries.published, feeds.title FROM entries
JOIN feeds ON feeds.url = entries.feed WHERE entries.read = ?
ORDER BY entries.recent_sort DESC, coalesce(entries.published, entries.updated, entries.first_updated) DESC,
entries.feed DESC, entries.last_updated DESC, - entries.feed_order DESC, entries.id DESC LIMIT 64

-- statement: feeds-02
-- is: full-scan, index-not-covering, sort-without-index
-- because: one of a thousand is important: finding and sorting those beats the walk in order
-- run: 1

SELECT entries.id, entries.feed, entries.title FROM entries WHERE entries.important = ?
ORDER BY entries.recent_sort DESC, coalesce(entries.published, entries.updated, entries.first_updated) DESC,
entries.feed DESC, entries.last_updated DESC, - entries.feed_order DESC, entries.id DESC LIMIT 64

-- best
-- index: entries (important)

-- or
-- index: entries (important, recent_sort)

-- statement: feeds-03
-- is: full-scan
-- because: has this been saved before
-- run: 'https://example.com/article/1234'

SELECT id, feed FROM entries WHERE link = ?

-- best
-- index: entries (link)

-- statement: feeds-04
-- is: index-not-covering, subquery-per-row
-- because: the index of feeds leads to each whole article only to see whether it was read

SELECT feeds.url, coalesce(feeds.user_title, feeds.title), (
  SELECT count(*) FROM entries WHERE entries.feed = feeds.url AND entries.read = 0) AS unread
FROM feeds ORDER BY lower(coalesce(feeds.user_title, feeds.title, feeds.url))

-- best
-- index: entries (feed, read)

-- statement: feeds-05
-- is: full-scan, index-not-covering, wide-rows-for-count
-- because: three short columns of rows with whole articles

SELECT count(*), sum(read IS 1), sum(important IS 1), sum(enclosures IS NOT NULL) FROM entries

-- best
-- index: entries (read, important, enclosures)

-- statement: feeds-06
-- fine
-- because: by the index of keys, then by the primary key
-- run: 'tufo'

SELECT e.id, e.feed, e.title FROM entry_tags AS t JOIN entries AS e ON (e.id, e.feed) = (t.id, t.feed)
WHERE t.key = ?

-- statement: feeds-07
-- fine
-- because: 240 feeds
-- run: '2023-03-29 00:00:00'

SELECT url, title FROM feeds WHERE updates_enabled AND (update_after IS NULL OR update_after <= ?) ORDER BY url

-- statement: feeds-08
-- is: full-scan, sort-without-index
-- because: what the user added by hand, one of 200, newest first
-- run: 'user'

SELECT id, feed, title FROM entries WHERE added_by = ? ORDER BY last_updated DESC LIMIT 30

-- best
-- index: entries (added_by, last_updated)
