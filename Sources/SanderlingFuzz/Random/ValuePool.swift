import Foundation
import Sanderling

/// Stored values with many ties, and values that SQLite and Swift treat differently.
struct ValuePool: Sendable {
  /// The percentage of values of another storage class than the column's own.
  var mixedPercent: Int
  /// The percentage of NULLs in columns that accept them.
  var nullPercent: Int
  /// The number of notes' keys. Only tables of more than 20 rows have more rows than a window shows.
  var noteKeyCount = 14

  /// A value for a column that accepts NULL.
  func value(_ kind: ColumnKind, using random: inout SeededGenerator) -> StorageValue {
    if random.chance(nullPercent) { return .null }
    return nonNull(kind, using: &random)
  }

  func nonNull(_ kind: ColumnKind, using random: inout SeededGenerator) -> StorageValue {
    // A fold is compared with texts only, as its type requires: in a STRICT table the column has no affinity, and a
    // number stays a number.
    if kind != .fold, random.chance(mixedPercent) { return mixed(using: &random) }
    // Sometimes an integer column holds non-integers, so that its sum is not an integer.
    if mixedPercent > 0, kind == .integer, random.chance(5) { return .real(random.element(of: [-1.5, 0.5, 2.5])) }
    return natural(kind, using: &random)
  }

  /// A value of the column's own storage class.
  func natural(_ kind: ColumnKind, using random: inout SeededGenerator) -> StorageValue {
    switch kind {
    case .placeKey: return .integer(Int64(random.number(1..<15)))
    case .noteKey: return .integer(Int64(random.number(1..<noteKeyCount + 1)))
    case .crateKey: return Self.crateKey(random.number(1..<12))
    case .loginKey: return .text(random.element(of: Self.logins))
    case .word: return .text(random.element(of: Self.words))
    case .text: return .text(text(using: &random))
    // Values that are compared with folds are mostly folded.
    case .fold:
      let text = text(using: &random)
      return .text(random.chance(85) ? TextReference.fold(text) : text)
    case .integer:
      if random.chance(1) { return .integer(random.element(of: Self.greatIntegers)) }
      return .integer(Int64(random.number(-3..<8)))
    case .real:
      if random.chance(2) { return .real(random.element(of: Self.strangeReals)) }
      return random.chance(15) ? .integer(Int64(random.number(-2..<4))) : .real(Double(random.number(-6..<12)) / 4)
    case .flag: return .integer(random.chance(50) ? 1 : 0)
    case .blob: return .blob(Data(random.element(of: Self.blobs)))
    // Days of dates, counted from 2001-01-01, including days that a zone has twice or not at all.
    case .day:
      return .integer(
        random.chance(80)
          ? Int64(random.number(11_319..<11_331)) : random.element(of: [14_919, 14_920, 15_337, 15_338]))
    case .date:
      if random.chance(15) { return .real(random.element(of: Self.oddInstants)) }
      return .real(Double(random.number(-3..<7)) * 86_400 + random.element(of: [0, 0, 0, -0.25, 79_200]))
    }
  }

  func text(using random: inout SeededGenerator) -> String {
    switch random.number(0..<100) {
    case 0..<22: random.element(of: Self.sentences)
    case 22..<30: random.element(of: Self.edgeTexts)
    case 30..<46: random.element(of: Self.foldedTexts)
    default: random.element(of: Self.texts)
    }
  }

  /// A value that any column could hold by accident.
  func mixed(using random: inout SeededGenerator) -> StorageValue {
    switch random.number(0..<12) {
    case 0: .integer(random.element(of: Self.greatIntegers))
    case 1: .real(random.element(of: Self.strangeReals))
    case 2: .blob(Data(random.element(of: Self.blobs)))
    case 3..<6: .text(random.element(of: Self.numericTexts))
    case 6..<8: .text(random.element(of: Self.texts))
    case 8..<10: .integer(Int64(random.number(-2..<5)))
    default: .real(random.element(of: [0, -0.0, 0.5, 1, -1, 2.5, 3]))
    }
  }

  /// A key that is easy to read: only the last byte varies.
  static func crateKey(_ number: Int) -> StorageValue {
    .blob(Data(repeating: 0, count: 14) + [UInt8(number >> 8 & 255), UInt8(number & 255)])
  }

  private static let logins = ["a", "A", "b", "B", "A1", "a1", "é", "e\u{301}", "É", "a ", "Zed", "zed", "日本", "1"]
  private static let words = ["a", "A", "b", "ab", "", "é", "e\u{301}", "1", "z"]
  private static let texts = [
    "", " ", "a", "A", "b", "B", "ab", "AB", "aB", "abc", "a ", "a  ", " a", "ab\0c", "AB\0d", "é", "e\u{301}", "É",
    "ß",
    "日本語", "👩‍👩‍👧", "z", "Z", "[", "_", "1", "12", "b", "a", "ab", "b", "a", "\u{10FFFF}",
  ]
  /// Texts that share a fold, and texts whose folds nearly agree.
  static let foldedTexts = [
    "Straße", "STRASSE", "ｓｔｒａｓｓｅ", "Stra", "Ａ", "ａ", "à", "A\u{30A}b", "Éa", "e\u{301}A", "Ez", "й", "и", "и\u{306}",
    "Й",
    "Σας", "σασ", "ΣΑΣ", "が", "か", "か\u{3099}", "ｶﾞ", "ガ", "หมี", "หม", "한", "\u{1112}\u{1161}\u{11AB}", "하", "\u{11AB}",
    "ﬁ", "FI", "١",
    "１", "Ё", "е", "İ", "ı", "\u{301}", "\u{301}a", "👨‍👩‍👧", "👨", "a\0É", "É\0", "\u{FFFD}", "\u{10FFFF}É", "\u{D7FF}",
    "\u{E000}",
    "10", "É" + "x",
  ]
  private static let numericTexts = [
    "1", "1.0", "01", " 1", "-1", "0", "2.5", "1e1", "12abc", "9223372036854775808", "x",
  ]
  private static let greatIntegers: [Int64] = [1 << 31, (1 << 53) + 1, 1 << 53, .max, .min, -(1 << 53) - 1]
  private static let strangeReals: [Double] = [
    -0.0, 0, 0.1, 0.3, 1e15, 0x1p53, 0x1p63, 1e300, -1e300, .infinity, -.infinity, .leastNonzeroMagnitude,
  ]
  /// The times at which the clocks of St. John's go back over midnight and at which Samoa skips a day, in seconds since
  /// 2001.
  private static let oddInstants: [Double] = [
    310_789_790, 310_789_830, 310_789_900, 310_793_500, 346_931_999.5, 346_932_000,
  ]
  private static let blobs: [[UInt8]] = [[], [0], [0x31], [0x61], [0x41, 0x42], [0x61, 0x20], [0xC3, 0xA9], [0xFF]]
}
