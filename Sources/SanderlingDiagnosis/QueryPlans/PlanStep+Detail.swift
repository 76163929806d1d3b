extension PlanStep {
  /// Reads a line of a plan, in the wording of SQLite 3.31 to the current version.
  ///
  /// SQLite prints names without quotes, so a name can look like a part of the line. Therefore the last matching mark
  /// counts, and parentheses are matched from the end.
  init(detail: String) {
    self =
      Self.access(detail) ?? Self.temporaryBTree(detail) ?? Self.subquery(detail) ?? Self.compound(detail) ?? .other
  }

  // MARK: Tables

  private static func access(_ detail: String) -> PlanStep? {
    if detail == "SCAN CONSTANT ROW" || (detail.hasPrefix("SCAN ") && detail.hasSuffix(" CONSTANT ROWS")) {
      return .constantRow
    }
    let isScan = detail.hasPrefix("SCAN ")
    guard isScan || detail.hasPrefix("SEARCH ") else {
      if detail.hasPrefix("RIGHT-JOIN ") {
        return .scan(table: String(detail.dropFirst(11)), index: nil, isCovering: false)
      }
      guard detail.hasPrefix("BLOOM FILTER ON ") else { return nil }
      let (name, _) = terms(endOf: Substring(detail.dropFirst(16)))
      return .bloomFilter(table: table(name))
    }
    var rest = Substring(detail).dropFirst(isScan ? 5 : 7)
    for ending in [" LEFT-JOIN", " EXISTS"] where rest.hasSuffix(ending) { rest = rest.dropLast(ending.count) }
    if let (name, index) = split(rest, at: " VIRTUAL TABLE INDEX ") {
      return .virtualTable(table: table(name), index: String(index))
    }
    let (access, terms) = terms(endOf: rest)
    // A name may contain the mark as well: the last possible one counts.
    var end = access.endIndex
    while let mark = access[..<end].range(ofLast: " USING ") {
      let means = String(access[mark.upperBound...])
      if let step = step(table: table(access[..<mark.lowerBound]), means: means, terms: terms, isScan: isScan) {
        return step
      }
      end = access.index(after: mark.lowerBound)
    }
    // SQLite 3.31 to 3.35 print "USING INTEGER PRIMARY KEY" for a scan, too. A bare SEARCH serves min() or max().
    let name = table(isScan ? rest : access)
    return isScan
      ? .scan(table: name, index: nil, isCovering: false)
      : .search(table: name, index: nil, isCovering: false, terms: terms)
  }

  /// Returns the step that the words after USING describe; nil if they belong to the name.
  private static func step(table: String, means: String, terms: [String], isScan: Bool) -> PlanStep? {
    if means == "INTEGER PRIMARY KEY" || means == "PRIMARY KEY" || means == "ROWID SEARCH" {
      return isScan
        ? .scan(table: table, index: nil, isCovering: false)
        : .search(table: table, index: nil, isCovering: false, terms: terms)
    }
    if means.hasPrefix("AUTOMATIC "), means.hasSuffix("INDEX") {
      return .automaticIndex(table: table, isPartial: means.contains("PARTIAL"), terms: terms)
    }
    let isCovering = means.hasPrefix("COVERING INDEX ")
    guard isCovering || means.hasPrefix("INDEX ") else { return nil }
    let index = String(means.dropFirst(isCovering ? 15 : 6))
    return isScan
      ? .scan(table: table, index: index, isCovering: isCovering)
      : .search(table: table, index: index, isCovering: isCovering, terms: terms)
  }

  /// Returns the alias, or else the name, of a table: `TABLE t AS a`, `t`, `SUBQUERY 1`, `SUBQUERY 1 AS s`.
  private static func table(_ text: Substring) -> String {
    var name = text
    if name.hasPrefix("TABLE ") { name = name.dropFirst(6) }
    // Only the old wording with TABLE or SUBQUERY gives the alias after AS.
    if name.startIndex != text.startIndex || name.hasPrefix("SUBQUERY "), let (_, alias) = split(name, at: " AS ") {
      return String(alias)
    }
    // Old versions print estimates of rows.
    if name.hasSuffix(" rows)"), let open = name.range(ofLast: " (~") { name = name[..<open.lowerBound] }
    return String(name)
  }

  /// Returns the text before the last parentheses, and the terms inside them.
  private static func terms(endOf text: Substring) -> (Substring, [String]) {
    var text = text
    if text.hasSuffix(" rows)"), let open = text.range(ofLast: " (~") { text = text[..<open.lowerBound] }
    guard text.last == ")" else { return (text, []) }
    // Names inside may contain parentheses, so the matching one is searched from the end.
    var depth = 0
    var place = text.endIndex
    while place > text.startIndex {
      place = text.index(before: place)
      if text[place] == ")" { depth += 1 }
      if text[place] == "(" { depth -= 1 }
      guard depth == 0 else { continue }
      let before = text[..<place]
      guard before.last == " " else { return (text, []) }
      let inner = text[text.index(after: place)..<text.index(before: text.endIndex)]
      return (before.dropLast(), split(conditions: inner))
    }
    return (text, [])
  }

  private static func split(conditions: Substring) -> [String] {
    var terms: [String] = []
    var rest = conditions
    while let (first, others) = splitFirst(rest, at: " AND ") {
      terms.append(String(first))
      rest = others
    }
    return rest.isEmpty ? terms : terms + [String(rest)]
  }

  // MARK: Other lines

  private static func temporaryBTree(_ detail: String) -> PlanStep? {
    guard let (before, purpose) = split(Substring(detail), at: "USE TEMP B-TREE FOR "), before.isEmpty else {
      return nil
    }
    switch purpose {
    case "ORDER BY": return .temporaryBTree(purpose: .orderBy)
    case "GROUP BY": return .temporaryBTree(purpose: .groupBy)
    case "DISTINCT": return .temporaryBTree(purpose: .distinct)
    default:
      if purpose.hasSuffix("PART OF ORDER BY") {
        return .temporaryBTree(purpose: .lastTermsOfOrderBy(terms: purpose.hasPrefix("RIGHT") ? nil : 1))
      }
      if purpose.hasPrefix("LAST "), purpose.hasSuffix("ORDER BY") {
        let number = purpose.dropFirst(5).prefix { $0.isNumber }
        return .temporaryBTree(purpose: .lastTermsOfOrderBy(terms: Int(number) ?? (number.isEmpty ? 1 : nil)))
      }
      // "count(DISTINCT)", "group_concat(ORDER BY)"
      if purpose.hasSuffix("(DISTINCT)") { return .temporaryBTree(purpose: .distinct) }
      return .temporaryBTree(purpose: .other(String(purpose)))
    }
  }

  private static func subquery(_ detail: String) -> PlanStep? {
    var rest = Substring(detail)
    for prefix in ["EXECUTE ", "REUSE "] where rest.hasPrefix(prefix) { rest = rest.dropFirst(prefix.count) }
    if rest.hasPrefix("MATERIALIZE ") { return .materialize(name: String(rest.dropFirst(12))) }
    if rest.hasPrefix("CO-ROUTINE ") { return .coroutine(name: String(rest.dropFirst(11))) }
    let isCorrelated = rest.hasPrefix("CORRELATED ")
    if isCorrelated { rest = rest.dropFirst(11) }
    for prefix in ["SCALAR SUBQUERY", "LIST SUBQUERY"] where rest.hasPrefix(prefix) {
      return .subquery(isCorrelated: isCorrelated, number: Int(rest.dropFirst(prefix.count + 1)))
    }
    return nil
  }

  private static func compound(_ detail: String) -> PlanStep? {
    if detail == "MULTI-INDEX OR" { return .multiIndexOr }
    for name in ["UNION ALL", "UNION", "INTERSECT", "EXCEPT"] {
      if detail == "\(name) USING TEMP B-TREE" {
        return name == "UNION" ? .temporaryBTree(purpose: .union) : .compound(operator: name)
      }
      if detail == name || detail == "MERGE (\(name))" { return .compound(operator: name) }
    }
    if detail == "COMPOUND QUERY" || detail.hasPrefix("COMPOUND SUBQUERIES ") { return .compound(operator: "") }
    return nil
  }

  private static func split(_ text: Substring, at mark: String) -> (Substring, Substring)? {
    text.range(ofLast: mark).map { (text[..<$0.lowerBound], text[$0.upperBound...]) }
  }

  private static func splitFirst(_ text: Substring, at mark: String) -> (Substring, Substring)? {
    text.firstRange(of: mark).map { (text[..<$0.lowerBound], text[$0.upperBound...]) }
  }
}

extension Substring {
  fileprivate func range(ofLast mark: String) -> Range<Index>? {
    var found: Range<Index>?
    var rest = self
    while let range = rest.firstRange(of: mark) {
      found = range
      // Marks may overlap: "USING USING INDEX".
      rest = rest[rest.index(after: range.lowerBound)...]
    }
    return found
  }
}
