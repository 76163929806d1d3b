import Sanderling

/// Makes conditions over a row's own columns, so small that each operator decides about many rows.
///
/// Many of them read truth values as values. This shows whether a truth value is false or unknown, and prevents routes
/// from splitting the condition.
struct SmallConditions {
  enum Kind: CaseIterable {
    case comparison, comparisonOfKinds, arithmetic, divided, function, cased, membership, prefix, nullTest, negated
    case truthTest, connected, columns, collated, contained, found, truthOfConnected
  }

  let terms: TermGenerator

  init(_ terms: TermGenerator) {
    self.terms = terms
  }

  private var random: SeededGenerator {
    get { terms.random }
    nonmutating set { terms.random = newValue }
  }

  // MARK: Values

  /// A column of the row, mostly a column that accepts NULL.
  func column(
    at position: RowPosition, where isWanted: (ColumnKind) -> Bool = { _ in true }
  ) -> TermGenerator.Operand {
    if isWanted(.fold), random.chance(18), let fold = position.folds.randomElement(using: &random) {
      return TermGenerator.Operand(term: fold, kind: .fold)
    }
    let type = position.type
    let all = type.kinds.indices.filter { isWanted(type.kinds[$0]) }
    let nullable = all.filter { type.table.columns[$0].acceptsNull }
    let index = random.chance(60) ? nullable.randomElement(using: &random) : all.randomElement(using: &random)
    guard let index = index ?? all.randomElement(using: &random) else {
      return terms.column(at: position, parentPercent: 0)
    }
    return TermGenerator.Operand(term: position.column(index), kind: type.kinds[index])
  }

  /// A value to compare with: mostly one that the column holds, otherwise one that needs conversion or can't be
  /// converted.
  private func constant(_ kind: ColumnKind) -> Term {
    .constant(value(kind, mixedPercent: 15))
  }

  private func value(_ kind: ColumnKind, mixedPercent: Int) -> StorageValue {
    let pool = ValuePool(mixedPercent: mixedPercent, nullPercent: 3)
    return pool.value(kind, using: &random)
  }

  /// A value of the other type: the number of a column as a text, or the number that a text spells.
  private func converted(_ kind: ColumnKind) -> StorageValue {
    if kind == .fold { return value(kind, mixedPercent: 0) }
    if kind.isText { return random.chance(50) ? .integer(random.element(of: [1, 12])) : .real(1) }
    let number = random.number(-2..<7)
    return .text(random.element(of: ["\(number)", "\(number)", "\(number).0", " \(number)", "\(number)x", ""]))
  }

  private func arithmetic(_ op: BinaryOperator, at position: RowPosition) -> TermGenerator.Operand {
    let left = column(at: position, where: \.isNumber).term
    let number = Int64(random.element(of: [-3, -2, -1, 0, 0, 2, 3]))
    let right: Term =
      random.chance(40)
      ? column(at: position, where: \.isNumber).term
      : .constant(random.chance(80) ? .integer(number) : .real(Double(number) + 0.5))
    let term: Term = random.chance(70) ? .binary(op, left, right) : .binary(op, right, left)
    return TermGenerator.Operand(term: term, kind: .integer)
  }

  private func function(at position: RowPosition) -> TermGenerator.Operand {
    switch random.number(0..<6) {
    case 0:
      return TermGenerator.Operand(term: .unary(.negate, column(at: position, where: \.isNumber).term), kind: .integer)
    case 1:
      return TermGenerator.Operand(
        term: .function(.absolute, [column(at: position, where: \.isNumber).term]), kind: .integer)
    case 2: return terms.function(.round, at: position, depth: 0)
    case 3:
      let text = column(at: position) { $0.isText || $0 == .blob }.term
      return TermGenerator.Operand(term: .function(.length, [text]), kind: .integer)
    case 4:
      let first = column(at: position)
      let second = random.chance(50) ? constant(first.kind) : column(at: position).term
      return TermGenerator.Operand(term: .function(.coalesce, [first.term, second]), kind: first.kind)
    default:
      let left = column(at: position, where: \.isText).term
      let right = random.chance(50) ? column(at: position).term : constant(.text)
      return TermGenerator.Operand(term: .binary(.concatenate, left, right), kind: .text)
    }
  }

  private func cased(at position: RowPosition) -> Term {
    .function(random.element(of: [.lowercased, .uppercased]), [column(at: position, where: \.isText).term])
  }

  // MARK: Conditions

  func anyCondition(at position: RowPosition, depth: Int) -> Term {
    condition(random.element(of: Kind.allCases), at: position, depth: depth)
  }

  /// - Parameter depth: The greatest depth of nested operators.
  func condition(_ kind: Kind, at position: RowPosition, depth: Int) -> Term {
    switch kind {
    case .comparison:
      let operand = column(at: position)
      return comparison(operand.term, constant(operand.kind))
    case .comparisonOfKinds:
      let operand = column(at: position) { $0.isNumber || $0.isText }
      return comparison(operand.term, .constant(converted(operand.kind)))
    case .arithmetic: return decided(arithmetic(random.element(of: [.add, .subtract, .multiply]), at: position))
    case .divided: return decided(arithmetic(random.element(of: [.divide, .remainder]), at: position))
    case .function: return decided(function(at: position))
    case .cased: return casedCondition(at: position)
    case .membership: return membership(at: position)
    case .prefix:
      let text = column(at: position, where: \.isText)
      return text.kind == .fold ? terms.prefix(of: text) : prefix(text.term)
    case .nullTest:
      let operand = random.chance(50) ? column(at: position) : function(at: position)
      return .unary(random.element(of: [.isNull, .isNotNull]), operand.term)
    case .negated: return .unary(.not, part(at: position, depth))
    case .truthTest: return truthTest(part(at: position, depth))
    case .connected: return connected(at: position, depth)
    case .truthOfConnected: return truthTest(connected(at: position, depth))
    case .columns:
      let left = column(at: position)
      let right = column(at: position) { random.chance(20) || $0 == left.kind || $0.isText && left.kind.isText }
      return comparison(left.term, terms.comparable(right, with: left))
    case .collated:
      let operand = column(at: position, where: \.isText)
      let kind = operand.kind == .fold ? ColumnKind.fold : .text
      let text = Term.collate(operand.term, random.element(of: [.nocase, .rtrim, .binary]))
      return random.chance(60) ? comparison(text, constant(kind)) : .membership(text, members(kind))
    case .found: return terms.search(at: position, isOwn: true) ?? anyCondition(at: position, depth: depth)
    case .contained:
      let text = column(at: position, where: \.isText)
      if text.kind == .fold, random.chance(50) { return terms.contained(inFold: text) }
      let place = Term.function(.position, [text.term, .constant(value(text.kind, mixedPercent: 0))])
      return comparison(place, .literal(.integer(Int64(random.number(0..<3)))))
    }
  }

  /// A condition inside another: it is unknown for some rows, and mostly no index can serve it.
  private func part(at position: RowPosition, _ depth: Int) -> Term {
    if depth > 0, random.chance(30) { return anyCondition(at: position, depth: depth - 1) }
    let simple: [Kind] = [
      .comparison, .arithmetic, .divided, .function, .membership, .columns, .cased, .prefix, .comparisonOfKinds, .found,
    ]
    return condition(random.element(of: simple), at: position, depth: 0)
  }

  private func connected(at position: RowPosition, _ depth: Int) -> Term {
    let (left, right) = (part(at: position, depth), part(at: position, depth))
    return random.chance(50) ? left && right : left || right
  }

  /// Reads the truth value of a condition as a value, such as in a comparison or a test for NULL.
  private func truthTest(_ condition: Term) -> Term {
    let truth = Term.literal(.integer(random.chance(50) ? 1 : 0))
    return switch random.number(0..<6) {
    case 0, 1: .unary(.isNull, condition)
    case 2: .unary(.isNotNull, condition)
    case 3: .binary(random.element(of: [.is, .isNot, .notEqual]), condition, truth)
    case 4: .binary(.equal, .function(.coalesce, [condition, truth]), .constant(.integer(1)))
    default: .binary(random.element(of: [.less, .greaterOrEqual]), condition, .constant(.integer(1)))
    }
  }

  private func comparison(_ lhs: Term, _ rhs: Term) -> Term {
    let op = random.element(of: TermGenerator.comparisons)
    return random.chance(75) ? .binary(op, lhs, rhs) : .binary(op, rhs, lhs)
  }

  private func decided(_ operand: TermGenerator.Operand) -> Term {
    switch random.number(0..<6) {
    case 0: .unary(random.element(of: [.isNull, .isNotNull]), operand.term)
    case 1: .membership(operand.term, members(operand.kind))
    default: comparison(operand.term, constant(operand.kind))
    }
  }

  private func casedCondition(at position: RowPosition) -> Term {
    let text = cased(at: position)
    if random.chance(25) { return prefix(text) }
    return random.chance(25) ? .membership(text, members(.text)) : comparison(text, constant(.text))
  }

  private func membership(at position: RowPosition) -> Term {
    let operand = column(at: position)
    return .membership(operand.term, members(operand.kind))
  }

  /// Members of the column's own kind and of others, sometimes with NULL.
  private func members(_ kind: ColumnKind) -> Members {
    let count = random.number(1..<6)
    return Members(
      (0..<count).map { _ in
        random.chance(35) && (kind.isText || kind.isNumber) ? converted(kind) : value(kind, mixedPercent: 10)
      })
  }

  private func prefix(_ text: Term) -> Term {
    guard case .text(let value) = value(.text, mixedPercent: 0) else { return .prefix(text, "a") }
    return .prefix(text, ExactText(String(value.unicodeScalars.prefix(random.number(1..<3)))))
  }
}
