import Sanderling
import Testing

/// Every floating-point value is read back to the bit, even whole numbers, which a REAL column would store as integers.
@Suite struct FloatingPointStorageTests {
  @Record
  struct Measurement {
    var id: Int
    var double: Double = 0
    var float: Float = 0
    var optional: Double?
  }

  static let doubles: [Double] = [
    -.infinity, -.greatestFiniteMagnitude, -1e300, -9_007_199_254_740_992, -1.5, -1, -.leastNormalMagnitude,
    -.leastNonzeroMagnitude, -0.0, 0.0, .leastNonzeroMagnitude, .leastNormalMagnitude.nextDown, .leastNormalMagnitude,
    0.1, 0.1 + 0.2, 1, 1.0.nextUp, .pi, 9_007_199_254_740_992, 9.223372036854775807e18, 1e300, .greatestFiniteMagnitude,
    .infinity,
  ]

  let store: Store

  init() throws {
    store = try Store(inMemory: [Measurement.self])
  }

  @Test func doubles() async throws {
    let records = Self.doubles.enumerated().map { Measurement(id: $0, double: $1, optional: $1) }
    try await store.write("add") { try $0.insert(contentsOf: records.shuffled()) }
    let stored = try await store.fetch(Measurement.order { ($0.double, $0.id) })
    #expect(stored.map(\.double.bitPattern) == Self.doubles.map(\.bitPattern))
    #expect(stored.map(\.optional?.bitPattern) == Self.doubles.map(\.bitPattern))
    #expect(
      try await store.fetch(RawQuery("SELECT DISTINCT typeof(double) FROM measurement", as: String.self)) == ["real"])
  }

  @Test func floats() async throws {
    let floats: [Float] = [
      -.infinity, -.greatestFiniteMagnitude, -1, -.leastNonzeroMagnitude, -0.0, 0.0, .leastNormalMagnitude, 0.1, 1,
      .pi, 16_777_216, .greatestFiniteMagnitude, .infinity,
    ]
    let records = floats.enumerated().map { Measurement(id: $0, float: $1) }
    try await store.write("add") { try $0.insert(contentsOf: records.shuffled()) }
    let stored = try await store.fetch(Measurement.order { ($0.float, $0.id) })
    #expect(stored.map(\.float.bitPattern) == floats.map(\.bitPattern))
  }

  /// The two zeros are equal in SQL, as in Swift.
  @Test func zeros() async throws {
    try await store.write("add") { tx in
      try tx.insert(contentsOf: [Measurement(id: 1, double: 0.0), Measurement(id: 2, double: -0.0)])
    }
    #expect(try await store.count(Measurement.where { $0.double == -0.0 }) == 2)
    #expect(try await store.count(Measurement.where { $0.double < 0.0 }) == 0)
  }

  @Test func notANumber() async throws {
    for (record, column) in [
      (Measurement(id: 1, double: .nan), "double"), (Measurement(id: 1, float: .signalingNaN), "float"),
      (Measurement(id: 1, optional: -.nan), "optional"),
    ] {
      let error = StoreError.unstorableValue(
        table: "measurement", column: column, reason: "NaN can't be stored: SQLite would store NULL")
      await #expect(throws: error) { try await store.write("add") { try $0.insert(record) } }
      await #expect(throws: error) { try await store.write("add") { try $0.upsert(record) } }
    }
    #expect(try await store.count(Measurement.query) == 0)
  }

  /// A number stored by plain SQL is read if the type represents it exactly. It is never rounded.
  @Test func valuesOfOtherWriters() async throws {
    try await store.write("add") { try $0.insert(Measurement(id: 1)) }
    func set(_ assignment: RawSQL) async throws -> [Measurement] {
      try await store.write("set") { try $0.execute("UPDATE measurement SET \(assignment)") }
      return try await store.fetch(Measurement.query)
    }
    #expect(try await set("double = 7, float = -3").map(line) == ["1 | 7.0 | -3.0 | nil"])
    await #expect(
      throws: StoreError.unreadableValue(
        table: "measurement", column: "double", reason: "a Double can't hold the integer exactly, in the row with id 1")
    ) { try await set("double = 9007199254740993") }
    await #expect(
      throws: StoreError.unreadableValue(
        table: "measurement", column: "float",
        reason: "a Float can't hold the real exactly, but a Double can, in the row with id 1")
    ) { try await set("double = 0, float = 0.1") }
  }
}
