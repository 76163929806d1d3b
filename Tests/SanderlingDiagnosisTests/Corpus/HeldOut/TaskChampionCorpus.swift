extension Corpus {
  /// Tasks as documents, and the log of all operations on them, from which they are made and synchronised.
  static let taskchampion = CorpusSchema(
    name: "taskchampion", script: taskchampionScript, statements: taskchampionStatements,
    origin:
      "TaskChampion 2.0, the storage of Taskwarrior 3 (MIT, Copyright the TaskChampion contributors): its four tables with their indexes"
  )

  private static let taskchampionScript = """
    CREATE TABLE operations (
      id INTEGER PRIMARY KEY AUTOINCREMENT, data STRING,
      uuid GENERATED ALWAYS AS (coalesce(json_extract(data, '$.Update.uuid'), json_extract(data, '$.Create.uuid'), json_extract(data, '$.Delete.uuid'))) VIRTUAL, synced bool DEFAULT false);
    CREATE TABLE sync_meta (key STRING PRIMARY KEY, value STRING);
    CREATE TABLE tasks (uuid STRING PRIMARY KEY, data STRING);
    CREATE TABLE working_set (id INTEGER PRIMARY KEY, uuid STRING);
    CREATE INDEX operations_by_uuid ON operations (uuid);
    CREATE INDEX operations_by_synced ON operations (synced);

    INSERT INTO tasks
    SELECT printf('%08x-1c2d-4e3f-8a4b-%012x', i * 7919, i),
      '{"description":"' || title(1, i, 4) || '","status":"' || CASE WHEN chance(2, i) < 0.9 THEN 'completed' WHEN chance(3, i) < 0.55 THEN 'pending' WHEN chance(3, i) < 0.6 THEN 'waiting' WHEN chance(3, i) < 0.63 THEN 'recurring' ELSE 'deleted' END
      || '","entry":"' || (1600000000 + i * 9000) || '","modified":"' || (1600000000 + i * 9000 + pick(4, i, 9000000)) || '"' || iif(chance(5, i) < 0.6, ',"project":"' || word(skewed(6, i, 300)) || iif(chance(7, i) < 0.4, '.' || word(skewed(8, i, 40)), '') || '"', '')
      || iif(chance(9, i) < 0.3, ',"due":"' || (1600000000 + i * 9000 + pick(10, i, 20000000)) || '"', '') || iif(chance(11, i) < 0.4, ',"tag_' || word(skewed(12, i, 60)) || '":"x"', '')
      || iif(chance(13, i) < 0.1 AND i > 50, ',"dep_' || printf('%08x-1c2d-4e3f-8a4b-%012x', (i - skewed(14, i, 49)) * 7919, i - skewed(14, i, 49)) || '":"x"', '') || iif(chance(15, i) < 0.2, ',"annotation_' || (1600000000 + i * 9000) || '":"' || prose(16, i, 120) || '"', '') || '}'
    FROM numbers WHERE i <= 14000;
    INSERT INTO operations (data, synced)
    SELECT CASE WHEN chance(20, i) < 0.12 THEN '{"Create":{"uuid":"' || printf('%08x-1c2d-4e3f-8a4b-%012x', (1 + i / 4) * 7919, 1 + i / 4) || '"}}' WHEN chance(20, i) < 0.17 THEN '"UndoPoint"' WHEN chance(20, i) < 0.175 THEN
      '{"Delete":{"uuid":"' || printf('%08x-1c2d-4e3f-8a4b-%012x', (20000 + i) * 7919, i) || '","old_task":{"status":"pending"}}}'
      ELSE '{"Update":{"uuid":"' || printf('%08x-1c2d-4e3f-8a4b-%012x', iif(chance(21, i) < 0.3, skewed(22, i, 4000), 1 + i / 4) * 7919, iif(chance(21, i) < 0.3, skewed(22, i, 4000), 1 + i / 4)) || '","property":"' || CASE skewed(23, i, 9) WHEN 1 THEN 'modified' WHEN 2 THEN 'status' WHEN 3 THEN 'description' WHEN 4 THEN 'project' WHEN 5 THEN 'due' WHEN 6 THEN 'start' WHEN 7 THEN 'end' ELSE 'wait' END
        || '","old_value":null,"value":"' || iif(skewed(23, i, 9) = 2, iif(chance(24, i) < 0.02, 'recurring', 'completed'), title(25, i, 3)) || '","timestamp":"' || strftime('%Y-%m-%dT%H:%M:%SZ', 1600000000 + i * 2200, 'unixepoch') || '"}}' END,
      i <= 47800 OR chance(26, i) < 0.1
    FROM numbers WHERE i <= 48000;
    INSERT INTO working_set SELECT row_number() OVER (ORDER BY rowid), uuid FROM tasks WHERE (json_extract(data, '$.status') = 'pending' AND rowid % 10 <> 3) OR rowid % 700 = 5;
    INSERT INTO sync_meta VALUES ('base_version', '0f0e0d0c'), ('added', '');
    """

  private static let taskchampionStatements: [CorpusStatement] = [
    .slow(
      "taskchampion-01",
      "SELECT count(*) FROM operations WHERE NOT synced",
      is: [.functionOnColumn, .fullScan, .expressionIndex, .partialIndex],
      best: .rewrite("SELECT count(*) FROM operations WHERE synced = 0"),
      because: "what isn't synchronised: NOT doesn't use the index, a comparison does"),
    .slow(
      "taskchampion-02",
      "SELECT uuid, data FROM tasks WHERE data LIKE '%\"status\":\"waiting\"%'",
      is: [.patternWithoutIndex, .fullScan, .expressionIndex],
      best: .rewrite(
        "SELECT uuid, data FROM tasks WHERE json_extract(data, '$.status') = 'waiting'",
        with: "tasks (json_extract(data, '$.status'))"),
      because: "the tasks that wait: looked for in the text of all documents"),
    .slow(
      "taskchampion-03",
      """
      SELECT uuid, json_extract(data, '$.description') AS description, json_extract(data, '$.due') AS due FROM tasks
      WHERE json_extract(data, '$.status') = 'pending' AND CAST(json_extract(data, '$.due') AS INTEGER) BETWEEN ? AND ? ORDER BY CAST(json_extract(data, '$.due') AS INTEGER) LIMIT 25
      """, [1_690_000_000, 1_696_000_000],
      is: [.expressionIndex, .functionOnColumn, .fullScan, .sortWithoutIndex, .partialIndex],
      best: .index("tasks (json_extract(data, '$.status'), CAST(json_extract(data, '$.due') AS INTEGER))"),
      or: [
        .change(
          "CREATE INDEX corpus_best_1 ON tasks (CAST(json_extract(data, '$.due') AS INTEGER)) WHERE json_extract(data, '$.status') = 'pending'"
        )
      ],
      because: "what is due in some weeks: each document is parsed"),
    .slow(
      "taskchampion-04",
      """
      SELECT id, uuid FROM operations WHERE json_extract(data, '$.Update.property') = 'status' AND json_extract(data, '$.Update.value') = ? ORDER BY id
      """, ["recurring"],
      is: [.expressionIndex, .functionOnColumn, .fullScan],
      best: .index("operations (json_extract(data, '$.Update.value'), json_extract(data, '$.Update.property'))"),
      or: [.index("operations (json_extract(data, '$.Update.property'), json_extract(data, '$.Update.value'))")],
      because: "when tasks became recurring: the log is parsed"),
    .slow(
      "taskchampion-05",
      """
      SELECT t.uuid FROM tasks AS t WHERE json_extract(t.data, '$.status') IN ('completed', 'deleted') AND EXISTS (SELECT 1 FROM working_set AS w WHERE w.uuid = t.uuid)
      """,
      is: [.subqueryPerRow, .fullScan, .automaticIndex],
      best: .index("working_set (uuid)"),
      or: [
        .rewrite(
          "SELECT t.uuid FROM tasks AS t WHERE t.uuid IN (SELECT w.uuid FROM working_set AS w) AND json_extract(t.data, '$.status') IN ('completed', 'deleted')"
        )
      ],
      because: "what is done but still numbered: the numbers are read for each task"),
    .slow(
      "taskchampion-06",
      "SELECT min(id), max(id) FROM operations",
      is: [.fullScan, .wideRowsForCount],
      best: .rewrite("SELECT (SELECT min(id) FROM operations), (SELECT max(id) FROM operations)"),
      because: "both ends of the log at once: it is read from one to the other"),
    .slow(
      "taskchampion-07",
      "SELECT id, data FROM operations ORDER BY id LIMIT 100 OFFSET ?", [20_000], [44_000],
      is: [.largeOffset],
      best: .keyset("SELECT id, data FROM operations WHERE id > ? ORDER BY id LIMIT 100", [20_000], [44_000]),
      because: "a page of the log by counting rows"),
    .slow(
      "taskchampion-08",
      """
      SELECT t.uuid, (SELECT count(*) FROM operations AS o WHERE o.uuid = t.uuid) AS n FROM tasks AS t WHERE t.uuid IN (SELECT w.uuid FROM working_set AS w WHERE w.id <= ?) ORDER BY n DESC, t.uuid LIMIT 20
      """, [40],
      is: [.typeMismatch, .subqueryPerRow, .fullScan, .automaticIndex],
      best: .rewrite(
        """
        SELECT t.uuid, (SELECT count(*) FROM operations AS o WHERE o.uuid = CAST(t.uuid AS TEXT)) AS n FROM tasks AS t WHERE t.uuid IN (SELECT w.uuid FROM working_set AS w WHERE w.id <= ?) ORDER BY n DESC, t.uuid LIMIT 20
        """),
      or: [
        .rewrite(
          """
          SELECT t.uuid, (SELECT count(*) FROM operations AS o WHERE o.uuid = +t.uuid) AS n FROM tasks AS t WHERE t.uuid IN (SELECT w.uuid FROM working_set AS w WHERE w.id <= ?) ORDER BY n DESC, t.uuid LIMIT 20
          """)
      ],
      because:
        "how often tasks were changed: STRING is a numeric type, so that the index of the other column, which has none, can't be used"
    ),
    .repeated(
      "taskchampion-10",
      "SELECT data FROM tasks WHERE uuid = ?",
      (1...40).map { [.text(taskchampionUUID($0 * 311))] },
      in: "task next",
      best: .batch(
        "SELECT data FROM tasks WHERE uuid IN (SELECT value FROM json_each(?))",
        [.text("[" + (1...40).map { "\"" + taskchampionUUID($0 * 311) + "\"" }.joined(separator: ",") + "]")]),
      because: "each task of a report is asked for on its own"),
    .fine(
      "taskchampion-11",
      "SELECT data FROM operations WHERE uuid = ? ORDER BY id ASC", [.text(taskchampionUUID(900))],
      tolerated: [.indexNotCovering],
      because: "a task's operations by their index"),
    .fine(
      "taskchampion-12",
      "SELECT w.id, t.data FROM working_set AS w JOIN tasks AS t ON t.uuid = w.uuid ORDER BY w.id",
      because: "all numbered tasks, by their key"),
    .fine(
      "taskchampion-13",
      "UPDATE operations SET synced = true WHERE synced = false",
      because: "the few that weren't synchronised are found by an index"),
    .fine(
      "taskchampion-14",
      """
      SELECT substr(j.key, 5) AS tag, count(*) AS n FROM tasks AS t, json_each(t.data) AS j WHERE j.key GLOB 'tag_*' GROUP BY tag ORDER BY n DESC, tag
      """,
      tolerated: [.groupWithoutIndex, .sortWithoutIndex, .functionOnColumn],
      because: "how often each tag is used: tags are keys of the documents, which must all be read"),
    .fine(
      "taskchampion-15",
      """
      WITH RECURSIVE blocked (uuid, depth) AS (
        SELECT ?, 0 UNION SELECT substr(j.key, 5), b.depth + 1 FROM blocked AS b JOIN tasks AS t ON t.uuid = b.uuid JOIN json_each(t.data) AS j WHERE j.key GLOB 'dep_*' AND b.depth < 20)
      SELECT uuid, depth FROM blocked WHERE depth > 0
      """, [.text(taskchampionUUID(9000))],
      tolerated: [.functionOnColumn],
      because: "what a task waits for, by keys"),
  ]

  private static func taskchampionUUID(_ number: Int) -> String {
    func hexadecimal(_ value: Int, _ count: Int) -> String {
      let digits = String(value, radix: 16)
      return String(repeating: "0", count: count - digits.count) + digits
    }
    return hexadecimal(number * 7919, 8) + "-1c2d-4e3f-8a4b-" + hexadecimal(number, 12)
  }
}
