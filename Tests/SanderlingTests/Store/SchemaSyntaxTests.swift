import SanderlingSQL
import Testing

@testable import Sanderling

@Suite struct SchemaSyntaxTests {
  /// A column's definition is kept to the byte, and found again.
  @Test(arguments: [
    "a", "a INTEGER", "\"a b\" TEXT DEFAULT (1 + (2))", "a DEFAULT -1.5e-3 NOT NULL", "a DEFAULT NULL NULL",
    "a REFERENCES p (x) ON DELETE SET NULL ON UPDATE SET DEFAULT NOT DEFERRABLE INITIALLY DEFERRED UNIQUE",
    "a CHECK (a IN (')', \"x)\", '''')) COLLATE NOCASE", "a AS (b || ',') VIRTUAL",
    "a TEXT GENERATED ALWAYS AS (1) STORED",
    "a VARYING CHARACTER(10, 2) CONSTRAINT n NOT NULL ON CONFLICT ABORT CONSTRAINT \"check\" UNIQUE",
    "a DOUBLE PRECISION PRIMARY KEY DESC ON CONFLICT ROLLBACK AUTOINCREMENT", "[a]]", "`a`",
  ])
  func column(sql: String) throws {
    let syntax = try #require(
      CreateTableSyntax("CREATE TABLE x (\(sql), z, UNIQUE (z) CHECK (z > 1), FOREIGN KEY (a) REFERENCES p)"))
    #expect(syntax.columns.map(\.sql) == [sql, "z"])
    #expect(syntax.constraints.map(\.sql) == ["UNIQUE (z)", "CHECK (z > 1)", "FOREIGN KEY (a) REFERENCES p"])
    #expect(syntax.constraints.last?.columns == ["a"])
  }

  @Test func parts() throws {
    let syntax = try #require(
      CreateTableSyntax(
        "create temp table if not exists main.\"t\"\"t\" (a int constraint c not null default 'x' -- , (\n, b) without rowid"
      ))
    #expect(syntax.columns.map(\.name) == ["a", "b"])
    #expect(syntax.columns[0].constraints.map(\.sql) == ["constraint c not null", "default 'x'"])
    #expect(syntax.columns[0].constraints.map(\.kind) == [.notNull, .defaultValue])
    #expect(syntax.isWithoutRowID && !syntax.isStrict)
    #expect(
      syntax.sql(named: "n") == "CREATE TABLE \"n\" (\n  a int constraint c not null default 'x',\n  b\n) without rowid"
    )
    #expect(CreateTableSyntax("CREATE VIRTUAL TABLE t USING fts5(a)") == nil)
  }

  @Test(arguments: [
    ("CREATE INDEX i ON t (a)", "create index if not exists j on [t] ( \"A\" COLLATE nocase ASC )", true),
    ("CREATE INDEX i ON t (a)", "CREATE INDEX i ON t (a COLLATE BINARY)", false),
    ("CREATE INDEX i ON t (a)", "CREATE INDEX i ON t (a DESC)", false),
    ("CREATE INDEX i ON t (a)", "CREATE UNIQUE INDEX i ON t (a)", false),
    ("CREATE INDEX i ON t (a)", "CREATE INDEX i ON t (a, b)", false),
    ("CREATE INDEX i ON t (lower(b))", "CREATE INDEX i ON t ((LOWER( b )) /* text */)", true),
    ("CREATE INDEX i ON t ((a || b) COLLATE RTRIM)", "CREATE INDEX i ON t (((a||b)) collate rtrim)", true),
    ("CREATE INDEX i ON t (a) WHERE \"b\" = 'X'", "CREATE INDEX i ON t (a) where (b='X')", true),
    ("CREATE INDEX i ON t (a) WHERE \"b\" = 'X'", "CREATE INDEX i ON t (a) WHERE b = 'x'", false),
    ("CREATE INDEX i ON t (a) WHERE (a) AND (b)", "CREATE INDEX i ON t (a) WHERE ((a) AND (b))", true),
  ])
  func indexes(first: String, second: String, areEqual: Bool) throws {
    let shapes = [first, second].map { IndexShape($0) { $0.lowercased() == "a" ? "NOCASE" : "BINARY" } }
    try #require(!shapes.contains(nil))
    #expect((shapes[0] == shapes[1]) == areEqual)
  }

  /// The hash is written to databases, so it must never change.
  @Test func stableHash() {
    #expect(StableHash.hexadecimal(of: []) == "cbf29ce484222325")
    #expect(StableHash.hexadecimal(of: ["a", "b"]) != StableHash.hexadecimal(of: ["ab"]))
    #expect(StableHash.hexadecimal(of: ["sanderling"]) == "6fcaf14e39f160d1")
  }
}
