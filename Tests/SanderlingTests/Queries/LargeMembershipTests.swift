import Foundation
import Sanderling
import Testing

/// Membership in a hundred thousand values, more than SQLite's limit of parameters on some systems.
@Suite struct LargeMembershipTests {
  @Record
  struct Sample {
    var id: Int
    var text: String
    var uuid: UUID
    var real: Double
    var date: Date?
  }

  static let count = 100_000
  let store: Store

  /// Inserts a row for every 20,000th value, and as many rows with other values.
  init() async throws {
    store = try Store(inMemory: [Sample.self])
    try store.writeBlocking("fill") { tx in
      for number in stride(from: 0, to: 2 * Self.count, by: 20_000) {
        try tx.insert(
          Sample(
            id: number, text: Self.text(number), uuid: Self.uuid(number), real: Self.real(number),
            date: Date(at: Self.real(number))))
      }
      try tx.insert(Sample(id: -1, text: "", uuid: Self.uuid(-1), real: -1, date: nil))
    }
  }

  static func text(_ number: Int) -> String { "\"é\\\u{1}\u{1F}\u{7F}\u{2028}🦩\(number)" }
  static func real(_ number: Int) -> Double { Double(number) * 1.1 + 1e-9 }
  static func uuid(_ number: Int) -> UUID {
    let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) }
    return UUID(
      uuid: (
        bytes[7], bytes[6], bytes[5], bytes[4], 0, 0, 0, 0, 0xFF, 0, 0, 0, bytes[4], bytes[5], bytes[6], bytes[7]
      ))
  }

  static let found = ["0", "20000", "40000", "60000", "80000"]

  func expect(rows: [String] = found, _ condition: (Sample.Fields) -> Field<Bool>) async throws {
    try await store.expect(Sample.where(condition).order { $0.id }.select { $0.id }, rows: rows)
  }

  @Test func integers() async throws {
    try await expect { $0.id.in(0..<Self.count) }
    try await expect { $0.id.in(Array(0..<Self.count).shuffled()) }
  }

  @Test func texts() async throws {
    let texts = (0..<Self.count).map(Self.text)
    try await expect { $0.text.in(texts) }
    try await expect { $0.text.in(texts + ["a\u{0}b"]) }
  }

  @Test func identifiers() async throws {
    let uuids = (0..<Self.count).map(Self.uuid)
    try await expect { $0.uuid.in(uuids) }
  }

  @Test func reals() async throws {
    let reals = (0..<Self.count).map(Self.real)
    try await expect { $0.real.in(reals) }
  }

  @Test func dates() async throws {
    let dates = (0..<Self.count).map { Date(at: Self.real($0)) }
    try await expect { $0.date.in(dates) }
    try await expect(rows: ["-1"] + Self.found) { $0.date.in(dates + [nil]) }
    try await expect(rows: ["100000", "120000", "140000", "160000", "180000"]) { !$0.date.in(dates + [nil]) }
  }

  /// One parameter passes all values unchanged, including the extreme ones.
  @Test func extremes() async throws {
    let integers = [Int.min, Int.min + 1, -1, 0, 1 << 53 + 1, Int.max]
    try store.writeBlocking("extremes") { tx in
      for integer in integers where integer != -1 && integer != 0 {
        try tx.insert(Sample(id: integer, text: "", uuid: Self.uuid(integer), real: 0, date: nil))
      }
    }
    try await expect(rows: integers.sorted().map(String.init)) { $0.id.in(integers + (1...1000).map { $0 }) }
  }
}
