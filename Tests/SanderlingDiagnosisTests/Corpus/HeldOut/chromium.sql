-- schema: chromium
-- about: A browser's history: addresses, visits of them, what was searched for, and how often a site was used in each day.
-- origin: Chromium 90, History (BSD-3-Clause, Copyright The Chromium Authors): six of its tables with their indexes

CREATE TABLE urls(
  id INTEGER PRIMARY KEY AUTOINCREMENT,url LONGVARCHAR,title LONGVARCHAR,visit_count INTEGER DEFAULT 0 NOT NULL,typed_count INTEGER \
DEFAULT 0 NOT NULL,
  last_visit_time INTEGER NOT NULL,hidden INTEGER DEFAULT 0 NOT NULL);
CREATE INDEX urls_url_index ON urls (url);
CREATE TABLE visits(
  id INTEGER PRIMARY KEY,url INTEGER NOT NULL,visit_time INTEGER NOT NULL,from_visit INTEGER,transition INTEGER DEFAULT 0 NOT NULL,segment_id INTEGER,
  visit_duration INTEGER DEFAULT 0 NOT NULL,incremented_omnibox_typed_score BOOLEAN DEFAULT FALSE NOT NULL,publicly_routable BOOLEAN \
DEFAULT FALSE NOT NULL);
CREATE INDEX visits_url_index ON visits (url);
CREATE INDEX visits_from_index ON visits (from_visit);
CREATE INDEX visits_time_index ON visits (visit_time);
CREATE TABLE visit_source(id INTEGER PRIMARY KEY,source INTEGER NOT NULL);
CREATE TABLE keyword_search_terms (keyword_id INTEGER NOT NULL,url_id INTEGER NOT NULL,term LONGVARCHAR NOT NULL,normalized_term \
LONGVARCHAR NOT NULL);
CREATE INDEX keyword_search_terms_index1 ON keyword_search_terms (keyword_id, normalized_term);
CREATE INDEX keyword_search_terms_index2 ON keyword_search_terms (url_id);
CREATE INDEX keyword_search_terms_index3 ON keyword_search_terms (term);
CREATE TABLE segments (id INTEGER PRIMARY KEY,name VARCHAR,url_id INTEGER NON NULL);
CREATE INDEX segments_name ON segments(name);
CREATE INDEX segments_url_id ON segments(url_id);
CREATE TABLE segment_usage (id INTEGER PRIMARY KEY,segment_id INTEGER NOT NULL,time_slot INTEGER NOT NULL,visit_count INTEGER DEFAULT 0 NOT NULL);
CREATE INDEX segment_usage_time_slot_segment_id ON segment_usage(time_slot, segment_id);
CREATE INDEX segments_usage_seg_id ON segment_usage(segment_id);

INSERT INTO urls
SELECT i, 'https://' || word(skewed(1, i, 900)) || '.example.com/' || word(i) || '/' || i, title(2, i, 5), skewed(3, i, 60), iif(chance(4, \
i) < 0.01, pick(5, i, 9), 0),
  13300000000000000 + (i * 7919 % 20000) * 400000000, chance(6, i) < 0.05 FROM numbers WHERE i <= 20000;
INSERT INTO visits
SELECT i, skewed(7, i, 20000), 13300000000000000 + i * 160000000, iif(chance(8, i) < 0.4 AND i > 9, i - pick(9, i, 8), 0),
  CASE WHEN chance(10, i) < 0.6 THEN 805306368 WHEN chance(10, i) < 0.62 THEN 805306373 WHEN chance(10, i) < 0.7 THEN 805306369 ELSE 268435464 END, 0,
  pick(11, i, 90000000), 0, 0 FROM numbers WHERE i <= 50000;
INSERT INTO visit_source SELECT i * 10, 0 FROM numbers WHERE i <= 5000;
INSERT INTO keyword_search_terms SELECT skewed(12, i, 4), pick(13, i, 20000), title(14, i, 2), lower(title(14, i, 2)) FROM numbers WHERE i <= 6000;
INSERT INTO segments SELECT i, 'http://' || word(i) || '.example.com/', i FROM numbers WHERE i <= 600;
INSERT INTO segment_usage SELECT i, skewed(15, i, 600), 13300000000000000 + (i / 60) * 86400000000, pick(16, i, 9) FROM numbers WHERE i <= 24000;

-- statement: chromium-01
-- is: full-scan, or-without-index
-- because: what the address field completes: a few of each kind, and no index for any
-- run: 13307960000000000, 59, 1

SELECT id, url, title, visit_count, typed_count, last_visit_time, hidden FROM urls
WHERE hidden = 0 AND (last_visit_time >= ? OR visit_count >= ? OR typed_count >= ?)

-- best
-- index: urls (last_visit_time)
-- index: urls (visit_count)
-- index: urls (typed_count)

SELECT id, url, title, visit_count, typed_count, last_visit_time, hidden FROM urls WHERE hidden = 0 AND last_visit_time >= ?1 UNION
SELECT id, url, title, visit_count, typed_count, last_visit_time, hidden FROM urls WHERE hidden = 0 AND visit_count >= ?2 UNION
SELECT id, url, title, visit_count, typed_count, last_visit_time, hidden FROM urls WHERE hidden = 0 AND typed_count >= ?3

-- statement: chromium-02
-- is: index-not-covering, sort-without-index
-- because: a page in a day: by one index all visits of it, by the other all visits of the day
-- run: 1, 13307000000000000, 13307100000000000 | 2, 13306000000000000, 13306200000000000

SELECT id, url, visit_time, from_visit, transition, segment_id, visit_duration FROM visits
WHERE url = ? AND visit_time >= ? AND visit_time < ? ORDER BY visit_time DESC

-- best
-- index: visits (url, visit_time)

-- statement: chromium-03
-- is: full-scan, group-without-index, index-not-covering
-- because: the tiles of a new tab: each visit of three months is looked up, and its page
-- run: 13306500000000000

SELECT u.url, u.title, count(*) AS n FROM visits v JOIN urls u ON u.id = v.url WHERE v.visit_time >= ? AND u.hidden = 0
GROUP BY v.url ORDER BY n DESC LIMIT 8

-- best
-- index: visits (visit_time, url)

SELECT u.url, u.title, n FROM (SELECT v.url AS id, count(*) AS n FROM visits v WHERE v.visit_time >= ? GROUP BY +v.url) v
CROSS JOIN urls u ON u.id = v.id WHERE u.hidden = 0 ORDER BY n DESC LIMIT 8

-- or
-- index: visits (url, visit_time)

-- statement: chromium-04
-- is: distinct-without-index, expression-index, full-scan, function-on-column
-- because: addresses that were made from a keyword: one in fifty

SELECT DISTINCT url FROM visits WHERE (transition & 255) = 5

-- best
-- index: visits (transition & 255, url)

-- statement: chromium-05
-- fine
-- tolerated: distinct-without-index, sort-without-index
-- because: what was searched for and begins so
-- run: 3, 'zu', 'zv'

SELECT DISTINCT k.normalized_term, u.last_visit_time FROM keyword_search_terms k JOIN urls u ON u.id = k.url_id
WHERE k.keyword_id = ? AND k.normalized_term >= ? AND k.normalized_term < ? ORDER BY u.last_visit_time DESC LIMIT 5

-- statement: chromium-06
-- fine
-- because: the oldest visits
-- run: 13301000000000000

SELECT id, url, visit_time FROM visits WHERE visit_time < ? ORDER BY visit_time LIMIT 32

-- statement: chromium-07
-- is: full-scan, pattern-without-index, sort-without-index
-- because: a search that finds a lot: fifty are soon together, if the newest come first
-- run: 'fo' | 'ba'

SELECT id, url, title, last_visit_time FROM urls WHERE hidden = 0 AND title LIKE '%' || ? || '%' ORDER BY last_visit_time DESC LIMIT 50

-- best
-- index: urls (last_visit_time)

-- statement: chromium-08
-- is: full-scan, group-without-index, index-not-covering
-- because: the sites of a quarter: each row is looked up for its count
-- run: 13326000000000000

SELECT segment_id, sum(visit_count) AS n FROM segment_usage WHERE time_slot >= ? GROUP BY segment_id ORDER BY n DESC LIMIT 20

-- best
-- index: segment_usage (time_slot, segment_id, visit_count)

SELECT segment_id, sum(visit_count) AS n FROM segment_usage WHERE time_slot >= ? GROUP BY +segment_id ORDER BY n DESC LIMIT 20

-- or
-- index: segment_usage (segment_id, time_slot, visit_count)

-- statement: chromium-09
-- fine
-- tolerated: full-scan
-- because: each page is looked for in an index

SELECT id FROM urls WHERE NOT EXISTS (SELECT 1 FROM visits WHERE visits.url = urls.id)

-- statement: chromium-10
-- fine
-- because: what a visit led to
-- run: 5188

SELECT id, url, visit_time, transition FROM visits WHERE from_visit = ?

-- statement: chromium-11
-- is: large-offset
-- because: far down the list of the history

SELECT v.id, v.visit_time, u.url, u.title FROM visits v JOIN urls u ON u.id = v.url ORDER BY v.visit_time DESC, v.id DESC LIMIT 100 OFFSET 20000

-- best
-- run: 13304800160000000, 30001

SELECT v.id, v.visit_time, u.url, u.title FROM visits v JOIN urls u ON u.id = v.url
WHERE v.visit_time < ?1 OR (v.visit_time = ?1 AND v.id < ?2) ORDER BY v.visit_time DESC, v.id DESC LIMIT 100
