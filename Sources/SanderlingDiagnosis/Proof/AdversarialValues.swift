import SanderlingSQL

/// The values that could show a difference between statements: those that a statement names, their neighbours, and the
/// edge values of a column's type.
struct AdversarialValues {
  /// The statement's literals and bound values.
  private(set) var named: [BoundValue] = []
  /// The same values without their neighbours.
  private var exact: [BoundValue] = []

  private static let integers: [BoundValue] = [0, 1, 2, 3, -1].map { .integer($0) }
  private static let texts: [BoundValue] = ["", "a", "A", "b", "a ", "1", "10", "é"].map { .text($0) }
  private static let reals: [BoundValue] = [.real(0.5), .integer(1), .real(2.5), .real(-1.5), .integer(2)]
  private static let extremes: [BoundValue] = [.integer(.max), .integer(.min), .integer(1 << 53), .integer(-(1 << 40))]
  /// Values of other types than a column's own, which its affinity does not convert.
  private static let strangers: [BoundValue] = [
    .text("x"), .text("1x"), .real(1.5), .blob([0x31]), .blob([]), .text(" 1"), .integer(7),
  ]

  private static let patterns: [BoundValue] = ["_", "a_", "a%b", "ab", "axb", "Ab"].map { .text($0) }

  /// - Parameter connection: Any connection, which computes the days next to a given day.
  init(_ text: SQLText, bindings: [BoundValue], connection: SQLiteConnection) {
    var values = bindings.filter { $0 != .null }
    var (isNegative, hasPattern) = (false, false)
    for token in SQLTokenizer(text) where !token.isTrivia {
      let written = text[token.range]
      if token.kind == .word, ["like", "glob"].contains(written.asciiLowercased) { hasPattern = true }
      let sign: Int64 = isNegative ? -1 : 1
      isNegative = token.kind == .symbol(.minus)
      switch token.kind {
      case .integer: if let number = Int64(written) { values.append(.integer(sign * number)) }
      case .real: if let number = Double(written) { values.append(.real(Double(sign) * number)) }
      case .string: values.append(.text(written.withoutQuotes))
      default: break
      }
    }
    exact = values
    var seen: Set<BoundValue> = []
    named = values.prefix(24).flatMap { [$0] + Self.neighbours(of: $0, connection) }.filter { seen.insert($0).inserted }
    // A text from the app may contain wildcards.
    if hasPattern { named += Self.patterns }
  }

  private static func neighbours(of value: BoundValue, _ connection: SQLiteConnection) -> [BoundValue] {
    switch value {
    case .integer(let number): return [.integer(number &+ 1), .integer(number &- 1)]
    case .real(let number): return [.real(number + 1), .real(number - 1)]
    case .text(let text):
      let plain = text.filter { !"%_*?".contains($0) }
      var texts = [plain, plain + "x", plain + " ", plain.uppercased(), plain.lowercased()]
      if let first = plain.first { texts += [String(first), "x" + plain] }
      let days = (try? connection.rows("SELECT date(?1), date(?1, '-1 day'), date(?1, '+1 day')", [value]).first) ?? []
      for case .text(let day) in days { texts += [day, day + " 00:00:00", day + " 23:59:59", day + "T10:00:00Z"] }
      return texts.map { .text($0) }
    case .null, .blob: return []
    }
  }

  /// Returns the possible values of a table's column in one of the worlds; never empty, and without NULL.
  func pool(
    for column: ColumnSchema, isStrict: Bool, stored: [BoundValue], isExact: Bool, using random: inout SeededRandom
  ) -> [BoundValue] {
    let own =
      switch column.affinity {
      case .integer, .numeric: Self.integers
      case .real: Self.reals
      case .text: Self.texts
      case .blob: Self.integers + Self.texts
      }
    var pool: [BoundValue]
    // A column without a type may hold any compared value.
    let literals = exact.filter { column.affinity == .blob && !isStrict || Self.isOwn($0, of: column) }
    // One row may need to satisfy several conditions.
    if isExact, !literals.isEmpty { return literals }
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<2: pool = own
    case 2..<5: pool = Array(own.shuffled(using: &random).prefix(2) + named.shuffled(using: &random).prefix(6))
    case 5..<7: pool = stored.isEmpty ? own : stored
    case 7: pool = own + Self.strangers
    case 8: pool = column.affinity == .integer ? Self.integers + Self.extremes : named + own
    default: pool = Array((own + named + stored).shuffled(using: &random).prefix(1))
    }
    pool.removeAll { $0 == .null }
    if isStrict { pool = pool.filter { Self.isOwn($0, of: column) } }
    return pool.isEmpty ? own : pool
  }

  /// Returns a text made of words that the statement names.
  func words(using random: inout SeededRandom) -> BoundValue {
    let texts = named.compactMap { value in if case .text(let text) = value { text } else { nil } }
    let words = (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in texts.randomElement(using: &random) }
    return .text(words.joined(separator: " "))
  }

  /// Returns values of the same type as a bound value, because a piece of code always binds the same type.
  func bindings(like value: BoundValue) -> [BoundValue] {
    let all = named + Self.integers + Self.texts + Self.reals
    switch value {
    case .integer: return all.filter { if case .integer = $0 { true } else { false } } + Self.extremes.prefix(2)
    case .real: return all.filter { if case .text = $0 { false } else { true } }
    case .text: return all.filter { if case .text = $0 { true } else { false } }
    case .blob, .null: return [value]
    }
  }

  private static func isOwn(_ value: BoundValue, of column: ColumnSchema) -> Bool {
    if column.type.uppercased() == "ANY" { return true }
    return switch (column.affinity, value) {
    case (.integer, .integer), (.real, .real), (.real, .integer), (.text, .text), (.blob, .blob): true
    case (.numeric, .integer), (.numeric, .real): true
    default: false
    }
  }
}
