import Foundation
import SanderlingSQLite

/// SQL functions that make rows: numbers spread evenly or unevenly, words and prose. The same arguments always give
/// the same value.
///
/// - `chance(stream, i)`: a real number in 0 ..< 1
/// - `pick(stream, i, n)`: an integer in 1 ... n, all as likely
/// - `skewed(stream, i, n)`: an integer in 1 ... n; k comes about 1/k as often as 1
/// - `word(k)`: the k-th word; `title(stream, i, n)`: n words, frequent ones more often, the first one capitalised
/// - `prose(stream, i, n)`: about n bytes of text
enum CorpusFunctions {
  static func register(on database: OpaquePointer?) {
    add("chance", 2, to: database) { context, values in
      sqlite3_result_double(context, chance(sqlite3_value_int64(values[0]), sqlite3_value_int64(values[1])))
    }
    add("pick", 3, to: database) { context, values in
      let chance = chance(sqlite3_value_int64(values[0]), sqlite3_value_int64(values[1]))
      sqlite3_result_int64(context, 1 + Int64(chance * sqlite3_value_double(values[2])))
    }
    add("skewed", 3, to: database) { context, values in
      let chance = chance(sqlite3_value_int64(values[0]), sqlite3_value_int64(values[1]))
      sqlite3_result_int64(context, skewed(chance, sqlite3_value_double(values[2])))
    }
    add("word", 1, to: database) { context, values in
      sqlite3_result_text(context, word(sqlite3_value_int64(values[0])), -1, transient)
    }
    add("title", 3, to: database) { context, values in
      let (stream, row) = (sqlite3_value_int64(values[0]), sqlite3_value_int64(values[1]))
      var text = ""
      for position in 0..<sqlite3_value_int64(values[2]) {
        let next = word(skewed(chance(stream &* 31 &+ position &+ 1, row), 4000))
        text += position == 0 ? next.capitalized : " " + next
      }
      sqlite3_result_text(context, text, -1, transient)
    }
    if sqlite3_libversion_number() < 3_032_000 {
      add("iif", 3, to: database) { context, values in
        sqlite3_result_value(context, sqlite3_value_int64(values[0]) != 0 ? values[1] : values[2])
      }
    }
    add("prose", 3, to: database) { context, values in
      let chance = chance(sqlite3_value_int64(values[0]), sqlite3_value_int64(values[1]))
      let length = min(max(0, Int(sqlite3_value_int64(values[2]))), proseText.count / 2)
      let start = Int(chance * Double(proseText.count - length))
      proseText.withUnsafeBufferPointer { bytes in
        guard let base = bytes.baseAddress else { return }
        sqlite3_result_text(context, base + start, Int32(length), transient)
      }
    }
  }

  private typealias Implementation =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  private final class Function {
    let run: (OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>) -> Void
    init(_ run: @escaping (OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>) -> Void) { self.run = run }
  }

  private static func add(
    _ name: String, _ arguments: Int32, to database: OpaquePointer?,
    _ run: @escaping (OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>) -> Void
  ) {
    let implementation: Implementation = { context, _, values in
      guard let values, let data = sqlite3_user_data(context) else { return }
      Unmanaged<Function>.fromOpaque(data).takeUnretainedValue().run(context, values)
    }
    sqlite3_create_function_v2(
      database, name, arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
      Unmanaged.passRetained(Function(run)).toOpaque(), implementation, nil, nil,
      { data in
        if let data { Unmanaged<Function>.fromOpaque(data).release() }
      })
  }

  private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  /// A real number in 0 ..< 1 from both numbers, by SplitMix64.
  private static func chance(_ stream: Int64, _ row: Int64) -> Double {
    var bits = UInt64(bitPattern: row) &+ UInt64(bitPattern: stream) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    bits = (bits &+ 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
    return Double((bits ^ (bits >> 32)) >> 11) / 9_007_199_254_740_992
  }

  private static func skewed(_ chance: Double, _ count: Double) -> Int64 {
    min(Int64(pow(count + 1, chance)), Int64(count))
  }

  private static let syllables = [
    "ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va", "we", "xi", "yo",
    "zu", "bra", "cle", "dri", "flo", "gru", "sta", "tre", "pli", "no", "shu", "tha", "qui",
  ]

  /// The word of a number: its base-32 digits as syllables. A word has at least two syllables, so that no word is a
  /// keyword.
  private static func word(_ number: Int64) -> String {
    var rest = UInt64(bitPattern: number) &* 7 &+ 33
    var text = ""
    repeat {
      text += syllables[Int(rest % 32)]
      rest /= 32
    } while rest > 0
    return text
  }

  private static let proseText: [CChar] = {
    var text = ""
    var row: Int64 = 0
    while text.utf8.count < 1 << 16 {
      row += 1
      text += word(skewed(chance(977, row), 4000)) + (row % 11 == 0 ? ". " : " ")
    }
    return text.utf8.map { CChar(bitPattern: $0) }
  }()
}
