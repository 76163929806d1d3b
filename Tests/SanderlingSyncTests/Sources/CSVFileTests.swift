import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// Files of comma-separated values in the variants that exist in practice.
@Suite struct CSVFileTests {
  @Record("item")
  struct Item: Equatable {
    var id: Int
    var name: String
    var note: String?
    var price: Double?
    var photo: Data?
  }

  private let folder: TemporaryFolder
  private let store: Store
  private var path: String { folder.path("items.csv") }

  init() throws {
    folder = try TemporaryFolder()
    store = try Store(inMemory: [Item.self])
  }

  private func write(_ bytes: some Sequence<UInt8>) throws { try Data(bytes).write(to: URL(filePath: path)) }

  private func session(
    _ format: CSVFormat = CSVFormat(), _ options: FileOptions = FileOptions(), findings: FileFindings = FileFindings(),
    capacity: Int = 65_536, misfits: SyncOptions.Misfits = .quarantine
  ) async throws -> SyncSession {
    var input = FileInput(place: .path(path))
    input.capacity = capacity
    return try await SyncSession(
      "file", store: store, records: [SyncedRecord(Item.self)],
      source: CSVSource(input, of: SyncedRecord(Item.self), format: format, options: options, findings: findings),
      options: SyncOptions(misfits: misfits))
  }

  private func items() async throws -> [Item] { try await store.fetch(Item.order { $0.id }) }

  private func names() async throws -> [String] { try await items().map { "\($0.id) \($0.name)" } }

  /// The reasons for which rows are quarantined.
  private func reasons(_ session: SyncSession) async throws -> [String] {
    try await session.quarantine().map(\.reason)
  }

  // MARK: Delimiters

  @Test(arguments: [";", "\t", "|"] as [Character]) func aDelimiterThatTheFirstRowShowsIsFound(delimiter: Character)
    async throws
  {
    let text = "id,name,note\n1,\"Zoë, Jr\",x\n2,Bob,\n".replacing(",", with: String(delimiter))
    try write(text.replacing("Zoë\(delimiter)", with: "Zoë,").utf8)
    let findings = FileFindings()
    let session = try await self.session(findings: findings)
    #expect(try await session.run().counts.written == 2)
    #expect(try await names() == ["1 Zoë, Jr", "2 Bob"])
    #expect(findings.delimiter == delimiter && findings.encoding == nil)
    // A row that is appended later is read with the same delimiter, and only once.
    try write((text + "3\(delimiter)Al\(delimiter)\n").replacing("Zoë\(delimiter)", with: "Zoë,").utf8)
    #expect(try await session.run().counts.received == 1)
    #expect(try await names().count == 3)
  }

  /// A comma is the delimiter if commas separate the key's name in the first row, whatever other characters the rows
  /// have.
  @Test(arguments: [
    ("id,name,x;y\n1,a,b\n", "1 a"), ("name,id\n\"x;y\",1\n", "1 x;y"), ("a;b|id|name\n0|1|x\n", "1 x"),
  ]) func commasThatNameTheKeyAreDelimiters(text: String, expected: String) async throws {
    try write(text.utf8)
    #expect(try await self.session().run().counts.written == 1)
    #expect(try await names() == [expected])
  }

  @Test func unrecognisableDelimiterHasToBeNamed() async throws {
    try write("id:name\n1:a,b\n".utf8)
    let error = await #expect(throws: SyncError.self) { try await self.session().run() }
    #expect("\(try #require(error))".contains("name the delimiter (CSVFormat.delimiter)"))
    #expect(try await self.session(CSVFormat(delimiter: ":")).run().counts.written == 1)
    #expect(try await names() == ["1 a,b"])
    for delimiter in ["\"", "\n", "é", "🐦"] as [Character] {
      await #expect(throws: SyncError.self) { try await self.session(CSVFormat(delimiter: delimiter)).run() }
    }
  }

  /// A delimiter at the end of rows doesn't make another column.
  @Test(arguments: ["id,name,\n1,a,\n2,b,\n", "id,name\n1,a,\n2,b\n", "id,name,\n1,a\n2,b,\n"])
  func trailingDelimiterMakesNoColumn(text: String) async throws {
    try write(text.utf8)
    let session = try await self.session()
    #expect(try await session.run().counts.quarantined == 0)
    #expect(try await names() == ["1 a", "2 b"])
    #expect(try await session.keptColumns().isEmpty)
  }

  // MARK: Rows that can't be read

  @Test(arguments: [1, 3, 65_536]) func malformedRowIsQuarantinedWithItsLineNumber(capacity: Int) async throws {
    try write(
      ("id,name,note\n1,a,x\n2,short\n3,b,x,long\n4,\"c\nd\",x\n5,e\"f,x\n6,\"g\"h,x\n7,\"never\n8,i,x\n\n9,j,\"x\n"
        + "10,k,y\n11,l,\"never\n12,m,z\n").utf8)
    let session = try await self.session(capacity: capacity)
    let summary = try await session.run()
    #expect(summary.counts.written == 4 && summary.counts.quarantined == 6)
    #expect(try await names() == ["1 a", "4 c\nd", "10 k", "12 m"])
    #expect(
      try await reasons(session) == [
        "the row has 2 fields, and the first row has 3 (line 3)",
        "the row has 4 fields, and the first row has 3 (line 4)",
        "a quote stands inside of an unquoted field, at byte 4 (line 7)",
        "text follows the closing quote of a field, at byte 6 (line 8)",
        "text follows the closing quote of a field, in line 12 at byte 6 (line 9)",
        "the quoted field that begins here has no closing quote, at byte 6 (line 14)",
      ])
    // The rows are corrected in the file, and read again.
    try write("id,name,note\n1,a,x\n2,short,\n4,\"c\nd\",x\n".utf8)
    #expect(try await session.run().counts.quarantined == 0)
    #expect(try await session.quarantine().isEmpty)
  }

  /// A line inside of a quoted field is not read as a row, although it may look like one.
  @Test(
    arguments: [
      ("5,\"see\n6,x,z\n7,y\" z\n8,b,\n", "text follows the closing quote of a field, in line 4 at byte 5 (line 2)"),
      (
        "5,\"see\n6,x,y\",b\"c\n8,b,\n",
        "a quote stands inside of an unquoted field, in line 3 at byte 9 (line 2)"
      ),
      (
        "5,\"see\n6,x,z\n7,y\",\"never\n8,b,\n",
        "the quoted field that begins here has no closing quote, in line 4 at byte 6 (line 2)"
      ),
    ], [1, 3, 65_536])
  func lineInsideAQuotedFieldIsNotARow(_ row: (text: String, reason: String), capacity: Int) async throws {
    try write(("id,name,note\n" + row.text).utf8)
    let session = try await self.session(capacity: capacity)
    #expect(try await session.run().counts.quarantined == 1)
    #expect(try await names() == ["8 b"])
    #expect(try await reasons(session) == [row.reason])
  }

  /// The rows before a bad row are stored, and the next run continues there.
  @Test func aStrictRunEndsAtABadRow() async throws {
    try write("id,name\n1,a\n2,b\n3\n4,d\n5\n".utf8)
    let session = try await self.session(misfits: .stop)
    let error = SyncError.malformedSource(
      path: path, line: 4, column: 1, reason: "the row has one field, and the first row has 2")
    for _ in 1...2 {
      await #expect(throws: error) { try await session.run() }
      #expect(try await names() == ["1 a", "2 b"])
    }
    try write("id,name\n1,a\n2,b\n3,c\n4,d\n5,e\n".utf8)
    #expect(try await session.run().counts.received == 3)
    #expect(try await session.quarantine().isEmpty)
  }

  /// A file without any readable row is refused, and not quarantined line by line.
  @Test func aFileWithoutAnyRowThatCanBeReadIsRefused() async throws {
    try write(("id,name\n" + String(repeating: "x\n", count: 100)).utf8)
    let session = try await self.session()
    await #expect(throws: SyncError.self) { try await session.run() }
    #expect(try await session.quarantine().isEmpty)
    try write(("id,name\n" + String(repeating: "x\n", count: 99) + "1,a\n" + String(repeating: "x\n", count: 200)).utf8)
    #expect(try await session.run().counts.quarantined == 299)
    #expect(try await names() == ["1 a"])
  }

  /// A complete file removes no row while one of its rows is unreadable, because that row may name any of the stored
  /// rows.
  @Test func completeFileWithAnUnreadableRowRemovesNothing() async throws {
    try await store.write { tx in for id in 1...3 { try tx.insert(Item(id: id, name: "old")) } }
    let source = CSVSource(path: path, of: SyncedRecord(Item.self), isComplete: true)
    let session = try await SyncSession("file", store: store, records: [SyncedRecord(Item.self)], source: source)
    try write("id,name\n1,a\n2\n".utf8)
    #expect(try await session.run().counts.removed == 0)
    #expect(
      try await reasons(session) == ["the row has one field, and the first row has 2, so no row is removed (line 3)"])
    try write("id,name\n1,a\n2,b\n".utf8)
    #expect(try await session.run().counts.removed == 1)
    #expect(try await names() == ["1 a", "2 b"])
  }

  @Test func aLimitIsNamedAndCanBeRaised() async throws {
    let long = String(repeating: "x", count: 200)
    try write("id,name\n1,\(long)\n2,\"\(long)\n\"\n3,c\n".utf8)
    let small = FileOptions(limits: FileLimits(row: 100))
    let first = try await self.session(CSVFormat(), small)
    #expect(try await first.run().counts.written == 1)
    #expect(
      try await reasons(first).map { $0.prefix(54) }
        == [
          "the row has more than 100 bytes (FileLimits.row), at by",
          "the row has more than 100 bytes (FileLimits.row), at by",
          "the quoted field that begins here has no closing quote (line 4)",
        ].map { $0.prefix(54) })
    // With a larger limit, quarantined rows are read again, although the file is the same.
    let second = try await self.session(CSVFormat(), FileOptions(limits: FileLimits(row: 1000)))
    #expect(try await second.run().counts.quarantined == 0)
    #expect(try await items().count == 3)
    #expect(try await second.quarantine().isEmpty)
    try write("id,name,a,b\n1,a,1,2\n".utf8)
    let wide = await #expect(throws: SyncError.self) {
      try await self.session(CSVFormat(), FileOptions(limits: FileLimits(columns: 3))).run()
    }
    #expect("\(try #require(wide))".contains("the row has more than 3 columns (FileLimits.columns)"))
  }

  // MARK: Memory

  private static let capacity = 64

  /// A reader of the file, after its header.
  private func reader(_ delimiter: Character?) throws -> CSVReader {
    var input = FileInput(place: .path(path))
    input.capacity = Self.capacity
    let bytes = try FileBytes(input)
    try bytes.beginText(nil)
    let reader = CSVReader(bytes, FileLimits(row: 100))
    _ = try reader.head(delimiter, key: ["id"], nil)
    return reader
  }

  /// A load that continues keeps no bytes of the part that an earlier load has read.
  @Test(arguments: [nil, ","] as [Character?]) func continuedLoadKeepsNoBytesThatWereReadBefore(delimiter: Character?)
    throws
  {
    try write(("id,name\n" + (1...5000).map { "\($0),name\n" }.joined()).utf8)
    let bytes = try reader(delimiter).bytes
    try bytes.skip(40_000)
    #expect(bytes.offset == 40_008 && bytes.keptCount <= Self.capacity)
  }

  /// The reader keeps no bytes of the rest of a line that exceeds the limit, and no bytes of empty lines.
  @Test(arguments: [("1,", "x"), ("1,\"", "x"), ("1,a\n", "\n")])
  func skippedBytesAreNotKeptInMemory(beginning: String, repeated: String) throws {
    try write(("id,name\n" + beginning + String(repeating: repeated, count: 100_000) + "\n2,b\n").utf8)
    let reader = try self.reader(nil)
    var last: [String] = []
    while let row = try reader.row(of: 2) {
      #expect(reader.bytes.keptCount <= 100 + 2 * Self.capacity)
      if case .row(let fields, _) = row { last = fields.map(\.text) }
    }
    #expect(last == ["2", "b"])
  }

  // MARK: Characters

  /// A column's name with invalid bytes is an error, because the column would be unknown or taken for another column.
  @Test func theNameOfAColumnHasToBeText() async throws {
    try write(Array("id,name,no".utf8) + [0xEB] + Array("te\n1,a,b\n".utf8))
    let error = SyncError.malformedSource(
      path: path, line: 1, column: 9,
      reason: "the field has bytes that are no characters. Name the file's encoding (FileOptions.encoding)")
    await #expect(throws: error) { try await self.session().run() }
    // The file is read with the remedy that the error names.
    let session = try await self.session(CSVFormat(), FileOptions(encoding: .latin1))
    #expect(try await session.run().counts.written == 1)
    #expect(try await session.keptColumns() == ["noëte"])
  }

  private static func utf16(_ text: String, isLittle: Bool) -> [UInt8] {
    text.utf16.flatMap { isLittle ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  @Test(arguments: [true, false], [true, false]) func aFileShowsThatItIsUTF16(isLittle: Bool, hasMark: Bool)
    async throws
  {
    let text = (hasMark ? "\u{FEFF}" : "") + "id,name\r\n1,Zoë 🐦\r\n2,\"a\r\nb\"\r\n"
    for capacity in [1, 7, 65_536] {
      try write(Self.utf16(text, isLittle: isLittle))
      let findings = FileFindings()
      let session = try await self.session(findings: findings, capacity: capacity)
      try await store.write { try $0.database.execute(sql: "DELETE FROM item; DELETE FROM sanderling_sync_state") }
      try await SyncSession("file", store: store, records: [SyncedRecord(Item.self)], source: BatchSource([])).run()
      #expect(try await session.run().counts.written == 2)
      #expect(try await names() == ["1 Zoë 🐦", "2 a\r\nb"])
      #expect(findings.encoding == (isLittle ? .utf16LittleEndian : .utf16BigEndian))
      // A file that has grown is read from its previous end.
      try write(Self.utf16(text + "3,c\r\n", isLittle: isLittle))
      #expect(try await session.run().counts.received == 1)
    }
  }

  @Test func halfACharacterOfUTF16IsRefused() async throws {
    let text = Self.utf16("\u{FEFF}id,name\n1,a\n2,", isLittle: true)
    // Half of a surrogate pair, and half of a code unit at the end of the file.
    try write(text + [0x3D, 0xD8, 0x0A, 0x00] + Self.utf16("3,c\n4,d", isLittle: true) + [0x61])
    let session = try await self.session()
    #expect(try await session.run().counts.written == 2)
    #expect(try await names() == ["1 a", "3 c"])
    let reasons = try await reasons(session)
    #expect(!reasons.isEmpty && reasons.allSatisfy { $0.contains("no characters. Name the file's encoding") })
  }

  @Test(
    arguments: [
      (FileEncoding.latin1, [0x5A, 0x6F, 0xEB], "Zoë"), (.windows1252, [0x93, 0x80, 0x94], "“€”"),
      (.windows1251, [0xC6, 0xF3, 0xEA], "Жук"), (.latin2, [0xA3, 0xF3, 0x64, 0xBC], "Łódź"),
      (.windows1250, [0x8A, 0xED, 0x9A], "Šíš"), (.windows1254, [0xDD, 0xFE], "İş"),
    ] as [(FileEncoding, [UInt8], String)])
  func anEncodingOfOneByteIsNamed(encoding: FileEncoding, bytes: [UInt8], text: String) async throws {
    try write(Array("id,name\n1,".utf8) + bytes + Array("\n2,b\n".utf8))
    let first = try await self.session()
    #expect(try await first.run().counts.written == 1)
    #expect(
      try await reasons(first) == [
        "the field has bytes that are no characters. Name the file's encoding (FileOptions.encoding), at byte 3 (line 2)"
      ])
    // The file is read with the remedy that the reason names.
    let second = try await self.session(CSVFormat(), FileOptions(encoding: encoding))
    #expect(try await second.run().counts.quarantined == 0)
    #expect(try await names() == ["1 \(text)", "2 b"])
    #expect(try await second.quarantine().isEmpty)
    #expect(try await second.run().counts.received == 0)
  }

  @Test func byteOrderMarkOfAnotherEncodingIsAnError() async throws {
    try write(Array("\u{FEFF}id,name\n1,a\n".utf8))
    let error = await #expect(throws: SyncError.self) {
      try await self.session(CSVFormat(), FileOptions(encoding: .latin1)).run()
    }
    #expect(
      "\(try #require(error))".contains("begins with the byte order mark of utf-8, and the named encoding is latin1"))
    #expect(try await self.session(CSVFormat(), FileOptions(encoding: .utf8)).run().counts.written == 1)
  }

  @Test(arguments: ["\n", "\r\n", "\r"]) func anyLineBreakEndsARow(lineBreak: String) async throws {
    try write("id,name\n1,\"a\"\"\nb\"\n\n2,c\n".replacing("\n", with: lineBreak).utf8)
    #expect(try await self.session().run().counts.written == 2)
    #expect(try await names() == ["1 a\"\(lineBreak)b", "2 c"])
  }

  @Test func aNULIsACharacter() async throws {
    try write("id,name\n1,a\u{0}b\n".utf8)
    #expect(try await self.session().run().counts.written == 1)
    #expect(try await items().map(\.name) == ["a\u{0}b"])
  }

  @Test func filesWithoutRows() async throws {
    try write([])
    let error = await #expect(throws: SyncError.self) { try await self.session().run() }
    #expect("\(try #require(error))".contains("the file has no first row with the names of the columns"))
    for text in ["id,name\n", "id,name", "\u{FEFF}id,name\r\n\r\n"] {
      try write(text.utf8)
      #expect(try await self.session().run().counts.received == 0)
    }
  }

  // MARK: Values

  @Test func textsThatMeanNULL() async throws {
    try write("id,name,note,price\n1,NA,NA,-\n2,\"NA\",\"NA\",1.5\n3,x,,\n".utf8)
    let session = try await self.session(CSVFormat(nulls: ["NA", "-"]))
    #expect(try await session.run().counts.written == 2)
    #expect(
      try await items() == [
        Item(id: 2, name: "NA", note: "NA", price: 1.5), Item(id: 3, name: "x", note: nil, price: nil),
      ])
    #expect(try await reasons(session) == ["it is NULL, and the column doesn't accept NULL (line 2)"])
  }

  /// A number with a decimal comma is quarantined, because `1,50` is no decimal number in some countries.
  @Test func numberWithADecimalCommaIsQuarantined() async throws {
    try write("id;name;price\n1;a;1,50\n2;b;1.50\n".utf8)
    let session = try await self.session()
    #expect(try await session.run().counts.written == 1)
    #expect(try await session.quarantine().map(\.column) == ["price"])
    #expect(try await reasons(session) == ["it is text and not real (line 2)"])
  }

  @Test func ambiguousBlobIsQuarantinedUntilItsEncodingIsNamed() async throws {
    try write(
      "id,name,photo\n1,a,X'0aFF'\n2,b,x''\n3,c,SGVsbG8=\n4,d,0102\n5,e,zz\n6,f,DEADBEEF\n7,g,X'0'\n8,h,\n9,i,abcdef\n"
        .utf8)
    let first = try await self.session()
    #expect(try await first.run().counts.written == 4)
    #expect(try await items().map(\.photo) == [Data([0x0A, 0xFF]), Data(), Data("Hello".utf8), nil])
    #expect(try await first.quarantine().map(\.column) == Array(repeating: "photo", count: 5))
    let both = "the text may be hexadecimal or base64. Write X'…', or name the encoding (CSVFormat.blobs) (line "
    let neither =
      "the text is no blob: neither X'…' nor base64, or not in the encoding that was named (CSVFormat.blobs) (line "
    #expect(
      try await reasons(first) == [both + "5)", neither + "6)", both + "7)", neither + "8)", both + "10)"])
    // The file is read with the remedy that the reason names.
    let hex = try await self.session(CSVFormat(blobs: .hex))
    #expect(try await hex.run().counts.quarantined == 3)
    // Text that isn't hexadecimal is not read as base64 in a retry either.
    try await hex.retryQuarantine()
    #expect(try await hex.quarantine().count == 3)
    #expect(
      try await store.fetch(Item.where { $0.id > 3 }.order { $0.id }).map(\.photo)
        == [Data([1, 2]), Data([0xDE, 0xAD, 0xBE, 0xEF]), nil, Data([0xAB, 0xCD, 0xEF])])
    try await store.write { try $0.database.execute(sql: "DELETE FROM item") }
    let base64 = try await self.session(CSVFormat(blobs: .hex, blobColumns: ["PHOTO": .base64]))
    #expect(try await base64.run().counts.quarantined == 3)
    #expect(
      try await store.fetch(Item.where { $0.id == 4 }).map(\.photo) == [Data(base64Encoded: "0102")])
  }

  /// Blobs in JSON are always base64.
  @Test func blobsOfJSONAreBase64() async throws {
    try write(#"{"id":1,"name":"a","photo":"0102"}"#.utf8)
    let source = JSONLinesSource(path: path, of: SyncedRecord(Item.self))
    try await SyncSession("json", store: store, records: [SyncedRecord(Item.self)], source: source).run()
    #expect(try await items().map(\.photo) == [Data(base64Encoded: "0102")])
  }

  @Test func ignoredColumnsAreNotRead() async throws {
    try write("id,name,secret,Note\n1,a,x,y\n".utf8)
    let session = try await self.session(CSVFormat(), FileOptions(ignoredColumns: ["SECRET", "note", "id"]))
    #expect(try await session.run().counts.written == 1)
    #expect(try await items() == [Item(id: 1, name: "a")])
    #expect(try await session.keptColumns().isEmpty)
  }
}
