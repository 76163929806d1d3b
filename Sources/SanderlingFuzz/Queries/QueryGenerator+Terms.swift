import Sanderling

/// Constructs that are part of a condition, an ordering or the selected columns.
extension QueryGenerator {
  func condition(featuring construct: Construct, at position: RowPosition) -> Term? {
    func compare(_ op: BinaryOperator) -> Term { terms.comparison(op, at: position, depth: 1) }
    switch construct {
    case .equal: return compare(.equal)
    case .notEqual: return compare(.notEqual)
    case .less: return compare(.less)
    case .lessOrEqual: return compare(.lessOrEqual)
    case .greater: return compare(.greater)
    case .greaterOrEqual: return compare(.greaterOrEqual)
    case .is: return compare(.is)
    case .isNot: return compare(.isNot)
    case .and: return terms.condition(at: position, depth: 1) && terms.condition(at: position, depth: 1)
    case .or: return terms.condition(at: position, depth: 1) || terms.condition(at: position, depth: 1)
    case .not: return .unary(.not, terms.comparison(.equal, at: position, depth: 0))
    case .isNull: return .unary(.isNull, terms.column(at: position).term)
    case .isNotNull: return .unary(.isNotNull, terms.column(at: position).term)
    case .membership: return terms.membership(at: position)
    case .largeMembership: return terms.membership(at: position, isLarge: true)
    case .subquery: return terms.subquery(at: position)
    case .prefix: return terms.prefix(at: position)
    case .contains: return terms.contained(at: position)
    case .truthColumn: return terms.flag(at: position)
    case .nullComparison:
      return .binary(random.element(of: TermGenerator.comparisons), terms.column(at: position).term, .constant(.null))
    case .textComparison:
      return terms.textComparison(random.element(of: TermGenerator.comparisons), at: position, collation: .binary)
    case .nocaseComparison:
      return terms.textComparison(random.element(of: TermGenerator.comparisons), at: position, collation: .nocase)
    case .columnComparison: return terms.columnComparison(random.element(of: TermGenerator.comparisons), at: position)
    case .collate: return terms.collated(at: position)
    case .rawCondition: return terms.handwritten(at: position)
    case .foldComparison, .foldMembership, .foldPrefix, .foldContains: return folded(construct, at: position)
    case .wordsFound: return terms.search(in: .words, at: position)
    case .substringsFound: return terms.search(in: .substrings, at: position)
    case .prefixFound: return terms.search(in: .prefix, at: position)
    case .foundTogether: return terms.search(at: position, isTogether: true)
    case .foundInParent:
      guard let parent = position.type.toOne.randomElement(using: &random)?.parent(from: .root) else { return nil }
      return terms.search(at: parent)
    case .foundInAggregate: return terms.searchInAggregate(at: position)
    case .aggregateInCondition: return terms.aggregateCondition(at: position, depth: 1)
    case .parentInCondition:
      guard let parent = position.type.toOne.randomElement(using: &random)?.parent(from: .root) else { return nil }
      return terms.condition(at: parent, depth: 1)
    default: return nil
    }
  }

  func operand(featuring construct: Construct, at position: RowPosition) -> TermGenerator.Operand? {
    switch construct {
    case .add: return terms.arithmetic(.add, at: position, depth: 0)
    case .subtract: return terms.arithmetic(.subtract, at: position, depth: 0)
    case .multiply: return terms.arithmetic(.multiply, at: position, depth: 0)
    case .divide: return terms.arithmetic(.divide, at: position, depth: 0)
    case .remainder: return terms.arithmetic(.remainder, at: position, depth: 0)
    case .concatenate: return terms.concatenation(at: position)
    case .negate: return terms.negation(at: position)
    case .absolute: return terms.function(.absolute, at: position, depth: 0)
    case .coalesce: return terms.function(.coalesce, at: position, depth: 0)
    case .length: return terms.function(.length, at: position, depth: 0)
    case .lowercased: return terms.function(.lowercased, at: position, depth: 0)
    case .uppercased: return terms.function(.uppercased, at: position, depth: 0)
    case .round: return terms.function(.round, at: position, depth: 0)
    case .day: return terms.day(at: position)
    case .foldOfParent:
      guard let parent = position.type.toOne.randomElement(using: &random)?.parent(from: .root) else { return nil }
      return terms.fold(at: parent, parentPercent: 10)
    case .foldInAggregate: return terms.aggregateOfFolds(at: position)
    case .grandparent:
      let links = position.type.toOne.map { $0.parent(from: .root) }.filter { !$0.type.toOne.isEmpty }
      guard let parent = links.randomElement(using: &random),
        let grandparent = parent.type.toOne.randomElement(using: &random)
      else { return nil }
      return terms.column(at: grandparent.parent(from: parent.scope), parentPercent: 0)
    case .filteredParent: return parentColumn(at: position) { $0.isFiltered }
    case .compositeParent: return parentColumn(at: position) { $0.isComposite }
    case .count: return terms.aggregate(.count, at: position, depth: 1, isFiltered: false)
    case .filteredCount: return terms.aggregate(.count, at: position, depth: 1, isFiltered: true)
    case .exists: return terms.aggregate(.exists, at: position, depth: 1)
    case .sum: return terms.aggregate(.sum, at: position, depth: 1)
    case .minimum: return terms.aggregate(.minimum, at: position, depth: 1)
    case .maximum: return terms.aggregate(.maximum, at: position, depth: 1)
    case .average: return terms.aggregate(.average, at: position, depth: 1)
    case .countDistinct: return terms.aggregate(.countDistinct, at: position, depth: 1)
    case .joined: return terms.aggregate(.joined("; "), at: position, depth: 1)
    case .aggregateOverPath: return terms.aggregate(at: position, depth: 1, overPath: true)
    case .recursive: return terms.aggregate(at: position, depth: 1, overPath: false) { $0.isRecursive }
    case .through: return terms.aggregate(at: position, depth: 1, overPath: false) { $0.goesThroughOthers }
    case .nestedAggregate: return terms.nestedAggregate(at: position)
    case .outerRow: return terms.correlatedAggregate(at: position)
    case .aggregateOfParents: return terms.aggregateOfParents(at: position)
    default: return nil
    }
  }

  /// A condition about folds, sometimes negated.
  private func folded(_ construct: Construct, at position: RowPosition) -> Term? {
    guard let fold = terms.fold(at: position) else { return nil }
    let condition: Term =
      switch construct {
      case .foldMembership:
        .membership(
          fold.term, Members((0..<random.number(1..<7)).map { _ in world.pool.natural(.fold, using: &random) }))
      case .foldPrefix: terms.prefix(of: fold)
      case .foldContains: terms.contained(inFold: fold)
      default: .binary(random.element(of: TermGenerator.comparisons), fold.term, terms.constant(.fold))
      }
    return random.chance(25) ? .unary(.not, condition) : condition
  }

  private func parentColumn(at position: RowPosition, where isWanted: (any ToOneLink) -> Bool) -> TermGenerator.Operand?
  {
    guard let link = position.type.toOne.filter(isWanted).randomElement(using: &random) else { return nil }
    return terms.column(at: link.parent(from: position.scope), parentPercent: 0)
  }

  /// Puts a term into a condition, an ordering or the selected columns.
  func use(_ operand: TermGenerator.Operand, as construct: Construct, in statement: inout SelectStatement) {
    // Swift evaluates operators and functions in conditions and orderings, but not in selected columns.
    switch operand.term.containsAggregate ? random.number(0..<6) : random.element(of: [0, 0, 0, 0, 0, 2, 2, 3, 4]) {
    case 0, 1:
      let op = random.element(of: TermGenerator.comparisons)
      add(.binary(op, operand.term, terms.constant(operand.kind)), to: &statement)
    case 2: statement.orderings = [ordering(operand.term)] + statement.orderings.prefix(1)
    case 3:
      statement.orderings = [ordering(operand.term)]
      statement.columns.append(operand.term)
    default: statement.columns.append(operand.term)
    }
  }
}
