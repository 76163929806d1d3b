-- schema: history
-- about: A browser's history in the shape of Firefox's places: well indexed, with an index that is there twice; not analyzed.
-- superfluous: duplicate-index places_hostindex places_hostindex_old
-- superfluous: redundant-index visits_placeindex

CREATE TABLE moz_origins (id INTEGER PRIMARY KEY, prefix TEXT NOT NULL, host TEXT NOT NULL,
  frecency INTEGER NOT NULL,
  UNIQUE (prefix, host));
CREATE TABLE moz_places (
  id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR, rev_host LONGVARCHAR, visit_count INTEGER DEFAULT 0,
  hidden INTEGER DEFAULT 0 NOT NULL, typed INTEGER DEFAULT 0 NOT NULL, frecency INTEGER DEFAULT -1 NOT NULL,
  last_visit_date INTEGER, guid TEXT, url_hash INTEGER DEFAULT 0 NOT NULL,
    origin_id INTEGER REFERENCES moz_origins (id),
  description TEXT);
CREATE TABLE moz_historyvisits (
  id INTEGER PRIMARY KEY, from_visit INTEGER, place_id INTEGER, visit_date INTEGER, visit_type INTEGER,
    session INTEGER);
CREATE TABLE moz_bookmarks (
  id INTEGER PRIMARY KEY, type INTEGER, fk INTEGER DEFAULT NULL, parent INTEGER, position INTEGER,
    title LONGVARCHAR,
  dateAdded INTEGER, guid TEXT);
CREATE TABLE moz_inputhistory (place_id INTEGER NOT NULL, input LONGVARCHAR NOT NULL, use_count INTEGER,
  PRIMARY KEY (place_id, input));
CREATE TABLE moz_meta (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
CREATE INDEX places_url_hashindex ON moz_places (url_hash);
CREATE INDEX places_hostindex ON moz_places (rev_host);
CREATE INDEX places_hostindex_old ON moz_places (rev_host);
CREATE INDEX places_visitcount ON moz_places (visit_count);
CREATE INDEX places_frecencyindex ON moz_places (frecency);
CREATE INDEX places_lastvisitdateindex ON moz_places (last_visit_date);
CREATE INDEX places_hidden_typed ON moz_places (hidden, typed);
CREATE UNIQUE INDEX places_guid_uniqueindex ON moz_places (guid);
CREATE INDEX visits_placeindex ON moz_historyvisits (place_id);
CREATE INDEX visits_placedateindex ON moz_historyvisits (place_id, visit_date);
CREATE INDEX visits_fromindex ON moz_historyvisits (from_visit);
CREATE INDEX visits_dateindex ON moz_historyvisits (visit_date);

INSERT INTO moz_origins SELECT i, 'https://', word(i) || '.org', pick(1, i, 9000) FROM numbers WHERE i <= 1500;
INSERT INTO moz_places
SELECT i, 'https://' || word(skewed(2, i, 1500)) || '.org/' || word(pick(3, i, 900)) || '/' || i,
  iif(chance(4, i) < 0.9, title(5, i, 5), NULL), 'gro.' || word(skewed(2, i, 1500) + 7) || '.',
  iif(chance(6, i) < 0.05, 0, skewed(7, i, 300)), chance(8, i) < 0.15, chance(9, i) < 0.04, skewed(10, i, 20000),
  iif(chance(6, i) < 0.05, NULL, (1600000000 + i * 1500 + pick(11, i, 900000)) * 1000000), printf('g%011d', i),
  47350000000000 + i * 2654435761 % 1000000007, skewed(2, i, 1500), iif(chance(12, i) < 0.4,
    prose(13, i, pick(14, i, 250)), NULL)
FROM numbers WHERE i <= 40000;
INSERT INTO moz_historyvisits
SELECT i, iif(chance(15, i) < 0.5 AND i > 50, i - pick(16, i, 20), 0), pick(17, i, 38500),
  (1600000000 + i * 550) * 1000000,
  CASE WHEN chance(18, i) < 0.98 THEN 1 + pick(19, i, 2) ELSE 7 END, 0
FROM numbers WHERE i <= 110000;
INSERT INTO moz_bookmarks
SELECT i, iif(i <= 120, 2, 1), iif(i <= 120, NULL, pick(20, i, 40000)), iif(i <= 120, 1, 2 + skewed(21, i, 118)), i,
  title(22, i, 2), (1600000000 + i * 9000) * 1000000, printf('b%011d', i)
FROM numbers WHERE i <= 6000;
INSERT OR IGNORE INTO moz_inputhistory SELECT pick(23, i, 40000), word(skewed(24, i, 300)), pick(25, i, 9)
FROM numbers WHERE i <= 4000;
INSERT INTO moz_meta SELECT 'key-' || i, i FROM numbers WHERE i <= 20;

-- statement: history-01
-- is: full-scan
-- because: the hash has an index, the address hasn't
-- run: 'https://haxice.org/harigu/500'

SELECT id, title FROM moz_places WHERE url = ?

-- best
-- index: moz_places (url)

-- statement: history-02
-- fine
-- because: found by the hash
-- run: 47350654435740, 'https://none.org/'

SELECT id, title FROM moz_places WHERE url_hash = ? AND url = ?

-- statement: history-03
-- is: harmful-index, missing-statistics, sort-without-index
-- because: never analyzed, an index on a flag seems selective; the order's index would end after a dozen rows

SELECT h.url, h.title, h.frecency FROM moz_places h WHERE h.hidden = 0 AND h.visit_count > 0
ORDER BY h.frecency DESC LIMIT 10

-- best
-- change: ANALYZE

-- or
-- change: DROP INDEX places_hidden_typed

-- statement: history-04
-- fine
-- because: order by index, place by rowid
-- run: 1640000000000000

SELECT p.url, v.* FROM moz_historyvisits v JOIN moz_places p ON p.id = v.place_id
WHERE v.visit_date > ? ORDER BY v.visit_date DESC LIMIT 20

-- statement: history-05
-- is: full-scan, pattern-without-index
-- because: completing an address: LIKE with a NOCASE index is a range

SELECT id, url FROM moz_places WHERE url LIKE 'https://bagu%'

-- best
-- index: moz_places (url COLLATE NOCASE)

-- statement: history-06
-- fine
-- tolerated: or-without-index, pattern-without-index
-- because: no index serves a leading wildcard, on either side

SELECT id, url FROM moz_places WHERE title LIKE '%gruse bagu%' OR description LIKE '%gruse bagu%'

-- statement: history-07
-- is: full-scan
-- because: is this page bookmarked? asked at each page load
-- sampled
-- run: 2500

SELECT b.id, b.title, b.parent FROM moz_bookmarks b WHERE b.fk = ?

-- best
-- index: moz_bookmarks (fk)

-- statement: history-08
-- is: full-scan, sort-without-index
-- because: a folder in order
-- run: 90

SELECT id, title FROM moz_bookmarks WHERE parent = ? ORDER BY position

-- best
-- index: moz_bookmarks (parent, position)

-- or
-- index: moz_bookmarks (parent)

-- statement: history-09
-- is: full-scan, subquery-per-row
-- because: the bookmarks are scanned for each page that might expire
-- run: 20

DELETE FROM moz_places WHERE visit_count = 0 AND frecency < ?
AND NOT EXISTS (SELECT 1 FROM moz_bookmarks WHERE fk = moz_places.id)

-- best
-- index: moz_bookmarks (fk)

-- statement: history-10
-- fine
-- because: the index on the visits' place covers the look-up
-- run: 38000, 38600

SELECT id FROM moz_places h WHERE id BETWEEN ? AND ?
AND NOT EXISTS (SELECT 1 FROM moz_historyvisits WHERE place_id = h.id)

-- statement: history-11
-- is: group-without-index, index-not-covering
-- because: grouping by index reads every page in random order; covering pays

SELECT rev_host, SUM(visit_count) AS visits FROM moz_places GROUP BY rev_host ORDER BY visits DESC LIMIT 20

-- best
-- index: moz_places (rev_host, visit_count)

-- statement: history-12
-- is: full-scan
-- because: 2 % are downloads

SELECT place_id, visit_date FROM moz_historyvisits WHERE visit_type = 7

-- best
-- index: moz_historyvisits (visit_type, place_id, visit_date)

-- or
-- index: moz_historyvisits (visit_type)

-- statement: history-13
-- is: expression-index, full-scan, function-on-column
-- because: the date has an index, which the function hides

SELECT COUNT(*) FROM moz_historyvisits WHERE date(visit_date / 1000000, 'unixepoch') = '2021-05-01'

-- best

SELECT COUNT(*) FROM moz_historyvisits WHERE visit_date >= strftime('%s', '2021-05-01') * 1000000
AND visit_date < strftime('%s', '2021-05-01', '+1 day') * 1000000

-- or
-- index: moz_historyvisits (date(visit_date / 1000000, 'unixepoch'))

-- statement: history-14
-- fine
-- because: the first ten entries of an index

SELECT id, url FROM moz_places ORDER BY visit_count DESC LIMIT 10

-- statement: history-15
-- fine
-- because: the maximum is at the end of a range of the index
-- run: 500, 600

SELECT p.id, (SELECT MAX(v.visit_date) FROM moz_historyvisits v WHERE v.place_id = p.id) AS last
FROM moz_places p WHERE p.origin_id IS NOT NULL AND p.id BETWEEN ? AND ?

-- statement: history-16
-- fine
-- because: a write of one row
-- run: 0, 17, 1700000000000000, 1

INSERT INTO moz_historyvisits (from_visit, place_id, visit_date, visit_type, session) VALUES (?, ?, ?, ?, 0)

-- statement: history-17
-- fine
-- because: primary key
-- run: 'key-7'

SELECT value FROM moz_meta WHERE key = ?

-- statement: history-18
-- is: full-scan, index-not-covering, partial-index, sort-without-index
-- because: the index on both flags finds all 3 % and sorts them; the date behind them ends after 50

SELECT id, url FROM moz_places WHERE typed = 1 AND hidden = 0 ORDER BY last_visit_date DESC LIMIT 50

-- best
-- index: moz_places (typed, hidden, last_visit_date)

-- or
-- index: moz_places (hidden, typed, last_visit_date)

-- statement: history-19
-- is: case-insensitive-without-index, full-scan, pattern-without-index, sort-without-index
-- because: the primary key begins with the place
-- run: 'gudi'

SELECT place_id FROM moz_inputhistory WHERE input LIKE ?1 ORDER BY use_count DESC, place_id LIMIT 5

-- best
-- index: moz_inputhistory (input COLLATE NOCASE, use_count, place_id)

-- or
-- index: moz_inputhistory (input COLLATE NOCASE)

-- statement: history-20
-- is: harmful-index, missing-statistics
-- because: without statistics two flags seem to say more than the host
-- run: 'gro.kixi.'

SELECT id, url FROM moz_places WHERE rev_host = ? AND hidden = 0 AND typed = 0

-- best
-- change: ANALYZE

-- or
-- index: moz_places (rev_host, hidden, typed)

-- or
-- change: DROP INDEX places_hidden_typed

-- statement: history-21
-- fine
-- because: rowids on both sides
-- run: 500, 520

SELECT h.* FROM moz_places h WHERE h.id IN (SELECT fk FROM moz_bookmarks WHERE id BETWEEN ? AND ?)
