import Testing

@testable import SanderlingDiagnosis

/// The advice for several statements together.
@Suite struct IndexSetTests {
  private func advice(
    _ statements: [(sql: String, count: Int)], on fixture: AdviceFixture, maximumIndexes: Int = 5
  ) throws -> IndexAdvice {
    let analyzed = try statements.enumerated().map { place, statement in
      try fixture.analyze(statement.sql, id: place + 1, count: statement.count)
    }
    var advisor = fixture.advisor
    advisor.evidence = LiteralEvidence(analyzed)
    let advice = try analyzed.map(advisor.advise(on:))
    return try advisor.indexSet(
      for: analyzed, advice: advice, maximumIndexes: maximumIndexes, searchTime: .seconds(60))
  }

  private let insertion = "INSERT INTO task (projectID, title, isDone, isFlagged, priority) VALUES (?, ?, ?, ?, ?)"

  @Test func anIndexServesSeveralStatements() throws {
    let set = try advice(
      [
        ("SELECT * FROM task WHERE projectID = ?", 10),
        ("SELECT * FROM task WHERE projectID = ? ORDER BY due LIMIT 20", 10),
        ("SELECT max(due) FROM task WHERE projectID = ?", 1),
      ], on: AdviceFixture(AdviceFixture.tasks))
    #expect(set.create.map(\.sql) == [#"CREATE INDEX "task_on_projectID_due" ON "task" ("projectID", "due")"#])
    #expect(set.create.first?.statements == [1, 2, 3])
    #expect(set.gains.map(\.statement) == [1, 2, 3])
    #expect(set.migrationSQL == set.create.map(\.sql))
    #expect(
      set.migrationGRDB == """
        migrator.registerMigration("Index columns that are read often", foreignKeyChecks: .immediate) { db in
          try db.create(index: "task_on_projectID_due", on: "task", columns: ["projectID", "due"])
        }
        """)
    #expect(
      set.migrationSanderling == #"""
        // In the record of the table task:
        @Record(indexes: [.on(\.projectID, \.due)])
        """#)
    #expect(set.verdict.hasPrefix("One index for 3 statements."))
    #expect(set.verdict.contains("was assumed"))
    #expect(set.writeCost == nil)
  }

  /// SQLite would use a new index for another statement too, for which it finds half of all rows. The index of the
  /// other statement therefore gets the column too.
  @Test func noStatementLosesItsIndexToAnother() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE account (id TEXT PRIMARY KEY, name TEXT);
      CREATE TABLE entry (id INTEGER PRIMARY KEY, account TEXT, code TEXT, day INTEGER, amount INTEGER, note TEXT);
      \(AdviceFixture.numbers(20)) INSERT INTO account SELECT 'a' || i, 'Account ' || i FROM n;
      \(AdviceFixture.numbers(12_000)) INSERT INTO entry
        SELECT i, 'a' || (CASE WHEN i % 2 THEN 1 ELSE 1 + i % 20 END), 'c' || (i * 7919 % 12000), i, i % 90, printf('%.60c', 'x') FROM n;
      """)
    let set = try advice(
      [
        ("SELECT sum(amount) FROM entry WHERE account = 'a5'", 1),
        (
          "SELECT e.id, e.note FROM entry e LEFT JOIN account a ON a.id = e.account WHERE e.code = 'c77' AND a.id = 'a1'",
          1
        ),
      ], on: fixture)
    #expect(set.gains.map(\.statement) == [1, 2])
    #expect(set.gains.allSatisfy { $0.comparison.after.work < 0.2 * $0.comparison.before.work }, "\(set.migrationSQL)")
  }

  /// No created index is a prefix of another created index, even if a statement wants the order of rowids after the
  /// prefix.
  @Test func noCreatedIndexIsAPrefixOfAnother() throws {
    let set = try advice(
      [
        ("SELECT id, note FROM task WHERE projectID = ? AND id > ? ORDER BY id LIMIT 50", 10),
        ("SELECT count(*) FROM task WHERE projectID = ? AND size > ?", 10),
        ("SELECT max(size) FROM task WHERE projectID = ?", 10),
      ], on: AdviceFixture(AdviceFixture.tasks))
    #expect(!set.create.isEmpty)
    let keys = set.create.map { String($0.sql.drop { $0 != "(" }.dropLast()) }
    for key in keys { #expect(!keys.contains { $0.hasPrefix(key + ",") }, "\(keys)") }
  }

  /// An index that makes another statement several times as slow is not created, whatever it gains for one statement.
  @Test func noReadIsMadeSeveralTimesAsSlow() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE issue (id INTEGER PRIMARY KEY, state TEXT, user INTEGER, body TEXT);
      CREATE VIRTUAL TABLE words USING fts5 (body, content = 'issue', content_rowid = 'id');
      \(AdviceFixture.numbers(12_000)) INSERT INTO issue
        SELECT i, CASE WHEN i % 10 = 0 THEN 'open' ELSE 'closed' END, i % 700, printf('%.300c', 'x') || ' word' || (i % 900) FROM n;
      INSERT INTO words (words) VALUES ('rebuild');
      """)
    let search = """
      SELECT id, body FROM issue WHERE state = 'closed' AND id IN (SELECT rowid FROM words WHERE words MATCH 'word7')
      ORDER BY user LIMIT 20
      """
    let count = "SELECT count(*), sum(user) FROM issue WHERE state = 'open'"
    let alone = try advice([(count, 10)], on: fixture)
    #expect(!alone.create.isEmpty)
    let set = try advice([(count, 10), (search, 1)], on: fixture)
    for gain in set.gains {
      #expect(gain.comparison.after.isComplete, "\(gain)")
      #expect(gain.comparison.after.work < 2 * gain.comparison.before.work + GainRule.leastCost, "\(gain)")
    }
    // A statement without a gain or a loss is not named.
    let before = try fixture.advisor.runner.measure(search).work
    let after = try Trial(connection: fixture.copy.connection).run(set.migrationSQL) {
      try fixture.advisor.runner.measure(search).work
    }.value
    #expect(after < 2 * before + GainRule.leastCost, "\(set.migrationSQL)")
  }

  /// If an index misleads another statement by its first column, an index with that column last is proposed instead.
  @Test func misleadingIndexIsReordered() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE picture (id INTEGER PRIMARY KEY, status INTEGER NOT NULL, changed INTEGER, name TEXT);
      CREATE TABLE info (picture INTEGER PRIMARY KEY, rating INTEGER, created INTEGER);
      \(AdviceFixture.numbers(20_000)) INSERT INTO picture SELECT i, CASE WHEN i % 33 = 0 THEN 3 ELSE 1 END, i * 7919 % 20011, 'name ' || i FROM n;
      INSERT INTO info SELECT id, CASE WHEN id % 20 = 0 THEN 5 ELSE 1 END, id * 31 % 5003 FROM picture;
      """)
    let deleted = "SELECT id, name FROM picture WHERE status = 3 ORDER BY changed DESC LIMIT 50"
    let best = """
      SELECT p.id, p.name, i.created FROM info i JOIN picture p ON p.id = i.picture
      WHERE i.rating >= 4 AND p.status = 1 ORDER BY i.created LIMIT 100
      """
    // A statement that reads an index from end to end searches for no value.
    let all = "SELECT sum(created), max(rating) FROM info"
    let set = try advice([(deleted, 1), (best, 10), (all, 1)], on: fixture)
    #expect(set.gains.map(\.statement).contains(1), "\(set.verdict) \(set.create)")
    #expect(set.create.contains { $0.sql.contains(#"ON "picture" ("changed", "status""#) }, "\(set.migrationSQL)")
    for gain in set.gains { #expect(gain.comparison.after.work <= gain.comparison.before.work, "\(gain)") }
  }

  /// An index that begins with a frequent value misleads other statements with this value. A partial index of the rows
  /// with this value doesn't.
  @Test func misleadingIndexBecomesPartial() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE document (id INTEGER PRIMARY KEY, deleted TEXT, created INTEGER, title TEXT, text TEXT, length INTEGER);
      CREATE INDEX document_on_created ON document (created);
      \(AdviceFixture.numbers(8_000)) INSERT INTO document
        SELECT i, iif(i % 50 = 0, '2024', NULL), i * 7919 % 8009, 'title ' || i, printf('%.1500c', 'x'), i % 900 FROM n;
      """)
    let lengths = "SELECT sum(length) FROM document WHERE deleted IS NULL"
    let newest = "SELECT * FROM document WHERE deleted IS NULL ORDER BY created DESC LIMIT 20"
    let alone = try advice([(lengths, 1)], on: fixture)
    #expect(alone.create.map(\.sql).contains { $0.hasSuffix(#"("deleted", "length")"#) })
    let set = try advice([(lengths, 1), (newest, 1)], on: fixture)
    #expect(
      set.create.map(\.sql).contains { $0.hasSuffix(#"("length") WHERE "deleted" IS NULL"#) },
      "\(set.migrationSQL) \(set.verdict)")
    #expect(set.gains.map(\.statement) == [1])
  }

  /// A superfluous old index, which is a prefix of another index, is dropped even if a new index slows a statement
  /// down.
  @Test func redundantIndexIsDroppedAlthoughAStatementSlowsDown() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE sale (id INTEGER PRIMARY KEY, country TEXT, day INTEGER, note TEXT);
      CREATE TABLE part (id INTEGER PRIMARY KEY, hash TEXT, number INTEGER, UNIQUE (hash, number));
      CREATE INDEX part_on_hash ON part (hash);
      \(AdviceFixture.numbers(20_000)) INSERT INTO sale SELECT i, substr('CHDE', 1 + (i % 8 = 0) * 2, 2), i % 700, printf('%.90c', 'x') FROM n;
      \(AdviceFixture.numbers(2_000)) INSERT INTO part SELECT i, 'h' || i, i FROM n;
      """)
    // SQLite uses the index for each equality, and looks up nearly all rows one by one.
    let index = IndexCandidate(
      table: "sale", keys: [.init(column: "country", sql: "\"country\"")], purposes: [.filter])
    let statements = try ["SELECT sum(day) FROM sale WHERE country = 'CH'", "SELECT id FROM part WHERE hash = 'h7'"]
      .enumerated().map { try fixture.analyze($1, id: $0 + 1) }
    let advisor = fixture.advisor
    let (advice, gains) = try IndexBench.run(
      on: fixture.copy.connection, schema: fixture.schema, names: advisor.names, runner: advisor.runner,
      deadline: .never
    ) { bench in
      try IndexSetProof(advisor: advisor, bench: bench, statements: statements).advice(creating: [index], dropping: [])
    }
    #expect(gains.contains { !$0.isNoWorse })
    #expect(advice.isMeasured && advice.drop.map(\.name) == ["part_on_hash"])
  }

  @Test func costOfWritesCountsAgainstAnIndex() throws {
    let fixture = try AdviceFixture(AdviceFixture.tasks)
    let read = "SELECT * FROM task WHERE projectID = ?"
    let often = try advice([(read, 100), (insertion, 1)], on: fixture)
    #expect(often.create.map(\.name) == ["task_on_projectID"])
    #expect((often.writeCost ?? 0) > 1)
    let seldom = try advice([(read, 1), (insertion, 5000)], on: fixture)
    #expect(seldom.create.isEmpty)
    #expect(seldom.migrationSQL.isEmpty)
    #expect(seldom.verdict.hasPrefix("No new index: those that help single statements cost"))
    #expect(
      seldom.verdict.contains(
        "S1 alone would gain from task_on_projectID, which is left out: S2 would have to keep it up to date."))
  }

  @Test func mostUsefulIndexesAreKeptWithinTheLimit() throws {
    let statements = [
      ("SELECT * FROM task WHERE projectID = ?", 1), ("SELECT * FROM task WHERE due = ?", 50),
      ("SELECT * FROM task WHERE title = ?", 2),
    ]
    let fixture = try AdviceFixture(AdviceFixture.tasks)
    #expect(try advice(statements, on: fixture, maximumIndexes: 3).create.count == 3)
    let one = try advice(statements, on: fixture, maximumIndexes: 1)
    #expect(one.create.map(\.name) == ["task_on_due"])
    #expect(!one.verdict.contains("left out"))
    #expect(try advice(statements, on: fixture, maximumIndexes: 0).create.isEmpty)
  }

  /// Without statistics, two indexes look equally good to SQLite, and it uses the index that was created last. The
  /// report names the index that SQLite uses after its migration.
  @Test func reportNamesTheIndexesUsedAfterTheMigration() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE node (tree INTEGER NOT NULL, path TEXT NOT NULL, sum TEXT, revision INTEGER, author TEXT, PRIMARY KEY (tree, path));
      \(AdviceFixture.numbers(20_000)) INSERT INTO node
      SELECT 1, printf('folder/%d', i * 7919 % 20000), printf('sum%d', i), i * 31 % 5000, printf('%.60c', 'x') FROM n;
      """)
    let statements = [
      "SELECT max(revision) FROM node WHERE tree = 1", "SELECT path FROM node WHERE tree = 1 AND sum = 'sum77'",
      "SELECT path FROM node WHERE tree = 1 AND author = 'a' ORDER BY revision",
    ]
    let set = try advice(statements.map { ($0, 1) }, on: fixture)
    #expect(set.create.count > 1)
    for sql in set.migrationSQL { try fixture.copy.connection.run(sql) }
    for (place, sql) in statements.enumerated() {
      let plan = try PlanReader(connection: fixture.copy.connection, schema: fixture.schema).plan(of: sql)
      let read = WhatIfPlanner.indexes(in: plan.nodes.map(\.detail))
      let named = set.create.filter { $0.statements.contains(place + 1) }.map(\.name)
      #expect(read == named, "S\(place + 1): \(set.migrationSQL)")
    }
  }

  /// No statement becomes slower through an index for another statement. With the statistics of ANALYZE, SQLite would
  /// walk an index by currency, country and total for the condition on the total alone.
  @Test func noStatementBecomesSlowerThroughAnIndex() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE sale (id INTEGER PRIMARY KEY, currency TEXT, country TEXT, total REAL, note TEXT);
      \(AdviceFixture.numbers(30_000)) INSERT INTO sale SELECT i, substr('EURUSDCHF', 1 + i % 3 * 3, 3),
        substr('DEFRUSCH', 1 + i % 4 * 2, 2), i * 7919 % 30000 / 10.0, printf('%.90c', 'x') FROM n;
      ANALYZE;
      """)
    let set = try advice(
      [
        ("SELECT * FROM sale WHERE total > 200", 1),
        ("SELECT id FROM sale WHERE currency = 'CHF' AND country = 'CH' AND total > 2900", 5),
        ("SELECT count(*), sum(total) FROM sale WHERE currency = 'CHF' AND country = 'CH'", 5),
      ], on: fixture)
    #expect(!set.create.isEmpty && !set.gains.isEmpty)
    for gain in set.gains {
      let (before, after) = (gain.comparison.before.work, gain.comparison.after.work)
      #expect(after <= 1.1 * before + 500, "S\(gain.statement): \(set.migrationSQL)")
    }
  }

  /// The cost of a stopped run is no gain. Without the short index, SQLite searches all rows of a name for the greatest
  /// id. The run is stopped at twice the former steps, when it has read few pages.
  @Test func stoppedRunIsNoGain() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE revision (
        id INTEGER PRIMARY KEY, name TEXT, previous INTEGER, isDeleted INTEGER, lease INTEGER, value TEXT);
      CREATE INDEX revision_of_name ON revision (name);
      CREATE UNIQUE INDEX revision_before ON revision (name, previous);
      \(AdviceFixture.numbers(24_000)) INSERT INTO revision SELECT i, 'name ' || (i * 7919 % 40), i - 1, i % 25 = 0,
        iif(i % 30 = 0, 3600, 0), printf('%.300c', 'x') FROM n;
      """)
    let statements = [
      "SELECT r.name, length(r.value) FROM revision r WHERE r.isDeleted = 0 AND r.name >= 'name' AND r.name < 'namf' "
        + "AND r.id = (SELECT max(x.id) FROM revision x WHERE x.name = r.name)",
      "SELECT id, name, lease FROM revision WHERE lease > 0 AND isDeleted = 0 ORDER BY id",
    ]
    let set = try advice(statements.map { ($0, 1) }, on: fixture)
    #expect(!set.drop.map(\.name).contains("revision_of_name"))
    for gain in set.gains {
      #expect(gain.comparison.after.isComplete, "S\(gain.statement): \(set.migrationSQL)")
      #expect(gain.comparison.after.work <= 1.1 * gain.comparison.before.work + 500)
    }
  }

  /// A stopped run costs more than the run before, at whatever step it was stopped.
  @Test func stoppedRunCostsMoreThanTheRunBefore() {
    func measurement(_ steps: Int64, pages: Int64, isComplete: Bool = true) -> StatementMeasurement {
      StatementMeasurement(
        steps: steps, pages: pages, coldPages: 0, warmTime: .zero, coldTime: .zero, rowsReturned: 0,
        isComplete: isComplete)
    }
    let before = [measurement(1_000, pages: 200)]
    #expect(ExecutionCost.of([measurement(2_000, pages: 3)], beside: before) == 2_150)
    #expect(ExecutionCost.of([measurement(2_000, pages: 3, isComplete: false)], beside: before) == 33_000)
    #expect(ExecutionCost.of([], beside: before) == 33_000)
    // If the run before did not end either, its cost is a lower bound too.
    let endless = [measurement(9_000, pages: 0, isComplete: false)]
    #expect(ExecutionCost.of([measurement(2_000, pages: 0, isComplete: false)], beside: endless) == 2_000)
  }

  @Test func analyzeIsPartOfAMigrationThatDependsOnIt() throws {
    // Every event has the same state, and each day has ten events.
    let fixture = try AdviceFixture(
      """
      CREATE TABLE event (id INTEGER PRIMARY KEY, state INTEGER, day INTEGER, score INTEGER, note TEXT);
      \(AdviceFixture.numbers(20_000)) INSERT INTO event
        SELECT i, 1, i / 10, i * 7919 % 20000, printf('%.60c', 'x') FROM n;
      CREATE INDEX event_on_state ON event (state, note); CREATE INDEX event_on_day ON event (day);
      """)
    let set = try advice(
      [
        ("SELECT * FROM event WHERE state = 1 AND note > 'a' AND day = 7", 5),
        ("SELECT id, note FROM event ORDER BY score DESC LIMIT 5", 5),
      ], on: fixture)
    #expect(set.create.map(\.name) == ["event_on_score"])
    #expect(set.migrationSQL.last == "ANALYZE")
    #expect(set.migrationGRDB.contains(#"try db.execute(sql: "ANALYZE")"#))
    #expect(set.verdict.contains("after ANALYZE"))
    #expect(set.gains.map(\.statement) == [1, 2])
  }

  /// Statistics that make a read several times as slow are not proposed. With them, SQLite would read all branches to
  /// find the few branches below one parent.
  @Test func statisticsMakeNoReadSeveralTimesAsSlow() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE branch (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, isDeleted INTEGER NOT NULL, place INTEGER, title TEXT);
      CREATE INDEX branch_of_parent ON branch(parent, isDeleted, place);
      CREATE TABLE note (id INTEGER PRIMARY KEY, isDeleted INTEGER NOT NULL, kind INTEGER, at INTEGER, title TEXT);
      CREATE INDEX note_search ON note(isDeleted, kind); CREATE INDEX note_at ON note(at);
      \(AdviceFixture.numbers(9_000)) INSERT INTO branch SELECT i, i / 3, i % 20 = 0, i, 'branch' FROM n;
      \(AdviceFixture.numbers(9_000)) INSERT INTO note SELECT i, i % 20 = 0, i % 5, i * 7919 % 9001, 'note' FROM n;
      """)
    let below = """
      WITH RECURSIVE tree(id, depth) AS (SELECT 900, 0 UNION ALL SELECT b.id, depth + 1 FROM tree
        JOIN branch b ON b.parent = tree.id WHERE b.isDeleted = 0 AND depth < 3) SELECT count(*) FROM tree
      """
    let latest = "SELECT id, title FROM note WHERE isDeleted = 0 ORDER BY at DESC LIMIT 50"
    let set = try advice([(below, 1), (latest, 10)], on: fixture)
    #expect(set.gains.map(\.statement).contains(2), "\(set.verdict)")
    for gain in set.gains {
      #expect(gain.comparison.after.work <= 2 * gain.comparison.before.work + GainRule.leastCost, "\(gain)")
    }
  }

  @Test func prefixOfAnotherIndexIsDropped() throws {
    let fixture = try AdviceFixture(
      AdviceFixture.tasks + """
        CREATE INDEX a ON task (priority); CREATE INDEX b ON task (priority, due); CREATE INDEX c ON task (projectID);
        CREATE UNIQUE INDEX u ON project (name); CREATE INDEX v ON project (name, id);
        CREATE INDEX p ON task (due) WHERE isDone = 0;
        """)
    let set = try advice([("SELECT * FROM task WHERE projectID = ? ORDER BY due LIMIT 3", 10)], on: fixture)
    #expect(set.create.map(\.name) == ["task_on_projectID_due"])
    #expect(set.drop.map(\.name) == ["a", "c"])
    #expect(set.pages == set.create.reduce(0) { $0 + $1.pages } - set.drop.reduce(0) { $0 + $1.pages })
  }

  @Test func servedStatementGetsNoIndex() throws {
    let set = try advice(
      [("SELECT * FROM task WHERE id = ?", 10)], on: AdviceFixture(AdviceFixture.tasks))
    #expect(set.create.isEmpty && set.drop.isEmpty && set.gains.isEmpty)
    #expect(set.migrationSQL == [] && set.migrationGRDB == "" && set.migrationSanderling == "")
    #expect(set.verdict == "No new index: none makes these statements enough cheaper.")
  }

  /// A write may become slower by the upkeep of an index, but the index must not mislead the search for its rows. Seen
  /// in the corpus statement kavita-14.
  @Test func noWriteIsMisled() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE progress (id INTEGER PRIMARY KEY, user INTEGER NOT NULL, series INTEGER NOT NULL, chapter INTEGER NOT NULL, pages INTEGER, at TEXT, kind INTEGER);
      CREATE INDEX progress_chapter ON progress (chapter);
      \(AdviceFixture.numbers(30_000)) INSERT INTO progress SELECT i, i % 4, i % 700, i, i % 30, 'day ' || i % 900, i % 50 = 0 FROM n;
      """)
    let write = "UPDATE progress SET at = 'now' WHERE chapter = 20000 AND user = 0 AND kind = 0"
    let advice = try advice(
      [("SELECT series, sum(pages) FROM progress WHERE user = 3 AND kind = 0 GROUP BY series", 50), (write, 1)],
      on: fixture)
    for sql in advice.migrationSQL { try fixture.copy.connection.run(sql) }
    let plan = try PlanReader(connection: fixture.copy.connection, schema: fixture.schema).plan(of: write)
    #expect(
      plan.nodes.contains { $0.detail.contains("progress_chapter") },
      "\(advice.create.map(\.sql)), \(plan.nodes.map(\.detail))")
  }
}
