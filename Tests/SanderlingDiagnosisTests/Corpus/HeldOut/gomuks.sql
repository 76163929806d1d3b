-- schema: gomuks
-- about: A client of Matrix: events as JSON in one table, the order of each room and its state in others, and counts kept by triggers.
-- origin: gomuks at version 20 of its database (AGPL-3.0, Copyright Tulir Asokan; github.com/gomuks/gomuks, \
--   pkg/hicli/database/upgrades/00-latest-revision.sql): nine of its tables with their indexes and three triggers (that of reactions for one \
--   key), without STRICT and with json_extract for its operator
-- superfluous: redundant-index event_room_id_idx

CREATE TABLE room (
  room_id TEXT NOT NULL PRIMARY KEY, room_type TEXT, creation_content TEXT, tombstone_content TEXT, name TEXT, name_quality INTEGER NOT \
NULL DEFAULT 0, avatar TEXT, explicit_avatar INTEGER NOT NULL DEFAULT 0,
  dm_user_id TEXT, topic TEXT, canonical_alias TEXT, lazy_load_summary TEXT, encryption_event TEXT, has_member_list INTEGER NOT NULL \
DEFAULT false, preview_event_rowid INTEGER, sorting_timestamp INTEGER,
  unread_highlights INTEGER NOT NULL DEFAULT 0, unread_notifications INTEGER NOT NULL DEFAULT 0, unread_messages INTEGER NOT NULL DEFAULT \
0, marked_unread INTEGER NOT NULL DEFAULT false, prev_batch TEXT,
  CONSTRAINT room_preview_event_fkey FOREIGN KEY (preview_event_rowid) REFERENCES event (rowid) ON DELETE SET NULL);
CREATE INDEX room_type_idx ON room (room_type);
CREATE INDEX room_sorting_timestamp_idx ON room (sorting_timestamp DESC);
CREATE INDEX room_preview_idx ON room (preview_event_rowid);
CREATE TABLE event (
  rowid INTEGER PRIMARY KEY, room_id TEXT NOT NULL, event_id TEXT NOT NULL, sender TEXT NOT NULL, type TEXT NOT NULL, state_key TEXT, \
timestamp INTEGER NOT NULL, content TEXT NOT NULL, decrypted TEXT,
  decrypted_type TEXT, unsigned TEXT NOT NULL, local_content TEXT, transaction_id TEXT, redacted_by TEXT, relates_to TEXT, relation_type \
TEXT, megolm_session_id TEXT, decryption_error TEXT, send_error TEXT,
  reactions TEXT, last_edit_rowid INTEGER, unread_type INTEGER NOT NULL DEFAULT 0, sticky_duration INTEGER,
  CONSTRAINT event_id_unique_key UNIQUE (event_id), CONSTRAINT transaction_id_unique_key UNIQUE (transaction_id),
  CONSTRAINT event_room_fkey FOREIGN KEY (room_id) REFERENCES room (room_id) ON DELETE CASCADE);
CREATE INDEX event_room_id_idx ON event (room_id);
CREATE INDEX event_redacted_by_idx ON event (room_id, redacted_by);
CREATE INDEX event_relates_to_idx ON event (room_id, relates_to);
CREATE INDEX event_megolm_session_id_idx ON event (room_id, megolm_session_id);
CREATE INDEX event_mention_idx ON event (timestamp DESC) WHERE unread_type > 0;
CREATE INDEX event_sticky_idx ON event (room_id, timestamp) WHERE sticky_duration IS NOT NULL;
CREATE TABLE media (
  mxc TEXT NOT NULL PRIMARY KEY, enc_file TEXT, file_name TEXT, mime_type TEXT, size INTEGER, hash BLOB, error TEXT, thumbnail_size \
INTEGER, thumbnail_hash BLOB, thumbnail_error TEXT);
CREATE TABLE media_reference (
  event_rowid INTEGER NOT NULL, media_mxc TEXT NOT NULL, PRIMARY KEY (event_rowid, media_mxc),
  CONSTRAINT media_reference_event_fkey FOREIGN KEY (event_rowid) REFERENCES event (rowid) ON DELETE CASCADE,
  CONSTRAINT media_reference_media_fkey FOREIGN KEY (media_mxc) REFERENCES media (mxc) ON DELETE CASCADE);
CREATE TABLE session_request (
  room_id TEXT NOT NULL, session_id TEXT NOT NULL, sender TEXT NOT NULL, min_index INTEGER NOT NULL, backup_checked INTEGER NOT NULL \
DEFAULT false, request_sent INTEGER NOT NULL DEFAULT false,
  PRIMARY KEY (session_id), CONSTRAINT session_request_queue_room_fkey FOREIGN KEY (room_id) REFERENCES room (room_id) ON DELETE CASCADE);
CREATE INDEX session_request_room_idx ON session_request (room_id);
CREATE TABLE timeline (
  rowid INTEGER PRIMARY KEY, room_id TEXT NOT NULL, event_rowid INTEGER NOT NULL, CONSTRAINT timeline_room_fkey FOREIGN KEY (room_id) \
REFERENCES room (room_id) ON DELETE CASCADE,
  CONSTRAINT timeline_event_fkey FOREIGN KEY (event_rowid) REFERENCES event (rowid) ON DELETE CASCADE, CONSTRAINT \
timeline_event_unique_key UNIQUE (event_rowid));
CREATE INDEX timeline_room_id_idx ON timeline (room_id);
CREATE TABLE current_state (
  room_id TEXT NOT NULL, event_type TEXT NOT NULL, state_key TEXT NOT NULL, event_rowid INTEGER NOT NULL, membership TEXT, PRIMARY KEY \
(room_id, event_type, state_key),
  CONSTRAINT current_state_room_fkey FOREIGN KEY (room_id) REFERENCES room (room_id) ON DELETE CASCADE, CONSTRAINT \
current_state_event_fkey FOREIGN KEY (event_rowid) REFERENCES event (rowid),
  CONSTRAINT current_state_rowid_unique UNIQUE (event_rowid)) WITHOUT ROWID;
CREATE TABLE receipt (
  room_id TEXT NOT NULL, user_id TEXT NOT NULL, receipt_type TEXT NOT NULL, thread_id TEXT NOT NULL, event_id TEXT NOT NULL, timestamp \
INTEGER NOT NULL, PRIMARY KEY (room_id, user_id, receipt_type, thread_id),
  CONSTRAINT receipt_room_fkey FOREIGN KEY (room_id) REFERENCES room (room_id) ON DELETE CASCADE);
CREATE TABLE space_edge (
  space_id TEXT NOT NULL, child_id TEXT NOT NULL, child_event_rowid INTEGER, "order" TEXT NOT NULL DEFAULT '', suggested INTEGER NOT NULL \
DEFAULT false CHECK (suggested IN (false, true)), parent_event_rowid INTEGER,
  canonical INTEGER NOT NULL DEFAULT false CHECK (canonical IN (false, true)), parent_validated INTEGER NOT NULL DEFAULT false CHECK \
(parent_validated IN (false, true)), PRIMARY KEY (space_id, child_id),
  CONSTRAINT space_edge_child_event_fkey FOREIGN KEY (child_event_rowid) REFERENCES event (rowid) ON DELETE CASCADE,
  CONSTRAINT space_edge_parent_event_fkey FOREIGN KEY (parent_event_rowid) REFERENCES event (rowid) ON DELETE CASCADE,
  CONSTRAINT space_edge_child_event_unique UNIQUE (child_event_rowid), CONSTRAINT space_edge_parent_event_unique UNIQUE (parent_event_rowid));
CREATE INDEX space_edge_child_idx ON space_edge (child_id);

INSERT INTO room (room_id, room_type, name, name_quality, sorting_timestamp, unread_highlights, unread_messages)
SELECT '!room' || i || ':example.org', iif(i % 25 = 0, 'm.space', NULL), title(1, i, 2), 1, 1720000000000 - i * 7000000, chance(2, i) < \
0.03, iif(chance(3, i) < 0.2, pick(4, i, 90), 0) FROM numbers WHERE i <= 400;
INSERT INTO event (rowid, room_id, event_id, sender, type, state_key, timestamp, content, unsigned)
SELECT i, '!room' || skewed(5, i, 400) || ':example.org', '$s' || printf('%08x', i * 7919), '@u' || i || ':example.org', 'm.room.member', \
'@u' || (i % 4000) || ':example.org', 1600000000000 + i * 90000, '{"membership":"join","displayname":"' || title(6, i, 2) || '"}', '{}'
FROM numbers WHERE i <= 16000;
INSERT INTO event (rowid, room_id, event_id, sender, type, timestamp, content, unsigned, relates_to, relation_type, megolm_session_id, \
decrypted, decrypted_type, decryption_error, redacted_by, unread_type)
SELECT 16000 + i, '!room' || skewed(7, i, 400) || ':example.org', '$e' || printf('%08x', i * 7919), '@u' || skewed(8, i, 4000) || \
':example.org', iif(chance(9, i) < 0.08, 'm.reaction', iif(chance(10, i) < 0.07, 'm.room.encrypted', 'm.room.message')),
  1640000000000 + i * 1500000 + pick(11, i, 900000), iif(chance(9, i) < 0.08, '{"m.relates_to":{"rel_type":"m.annotation","key":"+1"}}',
    '{"msgtype":"' || iif(chance(12, i) < 0.05, 'm.image', iif(chance(12, i) < 0.07, 'm.file', 'm.text')) || '","body":"' || prose(13, i, \
20 + pick(14, i, 260)) || '"}'), '{}',
  iif(chance(9, i) < 0.08, '$e' || printf('%08x', pick(15, i, 44000) * 7919), NULL), iif(chance(9, i) < 0.08, 'm.annotation', NULL),
  iif(chance(9, i) >= 0.08 AND chance(10, i) < 0.07, 'sess' || pick(16, i, 600), NULL), iif(chance(9, i) >= 0.08 AND chance(10, i) < 0.06, \
'{"body":"' || prose(17, i, 50) || '"}', NULL),
  iif(chance(9, i) >= 0.08 AND chance(10, i) < 0.06, 'm.room.message', NULL), iif(chance(9, i) >= 0.08 AND chance(10, i) >= 0.06 AND \
chance(10, i) < 0.07, 'no session found', NULL), iif(chance(18, i) < 0.01, '$r' || i, NULL),
  iif(chance(19, i) < 0.03, 1 + pick(20, i, 4), 0)
FROM numbers WHERE i <= 44000;
UPDATE room SET preview_event_rowid = (SELECT max(e.rowid) FROM event AS e WHERE e.room_id = room.room_id AND e.state_key IS NULL);
INSERT OR IGNORE INTO current_state SELECT room_id, type, state_key, rowid, iif(chance(21, rowid) < 0.75, 'join', 'leave') FROM event \
WHERE state_key IS NOT NULL;
INSERT INTO timeline SELECT rowid - 30000, room_id, rowid FROM event WHERE rowid > 16000 OR rowid % 3 = 0 ORDER BY rowid;
INSERT OR IGNORE INTO receipt SELECT '!room' || skewed(22, i, 400) || ':example.org', '@u' || skewed(23, i, 4000) || ':example.org', \
iif(chance(24, i) < 0.9, 'm.read', 'm.read.private'), '', '$e' || printf('%08x', i * 7919), 1640000000000 + i * 2000000 FROM numbers WHERE \
i <= 30000;
INSERT INTO media SELECT 'mxc://example.org/' || printf('%08x', i * 7919), NULL, word(i) || '.bin', iif(chance(25, i) < 0.8, 'image/jpeg', \
iif(chance(26, i) < 0.5, 'video/mp4', 'application/pdf')), pick(27, i, 4000000), NULL, NULL, NULL, NULL, NULL FROM numbers WHERE i <= 14000;
INSERT INTO media_reference SELECT 16000 + pick(28, i, 44000), 'mxc://example.org/' || printf('%08x', i * 7919) FROM numbers WHERE i <= 14000;
INSERT OR IGNORE INTO space_edge (space_id, child_id) SELECT '!room' || (25 * pick(29, i, 16)) || ':example.org', '!room' || i || \
':example.org' FROM numbers WHERE i <= 400;
INSERT OR IGNORE INTO session_request SELECT room_id, megolm_session_id, sender, 0, chance(30, rowid) < 0.7, chance(31, rowid) < 0.5 FROM \
event WHERE decryption_error IS NOT NULL;
CREATE TRIGGER event_update_redacted_by AFTER INSERT ON event WHEN NEW.type = 'm.room.redaction' BEGIN
  UPDATE event SET redacted_by = NEW.event_id WHERE room_id = NEW.room_id AND event_id = json_extract(NEW.content, '$.redacts');
END;
CREATE TRIGGER event_insert_update_last_edit AFTER INSERT ON event WHEN NEW.relation_type = 'm.replace' AND NEW.redacted_by IS NULL AND \
NEW.state_key IS NULL BEGIN
  UPDATE event SET last_edit_rowid = NEW.rowid
  WHERE event_id = NEW.relates_to AND room_id = NEW.room_id AND type = NEW.type AND sender = NEW.sender AND state_key IS NULL AND \
(relation_type IS NULL OR relation_type NOT IN ('m.replace', 'm.annotation'))
  AND NEW.timestamp > COALESCE((SELECT prev_edit.timestamp FROM event prev_edit WHERE prev_edit.rowid = event.last_edit_rowid), 0);
END;
CREATE TRIGGER event_insert_fill_reactions AFTER INSERT ON event WHEN NEW.type = 'm.reaction' AND NEW.relation_type = 'm.annotation' AND \
NEW.redacted_by IS NULL BEGIN
  UPDATE event SET reactions = json_set(reactions, '$."+1"', coalesce(json_extract(reactions, '$."+1"'), 0) + 1) WHERE event_id = \
NEW.relates_to AND room_id = NEW.room_id AND reactions IS NOT NULL;
END;

-- statement: gomuks-01
-- fine
-- tolerated: index-not-covering
-- because: a page of a room's timeline with its senders, by the index of rooms and keys
-- run: '!room1:example.org', 0 | '!room2:example.org', 9000

SELECT event.rowid, timeline.rowid, event.event_id, event.sender, event.type, event.timestamp, event.content, cs.event_rowid, \
cs.membership, edit.content FROM timeline JOIN event ON event.rowid = timeline.event_rowid
LEFT JOIN current_state AS cs ON cs.room_id = event.room_id AND cs.event_type = 'm.room.member' AND cs.state_key = event.sender LEFT JOIN \
event AS edit ON edit.rowid = event.last_edit_rowid
WHERE timeline.room_id = ?1 AND (?2 = 0 OR timeline.rowid < ?2) ORDER BY timeline.rowid DESC LIMIT 50

-- statement: gomuks-02
-- is: index-not-covering, sort-without-index
-- because: what somebody wrote in a large room: all of its events are read
-- run: '!room1:example.org', '@u7:example.org' | '!room2:example.org', '@u30:example.org'

SELECT rowid, event_id, timestamp FROM event WHERE room_id = ? AND sender = ? ORDER BY timestamp DESC LIMIT 50

-- best
-- index: event (room_id, sender, timestamp)

-- or
-- index: event (sender, room_id, timestamp)

-- or
-- index: event (sender)

-- statement: gomuks-03
-- fine
-- tolerated: index-not-covering
-- because: where one was mentioned, by a partial index in its order
-- run: 1690000000000

SELECT rowid, room_id, event_id, timestamp FROM event WHERE timestamp < ? AND unread_type > 0 ORDER BY timestamp DESC LIMIT 50

-- statement: gomuks-04
-- is: harmful-index, index-not-covering, missing-statistics, partial-index, sort-without-index
-- because: the mentions in one room
-- run: '!room150:example.org' | '!room4:example.org'

SELECT rowid, event_id, timestamp FROM event WHERE room_id = ? AND unread_type > 0 AND redacted_by IS NULL ORDER BY timestamp DESC LIMIT 50

-- best
-- index: event (room_id, timestamp) WHERE unread_type > 0

-- statement: gomuks-05
-- is: full-scan, group-without-index, partial-index
-- because: sessions without a key: one of a hundred events, and all are read

SELECT megolm_session_id, count(*) AS n, min(timestamp) FROM event WHERE decrypted IS NULL AND decryption_error IS NOT NULL GROUP BY \
megolm_session_id ORDER BY n DESC LIMIT 20

-- best
-- index: event (megolm_session_id, timestamp) WHERE decrypted IS NULL AND decryption_error IS NOT NULL

-- statement: gomuks-06
-- fine
-- because: the members of a room, by the key
-- run: '!room3:example.org'

SELECT cs.state_key, e.content FROM current_state AS cs JOIN event AS e ON e.rowid = cs.event_rowid
WHERE cs.room_id = ? AND cs.event_type = 'm.room.member' AND cs.membership = 'join'

-- statement: gomuks-07
-- is: full-scan
-- because: the rooms shared with a user: the key begins with the room
-- run: '@u17:example.org' | '@u3999:example.org'

SELECT room_id FROM current_state WHERE event_type = 'm.room.member' AND state_key = ? AND membership = 'join'

-- best
-- index: current_state (state_key, event_type, membership)

-- or
-- index: current_state (state_key)

-- statement: gomuks-08
-- is: foreign-key-without-index
-- because: a file goes: all references are read for it
-- run: 'mxc://example.org/0000f778' | 'mxc://example.org/0078d598'

DELETE FROM media WHERE mxc = ?

-- best
-- index: media_reference (media_mxc)

-- statement: gomuks-09
-- is: full-scan, sort-without-index
-- because: what somebody has read last, in any room
-- run: '@u1:example.org' | '@u900:example.org'

SELECT room_id, event_id, timestamp FROM receipt WHERE user_id = ? AND receipt_type = 'm.read' ORDER BY timestamp DESC LIMIT 20

-- best
-- index: receipt (user_id, receipt_type, timestamp)

-- or
-- index: receipt (user_id, timestamp)

-- statement: gomuks-10
-- is: expression-index, function-on-column, index-not-covering, sort-without-index
-- because: the pictures of a room: each event of it is parsed
-- run: '!room1:example.org' | '!room6:example.org'

SELECT rowid, event_id, timestamp FROM event WHERE room_id = ? AND json_extract(content, '$.msgtype') = 'm.image' AND redacted_by IS NULL \
ORDER BY timestamp DESC LIMIT 40

-- best
-- index: event (room_id, json_extract(content, '$.msgtype'), timestamp)

-- statement: gomuks-11
-- fine
-- tolerated: index-not-covering, or-without-index
-- because: the rooms as they were used last, by an index in this order
-- run: 1719900000000

SELECT room_id, name, unread_highlights, unread_messages, preview_event_rowid FROM room WHERE sorting_timestamp < ? AND (room_type IS NULL \
OR room_type <> 'm.space') ORDER BY sorting_timestamp DESC LIMIT 60

-- statement: gomuks-12
-- is: expression-index, function-on-column, group-without-index, index-not-covering, sort-without-index
-- because: the last days of a large room: its events are read from the beginning
-- run: '!room1:example.org', 1698000000000

SELECT date(timestamp / 1000, 'unixepoch') AS day, count(*) AS n, count(DISTINCT sender) AS people FROM event WHERE room_id = ? AND \
timestamp >= ? GROUP BY day ORDER BY day

-- best
-- index: event (room_id, timestamp, sender)

-- or
-- index: event (room_id, timestamp)

-- statement: gomuks-13
-- is: index-not-covering, subquery-per-row
-- because: when each room was last active: all events are looked up

SELECT r.room_id, r.name, (SELECT max(e.timestamp) FROM event AS e WHERE e.room_id = r.room_id) AS newest FROM room AS r WHERE r.room_type \
IS NULL ORDER BY newest DESC

-- best
-- index: event (room_id, timestamp)

-- statement: gomuks-14
-- fine
-- because: an event that takes back another, which the trigger finds by its id
-- run: '!room1:example.org', '$new', '@u1:example.org', 1720000000000, '{"redacts":"$e00001eef"}'

INSERT INTO event (room_id, event_id, sender, type, timestamp, content, unsigned) VALUES (?, ?, ?, 'm.room.redaction', ?, ?, '{}')

-- statement: gomuks-15
-- is: automatic-index, full-scan, join-order, missing-statistics, sort-without-index
-- because: the largest documents and their rooms: nothing leads from a file to its events
-- run: 3900000

SELECT e.rowid, m.mxc, m.size FROM media AS m JOIN media_reference AS f ON f.media_mxc = m.mxc JOIN event AS e ON e.rowid = f.event_rowid \
JOIN room AS r ON r.room_id = e.room_id
WHERE m.size > ? AND m.mime_type = 'application/pdf' ORDER BY m.size DESC LIMIT 20

-- best
-- index: media_reference (media_mxc)
-- index: media (mime_type, size)

-- statement: gomuks-16
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: the rooms of a space, which are few
-- run: '!room25:example.org'

SELECT r.room_id, r.name FROM space_edge AS s JOIN room AS r ON r.room_id = s.child_id WHERE s.space_id = ? ORDER BY s."order", \
r.sorting_timestamp DESC

-- statement: gomuks-17
-- is: distinct-without-index, index-not-covering, partial-index
-- because: the sessions of a room that are to be asked for: all of its events are looked up
-- run: '!room1:example.org' | '!room4:example.org'

INSERT OR REPLACE INTO session_request (room_id, session_id, sender, min_index) SELECT DISTINCT room_id, megolm_session_id, sender, 0 FROM \
event WHERE room_id = ? AND decryption_error IS NOT NULL AND decrypted IS NULL

-- best
-- index: event (room_id, megolm_session_id, sender) WHERE decryption_error IS NOT NULL AND decrypted IS NULL
