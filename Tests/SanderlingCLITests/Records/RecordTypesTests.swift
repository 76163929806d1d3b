import Foundation
import GRDB
import Testing

@testable import SanderlingCLI

/// The types and the optionality of printed properties.
struct RecordTypesTests {
  private func source(_ sql: String) async throws -> RecordSource {
    let folder = try TemporaryFolder()
    let path = folder.file("a.sqlite")
    try await DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: sql) }
    return try RecordSource(databaseAt: path, rows: 100)
  }

  private func properties(_ source: RecordSource) -> [String] {
    source.text.split(separator: "\n").filter { $0.contains("var ") }.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// Where the declared type decides, an empty table has the types of a full table.
  @Test func anEmptyTableHasTheTypesOfAFullTable() async throws {
    let table = """
      CREATE TABLE item (id INTEGER PRIMARY KEY, name VARCHAR(20), price DECIMAL(8, 2), size REAL, number INT, data BLOB,
        isDone INTEGER, done BOOLEAN, has_cover TINYINT, made DATETIME, code ANY, sum NUMERIC);
      """
    let rows = """
      INSERT INTO item VALUES (1, 'a', 3, 1, 7, X'00', 1, 0, 0, '2025-02-10 10:00:00.000', 'x', 9), (2, 'b', 4, 2, 8, X'', 0, 1, 1,
        '2025-02-10 10:00:00.000', 1, 8);
      """
    let (empty, full) = try await (source(table), source(table + rows))
    #expect(properties(empty) == properties(full))
    #expect(
      properties(full) == [
        "var id: Int64?", "var name: String?", "var price: Double?", "var size: Double?", "var number: Int?",
        "var data: Data?", "var isDone: Bool?", "var done: Bool?", "@Stored(\"has_cover\") var hasCover: Bool?",
        "@Stored(as: .dateText) var made: Date?", "var code: StorageValue?", "var sum: Double?",
      ])
  }

  /// A column without values takes the type of columns with its name and declared type, and of columns that refer to it.
  @Test func aColumnWithoutValuesIsLikeItsNamesakes() async throws {
    let source = try await source(
      """
      CREATE TABLE one (id TEXT NOT NULL PRIMARY KEY, created INTEGER);
      INSERT INTO one VALUES ('E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 1700000000);
      CREATE TABLE two (id TEXT NOT NULL PRIMARY KEY, created INTEGER);
      CREATE TABLE three (id INTEGER PRIMARY KEY, two_id TEXT REFERENCES two (id));
      """)
    #expect(
      properties(source) == [
        "@Stored(as: .uuidText) var id: UUID", "@Stored(as: .unixSeconds) var created: Date?", "var id: Int64?",
        "@References(Two.self) @Stored(\"two_id\", as: .uuidText) var twoID: UUID?",
        "@Stored(as: .uuidText) var id: UUID", "@Stored(as: .unixSeconds) var created: Date?",
      ])
  }

  /// In a table with a rowid, a key of another type than INTEGER may be NULL. A key of a table without a rowid can't.
  @Test func rowsWithoutAKeyAreReadByTheirRowID() async throws {
    let tables = """
      CREATE TABLE word (text TEXT PRIMARY KEY, n INT);
      CREATE TABLE pair (a TEXT, b INT, PRIMARY KEY (b, a));
      CREATE TABLE page (name TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE note (id INTEGER PRIMARY KEY, rowid INT);
      CREATE TABLE strict (code TEXT PRIMARY KEY) STRICT;
      """
    let without = try await source(tables)
    #expect(
      properties(without) == [
        "var id: Int64?", "var rowid: Int?", "@PrimaryKey var name: String", "@PrimaryKey var a: String",
        "@PrimaryKey var b: Int", "@PrimaryKey var code: String", "@PrimaryKey var text: String", "var n: Int?",
      ])
    #expect(without.text.components(separatedBy: "// SQLite allows NULL here, and no row has it.").count == 4)
    let with = try await source(tables + "INSERT INTO word VALUES (NULL, 1); INSERT INTO pair VALUES ('a', NULL);")
    #expect(with.text.contains("@Record(view: \"word\")") && with.text.contains("@Record(view: \"pair\")"))
    #expect(
      properties(with).suffix(6)
        == [
          "@PrimaryKey @Stored(\"rowid\") var rowID: Int64", "var a: String?", "var b: Int?",
          "@PrimaryKey var code: String",
          "@PrimaryKey @Stored(\"rowid\") var rowID: Int64", "var text: String?", "var n: Int?",
        ].suffix(6))
    #expect(with.notes.contains("word: rows have NULL in the key, so its record only reads it, by the rowid"))
  }

  /// A property `key` is the whole key, and not assigned by SQLite. `await` needs backticks.
  @Test func columnsWithNamesOfSwift() async throws {
    let source = try await source(
      """
      CREATE TABLE a (key TEXT NOT NULL PRIMARY KEY, "await" INT);
      CREATE TABLE b (key INTEGER PRIMARY KEY, "self" INT);
      CREATE TABLE c (key INT NOT NULL, "await" INT NOT NULL, PRIMARY KEY (key, "await"));
      """)
    #expect(
      properties(source) == [
        "@PrimaryKey var key: String", "var `await`: Int?", "@PrimaryKey @Stored(\"key\") var keyName: Int64?",
        "@Stored(\"self\") var selfValue: Int?", "@PrimaryKey @Stored(\"key\") var keyName: Int",
        "@PrimaryKey var `await`: Int",
      ])
  }

  /// A table without a key is read by a free name of the rowid.
  @Test func theNameOfTheRowIDIsFree() async throws {
    let source = try await source(
      """
      CREATE TABLE log (rowid TEXT, row_id INT);
      CREATE TABLE odd (rowid INT, oid INT, _rowid_ INT);
      """)
    #expect(
      properties(source) == [
        "@PrimaryKey @Stored(\"_rowid_\") var sqliteRowID: Int64", "var rowid: String?",
        "@Stored(\"row_id\") var rowID: Int?",
      ])
    #expect(
      source.text.contains(
        "// The table odd has no key, and columns hide its rowid: read it by SQL with RawQuery.\n"))
  }

  /// The tables with the data of a virtual table are left out, even if the module is missing.
  @Test func tablesOfVirtualTablesAreLeftOut() async throws {
    let source = try await source(
      """
      CREATE VIRTUAL TABLE search USING fts5 (title);
      CREATE TABLE place_node (nodeno INTEGER PRIMARY KEY, data);
      CREATE TABLE place_names (id INTEGER PRIMARY KEY);
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema VALUES ('table', 'place', 'place', 0, 'CREATE VIRTUAL TABLE place USING nosuch (x)');
      PRAGMA writable_schema = RESET;
      """)
    #expect(source.text.contains("let schema: [any StoredRecord.Type] = [PlaceName.self]\n"), "\(source.text)")
    #expect(source.text.contains("// The table place_node belongs to the virtual table place, and is left out.\n"))
    #expect(source.text.contains("// The table search is a virtual table: "))
    #expect(!source.text.contains("search_content"))
  }
}
