-- schema: contacts
-- about: Core Data's shape: 15,002 screenees of 40 profiles with their visits and tags. The framework never analyzes.

CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
CREATE TABLE ZPROFILE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPOSITION INTEGER, ZNAME VARCHAR);
CREATE TABLE ZASCREENEE (
  Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAGE INTEGER, ZISFAVORITE INTEGER, ZPROFILE INTEGER,
  ZCREATED TIMESTAMP, ZEMAIL VARCHAR, ZFIRSTNAME VARCHAR, ZLASTNAME VARCHAR, ZNORMALIZEDNAME VARCHAR,
    ZNOTE VARCHAR);
CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
CREATE TABLE ZVISIT (
  Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZKIND INTEGER, ZSTATE INTEGER, ZSCREENEE INTEGER,
  ZDATE TIMESTAMP, ZDURATION FLOAT, ZSUMMARY VARCHAR);
CREATE TABLE Z_1TAGS (Z_1SCREENEES INTEGER, Z_3TAGS INTEGER, PRIMARY KEY (Z_1SCREENEES, Z_3TAGS));
CREATE INDEX ZASCREENEE_ZPROFILE_INDEX ON ZASCREENEE (ZPROFILE);
CREATE INDEX ZVISIT_ZSCREENEE_INDEX ON ZVISIT (ZSCREENEE);
CREATE INDEX Z_1TAGS_Z_3TAGS_INDEX ON Z_1TAGS (Z_3TAGS, Z_1SCREENEES);

INSERT INTO Z_PRIMARYKEY VALUES
  (1, 'AScreenee', 0, 15002), (2, 'Profile', 0, 40), (3, 'Tag', 0, 80), (4, 'Visit', 0, 60000);
INSERT INTO ZPROFILE SELECT i, 2, 1, i, title(1, i, 2) FROM numbers WHERE i <= 40;
INSERT INTO ZASCREENEE
SELECT i, 1, 1 + pick(2, i, 5), 18 + pick(3, i, 70), chance(4, i) < 0.02, skewed(5, i, 40), 400000000 + i * 9000.25,
  lower(word(i)) || '@example.org', title(6, i, 1), title(7, i, 1),
    lower(title(6, i, 1)) || ' ' || lower(title(7, i, 1)),
  iif(chance(8, i) < 0.4, prose(9, i, pick(10, i, 400)), NULL)
FROM numbers WHERE i <= 15002;
INSERT INTO ZTAG SELECT i, 3, 1, word(i) FROM numbers WHERE i <= 80;
INSERT INTO ZVISIT
SELECT i, 4, 1, min(4, skewed(11, i, 5)), iif(chance(12, i) < 0.006, 9, pick(13, i, 3)),
  iif(i % 20 = 0, 77, skewed(14, i, 15002)), 400000000 + i * 2250.5, pick(15, i, 5400), prose(16, i,
    pick(17, i, 200))
FROM numbers WHERE i <= 60000;
INSERT OR IGNORE INTO Z_1TAGS SELECT pick(18, i, 15002), skewed(19, i, 80) FROM numbers WHERE i <= 30000;

-- statement: contacts-01
-- is: index-not-covering, sort-without-index
-- because: the index on the profile alone leaves a sort; one index serves both, and covers
-- run: 1

SELECT 0, t0.Z_PK FROM ZASCREENEE t0 WHERE  t0.ZPROFILE = ? ORDER BY t0.ZLASTNAME, t0.ZFIRSTNAME

-- best
-- index: ZASCREENEE (ZPROFILE, ZLASTNAME, ZFIRSTNAME)

-- statement: contacts-02
-- is: sort-without-index
-- because: a page of a sorted list needs the order from the index
-- run: 2

SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZAGE, t0.ZISFAVORITE, t0.ZCREATED, t0.ZEMAIL, t0.ZFIRSTNAME, t0.ZLASTNAME, t0.ZNORMALIZEDNAME, t0.ZNOTE, \
t0.ZPROFILE FROM ZASCREENEE t0 WHERE  t0.ZPROFILE = ? ORDER BY t0.ZLASTNAME, t0.ZFIRSTNAME LIMIT 100

-- best
-- index: ZASCREENEE (ZPROFILE, ZLASTNAME, ZFIRSTNAME)

-- statement: contacts-03
-- is: case-insensitive-without-index, full-scan, function-on-column, pattern-without-index
-- because: the app's function sees every row: a stored normalized name is searched by range
-- run: 'bagu'

SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZAGE, t0.ZISFAVORITE, t0.ZCREATED, t0.ZEMAIL, t0.ZFIRSTNAME, t0.ZLASTNAME, t0.ZNORMALIZEDNAME, t0.ZNOTE, \
t0.ZPROFILE FROM ZASCREENEE t0 WHERE  NSCoreDataStringSearch( t0.ZFIRSTNAME, ?, 385, 0)

-- best: design

-- statement: contacts-04
-- is: full-scan
-- because: BEGINSWITH on a normalized attribute is a range
-- run: 'bagu', 'bagv'

SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZAGE, t0.ZISFAVORITE, t0.ZCREATED, t0.ZEMAIL, t0.ZFIRSTNAME, t0.ZLASTNAME, t0.ZNORMALIZEDNAME, t0.ZNOTE, \
t0.ZPROFILE FROM ZASCREENEE t0 WHERE ( t0.ZNORMALIZEDNAME >= ? AND  t0.ZNORMALIZEDNAME < ?)

-- best
-- index: ZASCREENEE (ZNORMALIZEDNAME)

-- statement: contacts-05
-- is: full-scan, index-not-covering, wide-rows-for-count
-- because: 2 % are favourites
-- run: 1

SELECT COUNT( DISTINCT t0.Z_PK) FROM ZASCREENEE t0 WHERE  t0.ZISFAVORITE = ?

-- best
-- index: ZASCREENEE (ZISFAVORITE)

-- statement: contacts-06
-- fine
-- because: the inverse index of the join table covers, the rest is by primary key
-- run: 40

SELECT DISTINCT 0, t0.Z_PK, t0.Z_OPT, t0.ZFIRSTNAME, t0.ZLASTNAME FROM ZASCREENEE t0 JOIN Z_1TAGS t1 ON t0.Z_PK = t1.Z_1SCREENEES WHERE  \
t1.Z_3TAGS = ?

-- statement: contacts-07
-- is: sort-without-index
-- because: one screenee has 3,000 visits, all read for the last one
-- run: 77

SELECT 0, t0.Z_PK, t0.ZDATE FROM ZVISIT t0 WHERE  t0.ZSCREENEE = ? ORDER BY t0.ZDATE DESC LIMIT 1

-- best
-- index: ZVISIT (ZSCREENEE, ZDATE)

-- statement: contacts-08
-- fine
-- because: a batch of rows by primary key
-- run: 11, 502, 1003, 4004, 7005, 9006, 12007, 15001

SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZAGE, t0.ZISFAVORITE, t0.ZCREATED, t0.ZEMAIL, t0.ZFIRSTNAME, t0.ZLASTNAME, t0.ZNORMALIZEDNAME, t0.ZNOTE, \
t0.ZPROFILE FROM ZASCREENEE t0 WHERE  t0.Z_PK IN (?,?,?,?,?,?,?,?)

-- statement: contacts-09
-- is: full-scan, sort-without-index
-- because: a week of four years, in order
-- run: 450000000.0, 450604800.0

SELECT 0, t0.Z_PK, t0.ZKIND FROM ZVISIT t0 WHERE ( t0.ZDATE >= ? AND  t0.ZDATE < ?) ORDER BY t0.ZDATE

-- best
-- index: ZVISIT (ZDATE)

-- statement: contacts-10
-- is: repeated-statement
-- because: 200 faults are fired one by one
-- operation: fire faults
-- run: 61 | 122 | 183 | 244 | 305 | 366 | 427 | 488 | 549 | 610 | 671 | 732 | 793 | 854 | 915 | 976 | 1037 | 1098 | 1159 | 1220 | 1281 | \
--   1342 | 1403 | 1464 | 1525 | 1586 | 1647 | 1708 | 1769 | 1830 | 1891 | 1952 | 2013 | 2074 | 2135 | 2196 | 2257 | 2318 | 2379 | 2440 | 2501 \
--   | 2562 | 2623 | 2684 | 2745 | 2806 | 2867 | 2928 | 2989 | 3050 | 3111 | 3172 | 3233 | 3294 | 3355 | 3416 | 3477 | 3538 | 3599 | 3660 | \
--   3721 | 3782 | 3843 | 3904 | 3965 | 4026 | 4087 | 4148 | 4209 | 4270 | 4331 | 4392 | 4453 | 4514 | 4575 | 4636 | 4697 | 4758 | 4819 | 4880 \
--   | 4941 | 5002 | 5063 | 5124 | 5185 | 5246 | 5307 | 5368 | 5429 | 5490 | 5551 | 5612 | 5673 | 5734 | 5795 | 5856 | 5917 | 5978 | 6039 | \
--   6100 | 6161 | 6222 | 6283 | 6344 | 6405 | 6466 | 6527 | 6588 | 6649 | 6710 | 6771 | 6832 | 6893 | 6954 | 7015 | 7076 | 7137 | 7198 | 7259 \
--   | 7320 | 7381 | 7442 | 7503 | 7564 | 7625 | 7686 | 7747 | 7808 | 7869 | 7930 | 7991 | 8052 | 8113 | 8174 | 8235 | 8296 | 8357 | 8418 | \
--   8479 | 8540 | 8601 | 8662 | 8723 | 8784 | 8845 | 8906 | 8967 | 9028 | 9089 | 9150 | 9211 | 9272 | 9333 | 9394 | 9455 | 9516 | 9577 | 9638 \
--   | 9699 | 9760 | 9821 | 9882 | 9943 | 10004 | 10065 | 10126 | 10187 | 10248 | 10309 | 10370 | 10431 | 10492 | 10553 | 10614 | 10675 | 10736 \
--   | 10797 | 10858 | 10919 | 10980 | 11041 | 11102 | 11163 | 11224 | 11285 | 11346 | 11407 | 11468 | 11529 | 11590 | 11651 | 11712 | 11773 | \
--   11834 | 11895 | 11956 | 12017 | 12078 | 12139 | 12200

SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZAGE, t0.ZISFAVORITE, t0.ZCREATED, t0.ZEMAIL, t0.ZFIRSTNAME, t0.ZLASTNAME, t0.ZNORMALIZEDNAME, t0.ZNOTE, \
t0.ZPROFILE FROM ZASCREENEE t0 WHERE  t0.Z_PK = ? \


-- best
-- run: '[61,122,183,244,305,366,427,488,549,610,671,732,793,854,915,976,1037,1098,1159,1220,1281,1342,1403,1464,1525,1586,1647,1708,1769,\
--   1830,1891,1952,2013,2074,2135,2196,2257,2318,2379,2440,2501,2562,2623,2684,2745,2806,2867,2928,2989,3050,3111,3172,3233,3294,3355,3416,\
--   3477,3538,3599,3660,3721,3782,3843,3904,3965,4026,4087,4148,4209,4270,4331,4392,4453,4514,4575,4636,4697,4758,4819,4880,4941,5002,5063,\
--   5124,5185,5246,5307,5368,5429,5490,5551,5612,5673,5734,5795,5856,5917,5978,6039,6100,6161,6222,6283,6344,6405,6466,6527,6588,6649,6710,\
--   6771,6832,6893,6954,7015,7076,7137,7198,7259,7320,7381,7442,7503,7564,7625,7686,7747,7808,7869,7930,7991,8052,8113,8174,8235,8296,8357,\
--   8418,8479,8540,8601,8662,8723,8784,8845,8906,8967,9028,9089,9150,9211,9272,9333,9394,9455,9516,9577,9638,9699,9760,9821,9882,9943,10004,\
--   10065,10126,10187,10248,10309,10370,10431,10492,10553,10614,10675,10736,10797,10858,10919,10980,11041,11102,11163,11224,11285,11346,11407,\
--   11468,11529,11590,11651,11712,11773,11834,11895,11956,12017,12078,12139,12200]'

SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZAGE, t0.ZISFAVORITE, t0.ZCREATED, t0.ZEMAIL, t0.ZFIRSTNAME, t0.ZLASTNAME, t0.ZNORMALIZEDNAME, t0.ZNOTE, \
t0.ZPROFILE FROM ZASCREENEE t0 WHERE  t0.Z_PK IN (SELECT value FROM json_each(?))

-- statement: contacts-11
-- is: full-scan, or-without-index
-- because: each side of the OR needs an index of its own; one alone is useless
-- run: 'tufo@example.org', 'loce vace'

SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZAGE, t0.ZISFAVORITE, t0.ZCREATED, t0.ZEMAIL, t0.ZFIRSTNAME, t0.ZLASTNAME, t0.ZNORMALIZEDNAME, t0.ZNOTE, \
t0.ZPROFILE FROM ZASCREENEE t0 WHERE ( t0.ZEMAIL = ? OR  t0.ZNORMALIZEDNAME = ?)

-- best
-- index: ZASCREENEE (ZEMAIL)
-- index: ZASCREENEE (ZNORMALIZEDNAME)

-- statement: contacts-12
-- is: distinct-without-index, index-not-covering, sort-without-index
-- because: the index covers, in order, so that equal names are neighbours

SELECT DISTINCT t0.ZLASTNAME FROM ZASCREENEE t0 ORDER BY t0.ZLASTNAME

-- best
-- index: ZASCREENEE (ZLASTNAME)

-- statement: contacts-13
-- fine
-- because: Core Data's optimistic save is by primary key
-- run: 'Nora', 3, 500, 2

UPDATE ZASCREENEE SET ZFIRSTNAME = ?, Z_OPT = ?  WHERE Z_PK = ? AND Z_OPT = ?

-- statement: contacts-14
-- fine
-- because: primary key of a tiny table
-- run: 4

SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?

-- statement: contacts-15
-- fine
-- because: a range of the primary key in its order, and a look-up by another
-- run: 14000, 14050

SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZAGE, t0.ZISFAVORITE, t0.ZCREATED, t0.ZEMAIL, t0.ZFIRSTNAME, t0.ZLASTNAME, t0.ZNORMALIZEDNAME, t0.ZNOTE, \
t0.ZPROFILE, t1.ZNAME FROM ZASCREENEE t0 LEFT OUTER JOIN ZPROFILE t1 ON t0.ZPROFILE = t1.Z_PK WHERE ( t0.Z_PK > ? AND  t0.Z_PK <= ?) ORDER \
BY t0.Z_PK

-- statement: contacts-16
-- is: group-without-index, index-not-covering
-- because: 60,000 wide rows are sorted to count four groups

SELECT t0.ZKIND, COUNT( t0.Z_PK) FROM ZVISIT t0 GROUP BY  t0.ZKIND

-- best
-- index: ZVISIT (ZKIND)

-- statement: contacts-17
-- is: full-scan
-- because: 0.6 % are in state 9
-- run: 9, 440000000.0

DELETE FROM ZVISIT WHERE ZSTATE = ?1 AND ZDATE < ?2

-- best
-- index: ZVISIT (ZSTATE, ZDATE)

-- or
-- index: ZVISIT (ZSTATE)

-- or
-- index: ZVISIT (ZDATE) WHERE ZSTATE = 9
