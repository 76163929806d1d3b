import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingCLI

/// The Swift source that `sanderling records` prints for databases of other programs.
///
/// The printed source is stored in `GRDBMadeRecords.swift` and the files beside it: see ``PrintedRecords``.
struct RecordsCommandTests {
  struct Fixture: CustomTestStringConvertible, Sendable {
    let name: String
    let schema: [any StoredRecord.Type]
    /// All expected notes; nil if the notes aren't checked.
    let notes: [String]?
    let make: @Sendable (Database) throws -> Void

    var testDescription: String { name }
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  @Test(arguments: [Fixture.grdb, .sqliteData, .plain, .odd, .linked])
  func thePrintedRecordsReadTheDatabase(fixture: Fixture) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("\(fixture.name).sqlite")
    let queue = try DatabaseQueue(path: path)
    try await queue.write(fixture.make)
    let source = try RecordSource(databaseAt: path, rows: 100)

    try PrintedRecords.check(source, name: fixture.name, in: Self.folder)
    if let notes = fixture.notes { #expect(source.notes == notes) }

    let store = try await Store.open(queue, schema: fixture.schema)
    for record in fixture.schema {
      let count = try await queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM \"\(record.table.name)\"") }
      #expect(try await Self.fetchedCount(record, store) == count, "\(record)")
      #expect(count ?? 0 > 0 || ["empty", "log"].contains(record.table.name), "\(record) has no rows to read")
    }
  }

  @Record("song") struct Song {
    var id: Int
    @Searchable var title: String
    var singer = ""
    static let indexes: [Sanderling.Index<Song>] = [.on(.ascending(\.singer), .ascending(\.title.folded))]
  }

  /// A text with a folded column is declared `@Searchable`, and the folded column is no property.
  @Test func searchableTextIsDeclaredSearchable() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("songs.sqlite")
    try await Store.open(path: path, schema: [Song.self]).write("given") { try $0.insert(Song(id: 1, title: "Ö")) }
    let text = try RecordSource(databaseAt: path, rows: 100).text
    #expect(text.contains("  @Searchable var title: String\n"), "\(text)")
    #expect(!text.contains("var titleFolded") && !text.contains("var title_folded"), "\(text)")
  }

  private static func fetchedCount<R: StoredRecord>(_ record: R.Type, _ store: Store) async throws -> Int {
    let rows = try await store.fetch(R.query)
    if R.table.isView { return rows.count }
    // The fetched rows are written back unchanged.
    try await store.write("write back") { tx in
      for row in rows { try tx.update(row) }
    }
    return rows.count
  }

  /// A column of NUMERIC affinity is not read as String, because it would store the text 0012 as the number 12. A store
  /// refuses such a record.
  @Test func textInANumericColumnIsNoString() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("jobs.sqlite")
    try await DatabaseQueue(path: path).write { db in
      try db.execute(
        sql: """
          CREATE TABLE job (id STRING NOT NULL PRIMARY KEY, code CHARINT, made DATETIME, token UUID, name VARCHAR(8));
          INSERT INTO job VALUES ('a1', 'b2', '2025-02-10 10:00:00.000', 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 'c3');
          """)
    }
    let source = try RecordSource(databaseAt: path, rows: 100)
    for line in [
      "var id: StorageValue\n", "var code: StorageValue?\n",
      "@Stored(as: .dateText) var made: Date?\n", "@Stored(as: .uuidText) var token: UUID?\n", "var name: String?\n",
    ] {
      #expect(source.text.contains(line), "\(source.text)")
    }
    #expect(
      source.notes.first
        == "job.id: holds texts, and is declared STRING: SQLite turns texts that look like numbers into numbers")
  }

  /// A column without values, whose declared type doesn't show a storage class, reads any stored value.
  @Test func columnWithoutValuesReadsAnyValue() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("empty.sqlite")
    let queue = try DatabaseQueue(path: path)
    try await queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE job (id STRING NOT NULL PRIMARY KEY, token UUID, meta JSON, free ANY, price DECIMAL(8, 2), size REAL, made DATETIME,
            isDone BOOL);
          """)
    }
    let source = try RecordSource(databaseAt: path, rows: 100)
    for line in [
      "var id: StorageValue\n", "var token: StorageValue?\n",
      "var meta: StorageValue?\n", "var free: StorageValue?\n",
      "var price: Double?\n", "var size: Double?\n", "@Stored(as: .dateText) var made: Date?\n", "var isDone: Bool?\n",
    ] {
      #expect(source.text.contains("  \(line)"), "\(source.text)")
    }
    #expect(
      source.notes.first
        == "job.id: has no values, and is declared STRING")
  }

  /// In a STRICT table, an ANY column converts no values, and an INTEGER column holds no fractions.
  @Test func columnsOfAStrictTableHaveTheTypesThatItTakes() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("strict.sqlite")
    try await DatabaseQueue(path: path).write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id TEXT NOT NULL PRIMARY KEY, code ANY, none ANY, createdAt INTEGER, savedAt REAL) STRICT;
          INSERT INTO item VALUES ('0012', '0012', NULL, 1700000000, 1700000000.25);
          """)
    }
    let source = try RecordSource(databaseAt: path, rows: 100)
    for line in [
      "var id: String\n", "var code: String?\n", "var none: StorageValue?\n",
      "var createdAt: Int?\n", "@Stored(as: .unixSeconds) var savedAt: Date?\n",
    ] {
      #expect(source.text.contains("  \(line)"), "\(source.text)")
    }
  }

  /// A reference is not declared if its column has INTEGER affinity and the referenced key is text. A store refuses a
  /// String in such a column.
  @Test func aReferenceThatChangesTheKeyIsNotDeclared() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("references.sqlite")
    try await DatabaseQueue(path: path).write { db in
      try db.execute(
        sql: """
          CREATE TABLE word (code TEXT NOT NULL PRIMARY KEY);
          INSERT INTO word VALUES ('0012');
          CREATE TABLE entry (id INTEGER PRIMARY KEY, number INTEGER REFERENCES word (code), text TEXT REFERENCES word (code));
          """)
    }
    let text = try RecordSource(databaseAt: path, rows: 100).text
    #expect(text.contains("  var number: Int?\n"), "\(text)")
    #expect(text.contains("  @References(Word.self) @Stored(\"text\") var textCode: String?\n"), "\(text)")
  }

  // MARK: Wrong input

  @Test func noFile() {
    #expect(throws: DatabaseFileError.noFile("/nowhere/a.sqlite")) {
      try RecordSource(databaseAt: "/nowhere/a.sqlite", rows: 1)
    }
  }

  @Test func aFolder() throws {
    let folder = try TemporaryFolder()
    #expect(throws: DatabaseFileError.isFolder(folder.path)) { try RecordSource(databaseAt: folder.path, rows: 1) }
  }

  @Test func notADatabase() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.txt")
    try String(repeating: "no database. ", count: 1000).write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: DatabaseFileError.notADatabase(path)) { try RecordSource(databaseAt: path, rows: 1) }
  }

  @Test(arguments: [true, false])
  func emptyDatabaseIsAnError(isEmptyFile: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.sqlite")
    if isEmptyFile {
      try Data().write(to: URL(filePath: path))
    } else {
      try DatabaseQueue(path: path).write {
        try $0.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
      }
    }
    #expect(throws: RecordsError.isEmpty(path)) { try RecordSource(databaseAt: path, rows: 1) }
  }

  @Test func commandFailsWithAnErrorMessage() throws {
    let command = try #require(Self.command)
    for arguments in [["/nowhere/a.sqlite"], ["/"]] {
      let result = try Subcommand(command, ["records"] + arguments).result()
      #expect(result.status == 1 && result.output.isEmpty && result.errors.hasPrefix("Error: "))
    }
    #expect(try Subcommand(command, ["records", "", "--rows", "0"]).result().status == 64)
  }

  @Test func aMisspeltTableIsAnErrorWithTheNearestName() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.sqlite")
    try DatabaseQueue(path: path).write {
      try $0.execute(
        sql: """
          CREATE TABLE authors (id INTEGER PRIMARY KEY);
          CREATE TABLE books (id INTEGER PRIMARY KEY, author INTEGER REFERENCES authors (id));
          CREATE VIEW odd AS SELECT x FROM nosuch
          """)
    }
    let command = try #require(Self.command)
    let result = try Subcommand(command, ["records", path, "boks"]).result()
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.errors == "Error: There is no table boks. Did you mean books? Name one of authors, books.\n")
    let unusable = try Subcommand(command, ["records", path, "odd"]).result()
    #expect(unusable.status == 1 && unusable.output.isEmpty)
    #expect(
      unusable.errors
        == "Error: The view odd can't be read: it reads the table nosuch, which doesn't exist. Name another table.\n")
    let books = try RecordSource(databaseAt: path, rows: 1, tables: ["BOOKS"])
    #expect(books.text.contains("struct Book {") && !books.text.contains("struct Author") && books.notes.count == 1)
  }

  private static var command: String? {
    let folder = Bundle.main.executableURL?.deletingLastPathComponent()
    return folder?.appending(path: "sanderling-command").path
  }
}
