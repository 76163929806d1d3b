import Foundation
import Sanderling
import Testing

@Suite struct DecimalStorageTests {
  @Record
  struct Price {
    var id: Int
    var amount: Decimal
    var optional: Decimal?
  }

  let store: Store

  init() throws {
    store = try Store(inMemory: [Price.self])
  }

  /// Equal amounts are stored as the same text, however they were written.
  @Test(
    arguments: [
      ("1", "1"), ("1.0", "1"), ("1.00", "1"), ("100", "100"), ("0", "0"), ("-0", "0"), ("0.00", "0"),
      ("-2.50", "-2.5"),
      ("1e2", "100"), ("0.1", "0.1"),
      ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
      ("0.00000000000000000000000000000000000001", "0.00000000000000000000000000000000000001"),
    ])
  func canonicalText(_ text: String, stored: String) async throws {
    let amount = try #require(Decimal(string: text))
    try await store.write("add") { try $0.insert(Price(id: 1, amount: amount, optional: amount)) }
    #expect(try await store.fetch(RawQuery("SELECT amount FROM price", as: String.self)) == [stored])
    let price = try #require(try await store.fetch(Price.self, key: 1))
    #expect(price.amount == amount)
    #expect(price.optional == amount)
  }

  @Test func equalAmounts() async throws {
    let amounts = [
      Decimal(1), Decimal(sign: .plus, exponent: -2, significand: 100),
      Decimal(sign: .plus, exponent: 0, significand: 1),
      Decimal(10) / 10, 1.0,
    ]
    try await store.write("add") { tx in
      try tx.insert(contentsOf: amounts.enumerated().map { Price(id: $0, amount: $1) })
    }
    for amount in amounts {
      #expect(try await store.count(Price.where { $0.amount == amount }) == 5)
      #expect(try await store.count(Price.where { $0.amount.in([amount]) }) == 5)
    }
    #expect(try await store.count(Price.select { $0.amount }.distinct()) == 1)
  }

  @Test func limits() async throws {
    let amounts: [Decimal] = [
      .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .pi, -.leastNonzeroMagnitude,
    ]
    try await store.write("add") { tx in
      try tx.insert(contentsOf: amounts.enumerated().map { Price(id: $0, amount: $1) })
    }
    #expect(try await store.fetch(Price.order { $0.id }.select { $0.amount }) == amounts)
  }

  @Test func valuesWithoutStorage() async throws {
    await #expect(
      throws: StoreError.unstorableValue(
        table: "price", column: "amount", reason: "NaN can't be stored: SQLite would store NULL")
    ) { try await store.write("add") { try $0.insert(Price(id: 1, amount: .nan)) } }
  }

  @Test func valuesOfOtherWriters() async throws {
    try await store.write("add") { try $0.insert(Price(id: 1, amount: 0)) }
    func set(_ assignment: RawSQL) async throws -> [Decimal] {
      try await store.write("set") { try $0.execute("UPDATE price SET \(assignment)") }
      return try await store.fetch(Price.select { $0.amount })
    }
    #expect(try await set("amount = '7.10'") == [Decimal(string: "7.1")])
    for text in ["x", "", "7,1", "1 2", "7.1x"] {
      await #expect(
        throws: StoreError.unreadableValue(
          table: nil, column: "amount", reason: "the stored text is no decimal number")
      ) { try await set("amount = \(text)") }
    }
  }
}
