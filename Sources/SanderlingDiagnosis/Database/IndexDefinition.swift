/// The parts of a CREATE INDEX statement that pragmas don't return: expressions and the condition, as written.
struct IndexDefinition: Sendable {
  /// Each key's SQL, without its order.
  private(set) var terms: [String] = []
  private(set) var condition: String?

  init?(_ sql: String) {
    let text = SQLText(sql)
    let tokens = Array(SQLTokenizer(text)).filter { !$0.isTrivia }
    guard let open = tokens.firstIndex(where: { $0.kind == .symbol(.leftParenthesis) }) else { return nil }
    var depth = 0
    var start = open + 1
    var end = open
    scan: for place in tokens[open...].indices {
      switch tokens[place].kind {
      case .symbol(.leftParenthesis): depth += 1
      case .symbol(.rightParenthesis):
        depth -= 1
        if depth == 0 {
          terms.append(Self.term(tokens[start..<place], text))
          end = place
          break scan
        }
      case .symbol(.comma) where depth == 1:
        terms.append(Self.term(tokens[start..<place], text))
        start = place + 1
      default: break
      }
    }
    guard end > open else { return nil }
    let rest = tokens[(end + 1)...].filter { $0.kind != .symbol(.semicolon) }
    if let first = rest.first, text[first.range].lowercased() == "where", rest.count > 1 {
      condition = text[rest[1].range.lowerBound..<rest[rest.count - 1].range.upperBound]
    }
  }

  func expression(at place: Int) -> String? {
    terms.indices.contains(place) ? terms[place] : nil
  }

  /// Without ASC, DESC and COLLATE at the end, which pragmas return.
  private static func term(_ tokens: ArraySlice<SQLToken>, _ text: SQLText) -> String {
    var tokens = tokens
    while let last = tokens.last {
      let word = text[last.range].lowercased()
      if last.kind == .word, word == "asc" || word == "desc", tokens.count > 1 {
        tokens.removeLast()
      } else if tokens.count > 2, text[tokens[tokens.endIndex - 2].range].lowercased() == "collate" {
        tokens.removeLast(2)
      } else {
        break
      }
    }
    guard let first = tokens.first, let last = tokens.last else { return "" }
    return text[first.range.lowerBound..<last.range.upperBound]
  }
}
