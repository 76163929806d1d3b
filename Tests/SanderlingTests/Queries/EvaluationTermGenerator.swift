import Foundation
import Sanderling

/// Generates random values, rows and terms from a seed.
struct EvaluationTermGenerator {
  private var generator = SeededGenerator()

  var seed: UInt64 { generator.seed }

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

  mutating func chance(_ percent: Int) -> Bool { number(0..<100) < percent }

  mutating func element<Element>(of elements: [Element]) -> Element { elements[number(0..<elements.count)] }

  // MARK: - Values

  private static let integers: [Int64] = [
    0, 1, -1, 2, 3, 5, 7, 10, 12, -12, 100, 255, 1 << 31, 1 << 32, (1 << 53) - 1, 1 << 53, (1 << 53) + 1,
    -(1 << 53) - 1, .max, .max - 1, .min, .min + 1, 999_999_999_999_999_999,
  ]

  private static let reals: [Double] = [
    0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 0.1, 0.3, 1.005, 2.675, 12, 12.5, 1e15, 1e16, 123_456_789.123_456_79,
    1e-5, 0x1p53, 0x1p53 + 2, 0x1p63, -0x1p63, 0x1p64, 9.2e18, 1e19, 4_503_599_627_370_495.5, 4_503_599_627_370_497.5,
    1e300, -1e300, .greatestFiniteMagnitude, .leastNormalMagnitude, .leastNonzeroMagnitude, .infinity, -.infinity,
    1.0 / 3,
  ]

  private static let texts = [
    "", " ", "a", "A", "b", "B", "ab", "AB", "aB", "a ", "a  ", " a", "ab\0c", "AB\0d", "ab\0", "\0", "é", "e\u{301}",
    "É", "ß", "ı", "日本語", "👩‍👩‍👧", "z", "Z", "[", "_", "@", "0", "1", "1 ", " 1", "1.0", "01", "+1", "-1", "-0",
    "-0.0", "12", "12.5", "1e1", "1e", "1.e", "1.5e", ".5", "5.", ".", "-", "+", "e5", "1e5x", "12abc", "1.5abc",
    "0x10", "1_000", "Inf", "nan", "\t7\n", "7\u{b}", "\u{a0}7", "12\0", "9007199254740993", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "9223372036854775808x",
    "99999999999999999999", "1e400", "-1e400", "1e-400", "0.1", "0.30000000000000004", "1.0e+15",
    "123456789012345678901234567890", "2.5", "\u{10FFFF}", "\u{D7FF}", "\u{FFFD}",
  ]

  private static let blobs: [[UInt8]] = [
    [], [0], [0x31], [0x61], [0x41, 0x42], [0x61, 0x20], [0x31, 0x32, 0x2E, 0x35], [0xC3, 0xA9], [0xC3], [0xA9],
    [0xFF, 0xFE], [0x61, 0, 0x62], [0xE6, 0x97, 0xA5, 0xE6], [0x2D, 0x31],
  ]

  mutating func value() -> StorageValue {
    switch number(0..<100) {
    case 0..<10: .null
    case 10..<25: .integer(element(of: Self.integers))
    case 25..<30: .integer(Int64(number(-20..<20)))
    case 30..<35: .integer(Int64(bitPattern: generator.next()))
    case 35..<50: .real(element(of: Self.reals))
    case 50..<53: .real(Double(number(-4000..<4000)) / 16)
    case 53..<57: .real(anyReal())
    case 57..<82: .text(element(of: Self.texts))
    case 82..<85: .text(element(of: Self.texts) + element(of: Self.texts))
    case 85..<88: .text(anyReal().description)
    default: .blob(Data(element(of: Self.blobs)))
    }
  }

  private mutating func anyReal() -> Double {
    let real = Double(bitPattern: generator.next())
    return real.isNaN ? 0 : real
  }

  mutating func row() -> [StorageValue] {
    EvaluationSpecimen.columns.map { _ in value() }
  }

  // MARK: - Terms

  mutating func term(depth: Int) -> Term {
    guard depth > 0, chance(90) else { return leaf() }
    switch number(0..<100) {
    case 0..<10:
      return .unary(element(of: [.not, .negate, .isNull, .isNotNull]), term(depth: depth - 1))
    case 10..<35: return .binary(element(of: Self.comparisons), term(depth: depth - 1), term(depth: depth - 1))
    case 35..<45: return .binary(element(of: [.and, .or]), term(depth: depth - 1), term(depth: depth - 1))
    case 45..<57:
      return .binary(
        element(of: [.add, .subtract, .multiply, .divide, .remainder]), term(depth: depth - 1), term(depth: depth - 1))
    case 57..<62: return .binary(.concatenate, term(depth: depth - 1), term(depth: depth - 1))
    case 62..<72: return .membership(term(depth: depth - 1), members())
    case 72..<77: return .prefix(term(depth: depth - 1), ExactText(prefix()))
    case 77..<85: return .collate(term(depth: depth - 1), element(of: [.binary, .nocase, .rtrim]))
    default: return function(depth: depth - 1)
    }
  }

  private static let comparisons: [BinaryOperator] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .is, .isNot,
  ]

  /// Returns a term that can order rows. A literal can't: SQL reads it as the number of a column.
  mutating func key() -> Term {
    let column = element(of: EvaluationSpecimen.columns)
    switch number(0..<4) {
    case 0: return .collate(column, element(of: [.binary, .nocase, .rtrim]))
    case 1: return .binary(element(of: [.add, .concatenate, .less]), column, term(depth: 1))
    case 2: return .function(.coalesce, [column, term(depth: 1)])
    default: return column
    }
  }

  private mutating func leaf() -> Term {
    if chance(60) { return element(of: EvaluationSpecimen.columns) }
    return chance(70) ? .constant(value()) : .literal(value())
  }

  private mutating func members() -> Members {
    // Lists are short here: more than 512 members are passed as one parameter, and compared in columns whose affinity
    // converts nothing.
    Members((0..<element(of: [0, 1, 2, 3, 5, 17])).map { _ in value() })
  }

  private mutating func prefix() -> String {
    let text = element(of: Self.texts)
    return chance(50) ? text : String(text.unicodeScalars.prefix(1))
  }

  private mutating func function(depth: Int) -> Term {
    let function = element(
      of: [Function.absolute, .coalesce, .position, .length, .lowercased, .uppercased, .round, .round, .position])
    switch function {
    case .coalesce: return .function(.coalesce, (0..<number(2..<4)).map { _ in term(depth: depth) })
    case .position: return .function(.position, [term(depth: depth), term(depth: depth)])
    case .round where chance(70):
      let places: Term = chance(80) ? .literal(.integer(Int64(number(-1..<18)))) : term(depth: depth)
      return .function(.round, [term(depth: depth), places])
    default: return .function(function, [term(depth: depth)])
    }
  }
}
