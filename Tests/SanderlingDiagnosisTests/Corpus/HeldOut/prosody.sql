-- schema: prosody
-- about: A chat server: settings of each user as keys and values, and archives of whole stanzas by user and time.
-- origin: Prosody trunk after 13.0 (MIT, Copyright the Prosody developers): both tables of mod_storage_sql with their indexes

CREATE TABLE "prosody" ("host" TEXT NOT NULL, "user" TEXT NOT NULL, "store" TEXT NOT NULL, "key" TEXT NOT NULL, "type" TEXT NOT NULL, \
"value" TEXT NOT NULL);
CREATE UNIQUE INDEX "prosody_unique_index" ON "prosody" ("host", "user", "store", "key");
CREATE TABLE "prosodyarchive" (
  "sort_id" INTEGER PRIMARY KEY AUTOINCREMENT, "host" TEXT NOT NULL, "user" TEXT NOT NULL, "store" TEXT NOT NULL, "key" TEXT NOT NULL, \
"when" INTEGER NOT NULL, "with" TEXT NOT NULL,
  "type" TEXT NOT NULL, "value" TEXT NOT NULL);
CREATE UNIQUE INDEX "prosodyarchive_index" ON "prosodyarchive" ("host", "user", "store", "key");
CREATE INDEX "prosodyarchive_with_when" ON "prosodyarchive" ("host", "user", "store", "with", "when");
CREATE INDEX "prosodyarchive_when" ON "prosodyarchive" ("host", "user", "store", "when");
CREATE INDEX "prosodyarchive_sort" ON "prosodyarchive" ("host", "user", "store", "sort_id");

INSERT INTO prosody SELECT 'chat.example', word(i), 'accounts', k.column1, k.column2, CASE k.column1 WHEN 'iteration_count' THEN '10000' \
WHEN 'updated' THEN CAST(1650000000 + pick(1, i, 60000000) AS TEXT) ELSE printf('%040x', i * 104729) END
FROM numbers JOIN (VALUES ('iteration_count', 'number'), ('salt', 'string'), ('server_key', 'string'), ('stored_key', 'string'), \
('updated', 'number')) AS k WHERE i <= 5000;
INSERT INTO prosody SELECT 'chat.example', word(i), 'accounts', 'disabled', 'boolean', 'true' FROM numbers WHERE i <= 5000 AND chance(2, i) < 0.02;
INSERT OR IGNORE INTO prosody
SELECT 'chat.example', word(pick(3, i, 5000)), 'roster', word(pick(4, i, 5000)) || '@chat.example', 'json',
  '{"subscription":"' || iif(chance(5, i) < 0.8, 'both', iif(chance(6, i) < 0.5, 'to', 'none')) || '","groups":{"' || word(skewed(7, i, \
20)) || '":true}' || iif(chance(8, i) < 0.015, ',"ask":"subscribe"', '') || ',"name":"' || title(9, i, 2) || '"}'
FROM numbers WHERE i <= 30000;
INSERT INTO prosody SELECT 'chat.example', word(i), 'vcard', '', 'xml', '<vCard xmlns=''vcard-temp''><FN>' || title(10, i, 2) || \
'</FN><DESC>' || prose(11, i, 200) || '</DESC></vCard>' FROM numbers WHERE i <= 5000 AND chance(12, i) < 0.5;
INSERT INTO prosody SELECT 'chat.example', word(i), 'lastlog2', 'login', 'json', '{"timestamp":' || (1690000000 + pick(13, i, 20000000)) \
|| '}' FROM numbers WHERE i <= 5000 AND chance(14, i) < 0.7;
INSERT INTO prosody SELECT 'rooms.chat.example', word(i), 'config', k.column1, 'json', '{"_data":{"persistent":true}}' FROM numbers JOIN \
(VALUES ('_affiliations'), ('_data'), ('_jid')) AS k WHERE i <= 400;
INSERT INTO prosodyarchive
SELECT i, iif(chance(20, i) < 0.2, 'rooms.chat.example', 'chat.example'), word(iif(chance(20, i) < 0.2, skewed(21, i, 200), skewed(22, i, \
4000))), iif(chance(20, i) < 0.2, 'muc_log', iif(chance(23, i) < 0.03, 'offline', 'archive')),
  printf('%08x-%04x', i * 104729 % 4294967296, pick(24, i, 60000)), 1700000000 + i * 300 + pick(25, i, 250),
  iif(chance(20, i) < 0.2, 'message<groupchat', iif(chance(26, i) < 0.25, word(11), word(skewed(27, i, 900))) || '@chat.example'), 'xml',
  '<message type=''chat'' id=''' || i || '''><body>' || prose(28, i, 60 + pick(29, i, 240)) || '</body></message>'
FROM numbers WHERE i <= 60000;

-- statement: prosody-01
-- is: full-scan, index-not-covering
-- because: the nightly removal of what is too old: all indexes name the user before the time
-- run: 'rooms.chat.example', 'muc_log', 1700100000 | 'chat.example', 'archive', 1700050000

DELETE FROM "prosodyarchive" WHERE "host" = ? AND "store" = ? AND "when" <= ?

-- best
-- index: "prosodyarchive" ("host", "store", "when")

-- or
-- index: "prosodyarchive" ("store", "when")

-- or
-- index: "prosodyarchive" ("store", "host", "when")

-- statement: prosody-02
-- is: full-scan, harmful-index, index-not-covering, missing-statistics, sort-without-index
-- because: the newest page with a rare contact: all messages of the user are read, by the index that has the order
-- run: 'chat.example', 'loce', 'archive', 'cledidi@chat.example' | 'chat.example', 'vace', 'archive', 'mupli@chat.example'

SELECT "key", "type", "value", "when", "with" FROM "prosodyarchive" WHERE "host" = ? AND "user" = ? AND "store" = ? AND "with" = ? ORDER \
BY "sort_id" DESC LIMIT 50

-- best
-- index: "prosodyarchive" ("host", "user", "store", "with", "sort_id")

-- or
-- index: "prosodyarchive" ("host", "user", "store", "with")

-- statement: prosody-03
-- fine
-- tolerated: sort-without-index
-- because: a day of a user's archive, by the index that ends in the time
-- run: 'chat.example', 'loce', 'archive', 1705000000, 1705040000

SELECT "key", "type", "value", "when", "with" FROM "prosodyarchive" WHERE "host" = ? AND "user" = ? AND "store" = ? AND "when" BETWEEN ? \
AND ? ORDER BY "sort_id" ASC LIMIT 50

-- statement: prosody-04
-- is: full-scan, index-not-covering
-- because: one key of all users: the unique index has the user before the store
-- run: 'chat.example', 'accounts', 'disabled'

SELECT "user", "type", "value" FROM "prosody" WHERE "host" = ? AND "store" = ? AND "key" = ?

-- best
-- index: "prosody" ("host", "store", "key")

-- or
-- index: "prosody" ("store", "key")

-- or
-- index: "prosody" ("key")

-- or
-- index: "prosody" ("store", "key", "host")

-- or
-- index: "prosody" ("key", "store", "host")

-- statement: prosody-05
-- is: distinct-without-index, full-scan, index-not-covering
-- because: who has a card: the keys of all other stores of the host are read too
-- run: 'chat.example', 'vcard'

SELECT DISTINCT "user" FROM "prosody" WHERE "host" = ? AND "store" = ?

-- best
-- index: "prosody" ("host", "store", "user")

-- or
-- index: "prosody" ("store", "host", "user")

-- statement: prosody-06
-- is: full-scan
-- because: an administrator looks up reported stanzas by their id, without knowing whose they are
-- run: '04d9ace1-3cd7', 'bd295647-c617', '4192e9c3-8c31'

SELECT "host", "user", "when", "value" FROM "prosodyarchive" WHERE "store" IN ('archive', 'muc_log') AND "key" IN (?, ?, ?)

-- best
-- index: "prosodyarchive" ("key")

-- or
-- index: "prosodyarchive" ("key", "store")

-- or
-- index: "prosodyarchive" ("store", "key")

-- statement: prosody-07
-- is: expression-index, full-scan, function-on-column, index-not-covering
-- because: what was said on a day in all rooms: the day is computed for each line
-- run: 'rooms.chat.example', '2024-01-15' | 'rooms.chat.example', '2024-03-01'

SELECT count(*), count(DISTINCT "user") FROM "prosodyarchive" WHERE "host" = ?1 AND "store" = 'muc_log' AND date("when", 'unixepoch') = ?2

-- best
-- index: "prosodyarchive" ("host", "store", "when", "user")

SELECT count(*), count(DISTINCT "user") FROM "prosodyarchive" WHERE "host" = ?1 AND "store" = 'muc_log'
AND "when" >= CAST(strftime('%s', ?2) AS INTEGER) AND "when" < CAST(strftime('%s', ?2, '+1 day') AS INTEGER)

-- statement: prosody-08
-- fine
-- because: how full an archive is, counted in an index
-- run: 'chat.example', 'loce', 'archive'

SELECT COUNT(*) FROM "prosodyarchive" WHERE "host" = ? AND "user" = ? AND "store" = ?

-- statement: prosody-09
-- is: expression-index, full-scan, function-on-column, partial-index
-- because: requests without an answer: each contact of everybody is parsed
-- run: 'chat.example'

SELECT "user", "key" FROM "prosody" WHERE "host" = ? AND "store" = 'roster' AND "type" = 'json' AND json_extract("value", '$.ask') = \
'subscribe' ORDER BY "user"

-- best
-- index: "prosody" ("host", json_extract("value", '$.ask'), "user", "key") WHERE "store" = 'roster' AND "type" = 'json'

-- or
-- index: "prosody" ("host", "store", json_extract("value", '$.ask'), "user") WHERE "type" = 'json'

-- statement: prosody-10
-- fine
-- tolerated: large-offset
-- because: all but the newest go; they are counted in the index that has their order
-- run: 'chat.example', 'stamu', 'archive', 60

DELETE FROM "prosodyarchive" WHERE "sort_id" IN (SELECT "sort_id" FROM "prosodyarchive" WHERE "host" = ? AND "user" = ? AND "store" = ? \
ORDER BY "sort_id" DESC LIMIT -1 OFFSET ?)

-- statement: prosody-11
-- fine
-- tolerated: sort-without-index
-- because: the largest archives: nearly all rows count, and an index has all that is asked
-- run: 'chat.example'

SELECT "user", count(*) AS n, max("when") FROM "prosodyarchive" WHERE "host" = ? AND "store" <> 'offline' GROUP BY "user" ORDER BY n DESC LIMIT 20
