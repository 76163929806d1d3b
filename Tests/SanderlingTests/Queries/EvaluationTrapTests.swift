import Foundation
import Sanderling
import Testing

private func integer(_ value: Int64) -> Term { .constant(.integer(value)) }
private func real(_ value: Double) -> Term { .constant(.real(value)) }
private func text(_ value: String) -> Term { .constant(.text(value)) }
private func blob(_ bytes: UInt8...) -> Term { .constant(.blob(Data(bytes))) }
private func column(_ property: String) -> Term { EvaluationSpecimen.column(property) }
private func member(_ term: Term, of values: StorageValue...) -> Term { .membership(term, Members(values)) }
private let null = Term.literal(.null)
private let yes = StorageValue.integer(1)
private let no = StorageValue.integer(0)

/// Cases that simple code gets wrong. SQLite evaluates them as well, which confirms each expectation.
@Suite struct EvaluationTrapTests {
  /// The test row: integer 1, real -0.0 (which its column keeps), text '1', nocase 'AbC', rtrim 'a  ', a blob 'ab'.
  static let row: [StorageValue] = [
    .integer(1), .null, .real(-0.0), .text("1"), .text("é"), .text("AbC"), .text("a  "), .blob(Data([0x61, 0x62])),
  ]

  private func expect(
    _ term: Term, is expected: StorageValue, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let database = try EvaluationDatabase()
    let row = try #require(try database.insert([Self.row]).first)
    #expect(try TermEvaluator(row).value(of: term) == expected, "Swift", sourceLocation: sourceLocation)
    #expect(try database.select([term])[0][0] == expected, "SQLite", sourceLocation: sourceLocation)
  }

  @Test func integersAndRealsCompareExactly() throws {
    let large: Int64 = 1 << 53
    try expect(.binary(.greater, integer(large + 1), real(0x1p53)), is: yes)
    try expect(.binary(.equal, integer(large + 1), real(0x1p53)), is: no)
    try expect(.binary(.less, integer(.max), real(9.223372036854775807e18)), is: yes)
    try expect(.binary(.equal, integer(.min), real(-0x1p63)), is: yes)
    try expect(.binary(.less, integer(.max), real(.infinity)), is: yes)
    try expect(.binary(.greater, integer(.min), real(-.infinity)), is: yes)
    try expect(.binary(.less, integer(-1), real(-0.5)), is: yes)
    try expect(.binary(.equal, real(-0.0), integer(0)), is: yes)
    try expect(.binary(.equal, column("real"), real(0)), is: yes)
  }

  @Test func storageClassesAreOrdered() throws {
    try expect(.binary(.less, real(.infinity), text("")), is: yes)
    try expect(.binary(.less, text("\u{10FFFF}"), blob()), is: yes)
    try expect(.binary(.less, null, integer(0)), is: .null)
    try expect(.binary(.is, null, null), is: yes)
    try expect(.binary(.isNot, null, integer(0)), is: yes)
  }

  @Test func textsCompareAsBytes() throws {
    try expect(.binary(.equal, text("é"), text("e\u{301}")), is: no)
    try expect(.binary(.less, text("z"), text("é")), is: yes)
    try expect(.binary(.less, text("\u{FFFD}"), text("😀")), is: yes)
    try expect(.binary(.less, text("a"), text("a\0")), is: yes)
  }

  /// For a value, SQLite computes both sides of AND and OR, and fails if either fails. A WHERE clause stops at the side
  /// that decides.
  @Test func andAndOrAsValuesReportErrorsOfBothSides() throws {
    let database = try EvaluationDatabase()
    let row = try #require(try database.insert([Self.row]).first)
    let overflow = Term.binary(.greater, .function(.absolute, [integer(.min)]), integer(0))
    for term in [Term.binary(.and, integer(0), overflow), .binary(.or, integer(1), overflow)] {
      let value = Term.unary(.isNull, term)
      #expect(throws: EvaluationError.integerOverflow) { try TermEvaluator(row).value(of: value) }
      #expect(throws: EvaluationError.integerOverflow) { try TermEvaluator(row).isTrue(value) }
      #expect(throws: EvaluationDatabase.Failure.self) { try database.select([value]) }
      #expect(try TermEvaluator(row).isTrue(term) == (term == .binary(.or, integer(1), overflow)))
    }
  }

  @Test func collationsFoldNoMoreThanASCII() throws {
    try expect(.binary(.equal, column("nocase"), text("aBc")), is: yes)
    try expect(.binary(.equal, .collate(text("É"), .nocase), text("é")), is: no)
    // NOCASE folds "Z" to "z" before the comparison with "_".
    try expect(.binary(.less, .collate(text("_"), .nocase), text("Z")), is: yes)
    try expect(.binary(.equal, .collate(text("a\0b"), .nocase), text("A\0c")), is: yes)
    try expect(.binary(.equal, column("rtrim"), text("a")), is: yes)
    try expect(.binary(.equal, column("rtrim"), text("a\t")), is: no)
  }

  @Test func collationsHavePrecedence() throws {
    // The left column's collation applies, unless either side contains COLLATE at any depth.
    try expect(.binary(.equal, text("abc"), column("nocase")), is: yes)
    let result = Term.binary(.concatenate, column("text"), text("A"))
    try expect(.binary(.equal, result, .collate(text("1a"), .nocase)), is: yes)
    try expect(.binary(.equal, .function(.coalesce, [null, .collate(text("A"), .nocase)]), text("a")), is: yes)
    try expect(.binary(.equal, column("nocase"), .collate(text("abc"), .binary)), is: no)
    try expect(.binary(.equal, .collate(.collate(text("a"), .nocase), .binary), text("A")), is: no)
    try expect(.binary(.equal, .function(.coalesce, [column("nocase"), null]), text("abc")), is: no)
  }

  @Test func affinityConvertsTheOtherSide() throws {
    try expect(.binary(.equal, column("integer"), text(" 1.0 ")), is: yes)
    try expect(.binary(.equal, column("integer"), text("1x")), is: no)
    try expect(.binary(.equal, column("text"), integer(1)), is: yes)
    try expect(.binary(.equal, column("text"), real(1)), is: no)
    try expect(.binary(.equal, column("text"), column("integer")), is: yes)
    try expect(.binary(.equal, .collate(column("text"), .nocase), integer(1)), is: yes)
    // Constants, computed values and columns without affinity convert nothing.
    try expect(.binary(.equal, integer(1), text("1")), is: no)
    try expect(.binary(.equal, .binary(.concatenate, column("text"), text("")), integer(1)), is: no)
    try expect(.binary(.equal, column("real"), text("0")), is: no)
    try expect(.binary(.less, column("integer"), blob(0x31)), is: yes)
  }

  @Test func arithmeticLeavesTheIntegersWhenItMust() throws {
    try expect(.binary(.add, integer(.max), integer(1)), is: .real(0x1p63))
    try expect(.unary(.negate, integer(.min)), is: .real(0x1p63))
    try expect(.binary(.divide, integer(.min), integer(-1)), is: .real(0x1p63))
    try expect(.binary(.remainder, integer(.min), integer(-1)), is: no)
    try expect(.binary(.divide, integer(-7), integer(2)), is: .integer(-3))
    try expect(.binary(.remainder, integer(-7), integer(2)), is: .integer(-1))
    try expect(.binary(.remainder, real(7.9), integer(4)), is: .real(3))
    try expect(.binary(.remainder, integer(7), real(0.5)), is: .null)
    try expect(.binary(.divide, real(1), real(-0.0)), is: .null)
    try expect(.binary(.subtract, real(.infinity), real(.infinity)), is: .null)
    try expect(.unary(.negate, real(0)), is: .real(0))
    try expect(.unary(.negate, .literal(.real(0))), is: .real(-0.0))
  }

  @Test func textsCountAsTheNumberTheyBeginWith() throws {
    try expect(.binary(.add, text(" 12abc"), integer(0)), is: .integer(12))
    try expect(.binary(.add, text("1e2x"), integer(0)), is: .real(100))
    try expect(.binary(.add, text("1e"), integer(0)), is: .integer(1))
    try expect(.binary(.add, text("0x10"), integer(0)), is: no)
    try expect(.binary(.add, text("9223372036854775808"), integer(0)), is: .real(0x1p63))
    try expect(.binary(.remainder, text("1e3"), integer(7)), is: .real(1))
    try expect(.binary(.add, blob(0x32), integer(0)), is: .integer(2))
    try expect(.binary(.or, text("0.1"), integer(0)), is: yes)
    try expect(.binary(.or, text("abc"), integer(0)), is: no)
  }

  @Test func logicHasThreeValues() throws {
    try expect(.binary(.and, null, integer(0)), is: no)
    try expect(.binary(.and, null, integer(2)), is: .null)
    try expect(.binary(.or, null, real(0.1)), is: yes)
    try expect(.binary(.or, null, integer(0)), is: .null)
    try expect(.unary(.not, null), is: .null)
    try expect(.unary(.not, text("x")), is: yes)
    // A column by itself is a truth value, and true is 1.
    try expect(.binary(.and, column("integer"), column("text")), is: yes)
    try expect(.binary(.and, column("nocase"), integer(1)), is: no)
  }

  @Test func membershipIsEquality() throws {
    try expect(member(integer(1), of: .real(1), .integer(2)), is: yes)
    try expect(member(integer(1), of: .integer(2), .null), is: .null)
    try expect(member(integer(1), of: .integer(1), .null), is: yes)
    try expect(member(null, of: .integer(1), .integer(2)), is: .null)
    try expect(member(null), is: no)
    try expect(member(column("integer"), of: .text("1"), .text("x")), is: yes)
    try expect(member(column("text"), of: .integer(1), .integer(2)), is: yes)
    try expect(member(integer(1), of: .text("1"), .text("2")), is: no)
    try expect(member(column("nocase"), of: .text("x"), .text("ABC"), .text("y")), is: yes)
    try expect(member(text("ABC"), of: .text("x"), .text("abc"), .text("y")), is: no)
    // SQL's parser reads an empty list as the keyword FALSE, and `IS FALSE` tests for truth.
    try expect(.binary(.is, text("abc"), member(null)), is: yes)
    try expect(.binary(.equal, text("abc"), member(null)), is: no)
  }

  @Test func largeSetsAreSearchedAsListsAre() throws {
    let integers = Members((0..<20_000).map { .integer($0 * 2) })
    try expect(.membership(real(39_998), integers), is: yes)
    try expect(.membership(real(39_999), integers), is: no)
    try expect(.membership(text("2"), integers), is: no)
    try expect(.membership(.binary(.add, column("integer"), text("1")), integers), is: yes)
    let texts = Members((0..<1_000).map { .text("Name \($0)") })
    try expect(.membership(.collate(text("nAME 999"), .nocase), texts), is: yes)
    let blobs = Members((0..<1_000).map { .blob(Data([UInt8($0 & 255), UInt8($0 >> 8)])) })
    try expect(.membership(blob(0xE7, 3), blobs), is: yes)
    try expect(.membership(blob(0xE8, 3), blobs), is: no)
  }

  @Test func prefixesAreBytes() throws {
    try expect(.prefix(column("nocase"), "Ab"), is: yes)
    try expect(.prefix(column("nocase"), "ab"), is: no)
    try expect(.prefix(text("e\u{301}a"), "e"), is: yes)
    try expect(.prefix(text("éa"), "e"), is: no)
    try expect(.prefix(text("\u{10FFFF}a"), "\u{10FFFF}"), is: yes)
    try expect(.prefix(null, ""), is: .null)
  }

  @Test func functionsTakeEveryStorageClass() throws {
    try expect(.function(.length, [text("a\u{301}😀")]), is: .integer(3))
    try expect(.function(.length, [text("ab\0c")]), is: .integer(2))
    try expect(.function(.length, [blob(0, 0xC3, 0xA9)]), is: .integer(3))
    try expect(.function(.length, [real(-0.5)]), is: .integer(4))
    try expect(.function(.uppercased, [text("éaß\0z")]), is: .text("éAß\0Z"))
    try expect(.function(.lowercased, [blob(0x41)]), is: .text("a"))
    try expect(.function(.position, [text("日本語"), text("語")]), is: .integer(3))
    try expect(.function(.position, [blob(0xE6, 0x97, 0xA5), blob(0xA5)]), is: .integer(3))
    try expect(.function(.position, [text("a"), text("")]), is: yes)
    try expect(.function(.position, [integer(1234), integer(34)]), is: .integer(3))
    try expect(.function(.absolute, [text("-1.5x")]), is: .real(1.5))
    try expect(.function(.absolute, [integer(-5)]), is: .integer(5))
    try expect(.function(.coalesce, [null, column("integer"), .function(.absolute, [integer(.min)])]), is: yes)
    try expect(.binary(.concatenate, blob(0xC3), blob(0xA9)), is: .text("é"))
    try expect(.binary(.concatenate, real(1e15), integer(-1)), is: .text("1.0e+15-1"))
  }

  @Test func roundingIsSQLites() throws {
    try expect(.function(.round, [real(2.5)]), is: .real(3))
    try expect(.function(.round, [real(-2.5)]), is: .real(-3))
    try expect(.function(.round, [integer(7)]), is: .real(7))
    try expect(.function(.round, [real(2.75), integer(1)]), is: .real(2.8))
    try expect(.function(.round, [real(1e300), integer(2)]), is: .real(1e300))
    try expect(.function(.round, [text("2.5x"), integer(0)]), is: .real(3))
    try expect(.function(.round, [real(2.5), null]), is: .null)
  }

  @Test func theLeastIntegerHasNoAbsoluteValue() throws {
    let term = Term.function(.absolute, [integer(.min)])
    let row = EvaluationRow(values: [])
    #expect(throws: EvaluationError.integerOverflow) { try TermEvaluator(row).value(of: term) }
    #expect(throws: EvaluationDatabase.Failure.self) {
      let database = try EvaluationDatabase()
      _ = try database.insert([Self.row])
      _ = try database.select([term])
    }
  }

  @Test func invalidUTF8IsRefused() {
    let row = EvaluationRow(values: [])
    #expect(throws: EvaluationError.self) {
      try TermEvaluator(row).value(of: .binary(.concatenate, blob(0xFF), text("a")))
    }
    #expect(throws: EvaluationError.self) { try TermEvaluator(row).value(of: .function(.lowercased, [blob(0xFF)])) }
  }
}
