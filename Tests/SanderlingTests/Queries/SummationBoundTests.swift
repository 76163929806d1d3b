import Foundation
import GRDB
import SanderlingSQLite
import Testing

@testable import Sanderling

/// The bound holds for real sums in shuffled orders, and is not so wide that it would hide a wrong row.
@Suite struct SummationBoundTests {
  static let version = sqlite3_libversion_number()

  /// Returns random numbers whose sum depends on their order.
  private func numbers(_ count: Int, _ generator: inout SeededGenerator) -> [Double] {
    (0..<count).map { _ in
      let magnitude = Double.random(in: 1..<2, using: &generator)
      let scale = Double(sign: .plus, exponent: .random(in: -30...30, using: &generator), significand: 1)
      return Bool.random(using: &generator) ? magnitude * scale : -magnitude * scale
    }
  }

  /// Returns an SQLite aggregate of the numbers in the given order.
  private func result<Number: DatabaseValueConvertible>(
    of function: String, _ numbers: [Number], _ db: Database
  ) throws -> Double {
    try db.execute(sql: "DELETE FROM number")
    for number in numbers { try db.execute(sql: "INSERT INTO number (value) VALUES (?)", arguments: [number]) }
    return try #require(try Double.fetchOne(db, sql: "SELECT \(function)(value) FROM number NOT INDEXED"))
  }

  private func withDatabase(_ body: (Database) throws -> Void) throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE number (id INTEGER PRIMARY KEY, value)")
      try body(db)
    }
  }

  @Test func sumsOfReals() throws {
    var generator = SeededGenerator()
    var orderMatters = false
    try withDatabase { db in
      for count in [1, 2, 3, 10, 100, 300] {
        let numbers = numbers(count, &generator)
        let magnitudes = numbers.reduce(0) { $0 + abs($1) }
        let bound = SummationBound.difference(
          count: count, sumOfMagnitudes: magnitudes, sqliteVersion: Self.version)
        let averageBound = SummationBound.differenceOfAverages(
          count: count, sumOfMagnitudes: magnitudes, sqliteVersion: Self.version)
        let sum = try result(of: "SUM", numbers, db)
        let average = try result(of: "AVG", numbers, db)
        for order in [numbers.sorted(), numbers.sorted(by: >)]
          + (0..<6).map({ _ in numbers.shuffled(using: &generator) })
        {
          let other = try result(of: "SUM", order, db)
          orderMatters = orderMatters || other != sum
          #expect(abs(other - sum) <= bound, "seed \(generator.seed)")
          #expect(abs(try result(of: "AVG", order, db) - average) <= averageBound, "seed \(generator.seed)")
        }
      }
    }
    #expect(orderMatters || Self.version >= SummationBound.firstCompensatedVersion, "seed \(generator.seed)")
  }

  /// SQLite calculates with reals where the result has more than 64 bits, and then adds reals.
  @Test func integersThatMayOverflowAreAddedAsDoubles() async throws {
    func isReal(_ sum: Field<Int>, _ sql: String) async throws -> Bool {
      let type = try await DatabaseQueue().read { db in
        try String.fetchOne(
          db, sql: "WITH item (size) AS (VALUES (-9223372036854775807 - 1)) SELECT typeof(sum(\(sql))) FROM item")
      }
      let dependsOnVisits = Item.select { _ in sum }.statement.terms.contains(where: \.dependsOnVisits)
      #expect(dependsOnVisits == (type == "real"), "\(sql)")
      return dependsOnVisits
    }
    let size = Item.fields.size
    #expect(try await isReal((size + size).sum(), "size + size"))
    #expect(try await isReal((size - 1).sum(), "size - 1"))
    #expect(try await isReal((size * 3).sum(), "size * 3"))
    #expect(try await isReal((-size).sum(), "-size"))
    #expect(try await isReal(((size / -1) ?? 0).sum(), "size / -1"))
    #expect(try await !isReal(((size % -1) ?? 0).sum(), "size % -1"))
    #expect(try await !isReal(size.sum(), "size"))
  }

  /// The sum itself is exact; the average divides a sum of doubles in older versions.
  @Test func averagesOfIntegersBeyondDoubles() throws {
    var generator = SeededGenerator()
    try withDatabase { db in
      for _ in 0..<20 {
        let numbers = (0..<40).map { _ in Int64.random(in: (1 << 53)...(1 << 57), using: &generator) }
        let bound = SummationBound.differenceOfAverages(
          count: numbers.count, sumOfMagnitudes: numbers.reduce(0) { $0 + Double($1) }, sqliteVersion: Self.version)
        let average = try result(of: "AVG", numbers, db)
        for _ in 0..<4 {
          let other = try result(of: "AVG", numbers.shuffled(using: &generator), db)
          #expect(abs(other - average) <= bound, "seed \(generator.seed)")
        }
        let exact = try Int64.fetchOne(db, sql: "SELECT SUM(value) FROM number")
        #expect(exact == numbers.reduce(0, +))
      }
    }
  }

  /// The bound holds for both of SQLite's summation algorithms, written in Swift because the linked SQLite has only one
  /// of them.
  @Test func bothAlgorithms() {
    var generator = SeededGenerator()
    for count in [2, 5, 50, 1_000] {
      let numbers = numbers(count, &generator)
      let magnitudes = numbers.reduce(0) { $0 + abs($1) }
      for _ in 0..<20 {
        let (first, second) = (numbers.shuffled(using: &generator), numbers.shuffled(using: &generator))
        let naive = abs(first.reduce(0, +) - second.reduce(0, +))
        #expect(
          naive <= SummationBound.difference(count: count, sumOfMagnitudes: magnitudes, sqliteVersion: 3_042_000),
          "seed \(generator.seed)")
        let compensated = abs(compensatedSum(first) - compensatedSum(second))
        #expect(
          compensated <= SummationBound.difference(count: count, sumOfMagnitudes: magnitudes, sqliteVersion: 3_043_000),
          "seed \(generator.seed)")
      }
    }
  }

  private func compensatedSum(_ numbers: [Double]) -> Double {
    var (sum, error) = (0.0, 0.0)
    for number in numbers {
      let next = sum + number
      error += abs(sum) > abs(number) ? (sum - next) + number : (number - next) + sum
      sum = next
    }
    return sum + error
  }

  /// A missing number is far outside the bound of a thousand numbers of about one.
  @Test func boundIsNarrow() {
    for version: Int32 in [3_007_000, 3_043_000, .max] {
      #expect(SummationBound.difference(count: 1_000, sumOfMagnitudes: 1_000, sqliteVersion: version) < 1e-9)
      #expect(SummationBound.differenceOfAverages(count: 1_000, sumOfMagnitudes: 1_000, sqliteVersion: version) < 1e-12)
    }
    let old = SummationBound.difference(count: 1_000, sumOfMagnitudes: 1_000, sqliteVersion: 3_042_000)
    let new = SummationBound.difference(count: 1_000, sumOfMagnitudes: 1_000, sqliteVersion: 3_043_000)
    #expect(new < old / 100)
  }

  @Test func edges() {
    for version: Int32 in [3_042_000, 3_043_000] {
      #expect(SummationBound.difference(count: 0, sumOfMagnitudes: 0, sqliteVersion: version) == 0)
      #expect(SummationBound.difference(count: 1, sumOfMagnitudes: 5, sqliteVersion: version) == 0)
      #expect(SummationBound.differenceOfAverages(count: 1, sumOfMagnitudes: 5, sqliteVersion: version) == 0)
      for magnitudes in [Double.infinity, .greatestFiniteMagnitude] {
        #expect(
          SummationBound.difference(count: 2, sumOfMagnitudes: magnitudes, sqliteVersion: version) == .infinity)
        #expect(
          SummationBound.differenceOfAverages(count: 2, sumOfMagnitudes: magnitudes, sqliteVersion: version)
            == .infinity)
      }
    }
  }
}
