-- schema: dino
-- about: A chat client: messages by account and counterpart, the items of conversations that refer to them, and a full-text index kept by \
--   triggers.
-- origin: Dino 0.2 (GPL-3.0-or-later, Copyright the Dino contributors): the tables of version 15 of its database with their indexes and \
--   the triggers of its full-text index
-- superfluous: redundant-index entity_feature_idx
-- superfluous: redundant-index entity_identity_idx

CREATE TABLE account (id INTEGER PRIMARY KEY AUTOINCREMENT, bare_jid TEXT UNIQUE NOT NULL, resourcepart TEXT, password TEXT, alias TEXT, \
enabled INTEGER, roster_version TEXT, mam_earliest_synced INTEGER);
CREATE TABLE jid (id INTEGER PRIMARY KEY AUTOINCREMENT, bare_jid TEXT UNIQUE NOT NULL);
CREATE TABLE entity (id INTEGER PRIMARY KEY AUTOINCREMENT, account_id INTEGER, jid_id INTEGER, resource TEXT, caps_hash TEXT, last_seen \
INTEGER, UNIQUE (account_id, jid_id, resource) ON CONFLICT IGNORE);
CREATE TABLE content_item (
  id INTEGER PRIMARY KEY AUTOINCREMENT, conversation_id INTEGER NOT NULL, time INTEGER NOT NULL, local_time INTEGER NOT NULL, content_type \
INTEGER NOT NULL, foreign_id INTEGER NOT NULL, hide INTEGER DEFAULT 0 NOT NULL,
  UNIQUE (content_type, foreign_id) ON CONFLICT IGNORE);
CREATE INDEX contentitem_localtime_counterpart_idx ON content_item (local_time, conversation_id);
CREATE TABLE message (
  id INTEGER PRIMARY KEY AUTOINCREMENT, stanza_id TEXT, server_id TEXT, account_id INTEGER NOT NULL, counterpart_id INTEGER NOT NULL, \
our_resource TEXT, counterpart_resource TEXT, direction INTEGER NOT NULL, type INTEGER,
  time INTEGER, local_time INTEGER, body TEXT, encryption INTEGER, marked INTEGER);
CREATE INDEX message_account_counterpart_localtime_idx ON message (account_id, counterpart_id, local_time);
CREATE INDEX message_account_counterpart_stanzaid_idx ON message (account_id, counterpart_id, stanza_id);
CREATE TABLE message_correction (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id INTEGER UNIQUE, to_stanza_id TEXT);
CREATE INDEX message_correction_to_stanza_id_idx ON message_correction (to_stanza_id);
CREATE TABLE real_jid (message_id INTEGER PRIMARY KEY, real_jid TEXT);
CREATE TABLE file_transfer (
  id INTEGER PRIMARY KEY AUTOINCREMENT, account_id INTEGER NOT NULL, counterpart_id INTEGER NOT NULL, counterpart_resource TEXT, \
our_resource TEXT, direction INTEGER NOT NULL, time INTEGER, local_time INTEGER, encryption INTEGER,
  file_name TEXT, path TEXT, mime_type TEXT, size INTEGER, state INTEGER, provider INTEGER, info TEXT);
CREATE INDEX filetransfer_localtime_counterpart_idx ON file_transfer (local_time, counterpart_id);
CREATE TABLE conversation (
  id INTEGER PRIMARY KEY AUTOINCREMENT, account_id INTEGER NOT NULL, jid_id INTEGER NOT NULL, resource TEXT, active INTEGER, last_active \
INTEGER, type INTEGER, encryption INTEGER, read_up_to INTEGER,
  read_up_to_item INTEGER NOT NULL DEFAULT -1, notification INTEGER, send_typing INTEGER, send_marker INTEGER);
CREATE TABLE contact_avatar (jid_id INTEGER, account_id INTEGER, hash TEXT, type INTEGER, UNIQUE (jid_id, account_id) ON CONFLICT REPLACE);
CREATE TABLE entity_identity (entity TEXT, category TEXT, name TEXT, type TEXT, UNIQUE (entity, category, type) ON CONFLICT IGNORE);
CREATE INDEX entity_identity_idx ON entity_identity (entity);
CREATE TABLE entity_feature (entity TEXT, feature TEXT, UNIQUE (entity, feature) ON CONFLICT IGNORE);
CREATE INDEX entity_feature_idx ON entity_feature (entity);
CREATE TABLE roster (account_id INTEGER, jid TEXT, name TEXT, subscription TEXT, UNIQUE (account_id, jid) ON CONFLICT IGNORE);
CREATE TABLE mam_catchup (id INTEGER PRIMARY KEY AUTOINCREMENT, account_id INTEGER NOT NULL, from_end INTEGER, from_id TEXT, from_time \
INTEGER NOT NULL, to_id TEXT, to_time INTEGER NOT NULL);
CREATE TABLE settings (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT UNIQUE NOT NULL, value TEXT);
CREATE VIRTUAL TABLE _fts_message USING fts4(tokenize=unicode61, content="message", body);

INSERT INTO account VALUES (1, 'me@loce.example', 'dino.1', 'x', NULL, 1, '7', 1500000000), (2, 'me@work.example', 'dino.2', 'x', 'Work', \
1, NULL, 1500000000), (3, 'old@gone.example', 'dino.3', 'x', NULL, 0, NULL, 0);
INSERT INTO jid SELECT i, word(i) || iif(i % 4 = 1, '@rooms.', '@') || word(i % 40) || '.example' FROM numbers WHERE i <= 4000;
INSERT INTO conversation
SELECT i, iif(chance(1, i) < 0.8, 1, 2), i, NULL, chance(2, i) < 0.1, 1600000000 + pick(3, i, 60000000), i % 4 = 1, 0, NULL, iif(chance(4, \
i) < 0.3, -1, 30000 + pick(5, i, 24000)), 0, 0, 0 FROM numbers WHERE i <= 1400;
INSERT INTO message
SELECT i, iif(chance(6, i) < 0.02, NULL, printf('%08x-%04x', pick(7, i, 4294967295), i % 65536)), iif(chance(8, i) < 0.35, NULL, \
printf('%d%08x', 16000 + i, pick(9, i, 4294967295))), c.account_id, c.jid_id, 'dino.1', iif(c.type = 1, word(skewed(10, i, 200)), NULL), \
chance(11, i) < iif(c.type = 1, 0.1, 0.45), iif(c.type = 1, 3, 1),
  1590000000 + i * 1300, 1590000000 + i * 1300 + iif(chance(12, i) < 0.05, pick(13, i, 90000), pick(14, i, 4)), prose(15, i, 6 + \
skewed(16, i, 240)), iif(chance(17, i) < 0.2, 3, 0), CASE WHEN c.type = 1 THEN 0 WHEN chance(18, i) < 0.7 THEN 2 ELSE 1 END
FROM numbers JOIN conversation AS c ON c.id = skewed(19, i, 1400) WHERE i <= 54000;
INSERT INTO _fts_message (_fts_message) VALUES ('rebuild');
CREATE TRIGGER _fts_bu_message BEFORE UPDATE ON message BEGIN DELETE FROM _fts_message WHERE docid = old.id; END;
CREATE TRIGGER _fts_bd_message BEFORE DELETE ON message BEGIN DELETE FROM _fts_message WHERE docid = old.id; END;
CREATE TRIGGER _fts_au_message AFTER UPDATE ON message BEGIN INSERT INTO _fts_message (docid, body) VALUES (new.id, new.body); END;
CREATE TRIGGER _fts_ai_message AFTER INSERT ON message BEGIN INSERT INTO _fts_message (docid, body) VALUES (new.id, new.body); END;
INSERT INTO file_transfer
SELECT i, c.account_id, c.jid_id, NULL, 'dino.1', chance(20, i) < 0.3, 1590000000 + i * 7800, 1590000000 + i * 7800 + 2, 0, word(i) || \
'.jpg', word(i) || '.jpg', CASE WHEN chance(21, i) < 0.8 THEN 'image/jpeg' WHEN chance(21, i) < 0.93 THEN 'video/mp4' ELSE \
'application/pdf' END, 1000 * skewed(22, i, 90000), 2, 0, iif(chance(23, i) < 0.7, CAST(i * 6 AS TEXT), NULL)
FROM numbers JOIN conversation AS c ON c.id = skewed(24, i, 900) WHERE i <= 9000;
INSERT INTO content_item (conversation_id, time, local_time, content_type, foreign_id, hide)
SELECT conversation, time, local_time, kind, id, hide FROM (
  SELECT m.counterpart_id AS conversation, m.time, m.local_time, 1 AS kind, m.id, m.id % 90 = 0 AS hide FROM message AS m UNION ALL SELECT \
counterpart_id, time, local_time, 2, id, 0 FROM file_transfer) ORDER BY time, id;
INSERT INTO message_correction SELECT i, i * 50, (SELECT stanza_id FROM message WHERE id = i * 50 - 7) FROM numbers WHERE i <= 1000;
INSERT INTO real_jid SELECT m.id, CASE WHEN chance(25, m.id) < 0.2 THEN upper(substr(word(skewed(10, m.id, 200)), 1, 1)) || \
substr(word(skewed(10, m.id, 200)), 2) ELSE word(skewed(10, m.id, 200)) END || '@' || word(skewed(10, m.id, 200) % 30) || '.example' FROM \
message AS m WHERE m.type = 3 AND chance(26, m.id) < 0.8;
INSERT INTO entity SELECT i, iif(i % 4 = 0, 2, 1), 1 + i % 4000, word(i), iif(chance(27, i) < 0.1, NULL, printf('sha-1$%06x', skewed(28, \
i, 700) * 7919)), 1600000000 + pick(29, i, 60000000) FROM numbers WHERE i <= 9000;
INSERT INTO entity_feature SELECT printf('sha-1$%06x', e.i * 7919), 'urn:xmpp:' || word(f.i) || ':' || (f.i % 3) FROM numbers AS e JOIN \
numbers AS f ON f.i <= 60 WHERE e.i <= 700 AND chance(30, e.i * 61 + f.i) < 1.0 / (1 + f.i / 12);
INSERT INTO entity_identity SELECT printf('sha-1$%06x', i * 7919), 'client', word(i % 50), CASE i % 5 WHEN 0 THEN 'phone' WHEN 1 THEN \
'web' ELSE 'pc' END FROM numbers WHERE i <= 700;
INSERT INTO roster SELECT iif(chance(1, id) < 0.8, 1, 2), bare_jid, iif(chance(31, id) < 0.3, title(32, id, 2), NULL), 'both' FROM jid \
WHERE id % 4 <> 1 AND id < 1500;
INSERT INTO contact_avatar SELECT id, iif(chance(1, id) < 0.8, 1, 2), printf('%040x', id * 104729), 1 FROM jid WHERE chance(33, id) < 0.6;
INSERT INTO mam_catchup SELECT i, 1 + i % 2, i % 3, 'a' || i, 1600000000 + i * 90000, 'b' || i, 1600080000 + i * 90000 FROM numbers WHERE i <= 160;
INSERT INTO settings SELECT i, word(i), word(i * 3) FROM numbers WHERE i <= 24;

-- statement: dino-01
-- is: full-scan, harmful-index, index-not-covering, sort-without-index
-- because: the newest items of a conversation: the index begins with the time, so that those of all others are walked
-- run: 900 | 1301 | 77

SELECT * FROM content_item WHERE conversation_id = ? AND hide = 0 ORDER BY local_time DESC, time DESC, id DESC LIMIT 50

-- best
-- index: content_item (conversation_id, local_time, time)

-- or
-- index: content_item (conversation_id, hide, local_time, time, id)

-- or
-- index: content_item (conversation_id)

-- statement: dino-02
-- is: full-scan, harmful-index, index-not-covering, subquery-per-row
-- because: the latest item of each open conversation, searched for among all from the newest

SELECT c.id, j.bare_jid, (SELECT max(i.local_time) FROM content_item AS i WHERE i.conversation_id = c.id AND i.hide = 0) AS latest FROM \
conversation AS c JOIN jid AS j ON j.id = c.jid_id WHERE c.active = 1 ORDER BY latest DESC, c.id

-- best
-- index: content_item (conversation_id, hide, local_time)

-- or
-- index: content_item (conversation_id, local_time)

-- or
-- index: content_item (conversation_id)

-- statement: dino-03
-- fine
-- because: whether a message is there already, by its index
-- run: 1, 1, '11918f66-4e22'

SELECT count(*) FROM message WHERE account_id = ? AND counterpart_id = ? AND stanza_id = ?

-- statement: dino-04
-- is: full-scan, index-not-covering
-- because: a message of a large room by the identifier that the server gave it: all of the room are looked at
-- run: 1, 1, '1900353fbaf54' | 1, 1, '690181ec4b4da'

SELECT * FROM message WHERE account_id = ? AND counterpart_id = ? AND server_id = ?

-- best
-- index: message (account_id, counterpart_id, server_id)

-- statement: dino-05
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: the newest messages with a word, by the full-text index
-- run: 'flowece'

SELECT m.id, m.body, c.conversation_id FROM _fts_message AS f JOIN message AS m ON m.id = f.docid JOIN content_item AS c ON c.foreign_id = \
m.id AND c.content_type = 1 WHERE f.body MATCH ? ORDER BY m.id DESC LIMIT 30

-- statement: dino-06
-- is: case-insensitive-without-index, expression-index, full-scan, function-on-column
-- because: what somebody wrote in all rooms, whatever the case of their address
-- run: 'pewe@kifo.example' | 'thapli@drice.example'

SELECT m.id, m.time, m.body FROM real_jid AS r JOIN message AS m ON m.id = r.message_id WHERE lower(r.real_jid) = lower(?) ORDER BY m.id DESC LIMIT 30

-- best
-- index: real_jid (lower(real_jid))

-- or
-- index: real_jid (real_jid COLLATE NOCASE)

SELECT m.id, m.time, m.body FROM real_jid AS r JOIN message AS m ON m.id = r.message_id WHERE r.real_jid = ? COLLATE NOCASE ORDER BY m.id \
DESC LIMIT 30

-- statement: dino-07
-- is: full-scan, or-without-index
-- because: the message that a reply points to, by either identifier
-- run: 'fd0be954-7919' | '1670328444ac2'

SELECT id, account_id, counterpart_id FROM message WHERE stanza_id = ?1 OR server_id = ?1

-- best
-- index: message (stanza_id)
-- index: message (server_id)

-- statement: dino-08
-- fine
-- tolerated: full-scan
-- because: items without their message: all are looked at, each message by its key

DELETE FROM content_item WHERE content_type = 1 AND foreign_id NOT IN (SELECT id FROM message)

-- statement: dino-09
-- is: trigger-without-columns
-- because: messages are marked as read: the triggers index the text of each anew, though it stays
-- run: 1, 2, 1650000000

UPDATE message SET marked = 2 WHERE account_id = ? AND counterpart_id = ? AND local_time <= ? AND direction = 1 AND marked = 1

-- best
-- change: DROP TRIGGER _fts_bu_message
-- change: DROP TRIGGER _fts_au_message
-- change: CREATE TRIGGER _fts_bu_message BEFORE UPDATE OF id, body ON message BEGIN DELETE FROM _fts_message WHERE docid = old.id; END
-- change: CREATE TRIGGER _fts_au_message AFTER UPDATE OF id, body ON message BEGIN INSERT INTO _fts_message (docid, body) VALUES (new.id, \
--   new.body); END

-- statement: dino-10
-- is: full-scan, harmful-index, index-not-covering, sort-without-index
-- because: the pictures of a conversation with few: the index begins with the time
-- run: 1, 300 | 1, 611

SELECT id, file_name, size FROM file_transfer WHERE account_id = ? AND counterpart_id = ? AND mime_type LIKE 'image/%' ORDER BY local_time \
DESC LIMIT 24

-- best
-- index: file_transfer (counterpart_id, local_time)

-- or
-- index: file_transfer (account_id, counterpart_id, local_time)

-- or
-- index: file_transfer (counterpart_id)

-- statement: dino-11
-- fine
-- tolerated: index-not-covering
-- because: contacts without a picture: both joins by keys
-- run: 1

SELECT j.bare_jid FROM roster AS r JOIN jid AS j ON j.bare_jid = r.jid LEFT JOIN contact_avatar AS a ON a.jid_id = j.id AND a.account_id = \
r.account_id WHERE r.account_id = ? AND a.hash IS NULL

-- statement: dino-12
-- is: full-scan
-- because: which clients know a rare feature: the key begins with the client
-- run: 'urn:xmpp:xipe:0' | 'urn:xmpp:muso:2'

SELECT entity FROM entity_feature WHERE feature = ? ORDER BY entity

-- best
-- index: entity_feature (feature, entity)

-- or
-- index: entity_feature (feature)

-- statement: dino-13
-- is: automatic-index, full-scan, join-order
-- because: unread items by conversation: there is no index that begins with it

SELECT c.id, count(*) AS unread FROM conversation AS c JOIN content_item AS i ON i.conversation_id = c.id AND i.id > c.read_up_to_item \
WHERE c.active = 1 AND i.hide = 0 GROUP BY c.id ORDER BY unread DESC, c.id

-- best
-- index: content_item (conversation_id, hide)

-- or
-- index: content_item (conversation_id)

-- statement: dino-14
-- is: repeated-statement
-- because: who wrote each message of a room, one by one
-- operation: show a room
-- run: 40000 | 40037 | 40074 | 40111 | 40148 | 40185 | 40222 | 40259 | 40296 | 40333 | 40370 | 40407 | 40444 | 40481 | 40518 | 40555 | \
--   40592 | 40629 | 40666 | 40703 | 40740 | 40777 | 40814 | 40851 | 40888 | 40925 | 40962 | 40999 | 41036 | 41073 | 41110 | 41147 | 41184 | \
--   41221 | 41258 | 41295 | 41332 | 41369 | 41406 | 41443 | 41480 | 41517 | 41554 | 41591 | 41628 | 41665 | 41702 | 41739 | 41776 | 41813 | \
--   41850 | 41887 | 41924 | 41961 | 41998 | 42035 | 42072 | 42109 | 42146 | 42183 | 42220 | 42257 | 42294 | 42331 | 42368 | 42405 | 42442 | \
--   42479 | 42516 | 42553 | 42590 | 42627 | 42664 | 42701 | 42738 | 42775 | 42812 | 42849 | 42886 | 42923 | 42960 | 42997 | 43034 | 43071 | \
--   43108 | 43145 | 43182 | 43219 | 43256 | 43293 | 43330 | 43367 | 43404 | 43441 | 43478 | 43515 | 43552 | 43589 | 43626 | 43663 | 43700 | \
--   43737 | 43774 | 43811 | 43848 | 43885 | 43922 | 43959 | 43996 | 44033 | 44070 | 44107 | 44144 | 44181 | 44218 | 44255 | 44292 | 44329 | \
--   44366 | 44403

SELECT real_jid FROM real_jid WHERE message_id = ?

-- best
-- run: 40000, 40037, 40074, 40111, 40148, 40185, 40222, 40259, 40296, 40333, 40370, 40407, 40444, 40481, 40518, 40555, 40592, 40629, \
--   40666, 40703, 40740, 40777, 40814, 40851, 40888, 40925, 40962, 40999, 41036, 41073, 41110, 41147, 41184, 41221, 41258, 41295, 41332, \
--   41369, 41406, 41443, 41480, 41517, 41554, 41591, 41628, 41665, 41702, 41739, 41776, 41813, 41850, 41887, 41924, 41961, 41998, 42035, \
--   42072, 42109, 42146, 42183, 42220, 42257, 42294, 42331, 42368, 42405, 42442, 42479, 42516, 42553, 42590, 42627, 42664, 42701, 42738, \
--   42775, 42812, 42849, 42886, 42923, 42960, 42997, 43034, 43071, 43108, 43145, 43182, 43219, 43256, 43293, 43330, 43367, 43404, 43441, \
--   43478, 43515, 43552, 43589, 43626, 43663, 43700, 43737, 43774, 43811, 43848, 43885, 43922, 43959, 43996, 44033, 44070, 44107, 44144, \
--   44181, 44218, 44255, 44292, 44329, 44366, 44403

SELECT real_jid FROM real_jid WHERE message_id IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, \
?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, \
?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- statement: dino-15
-- fine
-- because: how many messages a room has, from its index
-- run: 1, 1

SELECT count(*), min(local_time), max(local_time) FROM message WHERE account_id = ? AND counterpart_id = ?

-- statement: dino-16
-- fine
-- tolerated: full-scan, sort-without-index
-- because: what of the archive was fetched: a small table
-- run: 1, 1603000000, 1602900000

SELECT id FROM mam_catchup WHERE account_id = ? AND from_time <= ? AND to_time >= ? ORDER BY to_time DESC
