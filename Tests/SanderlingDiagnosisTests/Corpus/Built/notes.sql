-- schema: notes
-- about: A notes app that syncs: 100 MB, bodies in front of the flags, a few large contexts; not analyzed.

CREATE TABLE context (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL);
CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE);
CREATE TABLE note (
  id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, context_id INTEGER NOT NULL REFERENCES context (id),
  author_id INTEGER NOT NULL REFERENCES author (id), title TEXT NOT NULL, created INTEGER NOT NULL,
  modified INTEGER NOT NULL, body TEXT NOT NULL, word_count INTEGER NOT NULL, pinned INTEGER NOT NULL,
  deleted INTEGER NOT NULL, sync_state INTEGER NOT NULL, server_version INTEGER);
CREATE TABLE attachment (
  id INTEGER PRIMARY KEY, note_id INTEGER NOT NULL REFERENCES note (id), file_name TEXT NOT NULL,
  mime_type TEXT NOT NULL, bytes INTEGER NOT NULL, thumbnail BLOB);
CREATE TABLE sync_change (sequence INTEGER PRIMARY KEY AUTOINCREMENT, note_uuid TEXT, operation TEXT, at INTEGER);
CREATE INDEX note_context ON note (context_id);
CREATE INDEX note_created ON note (created);

INSERT INTO context SELECT i, iif(i % 3 = 0, 'stock', iif(i % 3 = 1, 'contact', 'idea')), title(1, i, 2)
FROM numbers WHERE i <= 200;
INSERT INTO author SELECT i, title(2, i, 2), word(i) || '@example.com' FROM numbers WHERE i <= 300;
INSERT INTO note
SELECT i, printf('%08x-%04x', i * 2654435761 & 4294967295, i & 65535), skewed(3, i, 200), skewed(4, i, 300),
  title(5, i, 2 + pick(6, i, 4)), 1500000000 + i * 3600, 1500000000 + i * 3600 + pick(7, i, 9000000),
  prose(8, i, 200 + skewed(9, i, 12000)), pick(10, i, 2000), chance(11, i) < 0.004, chance(12, i) < 0.03,
  iif(chance(13, i) < 0.004, 1, 0), iif(chance(14, i) < 0.98, 1000000 + i, pick(15, i, 5000))
FROM numbers WHERE i <= 52000;
INSERT INTO attachment
SELECT i, skewed(16, i, 52000), word(i) || '.pdf', iif(i % 3 = 0, 'image/png', 'application/pdf'),
  1000 + pick(17, i, 900000), zeroblob(pick(18, i, 300))
FROM numbers WHERE i <= 14000;
INSERT INTO sync_change (note_uuid, operation, at)
SELECT printf('%08x-%04x', pick(19, i, 52000) * 2654435761 & 4294967295, i & 65535), 'update', 1600000000 + i * 60
FROM numbers WHERE i <= 20000;

-- statement: notes-19
-- fine
-- because: 97 % of 100 MB are wanted

SELECT * FROM note WHERE deleted = 0

-- statement: notes-01
-- is: index-not-covering, wide-rows-for-count
-- because: the count in the navigation bar: the flag lies behind the body of each note
-- run: 1 | 20

SELECT COUNT(*) FROM note WHERE context_id = ? AND deleted = 0

-- best
-- index: note (context_id, deleted)

-- or
-- index: note (context_id) WHERE deleted = 0

-- statement: notes-02
-- is: index-not-covering, sort-without-index
-- because: filter and order from one index
-- run: 2

SELECT "id", "title", "modified" FROM "note" WHERE ("context_id" = ?) AND ("deleted" = 0) ORDER BY "modified" DESC LIMIT 50

-- best
-- index: note (context_id, deleted, modified DESC)

-- or
-- index: note (context_id, deleted, modified)

-- or
-- index: note (context_id, modified) WHERE deleted = 0

-- statement: notes-03
-- is: full-scan, partial-index
-- because: 0.4 % wait for the sync, all of 100 MB is read

SELECT uuid, title, body FROM note WHERE sync_state = 1

-- best
-- index: note (id) WHERE sync_state = 1

-- or
-- index: note (sync_state)

-- statement: notes-04
-- is: full-scan, partial-index
-- because: an inequality is no search term: only a partial index with the same condition helps

SELECT uuid FROM note WHERE sync_state <> 0 ORDER BY id

-- best
-- index: note (id) WHERE sync_state <> 0

-- statement: notes-05
-- fine
-- tolerated: pattern-without-index
-- because: the context's notes are found by index; no index finds a text in the middle
-- run: 100, 'gruta'

SELECT * FROM note WHERE context_id = ?1 AND body LIKE '%' || ?2 || '%'

-- statement: notes-06
-- is: full-scan, pattern-without-index
-- because: LIKE folds ASCII, so its range needs a NOCASE index; a BINARY one is not used for a search

SELECT id, title FROM note WHERE title LIKE 'Bagu%'

-- best
-- index: note (title COLLATE NOCASE)

-- statement: notes-07
-- fine
-- tolerated: pattern-without-index
-- because: no index serves a leading wildcard; a full-text index is another statement

SELECT id, title FROM note WHERE body LIKE '%grutaflo%'

-- statement: notes-08
-- is: full-scan
-- because: a handful of 52,000 carry versions that small
-- run: 100

UPDATE note SET sync_state = 2 WHERE server_version < ? AND sync_state = 0

-- best
-- index: note (server_version)

-- or
-- index: note (sync_state, server_version)

-- statement: notes-09
-- is: large-offset
-- because: 40,000 entries are stepped over for 50; the last row of the page before says where to go on
-- run: 40000

SELECT id, title, created FROM note ORDER BY created DESC LIMIT 50 OFFSET ?

-- best
-- run: 1543203600

SELECT id, title, created FROM note WHERE created < ? ORDER BY created DESC LIMIT 50

-- statement: notes-10
-- fine
-- because: counted over the smallest index

SELECT COUNT(*) FROM note

-- statement: notes-11
-- fine
-- because: a unique index
-- sampled
-- run: '2b80c908-1388'

SELECT * FROM note WHERE uuid = ?

-- statement: notes-12
-- is: automatic-index, full-scan
-- because: the attachments are scanned or indexed anew each time
-- sampled
-- run: 60

SELECT note.id, note.title, SUM(attachment.bytes) FROM note JOIN attachment ON attachment.note_id = note.id
WHERE note.context_id = @context GROUP BY note.id

-- best
-- index: attachment (note_id)

-- or
-- index: attachment (note_id, bytes)

-- statement: notes-13
-- is: index-not-covering
-- because: the end of one range of an index instead of all notes
-- run: 1

SELECT MAX(modified) FROM note WHERE context_id = ?

-- best
-- index: note (context_id, modified)

-- statement: notes-14
-- is: sort-without-index
-- because: the order must come from the index, the filter keeps nearly everything

SELECT id, title, modified FROM note WHERE deleted = 0 ORDER BY pinned DESC, modified DESC LIMIT 30

-- best
-- index: note (pinned, modified) WHERE deleted = 0

-- or
-- index: note (pinned, modified)

-- or
-- index: note (deleted, pinned, modified)

-- statement: notes-15
-- fine
-- because: a sync's upsert, one row
-- run: 'ffff-1', 3, 4, 'Title', 1700000000, 1700000000, 'Body', 1

INSERT INTO note (uuid, context_id, author_id, title, created, modified, body, word_count, pinned, deleted,
  sync_state)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0)
ON CONFLICT (uuid) DO UPDATE SET title = excluded.title, body = excluded.body, modified = excluded.modified

-- statement: notes-16
-- fine
-- because: by rowid
-- run: 1700000000, 777

UPDATE note SET modified = ?, pinned = 1 WHERE id = ?

-- statement: notes-17
-- is: foreign-key-without-index, full-scan
-- because: attachments are searched for children of the deleted note
-- run: 51999

DELETE FROM note WHERE id = ?

-- best
-- index: attachment (note_id)

-- statement: notes-18
-- is: automatic-index, full-scan, subquery-per-row
-- because: 14,000 attachments are scanned for each note
-- run: 150

SELECT n.id, n.title, (SELECT COUNT(*) FROM attachment a WHERE a.note_id = n.id) AS files
FROM note n WHERE n.context_id = ? ORDER BY n.created LIMIT 40

-- best
-- index: attachment (note_id)

-- statement: notes-20
-- is: multiplied-aggregate
-- because: the words of a note count once for each of its attachments
-- run: 60

SELECT context.id, context.name, SUM(note.word_count) AS words, COUNT(attachment.id) AS attachments FROM context
LEFT JOIN note ON note.context_id = context.id LEFT JOIN attachment ON attachment.note_id = note.id
WHERE context.id = ? GROUP BY context.id

-- best
-- index: attachment (note_id)
-- changes results

SELECT context.id, context.name, (SELECT SUM(word_count) FROM note WHERE context_id = context.id) AS words,
(SELECT COUNT(*) FROM note JOIN attachment ON attachment.note_id = note.id WHERE note.context_id = context.id)
AS attachments FROM context WHERE context.id = ?
