import Foundation
import GRDB
import Sanderling
import SanderlingSync
import Testing

@testable import SanderlingCLI

/// Each remedy that the command prints works for the unchanged file: none leads to an error or has no effect.
@Suite struct SyncRemedyTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(filePath: folder.file(name)))
    return folder.file(name)
  }

  /// Runs the command without its output.
  private func sync(_ file: String, _ options: String..., record: String = "t") async throws -> SyncReport {
    let command = try SyncCommand.parse(
      [file, "--into", folder.file("app.sqlite"), "--record", record, "-q"] + options)
    do { return try await command.synchronize() } catch {
      throw SyncCommandError(error, file: file, database: folder.file("app.sqlite")) ?? error
    }
  }

  /// A connection that waits for locks: after an error, the command's connections may end later than its run.
  private func database() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(20)
    return try DatabaseQueue(path: folder.file("app.sqlite"), configuration: configuration)
  }

  private func execute(_ sql: String) async throws {
    try await database().write { try $0.execute(sql: sql) }
  }

  private func rows(_ sql: String) throws -> [String] {
    try database().read { try String.fetchAll($0, sql: sql) }
  }

  // MARK: Columns that the table doesn't have

  private static let people =
    "id,name,age,tall,code,share,born,photo\n1,Zoe,30,true,007,0.5,2024-01-02,X'0102'\n2,Bob,,false,12,2,,\n"

  @Test(arguments: ["people.csv", "people.json"]) func missingColumnsAreAdded(name: String) async throws {
    try await execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
    let json = """
      [{"id":1,"name":"Zoe","age":30,"tall":true,"code":"007","share":0.5,"born":"2024-01-02"},
      {"id":2,"name":"Bob","age":null,"tall":false,"code":"12","share":2}]
      """
    let csv = Self.people.replacing(",photo", with: "").replacing(",X'0102'", with: "").replacing(",,\n", with: ",\n")
    let file = try write(name.hasSuffix("csv") ? csv : json, to: name)
    let report = try await sync(file)
    #expect(report.keptColumns == ["age", "born", "code", "share", "tall"])
    #expect(report.text.contains("Run this again with --alter, which adds the columns"))
    let altered = try await sync(file, "--alter")
    #expect(altered.keptColumns.isEmpty && altered.quarantine == 0)
    let expected = ["1 Zoe 30 1 007 0.5 2024-01-02", "2 Bob NULL 0 12 2.0 NULL"]
    let select =
      "SELECT id || ' ' || name || ' ' || ifnull(age, 'NULL') || ' ' || tall || ' ' || code || ' ' || share || ' ' || ifnull(born, 'NULL') FROM t ORDER BY id"
    #expect(try rows(select) == expected)
    #expect(
      try rows("SELECT typeof(age) || typeof(tall) || typeof(code) || typeof(share) FROM t WHERE id = 1")
        == ["integerintegertextreal"])
    #expect(try rows("SELECT json FROM sanderling_sync_extra_t").isEmpty)
    #expect(try await sync(file, "--alter").isUnchanged)
    // The columns are added in one step if no values were kept before.
    try await execute("DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
    #expect(try await sync(file, "--alter").keptColumns.isEmpty)
    #expect(try rows(select) == expected)
  }

  /// A column that a user adds receives the kept values, whatever its declared type.
  @Test(arguments: [
    ("INTEGER", ["30 integer", "NULL null"]), ("REAL", ["30.0 real", "NULL null"]), ("TEXT", ["30 text", "NULL null"]),
    ("", ["30 integer", "NULL null"]), ("DECIMAL(10, 2)", ["30 integer", "NULL null"]),
    ("STRING", ["30 integer", "NULL null"]),
  ]) func addedColumnsReceiveTheKeptValues(type: String, expected: [String]) async throws {
    try await execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
    let file = try write("id,name,age\n1,Zoe,30\n2,Bob,\n", to: "age.csv")
    #expect(try await sync(file).keptColumns == ["age"])
    try await execute("ALTER TABLE t ADD COLUMN age \(type)")
    let report = try await sync(file)
    #expect(report.quarantine == 0 && report.keptColumns.isEmpty)
    #expect(try rows("SELECT ifnull(age, 'NULL') || ' ' || typeof(age) FROM t ORDER BY id") == expected)
    // A second load of the same rows writes nothing.
    #expect(try await sync(try write("id,name,age\n1,Zoe,30\n2,Bob,\n", to: "other.csv")).isUnchanged)
  }

  @Test func addedColumnsReceiveKeptFlagsAndBlobs() async throws {
    try await execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
    let file = try write(Self.people, to: "people.csv")
    #expect(try await sync(file).keptColumns.count == 6)
    try await execute("ALTER TABLE t ADD COLUMN tall BOOLEAN; ALTER TABLE t ADD COLUMN photo BLOB")
    #expect(try await sync(file).quarantine == 0)
    #expect(try rows("SELECT tall || quote(photo) FROM t ORDER BY id") == ["1X'0102'", "0NULL"])
  }

  /// An earlier release of the library kept all fields as texts. A text that it kept is not converted for a new INTEGER
  /// column. A later load of the corrected file fills the column.
  @Test func textsKeptByAnEarlierReleaseAreNotConverted() async throws {
    try await execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
    let file = try write("id,name,age,code\n1,Zoe,30,007\n", to: "age.csv")
    #expect(try await sync(file).keptColumns == ["age", "code"])
    try await execute(
      #"UPDATE sanderling_sync_extra_t SET json = '{"age":"30","code":"007"}'; ALTER TABLE t ADD COLUMN age INTEGER; ALTER TABLE t ADD COLUMN code INTEGER"#
    )
    let report = try await sync(file)
    #expect(report.misfits.map(\.column) == ["code"])
    // A kept JSON text is not converted to a number, although it looks like a number.
    #expect(try rows("SELECT ifnull(age, 'NULL') || typeof(age) FROM t") == ["NULLnull"])
    #expect(try await sync(try write("id,name,age,code\n1,Zoe,30,7\n", to: "age.csv")).quarantine == 0)
    #expect(try rows("SELECT age || typeof(age) || code FROM t") == ["30integer7"])
  }

  /// A row that was quarantined for another reason fills columns that were added since, with the values that were read.
  @Test func quarantinedRowFillsColumnsAddedLater() async throws {
    try await execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, n INTEGER CHECK (n > 0))")
    let file = try write("id,name,n,age\n1,Zoe,-1,30\n", to: "age.csv")
    #expect(try await sync(file).quarantine == 1)
    try await execute(
      "ALTER TABLE t RENAME TO old; CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, n INTEGER, age INTEGER)")
    #expect(try await sync(file).quarantine == 0)
    #expect(try rows("SELECT age || typeof(age) FROM t") == ["30integer"])
  }

  @Test func columnsOfAStrictTableAreAdded() async throws {
    try await execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT) STRICT")
    let file = try write(
      #"{"id":1,"a":true,"b":1,"c":1.5,"d":"x","e":[1],"f":null}"# + "\n"
        + #"{"id":2,"a":false,"b":"mixed","c":9007199254740993,"d":"y"}"# + "\n", to: "rows.jsonl")
    #expect(try await sync(file, "--alter").quarantine == 0)
    #expect(
      try rows("SELECT name || ' ' || type FROM pragma_table_info('t') WHERE cid > 1 ORDER BY cid") == [
        "a INTEGER", "b ANY", "c ANY", "d TEXT", "e TEXT", "f ANY",
      ])
  }

  @Test func unwantedColumnIsIgnored() async throws {
    try await execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
    let file = try write("id,name,age\n1,Zoe,30\n", to: "age.csv")
    #expect(try await sync(file).keptColumns == ["age"])
    let report = try await sync(file, "--ignore", "AGE")
    #expect(report.keptColumns.isEmpty && report.quarantine == 0)
    // A new table is made without the ignored column.
    #expect(try await sync(file, "--ignore", "age", record: "other").quarantine == 0)
    #expect(try rows("SELECT name FROM pragma_table_info('other')") == ["id", "name"])
  }

  // MARK: Values

  @Test func computedColumnIsCheckedOrIgnored() async throws {
    try await execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, age INTEGER AS (length(name)))")
    #expect(try await sync(try write("id,name,age\n1,Zoe,3\n", to: "same.csv")).quarantine == 0)
    let file = try write("id,name,age\n1,Zoe,3\n2,Bob,31\n", to: "other.csv")
    let report = try await sync(file)
    #expect(report.quarantine == 1 && report.misfits[0].column == "age")
    #expect(
      report.misfits[0].reason.contains(
        "computes another value for this generated column. Ignore the column (--ignore)"))
    #expect(try await sync(file, "--ignore", "age").quarantine == 0)
    #expect(try rows("SELECT id || name || age FROM t ORDER BY id") == ["1Zoe3", "2Bob3"])
  }

  @Test(arguments: [("hex", "X'0102'"), ("base64", "X'D35D36'"), ("photo=hex", "X'0102'")])
  func theEncodingOfBlobsIsNamed(encoding: String, expected: String) async throws {
    try await execute("CREATE TABLE t (id INTEGER PRIMARY KEY, photo BLOB)")
    let file = try write("id,photo\n1,0102\n", to: "blob.csv")
    let report = try await sync(file)
    #expect(report.quarantine == 1 && report.text.contains("or name the encoding (--blob) (line 2)"))
    #expect(try await sync(file, "--blob", encoding).quarantine == 0)
    #expect(try rows("SELECT quote(photo) FROM t") == [expected])
    // The value is read as the command itself writes it.
    #expect(try await sync(try write("id,photo\n1,\(expected)\n", to: "literal.csv")).isUnchanged)
  }

  @Test func blobsOfANewTableAreNamed() async throws {
    let file = try write("id,photo\n1,0102\n", to: "blob.csv")
    #expect(try await sync(file, "--blob", "photo=hex").quarantine == 0)
    #expect(try rows("SELECT quote(photo) FROM t") == ["X'0102'"])
  }

  @Test func theLastRowOfAKeyIsUsed() async throws {
    let file = try write("id,name\n1,Zoe\n1,Bob\n2,Al\n", to: "dupkey.csv")
    let report = try await sync(file)
    #expect(report.quarantine == 1 && report.text.contains("and other values (--duplicates) (line 3)"))
    #expect(try rows("SELECT name FROM t ORDER BY id") == ["Zoe", "Al"])
    #expect(try await sync(file, "--duplicates", "last").quarantine == 0)
    #expect(try rows("SELECT name FROM t ORDER BY id") == ["Bob", "Al"])
  }

  // MARK: Files

  @Test func theEncodingIsNamed() async throws {
    let file = folder.file("latin1.csv")
    try Data(Array("id,name\n1,Zo".utf8) + [0xEB, 0x0A] + Array("2,Bob\n".utf8)).write(to: URL(filePath: file))
    let report = try await sync(file)
    #expect(report.quarantine == 1 && report.text.contains("a row without a key: "))
    #expect(report.text.contains("Name the file's encoding (--encoding), at byte 3 (line 2)"))
    #expect(try await sync(file, "--encoding", "latin1").quarantine == 0)
    #expect(try rows("SELECT name FROM t ORDER BY id") == ["Zoë", "Bob"])
    // If no row can be read, nothing is stored, and no table is made.
    try Data(Array("id,name\n1,Zo".utf8) + [0xEB, 0x0A]).write(to: URL(filePath: file))
    let error = await #expect(throws: SyncCommandError.self) { try await sync(file, record: "other") }
    #expect(error?.description.contains("(--encoding). Nothing is stored, and no table is created") == true)
    #expect(try await sync(file, "--encoding", "latin1", record: "other").counts.written == 1)
    // The names of columns must be valid text, too.
    try Data(Array("id,na".utf8) + [0xEB] + Array("me\n1,a\n".utf8)).write(to: URL(filePath: file))
    let header = await #expect(throws: SyncCommandError.self) { try await sync(file, record: "header") }
    #expect(header?.description.contains("(--encoding). Nothing is stored, and no table is created") == true)
    #expect(try await sync(file, "--encoding", "latin1", record: "header").counts.written == 1)
  }

  @Test func theDelimiterIsFoundOrNamed() async throws {
    let semicolons = try await sync(try write("id;name;price\n1;Zoë;1,50\n2;Bob;2,75\n", to: "semicolon.csv"))
    #expect(semicolons.detected == ["delimiter": ";"] && semicolons.quarantine == 0)
    #expect(semicolons.text.contains("Read with --delimiter ';', as the file shows.\n"))
    // The meaning of a comma in a number is not guessed.
    #expect(try rows("SELECT price || typeof(price) FROM t ORDER BY id") == ["1,50text", "2,75text"])
    let file = try write("key:name\n1:Zoe\n", to: "colon.csv")
    let noKey = await #expect(throws: SyncCommandError.self) { try await sync(file, record: "colon") }
    #expect(
      noKey?.description.contains("the key with --key") == true && noKey?.description.contains("--delimiter") == true)
    #expect(try await sync(file, "--key", "key", "--delimiter", ":", record: "colon").counts.written == 1)
    // The same remedy is named if the table exists.
    let other = try write("key:name\n2:Bob\n", to: "more.csv")
    let missing = await #expect(throws: SyncCommandError.self) { try await sync(other, record: "colon") }
    #expect(missing?.description.contains("name the delimiter (--delimiter)") == true)
    #expect(try await sync(other, "--delimiter", ":", record: "colon").counts.written == 1)
    let tabs = try await sync(try write("id\tname\n1\tZoe\n", to: "tabs.tsv"), record: "tabs")
    #expect(tabs.detected == ["delimiter": "tab"])
  }

  @Test func UTF16IsFound() async throws {
    let file = folder.file("utf16.csv")
    try #require("id,name\r\n1,Zoë\r\n".data(using: .utf16)).write(to: URL(filePath: file))
    let report = try await sync(file)
    #expect(report.detected["encoding"]?.hasPrefix("utf-16") == true && report.quarantine == 0)
    #expect(report.text.contains("as the file shows.") && report.text.contains("--encoding 'utf-16"))
    #expect(try rows("SELECT name FROM t") == ["Zoë"])
    let encoding = try #require(report.detected["encoding"])
    #expect(try await sync(file, "--encoding", encoding).quarantine == 0)
  }

  @Test func textsThatMeanNULLAreNamed() async throws {
    let file = try write("id,n\n1,5\n2,NA\n3,\\N\n", to: "null.csv")
    #expect(try await sync(file, "--null", "NA", "--null", "\\N").quarantine == 0)
    #expect(try rows("SELECT ifnull(n, 'NULL') FROM t ORDER BY id") == ["5", "NULL", "NULL"])
    #expect(try rows("SELECT type FROM pragma_table_info('t') WHERE name = 'n'") == ["INTEGER"])
    #expect(try await sync(file).quarantine == 2)
    #expect(try await sync(file, "--null", "NA", "--null", "\\N").quarantine == 0)
  }

  @Test func limitsAreRaised() async throws {
    try await execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, v TEXT)")
    let long = try write("id,name\n1,a\n2,\(String(repeating: "x", count: 2 << 20))\n", to: "long.csv")
    let first = try await sync(long, "--row-limit", "1")
    #expect(first.quarantine == 1 && first.text.contains("more than 1048576 bytes (--row-limit)"))
    #expect(try await sync(long, "--row-limit", "3").quarantine == 0)
    let deep = try write(#"{"id":3,"v":[[[[1]]]]}"# + "\n" + #"{"id":4}"# + "\n", to: "deep.jsonl")
    let second = try await sync(deep, "--depth-limit", "2")
    #expect(second.quarantine == 1 && second.text.contains("more than 2 deep (--depth-limit)"))
    #expect(try await sync(deep, "--depth-limit", "8").quarantine == 0)
    let wide = try write("id,name,v\n5,a,b\n", to: "wide.csv")
    let third = await #expect(throws: SyncCommandError.self) { try await sync(wide, "--column-limit", "2") }
    #expect(third?.description.contains("more than 2 columns (--column-limit)") == true)
    #expect(try await sync(wide, "--column-limit", "3").quarantine == 0)
    #expect(try rows("SELECT count(*) FROM t") == ["5"])
  }

  @Test func malformedRowIsQuarantinedOrEndsTheRun() async throws {
    let file = try write("id,a,b\n1,x\n2,x,y,z\n3,x,y\n\n4,x,y\n", to: "ragged.csv")
    let report = try await sync(file)
    #expect(report.counts.written == 2 && report.quarantine == 2)
    #expect(report.misfits.map(\.key) == [[], []])
    #expect(report.misfits.map { String($0.reason.suffix(8)) } == ["(line 2)", "(line 3)"])
    let other = try write("id,a,b\n9,x,y\n1,x\n3,x,y\n", to: "strict.csv")
    let error = await #expect(throws: SyncCommandError.self) { try await sync(other, "--strict") }
    #expect(error?.description.contains("line 3, column 1: the row has 2 fields, and the first row has 3") == true)
    #expect(error?.description.contains("Without --strict, rows that can't be read are quarantined") == true)
    #expect(try rows("SELECT id FROM t ORDER BY id") == ["3", "4", "9"])
    #expect(try await sync(other).quarantine == 1)
  }

  @Test func fileOfManyColumnsIsLoaded() async throws {
    let names = (0..<200).map { "c\($0)" }.joined(separator: ",")
    let file = try write("id,\(names)\n" + (0...200).map(String.init).joined(separator: ",") + "\n", to: "c200.csv")
    #expect(try await sync(file).counts.written == 1)
    #expect(try rows("SELECT c199 FROM t") == ["200"])
  }
}
