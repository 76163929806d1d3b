import Sanderling

/// Makes terms over the rows of a query and their associated rows.
final class TermGenerator {
  /// A term and the kind of its values.
  struct Operand {
    let term: Term
    let kind: ColumnKind
  }

  var random: SeededGenerator
  let pool: ValuePool
  /// The outer rows of the current aggregate.
  var outer: [RowPosition] = []

  init(_ pool: ValuePool, random: SeededGenerator) {
    self.pool = pool
    self.random = random
  }

  // MARK: Values

  /// A column of the row or, in some cases, of a row at the end of to-one associations. If none of the wanted kind is
  /// near, it has another kind.
  func column(
    at position: RowPosition, parentPercent: Int = 12, where isWanted: (ColumnKind) -> Bool = { _ in true }
  ) -> Operand {
    var row = position
    for _ in 0..<3 {
      let own = operands(of: row).filter { isWanted($0.kind) }
      if let operand = own.randomElement(using: &random), row.type.toOne.isEmpty || !random.chance(parentPercent) {
        return operand
      }
      if let link = row.type.toOne.randomElement(using: &random) { row = link.parent(from: row.scope) }
    }
    let index = random.number(0..<position.type.kinds.count)
    return Operand(term: position.column(index), kind: position.type.kinds[index])
  }

  /// The columns of a row, and the folds of the searchable ones.
  private func operands(of row: RowPosition) -> [Operand] {
    row.type.kinds.indices.map { Operand(term: row.column($0), kind: row.type.kinds[$0]) }
      + row.folds.map { Operand(term: $0, kind: .fold) }
  }

  /// The fold of a column of the row or of a row at the end of to-one associations; nil if there is none near.
  func fold(at position: RowPosition, parentPercent: Int = 20) -> Operand? {
    let operand = column(at: position, parentPercent: parentPercent) { $0 == .fold }
    return operand.kind == .fold ? operand : nil
  }

  func constant(_ kind: ColumnKind) -> Term {
    if random.chance(2) { return .constant(.null) }
    let value = pool.nonNull(kind, using: &random)
    return kind == .flag && random.chance(70) ? .literal(value) : .constant(value)
  }

  func operand(at position: RowPosition, depth: Int) -> Operand {
    guard depth > 0, random.chance(25) else { return column(at: position) }
    return switch random.number(0..<8) {
    case 0:
      arithmetic(random.element(of: [.add, .subtract, .multiply, .divide, .remainder]), at: position, depth: depth)
    case 1: function(random.element(of: [.absolute, .round, .coalesce]), at: position, depth: depth)
    case 2: function(random.element(of: [.length, .lowercased, .uppercased]), at: position, depth: depth)
    case 3: function(.coalesce, at: position, depth: depth)
    case 4: concatenation(at: position)
    case 5: negation(at: position)
    default: aggregate(at: position, depth: depth - 1) ?? column(at: position)
    }
  }

  func arithmetic(_ op: BinaryOperator, at position: RowPosition, depth: Int) -> Operand {
    let left = column(at: position, where: \.isNumber)
    let divides = op == .divide || op == .remainder
    let right =
      random.chance(50)
      ? column(at: position, where: \.isNumber).term
      : divides && random.chance(40) ? .constant(.integer(0)) : constant(.integer)
    return Operand(term: .binary(op, left.term, right), kind: .integer)
  }

  func negation(at position: RowPosition) -> Operand {
    Operand(term: .unary(.negate, column(at: position, where: \.isNumber).term), kind: .integer)
  }

  func concatenation(at position: RowPosition) -> Operand {
    let left = column(at: position, where: \.isText).term
    let right = random.chance(50) ? column(at: position).term : constant(.text)
    return Operand(term: .binary(.concatenate, left, right), kind: .text)
  }

  func function(_ function: Function, at position: RowPosition, depth: Int) -> Operand {
    switch function {
    case .absolute:
      return Operand(term: .function(.absolute, [column(at: position, where: \.isNumber).term]), kind: .integer)
    case .round:
      let places: [Term] = random.chance(50) ? [.literal(.integer(Int64(random.number(0..<3))))] : []
      return Operand(term: .function(.round, [column(at: position, where: \.isNumber).term] + places), kind: .real)
    case .length: return Operand(term: .function(.length, [column(at: position, where: \.isText).term]), kind: .integer)
    case .lowercased, .uppercased:
      return Operand(term: .function(function, [column(at: position, where: \.isText).term]), kind: .text)
    case .coalesce:
      let first = column(at: position)
      let second = random.chance(60) ? constant(first.kind) : column(at: position) { $0 == first.kind }.term
      return Operand(term: .function(.coalesce, [first.term, second]), kind: first.kind)
    case .when:
      let value = column(at: position)
      return Operand(term: .function(.when, [condition(at: position, depth: 0), value.term]), kind: value.kind)
    case .day:
      return day(at: position)
    case .folded: return fold(at: position) ?? column(at: position, where: \.isText)
    case .matches: return Operand(term: search(at: position) ?? flag(at: position), kind: .flag)
    case .jsonPart:
      return Operand(
        term: .function(function, [column(at: position, where: \.isText).term, .literal(.text("$"))]), kind: .text)
    case .jsonContains:
      let arguments = [column(at: position, where: \.isText).term, .literal(.text("$")), constant(.integer)]
      return Operand(term: .function(function, arguments), kind: .flag)
    case .relevance: return relevance(at: position) ?? column(at: position, where: \.isNumber)
    case .position:
      let text = column(at: position, where: \.isText)
      let kind = text.kind == .fold ? ColumnKind.fold : .text
      return Operand(
        term: .function(.position, [text.term, .constant(pool.natural(kind, using: &random))]), kind: .integer)
    }
  }

  /// The day of a date or, in some cases, of another number. In the chosen zones days begin at odd times, are left out
  /// or come twice.
  func day(at position: RowPosition) -> Operand {
    let zone = Term.literal(
      .text(random.element(of: ["Europe/Berlin", "GMT", "Pacific/Apia", "America/St_Johns", "Asia/Kathmandu"])))
    let instant = column(at: position, parentPercent: 5) { $0 == .date }
    // A text is left out, because SQLite compares it with numbers differently.
    let number = random.chance(85) && instant.kind.isNumber ? instant : column(at: position, where: \.isNumber)
    let form = random.chance(80) ? 0 : random.number(1..<3)
    return Operand(term: .function(.day, [number.term, zone, .literal(.integer(Int64(form)))]), kind: .day)
  }

  // MARK: Conditions

  static let comparisons: [BinaryOperator] = [
    .equal, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .is, .isNot,
  ]

  func condition(at position: RowPosition, depth: Int) -> Term {
    switch random.number(0..<100) {
    case 0..<32: return comparison(random.element(of: Self.comparisons), at: position, depth: depth)
    case 32..<36: return search(at: position) ?? flag(at: position)
    case 36..<42: return columnComparison(random.element(of: Self.comparisons), at: position)
    case 42..<50: return membership(at: position)
    case 50..<57: return .unary(random.element(of: [.isNull, .isNotNull]), operand(at: position, depth: depth).term)
    case 57..<65: return flag(at: position)
    case 65..<69: return prefix(at: position)
    case 69..<72: return contained(at: position)
    case 72..<92 where depth > 0:
      let first = condition(at: position, depth: depth - 1)
      switch random.number(0..<5) {
      case 0: return !first
      case 1, 2: return first && condition(at: position, depth: depth - 1)
      default: return first || condition(at: position, depth: depth - 1)
      }
    case 92..<100 where depth > 0:
      return aggregateCondition(at: position, depth: depth - 1) ?? flag(at: position)
    default: return comparison(random.element(of: Self.comparisons), at: position, depth: depth)
    }
  }

  func comparison(_ op: BinaryOperator, at position: RowPosition, depth: Int) -> Term {
    if let around = outer.randomElement(using: &random), random.chance(35) {
      let operand = column(at: position)
      return .binary(op, operand.term, comparable(column(at: around) { $0 == operand.kind }, with: operand))
    }
    let operand = operand(at: position, depth: depth)
    if op == .is || op == .isNot, random.chance(35) { return .binary(op, operand.term, .constant(.null)) }
    if random.chance(15) { return .binary(op, constant(operand.kind), operand.term) }
    return .binary(op, operand.term, constant(operand.kind))
  }

  func textComparison(_ op: BinaryOperator, at position: RowPosition, collation: Collation?) -> Term {
    let index = position.type.table.columns.indices.filter { index in
      let column = position.type.table.columns[index]
      return position.type.kinds[index].isText && (collation == nil || column.collation == collation)
    }.randomElement(using: &random)
    guard let index else { return comparison(op, at: position, depth: 0) }
    return .binary(op, position.column(index), constant(.text))
  }

  func columnComparison(_ op: BinaryOperator, at position: RowPosition) -> Term {
    let left = column(at: position)
    let right = column(at: position, parentPercent: 30) { $0 == left.kind || $0.isText && left.kind.isText }
    return .binary(op, left.term, comparable(right, with: left))
  }

  /// The right operand of a comparison, or a constant if it doesn't suit: folds are compared with texts only.
  func comparable(_ right: Operand, with left: Operand) -> Term {
    let isOdd = left.kind == .fold && !right.kind.isText || right.kind == .fold && !left.kind.isText
    return isOdd ? constant(left.kind) : right.term
  }

  func flag(at position: RowPosition) -> Term {
    let term = column(at: position) { $0 == .flag }.term
    return random.chance(60) ? term.asCondition : !term
  }

  func membership(at position: RowPosition, isLarge: Bool = false) -> Term {
    if isLarge {
      let operand = column(at: position) { $0 == .integer || $0.isText }
      let many: [StorageValue] =
        operand.kind.isText
        ? (0..<560).map { .text("t\($0)") } + (0..<12).map { _ in pool.natural(.text, using: &random) }
        : (-1..<570).map { .integer($0) }
      return .membership(operand.term, Members(many))
    }
    let operand = operand(at: position, depth: 1)
    let count = random.element(of: [0, 1, 2, 3, 5, 9])
    return .membership(operand.term, Members((0..<count).map { _ in pool.nonNull(operand.kind, using: &random) }))
  }

  func prefix(at position: RowPosition) -> Term {
    prefix(of: column(at: position, where: \.isText))
  }

  /// Whether a text begins with a random text. If the text is a fold, the public interface folds the random text.
  func prefix(of text: Operand) -> Term {
    guard case .text(let value) = pool.natural(.text, using: &random) else { return .prefix(text.term, "a") }
    let prefix = String(value.unicodeScalars.prefix(random.number(0..<(text.kind == .fold ? 5 : 3))))
    return Field<String>(text.term, as: String.self).hasPrefix(prefix).term
  }

  /// Whether a fold contains another text, which the public interface folds.
  func contained(inFold text: Operand) -> Term {
    guard case .text(let value) = pool.natural(.text, using: &random) else { return .prefix(text.term, "a") }
    return Field<String>(text.term, as: String.self).contains(String(value.unicodeScalars.prefix(random.number(1..<4))))
      .term
  }

  func contained(at position: RowPosition) -> Term {
    .binary(.greater, function(.position, at: position, depth: 0).term, .literal(.integer(0)))
  }

  func collated(at position: RowPosition) -> Term {
    let operand = column(at: position, where: \.isText)
    let text = Term.collate(operand.term, random.element(of: [.nocase, .nocase, .binary, .rtrim]))
    return .binary(random.element(of: Self.comparisons), text, constant(operand.kind == .fold ? .fold : .text))
  }

  func subquery(at position: RowPosition) -> Term {
    let operand = column(at: position) { [.placeKey, .crateKey, .loginKey, .word, .integer].contains($0) }
    let sources = fuzzRecords.filter { $0.kinds.contains(operand.kind) }
    let source = RowPosition(type: random.element(of: sources))
    let enclosing = outer
    outer = []
    defer { outer = enclosing }
    var statement = SelectStatement(
      source: .table(RecordType(source.type)),
      columns: [column(at: source, parentPercent: 0) { $0 == operand.kind }.term])
    statement.condition = condition(at: source, depth: 1)
    let query = Selection<Place, AnyValue>(statement: statement) {
      try $0.value(at: 0, as: AnyValue.self)
    } decodeAll: { _ in
      []
    }
    return Field<AnyValue>(operand.term, as: AnyValue.self).in(query).term
  }

  func handwritten(at position: RowPosition) -> Term {
    let operand = column(at: position, parentPercent: 0)
    return .raw([.term(operand.term), .sql(" IS NOT "), .value(pool.nonNull(operand.kind, using: &random))])
  }
}
