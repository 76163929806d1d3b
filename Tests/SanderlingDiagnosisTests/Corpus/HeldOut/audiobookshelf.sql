-- schema: audiobookshelf
-- about: A server of audio books and podcasts: documents as keys, with lists of tags, files and chapters as JSON in long rows.
-- origin: Audiobookshelf 2.36 (GPL-3.0, Copyright advplyr and the Audiobookshelf contributors): thirteen of the tables that its models \
--   make, with their indexes and two of their triggers, columns that it adds later in their place
-- superfluous: redundant-index library_items_library_id_media_type
-- superfluous: redundant-index bookSeries_seriesId

CREATE TABLE `users` (
  `id` UUID PRIMARY KEY, `username` VARCHAR(255), `email` VARCHAR(255), `pash` VARCHAR(255), `type` VARCHAR(255), `token` VARCHAR(255), \
`isActive` TINYINT(1) DEFAULT 0, `isLocked` TINYINT(1) DEFAULT 0, `lastSeen` DATETIME, `permissions` JSON,
  `bookmarks` JSON, `extraData` JSON, `createdAt` DATETIME NOT NULL, `updatedAt` DATETIME NOT NULL);
CREATE TABLE `libraries` (
  `id` UUID PRIMARY KEY, `name` VARCHAR(255), `displayOrder` INTEGER, `icon` VARCHAR(255), `mediaType` VARCHAR(255), `provider` \
VARCHAR(255), `lastScan` DATETIME, `settings` JSON, `createdAt` DATETIME NOT NULL, `updatedAt` DATETIME NOT NULL);
CREATE TABLE `books` (
  `id` UUID PRIMARY KEY, `title` VARCHAR(255), `titleIgnorePrefix` VARCHAR(255), `subtitle` VARCHAR(255), `publishedYear` VARCHAR(255), \
`publishedDate` VARCHAR(255), `publisher` VARCHAR(255), `description` TEXT, `isbn` VARCHAR(255),
  `asin` VARCHAR(255), `language` VARCHAR(255), `explicit` TINYINT(1), `abridged` TINYINT(1), `coverPath` VARCHAR(255), `duration` FLOAT, \
`narrators` JSON, `audioFiles` JSON, `ebookFile` JSON, `chapters` JSON, `tags` JSON, `genres` JSON,
  `createdAt` DATETIME NOT NULL, `updatedAt` DATETIME NOT NULL);
CREATE INDEX `books_title` ON `books` (`title` COLLATE `NOCASE`);
CREATE INDEX `books_published_year` ON `books` (`publishedYear`);
CREATE INDEX `books_duration` ON `books` (`duration`);
CREATE TABLE `podcasts` (
  `id` UUID PRIMARY KEY, `title` VARCHAR(255), `titleIgnorePrefix` VARCHAR(255), `author` VARCHAR(255), `feedURL` VARCHAR(255), \
`description` TEXT, `language` VARCHAR(255), `explicit` TINYINT(1), `lastEpisodeCheck` DATETIME, `coverPath` VARCHAR(255),
  `tags` JSON, `genres` JSON, `numEpisodes` INTEGER, `createdAt` DATETIME NOT NULL, `updatedAt` DATETIME NOT NULL);
CREATE TABLE `podcastEpisodes` (
  `id` UUID PRIMARY KEY, `index` INTEGER, `season` VARCHAR(255), `episode` VARCHAR(255), `episodeType` VARCHAR(255), `title` VARCHAR(255), \
`subtitle` VARCHAR(1000), `description` TEXT, `pubDate` VARCHAR(255), `enclosureURL` VARCHAR(255),
  `enclosureSize` BIGINT, `enclosureType` VARCHAR(255), `publishedAt` DATETIME, `audioFile` JSON, `chapters` JSON, `extraData` JSON, \
`createdAt` DATETIME NOT NULL, `updatedAt` DATETIME NOT NULL,
  `podcastId` UUID REFERENCES `podcasts` (`id`) ON DELETE CASCADE ON UPDATE CASCADE);
CREATE INDEX `podcastEpisode_createdAt_podcastId` ON `podcastEpisodes` (`createdAt`, `podcastId`);
CREATE INDEX `podcast_episodes_published_at` ON `podcastEpisodes` (`publishedAt`);
CREATE TABLE `libraryItems` (
  `id` UUID PRIMARY KEY, `ino` VARCHAR(255), `path` VARCHAR(255), `relPath` VARCHAR(255), `mediaId` UUID, `mediaType` VARCHAR(255), \
`isFile` TINYINT(1), `isMissing` TINYINT(1), `isInvalid` TINYINT(1), `mtime` DATETIME(6), `ctime` DATETIME(6),
  `birthtime` DATETIME(6), `size` BIGINT, `lastScan` DATETIME, `lastScanVersion` VARCHAR(255), `libraryFiles` JSON, `extraData` JSON, \
`title` VARCHAR(255), `titleIgnorePrefix` VARCHAR(255), `authorNamesFirstLast` VARCHAR(255),
  `authorNamesLastFirst` VARCHAR(255), `createdAt` DATETIME NOT NULL, `updatedAt` DATETIME NOT NULL, `libraryId` UUID REFERENCES \
`libraries` (`id`) ON DELETE SET NULL ON UPDATE CASCADE);
CREATE INDEX `library_items_created_at` ON `libraryItems` (`createdAt`);
CREATE INDEX `library_items_media_id` ON `libraryItems` (`mediaId`);
CREATE INDEX `library_items_library_id_media_type` ON `libraryItems` (`libraryId`, `mediaType`);
CREATE INDEX `library_items_library_id_media_type_size` ON `libraryItems` (`libraryId`, `mediaType`, `size`);
CREATE INDEX `library_items_library_id_media_type_created_at` ON `libraryItems` (`libraryId`, `mediaType`, `createdAt`);
CREATE INDEX `library_items_library_id_media_type_title` ON `libraryItems` (`libraryId`, `mediaType`, `title` COLLATE `NOCASE`);
CREATE INDEX `library_items_library_id_media_type_title_ignore_prefix` ON `libraryItems` (`libraryId`, `mediaType`, `titleIgnorePrefix` \
COLLATE `NOCASE`);
CREATE INDEX `library_items_library_id_media_type_author_names_first_last` ON `libraryItems` (`libraryId`, `mediaType`, \
`authorNamesFirstLast` COLLATE `NOCASE`);
CREATE INDEX `library_items_library_id_media_type_author_names_last_first` ON `libraryItems` (`libraryId`, `mediaType`, \
`authorNamesLastFirst` COLLATE `NOCASE`);
CREATE INDEX `library_items_library_id_media_id_media_type` ON `libraryItems` (`libraryId`, `mediaId`, `mediaType`);
CREATE INDEX `library_items_birthtime` ON `libraryItems` (`birthtime`);
CREATE INDEX `library_items_mtime` ON `libraryItems` (`mtime`);
CREATE TABLE `authors` (
  `id` UUID PRIMARY KEY, `name` VARCHAR(255), `lastFirst` VARCHAR(255), `asin` VARCHAR(255), `description` TEXT, `imagePath` VARCHAR(255), \
`createdAt` DATETIME NOT NULL, `updatedAt` DATETIME NOT NULL,
  `libraryId` UUID REFERENCES `libraries` (`id`) ON DELETE CASCADE ON UPDATE CASCADE);
CREATE INDEX `authors_name` ON `authors` (`name` COLLATE `NOCASE`);
CREATE INDEX `authors_library_id` ON `authors` (`libraryId`);
CREATE TABLE `bookAuthors` (
  `id` UUID UNIQUE PRIMARY KEY, `createdAt` DATETIME NOT NULL, `bookId` UUID REFERENCES `books` (`id`) ON DELETE CASCADE ON UPDATE \
CASCADE, `authorId` UUID REFERENCES `authors` (`id`) ON DELETE CASCADE ON UPDATE CASCADE,
  UNIQUE (`bookId`, `authorId`));
CREATE INDEX `bookAuthor_authorId` ON `bookAuthors` (`authorId`);
CREATE TABLE `series` (
  `id` UUID PRIMARY KEY, `name` VARCHAR(255), `nameIgnorePrefix` VARCHAR(255), `description` TEXT, `createdAt` DATETIME NOT NULL, \
`updatedAt` DATETIME NOT NULL, `libraryId` UUID REFERENCES `libraries` (`id`) ON DELETE CASCADE ON UPDATE CASCADE);
CREATE INDEX `series_name` ON `series` (`name` COLLATE `NOCASE`);
CREATE UNIQUE INDEX `unique_series_name_per_library` ON `series` (`name`, `libraryId`);
CREATE INDEX `series_library_id` ON `series` (`libraryId`);
CREATE TABLE `bookSeries` (
  `id` UUID UNIQUE PRIMARY KEY, `sequence` VARCHAR(255), `createdAt` DATETIME NOT NULL, `bookId` UUID REFERENCES `books` (`id`) ON DELETE \
CASCADE ON UPDATE CASCADE, `seriesId` UUID REFERENCES `series` (`id`) ON DELETE CASCADE ON UPDATE CASCADE,
  UNIQUE (`bookId`, `seriesId`));
CREATE INDEX `bookSeries_seriesId` ON `bookSeries` (`seriesId`);
CREATE INDEX `book_series_series_book` ON `bookSeries` (`seriesId`, `bookId`);
CREATE TABLE `devices` (
  `id` UUID PRIMARY KEY, `deviceId` VARCHAR(255), `clientName` VARCHAR(255), `clientVersion` VARCHAR(255), `ipAddress` VARCHAR(255), \
`deviceName` VARCHAR(255), `extraData` JSON, `createdAt` DATETIME NOT NULL, `updatedAt` DATETIME NOT NULL,
  `userId` UUID REFERENCES `users` (`id`) ON DELETE CASCADE ON UPDATE CASCADE);
CREATE TABLE `mediaProgresses` (
  `id` UUID PRIMARY KEY, `mediaItemId` UUID, `mediaItemType` VARCHAR(255), `duration` FLOAT, `currentTime` FLOAT, `isFinished` TINYINT(1), \
`hideFromContinueListening` TINYINT(1), `ebookLocation` VARCHAR(255), `ebookProgress` FLOAT,
  `finishedAt` DATETIME, `extraData` JSON, `podcastId` UUID, `createdAt` DATETIME NOT NULL, `updatedAt` DATETIME NOT NULL, `userId` UUID \
REFERENCES `users` (`id`) ON DELETE CASCADE ON UPDATE CASCADE);
CREATE INDEX `media_progresses_updated_at` ON `mediaProgresses` (`updatedAt`);
CREATE INDEX `media_progresses_user_item_finished_time` ON `mediaProgresses` (`userId`, `mediaItemId`, `isFinished`, `currentTime`);
CREATE TABLE `playbackSessions` (
  `id` UUID PRIMARY KEY, `mediaItemId` UUID, `mediaItemType` VARCHAR(255), `displayTitle` VARCHAR(255), `displayAuthor` VARCHAR(255), \
`duration` FLOAT, `playMethod` INTEGER, `mediaPlayer` VARCHAR(255), `startTime` FLOAT, `currentTime` FLOAT,
  `serverVersion` VARCHAR(255), `coverPath` VARCHAR(255), `timeListening` INTEGER, `mediaMetadata` JSON, `date` VARCHAR(255), `dayOfWeek` \
VARCHAR(255), `extraData` JSON, `createdAt` DATETIME NOT NULL, `updatedAt` DATETIME NOT NULL,
  `userId` UUID REFERENCES `users` (`id`) ON DELETE SET NULL ON UPDATE CASCADE, `deviceId` UUID REFERENCES `devices` (`id`) ON DELETE SET \
NULL ON UPDATE CASCADE, `libraryId` UUID REFERENCES `libraries` (`id`) ON DELETE SET NULL ON UPDATE CASCADE);

INSERT INTO users SELECT printf('u%011x', i * 7919), title(1, i, 1) || i, word(i) || '@x.example', '', iif(i = 1, 'root', 'user'), '', 1, \
0, datetime(1740000000 - pick(2, i, 9000000), 'unixepoch'), '{}', '[]', '{}', datetime(1600000000 + i * 900000, 'unixepoch'), \
datetime(1740000000, 'unixepoch') FROM numbers WHERE i <= 40;
INSERT INTO libraries SELECT printf('b%011x', i), title(3, i, 1), i, 'database', iif(i = 3, 'podcast', 'book'), 'google', NULL, '{}', \
'2020-01-01 00:00:00', '2024-01-01 00:00:00' FROM numbers WHERE i <= 3;
INSERT INTO books
SELECT printf('c%011x', i * 104729), title(4, i, 3), title(4, i, 3), NULL, iif(chance(5, i) < 0.04, NULL, CAST(iif(chance(6, i) < 0.7, \
2024 - skewed(7, i, 30), 2024 - pick(8, i, 150)) AS TEXT)), NULL, word(skewed(9, i, 60)), prose(10, i, 200 + skewed(11, i, 700)), NULL, \
NULL, 'English', 0, 0,
  '/metadata/items/' || i || '/cover.jpg', 3000 + pick(12, i, 60000), '["' || title(13, skewed(14, i, 300), 2) || '"]',
  '[{"index":1,"ino":"' || i || '","metadata":{"filename":"' || word(i) || '.m4b","size":' || pick(15, i, 900000000) || \
'},"codec":"aac"},{"index":2,"metadata":{"filename":"' || prose(16, i, skewed(17, i, 900)) || '"}}]', NULL,
  '[{"id":0,"start":0,"end":' || pick(18, i, 3000) || ',"title":"' || prose(19, i, 60 + skewed(20, i, 500)) || '"}]', iif(chance(21, i) < \
0.3, '["' || word(skewed(22, i, 25)) || '"]', '[]'), '["' || title(23, skewed(24, i, 30), 1) || '","' || title(23, 30 + skewed(25, i, 20), \
1) || '"]',
  datetime(1600000000 + i * 17000, 'unixepoch'), datetime(1600000000 + i * 17000 + pick(26, i, 900000), 'unixepoch')
FROM numbers WHERE i <= 8000;
INSERT INTO podcasts SELECT printf('d%011x', i * 7919), title(27, i, 3), title(27, i, 3), title(28, i, 2), 'https://feed.example/' || i, \
prose(29, i, 500), 'en', 0, NULL, NULL, '[]', '["' || title(30, skewed(31, i, 12), 1) || '"]', 0, datetime(1650000000 + i * 700000, \
'unixepoch'), '2024-01-01 00:00:00' FROM numbers WHERE i <= 90;
INSERT INTO podcastEpisodes
SELECT printf('e%011x', i * 15485863), i, NULL, NULL, 'full', title(32, i, 4), NULL, prose(33, i, 100 + skewed(34, i, 900)), NULL, \
'https://cdn.example/' || i || '.mp3', pick(35, i, 90000000), 'audio/mpeg', datetime(1600000000 + i * 9500, 'unixepoch'),
  '{"ino":"' || i || '","duration":' || (600 + pick(36, i, 6000)) || ',"metadata":{"filename":"' || word(i) || '.mp3","size":' || pick(35, \
i, 90000000) || '}}', '[]', '{}', datetime(1600000000 + i * 9500 + 4000, 'unixepoch'), '2024-01-01 00:00:00', printf('d%011x', skewed(37, \
i, 90) * 7919)
FROM numbers WHERE i <= 14000;
INSERT INTO libraryItems
SELECT 'f' || substr(b.id, 2), CAST(b.rowid AS TEXT), '/books/' || word(b.rowid % 700) || '/' || b.title || ' ' || b.rowid, b.title, b.id, \
'book', 0, chance(38, b.rowid) < 0.01, 0, b.createdAt, b.createdAt, b.createdAt, pick(39, b.rowid, 900000000), NULL, '2.36.0',
  '[{"ino":"' || b.rowid || '","metadata":{"path":"' || prose(40, b.rowid, 100 + skewed(41, b.rowid, 700)) || '"}}]', '{}', b.title, \
b.titleIgnorePrefix, title(42, skewed(43, b.rowid, 2500), 2), title(42, skewed(43, b.rowid, 2500), 2), b.createdAt, b.updatedAt, \
iif(b.rowid % 8 = 0, 'b00000000002', 'b00000000001')
FROM books AS b;
INSERT INTO libraryItems SELECT 'f' || substr(p.id, 2), 'p' || p.rowid, '/podcasts/' || p.title, p.title, p.id, 'podcast', 0, 0, 0, \
p.createdAt, p.createdAt, p.createdAt, 0, NULL, '2.36.0', '[]', '{}', p.title, p.titleIgnorePrefix, p.author, p.author, p.createdAt, \
p.updatedAt, 'b00000000003' FROM podcasts AS p;
INSERT INTO authors SELECT printf('a%011x', i * 7919), title(42, i, 2), title(42, i, 2), NULL, iif(chance(44, i) < 0.5, prose(45, i, 300), \
NULL), NULL, datetime(1600000000 + i * 50000, 'unixepoch'), '2024-01-01 00:00:00', iif(i % 8 = 0, 'b00000000002', 'b00000000001') FROM \
numbers WHERE i <= 2500;
INSERT INTO bookAuthors SELECT printf('h%011x', i), '2024-01-01 00:00:00', printf('c%011x', i * 104729), printf('a%011x', skewed(43, i, \
2500) * 7919) FROM numbers WHERE i <= 8000;
INSERT OR IGNORE INTO bookAuthors SELECT printf('i%011x', i), '2024-01-01 00:00:00', printf('c%011x', i * 104729), printf('a%011x', \
pick(46, i, 2500) * 7919) FROM numbers WHERE i <= 8000 AND i % 5 = 0;
INSERT INTO series SELECT printf('j%011x', i * 7919), title(47, i, 2) || ' ' || i, title(47, i, 2) || ' ' || i, NULL, datetime(1600000000 \
+ i * 90000, 'unixepoch'), '2024-01-01 00:00:00', 'b00000000001' FROM numbers WHERE i <= 900;
INSERT INTO bookSeries SELECT printf('k%011x', i), CAST(1 + i / 900 AS TEXT), '2024-01-01 00:00:00', printf('c%011x', i * 104729), \
printf('j%011x', skewed(48, i, 900) * 7919) FROM numbers WHERE i <= 8000 AND chance(49, i) < 0.5;
INSERT INTO devices SELECT printf('l%011x', i * 7919), word(i), iif(i % 2, 'Abs Web', 'Abs Android'), '2.36.0', NULL, NULL, '{}', \
'2024-01-01 00:00:00', '2024-01-01 00:00:00', printf('u%011x', (1 + i % 40) * 7919) FROM numbers WHERE i <= 400;
INSERT INTO mediaProgresses
SELECT printf('m%011x', i), iif(chance(50, i) < 0.6, printf('c%011x', pick(51, i, 8000) * 104729), printf('e%011x', pick(52, i, 14000) * \
15485863)), iif(chance(50, i) < 0.6, 'book', 'podcastEpisode'), 3000 + pick(53, i, 60000), pick(54, i, 3000), chance(55, i) < 0.93, \
chance(56, i) < 0.05, NULL, 0,
  iif(chance(55, i) < 0.93, datetime(1600000000 + i * 6500, 'unixepoch'), NULL), '{"libraryItemId":"f' || i || '","progress":0.5,"note":"' \
|| prose(57, i, 60) || '"}', NULL, datetime(1600000000 + i * 6000, 'unixepoch'), datetime(1600000000 + i * 6500, 'unixepoch'), \
printf('u%011x', skewed(58, i, 39) * 7919)
FROM numbers WHERE i <= 20000;
INSERT INTO playbackSessions
SELECT printf('n%011x', i), printf('c%011x', skewed(59, i, 8000) * 104729), 'book', title(4, skewed(59, i, 8000), 3), title(60, i, 2), \
30000, 0, 'html5', 0, pick(61, i, 30000), '2.36.0', NULL, skewed(62, i, 7000), '{"title":"' || title(4, skewed(59, i, 8000), 3) || \
'","genres":["' || title(23, skewed(63, i, 30), 1) || '"],"description":"' || prose(64, i, 150 + pick(65, i, 300)) || '"}',
  date(1600000000 + i * 5500, 'unixepoch'), 'Monday', NULL, datetime(1600000000 + i * 5500, 'unixepoch'), datetime(1600000000 + i * 5500 + \
pick(66, i, 7000), 'unixepoch'), printf('u%011x', skewed(67, i, 39) * 7919), printf('l%011x', skewed(68, i, 380) * 7919), 'b00000000001'
FROM numbers WHERE i <= 25000;
CREATE TRIGGER update_library_items_title AFTER UPDATE OF title ON books FOR EACH ROW BEGIN
  UPDATE libraryItems SET title = NEW.title WHERE libraryItems.mediaId = NEW.id;
END;
CREATE TRIGGER update_library_items_title_ignore_prefix AFTER UPDATE OF titleIgnorePrefix ON books FOR EACH ROW BEGIN
  UPDATE libraryItems SET titleIgnorePrefix = NEW.titleIgnorePrefix WHERE libraryItems.mediaId = NEW.id;
END;
ANALYZE;

-- statement: audiobookshelf-01
-- fine
-- because: the first shelf of a library, in the order of an index
-- run: 'b00000000001'

SELECT `book`.`id`, `book`.`title`, `book`.`coverPath`, `libraryItem`.`id`, `libraryItem`.`size` FROM `books` AS `book` INNER JOIN \
`libraryItems` AS `libraryItem` ON `book`.`id` = `libraryItem`.`mediaId` AND `libraryItem`.`mediaType` = 'book' AND \
`libraryItem`.`libraryId` = ?
ORDER BY `libraryItem`.`titleIgnorePrefix` COLLATE NOCASE ASC LIMIT 0, 40

-- statement: audiobookshelf-02
-- is: expression-index, full-scan, function-on-column, index-not-covering, join-order, sort-without-index
-- because: the newest books: the index of the years has them as text, and with one of numbers SQLite has to be told to begin with the books
-- run: 'b00000000001'

SELECT `book`.`id`, `book`.`title`, `book`.`publishedYear`, `libraryItem`.`id` FROM `books` AS `book` INNER JOIN `libraryItems` AS \
`libraryItem` ON `book`.`id` = `libraryItem`.`mediaId` AND `libraryItem`.`mediaType` = 'book' AND `libraryItem`.`libraryId` = ?
ORDER BY CAST(`book`.`publishedYear` AS INTEGER) DESC, `book`.`id` LIMIT 0, 40

-- best
-- index: books (CAST(publishedYear AS INTEGER) DESC, id)

SELECT `book`.`id`, `book`.`title`, `book`.`publishedYear`, `libraryItem`.`id` FROM `books` AS `book` CROSS JOIN `libraryItems` AS \
`libraryItem` ON `book`.`id` = `libraryItem`.`mediaId` AND `libraryItem`.`mediaType` = 'book' AND `libraryItem`.`libraryId` = ?
ORDER BY CAST(`book`.`publishedYear` AS INTEGER) DESC, `book`.`id` LIMIT 0, 40

-- statement: audiobookshelf-03
-- is: full-scan, sort-without-index
-- because: what a user listened to last: the sessions have no index at all
-- run: 'u00000003dde' | 'u0000003a002'

SELECT `id`, `displayTitle`, `displayAuthor`, `timeListening`, `currentTime`, `updatedAt`, `deviceId` FROM `playbackSessions` WHERE \
`userId` = ? ORDER BY `updatedAt` DESC LIMIT 0, 10

-- best
-- index: playbackSessions (userId, updatedAt)

-- or
-- index: playbackSessions (userId)

-- or
-- index: playbackSessions (updatedAt)

-- statement: audiobookshelf-04
-- is: full-scan, group-without-index, index-not-covering
-- because: how long a user listened each day
-- run: 'u00000005ccd' | 'u00000017334'

SELECT `date`, SUM(`timeListening`) AS seconds FROM `playbackSessions` WHERE `userId` = ? GROUP BY `date` ORDER BY `date`

-- best
-- index: playbackSessions (userId, date, timeListening)

-- or
-- index: playbackSessions (userId, date)

-- or
-- index: playbackSessions (userId)

-- statement: audiobookshelf-05
-- is: full-scan
-- because: the sessions of a year that began a few weeks ago
-- run: '2025-01-01', '2026-01-01'

SELECT s.`id`, s.`timeListening`, s.`mediaMetadata`, u.`username` FROM `playbackSessions` AS s LEFT OUTER JOIN `users` AS u ON u.`id` = \
s.`userId` WHERE s.`createdAt` >= ? AND s.`createdAt` < ?

-- best
-- index: playbackSessions (createdAt)

-- statement: audiobookshelf-06
-- fine
-- tolerated: group-without-index, index-not-covering, sort-without-index
-- because: how many books of each kind: the lists of nearly all books have to be read
-- run: 'b00000000001'

SELECT value, count(*) AS numItems FROM books b, libraryItems li, json_each(b.genres) WHERE json_valid(b.genres) AND b.id = li.mediaId AND \
li.libraryId = ? GROUP BY value ORDER BY numItems DESC

-- statement: audiobookshelf-07
-- is: full-scan, index-not-covering, subquery-per-row
-- because: entries for which there is a newer one of the same user and item, looked for at each start: for each, that of all of the same \
--   is looked up for its time

SELECT mp1.id, mp1.mediaItemId FROM mediaProgresses mp1 WHERE EXISTS (SELECT 1 FROM mediaProgresses mp2 WHERE mp2.mediaItemId = \
mp1.mediaItemId AND mp2.userId = mp1.userId AND mp2.updatedAt > mp1.updatedAt)

-- best
-- index: mediaProgresses (userId, mediaItemId, updatedAt)

-- or
-- index: mediaProgresses (mediaItemId, userId, updatedAt)

-- statement: audiobookshelf-08
-- is: full-scan, index-not-covering, partial-index, sort-without-index
-- because: what a user has begun: a fifteenth of their items, newest first
-- run: 'u00000001eef' | 'u00000003dde'

SELECT mp.`id`, mp.`mediaItemId`, mp.`currentTime`, mp.`updatedAt` FROM `mediaProgresses` AS mp WHERE mp.`userId` = ? AND \
mp.`mediaItemType` = 'book' AND mp.`isFinished` = 0 AND mp.`currentTime` > 0 AND mp.`hideFromContinueListening` = 0 ORDER BY \
mp.`updatedAt` DESC LIMIT 10

-- best
-- index: mediaProgresses (userId, isFinished, updatedAt)

-- or
-- index: mediaProgresses (userId, updatedAt) WHERE isFinished = 0

-- or
-- index: mediaProgresses (userId, isFinished)

-- or
-- index: mediaProgresses (userId, mediaItemType, isFinished, updatedAt)

-- statement: audiobookshelf-09
-- is: automatic-index, full-scan, subquery-per-row
-- because: the longest podcasts: for each, all episodes of all are read
-- run: 'b00000000003'

SELECT `podcast`.`id`, `podcast`.`title`, (SELECT SUM(json_extract(pe.audioFile, '$.duration')) FROM podcastEpisodes pe WHERE pe.podcastId \
= podcast.id) AS `duration` FROM `podcasts` AS `podcast` INNER JOIN `libraryItems` AS `libraryItem` ON `podcast`.`id` = \
`libraryItem`.`mediaId` AND `libraryItem`.`mediaType` = 'podcast'
AND `libraryItem`.`libraryId` = ? ORDER BY `duration` DESC LIMIT 10

-- best
-- index: podcastEpisodes (podcastId, json_extract(audioFile, '$.duration'))

-- or
-- index: podcastEpisodes (podcastId)

-- or
-- index: podcastEpisodes (podcastId, audioFile)

-- or

SELECT `podcast`.`id`, `podcast`.`title`, pe.d AS `duration` FROM `podcasts` AS `podcast` INNER JOIN `libraryItems` AS `libraryItem` ON \
`podcast`.`id` = `libraryItem`.`mediaId` AND `libraryItem`.`mediaType` = 'podcast'
AND `libraryItem`.`libraryId` = ? LEFT JOIN (SELECT podcastId, SUM(json_extract(audioFile, '$.duration')) AS d FROM podcastEpisodes GROUP \
BY podcastId) AS pe ON pe.podcastId = `podcast`.`id` ORDER BY `duration` DESC LIMIT 10

-- statement: audiobookshelf-10
-- is: full-scan
-- because: a folder that changed on disk, looked for by a scan
-- sampled
-- run: '/books/sotufo/Vastace loce xiyo 4000' | '/books/loce/Gruyo petha gudi 7001'

SELECT `id`, `path`, `mtime`, `size`, `libraryFiles` FROM `libraryItems` WHERE `path` = ?

-- best
-- index: libraryItems (path)

-- statement: audiobookshelf-11
-- is: foreign-key-without-index
-- because: an old device goes: all sessions are read for those that have it
-- run: 'l000002f201a' | 'l000002fbac5' | 'l00000305570'

DELETE FROM `devices` WHERE `id` = ?

-- best
-- index: playbackSessions (deviceId)

-- statement: audiobookshelf-12
-- is: repeated-statement
-- because: the authors of each book of a page, one book after the other
-- operation: shelf
-- run: 'c000009fcdc4' | 'c00000a166dd' | 'c00000a2fff6' | 'c00000a4990f' | 'c00000a63228' | 'c00000a7cb41' | 'c00000a9645a' | \
--   'c00000aafd73' | 'c00000ac968c' | 'c00000ae2fa5' | 'c00000afc8be' | 'c00000b161d7' | 'c00000b2faf0' | 'c00000b49409' | 'c00000b62d22' | \
--   'c00000b7c63b' | 'c00000b95f54' | 'c00000baf86d' | 'c00000bc9186' | 'c00000be2a9f' | 'c00000bfc3b8' | 'c00000c15cd1' | 'c00000c2f5ea' | \
--   'c00000c48f03' | 'c00000c6281c' | 'c00000c7c135' | 'c00000c95a4e' | 'c00000caf367' | 'c00000cc8c80' | 'c00000ce2599' | 'c00000cfbeb2' | \
--   'c00000d157cb' | 'c00000d2f0e4' | 'c00000d489fd' | 'c00000d62316' | 'c00000d7bc2f' | 'c00000d95548' | 'c00000daee61' | 'c00000dc877a' | \
--   'c00000de2093'

SELECT `author`.`id`, `author`.`name`, `bookAuthor`.`bookId` FROM `authors` AS `author` INNER JOIN `bookAuthors` AS `bookAuthor` ON \
`author`.`id` = `bookAuthor`.`authorId` WHERE `bookAuthor`.`bookId` = ?

-- best
-- run: 'c000009fcdc4', 'c00000a166dd', 'c00000a2fff6', 'c00000a4990f', 'c00000a63228', 'c00000a7cb41', 'c00000a9645a', 'c00000aafd73', \
--   'c00000ac968c', 'c00000ae2fa5', 'c00000afc8be', 'c00000b161d7', 'c00000b2faf0', 'c00000b49409', 'c00000b62d22', 'c00000b7c63b', \
--   'c00000b95f54', 'c00000baf86d', 'c00000bc9186', 'c00000be2a9f', 'c00000bfc3b8', 'c00000c15cd1', 'c00000c2f5ea', 'c00000c48f03', \
--   'c00000c6281c', 'c00000c7c135', 'c00000c95a4e', 'c00000caf367', 'c00000cc8c80', 'c00000ce2599', 'c00000cfbeb2', 'c00000d157cb', \
--   'c00000d2f0e4', 'c00000d489fd', 'c00000d62316', 'c00000d7bc2f', 'c00000d95548', 'c00000daee61', 'c00000dc877a', 'c00000de2093'

SELECT `author`.`id`, `author`.`name`, `bookAuthor`.`bookId` FROM `authors` AS `author` INNER JOIN `bookAuthors` AS `bookAuthor` ON \
`author`.`id` = `bookAuthor`.`authorId` WHERE `bookAuthor`.`bookId` IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- statement: audiobookshelf-13
-- fine
-- tolerated: case-insensitive-without-index, expression-index, full-scan, function-on-column
-- because: who signs in: there are few users
-- run: 'fogu9'

SELECT * FROM `users` AS `user` WHERE lower(`username`) = ?

-- statement: audiobookshelf-14
-- fine
-- tolerated: index-not-covering
-- because: the newest episodes not heard yet, in the order of an index
-- run: 'b00000000003', 'u00000003dde'

SELECT pe.`id`, pe.`title`, p.`title`, mp.`currentTime` FROM `podcastEpisodes` AS pe INNER JOIN `podcasts` AS p ON pe.`podcastId` = p.`id` \
INNER JOIN `libraryItems` AS li ON p.`id` = li.`mediaId` AND li.`libraryId` = ?1
LEFT OUTER JOIN `mediaProgresses` AS mp ON pe.`id` = mp.`mediaItemId` AND mp.`userId` = ?2 WHERE mp.`isFinished` = 0 OR mp.`isFinished` IS \
NULL ORDER BY pe.`publishedAt` DESC LIMIT 50
