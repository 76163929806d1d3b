-- schema: joplin
-- about: Notes in notebooks, kept by keys of 32 letters: migrations that made the notes anew lost their indexes.
-- origin: Joplin, database version 33 (MIT, Copyright Laurent Cozic): ten of its tables with the indexes that its migrations leave, its \
--   view and its full-text table, of the notes' columns fourteen

CREATE TABLE folders (
  id TEXT PRIMARY KEY, title TEXT NOT NULL DEFAULT "", created_time INT NOT NULL, updated_time INT NOT NULL,
  user_created_time INT NOT NULL DEFAULT 0, user_updated_time INT NOT NULL DEFAULT 0, parent_id TEXT NOT NULL DEFAULT "");
CREATE INDEX folders_title ON folders (title);
CREATE INDEX folders_updated_time ON folders (updated_time);
CREATE INDEX folders_user_updated_time ON folders (user_updated_time);
CREATE TABLE notes (
  id TEXT PRIMARY KEY, parent_id TEXT NOT NULL DEFAULT "", title TEXT NOT NULL DEFAULT "", body TEXT NOT NULL DEFAULT "",
  created_time INT NOT NULL, updated_time INT NOT NULL, is_conflict INT NOT NULL DEFAULT 0, is_todo INT NOT NULL DEFAULT 0,
  todo_due INT NOT NULL DEFAULT 0, todo_completed INT NOT NULL DEFAULT 0, `order` NUMERIC NOT NULL DEFAULT 0,
  user_created_time INT NOT NULL DEFAULT 0, user_updated_time INT NOT NULL DEFAULT 0, encryption_applied INT NOT NULL DEFAULT 0);
CREATE TABLE tags (
  id TEXT PRIMARY KEY, title TEXT NOT NULL DEFAULT "", created_time INT NOT NULL, updated_time INT NOT NULL);
CREATE INDEX tags_title ON tags (title);
CREATE INDEX tags_updated_time ON tags (updated_time);
CREATE TABLE note_tags (
  id TEXT PRIMARY KEY, note_id TEXT NOT NULL, tag_id TEXT NOT NULL, created_time INT NOT NULL, updated_time INT NOT NULL);
CREATE INDEX note_tags_note_id ON note_tags (note_id);
CREATE INDEX note_tags_tag_id ON note_tags (tag_id);
CREATE INDEX note_tags_updated_time ON note_tags (updated_time);
CREATE TABLE note_resources (
  id INTEGER PRIMARY KEY, note_id TEXT NOT NULL, resource_id TEXT NOT NULL, is_associated INT NOT NULL, last_seen_time INT NOT NULL);
CREATE INDEX note_resources_note_id ON note_resources (note_id);
CREATE INDEX note_resources_resource_id ON note_resources (resource_id);
CREATE TABLE item_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT, item_type INT NOT NULL, item_id TEXT NOT NULL, type INT NOT NULL, created_time INT NOT NULL,
  source INT NOT NULL DEFAULT 1, before_change_item TEXT NOT NULL DEFAULT "");
CREATE INDEX item_changes_item_id ON item_changes (item_id);
CREATE INDEX item_changes_created_time ON item_changes (created_time);
CREATE INDEX item_changes_item_type ON item_changes (item_type);
CREATE TABLE sync_items (
  id INTEGER PRIMARY KEY, sync_target INT NOT NULL, sync_time INT NOT NULL DEFAULT 0, item_type INT NOT NULL, item_id TEXT NOT NULL,
  sync_disabled INT NOT NULL DEFAULT "0", sync_disabled_reason TEXT NOT NULL DEFAULT "", force_sync INT NOT NULL DEFAULT 0);
CREATE INDEX sync_items_sync_time ON sync_items (sync_time);
CREATE INDEX sync_items_sync_target ON sync_items (sync_target);
CREATE INDEX sync_items_item_type ON sync_items (item_type);
CREATE INDEX sync_items_item_id ON sync_items (item_id);
CREATE TABLE revisions (
  id TEXT PRIMARY KEY, parent_id TEXT NOT NULL DEFAULT "", item_type INT NOT NULL, item_id TEXT NOT NULL,
  item_updated_time INT NOT NULL, title_diff TEXT NOT NULL DEFAULT "", body_diff TEXT NOT NULL DEFAULT "",
  updated_time INT NOT NULL, created_time INT NOT NULL);
CREATE INDEX revisions_parent_id ON revisions (parent_id);
CREATE INDEX revisions_item_type ON revisions (item_type);
CREATE INDEX revisions_item_id ON revisions (item_id);
CREATE INDEX revisions_item_updated_time ON revisions (item_updated_time);
CREATE INDEX revisions_updated_time ON revisions (updated_time);
CREATE TABLE notes_normalized (id TEXT NOT NULL, title TEXT NOT NULL DEFAULT "", body TEXT NOT NULL DEFAULT "", is_todo INT NOT NULL DEFAULT 0);
CREATE INDEX notes_normalized_id ON notes_normalized (id);
CREATE VIRTUAL TABLE notes_fts USING fts4(
  content="notes_normalized", notindexed="id", notindexed="is_todo", id, title, body, is_todo);
CREATE VIEW tags_with_note_count AS
  SELECT tags.id as id, tags.title as title, tags.created_time as created_time, tags.updated_time as updated_time, COUNT(notes.id) as note_count
  FROM tags LEFT JOIN note_tags nt on nt.tag_id = tags.id LEFT JOIN notes on notes.id = nt.note_id
  WHERE notes.id IS NOT NULL GROUP BY tags.id;

INSERT INTO folders SELECT printf('%032x', i * 7919), title(1, i, 2), 1500000000000, 1500000000000, 0, 1500000000000, '' FROM numbers WHERE i <= 250;
INSERT INTO notes
SELECT printf('%032x', i * 104729), printf('%032x', skewed(2, i, 250) * 7919), title(3, i, 4), prose(4, i, 80 + pick(5, i, 1200)), \
1500000000000 + i * 9000000,
  1500000000000 + i * 9000000 + pick(6, i, 90000000), chance(7, i) < 0.005, chance(8, i) < 0.15, iif(chance(8, i) < 0.03, 1600000000000 + \
pick(9, i, 9000000) * 1000, 0),
  iif(chance(10, i) < 0.5, 1, 0), i, 1500000000000 + i * 9000000, 1500000000000 + i * 9000000 + pick(6, i, 90000000), 0
FROM numbers WHERE i <= 12000;
INSERT INTO tags SELECT printf('%032x', i * 15485863), word(i), 1500000000000, 1500000000000 FROM numbers WHERE i <= 400;
INSERT INTO note_tags SELECT printf('%032x', i * 32452843), printf('%032x', pick(11, i, 12000) * 104729), printf('%032x', skewed(12, i, \
400) * 15485863), 1, 1
FROM numbers WHERE i <= 22000;
INSERT INTO note_resources SELECT i, printf('%032x', pick(13, i, 12000) * 104729), printf('%032x', 1 + i % 9000), chance(14, i) < 0.98, \
1600000000000 + pick(15, i, 900000) * 1000
FROM numbers WHERE i <= 18000;
INSERT INTO item_changes (item_type, item_id, type, created_time) SELECT iif(i % 20 = 0, 4, 1), printf('%032x', pick(16, i, 12000) * \
104729), 2, 1600000000000 + i * 1000
FROM numbers WHERE i <= 30000;
INSERT INTO sync_items SELECT i, iif(i % 9 = 0, 3, 7), 1600000000000 + i, 1, printf('%032x', (1 + i % 12000) * 104729), 0, '', 0 FROM \
numbers WHERE i <= 13300;
INSERT INTO revisions SELECT printf('%032x', i * 49979687), '', 1, printf('%032x', skewed(17, i, 12000) * 104729), 1600000000000 + i * \
60000, '', prose(18, i, 200), 1600000000000 + i * 60000, 1
FROM numbers WHERE i <= 20000;
INSERT INTO notes_normalized SELECT id, lower(title), lower(body), is_todo FROM notes;
INSERT INTO notes_fts (notes_fts) VALUES ('rebuild');

-- statement: joplin-01
-- is: full-scan, sort-without-index
-- because: a notebook: nothing leads from it to its notes
-- run: '00000000000000000000000000043aad' | '00000000000000000000000000038113'

SELECT id, title, is_todo, todo_completed, user_updated_time FROM notes WHERE is_conflict = 0 AND parent_id = ? ORDER BY user_updated_time DESC

-- best
-- index: notes (parent_id, user_updated_time)

-- or
-- index: notes (parent_id)

-- statement: joplin-02
-- fine
-- because: the tags of a note, by two indexes
-- run: '00000000000000000000000000033232'

SELECT t.id, t.title FROM tags t JOIN note_tags nt ON nt.tag_id = t.id WHERE nt.note_id = ? ORDER BY t.title

-- statement: joplin-03
-- is: automatic-index, distinct-without-index, full-scan, index-not-covering, partial-index
-- because: files that no note has: 98 % of the rows are put into a set that 200 are looked up in
-- run: 1600500000000

SELECT DISTINCT resource_id FROM note_resources WHERE is_associated = 0 AND last_seen_time < ?
AND resource_id NOT IN (SELECT DISTINCT resource_id FROM note_resources WHERE is_associated = 1)

-- best
-- index: note_resources (is_associated, resource_id, last_seen_time)

SELECT DISTINCT n.resource_id FROM note_resources n WHERE n.is_associated = 0 AND n.last_seen_time < ?
AND NOT EXISTS (SELECT 1 FROM note_resources o WHERE o.is_associated = 1 AND o.resource_id = n.resource_id)

-- statement: joplin-04
-- is: full-scan, harmful-index, index-not-covering, missing-statistics, sort-without-index
-- because: a note has few revisions and they have an index, but without statistics SQLite walks all by their time
-- run: 1, '00000000000000000000000000ce2599'

SELECT id, title_diff, body_diff FROM revisions WHERE item_type = ? AND item_id = ? ORDER BY item_updated_time DESC LIMIT 1

-- best
-- index: revisions (item_id, item_updated_time)

-- or
-- index: revisions (item_type, item_id)

-- or
-- change: ANALYZE

-- statement: joplin-05
-- fine
-- because: from the words to their notes, each by its key
-- run: 'treflofo'

SELECT n.id, n.title, n.user_updated_time FROM notes_fts f JOIN notes n ON n.id = f.id
WHERE notes_fts MATCH ? ORDER BY n.user_updated_time DESC

-- statement: joplin-06
-- is: full-scan, partial-index, sort-without-index
-- because: alarms to come: 1 % of the notes
-- run: 1604000000000

SELECT id, title, todo_due FROM notes WHERE is_todo = 1 AND todo_completed = 0 AND todo_due > ? ORDER BY todo_due

-- best
-- index: notes (is_todo, todo_completed, todo_due)

-- or
-- index: notes (todo_due)

-- statement: joplin-07
-- is: case-insensitive-without-index, full-scan, pattern-without-index, sort-without-index
-- because: the beginning of a title: LIKE needs an index that ignores case

SELECT id, title, updated_time FROM notes WHERE title LIKE 'Bagru%' ORDER BY updated_time DESC LIMIT 20

-- best
-- index: notes (title COLLATE NOCASE)

-- statement: joplin-08
-- is: automatic-index, full-scan, index-not-covering, sort-without-index
-- because: the oldest hundred that were never sent: all of the target are put into a set, all notes are sorted
-- run: 7

SELECT n.id, n.title FROM notes n WHERE n.encryption_applied = 0 AND n.id NOT IN (
  SELECT s.item_id FROM sync_items s WHERE s.sync_target = ?) ORDER BY n.updated_time LIMIT 100

-- best
-- index: notes (updated_time, encryption_applied, id, title)

-- or
-- index: sync_items (sync_target, item_id)
-- index: notes (updated_time)

-- statement: joplin-09
-- fine
-- because: the index of the type is in order of the key
-- run: 1, 29000

SELECT id, item_id, type FROM item_changes WHERE item_type = ? AND id > ? ORDER BY id LIMIT 50
