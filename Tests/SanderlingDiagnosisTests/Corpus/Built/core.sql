-- schema: core
-- about: A journal app's store as Core Data makes it: entries with media, places and tags, persistent history, and a fetch index that \
--   repeats the one of a relationship. Never analyzed.
-- superfluous: duplicate-index ZMEDIA_ZENTRY_INDEX Z_Media_byEntry

CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
CREATE TABLE ZJOURNAL (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZORDER INTEGER,
  ZCREATED TIMESTAMP, ZNAME VARCHAR);
CREATE TABLE ZPLACE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZLATITUDE FLOAT, ZLONGITUDE FLOAT,
  ZCOUNTRY VARCHAR, ZNAME VARCHAR);
CREATE TABLE ZENTRY (
  Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISSTARRED INTEGER, ZISTRASHED INTEGER, ZMOOD INTEGER,
  ZWORDS INTEGER, ZJOURNAL INTEGER, ZPLACE INTEGER, ZDATE TIMESTAMP, ZMODIFIED TIMESTAMP, ZSYNCED TIMESTAMP,
  ZIDENTIFIER VARCHAR, ZTITLE VARCHAR, ZBODY VARCHAR);
CREATE TABLE ZMEDIA (
  Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSIZE INTEGER, ZENTRY INTEGER, Z_FOK_ENTRY INTEGER,
  ZCAPTURED TIMESTAMP, ZDURATION FLOAT, ZFILENAME VARCHAR, ZTHUMBNAIL BLOB);
CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZUSAGE INTEGER, ZNAME VARCHAR);
CREATE TABLE Z_2TAGS (Z_2ENTRIES INTEGER, Z_7TAGS INTEGER, PRIMARY KEY (Z_2ENTRIES, Z_7TAGS));
CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER,
  ZTIMESTAMP FLOAT);
CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER,
  ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
CREATE INDEX ZENTRY_ZJOURNAL_INDEX ON ZENTRY (ZJOURNAL);
CREATE INDEX ZENTRY_ZPLACE_INDEX ON ZENTRY (ZPLACE);
CREATE INDEX Z_Entry_byDate ON ZENTRY (ZDATE);
CREATE INDEX Z_Entry_byFlags ON ZENTRY (ZISTRASHED, ZISSTARRED);
CREATE INDEX ZMEDIA_ZENTRY_INDEX ON ZMEDIA (ZENTRY);
CREATE INDEX Z_Media_byEntry ON ZMEDIA (ZENTRY);
CREATE INDEX Z_2TAGS_Z_7TAGS_INDEX ON Z_2TAGS (Z_7TAGS, Z_2ENTRIES);
CREATE INDEX ATRANSACTION_ZTIMESTAMP_INDEX ON ATRANSACTION (ZTIMESTAMP);

INSERT INTO Z_PRIMARYKEY VALUES (1, 'Journal', 0, 24), (2, 'Entry', 0, 36000), (3, 'Media', 0, 50000),
  (4, 'Photo', 3, 0), (5, 'Audio', 3, 0), (6, 'Place', 0, 2500), (7, 'Tag', 0, 150);
INSERT INTO ZJOURNAL SELECT i, 1, 1, i, 480000000 + i * 86400.5, title(1, i, 2) FROM numbers WHERE i <= 24;
INSERT INTO ZPLACE
SELECT i, 6, 1, 40 + chance(2, i) * 20, chance(3, i) * 30, upper(word(skewed(4, i, 60))), title(5, i, 2)
FROM numbers WHERE i <= 2500;
INSERT INTO ZENTRY
SELECT i, 2, 1 + pick(6, i, 6), chance(7, i) < 0.02, chance(8, i) < 0.04,
  iif(chance(9, i) < 0.3, NULL, pick(9, i, 5)), pick(10, i, 900), skewed(11, i, 24),
  iif(chance(12, i) < 0.45, NULL, skewed(13, i, 2500)), 480000000 + i * 7200.125,
  480000000 + i * 7200.25 + pick(14, i, 20000000) / 8.0,
  iif(chance(15, i) < 0.003, NULL, iif(chance(15, i) < 0.008, 480000000, 1480000000) + i),
  printf('%08X-%04X', i * 2654435761 & 4294967295, i & 65535),
  iif(chance(16, i) < 0.8, title(17, i, 3), NULL), prose(18, i, skewed(19, i, 2500))
FROM numbers WHERE i <= 36000;
INSERT INTO ZMEDIA
SELECT i, iif(chance(20, i) < 0.97, 4, 5), 1, 20000 + skewed(21, i, 9000000),
  iif(i <= 260, 12000, iif(i <= 420, 12001, pick(22, i, 36000))), i * 1024, 480000000 + i * 5000.5,
  iif(chance(20, i) < 0.97, NULL, pick(23, i, 600)), 'IMG_' || i || '.HEIC', zeroblob(pick(24, i, 200))
FROM numbers WHERE i <= 50000;
INSERT INTO ZTAG SELECT i, 7, 1, 0, word(i) FROM numbers WHERE i <= 150;
INSERT OR IGNORE INTO Z_2TAGS
SELECT iif(i <= 120, 12000 + i % 2, pick(25, i, 36000)), skewed(26, i, 150) FROM numbers WHERE i <= 55000;
INSERT INTO ATRANSACTION SELECT i, 16001, 1, pick(27, i, 3), 700000000 + i * 300.5 FROM numbers WHERE i <= 5000;
INSERT INTO ACHANGE
SELECT i, 16002, 1, pick(28, i, 3) - 1, 1 + skewed(29, i, 6), pick(30, i, 36000), 1 + i / 5, NULL
FROM numbers WHERE i <= 24990;

-- statement: core-01
-- is: sort-without-index
-- because: a journal has thousands of entries, all sorted for the first screen
-- run: 4, 0 | 1, 0

SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZISSTARRED, t0.ZISTRASHED, t0.ZMOOD, t0.ZWORDS, t0.ZDATE, t0.ZMODIFIED, t0.ZIDENTIFIER, t0.ZTITLE, \
t0.ZBODY, t0.ZJOURNAL, t0.ZPLACE FROM ZENTRY t0 WHERE ( t0.ZJOURNAL = ? AND  t0.ZISTRASHED = ?) ORDER BY t0.ZDATE DESC LIMIT 50

-- best
-- index: ZENTRY (ZJOURNAL, ZISTRASHED, ZDATE)

-- or
-- index: ZENTRY (ZJOURNAL, ZDATE)

-- statement: core-02
-- fine
-- because: a batch of faults by primary key
-- run: 101, 212, 323, 434, 545, 656, 767, 878, 989, 1090, 1201, 1312, 1423, 1534, 1645, 1756, 1867, 1978, 2089, 2190

SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZISSTARRED, t0.ZISTRASHED, t0.ZMOOD, t0.ZWORDS, t0.ZDATE, t0.ZMODIFIED, t0.ZIDENTIFIER, t0.ZTITLE, \
t0.ZBODY, t0.ZJOURNAL, t0.ZPLACE FROM ZENTRY t0 WHERE  t0.Z_PK IN  (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)  LIMIT 20

-- statement: core-03
-- is: full-scan, index-not-covering, wide-rows-for-count
-- because: 3 % of the media are recordings; their entries come from one index
-- run: 5

SELECT COUNT( DISTINCT t0.Z_PK) FROM ZENTRY t0 JOIN ZMEDIA t1 ON t0.Z_PK = t1.ZENTRY WHERE  t1.Z_ENT = ?

-- best
-- index: ZMEDIA (Z_ENT, ZENTRY)

-- statement: core-04
-- is: full-scan
-- because: found by its country, a place leads to its entries by their index
-- sampled
-- run: 'GRUPE'

SELECT 0, t0.Z_PK FROM ZENTRY t0 LEFT OUTER JOIN ZPLACE t1 ON t0.ZPLACE = t1.Z_PK WHERE  t1.ZCOUNTRY = ? ORDER BY t0.ZDATE

-- best
-- index: ZPLACE (ZCOUNTRY)

-- statement: core-05
-- is: subquery-per-row
-- because: media.@count > 6 counts once for each of 36,000 entries; the index gives all counts in one walk
-- run: 6

SELECT 0, t0.Z_PK FROM ZENTRY t0 WHERE (SELECT COUNT(t1.Z_PK) FROM ZMEDIA t1 WHERE (t0.Z_PK = t1.ZENTRY) ) > ?

-- best

SELECT 0, t0.Z_PK FROM ZENTRY t0 WHERE t0.Z_PK IN (SELECT t1.ZENTRY FROM ZMEDIA t1 GROUP BY t1.ZENTRY HAVING COUNT(*) > ?)

-- statement: core-06
-- is: repeated-statement
-- because: the relationship's fault fires for each entry on its own; prefetching takes one statement
-- operation: timeline
-- run: 211 | 422 | 633 | 844 | 1055 | 1266 | 1477 | 1688 | 1899 | 2110 | 2321 | 2532 | 2743 | 2954 | 3165 | 3376 | 3587 | 3798 | 4009 | \
--   4220 | 4431 | 4642 | 4853 | 5064 | 5275 | 5486 | 5697 | 5908 | 6119 | 6330 | 6541 | 6752 | 6963 | 7174 | 7385 | 7596 | 7807 | 8018 | 8229 \
--   | 8440 | 8651 | 8862 | 9073 | 9284 | 9495 | 9706 | 9917 | 10128 | 10339 | 10550 | 10761 | 10972 | 11183 | 11394 | 11605 | 11816 | 12027 | \
--   12238 | 12449 | 12660 | 12871 | 13082 | 13293 | 13504 | 13715 | 13926 | 14137 | 14348 | 14559 | 14770 | 14981 | 15192 | 15403 | 15614 | \
--   15825 | 16036 | 16247 | 16458 | 16669 | 16880 | 17091 | 17302 | 17513 | 17724 | 17935 | 18146 | 18357 | 18568 | 18779 | 18990 | 19201 | \
--   19412 | 19623 | 19834 | 20045 | 20256 | 20467 | 20678 | 20889 | 21100 | 21311 | 21522 | 21733 | 21944 | 22155 | 22366 | 22577 | 22788 | \
--   22999 | 23210 | 23421 | 23632 | 23843 | 24054 | 24265 | 24476 | 24687 | 24898 | 25109 | 25320 | 25531 | 25742 | 25953 | 26164 | 26375 | \
--   26586 | 26797 | 27008 | 27219 | 27430

SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZSIZE, t0.ZFILENAME FROM ZMEDIA t0 WHERE  t0.ZENTRY = ? \


-- best
-- run: '[211,422,633,844,1055,1266,1477,1688,1899,2110,2321,2532,2743,2954,3165,3376,3587,3798,4009,4220,4431,4642,4853,5064,5275,5486,\
--   5697,5908,6119,6330,6541,6752,6963,7174,7385,7596,7807,8018,8229,8440,8651,8862,9073,9284,9495,9706,9917,10128,10339,10550,10761,10972,\
--   11183,11394,11605,11816,12027,12238,12449,12660,12871,13082,13293,13504,13715,13926,14137,14348,14559,14770,14981,15192,15403,15614,15825,\
--   16036,16247,16458,16669,16880,17091,17302,17513,17724,17935,18146,18357,18568,18779,18990,19201,19412,19623,19834,20045,20256,20467,20678,\
--   20889,21100,21311,21522,21733,21944,22155,22366,22577,22788,22999,23210,23421,23632,23843,24054,24265,24476,24687,24898,25109,25320,25531,\
--   25742,25953,26164,26375,26586,26797,27008,27219,27430]'

SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZSIZE, t0.ZFILENAME FROM ZMEDIA t0 WHERE  t0.ZENTRY IN (SELECT value FROM json_each(?))

-- statement: core-07
-- is: case-insensitive-without-index, full-scan, function-on-column, index-not-covering, pattern-without-index
-- because: the framework's search can't be looked up, but the titles can be read in the order that is wanted without fetching 36,000 \
--   entries in random order
-- run: 'gruce'

SELECT 0, t0.Z_PK FROM ZENTRY t0 WHERE  NSCoreDataStringSearch( t0.ZTITLE, ?, 393, 0) ORDER BY t0.ZDATE DESC

-- best
-- index: ZENTRY (ZDATE, ZTITLE)

-- statement: core-08
-- fine
-- because: the index on the other side of the join table covers it
-- run: 101, 128, 140

SELECT DISTINCT t0.Z_2ENTRIES FROM Z_2TAGS t0 WHERE  t0.Z_7TAGS IN  (?,?,?) \


-- statement: core-09
-- fine
-- because: the fetch index gives the order

SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZISSTARRED, t0.ZISTRASHED, t0.ZMOOD, t0.ZWORDS, t0.ZDATE, t0.ZMODIFIED, t0.ZIDENTIFIER, t0.ZTITLE, \
t0.ZBODY, t0.ZJOURNAL, t0.ZPLACE FROM ZENTRY t0 ORDER BY t0.ZDATE DESC LIMIT 20

-- statement: core-10
-- is: large-offset
-- because: fetchOffset steps over 18,000 entries

SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZTITLE, t0.ZDATE FROM ZENTRY t0 ORDER BY t0.ZDATE DESC LIMIT 100 OFFSET 18000

-- best
-- run: 609609450.125

SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZTITLE, t0.ZDATE FROM ZENTRY t0 WHERE  t0.ZDATE < ? ORDER BY t0.ZDATE DESC LIMIT 100

-- statement: core-11
-- is: full-scan, or-without-index, partial-index
-- because: two columns of a row are compared: only a partial index knows the 0.8 %

SELECT 0, t0.Z_PK FROM ZENTRY t0 WHERE ( t0.ZSYNCED IS NULL OR  t0.ZSYNCED < t0.ZMODIFIED)

-- best
-- index: ZENTRY (Z_PK) WHERE ZSYNCED IS NULL OR ZSYNCED < ZMODIFIED

-- statement: core-12
-- is: group-without-index, harmful-index, index-not-covering, missing-statistics
-- because: 96 % count: an index on a flag fetches each of them; a covering one is also in order of the groups
-- run: 0

SELECT t0.ZJOURNAL, COUNT( t0.Z_PK), SUM( t0.ZWORDS) FROM ZENTRY t0 WHERE  t0.ZISTRASHED = ? GROUP BY t0.ZJOURNAL

-- best
-- index: ZENTRY (ZISTRASHED, ZJOURNAL, ZWORDS)

-- statement: core-13
-- is: multiplied-aggregate
-- because: 260 photos × 30 tags: the album weighs thirty times what it does
-- run: 12000, 12001

SELECT t0.Z_PK, COUNT( t1.Z_PK), SUM( t1.ZSIZE), COUNT( t2.Z_7TAGS) FROM ZENTRY t0 LEFT OUTER JOIN ZMEDIA t1 ON t0.Z_PK = t1.ZENTRY LEFT \
OUTER JOIN Z_2TAGS t2 ON t0.Z_PK = t2.Z_2ENTRIES WHERE  t0.Z_PK IN (?, ?) GROUP BY t0.Z_PK

-- best
-- changes results

SELECT t0.Z_PK, (SELECT COUNT( t1.Z_PK) FROM ZMEDIA t1 WHERE t1.ZENTRY = t0.Z_PK), (SELECT SUM( t1.ZSIZE) FROM ZMEDIA t1 WHERE t1.ZENTRY = \
t0.Z_PK), (SELECT COUNT( t2.Z_7TAGS) FROM Z_2TAGS t2 WHERE t2.Z_2ENTRIES = t0.Z_PK) FROM ZENTRY t0 WHERE  t0.Z_PK IN (?, ?)

-- statement: core-14
-- is: automatic-index, full-scan, subquery-per-row
-- because: all changes are read for each transaction since the last token
-- run: 701490000.0

SELECT 0, t0.Z_PK, t0.ZTIMESTAMP FROM ATRANSACTION t0 WHERE ( t0.ZTIMESTAMP > ? AND (SELECT COUNT(t1.Z_PK) FROM ACHANGE t1 WHERE \
(t1.ZTRANSACTIONID = t0.Z_PK AND ( t1.ZENTITY = 2 ))) > 0)

-- best
-- index: ACHANGE (ZTRANSACTIONID, ZENTITY)

-- or
-- index: ACHANGE (ZTRANSACTIONID)

-- statement: core-15
-- fine
-- because: 150 tags

SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZUSAGE, t0.ZNAME FROM ZTAG t0 ORDER BY t0.ZNAME

-- statement: core-16
-- fine
-- because: a save: by primary key, the version is compared
-- run: 'A day', 4, 3, 5000, 2

UPDATE ZENTRY SET ZTITLE = ?, ZMOOD = ?, Z_OPT = ?  WHERE Z_PK = ? AND Z_OPT = ?

-- statement: core-17
-- fine
-- tolerated: case-insensitive-without-index, function-on-column, pattern-without-index
-- because: a few entries of a place, found by its index
-- run: 900, 'gu'

SELECT 0, t0.Z_PK FROM ZENTRY t0 WHERE ( t0.ZPLACE = ? AND  NSCoreDataStringSearch( t0.ZTITLE, ?, 385, 0))

-- statement: core-18
-- is: harmful-index, missing-statistics
-- because: without statistics two flags seem to say more than the place: they find 94 %, the place a few
-- run: 900, 0, 0

SELECT 0, t0.Z_PK, t0.ZTITLE FROM ZENTRY t0 WHERE (( t0.ZPLACE = ? AND  t0.ZISTRASHED = ?) AND  t0.ZISSTARRED = ?)

-- best
-- change: ANALYZE

-- or
-- change: DROP INDEX Z_Entry_byFlags

-- or
-- index: ZENTRY (ZPLACE, ZISTRASHED, ZISSTARRED)
