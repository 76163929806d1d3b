-- schema: gramps
-- about: A family tree: each person, family, event and place is a document, with some of it in columns, and who refers to what in one \
--   table.
-- origin: Gramps 6.0 (GPL-2.0-or-later, Copyright the Gramps contributors): nine of its tables with their indexes, columns that it adds \
--   later in their place

CREATE TABLE person (
  handle VARCHAR(50) PRIMARY KEY NOT NULL, given_name TEXT, surname TEXT, json_data TEXT, gramps_id TEXT, gender INTEGER, death_ref_index \
INTEGER, birth_ref_index INTEGER, change INTEGER, private INTEGER);
CREATE TABLE family (
  handle VARCHAR(50) PRIMARY KEY NOT NULL, json_data TEXT, gramps_id TEXT, father_handle VARCHAR(50), mother_handle VARCHAR(50), change \
INTEGER, private INTEGER);
CREATE TABLE source (
  handle VARCHAR(50) PRIMARY KEY NOT NULL, json_data TEXT, gramps_id TEXT, title TEXT, author TEXT, pubinfo TEXT, abbrev TEXT, change \
INTEGER, private INTEGER);
CREATE TABLE citation (
  handle VARCHAR(50) PRIMARY KEY NOT NULL, json_data TEXT, gramps_id TEXT, page TEXT, confidence INTEGER, source_handle VARCHAR(50), \
change INTEGER, private INTEGER);
CREATE TABLE event (
  handle VARCHAR(50) PRIMARY KEY NOT NULL, json_data TEXT, gramps_id TEXT, description TEXT, place VARCHAR(50), change INTEGER, private INTEGER);
CREATE TABLE place (
  handle VARCHAR(50) PRIMARY KEY NOT NULL, enclosed_by VARCHAR(50), json_data TEXT, gramps_id TEXT, title TEXT, long TEXT, lat TEXT, code \
TEXT, change INTEGER, private INTEGER);
CREATE TABLE note (handle VARCHAR(50) PRIMARY KEY NOT NULL, json_data TEXT, gramps_id TEXT, format INTEGER, change INTEGER, private INTEGER);
CREATE TABLE reference (obj_handle VARCHAR(50), obj_class TEXT, ref_handle VARCHAR(50), ref_class TEXT);
CREATE TABLE name_group (name VARCHAR(50) PRIMARY KEY NOT NULL, grouping TEXT);
CREATE INDEX person_gramps_id ON person(gramps_id);
CREATE INDEX person_surname ON person(surname);
CREATE INDEX person_given_name ON person(given_name);
CREATE INDEX source_title ON source(title);
CREATE INDEX source_gramps_id ON source(gramps_id);
CREATE INDEX citation_page ON citation(page);
CREATE INDEX citation_gramps_id ON citation(gramps_id);
CREATE INDEX place_title ON place(title);
CREATE INDEX place_enclosed_by ON place(enclosed_by);
CREATE INDEX place_gramps_id ON place(gramps_id);
CREATE INDEX reference_ref_handle ON reference(ref_handle);
CREATE INDEX family_gramps_id ON family(gramps_id);
CREATE INDEX event_gramps_id ON event(gramps_id);
CREATE INDEX note_gramps_id ON note(gramps_id);
CREATE INDEX reference_obj_handle ON reference(obj_handle);

INSERT INTO person
SELECT printf('a5%08x', i * 7919), word(skewed(1, i, 500)), word(iif(chance(2, i) < 0.4, skewed(3, i / 4, 1200), pick(4, i / 4, 1200))),
  '{"_class":"Person","handle":"' || printf('a5%08x', i * 7919) || '","gender":' || (i % 2) || ',"attribute_list":[],"note_text":"' || \
prose(5, i, 100 + pick(6, i, 150)) || '"}', printf('I%05d', i), i % 2,
  iif(chance(7, i) < 0.4, -1, 1), iif(chance(8, i) < 0.06, -1, 0), 1600000000 + pick(9, i, 120000000), chance(10, i) < 0.1
FROM numbers WHERE i <= 12000;
INSERT INTO family
SELECT printf('f7%08x', i * 7919), '{"_class":"Family","type":{"_class":"FamilyRelType","value":' || iif(chance(11, i) < 0.9, 0, 1) || \
'},"note_text":"' || prose(12, i, 500 + pick(13, i, 300)) || '"}', printf('F%05d', i),
  iif(chance(14, i) < 0.04, NULL, printf('a5%08x', (2 * i - 1) * 7919)), iif(chance(15, i) < 0.06, NULL, printf('a5%08x', 2 * i * 7919)), \
1600000000 + pick(16, i, 120000000), 0
FROM numbers WHERE i <= 6000;
INSERT INTO source SELECT printf('50%08x', i * 7919), '{"_class":"Source"}', printf('S%04d', i), title(17, i, 4), title(18, i, 2), '', '', \
1600000000 + i * 9000, 0 FROM numbers WHERE i <= 400;
INSERT INTO citation
SELECT printf('c1%08x', i * 7919), '{"_class":"Citation","note_text":"' || prose(19, i, 120 + pick(20, i, 150)) || '"}', printf('C%05d', \
i), 'p. ' || pick(21, i, 700), skewed(22, i, 5) - 1, printf('50%08x', skewed(23, i, 380) * 7919), 1600000000 + pick(24, i, 120000000), 0
FROM numbers WHERE i <= 14000;
INSERT INTO place
SELECT printf('9c%08x', i * 7919), iif(i = 1, '', printf('9c%08x', iif(i <= 30, 1, iif(i <= 250, 1 + pick(25, i, 29), 30 + pick(26, i, \
220))) * 7919)), '{"_class":"Place"}', printf('P%04d', i), title(27, i, 2), '', '', '', 1600000000 + i, 0
FROM numbers WHERE i <= 2000;
INSERT INTO event
SELECT printf('e0%08x', i * 7919),
  '{"_class":"Event","date":{"_class":"Date","sortval":' || iif(chance(28, i) < 0.15, 0, 2300000 + pick(29, i, 150000)) || \
'},"type":{"_class":"EventType","value":' || (10 + skewed(30, i, 30)) || '},"note_text":"' || prose(31, i, 80 + pick(32, i, 200)) || '"}',
  printf('E%05d', i), iif(chance(33, i) < 0.3, title(34, i, 3), ''), iif(chance(35, i) < 0.25, '', printf('9c%08x', iif(chance(36, i) < \
0.8, skewed(37, i, 2000), pick(38, i, 2000)) * 7919)), 1600000000 + pick(39, i, 120000000), 0
FROM numbers WHERE i <= 28000;
INSERT INTO note SELECT printf('d4%08x', i * 7919), '{"_class":"Note","text":"' || prose(40, i, 100 + pick(41, i, 300)) || '"}', \
printf('N%05d', i), 0, 1600000000 + i * 9000, 0 FROM numbers WHERE i <= 5000;
INSERT INTO reference SELECT handle, 'Family', father_handle, 'Person' FROM family WHERE father_handle IS NOT NULL;
INSERT INTO reference SELECT handle, 'Family', mother_handle, 'Person' FROM family WHERE mother_handle IS NOT NULL;
INSERT INTO reference SELECT printf('f7%08x', i / 4 * 7919), 'Family', printf('a5%08x', i * 7919), 'Person' FROM numbers WHERE i BETWEEN 4 AND 12000;
INSERT INTO reference SELECT printf('a5%08x', i * 7919), 'Person', printf('f7%08x', i / 4 * 7919), 'Family' FROM numbers WHERE i BETWEEN 4 AND 12000;
INSERT INTO reference SELECT printf('a5%08x', (1 + i % 12000) * 7919), 'Person', printf('e0%08x', i * 7919), 'Event' FROM numbers WHERE i <= 28000;
INSERT INTO reference SELECT handle, 'Event', place, 'Place' FROM event WHERE place <> '';
INSERT INTO reference SELECT handle, 'Citation', source_handle, 'Source' FROM citation;
INSERT INTO reference SELECT printf('e0%08x', pick(42, i, 28000) * 7919), 'Event', printf('c1%08x', i * 7919), 'Citation' FROM numbers \
WHERE i <= 14000;
INSERT INTO reference SELECT printf('a5%08x', pick(43, i, 12000) * 7919), 'Person', printf('9c%08x', skewed(44, i, 2000) * 7919), 'Place' \
FROM numbers WHERE i <= 1500;
INSERT INTO reference SELECT printf('a5%08x', pick(45, i, 12000) * 7919), 'Person', printf('d4%08x', pick(46, i, 5000) * 7919), 'Note' \
FROM numbers WHERE i <= 12000;
INSERT INTO name_group SELECT word(i * 3), word(i) FROM numbers WHERE i <= 100;

-- statement: gramps-01
-- is: full-scan, or-without-index
-- because: the families that somebody founded, as father or as mother
-- run: 'a5001e5455' | 'a501e82bb8'

SELECT handle, gramps_id FROM family WHERE father_handle = ?1 OR mother_handle = ?1

-- best
-- index: family (father_handle)
-- index: family (mother_handle)

-- statement: gramps-02
-- is: index-not-covering
-- because: persons and families at a place where much happened: all of its events are read
-- run: '9c00001eef' | '9c00003dde'

SELECT obj_class, obj_handle FROM reference WHERE ref_handle = ? AND obj_class IN ('Person', 'Family')

-- best
-- index: reference (ref_handle, obj_class, obj_handle)

-- or
-- index: reference (ref_handle, obj_class)

-- statement: gramps-03
-- is: automatic-index, full-scan
-- because: all that descend from a man by their fathers: for each, all families are read
-- run: 'a500b59d31'

WITH RECURSIVE descent (handle, generation) AS (
  SELECT ?, 0 UNION SELECT r.ref_handle, d.generation + 1 FROM descent AS d JOIN family AS f ON f.father_handle = d.handle
  JOIN reference AS r ON r.obj_handle = f.handle WHERE r.ref_class = 'Person' AND r.ref_handle <> f.father_handle AND r.ref_handle IS NOT \
f.mother_handle)
SELECT generation, count(*) FROM descent GROUP BY generation

-- best
-- index: family (father_handle)

-- or
-- index: family (father_handle, handle, mother_handle)

-- statement: gramps-04
-- is: expression-index, full-scan, function-on-column, sort-without-index
-- because: the events of a year: each document of all is parsed
-- run: 2378500, 2378865 | 2415021, 2415386

SELECT handle, gramps_id, json_extract(json_data, '$.date.sortval') AS day FROM event
WHERE json_extract(json_data, '$.date.sortval') BETWEEN ? AND ? ORDER BY json_extract(json_data, '$.date.sortval') LIMIT 50

-- best
-- index: event (json_extract(json_data, '$.date.sortval'))

-- statement: gramps-05
-- is: full-scan, partial-index, sort-without-index
-- because: persons without any date, as they were changed last: a fortieth of all

SELECT handle, surname, given_name FROM person WHERE birth_ref_index = -1 AND death_ref_index = -1 ORDER BY change DESC LIMIT 30

-- best
-- index: person (change) WHERE birth_ref_index = -1 AND death_ref_index = -1

-- or
-- index: person (birth_ref_index, death_ref_index, change)

-- or
-- index: person (death_ref_index, birth_ref_index, change)

-- statement: gramps-06
-- is: index-not-covering, join-fan-out, missing-statistics, sort-without-index
-- because: persons that may be the same: each is compared with all of its surname

SELECT a.gramps_id, b.gramps_id FROM person AS a JOIN person AS b ON b.surname = a.surname AND b.given_name = a.given_name AND b.gender = \
a.gender AND b.gramps_id > a.gramps_id
ORDER BY a.gramps_id, b.gramps_id LIMIT 200

-- best
-- index: person (surname, given_name, gender, gramps_id)

-- statement: gramps-07
-- is: automatic-index, full-scan
-- because: how often each source is cited, and when last: SQLite makes an index for each run

SELECT s.gramps_id, s.title, count(c.handle) AS n, max(c.change) FROM source AS s LEFT JOIN citation AS c ON c.source_handle = s.handle \
GROUP BY s.handle ORDER BY n DESC, s.gramps_id

-- best
-- index: citation (source_handle, change)

SELECT s.gramps_id, s.title, coalesce(c.n, 0) AS n, c.newest FROM source AS s
LEFT JOIN (SELECT source_handle, count(*) AS n, max(change) AS newest FROM citation GROUP BY source_handle) AS c ON c.source_handle = \
s.handle ORDER BY n DESC, s.gramps_id

-- or
-- index: citation (source_handle, handle, change)

-- or
-- index: citation (source_handle, change, handle)

-- statement: gramps-08
-- is: full-scan, sort-without-index
-- because: what happened in a region: the places are found by their index, their events aren't
-- run: '9c00074004' | '9c00017334'

WITH RECURSIVE inside (handle) AS (SELECT ? UNION SELECT p.handle FROM inside JOIN place AS p ON p.enclosed_by = inside.handle)
SELECT handle, gramps_id, description FROM event WHERE place IN (SELECT handle FROM inside) AND description <> '' ORDER BY change DESC LIMIT 40

-- best
-- index: event (place, description, change, handle, gramps_id)

-- or
-- index: event (place, description)

-- or
-- index: event (place, change) WHERE description <> ''

-- or
-- index: event (place)

-- statement: gramps-09
-- is: index-not-covering, subquery-per-row
-- because: the largest families: what each refers to is looked up one by one

SELECT f.gramps_id, (SELECT count(*) FROM reference AS r WHERE r.obj_handle = f.handle AND r.ref_class = 'Person') AS n FROM family AS f \
ORDER BY n DESC, f.gramps_id LIMIT 20

-- best
-- index: reference (obj_handle, ref_class)

-- statement: gramps-10
-- fine
-- because: notes that nothing refers to: both sides by their index

SELECT n.handle FROM note AS n LEFT JOIN reference AS r ON r.ref_handle = n.handle WHERE r.ref_handle IS NULL ORDER BY n.handle

-- statement: gramps-11
-- fine
-- tolerated: sort-without-index
-- because: frequent surnames, counted in their index

SELECT surname, count(*) AS n FROM person GROUP BY surname HAVING count(*) >= 100 ORDER BY n DESC

-- statement: gramps-12
-- fine
-- because: what an event refers to, by an index
-- run: 'e0003c6acc'

DELETE FROM reference WHERE obj_handle = ?

-- statement: gramps-13
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: where a place lies, up to its country, by keys
-- run: '9c00305570'

WITH RECURSIVE upwards (handle, level) AS (
  SELECT ?, 0 UNION ALL SELECT p.enclosed_by, u.level + 1 FROM upwards AS u JOIN place AS p ON p.handle = u.handle WHERE p.enclosed_by <> '')
SELECT p.title FROM upwards AS u JOIN place AS p ON p.handle = u.handle ORDER BY u.level

-- statement: gramps-14
-- is: full-scan, index-not-covering, join-order, missing-statistics
-- because: the events that a source tells of for sure: all references are read, and an event and a citation for each
-- run: '500004d558'

SELECT e.gramps_id, e.description FROM event AS e JOIN reference AS r ON r.obj_handle = e.handle JOIN citation AS c ON c.handle = r.ref_handle
WHERE c.source_handle = ? AND c.confidence >= 3

-- best
-- index: citation (source_handle, confidence)

-- or
-- index: citation (source_handle)

-- or
-- change: ANALYZE
