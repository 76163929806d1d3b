import Testing

@testable import SanderlingDiagnosis

@Suite struct QueryShapeTests {
  static let schema = SchemaDescription(tables: [
    .init(
      name: "project",
      columns: [
        .init(name: "id", declaredType: "INTEGER", isRowidAlias: true),
        .init(name: "name", declaredType: "TEXT", collation: "NOCASE"),
        .init(name: "isArchived", declaredType: "BOOLEAN"),
      ]),
    .init(
      name: "task",
      columns: [
        .init(name: "id", declaredType: "INTEGER", isRowidAlias: true),
        .init(name: "projectID", declaredType: "INTEGER"),
        .init(name: "title", declaredType: "TEXT"),
        .init(name: "due", declaredType: "REAL"),
        .init(name: "isCompleted", declaredType: "BOOLEAN"),
      ]),
    .init(
      name: "openTask",
      columns: [.init(name: "id"), .init(name: "title"), .init(name: "due")], hasRowid: false,
      viewSQL: "CREATE VIEW openTask AS SELECT id, title, due FROM task WHERE isCompleted = 0"),
  ])

  private func shape(_ sql: String) throws -> QueryShape {
    try ShapeReader.shape(of: sql, in: Self.schema)
  }

  /// The terms of the condition on the first table of the first SELECT.
  private func terms(_ sql: String) throws -> [TermShape] {
    try shape(sql).selects[0].sources[0].terms
  }

  @Test func readsComparisons() throws {
    let terms = try terms("SELECT title FROM task WHERE projectID = ? AND 3 <= due AND isCompleted = 0 AND id <> 1")
    #expect(terms.map(\.key?.sql) == ["\"projectID\"", "\"due\"", "\"isCompleted\"", "\"id\""])
    #expect(terms.map(\.kind) == [.equality, .range(lower: true, upper: false), .equality, .other])
    #expect(
      terms.map(\.value) == [
        .parameter(1), .literal(.integer, sql: "3"), .literal(.integer, sql: "0"), .literal(.integer, sql: "1"),
      ])
    #expect(terms.map(\.indexCondition) == [nil, "3 <= \"due\"", "\"isCompleted\" = 0", "\"id\" <> 1"])
  }

  @Test func readsListsAndRanges() throws {
    let terms = try terms(
      "SELECT 1 FROM task WHERE due BETWEEN :a AND :b AND title IS NOT NULL AND projectID IN (1, ?)")
    #expect(terms.map(\.kind) == [.range(lower: true, upper: true), .isNotNull, .membership(count: 2)])
    #expect(terms.map(\.value) == [.expression, .none, .list(isLiteral: false)])
    #expect(terms.map(\.parameters) == [[1, 2], [], [3]])
  }

  @Test func readsPatternsAndTruthValues() throws {
    let terms = try terms(
      "SELECT 1 FROM task WHERE title LIKE 'abc%' AND title LIKE ? AND NOT isCompleted AND +due = 1")
    #expect(
      terms.map(\.kind) == [
        .pattern(name: "LIKE", prefix: "abc"), .pattern(name: "LIKE", prefix: nil), .truth(isNegated: true), .other,
      ])
    #expect(terms.map(\.key?.sql) == ["\"title\"", "\"title\"", "\"isCompleted\"", nil])
  }

  @Test func readsRowValues() throws {
    let terms = try terms("SELECT 1 FROM task WHERE (due, id) > (?, ?)")
    #expect(terms.map(\.rowPosition) == [0, 1])
    #expect(terms.map(\.parameters) == [[1], [2]])
  }

  @Test func readsJoins() throws {
    let shape = try shape(
      "SELECT p.name, count(t.id) FROM project p LEFT JOIN task t ON t.projectID = p.id AND t.isCompleted = 0 "
        + "WHERE p.name = 'x' GROUP BY p.id ORDER BY 2 DESC, p.name LIMIT 10")
    let select = shape.selects[0]
    #expect(select.sources.map(\.table) == ["project", "task"])
    #expect(select.sources.map(\.join) == [.inner, .left])
    #expect(select.sources.map(\.isNullable) == [false, true])
    #expect(select.sources[0].terms.map(\.key?.sql) == ["\"name\""])
    #expect(select.sources[0].terms.map(\.collation) == ["NOCASE"])
    #expect(select.sources[1].terms.map(\.key?.sql) == ["\"projectID\"", "\"isCompleted\""])
    #expect(select.sources[1].terms[0].joinedTo?.isRowid == true)
    #expect(select.sources[1].terms[1].indexCondition == "\"isCompleted\" = 0")
    #expect(select.sources[1].columns == ["id", "projectID", "isCompleted"])
    #expect(select.groupBy.map(\.key?.sql) == ["\"id\""])
    #expect(select.orderBy.map(\.key?.sql) == [nil, "\"name\""])
    #expect(select.orderBy.map(\.isDescending) == [true, false])
    #expect(select.aggregates.map(\.function) == ["count"])
    #expect(select.aggregates[0].sources == [2])
    #expect(select.limit == .literal(10))
  }

  @Test func readsExpressionsThatAnIndexCanHold() throws {
    let shape = try shape(
      "SELECT 1 FROM task AS t WHERE lower(t.title) = ? AND date(t.due, 'unixepoch') > '2026' AND date(t.due, 'localtime') = 1 "
        + "ORDER BY lower(title), random()")
    let select = shape.selects[0]
    #expect(
      select.sources[0].terms.map { $0.key?.sql } == ["lower(\"title\")", "date(\"due\", 'unixepoch')", nil])
    #expect(select.sources[0].terms[2].columns == ["due"])
    #expect(select.orderBy.map(\.key?.sql) == ["lower(\"title\")", nil])
  }

  @Test func readsAlternatives() throws {
    let shape = try shape(
      "SELECT * FROM task WHERE (projectID = 1 OR due > 2 AND isCompleted = 0) AND (id = 1 OR id = 2)")
    let source = shape.selects[0].sources[0]
    #expect(source.readsAllColumns)
    #expect(source.alternatives.count == 2)
    #expect(
      source.alternatives[0].branches.map { $0.map(\.key?.sql) } == [
        ["\"projectID\""], ["\"due\"", "\"isCompleted\""],
      ])
    #expect(source.terms.map(\.kind) == [.membership(count: 2)])
  }

  @Test func readsCorrelatedSubqueries() throws {
    let shape = try shape(
      "SELECT id, (SELECT max(due) FROM task WHERE projectID = project.id) FROM project WHERE EXISTS "
        + "(SELECT * FROM task WHERE task.projectID = project.id)")
    #expect(shape.selects.count == 3)
    let (exists, scalar) = try (
      #require(shape.selects.first { $0.role == .exists }), #require(shape.selects.first { $0.role == .scalar })
    )
    #expect(scalar.isCorrelated && exists.isCorrelated)
    #expect(scalar.sources[0].terms.map(\.value) == [.outer([2])])
    #expect(scalar.aggregates.map(\.function) == ["max"])
    #expect(exists.sources[0].columns == ["projectID"])
    #expect(shape.selects[0].sources[0].columns == ["id"])
  }

  @Test func readsWritesAndViews() throws {
    let update = try shape(
      "UPDATE task SET due = 1, title = ? WHERE projectID IN (SELECT id FROM project WHERE name = ?)")
    #expect(update.kind == .update(table: "task", columns: ["due", "title"]))
    #expect(update.selects[0].role == .update)
    #expect(update.selects[0].sources[0].terms.map(\.value) == [.subquery(core: 2, isCorrelated: false)])
    let view = try shape("SELECT title FROM openTask WHERE due < ? ORDER BY due")
    #expect(view.views[1]?.selects[0].sources[0].table == "task")
    #expect(view.selectsWithViews.count == 2)
  }

  @Test func readsStringsInDoubleQuotes() throws {
    let shape = try shape("SELECT \"title\" FROM task WHERE title = \"Milk\"")
    #expect(shape.strings.map { shape.text[$0] } == ["\"Milk\""])
    #expect(shape.selects[0].sources[0].terms.map(\.value) == [.literal(.string, sql: "\"Milk\"")])
  }

  @Test func carriesConditionsIntoViewsAndSubqueries() throws {
    let view = try shape("SELECT title FROM openTask WHERE due < ? ORDER BY due")
    let inner = try #require(view.views[1]?.selects.first)
    #expect(inner.sources[0].terms.map(\.key?.sql) == ["\"isCompleted\"", "\"due\""])
    #expect(inner.sources[0].terms.map(\.isPushedDown) == [false, true])
    #expect(inner.orderBy.map(\.key?.sql) == ["\"due\""] && inner.isOrderPushedDown)

    let subquery = try shape(
      "WITH late AS (SELECT id AS taskID, lower(title) AS name FROM task WHERE due < 5) SELECT * FROM "
        + "(SELECT taskID, name FROM late) WHERE name = 'milk'")
    let late = try #require(subquery.selects.first { $0.role == .commonTable("late") })
    #expect(late.sources[0].terms.map(\.key?.sql) == ["\"due\"", "lower(\"title\")"])

    // A condition on a group's key excludes whole groups, so it applies to the rows inside the subquery.
    let grouped = try shape(
      "SELECT * FROM (SELECT due, title, count(*) AS n FROM task GROUP BY due, title) WHERE title = 'a' AND n > 1")
    #expect(grouped.selects.first { $0.role == .source }?.sources[0].terms.map(\.key?.sql) == ["\"title\""])
    let whole = try shape("SELECT * FROM (SELECT max(due) AS due FROM task) WHERE due = 1")
    #expect(whole.selects.first { $0.role == .source }?.sources[0].terms.isEmpty == true)

    let limited = try shape("SELECT * FROM (SELECT * FROM task LIMIT 5) WHERE due = 1")
    #expect(limited.selects.first { $0.role == .source }?.sources[0].terms.isEmpty == true)
  }

  @Test func readsConditionsThatNoIndexServes() throws {
    let terms = try terms(
      "SELECT 1 FROM task WHERE id & 4 AND due < projectID AND NOT EXISTS (SELECT 1 FROM project WHERE id = task.projectID) "
        + "AND title NOT IN (SELECT name FROM project)")
    #expect(terms.map(\.kind) == [.other, .other, .other, .other])
    #expect(terms.map(\.columns) == [["id"], ["due", "projectID"], ["projectID"], ["title"]])
    #expect(terms.map(\.indexCondition) == ["\"id\" & 4", "\"due\" < \"projectID\"", nil, nil])
    #expect(
      terms.map(\.value) == [
        .expression, .sameSource, .subquery(core: 2, isCorrelated: true), .subquery(core: 3, isCorrelated: false),
      ])
  }

  @Test func knowsOuterJoinsThatAreInnerInEffect() throws {
    let join = "SELECT 1 FROM project p LEFT JOIN task t ON t.projectID = p.id "
    #expect(try shape(join + "WHERE t.due > 3").selects[0].sources[1].rejectsNull)
    #expect(try !shape(join + "WHERE t.due IS ?").selects[0].sources[1].rejectsNull)
    #expect(try !shape(join + "WHERE p.id = 3").selects[0].sources[1].rejectsNull)
  }

  /// The name resolution knows all names in these statements, which SQLite accepts.
  @Test func knowsAllNames() throws {
    let schema = SchemaDescription(tables: [
      .init(name: "t", columns: ["a", "b", "c", "d"].map { .init(name: $0) }),
      .init(name: "u", columns: ["a", "b", "c"].map { .init(name: $0) }),
      .init(name: "v", columns: [.init(name: "a")]),
      .init(name: "u1", columns: [.init(name: "k"), .init(name: "n")], hasRowid: false),
      .init(name: "words", columns: ["key", "first", "last", "temp", "desc"].map { .init(name: $0) }),
      .init(name: "f", columns: ["title", "body", "f", "rank"].map { .init(name: $0) }),
    ])
    for sql in SQLParserTests.statements {
      let shape = try ShapeReader.shape(of: sql, in: schema)
      #expect(!shape.resolved.references.values.contains(.unknown), "\(sql)")
    }
  }
}
