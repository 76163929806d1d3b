import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// Files of JSON objects, as lines or as an array.
@Suite struct JSONFileTests {
  @Record("item")
  struct Item: Equatable {
    var id: Int
    var name: String?
    var parts: String?
  }

  private let folder: TemporaryFolder
  private let store: Store
  private var path: String { folder.path("items.json") }

  init() throws {
    folder = try TemporaryFolder()
    store = try Store(inMemory: [Item.self])
  }

  private func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

  private func session(
    _ options: FileOptions = FileOptions(), capacity: Int = 65_536, misfits: SyncOptions.Misfits = .quarantine
  ) async throws -> SyncSession {
    var input = FileInput(place: .path(path))
    input.capacity = capacity
    return try await SyncSession(
      "file", store: store, records: [SyncedRecord(Item.self)],
      source: JSONLinesSource(input, of: SyncedRecord(Item.self), options: options),
      options: SyncOptions(misfits: misfits))
  }

  private func items() async throws -> [String] {
    try await store.fetch(Item.order { $0.id }).map { "\($0.id) \($0.name ?? "-") \($0.parts ?? "-")" }
  }

  @Test(arguments: [1, 2, 5, 65_536]) func anArrayIsReadElementByElement(capacity: Int) async throws {
    try write(
      """
       \n[ {"id":1,"name":"a ] , } \\" x"} ,{"id":2,
        "parts":[{"x":[1,2]},"]"]},

      {"id" : 3}
      ]\n
      """)
    let session = try await self.session(capacity: capacity)
    #expect(try await session.run().counts.written == 3)
    #expect(try await items() == [#"1 a ] , } " x -"#, #"2 - [{"x":[1,2]},"]"]"#, "3 - -"])
    #expect(try await session.run().counts.received == 0)
  }

  @Test(arguments: ["[]", " [ ] \n", "[\n\n]"]) func anEmptyArrayHasNoRows(text: String) async throws {
    try write(text)
    let session = try await self.session()
    #expect(try await session.run().counts.received == 0)
    try write(text.replacing("]", with: #"{"id":1}]"#))
    #expect(try await session.run().counts.written == 1)
  }

  /// An array that has grown is read from its previous end, although the bytes after its last element changed.
  @Test func grownArrayIsReadFromItsPreviousEnd() async throws {
    let session = try await self.session()
    try write(#"[{"id":1},{"id":2}]"#)
    #expect(try await session.run().counts.received == 2)
    try write(#"[{"id":1},{"id":2},{"id":3}]"#)
    #expect(try await session.run().counts.received == 1)
    try write(#"[{"id":1},{"id":4},{"id":3}]"#)
    #expect(try await session.run().counts.received == 3)
    #expect(try await items().count == 4)
  }

  @Test func interruptedArrayContinues() async throws {
    try write("[" + (1...100).map { "{\"id\":\($0),\n\"name\":\"n\($0)\"}" }.joined(separator: ",\n") + "]")
    var options = FileOptions()
    options.limits.batchRows = 7
    try await store.write {
      try $0.database.execute(
        sql: "CREATE TRIGGER no BEFORE INSERT ON item WHEN new.id = 50 BEGIN SELECT RAISE(ROLLBACK, 'planted'); END")
    }
    let session = try await self.session(options)
    await #expect(throws: (any Error).self) { try await session.run() }
    let count = try await store.count(Item.query)
    #expect(count > 20 && count < 50)
    try await store.write { try $0.database.execute(sql: "DROP TRIGGER no") }
    #expect(try await session.run().counts.received < 100)
    #expect(try await store.count("SELECT count(*) FROM item WHERE name = 'n' || id") == 100)
  }

  @Test func malformedElementsAreQuarantined() async throws {
    try write("[{\"id\":1},\n5,\n[1],\n{\"id\":2,},\n\"x,]\",\n{\"id\":3,\"ID\":4},\n{\"id\":5}]")
    let session = try await self.session()
    #expect(try await session.run().counts.written == 2)
    #expect(try await items() == ["1 - -", "5 - -"])
    #expect(
      try await session.quarantine().map(\.reason) == [
        "an object must begin here with { (line 2)", "an object must begin here with { (line 3)",
        "a member's name in double quotes is missing, at byte 9 (line 4)", "an object must begin here with { (line 5)",
        "two members name the same column (line 6)",
      ])
  }

  /// A broken array ends the run with an error, after the elements before the error are stored. The start of the next
  /// element is unknown.
  @Test(arguments: [
    ("[{\"id\":1}", 1, "the closing ] of the array is missing"),
    ("[{\"id\":1},\n{\"id\":2", 2, "the closing ] of the array is missing"),
    ("[{\"id\":1}\n{\"id\":2}]", 2, "a comma or ] is missing between two elements"),
    ("[{\"id\":1},,{\"id\":2}]", 1, "an element is missing"), ("[{\"id\":1}] x", 1, "text follows the array"),
    ("[{\"id\":1},", 1, "the closing ] of the array is missing"),
  ]) func aBrokenArrayEndsTheRun(text: String, line: Int, reason: String) async throws {
    try write(text)
    let error = SyncError.malformedSource(path: path, line: line, column: 1, reason: reason)
    let session = try await self.session()
    await #expect(throws: error) { try await session.run() }
    #expect(try await items() == ["1 - -"])
    try write(#"[{"id":1},{"id":2}]"#)
    try await session.run()
    #expect(try await items() == ["1 - -", "2 - -"])
  }

  @Test func limitsAreNamedAndCanBeRaised() async throws {
    let long = String(repeating: "x", count: 200)
    for text in [
      "[{\"id\":1,\"name\":\"\(long)\"},{\"id\":2,\"parts\":[[[[1]]]]},{\"id\":3}]",
      "{\"id\":1,\"name\":\"\(long)\"}\n{\"id\":2,\"parts\":[[[[1]]]]}\n{\"id\":3}\n",
    ] {
      try await store.write { try $0.database.execute(sql: "DELETE FROM item") }
      try write(text)
      let small = try await self.session(FileOptions(limits: FileLimits(row: 100, depth: 3)), capacity: 16)
      #expect(try await small.run().counts.written == 1)
      let reasons = try await small.quarantine().map(\.reason)
      #expect(reasons.first?.hasPrefix("the row has more than 100 bytes (FileLimits.row)") == true)
      #expect(reasons.last?.hasPrefix("values are nested more than 3 deep (FileLimits.depth)") == true)
      let large = try await self.session()
      #expect(try await large.run().counts.quarantined == 0)
      #expect(try await store.count(Item.query) == 3)
      #expect(try await large.quarantine().isEmpty)
    }
  }

  @Test func malformedLinesAreQuarantinedAndTheOthersRead() async throws {
    try write("{\"id\":1}\n{\"id\":2\nxyz\n\n{\"id\":3}\n{\"name\":\"no key\"}\n")
    let session = try await self.session()
    #expect(try await session.run().counts.written == 2)
    #expect(
      try await session.quarantine().map { String($0.reason.suffix(8)) } == ["(line 2)", "(line 3)", "(line 6)"])
    let strict = try await SyncSession(
      "strict", store: store, records: [SyncedRecord(Item.self)],
      source: JSONLinesSource(path: path, of: SyncedRecord(Item.self)), options: SyncOptions(misfits: .stop))
    await #expect(
      throws: SyncError.malformedSource(path: path, line: 2, column: 8, reason: "a comma or } is missing")
    ) { try await strict.run() }
  }

  /// An array of any length is read in batches, so that only one batch is in memory.
  @Test func anArrayIsHeldInBatches() async throws {
    let count = 20_000
    try write("[" + (1...count).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]")
    let source = JSONLinesSource(path: path, of: SyncedRecord(Item.self))
    var batches = 0
    for try await batch in source.batches(after: nil) {
      batches += 1
      #expect(batch.changes.count <= FileLimits().batchRows)
    }
    #expect(batches >= 20)
  }
}
