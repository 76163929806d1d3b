-- schema: sonarr
-- about: A manager of series: episodes that are wanted or have a file, and all that happened to them.
-- origin: Sonarr 4 (GPL-3.0, Copyright the Sonarr contributors): seven of its tables with their indexes, without columns that nothing \
--   here reads
-- superfluous: redundant-index IX_Episodes_SeriesId

CREATE TABLE "Series" (
  "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "TvdbId" INTEGER NOT NULL, "Title" TEXT NOT NULL, "TitleSlug" TEXT, "CleanTitle" TEXT \
NOT NULL, "Status" INTEGER NOT NULL,
  "Overview" TEXT, "Images" TEXT NOT NULL, "Path" TEXT NOT NULL, "Monitored" INTEGER NOT NULL, "QualityProfileId" INTEGER NOT NULL, \
"SortTitle" TEXT, "Tags" TEXT, "Added" DATETIME);
CREATE UNIQUE INDEX "IX_Series_TvdbId" ON "Series" ("TvdbId" ASC);
CREATE INDEX "IX_Series_CleanTitle" ON "Series" ("CleanTitle" ASC);
CREATE INDEX "IX_Series_Path" ON "Series" ("Path" ASC);
CREATE TABLE "Episodes" (
  "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "Monitored" INTEGER, "SeriesId" INTEGER NOT NULL, "SeasonNumber" INTEGER NOT NULL, \
"EpisodeNumber" INTEGER NOT NULL, "Title" TEXT,
  "Overview" TEXT, "Runtime" INTEGER NOT NULL, "EpisodeFileId" INTEGER, "AirDate" TEXT, "AbsoluteEpisodeNumber" INTEGER, \
"SceneAbsoluteEpisodeNumber" INTEGER,
  "SceneSeasonNumber" INTEGER, "SceneEpisodeNumber" INTEGER, "AirDateUtc" DATETIME, "Ratings" TEXT, "Images" TEXT, "LastSearchTime" \
DATETIME, "TvdbId" INTEGER);
CREATE INDEX "IX_Episodes_SeriesId" ON "Episodes" ("SeriesId" ASC);
CREATE INDEX "IX_Episodes_EpisodeFileId" ON "Episodes" ("EpisodeFileId" ASC);
CREATE INDEX "IX_Episodes_SeriesId_SeasonNumber_EpisodeNumber" ON "Episodes" ("SeriesId" ASC, "SeasonNumber" ASC, "EpisodeNumber" ASC);
CREATE INDEX "IX_Episodes_SeriesId_AirDate" ON "Episodes" ("SeriesId" ASC, "AirDate" ASC);
CREATE TABLE "EpisodeFiles" (
  "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "SeriesId" INTEGER NOT NULL, "Quality" TEXT NOT NULL, "Size" INTEGER NOT NULL, \
"DateAdded" DATETIME NOT NULL,
  "SeasonNumber" INTEGER NOT NULL, "SceneName" TEXT, "ReleaseGroup" TEXT, "MediaInfo" TEXT, "RelativePath" TEXT, "Languages" TEXT NOT NULL \
DEFAULT '[]', "OriginalFilePath" TEXT);
CREATE INDEX "IX_EpisodeFiles_SeriesId" ON "EpisodeFiles" ("SeriesId" ASC);
CREATE TABLE "History" (
  "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "EpisodeId" INTEGER NOT NULL, "SeriesId" INTEGER NOT NULL, "SourceTitle" TEXT NOT NULL, \
"Date" DATETIME NOT NULL,
  "Quality" TEXT NOT NULL, "Data" TEXT NOT NULL, "EventType" INTEGER, "DownloadId" TEXT, "Languages" TEXT NOT NULL DEFAULT '[]');
CREATE INDEX "IX_History_SeriesId" ON "History" ("SeriesId" ASC);
CREATE INDEX "IX_History_Date" ON "History" ("Date" ASC);
CREATE INDEX "IX_History_EventType" ON "History" ("EventType" ASC);
CREATE INDEX "IX_History_EpisodeId_Date" ON "History" ("EpisodeId" ASC, "Date" DESC);
CREATE INDEX "IX_History_DownloadId_Date" ON "History" ("DownloadId" ASC, "Date" DESC);
CREATE TABLE "DownloadHistory" (
  "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "EventType" INTEGER NOT NULL, "SeriesId" INTEGER NOT NULL, "DownloadId" TEXT NOT NULL, \
"SourceTitle" TEXT NOT NULL,
  "Date" DATETIME NOT NULL, "Protocol" INTEGER, "IndexerId" INTEGER, "DownloadClientId" INTEGER, "Release" TEXT, "Data" TEXT);
CREATE INDEX "IX_DownloadHistory_DownloadId" ON "DownloadHistory" ("DownloadId" ASC);
CREATE INDEX "IX_DownloadHistory_SeriesId" ON "DownloadHistory" ("SeriesId" ASC);
CREATE INDEX "IX_DownloadHistory_EventType" ON "DownloadHistory" ("EventType" ASC);
CREATE TABLE "Blocklist" (
  "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "SeriesId" INTEGER NOT NULL, "EpisodeIds" TEXT NOT NULL, "SourceTitle" TEXT NOT NULL, \
"Quality" TEXT NOT NULL,
  "Date" DATETIME NOT NULL, "PublishedDate" DATETIME, "Size" INTEGER, "Protocol" INTEGER, "Indexer" TEXT, "Message" TEXT, \
"TorrentInfoHash" TEXT, "Languages" TEXT NOT NULL DEFAULT '[]');
CREATE INDEX "IX_Blocklist_SeriesId" ON "Blocklist" ("SeriesId" ASC);
CREATE TABLE "MetadataFiles" (
  "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "SeriesId" INTEGER NOT NULL, "Consumer" TEXT NOT NULL, "Type" INTEGER NOT NULL, \
"RelativePath" TEXT NOT NULL,
  "LastUpdated" DATETIME NOT NULL, "SeasonNumber" INTEGER, "EpisodeFileId" INTEGER, "Hash" TEXT, "Added" DATETIME, "Extension" TEXT NOT NULL);

INSERT INTO "Series"
SELECT i, 70000 + i * 3, title(1, i, 3), '', lower(replace(title(1, i, 3), ' ', '')), pick(2, i, 2), prose(3, i, 300), '[]', '/tv/' || \
title(1, i, 3), chance(4, i) < 0.7, 1, lower(title(1, i, 3)), '[]', datetime(1500000000 + i * 500000, 'unixepoch')
FROM numbers WHERE i <= 260;
INSERT INTO "Episodes"
SELECT i, chance(5, i) < 0.75, skewed(6, i / 12, 260), 1 + i / 12 % 9, 1 + i % 12, title(7, i, 4), prose(8, i, 250), 42, iif(chance(9, i) \
< 0.8, i, 0), date(1262304000 + i * 33000 + pick(10, i, 9000000), 'unixepoch'), i, NULL, NULL, NULL,
  datetime(1262304000 + i * 33000 + pick(10, i, 9000000), 'unixepoch'), '{"votes":12,"value":7.5}', '[]', NULL, 900000 + i FROM numbers \
WHERE i <= 16000;
INSERT INTO "EpisodeFiles"
SELECT i, skewed(6, i / 12, 260), '{ "quality": ' || pick(11, i, 20) || ', "revision": { "version": 1 } }', pick(12, i, 4000000000), \
datetime(1600000000 + i * 9000, 'unixepoch'), 1 + i / 12 % 9, title(13, i, 5), upper(word(skewed(14, i, 200))), prose(15, i, 300),
  'Season ' || (1 + i / 12 % 9) || '/' || title(16, i, 5) || '.mkv', '[1]', NULL FROM numbers WHERE i <= 16000 AND chance(9, i) < 0.8;
INSERT INTO "History"
SELECT i, pick(17, i, 16000), skewed(18, i, 260), title(19, i, 6), datetime(1600000000 + i * 4000, 'unixepoch'), '{ "quality": 4 }', \
prose(20, i, 250), CASE WHEN chance(21, i) < 0.48 THEN 1 WHEN chance(21, i) < 0.95 THEN 3 WHEN chance(21, i) < 0.99 THEN 5 ELSE 4 END,
  iif(chance(22, i) < 0.95, printf('%08X', i / 2 * 7919), NULL), '[1]' FROM numbers WHERE i <= 24000;
INSERT INTO "DownloadHistory"
SELECT i, pick(23, i, 3), skewed(24, i, 260), printf('%08X', i / 3 * 7919), title(25, i, 6), datetime(1600000000 + i * 4000, 'unixepoch'), \
2, 1, 1, prose(26, i, 300), NULL FROM numbers WHERE i <= 15000;
INSERT INTO "Blocklist"
SELECT i, skewed(27, i, 260), '[' || i || ']', title(28, i, 6), '{}', datetime(1650000000 + i * 7000 + pick(29, i, 90000), 'unixepoch'), \
NULL, 0, 2, word(pick(30, i, 9)), prose(31, i, 150), printf('%010X', i * 7919), '[1]' FROM numbers WHERE i <= 7000;
INSERT INTO "MetadataFiles"
SELECT i, skewed(6, i / 24, 260), 'XbmcMetadata', 1 + i % 2, 'Season/' || title(32, i, 5) || '.nfo', datetime(1600000000 + i * 5000, \
'unixepoch'), 1, 1 + i / 2, NULL, NULL, '.nfo' FROM numbers WHERE i <= 20000;

-- statement: sonarr-01
-- is: index-not-covering, partial-index, sort-without-index
-- because: the newest episodes without a file: one in five is without, and all of these are sorted
-- run: '2024-06-01 00:00:00'

SELECT e."Id", e."Title", s."Title", e."AirDateUtc" FROM "Episodes" e JOIN "Series" s ON e."SeriesId" = s."Id"
WHERE e."EpisodeFileId" = 0 AND e."SeasonNumber" >= 1 AND e."AirDateUtc" <= ? AND e."Monitored" = 1 AND s."Monitored" = 1
ORDER BY e."AirDateUtc" DESC LIMIT 20

-- best
-- index: Episodes (EpisodeFileId, Monitored, AirDateUtc)

-- or
-- index: Episodes (EpisodeFileId, AirDateUtc)

-- statement: sonarr-02
-- is: full-scan
-- because: two weeks of the calendar
-- run: '2024-06-01 00:00:00', '2024-06-15 00:00:00'

SELECT "Id", "SeriesId", "Title", "AirDateUtc" FROM "Episodes" WHERE "Monitored" = 1 AND "AirDateUtc" >= ? AND "AirDateUtc" <= ?

-- best
-- index: Episodes (AirDateUtc)

-- or
-- index: Episodes (Monitored, AirDateUtc)

-- statement: sonarr-03
-- fine
-- tolerated: index-not-covering, join-order
-- because: the second page of what happened, by its index

SELECT h."Id", h."SourceTitle", s."Title", e."Title" FROM "History" h JOIN "Series" s ON h."SeriesId" = s."Id"
JOIN "Episodes" e ON h."EpisodeId" = e."Id" ORDER BY h."Date" DESC LIMIT 10 OFFSET 10

-- statement: sonarr-04
-- is: group-without-index, index-not-covering
-- because: figures of each season: wide rows for three numbers

SELECT "SeriesId", "SeasonNumber", count(*) AS total, sum(CASE WHEN "EpisodeFileId" > 0 THEN 1 ELSE 0 END) AS files,
  sum(CASE WHEN "Monitored" = 1 THEN 1 ELSE 0 END) AS monitored, max("AirDateUtc") AS last
FROM "Episodes" GROUP BY "SeriesId", "SeasonNumber"

-- best
-- index: Episodes (SeriesId, SeasonNumber, EpisodeFileId, Monitored, AirDateUtc)

-- statement: sonarr-05
-- is: harmful-index, index-not-covering, missing-statistics, sort-without-index
-- because: a download's last event: the index of kinds of events finds a third of all
-- run: '0078D598', 3 | '016A80C8', 1

SELECT * FROM "DownloadHistory" WHERE "DownloadId" = ? AND "EventType" = ? ORDER BY "Date" DESC LIMIT 1

-- best
-- change: ANALYZE

-- or
-- index: DownloadHistory (DownloadId, EventType)

-- or
-- index: DownloadHistory (DownloadId, EventType, Date)

-- statement: sonarr-06
-- is: full-scan
-- because: what lies beside a file
-- run: 2000 | 3000

SELECT * FROM "MetadataFiles" WHERE "EpisodeFileId" = ?

-- best
-- index: MetadataFiles (EpisodeFileId)

-- statement: sonarr-07
-- is: full-scan, join-order, sort-without-index
-- because: what was blocked last: all is sorted

SELECT b."Id", b."SourceTitle", s."Title" FROM "Blocklist" b JOIN "Series" s ON b."SeriesId" = s."Id" ORDER BY b."Date" DESC LIMIT 20

-- best
-- index: Blocklist (Date)

-- statement: sonarr-08
-- is: index-not-covering
-- because: whether a release was blocked: all of a series are read
-- run: 12, '00003C6ACC' | 1, '0000000000'

SELECT "Id" FROM "Blocklist" WHERE "SeriesId" = ? AND "TorrentInfoHash" = ?

-- best
-- index: Blocklist (SeriesId, TorrentInfoHash)

-- or
-- index: Blocklist (TorrentInfoHash)

-- statement: sonarr-09
-- is: harmful-index, index-not-covering, missing-statistics, sort-without-index
-- because: a series' imports: the index of kinds finds half of all that happened
-- run: 40, 4 | 30, 3

SELECT * FROM "History" WHERE "SeriesId" = ? AND "EventType" = ? ORDER BY "Date" DESC

-- best
-- index: History (SeriesId, EventType, Date)

-- or
-- index: History (SeriesId, EventType)

-- statement: sonarr-10
-- fine
-- because: an episode's last event by an index that ends with its time
-- run: 77

SELECT "Id", "SourceTitle", "Date" FROM "History" WHERE "EpisodeId" = ? ORDER BY "Date" DESC LIMIT 1

-- statement: sonarr-11
-- is: case-insensitive-without-index, full-scan, join-order, pattern-without-index, sort-without-index
-- because: the newest episodes of a low quality: all files are looked at

SELECT e."Id", e."Title" FROM "Episodes" e JOIN "EpisodeFiles" f ON e."EpisodeFileId" = f."Id" JOIN "Series" s ON s."Id" = e."SeriesId"
WHERE s."Monitored" = 1 AND e."Monitored" = 1 AND f."Quality" LIKE '{ "quality": 7,%' ORDER BY e."AirDateUtc" DESC LIMIT 20

-- best
-- index: Episodes (Monitored, AirDateUtc, EpisodeFileId, SeriesId)

-- or
-- index: Episodes (Monitored, AirDateUtc)

-- or
-- index: Episodes (AirDateUtc)

-- or
-- index: EpisodeFiles (Quality COLLATE NOCASE)

-- statement: sonarr-12
-- is: index-not-covering, subquery-per-row
-- because: when each series was last on air: all of its episodes are read
-- run: '2024-01-01 00:00:00'

SELECT s."Id", s."Title", (SELECT max(e."AirDateUtc") FROM "Episodes" e WHERE e."SeriesId" = s."Id" AND e."AirDateUtc" < ?) AS last
FROM "Series" s WHERE s."Monitored" = 1

-- best
-- index: Episodes (SeriesId, AirDateUtc)

-- statement: sonarr-13
-- is: group-without-index, index-not-covering
-- because: the size of each series: wide rows for one number

SELECT "SeriesId", sum("Size") AS size, count(*) AS files FROM "EpisodeFiles" GROUP BY "SeriesId"

-- best
-- index: EpisodeFiles (SeriesId, Size)

-- statement: sonarr-14
-- is: distinct-without-index, index-not-covering
-- because: who released a large series' files
-- run: 1 | 4

SELECT DISTINCT "ReleaseGroup" FROM "EpisodeFiles" WHERE "SeriesId" = ?

-- best
-- index: EpisodeFiles (SeriesId, ReleaseGroup)

-- statement: sonarr-15
-- fine
-- tolerated: index-not-covering
-- because: a season in its order
-- run: 9, 4

SELECT "Id", "Title" FROM "Episodes" WHERE "SeriesId" = ? AND "SeasonNumber" = ? ORDER BY "EpisodeNumber"

-- statement: sonarr-16
-- fine
-- because: a series by its plain title
-- run: 'jehanagushuce'

SELECT "Id", "Title" FROM "Series" WHERE "CleanTitle" = ?
