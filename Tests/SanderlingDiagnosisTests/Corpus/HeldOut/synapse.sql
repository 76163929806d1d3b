-- schema: synapse
-- about: A chat server's events: the table has the order of their arrival, most indexes begin with a room or a user.
-- origin: Synapse 1.98.0 (Apache-2.0, Copyright The Matrix.org Foundation C.I.C.): seven tables of its full schema 72, without search

CREATE TABLE events(
  stream_ordering INTEGER PRIMARY KEY, topological_ordering BIGINT NOT NULL, event_id TEXT NOT NULL, type TEXT NOT NULL,
  room_id TEXT NOT NULL, content TEXT, unrecognized_keys TEXT, processed BOOL NOT NULL, outlier BOOL NOT NULL,
  depth BIGINT DEFAULT 0 NOT NULL, origin_server_ts BIGINT, received_ts BIGINT, sender TEXT, contains_url BOOLEAN,
  instance_name TEXT, state_key TEXT DEFAULT NULL, rejection_reason TEXT DEFAULT NULL, UNIQUE (event_id));
CREATE INDEX events_order_room ON events (room_id, topological_ordering, stream_ordering);
CREATE INDEX events_ts ON events(origin_server_ts, stream_ordering);
CREATE INDEX event_contains_url_index ON events (room_id, topological_ordering, stream_ordering)
  WHERE contains_url = true AND outlier = false;
CREATE TABLE room_memberships(
  event_id TEXT NOT NULL, user_id TEXT NOT NULL, sender TEXT NOT NULL, room_id TEXT NOT NULL, membership TEXT NOT NULL,
  forgotten INTEGER DEFAULT 0, display_name TEXT, avatar_url TEXT, UNIQUE (event_id));
CREATE INDEX room_memberships_room_id ON room_memberships (room_id);
CREATE INDEX room_memberships_user_id ON room_memberships (user_id);
CREATE INDEX room_memberships_user_room_forgotten ON room_memberships (user_id, room_id) WHERE forgotten = 1;
CREATE TABLE event_relations (
  event_id TEXT NOT NULL, relates_to_id TEXT NOT NULL, relation_type TEXT NOT NULL, aggregation_key TEXT);
CREATE UNIQUE INDEX event_relations_id ON event_relations(event_id);
CREATE INDEX event_relations_relates ON event_relations(relates_to_id, relation_type, aggregation_key);
CREATE TABLE event_push_actions(
  room_id TEXT NOT NULL, event_id TEXT NOT NULL, user_id TEXT NOT NULL, profile_tag VARCHAR(32), actions TEXT NOT NULL,
  topological_ordering BIGINT, stream_ordering BIGINT, notif SMALLINT, highlight SMALLINT, unread SMALLINT, thread_id TEXT,
  CONSTRAINT event_id_user_id_profile_tag_uniqueness UNIQUE (room_id, event_id, user_id, profile_tag));
CREATE INDEX event_push_actions_u_highlight ON event_push_actions (user_id, stream_ordering);
CREATE INDEX event_push_actions_stream_highlight_index ON event_push_actions (highlight, stream_ordering) WHERE highlight=0;
CREATE INDEX event_push_actions_highlights_index
  ON event_push_actions (user_id, room_id, topological_ordering, stream_ordering) WHERE highlight=1;
CREATE TABLE device_inbox(
  user_id TEXT NOT NULL, device_id TEXT NOT NULL, stream_id BIGINT NOT NULL, message_json TEXT NOT NULL, instance_name TEXT);
CREATE INDEX device_inbox_user_stream_id ON device_inbox(user_id, device_id, stream_id);
CREATE INDEX device_inbox_stream_id_user_id ON device_inbox (stream_id, user_id);

INSERT INTO events
SELECT i, i / 40, '$' || printf('%08x', i * 2654435761 % 4294967296) || i,
  CASE WHEN chance(1, i) < 0.8 THEN 'm.room.message' WHEN chance(1, i) < 0.95 THEN 'm.room.member'
    WHEN chance(1, i) < 0.999 THEN 'm.reaction' ELSE 'm.room.redaction' END,
  '!room' || skewed(2, i, 400) || ':example.org', prose(3, i, pick(4, i, 350)), NULL, 1, chance(5, i) < 0.1, i / 40,
  1600000000000 + i * 60000 + pick(6, i, 100000), 1600000000000 + i * 60000 + 50, '@' || word(skewed(7, i, 3000)) || ':example.org',
  chance(8, i) < 0.08, 'master', iif(chance(1, i) >= 0.8 AND chance(1, i) < 0.95, '@' || word(skewed(7, i, 3000)), NULL),
  iif(chance(9, i) < 0.002, 'auth_error', NULL)
FROM numbers WHERE i <= 50000;
INSERT INTO room_memberships
SELECT event_id, sender, sender, room_id, CASE WHEN chance(10, stream_ordering) < 0.7 THEN 'join' WHEN chance(10, stream_ordering) < 0.97
  THEN 'leave' ELSE 'invite' END, chance(11, stream_ordering) < 0.02, title(12, stream_ordering, 2), NULL
FROM events WHERE type = 'm.room.member';
INSERT INTO event_relations
SELECT '$r' || i, '$' || printf('%08x', pick(13, i, 50000) * 2654435761 % 4294967296), CASE WHEN chance(14, i) < 0.9 THEN 'm.annotation'
  WHEN chance(14, i) < 0.995 THEN 'm.thread' ELSE 'm.replace' END, iif(chance(14, i) < 0.9, word(skewed(15, i, 20)), NULL)
FROM numbers WHERE i <= 30000;
INSERT INTO event_push_actions
SELECT e.room_id, e.event_id, '@' || word(skewed(16, i, 200)) || ':example.org', NULL, '["notify"]', e.topological_ordering,
  e.stream_ordering, chance(17, i) < 0.9, chance(18, i) < 0.03, 1, 'main'
FROM numbers JOIN events e ON e.stream_ordering = i % 50000 + 1 WHERE i <= 60000 AND e.type = 'm.room.message';
INSERT INTO device_inbox
SELECT '@' || word(skewed(19, i, 400)) || ':example.org', 'DEVICE' || skewed(20, i, 2000), i, prose(21, i, 120), NULL
FROM numbers WHERE i <= 30000;
ANALYZE;

-- statement: synapse-01
-- fine
-- because: the room's index has this order; the OR costs a walk over what is newer than the page
-- run: 0, '!room3:example.org', 900, 36010, 900

SELECT event_id, instance_name, topological_ordering, stream_ordering FROM events
WHERE outlier = ? AND room_id = ? AND ((topological_ordering = ? AND stream_ordering < ?) OR topological_ordering < ?)
ORDER BY topological_ordering DESC, stream_ordering DESC LIMIT 20

-- statement: synapse-02
-- is: full-scan, index-not-covering
-- because: few events: the walk from the newest goes to the oldest; an index of the sender has the order, too
-- run: '@babralo:example.org'

SELECT event_id, room_id, type FROM events WHERE sender = ? ORDER BY stream_ordering DESC LIMIT 100

-- best
-- index: events (sender)

-- statement: synapse-03
-- is: full-scan, sort-without-index
-- because: an hour: there is an index of the time that senders say, and none of this one
-- run: 1602200000000, 1602203600000

SELECT event_id, received_ts FROM events WHERE received_ts >= ? AND received_ts < ? ORDER BY received_ts

-- best
-- index: events (received_ts)

-- statement: synapse-04
-- fine
-- because: 70 % of the room's rows, by the room's index
-- run: '!room106:example.org'

SELECT user_id, display_name, avatar_url FROM room_memberships WHERE room_id = ? AND membership = 'join'

-- statement: synapse-05
-- fine
-- because: the partial index covers it
-- run: '@loce:example.org', '!room1:example.org', 20000

SELECT count(*) FROM event_push_actions WHERE user_id = ? AND room_id = ? AND highlight = 1 AND stream_ordering > ?

-- statement: synapse-06
-- is: full-scan, group-without-index, index-not-covering, sort-without-index
-- because: 0.5 % of what the index of related events holds
-- run: 'm.replace'

SELECT relates_to_id, count(*) FROM event_relations WHERE relation_type = ? GROUP BY relates_to_id
ORDER BY 2 DESC, 1 LIMIT 20

-- best
-- index: event_relations (relation_type, relates_to_id)

-- or
-- index: event_relations (relation_type)

-- statement: synapse-07
-- is: full-scan, index-not-covering
-- because: a device without its user: no index begins so, and the range of the stream is everything
-- run: 'DEVICE900', 30000

DELETE FROM device_inbox WHERE device_id = ? AND stream_id <= ?

-- best
-- index: device_inbox (device_id, stream_id)

-- or
-- index: device_inbox (device_id)

-- statement: synapse-08
-- is: full-scan, index-not-covering, partial-index
-- because: 0.2 % were rejected

SELECT room_id, count(*) FROM events WHERE rejection_reason IS NOT NULL GROUP BY room_id

-- best
-- index: events (room_id) WHERE rejection_reason IS NOT NULL

-- statement: synapse-09
-- is: expression-index, full-scan, function-on-column
-- because: a day is a range of the time, which has an index
-- run: '2020-09-15'

SELECT count(DISTINCT sender) FROM events WHERE date(origin_server_ts / 1000, 'unixepoch') = ?

-- best

SELECT count(DISTINCT sender) FROM events WHERE origin_server_ts >= CAST(strftime('%s', ?1) AS INTEGER) * 1000
AND origin_server_ts < CAST(strftime('%s', ?1, '+1 day') AS INTEGER) * 1000

-- or
-- index: events (date(origin_server_ts / 1000, 'unixepoch'))
