import Foundation
import SanderlingSQLite

/// The replacement of an app's function: it returns the same kind of result and, if this is known, about the same share
/// of true results.
enum StandInFunction: Sendable {
  /// Whether the second text occurs in the first one. The flags (third argument) select folding and anchoring.
  case search
  /// Whether the texts from the third argument on contain, folded, the typed input (the second): each of its words,
  /// unless the first argument says otherwise.
  case typed
  /// The same as `typed` with a pattern, in which `*` and `?` are wildcards.
  case pattern
  /// Whether two texts are equal after folding.
  case equality
  case lowercase
  case uppercase
  case fold
  /// A fixed moment.
  case moment
  case firstArgument
  /// True for one in ten rows, by a hash of the arguments.
  case oneInTen
  /// -1, 0 or 1.
  case order

  /// The functions that Core Data registers. The functions of its triggers return their argument.
  static let coreData: [(name: String, arguments: Int32, function: StandInFunction)] = [
    ("NSCoreDataStringSearch", 4, .search), ("NSCoreDataLike", 3, .pattern), ("NSCoreDataMatches", 3, .pattern),
    ("NSCoreDataStringCompare", 5, .equality), ("NSCoreDataToLower", 1, .lowercase),
    ("NSCoreDataToUpper", 1, .uppercase), ("NSCoreDataCanonical", 1, .fold), ("NSCoreDataNow", 0, .moment),
    ("NSCoreDataPrependExternalReferenceMarker", 2, .firstArgument),
    ("NSCoreDataConvertTransformableToCodable", 3, .firstArgument),
  ]

  /// Guesses the function's purpose from an unknown name.
  init(guessing name: String) {
    let name = name.lowercased()
    func has(_ parts: String...) -> Bool { parts.contains { name.contains($0) } }
    self =
      if name == "sanderling_matches" { .typed } else if has("compare") { .order } else if has("lower") {
        .lowercase
      } else if has("upper") {
        .uppercase
      } else if has(
        "fold", "normal", "canonical", "unaccent", "strip")
      {
        .fold
      } else if has("search", "match", "contain", "like", "regexp", "glob", "begins", "ends", "prefix")
        || ["is", "has", "in"].contains(where: { name.hasPrefix($0) && name.count > $0.count + 2 })
      {
        .oneInTen
      } else if has("now", "today") { .moment } else { .firstArgument }
  }

  /// The report's sentence on figures that depend on this function.
  var effect: String {
    switch self {
    case .search, .typed, .pattern, .equality, .lowercase, .uppercase, .fold:
      "a stand-in with the same purpose took its place: plans are right, times and rows are close"
    case .moment: "a stand-in returned one fixed moment: plans are right, rows may differ"
    case .firstArgument: "a stand-in returned its first argument: plans are right, rows and times may differ"
    case .oneInTen: "a stand-in was true for one row in ten: plans are right, rows and times may differ"
    case .order: "a stand-in compared folded texts: plans are right, times may differ"
    }
  }

  func call(_ context: OpaquePointer?, _ arguments: UnsafeBufferPointer<OpaquePointer?>) {
    func text(_ index: Int) -> String? {
      guard arguments.indices.contains(index), sqlite3_value_type(arguments[index]) != SQLITE_NULL,
        let bytes = sqlite3_value_text(arguments[index])
      else { return nil }
      let count = Int(sqlite3_value_bytes(arguments[index]))
      return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
    func answer(_ text: String?) {
      guard let text else { return sqlite3_result_null(context) }
      var copy = text
      copy.withUTF8 {
        let start = UnsafeRawPointer($0.baseAddress)?.assumingMemoryBound(to: CChar.self)
        guard let start else { return sqlite3_result_zeroblob(context, 0) }
        // The bit pattern -1 is SQLITE_TRANSIENT. SQLite compares the pointer and never calls it.
        sqlite3_result_text64(
          context, start, UInt64($0.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self), UInt8(SQLITE_UTF8))
      }
    }
    func answer(_ isTrue: Bool) { sqlite3_result_int(context, isTrue ? 1 : 0) }
    switch self {
    case .search:
      guard let whole = text(0), let part = text(1) else { return answer(false) }
      answer(Self.finds(part, in: whole, flags: arguments.count > 2 ? sqlite3_value_int64(arguments[2]) : 0))
    case .typed:
      let texts = arguments.indices.dropFirst(2).compactMap(text).map(FoldedText.of)
      let input = FoldedText.of(text(1) ?? "")
      let words = text(0) == "words" ? input.split { $0.isWhitespace || $0 == "\"" } : [input[...]]
      answer(!texts.isEmpty && words.allSatisfy { word in texts.contains { $0.contains(word) } })
    case .pattern:
      guard let whole = text(0), let pattern = text(1) else { return answer(false) }
      let pieces = FoldedText.of(pattern).split { "*?.+()[]{}^$|\\".contains($0) }
      var rest = Substring(FoldedText.of(whole))
      for piece in pieces {
        guard let range = rest.firstRange(of: piece) else { return answer(false) }
        rest = rest[range.upperBound...]
      }
      answer(true)
    case .equality:
      guard let one = text(0), let other = text(1) else { return answer(false) }
      answer(FoldedText.of(one) == FoldedText.of(other))
    case .lowercase: answer(text(0)?.lowercased())
    case .uppercase: answer(text(0)?.uppercased())
    case .fold: answer(text(0).map(FoldedText.of))
    case .moment: sqlite3_result_double(context, 800_000_000)
    case .firstArgument:
      if let first = arguments.first { sqlite3_result_value(context, first) } else { sqlite3_result_null(context) }
    case .oneInTen:
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for index in arguments.indices {
        for byte in (text(index) ?? "").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      }
      answer((hash >> 32) % 10 == 0)
    case .order:
      let (one, other) = (FoldedText.of(text(0) ?? ""), FoldedText.of(text(1) ?? ""))
      sqlite3_result_int(context, one == other ? 0 : one < other ? -1 : 1)
    }
  }

  /// Foundation's comparison flags: 1 folds case, 128 folds diacritics, 4 searches from the end, 8 is anchored.
  private static func finds(_ part: String, in text: String, flags: Int64) -> Bool {
    let folds = flags & (1 | 128) != 0
    let (text, part) = folds ? (FoldedText.of(text), FoldedText.of(part)) : (text, part)
    if flags & 8 == 0 { return text.contains(part) }
    return flags & 4 == 0 ? text.hasPrefix(part) : text.hasSuffix(part)
  }
}
