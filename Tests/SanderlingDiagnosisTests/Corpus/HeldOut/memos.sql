-- schema: memos
-- about: Short notes of a team: their properties are JSON, attachments lie among them.
-- origin: Memos 0.32 (MIT, Copyright Memos contributors): eight tables of its SQLite schema with their indexes, of the users' columns seven

CREATE TABLE user (
  id INTEGER PRIMARY KEY AUTOINCREMENT, created_ts BIGINT NOT NULL DEFAULT (strftime('%s', 'now')),
  row_status TEXT NOT NULL CHECK (row_status IN ('NORMAL', 'ARCHIVED')) DEFAULT 'NORMAL',
  username TEXT COLLATE BINARY NOT NULL UNIQUE, role TEXT NOT NULL DEFAULT 'USER', email TEXT COLLATE BINARY DEFAULT NULL,
  nickname TEXT NOT NULL DEFAULT '');
CREATE UNIQUE INDEX idx_user_email ON user(email);
CREATE TABLE memo (
  id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, creator_id INTEGER NOT NULL,
  created_ts BIGINT NOT NULL DEFAULT (strftime('%s', 'now')), updated_ts BIGINT NOT NULL DEFAULT (strftime('%s', 'now')),
  row_status TEXT NOT NULL CHECK (row_status IN ('NORMAL', 'ARCHIVED')) DEFAULT 'NORMAL', content TEXT NOT NULL DEFAULT '',
  visibility TEXT NOT NULL CHECK (visibility IN ('PUBLIC', 'PROTECTED', 'PRIVATE', 'SPACE')) DEFAULT 'PRIVATE',
  pinned INTEGER NOT NULL CHECK (pinned IN (0, 1)) DEFAULT 0, payload TEXT NOT NULL DEFAULT '{}', space_id INTEGER DEFAULT NULL);
CREATE INDEX idx_memo_creator_id ON memo(creator_id);
CREATE INDEX idx_memo_space_id ON memo(space_id, row_status, created_ts DESC, id DESC);
CREATE TABLE memo_relation (
  memo_id INTEGER NOT NULL, related_memo_id INTEGER NOT NULL, type TEXT NOT NULL, UNIQUE(memo_id, related_memo_id, type));
CREATE INDEX idx_memo_relation_related_type_memo ON memo_relation(related_memo_id, type, memo_id);
CREATE TABLE attachment (
  id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, creator_id INTEGER NOT NULL,
  created_ts BIGINT NOT NULL DEFAULT (strftime('%s', 'now')), updated_ts BIGINT NOT NULL DEFAULT (strftime('%s', 'now')),
  filename TEXT NOT NULL DEFAULT '', blob BLOB DEFAULT NULL, type TEXT NOT NULL DEFAULT '', size INTEGER NOT NULL DEFAULT 0,
  memo_id INTEGER, storage_type TEXT NOT NULL DEFAULT '', reference TEXT NOT NULL DEFAULT '', payload TEXT NOT NULL DEFAULT '{}');
CREATE TABLE inbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT, created_ts BIGINT NOT NULL DEFAULT (strftime('%s', 'now')), sender_id INTEGER NOT NULL,
  receiver_id INTEGER NOT NULL, status TEXT NOT NULL, message TEXT NOT NULL DEFAULT '{}');
CREATE TABLE reaction (
  id INTEGER PRIMARY KEY AUTOINCREMENT, created_ts BIGINT NOT NULL DEFAULT (strftime('%s', 'now')), creator_id INTEGER NOT NULL,
  memo_id INTEGER NOT NULL, reaction_type TEXT NOT NULL, UNIQUE(creator_id, memo_id, reaction_type));
CREATE TABLE memo_share (
  id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, memo_id INTEGER NOT NULL, creator_id INTEGER NOT NULL,
  created_ts BIGINT NOT NULL DEFAULT (strftime('%s', 'now')), expires_ts BIGINT DEFAULT NULL,
  FOREIGN KEY (memo_id) REFERENCES memo(id) ON DELETE CASCADE);
CREATE INDEX idx_memo_share_memo_id ON memo_share(memo_id);

INSERT INTO user SELECT i, 1600000000 + i, 'NORMAL', word(i), 'USER', word(i) || '@example.com', title(1, i, 2) FROM numbers WHERE i <= 150;
INSERT INTO memo
SELECT i, 'uid' || printf('%08x', i * 2654435 % 4294967), skewed(2, i, 150), 1650000000 + i * 3000, 1650000000 + i * 3000 + pick(3, i, 900000),
  iif(chance(4, i) < 0.06, 'ARCHIVED', 'NORMAL'), prose(5, i, 40 + pick(6, i, 700)),
  CASE WHEN i % 3 = 0 THEN 'SPACE' WHEN chance(7, i) < 0.6 THEN 'PRIVATE' WHEN chance(7, i) < 0.9 THEN 'PROTECTED' ELSE 'PUBLIC' END,
  chance(8, i) < 0.004,
  '{"property":{"hasLink":' || iif(chance(9, i) < 0.3, 'true', 'false') || ',"hasIncompleteTasks":' || iif(chance(10, i) < 0.02, 'true', 'false')
    || '},"tags":["' || word(skewed(11, i, 300)) || '","' || word(skewed(12, i, 300)) || '"]}',
  iif(i % 3 = 0, skewed(13, i, 20), NULL)
FROM numbers WHERE i <= 24000;
INSERT OR IGNORE INTO memo_relation SELECT pick(14, i, 24000), pick(15, i, 24000), iif(i % 3 = 0, 'REFERENCE', 'COMMENT') FROM numbers \
WHERE i <= 6000;
INSERT INTO attachment
SELECT i, 'att' || printf('%08x', i), skewed(16, i, 150), 1650000000 + i * 9000, 1650000000 + i * 9000, word(i) || '.png',
  iif(chance(17, i) < 0.4, CAST(prose(18, i, 1500) AS BLOB), NULL), 'image/png', pick(19, i, 900000), iif(chance(20, i) < 0.05, NULL, \
pick(21, i, 24000)), '', '', '{}'
FROM numbers WHERE i <= 8000;
INSERT INTO inbox SELECT i, 1650000000 + i * 8000, skewed(22, i, 150), skewed(23, i, 150), iif(chance(24, i) < 0.9, 'ARCHIVED', 'UNREAD'),
  '{"type":"MEMO_COMMENT","memoComment":{"memoId":' || pick(25, i, 24000) || '}}' FROM numbers WHERE i <= 9000;
INSERT OR IGNORE INTO reaction SELECT i, 1650000000 + i * 4000, skewed(26, i, 150), pick(27, i, 24000), CASE i % 4 WHEN 0 THEN 'heart' \
WHEN 1 THEN 'eyes' ELSE 'thumbs' END
FROM numbers WHERE i <= 16000;
INSERT INTO memo_share SELECT i, 'share' || i, pick(28, i, 24000), 1, 1690000000, iif(i % 2 = 0, 1700000000 + i * 1000, NULL) FROM numbers \
WHERE i <= 60;

-- statement: memos-01
-- is: index-not-covering, sort-without-index
-- because: the home page: thousands of notes are sorted, and asked whether they are comments, for twenty
-- run: 1, 'NORMAL' | 3, 'NORMAL'

SELECT m.id, m.uid, m.content, m.pinned FROM memo m WHERE m.creator_id = ? AND m.row_status = ?
AND NOT EXISTS (SELECT 1 FROM memo_relation r WHERE r.memo_id = m.id AND r.type = 'COMMENT')
ORDER BY m.pinned DESC, m.created_ts DESC LIMIT 20

-- best
-- index: memo (creator_id, row_status, pinned, created_ts)

-- or
-- index: memo (creator_id, pinned, created_ts)

-- statement: memos-02
-- fine
-- because: the tags of a page of notes, by their keys
-- run: 20, 400, 8000, 16000, 23999

SELECT m.id, t.value FROM memo m, json_each(m.payload, '$.tags') t WHERE m.id IN (?, ?, ?, ?, ?) ORDER BY m.id, t.key

-- statement: memos-03
-- is: expression-index, function-on-column, index-not-covering, sort-without-index
-- because: 2 % have something to do; each payload is parsed
-- run: 1 | 5

SELECT id, uid, content FROM memo WHERE json_extract(payload, '$.property.hasIncompleteTasks') = 1 AND creator_id = ? ORDER BY updated_ts DESC

-- best
-- index: memo (creator_id, json_extract(payload, '$.property.hasIncompleteTasks'))

-- or
-- index: memo (json_extract(payload, '$.property.hasIncompleteTasks'))

-- statement: memos-04
-- is: full-scan, or-without-index
-- because: no index on the note; rows with pictures are walked
-- run: 100, 2000, 7777, 15000, 23000

SELECT id, uid, filename, type, size, memo_id FROM attachment WHERE memo_id IN (?, ?, ?, ?, ?)

-- best
-- index: attachment (memo_id)

-- statement: memos-05
-- is: full-scan, group-without-index, index-not-covering
-- because: the unique index begins with who reacted
-- run: 4711 | 12000

SELECT reaction_type, count(*) FROM reaction WHERE memo_id = ? GROUP BY reaction_type

-- best
-- index: reaction (memo_id, reaction_type)

-- or
-- index: reaction (memo_id)

-- statement: memos-06
-- is: full-scan, index-not-covering
-- because: the same of a page of notes: one index serves both
-- run: 100, 200, 300

SELECT id, memo_id, creator_id, reaction_type FROM reaction WHERE memo_id IN (?, ?, ?) ORDER BY id

-- best
-- index: reaction (memo_id)

-- or
-- index: reaction (memo_id, reaction_type)

-- statement: memos-07
-- is: full-scan, partial-index, sort-without-index
-- because: the inbox has no index at all
-- run: 4 | 33

SELECT id, created_ts, sender_id, message FROM inbox WHERE receiver_id = ? AND status = 'UNREAD' ORDER BY created_ts DESC LIMIT 20

-- best
-- index: inbox (receiver_id, status, created_ts)

-- or
-- index: inbox (receiver_id, status)

-- or
-- index: inbox (receiver_id, created_ts) WHERE status = 'UNREAD'

-- statement: memos-08
-- is: full-scan, group-without-index, index-not-covering
-- because: the calendar: times of thousands of notes, without their contents
-- run: 1, 1690000000

SELECT date(created_ts, 'unixepoch') AS day, count(*) FROM memo
WHERE creator_id = ? AND row_status = 'NORMAL' AND created_ts >= ? GROUP BY day

-- best
-- index: memo (creator_id, row_status, created_ts)

-- or
-- index: memo (creator_id, created_ts, row_status)

-- statement: memos-09
-- fine
-- because: a space by the index that was made for it
-- run: 2

SELECT id, uid, content FROM memo WHERE space_id = ? AND row_status = 'NORMAL' ORDER BY created_ts DESC, id DESC LIMIT 30

-- statement: memos-10
-- fine
-- because: an old page by its key: SQLite itself makes created_ts <= ?2 of the OR, and the index has the rest
-- run: 1, 1655400000, 1801

SELECT id, uid, created_ts FROM memo WHERE space_id = ?1 AND row_status = 'NORMAL'
AND (created_ts < ?2 OR created_ts = ?2 AND id < ?3) ORDER BY created_ts DESC, id DESC LIMIT 30
