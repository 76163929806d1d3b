-- schema: k9
-- about: A mail client's store: messages with flags in columns of their own, threads, and parts of messages.
-- origin: K-9 Mail and Thunderbird for Android, message store 92 (Apache-2.0, Copyright the K-9 developers and the Thunderbird \
--   developers): four of its tables with their indexes, without search and triggers

CREATE TABLE folders (
  id INTEGER PRIMARY KEY, name TEXT, last_updated INTEGER, unread_count INTEGER, visible_limit INTEGER, status TEXT, flagged_count INTEGER default 0,
  integrate INTEGER, top_group INTEGER, sync_enabled INTEGER DEFAULT 0, push_enabled INTEGER DEFAULT 0, visible INTEGER DEFAULT 1,
  notifications_enabled INTEGER DEFAULT 0, more_messages TEXT default "unknown", server_id TEXT, local_only INTEGER, type TEXT DEFAULT \
"regular", account_id TEXT);
CREATE INDEX folder_server_id ON folders (server_id);
CREATE INDEX folders_account_id ON folders(account_id);
CREATE TABLE messages (
  id INTEGER PRIMARY KEY, deleted INTEGER default 0, folder_id INTEGER, uid TEXT, subject TEXT, date INTEGER, flags TEXT, sender_list \
TEXT, to_list TEXT,
  cc_list TEXT, bcc_list TEXT, reply_to_list TEXT, attachment_count INTEGER, internal_date INTEGER, message_id TEXT, preview_type TEXT default "none",
  preview TEXT, mime_type TEXT, normalized_subject_hash INTEGER, empty INTEGER default 0, read INTEGER default 0, flagged INTEGER default 0,
  answered INTEGER default 0, forwarded INTEGER default 0, message_part_id INTEGER, encryption_type TEXT, new_message INTEGER DEFAULT 0, \
account_id TEXT);
CREATE INDEX new_messages ON messages(new_message);
CREATE INDEX messages_account_id ON messages(account_id);
CREATE TABLE message_parts (
  id INTEGER PRIMARY KEY, type INTEGER NOT NULL, root INTEGER, parent INTEGER NOT NULL, seq INTEGER NOT NULL, mime_type TEXT, \
decoded_body_size INTEGER,
  display_name TEXT, header TEXT, encoding TEXT, charset TEXT, data_location INTEGER NOT NULL, data BLOB, preamble TEXT, epilogue TEXT, boundary TEXT,
  content_id TEXT, server_extra TEXT);
CREATE INDEX msg_uid ON messages (uid, folder_id);
CREATE INDEX msg_folder_id_deleted_date ON messages (folder_id,deleted,internal_date);
CREATE INDEX msg_empty ON messages (empty);
CREATE INDEX msg_read ON messages (read);
CREATE INDEX msg_flagged ON messages (flagged);
CREATE INDEX msg_composite ON messages (deleted, empty,folder_id,flagged,read);
CREATE INDEX message_parts_root ON message_parts (root);
CREATE INDEX message_parts_data_location_id ON message_parts (data_location, id);
CREATE TABLE threads (id INTEGER PRIMARY KEY, message_id INTEGER, root INTEGER, parent INTEGER);
CREATE INDEX threads_message_id ON threads (message_id);
CREATE INDEX threads_root ON threads (root);
CREATE INDEX threads_parent ON threads (parent);

INSERT INTO folders SELECT i, word(i), 0, 0, 25, NULL, 0, i <= 3, 0, 1, 0, 1, 0, 'unknown', 'f' || i, 0, 'regular', 'acc' FROM numbers WHERE i <= 24;
INSERT INTO messages
SELECT i, chance(1, i) < 0.02, skewed(2, i, 24), iif(chance(3, i) < 0.02, 'K9LOCAL:', '') || (1000 + i), title(4, i, 6), iif(chance(5, i) \
< 0.03, NULL, 1600000000 + i * 4000 + pick(6, i, 90000)),
  '', word(skewed(7, i, 900)) || '@example.org', 'me@example.org', '', '', '', chance(8, i) < 0.1, 1600000000 + i * 4000 + pick(9, i, 3000),
  '<' || printf('%08x', pick(10, i, 2000000000)) || '.' || i || '@example.org>', 'text', prose(11, i, 160), 'multipart/mixed', pick(12, i, 5000), 0,
  chance(13, i) < 0.96, chance(14, i) < 0.01, 0, 0, 2 * i - 1, NULL, chance(15, i) < 0.002, 'acc'
FROM numbers WHERE i <= 16000;
INSERT INTO message_parts
SELECT i, 0, i - 1 + i % 2, iif(i % 2 = 1, -1, i - 1), i % 2, iif(i % 2 = 1, 'multipart/mixed', CASE WHEN chance(16, i) < 0.01 THEN \
'application/pdf' WHEN chance(16, i) < 0.1 THEN 'image/png' ELSE 'text/plain' END),
  pick(17, i, 50000), iif(i % 2 = 0 AND chance(16, i) < 0.1, word(i) || '.dat', NULL), 'Content-Type: text/plain; charset=utf-8', '7bit', \
'utf-8', 1, NULL, NULL, NULL, NULL, NULL, NULL
FROM numbers WHERE i <= 32000;
INSERT INTO threads SELECT i, i, iif(i < 4, i, i - skewed(18, i, 4) + 1), iif(i < 4, NULL, i - 1) FROM numbers WHERE i <= 16000;

-- statement: k9-01
-- is: full-scan, index-not-covering, join-order, sort-without-index
-- because: the newest of three folders: all of these are sorted

SELECT m.id, m.subject, m.sender_list, m.internal_date FROM messages m JOIN folders f ON f.id = m.folder_id
WHERE f.integrate = 1 AND m.empty = 0 AND m.deleted = 0 ORDER BY m.internal_date DESC LIMIT 50

-- best
-- index: messages (internal_date)

SELECT m.id, m.subject, m.sender_list, m.internal_date FROM messages m CROSS JOIN folders f ON f.id = m.folder_id
WHERE f.integrate = 1 AND +m.empty = 0 AND +m.deleted = 0 ORDER BY m.internal_date DESC LIMIT 50

-- or
-- index: messages (deleted, empty, internal_date)

-- statement: k9-02
-- is: full-scan
-- because: what a reply refers to
-- run: '<343f9519.500@example.org>' | '<648f1b65.9000@example.org>'

SELECT id, folder_id FROM messages WHERE message_id = ?

-- best
-- index: messages (message_id)

-- statement: k9-03
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: the messages of a thread
-- run: 323

SELECT m.id, m.subject, m.internal_date FROM threads t JOIN messages m ON m.id = t.message_id WHERE t.root = ? ORDER BY m.internal_date

-- statement: k9-04
-- is: index-not-covering, sort-without-index
-- because: what a folder has, to compare with the server: wide rows for one text
-- run: 1 | 2

SELECT uid FROM messages WHERE folder_id = ? AND uid NOT LIKE 'K9LOCAL:%' ORDER BY uid

-- best
-- index: messages (folder_id, uid)

-- statement: k9-05
-- is: automatic-index, full-scan, index-not-covering, join-order, sort-without-index
-- because: the last documents that came: neither the kind nor the message of a part is looked up
-- run: 'application/pdf'

SELECT m.id, m.subject, p.display_name FROM message_parts p JOIN messages m ON m.message_part_id = p.root
WHERE p.mime_type = ? ORDER BY m.internal_date DESC LIMIT 20

-- best
-- index: message_parts (mime_type)
-- index: messages (message_part_id)

-- statement: k9-06
-- is: large-offset, sort-without-index
-- because: far down the list by the date of the sender, which some don't have
-- run: 1

SELECT id, subject, date FROM messages WHERE folder_id = ? AND deleted = 0 ORDER BY date DESC, id DESC LIMIT 50 OFFSET 2000

-- best
-- index: messages (folder_id, deleted, date)
-- run: 1, 1623604513, 5887

SELECT id, subject, date FROM messages WHERE folder_id = ? AND deleted = 0 AND (date, id) < (?, ?) ORDER BY date DESC, id DESC LIMIT 50

-- or
-- index: messages (folder_id, deleted, date)

-- statement: k9-07
-- is: group-without-index, index-not-covering, join-order
-- because: the threads of a folder: all messages' rows are read for two numbers
-- run: 1

SELECT t.root, count(*) AS n, max(m.internal_date) AS latest, sum(m.read = 0) AS unread FROM threads t JOIN messages m ON m.id = t.message_id
WHERE m.folder_id = ? AND m.deleted = 0 AND m.empty = 0 GROUP BY t.root ORDER BY latest DESC

-- best
-- index: messages (folder_id, deleted, empty, internal_date, read)
-- index: threads (message_id, root)

-- statement: k9-08
-- is: full-scan, index-not-covering, partial-index
-- because: what is unread of a folder: in its index a flag stands between, so that all of the folder are passed
-- run: 1 | 4

SELECT count(*) FROM messages WHERE deleted = 0 AND empty = 0 AND folder_id = ? AND read = 0

-- best
-- index: messages (folder_id, read, deleted, empty)

-- statement: k9-09
-- is: index-not-covering, missing-statistics
-- because: a folder is marked as read: by its flag the unread of all folders are found
-- run: 9 | 12

UPDATE messages SET read = 1 WHERE folder_id = ? AND read = 0

-- best
-- index: messages (folder_id, read)

-- statement: k9-10
-- fine
-- because: one in five hundred, by an index

SELECT id, subject FROM messages WHERE new_message = 1 ORDER BY id
