-- schema: trilium
-- about: Notes in a tree: keys are texts, what is deleted stays, and a row of indexes was added for speed later.
-- origin: TriliumNext Notes 0.97 (AGPL-3.0, Copyright the TriliumNext contributors): six of its tables with their indexes, without its \
--   search and triggers
-- superfluous: redundant-index IDX_branches_parentNoteId
-- superfluous: redundant-index IDX_attributes_name_value
-- superfluous: redundant-index IDX_attributes_noteId_index
-- superfluous: redundant-index IDX_revisions_noteId
-- superfluous: redundant-index IDX_branches_noteId_parentNoteId

CREATE TABLE entity_changes (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, entityName TEXT NOT NULL, entityId TEXT NOT NULL, hash TEXT NOT NULL, isErased INT NOT NULL,
  changeId TEXT NOT NULL, componentId TEXT NOT NULL, instanceId TEXT NOT NULL, isSynced INTEGER NOT NULL, utcDateChanged TEXT NOT NULL);
CREATE TABLE branches (
  branchId TEXT NOT NULL, noteId TEXT NOT NULL, parentNoteId TEXT NOT NULL, notePosition INTEGER NOT NULL, prefix TEXT,
  isExpanded INTEGER NOT NULL DEFAULT 0, isDeleted INTEGER NOT NULL DEFAULT 0, deleteId TEXT DEFAULT NULL, utcDateModified TEXT NOT NULL,
  PRIMARY KEY(branchId));
CREATE TABLE notes (
  noteId TEXT NOT NULL, title TEXT NOT NULL DEFAULT "note", isProtected INT NOT NULL DEFAULT 0, type TEXT NOT NULL DEFAULT 'text',
  mime TEXT NOT NULL DEFAULT 'text/html', blobId TEXT DEFAULT NULL, isDeleted INT NOT NULL DEFAULT 0, deleteId TEXT DEFAULT NULL,
  dateCreated TEXT NOT NULL, dateModified TEXT NOT NULL, utcDateCreated TEXT NOT NULL, utcDateModified TEXT NOT NULL, PRIMARY KEY(noteId));
CREATE TABLE revisions (
  revisionId TEXT NOT NULL PRIMARY KEY, noteId TEXT NOT NULL, type TEXT DEFAULT '' NOT NULL, mime TEXT DEFAULT '' NOT NULL, title TEXT NOT NULL,
  isProtected INT NOT NULL DEFAULT 0, blobId TEXT DEFAULT NULL, utcDateLastEdited TEXT NOT NULL, utcDateCreated TEXT NOT NULL,
  utcDateModified TEXT NOT NULL, dateLastEdited TEXT NOT NULL, dateCreated TEXT NOT NULL);
CREATE TABLE attributes (
  attributeId TEXT not null primary key, noteId TEXT not null, type TEXT not null, name TEXT not null, value TEXT default '' not null,
  position INT default 0 not null, utcDateModified TEXT not null, isDeleted INT not null, deleteId TEXT DEFAULT NULL, isInheritable int \
DEFAULT 0 NULL);
CREATE TABLE blobs (
  blobId TEXT NOT NULL, content TEXT NULL DEFAULT NULL, dateModified TEXT NOT NULL, utcDateModified TEXT NOT NULL, PRIMARY KEY(blobId));
CREATE UNIQUE INDEX IDX_entityChanges_entityName_entityId ON entity_changes (entityName, entityId);
CREATE INDEX IDX_branches_noteId_parentNoteId ON branches (noteId, parentNoteId);
CREATE INDEX IDX_branches_parentNoteId ON branches (parentNoteId);
CREATE INDEX IDX_notes_title ON notes (title);
CREATE INDEX IDX_notes_type ON notes (type);
CREATE INDEX IDX_notes_dateCreated ON notes (dateCreated);
CREATE INDEX IDX_notes_dateModified ON notes (dateModified);
CREATE INDEX IDX_notes_utcDateModified ON notes (utcDateModified);
CREATE INDEX IDX_notes_utcDateCreated ON notes (utcDateCreated);
CREATE INDEX IDX_revisions_noteId ON revisions (noteId);
CREATE INDEX IDX_revisions_utcDateCreated ON revisions (utcDateCreated);
CREATE INDEX IDX_revisions_utcDateLastEdited ON revisions (utcDateLastEdited);
CREATE INDEX IDX_revisions_dateCreated ON revisions (dateCreated);
CREATE INDEX IDX_revisions_dateLastEdited ON revisions (dateLastEdited);
CREATE INDEX IDX_entity_changes_changeId ON entity_changes (changeId);
CREATE INDEX IDX_attributes_name_value on attributes (name, value);
CREATE INDEX IDX_attributes_noteId_index on attributes (noteId);
CREATE INDEX IDX_attributes_value_index on attributes (value);
CREATE INDEX IDX_notes_blobId on notes (blobId);
CREATE INDEX IDX_revisions_blobId on revisions (blobId);
CREATE INDEX IDX_notes_search_composite ON notes (isDeleted, type, mime, dateModified DESC);
CREATE INDEX IDX_notes_metadata_covering ON notes (noteId, isDeleted, type, mime, title, dateModified, isProtected);
CREATE INDEX IDX_notes_protected_deleted ON notes (isProtected, isDeleted) WHERE isProtected = 1;
CREATE INDEX IDX_branches_tree_traversal ON branches (parentNoteId, isDeleted, notePosition);
CREATE INDEX IDX_branches_covering ON branches (noteId, parentNoteId, isDeleted, notePosition, prefix);
CREATE INDEX IDX_branches_note_parents ON branches (noteId, isDeleted) WHERE isDeleted = 0;
CREATE INDEX IDX_attributes_search_composite ON attributes (name, value, isDeleted);
CREATE INDEX IDX_attributes_covering ON attributes (noteId, name, value, type, isDeleted, position);
CREATE INDEX IDX_attributes_inheritable ON attributes (isInheritable, isDeleted) WHERE isInheritable = 1 AND isDeleted = 0;
CREATE INDEX IDX_attributes_labels ON attributes (type, name, value) WHERE type = 'label' AND isDeleted = 0;
CREATE INDEX IDX_attributes_relations ON attributes (type, name, value) WHERE type = 'relation' AND isDeleted = 0;
CREATE INDEX IDX_blobs_content_size ON blobs (blobId, LENGTH(content));
CREATE INDEX IDX_revisions_note_date ON revisions (noteId, utcDateCreated DESC);
CREATE INDEX IDX_entity_changes_sync ON entity_changes (isSynced, utcDateChanged);
CREATE INDEX IDX_entity_changes_component ON entity_changes (componentId, utcDateChanged DESC);

INSERT INTO notes
SELECT 'n' || word(i) || i, title(1, i, 4), chance(2, i) < 0.01, CASE skewed(3, i, 6) WHEN 1 THEN 'text' WHEN 2 THEN 'code' WHEN 3 THEN \
'image' ELSE 'file' END,
  'text/html', 'b' || i, chance(4, i) < 0.05, iif(chance(4, i) < 0.05, 'd' || (i / 60), NULL), datetime(1600000000 + i * 9000, 'unixepoch'),
  datetime(1650000000 + pick(5, i, 50000000), 'unixepoch'), datetime(1600000000 + i * 9000, 'unixepoch'), datetime(1650000000 + pick(5, i, \
50000000), 'unixepoch')
FROM numbers WHERE i <= 7000;
INSERT INTO branches
SELECT 'r' || i, 'n' || word(i) || i, iif(i <= 20, 'root', 'n' || word(1 + skewed(6, i, i - 1) % i) || (1 + skewed(6, i, i - 1) % i)), i * \
10, NULL, 0, chance(4, i) < 0.05,
  iif(chance(4, i) < 0.05, 'd' || (i / 60), NULL), datetime(1650000000 + i * 500, 'unixepoch') FROM numbers WHERE i <= 7000;
INSERT INTO blobs SELECT 'b' || i, prose(7, i, 300), datetime(1650000000 + i * 5000, 'unixepoch'), datetime(1650000000 + i * 5000, \
'unixepoch') FROM numbers WHERE i <= 7600;
INSERT INTO revisions
SELECT 'v' || i || word(i), 'n' || word(1 + skewed(8, i, 6999)) || (1 + skewed(8, i, 6999)), 'text', 'text/html', title(9, i, 4), 0, 'b' \
|| pick(10, i, 7500),
  datetime(1620000000 + i * 6000, 'unixepoch'), datetime(1620000000 + i * 6000, 'unixepoch'), datetime(1620000000 + i * 6000, 'unixepoch'),
  datetime(1620000000 + i * 6000, 'unixepoch'), datetime(1620000000 + i * 6000, 'unixepoch') FROM numbers WHERE i <= 9000;
INSERT INTO attributes
SELECT 'a' || i, 'n' || word(1 + i % 7000) || (1 + i % 7000), iif(i % 5 = 0, 'relation', 'label'),
  CASE skewed(11, i, 40) WHEN 1 THEN 'tag' WHEN 2 THEN 'archived' ELSE word(skewed(11, i, 40)) END, word(skewed(12, i, 3000)), i / 7000 * 10,
  datetime(1650000000 + i * 3000, 'unixepoch'), chance(13, i) < 0.05, iif(chance(13, i) < 0.05, 'd' || (i / 60), NULL), chance(14, i) < 0.02
FROM numbers WHERE i <= 14000;
INSERT INTO entity_changes
SELECT i, CASE i % 4 WHEN 0 THEN 'notes' WHEN 1 THEN 'branches' WHEN 2 THEN 'attributes' ELSE 'blobs' END, 'e' || i, printf('%010x', i * \
7919), 0, 'c' || i,
  'comp' || skewed(15, i, 90), 'inst' || skewed(16, i, 4), chance(17, i) < 0.97, datetime(1650000000 + i * 700, 'unixepoch')
FROM numbers WHERE i <= 16000;

-- statement: trilium-01
-- fine
-- tolerated: index-not-covering
-- because: the children of a note in their order, by an index made for it
-- run: 'root'

SELECT n.noteId, n.title, n.type FROM branches b JOIN notes n ON n.noteId = b.noteId WHERE b.parentNoteId = ? AND b.isDeleted = 0 ORDER BY \
b.notePosition

-- statement: trilium-02
-- is: harmful-index, index-not-covering, missing-statistics, partial-index, sort-without-index
-- because: what changed last: an index of what isn't deleted finds nearly all, which are sorted

SELECT noteId, title, utcDateModified FROM notes WHERE isDeleted = 0 ORDER BY utcDateModified DESC LIMIT 50

-- best
-- index: notes (isDeleted, utcDateModified)

-- or

SELECT noteId, title, utcDateModified FROM notes WHERE +isDeleted = 0 ORDER BY utcDateModified DESC LIMIT 50

-- statement: trilium-03
-- fine
-- tolerated: index-not-covering
-- because: what is below a note, by an index
-- run: 'nbracece149'

WITH RECURSIVE tree (noteId, depth) AS (
  SELECT ?, 0 UNION ALL SELECT b.noteId, tree.depth + 1 FROM tree JOIN branches b ON b.parentNoteId = tree.noteId WHERE b.isDeleted = 0 \
AND tree.depth < 3)
SELECT count(*), max(depth) FROM tree

-- statement: trilium-04
-- is: case-insensitive-without-index, index-not-covering, pattern-without-index
-- because: labels by the beginning of their value: all of that name are read
-- run: 'tag', 'vac' | 'archived', 'gu'

SELECT noteId, value FROM attributes WHERE isDeleted = 0 AND type = 'label' AND name = ? AND value LIKE ? || '%'

-- best
-- index: attributes (name, value COLLATE NOCASE)

SELECT noteId, value FROM attributes WHERE isDeleted = 0 AND type = 'label' AND name = ?1
AND value COLLATE NOCASE >= ?2 AND value COLLATE NOCASE < ?2 || char(1114111) AND value LIKE ?2 || '%'

-- statement: trilium-05
-- is: harmful-index, index-not-covering, missing-statistics, partial-index, sort-without-index
-- because: what another instance hasn't yet: nearly all is found by an index, and sorted by its number
-- run: 15000 | 12500

SELECT * FROM entity_changes WHERE isSynced = 1 AND id > ? ORDER BY id LIMIT 200

-- best

SELECT * FROM entity_changes WHERE +isSynced = 1 AND id > ? ORDER BY id LIMIT 200

-- or
-- index: entity_changes (isSynced)

-- statement: trilium-06
-- is: full-scan, partial-index
-- because: what was deleted together, to put it back
-- run: 'd12' | 'd77'

SELECT branchId, noteId, parentNoteId FROM branches WHERE isDeleted = 1 AND deleteId = ?

-- best
-- index: branches (deleteId)

-- statement: trilium-07
-- is: full-scan, group-without-index, index-not-covering, sort-without-index
-- because: the last revisions, one of each note: all are numbered

SELECT noteId, title, utcDateCreated FROM (
  SELECT noteId, title, utcDateCreated, row_number() OVER (PARTITION BY noteId ORDER BY utcDateCreated DESC) AS n FROM revisions)
WHERE n = 1 ORDER BY utcDateCreated DESC LIMIT 20

-- best

SELECT noteId, title, utcDateCreated FROM revisions r
WHERE NOT EXISTS (SELECT 1 FROM revisions x WHERE x.noteId = r.noteId AND x.utcDateCreated > r.utcDateCreated)
ORDER BY utcDateCreated DESC LIMIT 20

-- or
-- index: revisions (noteId, utcDateCreated DESC, title)

-- statement: trilium-08
-- fine
-- because: the revisions of a note by their index
-- run: 'nceguce160'

SELECT revisionId, title, utcDateCreated FROM revisions WHERE noteId = ? ORDER BY utcDateCreated DESC

-- statement: trilium-09
-- is: expression-index, function-on-column, index-not-covering
-- because: a note by its title, whatever its case
-- run: 'WESO WERIMU clefo baxi'

SELECT n.noteId, n.title FROM notes n WHERE n.isDeleted = 0 AND lower(n.title) = lower(?)

-- best
-- index: notes (lower(title))
