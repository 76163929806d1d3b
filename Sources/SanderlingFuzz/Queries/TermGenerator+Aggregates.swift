import Sanderling

/// Aggregates over associations: filtered, over folds, correlated, and nested.
extension TermGenerator {
  /// An aggregate over an association of the row; nil if the row has none.
  func aggregate(
    _ wanted: AggregateFunction? = nil, at position: RowPosition, depth: Int, isFiltered: Bool? = nil,
    overPath: Bool? = nil, where isWanted: (any ToManyLink) -> Bool = { _ in true }
  ) -> Operand? {
    var start = position
    if overPath ?? random.chance(12),
      let link = position.type.toOne.filter({ !$0.isFiltered }).randomElement(using: &random)
    {
      start = link.parent(from: position.scope)
    }
    guard let link = start.type.toMany.filter(isWanted).randomElement(using: &random) else { return nil }
    let functions: [AggregateFunction] = [
      .count, .count, .sum, .minimum, .maximum, .average, .countDistinct, .exists, .joined(", "),
    ]
    let function = wanted ?? random.element(of: functions)
    let hasFilter = isFiltered ?? random.chance(45)
    outer.append(position)
    defer { outer.removeLast() }
    let filter = { (rows: RowPosition) in self.condition(at: rows, depth: depth) }
    let term = link.aggregate(function, from: start.scope, filter: hasFilter ? filter : nil) { rows in
      self.argument(of: function, at: rows, depth: depth)
    }
    return Operand(term: term, kind: .integer)
  }

  /// Sums are over numbers, mostly over numbers whose sum is exact in any order.
  private func argument(of function: AggregateFunction, at rows: RowPosition, depth: Int) -> Term {
    switch function {
    case .sum, .average: return column(at: rows) { $0 == .integer || $0 == .flag }.term
    case .joined: return column(at: rows, where: \.isText).term
    default:
      if depth > 0, random.chance(15), let nested = aggregate(at: rows, depth: depth - 1) { return nested.term }
      return column(at: rows).term
    }
  }

  func aggregateCondition(at position: RowPosition, depth: Int) -> Term? {
    guard let operand = aggregate(at: position, depth: depth) else { return nil }
    if case .aggregate(let aggregate) = operand.term, aggregate.function == .exists {
      return random.chance(50) ? operand.term : !operand.term
    }
    return .binary(random.element(of: Self.comparisons), operand.term, .constant(.integer(Int64(random.number(0..<4)))))
  }

  /// An aggregate of folds, or over rows that a fold selects.
  func aggregateOfFolds(at position: RowPosition) -> Operand? {
    guard let link = position.type.toMany.randomElement(using: &random) else { return nil }
    let choosing = { (rows: RowPosition) -> Term in
      guard let fold = self.fold(at: rows) else { return self.flag(at: rows) }
      if self.random.chance(35) { return self.prefix(of: fold) }
      return .binary(self.random.element(of: Self.comparisons), fold.term, self.constant(.fold))
    }
    let function = random.element(of: [AggregateFunction.count, .count, .minimum, .maximum, .countDistinct, .exists])
    let term = link.aggregate(function, from: position.scope, filter: random.chance(75) ? choosing : nil) { rows in
      self.fold(at: rows)?.term ?? rows.column(0)
    }
    return Operand(term: term, kind: [.minimum, .maximum].contains(function) ? .fold : .integer)
  }

  /// An aggregate whose condition compares with the outer row.
  func correlatedAggregate(at position: RowPosition) -> Operand? {
    guard let link = position.type.toMany.randomElement(using: &random) else { return nil }
    let term = link.aggregate(.count, from: position.scope) { rows in
      let own = self.column(at: rows, parentPercent: 0)
      let around = self.column(at: position, parentPercent: 10) { $0 == own.kind || $0.isText && own.kind.isText }
      return .binary(self.random.element(of: Self.comparisons), own.term, self.comparable(around, with: own))
    } argument: { rows in
      self.column(at: rows).term
    }
    return Operand(term: term, kind: .integer)
  }

  /// An aggregate whose argument is an aggregate.
  func nestedAggregate(at position: RowPosition) -> Operand? {
    if random.chance(75), let term = addition(at: position, depth: random.chance(25) ? 2 : 1) {
      return Operand(term: term, kind: .integer)
    }
    let links = position.type.toMany.filter { link in
      var hasOwn = false
      _ = link.aggregate(.minimum, from: position.scope, filter: nil) { rows in
        hasOwn = !rows.type.toMany.isEmpty
        return rows.column(0)
      }
      return hasOwn
    }
    guard let link = links.randomElement(using: &random) else { return nil }
    let term = link.aggregate(random.element(of: [.sum, .maximum, .minimum]), from: position.scope, filter: nil) {
      rows in
      self.aggregate(.count, at: rows, depth: 1, overPath: false)?.term ?? rows.column(0)
    }
    return Operand(term: term, kind: .integer)
  }

  /// A count or a sum over rows that their own columns select, perhaps of counts and sums inside it. A change of a
  /// single row moves it by that row's share.
  private func addition(at position: RowPosition, depth: Int) -> Term? {
    let links = position.type.toMany.filter { !$0.isRecursive && (depth == 0 || leadsFurther($0, position)) }
    guard let link = links.randomElement(using: &random) else { return nil }
    let filter = { (rows: RowPosition) -> Term in
      let operand = self.column(at: rows, parentPercent: 0)
      return .binary(self.random.element(of: Self.comparisons), operand.term, self.constant(operand.kind))
    }
    let function: AggregateFunction = depth > 0 || random.chance(30) ? .sum : .count
    return link.aggregate(function, from: position.scope, filter: random.chance(45) ? filter : nil) { rows in
      let inner = depth > 0 ? self.addition(at: rows, depth: depth - 1) : nil
      return inner ?? self.column(at: rows, parentPercent: 0) { $0 == .integer || $0 == .flag }.term
    }
  }

  /// Whether the rows of an association have to-many associations themselves.
  private func leadsFurther(_ link: any ToManyLink, _ position: RowPosition) -> Bool {
    var leads = false
    _ = link.aggregate(.minimum, from: position.scope, filter: nil) { rows in
      leads = rows.type.toMany.contains { !$0.isRecursive }
      return rows.column(0)
    }
    return leads
  }

  /// An aggregate over rows that are selected through their own to-one associations.
  func aggregateOfParents(at position: RowPosition) -> Operand? {
    guard let link = position.type.toMany.randomElement(using: &random) else { return nil }
    let term = link.aggregate(random.element(of: [.count, .maximum, .countDistinct]), from: position.scope) { rows in
      guard let parent = rows.type.toOne.randomElement(using: &self.random)?.parent(from: rows.scope) else {
        return self.flag(at: rows)
      }
      return self.comparison(self.random.element(of: Self.comparisons), at: parent, depth: 0)
    } argument: { rows in
      self.column(at: rows, parentPercent: 50).term
    }
    return Operand(term: term, kind: .integer)
  }
}
