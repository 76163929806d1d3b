-- schema: tusky
-- about: A client of a social network, which keeps the timelines of several accounts: keys are texts of the servers with the account's \
--   number.
-- source: From github.com/tuskyapp/Tusky: app/schemas/com.keylesspalace.tusky.db.AppDatabase/70.json; several statements are those of its \
--   DAOs
-- origin: Tusky, database version 70 (GPL-3.0-or-later, Copyright the Tusky contributors): seven of its tables with their indexes

CREATE TABLE TimelineAccountEntity (
  serverId TEXT NOT NULL, tuskyAccountId INTEGER NOT NULL, localUsername TEXT NOT NULL, username TEXT NOT NULL, displayName TEXT NOT NULL, \
url TEXT NOT NULL, avatar TEXT NOT NULL, note TEXT NOT NULL DEFAULT '', emojis TEXT NOT NULL,
  bot INTEGER NOT NULL, PRIMARY KEY(serverId, tuskyAccountId));
CREATE TABLE TimelineStatusEntity (
  serverId TEXT NOT NULL, url TEXT, tuskyAccountId INTEGER NOT NULL, authorServerId TEXT NOT NULL, inReplyToId TEXT, inReplyToAccountId \
TEXT, content TEXT NOT NULL, createdAt INTEGER NOT NULL, editedAt INTEGER, emojis TEXT NOT NULL,
  reblogsCount INTEGER NOT NULL, favouritesCount INTEGER NOT NULL, repliesCount INTEGER NOT NULL, reblogged INTEGER NOT NULL, bookmarked \
INTEGER NOT NULL, favourited INTEGER NOT NULL, sensitive INTEGER NOT NULL,
  spoilerText TEXT NOT NULL, visibility INTEGER NOT NULL, attachments TEXT NOT NULL, mentions TEXT NOT NULL, tags TEXT NOT NULL, \
application TEXT, poll TEXT, muted INTEGER NOT NULL, expanded INTEGER NOT NULL,
  contentCollapsed INTEGER NOT NULL, contentShowing INTEGER NOT NULL, pinned INTEGER NOT NULL, card TEXT, language TEXT, filtered TEXT NOT \
NULL, PRIMARY KEY(serverId, tuskyAccountId),
  FOREIGN KEY(authorServerId, tuskyAccountId) REFERENCES TimelineAccountEntity(serverId, tuskyAccountId) ON UPDATE NO ACTION ON DELETE NO ACTION);
CREATE INDEX index_TimelineStatusEntity_authorServerId_tuskyAccountId ON TimelineStatusEntity (authorServerId, tuskyAccountId);
CREATE TABLE ConversationEntity (
  accountId INTEGER NOT NULL, id TEXT NOT NULL, "order" INTEGER NOT NULL, accounts TEXT NOT NULL, unread INTEGER NOT NULL, s_id TEXT NOT \
NULL, s_url TEXT, s_inReplyToId TEXT, s_inReplyToAccountId TEXT, s_account TEXT NOT NULL,
  s_content TEXT NOT NULL, s_createdAt INTEGER NOT NULL, s_editedAt INTEGER, s_emojis TEXT NOT NULL, s_favouritesCount INTEGER NOT NULL, \
s_repliesCount INTEGER NOT NULL, s_favourited INTEGER NOT NULL,
  s_bookmarked INTEGER NOT NULL, s_sensitive INTEGER NOT NULL, s_spoilerText TEXT NOT NULL, s_attachments TEXT NOT NULL, s_mentions TEXT \
NOT NULL, s_tags TEXT, s_showingHiddenContent INTEGER NOT NULL,
  s_expanded INTEGER NOT NULL, s_collapsed INTEGER NOT NULL, s_muted INTEGER NOT NULL, s_poll TEXT, s_language TEXT, PRIMARY KEY(id, accountId));
CREATE TABLE NotificationReportEntity (
  tuskyAccountId INTEGER NOT NULL, serverId TEXT NOT NULL, category TEXT NOT NULL, statusIds TEXT, createdAt INTEGER NOT NULL, \
targetAccountId TEXT, PRIMARY KEY(serverId, tuskyAccountId),
  FOREIGN KEY(targetAccountId, tuskyAccountId) REFERENCES TimelineAccountEntity(serverId, tuskyAccountId) ON UPDATE NO ACTION ON DELETE NO ACTION);
CREATE INDEX index_NotificationReportEntity_targetAccountId_tuskyAccountId ON NotificationReportEntity (targetAccountId, tuskyAccountId);
CREATE TABLE NotificationEntity (
  tuskyAccountId INTEGER NOT NULL, type TEXT, id TEXT NOT NULL, accountId TEXT, statusId TEXT, reportId TEXT, event TEXT, \
moderationWarning TEXT, loading INTEGER NOT NULL, PRIMARY KEY(id, tuskyAccountId),
  FOREIGN KEY(accountId, tuskyAccountId) REFERENCES TimelineAccountEntity(serverId, tuskyAccountId) ON UPDATE NO ACTION ON DELETE NO ACTION,
  FOREIGN KEY(statusId, tuskyAccountId) REFERENCES TimelineStatusEntity(serverId, tuskyAccountId) ON UPDATE NO ACTION ON DELETE NO ACTION,
  FOREIGN KEY(reportId, tuskyAccountId) REFERENCES NotificationReportEntity(serverId, tuskyAccountId) ON UPDATE NO ACTION ON DELETE NO ACTION);
CREATE INDEX index_NotificationEntity_accountId_tuskyAccountId ON NotificationEntity (accountId, tuskyAccountId);
CREATE INDEX index_NotificationEntity_statusId_tuskyAccountId ON NotificationEntity (statusId, tuskyAccountId);
CREATE INDEX index_NotificationEntity_reportId_tuskyAccountId ON NotificationEntity (reportId, tuskyAccountId);
CREATE TABLE HomeTimelineEntity (
  tuskyAccountId INTEGER NOT NULL, id TEXT NOT NULL, statusId TEXT, reblogAccountId TEXT, loading INTEGER NOT NULL, PRIMARY KEY(id, tuskyAccountId),
  FOREIGN KEY(statusId, tuskyAccountId) REFERENCES TimelineStatusEntity(serverId, tuskyAccountId) ON UPDATE NO ACTION ON DELETE NO ACTION,
  FOREIGN KEY(reblogAccountId, tuskyAccountId) REFERENCES TimelineAccountEntity(serverId, tuskyAccountId) ON UPDATE NO ACTION ON DELETE NO ACTION);
CREATE INDEX index_HomeTimelineEntity_statusId_tuskyAccountId ON HomeTimelineEntity (statusId, tuskyAccountId);
CREATE INDEX index_HomeTimelineEntity_reblogAccountId_tuskyAccountId ON HomeTimelineEntity (reblogAccountId, tuskyAccountId);
CREATE TABLE NotificationPolicyEntity (tuskyAccountId INTEGER NOT NULL, pendingRequestsCount INTEGER NOT NULL, pendingNotificationsCount \
INTEGER NOT NULL, PRIMARY KEY(tuskyAccountId));

INSERT INTO TimelineAccountEntity
SELECT CAST(200000 + i * 17 AS TEXT), a.tusky, word(i), word(i) || iif(chance(1, i) < 0.3, '', '@' || word(skewed(2, i, 300)) || \
'.social'), title(3, i, 2), 'https://' || word(skewed(2, i, 300)) || '.social/@' || word(i), 'https://files.example/' || i || '.png', \
prose(4, i, pick(5, i, 200)), '[]', chance(6, i) < 0.04
FROM numbers JOIN (SELECT 1 AS tusky UNION ALL SELECT 2 UNION ALL SELECT 3) AS a WHERE i <= 4000 AND (a.tusky = 1 OR i % 4 < 4 - a.tusky);
INSERT INTO TimelineStatusEntity
SELECT CAST(iif(i % 10 = 0, 9000000000 + i, 110000000000000000 + i * 7919) AS TEXT), 'https://example.social/' || i, CASE WHEN i % 10 = 0 \
THEN 3 WHEN i % 10 < 3 THEN 2 ELSE 1 END,
  CAST(200000 + CASE WHEN i % 10 = 0 THEN 4 * skewed(7, i, 900) WHEN i % 10 < 3 THEN 4 * skewed(7, i, 900) ELSE iif(chance(8, i) < 0.12, \
77, skewed(7, i, 4000)) END * 17 AS TEXT),
  iif(chance(9, i) < 0.3 AND i > 100, CAST(110000000000000000 + (i - i % 10 + iif(i % 10 < 3, 1, 5) - 10 * iif(chance(10, i) < 0.6, 3, \
skewed(11, i, 9))) * 7919 AS TEXT), NULL), NULL, '<p>' || prose(12, i, 30 + pick(13, i, 350)) || '</p>', 1700000000000 + i * 900000, NULL, \
'[]',
  skewed(14, i, 800) - 1, skewed(15, i, 2000) - 1, skewed(16, i, 60) - 1, chance(17, i) < 0.03, chance(18, i) < 0.012, chance(19, i) < \
0.06, chance(20, i) < 0.05, '', 1, '[]', '[]',
  iif(chance(21, i) < 0.25, '[{"name":"' || word(skewed(22, i, 500)) || '","url":"x"}]', '[]'), NULL, NULL, 0, 0, 1, 0, 0, NULL, CASE \
skewed(23, i, 4) WHEN 1 THEN 'en' WHEN 2 THEN 'de' WHEN 3 THEN 'fr' ELSE 'ja' END, '[]'
FROM numbers WHERE i <= 30000;
INSERT INTO HomeTimelineEntity
SELECT tuskyAccountId, iif(tuskyAccountId = 3, serverId, CAST(CAST(serverId AS INTEGER) + 1 AS TEXT)), iif(chance(24, rowid) < 0.002, \
NULL, serverId), iif(chance(25, rowid) < 0.2, CAST(200000 + 4 * skewed(26, rowid, 900) * 17 AS TEXT), NULL), 0 FROM TimelineStatusEntity \
WHERE chance(27, rowid) < 0.9;
INSERT INTO NotificationReportEntity SELECT 1, CAST(i AS TEXT), 'spam', '[]', 1700000000000 + i, CAST(200000 + i * 17 AS TEXT) FROM \
numbers WHERE i <= 20;
INSERT INTO NotificationEntity
SELECT iif(i % 12 = 0, 2, 1), CASE skewed(28, i, 7) WHEN 1 THEN 'favourite' WHEN 2 THEN 'reblog' WHEN 3 THEN 'mention' WHEN 4 THEN \
'follow' WHEN 5 THEN 'poll' WHEN 6 THEN 'update' ELSE 'status' END, CAST(iif(i < 2000, 98000, 100000) + i * 31 AS TEXT), CAST(200000 + 4 * \
skewed(29, i, 900) * 17 AS TEXT),
  iif(chance(30, i) < 0.85, (SELECT serverId FROM TimelineStatusEntity WHERE rowid = 30000 - 10 * skewed(31, i, 2500) - iif(i % 12 = 0, 9, \
4)), NULL), iif(i % 1500 = 0 AND i % 12 <> 0, CAST(1 + i / 1500 AS TEXT), NULL), NULL, NULL, 0
FROM numbers WHERE i <= 26000;
INSERT INTO ConversationEntity
SELECT iif(i % 8 = 0, 2, 1), CAST(5000 + i AS TEXT), i % 20, '[{"id":"' || skewed(32, i, 300) || '"}]', chance(33, i) < 0.02, \
CAST(110000000000000000 + i * 7919 AS TEXT), NULL, NULL, NULL, '{"id":"' || skewed(32, i, 300) || '"}', prose(34, i, 100 + pick(35, i, \
300)), 1690000000000 + pick(36, i, 30000000) * 1000, NULL, '[]', 0, 0, 0, 0, 0, '', '[]', '[]', NULL, 0, 0, 1, 0, NULL, 'en'
FROM numbers WHERE i <= 4000;
INSERT INTO NotificationPolicyEntity VALUES (1, 2, 9), (2, 0, 0), (3, 0, 0);

-- statement: tusky-01
-- is: expression-index, full-scan, function-on-column, sort-without-index
-- because: the newest of a timeline: all of it is joined and sorted, as longer keys are the newer ones
-- run: 1 | 2

SELECT h.id, s.serverId, s.content, s.createdAt, a.displayName, a.avatar, rb.displayName FROM HomeTimelineEntity h
LEFT JOIN TimelineStatusEntity s ON (h.statusId = s.serverId AND s.tuskyAccountId = ?1) LEFT JOIN TimelineAccountEntity a ON \
(s.authorServerId = a.serverId AND a.tuskyAccountId = ?1)
LEFT JOIN TimelineAccountEntity rb ON (h.reblogAccountId = rb.serverId AND rb.tuskyAccountId = ?1) WHERE h.tuskyAccountId = ?1 ORDER BY \
LENGTH(h.id) DESC, h.id DESC LIMIT 30

-- best
-- index: HomeTimelineEntity (tuskyAccountId, LENGTH(id), id)

-- statement: tusky-02
-- is: expression-index, full-scan, function-on-column, sort-without-index
-- because: the oldest of a timeline go: those of all accounts are read twice
-- run: 3

DELETE FROM HomeTimelineEntity WHERE tuskyAccountId = ?1 AND id NOT IN (SELECT id FROM HomeTimelineEntity WHERE tuskyAccountId = ?1 ORDER \
BY LENGTH(id) DESC, id DESC LIMIT 2600)

-- best
-- index: HomeTimelineEntity (tuskyAccountId, LENGTH(id), id)

-- or
-- index: HomeTimelineEntity (tuskyAccountId, id)

-- statement: tusky-03
-- is: full-scan, index-not-covering
-- because: what no timeline of a small account shows any more: the keys begin with the servers' numbers
-- run: 3

DELETE FROM TimelineStatusEntity WHERE tuskyAccountId = ?1 AND serverId NOT IN (SELECT statusId FROM HomeTimelineEntity WHERE \
tuskyAccountId = ?1 AND statusId IS NOT NULL)
AND serverId NOT IN (SELECT statusId FROM NotificationEntity WHERE tuskyAccountId = ?1 AND statusId IS NOT NULL)

-- best
-- index: TimelineStatusEntity (tuskyAccountId, serverId)
-- index: HomeTimelineEntity (tuskyAccountId, statusId)
-- index: NotificationEntity (tuskyAccountId, statusId)

-- statement: tusky-04
-- is: full-scan, partial-index, sort-without-index
-- because: bookmarks, which are one of a hundred
-- run: 1 | 3

SELECT serverId, content, createdAt FROM TimelineStatusEntity WHERE tuskyAccountId = ? AND bookmarked = 1 ORDER BY createdAt DESC LIMIT 40

-- best
-- index: TimelineStatusEntity (tuskyAccountId, createdAt) WHERE bookmarked = 1

-- or
-- index: TimelineStatusEntity (tuskyAccountId, bookmarked, createdAt)

-- statement: tusky-05
-- is: index-not-covering, sort-without-index
-- because: the newest of somebody who writes much: all is read and sorted
-- run: '201309', 1 | '200068', 2

SELECT serverId, content, createdAt FROM TimelineStatusEntity WHERE authorServerId = ? AND tuskyAccountId = ? ORDER BY createdAt DESC LIMIT 20

-- best
-- index: TimelineStatusEntity (authorServerId, tuskyAccountId, createdAt)

-- statement: tusky-06
-- is: automatic-index, full-scan
-- because: a thread below a status: SQLite makes an index of all statuses each time
-- run: '110000000073527915', 1 | '110000000060540755', 1

WITH RECURSIVE thread (id, depth) AS (
  SELECT ?1, 0 UNION SELECT s.serverId, t.depth + 1 FROM thread AS t JOIN TimelineStatusEntity AS s ON s.inReplyToId = t.id AND s.tuskyAccountId = ?2)
SELECT s.serverId, t.depth, s.content FROM thread AS t JOIN TimelineStatusEntity AS s ON s.serverId = t.id AND s.tuskyAccountId = ?2 ORDER \
BY s.createdAt

-- best
-- index: TimelineStatusEntity (inReplyToId, tuskyAccountId, serverId)

-- or
-- index: TimelineStatusEntity (inReplyToId, tuskyAccountId)

-- statement: tusky-07
-- is: full-scan, group-without-index
-- because: notifications of an account by type
-- run: 2

SELECT type, count(*) FROM NotificationEntity WHERE tuskyAccountId = ? GROUP BY type

-- best
-- index: NotificationEntity (tuskyAccountId, type)

-- statement: tusky-08
-- is: expression-index, full-scan, function-on-column, large-offset, sort-without-index
-- because: a page far down: all before it is sorted and thrown away
-- run: 1

SELECT id, type, accountId FROM NotificationEntity WHERE tuskyAccountId = ? ORDER BY LENGTH(id) DESC, id DESC LIMIT 30 OFFSET 9000

-- best
-- index: NotificationEntity (tuskyAccountId, LENGTH(id), id)
-- run: 1, '601673'

SELECT * FROM (SELECT id, type, accountId FROM NotificationEntity WHERE tuskyAccountId = ?1 AND LENGTH(id) = LENGTH(?2) AND id < ?2 ORDER \
BY id DESC LIMIT 30)
UNION ALL SELECT * FROM (SELECT id, type, accountId FROM NotificationEntity WHERE tuskyAccountId = ?1 AND LENGTH(id) < LENGTH(?2) ORDER BY \
LENGTH(id) DESC, id DESC LIMIT 30) LIMIT 30

-- statement: tusky-09
-- is: expression-index, full-scan, function-on-column, type-mismatch
-- because: how many are new: the keys are texts, compared as numbers
-- run: 1, 905000 | 2, 880000

SELECT count(*) FROM NotificationEntity WHERE tuskyAccountId = ? AND CAST(id AS INTEGER) > ?

-- best
-- index: NotificationEntity (tuskyAccountId, CAST(id AS INTEGER))

-- statement: tusky-10
-- is: case-insensitive-without-index, full-scan, pattern-without-index, sort-without-index
-- because: who may be meant, while somebody types a mention
-- run: 1, 'fotre%' | 2, 'sohu%'

SELECT serverId, username, displayName FROM TimelineAccountEntity WHERE tuskyAccountId = ? AND username LIKE ? ORDER BY username LIMIT 10

-- best
-- index: TimelineAccountEntity (tuskyAccountId, username COLLATE NOCASE)

-- or
-- index: TimelineAccountEntity (username COLLATE NOCASE)

-- statement: tusky-11
-- is: full-scan
-- because: how long a timeline is: in each index the account is the second column
-- run: 3 | 2

SELECT COUNT(*) FROM HomeTimelineEntity WHERE tuskyAccountId = ?

-- best
-- index: HomeTimelineEntity (tuskyAccountId)

-- statement: tusky-12
-- fine
-- because: one item goes, by the key
-- run: 1, '110000000000055434'

DELETE FROM HomeTimelineEntity WHERE tuskyAccountId = ? AND id = ?

-- statement: tusky-13
-- fine
-- tolerated: expression-index, sort-without-index
-- because: the newest gap in a timeline: there are few, found by an index
-- run: 1 | 2

SELECT id FROM HomeTimelineEntity WHERE tuskyAccountId = ? AND statusId IS NULL ORDER BY LENGTH(id) DESC, id DESC LIMIT 1

-- statement: tusky-14
-- fine
-- because: all of somebody goes from the timeline: both ways by an index
-- run: 1, '205950'

DELETE FROM HomeTimelineEntity WHERE tuskyAccountId = ?1 AND (statusId IN (SELECT serverId FROM TimelineStatusEntity WHERE tuskyAccountId \
= ?1 AND authorServerId == ?2) OR reblogAccountId == ?2)

-- statement: tusky-15
-- fine
-- because: one conversation is read, by the key
-- run: '5017', 1

UPDATE ConversationEntity SET unread = 0 WHERE id = ? AND accountId = ?

-- statement: tusky-16
-- is: full-scan, join-order, missing-statistics
-- because: twenty reports with what belongs to them: SQLite begins with all notifications
-- run: 1

SELECT n.id, r.category, a.username FROM NotificationReportEntity AS r JOIN NotificationEntity AS n ON n.reportId = r.serverId AND \
n.tuskyAccountId = r.tuskyAccountId
LEFT JOIN TimelineAccountEntity AS a ON a.serverId = r.targetAccountId AND a.tuskyAccountId = r.tuskyAccountId WHERE r.tuskyAccountId = ? \
ORDER BY r.createdAt DESC

-- best

SELECT n.id, r.category, a.username FROM NotificationReportEntity AS r CROSS JOIN NotificationEntity AS n ON n.reportId = r.serverId AND \
n.tuskyAccountId = r.tuskyAccountId
LEFT JOIN TimelineAccountEntity AS a ON a.serverId = r.targetAccountId AND a.tuskyAccountId = r.tuskyAccountId WHERE r.tuskyAccountId = ? \
ORDER BY r.createdAt DESC

-- statement: tusky-17
-- fine
-- tolerated: sort-without-index
-- because: who reacted on a status, by an index
-- run: '110000000063668760', 1

SELECT n.id, n.type, a.displayName FROM NotificationEntity AS n JOIN TimelineAccountEntity AS a ON a.serverId = n.accountId AND \
a.tuskyAccountId = n.tuskyAccountId
WHERE n.statusId = ? AND n.tuskyAccountId = ? ORDER BY n.id DESC LIMIT 20
