import Foundation
import Sanderling
import Testing

@Suite struct EvaluationComparisonTests {
  /// Values in ascending order. The values in one line are equal.
  static let ascending: [[StorageValue]] = [
    [.null],
    [.real(-.infinity)],
    [.integer(.min), .real(-0x1p63)],
    [.integer(.min + 1)],
    [.real(-0.5)],
    [.integer(0), .real(0), .real(-0.0)],
    [.real(.leastNonzeroMagnitude)],
    [.integer(1 << 53), .real(0x1p53)],
    [.integer((1 << 53) + 1)],
    [.integer((1 << 53) + 2), .real(0x1p53 + 2)],
    [.integer(.max)],
    [.real(0x1p63)],
    [.real(.infinity)],
    [.text("")],
    [.text("B")],
    [.text("a")],
    [.text("a\0")],
    [.text("e\u{301}")],
    [.text("é")],
    [.text("\u{FFFD}")],
    [.text("😀")],
    [.blob(Data())],
    [.blob(Data([0]))],
    [.blob(Data([1]))],
    [.blob(Data([1, 0]))],
  ]

  @Test func theOrderIsTotal() {
    for (left, leftValues) in Self.ascending.enumerated() {
      for (right, rightValues) in Self.ascending.enumerated() {
        for lhs in leftValues {
          for rhs in rightValues {
            let expected: ComparisonResult =
              left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
            #expect(SQLiteComparison.order(lhs, rhs) == expected, "\(lhs.literal) \(rhs.literal)")
          }
        }
      }
    }
  }

  @Test func equalValuesShareOneKey() {
    for (left, leftValues) in Self.ascending.enumerated() {
      for (right, rightValues) in Self.ascending.enumerated() {
        for lhs in leftValues {
          for rhs in rightValues {
            let areSame =
              SQLiteComparison.equalityKey(lhs, collation: .binary)
              == SQLiteComparison.equalityKey(rhs, collation: .binary)
            #expect(areSame == (left == right), "\(lhs.literal) \(rhs.literal)")
          }
        }
      }
    }
  }

  @Test(arguments: [Collation.binary, .nocase, .rtrim])
  func keysAreAsEqualAsTheCollationSays(collation: Collation) {
    let texts = [
      "", " ", "a", "A", "a ", "A  ", "a\0", "a\0b", "A\0c", "a\0 ", "ab", "aB", "é", "É", "e\u{301}", "\0", "\0 ",
    ]
    for lhs in texts {
      for rhs in texts {
        let areSame =
          SQLiteComparison.equalityKey(.text(lhs), collation: collation)
          == SQLiteComparison.equalityKey(.text(rhs), collation: collation)
        let order = SQLiteComparison.order(.text(lhs), .text(rhs), collation: collation)
        #expect(areSame == (order == .orderedSame), "\(lhs.debugDescription) \(rhs.debugDescription)")
      }
    }
  }

  @Test func nullIsUnknownToAllButIs() {
    for op in [BinaryOperator.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual] {
      #expect(SQLiteComparison.holds(op, .null, .null) == nil)
      #expect(SQLiteComparison.holds(op, .null, .integer(0)) == nil)
      #expect(SQLiteComparison.holds(op, .text(""), .null) == nil)
    }
    #expect(SQLiteComparison.holds(.is, .null, .null) == true)
    #expect(SQLiteComparison.holds(.is, .null, .integer(0)) == false)
    #expect(SQLiteComparison.holds(.isNot, .null, .integer(0)) == true)
  }
}
