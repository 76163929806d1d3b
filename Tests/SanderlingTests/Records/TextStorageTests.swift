import Foundation
import Sanderling
import Testing

@Suite struct TextStorageTests {
  @Record
  struct Entry {
    var id: Int
    var text: String
    var data: Data
    var optionalText: String?
    var optionalData: Data?
  }

  static let texts = [
    "", " ", "a", "A", "a\u{0}", "\u{0}", "\u{0}\u{0}b", "é", "e\u{301}", "ß", "日本", "👩‍👩‍👧‍👦", "\u{FEFF}bom", "\u{FFFD}",
    "\u{D7FF}", "\u{E000}", "\u{10FFFF}", "'\"`\\;--", "line\r\nline", String(repeating: "🦩", count: 300_000),
  ]

  let store: Store

  init() throws {
    store = try Store(inMemory: [Entry.self])
  }

  @Test func texts() async throws {
    let records = Self.texts.enumerated().map {
      Entry(id: $0, text: $1, data: Data($1.utf8), optionalText: $1, optionalData: Data($1.utf8))
    }
    try await store.write("add") { try $0.insert(contentsOf: records) }
    let stored = try await store.fetch(Entry.order { $0.id })
    // Swift's == treats the composed and the decomposed é as equal, so the stored bytes are compared.
    #expect(stored.map { Array($0.text.utf8) } == Self.texts.map { Array($0.utf8) })
    #expect(stored.map { $0.optionalText.map { Array($0.utf8) } } == Self.texts.map { Array($0.utf8) })
    #expect(stored.map(\.data) == Self.texts.map { Data($0.utf8) })
    #expect(stored.map(\.optionalData) == Self.texts.map { Data($0.utf8) })
  }

  /// SQL and evaluation in Swift sort texts by bytes. Swift's own order differs.
  @Test func order() async throws {
    let records = Self.texts.enumerated().map { Entry(id: $0, text: $1, data: Data($1.utf8)) }
    try await store.write("add") { try $0.insert(contentsOf: records.shuffled()) }
    let sorted = Self.texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { Array($0.utf8) }
    #expect(try await store.fetch(Entry.order { $0.text }.select { $0.text }).map { Array($0.utf8) } == sorted)
    #expect(try await store.fetch(Entry.order { $0.data }.select { $0.data }).map { Array($0) } == sorted)
  }

  @Test func emptyIsNotNull() async throws {
    try await store.write("add") { tx in
      try tx.insert(Entry(id: 1, text: "", data: Data(), optionalText: "", optionalData: Data()))
      try tx.insert(Entry(id: 2, text: "", data: Data(), optionalText: nil, optionalData: nil))
    }
    #expect(
      try await store.fetch(
        RawQuery("SELECT typeof(optionalText) || typeof(optionalData) FROM entry ORDER BY id", as: String.self))
        == ["textblob", "nullnull"])
    #expect(try await store.fetch(Entry.where { $0.optionalData == Data() }.select { $0.id }) == [1])
    #expect(try await store.fetch(Entry.where { $0.optionalText == nil }.select { $0.id }) == [2])
  }

  @Test func slicesOfData() async throws {
    let data = Data([9, 1, 2, 3, 9])[1..<4]
    try await store.write("add") { try $0.insert(Entry(id: 1, text: "", data: data)) }
    #expect(try await store.fetch(Entry.where { $0.data == data }).map(\.data) == [Data([1, 2, 3])])
  }

  @Test func otherStorage() async throws {
    try await store.write("add") { tx in
      try tx.insert(Entry(id: 1, text: "", data: Data()))
      try tx.execute("UPDATE entry SET text = X'41'")
    }
    await #expect(
      throws: StoreError.unreadableValue(
        table: "entry", column: "text", reason: "expected a value of type String, found blob, in the row with id 1")
    ) { try await store.fetch(Entry.query) }
  }

  @Test func nullAgainstTheSchema() async throws {
    try await store.write("add") { try $0.insert(Entry(id: 1, text: "", data: Data())) }
    await #expect(
      throws: StoreError.unreadableValue(
        table: nil, column: "text", reason: "expected a value of type String, found NULL")
    ) { try await store.fetch(RawQuery("SELECT NULL AS text", as: String.self)) }
  }
}
