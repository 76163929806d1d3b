-- schema: relay
-- about: A relay of signed messages: hashes as blobs, tags of two kinds of values, one index twice.
-- origin: nostr-rs-relay, database version 18 (MIT, Copyright Greg Heartsfield): its events and tags with their indexes
-- superfluous: duplicate-index event_composite_index kind_created_at_index
-- superfluous: redundant-index author_index

CREATE TABLE event (
  id INTEGER PRIMARY KEY, event_hash BLOB NOT NULL, first_seen INTEGER NOT NULL, created_at INTEGER NOT NULL,
  expires_at INTEGER, author BLOB NOT NULL, delegated_by BLOB, kind INTEGER NOT NULL, hidden INTEGER, content TEXT NOT NULL);
CREATE UNIQUE INDEX event_hash_index ON event(event_hash);
CREATE INDEX author_index ON event(author);
CREATE INDEX kind_index ON event(kind);
CREATE INDEX created_at_index ON event(created_at);
CREATE INDEX delegated_by_index ON event(delegated_by);
CREATE INDEX event_composite_index ON event(kind,created_at);
CREATE INDEX kind_author_index ON event(kind,author);
CREATE INDEX kind_created_at_index ON event(kind,created_at);
CREATE INDEX author_created_at_index ON event(author,created_at);
CREATE INDEX author_kind_index ON event(author,kind);
CREATE INDEX event_expiration ON event(expires_at);
CREATE TABLE tag (
  id INTEGER PRIMARY KEY, event_id INTEGER NOT NULL, name TEXT, value TEXT, value_hex BLOB, created_at INTEGER NOT NULL,
  kind INTEGER NOT NULL, FOREIGN KEY(event_id) REFERENCES event(id) ON UPDATE CASCADE ON DELETE CASCADE);
CREATE INDEX tag_val_index ON tag(value);
CREATE INDEX tag_composite_index ON tag(event_id,name,value);
CREATE INDEX tag_name_eid_index ON tag(name,event_id,value);
CREATE INDEX tag_covering_index ON tag(name,kind,value,created_at,event_id);

INSERT INTO event
SELECT i, CAST(printf('%032d', i * 7) AS BLOB), 1700000010 + i * 30, 1700000000 + i * 30, iif(chance(1, i) < 0.01, 1700000000 + pick(2, i, \
9000000), NULL),
  CAST(printf('%032d', skewed(3, i, 1500)) AS BLOB), NULL,
  CASE WHEN chance(4, i) < 0.55 THEN 1 WHEN chance(4, i) < 0.85 THEN 7 WHEN chance(4, i) < 0.92 THEN 0 WHEN chance(4, i) < 0.99 THEN 3 ELSE 30023 END,
  0, '{"content":"' || prose(5, i, 60 + pick(6, i, 400)) || '"}'
FROM numbers WHERE i <= 30000;
INSERT INTO tag (id, event_id, name, value, value_hex, created_at, kind)
SELECT n.i, e.id, CASE WHEN n.i % 3 = 0 THEN 'p' WHEN n.i % 3 = 1 THEN 'e' ELSE 't' END,
  iif(n.i % 3 = 2, word(skewed(7, n.i, 500)), NULL),
  CASE WHEN n.i % 3 = 0 THEN CAST(printf('%032d', skewed(8, n.i, 1500)) AS BLOB) WHEN n.i % 3 = 1 THEN CAST(printf('%032d', 7 * skewed(9, \
n.i, 29000)) AS BLOB) END,
  e.created_at, e.kind
FROM numbers n JOIN event e ON e.id = 1 + n.i / 2 WHERE n.i <= 59990;

-- statement: relay-01
-- is: index-not-covering, sort-without-index
-- because: two equalities have an index, with the order none has all three
-- run: '00000000000000000000000000000001', 3 | '00000000000000000000000000000002', 1

SELECT content FROM event WHERE author = CAST(? AS BLOB) AND kind = ? AND hidden = 0 ORDER BY created_at DESC LIMIT 50

-- best
-- index: event (author, kind, created_at)

-- or
-- index: event (kind, author, created_at)

-- statement: relay-02
-- is: full-scan, index-not-covering, missing-statistics, sort-without-index
-- because: who mentioned me: the values in hexadecimal have no index
-- run: '00000000000000000000000000000700' | '00000000000000000000000000000911'

SELECT e.id, e.content FROM event e JOIN tag t ON t.event_id = e.id
WHERE t.name = 'p' AND t.value_hex = CAST(? AS BLOB) AND e.kind = 1 ORDER BY e.created_at DESC LIMIT 20

-- best
-- index: tag (value_hex, name)

-- or
-- index: tag (name, value_hex)

-- or
-- index: tag (value_hex)

-- statement: relay-03
-- fine
-- because: a hashtag of the last days: the covering index has all five columns
-- run: 'gudi', 1700700000

SELECT e.id, e.content FROM event e WHERE e.hidden = 0 AND e.id IN (
  SELECT t.event_id FROM tag t WHERE t.name = 't' AND t.kind = 1 AND t.value = ? AND t.created_at > ?)

-- statement: relay-04
-- fine
-- because: few have expired, and their index finds them
-- run: 1700200000

DELETE FROM event WHERE expires_at <= ?

-- statement: relay-05
-- is: index-not-covering, subquery-per-row
-- because: the newest profile of each author: its older ones are all looked up for their times

SELECT e.author, e.content FROM event e WHERE e.kind = 0 AND e.created_at = (
  SELECT max(x.created_at) FROM event x WHERE x.kind = 0 AND x.author = e.author)

-- best
-- index: event (kind, author, created_at)

-- or
-- index: event (author, kind, created_at)

-- statement: relay-06
-- is: full-scan, index-not-covering
-- because: a third of the events is looked up for its author
-- run: 1700600000

SELECT count(*), count(DISTINCT author) FROM event WHERE created_at >= ?

-- best
-- index: event (created_at, author)

-- statement: relay-07
-- is: group-without-index, index-not-covering
-- because: between kind and time stands a value that is NULL for all of these
-- run: 1700800000

SELECT value_hex, count(*) AS reactions FROM tag WHERE name = 'e' AND kind = 7 AND created_at > ?
GROUP BY value_hex ORDER BY reactions DESC LIMIT 10

-- best
-- index: tag (name, kind, created_at, value_hex)

-- or
-- index: tag (kind, name, created_at, value_hex)
