/// A schema with an object that only an app can use, or that is unusable, beside a working table `note` of three rows.
package struct OddSchema: Sendable, CustomStringConvertible {
  package let description: String
  /// The SQL that makes the schema, outside of a transaction.
  package let sql: String
  /// The objects that a connection without the app's functions can't read, with the reasons.
  package let unusable: [String: String]
  /// Whether SQLite refuses the whole file by default.
  package let isDamaged: Bool

  private init(
    _ description: String, _ sql: String, replacing old: String? = nil, by new: String = "",
    unusable: [String: String] = [:],
    isDamaged: Bool = false
  ) {
    self.description = description
    // An object that SQLite refuses to create without the app's function is created with another function, which is
    // then replaced in the stored text.
    let replacement = old.map { old in
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, '\(old)', '\(new)') WHERE sql LIKE '%\(old)%';
      PRAGMA writable_schema = OFF;
      """
    }
    self.sql = """
      CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT NOT NULL, size INT);
      INSERT INTO note VALUES (1, 'one', 1), (2, 'two', 2), (3, 'three', NULL);
      \(sql)
      \(replacement ?? "")
      """
    (self.unusable, self.isDamaged) = (unusable, isDamaged)
  }

  private static let function = "it calls the function mysort, which only an app has"
  private static let dropped = "it reads the table nosuch, which doesn't exist"
  private static let collation = "it needs the collation APPORDER, which only an app has"

  package static let all: [OddSchema] = [
    OddSchema(
      "a view of an app's function", "CREATE VIEW odd AS SELECT mysort(title) FROM note;", unusable: ["odd": function]),
    OddSchema("a view of a dropped table", "CREATE VIEW odd AS SELECT x FROM nosuch;", unusable: ["odd": dropped]),
    OddSchema(
      "a view over a broken view", "CREATE VIEW odd AS SELECT x FROM nosuch; CREATE VIEW second AS SELECT * FROM odd;",
      unusable: ["odd": dropped, "second": dropped]),
    OddSchema(
      "a view in an app's order", "CREATE VIEW odd AS SELECT title FROM note ORDER BY title COLLATE APPORDER;",
      unusable: ["odd": collation]),
    OddSchema(
      "an unknown module",
      """
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema VALUES ('table', 'odd', 'odd', 0, 'CREATE VIRTUAL TABLE odd USING VirtualSpatialIndex(a)');
      PRAGMA writable_schema = OFF;
      """, unusable: ["odd": "it needs the module VirtualSpatialIndex, which this SQLite doesn't have"]),
    OddSchema(
      "an app's tokenizer",
      "CREATE VIRTUAL TABLE odd USING fts5(body, tokenize = 'unicode61'); INSERT INTO odd VALUES ('text');",
      replacing: "unicode61", by: "apptokens",
      unusable: ["odd": "it needs the tokenizer apptokens, which only an app has"]),
    OddSchema(
      "a trigger that names a dropped table",
      """
      CREATE TABLE odd (id INTEGER PRIMARY KEY, a TEXT);
      INSERT INTO odd VALUES (1, 'x');
      CREATE TRIGGER odd_insert AFTER INSERT ON odd BEGIN INSERT INTO nosuch VALUES (new.id); END;
      """),
    OddSchema(
      "a trigger that calls an app's function",
      """
      CREATE TABLE odd (id INTEGER PRIMARY KEY, a TEXT);
      INSERT INTO odd VALUES (1, 'x');
      CREATE TRIGGER odd_insert AFTER INSERT ON odd BEGIN SELECT mysort(new.a); END;
      """),
    OddSchema(
      "a generated column of an app's function",
      "CREATE TABLE odd (id INTEGER PRIMARY KEY, a TEXT, low AS (lower(a))); INSERT INTO odd VALUES (1, 'x');",
      replacing: "lower(", by: "mysort("),
    OddSchema(
      "a CHECK that calls an app's function",
      "CREATE TABLE odd (id INTEGER PRIMARY KEY, a TEXT CHECK (lower(a) <> '')); INSERT INTO odd VALUES (1, 'x');",
      replacing: "lower(", by: "mysort("),
    OddSchema(
      "a default that calls an app's function",
      "CREATE TABLE odd (id INTEGER PRIMARY KEY, a TEXT DEFAULT (lower('X'))); INSERT INTO odd VALUES (1, 'x');",
      replacing: "lower(", by: "mysort("),
    OddSchema(
      "an index of an app's function",
      """
      CREATE TABLE odd (id INTEGER PRIMARY KEY, a TEXT);
      INSERT INTO odd VALUES (1, 'x');
      CREATE INDEX odd_a ON odd (lower(a));
      CREATE INDEX odd_some ON odd (id) WHERE lower(a) > '';
      """, replacing: "lower(", by: "mysort("),
    OddSchema(
      "a column in an app's order",
      """
      CREATE TABLE odd (id INTEGER PRIMARY KEY, a TEXT COLLATE RTRIM);
      INSERT INTO odd VALUES (1, 'x');
      CREATE INDEX odd_a ON odd (a);
      """, replacing: "RTRIM", by: "APPORDER"),
    OddSchema(
      "a key in an app's order",
      "CREATE TABLE odd (a TEXT COLLATE RTRIM PRIMARY KEY, b INT); INSERT INTO odd VALUES ('x', 1);",
      replacing: "RTRIM",
      by: "APPORDER"),
    OddSchema(
      "rows in an app's order",
      "CREATE TABLE odd (a TEXT COLLATE RTRIM PRIMARY KEY, b INT) WITHOUT ROWID; INSERT INTO odd VALUES ('x', 1);",
      replacing: "RTRIM", by: "APPORDER", unusable: ["odd": collation]),
    OddSchema(
      "names that are keywords",
      """
      CREATE TABLE "select" ("order" INTEGER PRIMARY KEY, "group" TEXT, "a""b" TEXT);
      INSERT INTO "select" VALUES (1, 'x', 'y');
      CREATE VIEW "from" AS SELECT "group" AS "where" FROM "select";
      """),
    OddSchema(
      "strict tables, without rowids",
      """
      CREATE TABLE odd (id TEXT PRIMARY KEY, a ANY) STRICT, WITHOUT ROWID;
      INSERT INTO odd VALUES ('x', 1), ('y', X'00');
      """),
    OddSchema(
      "a table whose definition is damaged", "CREATE TABLE odd (id INTEGER PRIMARY KEY, a TEXT);",
      replacing: "CREATE TABLE odd", by: "CREATE GARBAGE odd",
      unusable: ["odd": "its definition in the file is damaged"], isDamaged: true),
    OddSchema(
      "an index whose definition is damaged",
      "CREATE TABLE odd (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO odd VALUES (1, 'x'); CREATE INDEX odd_a ON odd (a);",
      replacing: "CREATE INDEX odd_a", by: "CREATE GARBAGE odd_a", isDamaged: true),
  ]
}
