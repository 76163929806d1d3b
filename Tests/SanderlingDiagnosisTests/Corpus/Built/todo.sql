-- schema: todo
-- about: A to-do app on GRDB: text keys, foreign keys with actions, never analyzed. Project 1 is the one of the field report.

CREATE TABLE project (
  id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, parentId TEXT REFERENCES project (id) ON DELETE SET NULL,
  color INTEGER NOT NULL, isArchived BOOLEAN NOT NULL, position INTEGER NOT NULL);
CREATE TABLE section (
  id TEXT PRIMARY KEY NOT NULL, projectId TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
  name TEXT NOT NULL, isArchived BOOLEAN NOT NULL);
CREATE TABLE task (
  id TEXT PRIMARY KEY NOT NULL, projectId TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
  sectionId TEXT REFERENCES section (id) ON DELETE SET NULL, content TEXT NOT NULL, note TEXT,
  isCompleted BOOLEAN NOT NULL, priority INTEGER NOT NULL, estimate INTEGER NOT NULL, dueAt TEXT,
  createdAt TEXT NOT NULL);
CREATE TABLE comment (
  id TEXT PRIMARY KEY NOT NULL, projectId TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
  taskId TEXT REFERENCES task (id) ON DELETE CASCADE, postedAt TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE label (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE taskLabel (
  taskId TEXT NOT NULL REFERENCES task (id) ON DELETE CASCADE, labelId INTEGER NOT NULL REFERENCES label (id),
  PRIMARY KEY (taskId, labelId)) WITHOUT ROWID;
CREATE INDEX task_on_projectId ON task (projectId);
CREATE INDEX comment_on_projectId ON comment (projectId);
CREATE INDEX task_on_effort ON task (priority, estimate);

INSERT INTO project
SELECT printf('p-%04d', i), title(1, i, 2), iif(i % 4 = 0, printf('p-%04d', pick(2, i, i - 1)), NULL),
  pick(3, i, 20), chance(4, i) < 0.1, i
FROM numbers WHERE i <= 1001;
INSERT INTO section
SELECT printf('s-%05d', i), printf('p-%04d', 1 + i % 1001), title(5, i, 1), chance(6, i) < 0.2
FROM numbers WHERE i <= 3000;
INSERT INTO task
SELECT printf('t-%06d', i), iif(i <= 395, 'p-0001', printf('p-%04d', 1 + skewed(7, i, 1000))),
  iif(chance(8, i) < 0.6, printf('s-%05d', pick(9, i, 3000)), NULL), title(10, i, 4),
  iif(chance(11, i) < 0.3, prose(12, i, pick(13, i, 300)), NULL),
  iif(i <= 395, i <= 114, chance(14, i) < 0.5), min(4, skewed(15, i, 4)), pick(16, i, 8) * 15,
  iif(chance(17, i) < 0.7, datetime(1650000000 + pick(18, i, 50000000), 'unixepoch'), NULL),
  datetime(1640000000 + i * 1500, 'unixepoch')
FROM numbers WHERE i <= 30000;
INSERT INTO comment
SELECT printf('c-%05d', i), iif(i <= 4, 'p-0001', printf('p-%04d', 2 + pick(20, i, 999))),
  iif(chance(21, i) < 0.7, printf('t-%06d', pick(22, i, 30000)), NULL),
  datetime(1640000000 + i * 4000, 'unixepoch'), prose(23, i, 20 + pick(24, i, 200))
FROM numbers WHERE i <= 12000;
INSERT INTO label SELECT i, 'label-' || word(i) FROM numbers WHERE i <= 60;
INSERT OR IGNORE INTO taskLabel
SELECT printf('t-%06d', pick(25, i, 30000)), skewed(26, i, 60) FROM numbers WHERE i <= 24000;

-- statement: todo-01
-- is: join-fan-out
-- because: 114 × 281 × 4 = 128,136 rows are joined to count 399
-- run: 'p-0001'

SELECT "project".*, COUNT(DISTINCT "task1"."id") AS "openTaskCount", COUNT(DISTINCT "task2"."id") AS "completedTaskCount", COUNT(DISTINCT \
"comment"."id") AS "commentCount" FROM "project" LEFT JOIN "task" "task1" ON ("task1"."projectId" = "project"."id") AND (NOT \
"task1"."isCompleted") LEFT JOIN "task" "task2" ON ("task2"."projectId" = "project"."id") AND "task2"."isCompleted" LEFT JOIN "comment" ON \
"comment"."projectId" = "project"."id" WHERE "project"."id" = ? GROUP BY "project"."id"

-- best

SELECT "project".*, (SELECT COUNT(*) FROM "task" WHERE "projectId" = "project"."id" AND NOT "isCompleted") AS "openTaskCount", (SELECT \
COUNT(*) FROM "task" WHERE "projectId" = "project"."id" AND "isCompleted") AS "completedTaskCount", (SELECT COUNT(*) FROM "comment" WHERE \
"projectId" = "project"."id") AS "commentCount" FROM "project" WHERE "project"."id" = ?

-- statement: todo-02
-- is: multiplied-aggregate
-- because: each task counts once per comment and each comment once per task: both figures are wrong
-- run: 'p-0001'

SELECT project.id, project.name, SUM(task.estimate) AS minutes, COUNT(comment.id) AS comments
FROM project LEFT JOIN task ON task.projectId = project.id LEFT JOIN comment ON comment.projectId = project.id
WHERE project.id = :project GROUP BY project.id

-- best
-- changes results

SELECT project.id, project.name, (SELECT SUM(estimate) FROM task WHERE projectId = project.id) AS minutes,
(SELECT COUNT(*) FROM comment WHERE projectId = project.id) AS comments
FROM project WHERE project.id = :project

-- statement: todo-03
-- is: sort-without-index
-- because: one index can find the project and give the order; NOT isCompleted is no equality, so no key column
-- run: 'p-0001' | 'p-0002'

SELECT * FROM "task" WHERE ("projectId" = ?) AND (NOT "isCompleted") ORDER BY "dueAt", "id" LIMIT 20

-- best
-- index: task (projectId, dueAt, id) WHERE NOT isCompleted

-- or
-- index: task (projectId, dueAt, id)

-- or
-- index: task (projectId, dueAt)

-- statement: todo-04
-- fine
-- because: the index on projectId covers it
-- run: 'p-0001'

SELECT COUNT(*) FROM "task" WHERE "projectId" = ?

-- statement: todo-05
-- fine
-- because: primary key
-- run: 't-012345'

SELECT * FROM "task" WHERE "id" = ?

-- statement: todo-06
-- is: full-scan, sort-without-index
-- because: the index on the date gives the range in order; half of its rows are completed
-- run: '2022-06-01 00:00:00'

SELECT "id", "content", "dueAt" FROM "task" WHERE "isCompleted" = 0 AND "dueAt" < ? ORDER BY "dueAt" LIMIT 100

-- best
-- index: task (isCompleted, dueAt)

-- or
-- index: task (dueAt) WHERE isCompleted = 0

-- or
-- index: task (dueAt)

-- statement: todo-07
-- fine
-- because: half of the rows match: looking each one up from an index costs more than the scan

SELECT * FROM "task" WHERE "isCompleted" = 1

-- statement: todo-08
-- is: foreign-key-without-index, full-scan
-- because: each deleted parent scans the child tables whose foreign keys have no index
-- run: 'p-0777'

DELETE FROM "project" WHERE "id" = ?

-- best
-- index: section (projectId)
-- index: task (sectionId)
-- index: project (parentId)
-- index: comment (taskId)

-- statement: todo-09
-- is: automatic-index, full-scan, subquery-per-row
-- because: all comments are scanned for each task
-- sampled
-- run: 'p-0040'

SELECT task.id, task.content, (SELECT COUNT(*) FROM comment WHERE comment.taskId = task.id) AS comments
FROM task WHERE task.projectId = ? ORDER BY task.createdAt

-- best
-- index: comment (taskId)

-- statement: todo-10
-- is: repeated-statement
-- because: 120 executions of one look-up in one operation
-- operation: load board
-- run: 's-01007' | 's-01014' | 's-01021' | 's-01028' | 's-01035' | 's-01042' | 's-01049' | 's-01056' | 's-01063' | 's-01070' | 's-01077' \
--   | 's-01084' | 's-01091' | 's-01098' | 's-01105' | 's-01112' | 's-01119' | 's-01126' | 's-01133' | 's-01140' | 's-01147' | 's-01154' | \
--   's-01161' | 's-01168' | 's-01175' | 's-01182' | 's-01189' | 's-01196' | 's-01203' | 's-01210' | 's-01217' | 's-01224' | 's-01231' | \
--   's-01238' | 's-01245' | 's-01252' | 's-01259' | 's-01266' | 's-01273' | 's-01280' | 's-01287' | 's-01294' | 's-01301' | 's-01308' | \
--   's-01315' | 's-01322' | 's-01329' | 's-01336' | 's-01343' | 's-01350' | 's-01357' | 's-01364' | 's-01371' | 's-01378' | 's-01385' | \
--   's-01392' | 's-01399' | 's-01406' | 's-01413' | 's-01420' | 's-01427' | 's-01434' | 's-01441' | 's-01448' | 's-01455' | 's-01462' | \
--   's-01469' | 's-01476' | 's-01483' | 's-01490' | 's-01497' | 's-01504' | 's-01511' | 's-01518' | 's-01525' | 's-01532' | 's-01539' | \
--   's-01546' | 's-01553' | 's-01560' | 's-01567' | 's-01574' | 's-01581' | 's-01588' | 's-01595' | 's-01602' | 's-01609' | 's-01616' | \
--   's-01623' | 's-01630' | 's-01637' | 's-01644' | 's-01651' | 's-01658' | 's-01665' | 's-01672' | 's-01679' | 's-01686' | 's-01693' | \
--   's-01700' | 's-01707' | 's-01714' | 's-01721' | 's-01728' | 's-01735' | 's-01742' | 's-01749' | 's-01756' | 's-01763' | 's-01770' | \
--   's-01777' | 's-01784' | 's-01791' | 's-01798' | 's-01805' | 's-01812' | 's-01819' | 's-01826' | 's-01833' | 's-01840'

SELECT * FROM "section" WHERE "id" = ?

-- best
-- run: '["s-01007","s-01014","s-01021","s-01028","s-01035","s-01042","s-01049","s-01056","s-01063","s-01070","s-01077","s-01084",\
--   "s-01091","s-01098","s-01105","s-01112","s-01119","s-01126","s-01133","s-01140","s-01147","s-01154","s-01161","s-01168","s-01175",\
--   "s-01182","s-01189","s-01196","s-01203","s-01210","s-01217","s-01224","s-01231","s-01238","s-01245","s-01252","s-01259","s-01266",\
--   "s-01273","s-01280","s-01287","s-01294","s-01301","s-01308","s-01315","s-01322","s-01329","s-01336","s-01343","s-01350","s-01357",\
--   "s-01364","s-01371","s-01378","s-01385","s-01392","s-01399","s-01406","s-01413","s-01420","s-01427","s-01434","s-01441","s-01448",\
--   "s-01455","s-01462","s-01469","s-01476","s-01483","s-01490","s-01497","s-01504","s-01511","s-01518","s-01525","s-01532","s-01539",\
--   "s-01546","s-01553","s-01560","s-01567","s-01574","s-01581","s-01588","s-01595","s-01602","s-01609","s-01616","s-01623","s-01630",\
--   "s-01637","s-01644","s-01651","s-01658","s-01665","s-01672","s-01679","s-01686","s-01693","s-01700","s-01707","s-01714","s-01721",\
--   "s-01728","s-01735","s-01742","s-01749","s-01756","s-01763","s-01770","s-01777","s-01784","s-01791","s-01798","s-01805","s-01812",\
--   "s-01819","s-01826","s-01833","s-01840"]'

SELECT * FROM "section" WHERE "id" IN (SELECT value FROM json_each(?))

-- statement: todo-11
-- is: sort-without-index, subquery-per-row
-- because: the tasks of all projects are counted before the first 20 are known

SELECT p.id, p.name, (SELECT COUNT(*) FROM task t WHERE t.projectId = p.id AND NOT t.isCompleted) AS open
FROM project p ORDER BY p.name, p.id LIMIT 20

-- best
-- index: project (name, id)

-- or
-- index: project (name)

-- or

SELECT p.id, p.name, (SELECT COUNT(*) FROM task t WHERE t.projectId = p.id AND NOT t.isCompleted) AS open
FROM (SELECT id, name FROM project ORDER BY name, id LIMIT 20) p

-- statement: todo-12
-- is: full-scan
-- because: one day of 1.6 years
-- run: '2023-01-01 00:00:00', '2023-01-02 00:00:00'

UPDATE task SET priority = 4 WHERE dueAt BETWEEN ?1 AND ?2 AND priority < 2

-- best
-- index: task (dueAt)

-- statement: todo-13
-- is: full-scan
-- because: the primary key begins with the task
-- run: 50

SELECT task.id, task.content FROM taskLabel JOIN task ON task.id = taskLabel.taskId
WHERE taskLabel.labelId = ? AND task.isCompleted = 0

-- best
-- index: taskLabel (labelId)

-- or
-- index: taskLabel (labelId, taskId)

-- statement: todo-14
-- fine
-- because: a write of one row
-- run: 't-900001', 'p-0001', NULL, 'Water the plants', NULL, 0, 1, 15, NULL, '2023-11-14 22:13:20'

INSERT INTO "task" ("id", "projectId", "sectionId", "content", "note", "isCompleted", "priority", "estimate", "dueAt", "createdAt") VALUES \
(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- statement: todo-15
-- is: automatic-index, full-scan
-- because: all projects are scanned for each project of the tree
-- run: 'p-0003'

WITH RECURSIVE tree (id) AS (
  SELECT id FROM project WHERE id = ? UNION SELECT project.id FROM project
    JOIN tree ON project.parentId = tree.id)
SELECT id FROM tree

-- best
-- index: project (parentId)

-- statement: todo-16
-- fine
-- because: 60 rows

SELECT * FROM label ORDER BY name

-- statement: todo-17
-- fine
-- because: an export reads everything

SELECT * FROM task

-- statement: todo-18
-- is: harmful-index, index-not-covering, missing-statistics
-- because: never analyzed, two columns seem to find fewer rows than one: they find 900, the project 150
-- run: 'p-0030', 1, 30

SELECT * FROM task WHERE projectId = ? AND priority = ? AND estimate = ?

-- best
-- index: task (projectId, priority, estimate)

-- or
-- change: ANALYZE

-- or
-- change: DROP INDEX task_on_effort
