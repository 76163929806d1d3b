import Foundation
import GRDB
import TestPrograms
import Testing

@testable import SanderlingCLI

/// `sanderling sync` stores exactly the rows that `sanderling browse` prints, as JSON and as comma-separated values.
struct RoundTripTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let schema = """
    CREATE TABLE item (
      id INTEGER PRIMARY KEY, t TEXT, i INTEGER, r REAL, b BLOB, n NUMERIC, f BOOLEAN, any, long LONGBLOB, sub BLOB SUB_TYPE,
      double AS (i + i)
    );
    CREATE TABLE note (id TEXT PRIMARY KEY, any ANY, b BLOB) STRICT, WITHOUT ROWID
    """

  private func path(_ name: String) throws -> String {
    let path = folder.file(name)
    try DatabaseQueue(path: path).write { try $0.execute(sql: Self.schema) }
    return path
  }

  /// Copies a table or the rows of a query by `sanderling browse` and `sanderling sync`.
  ///
  /// - Returns: The result of `sync`.
  private func copy(_ table: String, _ format: Format, query: String? = nil) throws -> Subcommand.Result {
    let script = """
      "$0" browse one.sqlite "$2" \(format == .csv ? "" : "--json") > rows &&
      "$0" sync - --format \(format) --into two.sqlite --record "$1" < rows
      """
    return try Subcommand(
      "/bin/sh", ["-c", script, DemoRun.executable, table, query ?? table], directory: folder.path
    ).result()
  }

  enum Format: String, CaseIterable {
    case jsonl, csv
  }

  /// Each value of a table with its storage class, its bytes and its text.
  private static func values(_ path: String, _ table: String) throws -> [[String]] {
    try DatabaseQueue(path: path).read { db in
      let columns = try Row.fetchAll(db, sql: "PRAGMA table_info(\(table))").map { $0["name"] as String }
      let terms = columns.map { "typeof(\"\($0)\"), quote(CAST(\"\($0)\" AS BLOB)), \"\($0)\"" }
      return try Row.fetchAll(db, sql: "SELECT \(terms.joined(separator: ", ")) FROM \(table) ORDER BY 2")
        .map { row in
          row.databaseValues.map { value in
            if case .double(let real) = value.storage { return String(real.bitPattern, radix: 16) }
            return "\(value)"
          }
        }
    }
  }

  private func expectEqual(
    _ table: String, _ format: Format, _ statement: String, query: String? = nil
  ) throws {
    let (one, two) = (try path("one.sqlite"), try path("two.sqlite"))
    try DatabaseQueue(path: one).write { try $0.execute(sql: statement) }
    let result = try copy(table, format, query: query)
    #expect(result.status == 0, "\(result.errors)\(result.output)")
    let (before, after) = (try Self.values(one, table), try Self.values(two, table))
    #expect(!before.isEmpty && before == after)
  }

  @Test(arguments: Format.allCases) func nullsAndEmptyTexts(format: Format) throws {
    try expectEqual(
      "item", format,
      """
      INSERT INTO item (id) VALUES (1), (-9223372036854775808), (9223372036854775807);
      INSERT INTO item (id, t, b, any, long) VALUES (2, '', X'', '', X'')
      """)
  }

  @Test(arguments: Format.allCases) func numbers(format: Format) throws {
    try expectEqual(
      "item", format,
      """
      INSERT INTO item (id, i, r, n, any) VALUES
        (1, -4611686018427387904, 1e300, 1e300, 1e300), (2, 4611686018427387903, 5e-324, 5e-324, 5e-324),
        (3, 0, -1.5, 0.1, -0.0), (4, 1, 3.0, 3.0, 3.0), (5, 1, 9e999, -1.7976931348623157e308, -9e999),
        (6, 1, 0.1, 1e15, 9e999), (7, 1, 123456789012345678.0, 1, 1e15), (8, 0, -9e999, 9007199254740993, 0.0),
        (9, 0, 0.30000000000000004, 1, 9223372036854775807), (10, 0, 1, 1, -9223372036854775808)
      """)
  }

  @Test(arguments: Format.allCases) func blobsThatLookLikeTextsAndTextsThatLookLikeBlobs(format: Format) throws {
    // Comma-separated values can't express a blob in a column of numbers.
    let blob = { (text: String) in format == .csv ? "NULL" : text }
    try expectEqual(
      "item", format,
      """
      INSERT INTO item (id, t, b, any, long, sub, n) VALUES
        (1, '0102', X'0102', X'0102', X'D35D36', X'00', \(blob("X'0102'"))), (2, 'AAAA', X'000000', 'AAAA', X'FF', X'61626364', NULL),
        (3, '{"base64":"AA=="}', X'7B7D', '{"base64":"AA=="}', X'FFFEFD', X'', 'text'), (4, 'X0', X'00', X'', NULL, NULL, \(blob("X''"))),
        (5, '[1]', NULL, '[1]', NULL, NULL, '[1]')
      """)
  }

  @Test(arguments: Format.allCases) func textsOfAllCharacters(format: Format) throws {
    try expectEqual(
      "item", format,
      #"""
      WITH n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 255)
      INSERT INTO item (id, t, any) SELECT i, 'a' || char(i) || 'b', char(i) FROM n;
      INSERT INTO item (id, t, any) VALUES
        (300, char(0x2028, 0xFFFD, 0x1F9A2, 0x202E, 0x0301), '"\/' || char(10, 13, 9)),
        (301, 'true', 'null'), (302, '9e999', '9e999'), (303, '1', '1'), (304, '0012', '0012')
      """#)
  }

  @Test(arguments: Format.allCases) func strictTablesWithoutRowids(format: Format) throws {
    try expectEqual(
      "note", format,
      """
      INSERT INTO note VALUES ('0012', 12, X'00'), ('a', '12', NULL), ('b', X'0102', X'0102'), ('c', 1.0, NULL),
        ('d', 'x', NULL), ('e', NULL, NULL)
      """)
  }

  /// A column of a query is read with the type of the table's column. A computed column has no type.
  @Test(arguments: Format.allCases) func queriesAndViews(format: Format) throws {
    try expectEqual(
      "item", format,
      "INSERT INTO item (id, t, b, any) VALUES (1, 'a', X'0102', X'61626364'), (2, 'b', X'', 'abcd')",
      query: "SELECT id, t, b, any FROM item")
  }

  /// `browse` prints U+FFFD for bytes that are not valid UTF-8, and ends with an error. JSON can't contain such
  /// bytes.
  @Test func invalidUTF8IsReplacedAndReported() throws {
    let one = try path("one.sqlite")
    try DatabaseQueue(path: one).write {
      try $0.execute(
        sql: """
          INSERT INTO item (id, t) VALUES (1, 'a'), (2, CAST(X'61FF' AS TEXT)), (3, char(0xFFFD)), (4, CAST(X'C328' AS TEXT))
          """)
    }
    for what in ["item", "SELECT id, t FROM item"] {
      let result = try Subcommand(
        DemoRun.executable, ["browse", "one.sqlite", what, "--json"], directory: folder.path
      ).result()
      #expect(result.status == 1)
      #expect(result.output.split(separator: "\n").count == 4)
      #expect(
        result.errors == """
          Error: 2 texts aren't valid UTF-8, which JSON and CSV require: U+FFFD replaces the invalid bytes. The first invalid text is \
          in the column t of row 2. Correct the text in the database, or read it with hex(t).

          """)
    }
    let plain = try Subcommand(DemoRun.executable, ["browse", "one.sqlite", "item"], directory: folder.path).result()
    #expect(
      plain.status == 1 && plain.errors.hasPrefix("Error: 2 texts aren't valid UTF-8, which JSON and CSV require"))
  }

  /// `sync` reports each value that doesn't fit its column, and stores no changed value.
  @Test func valuesThatDoNotFitTheirColumns() throws {
    let (one, two) = (try path("one.sqlite"), try path("two.sqlite"))
    try DatabaseQueue(path: one).write {
      try $0.execute(
        sql: "INSERT INTO item (id, t, i, b) VALUES (1, X'0102', 1, NULL), (2, 't', 1, 'AAAA'), (3, 't', 'x', NULL)")
    }
    let result = try copy("item", .jsonl)
    #expect(result.status == 2)
    for place in ["1, column t", "2, column b", "3, column i"] { #expect(result.output.contains(place)) }
    #expect(try Self.values(two, "item").isEmpty)
  }

  /// Comma-separated values can't express a value of another type than its column.
  @Test(arguments: [
    ("t, b", "'t', 'AAAA'", "b"), ("t", "X'0102'", "t"), ("n", "''", "n"), ("n", "X'00'", "n"), ("i", "'true'", "i"),
    ("b", "12", "b"),
  ])
  func ambiguousValuesAreReported(columns: String, values: String, column: String) throws {
    try DatabaseQueue(path: try path("one.sqlite")).write {
      try $0.execute(sql: "INSERT INTO item (id) VALUES (1); INSERT INTO item (id, \(columns)) VALUES (2, \(values))")
    }
    let result = try Subcommand(DemoRun.executable, ["browse", "one.sqlite", "item"], directory: folder.path).result()
    #expect(result.status == 1 && result.output.split(separator: "\n").count == 3)
    #expect(result.errors.hasPrefix("Error: A value has another type than the column, which CSV can't express"))
    #expect(result.errors.contains("in the column \(column) of row 2. Print the rows with --json."), "\(result.errors)")
  }
}
