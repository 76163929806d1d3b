import Testing

@testable import SanderlingDiagnosis

/// A text in double quotes is a name if the schema has this name, and a value otherwise.
struct SQLNamesTests {
  private let names = SQLNames(["task", "title", "due", "state"])

  @Test(arguments: [
    (#"SELECT "title" FROM "task" WHERE "title" = "Milk""#, #"SELECT "title" FROM "task" WHERE "title" = ?"#),
    (#"SELECT * FROM task WHERE state IN ("open", "done")"#, "SELECT * FROM task WHERE state IN (?…)"),
    (#"SELECT t."title" FROM task "t" WHERE "t".due > "now""#, #"SELECT t."title" FROM task "t" WHERE "t".due > ?"#),
    (#"SELECT "secret" AS "shown" FROM task ORDER BY "shown""#, #"SELECT ? AS "shown" FROM task ORDER BY "shown""#),
    (
      #"WITH x ("a") AS (SELECT title FROM task) SELECT "a" FROM x WHERE "b" = 1"#,
      #"WITH x("a") AS (SELECT title FROM task) SELECT "a" FROM x WHERE ? = ?"#
    ),
    (
      #"SELECT * FROM "missing" WHERE title IS NOT DISTINCT FROM "secret""#,
      #"SELECT * FROM "missing" WHERE title IS NOT DISTINCT FROM ?"#
    ),
    (#"INSERT INTO task ("title") VALUES ("secret")"#, #"INSERT INTO task("title") VALUES (?…)"#),
    (#"SELECT "key", "value" FROM json_each(?)"#, #"SELECT "key", "value" FROM json_each(?)"#),
    (#"SELECT printf("secret", title) "name" FROM task"#, #"SELECT printf(?, title) "name" FROM task"#),
    (
      #"UPDATE task SET state = CASE "x" WHEN "y" THEN "z" ELSE "w" END"#,
      "UPDATE task SET state = CASE ? WHEN ? THEN ? ELSE ? END"
    ),
  ])
  func doubleQuotedValuesAreMaskedAndNamesAreKept(sql: String, shown: String) {
    #expect(Fingerprint.of(sql, names: names) == shown)
    // Masked text contains nothing more to mask.
    #expect(Fingerprint.of(shown, names: names) == shown)
  }

  @Test func withoutASchemaAllAreNames() {
    #expect(Fingerprint.of(#"SELECT "a" FROM "b""#) == #"SELECT "a" FROM "b""#)
  }

  /// A quote within a text breaks a statement, so that words of the text look like names. They are masked as values.
  @Test func wordsOfAMalformedStatementMayBeValues() {
    let sql = "SELECT title FROM task WHERE title = 'O'Connor secret'"
    #expect(Fingerprint.of(sql, names: names, state: .malformed) == "SELECT title FROM task WHERE title = ? ? ? ?")
  }

  /// In a valid statement, a quoted word after an operand is an alias. In a refused statement it may be a value.
  @Test func anAliasIsTrustedInAnAcceptedStatement() {
    let sql = #"SELECT due "secret" FROM task"#
    #expect(Fingerprint.of(sql, names: names) == sql)
    #expect(Fingerprint.of(sql, names: names, state: .refused) == "SELECT due ? FROM task")
  }
}
