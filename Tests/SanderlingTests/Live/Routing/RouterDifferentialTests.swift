import Testing

@testable import Sanderling

/// A router finds each query whose rows a changed row belongs to, for random conditions and windows.
@Suite struct RouterDifferentialTests {
  private struct Query {
    let condition: Term
    let prepared: PreparedTerm
    var bound: (ordering: Ordering, value: StorageValue)?

    /// Whether the query keeps the row, and the row sorts no later than the bound.
    func keeps(_ row: EvaluationRow) throws -> Bool {
      do {
        guard try prepared.isTrue(in: row) else { return false }
      } catch is EvaluationError {
        return false
      }
      guard let bound else { return true }
      let ordering = try PreparedOrdering([bound.ordering])
      return try ordering.order(ordering.sortKey(in: row), [bound.value]) != .orderedDescending
    }

    var routeBound: RouteBound? { bound.flatMap { RouteBound($0.ordering, value: $0.value) } }
  }

  @Test func everyKeptRowFindsItsQuery() throws {
    var generator = EvaluationTermGenerator()
    print("Router: SANDERLING_SEED=\(generator.seed)")
    let database = try EvaluationDatabase()
    var values: [[StorageValue]] = []
    for _ in 0..<60 { values.append(generator.row()) }
    let rows = try database.insert(values)
    let constants = rows.flatMap { $0.values.dropFirst() }

    let router = Router<Int>()
    var queries: [Int: Query] = [:]
    var kept = 0
    var found = 0
    var asked = 0
    for number in 0..<1_500 {
      let condition = generator.condition(depth: generator.number(0..<4), constants)
      queries[number] = Query(condition: condition, prepared: try PreparedTerm(condition: condition))
      router.insert(number, RouteSignature(condition: condition, bound: nil))
      if queries.count > 40, let removed = queries.keys.sorted().first {
        let query = queries.removeValue(forKey: removed)
        router.remove(removed, RouteSignature(condition: query?.condition, bound: nil))
      }
      if let moved = queries.keys.sorted().dropFirst(generator.number(0..<queries.count)).first {
        queries[moved]?.bound = generator.chance(30) ? nil : generator.bound(constants)
        router.update(
          moved, bound: queries[moved]?.routeBound,
          of: RouteSignature(condition: queries[moved]?.condition, bound: nil))
      }
      for row in [generator.element(of: rows), generator.element(of: rows)] {
        var candidates: [Int] = []
        try router.candidates(value: { try row.value(of: $0) }, { candidates.append($0) })
        #expect(Set(candidates).count == candidates.count, "found twice\nSANDERLING_SEED=\(generator.seed)")
        asked += queries.count
        found += candidates.count
        for (number, query) in queries where try query.keeps(row) {
          kept += 1
          guard candidates.contains(number) else {
            Issue.record(
              """
              \(try SQLCompiler.definition(of: query.condition)), bound \(String(describing: query.bound))
              keeps \(row.values.map(\.literal))
              SANDERLING_SEED=\(generator.seed)
              """)
            return
          }
        }
      }
    }
    print("Router: of \(asked) queries, \(found) were found and \(kept) keep the row")
    #expect(kept > 5_000)
    #expect(found < asked / 2)

    for (number, query) in queries { router.remove(number, RouteSignature(condition: query.condition, bound: nil)) }
    #expect(router.routedColumns.isEmpty)
  }
}

extension EvaluationTermGenerator {
  /// Returns a random condition, of kinds that the router looks up and of other kinds.
  fileprivate mutating func condition(depth: Int, _ constants: [StorageValue]) -> Term {
    if depth > 0, chance(75) {
      switch number(0..<10) {
      case 0..<4: return .binary(.and, condition(depth: depth - 1, constants), condition(depth: depth - 1, constants))
      case 4..<8: return .binary(.or, condition(depth: depth - 1, constants), condition(depth: depth - 1, constants))
      default: return .unary(.not, condition(depth: depth - 1, constants))
      }
    }
    let operand = operand()
    switch number(0..<20) {
    case 0: return operand
    case 1: return term(depth: 2)
    case 2: return .unary(element(of: [.isNull, .isNotNull]), operand)
    case 3..<6: return .membership(operand, Members((0..<number(0..<6)).map { _ in constant(constants) }))
    case 6..<8:
      if case .text(let text) = constant(constants) { return .prefix(operand, ExactText(String(text.prefix(1)))) }
      return .prefix(operand, "a")
    default:
      let op = element(
        of: [BinaryOperator.equal, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .is, .isNot])
      let value = constant(constants)
      let constant: Term = chance(70) ? .constant(value) : .literal(value)
      let written: Term = chance(10) ? .collate(constant, element(of: [.binary, .nocase, .rtrim])) : constant
      return chance(70) ? .binary(op, operand, written) : .binary(op, written, operand)
    }
  }

  private mutating func operand() -> Term {
    let column = element(of: EvaluationSpecimen.columns)
    return chance(15) ? .collate(column, element(of: [.binary, .nocase, .rtrim])) : column
  }

  /// Returns mostly values of the rows, so that conditions are often true.
  private mutating func constant(_ constants: [StorageValue]) -> StorageValue {
    chance(80) ? element(of: constants) : value()
  }

  fileprivate mutating func bound(_ constants: [StorageValue]) -> (Ordering, StorageValue) {
    let ordering = Ordering(
      term: operand(), isDescending: chance(50), nulls: element(of: [nil, .first, .last]))
    return (ordering, constant(constants))
  }
}
