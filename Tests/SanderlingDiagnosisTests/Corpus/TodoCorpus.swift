extension Corpus {
  /// A to-do app on GRDB: text keys, foreign keys with actions, never analyzed. Project 1 is the one of the field
  /// report.
  static let todo = CorpusSchema(name: "todo", script: todoScript, statements: todoStatements)

  private static let todoScript = """
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
    """

  private static let todoStatements: [CorpusStatement] = [
    .slow(
      "todo-01",
      """
      SELECT "project".*, COUNT(DISTINCT "task1"."id") AS "openTaskCount", \
      COUNT(DISTINCT "task2"."id") AS "completedTaskCount", COUNT(DISTINCT "comment"."id") AS "commentCount" \
      FROM "project" \
      LEFT JOIN "task" "task1" ON ("task1"."projectId" = "project"."id") AND (NOT "task1"."isCompleted") \
      LEFT JOIN "task" "task2" ON ("task2"."projectId" = "project"."id") AND "task2"."isCompleted" \
      LEFT JOIN "comment" ON "comment"."projectId" = "project"."id" \
      WHERE "project"."id" = ? GROUP BY "project"."id"
      """,
      ["p-0001"], is: [.joinFanOut],
      best: .rewrite(
        """
        SELECT "project".*, \
        (SELECT COUNT(*) FROM "task" WHERE "projectId" = "project"."id" AND NOT "isCompleted") AS "openTaskCount", \
        (SELECT COUNT(*) FROM "task" WHERE "projectId" = "project"."id" AND "isCompleted") AS "completedTaskCount", \
        (SELECT COUNT(*) FROM "comment" WHERE "projectId" = "project"."id") AS "commentCount" \
        FROM "project" WHERE "project"."id" = ?
        """),
      because: "114 × 281 × 4 = 128,136 rows are joined to count 399"),
    .slow(
      "todo-02",
      """
      SELECT project.id, project.name, SUM(task.estimate) AS minutes, COUNT(comment.id) AS comments
      FROM project LEFT JOIN task ON task.projectId = project.id LEFT JOIN comment ON comment.projectId = project.id
      WHERE project.id = :project GROUP BY project.id
      """,
      ["p-0001"], is: [.multipliedAggregate],
      best: .correct(
        """
        SELECT project.id, project.name, (SELECT SUM(estimate) FROM task WHERE projectId = project.id) AS minutes,
        (SELECT COUNT(*) FROM comment WHERE projectId = project.id) AS comments
        FROM project WHERE project.id = :project
        """),
      because: "each task counts once per comment and each comment once per task: both figures are wrong"),
    .slow(
      "todo-03",
      """
      SELECT * FROM "task" WHERE ("projectId" = ?) AND (NOT "isCompleted") ORDER BY "dueAt", "id" LIMIT 20
      """,
      ["p-0001"], ["p-0002"], is: [.sortWithoutIndex],
      best: .index("task (projectId, dueAt, id) WHERE NOT isCompleted"),
      or: [.index("task (projectId, dueAt, id)"), .index("task (projectId, dueAt)")],
      because: "one index can find the project and give the order; NOT isCompleted is no equality, so no key column"),
    .fine(
      "todo-04", #"SELECT COUNT(*) FROM "task" WHERE "projectId" = ?"#, ["p-0001"],
      because: "the index on projectId covers it"),
    .fine(
      "todo-05", #"SELECT * FROM "task" WHERE "id" = ?"#, ["t-012345"], because: "primary key"),
    .slow(
      "todo-06",
      """
      SELECT "id", "content", "dueAt" FROM "task" WHERE "isCompleted" = 0 AND "dueAt" < ? ORDER BY "dueAt" LIMIT 100
      """,
      ["2022-06-01 00:00:00"], is: [.fullScan, .sortWithoutIndex], best: .index("task (isCompleted, dueAt)"),
      or: [.index("task (dueAt) WHERE isCompleted = 0"), .index("task (dueAt)")],
      because: "the index on the date gives the range in order; half of its rows are completed"),
    .fine(
      "todo-07", #"SELECT * FROM "task" WHERE "isCompleted" = 1"#,
      because: "half of the rows match: looking each one up from an index costs more than the scan"),
    .slow(
      "todo-08", #"DELETE FROM "project" WHERE "id" = ?"#, ["p-0777"], is: [.slowForeignKey, .fullScan],
      best: .index("section (projectId)", "task (sectionId)", "project (parentId)", "comment (taskId)"),
      because: "each deleted parent scans the child tables whose foreign keys have no index"),
    .slow(
      "todo-09",
      """
      SELECT task.id, task.content, (SELECT COUNT(*) FROM comment WHERE comment.taskId = task.id) AS comments
      FROM task WHERE task.projectId = ? ORDER BY task.createdAt
      """,
      ["p-0040"], sampled: true, is: [.subqueryPerRow, .fullScan, .automaticIndex], best: .index("comment (taskId)"),
      because: "all comments are scanned for each task"),
    .repeated(
      "todo-10", #"SELECT * FROM "section" WHERE "id" = ?"#,
      (1...120).map { [.text("s-0" + String(1000 + $0 * 7))] }, in: "load board",
      best: .batch(
        #"SELECT * FROM "section" WHERE "id" IN (SELECT value FROM json_each(?))"#,
        [.text("[" + (1...120).map { "\"s-0\(1000 + $0 * 7)\"" }.joined(separator: ",") + "]")]),
      because: "120 executions of one look-up in one operation"),
    .slow(
      "todo-11",
      """
      SELECT p.id, p.name, (SELECT COUNT(*) FROM task t WHERE t.projectId = p.id AND NOT t.isCompleted) AS open
      FROM project p ORDER BY p.name, p.id LIMIT 20
      """,
      is: [.subqueryPerRow, .sortWithoutIndex], best: .index("project (name, id)"),
      or: [
        .index("project (name)"),
        .rewrite(
          """
          SELECT p.id, p.name, (SELECT COUNT(*) FROM task t WHERE t.projectId = p.id AND NOT t.isCompleted) AS open
          FROM (SELECT id, name FROM project ORDER BY name, id LIMIT 20) p
          """),
      ],
      because: "the tasks of all projects are counted before the first 20 are known"),
    .slow(
      "todo-12",
      "UPDATE task SET priority = 4 WHERE dueAt BETWEEN ?1 AND ?2 AND priority < 2",
      ["2023-01-01 00:00:00", "2023-01-02 00:00:00"], is: [.fullScan], best: .index("task (dueAt)"),
      because: "one day of 1.6 years"),
    .slow(
      "todo-13",
      """
      SELECT task.id, task.content FROM taskLabel JOIN task ON task.id = taskLabel.taskId
      WHERE taskLabel.labelId = ? AND task.isCompleted = 0
      """,
      [50], is: [.fullScan], best: .index("taskLabel (labelId)"), or: [.index("taskLabel (labelId, taskId)")],
      because: "the primary key begins with the task"),
    .fine(
      "todo-14",
      """
      INSERT INTO "task" ("id", "projectId", "sectionId", "content", "note", "isCompleted", "priority", "estimate", \
      "dueAt", "createdAt") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      ["t-900001", "p-0001", nil, "Water the plants", nil, 0, 1, 15, nil, "2023-11-14 22:13:20"],
      because: "a write of one row"),
    .slow(
      "todo-15",
      """
      WITH RECURSIVE tree (id) AS (
        SELECT id FROM project WHERE id = ? UNION SELECT project.id FROM project
          JOIN tree ON project.parentId = tree.id)
      SELECT id FROM tree
      """,
      ["p-0003"], is: [.fullScan, .automaticIndex], best: .index("project (parentId)"),
      because: "all projects are scanned for each project of the tree"),
    .fine("todo-16", "SELECT * FROM label ORDER BY name", because: "60 rows"),
    .fine("todo-17", "SELECT * FROM task", because: "an export reads everything"),
    .slow(
      "todo-18", "SELECT * FROM task WHERE projectId = ? AND priority = ? AND estimate = ?", ["p-0030", 1, 30],
      is: [.missingStatistics, .harmfulIndex, .indexNotCovering], best: .index("task (projectId, priority, estimate)"),
      or: [.change("ANALYZE"), .change("DROP INDEX task_on_effort")],
      because: "never analyzed, two columns seem to find fewer rows than one: they find 900, the project 150"),
  ]
}
