import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

@Suite struct FileSourceTests {
  @Record("event")
  struct Event: Equatable {
    var id: Int
    var title: String
    var note: String?
    var at: Date?
    @Stored(as: .iso8601) var on: Date?
    @Stored(as: .unixMilliseconds) var since: Date?
    var ref: UUID?
    var isOpen: Bool?
    var weight: Double?
    var parts: Data?
  }

  private let folder: TemporaryFolder
  let store: Store
  private var path: String { folder.path("rows") }

  init() throws {
    folder = try TemporaryFolder()
    store = try Store(inMemory: [Event.self])
  }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  @discardableResult
  private func load(_ source: any SyncSource, _ options: SyncOptions = SyncOptions()) async throws -> SyncSummary {
    try await SyncSession("file", store: store, records: [SyncedRecord(Event.self)], source: source, options: options)
      .run()
  }

  private var lines: JSONLinesSource { JSONLinesSource(path: path, of: SyncedRecord(Event.self)) }
  private var rows: CSVSource { CSVSource(path: path, of: SyncedRecord(Event.self)) }

  private func events() async throws -> [Event] { try await store.fetch(Event.order { $0.id }) }

  private func add(_ id: Int, _ title: String) async throws {
    try await store.write("add") { try $0.insert(Event(id: id, title: title)) }
  }

  private static let noon = Date(timeIntervalSince1970: 1_750_000_000)
  private static let later = Date(timeIntervalSince1970: 1_750_000_000.25)
  private static let uuid = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")

  @Test func JSONValuesAreStoredInTheFormOfTheirColumn() async throws {
    try write(
      """
      {"id":9007199254740993,"title":"a\\u00e9\\ud83d\\udc26\\n","at":"2025-06-15T15:06:40Z","on":"2025-06-15T17:06:40.250+02:00",\
      "since":"2025-06-15T15:06:40","ref":"00112233-4455-6677-8899-aabbccddeeff","isOpen":true,"weight":3,"parts":"AQI="}\r
      \n  {"id": 2, "title": "", "since": 1750000000250, "weight": -1.5e3, "isOpen": false, "note": null, "more": {"a": [1, {}]}}
      """)
    let summary = try await load(lines)
    #expect(summary.counts.written == 2 && summary.counts.quarantined == 0)
    #expect(
      try await events() == [
        Event(
          id: 2, title: "", note: nil, at: nil, on: nil, since: Self.later, ref: nil, isOpen: false, weight: -1500,
          parts: nil),
        Event(
          id: 9_007_199_254_740_993, title: "aé🐦\n", note: nil, at: Self.noon, on: Self.later, since: Self.noon,
          ref: Self.uuid, isOpen: true, weight: 3, parts: Data([1, 2])),
      ])
    #expect(
      try await store.read { try String.fetchAll($0.database, sql: #"SELECT "on" FROM event WHERE "on" IS NOT NULL"#) }
        == ["2025-06-15T15:06:40.250Z"])
    // The value of the unknown column is kept.
    #expect(
      try await store.read { try String.fetchAll($0.database, sql: "SELECT json FROM sanderling_sync_extra_event") }
        == [#"{"more":"{\"a\": [1, {}]}"}"#])
  }

  @Test func fieldsAreStoredInTheFormOfTheirColumn() async throws {
    try write(
      "\u{FEFF}id,title,\"note\",at,since,isOpen,weight,ref,parts\r\n"
        + "1,\"a,\"\"b\"\"\r\nc\n\",,2025-06-15 15:06:40,1750000000250.0,true,2,00112233-4455-6677-8899-AABBCCDDEEFF,\r\n"
        + "\n2,,\"\",,,,,,AQI=")
    #expect(try await load(rows).counts.written == 2)
    #expect(
      try await events() == [
        Event(
          id: 1, title: "a,\"b\"\r\nc\n", note: nil, at: Self.noon, on: nil, since: Self.later, ref: Self.uuid,
          isOpen: true,
          weight: 2, parts: nil),
        Event(
          id: 2, title: "", note: "", at: nil, on: nil, since: nil, ref: nil, isOpen: nil, weight: nil,
          parts: Data([1, 2])
        ),
      ])
  }

  @Test func valuesOfAnotherTypeAreQuarantined() async throws {
    try write(
      """
      {"id":1,"title":7}
      {"title":"no key"}
      {"id":2,"title":"ok","weight":"heavy"}
      {"id":99999999999999999999,"title":"too long"}
      {"id":3,"title":"ok","at":"yesterday"}
      """)
    let synchronization = try await SyncSession(
      "file", store: store, records: [SyncedRecord(Event.self)], source: lines)
    #expect(try await synchronization.run().counts.quarantined == 5)
    #expect(try await synchronization.quarantine().map(\.column) == ["title", "id", "weight", "id", "at"])
  }

  @Test(arguments: [
    ("{\"id\":1,\"title\":\"\"}\n{\"id\":2,}\n", 2, 9, "a member's name in double quotes is missing"),
    ("1\n", 1, 1, "an object must begin here with {"), ("{\"id\":1} x\n", 1, 10, "text follows the value"),
    ("{\"a\":\"\\ud800\"}", 1, 13, "the second half of a surrogate pair is missing"),
    ("{\"a\":01}", 1, 6, "a number has a leading zero"),
    ("{\"a\":nul}", 1, 6, "no JSON value begins with these characters"),
    ("{\"a\":\(String(repeating: "[", count: 70))", 1, 69, "values are nested more than 64 deep (FileLimits.depth)"),
    (
      "{\"id\":1,\"title\":\"\"}\n\n{\"t\":\"\(String(repeating: "x", count: 100))\"}", 3, 101,
      "the row has more than 100 bytes (FileLimits.row)"
    ),
  ]) func malformedLinesAreNamed(_ text: String, _ line: Int, _ column: Int, _ reason: String) async throws {
    try write(text)
    let source = JSONLinesSource(
      path: path, of: SyncedRecord(Event.self), options: FileOptions(limits: FileLimits(row: 100)))
    let error = SyncError.malformedSource(path: path, line: line, column: column, reason: reason)
    await #expect(throws: error) { try await load(source, SyncOptions(misfits: .stop)) }
  }

  @Test(arguments: [
    ("id,title\n1,\"a\nb\n", 2, 3, "the quoted field that begins here has no closing quote"),
    ("id,title\n1,a\"b\n", 2, 4, "a quote stands inside of an unquoted field"),
    ("id,title\n1,\"a\"b\n", 2, 6, "text follows the closing quote of a field"),
    ("id,title\n1,a\n2\n", 3, 1, "the row has one field, and the first row has 2"),
    ("id,id\n", 1, 1, "two columns are called id"),
    (
      "id,title\n1,\"\(String(repeating: "x\n", count: 60))\"\n", 51, 2,
      "the row has more than 100 bytes (FileLimits.row)"
    ),
  ]) func malformedRowsAreNamed(_ text: String, _ line: Int, _ column: Int, _ reason: String) async throws {
    try write(text)
    let source = CSVSource(path: path, of: SyncedRecord(Event.self), options: FileOptions(limits: FileLimits(row: 100)))
    let error = SyncError.malformedSource(path: path, line: line, column: column, reason: reason)
    await #expect(throws: error) { try await load(source, SyncOptions(misfits: .stop)) }
  }

  @Test(
    arguments: [[0x1F, 0x8B, 8, 0], [0x50, 0x4B, 3, 4], [0xFF, 0xFE, 0, 0, 0x69], [0, 0, 0xFE, 0xFF, 0]] as [[UInt8]])
  func compressedAndUTF32FilesAreNamedInTheError(bytes: [UInt8]) async throws {
    try Data(bytes).write(to: URL(filePath: path))
    for source in [lines, rows] as [any SyncSource] {
      let error = await #expect(throws: SyncError.self) { try await load(source) }
      #expect(
        "\(error.map { "\($0)" } ?? "")".contains(bytes[0] == 0x1F ? "gunzip" : bytes[0] == 0x50 ? "ZIP" : "UTF-32"))
    }
  }

  @Test func byteOrderMarkIsSkipped() async throws {
    try write("\u{FEFF}{\"id\":1,\"title\":\"One\"}\n")
    #expect(try await load(lines).counts.written == 1)
    #expect(try await load(lines).counts.received == 0)
  }

  /// The search for the columns of a file, which reads all rows before a table is made, ends when it is cancelled.
  @Test(arguments: [
    "id,title\n1,One\n", "id,title\n1\n", "{\"id\":1,\"title\":\"One\"}\n", "{\"id\":1,}\n",
  ]) func cancellationEndsTheSearchForColumns(text: String) async throws {
    try write(text)
    let input = FileInput(place: .path(path))
    let isJSON = text.hasPrefix("{")
    let look = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try isJSON ? FoundColumns(json: input) : FoundColumns(csv: input, key: ["id"])
    }
    await #expect(throws: CancellationError.self) { try await look.value }
  }

  /// A load that continues ends when it is cancelled, while it reads the part that an earlier load has read.
  @Test func cancellationEndsAContinuedLoad() async throws {
    try write("id,title\n1,One\n2,Two\n")
    var cursor: String?
    for try await batch in rows.batches(after: nil) { cursor = batch.cursor ?? cursor }
    let (source, place) = (rows, try #require(cursor))
    let load = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      for try await _ in source.batches(after: place) {}
    }
    await #expect(throws: CancellationError.self) { try await load.value }
  }

  @Test func eachReadOfAFileCanBeTheLast() throws {
    try write(String(repeating: "x", count: 10_000))
    var input = FileInput(place: .path(path))
    input.capacity = 100
    var count = 0
    let bytes = try FileBytes(input) {
      count += 1
      if count > 3 { throw CancellationError() }
    }
    #expect(throws: CancellationError.self) { try bytes.skip(10_000) }
    #expect(bytes.offset == 300)
  }

  @Test func missingFileIsNamedInTheError() async throws {
    await #expect(throws: SyncError.unreadableSource(path: path, reason: "No such file or directory")) {
      try await load(lines)
    }
  }

  @Test func loadContinuesAtNewRowsAndRestartsAfterAChange() async throws {
    let first = (1...10).map { "\($0),Title \($0)\n" }.joined()
    try write("id,title\n" + first)
    #expect(try await load(rows).counts.received == 10)
    let again = try await load(rows)
    #expect(again.counts.received == 0 && again.isUnchanged)

    try write("id,title\n" + first + "11,More\n")
    #expect(try await load(rows).counts.received == 1)

    // The file has the same length, so only its bytes show the change.
    try write("id,title\n" + first.replacing("Title 3", with: "Other 3") + "11,More\n")
    let other = try await load(rows)
    #expect(other.counts.received == 11 && other.counts.written == 1)
    #expect(try await events().map(\.title)[2] == "Other 3")
  }

  @Test func completeFileRemovesRowsThatItLacks() async throws {
    let source = CSVSource(path: path, of: SyncedRecord(Event.self), isComplete: true)
    try write("id,title\n1,One\n2,Two\n")
    try await load(source)
    try write("id,title\n2,Two\n3,Three\n")
    let summary = try await load(source)
    #expect(summary.counts.removed == 1 && summary.counts.written == 1 && summary.counts.unchanged == 1)
    // Each load of a complete file compares all rows, because another author may have written in the meantime.
    try await add(4, "Four")
    #expect(try await load(source).counts.removed == 1)
    #expect(try await load(source).isUnchanged)
    #expect(try await events().map(\.id) == [2, 3])
  }

  @Test func incompleteLoadRemovesNothing() async throws {
    try write("id,title\n1,One\n2,Two\n")
    try await load(rows)
    try await add(3, "Three")
    let complete = CSVSource(path: path, of: SyncedRecord(Event.self), isComplete: true)
    // A comparison that is interrupted and not continued.
    var interrupted = complete
    interrupted.file.options.limits.batchRows = 1
    try write("id,title\n1,One\n2,Two\n\"")
    await #expect(throws: SyncError.self) { try await load(interrupted, SyncOptions(misfits: .stop)) }
    try write("id,title\n1,One\n2,Two\n")
    let counts = try await load(rows).counts
    #expect(counts.received == 2 && counts.unchanged == 2 && counts.removed == 0)
    #expect(try await events().map(\.id) == [1, 2, 3])
    // The next complete load still compares all rows.
    #expect(try await load(complete).counts.removed == 1)
    #expect(try await events().map(\.id) == [1, 2])
  }

  @Test func interruptedCompleteLoadContinues() async throws {
    var source = CSVSource(path: path, of: SyncedRecord(Event.self), isComplete: true)
    source.file.options.limits.batchRows = 2
    try await add(9, "Nine")
    try write("id,title\n1,One\n2,Two\n3,Three\nx\n")
    await #expect(throws: SyncError.self) { try await load(source, SyncOptions(misfits: .stop)) }
    #expect(try await events().map(\.id) == [1, 2, 3, 9])
    try write("id,title\n1,One\n2,Two\n3,Three\n4,Four\n")
    // The listing removes the only row that existed before.
    let summary = try await load(source, SyncOptions(allowsMassDeletion: true))
    #expect(summary.counts.received == 1 && summary.counts.removed == 1)
    #expect(try await events().map(\.id) == [1, 2, 3, 4])
  }

  @Test(arguments: [false, true]) func lastRowWithoutALineBreakIsReadAgainWhenItGrows(_ isCSV: Bool) async throws {
    func write(_ rows: [String], isEnded: Bool) throws {
      let text = (isCSV ? ["id,title"] + rows : rows).joined(separator: "\n")
      try self.write(text + (isEnded ? "\n" : ""))
    }
    let source: any SyncSource = isCSV ? rows : lines
    func row(_ id: Int, _ title: String) -> String {
      isCSV ? "\(id),\(title)" : "{\"id\":\(id),\"title\":\"\(title)\"}"
    }
    try write([row(1, "One"), row(2, "Tw")], isEnded: false)
    #expect(try await load(source).counts.written == 2)
    #expect(try await load(source).isUnchanged)
    try write([row(1, "One"), row(2, "Two"), row(3, "Three")], isEnded: false)
    #expect(try await load(source).counts.received == 2)
    #expect(try await events().map(\.title) == ["One", "Two", "Three"])
    try write([row(1, "One"), row(2, "Two"), row(3, "Three")], isEnded: true)
    #expect(try await load(source).counts.received == 1)
    #expect(try await load(source).counts.received == 0)
  }

  @Test func rowsBeforeAMalformedLineAreStored() async throws {
    try write("id,title\n1,One\n2,Two\n3\n4,Four\n")
    let error = SyncError.malformedSource(
      path: path, line: 4, column: 1, reason: "the row has one field, and the first row has 2")
    await #expect(throws: error) { try await load(rows, SyncOptions(misfits: .stop)) }
    #expect(try await events().map(\.id) == [1, 2])
    try write("id,title\n1,One\n2,Two\n3,Three\n4,Four\n")
    #expect(try await load(rows).counts.received == 2)
    #expect(try await events().map(\.id) == [1, 2, 3, 4])
  }

  @Test func eachRowWithoutAKeyIsQuarantinedWithItsLine() async throws {
    await #expect(
      throws: SyncError.malformedSource(
        path: path, line: 1, column: 1,
        reason:
          "the first row names no column id, which belongs to the key. If the fields have another delimiter than the comma, "
          + "name the delimiter (CSVFormat.delimiter)")
    ) {
      try write("title\nOne\n")
      try await load(rows)
    }
    let session = try await SyncSession("file", store: store, records: [SyncedRecord(Event.self)], source: rows)
    try write("id,title\n,One\n,One\nx,Two\n3,Three\n")
    #expect(try await session.run().counts.quarantined == 3)
    let misfits = try await session.quarantine()
    #expect(misfits.map { String($0.reason.suffix(9)) } == [" (line 2)", " (line 3)", " (line 4)"])
    // The rows are corrected in the file, which is read again from its beginning.
    try write("id,title\n1,One\n,One\n4,Two\n3,Three\n")
    #expect(try await session.run().counts.quarantined == 1)
    #expect(try await session.quarantine().count == 1)
    try write("id,title\n1,One\n2,One\n4,Two\n3,Three\n")
    try await session.run()
    #expect(try await session.quarantine().isEmpty)
  }

  /// A complete file removes no row while one of its rows has no key, because that row may be any of the stored rows.
  @Test func completeFileWithAKeylessRowRemovesNothing() async throws {
    try await add(7, "Seven")
    let source = CSVSource(path: path, of: SyncedRecord(Event.self), isComplete: true)
    try write("id,title\n1,One\n,Two\n")
    #expect(try await load(source).counts.removed == 0)
    #expect(try await events().map(\.id) == [1, 7])
    let session = try await SyncSession("file", store: store, records: [SyncedRecord(Event.self)], source: source)
    #expect(
      try await session.quarantine().map(\.reason) == [
        "the key doesn't fit the record: it is NULL, so no row is removed (line 3)"
      ])
    try write("id,title\n1,One\n2,Two\n")
    #expect(try await load(source).counts.removed == 1)
    #expect(try await events().map(\.id) == [1, 2])
  }

  @Test func namesOfColumnsHaveNoCase() async throws {
    try write("ID,Title,WEIGHT,More\n1,One,2.5,x\n")
    try await load(rows)
    try write(#"{"Id":2,"TITLE":"Two","more":1}"# + "\n")
    try await load(lines)
    #expect(try await events().map { "\($0.id) \($0.title) \($0.weight ?? 0)" } == ["1 One 2.5", "2 Two 0.0"])
    try write(#"{"Id":3,"TITLE":"Two","title":"Three"}"# + "\n")
    let error = SyncError.malformedSource(path: path, line: 1, column: 1, reason: "two members name the same column")
    await #expect(throws: error) { try await load(lines, SyncOptions(misfits: .stop)) }
  }

  /// A column of doubles takes the nearest double of a decimal. Quarantined are numbers beyond the range of a double,
  /// integers that no double equals, integers of 2⁵³ and more that are written as decimals, and hexadecimal numbers.
  @Test func numbersThatDoNotFitTheirColumnAreQuarantined() async throws {
    try write(
      """
      {"id":1,"title":"","weight":0.1234567890123456789}
      {"id":2,"title":"","weight":1e400}
      {"id":3,"title":"","at":1750000000.00}

      """)
    #expect(try await load(lines).counts.quarantined == 1)
    #expect(try await events().map(\.id) == [1, 3])
    #expect(try await events().map(\.weight) == [0.1234567890123456789, nil])
    try write("id,title\n9007199254740993.0,a\n9223372036854775808,b\n12.0,c\n0x10,d\n")
    #expect(try await load(rows).counts.quarantined == 3)
    #expect(try await events().map(\.id) == [1, 3, 12])
    try write("id,title,weight\n21,a,9007199254740993\n22,b,0x1p3\n23,c,0.30000000000000000001\n24,d,12\n")
    #expect(try await load(rows).counts.quarantined == 2)
    #expect(try await events().map(\.id) == [1, 3, 12, 23, 24])
    #expect(try await events().suffix(2).map(\.weight) == [0.3, 12])
  }

  @Test(
    arguments: [
      ("0.1", 0.1), ("-0.0", -0.0), ("1.50", 1.5), ("1e400", nil), ("1e-400", nil),
      ("5e-324", Double.leastNonzeroMagnitude),
      ("0.1234567890123456789", nil), ("0.30000000000000004", 0.1 + 0.2), ("0.10000000000000001", 0.1),
      ("0.12345678901234568", 0.12345678901234568), ("9007199254740993", nil), ("9007199254740992", 0x1p53),
      ("100000000000000000000", 1e20), ("1.7976931348623157e308", Double.greatestFiniteMagnitude),
      ("0.1000000000000000055511151231257827", nil),
    ] as [(String, Double?)]) func doublesAreExact(_ text: String, _ value: Double?)
  {
    #expect(Double(exact: text) == value)
  }

  /// A printed double is read back as the same double.
  @Test func printedDoublesAreExact() {
    var generator = SeededGenerator()
    print("Doubles: SANDERLING_SEED=\(generator.seed)")
    for _ in 0..<20_000 {
      let value = Double(bitPattern: .random(in: 0 ... .max, using: &generator))
      guard value.isFinite else { continue }
      #expect(Double(exact: value.description) == value)
      #expect(Double(exact: String(format: "%.16e", value)) == value)
    }
  }

  @Test func aPipeIsReadFromItsBeginning() async throws {
    for text in ["id,title\n1,One\n2,Two\n", "id,title\n2,Two\n3,Three\n"] {
      let pipe = Pipe()
      pipe.fileHandleForWriting.write(Data(text.utf8))
      try pipe.fileHandleForWriting.close()
      try await load(
        CSVSource(fileDescriptor: pipe.fileHandleForReading.fileDescriptor, of: SyncedRecord(Event.self)))
    }
    #expect(try await events().map(\.id) == [1, 2, 3])
  }

  @Test func interruptedLoadContinues() async throws {
    var generator = SeededGenerator()
    print("Files: SANDERLING_SEED=\(generator.seed)")
    let count = 2000
    try write("id,title\n" + (1...count).map { "\($0),\"Title\n\($0)\"\n" }.joined())
    var received = 0
    var mayComeAgain = 0
    while true {
      var source = rows
      source.file.input.capacity = .random(in: 1...300, using: &generator)
      source.file.options.limits.batchRows = .random(in: 1...100, using: &generator)
      let synchronization = try await SyncSession(
        "file", store: store, records: [SyncedRecord(Event.self)], source: source)
      let end = Int.random(in: 1...count, using: &generator)
      let task = Task { try await synchronization.run() }
      for await progress in synchronization.progress {
        if progress.counts.received >= end { synchronization.cancel() }
        if progress.counts.received >= end || progress.phase == .idle && progress.duration > .zero { break }
      }
      let result = await task.result
      for await progress in synchronization.progress {
        received += progress.counts.received
        break
      }
      if case .success = result { break }
      mayComeAgain += source.file.options.limits.batchRows
    }
    #expect(try await store.count(Event.query) == count)
    #expect(try await store.count("SELECT count(*) FROM event WHERE title = 'Title' || char(10) || id") == count)
    // At most one batch is received again after each interruption.
    #expect(received >= count && received <= count + mayComeAgain, "\(generator)")
  }

  @Test func aPipeIsReadToItsEnd() async throws {
    let pipe = Pipe()
    let source = JSONLinesSource(
      fileDescriptor: pipe.fileHandleForReading.fileDescriptor, of: SyncedRecord(Event.self))
    // The pipe holds fewer bytes than the rows have. Its own thread writes, so that the source has a thread to read on.
    let writing = pipe.fileHandleForWriting
    Thread.detachNewThread {
      for id in 1...3000 { writing.write(Data("{\"id\":\(id),\"title\":\"t\"}\n".utf8)) }
      try? writing.close()
    }
    #expect(try await load(source).counts.written == 3000)
  }

  @Test func twoBatchesAreHeldAtATime() async throws {
    let count = 200_000
    var text = ""
    for id in 1...count { text += "{\"id\":\(id),\"title\":\"Title of \(id)\"}\n" }
    try write(text)
    let rows = lines
    let summary = try await load(
      WatchedSource(source: rows) { given, batch in
        // All rows but the last batch are stored before the next batch is requested, and no batch is too long.
        let stored = try await store.count(Event.query)
        #expect(stored >= given - rows.file.options.limits.batchRows)
        #expect(batch.changes.count <= rows.file.options.limits.batchRows)
      })
    #expect(summary.counts.written == count)
  }
}

/// A source that shows the batches of another source to a test before it gives them.
private struct WatchedSource: SyncSource {
  let source: any SyncSource
  /// Receives the number of the changes that were given before, and the next batch.
  let look: @Sendable (Int, SyncBatch) async throws -> Void

  func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
    Batches(batches: source.batches(after: cursor), look: look)
  }

  struct Batches: AsyncSequence, Sendable {
    typealias Element = SyncBatch
    let batches: any AsyncSequence<SyncBatch, any Error> & Sendable
    let look: @Sendable (Int, SyncBatch) async throws -> Void

    func makeAsyncIterator() -> Iterator { Iterator(batches: batches.makeAsyncIterator(), look: look) }

    struct Iterator: AsyncIteratorProtocol {
      var batches: any AsyncIteratorProtocol<SyncBatch, any Error>
      let look: @Sendable (Int, SyncBatch) async throws -> Void
      var given = 0

      mutating func next() async throws -> SyncBatch? {
        guard let batch = try await batches.next() else { return nil }
        try await look(given, batch)
        given += batch.changes.count
        return batch
      }
    }
  }
}
