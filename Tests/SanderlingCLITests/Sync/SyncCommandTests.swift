import ArgumentParser
import Foundation
import GRDB
import Sanderling
import SanderlingSync
import Testing

@testable import SanderlingCLI

@Suite struct SyncCommandTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(filePath: folder.file(name)))
    return folder.file(name)
  }

  private func load(
    _ file: String, _ record: String, key: [String] = [], isComplete: Bool = false, isStrict: Bool = false,
    allowsMassDeletion: Bool = false, options: FileOptions = FileOptions(), input: FileHandle = .standardInput
  ) async throws -> SyncReport {
    try await FileLoad(
      file: file, format: SyncFormat(path: file) ?? .csv, database: folder.file("app.sqlite"), record: record, key: key,
      isComplete: isComplete, isStrict: isStrict, allowsMassDeletion: allowsMassDeletion, options: options,
      output: .none,
      standardInput: input
    ).run()
  }

  /// Opens another connection to the database, which waits while the connection of a load is being closed.
  private func database() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(20)
    return try DatabaseQueue(path: folder.file("app.sqlite"), configuration: configuration)
  }

  private func rows(_ sql: String) throws -> [String] {
    try database().read { try String.fetchAll($0, sql: sql) }
  }

  @Test func tableIsCreatedFromACSVFile() async throws {
    let file = try write(
      """
      id,open,created,share,code,note,none
      a,true,1726270936000.0,0.5,007,"x
      y",
      b,false,1726270936001,2,12,,

      """, to: "issues.csv")
    let report = try await load(file, "issue")
    #expect(report.counts.written == 2 && report.quarantine == 0)
    #expect(
      try rows("SELECT name || ' ' || type FROM pragma_table_info('issue')") == [
        "id TEXT", "open BOOLEAN", "created INTEGER", "share REAL", "code TEXT", "note TEXT", "none TEXT",
      ])
    #expect(
      try rows(
        "SELECT id || '|' || open || '|' || created || '|' || share || '|' || code || '|' || quote(note) || '|' || quote(none) FROM issue ORDER BY id"
      )
        == [
          "a|1|1726270936000|0.5|007|'x\ny'|NULL", "b|0|1726270936001|2.0|12|NULL|NULL",
        ])
    let again = try await load(file, "issue")
    #expect(again.isUnchanged && again.text.hasPrefix("issue: nothing changed; 0 rows were read in "))
  }

  @Test func firstRowOfAKeyIsUsedAndTheOthersAreReported() async throws {
    let file = try write("id,name\n1,a\n2,b\n1,c\n2,b\n", to: "twice.csv")
    let report = try await load(file, "t")
    #expect(report.counts.received == 4 && report.counts.written == 2 && report.counts.superseded == 1)
    #expect(report.text.contains("2 written, 0 as before, 0 removed, 1 left out, since another row has the same key."))
    #expect(report.quarantine == 1)
    let told = "1: the earlier row of line 2 has the same key and other values (--duplicates) (line 4)"
    #expect(report.text.contains(told))
    #expect(try rows("SELECT name FROM t ORDER BY id") == ["a", "b"])
    // The duplicate row stays quarantined, although the next run retries rows that didn't fit.
    #expect(try await load(file, "t").quarantine == 1)
    #expect(try rows("SELECT name FROM t ORDER BY id") == ["a", "b"])
  }

  /// A change can't be quarantined if the failure rolled back the whole transaction or concerns no single row.
  @Test(arguments: [
    (
      "n INT); CREATE TRIGGER no BEFORE INSERT ON t WHEN new.n = 2 BEGIN SELECT RAISE(ROLLBACK, 'no twos'); END",
      "A trigger forbids the change: no twos."
    ), ("n INT REFERENCES gone (id))", "SQLite says: no such table: main.gone."),
  ])
  func failureThatCannotBeQuarantinedNamesItsReason(rest: String, reason: String) async throws {
    try await database().write { try $0.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, \(rest)") }
    let file = try write("id,name,n\n1,a,1\n2,b,2\n", to: "rows.csv")
    let error = await #expect(throws: (any Error).self) { try await load(file, "t") }
    let told = error.flatMap { SyncCommandError($0, database: "app.sqlite") }
    #expect(told == .refused(path: "app.sqlite", reason: reason))
    try await database().write { db in
      try db.execute(sql: "DROP TRIGGER IF EXISTS no; CREATE TABLE IF NOT EXISTS gone (id INTEGER PRIMARY KEY)")
      try db.execute(sql: "INSERT INTO gone VALUES (1), (2)")
    }
    _ = try await load(file, "t")
    #expect(try rows("SELECT name FROM t ORDER BY id") == ["a", "b"])
  }

  @Test func tableIsCreatedFromJSONLines() async throws {
    let file = try write(
      #"{"a":1,"b":"x","v":9007199254740993}"# + "\n" + #"{"a":1,"b":"y","v":1.5,"list":[1, 2]}"#, to: "lines.jsonl")
    await #expect(throws: SyncCommandError.noKey(file)) { try await load(file, "pair") }
    await #expect(throws: SyncCommandError.noColumn("c", origin: file)) { try await load(file, "pair", key: ["c"]) }
    #expect(try await load(file, "pair", key: ["a", "b"]).counts.written == 2)
    #expect(
      try rows("SELECT a || '|' || b || '|' || v || '|' || ifnull(list, '') FROM pair ORDER BY b") == [
        "1|x|9007199254740993|", "1|y|1.5|[1, 2]",
      ])
  }

  @Test func columnTypesOfANewTableLoseNoValues() async throws {
    let csv = try write(
      "id,big,long,price,note\n9223372036854775808,1,0.12345678901234567890,1.10,-0\n9223372036854775809,99999999999999999999,1,1.1,5\n",
      to: "big.csv")
    _ = try await load(csv, "big")
    #expect(
      try rows("SELECT id || ' ' || big || ' ' || long || ' ' || price || ' ' || note FROM big ORDER BY id") == [
        "9223372036854775808 1 0.12345678901234567890 1.1 -0",
        "9223372036854775809 99999999999999999999 1 1.1 5",
      ])
    _ = try await load(try write("id,v\n1.10,a\n1.1,b\n", to: "version.csv"), "version")
    #expect(try rows("SELECT id FROM version ORDER BY id") == ["1.1", "1.10"])
    let json = try write(
      """
      {"id":1,"mixed":1,"none":null,"big":18446744073709551616}
      {"id":"1","mixed":"one","none":null,"big":1}
      {"id":2,"mixed":[1],"big":2.5}
      {"id":3,"mixed":true,"big":1e400}

      """, to: "mixed.jsonl")
    let report = try await load(json, "mixed")
    #expect(report.quarantine == 1 && report.misfits[0].column == "big")
    #expect(report.misfits[0].reason == "it is a number beyond the range of a double (line 4)")
    #expect(
      try rows("SELECT quote(id) || ' ' || quote(mixed) || ' ' || quote(big) FROM mixed ORDER BY rowid") == [
        "1 1 '18446744073709551616'", "'1' 'one' 1", "2 '[1]' 2.5",
      ])
    // The column without values accepts values of any type.
    let more = try write(#"{"id":4,"none":7}"# + "\n" + #"{"id":5,"none":"seven"}"# + "\n", to: "more.jsonl")
    #expect(try await load(more, "mixed").quarantine == 0)
  }

  @Test func droppedTableIsLoadedAgain() async throws {
    let one = try write("id,n\n1,a\n2,b\n", to: "one.csv")
    let two = try write("id,n\n3,c\n", to: "two.csv")
    for file in [one, two] { _ = try await load(file, "item") }
    try await database().write { try $0.execute(sql: "DROP TABLE item") }
    for file in [one, two] { _ = try await load(file, "item") }
    #expect(try rows("SELECT n FROM item ORDER BY id") == ["a", "b", "c"])
    try await database().write { try $0.execute(sql: "DELETE FROM item") }
    #expect(try await load(one, "item").counts.written == 2)
  }

  /// Numbers that a NUMERIC column would round are quarantined.
  @Test func numbersThatATableWouldRoundAreQuarantined() async throws {
    try await database().write { try $0.execute(sql: "CREATE TABLE sum (id INTEGER PRIMARY KEY, n DECIMAL(20, 2))") }
    let csv = try write("id,n\n1,12345678901234567890\n2,1e309\n3,12.50\n4,word\n5,-7\n", to: "sum.csv")
    #expect(try await load(csv, "sum").quarantine == 2)
    let json = try write(
      #"{"id":6,"n":1e400}"# + "\n" + #"{"id":7,"n":12345678901234567890123}"# + "\n" + #"{"id":8,"n":0.1}"# + "\n",
      to: "sum.jsonl")
    #expect(try await load(json, "sum").quarantine == 2)
    #expect(try rows("SELECT id || ' ' || quote(n) FROM sum ORDER BY id") == ["3 12.5", "4 'word'", "5 -7", "8 0.1"])
  }

  /// In columns that are declared UUID, GUID, STRING or DATETIME, SQLite converts texts to numbers. Texts that would
  /// change are quarantined.
  @Test(arguments: ["UUID", "GUID", "STRING", "DATETIME"]) func textsThatTheirColumnWouldConvertAreQuarantined(
    type: String
  )
    async throws
  {
    let define = "CREATE TABLE job (id \(type) NOT NULL PRIMARY KEY, code \(type))"
    try await database().write { try $0.execute(sql: define) }
    let csv = try write("id,code\n0012,a\n12e4,b\na,1.10\nb,007\nc,1.5\n-5,d\n+6,e\nf,12\n", to: "job.csv")
    let report = try await load(csv, "job")
    #expect(report.quarantine == 5 && report.misfits.map(\.column) == ["id", "id", "code", "code", "id"])
    #expect(report.misfits.map(\.key) == [["0012"], ["12e4"], ["a"], ["b"], ["+6"]])
    #expect(report.text.contains("Declare the column TEXT (line 2)"))
    #expect(
      try rows("SELECT quote(id) || ' ' || quote(code) FROM job ORDER BY id") == ["-5 'd'", "'c' 1.5", "'f' 12"])
    let json = try write(
      """
      {"id":"0013","code":1}
      {"id":"x","code":"14"}
      {"id":"y","code":15}
      {"id":"z","code":1.50}

      """, to: "job.jsonl")
    #expect(try await load(json, "job").misfits.map(\.key) == [["0013"], ["x"]])
    #expect(try rows("SELECT quote(code) FROM job WHERE id IN ('y', 'z')") == ["15", "1.5"])
    // The column is declared TEXT, which is the remedy that the report names.
    try await database().write { db in
      try db.execute(
        sql: "ALTER TABLE job RENAME TO old; CREATE TABLE job (id TEXT NOT NULL PRIMARY KEY, code TEXT); "
          + "INSERT INTO job SELECT * FROM old")
    }
    #expect(try await load(csv, "job").quarantine == 0)
    #expect(
      try rows("SELECT id || ' ' || code FROM job ORDER BY id") == [
        "+6 e", "-5 d", "0012 a", "12e4 b", "a 1.10", "b 007", "c 1.5", "f 12", "y 15", "z 1.5",
      ])
  }

  /// An ANY column converts texts that look like numbers only in a table that isn't STRICT.
  @Test(arguments: [true, false]) func anyColumnsConvertTextsUnlessTheTableIsStrict(isStrict: Bool) async throws {
    let define = "CREATE TABLE item (id ANY NOT NULL PRIMARY KEY, v ANY)\(isStrict ? " STRICT" : "")"
    try await database().write { try $0.execute(sql: define) }
    let report = try await load(try write("id,v\n007,1.10\na,b\n", to: "item.csv"), "item")
    #expect(report.quarantine == (isStrict ? 0 : 1))
    #expect(try rows("SELECT id || ' ' || v FROM item ORDER BY id") == (isStrict ? ["007 1.10", "a b"] : ["a b"]))
  }

  /// In a column without a type, a field shows the type of its value. A computed column has the same forms.
  @Test func fieldsOfColumnsWithoutATypeShowTheirTypes() async throws {
    try await database().write {
      try $0.execute(sql: "CREATE TABLE free (id INTEGER PRIMARY KEY, v, n AS (id + 1))")
    }
    let fields = [
      "", "\"\"", "12", "\"12\"", "1.5", "1.50", "0012", "X'0aff'", "\"X'0aff'\"", "9e999", "-0.0", "1e5", "x",
    ]
    let lines = fields.enumerated().map { "\($0),\($1),\($0 + 1)\n" }
    let report = try await load(try write("id,v,n\n" + lines.joined(), to: "free.csv"), "free")
    #expect(report.quarantine == 0, "\(report.misfits)")
    #expect(
      try rows("SELECT typeof(v) FROM free ORDER BY id") == [
        "null", "text", "integer", "text", "real", "text", "text", "blob", "text", "real", "real", "text", "text",
      ])
    #expect(try rows("SELECT v = 9e999 FROM free WHERE id = 9") == ["1"])
  }

  /// Keys that only the table's collation or type makes equal are duplicates.
  @Test(arguments: [DuplicateRows.useFirst, .useLast]) func keysEqualByCollationOrTypeAreDuplicates(
    duplicates: DuplicateRows
  ) async throws {
    try await database().write { db in
      try db.execute(
        sql: "CREATE TABLE folded (id TEXT PRIMARY KEY COLLATE NOCASE, a); CREATE TABLE loose (id PRIMARY KEY, a)")
    }
    let options = FileOptions(duplicates: duplicates)
    let isFirst = duplicates == .useFirst
    let folded = try await load(try write("id,a\na,1\nA,2\na,3\n", to: "folded.csv"), "folded", options: options)
    #expect(folded.quarantine == (isFirst ? 2 : 0))
    #expect(try rows("SELECT a FROM folded") == [isFirst ? "1" : "3"])
    let lines = [#"{"id":1,"a":1}"#, #"{"id":1.0,"a":3}"#, #"{"id":1,"a":7}"#].joined(separator: "\n")
    let loose = try await load(try write(lines, to: "loose.jsonl"), "loose", options: options)
    #expect(loose.quarantine == (isFirst ? 2 : 0))
    #expect(try rows("SELECT a FROM loose") == [isFirst ? "1" : "7"])
  }

  @Test func quarantinedRowsAreRetriedByTheNextRun() async throws {
    let first = try write("id,a\n1,5\n", to: "grown.csv")
    _ = try await load(first, "grown")
    let report = try await load(try write("id,a\n1,5\n2,x\n", to: "grown.csv"), "grown")
    #expect(report.quarantine == 1 && report.misfits[0].reason == "it is text and not integer (line 3)")
    #expect(try await load(first, "grown").misfits[0].reason == "it is text and not integer (line 3)")
    try await database().write { db in
      try db.execute(
        sql:
          "ALTER TABLE grown RENAME TO old; CREATE TABLE grown (id INTEGER PRIMARY KEY, a); INSERT INTO grown SELECT * FROM old"
      )
    }
    #expect(try await load(first, "grown").quarantine == 0)
    #expect(try rows("SELECT a FROM grown ORDER BY id") == ["5", "x"])
  }

  @Test func aTableOfManyColumnsIsLoaded() async throws {
    let names = (0..<1900).map { "c\($0)" }.joined(separator: ",")
    func file(_ value: Int) throws -> String {
      try write(
        names + "\n" + (0..<1900).map { $0 == 0 ? "1" : "\(value)" }.joined(separator: ",") + "\n", to: "wide.csv")
    }
    #expect(try await load(file(1), "wide", key: ["c0"]).counts.written == 1)
    #expect(try await load(file(2), "wide", key: ["c0"]).counts.written == 1)
    #expect(try rows("SELECT c1899 FROM wide") == ["2"])
  }

  @Test func refusedFileCreatesNoTable() async throws {
    for (text, reason) in [
      ("id,name,Name\n1,a,b\n", "two columns are called Name"), ("id,name\n1\n", "the row has one field"),
      ("a;name\n1;a\n", "has no column id"),
      ("id,name\n", "has no rows"), ("", "the file has no first row"),
    ] {
      let file = try write(text, to: "refused.csv")
      let error = await #expect(throws: SyncCommandError.self) { try await load(file, "refused") }
      #expect(error?.description.contains(reason) == true, "\(text)")
    }
    let json = try write(#"{"id":1,"a":1,"A":2}"# + "\n", to: "refused.jsonl")
    await #expect(throws: SyncCommandError.self) { try await load(json, "refused") }
    #expect(try rows("SELECT name FROM sqlite_schema WHERE name = 'refused'") == [])
  }

  /// After a load the database is a single file, so a copy of that file has all rows.
  @Test func databaseIsOneFileAfterALoad() async throws {
    _ = try await load(try write("id,n\n1,5\n", to: "one.csv"), "one")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files.filter { $0.hasPrefix("app.sqlite") } == ["app.sqlite"])
  }

  @Test func tableIsCreatedFromStandardInput() async throws {
    func load(_ text: String) async throws -> SyncReport {
      let pipe = Pipe()
      pipe.fileHandleForWriting.write(Data(text.utf8))
      try pipe.fileHandleForWriting.close()
      return try await self.load("-", "piped", input: pipe.fileHandleForReading)
    }
    #expect(try await load("id,n\n1,5\n2,6\n").counts.written == 2)
    let report = try await load("id,n,more\n2,7,x\n3,8,y\n")
    #expect(report.counts.written == 2 && report.keptColumns == ["more"])
    #expect(report.text.contains("The table lacks more: the values are kept beside the table."))
    #expect(try rows("SELECT id || n || typeof(n) FROM piped ORDER BY id") == ["15integer", "27integer", "38integer"])
    // The input is a file descriptor path, as a shell passes the output of a command as a file.
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data("id,n\n1,5\n".utf8))
    try pipe.fileHandleForWriting.close()
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    #expect(try await self.load(path, "substituted").counts.written == 1)
  }

  @Test func errorsUseTheTermsOfTheCommand() async throws {
    try await database().write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE part (id INTEGER PRIMARY KEY, item INTEGER REFERENCES item);
          CREATE TABLE quiet (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TRIGGER quietly BEFORE INSERT ON quiet WHEN new.name = 'x' BEGIN SELECT raise(ignore); END;
          INSERT INTO item VALUES (1, 'a'), (2, 'a');
          INSERT INTO part VALUES (1, 1);
          """)
    }
    let file = try write("id,name\n2,a\n", to: "item.csv")
    let notUnique = await #expect(throws: SyncError.self) { try await load(file, "item", key: ["name"]) }
    #expect(notUnique?.description.contains("two rows of item may have the same name") == true)
    let report = try await load(file, "item", isComplete: true)
    #expect(report.waiting == 1 && report.blocked == 1)
    #expect(report.text.contains("Not removed, since other rows refer to them: 1 row."))
    let quiet = try await load(try write("id,name\n1,x\n2,y\n", to: "quiet.csv"), "quiet")
    #expect(
      quiet.counts.written == 1
        && quiet.misfits.map(\.reason) == ["a trigger of the table prevents the insertion (line 2)"])
    do {
      _ = try await load(try write("id,name\nx,y\n", to: "strict.csv"), "item", isStrict: true)
      Issue.record("the row with a text as its key fits")
    } catch {
      let told = try #require(SyncCommandError(error, file: "strict.csv", database: "app.sqlite")).description
      #expect(told.hasPrefix("The row x of item doesn't fit, column id: "))
      #expect(
        told.contains("(line 2). Correct it in strict.csv") && !told.contains("..") && !told.contains("SyncOptions"))
    }
    #expect(SyncCommandError(StoreError.busy(path: "a"), database: "a")?.description.contains("busyMode") == false)
  }

  @Test func rowsOfAFileWaitForParentsFromOtherFiles() async throws {
    try await database().write { db in
      try db.execute(
        sql: """
          CREATE TABLE user (id TEXT PRIMARY KEY NOT NULL);
          CREATE TABLE issue (id TEXT PRIMARY KEY NOT NULL, creator TEXT NOT NULL REFERENCES user);
          CREATE TABLE comment (id INTEGER PRIMARY KEY, issue TEXT NOT NULL REFERENCES issue (id));
          """)
    }
    let comments = try await load(try write("id,issue\n1,i\n2,j\n", to: "comments.csv"), "comment")
    #expect(comments.waiting == 2 && comments.counts.written == 0)
    #expect(try await load(try write("id,creator\ni,u\n", to: "issues.csv"), "issue").waiting == 1)
    let users = try await load(try write("id\nu\n", to: "users.csv"), "user")
    #expect(users.followed == 2)
    #expect(try rows("SELECT id FROM comment") == ["1"])
  }

  @Test func misfitsAreReportedWithTheirColumn() async throws {
    try await database().write { db in
      try db.execute(
        sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size REAL CHECK (size > 0))")
    }
    let file = try write("id,name,size\n1,a,1\n2,a,1\n3,c,-1\nx,d,1\n", to: "items.csv")
    let report = try await load(file, "item")
    #expect(report.counts.written == 1 && report.quarantine == 3)
    #expect(report.misfits.map(\.column) == [nil, "id", "name"])
    #expect(report.text.contains("x, column id: the key doesn't fit the record: it is text and not integer"))
    await #expect(throws: SyncError.self) {
      try await load(try write("id,name\n8,a\n", to: "strict.csv"), "item", isStrict: true)
    }
    // The new file leaves out the only other row, which is removed.
    #expect(
      try await load(
        try write("id,name,size\n5,e,\n", to: "items.csv"), "item", isComplete: true, allowsMassDeletion: true
      ).counts.removed == 1)
    #expect(try rows("SELECT name FROM item ORDER BY id") == ["e"])
  }

  /// A complete file that leaves out most rows removes none, because it may be a failed export. A failed export is
  /// often an empty file, or only a header.
  @Test(arguments: [("rows.jsonl", ""), ("rows.csv", "id,name\n"), ("rows.jsonl", "{\"id\":30}\n")])
  func aFileThatLeavesOutMostRowsRemovesNone(name: String, text: String) async throws {
    try await database().write { db in
      try db.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
      for id in 1...30 { try db.execute(sql: "INSERT INTO item VALUES (?, 'a')", arguments: [id]) }
    }
    let file = try write(text, to: name)
    let unnamed = text.contains("30") ? 29 : 30
    for _ in 1...2 {
      let error = await #expect(throws: SyncError.self) { try await load(file, "item", isComplete: true) }
      let told = error.flatMap { SyncCommandError($0, file: file, database: "app.sqlite") }
      #expect(told == .massDeletion(file: file, table: "item", unnamed: unnamed, count: 30))
      #expect(told?.description.contains("lacks \(unnamed) of the 30 rows of item") == true)
      #expect(told?.description.contains("run this again with --allow-mass-deletion") == true)
      #expect(try rows("SELECT count(*) FROM item") == ["30"])
    }
    // Without `--complete` no rows are compared, also after a refused comparison.
    #expect(try await load(file, "item").counts.removed == 0)
    let lines = (1...29).map { "{\"id\":\($0)}\n" }.joined()
    #expect(try await load(try write(lines, to: "good.jsonl"), "item", isComplete: true).counts.removed == 1)
    #expect(try await load(file, "item", isComplete: true, allowsMassDeletion: true).counts.removed >= 28)
  }

  /// A later load from a pipe without `--complete` ends an interrupted comparison, because a pipe has other rows each
  /// time.
  @Test func incompletePipeEndsAnInterruptedComparison() async throws {
    try await database().write { db in
      try db.execute(
        sql:
          "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (1, 'a'), (2, 'b'), (3, 'c')")
    }
    func load(_ text: String, isComplete: Bool) async throws -> SyncReport {
      let pipe = Pipe()
      pipe.fileHandleForWriting.write(Data(text.utf8))
      try pipe.fileHandleForWriting.close()
      return try await FileLoad(
        file: "-", format: .jsonl, database: folder.file("app.sqlite"), record: "item", key: [], isComplete: isComplete,
        isStrict: true, output: .none, standardInput: pipe.fileHandleForReading
      ).run()
    }
    let long = (4...2500).map { "{\"id\":\($0),\"name\":\"n\"}\n" }.joined()
    await #expect(throws: SyncError.self) { try await load(long + "{", isComplete: true) }
    #expect(try rows("SELECT restarting FROM sanderling_sync_state") == ["1"])
    #expect(try await load("{\"id\":9,\"name\":\"m\"}\n", isComplete: false).counts.removed == 0)
    #expect(try rows("SELECT restarting FROM sanderling_sync_state") == ["0"])
    #expect(try rows("SELECT count(*) FROM item") == ["2500"])
  }

  /// A load doesn't end the interrupted comparison of another file, although it places a parked row of that file.
  @Test func loadKeepsTheInterruptedComparisonOfAnotherFile() async throws {
    try await database().write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, parent INTEGER REFERENCES item);
          INSERT INTO item (id, name) VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd');
          """)
    }
    let rows = (101...1200).map { "{\"id\":\($0),\"name\":\"n\"}\n" }.joined()
    let cut = try write(
      "{\"id\":1,\"name\":\"a\"}\n{\"id\":9,\"name\":\"w\",\"parent\":50}\n" + rows + "{", to: "cut.jsonl")
    await #expect(throws: (any Error).self) { try await load(cut, "item", isComplete: true, isStrict: true) }
    let more = try await load(try write("{\"id\":50,\"name\":\"p\"}\n", to: "more.jsonl"), "item")
    #expect(more.followed == 1)
    #expect(try self.rows("SELECT count(*) FROM item WHERE id < 100") == ["6"])
    let whole =
      "{\"id\":1,\"name\":\"a\"}\n{\"id\":9,\"name\":\"w\",\"parent\":50}\n{\"id\":50,\"name\":\"p\"}\n" + rows
    let summary = try await load(try write(whole, to: "cut.jsonl"), "item", isComplete: true)
    #expect(summary.counts.removed == 3)
  }

  @Test func invalidArgumentsAreRefused() throws {
    for arguments in [
      ["x.txt", "--into", "a", "--record", "b"], ["x.csv", "--into", "a", "--record", "sqlite_schema"],
      ["x.csv", "--into", "", "--record", "b"], ["x.csv", "--into", "a"],
      ["x.csv", "--into", "a", "--record", "b", "--record", "c"], ["x.csv", "--into", "a", "--record", "b", "--send"],
      ["https://example.com", "--into", "a", "--record", "b"],
      ["https://example.com", "--into", "a", "--record", "b", "--server", "json", "--send"],
      ["https://example.com", "--into", "a", "--record", "b", "--server", "kinto", "--rows", "data"],
      ["https://example.com", "--into", "a", "--record", "b", "--server", "json", "--bucket", "data"],
      ["x.csv", "--into", "a", "--record", "b", "--bucket", "c"],
      ["x.csv", "--into", "a", "--record", "b", "--key", "id", "--key", "ID"],
      ["x.csv", "--into", "a", "--record", "b", "--allow-mass-deletion"],
      ["x.csv", "--into", "a", "--record", "b", "--delimiter", "ab"],
      ["x.csv", "--into", "a", "--record", "b", "--delimiter", "\""],
      ["x.csv", "--into", "a", "--record", "b", "--encoding", "ebcdic"],
      ["x.csv", "--into", "a", "--record", "b", "--blob", "octal"],
      ["x.csv", "--into", "a", "--record", "b", "--null", ""],
      ["x.csv", "--into", "a", "--record", "b", "--row-limit", "0"],
      ["x.csv", "--into", "a", "--record", "b", "--duplicates", "none"],
      ["x.jsonl", "--into", "a", "--record", "b", "--delimiter", ";"],
      ["x.json", "--into", "a", "--record", "b", "--null", "NA"],
      ["https://example.com", "--into", "a", "--record", "b", "--server", "json", "--encoding", "latin1"],
      ["https://example.com", "--into", "a", "--record", "b", "--server", "json", "--duplicates", "last"],
      [".", "--into", "a", "--record", "commit"], [".", "--into", "a", "--record", "commit", "--alter"],
      [".", "--into", "a", "--record", "commit", "--ignore", "b"],
      ["x.csv", "--into", "a", "--record", "b", "--check"],
    ] {
      #expect(throws: (any Error).self) { try SyncCommand.parse(arguments) }
    }
    #expect(try SyncCommand.parse(["-", "--into", "a", "--record", "b", "--format", "csv"]).format == .csv)
    let reading = try SyncCommand.parse([
      "x.tsv", "--into", "a", "--record", "b", "--delimiter", "tab", "--encoding", "windows-1252", "--null", "NA",
      "--blob",
      "hex", "--blob", "a=b=base64", "--duplicates", "last", "--ignore", "c", "--row-limit", "64", "--depth-limit",
      "128",
      "--column-limit", "3000",
    ]).reading
    #expect(
      reading.csv
        == CSVFormat(delimiter: "\t", nulls: ["NA"], blobs: .hex, blobColumns: ["a=b": .base64]))
    #expect(
      reading.options
        == FileOptions(
          encoding: .windows1252, duplicates: .useLast, ignoredColumns: ["c"],
          limits: FileLimits(row: 64 << 20, columns: 3000, depth: 128)))
  }

  /// The longest wait that a server may ask for is one hour, or the allowed wait if that is longer.
  @Test(arguments: [(nil, 3600), (60, 3600), (7200, 7200)] as [(Int?, Int)])
  func longestWaitIsOneHourOrTheAllowedWait(allowed: Int?, greatest: Int) throws {
    let sync = ServerSync(
      url: try #require(URL(string: "https://example.com")), server: .json, database: "a", records: ["b"], key: [],
      bucket: "default", rows: nil, user: nil, users: "users", secret: nil, isSending: false, isStrict: false,
      greatestWait: allowed.map { .seconds($0) }, output: .none)
    #expect(sync.options.greatestWait == .seconds(greatest))
  }

  private static let hasKinto: Bool = ProcessInfo.processInfo.environment["SANDERLING_KINTO"] != nil

  /// A collection of one test on the Kinto server, changed by another device of the same user.
  private struct Collection {
    let url: URL
    let bucket = "cli" + UUID().uuidString.lowercased()
    let other: HTTPConnection

    init(_ record: String) async throws {
      url = try #require(ProcessInfo.processInfo.environment["SANDERLING_KINTO"].flatMap { URL(string: $0) })
      var options = HTTPOptions()
      // Kinto answers 409 if another test makes a bucket at the same time.
      options.busyStatuses = [409]
      other = try HTTPConnection(url, authorization: .basic(user: bucket, password: "secret"), options: options)
      for path in ["buckets/\(bucket)", "buckets/\(bucket)/collections/task"] {
        _ = try await other.read(HTTPRequest("PUT", path)) { $0 }
      }
      try await add(record)
    }

    var records: String { "buckets/\(bucket)/collections/task/records" }

    func add(_ record: String) async throws {
      _ = try await other.read(HTTPRequest("POST", records, body: Data(#"{"data":\#(record)}"#.utf8))) { $0 }
    }

    func server(_ database: String, records: [String] = ["task"], secret: String?) -> ServerSync {
      ServerSync(
        url: url, server: .kinto, database: database, records: records, key: [], bucket: bucket, rows: nil,
        user: bucket, users: "users", secret: secret, isSending: true, isStrict: false, output: .none)
    }

    func sync(into database: String, records: [String] = ["task"], secret: String?) async throws -> SyncReport {
      try await server(database, records: records, secret: secret).run()
    }
  }

  /// A table is made from the records at the server. The columns of an empty collection are unknown.
  @Test(.enabled(if: hasKinto, "Needs servers: eval \"$(Scripts/servers start .build/servers)\""))
  func tableIsCreatedFromTheServersRecords() async throws {
    let collection = try await Collection(#"{"id":"a","title":"first","done":false,"size":3}"#)
    try await collection.add(#"{"id":"b","title":"second","done":true,"size":2.5,"parts":[1]}"#)
    let path = folder.file("app.sqlite")
    // A check makes nothing.
    #expect(try await collection.server(path, secret: "secret").check().allSatisfy { $0.kind != .wrong })
    #expect(try await collection.server(path, secret: "wrong").check().contains { $0.kind == .wrong })
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try await collection.sync(into: path, secret: "secret").counts.written == 2)
    #expect(try await collection.sync(into: path, secret: "secret").counts.written == 0)
    #expect(
      try rows("SELECT sql FROM sqlite_schema WHERE name = 'task'") == [
        #"CREATE TABLE "task" ("id" TEXT NOT NULL, "done" BOOLEAN, "size" REAL, "title" TEXT, "parts" TEXT, PRIMARY KEY ("id"))"#
      ])
    #expect(
      try rows("SELECT id || title || done || size || coalesce(parts, '') FROM task ORDER BY id")
        == ["afirst03.0", "bsecond12.5[1]"])
    _ = try await collection.other.read(
      HTTPRequest("PUT", "buckets/\(collection.bucket)/collections/none")
    ) { $0 }
    await #expect(throws: SyncCommandError.noRows("none", origin: collection.url.absoluteString)) {
      _ = try await collection.sync(into: path, records: ["none"], secret: "secret")
    }
  }

  /// A table and a collection become equal, with rows that another program inserts into the table. The token comes from
  /// a file.
  @Test(.enabled(if: hasKinto, "Needs servers: eval \"$(Scripts/servers start .build/servers)\""))
  func tableAndCollectionBecomeEqual() async throws {
    let collection = try await Collection(#"{"id":"a","title":"first","done":false}"#)
    try await database().write {
      try $0.execute(
        sql: "CREATE TABLE task (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL, done BOOLEAN NOT NULL)")
    }
    func run() async throws -> SyncReport {
      let secret = try ServerSync.secret(file: try write("secret\n", to: "token"), environment: [:])
      return try await collection.sync(into: folder.file("app.sqlite"), secret: secret)
    }
    #expect(try await run().counts.written == 1)
    #expect(try rows("SELECT id || title || done FROM task") == ["afirst0"])
    // Another program, which knows nothing of the synchronisation, inserts a row.
    try await database().write { try $0.execute(sql: "INSERT INTO task VALUES ('b', 'second', 1)") }
    let report = try await run()
    #expect(report.sent == 1 && report.left == 0 && report.text.contains("Sent: 1 change."))
    let rows = try await collection.other.read(HTTPRequest("GET", collection.records + "/b")) { $0 }
    #expect(rows.member("data.title") == "second")
    let json = try report.jsonText
    let stored = String(decoding: try Data(contentsOf: URL(filePath: folder.file("app.sqlite"))), as: UTF8.self)
    #expect(stored.contains("sanderling_sync_state") && !stored.contains("secret"))
    #expect(!report.text.contains("secret") && !json.contains("secret"))
    #expect(throws: SyncCommandError.self) {
      try ServerSync.secret(file: folder.file("none"), environment: [:])
    }
  }
}
