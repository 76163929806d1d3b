-- schema: signal
-- about: A messenger on a phone: messages with flags of many kinds and indexes for some of them, attachments, receipts and calls.
-- origin: Signal for Android 7.59 (AGPL-3.0, Copyright Signal Messenger): thirteen of its tables with their indexes and triggers, columns \
--   of no use here left out
-- superfluous: redundant-index thread_active
-- superfluous: redundant-index call_call_id_index

CREATE TABLE recipient (_id INTEGER PRIMARY KEY AUTOINCREMENT, type INTEGER DEFAULT 0, e164 TEXT UNIQUE DEFAULT NULL, aci TEXT UNIQUE \
DEFAULT NULL, registered INTEGER DEFAULT 0, blocked INTEGER DEFAULT 0, hidden INTEGER DEFAULT 0, profile_key TEXT DEFAULT NULL, \
profile_joined_name TEXT DEFAULT NULL, last_profile_fetch INTEGER DEFAULT 0, system_joined_name TEXT DEFAULT NULL, nickname_joined_name \
TEXT DEFAULT NULL, mute_until INTEGER DEFAULT 0, storage_service_proto TEXT DEFAULT NULL);
CREATE INDEX recipient_type_index ON recipient (type);
CREATE INDEX recipient_aci_profile_key_index ON recipient (aci, profile_key) WHERE aci NOT NULL AND profile_key NOT NULL;
CREATE TABLE thread (_id INTEGER PRIMARY KEY AUTOINCREMENT, date INTEGER DEFAULT 0, meaningful_messages INTEGER DEFAULT 0, recipient_id \
INTEGER NOT NULL UNIQUE REFERENCES recipient (_id) ON DELETE CASCADE, read INTEGER DEFAULT 1, snippet TEXT, unread_count INTEGER DEFAULT \
0, archived INTEGER DEFAULT 0, pinned_order INTEGER UNIQUE DEFAULT NULL, active INTEGER DEFAULT 0);
CREATE INDEX thread_recipient_id_index ON thread (recipient_id, active);
CREATE INDEX thread_read ON thread (read);
CREATE INDEX thread_active ON thread (active);
CREATE INDEX archived_count_index ON thread (active, archived, meaningful_messages, pinned_order);
CREATE TABLE message (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, date_sent INTEGER NOT NULL, date_received INTEGER NOT NULL, date_server INTEGER DEFAULT -1, \
thread_id INTEGER NOT NULL REFERENCES thread (_id) ON DELETE CASCADE, from_recipient_id INTEGER NOT NULL REFERENCES recipient (_id) ON \
DELETE CASCADE, from_device_id INTEGER, to_recipient_id INTEGER NOT NULL REFERENCES recipient (_id) ON DELETE CASCADE, type INTEGER NOT \
NULL,
  body TEXT, read INTEGER DEFAULT 0, has_delivery_receipt INTEGER DEFAULT 0, has_read_receipt INTEGER DEFAULT 0, expires_in INTEGER \
DEFAULT 0, expire_started INTEGER DEFAULT 0, notified INTEGER DEFAULT 0, quote_id INTEGER DEFAULT 0, quote_author INTEGER DEFAULT 0, \
link_previews TEXT DEFAULT NULL, view_once INTEGER DEFAULT 0, reactions_unread INTEGER DEFAULT 0, mentions_self INTEGER DEFAULT 0,
  story_type INTEGER DEFAULT 0, parent_story_id INTEGER DEFAULT 0, exported INTEGER DEFAULT 0, scheduled_date INTEGER DEFAULT -1, \
latest_revision_id INTEGER DEFAULT NULL REFERENCES message (_id) ON DELETE CASCADE, original_message_id INTEGER DEFAULT NULL REFERENCES \
message (_id) ON DELETE CASCADE);
CREATE INDEX message_read_and_notified_and_thread_id_index ON message (read, notified, thread_id);
CREATE INDEX message_type_index ON message (type);
CREATE INDEX message_date_sent_from_to_thread_index ON message (date_sent, from_recipient_id, to_recipient_id, thread_id);
CREATE UNIQUE INDEX message_unique_sent_from_thread ON message (date_sent, from_recipient_id, thread_id);
CREATE INDEX message_date_server_index ON message (date_server);
CREATE INDEX message_reactions_unread_index ON message (reactions_unread);
CREATE INDEX message_story_type_index ON message (story_type);
CREATE INDEX message_parent_story_id_index ON message (parent_story_id);
CREATE INDEX message_thread_story_parent_story_scheduled_date_latest_revision_id_index ON message (thread_id, date_received, story_type, \
parent_story_id, scheduled_date, latest_revision_id);
CREATE INDEX message_quote_id_quote_author_scheduled_date_latest_revision_id_index ON message (quote_id, quote_author, scheduled_date, \
latest_revision_id);
CREATE INDEX message_exported_index ON message (exported);
CREATE INDEX message_original_message_id_index ON message (original_message_id);
CREATE INDEX message_latest_revision_id_index ON message (latest_revision_id);
CREATE INDEX message_from_recipient_id_index ON message (from_recipient_id);
CREATE INDEX message_to_recipient_id_index ON message (to_recipient_id);
CREATE INDEX message_thread_count_index ON message (thread_id) WHERE story_type = 0 AND parent_story_id <= 0 AND scheduled_date = -1 AND \
latest_revision_id IS NULL;
CREATE INDEX message_thread_unread_count_index ON message (thread_id) WHERE story_type = 0 AND parent_story_id <= 0 AND scheduled_date = \
-1 AND original_message_id IS NULL AND read = 0;
CREATE TABLE attachment (_id INTEGER PRIMARY KEY AUTOINCREMENT, message_id INTEGER, content_type TEXT, remote_key TEXT, transfer_state \
INTEGER, data_file TEXT, data_size INTEGER, file_name TEXT, quote INTEGER DEFAULT 0, caption TEXT DEFAULT NULL, sticker_pack_id TEXT \
DEFAULT NULL, blur_hash TEXT DEFAULT NULL, display_order INTEGER DEFAULT 0, upload_timestamp INTEGER DEFAULT 0, data_hash_start TEXT \
DEFAULT NULL, data_hash_end TEXT DEFAULT NULL);
CREATE INDEX attachment_message_id_index ON attachment (message_id);
CREATE INDEX attachment_transfer_state_index ON attachment (transfer_state);
CREATE INDEX attachment_sticker_pack_id_index ON attachment (sticker_pack_id);
CREATE INDEX attachment_data_hash_start_index ON attachment (data_hash_start);
CREATE INDEX attachment_data_hash_end_remote_key_index ON attachment (data_hash_end, remote_key);
CREATE INDEX attachment_data_index ON attachment (data_file);
CREATE TABLE reaction (_id INTEGER PRIMARY KEY, message_id INTEGER NOT NULL REFERENCES message (_id) ON DELETE CASCADE, author_id INTEGER \
NOT NULL REFERENCES recipient (_id) ON DELETE CASCADE, emoji TEXT NOT NULL, date_sent INTEGER NOT NULL, date_received INTEGER NOT NULL, \
UNIQUE (message_id, author_id) ON CONFLICT REPLACE);
CREATE INDEX reaction_author_id_index ON reaction (author_id);
CREATE TABLE mention (_id INTEGER PRIMARY KEY AUTOINCREMENT, thread_id INTEGER, message_id INTEGER, recipient_id INTEGER, range_start \
INTEGER, range_length INTEGER);
CREATE INDEX mention_message_id_index ON mention (message_id);
CREATE INDEX mention_recipient_id_thread_id_index ON mention (recipient_id, thread_id);
CREATE TABLE group_receipts (_id INTEGER PRIMARY KEY, mms_id INTEGER, address INTEGER, status INTEGER, timestamp INTEGER, unidentified \
INTEGER DEFAULT 0);
CREATE INDEX group_receipt_mms_id_index ON group_receipts (mms_id);
CREATE TABLE call (_id INTEGER PRIMARY KEY, call_id INTEGER NOT NULL, message_id INTEGER DEFAULT NULL REFERENCES message (_id) ON DELETE \
SET NULL, peer INTEGER NOT NULL REFERENCES recipient (_id) ON DELETE CASCADE, type INTEGER NOT NULL, direction INTEGER NOT NULL, event \
INTEGER NOT NULL, timestamp INTEGER NOT NULL, deletion_timestamp INTEGER DEFAULT 0, read INTEGER DEFAULT 1, UNIQUE (call_id, peer) ON \
CONFLICT FAIL);
CREATE INDEX call_call_id_index ON call (call_id);
CREATE INDEX call_message_id_index ON call (message_id);
CREATE INDEX call_peer_index ON call (peer);
CREATE INDEX call_log_index ON call (timestamp, peer, event, type, deletion_timestamp);
CREATE TABLE msl_payload (_id INTEGER PRIMARY KEY, date_sent INTEGER NOT NULL, content BLOB NOT NULL, content_hint INTEGER NOT NULL, \
urgent INTEGER NOT NULL DEFAULT 1);
CREATE INDEX msl_payload_date_sent_index ON msl_payload (date_sent);
CREATE TABLE msl_message (_id INTEGER PRIMARY KEY, payload_id INTEGER NOT NULL REFERENCES msl_payload (_id) ON DELETE CASCADE, message_id \
INTEGER NOT NULL);
CREATE INDEX msl_message_message_index ON msl_message (message_id, payload_id);
CREATE INDEX msl_message_payload_index ON msl_message (payload_id);

INSERT INTO recipient SELECT i, CASE WHEN i <= 300 OR i > 360 THEN 0 ELSE 3 END, iif(i BETWEEN 301 AND 360, NULL, '+1555' || \
printf('%07d', i * 13)), iif(chance(1, i) < 0.5, printf('%08x-aci', i), NULL), chance(1, i) < 0.5, chance(2, i) < 0.02, 0, NULL, \
iif(chance(3, i) < 0.6, title(4, i, 2), NULL), 1719000000000 - pick(5, i, 900000000), iif(chance(6, i) < 0.5, title(7, i, 2), NULL), \
iif(chance(8, i) < 0.02, title(9, i, 1), NULL), 0, prose(10, i, 200) FROM numbers WHERE i <= 8000;
INSERT INTO thread SELECT i, 1719000000000 - i * 90000000, 1, i, 1, title(11, i, 4), 0, chance(12, i) < 0.2, NULL, 1 FROM numbers WHERE i <= 360;
INSERT INTO message
SELECT i, 1500000000000 + i * 4000000, 1500000000000 + i * 4000000 + pick(13, i, 90000), 1500000000000 + i * 4000000, t, iif(chance(14, i) \
< 0.45, 1, t), 1, iif(chance(14, i) < 0.45, t, 1), iif(chance(14, i) < 0.45, iif(chance(15, i) < 0.004, 10485784, 10485783), \
iif(chance(16, i) < 0.03, 10551316, 10485780)),
  iif(chance(17, i) < 0.1, NULL, prose(18, i, 10 + skewed(19, i, 400))), iif(i > 43800 AND chance(20, i) < 0.3, 0, 1), 1, 1, iif(t % 9 = \
5, 604800000, 0), iif(t % 9 = 5 AND i > 42500 AND chance(21, i) < 0.8, 1500000000000 + i * 4000000 + 50000, 0), 1, 0, 0, iif(chance(22, i) \
< 0.05, prose(23, i, 400), NULL), 0, iif(chance(24, i) < 0.001, 1, 0), 0,
  0, iif(chance(25, i) < 0.01, 5, 0), 0, -1, NULL, NULL
FROM (SELECT i, skewed(26, i, 360) AS t FROM numbers WHERE i <= 44000);
INSERT INTO attachment SELECT i, 1 + i * 2, CASE skewed(27, i, 5) WHEN 1 THEN 'image/jpeg' WHEN 2 THEN 'image/webp' WHEN 3 THEN \
'video/mp4' WHEN 4 THEN 'audio/aac' ELSE 'application/pdf' END, printf('%032x', i * 7919), iif(chance(28, i) < 0.01, 2, 0), iif(chance(29, \
i) < 0.7, '/data/part' || i || '.mms', NULL), 3000 + skewed(30, i, 40000000), iif(chance(31, i) < 0.1, title(32, i, 2) || '.pdf', NULL), \
chance(33, i) < 0.15, NULL, iif(chance(34, i) < 0.05, word(skewed(35, i, 40)), NULL), 'LKO2?U%2Tw=w]~RBVZRi', 0, 0, printf('%044x', \
iif(chance(36, i) < 0.06, skewed(37, i, 300), i) * 104729), printf('%044x', iif(chance(36, i) < 0.06, skewed(37, i, 300), i) * 104729) \
FROM numbers WHERE i <= 16000;
INSERT INTO reaction SELECT NULL, pick(38, i, 44000), 1 + skewed(39, i, 300), '+', 1600000000000 + i * 1000000, 1600000000000 + i * \
1000000 FROM numbers WHERE i <= 12000;
INSERT INTO mention SELECT i, skewed(40, i, 360), pick(41, i, 44000), skewed(42, i, 300), 0, 1 FROM numbers WHERE i <= 3000;
INSERT INTO group_receipts SELECT i, 1 + i / 9 * 7, 1 + skewed(43, i, 7000), skewed(44, i, 4) - 1, 1600000000000 + i * 1000000, 1 FROM \
numbers WHERE i <= 50000;
INSERT INTO call SELECT i, i * 7919, NULL, skewed(45, i, 300), 1 + i % 2, chance(46, i) < 0.5, CASE WHEN chance(47, i) < 0.75 THEN 1 ELSE \
3 END, 1500000000000 + i * 20000000, 0, iif(i > 7900, 0, 1) FROM numbers WHERE i <= 8000;
INSERT INTO msl_payload SELECT i, 1718000000000 + i * 1000000, prose(48, i, 300), 1, 1 FROM numbers WHERE i <= 1500;
INSERT INTO msl_message SELECT i, i, 42500 + i FROM numbers WHERE i <= 1500;
CREATE TRIGGER msl_message_delete AFTER DELETE ON message BEGIN
  DELETE FROM msl_payload WHERE _id IN (SELECT payload_id FROM msl_message WHERE message_id = old._id);
END;
CREATE TRIGGER msl_attachment_delete AFTER DELETE ON attachment BEGIN
  DELETE FROM msl_payload WHERE _id IN (SELECT payload_id FROM msl_message WHERE msl_message.message_id = old.message_id);
END;

-- statement: signal-01
-- fine
-- because: unread messages of a chat, by an index made for it
-- run: 3

SELECT count(*) FROM message WHERE thread_id = ? AND story_type = 0 AND parent_story_id <= 0 AND scheduled_date = -1 AND \
original_message_id IS NULL AND read = 0

-- statement: signal-02
-- is: expression-index, full-scan, partial-index, sort-without-index
-- because: the message that vanishes next: all are read

SELECT _id, date_received FROM message WHERE expire_started > 0 AND expires_in > 0 ORDER BY expire_started + expires_in LIMIT 1

-- best
-- index: message (expire_started + expires_in) WHERE expire_started > 0

-- or
-- index: message (expire_started)

-- or
-- index: message (expire_started, expires_in) WHERE expire_started > 0

-- statement: signal-03
-- is: full-scan, harmful-index, index-not-covering, missing-statistics, or-without-index, partial-index
-- because: a chat is read: all of it is walked, where indexes find the few new ones of all chats
-- run: 1, 1690000000000 | 3, 1690000000000

UPDATE message SET read = 1, reactions_unread = 0 WHERE thread_id = ? AND date_received <= ? AND latest_revision_id IS NULL AND (read = 0 \
OR (reactions_unread = 1 AND from_recipient_id = 1))

-- best

UPDATE message SET read = 1, reactions_unread = 0 WHERE +thread_id = ? AND +date_received <= ? AND +latest_revision_id IS NULL AND (read = \
0 OR (reactions_unread = 1 AND +from_recipient_id = 1))

-- statement: signal-04
-- is: full-scan, partial-index, sort-without-index
-- because: the largest files of all chats: all are read and sorted

SELECT m._id, m.date_received, a.data_file, a.data_size FROM attachment AS a JOIN message AS m ON m._id = a.message_id WHERE a.data_file \
IS NOT NULL AND a.quote = 0 AND a.content_type NOT LIKE 'image/svg%' AND m.view_once = 0 ORDER BY a.data_size DESC LIMIT 30

-- best
-- index: attachment (data_size) WHERE data_file IS NOT NULL AND quote = 0

-- or
-- index: attachment (data_size)

-- or
-- index: attachment (quote, data_size)

-- statement: signal-05
-- is: expression-index, function-on-column, partial-index, sort-without-index
-- because: people by the name that is shown, which is one of four

SELECT _id, lower(coalesce(nickname_joined_name, system_joined_name, profile_joined_name, e164)) AS sort_name FROM recipient WHERE \
registered = 1 AND blocked = 0 AND type = 0 ORDER BY lower(coalesce(nickname_joined_name, system_joined_name, profile_joined_name, e164)) \
LIMIT 50

-- best
-- index: recipient (registered, blocked, type, lower(coalesce(nickname_joined_name, system_joined_name, profile_joined_name, e164)))

-- statement: signal-06
-- is: expression-index, full-scan, sort-without-index
-- because: messages that were not sent, by some bits of their type

SELECT _id, thread_id, date_sent FROM message WHERE (type & 31) = 24 ORDER BY date_sent DESC LIMIT 20

-- best
-- index: message (date_sent) WHERE (type & 31) = 24

-- or
-- index: message (type & 31, date_sent)

-- or
-- index: message (type & 31)

-- statement: signal-07
-- is: group-without-index, index-not-covering, partial-index
-- because: files that are kept twice: each is looked up

SELECT data_hash_end, max(data_size) FROM attachment WHERE data_hash_end IS NOT NULL AND data_file IS NOT NULL GROUP BY data_hash_end \
HAVING count(DISTINCT data_file) > 1

-- best
-- index: attachment (data_hash_end, data_file, data_size)

-- statement: signal-08
-- is: full-scan
-- because: two contacts turn out to be one: all receipts are read
-- run: 6000, 5001 | 6001, 7999

UPDATE group_receipts SET address = ? WHERE address = ?

-- best
-- index: group_receipts (address)

-- statement: signal-09
-- is: full-scan, partial-index
-- because: calls that were missed and not seen: all calls are read

SELECT count(*) FROM call WHERE event = 3 AND read = 0 AND deletion_timestamp = 0

-- best
-- index: call (event, deletion_timestamp) WHERE read = 0

-- or
-- index: call (read, event)

-- or
-- index: call (read, event, deletion_timestamp)

-- or
-- index: call (read)

-- statement: signal-10
-- is: index-not-covering, subquery-per-row
-- because: calls with how often the same happened just before: all calls of each peer are read

SELECT c._id, c.peer, (SELECT count(*) FROM call AS b WHERE b.peer = c.peer AND b.event = c.event AND b.timestamp BETWEEN c.timestamp - \
14400000 AND c.timestamp) AS n FROM call AS c WHERE c.deletion_timestamp = 0 ORDER BY c.timestamp DESC LIMIT 400

-- best
-- index: call (peer, event, timestamp)

-- or
-- index: call (peer, timestamp)

-- statement: signal-11
-- is: expression-index, function-on-column, group-without-index, harmful-index, index-not-covering, sort-without-index
-- because: how much was sent in each month

SELECT strftime('%Y-%m', date_sent / 1000, 'unixepoch') AS month, count(*) FROM message WHERE from_recipient_id = 1 AND story_type = 0 \
GROUP BY month ORDER BY month

-- best
-- index: message (from_recipient_id, story_type, strftime('%Y-%m', date_sent / 1000, 'unixepoch'))

-- or
-- index: message (from_recipient_id, story_type, date_sent)

-- statement: signal-12
-- fine
-- because: answers to a message, by an index made for it
-- run: 1500004000000, 3

SELECT m._id FROM message AS m WHERE m.quote_id = ? AND m.quote_author = ? AND m.scheduled_date = -1 AND m.latest_revision_id IS NULL

-- statement: signal-13
-- fine
-- because: a message goes, and what hangs on it by keys
-- run: 43000

DELETE FROM message WHERE _id = ?

-- statement: signal-14
-- fine
-- because: somebody by a unique column
-- run: 'none'

SELECT _id, e164, aci FROM recipient WHERE aci = ?
