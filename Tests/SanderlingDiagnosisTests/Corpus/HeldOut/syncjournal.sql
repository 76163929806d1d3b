-- schema: syncjournal
-- about: The journal of a client that keeps a folder in step with a server: one row per file and folder, and lists of what failed.
-- origin: Nextcloud desktop client 3.x (LGPL-2.1-or-later / GPL-2.0-or-later, Copyright Klaas Freitag and the Nextcloud contributors): \
--   seven of the tables of its sync journal with their indexes, without that on a function of the app; many statements as it runs them

CREATE TABLE metadata (
  phash INTEGER(8), pathlen INTEGER, path VARCHAR(4096), inode INTEGER, modtime INTEGER(8), type INTEGER, md5 VARCHAR(32), fileid \
VARCHAR(128), remotePerm VARCHAR(128), filesize BIGINT, ignoredChildrenRemote INT,
  contentChecksum TEXT, contentChecksumTypeId INTEGER, e2eMangledName TEXT, isE2eEncrypted INTEGER, isShared INTEGER, \
lastShareStateFetchedTimestmap INTEGER, sharedByMe INTEGER, PRIMARY KEY(phash));
CREATE INDEX metadata_fileid ON metadata(fileid);
CREATE INDEX metadata_inode ON metadata(inode);
CREATE INDEX metadata_path ON metadata(path);
CREATE INDEX metadata_e2e_id ON metadata(e2eMangledName);
CREATE TABLE uploadinfo (path VARCHAR(4096), chunk INTEGER, transferid INTEGER, errorcount INTEGER, size INTEGER(8), modtime INTEGER(8), \
contentChecksum TEXT, PRIMARY KEY(path));
CREATE TABLE blacklist (
  path VARCHAR(4096), lastTryEtag VARCHAR[32], lastTryModtime INTEGER[8], retrycount INTEGER, errorstring VARCHAR[4096], lastTryTime \
INTEGER(8), ignoreDuration INTEGER(8), renameTarget VARCHAR(4096), errorCategory INTEGER(8), requestId VARCHAR(36), PRIMARY KEY(path));
CREATE TABLE selectivesync (path VARCHAR(4096), type INTEGER);
CREATE TABLE checksumtype (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE flags (path TEXT PRIMARY KEY, pinState INTEGER);
CREATE TABLE conflicts (path TEXT PRIMARY KEY, baseFileId TEXT, baseEtag TEXT, baseModtime INTEGER, basePath TEXT);

INSERT INTO checksumtype VALUES (1, 'SHA1'), (2, 'MD5'), (3, 'Adler32');
INSERT INTO metadata SELECT i * 104729 * 7919, 0, title(1, i, 1) || ' ' || i, i, 1500000000 + i, 2, printf('%032x', i * 7919), \
printf('%08d', i * 3) || 'ocx9k2', 'RDNVCK', 0, 0, NULL, NULL, '', 0, 0, 0, 0 FROM numbers WHERE i <= 40;
INSERT INTO metadata
SELECT i * 104729 * 7919, 0, p.path || '/' || word(skewed(2, i, 900)) || i, i, 1500000000 + i * 30, 2, printf('%032x', i * 7919), \
printf('%08d', i * 3) || 'ocx9k2', 'RDNVCK', 0, 0, NULL, NULL, '', 0, chance(3, i) < 0.03, iif(chance(3, i) < 0.03, 1700000000 + pick(4, \
i, 9000000), 0), 0
FROM numbers JOIN metadata AS p ON p.inode = skewed(5, i, 40) WHERE i BETWEEN 41 AND 500;
INSERT INTO metadata
SELECT i * 104729 * 7919, 0, p.path || '/' || word(skewed(6, i, 900)) || '_' || i, i, 1500000000 + i * 30, 2, printf('%032x', i * 7919), \
printf('%08d', i * 3) || 'ocx9k2', 'RDNVCK', 0, 0, NULL, NULL, '', 0, 0, 0, 0
FROM numbers JOIN metadata AS p ON p.inode = pick(7, i, 500) WHERE i BETWEEN 501 AND 3500;
INSERT INTO metadata
SELECT i * 104729 * 7919, 0, p.path || '/' || iif(chance(8, i) < 0.4, 'IMG_' || i || '.JPG', title(9, i, 2) || ' ' || i || '.pdf'), i, \
1500000000 + pick(10, i, 220000000), iif(chance(11, i) < 0.03, 4, 0), printf('%032x', i * 7919), printf('%08d', i * 3) || 'ocx9k2', \
'RGDNVW',
  CAST(1000 * pick(12, i, 9000) / (1 + skewed(13, i, 900)) AS INTEGER) + i % 1000, 0, iif(chance(14, i) < 0.9, printf('%040x', \
iif(chance(15, i) < 0.08, i / 50, i) * 7919), NULL), iif(chance(14, i) < 0.9, 1, NULL), '', 0, chance(16, i) < 0.02, iif(chance(16, i) < \
0.02, 1700000000 + pick(17, i, 9000000), 0), 0
FROM numbers JOIN metadata AS p ON p.inode = 1 + (skewed(18, i, 3500) * 37) % 3500 WHERE i BETWEEN 3501 AND 40000;
UPDATE metadata SET pathlen = length(path);
INSERT INTO uploadinfo SELECT upper(path), 3, inode, 0, filesize, modtime, contentChecksum FROM metadata WHERE type = 0 AND inode % 1600 = 7;
INSERT INTO uploadinfo SELECT path || ' (new)', 0, inode, 0, filesize, modtime, contentChecksum FROM metadata WHERE type = 0 AND inode % 1900 = 7;
INSERT INTO blacklist SELECT path || '~', md5, modtime, 1 + inode % 40, 'File contains a trailing character that is not allowed: ' || \
path, 1718000000 + inode, 86400, '', 0, '' FROM metadata WHERE type = 0 AND inode % 3 = 0;
INSERT INTO flags SELECT path, 1 + inode % 3 FROM metadata WHERE type = 2 AND inode % 4 = 0;
INSERT INTO selectivesync SELECT path || '/', 1 + inode % 2 FROM metadata WHERE inode BETWEEN 30 AND 60;
INSERT INTO conflicts SELECT path || ' (conflicted copy)', fileid, md5, modtime, path FROM metadata WHERE type = 0 AND inode % 200 = 3;

-- statement: syncjournal-01
-- fine
-- because: a file by the hash of its path, which is the key
-- run: 7464140559000

SELECT path, inode, modtime, type, md5, fileid, remotePerm, filesize, contentchecksumtype.name || ':' || contentChecksum FROM metadata \
LEFT JOIN checksumtype as contentchecksumtype ON metadata.contentChecksumTypeId == contentchecksumtype.id WHERE phash=?1

-- statement: syncjournal-02
-- fine
-- tolerated: expression-index, or-without-index, sort-without-index
-- because: what is below a folder, by either name: an index serves each side of the OR
-- run: 'Gudi 2/braha41'

SELECT path, inode, modtime, type, md5, fileid, filesize FROM metadata WHERE (path > (?1||'/') AND path < (?1||'0')) OR (e2eMangledName > \
(?1||'/') AND e2eMangledName < (?1||'0')) ORDER BY path||'/' ASC

-- statement: syncjournal-03
-- is: expression-index, full-scan, function-on-column, or-without-index, partial-index
-- because: a folder and those above it: each path of all is asked whether it's a beginning of this one
-- run: 'Dipli 1/guclegu225/gruyo_502'

UPDATE metadata SET md5='_invalid_' WHERE (path == ?1 OR (?1 > (path||'/') AND ?1 < (path||'0'))) AND type == 2

-- best

WITH RECURSIVE above (path) AS (VALUES (?1) UNION ALL SELECT rtrim(rtrim(path, replace(path, '/', '')), '/') FROM above WHERE instr(path, '/') > 0)
UPDATE metadata SET md5='_invalid_' WHERE path IN (SELECT path FROM above) AND type == 2

-- or
-- index: metadata (path) WHERE type = 2

-- or
-- index: metadata (type)

-- or
-- index: metadata (type, path)

-- statement: syncjournal-04
-- is: case-insensitive-without-index, full-scan
-- because: whether a file failed before, whatever its case: the key heeds it
-- run: 'bababra 12/pedi ritu 13794.pdf~' | 'bababra 12/dribragu117/fodigu_821/img_35151.jpg~'

SELECT lastTryEtag, lastTryModtime, retrycount, errorstring, lastTryTime, ignoreDuration FROM blacklist WHERE path=?1 COLLATE NOCASE

-- best
-- index: blacklist (path COLLATE NOCASE)

-- statement: syncjournal-05
-- fine
-- because: a folder goes with all below it, found by a range of paths
-- run: 'Fogu 33'

DELETE FROM metadata WHERE (path > (?1||'/') AND path < (?1||'0'))

-- statement: syncjournal-06
-- is: full-scan, or-without-index, partial-index
-- because: the files of a folder that are to be fetched: because of what is done without a folder, all are read
-- run: 'Fogu 33'

UPDATE metadata SET type=5 WHERE ((path > (?1||'/') AND path < (?1||'0')) OR ?1 == '') AND type=4

-- best

UPDATE metadata SET type=5 WHERE path > (?1||'/') AND path < (?1||'0') AND type=4

-- or
-- index: metadata (type, path)

-- or
-- index: metadata (type)

-- or
-- index: metadata (path) WHERE type = 4

-- statement: syncjournal-07
-- is: automatic-index, full-scan, join-order
-- because: files with the content of this one
-- run: 'Fogu 9/braquigu85/loce_593/Dridriki vace 9000.pdf'

SELECT other.path, other.filesize FROM metadata AS this JOIN metadata AS other ON other.contentChecksumTypeId = this.contentChecksumTypeId \
AND other.contentChecksum = this.contentChecksum AND other.phash <> this.phash WHERE this.path = ? ORDER BY other.path

-- best
-- index: metadata (contentChecksum)

-- or
-- index: metadata (contentChecksumTypeId, contentChecksum)

-- or
-- index: metadata (contentChecksum, contentChecksumTypeId)

-- statement: syncjournal-08
-- is: full-scan, sort-without-index
-- because: the largest files

SELECT path, filesize FROM metadata WHERE type = 0 ORDER BY filesize DESC LIMIT 50

-- best
-- index: metadata (filesize)

-- or
-- index: metadata (type, filesize)

-- or
-- index: metadata (type, filesize, path)

-- statement: syncjournal-09
-- is: expression-index, full-scan, function-on-column, type-mismatch
-- because: a file by the number that the server's web pages show, with which its longer id begins
-- run: 60036 | 9021

SELECT path, md5 FROM metadata WHERE CAST(fileid AS INTEGER) = ?

-- best
-- index: metadata (CAST(fileid AS INTEGER))

-- or

SELECT path, md5 FROM metadata WHERE fileid >= printf('%08d', ?1) AND fileid < printf('%08d', ?1 + 1)

-- statement: syncjournal-10
-- fine
-- tolerated: full-scan
-- because: how many files there are: the smallest index is counted, there is no other way

SELECT COUNT(*) FROM metadata

-- statement: syncjournal-11
-- is: case-insensitive-without-index, expression-index, full-scan, function-on-column
-- because: uploads that would clash with a file but for case: each upload is compared with all files

SELECT u.path, m.path, m.fileid FROM uploadinfo AS u JOIN metadata AS m ON lower(m.path) = lower(u.path) WHERE m.path <> u.path ORDER BY u.path

-- best
-- index: metadata (lower(path))

-- or
-- index: metadata (path COLLATE NOCASE)

SELECT u.path, m.path, m.fileid FROM uploadinfo AS u JOIN metadata AS m ON m.path = u.path COLLATE NOCASE WHERE m.path <> u.path ORDER BY u.path

-- statement: syncjournal-12
-- is: full-scan, partial-index, sort-without-index
-- because: shared files whose state is to be asked again: a fiftieth of all
-- run: 1708000000

SELECT path, lastShareStateFetchedTimestmap FROM metadata WHERE isShared = 1 AND lastShareStateFetchedTimestmap < ? ORDER BY \
lastShareStateFetchedTimestmap LIMIT 40

-- best
-- index: metadata (isShared, lastShareStateFetchedTimestmap)

-- or
-- index: metadata (lastShareStateFetchedTimestmap) WHERE isShared = 1

-- or
-- index: metadata (isShared)

-- statement: syncjournal-13
-- fine
-- because: conflicts with what their file is called now: few, and the id of a file is indexed

SELECT c.path, c.basePath, m.path, m.md5 FROM conflicts AS c LEFT JOIN metadata AS m ON m.fileid = c.baseFileId ORDER BY c.path

-- statement: syncjournal-14
-- is: expression-index, full-scan, function-on-column
-- because: failures that may be tried again: for how long they are left alone is said in each row
-- run: 1718090500

DELETE FROM blacklist WHERE lastTryTime + ignoreDuration < ?

-- best
-- index: blacklist (lastTryTime + ignoreDuration)

-- statement: syncjournal-15
-- fine
-- tolerated: subquery-per-row
-- because: failures below a folder whose file is gone: a range of the key, and the index of paths for each
-- run: 'Fogu 33'

SELECT b.path FROM blacklist AS b WHERE b.path > ?1||'/' AND b.path < ?1||'0' AND NOT EXISTS (SELECT 1 FROM metadata AS m WHERE m.path = \
rtrim(b.path, '~'))
