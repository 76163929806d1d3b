import Foundation
import Testing

@testable import SanderlingDiagnosis

@Suite struct WorkloadReaderTests {
  private func workload(ofLog text: String) throws -> Workload {
    let file = try LogFile(text)
    var reader = WorkloadReader()
    try reader.addLog(at: file.url, named: "app.log")
    return reader.workload
  }

  @Test func readsSQL() {
    var reader = WorkloadReader()
    reader.add(sql: "SELECT * FROM note WHERE id = 1;\nBEGIN; select * from note where id = 2; DROP TABLE note")
    let workload = reader.workload
    #expect(workload.statements.map(\.fingerprint) == ["SELECT * FROM note WHERE id = ?"])
    #expect(workload.statements[0].count == 2)
    #expect(workload.statements[0].places.map(\.description) == ["argument 1, statement 1", "argument 1, statement 3"])
    #expect(workload.skipped.map(\.place?.description) == ["argument 1, statement 4"])
  }

  /// The place of a skipped statement is the number of its argument, or the line in its file.
  @Test func skippedStatementsHaveTheirPlaces() {
    var reader = WorkloadReader()
    for sql in ["SELECT FROM", "DROP TABLE a", "DROP TABLE b"] { reader.add(sql: sql) }
    reader.add(sql: "\nDROP TABLE c", source: "app.sql")
    let places = reader.workload.skipped.compactMap(\.place)
    #expect(places.map(\.description) == ["argument 2", "argument 3", "app.sql:2"])
    #expect(places.map(\.isArgument) == [true, true, false])
  }

  /// Only statements of a log count as logged, since only a log shows how often the app runs a statement.
  @Test func onlyStatementsOfALogCountAsLogged() throws {
    var reader = WorkloadReader()
    reader.add(sql: "SELECT * FROM note WHERE id = 1")
    #expect(reader.workload.statements.map(\.isLogged) == [false])
    let log = try LogFile("SELECT * FROM note WHERE id = 2;\n")
    try reader.addLog(at: log.url)
    #expect(reader.workload.statements.map(\.isLogged) == [true])
    #expect(
      try workload(ofLog: #"{"nanoseconds":1000,"sql":"SELECT 1 FROM note"}"#).statements.map(\.isLogged) == [true])
  }

  @Test func saysWhyItSkips() {
    var reader = WorkloadReader()
    reader.add(
      sql: "hello; EXPLAIN SELECT 1; ATTACH 'x' AS y; (SELECT 1); PRAGMA user_version; SELECT fts3_tokenizer('x', y)")
    #expect(reader.workload.statements.isEmpty)
    #expect(
      reader.workload.skipped.map(\.reason) == [
        "it is no SELECT, INSERT, UPDATE or DELETE", "EXPLAIN is not needed; give the statement itself",
        "ATTACH is not run; diagnose each database file by itself", "it is no SELECT, INSERT, UPDATE or DELETE",
        "it loads code, which a diagnosis never does",
      ])
  }

  @Test func readsSQLFiles() throws {
    let file = try LogFile(
      "-- all notes\nSELECT *\nFROM note;\n\nDELETE FROM note WHERE id IN (1,\n2); SELECT load_extension('x')")
    var reader = WorkloadReader()
    try reader.addSQLFile(at: file.url, named: "notes.sql")
    #expect(reader.workload.statements.map(\.sql) == ["SELECT *\nFROM note", "DELETE FROM note WHERE id IN (1,\n2)"])
    #expect(reader.workload.statements.map(\.places.first?.description) == ["notes.sql:2", "notes.sql:5"])
    #expect(reader.workload.skipped.map(\.reason) == ["it loads code, which a diagnosis never does"])
  }

  @Test func readsSanderlingTraces() throws {
    let workload = try workload(
      ofLog: #"""
        {"automaticIndexRows":0,"expandedSQL":"SELECT \"id\" FROM \"task\" WHERE \"projectID\" = -7 AND \"title\" > 'it''s'","fullScanSteps":9,"nanoseconds":1500000,"operation":"Load list","operationID":4,"rows":3,"sorts":1,"sql":"SELECT \"id\" FROM \"task\" WHERE \"projectID\" = ? AND \"title\" > ?","virtualMachineSteps":99}
        {"nanoseconds":500000,"operation":"Load list","operationID":4,"rows":1,"sql":"SELECT \"id\" FROM \"task\" WHERE \"projectID\" = ? AND \"title\" > ?"}
        {"nanoseconds":500000,"operation":"Load list","operationID":5,"rows":1,"sql":"SELECT \"id\" FROM \"task\" WHERE \"projectID\" = ? AND \"title\" > ?"}
        {"nanoseconds":1000,"rows":0,"sql":"BEGIN DEFERRED TRANSACTION"}
        {"not": "a statement"}
        """#)
    let statement = try #require(workload.statements.first)
    #expect(workload.statements.count == 1)
    #expect(statement.count == 3 && statement.mostPerOperation == 2)
    #expect(statement.operations == ["Load list": 3])
    #expect(statement.totalTime == .microseconds(2500))
    #expect(statement.totalRows == 5)
    #expect(statement.bindings == [[1: .integer(-7), 2: .text("it's")]])
  }

  @Test func readsTracesOfGRDB() throws {
    let workload = try workload(
      ofLog: """
        App started
        SELECT * FROM "player" WHERE "email" = ?
        0.003s SELECT * FROM "player" WHERE "email" = ?
        2026-01-05 10:11:12.345 MyApp[12:34] SQL: UPDATE "player" SET "score" = 3 WHERE "id" = 7
        SQL> SELECT "id",
        "name"
        FROM "team"
          WHERE "id" = 3
        Select a file from the list to update it
        PRAGMA foreign_keys = ON
        0.010s SELECT * FROM "player" WHERE "email" = ?
        [2.5ms] select count(*) from team
        """)
    #expect(
      workload.statements.map(\.fingerprint) == [
        "SELECT * FROM \"player\" WHERE \"email\" = ?", "UPDATE \"player\" SET \"score\" = ? WHERE \"id\" = ?",
        "SELECT \"id\", \"name\" FROM \"team\" WHERE \"id\" = ?", "SELECT count(*) FROM team",
      ])
    #expect(workload.statements.map(\.count) == [2, 1, 1, 1])
    #expect(workload.statements.map(\.totalTime) == [.milliseconds(13), nil, nil, .microseconds(2500)])
    #expect(workload.statements[2].places.map(\.line) == [5])
  }

  @Test func readsTheShell() throws {
    let workload = try workload(
      ofLog: """
        sqlite> .timer on
        sqlite> SELECT title FROM note
           ...> WHERE id = 3;
        QUERY PLAN
        `--SEARCH note USING INTEGER PRIMARY KEY (rowid=?)
        Milk
        Run Time: real 0.125 user 0.000100 sys 0.000000
        SELECT title FROM note WHERE id = 4;
        Bread
        Run Time: real 0.250 user 0.000100 sys 0.000000
        """)
    #expect(workload.statements.map(\.fingerprint) == ["SELECT title FROM note WHERE id = ?"])
    #expect(workload.statements.map(\.count) == [2])
    #expect(workload.statements[0].totalTime == .milliseconds(375))
  }

  @Test func readsCoreData() throws {
    let workload = try workload(
      ofLog: """
        CoreData: annotation: Connecting to sqlite database file at "/var/app.sqlite"
        CoreData: sql: SELECT TBL_NAME FROM SQLITE_MASTER WHERE TBL_NAME = 'Z_METADATA'
        CoreData: sql: pragma journal_mode=wal
        2026-01-05 10:11:12.345678+0100 MyApp[12:34] [logging] CoreData: sql: SELECT 0, t0.Z_PK, t0.ZTITLE FROM ZNOTE t0
         WHERE ( t0.ZAGE > ? AND t0.ZNAME = ? AND t0.ZDATE < ? AND t0.ZDATA = ? AND t0.ZFOLDER = ? )
        2026-01-05 10:11:12.345678+0100 MyApp[12:34] [logging] CoreData: details: SQLite bind[0] = (int64)18
        2026-01-05 10:11:12.345678+0100 MyApp[12:34] [logging] CoreData: details: SQLite bind[1] = "Ann"
        2026-01-05 10:11:12.345678+0100 MyApp[12:34] [logging] CoreData: details: SQLite bind[2] = 2001-01-02 00:00:00 +0000
        2026-01-05 10:11:12.345678+0100 MyApp[12:34] [logging] CoreData: details: SQLite bind[3] = <00ff>
        2026-01-05 10:11:12.345678+0100 MyApp[12:34] [logging] CoreData: details: SQLite bind[4] = nil
        2026-01-05 10:11:12.350000+0100 MyApp[12:99] [logging] CoreData: sql: SELECT COUNT( DISTINCT t0.Z_PK) FROM ZTAG t0
        2026-01-05 10:11:12.350000+0100 MyApp[12:34] [logging] CoreData: annotation: sql connection fetch time: 0.4789s
        2026-01-05 10:11:12.350000+0100 MyApp[12:34] [logging] CoreData: annotation: fetch using NSSQLiteStatement <0x60800008bf40> on entity 'Note' with sql text 'SELECT 0, t0.Z_PK FROM ZNOTE t0' returned 688187 rows
        2026-01-05 10:11:12.350000+0100 MyApp[12:34] [logging] CoreData: annotation: total fetch execution time: 0.4911s for 688187 rows.
        2026-01-05 10:11:12.350000+0100 MyApp[12:34] [logging] CoreData: details: SQLite: EXPLAIN QUERY PLAN SELECT 0, t0.Z_PK FROM ZNOTE t0
         2 0 0 SCAN TABLE ZNOTE AS t0
        2026-01-05 10:11:12.350000+0100 MyApp[12:99] [logging] CoreData: annotation: total count request execution time: 0.0254s for count of 18988.
        debug: CoreData: sql: SELECT 0, t0.Z_PK, t0.ZTITLE FROM ZNOTE t0 WHERE t0.Z_PK = ?
        CoreData: annotation: fault fulfilled from database for : 0x8a0e <x-coredata://5BB01AA0/Note/p12> with row values: ()
        CoreData: sql: SELECT 0, t0.Z_PK, t0.ZTITLE FROM ZNOTE t0 WHERE  t0.Z_PK = ?
        CoreData: annotation: fault fulfilled from database for : 0x8a0f <x-coredata://5BB01AA0/Note/p13> with row values: ()
        """)
    let statements = workload.statements
    #expect(statements.count == 3)
    let byTable = Dictionary(uniqueKeysWithValues: statements.map { ($0.fingerprint, $0) })
    let tags = try #require(byTable["SELECT COUNT(DISTINCT t0.Z_PK) FROM ZTAG t0"])
    #expect(tags.totalTime == .seconds(0.0254) && tags.totalRows == 1)
    let notes = try #require(byTable.values.first { $0.totalRows == 688_187 })
    #expect(notes.totalTime == .seconds(0.4789))
    #expect(
      notes.bindings == [[1: .integer(18), 2: .text("Ann"), 3: .real(86_400), 4: .blob([0, 255]), 5: .null]])
    let faults = try #require(byTable["SELECT ?, t0.Z_PK, t0.ZTITLE FROM ZNOTE t0 WHERE t0.Z_PK = ?"])
    #expect(faults.operations == ["fault of Note": 2] && faults.mostPerOperation == 2)
  }

  @Test func missingFileIsAnError() {
    var reader = WorkloadReader()
    #expect(throws: WorkloadReadingError.self) { try reader.addLog(at: URL(filePath: "/nowhere/at/all.log")) }
    #expect(throws: WorkloadReadingError.self) { try reader.addLog(at: URL(filePath: "/")) }
  }

  @Test func aLogWithoutStatementsIsAnError() {
    #expect(throws: WorkloadReadingError.self) {
      try workload(ofLog: "Select a file from the list\nUpdate available\n")
    }
    #expect(throws: WorkloadReadingError.self) { try workload(ofLog: "") }
  }

  @Test func survivesHostileLogs() throws {
    var limits = WorkloadReader.Limits()
    (limits.line, limits.statement, limits.fingerprints) = (10_000, 1_000, 3)
    var data = Data("SELECT a FROM \u{FFFD}t".utf8 + [0xff, 0xfe, 0x0a])
    data += Data(repeating: UInt8(ascii: "x"), count: 50_000) + Data("\n".utf8)
    data += Data("SELECT \(String(repeating: "a, ", count: 1_000))b FROM t\n".utf8)
    data += Data((1...9).map { "SELECT a FROM t\($0) WHERE b = 1\n" }.joined().utf8)
    data += Data("{\"sql\": \(String(repeating: "[", count: 9_000))\n".utf8)
    data += Data(
      "CoreData: details: SQLite bind[99999999999999999999] = 1\nCoreData: details: SQLite bind[-1] = 1\n".utf8)
    data += Data("CoreData: annotation: total fetch execution time: 1e999s for 99999999999999999999 rows.\n".utf8)
    let file = try LogFile(data)
    var reader = WorkloadReader(limits: limits)
    try reader.addLog(at: file.url, named: "hostile.log")
    #expect(reader.workload.statements.count == 3)
    #expect(
      reader.workload.skipped.map(\.place?.line) == [2, 3, nil],
      "\(reader.workload.skipped.map(\.reason))")
  }

  @Test func readsAnyBytes() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let lines = [
      "CoreData: sql: ", "CoreData: details: SQLite bind[0] = ", "CoreData: annotation: sql connection fetch time: ",
      "{\"sql\":", "0.003s ",
      "Run Time: real ", "SELECT a FROM t", "WHERE a = 1;",
      "App[1:2] CoreData: annotation: fault fulfilled from database x-coredata://", "\n", "\r\n",
    ]
    for _ in 0..<300 {
      var text = ""
      for _ in 0..<20 { text += lines.randomElement(using: &random)! + SQLFragments.random(using: &random) }
      var bytes = Array(text.utf8)
      for _ in 0..<4 where !bytes.isEmpty {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      var reader = LogReader(source: "random", limits: .init())
      var lines = LineReader(limit: 200)
      lines.append(bytes) { reader.read($0) { _ in } }
      lines.finish { reader.read($0) { _ in } }
      reader.finish { _ in }
    }
  }

  /// Files that never end and folders are refused.
  @Test(arguments: ["/dev/zero", "/tmp"])
  func onlyFilesAreRead(path: String) {
    var reader = WorkloadReader()
    #expect(throws: WorkloadReadingError.self) { try reader.addLog(at: URL(fileURLWithPath: path)) }
    #expect(throws: WorkloadReadingError.self) { try reader.addSQLFile(at: URL(fileURLWithPath: path)) }
  }
}
