import Testing

@testable import SanderlingDiagnosis

/// The advice for single statements on the tables `project` and `task`.
@Suite struct IndexAdvisorTests {
  let tasks: AdviceFixture

  init() throws {
    tasks = try AdviceFixture(AdviceFixture.tasks)
  }

  private func index(_ terms: String) -> String { "CREATE INDEX \(terms)" }

  /// SQLite prefers an index with statistics to a new index, until the new index has statistics too.
  @Test func newIndexBesideOneWithStatisticsNeedsANALYZE() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, done INTEGER, gone INTEGER, hidden INTEGER, due INTEGER, name TEXT);
      CREATE INDEX item_on_state ON item (done, gone, hidden);
      \(AdviceFixture.numbers(20_000)) INSERT INTO item
        SELECT i, iif(i % 4 = 0, 0, i), iif(i % 9 > 0, 0, i), i, i * 7919 % 20011, 'n' || i FROM n;
      ANALYZE;
      """)
    let sql = "SELECT id, name FROM item WHERE done = 0 AND gone = 0 ORDER BY due DESC LIMIT 30"
    let fix = try fixture.fix(sql)
    #expect(fix.first?.contains(#", "due""#) == true && fix.last?.hasPrefix("ANALYZE") == true, "\(fix)")
  }

  /// SQLite merges the parts of a UNION if each part comes in the order of the result, so each part gets an index.
  @Test(arguments: ["1 DESC", "due DESC", "moment DESC, id"])
  func orderOfAUnion(order: String) throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE one (id INTEGER PRIMARY KEY, due INTEGER, name TEXT); CREATE TABLE other (id INTEGER PRIMARY KEY, at INTEGER, name TEXT);
      \(AdviceFixture.numbers(9_000)) INSERT INTO one SELECT i, i * 7919 % 20011, 'n' || i FROM n;
      INSERT INTO other SELECT id, due * 3 % 20011, name FROM one;
      """)
    let moment = order.hasPrefix("moment") ? "due AS moment" : "due"
    let sql = "SELECT \(moment), id, name FROM one UNION ALL SELECT at, id, name FROM other ORDER BY \(order) LIMIT 30"
    let fix = try fixture.fix(sql)
    #expect(fix.count == 2 && fix[0].contains(#"ON "one" ("due""#) && fix[1].contains(#"ON "other" ("at""#), "\(fix)")
  }

  // MARK: One index

  @Test(arguments: [
    (
      "SELECT * FROM task WHERE projectID = ?", FindingKind.fullScan,
      #""task_on_projectID" ON "task" ("projectID")"#
    ),
    (
      "SELECT * FROM task WHERE projectID = ? ORDER BY due LIMIT 20", .sortWithoutIndex,
      #""task_on_projectID_due" ON "task" ("projectID", "due")"#
    ),
    (
      "SELECT * FROM task ORDER BY due DESC LIMIT 10", .sortWithoutIndex,
      #""task_on_due" ON "task" ("due")"#
    ),
    (
      "SELECT * FROM task ORDER BY due, id LIMIT 10", .sortWithoutIndex,
      #""task_on_due" ON "task" ("due")"#
    ),
    (
      "SELECT * FROM task ORDER BY due, id DESC LIMIT 10", .sortWithoutIndex,
      #""task_on_due_desc" ON "task" ("due" DESC)"#
    ),
    (
      "SELECT * FROM task ORDER BY priority, due DESC LIMIT 10", .sortWithoutIndex,
      #""task_on_priority_due_desc" ON "task" ("priority", "due" DESC)"#
    ),
    (
      "SELECT max(due) FROM task WHERE projectID = ?", .fullScan,
      #""task_on_projectID_due" ON "task" ("projectID", "due")"#
    ),
    (
      "SELECT * FROM task WHERE title = ? COLLATE NOCASE", .caseInsensitiveWithoutIndex,
      #""task_on_title_nocase" ON "task" ("title" COLLATE "NOCASE")"#
    ),
    (
      "SELECT * FROM task WHERE title LIKE 'task 123%'", .patternWithoutIndex,
      #""task_on_title_nocase" ON "task" ("title" COLLATE "NOCASE")"#
    ),
    (
      "SELECT * FROM task WHERE title GLOB 'Task 123*'", .patternWithoutIndex,
      #""task_on_title" ON "task" ("title")"#
    ),
    (
      "SELECT * FROM task WHERE lower(title) = ?", .fullScan,
      #""task_on_lower_title" ON "task" (lower("title"))"#
    ),
    // The sort is the smaller part of the cost.
    (
      "SELECT id FROM task WHERE abs(priority - 900) = ? ORDER BY due DESC LIMIT 20", .fullScan,
      #""task_on_abs_priority_900_due" ON "task" (abs("priority" - 900), "due")"#
    ),
    (
      "SELECT p.name, (SELECT count(*) FROM task WHERE projectID = p.id) FROM project p", .subqueryPerRow,
      #""task_on_projectID" ON "task" ("projectID")"#
    ),
    // The table is scanned under another alias.
    (
      "SELECT t.id, (SELECT count(*) FROM task u WHERE u.projectID = t.projectID AND u.due < t.due) FROM task t WHERE t.id < 40",
      .subqueryPerRow, #""task_on_projectID_due" ON "task" ("projectID", "due")"#
    ),
    (
      "DELETE FROM project WHERE id = ?", .slowForeignKey,
      #""task_on_projectID" ON "task" ("projectID")"#
    ),
    (
      "UPDATE task SET note = NULL WHERE projectID = ?", .fullScan,
      #""task_on_projectID" ON "task" ("projectID")"#
    ),
    (
      "SELECT * FROM task WHERE isFlagged IS NOT 0 ORDER BY id", .fullScan,
      #""task_on_id_where_isFlagged_IS_NOT_0" ON "task" ("id") WHERE "isFlagged" IS NOT 0"#
    ),
    (
      "SELECT * FROM project WHERE id NOT IN (SELECT projectID FROM task WHERE isFlagged = 1)", .fullScan,
      #""task_on_isFlagged_projectID" ON "task" ("isFlagged", "projectID")"#
    ),
    (
      "SELECT count(*) FROM task WHERE isDone = 0", .fullScan,
      #""task_on_isDone_where_isDone_0" ON "task" ("isDone") WHERE "isDone" = 0"#
    ),
  ])
  func advisesOneIndex(sql: String, kind: FindingKind, terms: String) throws {
    let advice = try tasks.advise(sql)
    #expect(advice.sql == [index(terms)])
    #expect(advice.kind == kind)
    #expect(advice.comparisons.allSatisfy { ExecutionCost.of($0.after) < ExecutionCost.of($0.before) })
    #expect(!advice.comparisons.isEmpty)
    #expect(advice.indexes.allSatisfy { $0.pages > 0 })
  }

  /// The bits that a condition asks for belong to the app's code, so an index may serve these bits alone.
  @Test(arguments: ["flags & 4 <> 0", "flags & 4 = 4", "4 & flags", "flags & 4 > 0"])
  func advisesAnIndexOfBits(condition: String) throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE file (id INTEGER PRIMARY KEY, name TEXT, flags INTEGER);
      CREATE INDEX file_name ON file (name);
      \(AdviceFixture.numbers(20_000)) INSERT INTO file SELECT i, 'f' || i % 7919, iif(i % 400 = 0, 4, 0) + i % 4 FROM n;
      """)
    let sql = try fixture.fix("SELECT id, name FROM file WHERE \(condition) ORDER BY name")
    #expect(sql.count == 1)
    // An index may also begin with the bits, since they have one value.
    #expect(
      sql.contains { $0.contains(#" ON "file" ("name", "flags") WHERE "#) || $0.contains(#""flags" & 4, "name""#) },
      "\(sql)")
  }

  /// A search by an index that finds many unwanted rows is not reported as a scan.
  @Test func searchWithUnwantedRowsIsNotReportedAsAScan() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, owner INTEGER, path TEXT, body TEXT);
      CREATE INDEX item_owner ON item (owner);
      \(AdviceFixture.numbers(20_000)) INSERT INTO item SELECT i, i % 4, 'p' || i, printf('%.120c', 'x') FROM n;
      """)
    let advice = try fixture.advise(
      "SELECT body FROM item WHERE owner = ? AND path = ?", [[1: .integer(2), 2: .text("p6")]])
    #expect(advice.kind == .indexNotCovering)
    #expect(advice.indexes.count == 1)
  }

  /// To count rows without an index, SQLite reads the whole rows. Any existing index avoids this, so no other index is
  /// proposed.
  @Test func countsByAShortIndex() throws {
    func fix(_ sql: String, _ more: String = "") throws -> (FindingKind?, [String]) {
      let fixture = try AdviceFixture(
        """
        CREATE TABLE packet (id INTEGER PRIMARY KEY, name TEXT, at INTEGER, body TEXT); \(more)
        \(AdviceFixture.numbers(5_000)) INSERT INTO packet SELECT i, 'p' || i, i, printf('%.400c', 'x') FROM n;
        """)
      let advice = try fixture.advise(sql)
      return (advice.kind, advice.indexes.map(\.sql))
    }
    let counted = try fix("SELECT count(*) FROM packet")
    #expect(counted.0 == .wideRowsForCount)
    #expect(counted.1.map { $0.contains(#"("at")"#) } == [true], "\(counted.1)")
    #expect(try fix("SELECT count(*) FROM packet", "CREATE INDEX packet_name ON packet (name);").1.isEmpty)
    #expect(try fix("SELECT EXISTS (SELECT 1 FROM packet)").1.isEmpty)
  }

  /// Of two ranges, the index serves the range that leaves few rows. Nearly all events began before the end of a week,
  /// and few end after its beginning.
  @Test func indexServesTheRangeThatLeavesFewRows() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE calendar (id INTEGER PRIMARY KEY, visible INTEGER);
      CREATE TABLE event (id INTEGER PRIMARY KEY, calendar INTEGER, title TEXT);
      CREATE TABLE span (id INTEGER PRIMARY KEY, event INTEGER, first INTEGER, last INTEGER, UNIQUE (event, first, last));
      \(AdviceFixture.numbers(5)) INSERT INTO calendar SELECT i, i < 5 FROM n;
      \(AdviceFixture.numbers(2_000)) INSERT INTO event SELECT i, 1 + i % 5, 'event ' || i FROM n;
      \(AdviceFixture.numbers(20_000)) INSERT INTO span SELECT i, 1 + i * 31 % 2000, i * 10, i * 10 + i % 50 FROM n;
      """)
    let fix = try fixture.fix(
      """
      SELECT s.event, e.title, s.first, s.last FROM span s JOIN event e ON e.id = s.event JOIN calendar c ON c.id = e.calendar
      WHERE s.first <= 199900 AND s.last >= 199500 AND c.visible = 1 ORDER BY s.first, s.last DESC, e.title
      """)
    #expect(fix == [#"CREATE INDEX "span_on_last" ON "span" ("last")"#])
  }

  /// A search of a range that may find nearly all rows is reported as a scan. Seen in the corpus statement todo-12.
  @Test func searchOfAWideRangeIsReportedAsAScan() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, priority INTEGER, due INTEGER, body TEXT);
      CREATE INDEX item_priority ON item (priority);
      \(AdviceFixture.numbers(20_000)) INSERT INTO item SELECT i, i % 4, i * 7919 % 20000, printf('%.120c', 'x') FROM n;
      """)
    let advice = try fixture.advise("UPDATE item SET body = 'y' WHERE due BETWEEN 100 AND 120 AND priority < 2")
    #expect(advice.planBefore.nodes.contains { $0.step.index == "item_priority" })
    #expect(advice.kind == .fullScan)
  }

  @Test func advisesAnIndexForEachBranchOfAnOr() throws {
    let advice = try tasks.advise("SELECT * FROM task WHERE projectID = 5 OR due = 77")
    #expect(
      Set(advice.sql) == [
        index(#""task_on_projectID" ON "task" ("projectID")"#), index(#""task_on_due" ON "task" ("due")"#),
      ])
    #expect(advice.kind == .orWithoutIndex)
  }

  @Test func advisesTheIndexThatSQLiteBuildsForEachRun() throws {
    let advice = try tasks.advise(
      "SELECT p.*, t.* FROM project p LEFT JOIN task t ON t.projectID = p.id AND t.isFlagged = 1 WHERE p.id < 20")
    #expect(advice.kind == .automaticIndex)
    #expect(advice.indexes.map(\.table) == ["task"])
  }

  // MARK: No index

  @Test(arguments: [
    "SELECT * FROM task WHERE id = ?",
    "SELECT * FROM task",
    "SELECT * FROM task WHERE isDone = 1",
    "SELECT * FROM task WHERE title LIKE '%12%'",
    "SELECT * FROM task WHERE title <> 'x'",
    "SELECT * FROM project WHERE name = 'Project 3'",
    "SELECT * FROM task ORDER BY id DESC LIMIT 5",
    "SELECT * FROM task ORDER BY random() LIMIT 5",
    "SELECT * FROM task WHERE id IN (1, 2, 3) ORDER BY due",
    "SELECT count(*) FROM project",
    "INSERT INTO task (projectID, title, isDone, isFlagged, priority) VALUES (?, ?, ?, ?, ?)",
  ])
  func advisesNothing(sql: String) throws {
    let advice = try tasks.advise(sql)
    #expect(advice.sql == [])
    #expect(advice.kind == nil)
    #expect(!advice.verdict.isEmpty)
  }

  @Test func advisesNothingForServedStatements() throws {
    let served = try AdviceFixture(AdviceFixture.tasks + "CREATE INDEX old ON task (projectID, due)")
    #expect(try served.fix("SELECT * FROM task WHERE projectID = ?") == [])
    #expect(try served.fix("SELECT * FROM task WHERE projectID = ? ORDER BY due DESC LIMIT 5") == [])
  }

  @Test func leavesTheCopyUnchanged() throws {
    let before = try tasks.copy.connection.rows("SELECT name, sql FROM sqlite_master")
    _ = try tasks.advise("SELECT * FROM task WHERE projectID = 5 OR due = 77")
    _ = try tasks.advise("DELETE FROM project WHERE id = ?")
    #expect(try tasks.copy.connection.rows("SELECT name, sql FROM sqlite_master") == before)
    #expect(try tasks.copy.connection.value("SELECT count(*) FROM task") == .integer(20_000))
  }

  @Test func theMostPromisingIndexIsTriedWithoutTime() throws {
    let hurried = try AdviceFixture(AdviceFixture.tasks, buildTime: .zero)
    let advice = try hurried.advise("SELECT * FROM task WHERE projectID = ? AND isDone = 0 ORDER BY due LIMIT 20")
    #expect(advice.sql.count == 1)
  }

  // MARK: Other changes

  /// The candidates for a window function begin with the columns of its partition, followed by the columns of its
  /// order.
  @Test(arguments: [
    ("SELECT id, row_number() OVER (PARTITION BY projectID ORDER BY due DESC) FROM task", ["projectID", "due DESC"]),
    ("SELECT id, lag(due) OVER w FROM task WHERE priority = 3 WINDOW w AS (ORDER BY due)", ["priority", "due"]),
    (
      "SELECT id, rank() OVER (w ORDER BY due) FROM task WINDOW w AS (PARTITION BY isDone, priority)",
      ["isDone", "priority", "due"]
    ),
  ])
  func windowsGiveCandidates(sql: String, keys: [String]) throws {
    let fixture = try AdviceFixture(AdviceFixture.tasks)
    let shape = try ShapeReader.shape(of: sql, in: fixture.schema.description)
    let candidates = IndexCandidates(schema: fixture.schema, facts: fixture.advisor.facts).candidates(for: shape)
    let found = candidates.map { $0.keys.map { $0.definition.replacing("\"", with: "") } }
    #expect(found.contains { $0.starts(with: keys) }, "\(found)")
  }

  @Test func aWindowIsReadInTheOrderOfAnIndex() throws {
    let fixture = try AdviceFixture(AdviceFixture.tasks)
    let advice = try fixture.advise(
      "SELECT id, due - lag(due) OVER (PARTITION BY projectID ORDER BY due) FROM task WHERE projectID BETWEEN 3 AND 9")
    #expect(advice.indexes.first?.sql.contains("(\"projectID\", \"due\")") == true, "\(advice.sql)")
    #expect(!advice.comparisons.isEmpty)
  }

  /// A search is preferred to a walk in the order of the result. The walk ends after six rows with these values, and
  /// reads all rows with others.
  @Test func aSearchIsPreferredToAWalkThatDependsOnTheValues() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE input (place INTEGER, typed TEXT, uses INTEGER, PRIMARY KEY (place, typed));
      \(AdviceFixture.numbers(20_000)) INSERT INTO input
        SELECT i, printf('%03d', i * 7919 % 1000) || i, i * 7907 % 500 FROM n;
      """)
    let advice = try fixture.advise(
      "SELECT place, uses FROM input WHERE typed BETWEEN ? AND ? ORDER BY uses DESC LIMIT 6",
      [[1: .text("40"), 2: .text("45")]])
    #expect(advice.indexes.first?.sql.contains("(\"typed\"") == true, "\(advice.sql)")
  }

  /// Statistics are not collected for a new index alone. ANALYZE ran while the table was empty, so they would make the
  /// new index look worse than the old index.
  @Test func statisticsAreNotCollectedForOneIndexAlone() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE other (id INTEGER PRIMARY KEY, a INTEGER); CREATE INDEX other_on_a ON other(a);
      INSERT INTO other VALUES (1, 1);
      CREATE TABLE grade (id INTEGER PRIMARY KEY, course INTEGER, mark INTEGER, note TEXT);
      CREATE INDEX grade_on_course ON grade(course);
      ANALYZE;
      \(AdviceFixture.numbers(20_000)) INSERT INTO grade SELECT i, i % 8, i * 7919 % 1000, printf('%.80c', 'x') FROM n;
      """)
    let sql = "SELECT id, note FROM grade WHERE course = ? AND mark > 980 ORDER BY id"
    let advice = try fixture.advise(sql, [[1: .integer(3)]])
    #expect(advice.indexes.first?.sql.contains("(\"course\", \"mark\"") == true, "\(advice.verdict)")
    #expect(!advice.sql.contains { $0.hasPrefix("ANALYZE \"") })
    let set = try fixture.advisor.indexSet(
      for: [fixture.analyze(sql, [[1: .integer(3)]])], advice: [advice], maximumIndexes: 3)
    #expect(!set.migrationSQL.contains { $0.hasPrefix("ANALYZE \"") })
  }

  /// An index on a value and a further column has the rows of one value in no order by rowid. The rowid is then a key
  /// of the new index.
  @Test func newIndexOrdersTheRowsOfAValueByRowid() throws {
    let script = """
      CREATE TABLE hit (id INTEGER PRIMARY KEY, site INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT);
      CREATE INDEX hit_of_site ON hit(site, at);
      \(AdviceFixture.numbers(20_000)) INSERT INTO hit SELECT i, max(1, i % 50 - 38), i * 7919 % 20011, printf('%.60c', 'x') FROM n;
      """
    let sql = "SELECT * FROM hit WHERE site = ? AND id > ? ORDER BY id LIMIT 100"
    let values: [[Int: BoundValue]] = [[1: .integer(1), 2: .integer(9_000)], [1: .integer(9), 2: .integer(5)]]
    let index = #"CREATE INDEX "hit_on_site_id" ON "hit" ("site", "id")"#
    #expect(try AdviceFixture(script).fix(sql, values) == [index])
    // An index that ends with the value has the rows in the order of their rowids, as every index has.
    #expect(try AdviceFixture(script + "CREATE INDEX hit_site ON hit(site);").fix(sql, values) != [index])
    #expect(
      try AdviceFixture(script + "DROP INDEX hit_of_site;").fix(sql, values)
        == [#"CREATE INDEX "hit_on_site" ON "hit" ("site")"#])
  }

  @Test func advisesStatisticsWhereTheyAreEnough() throws {
    // Every event has the same state, and each day has ten events.
    let fixture = try AdviceFixture(
      AdviceFixture.tasks + """
        CREATE TABLE event (id INTEGER PRIMARY KEY, state INTEGER, day INTEGER, note TEXT);
        \(AdviceFixture.numbers(20_000)) INSERT INTO event SELECT i, 1, i / 10, printf('%.60c', 'x') FROM n;
        CREATE INDEX event_on_state ON event (state, note); CREATE INDEX event_on_day ON event (day);
        """)
    let advice = try fixture.advise("SELECT * FROM event WHERE state = 1 AND note > 'a' AND day = 7")
    #expect(advice.sql == ["ANALYZE"])
    #expect(advice.kind == .missingStatistics)
  }

  /// Without statistics, SQLite begins with the index of the state, whatever other indexes exist.
  @Test func advisesAnIndexWithStatisticsWhereNeitherIsEnough() throws {
    let fixture = try AdviceFixture(
      AdviceFixture.tasks + """
        CREATE TABLE label (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE labelled (task INTEGER, label INTEGER, PRIMARY KEY (task, label));
        CREATE INDEX task_on_isDone ON task (isDone);
        \(AdviceFixture.numbers(200)) INSERT INTO label SELECT i, 'Label ' || i FROM n;
        \(AdviceFixture.numbers(30_000)) INSERT OR IGNORE INTO labelled SELECT i * 7 % 20000, i * 13 % 200 FROM n;
        """)
    let advice = try fixture.advise(
      "SELECT t.id, t.title FROM task t JOIN labelled l ON l.task = t.id JOIN label ON label.id = l.label "
        + "WHERE label.name = 'Label 90' AND t.isDone = 1 ORDER BY t.due DESC LIMIT 10")
    #expect(advice.sql == [#"CREATE INDEX "labelled_on_label" ON "labelled" ("label")"#, "ANALYZE"])
    #expect(advice.comparisons.workAfter < 0.1 * advice.comparisons.workBefore)
  }

  /// SQLite applies a condition on a view's group key inside the view, so an index serves the condition.
  @Test func conditionOnAViewsGroupKeyGetsAnIndex() throws {
    let fixture = try AdviceFixture(
      AdviceFixture.tasks + """
        CREATE TABLE spent (id INTEGER PRIMARY KEY, person INTEGER, task INTEGER, minutes INTEGER);
        CREATE VIEW workload AS SELECT person, task, sum(minutes) AS minutes FROM spent GROUP BY person, task;
        \(AdviceFixture.numbers(20_000)) INSERT INTO spent SELECT i, i % 90, i * 7 % 5000, i % 60 FROM n;
        """)
    let expected = [#"CREATE INDEX "spent_on_task" ON "spent" ("task")"#]
    #expect(try fixture.fix("SELECT * FROM workload WHERE task = ?", [[1: .integer(777)]]) == expected)
  }

  /// SQLite flattens a view that only joins and computes. Groups and conditions on the view therefore lead to indexes
  /// of its tables.
  @Test(arguments: [
    ("SELECT projectID, count(*), max(due) FROM shownTask GROUP BY projectID", #"("isFlagged", "projectID", "due")"#),
    ("SELECT title FROM shownTask WHERE month = ?", #"("isFlagged", "due" / 30)"#),
  ])
  func tableOfAViewIsIndexed(sql: String, index: String) throws {
    let fixture = try AdviceFixture(
      AdviceFixture.tasks
        + "CREATE VIEW shownTask AS SELECT id, title, projectID, due, due / 30 AS month FROM task WHERE isFlagged = 0;")
    let advice = try fixture.advise(sql, [[1: .integer(400)]])
    #expect(advice.sql.contains { $0.contains(index) }, "\(advice.sql)")
  }

  /// An index that is read from end to end copies the columns of the table, so it has to gain more than another index.
  @Test func indexThatIsReadInFullMustGainMore() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE molecule (id INTEGER PRIMARY KEY, formula TEXT NOT NULL, weight REAL);
      \(AdviceFixture.numbers(20_000)) INSERT INTO molecule SELECT i, printf('C%dH%d', i % 90, i * 7) || printf('%.24c', 'x'), i / 7.0 FROM n;
      """)
    #expect(try fixture.fix("SELECT id, formula FROM molecule WHERE formula LIKE '%H77x%'").isEmpty)
  }

  @Test func advisesToDropAMisleadingIndex() throws {
    // Nine of ten rows are done, and the index reads the table in another order.
    let fixture = try AdviceFixture(
      AdviceFixture.tasks + "CREATE INDEX harmful ON task (isDone, title)", hasClock: true)
    let advice = try fixture.advise("SELECT * FROM task WHERE isDone = 1 AND +priority >= 0")
    #expect(advice.sql == [#"DROP INDEX "harmful""#])
    #expect(advice.kind == .harmfulIndex)
  }

  /// To drop an index, both the counted work and the time must show a gain.
  @Test func droppedIndexMustSaveTime() {
    func measurement(_ pages: Int64, _ milliseconds: Int) -> StatementMeasurement {
      StatementMeasurement(
        steps: 1000, pages: pages, coldPages: 0, warmTime: .milliseconds(milliseconds), coldTime: .zero,
        rowsReturned: 1)
    }
    let rule = GainRule(before: [measurement(20_000, 10)])
    #expect(rule.isMet(by: [measurement(5_000, 12)]) && !rule.isMetByTime([measurement(5_000, 12)]))
    #expect(rule.isMet(by: [measurement(5_000, 6)]) && rule.isMetByTime([measurement(5_000, 6)]))
  }
}
