-- schema: wordnet
-- about: A lexical dictionary: words, their forms and senses, and how sets of synonyms are related.
-- source: Taken from goodmami/wn, wn/schema.sql.
-- origin: wn at 027ee0d5 (MIT, Copyright Michael Wayne Goodman): twelve of its tables with their indexes
-- superfluous: duplicate-index ili_id_index
-- superfluous: duplicate-index lexicon_specifier_index
-- superfluous: duplicate-index relation_type_index
-- superfluous: duplicate-index ili_status_index
-- superfluous: duplicate-index lexfile_index
-- superfluous: redundant-index entry_id_index
-- superfluous: redundant-index form_entry_index

CREATE TABLE ilis (
  rowid INTEGER PRIMARY KEY, id TEXT NOT NULL, status_rowid INTEGER NOT NULL REFERENCES ili_statuses (rowid), definition TEXT, metadata \
META, UNIQUE (id));
CREATE INDEX ili_id_index ON ilis (id);
CREATE TABLE lexicons (
  rowid INTEGER PRIMARY KEY, specifier TEXT NOT NULL, id TEXT NOT NULL, label TEXT NOT NULL, language TEXT NOT NULL, email TEXT NOT NULL, \
license TEXT NOT NULL, version TEXT NOT NULL, url TEXT, citation TEXT, logo TEXT, metadata META,
  modified BOOLEAN CHECK( modified IN (0, 1) ) DEFAULT 0 NOT NULL, UNIQUE (id, version), UNIQUE (specifier));
CREATE INDEX lexicon_specifier_index ON lexicons (specifier);
CREATE TABLE entries (
  rowid INTEGER PRIMARY KEY, id TEXT NOT NULL, lexicon_rowid INTEGER NOT NULL REFERENCES lexicons (rowid) ON DELETE CASCADE, pos TEXT NOT \
NULL, metadata META, UNIQUE (id, lexicon_rowid));
CREATE INDEX entry_id_index ON entries (id);
CREATE TABLE forms (
  rowid INTEGER PRIMARY KEY, id TEXT, lexicon_rowid INTEGER NOT NULL REFERENCES lexicons(rowid) ON DELETE CASCADE, entry_rowid INTEGER NOT \
NULL REFERENCES entries(rowid) ON DELETE CASCADE, form TEXT NOT NULL, normalized_form TEXT, script TEXT,
  rank INTEGER DEFAULT 1, UNIQUE (entry_rowid, form, script));
CREATE INDEX form_entry_index ON forms (entry_rowid);
CREATE INDEX form_index ON forms (form);
CREATE INDEX form_norm_index ON forms (normalized_form);
CREATE TABLE synsets (
  rowid INTEGER PRIMARY KEY, id TEXT NOT NULL, lexicon_rowid INTEGER NOT NULL REFERENCES lexicons (rowid) ON DELETE CASCADE, ili_rowid \
INTEGER REFERENCES ilis (rowid), pos TEXT, lexfile_rowid INTEGER REFERENCES lexfiles (rowid), metadata META);
CREATE INDEX synset_id_index ON synsets (id);
CREATE INDEX synset_ili_rowid_index ON synsets (ili_rowid);
CREATE TABLE synset_relations (
  rowid INTEGER PRIMARY KEY, lexicon_rowid INTEGER NOT NULL REFERENCES lexicons (rowid) ON DELETE CASCADE, source_rowid INTEGER NOT NULL \
REFERENCES synsets(rowid) ON DELETE CASCADE,
  target_rowid INTEGER NOT NULL REFERENCES synsets(rowid) ON DELETE CASCADE, type_rowid INTEGER NOT NULL REFERENCES relation_types(rowid), \
metadata META);
CREATE INDEX synset_relation_source_index ON synset_relations (source_rowid);
CREATE INDEX synset_relation_target_index ON synset_relations (target_rowid);
CREATE TABLE definitions (
  rowid INTEGER PRIMARY KEY, lexicon_rowid INTEGER NOT NULL REFERENCES lexicons(rowid) ON DELETE CASCADE, synset_rowid INTEGER NOT NULL \
REFERENCES synsets(rowid) ON DELETE CASCADE, definition TEXT, language TEXT,
  sense_rowid INTEGER REFERENCES senses(rowid) ON DELETE SET NULL, metadata META);
CREATE INDEX definition_rowid_index ON definitions (synset_rowid);
CREATE INDEX definition_sense_index ON definitions (sense_rowid);
CREATE TABLE senses (
  rowid INTEGER PRIMARY KEY, id TEXT NOT NULL, lexicon_rowid INTEGER NOT NULL REFERENCES lexicons(rowid) ON DELETE CASCADE, entry_rowid \
INTEGER NOT NULL REFERENCES entries(rowid) ON DELETE CASCADE, entry_rank INTEGER DEFAULT 1,
  synset_rowid INTEGER NOT NULL REFERENCES synsets(rowid) ON DELETE CASCADE, synset_rank INTEGER DEFAULT 1, metadata META);
CREATE INDEX sense_id_index ON senses(id);
CREATE INDEX sense_entry_rowid_index ON senses (entry_rowid);
CREATE INDEX sense_synset_rowid_index ON senses (synset_rowid);
CREATE TABLE counts (
  rowid INTEGER PRIMARY KEY, lexicon_rowid INTEGER NOT NULL REFERENCES lexicons(rowid) ON DELETE CASCADE, sense_rowid INTEGER NOT NULL \
REFERENCES senses(rowid) ON DELETE CASCADE, count INTEGER NOT NULL, metadata META);
CREATE INDEX count_index ON counts(sense_rowid);
CREATE TABLE relation_types (
  rowid INTEGER PRIMARY KEY, type TEXT NOT NULL, UNIQUE (type));
CREATE INDEX relation_type_index ON relation_types (type);
CREATE TABLE ili_statuses (
  rowid INTEGER PRIMARY KEY, status TEXT NOT NULL, UNIQUE (status));
CREATE INDEX ili_status_index ON ili_statuses (status);
CREATE TABLE lexfiles (
  rowid INTEGER PRIMARY KEY, name TEXT NOT NULL, UNIQUE (name));
CREATE INDEX lexfile_index ON lexfiles (name);

INSERT INTO ili_statuses VALUES (1, 'active'), (2, 'deprecated'), (3, 'presupposed');
INSERT INTO relation_types SELECT i, 'r_' || word(i) FROM numbers WHERE i <= 40;
INSERT INTO lexfiles SELECT i, 'noun.' || word(i) FROM numbers WHERE i <= 45;
INSERT INTO lexicons (rowid, specifier, id, label, language, email, license, version) SELECT i, 'l' || word(i) || ':1.0', 'l' || word(i), \
title(1, i, 2), CASE i WHEN 1 THEN 'en' WHEN 2 THEN 'fr' WHEN 3 THEN 'de' WHEN 4 THEN 'en' ELSE word(i) END, '', 'CC-BY', '1.0' FROM \
numbers WHERE i <= 6;
INSERT INTO ilis SELECT i, 'i' || i, iif(chance(2, i) < 0.004, 2, iif(chance(3, i) < 0.1, 3, 1)), prose(4, i, 20 + pick(5, i, 60)), NULL \
FROM numbers WHERE i <= 14000;
INSERT INTO entries SELECT i, 'e' || word(i), skewed(6, i, 6), CASE skewed(7, i, 5) WHEN 1 THEN 'n' WHEN 2 THEN 'v' WHEN 3 THEN 'a' WHEN 4 \
THEN 'r' ELSE 's' END, iif(chance(8, i) < 0.02, '{"note":"' || word(pick(9, i, 300)) || '","confidenceScore":' || (pick(10, i, 100) / \
100.0) || '}', NULL) FROM numbers WHERE i <= 24000;
INSERT INTO forms SELECT rowid, NULL, lexicon_rowid, rowid, iif(chance(11, rowid) < 0.2, upper(substr(word(rowid * 2 / 3), 1, 1)) || \
substr(word(rowid * 2 / 3), 2), word(rowid * 2 / 3)), iif(chance(11, rowid) < 0.2, word(rowid * 2 / 3), NULL), NULL, 0 FROM entries;
INSERT OR IGNORE INTO forms SELECT 24000 + i, NULL, (SELECT lexicon_rowid FROM entries WHERE rowid = 1 + i * 2), 1 + i * 2, word(i * 2) || \
CASE i % 3 WHEN 0 THEN 's' WHEN 1 THEN 'ing' ELSE 'ed' END, NULL, NULL, 1 FROM numbers WHERE i <= 10000;
INSERT INTO synsets SELECT i, 's-' || printf('%06d', i), skewed(12, i, 6), iif(chance(13, i) < 0.1, NULL, pick(14, i, 13900)), CASE \
skewed(15, i, 5) WHEN 1 THEN 'n' WHEN 2 THEN 'v' WHEN 3 THEN 'a' WHEN 4 THEN 'r' ELSE 's' END, skewed(16, i, 44), iif(chance(17, i) < \
0.05, '{"confidenceScore":' || (pick(18, i, 100) / 100.0) || '}', NULL) FROM numbers WHERE i <= 26000;
INSERT INTO senses SELECT i, 'x-' || i, skewed(19, i, 6), pick(20, i, 24000), skewed(21, i, 9), iif(chance(22, i) < 0.5, pick(23, i, \
25500), skewed(24, i, 25500)), skewed(25, i, 7), NULL FROM numbers WHERE i <= 44000;
INSERT INTO synset_relations SELECT i, skewed(26, i, 6), pick(27, i, 26000), iif(chance(28, i) < 0.5, skewed(29, i, 26000), pick(30, i, \
26000)), skewed(31, i, 38), NULL FROM numbers WHERE i <= 60000;
INSERT INTO definitions SELECT i, (SELECT lexicon_rowid FROM synsets WHERE rowid = i), i, prose(32, i, 30 + pick(33, i, 90)), \
iif(chance(34, i) < 0.03, 'en', NULL), iif(chance(35, i) < 0.02, pick(36, i, 44000), NULL), NULL FROM numbers WHERE i <= 26000;
INSERT INTO counts SELECT i, 1, pick(37, i, 44000), skewed(38, i, 3000), NULL FROM numbers WHERE i <= 12000;

-- statement: wordnet-01
-- fine
-- tolerated: distinct-without-index, index-not-covering, or-without-index
-- because: entries by a form, by two indexes
-- run: 'cebrakice' | 'grucemuce'

SELECT DISTINCT e.id, e.pos FROM entries AS e JOIN forms AS f ON f.entry_rowid = e.rowid WHERE f.form = ?1 OR f.normalized_form = ?1

-- statement: wordnet-02
-- is: full-scan, sort-without-index
-- because: rare parts of speech in a small lexicon
-- run: 5, 'r' | 6, 's'

SELECT rowid, id FROM entries WHERE lexicon_rowid = ? AND pos = ? ORDER BY id

-- best
-- index: entries (lexicon_rowid, pos, id)

-- statement: wordnet-03
-- fine
-- tolerated: index-not-covering
-- because: what a synset is related to, by an index and keys
-- run: 100 | 20000

SELECT rt.type, t.id FROM synset_relations AS r JOIN relation_types AS rt ON rt.rowid = r.type_rowid JOIN synsets AS t ON t.rowid = \
r.target_rowid WHERE r.source_rowid = ?

-- statement: wordnet-04
-- is: index-not-covering
-- because: relations of a kind to a general synset: all to it are read
-- run: 1, 3 | 2, 1

SELECT count(*) FROM synset_relations AS r WHERE r.target_rowid = ? AND r.type_rowid = ?

-- best
-- index: synset_relations (target_rowid, type_rowid)

-- or
-- index: synset_relations (type_rowid, target_rowid)

-- statement: wordnet-05
-- is: full-scan, group-without-index, join-order, missing-statistics
-- because: how frequent the kinds of relations are

SELECT rt.type, count(*) AS n FROM synset_relations AS r JOIN relation_types AS rt ON rt.rowid = r.type_rowid GROUP BY rt.type ORDER BY n DESC

-- best
-- index: synset_relations (type_rowid)

SELECT rt.type, r.n FROM (SELECT type_rowid, count(*) AS n FROM synset_relations GROUP BY type_rowid) AS r JOIN relation_types AS rt ON \
rt.rowid = r.type_rowid ORDER BY r.n DESC

-- or
-- index: synset_relations (type_rowid)

-- statement: wordnet-06
-- is: case-insensitive-without-index, full-scan, join-order, pattern-without-index
-- because: nouns that begin with something: the index of forms has another collation
-- run: 'fobra%' | 'quice%'

SELECT f.form, e.id FROM forms AS f JOIN entries AS e ON e.rowid = f.entry_rowid WHERE f.form LIKE ? AND e.pos = 'n'

-- best
-- index: forms (form COLLATE NOCASE, entry_rowid)

-- or
-- index: forms (form COLLATE NOCASE)

-- statement: wordnet-07
-- fine
-- because: forms that begin with something, in the order of their index
-- run: 'fo*' | 'quiba*'

SELECT form FROM forms WHERE form GLOB ? ORDER BY form LIMIT 50

-- statement: wordnet-08
-- is: full-scan, index-not-covering, partial-index, sort-without-index
-- because: synsets of a small lexicon without an interlingual index
-- run: 6

SELECT s.rowid, s.id FROM synsets AS s WHERE s.ili_rowid IS NULL AND s.lexicon_rowid = ? ORDER BY s.id LIMIT 100

-- best
-- index: synsets (lexicon_rowid, id) WHERE ili_rowid IS NULL

-- or
-- index: synsets (lexicon_rowid, ili_rowid, id)

-- or
-- index: synsets (ili_rowid, lexicon_rowid, id)

-- or
-- index: synsets (lexicon_rowid, ili_rowid)

-- statement: wordnet-09
-- is: full-scan, index-not-covering, join-fan-out
-- because: translations between two lexicons
-- run: 5, 6 | 6, 5

SELECT a.id, b.id FROM synsets AS a JOIN synsets AS b ON b.ili_rowid = a.ili_rowid WHERE a.lexicon_rowid = ? AND b.lexicon_rowid = ?

-- best
-- index: synsets (lexicon_rowid, ili_rowid, id)

-- or
-- index: synsets (lexicon_rowid, ili_rowid)

-- statement: wordnet-10
-- is: full-scan, join-order
-- because: deprecated indexes: a few of all

SELECT i.id, i.definition FROM ilis AS i JOIN ili_statuses AS st ON st.rowid = i.status_rowid WHERE st.status = 'deprecated' ORDER BY i.rowid

-- best
-- index: ilis (status_rowid)

-- statement: wordnet-11
-- is: foreign-key-without-index
-- because: a kind of relation goes: all relations are read for it
-- run: 39 | 40

DELETE FROM relation_types WHERE rowid = ?

-- best
-- index: synset_relations (type_rowid)

-- statement: wordnet-12
-- is: repeated-statement
-- because: the definitions of a list of synsets, one by one
-- operation: list definitions
-- run: 507 | 1007 | 1507 | 2007 | 2507 | 3007 | 3507 | 4007 | 4507 | 5007 | 5507 | 6007 | 6507 | 7007 | 7507 | 8007 | 8507 | 9007 | 9507 \
--   | 10007 | 10507 | 11007 | 11507 | 12007 | 12507 | 13007 | 13507 | 14007 | 14507 | 15007 | 15507 | 16007 | 16507 | 17007 | 17507 | 18007 | \
--   18507 | 19007 | 19507 | 20007 | 20507 | 21007 | 21507 | 22007 | 22507 | 23007 | 23507 | 24007 | 24507 | 25007

SELECT definition FROM definitions WHERE synset_rowid = ?

-- best
-- run: '[507, 1007, 1507, 2007, 2507, 3007, 3507, 4007, 4507, 5007, 5507, 6007, 6507, 7007, 7507, 8007, 8507, 9007, 9507, 10007, 10507, \
--   11007, 11507, 12007, 12507, 13007, 13507, 14007, 14507, 15007, 15507, 16007, 16507, 17007, 17507, 18007, 18507, 19007, 19507, 20007, \
--   20507, 21007, 21507, 22007, 22507, 23007, 23507, 24007, 24507, 25007]'

SELECT definition FROM definitions WHERE synset_rowid IN (SELECT value FROM json_each(?))

-- statement: wordnet-13
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: the few senses of a synset, by an index
-- run: 100, 1 | 20000, 1

SELECT s.id FROM senses AS s WHERE s.synset_rowid = ? AND s.lexicon_rowid = ? ORDER BY s.synset_rank, s.rowid

-- statement: wordnet-14
-- fine
-- because: a synset's definition, by indexes
-- run: 's-000100' | 's-020000'

SELECT d.definition FROM definitions AS d JOIN synsets AS s ON s.rowid = d.synset_rowid WHERE s.id = ?

-- statement: wordnet-15
-- fine
-- tolerated: group-without-index, index-not-covering
-- because: what lies above a synset, step by step by an index
-- run: 9000 | 7 | 20111

WITH RECURSIVE up (rowid, depth) AS (SELECT ?, 0 UNION SELECT r.target_rowid, up.depth + 1 FROM up JOIN synset_relations AS r ON \
r.source_rowid = up.rowid WHERE r.type_rowid = 1 AND up.depth < 12) SELECT s.id, min(up.depth) FROM up JOIN synsets AS s ON s.rowid = \
up.rowid GROUP BY s.rowid

-- statement: wordnet-16
-- is: expression-index, full-scan, function-on-column, partial-index, sort-without-index
-- because: synsets that aren't sure: one in two hundred

SELECT id, json_extract(metadata, '$.confidenceScore') AS score FROM synsets WHERE metadata IS NOT NULL AND json_extract(metadata, \
'$.confidenceScore') < 0.1 ORDER BY score, id

-- best
-- index: synsets (json_extract(metadata, '$.confidenceScore'), id)

-- or
-- index: synsets (json_extract(metadata, '$.confidenceScore'))

-- or
-- index: synsets (json_extract(metadata, '$.confidenceScore')) WHERE metadata IS NOT NULL

-- statement: wordnet-17
-- is: full-scan, group-without-index, index-not-covering
-- because: homographs of a lexicon: the index of forms has neither lexicon nor entry
-- run: 1 | 4

SELECT form, count(DISTINCT entry_rowid) AS n FROM forms WHERE lexicon_rowid = ? GROUP BY form HAVING n > 1 ORDER BY n DESC, form LIMIT 50

-- best
-- index: forms (lexicon_rowid, form, entry_rowid)

-- or
-- index: forms (form, lexicon_rowid, entry_rowid)
