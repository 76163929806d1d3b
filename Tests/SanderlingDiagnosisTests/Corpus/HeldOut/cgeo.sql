-- schema: cgeo
-- about: Geocaches as a phone keeps them: what is on the map, in lists, with its logs, attributes and waypoints; keys are texts.
-- source: From github.com/cgeo/cgeo: main/src/main/java/cgeo/geocaching/storage/DataStore.java
-- origin: c:geo, database version 110 (Apache-2.0, Copyright the c:geo contributors): twelve of the tables of its DataStore with their \
--   indexes
-- superfluous: duplicate-index in_caches_geo
-- superfluous: redundant-index in_wpts_geo

CREATE TABLE cg_caches (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, updated LONG NOT NULL, detailed INTEGER NOT NULL DEFAULT 0, detailedupdate LONG, visiteddate \
LONG, geocode TEXT UNIQUE NOT NULL, reason INTEGER NOT NULL DEFAULT 0, cacheid TEXT,
  guid TEXT, type TEXT, name TEXT, owner TEXT, owner_real TEXT, hidden LONG, hint TEXT, size TEXT, difficulty FLOAT, terrain FLOAT, \
location TEXT, direction DOUBLE, distance DOUBLE, latitude DOUBLE, longitude DOUBLE,
  reliable_latlon INTEGER, personal_note TEXT, shortdesc TEXT, description TEXT, favourite_cnt INTEGER, rating FLOAT, votes INTEGER, \
myvote FLOAT, disabled INTEGER NOT NULL DEFAULT 0, archived INTEGER NOT NULL DEFAULT 0,
  members INTEGER NOT NULL DEFAULT 0, found INTEGER NOT NULL DEFAULT 0, favourite INTEGER NOT NULL DEFAULT 0, inventorycoins INTEGER \
DEFAULT 0, inventorytags INTEGER DEFAULT 0, inventoryunknown INTEGER DEFAULT 0,
  onWatchList INTEGER DEFAULT 0, coordsChanged INTEGER DEFAULT 0, finalDefined INTEGER DEFAULT 0, logPasswordRequired INTEGER DEFAULT 0, \
watchlistCount INTEGER DEFAULT -1, preventWaypointsFromNote INTEGER DEFAULT 0,
  owner_guid TEXT NOT NULL DEFAULT '', emoji INTEGER DEFAULT 0, emojiString TEXT, alcMode INTEGER DEFAULT 0, tier TEXT, health_score INTEGER);
CREATE TABLE cg_lists (_id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, updated LONG NOT NULL, marker INTEGER NOT NULL, emoji \
INTEGER DEFAULT 0, emojiString TEXT, preventAskForDeletion INTEGER DEFAULT 0);
CREATE TABLE cg_caches_lists (list_id INTEGER NOT NULL, geocode TEXT NOT NULL, PRIMARY KEY (list_id, geocode));
CREATE TABLE cg_attributes (_id INTEGER PRIMARY KEY AUTOINCREMENT, geocode TEXT NOT NULL, updated LONG NOT NULL, attribute TEXT);
CREATE TABLE cg_waypoints (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, geocode TEXT NOT NULL, updated LONG NOT NULL, type TEXT NOT NULL DEFAULT 'waypoint', prefix TEXT, \
lookup TEXT, name TEXT, latitude DOUBLE, longitude DOUBLE, note TEXT,
  own INTEGER DEFAULT 0, visited INTEGER DEFAULT 0, user_note TEXT, org_coords_empty INTEGER DEFAULT 0, calc_state TEXT, projection_type \
TEXT, projection_unit TEXT, projection_formula_2 TEXT, projection_formula_1 TEXT,
  preprojected_latitude DOUBLE, preprojected_longitude DOUBLE, geofence DOUBLE);
CREATE TABLE cg_logs (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, geocode TEXT NOT NULL, service_log_id TEXT, updated LONG NOT NULL, type INTEGER NOT NULL DEFAULT \
4, author TEXT, author_guid TEXT NOT NULL DEFAULT '', log TEXT, date LONG,
  found INTEGER NOT NULL DEFAULT 0, friend INTEGER, favorite INTEGER NOT NULL DEFAULT 0);
CREATE TABLE cg_logCount (_id INTEGER PRIMARY KEY AUTOINCREMENT, geocode TEXT NOT NULL, updated LONG NOT NULL, type INTEGER NOT NULL \
DEFAULT 4, count INTEGER NOT NULL DEFAULT 0);
CREATE TABLE cg_logImages (_id INTEGER PRIMARY KEY AUTOINCREMENT, log_id INTEGER NOT NULL, title TEXT NOT NULL, url TEXT NOT NULL, \
description TEXT, service_image_id TEXT);
CREATE TABLE cg_logs_offline (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, geocode TEXT NOT NULL, updated LONG NOT NULL, service_log_id TEXT, type INTEGER NOT NULL DEFAULT \
4, log TEXT, date LONG, report_problem TEXT, image_title_prefix TEXT,
  image_scale INTEGER, favorite INTEGER, rating FLOAT, password TEXT, tweet INTEGER);
CREATE TABLE cg_trackables (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, updated LONG NOT NULL, tbcode TEXT NOT NULL, guid TEXT, title TEXT, owner TEXT, released LONG, \
goal TEXT, description TEXT, geocode TEXT, log_date LONG, log_type INTEGER, log_guid TEXT);
CREATE TABLE cg_extension (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, _type INTEGER DEFAULT 0, _key VARCHAR(50), long1 INTEGER DEFAULT 0, long2 INTEGER DEFAULT 0, \
long3 INTEGER DEFAULT 0, long4 INTEGER DEFAULT 0, string1 TEXT, string2 TEXT, string3 TEXT, string4 TEXT);
CREATE TABLE cg_search_destination_history (_id INTEGER PRIMARY KEY AUTOINCREMENT, date LONG NOT NULL, latitude DOUBLE, longitude DOUBLE);
CREATE INDEX in_caches_geo ON cg_caches (geocode);
CREATE INDEX in_caches_guid ON cg_caches (guid);
CREATE INDEX in_caches_lat ON cg_caches (latitude);
CREATE INDEX in_caches_lon ON cg_caches (longitude);
CREATE INDEX in_caches_reason ON cg_caches (reason);
CREATE INDEX in_caches_detailed ON cg_caches (detailed);
CREATE INDEX in_caches_type ON cg_caches (type);
CREATE INDEX in_caches_visit_detail ON cg_caches (visiteddate, detailedupdate);
CREATE INDEX in_attr_geo ON cg_attributes (geocode);
CREATE INDEX in_wpts_geo ON cg_waypoints (geocode);
CREATE INDEX in_wpts_geo_type ON cg_waypoints (geocode, type);
CREATE INDEX in_logs_geo ON cg_logs (geocode, date desc);
CREATE INDEX in_logimagess_logid ON cg_logImages (log_id);
CREATE INDEX in_logcount_geo ON cg_logCount (geocode);
CREATE INDEX in_logsoff_geo ON cg_logs_offline (geocode);
CREATE INDEX in_trck_geo ON cg_trackables (geocode);
CREATE INDEX in_lists_geo ON cg_caches_lists (geocode);
CREATE INDEX in_extension_key ON cg_extension (_key);

INSERT INTO cg_caches (_id, updated, detailed, detailedupdate, visiteddate, geocode, reason, cacheid, guid, type, name, owner, owner_real, \
hidden, size, difficulty, terrain, location, latitude, longitude, shortdesc, description, favourite_cnt, disabled, archived, found, \
owner_guid)
SELECT i, 1700000000000 + i * 1000, chance(1, i) < 0.92, iif(chance(2, i) < 0.015, 1600000000000, 1690000000000) + pick(3, i, 40000) * \
1000000, iif(chance(4, i) < 0.3, 1700000000000 + pick(5, i, 30000) * 1000000, 0), 'GC' || printf('%X', 100000 + i * 37), chance(6, i) < 0.7,
  CAST(i * 91 AS TEXT), printf('%08x-%04x', i * 7919, i), CASE skewed(7, i, 6) WHEN 1 THEN 'traditional' WHEN 2 THEN 'mystery' WHEN 3 THEN \
'multi' WHEN 4 THEN 'earth' WHEN 5 THEN 'letterbox' ELSE 'event' END, title(8, i, 1 + pick(9, i, 3)),
  word(skewed(10, i, 2500)), word(skewed(10, i, 2500)), 1200000000000 + pick(11, i, 500000) * 1000000, CASE pick(12, i, 4) WHEN 1 THEN \
'micro' WHEN 2 THEN 'small' WHEN 3 THEN 'regular' ELSE 'other' END, (1 + skewed(13, i, 9)) / 2.0, (1 + skewed(14, i, 9)) / 2.0,
  title(15, i, 2), 47 + chance(16, skewed(17, i, 40)) * 7 + chance(18, i) * 0.5, 6 + chance(19, skewed(17, i, 40)) * 9 + chance(20, i) * \
0.5, prose(21, i, 60), prose(22, i, 300 + pick(23, i, 700)), skewed(24, i, 500) - 1, chance(25, i) < 0.05, chance(26, i) < 0.08, \
chance(27, i) < 0.12,
  printf('%08x', skewed(10, i, 2500) * 104729)
FROM numbers WHERE i <= 12000;
INSERT INTO cg_lists SELECT 9 + i, title(28, i, 2), 1700000000000, 0, 0, NULL, 0 FROM numbers WHERE i <= 40;
INSERT OR IGNORE INTO cg_caches_lists SELECT 1, geocode FROM cg_caches WHERE chance(29, _id) < 0.6;
INSERT OR IGNORE INTO cg_caches_lists SELECT 9 + skewed(30, i, 40), 'GC' || printf('%X', 100000 + pick(31, i, 12000) * 37) FROM numbers \
WHERE i <= 6000;
INSERT INTO cg_attributes SELECT i, 'GC' || printf('%X', 100000 + (1 + i % 10000) * 37), 1700000000000, word(100 + skewed(32, i, 70)) || \
iif(chance(33, i) < 0.8, '_yes', '_no') FROM numbers WHERE i <= 40000;
INSERT INTO cg_waypoints (_id, geocode, updated, type, prefix, name, latitude, longitude, note, own, visited)
SELECT i, 'GC' || printf('%X', 100000 + pick(34, i, 12000) * 37), 1700000000000, CASE skewed(35, i, 5) WHEN 1 THEN 'waypoint' WHEN 2 THEN \
'pkg' WHEN 3 THEN 'stage' WHEN 4 THEN 'puzzle' ELSE 'own' END, printf('%02d', i % 20), title(36, i, 2), 47 + chance(37, i) * 7, 6 + \
chance(38, i) * 9, prose(39, i, 60), chance(40, i) < 0.1, chance(41, i) < 0.2
FROM numbers WHERE i <= 14000;
INSERT INTO cg_logs
SELECT i, 'GC' || printf('%X', 100000 + iif(chance(42, i) < 0.5, skewed(43, i, 12000), pick(44, i, 12000)) * 37), printf('%x', i * 131), \
1700000000000, iif(chance(45, i) < 0.75, 2, skewed(46, i, 60)), word(skewed(47, i, 6000)), printf('%08x', skewed(47, i, 6000) * 104729),
  prose(48, i, 20 + pick(49, i, 180)), 1420000000000 + pick(50, i, 280000) * 1000000, chance(51, i) < 0.03, chance(52, i) < 0.02, chance(53, i) < 0.05
FROM numbers WHERE i <= 50000;
INSERT INTO cg_logCount SELECT i, 'GC' || printf('%X', 100000 + (1 + i % 10000) * 37), 1700000000000, 1 + i / 10000, skewed(54, i, 300) \
FROM numbers WHERE i <= 30000;
INSERT INTO cg_logImages SELECT i, pick(55, i, 50000), title(56, i, 2), 'https://img.example/' || i, NULL, printf('%x', i) FROM numbers \
WHERE i <= 6000;
INSERT INTO cg_logs_offline (_id, geocode, updated, type, log, date) SELECT i, 'GC' || printf('%X', 100000 + pick(57, i, 12000) * 37), \
1700000000000, 2, prose(58, i, 80), 1700000000000 + i * 5000000 FROM numbers WHERE i <= 15;
INSERT INTO cg_trackables (_id, updated, tbcode, title, owner, geocode, log_date) SELECT i, 1700000000000, 'TB' || printf('%X', 5000 + i * \
13), title(59, i, 2), word(skewed(60, i, 900)), iif(chance(61, i) < 0.6, 'GC' || printf('%X', 100000 + pick(62, i, 12000) * 37), NULL), \
NULL FROM numbers WHERE i <= 9000;
INSERT INTO cg_extension (_id, _type, _key, long1, string1) SELECT i, skewed(63, i, 6), 'GC' || printf('%X', 100000 + pick(64, i, 12000) * \
37), pick(65, i, 900), prose(66, i, 40) FROM numbers WHERE i <= 15000;

-- statement: cgeo-01
-- is: index-not-covering
-- because: what lies on the map: all rows of a band of the earth are read, as each index knows one coordinate
-- run: 48.0, 48.3, 9.0, 9.6 | 49.2, 49.35, 8.0, 8.4

SELECT geocode FROM cg_caches WHERE latitude >= ? AND latitude <= ? AND longitude >= ? AND longitude <= ?

-- best
-- index: cg_caches (longitude, latitude, geocode)

-- or
-- index: cg_caches (latitude, longitude, geocode)

-- or
-- index: cg_caches (latitude, longitude)

-- statement: cgeo-02
-- is: case-insensitive-without-index, full-scan, sort-without-index
-- because: the last logs of somebody, whatever the case of the name
-- run: 'LOCE' | 'Drice'

SELECT l.geocode, c.name, l.date FROM cg_logs AS l JOIN cg_caches AS c ON c.geocode = l.geocode WHERE l.author = ? COLLATE NOCASE ORDER BY \
l.date DESC LIMIT 50

-- best
-- index: cg_logs (author COLLATE NOCASE, date, geocode)

-- or
-- index: cg_logs (author COLLATE NOCASE, date)

-- statement: cgeo-03
-- is: join-order, missing-statistics, sort-without-index
-- because: the first names of a list that has more than half of all: each of its caches is looked up and sorted
-- run: 1

SELECT c.geocode, c.name FROM cg_caches_lists AS l JOIN cg_caches AS c ON c.geocode = l.geocode WHERE l.list_id = ? ORDER BY c.name \
COLLATE NOCASE, c.geocode LIMIT 60

-- best
-- index: cg_caches (name COLLATE NOCASE, geocode)

SELECT c.geocode, c.name FROM cg_caches AS c CROSS JOIN cg_caches_lists AS l WHERE l.geocode = c.geocode AND l.list_id = ? ORDER BY c.name \
COLLATE NOCASE, c.geocode LIMIT 60

-- statement: cgeo-04
-- is: full-scan, group-without-index, harmful-index, index-not-covering, partial-index, wide-rows-for-count
-- because: what was found, by type: the index of types gives the order, and each row is looked up

SELECT type, count(*) AS n FROM cg_caches WHERE found = 1 AND archived = 0 GROUP BY type ORDER BY n DESC

-- best
-- index: cg_caches (found, archived, type)

-- or
-- index: cg_caches (type) WHERE found = 1 AND archived = 0

-- statement: cgeo-05
-- is: full-scan, or-without-index
-- because: the caches of an owner, by either of two columns without an index
-- run: '0fa5c8a9', 'gune' | '000ccc90', 'wefo'

SELECT geocode, name FROM cg_caches WHERE owner_guid = ?1 OR owner_real = ?2

-- best
-- index: cg_caches (owner_guid)
-- index: cg_caches (owner_real)

-- statement: cgeo-06
-- is: index-not-covering, subquery-per-row
-- because: when each cache of a list was last found: all of its logs are read for their type
-- run: 10

SELECT c.geocode, c.name, (SELECT max(l.date) FROM cg_logs AS l WHERE l.geocode = c.geocode AND l.type = 2) AS last
FROM cg_caches_lists AS s JOIN cg_caches AS c ON c.geocode = s.geocode WHERE s.list_id = ? ORDER BY last DESC, c.geocode LIMIT 20

-- best
-- index: cg_logs (geocode, type, date)

SELECT c.geocode, c.name, p.last FROM (
  SELECT s.geocode, (SELECT max(l.date) FROM cg_logs AS l WHERE l.geocode = s.geocode AND l.type = 2) AS last FROM cg_caches_lists AS s \
WHERE s.list_id = ? ORDER BY 2 DESC, 1 LIMIT 20) AS p
JOIN cg_caches AS c ON c.geocode = p.geocode ORDER BY p.last DESC, c.geocode

-- or
-- index: cg_logs (geocode, type, date)

-- or
-- index: cg_logs (geocode, date) WHERE type = 2

-- statement: cgeo-07
-- is: full-scan, index-not-covering, subquery-per-row
-- because: easy caches with a rare attribute: each cache is asked for it
-- run: 3, 'hafoce_no' | 2, 'bajece_no'

SELECT c.geocode, c.name FROM cg_caches AS c WHERE c.difficulty <= ? AND EXISTS (SELECT 1 FROM cg_attributes AS a WHERE a.geocode = \
c.geocode AND a.attribute = ?) ORDER BY c.geocode

-- best
-- index: cg_attributes (attribute, geocode)

SELECT c.geocode, c.name FROM cg_caches AS c WHERE c.difficulty <= ? AND c.geocode IN (SELECT a.geocode FROM cg_attributes AS a WHERE \
a.attribute = ?) ORDER BY c.geocode

-- statement: cgeo-08
-- is: case-insensitive-without-index, full-scan, pattern-without-index
-- because: a key looked up by LIKE, which the index with binary order can't serve
-- run: 5, 'GC66457' | 3, 'GC346AC' | 2, 'GC99999'

SELECT _id, _key, long1, string1 FROM cg_extension WHERE _type = ? AND _key LIKE ? ORDER BY _id LIMIT 1

-- best
-- index: cg_extension (_type, _key COLLATE NOCASE)

-- or
-- index: cg_extension (_key COLLATE NOCASE)

-- or
-- index: cg_extension (_key COLLATE NOCASE, _type)

-- statement: cgeo-09
-- is: case-insensitive-without-index, distinct-without-index, full-scan, pattern-without-index
-- because: names that are proposed while somebody types
-- run: 'wexi%' | 'shuba%'

SELECT DISTINCT author FROM cg_logs WHERE author LIKE ? ORDER BY author LIMIT 20

-- best
-- index: cg_logs (author COLLATE NOCASE)

-- statement: cgeo-10
-- is: expression-index, full-scan, function-on-column, group-without-index
-- because: the logs of a day, by a function of milliseconds
-- run: '2022-06-14' | '2023-01-01'

SELECT type, count(*) FROM cg_logs WHERE date(date / 1000, 'unixepoch') = ? GROUP BY type

-- best
-- index: cg_logs (date(date / 1000, 'unixepoch'), type)

-- or
-- index: cg_logs (date, type)

SELECT type, count(*) FROM cg_logs WHERE date >= strftime('%s', ?1) * 1000 AND date < (strftime('%s', ?1) + 86400) * 1000 GROUP BY type

-- statement: cgeo-11
-- is: full-scan
-- because: a trackable by its code: the only index is that of the cache where it lies
-- run: 'TB1A2B' | 'TB1E24C' | 'TB14B8'

SELECT _id, title, geocode FROM cg_trackables WHERE tbcode = ? LIMIT 1

-- best
-- index: cg_trackables (tbcode)

-- statement: cgeo-12
-- fine
-- tolerated: sort-without-index
-- because: the logs of a cache with their images, in the order of an index
-- run: 'GC1870F'

SELECT l._id, l.author, l.log, l.date, i.title, i.url FROM cg_logs AS l LEFT JOIN cg_logImages AS i ON i.log_id = l._id WHERE l.geocode = \
? ORDER BY l.date DESC, l._id

-- statement: cgeo-13
-- is: index-not-covering
-- because: what may be thrown away: old details, found by the index of visits and details, which lacks the rest
-- run: 1640100000000

SELECT geocode FROM cg_caches WHERE detailed = 1 AND detailedupdate < ? AND visiteddate = 0 AND geocode NOT IN (SELECT geocode FROM cg_caches_lists)

-- best
-- index: cg_caches (visiteddate, detailed, detailedupdate, geocode)

-- statement: cgeo-14
-- fine
-- because: all rows, counted in the smallest index

SELECT count(*) FROM cg_caches

-- statement: cgeo-15
-- fine
-- because: the images of the logs of a cache, by indexes
-- run: 'GC1870F'

DELETE FROM cg_logImages WHERE log_id IN (SELECT _id FROM cg_logs WHERE geocode = ?)

-- statement: cgeo-16
-- fine
-- tolerated: sort-without-index
-- because: logs that aren't sent yet, of which there are few

SELECT c.geocode, c.name, o.date FROM cg_logs_offline AS o JOIN cg_caches AS c ON c.geocode = o.geocode ORDER BY o.date DESC

-- statement: cgeo-17
-- fine
-- because: one list is added to another, by the key
-- run: 11, 12

INSERT OR IGNORE INTO cg_caches_lists SELECT ?, geocode FROM cg_caches_lists WHERE list_id = ?
