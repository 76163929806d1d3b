-- schema: taskchampion
-- about: Tasks as documents, and the log of all operations on them, from which they are made and synchronised.
-- origin: TaskChampion 2.0, the storage of Taskwarrior 3 (MIT, Copyright the TaskChampion contributors): its four tables with their indexes

CREATE TABLE operations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, data STRING,
  uuid GENERATED ALWAYS AS (coalesce(json_extract(data, '$.Update.uuid'), json_extract(data, '$.Create.uuid'), json_extract(data, \
'$.Delete.uuid'))) VIRTUAL, synced bool DEFAULT false);
CREATE TABLE sync_meta (key STRING PRIMARY KEY, value STRING);
CREATE TABLE tasks (uuid STRING PRIMARY KEY, data STRING);
CREATE TABLE working_set (id INTEGER PRIMARY KEY, uuid STRING);
CREATE INDEX operations_by_uuid ON operations (uuid);
CREATE INDEX operations_by_synced ON operations (synced);

INSERT INTO tasks
SELECT printf('%08x-1c2d-4e3f-8a4b-%012x', i * 7919, i),
  '{"description":"' || title(1, i, 4) || '","status":"' || CASE WHEN chance(2, i) < 0.9 THEN 'completed' WHEN chance(3, i) < 0.55 THEN \
'pending' WHEN chance(3, i) < 0.6 THEN 'waiting' WHEN chance(3, i) < 0.63 THEN 'recurring' ELSE 'deleted' END
  || '","entry":"' || (1600000000 + i * 9000) || '","modified":"' || (1600000000 + i * 9000 + pick(4, i, 9000000)) || '"' || iif(chance(5, \
i) < 0.6, ',"project":"' || word(skewed(6, i, 300)) || iif(chance(7, i) < 0.4, '.' || word(skewed(8, i, 40)), '') || '"', '')
  || iif(chance(9, i) < 0.3, ',"due":"' || (1600000000 + i * 9000 + pick(10, i, 20000000)) || '"', '') || iif(chance(11, i) < 0.4, \
',"tag_' || word(skewed(12, i, 60)) || '":"x"', '')
  || iif(chance(13, i) < 0.1 AND i > 50, ',"dep_' || printf('%08x-1c2d-4e3f-8a4b-%012x', (i - skewed(14, i, 49)) * 7919, i - skewed(14, i, \
49)) || '":"x"', '') || iif(chance(15, i) < 0.2, ',"annotation_' || (1600000000 + i * 9000) || '":"' || prose(16, i, 120) || '"', '') || '}'
FROM numbers WHERE i <= 14000;
INSERT INTO operations (data, synced)
SELECT CASE WHEN chance(20, i) < 0.12 THEN '{"Create":{"uuid":"' || printf('%08x-1c2d-4e3f-8a4b-%012x', (1 + i / 4) * 7919, 1 + i / 4) || \
'"}}' WHEN chance(20, i) < 0.17 THEN '"UndoPoint"' WHEN chance(20, i) < 0.175 THEN
  '{"Delete":{"uuid":"' || printf('%08x-1c2d-4e3f-8a4b-%012x', (20000 + i) * 7919, i) || '","old_task":{"status":"pending"}}}'
  ELSE '{"Update":{"uuid":"' || printf('%08x-1c2d-4e3f-8a4b-%012x', iif(chance(21, i) < 0.3, skewed(22, i, 4000), 1 + i / 4) * 7919, \
iif(chance(21, i) < 0.3, skewed(22, i, 4000), 1 + i / 4)) || '","property":"' || CASE skewed(23, i, 9) WHEN 1 THEN 'modified' WHEN 2 THEN \
'status' WHEN 3 THEN 'description' WHEN 4 THEN 'project' WHEN 5 THEN 'due' WHEN 6 THEN 'start' WHEN 7 THEN 'end' ELSE 'wait' END
    || '","old_value":null,"value":"' || iif(skewed(23, i, 9) = 2, iif(chance(24, i) < 0.02, 'recurring', 'completed'), title(25, i, 3)) \
|| '","timestamp":"' || strftime('%Y-%m-%dT%H:%M:%SZ', 1600000000 + i * 2200, 'unixepoch') || '"}}' END,
  i <= 47800 OR chance(26, i) < 0.1
FROM numbers WHERE i <= 48000;
INSERT INTO working_set SELECT row_number() OVER (ORDER BY rowid), uuid FROM tasks WHERE (json_extract(data, '$.status') = 'pending' AND \
rowid % 10 <> 3) OR rowid % 700 = 5;
INSERT INTO sync_meta VALUES ('base_version', '0f0e0d0c'), ('added', '');

-- statement: taskchampion-01
-- is: expression-index, full-scan, function-on-column, partial-index
-- because: what isn't synchronised: NOT doesn't use the index, a comparison does

SELECT count(*) FROM operations WHERE NOT synced

-- best

SELECT count(*) FROM operations WHERE synced = 0

-- statement: taskchampion-02
-- is: expression-index, full-scan, pattern-without-index
-- because: the tasks that wait: looked for in the text of all documents

SELECT uuid, data FROM tasks WHERE data LIKE '%"status":"waiting"%'

-- best
-- index: tasks (json_extract(data, '$.status'))

SELECT uuid, data FROM tasks WHERE json_extract(data, '$.status') = 'waiting'

-- statement: taskchampion-03
-- is: expression-index, full-scan, function-on-column, partial-index, sort-without-index
-- because: what is due in some weeks: each document is parsed
-- run: 1690000000, 1696000000

SELECT uuid, json_extract(data, '$.description') AS description, json_extract(data, '$.due') AS due FROM tasks
WHERE json_extract(data, '$.status') = 'pending' AND CAST(json_extract(data, '$.due') AS INTEGER) BETWEEN ? AND ? ORDER BY \
CAST(json_extract(data, '$.due') AS INTEGER) LIMIT 25

-- best
-- index: tasks (json_extract(data, '$.status'), CAST(json_extract(data, '$.due') AS INTEGER))

-- or
-- index: tasks (CAST(json_extract(data, '$.due') AS INTEGER)) WHERE json_extract(data, '$.status') = 'pending'

-- statement: taskchampion-04
-- is: expression-index, full-scan, function-on-column
-- because: when tasks became recurring: the log is parsed
-- run: 'recurring'

SELECT id, uuid FROM operations WHERE json_extract(data, '$.Update.property') = 'status' AND json_extract(data, '$.Update.value') = ? ORDER BY id

-- best
-- index: operations (json_extract(data, '$.Update.value'), json_extract(data, '$.Update.property'))

-- or
-- index: operations (json_extract(data, '$.Update.property'), json_extract(data, '$.Update.value'))

-- statement: taskchampion-05
-- is: automatic-index, full-scan, subquery-per-row
-- because: what is done but still numbered: the numbers are read for each task

SELECT t.uuid FROM tasks AS t WHERE json_extract(t.data, '$.status') IN ('completed', 'deleted') AND EXISTS (SELECT 1 FROM working_set AS \
w WHERE w.uuid = t.uuid)

-- best
-- index: working_set (uuid)

-- or

SELECT t.uuid FROM tasks AS t WHERE t.uuid IN (SELECT w.uuid FROM working_set AS w) AND json_extract(t.data, '$.status') IN ('completed', 'deleted')

-- statement: taskchampion-06
-- is: full-scan, wide-rows-for-count
-- because: both ends of the log at once: it is read from one to the other

SELECT min(id), max(id) FROM operations

-- best

SELECT (SELECT min(id) FROM operations), (SELECT max(id) FROM operations)

-- statement: taskchampion-07
-- is: large-offset
-- because: a page of the log by counting rows
-- run: 20000 | 44000

SELECT id, data FROM operations ORDER BY id LIMIT 100 OFFSET ?

-- best
-- run: 20000 | 44000

SELECT id, data FROM operations WHERE id > ? ORDER BY id LIMIT 100

-- statement: taskchampion-08
-- is: automatic-index, full-scan, subquery-per-row, type-mismatch
-- because: how often tasks were changed: STRING is a numeric type, so that the index of the other column, which has none, can't be used
-- run: 40

SELECT t.uuid, (SELECT count(*) FROM operations AS o WHERE o.uuid = t.uuid) AS n FROM tasks AS t WHERE t.uuid IN (SELECT w.uuid FROM \
working_set AS w WHERE w.id <= ?) ORDER BY n DESC, t.uuid LIMIT 20

-- best

SELECT t.uuid, (SELECT count(*) FROM operations AS o WHERE o.uuid = CAST(t.uuid AS TEXT)) AS n FROM tasks AS t WHERE t.uuid IN (SELECT \
w.uuid FROM working_set AS w WHERE w.id <= ?) ORDER BY n DESC, t.uuid LIMIT 20

-- or

SELECT t.uuid, (SELECT count(*) FROM operations AS o WHERE o.uuid = +t.uuid) AS n FROM tasks AS t WHERE t.uuid IN (SELECT w.uuid FROM \
working_set AS w WHERE w.id <= ?) ORDER BY n DESC, t.uuid LIMIT 20

-- statement: taskchampion-10
-- is: repeated-statement
-- because: each task of a report is asked for on its own
-- operation: task next
-- run: '00259459-1c2d-4e3f-8a4b-000000000137' | '004b28b2-1c2d-4e3f-8a4b-00000000026e' | '0070bd0b-1c2d-4e3f-8a4b-0000000003a5' | \
--   '00965164-1c2d-4e3f-8a4b-0000000004dc' | '00bbe5bd-1c2d-4e3f-8a4b-000000000613' | '00e17a16-1c2d-4e3f-8a4b-00000000074a' | \
--   '01070e6f-1c2d-4e3f-8a4b-000000000881' | '012ca2c8-1c2d-4e3f-8a4b-0000000009b8' | '01523721-1c2d-4e3f-8a4b-000000000aef' | \
--   '0177cb7a-1c2d-4e3f-8a4b-000000000c26' | '019d5fd3-1c2d-4e3f-8a4b-000000000d5d' | '01c2f42c-1c2d-4e3f-8a4b-000000000e94' | \
--   '01e88885-1c2d-4e3f-8a4b-000000000fcb' | '020e1cde-1c2d-4e3f-8a4b-000000001102' | '0233b137-1c2d-4e3f-8a4b-000000001239' | \
--   '02594590-1c2d-4e3f-8a4b-000000001370' | '027ed9e9-1c2d-4e3f-8a4b-0000000014a7' | '02a46e42-1c2d-4e3f-8a4b-0000000015de' | \
--   '02ca029b-1c2d-4e3f-8a4b-000000001715' | '02ef96f4-1c2d-4e3f-8a4b-00000000184c' | '03152b4d-1c2d-4e3f-8a4b-000000001983' | \
--   '033abfa6-1c2d-4e3f-8a4b-000000001aba' | '036053ff-1c2d-4e3f-8a4b-000000001bf1' | '0385e858-1c2d-4e3f-8a4b-000000001d28' | \
--   '03ab7cb1-1c2d-4e3f-8a4b-000000001e5f' | '03d1110a-1c2d-4e3f-8a4b-000000001f96' | '03f6a563-1c2d-4e3f-8a4b-0000000020cd' | \
--   '041c39bc-1c2d-4e3f-8a4b-000000002204' | '0441ce15-1c2d-4e3f-8a4b-00000000233b' | '0467626e-1c2d-4e3f-8a4b-000000002472' | \
--   '048cf6c7-1c2d-4e3f-8a4b-0000000025a9' | '04b28b20-1c2d-4e3f-8a4b-0000000026e0' | '04d81f79-1c2d-4e3f-8a4b-000000002817' | \
--   '04fdb3d2-1c2d-4e3f-8a4b-00000000294e' | '0523482b-1c2d-4e3f-8a4b-000000002a85' | '0548dc84-1c2d-4e3f-8a4b-000000002bbc' | \
--   '056e70dd-1c2d-4e3f-8a4b-000000002cf3' | '05940536-1c2d-4e3f-8a4b-000000002e2a' | '05b9998f-1c2d-4e3f-8a4b-000000002f61' | \
--   '05df2de8-1c2d-4e3f-8a4b-000000003098'

SELECT data FROM tasks WHERE uuid = ?

-- best
-- run: '["00259459-1c2d-4e3f-8a4b-000000000137","004b28b2-1c2d-4e3f-8a4b-00000000026e","0070bd0b-1c2d-4e3f-8a4b-0000000003a5",\
--   "00965164-1c2d-4e3f-8a4b-0000000004dc","00bbe5bd-1c2d-4e3f-8a4b-000000000613","00e17a16-1c2d-4e3f-8a4b-00000000074a",\
--   "01070e6f-1c2d-4e3f-8a4b-000000000881","012ca2c8-1c2d-4e3f-8a4b-0000000009b8","01523721-1c2d-4e3f-8a4b-000000000aef",\
--   "0177cb7a-1c2d-4e3f-8a4b-000000000c26","019d5fd3-1c2d-4e3f-8a4b-000000000d5d","01c2f42c-1c2d-4e3f-8a4b-000000000e94",\
--   "01e88885-1c2d-4e3f-8a4b-000000000fcb","020e1cde-1c2d-4e3f-8a4b-000000001102","0233b137-1c2d-4e3f-8a4b-000000001239",\
--   "02594590-1c2d-4e3f-8a4b-000000001370","027ed9e9-1c2d-4e3f-8a4b-0000000014a7","02a46e42-1c2d-4e3f-8a4b-0000000015de",\
--   "02ca029b-1c2d-4e3f-8a4b-000000001715","02ef96f4-1c2d-4e3f-8a4b-00000000184c","03152b4d-1c2d-4e3f-8a4b-000000001983",\
--   "033abfa6-1c2d-4e3f-8a4b-000000001aba","036053ff-1c2d-4e3f-8a4b-000000001bf1","0385e858-1c2d-4e3f-8a4b-000000001d28",\
--   "03ab7cb1-1c2d-4e3f-8a4b-000000001e5f","03d1110a-1c2d-4e3f-8a4b-000000001f96","03f6a563-1c2d-4e3f-8a4b-0000000020cd",\
--   "041c39bc-1c2d-4e3f-8a4b-000000002204","0441ce15-1c2d-4e3f-8a4b-00000000233b","0467626e-1c2d-4e3f-8a4b-000000002472",\
--   "048cf6c7-1c2d-4e3f-8a4b-0000000025a9","04b28b20-1c2d-4e3f-8a4b-0000000026e0","04d81f79-1c2d-4e3f-8a4b-000000002817",\
--   "04fdb3d2-1c2d-4e3f-8a4b-00000000294e","0523482b-1c2d-4e3f-8a4b-000000002a85","0548dc84-1c2d-4e3f-8a4b-000000002bbc",\
--   "056e70dd-1c2d-4e3f-8a4b-000000002cf3","05940536-1c2d-4e3f-8a4b-000000002e2a","05b9998f-1c2d-4e3f-8a4b-000000002f61",\
--   "05df2de8-1c2d-4e3f-8a4b-000000003098"]'

SELECT data FROM tasks WHERE uuid IN (SELECT value FROM json_each(?))

-- statement: taskchampion-11
-- fine
-- tolerated: index-not-covering
-- because: a task's operations by their index
-- run: '006cc03c-1c2d-4e3f-8a4b-000000000384'

SELECT data FROM operations WHERE uuid = ? ORDER BY id ASC

-- statement: taskchampion-12
-- fine
-- because: all numbered tasks, by their key

SELECT w.id, t.data FROM working_set AS w JOIN tasks AS t ON t.uuid = w.uuid ORDER BY w.id

-- statement: taskchampion-13
-- fine
-- because: the few that weren't synchronised are found by an index

UPDATE operations SET synced = true WHERE synced = false

-- statement: taskchampion-14
-- fine
-- tolerated: function-on-column, group-without-index, sort-without-index
-- because: how often each tag is used: tags are keys of the documents, which must all be read

SELECT substr(j.key, 5) AS tag, count(*) AS n FROM tasks AS t, json_each(t.data) AS j WHERE j.key GLOB 'tag_*' GROUP BY tag ORDER BY n DESC, tag

-- statement: taskchampion-15
-- fine
-- tolerated: function-on-column
-- because: what a task waits for, by keys
-- run: '043f8258-1c2d-4e3f-8a4b-000000002328'

WITH RECURSIVE blocked (uuid, depth) AS (
  SELECT ?, 0 UNION SELECT substr(j.key, 5), b.depth + 1 FROM blocked AS b JOIN tasks AS t ON t.uuid = b.uuid JOIN json_each(t.data) AS j \
WHERE j.key GLOB 'dep_*' AND b.depth < 20)
SELECT uuid, depth FROM blocked WHERE depth > 0
