-- schema: sourcetrail
-- about: A static analysis of source code: nodes, edges between them, and where each occurs, with the indexes for reading.
-- source: Taken from CoatiSoftware/Sourcetrail, src/lib/data/storage/sqlite/SqliteIndexStorage.cpp.
-- origin: Sourcetrail at 06d64b76 (GPL-3.0, Copyright Coati Software): eleven of its tables with the indexes that it has while it reads
-- superfluous: redundant-index source_location_file_node_id_index
-- superfluous: redundant-index occurrence_element_id_index

CREATE TABLE element(
  id INTEGER, PRIMARY KEY(id));
CREATE TABLE edge(
  id INTEGER NOT NULL, type INTEGER NOT NULL, source_node_id INTEGER NOT NULL, target_node_id INTEGER NOT NULL, PRIMARY KEY(id), FOREIGN \
KEY(id) REFERENCES element(id) ON DELETE CASCADE,
  FOREIGN KEY(source_node_id) REFERENCES node(id) ON DELETE CASCADE, FOREIGN KEY(target_node_id) REFERENCES node(id) ON DELETE CASCADE);
CREATE TABLE node(
  id INTEGER NOT NULL, type INTEGER NOT NULL, serialized_name TEXT, PRIMARY KEY(id), FOREIGN KEY(id) REFERENCES element(id) ON DELETE CASCADE);
CREATE TABLE symbol(
  id INTEGER NOT NULL, definition_kind INTEGER NOT NULL, PRIMARY KEY(id), FOREIGN KEY(id) REFERENCES node(id) ON DELETE CASCADE);
CREATE TABLE file(
  id INTEGER NOT NULL, path TEXT, modification_time TEXT, indexed INTEGER, complete INTEGER, line_count INTEGER, PRIMARY KEY(id), FOREIGN \
KEY(id) REFERENCES node(id) ON DELETE CASCADE);
CREATE TABLE filecontent(
  id INTERGER, content TEXT, FOREIGN KEY(id) REFERENCES file(id) ON DELETE CASCADE ON UPDATE CASCADE);
CREATE TABLE local_symbol(
  id INTEGER NOT NULL, name TEXT, PRIMARY KEY(id), FOREIGN KEY(id) REFERENCES element(id) ON DELETE CASCADE);
CREATE TABLE source_location(
  id INTEGER NOT NULL, file_node_id INTEGER, start_line INTEGER, start_column INTEGER, end_line INTEGER, end_column INTEGER, type INTEGER, \
PRIMARY KEY(id), FOREIGN KEY(file_node_id) REFERENCES node(id) ON DELETE CASCADE);
CREATE TABLE occurrence(
  element_id INTEGER NOT NULL, source_location_id INTEGER NOT NULL, PRIMARY KEY(element_id, source_location_id), FOREIGN KEY(element_id) \
REFERENCES element(id) ON DELETE CASCADE,
  FOREIGN KEY(source_location_id) REFERENCES source_location(id) ON DELETE CASCADE);
CREATE TABLE component_access(
  node_id INTEGER NOT NULL, type INTEGER NOT NULL, PRIMARY KEY(node_id), FOREIGN KEY(node_id) REFERENCES node(id) ON DELETE CASCADE);
CREATE TABLE error(
  id INTEGER NOT NULL, message TEXT, fatal INTEGER NOT NULL, indexed INTEGER NOT NULL, file_path TEXT, line_number INTEGER, column_number \
INTEGER, translation_unit TEXT, PRIMARY KEY(id));
CREATE INDEX node_serialized_name_index ON node(serialized_name);
CREATE INDEX source_location_file_node_id_index ON source_location(file_node_id);
CREATE INDEX source_location_file_node_id_type_index ON source_location(file_node_id, type);
CREATE INDEX occurrence_element_id_index ON occurrence(element_id);
CREATE INDEX occurrence_source_location_id_index ON occurrence(source_location_id);

INSERT INTO element SELECT i FROM numbers WHERE i <= 70000;
INSERT INTO node SELECT i, iif(i <= 500, 262144, CASE skewed(1, i, 6) WHEN 1 THEN 8192 WHEN 2 THEN 4096 WHEN 3 THEN 128 WHEN 4 THEN 2048 \
WHEN 5 THEN 64 ELSE 16 END), iif(i <= 500, '/' || char(9) || 'm/src/' || word(i) || '.cpp', '::' || char(9) || 'm' || word(skewed(2, i, \
60)) || char(9) || 'n' || word(i)) FROM numbers WHERE i <= 16000;
INSERT INTO symbol SELECT id, iif(chance(3, id) < 0.3, 0, iif(chance(4, id) < 0.1, 1, 2)) FROM node WHERE id > 500;
INSERT INTO file SELECT id, '/src/' || word(skewed(5, id, 30)) || '/' || word(id) || '.cpp', datetime(1600000000 + pick(6, id, 40000000), \
'unixepoch'), chance(7, id) < 0.9, chance(8, id) < 0.95, 20 + skewed(9, id, 3000) FROM node WHERE id <= 500;
INSERT INTO filecontent SELECT id, prose(10, id, 2000 + pick(11, id, 9000)) FROM file;
INSERT INTO edge SELECT 16000 + i, CASE skewed(12, i, 7) WHEN 1 THEN 8 WHEN 2 THEN 2 WHEN 3 THEN 4 WHEN 4 THEN 1 WHEN 5 THEN 16 WHEN 6 \
THEN 32 ELSE 64 END, 500 + pick(13, i, 15400), 500 + iif(chance(14, i) < 0.6, skewed(15, i, 15400), pick(16, i, 15400)) FROM numbers WHERE \
i <= 44000;
INSERT INTO local_symbol SELECT 60000 + i, word(skewed(17, i, 490)) || '.cpp<' || pick(18, i, 900) || ':' || pick(19, i, 80) || '>' FROM \
numbers WHERE i <= 10000;
INSERT INTO source_location SELECT i, skewed(20, i, 490), 1 + i % 2900, pick(21, i, 60), 1 + i % 2900 + iif(chance(22, i) < 0.1, pick(23, \
i, 40), 0), 10 + pick(24, i, 70), CASE skewed(25, i, 5) WHEN 1 THEN 0 WHEN 2 THEN 3 WHEN 3 THEN 1 WHEN 4 THEN 2 ELSE 5 END FROM numbers \
WHERE i <= 80000;
INSERT OR IGNORE INTO occurrence SELECT 500 + iif(chance(26, i) < 0.65, 15500 + pick(27, i, 44000), iif(chance(28, i) < 0.5, 59500 + \
pick(29, i, 10000), pick(30, i, 15400))), i FROM numbers WHERE i <= 80000;
INSERT INTO component_access SELECT id, skewed(31, id, 4) FROM node WHERE type IN (8192, 4096) AND chance(32, id) < 0.8;
INSERT INTO error SELECT i, 'no member named ' || word(skewed(33, i, 700)), chance(34, i) < 0.03, chance(35, i) < 0.7, '/src/' || \
word(skewed(5, skewed(36, i, 490), 30)) || '/' || word(skewed(36, i, 490)) || '.cpp', pick(37, i, 2000), pick(38, i, 80), '/src/' || \
word(pick(39, i, 490)) || '.cpp' FROM numbers WHERE i <= 12000;

-- statement: sourcetrail-01
-- is: full-scan
-- because: who calls a function: the index of targets is only there while indexing
-- run: 503 | 700

SELECT id, type, source_node_id, target_node_id FROM edge WHERE target_node_id = ? AND type = 8

-- best
-- index: edge (target_node_id, type, source_node_id)

-- or
-- index: edge (target_node_id, type)

-- or
-- index: edge (target_node_id)

-- statement: sourcetrail-02
-- is: full-scan, or-without-index
-- because: the edges around some nodes, from both sides
-- run: 1500, 4000, 15000

SELECT id, type, source_node_id, target_node_id FROM edge WHERE source_node_id IN (?1, ?2, ?3) OR target_node_id IN (?1, ?2, ?3)

-- best
-- index: edge (source_node_id)
-- index: edge (target_node_id)

-- statement: sourcetrail-03
-- fine
-- tolerated: index-not-covering
-- because: a node by its name, by its index
-- run: '/	m/src/stamu.cpp' | '::	mfogu	nnshuhaje'

SELECT id, type FROM node WHERE serialized_name = ? LIMIT 1

-- statement: sourcetrail-04
-- is: automatic-index, full-scan, group-without-index
-- because: the methods that are called most: an index is made for each run
-- run: 4096

SELECT n.id, n.serialized_name, count(e.id) AS uses FROM node AS n LEFT JOIN edge AS e ON e.target_node_id = n.id AND e.type = 8 WHERE \
n.type = ? GROUP BY n.id ORDER BY uses DESC, n.id LIMIT 25

-- best
-- index: edge (target_node_id, type)

-- or
-- index: edge (type, target_node_id)

-- statement: sourcetrail-05
-- is: automatic-index, full-scan, subquery-per-row
-- because: types that nothing refers to: for each the edges are read

SELECT s.id, n.serialized_name FROM symbol AS s JOIN node AS n ON n.id = s.id WHERE s.definition_kind <> 0 AND n.type = 16 AND NOT EXISTS \
(SELECT 1 FROM edge AS e WHERE e.target_node_id = n.id)

-- best
-- index: edge (target_node_id)

-- or

SELECT s.id, n.serialized_name FROM symbol AS s JOIN node AS n ON n.id = s.id WHERE s.definition_kind <> 0 AND n.type = 16 AND n.id NOT IN \
(SELECT target_node_id FROM edge)

-- statement: sourcetrail-06
-- is: full-scan, index-not-covering
-- because: what is on some lines of a file: all of its locations are read
-- run: 1, 60, 20 | 3, 700, 680

SELECT id, start_line, start_column, end_line, end_column, type FROM source_location WHERE file_node_id = ? AND start_line <= ? AND end_line >= ?

-- best
-- index: source_location (file_node_id, start_line, end_line, start_column, end_column, type)

-- or
-- index: source_location (file_node_id, start_line, end_line)

-- statement: sourcetrail-07
-- fine
-- because: locations of a kind, counted in an index
-- run: 1, 0 | 40, 3

SELECT count(*) FROM source_location WHERE file_node_id = ? AND type = ?

-- statement: sourcetrail-08
-- fine
-- tolerated: sort-without-index
-- because: where an element occurs, by an index and keys
-- run: 30001 | 700

SELECT o.element_id, l.start_line FROM occurrence AS o JOIN source_location AS l ON l.id = o.source_location_id WHERE o.element_id = ? \
ORDER BY l.file_node_id, l.start_line, l.id

-- statement: sourcetrail-09
-- is: full-scan
-- because: whether an error is known: all are read
-- run: 'no member named dice', 0, '/src/fo/x.cpp', 5, 6 | 'no member named bafo', 0, '/src/drice/tugru.cpp', 180, 12

SELECT id FROM error WHERE message = ? AND fatal = ? AND file_path = ? AND line_number = ? AND column_number = ? LIMIT 1

-- best
-- index: error (message, fatal, file_path, line_number, column_number)

-- or
-- index: error (file_path, line_number)

-- or
-- index: error (message, file_path)

-- statement: sourcetrail-10
-- is: automatic-index, full-scan, group-without-index, missing-statistics
-- because: files with most errors: neither side finds the other by path

SELECT f.path, count(*) AS errors, sum(e.fatal) AS fatal FROM file AS f JOIN error AS e ON e.file_path = f.path WHERE f.indexed = 1 GROUP \
BY f.id ORDER BY errors DESC, f.id LIMIT 20

-- best
-- index: error (file_path, fatal)

-- statement: sourcetrail-11
-- is: case-insensitive-without-index, full-scan
-- because: a node whatever the case of its name: the index has another collation
-- run: '/	M/SRC/STAMU.CPP' | '::	mFogu	nNshuhaje'

SELECT id, type, serialized_name FROM node WHERE serialized_name = ? COLLATE NOCASE

-- best
-- index: node (serialized_name COLLATE NOCASE)

-- statement: sourcetrail-12
-- is: full-scan
-- because: a file's text: all texts before it are read, as the column isn't a key
-- run: 400 | 499

SELECT content FROM filecontent WHERE id = ?

-- best
-- index: filecontent (id)

-- statement: sourcetrail-13
-- is: full-scan
-- because: who inherits from or uses a type
-- run: 501, 501 | 600, 600

SELECT n.id, n.serialized_name FROM node AS n WHERE n.id IN (SELECT source_node_id FROM edge WHERE type = 4 AND target_node_id = ? UNION \
SELECT source_node_id FROM edge WHERE type = 2 AND target_node_id = ?)

-- best
-- index: edge (target_node_id, type, source_node_id)

-- or
-- index: edge (target_node_id, type)

-- statement: sourcetrail-14
-- fine
-- because: all nodes, in portions by key
-- run: 0 | 8000

SELECT id, serialized_name FROM node WHERE id > ? ORDER BY id LIMIT 500

-- statement: sourcetrail-15
-- fine
-- tolerated: subquery-per-row
-- because: local symbols that don't occur: one look into an index for each

SELECT l.id, l.name FROM local_symbol AS l WHERE NOT EXISTS (SELECT 1 FROM occurrence AS o WHERE o.element_id = l.id)

-- statement: sourcetrail-16
-- is: full-scan, partial-index
-- because: fatal errors of what isn't indexed: one of a hundred

DELETE FROM error WHERE indexed = 0 AND fatal = 1

-- best
-- index: error (fatal, indexed)

-- or
-- index: error (fatal) WHERE indexed = 0 AND fatal = 1

-- or
-- index: error (indexed) WHERE fatal = 1

-- statement: sourcetrail-17
-- fine
-- because: how some nodes can be accessed, by keys
-- run: 700, 2000, 9000, 15000

SELECT n.id, n.serialized_name, a.type FROM component_access AS a JOIN node AS n ON n.id = a.node_id WHERE a.node_id IN (?, ?, ?, ?)
