import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// Rows of a file that have the same key as an earlier row.
@Suite struct DuplicateRowTests {
  @Record("item")
  struct Item: Equatable {
    var id: Int
    var name: String?
  }

  private let folder: TemporaryFolder
  private let store: Store
  private var path: String { folder.path("items") }

  init() throws {
    folder = try TemporaryFolder()
    store = try Store(inMemory: [Item.self])
  }

  enum Form: CaseIterable, Sendable { case csv, lines, array }

  /// Writes a file with one row for each pair.
  ///
  /// - Parameter rows: The ids and names of the rows.
  private func write(_ rows: [(Int, String)], as form: Form, isOpen: Bool = false) throws {
    let objects = rows.map { "{\"id\":\($0.0),\"name\":\"\($0.1)\"}" }
    let text =
      switch form {
      case .csv: "id,name\n" + rows.map { "\($0.0),\($0.1)\n" }.joined()
      case .lines: objects.map { $0 + "\n" }.joined()
      case .array: "[" + objects.joined(separator: ",\n") + "]"
      }
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private func session(
    _ form: Form, _ options: FileOptions = FileOptions(), isComplete: Bool = false,
    misfits: SyncOptions.Misfits = .quarantine
  ) async throws -> SyncSession {
    let record = SyncedRecord(Item.self)
    let source: any SyncSource =
      form == .csv
      ? CSVSource(path: path, of: record, isComplete: isComplete, options: options)
      : JSONLinesSource(path: path, of: record, isComplete: isComplete, options: options)
    return try await SyncSession(
      "file", store: store, records: [record], source: source, options: SyncOptions(misfits: misfits))
  }

  private func items() async throws -> [String] {
    try await store.fetch(Item.order { $0.id }).map { "\($0.id) \($0.name ?? "-")" }
  }

  private static let rows = [(1, "Zoe"), (2, "Al"), (1, "Bob"), (1, "Zoe"), (2, "Al"), (1, "Eve"), (3, "Al")]

  @Test(arguments: Form.allCases, [1, 2, 1000]) func theFirstRowOfAKeyIsUsed(form: Form, batchRows: Int)
    async throws
  {
    try write(Self.rows, as: form)
    var options = FileOptions()
    options.limits.batchRows = batchRows
    let session = try await self.session(form, options)
    let counts = try await session.run().counts
    #expect(counts.received == 7 && counts.written == 3 && counts.quarantined == 2 && counts.superseded == 2)
    #expect(try await items() == ["1 Zoe", "2 Al", "3 Al"])
    let quarantine = try await session.quarantine()
    #expect(quarantine.map(\.change.key) == [[.integer(1)], [.integer(1)]])
    let first = form == .csv ? 2 : 1
    #expect(
      quarantine.map(\.reason)
        == [first + 2, first + 5].map {
          "the earlier row of line \(first) has the same key and other values (FileOptions.duplicates) (line \($0))"
        })
    // Neither a retry of all rows nor another run uses the quarantined duplicates.
    try await session.retryQuarantine()
    try await session.run()
    #expect(try await items() == ["1 Zoe", "2 Al", "3 Al"])
    #expect(try await session.quarantine().count == 2)
    // A retry of a single duplicate uses its row.
    #expect(try await session.retry(quarantine[1].id))
    #expect(try await items() == ["1 Eve", "2 Al", "3 Al"])
    // The file is read with the remedy that the reason names.
    let last = try await self.session(form, FileOptions(duplicates: .useLast))
    #expect(try await last.run().counts.quarantined == 0)
    #expect(try await items() == ["1 Eve", "2 Al", "3 Al"])
    #expect(try await last.quarantine().isEmpty)
  }

  @Test(arguments: Form.allCases) func aStrictRunEndsAtTheSecondRowOfAKey(form: Form) async throws {
    try write(Self.rows, as: form)
    let line = form == .csv ? 4 : 3
    let session = try await self.session(form, misfits: .stop)
    for _ in 1...2 {
      await #expect(
        throws: SyncError.misfit(
          record: "item", key: [.integer(1)], column: nil,
          reason: "the earlier row of line \(line - 2) has the same key and other values "
            + "(FileOptions.duplicates) (line \(line))")
      ) { try await session.run() }
      #expect(try await items() == ["1 Zoe", "2 Al"])
    }
  }

  /// A file that grows between two runs leads to the same rows as the whole file.
  @Test(arguments: Form.allCases) func grownFileGivesTheRowsOfTheWholeFile(form: Form) async throws {
    try write(Array(Self.rows.prefix(2)), as: form)
    let session = try await self.session(form)
    #expect(try await session.run().counts.written == 2)
    try write(Self.rows, as: form)
    let counts = try await session.run().counts
    #expect(counts.received == 5 && counts.quarantined == 2)
    #expect(try await items() == ["1 Zoe", "2 Al", "3 Al"])
    #expect(try await session.quarantine().count == 2)
  }

  /// A load that continues after an interruption knows the keys of the rows that were read before, also in another
  /// process.
  @Test(arguments: Form.allCases) func continuedLoadKnowsTheKeysReadBefore(form: Form) async throws {
    let rows = (1...60).map { ($0, "n\($0)") } + (1...30).map { ($0, $0.isMultiple(of: 2) ? "n\($0)" : "other") }
    try write(rows, as: form)
    var options = FileOptions()
    options.limits.batchRows = 9
    try await store.write {
      try $0.database.execute(
        sql: "CREATE TRIGGER no BEFORE INSERT ON item WHEN new.id = 50 BEGIN SELECT RAISE(ROLLBACK, 'planted'); END")
    }
    await #expect(throws: (any Error).self) { try await self.session(form, options).run() }
    try await store.write { try $0.database.execute(sql: "DROP TRIGGER no") }
    let session = try await self.session(form, options)
    let counts = try await session.run().counts
    #expect(counts.received < 90 && counts.quarantined == 15 && counts.superseded == 15)
    #expect(try await store.count("SELECT count(*) FROM item WHERE name = 'n' || id") == 60)
  }

  /// A row of a complete file that appears twice keeps its first values and is not removed.
  @Test(arguments: Form.allCases) func aCompleteFileMayNameAKeyTwice(form: Form) async throws {
    try write([(1, "a"), (2, "b"), (3, "c")], as: form)
    let session = try await self.session(form, isComplete: true)
    try await session.run()
    try write([(1, "a"), (1, "x"), (2, "b")], as: form)
    let counts = try await session.run().counts
    #expect(counts.removed == 1 && counts.quarantined == 1)
    #expect(try await items() == ["1 a", "2 b"])
  }

  @Test func allRowsOfAPipeAreOfOneStream() async throws {
    let record = SyncedRecord(Item.self)
    func run(_ text: String) async throws -> SyncSession {
      let pipe = Pipe()
      pipe.fileHandleForWriting.write(Data(text.utf8))
      try pipe.fileHandleForWriting.close()
      let session = try await SyncSession(
        "pipe", store: store, records: [record],
        source: CSVSource(fileDescriptor: pipe.fileHandleForReading.fileDescriptor, of: record))
      try await session.run()
      return session
    }
    #expect(try await run("id,name\n1,a\n1,b\n2\n,c\n").quarantine().count == 3)
    // The next stream removes the unreadable rows of the previous stream from the quarantine.
    #expect(try await run("id,name\n1,c\n").quarantine().isEmpty)
    #expect(try await items() == ["1 c"])
  }

  /// If the first row of a key is invalid, the reason of the second row still names the first row. It doesn't claim
  /// that the first row is used.
  @Test func theFirstRowOfAKeyMayNotFit() async throws {
    try await store.write {
      try $0.database.execute(sql: "CREATE TABLE part (id INTEGER PRIMARY KEY, n INTEGER CHECK (n > 0))")
    }
    try Data("id,n\n1,-1\n1,2\n".utf8).write(to: URL(filePath: path))
    let record = try #require(try await store.read { try SyncedRecord(found: "part", $0.database) })
    func session(_ duplicates: DuplicateRows) async throws -> SyncSession {
      try await SyncSession(
        "part", store: store, records: [record],
        source: CSVSource(path: path, of: record, options: FileOptions(duplicates: duplicates)))
    }
    let first = try await session(.useFirst)
    #expect(try await first.run().counts.quarantined == 2)
    #expect(
      try await first.quarantine().last?.reason
        == "the earlier row of line 2 has the same key and other values (FileOptions.duplicates) (line 3)")
    // The file is read with the remedy that the reason names.
    #expect(try await session(.useLast).run().counts.quarantined == 0)
    #expect(try await store.count("SELECT n FROM part") == 2)
  }

  /// Two rows whose key is a number beyond a double are both quarantined for their keys, and not as duplicates. SQLite
  /// reads such a key as NULL.
  @Test func rowsWithOutOfRangeKeysAreNoDuplicates() async throws {
    try await store.write {
      try $0.database.execute(sql: "CREATE TABLE scale (k REAL NOT NULL PRIMARY KEY, v INTEGER)")
    }
    try Data(#"[{"k":1e400,"v":1},\#n{"k":1e400,"v":2},\#n{"k":1.5,"v":3}]"#.utf8).write(to: URL(filePath: path))
    let record = try #require(try await store.read { try SyncedRecord(found: "scale", $0.database) })
    let session = try await SyncSession(
      "scale", store: store, records: [record], source: JSONLinesSource(path: path, of: record))
    let counts = try await session.run().counts
    #expect(counts.written == 1 && counts.quarantined == 2 && counts.superseded == 0)
    #expect(
      try await session.quarantine().map(\.reason)
        == [1, 2].map { "the key doesn't fit the record: it is a number beyond the range of a double (line \($0))" })
  }

  /// Keys are compared with the collation of the table's key column.
  @Test(arguments: [("NOCASE", 1), ("RTRIM", 1), ("BINARY", 0)]) func keysAreComparedByTheColumnsCollation(
    collation: String, count: Int
  ) async throws {
    try await store.write {
      try $0.database.execute(sql: "CREATE TABLE tag (name TEXT PRIMARY KEY COLLATE \(collation), v)")
    }
    let (one, other) = collation == "RTRIM" ? ("a", "a ") : ("a", "A")
    try Data("name,v\n\(one),1\n\(other),2\n".utf8).write(to: URL(filePath: path))
    let record = try #require(try await store.read { try SyncedRecord(found: "tag", $0.database) })
    let session = try await SyncSession(
      "tag", store: store, records: [record], source: CSVSource(path: path, of: record))
    #expect(try await session.run().counts.quarantined == count)
    #expect(try await store.count("SELECT CAST(v AS INTEGER) FROM tag WHERE name = 'a'") == 1)
  }

  /// Composed and decomposed letters are different values. Swift takes them as equal, and SQLite doesn't.
  @Test func valuesAreComparedByteByByte() async throws {
    try write([(1, "é"), (1, "e\u{301}"), (1, "é")], as: .csv)
    let session = try await self.session(.csv)
    #expect(try await session.run().counts.quarantined == 1)
    #expect(try await store.fetch(Item.query).map { Array(($0.name ?? "").utf8) } == [Array("é".utf8)])
  }

  /// Rows are equal despite another order of members, other spaces, and other spellings of numbers and characters.
  @Test func theSameValuesAreTheSameRow() async throws {
    try Data(#"[{"id":1,"name":"a"},{"name":"\u0061","id":1.0},{ "id" : 1 , "name" : "a" }]"#.utf8)
      .write(to: URL(filePath: path))
    let session = try await self.session(.array)
    #expect(try await session.run().counts.quarantined == 0)
  }

  /// Duplicates are found by a key of several columns with values of different types.
  @Test func keysOfSeveralColumnsAreNoted() async throws {
    try await store.write { try $0.database.execute(sql: "CREATE TABLE pair (a, b TEXT, v, PRIMARY KEY (a, b))") }
    let lines = [
      #"{"a":1,"b":"x","v":1}"#, #"{"a":"1","b":"x","v":2}"#, #"{"a":1.0,"b":"x","v":3}"#, #"{"a":1,"b":"y","v":4}"#,
    ]
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: path))
    let record = try #require(try await store.read { try SyncedRecord(found: "pair", $0.database) })
    let session = try await SyncSession(
      "pair", store: store, records: [record], source: JSONLinesSource(path: path, of: record))
    let counts = try await session.run().counts
    #expect(counts.written == 3 && counts.quarantined == 1)
    #expect(try await session.quarantine().first?.reason.hasSuffix("(line 3)") == true)
  }
}
