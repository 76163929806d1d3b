-- schema: conversations
-- about: A messenger on a phone: conversations with persons and rooms, all messages in one table, and a full-text index kept by triggers.
-- origin: Conversations 2.x, database version 54 (GPL-3.0-only, Copyright Daniel Gultsch and the Conversations contributors): four of its \
--   tables with their indexes, its full-text index and triggers; most statements as it runs them

CREATE TABLE accounts (uuid TEXT PRIMARY KEY, username TEXT, server TEXT, display_name TEXT, status TEXT, rosterversion TEXT, options \
NUMBER, resource TEXT, port NUMBER DEFAULT 5222);
CREATE TABLE conversations (
  uuid TEXT PRIMARY KEY, name TEXT, contactUuid TEXT, accountUuid TEXT, contactJid TEXT, created NUMBER, status NUMBER, mode NUMBER, \
attributes TEXT, FOREIGN KEY(accountUuid) REFERENCES accounts(uuid) ON DELETE CASCADE);
CREATE TABLE messages (
  uuid TEXT PRIMARY KEY, conversationUuid TEXT, timeSent NUMBER, counterpart TEXT, trueCounterpart TEXT, body TEXT, encryption NUMBER, \
status NUMBER, type NUMBER, relativeFilePath TEXT, serverMsgId TEXT, axolotl_fingerprint TEXT,
  carbon INTEGER, edited TEXT, read NUMBER DEFAULT 1, oob INTEGER, errorMsg TEXT, readByMarkers TEXT, markable NUMBER DEFAULT 0, deleted \
NUMBER DEFAULT 0, bodyLanguage TEXT, occupantId TEXT, reactions TEXT, remoteMsgId TEXT,
  FOREIGN KEY(conversationUuid) REFERENCES conversations(uuid) ON DELETE CASCADE);
CREATE INDEX message_time_index ON messages(timeSent);
CREATE INDEX message_conversation_index ON messages(conversationUuid);
CREATE INDEX message_deleted_index ON messages(deleted);
CREATE INDEX message_file_path_index ON messages(relativeFilePath);
CREATE INDEX message_type_index ON messages(type);
CREATE TABLE contacts (
  accountUuid TEXT, servername TEXT, systemname TEXT, presence_name TEXT, jid TEXT, pgpkey TEXT, photouri TEXT, options NUMBER, avatar \
TEXT, last_presence TEXT, last_time NUMBER, groups TEXT,
  FOREIGN KEY(accountUuid) REFERENCES accounts(uuid) ON DELETE CASCADE, UNIQUE(accountUuid, jid) ON CONFLICT REPLACE);
CREATE VIRTUAL TABLE messages_index USING fts4 (uuid,body,notindexed="uuid",content="messages",tokenize='unicode61');

INSERT INTO accounts SELECT 'acc-' || i, word(i), 'chat' || i || '.example', word(i), 'online', '', 0, 'phone', 5222 FROM numbers WHERE i <= 3;
INSERT INTO conversations
SELECT printf('c0%06x', i), iif(i % 3 = 0, title(1, i, 2), NULL), NULL, 'acc-' || iif(chance(2, i) < 0.85, 1, 1 + pick(3, i, 2)), word(i) \
|| iif(i % 3 = 0, '@rooms.example', '@chat.example'), 1500000000000 + i * 300000000, iif(chance(4, i) < 0.6, 0, 1), iif(i % 3 = 0, 1, 0), \
'{}' FROM numbers WHERE i <= 260;
INSERT INTO messages
SELECT printf('%08x-%04x', i * 104729, i % 65521), printf('c0%06x', skewed(5, i, 260)), 1560000000000 + i * 3400000 + i % 1000, \
word(skewed(5, i, 260)) || iif(skewed(5, i, 260) % 3 = 0, '@rooms.example/' || word(skewed(6, i, 120)), '@chat.example'), NULL,
  iif(chance(7, i) < 0.05, '/img/' || i, prose(8, i, 5 + skewed(9, i, 300))), iif(chance(10, i) < 0.6, 5, 0), iif(chance(11, i) < 0.45, 8, \
0), iif(chance(7, i) < 0.05, 1 + i % 2, iif(chance(12, i) < 0.03, 4, 0)), iif(chance(7, i) < 0.05, '/storage/pictures/' || i || '.jpg', \
NULL),
  iif(chance(13, i) < 0.9, printf('%x', i * 7919 * 31), NULL), iif(chance(10, i) < 0.6, printf('05%x', CASE WHEN i < 4000 THEN 700 + i % 9 \
ELSE skewed(14, i, 400) END * 7919 * 7919), NULL), chance(15, i) < 0.1, NULL, iif(i > 47000 AND chance(11, i) >= 0.45, chance(16, i) < \
0.3, 1), 0, NULL, '[]', chance(17, i) < 0.5,
  chance(18, i) < 0.004, NULL, NULL, iif(chance(21, i) < 0.01, '[{"from":"' || word(skewed(22, i, 120)) || '","reaction":":' || \
word(skewed(23, i, 30)) || ':"}]', NULL), printf('r%x', i * 7907)
FROM numbers WHERE i <= 48000;
INSERT INTO messages_index(messages_index) VALUES('rebuild');
CREATE TRIGGER after_message_insert AFTER INSERT ON messages BEGIN INSERT INTO messages_index(rowid,uuid,body) \
VALUES(NEW.rowid,NEW.uuid,NEW.body); END;
CREATE TRIGGER after_message_update UPDATE OF uuid,body ON messages BEGIN UPDATE messages_index SET body=NEW.body,uuid=NEW.uuid WHERE \
rowid=OLD.rowid; END;
CREATE TRIGGER after_message_delete AFTER DELETE ON messages BEGIN DELETE FROM messages_index WHERE rowid=OLD.rowid; END;
INSERT INTO contacts SELECT 'acc-' || (1 + i % 3), title(19, i, 2), title(20, i, 2), word(i), word(i) || '@chat.example', '', '', 0, '', \
'phone', 1700000000 + i, '[]' FROM numbers WHERE i <= 700;

-- statement: conversations-01
-- is: harmful-index, index-not-covering, sort-without-index
-- because: the newest messages of a long conversation: all of it is read and sorted
-- run: 'c0000001' | 'c0000003'

SELECT uuid, timeSent, counterpart, body, status, type FROM messages WHERE conversationUuid=? ORDER BY timeSent DESC LIMIT 50

-- best
-- index: messages (conversationUuid, timeSent)

-- statement: conversations-02
-- is: full-scan, index-not-covering
-- because: whether a message has come already: all of a conversation are asked
-- run: 'c0000001', 'unknown' | 'c0000002', 'none'

select uuid, body, timeSent from messages where conversationUuid=? and serverMsgId=? LIMIT 1

-- best
-- index: messages (conversationUuid, serverMsgId)

-- or
-- index: messages (serverMsgId)

-- or
-- index: messages (serverMsgId, conversationUuid)

-- statement: conversations-03
-- is: harmful-index, index-not-covering, or-without-index
-- because: the message that another one refers to, by either of its ids: all of a conversation are asked
-- run: 'c0000001', 'unknown', 'unknown' | 'c0000002', 'none', 'none'

select uuid, body, timeSent from messages where conversationUuid=? and (uuid=? OR remoteMsgId=?) LIMIT 1

-- best
-- index: messages (remoteMsgId)

select uuid, body, timeSent from messages where +conversationUuid=?1 and (uuid=?2 OR remoteMsgId=?3) LIMIT 1

-- statement: conversations-04
-- is: harmful-index, index-not-covering, missing-statistics, partial-index, sort-without-index
-- because: the pictures of a conversation, a twentieth of its messages; that almost nothing is deleted SQLite doesn't know
-- run: 'acc-1', 'drice@rooms.example', 'drice@rooms.example/%' | 'acc-1', 'vace@chat.example', 'vace@chat.example/%'

select uuid,relativeFilePath from messages where type in (1,2,5) and deleted=0 and relativeFilePath is not null and \
conversationUuid=(select uuid from conversations where accountUuid=? and (contactJid=? or contactJid like ?)) order by timeSent desc

-- best
-- index: messages (conversationUuid, timeSent) WHERE relativeFilePath IS NOT NULL

-- or
-- index: messages (conversationUuid, type)

-- or
-- index: messages (conversationUuid, type, deleted)

-- or
-- index: messages (conversationUuid, deleted, type)

-- statement: conversations-05
-- fine
-- tolerated: join-order, missing-statistics, or-without-index
-- because: the last message of an account, from which on the server is asked: back in time by the index, and soon there
-- run: 'acc-1' | 'acc-3'

select messages.timeSent,messages.serverMsgId from accounts join conversations on accounts.uuid=conversations.accountUuid join messages on \
conversations.uuid=messages.conversationUuid where accounts.uuid=?
and (messages.status=0 or messages.carbon=1 or messages.serverMsgId not null) and (conversations.mode=0 or (messages.serverMsgId not null \
and messages.type=4)) order by messages.timesent desc limit 1

-- statement: conversations-06
-- is: full-scan, index-not-covering, join-order, missing-statistics, sort-without-index
-- because: when a key of a contact was used last, if ever
-- run: 'acc-1', '05a3c39f15d' | 'acc-1', '05a4b2d7de1'

select messages.timeSent from accounts join conversations on accounts.uuid=conversations.accountUuid join messages on \
conversations.uuid=messages.conversationUuid where accounts.uuid=? and messages.axolotl_fingerprint=? order by messages.timesent desc \
limit 1

-- best
-- index: messages (axolotl_fingerprint, timeSent)

-- or
-- index: messages (axolotl_fingerprint)

-- or
-- index: messages (axolotl_fingerprint, conversationUuid)

-- statement: conversations-07
-- is: full-scan, group-without-index, harmful-index, index-not-covering, partial-index
-- because: what isn't read, by conversation: a few of all messages

SELECT conversationUuid, count(*), max(timeSent) FROM messages WHERE read=0 AND status=0 GROUP BY conversationUuid

-- best
-- index: messages (conversationUuid, timeSent) WHERE read=0 AND status=0

-- or
-- index: messages (read, status, conversationUuid, timeSent)

-- or
-- index: messages (read)

-- or
-- index: messages (read, status)

-- statement: conversations-08
-- is: full-scan, harmful-index, sort-without-index
-- because: the last message of each conversation: all are numbered to take the first ones

SELECT conversationUuid, timeSent, body FROM (SELECT conversationUuid, timeSent, body, row_number() OVER (PARTITION BY conversationUuid \
ORDER BY timeSent DESC) AS n FROM messages WHERE deleted = 0) WHERE n = 1 ORDER BY conversationUuid

-- best
-- index: messages (conversationUuid, timeSent)

SELECT m.conversationUuid, m.timeSent, m.body FROM conversations AS c CROSS JOIN messages AS m ON m.rowid = (SELECT rowid FROM messages \
WHERE conversationUuid = c.uuid AND +deleted = 0 ORDER BY timeSent DESC LIMIT 1) ORDER BY m.conversationUuid

-- statement: conversations-09
-- is: group-without-index, index-not-covering
-- because: who talks most in a room
-- run: 'c0000003' | 'c0000006'

SELECT counterpart, count(*) AS n FROM messages WHERE conversationUuid = ? AND status = 0 GROUP BY counterpart ORDER BY n DESC, counterpart LIMIT 20

-- best
-- index: messages (conversationUuid, status, counterpart)

-- or
-- index: messages (conversationUuid, counterpart, status)

-- statement: conversations-10
-- fine
-- tolerated: missing-statistics, sort-without-index
-- because: a search of words, which begins with the full-text index
-- run: 'mupe*'

SELECT messages.uuid, messages.body, messages.timeSent, conversations.contactJid FROM messages JOIN conversations ON \
messages.conversationUuid=conversations.uuid JOIN messages_index ON messages_index.rowid=messages.rowid
WHERE encryption NOT IN(7,1,3,6) AND type IN(0,4) AND messages_index.body MATCH ? ORDER BY timeSent DESC limit 300

-- statement: conversations-11
-- fine
-- because: which message a file belongs to: the index of paths finds it, that of types isn't needed
-- run: '/storage/pictures/4711.jpg', '4711.jpg'

SELECT uuid FROM messages WHERE relativeFilePath IN(?,?) and type in (1,2,5)

-- statement: conversations-12
-- fine
-- tolerated: full-scan, or-without-index, pattern-without-index
-- because: a conversation by its address: there are 260
-- run: 'acc-1', 'bafo@rooms.example/%', 'bafo@rooms.example'

SELECT uuid, contactJid, mode FROM conversations WHERE accountUuid=? AND (contactJid like ? OR contactJid=?)

-- statement: conversations-13
-- fine
-- because: messages that are too old, by an index, with their words by a trigger
-- run: 1560500000000

DELETE FROM messages WHERE timeSent<?

-- statement: conversations-14
-- fine
-- because: a file is gone: one row by its key, and the trigger is for other columns
-- run: '00019919-0001'

UPDATE messages SET deleted=1 WHERE uuid=?

-- statement: conversations-15
-- is: automatic-index, full-scan
-- because: when each contact wrote last: SQLite makes an index of all messages for one run
-- run: 'acc-1'

SELECT c.jid, c.systemname, max(m.timeSent) AS latest FROM contacts AS c LEFT JOIN messages AS m ON m.counterpart = c.jid WHERE \
c.accountUuid = ? GROUP BY c.jid ORDER BY latest DESC, c.jid

-- best
-- index: messages (counterpart, timeSent)

SELECT c.jid, c.systemname, (SELECT max(m.timeSent) FROM messages AS m WHERE m.counterpart = c.jid) AS latest FROM contacts AS c WHERE \
c.accountUuid = ? ORDER BY latest DESC, c.jid

-- or
-- index: messages (counterpart, timeSent)

-- statement: conversations-16
-- is: index-not-covering, partial-index
-- because: how people react in a room: one message of a hundred has reactions, but all are read
-- run: 'c0000003' | 'c0000001'

SELECT json_extract(r.value, '$.reaction') AS reaction, count(*) AS n FROM messages AS m, json_each(m.reactions) AS r WHERE \
m.conversationUuid = ? AND m.reactions IS NOT NULL GROUP BY reaction ORDER BY n DESC, reaction

-- best
-- index: messages (conversationUuid) WHERE reactions IS NOT NULL

-- or
-- index: messages (conversationUuid, reactions)
