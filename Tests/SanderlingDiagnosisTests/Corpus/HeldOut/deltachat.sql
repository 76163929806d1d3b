-- schema: deltachat
-- about: A chat client that sends mail: what is shown of a chat is found by its newest message, and most columns have an index.
-- origin: Delta Chat core 1.157 (MPL-2.0, Copyright Björn Petersen and contributors): nine of its tables as its migrations leave them, \
--   with their indexes, without columns that nothing here reads
-- superfluous: redundant-index imap_folder
-- superfluous: duplicate-index imap_messageid smtp_messageid
-- superfluous: redundant-index msgs_index4
-- superfluous: redundant-index reactions_index1

CREATE TABLE contacts (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT DEFAULT '', addr TEXT DEFAULT '' COLLATE NOCASE, origin INTEGER DEFAULT 0, blocked \
INTEGER DEFAULT 0,
  last_seen INTEGER DEFAULT 0, param TEXT DEFAULT '', authname TEXT DEFAULT '', selfavatar_sent INTEGER DEFAULT 0, status TEXT DEFAULT '');
CREATE INDEX contacts_index1 ON contacts (name COLLATE NOCASE);
CREATE INDEX contacts_index2 ON contacts (addr COLLATE NOCASE);
CREATE TABLE chats (
  id INTEGER PRIMARY KEY AUTOINCREMENT, type INTEGER DEFAULT 0, name TEXT DEFAULT '', blocked INTEGER DEFAULT 0, grpid TEXT DEFAULT '', \
param TEXT DEFAULT '',
  archived INTEGER DEFAULT 0, gossiped_timestamp INTEGER DEFAULT 0, locations_send_begin INTEGER DEFAULT 0, locations_send_until INTEGER DEFAULT 0,
  created_timestamp INTEGER DEFAULT 0, muted_until INTEGER DEFAULT 0, protected INTEGER DEFAULT 0);
CREATE INDEX chats_index1 ON chats (grpid);
CREATE INDEX chats_index2 ON chats (archived);
CREATE INDEX chats_index3 ON chats (locations_send_until);
CREATE INDEX chats_index4 ON chats (name);
CREATE TABLE chats_contacts (
  chat_id INTEGER, contact_id INTEGER, add_timestamp NOT NULL DEFAULT 0, remove_timestamp NOT NULL DEFAULT 0, UNIQUE(chat_id, contact_id));
CREATE INDEX chats_contacts_index1 ON chats_contacts (chat_id);
CREATE INDEX chats_contacts_index2 ON chats_contacts (contact_id);
CREATE TABLE msgs (
  id INTEGER PRIMARY KEY AUTOINCREMENT, rfc724_mid TEXT DEFAULT '', chat_id INTEGER DEFAULT 0, from_id INTEGER DEFAULT 0, to_id INTEGER DEFAULT 0,
  timestamp INTEGER DEFAULT 0, type INTEGER DEFAULT 0, state INTEGER DEFAULT 0, msgrmsg INTEGER DEFAULT 1, bytes INTEGER DEFAULT 0, txt \
TEXT DEFAULT '',
  txt_raw TEXT DEFAULT '', param TEXT DEFAULT '', starred INTEGER DEFAULT 0, timestamp_sent INTEGER DEFAULT 0, timestamp_rcvd INTEGER DEFAULT 0,
  hidden INTEGER DEFAULT 0, mime_headers TEXT, mime_in_reply_to TEXT, mime_references TEXT, location_id INTEGER DEFAULT 0, error TEXT DEFAULT '',
  ephemeral_timer INTEGER DEFAULT 0, ephemeral_timestamp INTEGER DEFAULT 0, subject TEXT DEFAULT '', download_state INTEGER DEFAULT 0, \
txt_normalized TEXT);
CREATE INDEX msgs_index1 ON msgs (rfc724_mid);
CREATE INDEX msgs_index2 ON msgs (chat_id);
CREATE INDEX msgs_index3 ON msgs (timestamp);
CREATE INDEX msgs_index4 ON msgs (state);
CREATE INDEX msgs_index5 ON msgs (starred);
CREATE INDEX msgs_index6 ON msgs (location_id);
CREATE INDEX msgs_index7 ON msgs (state, hidden, chat_id);
CREATE INDEX msgs_index8 ON msgs (ephemeral_timestamp);
CREATE TABLE msgs_mdns (msg_id INTEGER, contact_id INTEGER, timestamp_sent INTEGER DEFAULT 0);
CREATE INDEX msgs_mdns_index1 ON msgs_mdns (msg_id);
CREATE TABLE locations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, latitude REAL DEFAULT 0.0, longitude REAL DEFAULT 0.0, accuracy REAL DEFAULT 0.0, timestamp INTEGER DEFAULT 0,
  chat_id INTEGER DEFAULT 0, from_id INTEGER DEFAULT 0, independent INTEGER DEFAULT 0);
CREATE INDEX locations_index1 ON locations (from_id);
CREATE INDEX locations_index2 ON locations (timestamp);
CREATE TABLE reactions (
  msg_id INTEGER NOT NULL, contact_id INTEGER NOT NULL, reaction TEXT DEFAULT '' NOT NULL, PRIMARY KEY(msg_id, contact_id),
  FOREIGN KEY(msg_id) REFERENCES msgs(id) ON DELETE CASCADE, FOREIGN KEY(contact_id) REFERENCES contacts(id) ON DELETE CASCADE);
CREATE INDEX reactions_index1 ON reactions (msg_id);
CREATE TABLE imap (
  id INTEGER PRIMARY KEY AUTOINCREMENT, rfc724_mid TEXT DEFAULT '', folder TEXT DEFAULT '', target TEXT DEFAULT '', uid INTEGER DEFAULT 0,
  uidvalidity INTEGER DEFAULT 0, UNIQUE (folder, uid, uidvalidity));
CREATE INDEX imap_folder ON imap(folder);
CREATE INDEX imap_messageid ON imap(rfc724_mid);
CREATE INDEX smtp_messageid ON imap(rfc724_mid);

INSERT INTO contacts (id, name, origin) SELECT i, 'self', 262144 FROM numbers WHERE i <= 9;
INSERT INTO contacts (id, name, addr, origin, blocked, last_seen, authname)
SELECT i, iif(chance(1, i) < 0.4, title(2, i, 2), ''), word(i * 31) || i || '@' || word(skewed(3, i, 60)) || '.example', CASE WHEN \
chance(4, i) < 0.5 THEN 64 ELSE 67108864 END,
  chance(5, i) < 0.02, iif(chance(6, i) < 0.5, 0, 1600000000 + pick(7, i, 120000000)), title(8, i, 2) FROM numbers WHERE i > 9 AND i <= 1800;
INSERT INTO chats (id, type, name) SELECT i, 120, 'rsvd' FROM numbers WHERE i <= 9;
INSERT INTO chats (id, type, name, blocked, grpid, archived, created_timestamp, muted_until)
SELECT i, iif(chance(9, i) < 0.6, 100, iif(chance(9, i) < 0.9, 120, 140)), title(10, i, 2), CASE WHEN chance(11, i) < 0.03 THEN 1 WHEN \
chance(11, i) < 0.05 THEN 2 ELSE 0 END,
  iif(chance(9, i) < 0.6, '', word(i * 7919) || i), CASE WHEN chance(12, i) < 0.3 THEN 1 WHEN chance(12, i) < 0.32 THEN 2 ELSE 0 END, \
1500000000 + i * 200000, iif(chance(13, i) < 0.1, -1, 0)
FROM numbers WHERE i > 9 AND i <= 700;
INSERT OR IGNORE INTO chats_contacts SELECT id, 1, 0, 0 FROM chats WHERE id > 9 AND type = 120;
INSERT OR IGNORE INTO chats_contacts SELECT id, 9 + skewed(14, id, 1790), 0, 0 FROM chats WHERE id > 9;
INSERT OR IGNORE INTO chats_contacts
SELECT c.id, 9 + skewed(15, c.id * 100 + n.i, 1790), 1600000000, iif(chance(16, c.id * 100 + n.i) < 0.1, 1650000000, 0)
FROM chats c CROSS JOIN numbers n WHERE n.i <= 1 + skewed(17, c.id, 40) AND c.id > 9 AND c.type = 120;
INSERT INTO msgs (id, chat_id) SELECT i, 0 FROM numbers WHERE i <= 9;
INSERT INTO msgs (id, rfc724_mid, chat_id, from_id, to_id, timestamp, type, state, bytes, txt, param, starred, timestamp_sent, \
timestamp_rcvd, hidden, mime_in_reply_to, location_id, ephemeral_timer, ephemeral_timestamp, txt_normalized)
SELECT i, 'Mr.' || word(i * 7919) || '.' || i || '@localhost', iif(chance(18, i) < 0.04, 3, 9 + skewed(19, i, 691)), iif(chance(20, i) < \
0.4, 1, 9 + skewed(21, i, 1790)), 1,
  1600000000 + i * 4000 + pick(22, i, 90000), CASE WHEN chance(23, i) < 0.9 THEN 10 WHEN chance(23, i) < 0.95 THEN 20 WHEN chance(23, i) < \
0.96 THEN 21 WHEN chance(23, i) < 0.98 THEN 41 WHEN chance(23, i) < 0.985 THEN 50 ELSE 60 END,
  CASE WHEN chance(20, i) < 0.38 THEN 26 WHEN chance(20, i) < 0.399 THEN 28 WHEN chance(20, i) < 0.4 THEN 24 WHEN chance(20, i) < 0.405 \
THEN 10 WHEN chance(20, i) < 0.41 THEN 13 ELSE 16 END,
  pick(24, i, 4000), iif(chance(18, i) < 0.04, '', prose(25, i, 40 + pick(26, i, 200))), iif(chance(27, i) < 0.2, 'E=2' || char(10) || \
's=' || word(i), ''), chance(28, i) < 0.002,
  1600000000 + i * 4000, 1600000000 + i * 4000 + 60, chance(29, i) < 0.03, iif(chance(30, i) < 0.3, 'Mr.' || word((i - 1) * 7919) || '.' \
|| (i - 1) || '@localhost', NULL),
  iif(chance(31, i) < 0.005, 1 + i / 6, 0), iif(chance(32, i) < 0.03, 86400, 0), iif(chance(32, i) < 0.03, 1600000000 + i * 4000 + 86400, 0), NULL
FROM numbers WHERE i > 9 AND i <= 26000;
INSERT INTO msgs_mdns SELECT pick(33, i, 26000), 9 + skewed(34, i, 1790), 1600000000 + i * 3000 FROM numbers WHERE i <= 9000;
INSERT INTO locations (latitude, longitude, accuracy, timestamp, chat_id, from_id, independent)
SELECT 48 + chance(35, i), 8 + chance(36, i), 10, 1600000000 + i * 8000, 9 + skewed(37, i, 691), iif(chance(38, i) < 0.5, 1, 9 + \
skewed(39, i, 300)), chance(40, i) < 0.004 FROM numbers WHERE i <= 12000;
INSERT OR IGNORE INTO reactions SELECT 9 + pick(41, i, 25000), 9 + skewed(42, i, 1790), word(skewed(43, i, 8)) FROM numbers WHERE i <= 2500;
INSERT INTO imap (rfc724_mid, folder, target, uid, uidvalidity)
SELECT 'Mr.' || word(i * 7919) || '.' || i || '@localhost', iif(chance(44, i) < 0.8, 'INBOX', 'DeltaChat'),
  CASE WHEN chance(45, i) < 0.003 THEN '' WHEN chance(44, i) < 0.8 THEN 'INBOX' ELSE 'DeltaChat' END, i, 1 FROM numbers WHERE i > 3000 AND i <= 25900;

-- statement: deltachat-01
-- is: index-not-covering, missing-statistics, sort-without-index, subquery-per-row
-- because: the list of chats: for the newest message of each all of its messages are looked up and sorted
-- run: 19, 0, 1, 2

SELECT c.id, m.id FROM chats c
LEFT JOIN msgs m ON c.id = m.chat_id AND m.id = (
  SELECT id FROM msgs WHERE chat_id = c.id AND (hidden = 0 OR state = ?1) ORDER BY timestamp DESC, id DESC LIMIT 1)
WHERE c.id > 9 AND c.id != ?2 AND (c.blocked = 0 OR c.blocked = 2) AND NOT c.archived = ?3
GROUP BY c.id ORDER BY c.id = 0 DESC, c.archived = ?4 DESC, IFNULL(m.timestamp, c.created_timestamp) DESC, m.id DESC

-- best
-- index: msgs (chat_id, timestamp)

-- statement: deltachat-02
-- is: index-not-covering, missing-statistics, sort-without-index
-- because: the newest message of a chat: all are looked up and sorted
-- run: 10, 19 | 30, 19

SELECT id FROM msgs WHERE chat_id = ?1 AND (hidden = 0 OR state = ?2) ORDER BY timestamp DESC, id DESC LIMIT 1

-- best
-- index: msgs (chat_id, timestamp)

-- statement: deltachat-03
-- is: full-scan, pattern-without-index
-- because: words of a search, anywhere in a text: an index of words
-- run: '%grunoce%'

SELECT m.id AS id FROM msgs m LEFT JOIN contacts ct ON m.from_id = ct.id LEFT JOIN chats c ON m.chat_id = c.id
WHERE m.chat_id > 9 AND m.hidden = 0 AND c.blocked != 1 AND ct.blocked = 0 AND IFNULL(m.txt_normalized, m.txt) LIKE ?
ORDER BY m.id DESC LIMIT 1000

-- best: design

-- statement: deltachat-04
-- is: full-scan, index-not-covering, missing-statistics, or-without-index, partial-index, sort-without-index
-- because: pictures of a chat or of all: one message in twenty has one
-- run: 0, 12, 3, 20, 21, 50 | 1, 0, 3, 41, 41, 41

SELECT id FROM msgs WHERE (1 = ? OR chat_id = ?) AND chat_id != ? AND (type = ? OR type = ? OR type = ?) AND hidden = 0 ORDER BY timestamp, id

-- best
-- index: msgs (type, chat_id, hidden, timestamp)

-- or
-- index: msgs (type)

-- or
-- index: msgs (type, timestamp)

-- statement: deltachat-05
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: what is new, by an index of its state
-- run: 10, 1700000000

SELECT m.id FROM msgs m LEFT JOIN contacts ct ON m.from_id = ct.id LEFT JOIN chats c ON m.chat_id = c.id
WHERE m.state = ? AND m.hidden = 0 AND m.chat_id > 9 AND ct.blocked = 0 AND c.blocked = 0 AND NOT (c.muted_until = -1 OR c.muted_until > ?)
ORDER BY m.timestamp DESC, m.id DESC

-- statement: deltachat-06
-- is: full-scan, function-on-column, harmful-index, index-not-covering, missing-statistics, partial-index
-- because: messages that have to go: nearly all never do, and have a 0 that is below any time
-- run: 1601000000, 3

SELECT id, chat_id, type, location_id FROM msgs WHERE ephemeral_timestamp != 0 AND ephemeral_timestamp <= ? AND chat_id != ?

-- best

SELECT id, chat_id, type, location_id FROM msgs WHERE ephemeral_timestamp > 0 AND ephemeral_timestamp <= ? AND chat_id != ?

-- or
-- index: msgs (ephemeral_timestamp) WHERE ephemeral_timestamp != 0

-- statement: deltachat-07
-- is: index-not-covering, missing-statistics, partial-index, sort-without-index
-- because: what has to be moved: few of a folder's messages
-- run: 'INBOX' | 'DeltaChat'

SELECT id, uid, target FROM imap WHERE folder = ? AND target != folder ORDER BY target, uid

-- best
-- index: imap (folder, target, uid) WHERE target != folder

-- or
-- index: imap (folder, target, uid)

-- statement: deltachat-08
-- is: full-scan, missing-statistics, or-without-index, partial-index, sort-without-index
-- because: where somebody was in some days, and all places of interest: one side of OR has an index
-- run: 0, 12, 1, 0, 1690000000, 1690900000 | 1, 0, 1, 0, 1640000000, 1640500000

SELECT l.id, l.latitude, l.longitude, l.accuracy, l.timestamp, l.independent, COALESCE(m.id, 0) AS msg_id, l.from_id, l.chat_id, \
COALESCE(m.txt, '') AS txt
FROM locations l LEFT JOIN msgs m ON l.id = m.location_id
WHERE (? OR l.chat_id = ?) AND (? OR l.from_id = ?) AND (l.independent = 1 OR (l.timestamp >= ? AND l.timestamp <= ?))
ORDER BY l.timestamp DESC, l.id DESC, msg_id DESC

-- best
-- index: locations (independent)

-- statement: deltachat-09
-- fine
-- because: old places, by their time
-- run: 1600300000

DELETE FROM locations WHERE independent = 0 AND timestamp < ?

-- statement: deltachat-10
-- is: group-without-index, harmful-index, index-not-covering, missing-statistics, sort-without-index, subquery-per-row
-- because: where somebody was last: half of all places are theirs
-- run: 1, 1695000000, 1695500000, 1

SELECT id, latitude, longitude, accuracy, timestamp FROM locations
WHERE from_id = ? AND timestamp >= ? AND (timestamp >= ? OR timestamp = (SELECT MAX(timestamp) FROM locations WHERE from_id = ?)) AND independent = 0
GROUP BY timestamp ORDER BY timestamp

-- best
-- index: locations (from_id, timestamp)

-- statement: deltachat-11
-- fine
-- tolerated: full-scan, index-not-covering, subquery-per-row
-- because: receipts of messages that are gone: the keys of all messages are listed once, which is less than to look for each
-- run: 3

DELETE FROM msgs_mdns WHERE msg_id NOT IN (SELECT id FROM msgs WHERE chat_id != ?)

-- statement: deltachat-12
-- is: full-scan, subquery-per-row
-- because: the chats with somebody: each of all chats is asked for them
-- run: 700 | 1500

UPDATE chats SET gossiped_timestamp = 0 WHERE EXISTS (
  SELECT 1 FROM chats_contacts WHERE chats_contacts.chat_id = chats.id AND chats_contacts.contact_id = ? AND chats_contacts.add_timestamp \
>= chats_contacts.remove_timestamp)

-- best

UPDATE chats SET gossiped_timestamp = 0 WHERE id IN (SELECT chat_id FROM chats_contacts WHERE contact_id = ? AND add_timestamp >= remove_timestamp)

-- statement: deltachat-13
-- is: index-not-covering, missing-statistics
-- because: the times of a chat: all its messages are looked up
-- run: 16, 10, 10 | 16, 12, 10

SELECT MAX(timestamp), MAX(IIF(state = ?, timestamp_sent, 0)) FROM msgs WHERE chat_id = ? AND hidden = 0 AND state > ? HAVING COUNT(*) > 0

-- best
-- index: msgs (chat_id, hidden, state, timestamp, timestamp_sent)

-- statement: deltachat-14
-- fine
-- tolerated: full-scan, index-not-covering, missing-statistics, subquery-per-row, wide-rows-for-count
-- because: how much would be deleted: nearly all messages, each looked for among those of the server by its name
-- run: 9, 1690000000, 3

SELECT COUNT(*) FROM msgs m WHERE m.id > ? AND timestamp < ? AND chat_id != ? AND EXISTS (SELECT * FROM imap WHERE rfc724_mid = m.rfc724_mid)

-- statement: deltachat-15
-- is: full-scan, group-without-index, index-not-covering, join-fan-out, join-order, sort-without-index
-- because: chats with the same members: each member of the chat is paired with all members of all chats
-- run: 20, 9

SELECT y.chat_id, SUM(x.contact_id = y.contact_id) FROM chats_contacts AS x JOIN chats_contacts AS y
WHERE x.contact_id > 9 AND y.contact_id > 9 AND x.add_timestamp >= x.remove_timestamp AND y.add_timestamp >= y.remove_timestamp
AND x.chat_id = ? AND y.chat_id <> x.chat_id AND y.chat_id > ? GROUP BY y.chat_id

-- best

SELECT y.chat_id, SUM(y.contact_id IN (SELECT x.contact_id FROM chats_contacts x WHERE x.chat_id = ?1 AND x.contact_id > 9 AND \
x.add_timestamp >= x.remove_timestamp))
FROM chats_contacts AS y WHERE y.contact_id > 9 AND y.add_timestamp >= y.remove_timestamp AND y.chat_id <> ?1 AND y.chat_id > ?2
AND EXISTS (SELECT 1 FROM chats_contacts x WHERE x.chat_id = ?1 AND x.contact_id > 9 AND x.add_timestamp >= x.remove_timestamp) GROUP BY y.chat_id

-- or
-- index: chats_contacts (contact_id, chat_id, add_timestamp, remove_timestamp)

SELECT y.chat_id, SUM(x.contact_id = y.contact_id) FROM chats_contacts AS x CROSS JOIN chats_contacts AS y
WHERE x.contact_id > 9 AND y.contact_id > 9 AND x.add_timestamp >= x.remove_timestamp AND y.add_timestamp >= y.remove_timestamp
AND x.chat_id = ? AND y.chat_id <> x.chat_id AND y.chat_id > ? GROUP BY y.chat_id

-- statement: deltachat-16
-- fine
-- because: what was said to a message, by its key
-- run: 4711

SELECT contact_id, reaction FROM reactions WHERE msg_id = ? ORDER BY contact_id

-- statement: deltachat-17
-- fine
-- because: reactions that are new in a chat, by the index of states
-- run: 10, 12

SELECT id, rfc724_mid FROM msgs WHERE state = ? AND hidden = 1 AND chat_id = ? ORDER BY id LIMIT 100
