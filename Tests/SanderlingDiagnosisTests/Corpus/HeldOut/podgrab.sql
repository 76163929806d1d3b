-- schema: podgrab
-- about: Podcasts that are fetched and kept, by GORM: random keys, rows that are only marked as deleted, and an index for that mark.
-- origin: Podgrab (GPL-3.0, Copyright Akhil Gupta and contributors): five of its tables with their indexes

CREATE TABLE podcasts (
  id text, created_at datetime, updated_at datetime, deleted_at datetime, title text, summary text, author text, image text, url text, \
last_episode datetime, is_paused numeric DEFAULT false, PRIMARY KEY (id));
CREATE INDEX idx_podcasts_deleted_at ON podcasts(deleted_at);
CREATE TABLE podcast_items (
  id text, created_at datetime, updated_at datetime, deleted_at datetime, podcast_id text, title text, summary text, episode_type text, \
duration integer, pub_date datetime, file_url text, guid text, image text, download_date datetime, download_path text,
  download_status integer DEFAULT 0, is_played numeric DEFAULT false, bookmark_date datetime, local_image text, file_size integer, PRIMARY \
KEY (id), CONSTRAINT fk_podcasts_podcast_items FOREIGN KEY (podcast_id) REFERENCES podcasts(id));
CREATE INDEX idx_podcast_items_deleted_at ON podcast_items(deleted_at);
CREATE TABLE tags (id text, created_at datetime, updated_at datetime, deleted_at datetime, label text, description text, PRIMARY KEY (id));
CREATE INDEX idx_tags_deleted_at ON tags(deleted_at);
CREATE TABLE podcast_tags (tag_id text, podcast_id text, PRIMARY KEY (tag_id, podcast_id));
CREATE TABLE job_locks (id text, created_at datetime, updated_at datetime, deleted_at datetime, date datetime, name text, duration \
integer, PRIMARY KEY (id));

INSERT INTO podcasts
SELECT printf('%08x-7b7b-4a4a', i * 7919), datetime(1600000000 + i * 300000, 'unixepoch'), datetime(1700000000 + i, 'unixepoch'), \
iif(chance(1, i) < 0.03, datetime(1690000000 + i * 3000, 'unixepoch'), NULL), title(2, i, 3), prose(3, i, 200), title(4, i, 2), \
'https://img.example/' || i,
  'https://feeds.example/' || word(i) || iif(i % 3 = 0, '/RSS', '/rss'), datetime(1719000000 - skewed(5, i, 60000000), 'unixepoch'), \
chance(6, i) < 0.1
FROM numbers WHERE i <= 320;
INSERT INTO podcast_items
SELECT printf('%08x-9c9c-4d4d', (i * 48271) % 1000003), datetime(1600000000 + i * 4000, 'unixepoch'), datetime(1600000000 + i * 4000, \
'unixepoch'), iif(chance(7, i) < 0.01, datetime(1690000000 + i * 300, 'unixepoch'), NULL),
  printf('%08x-7b7b-4a4a', iif(chance(8, i) < 0.5, skewed(9, i, 300), pick(10, i, 300)) * 7919), title(11, i, 5), prose(12, i, 200 + \
pick(13, i, 300)), 'full', 300 + skewed(14, i, 7000), datetime(1600000000 + i * 4000 - pick(15, i, 500000), 'unixepoch'), \
'https://cdn.example/' || i || '.mp3',
  'guid-' || printf('%x', i * 104729), 'https://img.example/e' || i, CASE WHEN chance(16, i) < 0.35 THEN datetime(1600000000 + i * 4000 + \
pick(17, i, 90000), 'unixepoch') ELSE '0001-01-01 00:00:00+00:00' END, iif(chance(16, i) < 0.35, '/assets/' || i || '.mp3', ''),
  CASE WHEN chance(16, i) < 0.35 THEN 2 WHEN i > 29950 THEN 0 WHEN chance(18, i) < 0.004 THEN 1 ELSE 3 END, chance(19, i) < 0.3, \
iif(chance(20, i) < 0.006, datetime(1600000000 + i * 4000 + 7000, 'unixepoch'), '0001-01-01 00:00:00+00:00'), '', iif(chance(16, i) < \
0.35, 20000000 + pick(21, i, 60000000), 0)
FROM numbers WHERE i <= 30000;
INSERT INTO tags SELECT 't' || i, datetime(1650000000 + i, 'unixepoch'), datetime(1650000000 + i, 'unixepoch'), NULL, word(i), '' FROM \
numbers WHERE i <= 30;
INSERT OR IGNORE INTO podcast_tags SELECT 't' || skewed(22, i, 30), printf('%08x-7b7b-4a4a', pick(23, i, 300) * 7919) FROM numbers WHERE i <= 600;
INSERT INTO job_locks SELECT 'j' || i, datetime(1650000000 + i, 'unixepoch'), datetime(1650000000 + i, 'unixepoch'), NULL, '0001-01-01 \
00:00:00+00:00', word(i), 0 FROM numbers WHERE i <= 5;

-- statement: podgrab-01
-- is: full-scan, harmful-index, index-not-covering, missing-statistics, sort-without-index
-- because: a podcast's episodes: the index of the mark gives nearly all rows
-- run: '000e8008-7b7b-4a4a' | '001ad342-7b7b-4a4a'

SELECT id, title, pub_date FROM podcast_items WHERE podcast_id = ? AND podcast_items.deleted_at IS NULL ORDER BY pub_date DESC, id

-- best
-- index: podcast_items (podcast_id, deleted_at, pub_date)

-- or
-- index: podcast_items (podcast_id, deleted_at)

-- statement: podgrab-02
-- is: harmful-index, index-not-covering, missing-statistics
-- because: how much is kept: nearly all rows are looked up by way of the index of the mark

SELECT count(*), sum(file_size) FROM podcast_items WHERE deleted_at IS NULL

-- best
-- index: podcast_items (deleted_at, file_size)

-- statement: podgrab-03
-- is: full-scan, harmful-index, index-not-covering, partial-index, sort-without-index
-- because: what is being fetched: a few of all rows
-- run: 1

SELECT i.id, i.title, p.title FROM podcast_items AS i LEFT JOIN podcasts AS p ON p.id = i.podcast_id WHERE i.download_status = ? AND \
i.deleted_at IS NULL ORDER BY i.pub_date DESC LIMIT 50

-- best
-- index: podcast_items (download_status, deleted_at, pub_date)

-- or
-- index: podcast_items (download_status, pub_date) WHERE deleted_at IS NULL
-- change: DROP INDEX idx_podcast_items_deleted_at

-- statement: podgrab-04
-- is: automatic-index, full-scan, subquery-per-row
-- because: how much of each podcast is here, and its newest: all episodes are read for each

SELECT p.id, p.title, (SELECT count(*) FROM podcast_items AS i WHERE i.podcast_id = p.id AND i.download_status = 2) AS downloaded,
  (SELECT max(i.pub_date) FROM podcast_items AS i WHERE i.podcast_id = p.id) AS newest FROM podcasts AS p WHERE p.deleted_at IS NULL ORDER \
BY p.title, p.id LIMIT 20

-- best
-- index: podcast_items (podcast_id, download_status)
-- index: podcast_items (podcast_id, pub_date)

-- or
-- index: podcast_items (podcast_id)

-- statement: podgrab-05
-- is: expression-index, full-scan, function-on-column
-- because: podcasts that were silent in a month
-- run: '2023-05'

SELECT id FROM podcasts WHERE id NOT IN (SELECT podcast_id FROM podcast_items WHERE strftime('%Y-%m', pub_date) = ?)

-- best
-- index: podcast_items (pub_date, podcast_id)

SELECT id FROM podcasts WHERE id NOT IN (SELECT podcast_id FROM podcast_items WHERE pub_date >= ?1 || '-01' AND pub_date < date(?1 || \
'-01', '+1 month'))

-- or
-- index: podcast_items (strftime('%Y-%m', pub_date), podcast_id)

-- statement: podgrab-06
-- is: full-scan, partial-index, sort-without-index
-- because: what is marked: most rows have the date that stands for none

SELECT id, title, bookmark_date FROM podcast_items WHERE bookmark_date > '0001-01-01 00:00:00+00:00' ORDER BY bookmark_date DESC, id

-- best
-- index: podcast_items (bookmark_date) WHERE bookmark_date > '0001-01-01 00:00:00+00:00'

-- or
-- index: podcast_items (bookmark_date)

-- statement: podgrab-07
-- is: multiplied-aggregate
-- because: sizes are summed once for each tag

SELECT p.title, count(t.tag_id) AS tags, sum(i.file_size) AS bytes FROM podcasts AS p JOIN podcast_tags AS t ON t.podcast_id = p.id JOIN \
podcast_items AS i ON i.podcast_id = p.id WHERE i.download_status = 2 GROUP BY p.id

-- best
-- index: podcast_items (download_status, podcast_id, file_size)
-- changes results

SELECT p.title, t.tags, i.bytes FROM podcasts AS p JOIN (SELECT podcast_id, count(*) AS tags FROM podcast_tags GROUP BY podcast_id) AS t \
ON t.podcast_id = p.id
JOIN (SELECT podcast_id, sum(file_size) AS bytes FROM podcast_items WHERE download_status = 2 GROUP BY podcast_id) AS i ON i.podcast_id = p.id

-- statement: podgrab-08
-- is: full-scan, index-not-covering
-- because: whether an episode is known: asked for each one that a feed has
-- run: '000e8008-7b7b-4a4a', 'guid-12345678' | '00001eef-7b7b-4a4a', 'guid-1990900'

SELECT id, title FROM podcast_items WHERE podcast_id = ? AND guid = ? ORDER BY podcast_items.id LIMIT 1

-- best
-- index: podcast_items (podcast_id, guid)

-- or
-- index: podcast_items (guid)

-- statement: podgrab-09
-- is: distinct-without-index, full-scan, index-not-covering
-- because: podcasts of which something was left out: whole rows are read, with all that was written of them

SELECT DISTINCT podcast_id FROM podcast_items WHERE download_status = 3 AND is_played = 0

-- best
-- index: podcast_items (download_status, is_played, podcast_id)

-- or
-- index: podcast_items (is_played, download_status, podcast_id)

-- statement: podgrab-10
-- is: full-scan, sort-without-index
-- because: the third page of all episodes: all rows are read and sorted

SELECT id, title, pub_date FROM podcast_items ORDER BY pub_date DESC, id LIMIT 30 OFFSET 60

-- best
-- index: podcast_items (pub_date DESC, id)

-- or
-- index: podcast_items (pub_date)

-- statement: podgrab-11
-- is: foreign-key-without-index
-- because: a podcast without episodes goes: all episodes are read to know
-- run: '0025756a-7b7b-4a4a' | '00264df3-7b7b-4a4a'

DELETE FROM podcasts WHERE id = ?

-- best
-- index: podcast_items (podcast_id)

-- statement: podgrab-12
-- fine
-- because: a podcast by its key
-- run: '00001eef-7b7b-4a4a'

SELECT * FROM podcasts WHERE id = ? AND podcasts.deleted_at IS NULL ORDER BY podcasts.id LIMIT 1

-- statement: podgrab-13
-- fine
-- because: an episode by its key
-- run: '2024-07-01 00:00:00', '0000bc8f-9c9c-4d4d'

UPDATE podcast_items SET is_played = 1, updated_at = ? WHERE id = ?

-- statement: podgrab-14
-- fine
-- tolerated: group-without-index, index-not-covering, sort-without-index
-- because: some hundred rows by keys

SELECT t.label, count(*) FROM tags AS t JOIN podcast_tags AS pt ON pt.tag_id = t.id GROUP BY t.id

-- statement: podgrab-15
-- fine
-- tolerated: or-without-index, pattern-without-index
-- because: a part of what was written, which is found soon
-- run: '%ba%', '%ba%'

SELECT id, title, summary FROM podcast_items WHERE summary LIKE ? OR title LIKE ? LIMIT 20

-- statement: podgrab-16
-- fine
-- tolerated: index-not-covering
-- because: what was deleted of late, by the index of the mark
-- run: '2023-10-31 00:00:00'

SELECT id, title, deleted_at FROM podcast_items WHERE deleted_at >= ? ORDER BY deleted_at

-- statement: podgrab-17
-- fine
-- tolerated: full-scan, function-on-column, pattern-without-index, sort-without-index
-- because: few tags
-- run: '%o%'

SELECT label, id FROM tags WHERE lower(label) LIKE ? AND deleted_at IS NULL ORDER BY label
