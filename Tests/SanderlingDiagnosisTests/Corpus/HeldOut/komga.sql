-- schema: komga
-- about: A server of comics: books in series, what is known of both, pages of each book, and who read what.
-- origin: Komga after 1.23 (MIT, Copyright the Komga contributors): sixteen of its tables with their indexes and a view, columns of no \
--   use here left out

CREATE TABLE LIBRARY (ID varchar NOT NULL PRIMARY KEY, NAME varchar NOT NULL, ROOT varchar NOT NULL);
CREATE TABLE USER (ID varchar NOT NULL PRIMARY KEY, EMAIL varchar NOT NULL UNIQUE);
CREATE TABLE SERIES (ID varchar NOT NULL PRIMARY KEY, CREATED_DATE datetime NOT NULL, LAST_MODIFIED_DATE datetime NOT NULL, NAME varchar \
NOT NULL, URL varchar NOT NULL, LIBRARY_ID varchar NOT NULL, BOOK_COUNT int NOT NULL DEFAULT 0, DELETED_DATE datetime NULL, oneshot \
boolean NOT NULL DEFAULT 0, FOREIGN KEY (LIBRARY_ID) REFERENCES LIBRARY (ID));
CREATE INDEX idx__series__library_id ON SERIES (LIBRARY_ID);
CREATE INDEX idx__series__last_modified_date ON SERIES (LAST_MODIFIED_DATE);
CREATE INDEX idx__series__created_date ON SERIES (CREATED_DATE);
CREATE TABLE BOOK (ID varchar NOT NULL PRIMARY KEY, CREATED_DATE datetime NOT NULL, LAST_MODIFIED_DATE datetime NOT NULL, NAME varchar NOT \
NULL, URL varchar NOT NULL, SERIES_ID varchar NOT NULL, FILE_SIZE int8 NOT NULL DEFAULT 0, NUMBER int NOT NULL DEFAULT 0, LIBRARY_ID \
varchar NOT NULL, FILE_HASH varchar NOT NULL DEFAULT '', DELETED_DATE datetime NULL, FOREIGN KEY (LIBRARY_ID) REFERENCES LIBRARY (ID), \
FOREIGN KEY (SERIES_ID) REFERENCES SERIES (ID));
CREATE INDEX idx__book__series_id ON BOOK (SERIES_ID);
CREATE INDEX idx__book__library_id ON BOOK (LIBRARY_ID);
CREATE INDEX idx__book__created_date ON BOOK (CREATED_DATE);
CREATE TABLE BOOK_METADATA (NUMBER varchar NOT NULL, NUMBER_SORT real NOT NULL, RELEASE_DATE date NULL, SUMMARY varchar NOT NULL DEFAULT \
'', TITLE varchar NOT NULL, BOOK_ID varchar NOT NULL PRIMARY KEY, ISBN varchar NOT NULL DEFAULT '', FOREIGN KEY (BOOK_ID) REFERENCES BOOK \
(ID));
CREATE INDEX idx__book_metadata__number_sort ON BOOK_METADATA (NUMBER_SORT);
CREATE INDEX idx__book_metadata__release_date ON BOOK_METADATA (RELEASE_DATE);
CREATE TABLE BOOK_METADATA_AUTHOR (NAME varchar NOT NULL, ROLE varchar NOT NULL, BOOK_ID varchar NOT NULL, FOREIGN KEY (BOOK_ID) \
REFERENCES BOOK (ID));
CREATE INDEX idx__book_metadata_author__book_id ON BOOK_METADATA_AUTHOR (BOOK_ID);
CREATE TABLE SERIES_METADATA (STATUS varchar NOT NULL, TITLE varchar NOT NULL, TITLE_SORT varchar NOT NULL, SERIES_ID varchar NOT NULL \
PRIMARY KEY, PUBLISHER varchar NOT NULL DEFAULT '', AGE_RATING int NULL, LANGUAGE varchar NOT NULL DEFAULT '', FOREIGN KEY (SERIES_ID) \
REFERENCES SERIES (ID));
CREATE INDEX idx__series_metadata__title ON SERIES_METADATA (TITLE);
CREATE TABLE SERIES_METADATA_TAG (TAG varchar NOT NULL, SERIES_ID varchar NOT NULL, FOREIGN KEY (SERIES_ID) REFERENCES SERIES (ID));
CREATE INDEX idx__series_metadata_tag__series_id ON SERIES_METADATA_TAG (SERIES_ID);
CREATE TABLE BOOK_METADATA_AGGREGATION_TAG (TAG varchar NOT NULL, SERIES_ID varchar NOT NULL, FOREIGN KEY (SERIES_ID) REFERENCES SERIES (ID));
CREATE INDEX idx__book_metadata_aggregation_tag__series_id ON BOOK_METADATA_AGGREGATION_TAG (SERIES_ID);
CREATE VIEW SERIES_AND_BOOK_TAG AS SELECT b.TAG, b.SERIES_ID FROM BOOK_METADATA_AGGREGATION_TAG AS b UNION ALL SELECT s.TAG, s.SERIES_ID \
FROM SERIES_METADATA_TAG AS s;
CREATE TABLE MEDIA (MEDIA_TYPE varchar NULL, STATUS varchar NOT NULL, COMMENT varchar NULL, BOOK_ID varchar NOT NULL PRIMARY KEY, \
PAGE_COUNT int NOT NULL DEFAULT 0, FOREIGN KEY (BOOK_ID) REFERENCES BOOK (ID));
CREATE INDEX idx__media__status ON MEDIA (STATUS);
CREATE TABLE MEDIA_PAGE (FILE_NAME varchar NOT NULL, MEDIA_TYPE varchar NOT NULL, NUMBER int NOT NULL, BOOK_ID varchar NOT NULL, width int \
NULL, height int NULL, FILE_HASH varchar NOT NULL DEFAULT '', FILE_SIZE int8 NULL, PRIMARY KEY (BOOK_ID, NUMBER), FOREIGN KEY (BOOK_ID) \
REFERENCES BOOK (ID));
CREATE TABLE READLIST (ID varchar NOT NULL PRIMARY KEY, NAME varchar NOT NULL);
CREATE TABLE READLIST_BOOK (READLIST_ID varchar NOT NULL, BOOK_ID varchar NOT NULL, NUMBER int NOT NULL, PRIMARY KEY (READLIST_ID, \
BOOK_ID), FOREIGN KEY (READLIST_ID) REFERENCES READLIST (ID), FOREIGN KEY (BOOK_ID) REFERENCES BOOK (ID));
CREATE TABLE READ_PROGRESS (BOOK_ID varchar NOT NULL, USER_ID varchar NOT NULL, LAST_MODIFIED_DATE datetime NOT NULL, PAGE int NOT NULL, \
COMPLETED boolean NOT NULL, READ_DATE datetime NULL, PRIMARY KEY (BOOK_ID, USER_ID), FOREIGN KEY (BOOK_ID) REFERENCES BOOK (ID), FOREIGN \
KEY (USER_ID) REFERENCES USER (ID));
CREATE INDEX idx__read_progress__last_modified_date ON READ_PROGRESS (LAST_MODIFIED_DATE);
CREATE TABLE READ_PROGRESS_SERIES (SERIES_ID varchar NOT NULL, USER_ID varchar NOT NULL, READ_COUNT int NOT NULL, IN_PROGRESS_COUNT int \
NOT NULL, MOST_RECENT_READ_DATE datetime NULL, PRIMARY KEY (SERIES_ID, USER_ID), FOREIGN KEY (SERIES_ID) REFERENCES SERIES (ID), FOREIGN \
KEY (USER_ID) REFERENCES USER (ID));
CREATE TABLE HISTORICAL_EVENT (ID varchar PRIMARY KEY, TYPE varchar NOT NULL, BOOK_ID varchar NULL, SERIES_ID varchar NULL, TIMESTAMP \
datetime NOT NULL);
CREATE TABLE AUTHENTICATION_ACTIVITY (USER_ID varchar NULL, EMAIL varchar NULL, IP varchar NULL, USER_AGENT varchar NULL, SUCCESS boolean \
NOT NULL, ERROR varchar NULL, DATE_TIME datetime NOT NULL, SOURCE varchar NULL, FOREIGN KEY (USER_ID) REFERENCES USER (ID));
CREATE INDEX idx__authentication_activity__user_id ON AUTHENTICATION_ACTIVITY (USER_ID);

INSERT INTO LIBRARY SELECT 'L' || i, word(i), '/data/' || word(i) FROM numbers WHERE i <= 4;
INSERT INTO USER SELECT 'U' || i, word(i) || '@mail.example' FROM numbers WHERE i <= 60;
INSERT INTO SERIES SELECT printf('S%07d', i * 13), datetime(1600000000 + i * 20000, 'unixepoch'), datetime(1700000000 + pick(1, i, \
9000000), 'unixepoch'), title(2, i, 3), 'file:/data/' || word(i), 'L' || skewed(3, i, 4), 0, NULL, chance(4, i) < 0.2 FROM numbers WHERE i \
<= 3000;
INSERT INTO SERIES_METADATA SELECT CASE pick(5, i, 3) WHEN 1 THEN 'ENDED' ELSE 'ONGOING' END, title(2, i, 3), title(2, i, 3), \
printf('S%07d', i * 13), word(skewed(6, i, 120)), iif(chance(7, i) < 0.1, 18, NULL), 'en' FROM numbers WHERE i <= 3000;
INSERT INTO SERIES_METADATA_TAG SELECT word(skewed(8, i, 1500)), printf('S%07d', pick(9, i, 3000) * 13) FROM numbers WHERE i <= 12000;
INSERT INTO BOOK_METADATA_AGGREGATION_TAG SELECT word(skewed(10, i, 2500)), printf('S%07d', pick(11, i, 3000) * 13) FROM numbers WHERE i <= 25000;
INSERT INTO BOOK
SELECT printf('B%08d', i * 17), datetime(1610000000 + i * 3000, 'unixepoch'), datetime(1700000000 + pick(12, i, 9000000), 'unixepoch'), \
title(13, i, 3), 'file:/data/' || word(skewed(14, i, 3000)) || '/' || word(i) || '.cbz', printf('S%07d', skewed(14, i, 3000) * 13), \
1000000 * pick(15, i, 90), i % 90, 'L' || skewed(3, skewed(14, i, 3000), 4),
  iif(chance(16, i) < 0.3, '', printf('%016x', iif(chance(17, i) < 0.01, i - 2, i) * 7919)), iif(chance(18, i) < 0.02, '2024-03-01 \
00:00:00', NULL) FROM numbers WHERE i <= 30000;
INSERT INTO BOOK_METADATA SELECT i % 90, i % 90, iif(chance(19, i) < 0.2, NULL, date(20 * 31557600 + pick(20, i, 1000000000), \
'unixepoch')), prose(21, i, skewed(22, i, 300)), title(13, i, 3), printf('B%08d', i * 17), iif(chance(23, i) < 0.2, printf('978%010d', i * \
31), '') FROM numbers WHERE i <= 29900;
INSERT INTO BOOK_METADATA_AUTHOR SELECT title(24, skewed(25, i, 4000), 2), CASE i % 5 WHEN 0 THEN 'writer' WHEN 1 THEN 'penciller' WHEN 2 \
THEN 'inker' WHEN 3 THEN 'colorist' ELSE 'cover' END, printf('B%08d', (1 + i / 2) * 17) FROM numbers WHERE i < 59000;
INSERT INTO MEDIA SELECT iif(chance(26, i) < 0.9, 'application/zip', 'application/pdf'), CASE WHEN chance(27, i) < 0.97 THEN 'READY' WHEN \
chance(28, i) < 0.6 THEN 'ERROR' ELSE 'OUTDATED' END, NULL, printf('B%08d', i * 17), 10 + pick(29, i, 150) FROM numbers WHERE i <= 29900;
INSERT INTO MEDIA_PAGE SELECT 'p' || printf('%03d', i % 25) || '.jpg', 'image/jpeg', i % 25, printf('B%08d', (1 + i / 25) * 17), 1400, \
2000, CASE WHEN i % 25 IN (0, 1, 2, 22, 23, 24) THEN printf('%032x', iif(chance(30, i) < 0.1, skewed(31, i, 60), i) * 104729) ELSE '' END, \
100000 + iif(chance(30, i) < 0.1, skewed(31, i, 60), i) * 7 FROM numbers WHERE i <= 50000;
INSERT INTO READLIST SELECT 'R' || i, title(32, i, 2) FROM numbers WHERE i <= 150;
INSERT OR IGNORE INTO READLIST_BOOK SELECT 'R' || skewed(33, i, 150), printf('B%08d', pick(34, i, 29900) * 17), i FROM numbers WHERE i <= 15000;
INSERT OR IGNORE INTO READ_PROGRESS SELECT printf('B%08d', skewed(35, i, 29900) * 17), 'U' || skewed(36, i, 60), datetime(1690000000 + i * \
400, 'unixepoch'), pick(37, i, 100), chance(38, i) < 0.93, datetime(1690000000 + i * 400, 'unixepoch') FROM numbers WHERE i <= 50000;
INSERT OR IGNORE INTO READ_PROGRESS_SERIES SELECT printf('S%07d', pick(39, i, 3000) * 13), 'U' || skewed(40, i, 60), pick(41, i, 20), \
chance(42, i) < 0.1, datetime(1690000000 + i * 400, 'unixepoch') FROM numbers WHERE i <= 30000;
INSERT INTO HISTORICAL_EVENT SELECT printf('H%08d', i * 7919 % 99991), CASE WHEN chance(43, i) < 0.8 THEN 'BookFileDeleted' ELSE \
'BookConverted' END, printf('B%08d', pick(44, i, 60000) * 17), printf('S%07d', pick(45, i, 3000) * 13), datetime(1650000000 + i * 1500, \
'unixepoch') FROM numbers WHERE i <= 20000;
INSERT INTO AUTHENTICATION_ACTIVITY SELECT iif(chance(46, i) < 0.1, NULL, 'U' || skewed(47, i, 60)), iif(chance(46, i) < 0.1, \
word(skewed(48, i, 900)), word(skewed(47, i, 60))) || '@mail.example', '192.0.2.' || pick(49, i, 250), 'Mozilla/5.0', chance(46, i) >= \
0.1, NULL, datetime(1690000000 + i * 900, 'unixepoch'), 'Password' FROM numbers WHERE i <= 40000;

-- statement: komga-01
-- fine
-- tolerated: index-not-covering
-- because: the newest books that somebody did not begin, by the index of dates
-- run: 'U3'

SELECT BOOK.ID, BOOK_METADATA.TITLE, MEDIA.PAGE_COUNT FROM BOOK LEFT JOIN MEDIA ON BOOK.ID = MEDIA.BOOK_ID LEFT JOIN BOOK_METADATA ON \
BOOK.ID = BOOK_METADATA.BOOK_ID LEFT JOIN READ_PROGRESS ON BOOK.ID = READ_PROGRESS.BOOK_ID AND READ_PROGRESS.USER_ID = ? WHERE \
READ_PROGRESS.COMPLETED IS NULL AND BOOK.DELETED_DATE IS NULL ORDER BY BOOK.CREATED_DATE DESC LIMIT 20

-- statement: komga-02
-- is: full-scan, group-without-index, partial-index, sort-without-index
-- because: pages that come again and again: a quarter of the pages have a hash

SELECT FILE_HASH, FILE_SIZE, count(BOOK_ID) AS n FROM MEDIA_PAGE WHERE FILE_HASH <> '' GROUP BY FILE_HASH, FILE_SIZE HAVING count(BOOK_ID) \
> 3 ORDER BY n DESC LIMIT 20

-- best
-- index: MEDIA_PAGE (FILE_HASH, FILE_SIZE, BOOK_ID) WHERE FILE_HASH <> ''

-- statement: komga-03
-- is: full-scan, group-without-index, partial-index, sort-without-index
-- because: books that are there twice: all are grouped, then all are read again

SELECT ID, NAME, URL FROM BOOK WHERE FILE_HASH IN (SELECT FILE_HASH FROM BOOK WHERE FILE_HASH <> '' AND DELETED_DATE IS NULL GROUP BY \
FILE_HASH HAVING count(*) > 1) AND DELETED_DATE IS NULL ORDER BY FILE_HASH, ID LIMIT 50

-- best
-- index: BOOK (FILE_HASH) WHERE DELETED_DATE IS NULL

-- or
-- index: BOOK (FILE_HASH, DELETED_DATE)

-- statement: komga-04
-- is: full-scan, index-not-covering
-- because: the book of a file: all of a library is read
-- run: 'L1', 'file:/data/loshuki/zuriplifo.cbz' | 'L4', 'file:/data/none/other.cbz'

SELECT ID, NAME FROM BOOK WHERE LIBRARY_ID = ? AND URL = ? AND DELETED_DATE IS NULL

-- best
-- index: BOOK (URL)

-- or
-- index: BOOK (LIBRARY_ID, URL)

-- or
-- index: BOOK (URL, LIBRARY_ID)

-- statement: komga-05
-- is: distinct-without-index, full-scan, sort-without-index
-- because: the few roles of authors: all rows are read for five

SELECT DISTINCT ROLE FROM BOOK_METADATA_AUTHOR ORDER BY ROLE

-- best
-- index: BOOK_METADATA_AUTHOR (ROLE)

WITH RECURSIVE r (ROLE) AS (SELECT min(ROLE) FROM BOOK_METADATA_AUTHOR UNION ALL SELECT (SELECT min(a.ROLE) FROM BOOK_METADATA_AUTHOR AS a \
WHERE a.ROLE > r.ROLE) FROM r WHERE r.ROLE IS NOT NULL) SELECT ROLE FROM r WHERE ROLE IS NOT NULL ORDER BY ROLE

-- statement: komga-06
-- is: case-insensitive-without-index, full-scan
-- because: books of an author whatever the case: all authors of all books are read
-- run: 'BAFO SHUCE', 'colorist' | 'celo stadi', 'writer'

SELECT BOOK.ID, BOOK.NAME FROM BOOK WHERE BOOK.DELETED_DATE IS NULL AND BOOK.ID IN (SELECT BOOK_ID FROM BOOK_METADATA_AUTHOR WHERE NAME = \
? COLLATE NOCASE AND ROLE = ?) ORDER BY BOOK.CREATED_DATE DESC LIMIT 20

-- best
-- index: BOOK_METADATA_AUTHOR (NAME COLLATE NOCASE, ROLE, BOOK_ID)

-- or
-- index: BOOK_METADATA_AUTHOR (NAME COLLATE NOCASE)

-- or
-- index: BOOK_METADATA_AUTHOR (NAME COLLATE NOCASE, ROLE)

-- statement: komga-07
-- is: full-scan, join-order, sort-without-index
-- because: what to read on: the key begins with the series
-- run: 'U40' | 'U2'

SELECT s.ID, s.NAME, p.READ_COUNT FROM SERIES AS s JOIN READ_PROGRESS_SERIES AS p ON p.SERIES_ID = s.ID AND p.USER_ID = ? WHERE \
p.READ_COUNT > 0 AND p.IN_PROGRESS_COUNT = 0 AND s.DELETED_DATE IS NULL ORDER BY p.MOST_RECENT_READ_DATE DESC LIMIT 20

-- best
-- index: READ_PROGRESS_SERIES (USER_ID, MOST_RECENT_READ_DATE)

-- or
-- index: READ_PROGRESS_SERIES (USER_ID, IN_PROGRESS_COUNT, MOST_RECENT_READ_DATE)

-- statement: komga-08
-- is: full-scan, sort-without-index
-- because: books that somebody is in the middle of: progress of all is read
-- run: 'U1' | 'U50'

SELECT BOOK_ID, PAGE FROM READ_PROGRESS WHERE USER_ID = ? AND COMPLETED = 0 ORDER BY READ_DATE DESC LIMIT 20

-- best
-- index: READ_PROGRESS (USER_ID, COMPLETED, READ_DATE)

-- or
-- index: READ_PROGRESS (USER_ID, READ_DATE) WHERE COMPLETED = 0

-- or
-- index: READ_PROGRESS (COMPLETED, USER_ID, READ_DATE)

-- statement: komga-09
-- is: full-scan, or-without-index, sort-without-index
-- because: logins of a user by key or by address: one side of the OR has no index
-- run: 'U50', 'quipe@mail.example' | 'U33', 'lolo@mail.example'

SELECT DATE_TIME, IP, SUCCESS FROM AUTHENTICATION_ACTIVITY WHERE USER_ID = ? OR EMAIL = ? ORDER BY DATE_TIME DESC LIMIT 20

-- best
-- index: AUTHENTICATION_ACTIVITY (EMAIL)

-- statement: komga-10
-- is: case-insensitive-without-index, distinct-without-index, full-scan
-- because: series with a tag, by a view of two tables: both are read
-- run: 'STAMU' | 'Cledidi'

SELECT DISTINCT SERIES_ID FROM SERIES_AND_BOOK_TAG WHERE TAG = ? COLLATE NOCASE ORDER BY SERIES_ID

-- best
-- index: SERIES_METADATA_TAG (TAG COLLATE NOCASE, SERIES_ID)
-- index: BOOK_METADATA_AGGREGATION_TAG (TAG COLLATE NOCASE, SERIES_ID)

-- or
-- index: SERIES_METADATA_TAG (TAG COLLATE NOCASE)
-- index: BOOK_METADATA_AGGREGATION_TAG (TAG COLLATE NOCASE)

-- statement: komga-11
-- is: foreign-key-without-index
-- because: a book goes: all lists of books are read for it
-- run: 'B00509150' | 'B00509320' | 'B00509609'

DELETE FROM BOOK WHERE ID = ?

-- best
-- index: READLIST_BOOK (BOOK_ID)

-- statement: komga-12
-- is: expression-index, full-scan, function-on-column
-- because: books of a year: the index of dates is only walked in its order
-- run: '2015' | '1991'

SELECT BOOK_ID, TITLE FROM BOOK_METADATA WHERE strftime('%Y', RELEASE_DATE) = ? ORDER BY RELEASE_DATE LIMIT 50

-- best

SELECT BOOK_ID, TITLE FROM BOOK_METADATA WHERE RELEASE_DATE >= ?1 || '-01-01' AND RELEASE_DATE <= ?1 || '-12-31' ORDER BY RELEASE_DATE LIMIT 50

-- or
-- index: BOOK_METADATA (strftime('%Y', RELEASE_DATE), RELEASE_DATE)

-- statement: komga-13
-- fine
-- tolerated: index-not-covering, join-order, missing-statistics
-- because: what to analyse again: few, by the index of states
-- run: 'L3'

SELECT m.BOOK_ID, m.COMMENT FROM MEDIA AS m JOIN BOOK AS b ON b.ID = m.BOOK_ID WHERE m.STATUS = 'OUTDATED' AND b.LIBRARY_ID = ?

-- statement: komga-14
-- fine
-- because: the pages of a book, by the key
-- run: 'B00015300'

DELETE FROM MEDIA_PAGE WHERE BOOK_ID = ?

-- statement: komga-15
-- fine
-- because: the authors of a book, by the index of books
-- run: 'B00015300'

SELECT NAME, ROLE FROM BOOK_METADATA_AUTHOR WHERE BOOK_ID = ?
