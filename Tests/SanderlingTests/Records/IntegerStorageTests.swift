import Sanderling
import Testing

@Suite struct IntegerStorageTests {
  @Record
  struct Widths: Hashable {
    var id: Int
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var uint: UInt = 0
    var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    var uint32: UInt32 = 0
    var uint64: UInt64 = 0
    var bool: Bool = false
    var optional: Int16?
  }

  let store: Store

  init() throws {
    store = try Store(inMemory: [Widths.self])
  }

  @Test func limits() async throws {
    let least = Widths(
      id: .min, int8: .min, int16: .min, int32: .min, int64: .min, uint: .min, uint8: .min, uint16: .min, uint32: .min,
      uint64: .min, bool: false, optional: .min)
    let greatest = Widths(
      id: .max, int8: .max, int16: .max, int32: .max, int64: .max, uint: UInt(Int64.max), uint8: .max, uint16: .max,
      uint32: .max, uint64: UInt64(Int64.max), bool: true, optional: .max)
    try await store.write("add") { tx in
      try tx.insert(contentsOf: [greatest, least, Widths(id: 0)])
    }
    #expect(try await store.fetch(Widths.order { $0.id }) == [least, Widths(id: 0), greatest])
    #expect(try await store.fetch(Widths.where { $0.uint64 == UInt64(Int64.max) && $0.int8 == .max }) == [greatest])
    #expect(try await store.fetch(Widths.select { $0.int64.min() }) == [.min])
  }

  @Test func aboveSixtyThreeBits() async throws {
    for (record, column, type) in [
      (Widths(id: 1, uint64: UInt64(Int64.max) + 1), "uint64", "UInt64"), (Widths(id: 1, uint: .max), "uint", "UInt"),
    ] {
      let error = StoreError.unstorableValue(
        table: "widths", column: column,
        reason: "the integer doesn't fit: \(type) and SQLite's 64-bit integers differ in range")
      await #expect(throws: error) { try await store.write("add") { try $0.insert(record) } }
      await #expect(throws: error) {
        try await store.write("add") { try $0.insert(contentsOf: [Widths(id: 0), record]) }
      }
      await #expect(throws: error) { try await store.write("add") { try $0.upsert(record) } }
    }
    #expect(try await store.count(Widths.query) == 0)
  }

  @Test(
    arguments: [
      ("int8", "128", "Int8"), ("int8", "-129", "Int8"), ("int16", "32768", "Int16"), ("int32", "1 << 31", "Int32"),
      ("uint", "-1", "UInt"), ("uint8", "256", "UInt8"), ("uint8", "-1", "UInt8"), ("uint16", "65536", "UInt16"),
      ("uint32", "1 << 32", "UInt32"), ("uint64", "-1", "UInt64"), ("optional", "32768", "Int16"),
    ])
  func outOfRange(_ column: String, value: String, type: String) async throws {
    try await store.write("add") { tx in
      try tx.insert(Widths(id: 1))
      try tx.execute("UPDATE widths SET \(raw: column) = \(raw: value)")
    }
    await #expect(
      throws: StoreError.unreadableValue(
        table: "widths", column: column,
        reason: "the integer doesn't fit: \(type) and SQLite's 64-bit integers differ in range, in the row with id 1")
    ) { try await store.fetch(Widths.query) }
  }

  @Test(
    arguments: [
      ("int64", "1.5", "expected a value of type Int64, found real"),
      ("int64", "'x'", "expected a value of type Int64, found text"),
      ("optional", "X'00'", "expected a value of type Int16, found blob"),
      ("bool", "2", "expected 0 or 1 for a Bool, found another integer"),
    ])
  func otherValues(_ column: String, value: String, reason: String) async throws {
    try await store.write("add") { tx in
      try tx.insert(Widths(id: 1))
      try tx.execute("UPDATE widths SET \(raw: column) = \(raw: value)")
    }
    let reason = "\(reason), in the row with id 1"
    await #expect(throws: StoreError.unreadableValue(table: "widths", column: column, reason: reason)) {
      try await store.fetch(Widths.self, key: 1)
    }
  }
}
