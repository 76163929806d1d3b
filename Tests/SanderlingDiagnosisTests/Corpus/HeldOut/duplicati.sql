-- schema: duplicati
-- about: The local database of a backup program: files, their versions and the blocks that they are made of, each block once.
-- origin: Duplicati 2.0.6 (LGPL-2.1, Copyright the Duplicati Team): fifteen tables and the view of its local database with their indexes

CREATE TABLE "Operation" ("ID" INTEGER PRIMARY KEY, "Description" TEXT NOT NULL, "Timestamp" INTEGER NOT NULL);
CREATE TABLE "Remotevolume" (
  "ID" INTEGER PRIMARY KEY, "OperationID" INTEGER NOT NULL, "Name" TEXT NOT NULL, "Type" TEXT NOT NULL, "Size" INTEGER NULL, "Hash" TEXT \
NULL, "State" TEXT NOT NULL,
  "VerificationCount" INTEGER NOT NULL, "DeleteGraceTime" INTEGER NOT NULL);
CREATE UNIQUE INDEX "RemotevolumeName" ON "Remotevolume" ("Name", "State");
CREATE TABLE "IndexBlockLink" ("IndexVolumeID" INTEGER NOT NULL, "BlockVolumeID" INTEGER NOT NULL);
CREATE TABLE "Fileset" ("ID" INTEGER PRIMARY KEY, "OperationID" INTEGER NOT NULL, "VolumeID" INTEGER NOT NULL, "IsFullBackup" INTEGER NOT \
NULL, "Timestamp" INTEGER NOT NULL);
CREATE TABLE "FilesetEntry" (
  "FilesetID" INTEGER NOT NULL, "FileID" INTEGER NOT NULL, "Lastmodified" INTEGER NOT NULL,
  CONSTRAINT "FilesetEntry_PK_FilesetIdFileId" PRIMARY KEY ("FilesetID", "FileID")) WITHOUT ROWID;
CREATE INDEX "FilesetentryFileIdIndex" ON "FilesetEntry" ("FileID");
CREATE TABLE "PathPrefix" ("ID" INTEGER PRIMARY KEY, "Prefix" TEXT NOT NULL);
CREATE UNIQUE INDEX "PathPrefixPrefix" ON "PathPrefix" ("Prefix");
CREATE TABLE "FileLookup" ("ID" INTEGER PRIMARY KEY, "PrefixID" INTEGER NOT NULL, "Path" TEXT NOT NULL, "BlocksetID" INTEGER NOT NULL, \
"MetadataID" INTEGER NOT NULL);
CREATE UNIQUE INDEX "FileLookupPath" ON "FileLookup" ("PrefixID", "Path", "BlocksetID", "MetadataID");
CREATE VIEW "File" AS
  SELECT "A"."ID" AS "ID", "B"."Prefix" || "A"."Path" AS "Path", "A"."BlocksetID" AS "BlocksetID", "A"."MetadataID" AS "MetadataID"
  FROM "FileLookup" "A", "PathPrefix" "B" WHERE "A"."PrefixID" = "B"."ID";
CREATE TABLE "BlocklistHash" ("BlocksetID" INTEGER NOT NULL, "Index" INTEGER NOT NULL, "Hash" TEXT NOT NULL);
CREATE UNIQUE INDEX "BlocklistHashBlocksetIDIndex" ON "BlocklistHash" ("BlocksetID", "Index");
CREATE TABLE "Blockset" ("ID" INTEGER PRIMARY KEY, "Length" INTEGER NOT NULL, "FullHash" TEXT NOT NULL);
CREATE UNIQUE INDEX "BlocksetFullHash" ON "Blockset" ("FullHash", "Length");
CREATE TABLE "BlocksetEntry" (
  "BlocksetID" INTEGER NOT NULL, "Index" INTEGER NOT NULL, "BlockID" INTEGER NOT NULL,
  CONSTRAINT "BlocksetEntry_PK_IdIndex" PRIMARY KEY ("BlocksetID", "Index")) WITHOUT ROWID;
CREATE INDEX "BlocksetEntry_IndexIdsBackwards" ON "BlocksetEntry" ("BlockID");
CREATE TABLE "Block" ("ID" INTEGER PRIMARY KEY, "Hash" TEXT NOT NULL, "Size" INTEGER NOT NULL, "VolumeID" INTEGER NOT NULL);
CREATE UNIQUE INDEX "BlockHashSize" ON "Block" ("Hash", "Size");
CREATE INDEX "Block_IndexByVolumeId" ON "Block" ("VolumeID");
CREATE TABLE "DeletedBlock" ("ID" INTEGER PRIMARY KEY, "Hash" TEXT NOT NULL, "Size" INTEGER NOT NULL, "VolumeID" INTEGER NOT NULL);
CREATE TABLE "Metadataset" ("ID" INTEGER PRIMARY KEY, "BlocksetID" INTEGER NOT NULL);
CREATE INDEX "MetadatasetBlocksetID" ON "Metadataset" ("BlocksetID");
CREATE TABLE "RemoteOperation" ("ID" INTEGER PRIMARY KEY, "OperationID" INTEGER NOT NULL, "Timestamp" INTEGER NOT NULL, "Operation" TEXT \
NOT NULL, "Path" TEXT NOT NULL, "Data" BLOB NULL);
CREATE TABLE "LogData" ("ID" INTEGER PRIMARY KEY, "OperationID" INTEGER NOT NULL, "Timestamp" INTEGER NOT NULL, "Type" TEXT NOT NULL, \
"Message" TEXT NOT NULL, "Exception" TEXT NULL);

INSERT INTO "Operation" SELECT i, CASE i % 9 WHEN 0 THEN 'Compact' WHEN 4 THEN 'Test' WHEN 7 THEN 'List' ELSE 'Backup' END, 1650000000 + i \
* 86400 FROM numbers WHERE i <= 900;
INSERT INTO "Remotevolume"
SELECT i, 1 + i / 3, 'duplicati-' || CASE i % 20 WHEN 0 THEN 'f' WHEN 1 THEN 'i' ELSE 'b' END || printf('%032x', i * 7919) || '.zip.aes', \
CASE i % 20 WHEN 0 THEN 'Files' WHEN 1 THEN 'Index' ELSE 'Blocks' END,
  20000000 + pick(1, i, 32000000), printf('%040x', i * 104729), CASE WHEN chance(2, i) < 0.03 THEN 'Deleted' WHEN chance(2, i) < 0.06 THEN \
'Uploaded' ELSE 'Verified' END, skewed(3, i, 20), 0 FROM numbers WHERE i <= 600;
INSERT INTO "IndexBlockLink" SELECT 1 + 20 * (i / 20), i FROM numbers WHERE i <= 600 AND i % 20 > 1;
INSERT INTO "Fileset" SELECT i, 30 * i, 20 * i, chance(4, i) < 0.9, 1650000000 + 30 * i * 86400 FROM numbers WHERE i <= 28;
INSERT INTO "PathPrefix" SELECT i, '/home/' || word(skewed(5, i, 8)) || '/' || word(skewed(6, i, 40)) || '/' || word(i) || '/' FROM \
numbers WHERE i <= 1800;
INSERT INTO "Block"
SELECT i, printf('%08x', i * 2654435761 % 4294967291) || printf('%032x', i * 7919) || '=', iif(chance(7, i) < 0.5, 102400, pick(8, i, \
102400)), iif(chance(9, i) < 0.9, 2 + (i / 130) % 540, 2 + pick(10, i, 540)) FROM numbers WHERE i <= 48000;
INSERT INTO "Block" SELECT ID + 48000, substr("Hash", 9) || substr("Hash", 1, 8), "Size", 2 + ("VolumeID" * 7 + 11) % 540 FROM "Block" \
WHERE ID <= 22000;
UPDATE "Block" SET "VolumeID" = "VolumeID" + 2 WHERE "VolumeID" % 20 < 2;
INSERT INTO "DeletedBlock" SELECT i, printf('%08x', i * 1597334677 % 4294967291) || printf('%032x', i * 6007) || '=', iif(chance(11, i) < \
0.5, 102400, pick(12, i, 102400)), 2 + pick(13, i, 540) FROM numbers WHERE i <= 26000;
INSERT INTO "Blockset" SELECT i, iif(chance(14, i) < 0.02, 0, skewed(15, i, 90000000)), printf('%08x', i * 2246822519 % 4294967291) || \
printf('%032x', i * 4001) || '=' FROM numbers WHERE i <= 34000;
INSERT INTO "BlocksetEntry" SELECT i, 0, iif(chance(16, i) < 0.85, 1 + i * 2 % 70000, skewed(17, i, 70000)) FROM numbers WHERE i <= 34000;
INSERT INTO "BlocksetEntry" SELECT i, 1, 1 + pick(18, i, 69000) FROM numbers WHERE i <= 34000 AND chance(19, i) < 0.6;
INSERT INTO "BlocksetEntry" SELECT i, n, 1 + pick(18, i * 31 + n, 69000) FROM numbers, (SELECT i + 1 AS n FROM numbers WHERE i <= 30) \
WHERE i <= 34000 AND i % 25 = 3;
INSERT INTO "BlocklistHash" SELECT i, n, printf('%08x', (i * 17 + n) * 3266489917 % 4294967291) || printf('%032x', i * 8 + n) || '=' FROM \
(SELECT i FROM numbers WHERE i <= 34000), (SELECT i - 1 AS n FROM numbers WHERE i <= 8) WHERE n = 0 AND i % 3 = 0 OR i % 25 = 3;
INSERT INTO "Metadataset" SELECT i, 24000 + i FROM numbers WHERE i <= 9000;
INSERT OR IGNORE INTO "FileLookup"
SELECT i, 1 + skewed(20, i / 2, 1800) % 1800, word(pick(21, i / 2, 60000)) || CASE pick(22, i / 2, 40) WHEN 1 THEN '.kdbx' WHEN 2 THEN \
'.odt' WHEN 3 THEN '.pdf' ELSE '.jpg' END, iif(chance(23, i) < 0.08, -100, i), 1 + skewed(24, i, 9000) FROM numbers WHERE i <= 24000;
INSERT INTO "FilesetEntry" SELECT s."ID", f."ID", 16500000000000 + f."ID" * 9000000 + pick(25, f."ID", 80000000) FROM "Fileset" AS s JOIN \
"FileLookup" AS f ON f."ID" BETWEEN s."ID" * 420 AND s."ID" * 420 + 9000 WHERE chance(26, f."ID") < 0.97;
INSERT INTO "RemoteOperation"
SELECT i, 1 + i / 45, 1650000000 + i * 1900 + pick(27, i, 900), CASE skewed(28, i, 4) WHEN 1 THEN 'put' WHEN 2 THEN 'get' WHEN 3 THEN \
'list' ELSE 'delete' END, 'duplicati-b' || printf('%032x', i * 7919) || '.zip.aes', prose(29, i, iif(chance(30, i) < 0.1, 400, 90)) FROM \
numbers WHERE i <= 40000;
INSERT INTO "LogData"
SELECT i, 1 + i / 22, 1650000000 + i * 3800 + pick(31, i, 900), CASE WHEN chance(32, i) < 0.004 THEN 'Error' WHEN chance(32, i) < 0.3 THEN \
'Warning' ELSE 'Result' END, prose(33, i, 60 + pick(34, i, 200)), iif(chance(35, i) < 0.006, prose(36, i, 600), NULL) FROM numbers WHERE i \
<= 19000;

-- statement: duplicati-01
-- fine
-- tolerated: sort-without-index
-- because: the newest version of a path, by its key
-- run: 2, 'yovahalo.jpg'

SELECT "ID", "BlocksetID", "MetadataID" FROM "FileLookup" WHERE "PrefixID" = ? AND "Path" = ? ORDER BY "ID" DESC LIMIT 1

-- statement: duplicati-02
-- is: group-without-index, index-not-covering
-- because: how much of each volume is still needed: blocks are read in the order of an index without their size

SELECT "A"."VolumeID", "A"."ActiveSize", COALESCE("B"."InactiveSize", 0) FROM
  (SELECT "VolumeID", SUM("Size") AS "ActiveSize" FROM "Block" GROUP BY "VolumeID") "A"
LEFT JOIN (SELECT "VolumeID", SUM("Size") AS "InactiveSize" FROM "DeletedBlock" GROUP BY "VolumeID") "B" ON "B"."VolumeID" = "A"."VolumeID"
ORDER BY "A"."VolumeID"

-- best
-- index: "Block" ("VolumeID", "Size")
-- index: "DeletedBlock" ("VolumeID", "Size")

-- or
-- index: "Block" ("VolumeID", "Size")

-- statement: duplicati-03
-- is: expression-index, full-scan, function-on-column
-- because: a file by its whole path: the view puts each path together before it compares

SELECT "ID", "BlocksetID" FROM "File" WHERE "Path" = '/home/drice/shuce/tunaki/lovaki.jpg'

-- best

SELECT "ID", "BlocksetID" FROM "FileLookup" WHERE "PrefixID" = (SELECT "ID" FROM "PathPrefix" WHERE "Prefix" = \
'/home/drice/shuce/tunaki/') AND "Path" = 'lovaki.jpg'

-- statement: duplicati-04
-- is: full-scan
-- because: whose list of blocks this is
-- run: '717c2ea100000000000000000000000000012511=' | '00000000'

SELECT "BlocksetID", "Index" FROM "BlocklistHash" WHERE "Hash" = ?

-- best
-- index: "BlocklistHash" ("Hash")

-- statement: duplicati-05
-- is: full-scan
-- because: whether a block was there once: all that were deleted are read
-- run: 'd29af45800000000000000000000000002260c87=', 102400 | '0123abcd', 2000

SELECT "ID" FROM "DeletedBlock" WHERE "Hash" = ? AND "Size" = ? AND "VolumeID" IN (SELECT "ID" FROM "Remotevolume" WHERE "State" NOT IN \
('Deleted', 'Deleting')) LIMIT 1

-- best
-- index: "DeletedBlock" ("Hash", "Size")

-- or
-- index: "DeletedBlock" ("Hash")

-- or
-- index: "DeletedBlock" ("Hash", "VolumeID")

-- statement: duplicati-06
-- is: full-scan
-- because: old lines of the log go
-- run: 1650500000

DELETE FROM "RemoteOperation" WHERE "Timestamp" < ?

-- best
-- index: "RemoteOperation" ("Timestamp")

-- statement: duplicati-07
-- is: full-scan, or-without-index, partial-index, sort-without-index
-- because: the newest errors, of which there are few

SELECT "Timestamp", "Message", "Exception" FROM "LogData" WHERE "Type" = 'Error' OR "Exception" IS NOT NULL ORDER BY "Timestamp" DESC LIMIT 60

-- best
-- index: "LogData" ("Timestamp") WHERE "Type" = 'Error' OR "Exception" IS NOT NULL

-- statement: duplicati-08
-- is: expression-index, full-scan, function-on-column
-- because: what was uploaded on a day: the date is made of each line of the log
-- run: '2023-03-04' | '2024-02-11'

SELECT "Path", "Data" FROM "RemoteOperation" WHERE date("Timestamp", 'unixepoch') = ? AND "Operation" = 'put'

-- best
-- index: "RemoteOperation" ("Timestamp")

SELECT "Path", "Data" FROM "RemoteOperation" WHERE "Timestamp" >= CAST(strftime('%s', ?1) AS INTEGER) AND "Timestamp" < \
CAST(strftime('%s', ?1, '+1 day') AS INTEGER) AND "Operation" = 'put'

-- or
-- index: "RemoteOperation" (date("Timestamp", 'unixepoch'), "Operation")

-- or
-- index: "RemoteOperation" (date("Timestamp", 'unixepoch'))

-- statement: duplicati-09
-- is: automatic-index, join-fan-out, multiplied-aggregate
-- because: transfers and messages of each operation: each transfer is joined with each message, so both are counted too often

SELECT o."ID", o."Description", COUNT(r."ID") AS "Transfers", COUNT(l."ID") AS "Messages" FROM "Operation" AS o
LEFT JOIN "RemoteOperation" AS r ON r."OperationID" = o."ID" LEFT JOIN "LogData" AS l ON l."OperationID" = o."ID"
WHERE o."Description" = 'Compact' GROUP BY o."ID" ORDER BY o."ID"

-- best
-- index: "RemoteOperation" ("OperationID")
-- index: "LogData" ("OperationID")
-- changes results

SELECT o."ID", o."Description", (SELECT COUNT(*) FROM "RemoteOperation" AS r WHERE r."OperationID" = o."ID") AS "Transfers", (SELECT \
COUNT(*) FROM "LogData" AS l WHERE l."OperationID" = o."ID") AS "Messages"
FROM "Operation" AS o WHERE o."Description" = 'Compact' ORDER BY o."ID"

-- statement: duplicati-10
-- is: join-fan-out
-- because: volumes without blocks: all blocks of the others are visited, where one is enough

SELECT v."ID", v."Name" FROM "Remotevolume" AS v LEFT JOIN "Block" AS b ON b."VolumeID" = v."ID" WHERE v."Type" = 'Blocks' AND v."State" \
IN ('Uploaded', 'Verified') AND b."ID" IS NULL

-- best

SELECT v."ID", v."Name" FROM "Remotevolume" AS v WHERE v."Type" = 'Blocks' AND v."State" IN ('Uploaded', 'Verified') AND NOT EXISTS \
(SELECT 1 FROM "Block" AS b WHERE b."VolumeID" = v."ID")

-- statement: duplicati-11
-- is: sort-without-index
-- because: what changed last in a backup: all of its files are looked up and sorted
-- run: 28 | 12

SELECT f."Path", e."Lastmodified" FROM "FilesetEntry" AS e JOIN "FileLookup" AS f ON f."ID" = e."FileID" WHERE e."FilesetID" = ? ORDER BY \
e."Lastmodified" DESC LIMIT 50

-- best
-- index: "FilesetEntry" ("FilesetID", "Lastmodified")

-- statement: duplicati-12
-- fine
-- because: what a backup has that the one before hasn't: both are read by the key, in its order
-- run: 28, 27

SELECT "FileID" FROM "FilesetEntry" WHERE "FilesetID" = ?1 EXCEPT SELECT "FileID" FROM "FilesetEntry" WHERE "FilesetID" = ?2

-- statement: duplicati-13
-- fine
-- because: versions that no backup has: each is looked for in an index once

DELETE FROM "FileLookup" WHERE "ID" NOT IN (SELECT "FileID" FROM "FilesetEntry")

-- statement: duplicati-14
-- fine
-- tolerated: full-scan, pattern-without-index
-- because: some letters within a name: no index finds them

SELECT "PrefixID", "Path" FROM "FileLookup" WHERE "Path" LIKE '%vahalo%.jpg'

-- statement: duplicati-15
-- fine
-- because: the blocks of a file in their order, by keys
-- run: 28 | 20003

SELECT b."Hash", b."Size" FROM "BlocksetEntry" AS e JOIN "Block" AS b ON b."ID" = e."BlockID" WHERE e."BlocksetID" = ? ORDER BY e."Index"

-- statement: duplicati-16
-- fine
-- tolerated: index-not-covering
-- because: the size of a backup: all of its files have to be added, each found by its key
-- run: 28

SELECT COUNT(*), SUM(b."Length") FROM "FilesetEntry" AS e JOIN "FileLookup" AS f ON f."ID" = e."FileID" JOIN "Blockset" AS b ON b."ID" = \
f."BlocksetID" WHERE e."FilesetID" = ?

-- statement: duplicati-17
-- fine
-- tolerated: automatic-index, distinct-without-index, full-scan, join-order
-- because: blocks that nothing uses: a set of all others is made once, which is cheaper than to look for each in an index

INSERT INTO "DeletedBlock" ("Hash", "Size", "VolumeID") SELECT "Hash", "Size", "VolumeID" FROM "Block" WHERE "ID" NOT IN (
  SELECT DISTINCT "BlockID" AS "BlockID" FROM "BlocksetEntry" UNION SELECT DISTINCT b."ID" FROM "Block" AS b, "BlocklistHash" AS l WHERE \
b."Hash" = l."Hash")
