-- schema: mihon
-- about: A reader of comics on a phone: what sources offer and what is in the library, chapters and what was read, with views for the \
--   main screens and triggers that count versions.
-- origin: Mihon 0.18 (Apache-2.0, Copyright Javier Tomás and the Mihon contributors): seven of its tables with their indexes, triggers \
--   and views; many statements as it runs them
-- superfluous: duplicate-index history_history_chapter_id_index
-- superfluous: redundant-index idx_manga_sync_manga_id

CREATE TABLE mangas (
  _id INTEGER NOT NULL PRIMARY KEY, source INTEGER NOT NULL, url TEXT NOT NULL, artist TEXT, author TEXT, description TEXT, genre TEXT, \
title TEXT NOT NULL, status INTEGER NOT NULL, thumbnail_url TEXT, favorite INTEGER NOT NULL,
  last_update INTEGER, next_update INTEGER, viewer INTEGER NOT NULL, chapter_flags INTEGER NOT NULL, cover_last_modified INTEGER NOT NULL, \
date_added INTEGER NOT NULL, last_modified_at INTEGER NOT NULL DEFAULT 0,
  favorite_modified_at INTEGER, version INTEGER NOT NULL DEFAULT 0, is_syncing INTEGER NOT NULL DEFAULT 0);
CREATE INDEX library_favorite_index ON mangas(favorite) WHERE favorite = 1;
CREATE INDEX mangas_url_index ON mangas(url);
CREATE TABLE chapters (
  _id INTEGER NOT NULL PRIMARY KEY, manga_id INTEGER NOT NULL, url TEXT NOT NULL, name TEXT NOT NULL, scanlator TEXT, read INTEGER NOT \
NULL, bookmark INTEGER NOT NULL, last_page_read INTEGER NOT NULL, chapter_number REAL NOT NULL,
  source_order INTEGER NOT NULL, date_fetch INTEGER NOT NULL, date_upload INTEGER NOT NULL, last_modified_at INTEGER NOT NULL DEFAULT 0, \
version INTEGER NOT NULL DEFAULT 0, is_syncing INTEGER NOT NULL DEFAULT 0,
  FOREIGN KEY(manga_id) REFERENCES mangas (_id) ON DELETE CASCADE);
CREATE INDEX chapters_manga_id_index ON chapters(manga_id);
CREATE INDEX chapters_unread_by_manga_index ON chapters(manga_id, read) WHERE read = 0;
CREATE TABLE history (_id INTEGER NOT NULL PRIMARY KEY, chapter_id INTEGER NOT NULL UNIQUE, last_read INTEGER, time_read INTEGER NOT NULL, \
FOREIGN KEY(chapter_id) REFERENCES chapters (_id) ON DELETE CASCADE);
CREATE INDEX history_history_chapter_id_index ON history(chapter_id);
CREATE TABLE categories (_id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, sort INTEGER NOT NULL, flags INTEGER NOT NULL);
CREATE TABLE mangas_categories (
  _id INTEGER NOT NULL PRIMARY KEY, manga_id INTEGER NOT NULL, category_id INTEGER NOT NULL, FOREIGN KEY(category_id) REFERENCES \
categories (_id) ON DELETE CASCADE, FOREIGN KEY(manga_id) REFERENCES mangas (_id) ON DELETE CASCADE);
CREATE TABLE excluded_scanlators (manga_id INTEGER NOT NULL, scanlator TEXT NOT NULL, FOREIGN KEY(manga_id) REFERENCES mangas (_id) ON \
DELETE CASCADE);
CREATE INDEX excluded_scanlators_manga_id_index ON excluded_scanlators(manga_id);
CREATE TABLE manga_sync (
  _id INTEGER NOT NULL PRIMARY KEY, manga_id INTEGER NOT NULL, sync_id INTEGER NOT NULL, remote_id INTEGER NOT NULL, title TEXT NOT NULL, \
last_chapter_read REAL NOT NULL, status INTEGER NOT NULL, score REAL NOT NULL,
  UNIQUE (manga_id, sync_id) ON CONFLICT REPLACE, FOREIGN KEY(manga_id) REFERENCES mangas (_id) ON DELETE CASCADE);
CREATE INDEX idx_manga_sync_manga_id ON manga_sync(manga_id);

INSERT INTO mangas
SELECT i, 1000 + skewed(1, i, 40), '/manga/' || word(i) || '-' || i, word(skewed(2, i, 900)), word(skewed(2, i, 900)), prose(3, i, 100 + \
pick(4, i, 700)), word(skewed(5, i, 40)) || ', ' || word(skewed(6, i, 40)), title(7, i / 2, 3), skewed(8, i, 6), 'https://covers.example/' \
|| i || '.jpg', i % 8 = 0,
  1700000000000 + pick(9, i, 20000000) * 1000, iif(i % 8 = 0, 1719000000000 + (pick(10, i, 60) - 30) * 86400000, 0), 0, 0, 0, \
1600000000000 + i * 12000000, 0, NULL, 1, 0
FROM numbers WHERE i <= 6000;
INSERT INTO chapters
SELECT i, CASE WHEN i % 2 = 0 THEN 8 * skewed(11, i, 750) ELSE pick(12, i, 6000) END, '/chapter/' || i || '/' || word(i), 'Vol. ' || (i % \
30) || ' Ch. ' || (i % 300) || ': ' || title(13, i, 4), iif(chance(14, i) < 0.3, NULL, word(skewed(15, i, 300))),
  i % 2 = 0 AND chance(16, i) < 0.6, chance(17, i) < 0.01, iif(chance(18, i) < 0.03, pick(19, i, 20), 0), i % 300, i % 300, 1640000000000 \
+ i * 1600000, 1639000000000 + i * 1600000 - pick(20, i, 900000000), 0, 1, 0
FROM numbers WHERE i <= 48000;
UPDATE chapters SET is_syncing = 1 WHERE _id % 3 = 0;
INSERT INTO history SELECT NULL, _id, iif(chance(21, _id) < 0.004, 0, 1650000000000 + (_id * 7919 % 48000) * 1400000), pick(22, _id, \
600000) FROM chapters WHERE read = 1;
INSERT INTO categories SELECT i - 1, iif(i = 1, '', title(23, i, 1)), i - 2, 0 FROM numbers WHERE i <= 14;
INSERT INTO mangas_categories SELECT NULL, m._id, skewed(24, m._id * 3 + n.i, 13) FROM mangas AS m CROSS JOIN numbers AS n WHERE n.i <= 1 \
+ m._id % 3 AND m.favorite = 1;
INSERT INTO excluded_scanlators SELECT 8 * skewed(25, i, 750), word(skewed(26, i, 300)) FROM numbers WHERE i <= 300;
INSERT OR REPLACE INTO manga_sync SELECT i, 8 * pick(27, i, 750), 1 + i % 3, i, title(28, i, 3), 1, 1, 0 FROM numbers WHERE i <= 900;

CREATE TRIGGER update_last_favorited_at_mangas AFTER UPDATE OF favorite ON mangas BEGIN
  UPDATE mangas SET favorite_modified_at = strftime('%s', 'now') WHERE _id = new._id;
END;
CREATE TRIGGER update_last_modified_at_chapters AFTER UPDATE ON chapters FOR EACH ROW BEGIN
  UPDATE chapters SET last_modified_at = strftime('%s', 'now') WHERE _id = new._id;
END;
CREATE TRIGGER update_chapter_and_manga_version AFTER UPDATE ON chapters WHEN new.is_syncing = 0 AND (new.read != old.read OR new.bookmark \
!= old.bookmark OR new.last_page_read != old.last_page_read) BEGIN
  UPDATE chapters SET version = version + 1 WHERE _id = new._id;
  UPDATE mangas SET version = version + 1 WHERE _id = new.manga_id AND (SELECT is_syncing FROM mangas WHERE _id = new.manga_id) = 0;
END;
CREATE VIEW libraryView AS
SELECT M.*, coalesce(C.total, 0) AS totalCount, coalesce(C.readCount, 0) AS readCount, coalesce(C.latestUpload, 0) AS latestUpload, \
coalesce(C.fetchedAt, 0) AS chapterFetchedAt, coalesce(C.lastRead, 0) AS lastRead,
  coalesce(C.bookmarkCount, 0) AS bookmarkCount, coalesce(MC.categories, '0') AS categories
FROM mangas M LEFT JOIN (
  SELECT chapters.manga_id, count(*) AS total, sum(read) AS readCount, coalesce(max(chapters.date_upload), 0) AS latestUpload, \
coalesce(max(history.last_read), 0) AS lastRead, coalesce(max(chapters.date_fetch), 0) AS fetchedAt,
    sum(chapters.bookmark) AS bookmarkCount
  FROM chapters LEFT JOIN excluded_scanlators ON chapters.manga_id = excluded_scanlators.manga_id AND chapters.scanlator = \
excluded_scanlators.scanlator LEFT JOIN history ON chapters._id = history.chapter_id
  WHERE excluded_scanlators.scanlator IS NULL GROUP BY chapters.manga_id) AS C ON M._id = C.manga_id
LEFT JOIN (SELECT manga_id, group_concat(category_id) AS categories FROM mangas_categories GROUP BY manga_id) AS MC ON MC.manga_id = M._id
WHERE M.favorite = 1;
CREATE VIEW historyView AS
SELECT history._id AS id, mangas._id AS mangaId, chapters._id AS chapterId, mangas.title, mangas.thumbnail_url AS thumbnailUrl, \
mangas.source, mangas.favorite, mangas.cover_last_modified, chapters.chapter_number AS chapterNumber,
  history.last_read AS readAt, history.time_read AS readDuration, max_last_read.last_read AS maxReadAt, max_last_read.chapter_id AS maxReadAtChapterId
FROM mangas JOIN chapters ON mangas._id = chapters.manga_id JOIN history ON chapters._id = history.chapter_id
JOIN (SELECT chapters.manga_id, chapters._id AS chapter_id, MAX(history.last_read) AS last_read FROM chapters JOIN history ON chapters._id \
= history.chapter_id GROUP BY chapters.manga_id) AS max_last_read
ON chapters.manga_id = max_last_read.manga_id;
CREATE VIEW updatesView AS
SELECT mangas._id AS mangaId, mangas.title AS mangaTitle, chapters._id AS chapterId, chapters.name AS chapterName, chapters.scanlator, \
chapters.read, chapters.bookmark, chapters.last_page_read, mangas.source, mangas.favorite,
  mangas.thumbnail_url AS thumbnailUrl, chapters.date_upload AS dateUpload, chapters.date_fetch AS datefetch
FROM mangas JOIN chapters ON mangas._id = chapters.manga_id WHERE favorite = 1 AND date_fetch > date_added ORDER BY date_fetch DESC;

-- statement: mihon-01
-- is: full-scan, index-not-covering, join-order, missing-statistics, partial-index, sort-without-index
-- because: new chapters, newest first: those of the whole library are read and sorted for a hundred
-- run: 0, 1700000000000

SELECT mangaId, mangaTitle, chapterId, chapterName, scanlator, read, dateUpload, datefetch FROM updatesView WHERE read = ? AND dateUpload \
> ? LIMIT 100

-- best
-- index: chapters (read, date_fetch)

-- statement: mihon-02
-- is: automatic-index, full-scan, group-without-index, join-order, missing-statistics, sort-without-index
-- because: what was read last: the view finds the last of each manga first, which isn't asked for

SELECT id, mangaId, chapterId, title, source, chapterNumber, readAt, readDuration FROM historyView WHERE historyView.readAt > 0 ORDER BY \
readAt DESC LIMIT 1

-- best
-- index: history (last_read)

SELECT h._id AS id, m._id AS mangaId, c._id AS chapterId, m.title, m.source, c.chapter_number AS chapterNumber, h.last_read AS readAt, \
h.time_read AS readDuration
FROM history AS h JOIN chapters AS c ON c._id = h.chapter_id JOIN mangas AS m ON m._id = c.manga_id WHERE h.last_read > 0 ORDER BY \
h.last_read DESC LIMIT 1

-- statement: mihon-03
-- is: full-scan, group-without-index, index-not-covering, partial-index, wide-rows-for-count
-- because: how much of each source isn't in the library: the rows with their descriptions are read for a number

SELECT source, COUNT(*) AS manga_count FROM mangas WHERE favorite = 0 GROUP BY source

-- best
-- index: mangas (source) WHERE favorite = 0

-- or
-- index: mangas (favorite, source)

-- or
-- index: mangas (source, favorite)

-- statement: mihon-04
-- is: full-scan
-- because: a chapter by its link
-- run: '/chapter/4711/yokibace' | '/chapter/7/yodi'

SELECT _id, manga_id, name, read FROM chapters WHERE url = ?

-- best
-- index: chapters (url)

-- statement: mihon-05
-- is: distinct-without-index, full-scan, index-not-covering, or-without-index, partial-index
-- because: what was begun but isn't in the library: all chapters are read

SELECT _id, title, source FROM mangas WHERE favorite = 0 AND _id IN (SELECT DISTINCT chapters.manga_id FROM chapters WHERE read = 1 OR \
last_page_read != 0)

-- best
-- index: chapters (manga_id) WHERE read = 1 OR last_page_read != 0

-- or
-- index: chapters (manga_id, read, last_page_read)

-- statement: mihon-06
-- is: full-scan
-- because: what was taken out of the history: a few of many

DELETE FROM history WHERE last_read = 0

-- best
-- index: history (last_read)

-- or
-- index: history (last_read) WHERE last_read = 0

-- statement: mihon-07
-- is: trigger-without-columns
-- because: the end of a sync: the trigger writes each row a second time, although nothing that it cares about changed

UPDATE chapters SET is_syncing = 0 WHERE is_syncing = 1

-- best
-- change: DROP TRIGGER update_last_modified_at_chapters
-- change: CREATE TRIGGER update_last_modified_at_chapters AFTER UPDATE OF manga_id, url, name, scanlator, read, bookmark, last_page_read, \
--   chapter_number, source_order, date_fetch, date_upload ON chapters FOR EACH ROW BEGIN UPDATE chapters SET last_modified_at = strftime('%s', \
--   'now') WHERE _id = new._id; END

-- statement: mihon-08
-- is: case-insensitive-without-index, expression-index, full-scan, function-on-column
-- because: where else a source's favourites are to be had, by title
-- run: 1001

SELECT a._id, a.title, b._id, b.source FROM mangas AS a JOIN mangas AS b ON lower(b.title) = lower(a.title) AND b._id <> a._id WHERE \
a.favorite = 1 AND a.source = ? ORDER BY a.title, a._id, b._id

-- best
-- index: mangas (lower(title))

-- statement: mihon-09
-- is: repeated-statement
-- because: the categories of each manga for a backup, one manga after the other
-- operation: back up library
-- run: 16 | 32 | 48 | 64 | 80 | 96 | 112 | 128 | 144 | 160 | 176 | 192 | 208 | 224 | 240 | 256 | 272 | 288 | 304 | 320 | 336 | 352 | 368 \
--   | 384 | 400 | 416 | 432 | 448 | 464 | 480 | 496 | 512 | 528 | 544 | 560 | 576 | 592 | 608 | 624 | 640 | 656 | 672 | 688 | 704 | 720 | 736 \
--   | 752 | 768 | 784 | 800 | 816 | 832 | 848 | 864 | 880 | 896 | 912 | 928 | 944 | 960 | 976 | 992 | 1008 | 1024 | 1040 | 1056 | 1072 | 1088 \
--   | 1104 | 1120 | 1136 | 1152 | 1168 | 1184 | 1200 | 1216 | 1232 | 1248 | 1264 | 1280 | 1296 | 1312 | 1328 | 1344 | 1360 | 1376 | 1392 | \
--   1408 | 1424 | 1440 | 1456 | 1472 | 1488 | 1504 | 1520 | 1536 | 1552 | 1568 | 1584 | 1600 | 1616 | 1632 | 1648 | 1664 | 1680 | 1696 | 1712 \
--   | 1728 | 1744 | 1760 | 1776 | 1792 | 1808 | 1824 | 1840 | 1856 | 1872 | 1888 | 1904 | 1920 | 1936 | 1952 | 1968 | 1984 | 2000 | 2016 | \
--   2032 | 2048 | 2064 | 2080 | 2096 | 2112 | 2128 | 2144 | 2160 | 2176 | 2192 | 2208 | 2224 | 2240 | 2256 | 2272 | 2288 | 2304 | 2320 | 2336 \
--   | 2352 | 2368 | 2384 | 2400 | 2416 | 2432 | 2448 | 2464 | 2480 | 2496 | 2512 | 2528 | 2544 | 2560 | 2576 | 2592 | 2608 | 2624 | 2640 | \
--   2656 | 2672 | 2688 | 2704 | 2720 | 2736 | 2752 | 2768 | 2784 | 2800 | 2816 | 2832 | 2848 | 2864 | 2880 | 2896 | 2912 | 2928 | 2944 | 2960 \
--   | 2976 | 2992 | 3008 | 3024 | 3040 | 3056 | 3072 | 3088 | 3104 | 3120 | 3136 | 3152 | 3168 | 3184 | 3200 | 3216 | 3232 | 3248 | 3264 | \
--   3280 | 3296 | 3312 | 3328 | 3344 | 3360 | 3376 | 3392 | 3408 | 3424 | 3440 | 3456 | 3472 | 3488 | 3504 | 3520 | 3536 | 3552 | 3568 | 3584 \
--   | 3600 | 3616 | 3632 | 3648 | 3664 | 3680 | 3696 | 3712 | 3728 | 3744 | 3760 | 3776 | 3792 | 3808 | 3824 | 3840 | 3856 | 3872 | 3888 | \
--   3904 | 3920 | 3936 | 3952 | 3968 | 3984 | 4000 | 4016 | 4032 | 4048 | 4064 | 4080 | 4096 | 4112 | 4128 | 4144 | 4160 | 4176 | 4192 | 4208 \
--   | 4224 | 4240 | 4256 | 4272 | 4288 | 4304 | 4320 | 4336 | 4352 | 4368 | 4384 | 4400 | 4416 | 4432 | 4448 | 4464 | 4480 | 4496 | 4512 | \
--   4528 | 4544 | 4560 | 4576 | 4592 | 4608 | 4624 | 4640 | 4656 | 4672 | 4688 | 4704 | 4720 | 4736 | 4752 | 4768 | 4784 | 4800

SELECT C._id AS id, C.name, C.sort FROM categories C JOIN mangas_categories MC ON C._id = MC.category_id WHERE MC.manga_id = ? ORDER BY C.sort

-- best
-- run: '[16,32,48,64,80,96,112,128,144,160,176,192,208,224,240,256,272,288,304,320,336,352,368,384,400,416,432,448,464,480,496,512,528,\
--   544,560,576,592,608,624,640,656,672,688,704,720,736,752,768,784,800,816,832,848,864,880,896,912,928,944,960,976,992,1008,1024,1040,1056,\
--   1072,1088,1104,1120,1136,1152,1168,1184,1200,1216,1232,1248,1264,1280,1296,1312,1328,1344,1360,1376,1392,1408,1424,1440,1456,1472,1488,\
--   1504,1520,1536,1552,1568,1584,1600,1616,1632,1648,1664,1680,1696,1712,1728,1744,1760,1776,1792,1808,1824,1840,1856,1872,1888,1904,1920,\
--   1936,1952,1968,1984,2000,2016,2032,2048,2064,2080,2096,2112,2128,2144,2160,2176,2192,2208,2224,2240,2256,2272,2288,2304,2320,2336,2352,\
--   2368,2384,2400,2416,2432,2448,2464,2480,2496,2512,2528,2544,2560,2576,2592,2608,2624,2640,2656,2672,2688,2704,2720,2736,2752,2768,2784,\
--   2800,2816,2832,2848,2864,2880,2896,2912,2928,2944,2960,2976,2992,3008,3024,3040,3056,3072,3088,3104,3120,3136,3152,3168,3184,3200,3216,\
--   3232,3248,3264,3280,3296,3312,3328,3344,3360,3376,3392,3408,3424,3440,3456,3472,3488,3504,3520,3536,3552,3568,3584,3600,3616,3632,3648,\
--   3664,3680,3696,3712,3728,3744,3760,3776,3792,3808,3824,3840,3856,3872,3888,3904,3920,3936,3952,3968,3984,4000,4016,4032,4048,4064,4080,\
--   4096,4112,4128,4144,4160,4176,4192,4208,4224,4240,4256,4272,4288,4304,4320,4336,4352,4368,4384,4400,4416,4432,4448,4464,4480,4496,4512,\
--   4528,4544,4560,4576,4592,4608,4624,4640,4656,4672,4688,4704,4720,4736,4752,4768,4784,4800]'

SELECT C._id AS id, C.name, C.sort FROM mangas_categories MC JOIN categories C ON C._id = MC.category_id WHERE MC.manga_id IN (SELECT \
value FROM json_each(?)) ORDER BY MC.manga_id, C.sort

-- statement: mihon-10
-- is: automatic-index, full-scan, group-without-index, index-not-covering, join-order, subquery-per-row
-- because: the favourites of a small source: for few of them, the chapters of all manga are counted
-- run: 1030 | 1033

SELECT _id, title, totalCount, readCount, lastRead, categories FROM libraryView WHERE source = ? ORDER BY title, _id

-- best

SELECT M._id, M.title, (SELECT count(*) FROM chapters C LEFT JOIN excluded_scanlators E ON E.manga_id = C.manga_id AND E.scanlator = \
C.scanlator WHERE C.manga_id = M._id AND E.scanlator IS NULL) AS totalCount,
  (SELECT coalesce(sum(read), 0) FROM chapters C LEFT JOIN excluded_scanlators E ON E.manga_id = C.manga_id AND E.scanlator = C.scanlator \
WHERE C.manga_id = M._id AND E.scanlator IS NULL) AS readCount,
  (SELECT coalesce(max(H.last_read), 0) FROM chapters C LEFT JOIN excluded_scanlators E ON E.manga_id = C.manga_id AND E.scanlator = \
C.scanlator JOIN history H ON H.chapter_id = C._id WHERE C.manga_id = M._id AND E.scanlator IS NULL) AS lastRead,
  coalesce((SELECT group_concat(category_id) FROM mangas_categories WHERE manga_id = M._id), '0') AS categories
FROM mangas M WHERE M.favorite = 1 AND M.source = ? ORDER BY M.title, M._id

-- statement: mihon-11
-- is: expression-index, function-on-column, index-not-covering
-- because: whether a title is in the library already: an index finds the favourites, but all of them
-- run: 'loce stanari shuce', 4001

SELECT _id, title FROM mangas WHERE favorite = 1 AND LOWER(title) = ? AND _id != ?

-- best
-- index: mangas (lower(title)) WHERE favorite = 1

-- or
-- index: mangas (lower(title))

-- statement: mihon-12
-- fine
-- tolerated: index-not-covering
-- because: a chapter by its link, among those of its manga
-- run: '/chapter/4712/stakibace', 4000

SELECT _id, url, name, read FROM chapters WHERE url = ? AND manga_id = ?

-- statement: mihon-13
-- fine
-- because: a manga leaves the history: all by indexes
-- run: 1600

UPDATE history SET last_read = 0 WHERE _id IN (SELECT H._id FROM mangas M INNER JOIN chapters C ON M._id = C.manga_id INNER JOIN history H \
ON C._id = H.chapter_id WHERE M._id = ?)

-- statement: mihon-14
-- fine
-- tolerated: index-not-covering, or-without-index
-- because: the chapters of a manga, without some groups: the OR only switches that on
-- run: 800, 1

SELECT C._id, C.name, C.scanlator, C.read FROM chapters C LEFT JOIN excluded_scanlators ES ON C.manga_id = ES.manga_id AND C.scanlator = \
ES.scanlator WHERE C.manga_id = ?1 AND (?2 = 0 OR ES.scanlator IS NULL)

-- statement: mihon-15
-- fine
-- because: a new favourite: one row, and one more write by its trigger
-- run: 1719000000000, 4003

UPDATE mangas SET favorite = 1, date_added = ? WHERE _id = ?

-- statement: mihon-16
-- fine
-- because: a chapter was read, once more or for the first time
-- run: 4002, 1719300000000, 5000

INSERT INTO history (chapter_id, last_read, time_read) VALUES (?1, ?2, ?3) ON CONFLICT (chapter_id) DO UPDATE SET last_read = ?2, \
time_read = time_read + ?3 WHERE chapter_id = ?1

-- statement: mihon-17
-- fine
-- tolerated: index-not-covering
-- because: what was read of a manga: its chapters, and the unique key of each
-- run: 1600 | 2400

SELECT H._id, H.chapter_id, H.last_read, H.time_read FROM history H JOIN chapters C ON H.chapter_id = C._id WHERE C.manga_id = ? AND C._id \
= H.chapter_id

-- statement: mihon-18
-- is: index-not-covering, subquery-per-row
-- because: when each favourite had a new chapter: all of its chapters are looked up for the newest
-- run: 1

UPDATE mangas SET last_update = (SELECT max(c.date_fetch) FROM chapters AS c WHERE c.manga_id = mangas._id) WHERE favorite = 1 AND source <> ?

-- best
-- index: chapters (manga_id, date_fetch)
