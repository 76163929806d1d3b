-- schema: dendrite
-- about: What a chat server tells its clients when they ask for news: streams by number, rooms by position.
-- origin: Dendrite 0.14.1, the tables of its sync API (Apache-2.0, Copyright The Matrix.org Foundation): eight of them with their indexes
-- superfluous: redundant-index syncapi_receipts_room_id_idx
-- superfluous: duplicate-index syncapi_presence_user_id

CREATE TABLE syncapi_output_room_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT, event_id TEXT NOT NULL UNIQUE, room_id TEXT NOT NULL, headered_event_json TEXT NOT NULL, type TEXT NOT NULL,
  sender TEXT NOT NULL, contains_url BOOL NOT NULL, add_state_ids TEXT, remove_state_ids TEXT, session_id BIGINT, transaction_id TEXT,
  exclude_from_sync BOOL NOT NULL DEFAULT FALSE, history_visibility SMALLINT NOT NULL DEFAULT 2);
CREATE INDEX syncapi_output_room_events_type_idx ON syncapi_output_room_events (type);
CREATE INDEX syncapi_output_room_events_sender_idx ON syncapi_output_room_events (sender);
CREATE INDEX syncapi_output_room_events_room_id_idx ON syncapi_output_room_events (room_id);
CREATE INDEX syncapi_output_room_events_exclude_from_sync_idx ON syncapi_output_room_events (exclude_from_sync);
CREATE INDEX syncapi_output_room_events_add_state_ids_idx ON syncapi_output_room_events ((add_state_ids IS NOT NULL));
CREATE INDEX syncapi_output_room_events_remove_state_ids_idx ON syncapi_output_room_events ((remove_state_ids IS NOT NULL));
CREATE TABLE syncapi_output_room_events_topology (
  event_id TEXT PRIMARY KEY, topological_position BIGINT NOT NULL, stream_position BIGINT NOT NULL, room_id TEXT NOT NULL,
  UNIQUE(topological_position, room_id, stream_position));
CREATE TABLE syncapi_current_room_state (
  room_id TEXT NOT NULL, event_id TEXT NOT NULL, type TEXT NOT NULL, sender TEXT NOT NULL, contains_url BOOL NOT NULL DEFAULT false,
  state_key TEXT NOT NULL, headered_event_json TEXT NOT NULL, membership TEXT, added_at BIGINT, history_visibility SMALLINT NOT NULL DEFAULT 2,
  UNIQUE (room_id, type, state_key));
CREATE UNIQUE INDEX syncapi_event_id_idx ON syncapi_current_room_state(event_id, room_id, type, sender, contains_url);
CREATE UNIQUE INDEX syncapi_current_room_state_eventid_idx ON syncapi_current_room_state(event_id);
CREATE INDEX syncapi_current_room_state_type_state_key_idx ON syncapi_current_room_state(type, state_key);
CREATE TABLE syncapi_receipts (
  id BIGINT, room_id TEXT NOT NULL, receipt_type TEXT NOT NULL, user_id TEXT NOT NULL, event_id TEXT NOT NULL, receipt_ts BIGINT NOT NULL,
  CONSTRAINT syncapi_receipts_unique UNIQUE (room_id, receipt_type, user_id));
CREATE INDEX syncapi_receipts_room_id_idx ON syncapi_receipts(room_id);
CREATE TABLE syncapi_send_to_device (
  id INTEGER PRIMARY KEY AUTOINCREMENT, user_id TEXT NOT NULL, device_id TEXT NOT NULL, content TEXT NOT NULL);
CREATE INDEX syncapi_send_to_device_user_id_device_id_idx ON syncapi_send_to_device(user_id, device_id);
CREATE TABLE syncapi_memberships (
  room_id TEXT NOT NULL, user_id TEXT NOT NULL, membership TEXT NOT NULL, event_id TEXT NOT NULL, stream_pos BIGINT NOT NULL,
  topological_pos BIGINT NOT NULL, UNIQUE (room_id, user_id, membership));
CREATE TABLE syncapi_relations (
  id BIGINT PRIMARY KEY, room_id TEXT NOT NULL, event_id TEXT NOT NULL, child_event_id TEXT NOT NULL, child_event_type TEXT NOT NULL,
  rel_type TEXT NOT NULL, UNIQUE (room_id, event_id, child_event_id, rel_type));
CREATE TABLE syncapi_presence (
  id BIGINT NOT NULL, user_id TEXT NOT NULL, presence INT NOT NULL, status_msg TEXT, last_active_ts BIGINT NOT NULL,
  CONSTRAINT presence_presences_unique UNIQUE (user_id));
CREATE INDEX syncapi_presence_user_id ON syncapi_presence(user_id);

INSERT INTO syncapi_output_room_events
SELECT i, printf('$event%08x', i * 7919), '!room' || skewed(1, i, 200) || ':example.org', '{"content":"' || prose(2, i, 200 + pick(3, i, \
300)) || '"}',
  CASE WHEN chance(4, i) < 0.1 THEN 'm.room.member' WHEN chance(4, i) < 0.25 THEN 'm.reaction' WHEN chance(4, i) < 0.27 THEN \
'm.room.topic' ELSE 'm.room.message' END,
  '@' || word(skewed(5, i, 4000)) || ':example.org', chance(6, i) < 0.02, iif(chance(4, i) < 0.1, '["$event' || i || '"]', NULL), NULL, NULL, NULL,
  chance(7, i) < 0.05, 2
FROM numbers WHERE i <= 30000;
INSERT INTO syncapi_output_room_events_topology
SELECT event_id, id / 3, id, room_id FROM syncapi_output_room_events;
INSERT OR IGNORE INTO syncapi_current_room_state
SELECT '!room' || skewed(8, i, 200) || ':example.org', printf('$state%08x', i * 7919), iif(chance(9, i) < 0.8, 'm.room.member', 'm.room.' \
|| word(pick(10, i, 20))),
  '@' || word(pick(11, i, 6000)) || ':example.org', 0, '@' || word(pick(11, i, 6000)) || ':example.org', '{"content":"' || prose(12, i, 250) || '"}',
  iif(chance(9, i) < 0.8, CASE WHEN chance(13, i) < 0.1 THEN 'join' WHEN chance(13, i) < 0.15 THEN 'invite' ELSE 'leave' END, NULL), i, 2
FROM numbers WHERE i <= 20000;
INSERT OR IGNORE INTO syncapi_receipts
SELECT i, '!room' || skewed(14, i, 200) || ':example.org', 'm.read', '@' || word(pick(15, i, 6000)) || ':example.org', \
printf('$event%08x', pick(16, i, 30000) * 7919),
  1700000000000 + i * 900 FROM numbers WHERE i <= 30000;
INSERT INTO syncapi_send_to_device
SELECT i, '@' || word(skewed(17, i, 500)) || ':example.org', 'DEVICE' || skewed(18, i, 3), '{"content":"' || prose(19, i, 200) || '"}' \
FROM numbers WHERE i <= 8000;
INSERT OR IGNORE INTO syncapi_memberships
SELECT '!room' || skewed(20, i, 200) || ':example.org', '@' || word(pick(21, i, 6000)) || ':example.org', CASE WHEN chance(22, i) < 0.7 \
THEN 'join' ELSE 'leave' END,
  printf('$event%08x', i * 7919), i, i / 3 FROM numbers WHERE i <= 24000;
INSERT OR IGNORE INTO syncapi_relations
SELECT i, '!room' || skewed(23, i, 200) || ':example.org', printf('$event%08x', pick(24, i, 30000) * 7919), printf('$event%08x', i * 3 * \
7919), 'm.reaction', 'm.annotation'
FROM numbers WHERE i <= 15000;
INSERT INTO syncapi_presence
SELECT 100000 + pick(25, i, 1000000), '@' || word(i) || ':example.org', pick(26, i, 3), iif(chance(27, i) < 0.1, prose(28, i, 60), NULL), \
1700000000000 + pick(29, i, 90000000)
FROM numbers WHERE i <= 9000;

-- statement: dendrite-01
-- fine
-- because: the index of the rooms ends with the number
-- run: '!room3:example.org', 20000, 30000, 10 | '!room90:example.org', 0, 30000, 10

SELECT event_id, id, headered_event_json, session_id, exclude_from_sync, transaction_id, history_visibility FROM syncapi_output_room_events
WHERE room_id = ?1 AND id > ?2 AND id <= ?3 ORDER BY id DESC LIMIT ?4

-- statement: dendrite-02
-- is: full-scan, harmful-index, index-not-covering, missing-statistics, partial-index, sort-without-index
-- because: topics of a room: one in fifty of its events, each read with its text
-- run: '!room1:example.org', 0, 30000, 30 | '!room2:example.org', 0, 30000, 30

SELECT event_id, id, headered_event_json, history_visibility FROM syncapi_output_room_events
WHERE room_id = ?1 AND id > ?2 AND id <= ?3 AND exclude_from_sync = FALSE AND type IN ('m.room.topic', 'm.room.name') ORDER BY id DESC LIMIT ?4

-- best
-- index: syncapi_output_room_events (room_id, type)

SELECT event_id, id, headered_event_json, history_visibility FROM syncapi_output_room_events WHERE room_id = ?1 AND id > ?2 AND id <= ?3
AND +exclude_from_sync = FALSE AND type IN ('m.room.topic', 'm.room.name') ORDER BY +id DESC LIMIT ?4

-- statement: dendrite-03
-- is: full-scan, index-not-covering, or-without-index, sort-without-index
-- because: a page back in a quiet room: the key begins with the position, and walks through all rooms
-- run: '!room150:example.org', 0, 8000, 8000, 24001, 20 | '!room30:example.org', 0, 5000, 5000, 15001, 20

SELECT event_id, topological_position, stream_position FROM syncapi_output_room_events_topology
WHERE room_id = ?1 AND ((topological_position > ?2 AND topological_position < ?3) OR (topological_position = ?4 AND stream_position <= ?5))
ORDER BY topological_position DESC, stream_position DESC LIMIT ?6

-- best
-- index: syncapi_output_room_events_topology (room_id, topological_position, stream_position)

-- or
-- index: syncapi_output_room_events_topology (room_id)

-- statement: dendrite-04
-- is: full-scan, index-not-covering, sort-without-index
-- because: from a number to a position
-- run: '!room170:example.org', 9000 | '!room60:example.org', 3000

SELECT topological_position FROM syncapi_output_room_events_topology WHERE room_id = ?1 AND stream_position <= ?2 ORDER BY \
topological_position DESC LIMIT 1

-- best
-- index: syncapi_output_room_events_topology (room_id, topological_position, stream_position)

-- or
-- index: syncapi_output_room_events_topology (room_id, stream_position)

-- statement: dendrite-05
-- is: full-scan, index-not-covering, partial-index
-- because: when the server starts: all members are read with their events, and a tenth is kept

SELECT room_id, state_key FROM syncapi_current_room_state WHERE type = 'm.room.member' AND membership = 'join'

-- best
-- index: syncapi_current_room_state (type, membership, room_id, state_key)

-- statement: dendrite-06
-- is: index-not-covering, partial-index, sort-without-index
-- because: five names for a room without one: all members are read and sorted
-- run: '!room1:example.org', '@bafo:example.org' | '!room4:example.org', '@bafo:example.org'

SELECT state_key FROM syncapi_current_room_state
WHERE type = 'm.room.member' AND room_id = ?1 AND state_key != ?2 AND membership IN ('join', 'invite') ORDER BY added_at, state_key LIMIT 5

-- best
-- index: syncapi_current_room_state (room_id, type, added_at, state_key, membership)

-- or
-- index: syncapi_current_room_state (room_id, membership, type, state_key, added_at)

-- statement: dendrite-07
-- is: full-scan, sort-without-index
-- because: who has come since: the number is no key
-- run: 1099000, 1700000000000, 50 | 1060000, 1700000000000, 50

SELECT id, user_id, presence, status_msg, last_active_ts FROM syncapi_presence WHERE id > ?1 AND last_active_ts >= ?2 ORDER BY id ASC LIMIT ?3

-- best
-- index: syncapi_presence (id)

-- statement: dendrite-08
-- is: full-scan
-- because: the last number, which no index has

SELECT max(id) FROM syncapi_receipts

-- best
-- index: syncapi_receipts (id)

-- statement: dendrite-09
-- is: full-scan, index-not-covering
-- because: what was read since, of all that was ever read in three rooms
-- run: 29900, '!room1:example.org', '!room2:example.org', '!room7:example.org'

SELECT id, room_id, receipt_type, user_id, event_id, receipt_ts FROM syncapi_receipts WHERE id > ?1 AND room_id IN (?2, ?3, ?4)

-- best
-- index: syncapi_receipts (room_id, id)

-- statement: dendrite-10
-- fine
-- because: two columns, and the number after them
-- run: '@bafo:example.org', 'DEVICE1', 7000, 8000

SELECT id, user_id, device_id, content FROM syncapi_send_to_device WHERE user_id = ?1 AND device_id = ?2 AND id > ?3 AND id <= ?4 ORDER BY id ASC

-- statement: dendrite-11
-- is: full-scan, index-not-covering
-- because: a reaction taken back: by the room's index all its reactions are looked at
-- run: '!room1:example.org', '$event02298acb' | '!room2:example.org', '$event0c1426aa'

DELETE FROM syncapi_relations WHERE room_id = ?1 AND child_event_id = ?2

-- best
-- index: syncapi_relations (room_id, child_event_id)
