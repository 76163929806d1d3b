/// A comparison of a predicate format.
enum FormatComparison {
  case sign(BinaryOperator, FormatTextOptions)
  case among(FormatTextOptions)
  case between
  case search(FormatSearch, FormatTextOptions)

  func compare(_ lhs: PredicateOperand, _ rhs: PredicateOperand) throws -> PredicateTruth {
    switch self {
    case .sign(let op, let options):
      if let truth = lhs.existence(op, rhs) { return truth }
      return try PredicateTruth.compare(op, options.apply(to: lhs, rhs), options.apply(to: rhs, lhs))
    case .among(let options):
      guard let elements = rhs.elements else {
        throw PredicateObstacle("IN needs a list such as {1, 2}, an array, or a property of several rows")
      }
      let left = try options.apply(to: lhs, elements.first ?? .constant(""))
      return try .isAmong(left, elements.map { try options.apply(to: $0, lhs) })
    case .between:
      guard let bounds = rhs.elements, bounds.count == 2 else {
        throw PredicateObstacle("BETWEEN needs two bounds: {1, 2}, or an array of two")
      }
      return try .isBetween(lhs, bounds[0], bounds[1])
    case .search(let search, let options):
      return try search.compare(options.apply(to: lhs, rhs), options.apply(to: rhs, lhs))
    }
  }
}

/// The letters after a comparison of texts.
enum FormatTextOptions: String {
  case exact = "n"
  case anyCase = "c"
  case anyForm = "cd"
  case anyFormReversed = "dc"

  /// One side of a comparison, without the differences that the comparison ignores.
  func apply(to operand: PredicateOperand, _ other: PredicateOperand) throws -> PredicateOperand {
    guard self != .exact else { return operand }
    switch operand {
    case .value(let value):
      guard value.isText else {
        throw PredicateObstacle("[\(rawValue)] compares texts, and \(value.name) is a \(value.type)")
      }
      if self != .anyCase { return .value(try value.folded()) }
      return .value(PredicateValue(.collate(value.term, .nocase), as: value.coding, mayBeNil: value.mayBeNil))
    case .constant(let text as any StringProtocol):
      let text = String(text)
      // The fold of the other side also folds this one.
      if self != .anyCase { return operand }
      guard text.unicodeScalars.allSatisfy({ $0.isASCII || !$0.properties.changesWhenCaseMapped }) else {
        throw PredicateObstacle(
          "[c] ignores the case of ASCII letters only, and the text has others: declare the property with @Searchable, and write [cd]"
        )
      }
      return .constant(text.asciiLowercased)
    case .constant(nil): return operand
    default: throw PredicateObstacle("[\(rawValue)] compares texts, not \(operand.name)")
    }
  }
}

/// The searches of a predicate format in texts.
enum FormatSearch: String, CaseIterable {
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case like = "LIKE"

  func compare(_ lhs: PredicateOperand, _ rhs: PredicateOperand) throws -> PredicateTruth {
    switch self {
    case .contains: return try .contains(lhs, rhs)
    case .beginsWith: return try .hasPrefix(lhs, rhs)
    case .endsWith:
      return try .search(lhs, rhs) { text, part in
        guard case .constant(let value) = part, case .text(let suffix) = value else {
          throw PredicateObstacle("ENDSWITH needs a text of the program on its right")
        }
        if suffix.isEmpty { return .unary(.isNotNull, text) }
        let start: RawFragment = .sql(ExactText(", -\(suffix.unicodeScalars.count)) = "))
        return .raw([.sql("substr("), .term(text.lowercased), start, .value(value)])
      }
    case .like: return try compareLike(lhs, rhs)
    }
  }

  /// `LIKE` with `*` for any text and `?` for one character. A pattern of one text becomes the comparison that an index
  /// may serve.
  private func compareLike(_ lhs: PredicateOperand, _ rhs: PredicateOperand) throws -> PredicateTruth {
    try .search(lhs, rhs) { text, pattern in
      guard case .constant(.text(let pattern)) = pattern else {
        throw PredicateObstacle("LIKE needs a pattern of the program on its right")
      }
      let parts = LikePattern(pattern)
      if let exact = parts.exact { return .binary(.equal, text, .constant(.text(exact))) }
      if let prefix = parts.prefix { return Field<String>(text, as: String.self).hasPrefix(prefix).term }
      return .raw([.term(text.lowercased), .sql(" GLOB "), .value(.text(parts.glob))])
    }
  }
}

/// The pattern of `LIKE`. A backslash makes a wildcard an ordinary character.
private struct LikePattern {
  /// The whole text, if there is no wildcard.
  private(set) var exact: String?
  /// The text before a single `*` at the end.
  private(set) var prefix: String?
  /// The pattern for SQLite's GLOB.
  private(set) var glob = ""

  init(_ pattern: String) {
    var text = ""
    var wildcards: [Character] = []
    var isEscaped = false
    for character in pattern {
      if !isEscaped, character == "\\" {
        isEscaped = true
      } else if !isEscaped, character == "*" || character == "?" {
        wildcards.append(character)
        glob.append(character)
        if wildcards == ["*"], prefix == nil { prefix = text }
      } else {
        isEscaped = false
        text.append(character)
        glob += "*?[".contains(character) ? "[\(character)]" : String(character)
      }
    }
    if wildcards.isEmpty { exact = text }
    if wildcards != ["*"] || prefix?.count != text.count { prefix = nil }
  }
}

/// The words before a comparison with a property of several rows.
enum FormatQuantifier: String, CaseIterable {
  case any = "ANY"
  case some = "SOME"
  case all = "ALL"
  case none = "NONE"

  /// Compares a value with the values of several rows.
  func apply(
    to lhs: PredicateOperand, _ rhs: PredicateOperand,
    _ compare: (PredicateOperand, PredicateOperand) throws -> PredicateTruth
  ) throws -> PredicateTruth {
    switch lhs {
    case .rows(let rows): try apply(to: .each(rows, .row(rows.row)), rhs, compare)
    case .each(let rows, let inner):
      switch self {
      case .any, .some: rows.contains(try innerTruth(inner, rhs, compare))
      case .all: rows.allSatisfy(try innerTruth(inner, rhs, compare))
      case .none: !rows.contains(try FormatQuantifier.any.innerTruth(inner, rhs, compare))
      }
    default: throw PredicateObstacle("\(rawValue) needs a property of several rows, such as tasks.title, on its left")
    }
  }

  private func innerTruth(
    _ inner: PredicateOperand, _ rhs: PredicateOperand,
    _ compare: (PredicateOperand, PredicateOperand) throws -> PredicateTruth
  ) throws -> PredicateTruth {
    switch inner {
    case .each, .rows: try apply(to: inner, rhs, compare)
    default: try compare(inner, rhs)
    }
  }
}

extension PredicateOperand {
  /// The comparison of a count with 0 or 1 as a test whether there are rows, which stops at the first; nil for other
  /// comparisons.
  fileprivate func existence(_ op: BinaryOperator, _ rhs: PredicateOperand) -> PredicateTruth? {
    guard case .value(let value) = self, case .aggregate(let count) = value.term, count.function == .count,
      count.argument == nil, case .constant(let number as any BinaryInteger) = rhs, let limit = Int64(exactly: number)
    else { return nil }
    let exists = PredicateTruth.known(count.rows.aggregate(.exists))
    return switch (op, limit) {
    case (.greater, 0), (.notEqual, 0), (.greaterOrEqual, 1): exists
    case (.equal, 0), (.lessOrEqual, 0), (.less, 1): !exists
    default: nil
    }
  }
}
