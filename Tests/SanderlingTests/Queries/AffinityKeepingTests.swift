import Foundation
import GRDB
import Sanderling
import SanderlingSQL
import Testing

/// The affinity of a declared type changes values exactly as SQLite does.
@Suite struct AffinityKeepingTests {
  private static let types = [
    "", "BLOB", "INTEGER", "BIGINT", "TEXT", "VARCHAR(20)", "REAL", "DOUBLE", "NUMERIC", "DECIMAL(10, 2)", "UUID",
    "GUID",
    "STRING", "DATETIME", "DATE", "BOOLEAN", "ANY", "FLOATING POINT", "MONEY", "JSON",
  ]

  private static let values: [StorageValue] =
    [
      "", " ", "a", "0", "7", "0012", "-0", "+5", " 7", "7 ", "1.10", "1.5", "12e4", "1e400", "0x10", ".5", "5.", "1_0",
      "9007199254740993", "9223372036854775807", "9223372036854775808", "2024-01-02", "2024", "e\u{301}", "1\u{0}",
      "550e8400-e29b-41d4-a716-446655440000", "00000000000000000000000000000001", "Infinity", "nan",
    ].map { .text($0) }
    + [0, 1, -1, 9_007_199_254_740_993, .max, .min].map { .integer($0) }
    + [0, -0.0, 1, 1.5, 1e300, 0x1p53, 0x1p62, .infinity].map { .real($0) }
    + [.null, .blob(Data([49, 50])), .blob(Data())]

  @Test(arguments: types, [false, true]) func keptValuesAreThoseThatSQLiteStoresUnchanged(type: String, isStrict: Bool)
    throws
  {
    // STRICT tables allow these types only.
    if isStrict, !["INTEGER", "TEXT", "REAL", "BLOB", "ANY"].contains(type) { return }
    let affinity = Affinity(declaredType: type, inStrictTable: isStrict)
    let db = try DatabaseQueue()
    try db.write { try $0.execute(sql: "CREATE TABLE t (v \(type))\(isStrict ? " STRICT" : "")") }
    for value in Self.values {
      let stored: StorageValue? = try db.write { db in
        do {
          try db.forEachRow(of: "INSERT INTO t VALUES (?)") {
            try $0.bind([value])
          } row: { _ in
          }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
          // A STRICT table refuses a value that it would have to change: no row is stored.
          return nil
        }
        var stored: StorageValue?
        try db.forEachRow(of: "SELECT v FROM t") { _ in
        } row: {
          stored = $0.storageValue(at: 0)
        }
        try db.execute(sql: "DELETE FROM t")
        return stored
      }
      guard let stored else { continue }
      let comesBack =
        switch (value, stored) {
        case (.integer(let integer), .real(let real)), (.real(let real), .integer(let integer)):
          Int64(exactly: real) == integer
        // A column with REAL affinity stores a zero without its sign.
        case (.real(let real), .real(let other)): real == other
        case (.text(let text), .text(let other)): Array(text.utf8) == Array(other.utf8)
        default: value == stored
        }
      #expect(affinity.keeps(value) == comesBack, "\(value) in \(type) is \(stored)")
    }
  }

  /// An affinity keeps a column type exactly if it keeps each of the type's values.
  @Test(arguments: types) func typeIsKeptIfAllOfItsValuesAreKept(type: String) {
    let affinity = Affinity(declaredType: type)
    for columnType in [ColumnType.integer, .real, .text, .blob] {
      let values = Self.values.filter { value in
        switch (columnType, value) {
        case (.integer, .integer), (.text, .text), (.blob, .blob), (.real, .real): true
        default: false
        }
      }
      // INTEGER affinity keeps a real beyond 64 bits and infinity, but not all reals.
      #expect(affinity.keepsAll(of: columnType) == values.allSatisfy { affinity.keeps($0) }, "\(columnType) in \(type)")
    }
  }

  @Test(arguments: [
    ("UUID", false), ("STRING", false), ("DATETIME", false), ("decimal(10, 2)", true), ("Number", true),
  ])
  func someTypesSayThatTheyHoldNumbers(type: String, isOfNumbers: Bool) {
    #expect(Affinity.isOfNumbers(declaredType: type) == isOfNumbers)
  }
}
