/// The layout of SQL in reports: a long statement is broken before its clauses and in long lists.
enum SQLLayout {
  /// Returns the statement with line breaks in place of some spaces outside strings, names and comments, so that it
  /// stays the same statement. A statement that is short or already has several lines is unchanged.
  ///
  /// - Complexity: O(bytes)
  static func text(_ sql: String, isShortBelow limit: Int = 90) -> String {
    let sql = sql.trimmed
    guard sql.utf8.count >= limit, !sql.utf8.contains(UInt8(ascii: "\n")) else { return sql }
    let pieces = SQLPiece.all(sql)
    let isLong = longGroups(pieces)
    let lengths = itemLengths(pieces)
    var result: [UInt8] = []
    var groups: [Bool] = []
    var shortGroups = 0
    var lineLength = 0
    for (index, piece) in pieces.enumerated() {
      if piece.isSpace, shortGroups == 0 {
        let startsClause = piece.startsClause
        if startsClause || (groups.isEmpty && piece.followsComma && lineLength + lengths[index] > 90) {
          let depth = groups.count + (startsClause ? 0 : 1)
          result += [UInt8(ascii: "\n")] + [UInt8](repeating: UInt8(ascii: " "), count: 2 * min(depth, 12))
          lineLength = 2 * depth
          continue
        }
      }
      if piece.opens {
        groups.append(isLong.contains(index))
        if groups.last == false { shortGroups += 1 }
      }
      if piece.closes, groups.popLast() == false { shortGroups -= 1 }
      result += piece.isSpace ? [UInt8(ascii: " ")] : piece.bytes
      lineLength += piece.isSpace ? 1 : piece.bytes.count
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns several statements, each laid out and ended by a semicolon. A single statement gets no semicolon.
  static func script(_ statements: [String]) -> String {
    let texts = statements.map { text($0.visibleLines()) }
    guard texts.count > 1 else { return texts.first ?? "" }
    return texts.map { $0.hasSuffix(";") ? $0 : $0 + ";" }.joined(separator: "\n")
  }

  /// Returns, for the space before each list item outside parentheses, the number of bytes up to the next item or
  /// clause.
  private static func itemLengths(_ pieces: [SQLPiece]) -> [Int] {
    var lengths = [Int](repeating: 0, count: pieces.count)
    var depth = 0
    var length = 0
    for (index, piece) in pieces.enumerated().reversed() {
      if piece.closes { depth += 1 }
      if piece.opens { depth -= 1 }
      if depth == 0, piece.followsComma || piece.startsClause {
        lengths[index] = length
        length = 0
      } else {
        length += piece.bytes.count
      }
    }
    return lengths
  }

  /// Returns the opening parentheses whose group is too long for a line.
  private static func longGroups(_ pieces: [SQLPiece]) -> Set<Int> {
    var long = Set<Int>()
    var open: [(index: Int, length: Int)] = []
    var length = 0
    for (index, piece) in pieces.enumerated() {
      length += piece.bytes.count
      if piece.opens { open.append((index, length)) }
      if piece.closes, let group = open.popLast(), length - group.length > 90 { long.insert(group.index) }
    }
    return long
  }
}

/// A word, a quotation, a comment, spaces or another character of a statement, as its layout needs them.
private struct SQLPiece {
  let bytes: ArraySlice<UInt8>
  /// For spaces, whether a clause of a statement begins after them.
  var startsClause = false
  /// For spaces, whether a comma precedes them.
  var followsComma = false

  var isSpace: Bool { bytes.first == UInt8(ascii: " ") }
  var opens: Bool { bytes.first == UInt8(ascii: "(") }
  var closes: Bool { bytes.first == UInt8(ascii: ")") }

  static func all(_ sql: String) -> [SQLPiece] {
    let bytes = Array(sql.utf8)
    var pieces: [SQLPiece] = []
    var position = 0
    while position < bytes.count {
      let end = Self.end(of: bytes, from: position)
      pieces.append(SQLPiece(bytes: bytes[position..<end]))
      position = end
    }
    for index in pieces.indices.dropFirst().dropLast() where pieces[index].isSpace {
      let before = index >= 3 && pieces[index - 2].isSpace ? pieces[index - 3].keyword : ""
      pieces[index].followsComma = pieces[index - 1].bytes.first == UInt8(ascii: ",")
      pieces[index].startsClause = startsClause(
        pieces[index + 1].keyword, after: pieces[index - 1].keyword, before)
    }
    return pieces
  }

  /// Whether a word begins a clause, judged by the two words before it.
  private static func startsClause(_ word: String, after previous: String, _ secondPrevious: String) -> Bool {
    switch word {
    // `IS DISTINCT FROM` and `IS NOT DISTINCT FROM` compare.
    case "FROM": previous != "DISTINCT" || secondPrevious == "SELECT"
    case "WHERE", "HAVING", "LIMIT", "UNION", "INTERSECT", "EXCEPT", "VALUES", "RETURNING", "GROUP", "ORDER": true
    case "LEFT", "RIGHT", "FULL", "INNER", "CROSS": previous != "NATURAL"
    case "NATURAL": true
    case "JOIN": !["LEFT", "RIGHT", "FULL", "INNER", "CROSS", "OUTER", "NATURAL"].contains(previous)
    case "SET": previous != "UPDATE"
    default: false
    }
  }

  /// The text in capitals if it is short enough to be a keyword.
  private var keyword: String {
    bytes.count > 10 ? "" : String(decoding: bytes, as: UTF8.self).uppercased()
  }

  private static func end(of bytes: [UInt8], from start: Int) -> Int {
    /// Returns the first position from a start that does not satisfy a condition.
    func skip(from position: Int, while condition: (UInt8) -> Bool) -> Int {
      var position = position
      while position < bytes.count, condition(bytes[position]) { position += 1 }
      return position
    }
    let next = start + 1 < bytes.count ? bytes[start + 1] : 0
    switch bytes[start] {
    case UInt8(ascii: " "):
      return skip(from: start) { $0 == UInt8(ascii: " ") }
    case let quote where [UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`")].contains(quote):
      // A doubled quote inside begins the next quotation at once.
      return min(bytes.count, skip(from: start + 1) { $0 != quote } + 1)
    case UInt8(ascii: "["):
      return min(bytes.count, skip(from: start + 1) { $0 != UInt8(ascii: "]") } + 1)
    case UInt8(ascii: "-") where next == UInt8(ascii: "-"):
      return bytes.count
    case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
      var position = start + 2
      while position + 1 < bytes.count, bytes[position] != UInt8(ascii: "*") || bytes[position + 1] != UInt8(ascii: "/")
      {
        position += 1
      }
      return min(bytes.count, position + 2)
    case let byte where isWord(byte):
      return skip(from: start, while: isWord)
    default:
      return start + 1
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}

extension String {
  /// The text without white space at either end.
  fileprivate var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace }) else {
      return ""
    }
    return String(self[first...last])
  }
}
