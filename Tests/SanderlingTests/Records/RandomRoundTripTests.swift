import Foundation
import Testing

@testable import Sanderling

/// Random values of every type are read back to the bit, through all ways to write and to read them.
@Suite struct RandomRoundTripTests {
  @Record
  struct Everything: Hashable {
    var id: Int64
    var bool: Bool
    var int8: Int8
    var uint32: UInt32
    var uint64: UInt64?
    var double: Double
    var float: Float?
    var text: String
    var optionalText: String?
    var data: Data
    var date: Date
    var optionalDate: Date?
    var uuid: UUID
    var url: URL?
    var decimal: Decimal
    @Stored(as: .unixMilliseconds) var milliseconds: Date
    @Stored(as: .json) var json: [String: [Int]]
  }

  @Test func roundTrips() async throws {
    let store = try Store(inMemory: [Everything.self])
    var generator = SeededGenerator()
    let seed: Testing.Comment = "SANDERLING_SEED=\(generator.seed)"
    let records = (0..<2000).map { Everything(id: $0, using: &generator) }
    try await store.write("insert") { try $0.insert(contentsOf: records.filter { $0.id % 2 == 0 }) }
    try await store.write("upsert") { try $0.upsert(contentsOf: records) }
    let stored = try await store.fetch(Everything.order { $0.id })
    try #require(stored.count == records.count, seed)
    for (record, original) in zip(stored, records) {
      let (values, expected) = (try record.storageValues(), try original.storageValues())
      // Storage values are equal only if their bits are.
      #expect(values == expected, seed)
      #expect(try Everything(_values: _StorageValues(values, table: Everything.table)) == original, seed)
    }
    for record in records.prefix(200) {
      let found = try await store.fetch(
        Everything.where {
          $0.text == record.text && $0.data == record.data && $0.date == record.date && $0.uuid == record.uuid
            && $0.decimal == record.decimal && $0.double == record.double
            && !$0.uint64.isDistinct(from: record.uint64) && !$0.url.isDistinct(from: record.url)
            && $0.json == record.json && $0.milliseconds == record.milliseconds && $0.bool == record.bool
        })
      #expect(found.contains(record), seed)
    }
  }

  /// Writing a record as it was read changes nothing.
  @Test func writingARecordAsItWasReadChangesNothing() async throws {
    let store = try Store(inMemory: [Everything.self])
    var generator = SeededGenerator()
    let seed: Testing.Comment = "SANDERLING_SEED=\(generator.seed)"
    let records = (0..<500).map { Everything(id: $0, using: &generator) }
    try await store.write("insert") { try $0.insert(contentsOf: records) }
    let changed = try await store.write("update") { tx in
      try tx.fetch(Everything.query).filter { try tx.update($0) }.count
        + tx.upsert(contentsOf: tx.fetch(Everything.query)).updatedCount
    }
    #expect(changed == 0, seed)
  }
}

extension RandomRoundTripTests.Everything {
  fileprivate init(id: Int64, using generator: inout SeededGenerator) {
    func sometimes<Value>(_ value: Value) -> Value? { Int.random(in: 0..<3, using: &generator) == 0 ? nil : value }
    func seconds() -> Double {
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: Double.random(in: -1e10...1e10, using: &generator)
      case 1: Double(Int.random(in: -1_000_000...1_000_000, using: &generator)) / 1000
      default: Double.anyNumber(using: &generator)
      }
    }
    self.init(
      id: id, bool: .random(using: &generator), int8: .random(in: .min ... .max, using: &generator),
      uint32: .random(in: .min ... .max, using: &generator),
      uint64: sometimes(.random(in: 0...UInt64(Int64.max), using: &generator)), double: .anyNumber(using: &generator),
      float: sometimes(.anyNumber(using: &generator)), text: .anyText(using: &generator),
      optionalText: sometimes(.anyText(using: &generator)),
      data: Data((0..<Int.random(in: 0..<40, using: &generator)).map { _ in .random(in: 0...255, using: &generator) }),
      date: Date(at: seconds()), optionalDate: sometimes(Date(at: seconds())), uuid: .any(using: &generator),
      url: sometimes(URL(string: "https://example.org/\(UInt64.random(in: 0...UInt64.max, using: &generator))")).flatMap
      { $0 },
      decimal: Decimal(
        sign: .random(using: &generator) ? .plus : .minus, exponent: .random(in: -40...40, using: &generator),
        significand: Decimal(UInt64.random(in: 0...UInt64.max, using: &generator))),
      milliseconds: Date(timeIntervalSince1970: Double(Int.random(in: -1 << 45...1 << 45, using: &generator)) / 1000),
      json: [String.anyText(using: &generator): [.random(in: -9...9, using: &generator)]])
  }
}

extension BinaryFloatingPoint where Self: CVarArg, RawSignificand: FixedWidthInteger {
  /// Returns a random number of any magnitude, except NaN.
  fileprivate static func anyNumber(using generator: inout SeededGenerator) -> Self {
    let special: [Self] = [
      0, -0.0, 1, -1, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.leastNormalMagnitude,
    ]
    if Int.random(in: 0..<4, using: &generator) == 0 { return special.randomElement(using: &generator) ?? 0 }
    let largest = Self.infinity.exponentBitPattern
    return Self(
      sign: .random(using: &generator) ? .plus : .minus,
      exponentBitPattern: RawExponent(UInt64.random(in: 0..<UInt64(largest), using: &generator)),
      significandBitPattern: RawSignificand(
        UInt64.random(in: 0..<(1 << UInt64(Self.significandBitCount)), using: &generator)))
  }
}

extension String {
  /// Returns up to eight random scalars of many types: NUL, ASCII, combining marks, and the ends of the ranges.
  static func anyText(using generator: inout SeededGenerator) -> String {
    let alphabet: [Unicode.Scalar] = [
      "\u{0}", "a", "b", "A", " ", "'", "\"", "\\", "%", "é", "e", "\u{301}", "ß", "İ", "日", "🦩", "\u{200D}",
      "\u{D7FF}",
      "\u{E000}", "\u{FFFF}", "\u{10FFFF}",
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0...8, using: &generator) {
      text.unicodeScalars.append(alphabet[Int.random(in: 0..<alphabet.count, using: &generator)])
    }
    return text
  }
}

extension UUID {
  fileprivate static func any(using generator: inout SeededGenerator) -> UUID {
    UUID(uuid: unsafeBitCast((generator.next(), generator.next()), to: uuid_t.self))
  }
}
