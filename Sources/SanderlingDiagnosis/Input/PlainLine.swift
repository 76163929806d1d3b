/// A line of a log in which a statement begins: plain SQL, GRDB's trace or output of the sqlite3 shell.
struct PlainLine: Hashable, Sendable {
  var sql: String
  /// The time before the statement, as in `0.003s SELECT …`.
  var duration: Duration?

  /// Reads a line; nil if no statement begins in it. The parser decides whether the rest of the line is a statement.
  init?(_ line: String) {
    let bytes = Array(line.utf8)
    guard let start = Self.start(of: bytes) else { return nil }
    sql = String(decoding: bytes[start...], as: UTF8.self)
    duration = Self.duration(before: bytes[..<start])
  }

  /// Keywords that begin statements. For those that begin English sentences too, the set contains the words that must
  /// follow in a log.
  private static let keywords: [String: Set<String>] = [
    "SELECT": [], "WITH": [], "VALUES": [], "INSERT": ["INTO", "OR"], "REPLACE": ["INTO"], "UPDATE": [],
    "DELETE": ["FROM"],
    "CREATE": ["TABLE", "INDEX", "UNIQUE", "VIEW", "TRIGGER", "VIRTUAL", "TEMP", "TEMPORARY"],
    "DROP": ["TABLE", "INDEX", "VIEW", "TRIGGER"], "ALTER": ["TABLE"], "ATTACH": ["DATABASE"],
  ]

  /// Returns the position of the first keyword that can begin a statement: at the start of the line, or after a
  /// possible prefix.
  private static func start(of bytes: [UInt8]) -> Int? {
    // A longer prefix is more likely a text about SQL.
    for start in 0..<min(bytes.count, 300) where bytes[start] | 0x20 >= UInt8(ascii: "a") {
      if start > 0, bytes[start - 1].isNameByte { continue }
      let word = bytes[start...].prefix(8).prefix { $0.isNameByte }
      guard (4...7).contains(word.count) else { continue }
      let text = String(decoding: word, as: UTF8.self)
      let capitals = text.asciiUppercased
      guard let followers = keywords[capitals], text == capitals || text == text.asciiLowercased else { continue }
      let after = bytes[(start + word.count)...]
      guard after.first.map({ $0.isSpace || $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "*") }) ?? true else {
        continue
      }
      let second = after.drop { $0.isSpace }.prefix(10).prefix { $0.isNameByte }
      guard followers.isEmpty || followers.contains(String(decoding: second, as: UTF8.self).asciiUppercased) else {
        continue
      }
      if isPrefix(bytes[..<start]) { return start }
    }
    return nil
  }

  /// Whether the bytes before a keyword can be the prefix of a log's line: none, a mark such as `SQL:` or `sqlite>`, or
  /// a time.
  private static func isPrefix(_ bytes: ArraySlice<UInt8>) -> Bool {
    var bytes = bytes
    while let last = bytes.last, last.isSpace || last == UInt8(ascii: "\"") { bytes.removeLast() }
    guard let last = bytes.last else { return true }
    if [":", ">", "]", ")", "|", "=", "…"].contains(Character(UnicodeScalar(last))) { return true }
    return duration(before: bytes) != nil || last.isDigit
  }

  /// Returns the time at the end of a prefix: `0.003s`, `[1.2ms]`, `(15 ms)`.
  private static func duration(before bytes: ArraySlice<UInt8>) -> Duration? {
    var bytes = bytes
    func drop(_ characters: String) {
      while let last = bytes.last, characters.utf8.contains(last) { bytes.removeLast() }
    }
    drop(" \t\":|-)]")
    guard bytes.last == UInt8(ascii: "s") else { return nil }
    bytes.removeLast()
    let isMilliseconds = bytes.last == UInt8(ascii: "m")
    if isMilliseconds { bytes.removeLast() }
    drop(" ")
    let digits = bytes.reversed().prefix { $0.isDigit || $0 == UInt8(ascii: ".") }.reversed()
    guard let value = Double(String(decoding: Array(digits), as: UTF8.self)), value.isFinite, (0..<1e9).contains(value)
    else { return nil }
    return .seconds(isMilliseconds ? value / 1000 : value)
  }

  /// Returns the time of a line such as `Run Time: real 0.004 user 0.001 sys 0.000`, which the sqlite3 shell prints
  /// after a statement.
  static func timerSeconds(_ line: String) -> Duration? {
    for words in ["Run Time: real ", "Run Time (s): real "] {
      if let time = line[...].dropping(words) { return CoreDataLine.seconds(time) }
    }
    return nil
  }
}
