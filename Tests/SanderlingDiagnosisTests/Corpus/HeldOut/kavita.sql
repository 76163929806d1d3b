-- schema: kavita
-- about: A server for comics and books: series, volumes, chapters, files and who read how far, by Entity Framework.
-- origin: Kavita 0.8 (GPL-3.0, Copyright the Kavita contributors): thirteen of its tables with their indexes, some columns left out
-- superfluous: redundant-index IX_SeriesMetadata_Id_SeriesId

CREATE TABLE "AspNetUsers" ("Id" INTEGER NOT NULL CONSTRAINT "PK_AspNetUsers" PRIMARY KEY AUTOINCREMENT, "UserName" TEXT NULL, \
"NormalizedUserName" TEXT NULL, "Created" TEXT NOT NULL, "LastActiveUtc" TEXT NOT NULL, "AgeRestriction" INTEGER NOT NULL);
CREATE TABLE "Library" ("Id" INTEGER NOT NULL CONSTRAINT "PK_Library" PRIMARY KEY AUTOINCREMENT, "Name" TEXT NULL, "Type" INTEGER NOT \
NULL, "LastScanned" TEXT NOT NULL, "IncludeInSearch" INTEGER NOT NULL);
CREATE TABLE "AppUserLibrary" ("AppUsersId" INTEGER NOT NULL, "LibrariesId" INTEGER NOT NULL, CONSTRAINT "PK_AppUserLibrary" PRIMARY KEY \
("AppUsersId", "LibrariesId"),
  FOREIGN KEY ("AppUsersId") REFERENCES "AspNetUsers" ("Id") ON DELETE CASCADE, FOREIGN KEY ("LibrariesId") REFERENCES "Library" ("Id") ON \
DELETE CASCADE);
CREATE TABLE "Series" (
  "Id" INTEGER NOT NULL CONSTRAINT "PK_Series" PRIMARY KEY AUTOINCREMENT, "Name" TEXT NULL, "NormalizedName" TEXT NULL, \
"NormalizedLocalizedName" TEXT NULL, "SortName" TEXT NULL, "LocalizedName" TEXT NULL, "OriginalName" TEXT NULL,
  "Created" TEXT NOT NULL, "LastModified" TEXT NOT NULL, "CoverImage" TEXT NULL, "Pages" INTEGER NOT NULL, "Format" INTEGER NOT NULL, \
"FolderPath" TEXT NULL, "LastFolderScannedUtc" TEXT NOT NULL, "LastChapterAddedUtc" TEXT NOT NULL,
  "WordCount" INTEGER NOT NULL, "MinHoursToRead" INTEGER NOT NULL, "LibraryId" INTEGER NOT NULL, FOREIGN KEY ("LibraryId") REFERENCES \
"Library" ("Id") ON DELETE CASCADE);
CREATE TABLE "SeriesMetadata" (
  "Id" INTEGER NOT NULL CONSTRAINT "PK_SeriesMetadata" PRIMARY KEY AUTOINCREMENT, "Summary" TEXT NULL, "AgeRating" INTEGER NOT NULL, \
"ReleaseYear" INTEGER NOT NULL, "Language" TEXT NULL, "PublicationStatus" INTEGER NOT NULL, "WebLinks" TEXT NULL,
  "SeriesId" INTEGER NOT NULL, FOREIGN KEY ("SeriesId") REFERENCES "Series" ("Id") ON DELETE CASCADE);
CREATE TABLE "Genre" ("Id" INTEGER NOT NULL CONSTRAINT "PK_Genre" PRIMARY KEY AUTOINCREMENT, "Title" TEXT NULL, "NormalizedTitle" TEXT NULL);
CREATE TABLE "GenreSeriesMetadata" ("GenresId" INTEGER NOT NULL, "SeriesMetadatasId" INTEGER NOT NULL, CONSTRAINT "PK_GenreSeriesMetadata" \
PRIMARY KEY ("GenresId", "SeriesMetadatasId"),
  FOREIGN KEY ("GenresId") REFERENCES "Genre" ("Id") ON DELETE CASCADE, FOREIGN KEY ("SeriesMetadatasId") REFERENCES "SeriesMetadata" \
("Id") ON DELETE CASCADE);
CREATE TABLE "Volume" (
  "Id" INTEGER NOT NULL CONSTRAINT "PK_Volume" PRIMARY KEY AUTOINCREMENT, "Name" TEXT NULL, "MinNumber" REAL NOT NULL, "MaxNumber" REAL \
NOT NULL, "Created" TEXT NOT NULL, "CoverImage" TEXT NULL, "Pages" INTEGER NOT NULL,
  "SeriesId" INTEGER NOT NULL, FOREIGN KEY ("SeriesId") REFERENCES "Series" ("Id") ON DELETE CASCADE);
CREATE TABLE "Chapter" (
  "Id" INTEGER NOT NULL CONSTRAINT "PK_Chapter" PRIMARY KEY AUTOINCREMENT, "Range" TEXT NULL, "Number" TEXT NULL, "Created" TEXT NOT NULL, \
"CreatedUtc" TEXT NOT NULL, "CoverImage" TEXT NULL, "Pages" INTEGER NOT NULL, "IsSpecial" INTEGER NOT NULL,
  "TitleName" TEXT NULL, "ReleaseDate" TEXT NOT NULL, "Summary" TEXT NULL, "ISBN" TEXT NOT NULL DEFAULT '', "WordCount" INTEGER NOT NULL, \
"SortOrder" REAL NOT NULL, "VolumeId" INTEGER NOT NULL,
  FOREIGN KEY ("VolumeId") REFERENCES "Volume" ("Id") ON DELETE CASCADE);
CREATE TABLE "MangaFile" (
  "Id" INTEGER NOT NULL CONSTRAINT "PK_MangaFile" PRIMARY KEY AUTOINCREMENT, "FilePath" TEXT NULL, "FileName" TEXT NULL, "Pages" INTEGER \
NOT NULL, "Format" INTEGER NOT NULL, "Extension" TEXT NULL, "Bytes" INTEGER NOT NULL, "LastFileAnalysisUtc" TEXT NOT NULL,
  "ChapterId" INTEGER NOT NULL, FOREIGN KEY ("ChapterId") REFERENCES "Chapter" ("Id") ON DELETE CASCADE);
CREATE TABLE "AppUserProgresses" (
  "Id" INTEGER NOT NULL CONSTRAINT "PK_AppUserProgresses" PRIMARY KEY AUTOINCREMENT, "PagesRead" INTEGER NOT NULL, "VolumeId" INTEGER NOT \
NULL, "SeriesId" INTEGER NOT NULL, "ChapterId" INTEGER NOT NULL, "LibraryId" INTEGER NOT NULL, "BookScrollId" TEXT NULL,
  "Created" TEXT NOT NULL, "LastModifiedUtc" TEXT NOT NULL, "AppUserId" INTEGER NOT NULL, FOREIGN KEY ("AppUserId") REFERENCES \
"AspNetUsers" ("Id") ON DELETE CASCADE,
  FOREIGN KEY ("ChapterId") REFERENCES "Chapter" ("Id") ON DELETE CASCADE, FOREIGN KEY ("SeriesId") REFERENCES "Series" ("Id") ON DELETE CASCADE);
CREATE TABLE "AppUserBookmark" (
  "Id" INTEGER NOT NULL CONSTRAINT "PK_AppUserBookmark" PRIMARY KEY AUTOINCREMENT, "Page" INTEGER NOT NULL, "VolumeId" INTEGER NOT NULL, \
"SeriesId" INTEGER NOT NULL, "ChapterId" INTEGER NOT NULL, "FileName" TEXT NULL, "Created" TEXT NOT NULL,
  "AppUserId" INTEGER NOT NULL, FOREIGN KEY ("AppUserId") REFERENCES "AspNetUsers" ("Id") ON DELETE CASCADE);
CREATE TABLE "MediaError" ("Id" INTEGER NOT NULL CONSTRAINT "PK_MediaError" PRIMARY KEY AUTOINCREMENT, "Extension" TEXT NULL, "FilePath" \
TEXT NULL, "Comment" TEXT NULL, "Details" TEXT NULL, "Created" TEXT NOT NULL);
CREATE INDEX "IX_AppUserLibrary_LibrariesId" ON "AppUserLibrary" ("LibrariesId");
CREATE INDEX "IX_Series_LibraryId" ON "Series" ("LibraryId");
CREATE UNIQUE INDEX "IX_SeriesMetadata_SeriesId" ON "SeriesMetadata" ("SeriesId");
CREATE UNIQUE INDEX "IX_SeriesMetadata_Id_SeriesId" ON "SeriesMetadata" ("Id", "SeriesId");
CREATE INDEX "IX_GenreSeriesMetadata_SeriesMetadatasId" ON "GenreSeriesMetadata" ("SeriesMetadatasId");
CREATE UNIQUE INDEX "IX_Genre_NormalizedTitle" ON "Genre" ("NormalizedTitle");
CREATE INDEX "IX_Volume_SeriesId" ON "Volume" ("SeriesId");
CREATE INDEX "IX_Chapter_VolumeId" ON "Chapter" ("VolumeId");
CREATE INDEX "IX_MangaFile_ChapterId" ON "MangaFile" ("ChapterId");
CREATE INDEX "IX_AppUserProgresses_AppUserId" ON "AppUserProgresses" ("AppUserId");
CREATE INDEX "IX_AppUserProgresses_ChapterId" ON "AppUserProgresses" ("ChapterId");
CREATE INDEX "IX_AppUserProgresses_SeriesId" ON "AppUserProgresses" ("SeriesId");
CREATE INDEX "IX_AppUserBookmark_AppUserId" ON "AppUserBookmark" ("AppUserId");

INSERT INTO "AspNetUsers" SELECT i, word(i), upper(word(i)), datetime(1600000000 + i * 90000, 'unixepoch'), datetime(1720000000 - \
skewed(1, i, 60000000), 'unixepoch'), -1 FROM numbers WHERE i <= 80;
INSERT INTO "Library" SELECT i, title(2, i, 1), i % 4, datetime(1720000000 - i * 1000, 'unixepoch'), 1 FROM numbers WHERE i <= 6;
INSERT INTO "AppUserLibrary" SELECT u.i, l.i FROM numbers AS u, numbers AS l WHERE u.i <= 80 AND l.i <= 6 AND chance(3 + l.i, u.i) < 0.7;
INSERT INTO "Series"
SELECT i, title(10, i, 3), lower(replace(title(10, i, 3), ' ', '')), iif(chance(11, i) < 0.6, '', lower(title(12, i, 1)) || i), title(10, \
i, 3), iif(chance(11, i) < 0.6, '', title(12, i, 1) || ' ' || i), title(10, i, 3),
  datetime(1600000000 + i * 24000, 'unixepoch'), datetime(1600000000 + i * 24000 + pick(13, i, 90000), 'unixepoch'), iif(chance(14, i) < \
0.02, NULL, 's' || i || '.png'), 100 * skewed(15, i, 50), skewed(16, i, 5) - 1,
  iif(chance(17, i) < 0.1, NULL, '/data/' || iif(i % 3 = 0, 'Comics', 'Manga') || '/' || title(10, i, 3) || ' (' || i || ')'), \
datetime(1710000000 + pick(18, i, 9900000), 'unixepoch'), datetime(1600000000 + pick(19, i, 119000000), 'unixepoch'), 0, 1, skewed(20, i, 6)
FROM numbers WHERE i <= 5000;
INSERT INTO "SeriesMetadata" SELECT i, iif(chance(21, i) < 0.2, '', prose(22, i, 300)), skewed(23, i, 12), iif(chance(24, i) < 0.1, 0, \
1960 + pick(25, i, 64)), iif(chance(26, i) < 0.7, 'en', 'ja'), skewed(27, i, 4) - 1, '', i FROM numbers WHERE i <= 5000;
INSERT INTO "Genre" SELECT i, title(28, i, 1) || i, lower(title(28, i, 1)) || i FROM numbers WHERE i <= 120;
INSERT OR IGNORE INTO "GenreSeriesMetadata" SELECT skewed(29, i, 120), 1 + i / 3 FROM numbers WHERE i <= 14000;
INSERT INTO "Volume" SELECT i, CAST(1 + i % 5 AS TEXT), 1 + i % 5, 1 + i % 5, datetime(1600000000 + i * 6000, 'unixepoch'), NULL, 200, \
iif(chance(30, i) < 0.4, skewed(31, i, 4990), 1 + i / 4 % 4990) FROM numbers WHERE i <= 18000;
INSERT INTO "Chapter"
SELECT i, CAST(i % 40 AS TEXT), CAST(i % 40 AS TEXT), datetime(1600000000 + i * 3000, 'unixepoch'), datetime(1600000000 + i * 3000, \
'unixepoch'), iif(chance(32, i) < 0.03, NULL, 'c' || i || '.png'), 15 + skewed(33, i, 200), chance(34, i) < 0.02,
  iif(chance(35, i) < 0.5, NULL, title(36, i, 3)), iif(chance(37, i) < 0.3, '0001-01-01 00:00:00', date(900000000 + pick(38, i, \
800000000), 'unixepoch') || ' 00:00:00'), prose(39, i, 60 + pick(40, i, 100)), iif(chance(41, i) < 0.93, '', printf('978%010d', i * 7919)),
  iif(chance(42, i) < 0.8, 0, pick(43, i, 90000)), i % 40, iif(chance(44, i) < 0.3, skewed(45, i, 18000), 1 + i / 2 % 18000)
FROM numbers WHERE i <= 36000;
INSERT INTO "MangaFile"
SELECT i, '/data/' || iif(i % 3 = 0, 'Comics', 'Manga') || '/' || title(10, 1 + i / 8, 3) || '/v' || i || iif(chance(46, i) < 0.01, \
'.pdf', '.cbz'), 'v' || i || '.cbz', 20, iif(chance(46, i) < 0.01, 4, 1), iif(chance(46, i) < 0.01, '.pdf', '.cbz'), 1000000 + pick(47, i, \
90000000),
  iif(chance(48, i) < 0.004, '0001-01-01 00:00:00', datetime(1650000000 + pick(49, i, 60000000), 'unixepoch')), i
FROM numbers WHERE i <= 36000;
INSERT INTO "AppUserProgresses"
SELECT c."Id" * 2 + n.i, iif(chance(50 + n.i, c."Id") < 0.6, c."Pages", pick(52, c."Id", 15)), c."VolumeId", v."SeriesId", c."Id", \
s."LibraryId", NULL, datetime(1650000000 + pick(53, c."Id", 70000000), 'unixepoch'), datetime(1650000000 + pick(53, c."Id" + n.i, \
70000000), 'unixepoch'), skewed(54, c."Id" + n.i * 40000, 80)
FROM numbers AS n, "Chapter" AS c JOIN "Volume" AS v ON v."Id" = c."VolumeId" JOIN "Series" AS s ON s."Id" = v."SeriesId" WHERE n.i <= 2 \
AND chance(55 + n.i, c."Id") < 0.5;
INSERT INTO "AppUserBookmark" SELECT i, pick(57, i, 100), 1 + i % 18000, skewed(58, i, 4900), pick(59, i, 36000), 'b' || i || '.png', \
datetime(1650000000 + i * 3000, 'unixepoch'), skewed(60, i, 80) FROM numbers WHERE i <= 12000;
INSERT INTO "MediaError" SELECT i, '.cbz', '/data/Manga/' || i, 'Bad archive', prose(61, i, 100), datetime(1650000000 + i * 3000, \
'unixepoch') FROM numbers WHERE i <= 500;

-- statement: kavita-01
-- is: full-scan, or-without-index
-- because: a scanned folder looks for its series by any of three names
-- run: 'kizulofo', 'Kizu Lofo', 0 | 'flobrahu', 'Flo Brahu', 1

SELECT s."Id", s."Name" FROM "Series" AS s WHERE (s."NormalizedName" = ?1 OR s."NormalizedLocalizedName" = ?1 OR s."OriginalName" = ?2) \
AND s."Format" = ?3

-- best
-- index: "Series" ("NormalizedName")
-- index: "Series" ("NormalizedLocalizedName")
-- index: "Series" ("OriginalName")

-- statement: kavita-02
-- is: index-not-covering, subquery-per-row
-- because: what a user is reading: the progress of all series is looked up, twice
-- run: 40 | 2

SELECT s."Id", s."Name", coalesce((SELECT sum(p."PagesRead") FROM "AppUserProgresses" AS p WHERE p."SeriesId" = s."Id" AND p."AppUserId" = \
?1), 0) AS "PagesRead",
  (SELECT max(p."LastModifiedUtc") FROM "AppUserProgresses" AS p WHERE p."SeriesId" = s."Id" AND p."AppUserId" = ?1) AS "Latest"
FROM "Series" AS s WHERE s."LibraryId" IN (SELECT l."LibrariesId" FROM "AppUserLibrary" AS l WHERE l."AppUsersId" = ?1) AND "Latest" IS \
NOT NULL AND "PagesRead" < s."Pages" ORDER BY "Latest" DESC LIMIT 20

-- best

SELECT s."Id", s."Name", p."PagesRead", p."Latest" FROM (SELECT "SeriesId", sum("PagesRead") AS "PagesRead", max("LastModifiedUtc") AS \
"Latest" FROM "AppUserProgresses" WHERE "AppUserId" = ?1 GROUP BY "SeriesId") AS p
CROSS JOIN "Series" AS s ON s."Id" = p."SeriesId" WHERE s."LibraryId" IN (SELECT l."LibrariesId" FROM "AppUserLibrary" AS l WHERE \
l."AppUsersId" = ?1) AND p."PagesRead" < s."Pages" ORDER BY p."Latest" DESC LIMIT 20

-- or
-- index: "AppUserProgresses" ("AppUserId", "SeriesId", "LastModifiedUtc", "PagesRead")

-- statement: kavita-03
-- is: full-scan, join-order, sort-without-index
-- because: chapters added recently: all are joined and sorted

SELECT c."Id", c."TitleName", v."SeriesId" FROM "Chapter" AS c INNER JOIN "Volume" AS v ON v."Id" = c."VolumeId" INNER JOIN "Series" AS s \
ON s."Id" = v."SeriesId"
WHERE s."LibraryId" IN (1, 2, 3) ORDER BY c."CreatedUtc" DESC LIMIT 30

-- best
-- index: "Chapter" ("CreatedUtc")

SELECT c."Id", c."TitleName", v."SeriesId" FROM "Chapter" AS c CROSS JOIN "Volume" AS v ON v."Id" = c."VolumeId" CROSS JOIN "Series" AS s \
ON s."Id" = v."SeriesId"
WHERE s."LibraryId" IN (1, 2, 3) ORDER BY c."CreatedUtc" DESC LIMIT 30

-- statement: kavita-04
-- is: full-scan, partial-index
-- because: files that weren't analysed: few of all

SELECT f."Id", f."FilePath" FROM "MangaFile" AS f WHERE f."LastFileAnalysisUtc" = '0001-01-01 00:00:00'

-- best
-- index: "MangaFile" ("Id") WHERE "LastFileAnalysisUtc" = '0001-01-01 00:00:00'

-- or
-- index: "MangaFile" ("LastFileAnalysisUtc")

-- statement: kavita-05
-- is: join-fan-out, multiplied-aggregate
-- because: pages are summed once for each bookmark, and the other way round
-- run: 30, 50

SELECT u."UserName", sum(p."PagesRead") AS "Pages", count(b."Id") AS "Bookmarks" FROM "AspNetUsers" AS u LEFT JOIN "AppUserProgresses" AS \
p ON p."AppUserId" = u."Id" LEFT JOIN "AppUserBookmark" AS b ON b."AppUserId" = u."Id"
WHERE u."Id" BETWEEN ? AND ? GROUP BY u."Id"

-- best
-- changes results

SELECT u."UserName", (SELECT sum(p."PagesRead") FROM "AppUserProgresses" AS p WHERE p."AppUserId" = u."Id") AS "Pages", (SELECT count(*) \
FROM "AppUserBookmark" AS b WHERE b."AppUserId" = u."Id") AS "Bookmarks"
FROM "AspNetUsers" AS u WHERE u."Id" BETWEEN ? AND ?

-- statement: kavita-06
-- is: expression-index, full-scan, function-on-column, group-without-index, sort-without-index
-- because: chapters by year: all wide rows are read for it

SELECT strftime('%Y', c."ReleaseDate") AS "Year", count(*) FROM "Chapter" AS c WHERE c."ReleaseDate" > '0001-01-01 00:00:00' GROUP BY \
"Year" ORDER BY "Year"

-- best
-- index: "Chapter" (substr("ReleaseDate", 1, 4), "ReleaseDate")

SELECT substr(c."ReleaseDate", 1, 4) AS "Year", count(*) FROM "Chapter" AS c WHERE c."ReleaseDate" > '0001-01-01 00:00:00' GROUP BY "Year" \
ORDER BY "Year"

-- or
-- index: "Chapter" (strftime('%Y', "ReleaseDate"), "ReleaseDate")

-- or
-- index: "Chapter" ("ReleaseDate")

-- statement: kavita-07
-- is: expression-index, sort-without-index
-- because: the first page of a library: all of it is sorted by an expression
-- run: 1 | 3

SELECT s."Id", s."Name" FROM "Series" AS s WHERE s."LibraryId" = ? ORDER BY lower(s."SortName"), s."Id" LIMIT 40 OFFSET 0

-- best
-- index: "Series" ("LibraryId", lower("SortName"))

-- statement: kavita-08
-- is: expression-index, full-scan, function-on-column, partial-index, type-mismatch
-- because: a chapter by the number that a scanner gave: numbers are stored as text
-- run: 9780000791900 | 9780031676000

SELECT c."Id", c."ISBN" FROM "Chapter" AS c WHERE c."ISBN" <> '' AND CAST(c."ISBN" AS INTEGER) = ?

-- best
-- index: "Chapter" (CAST("ISBN" AS INTEGER)) WHERE "ISBN" <> ''

-- or
-- index: "Chapter" (CAST("ISBN" AS INTEGER))

-- statement: kavita-09
-- is: full-scan, index-not-covering
-- because: a user's bookmark goes: all of theirs are read
-- run: 12345, 1, 5 | 23456, 1, 9 | 777, 1, 30

DELETE FROM "AppUserBookmark" WHERE "ChapterId" = ? AND "AppUserId" = ? AND "Page" = ?

-- best
-- index: "AppUserBookmark" ("ChapterId", "AppUserId", "Page")

-- or
-- index: "AppUserBookmark" ("AppUserId", "ChapterId")

-- or
-- index: "AppUserBookmark" ("ChapterId")

-- statement: kavita-10
-- is: case-insensitive-without-index, full-scan, pattern-without-index
-- because: the series below a folder
-- run: '/data/Manga/Gufo%' | '/data/Comics/Lo%'

SELECT s."Id", s."FolderPath" FROM "Series" AS s WHERE s."FolderPath" LIKE ? ORDER BY s."Id"

-- best
-- index: "Series" ("FolderPath" COLLATE NOCASE)

-- statement: kavita-11
-- is: full-scan, partial-index, subquery-per-row
-- because: volumes with a special chapter without cover: all chapters are read for the few

SELECT v."Id", v."Name" FROM "Volume" AS v WHERE v."Id" IN (SELECT c."VolumeId" FROM "Chapter" AS c WHERE c."CoverImage" IS NULL AND \
c."IsSpecial" = 1)

-- best
-- index: "Chapter" ("VolumeId") WHERE "CoverImage" IS NULL AND "IsSpecial" = 1

-- or
-- index: "Chapter" ("IsSpecial", "CoverImage", "VolumeId")

-- statement: kavita-12
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: a series' chapters and files, by indexes at each step
-- run: 2500

SELECT c."Id", c."Range", f."FilePath" FROM "Volume" AS v JOIN "Chapter" AS c ON c."VolumeId" = v."Id" LEFT JOIN "MangaFile" AS f ON \
f."ChapterId" = c."Id" WHERE v."SeriesId" = ? ORDER BY v."MinNumber", c."SortOrder"

-- statement: kavita-13
-- fine
-- tolerated: sort-without-index
-- because: how many series each genre has: the key of the pairs is in order

SELECT g."Id", g."Title", count(*) FROM "Genre" AS g JOIN "GenreSeriesMetadata" AS m ON m."GenresId" = g."Id" GROUP BY g."Id" ORDER BY \
count(*) DESC, g."Id"

-- statement: kavita-14
-- fine
-- tolerated: index-not-covering
-- because: a page was read: one or two rows by the chapter
-- run: 12, '2024-07-01 10:00:00', 20000, 3

UPDATE "AppUserProgresses" SET "PagesRead" = ?, "LastModifiedUtc" = ? WHERE "ChapterId" = ? AND "AppUserId" = ?

-- statement: kavita-15
-- fine
-- because: the series of a rare genre
-- run: 115

SELECT s."Id", s."Name" FROM "Series" AS s JOIN "SeriesMetadata" AS m ON m."SeriesId" = s."Id" JOIN "GenreSeriesMetadata" AS g ON \
g."SeriesMetadatasId" = m."Id" WHERE g."GenresId" = ?

-- statement: kavita-16
-- fine
-- because: counted in an index
-- run: 3

SELECT count(*) FROM "AppUserProgresses" WHERE "AppUserId" = ?

-- statement: kavita-17
-- fine
-- because: a new bookmark
-- run: 3, 20, 30, 40, 'x.png', '2024-07-01 00:00:00', 4

INSERT INTO "AppUserBookmark" ("Page", "VolumeId", "SeriesId", "ChapterId", "FileName", "Created", "AppUserId") VALUES (?, ?, ?, ?, ?, ?, ?)
