-- schema: chat
-- about: A chat whose statistics are of its first days: the index on the kind of a message looks selective, one table empty.
-- superfluous: duplicate-index reaction_message reaction_message_copy

CREATE TABLE user (id INTEGER PRIMARY KEY, handle TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
  is_bot INTEGER NOT NULL);
CREATE TABLE conversation (id INTEGER PRIMARY KEY, title TEXT, is_group INTEGER NOT NULL, updated INTEGER NOT NULL);
CREATE TABLE participant (
  conversation_id INTEGER NOT NULL, user_id INTEGER NOT NULL, joined INTEGER NOT NULL, last_read INTEGER NOT NULL,
  PRIMARY KEY (conversation_id, user_id)) WITHOUT ROWID;
CREATE TABLE message (
  id INTEGER PRIMARY KEY, conversation_id INTEGER NOT NULL, sender_id INTEGER NOT NULL, kind INTEGER NOT NULL,
  sent INTEGER NOT NULL, edited INTEGER, reply_to INTEGER, state INTEGER NOT NULL, text TEXT NOT NULL);
CREATE TABLE reaction (id INTEGER PRIMARY KEY, message_id INTEGER NOT NULL, user_id INTEGER NOT NULL,
  emoji TEXT NOT NULL);
CREATE TABLE receipt (message_id INTEGER NOT NULL, user_id INTEGER NOT NULL, at INTEGER NOT NULL);
CREATE INDEX message_conversation ON message (conversation_id, sent);
CREATE INDEX message_kind ON message (kind);
CREATE INDEX message_sender ON message (sender_id);
CREATE INDEX reaction_message ON reaction (message_id);
CREATE INDEX reaction_message_copy ON reaction (message_id);
CREATE INDEX receipt_message ON receipt (message_id, user_id);

INSERT INTO user SELECT i, '@' || word(i), title(1, i, 2), chance(2, i) < 0.01 FROM numbers WHERE i <= 3000;
INSERT INTO conversation
SELECT i, iif(chance(3, i) < 0.4, title(4, i, 2), NULL), chance(3, i) < 0.4, 1650000000 + pick(5, i, 9000000)
FROM numbers WHERE i <= 500;
INSERT OR IGNORE INTO participant
SELECT 1 + i % 500, pick(6, i, 3000), 1600000000 + i, pick(7, i, 90000) FROM numbers WHERE i <= 8000;
INSERT INTO message
SELECT i, skewed(8, i, 500), skewed(9, i, 3000), CASE WHEN chance(10, i) < 0.9 THEN 0 WHEN chance(10, i) < 0.999
  THEN 1 ELSE 2 END,
  1600000000 + i * 600, iif(chance(11, i) < 0.02, 1600000000 + i * 600 + 60, NULL),
  iif(chance(12, i) < 0.1 AND i > 100, i - pick(13, i, 99), NULL), iif(chance(14, i) < 0.003, pick(15, i, 2),
    0), prose(16, i, skewed(17, i, 600))
FROM numbers WHERE i <= 90000;
INSERT INTO reaction SELECT i, pick(18, i, 90000), skewed(19, i, 3000), char(128512 + skewed(20, i, 40))
  FROM numbers WHERE i <= 45000;
INSERT INTO receipt SELECT pick(21, i, 90000), pick(22, i, 3000), 1600000000 + i * 500 FROM numbers
  WHERE i <= 100000;
ANALYZE;
UPDATE sqlite_stat1 SET stat = '200 2' WHERE idx = 'message_kind';
UPDATE sqlite_stat1 SET stat = '200 90 1' WHERE idx = 'message_conversation';
UPDATE sqlite_stat1 SET stat = '200 80' WHERE idx = 'message_sender';
UPDATE sqlite_stat1 SET stat = '3 3' WHERE idx LIKE 'reaction_message%';

-- statement: chat-19
-- fine
-- because: all but 78 of 90,000 match

SELECT id, kind, sent, text FROM message WHERE kind <> 2

-- statement: chat-01
-- is: harmful-index, sort-without-index, stale-statistics
-- because: statistics say that a kind has two messages; it has 81,000
-- run: 3 | 250

SELECT id, sender_id, sent, text FROM message WHERE conversation_id = ? AND kind = 0 ORDER BY sent DESC LIMIT 40

-- best
-- change: ANALYZE

-- or
-- change: DROP INDEX message_kind

-- or
-- index: message (conversation_id, kind, sent)

-- statement: chat-02
-- is: harmful-index, index-not-covering, sort-without-index, stale-statistics
-- because: the wrong index is chosen: few messages are of the sender, nearly all of the kind
-- run: 900

SELECT id, text FROM message WHERE sender_id = ? AND kind = 0 ORDER BY id DESC LIMIT 20

-- best
-- change: ANALYZE

-- or
-- change: DROP INDEX message_kind

-- or
-- index: message (sender_id, kind)

-- statement: chat-03
-- is: harmful-index, index-not-covering, stale-statistics, wide-rows-for-count
-- because: the badge of unread messages: counted within an index that ends with the rowid
-- run: 40, 80000

SELECT COUNT(*) FROM message WHERE conversation_id = ?1 AND id > ?2 AND kind = 0

-- best
-- index: message (conversation_id, kind)

-- or
-- change: ANALYZE

-- statement: chat-04
-- is: full-scan, stale-statistics
-- because: statistics from when there were three reactions: the index is there, and not used
-- run: 31822

SELECT emoji, COUNT(*) FROM reaction WHERE message_id = ? GROUP BY emoji

-- best
-- change: ANALYZE

-- or
-- index: reaction (message_id, emoji)

-- statement: chat-05
-- is: full-scan
-- because: walks back through most reactions for a rare user
-- run: 357

SELECT message_id, emoji FROM reaction WHERE user_id = ? ORDER BY id DESC LIMIT 20

-- best
-- index: reaction (user_id)

-- statement: chat-06
-- is: full-scan
-- because: the user's conversations are looked for among all participants
-- run: 2598

SELECT c.id, c.title, (SELECT m.text FROM message m WHERE m.conversation_id = c.id
  ORDER BY m.sent DESC LIMIT 1) AS last
FROM conversation c JOIN participant p ON p.conversation_id = c.id WHERE p.user_id = ? ORDER BY c.updated DESC

-- best
-- index: participant (user_id)

-- or
-- index: participant (user_id, conversation_id)

-- statement: chat-07
-- fine
-- because: a page by rowid
-- run: 60000

SELECT id, text FROM message WHERE id > ? ORDER BY id LIMIT 100

-- statement: chat-08
-- is: full-scan, partial-index
-- because: 0.3 % still have to be sent

SELECT id, conversation_id, text FROM message WHERE state <> 0

-- best
-- index: message (id) WHERE state <> 0

-- statement: chat-09
-- is: full-scan
-- because: the replies to one message
-- sampled
-- run: 83

SELECT id FROM message WHERE reply_to = ?

-- best
-- index: message (reply_to)

-- or
-- index: message (reply_to) WHERE reply_to IS NOT NULL

-- statement: chat-10
-- is: automatic-index, full-scan
-- because: 100,000 receipts are indexed at each execution

SELECT u.id, u.handle, COUNT(r.message_id) AS seen FROM user u LEFT JOIN receipt r ON r.user_id = u.id
WHERE u.is_bot = 1 GROUP BY u.id

-- best
-- index: receipt (user_id, message_id)

-- or
-- index: receipt (user_id)

-- statement: chat-11
-- fine
-- because: a unique index
-- sampled
-- run: '@bage'

SELECT * FROM user WHERE handle = ?

-- statement: chat-12
-- fine
-- because: a write of one row
-- run: 9, 2999, 1700000000, 0

INSERT OR IGNORE INTO participant (conversation_id, user_id, joined, last_read) VALUES (?, ?, ?, ?)

-- statement: chat-13
-- fine
-- because: primary key
-- run: 90000, 1, 77

UPDATE participant SET last_read = ? WHERE conversation_id = ? AND user_id = ?

-- statement: chat-14
-- is: full-scan, partial-index, sort-without-index
-- because: 2 % were edited

SELECT text FROM message WHERE edited IS NOT NULL ORDER BY edited DESC LIMIT 25

-- best
-- index: message (edited) WHERE edited IS NOT NULL

-- or
-- index: message (edited)

-- statement: chat-15
-- is: repeated-statement
-- because: the sender of each message of a screen, one by one
-- operation: show messages
-- run: 29 | 58 | 87 | 116 | 145 | 174 | 203 | 232 | 261 | 290 | 319 | 348 | 377 | 406 | 435 | 464 | 493 | 522 | 551 | 580 | 609 | 638 | \
--   667 | 696 | 725 | 754 | 783 | 812 | 841 | 870 | 899 | 928 | 957 | 986 | 1015 | 1044 | 1073 | 1102 | 1131 | 1160 | 1189 | 1218 | 1247 | \
--   1276 | 1305 | 1334 | 1363 | 1392 | 1421 | 1450 | 1479 | 1508 | 1537 | 1566 | 1595 | 1624 | 1653 | 1682 | 1711 | 1740 | 1769 | 1798 | 1827 \
--   | 1856 | 1885 | 1914 | 1943 | 1972 | 2001 | 2030 | 2059 | 2088 | 2117 | 2146 | 2175 | 2204 | 2233 | 2262 | 2291 | 2320 | 2349 | 2378 | \
--   2407 | 2436 | 2465 | 2494 | 2523 | 2552 | 2581 | 2610 | 2639 | 2668 | 2697 | 2726 | 2755 | 2784 | 2813 | 2842 | 2871 | 2900

SELECT id, handle, name FROM user WHERE id = ?

-- best
-- run: '[29,58,87,116,145,174,203,232,261,290,319,348,377,406,435,464,493,522,551,580,609,638,667,696,725,754,783,812,841,870,899,928,957,\
--   986,1015,1044,1073,1102,1131,1160,1189,1218,1247,1276,1305,1334,1363,1392,1421,1450,1479,1508,1537,1566,1595,1624,1653,1682,1711,1740,1769,\
--   1798,1827,1856,1885,1914,1943,1972,2001,2030,2059,2088,2117,2146,2175,2204,2233,2262,2291,2320,2349,2378,2407,2436,2465,2494,2523,2552,\
--   2581,2610,2639,2668,2697,2726,2755,2784,2813,2842,2871,2900]'

SELECT id, handle, name FROM user WHERE id IN (SELECT value FROM json_each(?))

-- statement: chat-16
-- is: group-without-index, index-not-covering, stale-statistics
-- because: 10 % are pictures; grouped by walking the conversations within the kind

SELECT conversation_id, MAX(sent), SUM(length(text)) FROM message WHERE kind = 1 GROUP BY conversation_id

-- best
-- index: message (kind, conversation_id, sent, text)

-- statement: chat-17
-- fine
-- tolerated: pattern-without-index, stale-statistics
-- because: a small conversation by index; no index for the text

SELECT * FROM message WHERE text LIKE '%thadrigru%' AND conversation_id = 490 AND sent > 1640000000

-- statement: chat-18
-- is: group-without-index, harmful-index, index-not-covering, stale-statistics
-- because: the index on the kind leads to 90,000 look-ups; covering pays

SELECT kind, COUNT(*), SUM(edited IS NOT NULL) FROM message GROUP BY kind

-- best
-- index: message (kind, edited)
-- change: ANALYZE

-- or
-- index: message (kind, edited)
-- change: DROP INDEX message_kind

-- statement: chat-20
-- is: join-fan-out
-- because: each of thousands of messages is joined with each of 16 participants
-- run: 3 | 40

SELECT "conversation"."id", COUNT(DISTINCT "message"."id") AS "messageCount", COUNT(DISTINCT "participant"."user_id") AS \
"participantCount" FROM "conversation" LEFT JOIN "message" ON "message"."conversation_id" = "conversation"."id" LEFT JOIN "participant" ON \
"participant"."conversation_id" = "conversation"."id" WHERE "conversation"."id" = ? GROUP BY "conversation"."id"

-- best

SELECT "conversation"."id", (SELECT COUNT(*) FROM "message" WHERE "conversation_id" = "conversation"."id") AS "messageCount", (SELECT \
COUNT(*) FROM "participant" WHERE "conversation_id" = "conversation"."id") AS "participantCount" FROM "conversation" WHERE \
"conversation"."id" = ?
