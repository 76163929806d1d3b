import Foundation

@testable import Sanderling

/// An expression of a predicate without its type, so that random expressions nest.
struct Erased<Output: Sendable>: StandardPredicateExpression, TranslatableExpression {
  let base: any StandardPredicateExpression<Output>

  init(_ base: any StandardPredicateExpression<Output>) { self.base = base }

  func evaluate(_ bindings: PredicateBindings) throws -> Output { try base.evaluate(bindings) }
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand { try translation.operand(base) }
  func encode(to encoder: any Encoder) throws { try base.encode(to: encoder) }
  init(from decoder: any Decoder) throws { throw CancellationError() }
}

private typealias P = PredicateExpressions

/// Makes random predicates of the supported grammar on a chore.
struct PredicateGenerator {
  var generator: SeededGenerator
  /// The variables in scope, with their depth.
  private var chores: [Erased<Chore>] = []
  private var steps: [Erased<Step>] = []

  init(generator: SeededGenerator) { self.generator = generator }

  mutating func predicate(_ depth: Int) -> Predicate<Chore> {
    var copy = self
    let result = Predicate<Chore> { chore in
      copy.chores = [Erased(chore)]
      return copy.bool(depth).base
    }
    generator = copy.generator
    return result
  }

  private mutating func pick(_ count: Int) -> Int { generator.next(count) }
  private mutating func chore() -> Erased<Chore> { generator.element(chores) }
  private func value<T: Codable & Sendable>(_ value: T) -> Erased<T> { Erased(P.build_Arg(value)) }

  private func at<T: Sendable, R: Sendable>(_ root: Erased<R>, _ keyPath: KeyPath<R, T> & Sendable) -> Erased<T> {
    Erased(P.build_KeyPath(root: root, keyPath: keyPath))
  }

  // MARK: Numbers and texts

  private mutating func int(_ depth: Int) -> Erased<Int> {
    let chore = chore()
    guard depth > 0 else {
      if !steps.isEmpty, pick(3) == 0 {
        return Erased(P.build_NilCoalesce(lhs: at(generator.element(steps), \.minutes), rhs: value(pick(4))))
      }
      switch pick(4) {
      case 0: return value(pick(9) - 4)
      case 1: return Erased(P.build_NilCoalesce(lhs: at(chore, \.rank), rhs: value(pick(5) - 2)))
      case 2: return Erased(P.build_KeyPath(root: at(chore, \.steps), keyPath: \.count))
      default: return at(chore, \.size)
      }
    }
    switch pick(10) {
    case 0: return Erased(P.build_Arithmetic(lhs: int(depth - 1), rhs: int(depth - 1), op: .add))
    case 1: return Erased(P.build_Arithmetic(lhs: int(depth - 1), rhs: int(depth - 1), op: .subtract))
    case 2: return Erased(P.build_Arithmetic(lhs: int(0), rhs: int(0), op: .multiply))
    case 3: return Erased(P.build_Division(lhs: int(depth - 1), rhs: value(generator.element([-3, -2, 2, 3]))))
    case 4: return Erased(P.build_Remainder(lhs: int(depth - 1), rhs: value(generator.element([-3, -2, 2, 3]))))
    case 5: return Erased(P.build_UnaryMinus(int(depth - 1)))
    case 6: return Erased(P.build_Conditional(bool(depth - 1), int(depth - 1), int(depth - 1)))
    case 7: return Erased(P.build_KeyPath(root: text(0), keyPath: \.count))
    case 8: return at(at(chore, \.level), \.rawValue)
    default: return Erased(P.build_KeyPath(root: filtered(depth - 1), keyPath: \.count))
    }
  }

  private mutating func real(_ depth: Int) -> Erased<Double> {
    let chore = chore()
    switch pick(depth > 0 ? 8 : 4) {
    case 0: return value(generator.element([-1.5, 0, 0.1, 2, .infinity, .nan]))
    case 1: return Erased(P.build_NilCoalesce(lhs: at(chore, \.cost), rhs: value(generator.element([0, 0.1, 3]))))
    case 2, 3: return at(chore, \.weight)
    case 4: return Erased(P.build_Arithmetic(lhs: real(depth - 1), rhs: real(depth - 1), op: .add))
    case 5: return Erased(P.build_Arithmetic(lhs: real(depth - 1), rhs: real(depth - 1), op: .subtract))
    case 6: return Erased(P.build_Arithmetic(lhs: real(0), rhs: real(0), op: .multiply))
    default: return Erased(P.build_Division(lhs: real(depth - 1), rhs: value(generator.element([-0.5, 2, 3]))))
    }
  }

  private mutating func text(_ depth: Int) -> Erased<String> {
    let chore = chore()
    switch pick(6) {
    case 0: return value(generator.element(HouseWorld.texts))
    case 1: return Erased(P.build_NilCoalesce(lhs: at(chore, \.note), rhs: value(generator.element(HouseWorld.texts))))
    case 2:
      return Erased(
        P.build_NilCoalesce(
          lhs: P.build_flatMap(at(chore, \.house)) { P.build_KeyPath(root: $0, keyPath: \.name) },
          rhs: value(generator.element(HouseWorld.texts))))
    case 3 where depth > 0: return Erased(P.build_Conditional(bool(depth - 1), text(depth - 1), text(depth - 1)))
    case 4 where !steps.isEmpty: return at(generator.element(steps), \.text)
    default: return at(chore, \.title)
    }
  }

  private mutating func optionalInt() -> Erased<Int?> {
    let chore = chore()
    switch pick(5) {
    case 0: return value(pick(2) == 0 ? nil : pick(5) - 2)
    case 1: return Erased(P.build_flatMap(at(chore, \.house)) { P.build_KeyPath(root: $0, keyPath: \.rooms) })
    case 2:
      return Erased(
        P.build_flatMap(at(chore, \.house)) { house in
          P.build_flatMap(P.build_KeyPath(root: house, keyPath: \.parent)) {
            P.build_KeyPath(root: $0, keyPath: \.rooms)
          }
        })
    case 3:
      var copy = self
      let result = Erased<Int?>(
        P.build_flatMap(at(chore, \.rank)) { rank in
          P.build_Arithmetic(lhs: rank, rhs: copy.int(0), op: .add)
        })
      generator = copy.generator
      return result
    default: return at(chore, \.rank)
    }
  }

  // MARK: Conditions

  private mutating func bool(_ depth: Int) -> Erased<Bool> {
    guard depth > 0 else { return leaf() }
    switch pick(12) {
    case 0, 1: return Erased(P.build_Conjunction(lhs: bool(depth - 1), rhs: bool(depth - 1)))
    case 2, 3: return Erased(P.build_Disjunction(lhs: bool(depth - 1), rhs: bool(depth - 1)))
    case 4, 5: return Erased(P.build_Negation(bool(depth - 1)))
    case 6: return Erased(P.build_Conditional(bool(depth - 1), bool(depth - 1), bool(depth - 1)))
    case 7: return overSteps(depth - 1)
    case 8: return Erased(P.build_NilCoalesce(lhs: optionalBool(depth - 1), rhs: bool(depth - 1)))
    case 9:
      let (lhs, rhs) = (optionalBool(depth - 1), value(generator.element([true, false, nil])))
      return pick(2) == 0 ? Erased(P.build_Equal(lhs: lhs, rhs: rhs)) : Erased(P.build_NotEqual(lhs: lhs, rhs: rhs))
    case 10: return Erased(P.build_Equal(lhs: bool(depth - 1), rhs: bool(depth - 1)))
    default: return comparison(depth - 1)
    }
  }

  private mutating func leaf() -> Erased<Bool> {
    let chore = chore()
    switch pick(16) {
    case 0: return at(chore, \.isDone)
    case 1: return Erased(P.build_Equal(lhs: at(chore, \.isFun), rhs: value(generator.element([true, false, nil]))))
    case 2: return Erased(P.build_NotEqual(lhs: at(chore, \.note), rhs: value(generator.element([nil, "a", "ab"]))))
    case 3: return Erased(P.build_contains(text(0), text(0)))
    case 4: return Erased(P.build_starts(text(0), with: text(0)))
    case 5: return Erased(P.build_contains(value([1, 2, -1]), int(0)))
    case 6: return Erased(P.build_contains(value([1, nil, -1]), optionalInt()))
    case 7: return Erased(P.build_contains(P.build_ClosedRange(lower: value(-1), upper: value(pick(4))), int(0)))
    case 8: return Erased(P.build_contains(value(Date(at: 1)..<Date(at: 3)), at(chore, \.made)))
    case 9: return Erased(P.build_Equal(lhs: at(chore, \.level), rhs: value(generator.element(Level.allCases))))
    case 10: return Erased(P.build_NotEqual(lhs: at(chore, \.kind), rhs: value(generator.element([nil, Kind.inside]))))
    case 11: return Erased(P.build_Equal(lhs: at(chore, \.house), rhs: P.build_NilLiteral()))
    case 12: return Erased(P.build_starts(at(chore, \.title), with: text(0)))
    case 13: return at(chore, \.isHeavy)
    case 14:
      return Erased(
        P.build_contains(value(["a", "b é", "x"]), where: { P.build_contains(at(chore, \.title), $0) }))
    default:
      return Erased(P.build_Equal(lhs: at(chore, \.code), rhs: value(UUID(UInt64(pick(4))))))
    }
  }

  private mutating func comparison(_ depth: Int) -> Erased<Bool> {
    let op = generator.element(
      [P.ComparisonOperator.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual])
    switch pick(9) {
    case 0: return Erased(P.build_Comparison(lhs: int(depth), rhs: int(depth), op: op))
    case 1: return Erased(P.build_Comparison(lhs: real(depth), rhs: real(depth), op: op))
    case 2: return Erased(P.build_Equal(lhs: real(depth), rhs: real(depth)))
    case 3: return Erased(P.build_NotEqual(lhs: real(depth), rhs: real(depth)))
    case 4: return Erased(P.build_Equal(lhs: optionalInt(), rhs: optionalInt()))
    case 5: return Erased(P.build_NotEqual(lhs: optionalInt(), rhs: optionalInt()))
    case 6: return Erased(P.build_Comparison(lhs: text(depth), rhs: text(depth), op: op))
    case 7: return Erased(P.build_Equal(lhs: text(depth), rhs: text(depth)))
    default: return Erased(P.build_NotEqual(lhs: int(depth), rhs: int(depth)))
    }
  }

  private mutating func optionalBool(_ depth: Int) -> Erased<Bool?> {
    let chore = chore()
    var copy = self
    defer { generator = copy.generator }
    switch copy.pick(4) {
    case 0: return at(chore, \.isFun)
    case 1:
      return Erased(
        P.build_flatMap(at(chore, \.due)) { due in
          P.build_Comparison(lhs: due, rhs: copy.value(Date(at: Double(copy.pick(5)))), op: .lessThan)
        })
    case 2:
      return Erased(
        P.build_flatMap(at(chore, \.rank)) { rank in
          P.build_Disjunction(
            lhs: P.build_Equal(lhs: rank, rhs: copy.value(1)), rhs: copy.bool(depth))
        })
    default:
      return Erased(
        P.build_flatMap(at(chore, \.house)) { house in
          P.build_contains(P.build_KeyPath(root: house, keyPath: \.chores)) { other in
            let outer = copy.chores
            copy.chores.append(Erased(other))
            defer { copy.chores = outer }
            return copy.bool(depth)
          }
        })
    }
  }

  private mutating func overSteps(_ depth: Int) -> Erased<Bool> {
    var copy = self
    defer { generator = copy.generator }
    let sequence = copy.pick(2) == 0 ? copy.filtered(depth - 1) : at(copy.chore(), \.steps)
    func body(_ step: PredicateExpressions.Variable<Step>) -> Erased<Bool> { copy.stepCondition(step, depth) }
    switch copy.pick(3) {
    case 0: return Erased(P.build_contains(sequence, where: { body($0) }))
    case 1: return Erased(P.build_allSatisfy(sequence) { body($0) })
    default: return Erased(P.build_KeyPath(root: sequence, keyPath: \.isEmpty))
    }
  }

  private mutating func filtered(_ depth: Int) -> Erased<[Step]> {
    var copy = self
    defer { generator = copy.generator }
    return Erased(P.build_filter(at(copy.chore(), \.steps)) { copy.stepCondition($0, depth) })
  }

  private mutating func stepCondition(_ step: PredicateExpressions.Variable<Step>, _ depth: Int) -> Erased<Bool> {
    let outer = (chores, steps)
    steps.append(Erased(step))
    if pick(3) == 0 { chores.append(at(Erased(step), \.chore)) }
    defer { (chores, steps) = outer }
    switch pick(4) {
    case 0: return at(Erased(step), \.isDone)
    case 1: return Erased(P.build_Equal(lhs: at(Erased(step), \.minutes), rhs: optionalInt()))
    default: return bool(max(depth, 0))
    }
  }
}
