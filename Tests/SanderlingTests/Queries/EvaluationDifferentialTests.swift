import Sanderling
import Testing

/// Swift evaluates random terms over random rows as SQLite does, in value and storage class.
///
/// A failure names the smallest part of the term that differs. To repeat a run, set SANDERLING_SEED to the seed that it
/// printed.
@Suite struct EvaluationDifferentialTests {
  let database: EvaluationDatabase
  let rows: [EvaluationRow]
  var generator = EvaluationTermGenerator()

  init() throws {
    print("Evaluation: SANDERLING_SEED=\(generator.seed)")
    database = try EvaluationDatabase()
    var values: [[StorageValue]] = []
    for _ in 0..<40 { values.append(generator.row()) }
    rows = try database.insert(values)
  }

  @Test mutating func valuesAreThoseOfSQLite() throws {
    var compared = 0
    for _ in 0..<4_000 {
      let term = generator.term(depth: generator.number(1..<5))
      let outcome = try compare(term)
      compared += outcome.compared
      if let difference = outcome.difference {
        Issue.record("\(try smallestDifference(in: term) ?? difference)\nSANDERLING_SEED=\(generator.seed)")
        return
      }
    }
    #expect(compared > 80_000)
  }

  @Test mutating func conditionsKeepTheSameRows() throws {
    var compared = 0
    for _ in 0..<1_000 {
      let term = generator.term(depth: 3)
      let keys = try comparable {
        let prepared = try PreparedTerm(condition: term)
        let kept = try rows.filter { try prepared.isTrue(in: $0) }.map(\.values[0])
        let expected = try database.select([EvaluationSpecimen.column("id")], where: term).map { $0[0] }
        return (kept, expected)
      }
      guard let (kept, expected) = keys else { continue }
      compared += 1
      let sql = try SQLCompiler.definition(of: term)
      #expect(kept == expected, "\(sql)\nSANDERLING_SEED=\(generator.seed)")
    }
    #expect(compared > 700)
  }

  @Test mutating func orderingsSortTheSameWay() throws {
    var compared = 0
    for _ in 0..<1_000 {
      var orderings: [Ordering] = []
      for _ in 0..<generator.number(1..<4) {
        orderings.append(
          Ordering(
            term: generator.key(), isDescending: generator.chance(50),
            nulls: generator.element(of: [nil, nil, .first, .last])))
      }
      orderings.append(Ordering(term: EvaluationSpecimen.column("id")))
      let keys = try comparable {
        let prepared = try PreparedOrdering(orderings)
        let keyed = try rows.map { (id: $0.values[0], key: try prepared.sortKey(in: $0)) }
        let sorted = keyed.sorted { prepared.order($0.key, $1.key) == .orderedAscending }.map(\.id)
        let expected = try database.select([EvaluationSpecimen.column("id")], orderedBy: orderings).map { $0[0] }
        return (sorted, expected)
      }
      guard let (sorted, expected) = keys else { continue }
      compared += 1
      #expect(sorted == expected, "\(orderings)\nSANDERLING_SEED=\(generator.seed)")
    }
    #expect(compared > 700)
  }

  /// Returns the result of `body`; nil if it can't be compared, because SQLite has no result or Swift has no text for
  /// it.
  private func comparable<Result>(_ body: () throws -> Result) throws -> Result? {
    do {
      return try body()
    } catch EvaluationError.unsupported {
      // The evaluation made a text of bytes that are not UTF-8.
      return nil
    } catch EvaluationError.integerOverflow {
      return nil
    } catch let failure as EvaluationDatabase.Failure where failure.message == "integer overflow" {
      // abs() of the least integer fails. Where conditions decide early, SQL doesn't define whether the error occurs.
      return nil
    }
  }

  /// Returns the number of compared rows, and the first difference.
  private func compare(_ term: Term) throws -> (compared: Int, difference: String?) {
    let prepared = try PreparedTerm(term)
    guard let expected = try comparable({ try database.select([term]) }) else { return (0, nil) }
    var compared = 0
    for (row, expected) in zip(rows, expected) {
      let actual: StorageValue
      do {
        actual = try prepared.value(in: row)
      } catch EvaluationError.unsupported {
        // Where SQLite has a result, Swift may lack one only for bytes that are not UTF-8.
        continue
      }
      compared += 1
      if actual != expected[0] {
        let difference = """
          \(try SQLCompiler.definition(of: term))
          for \(EvaluationSpecimen.table.columns.map(\.name)) = \(row.values.map(\.literal))
          is \(expected[0].storageClassName) \(expected[0].literal) in SQLite, \
          but was evaluated to \(actual.storageClassName) \(actual.literal)
          """
        return (compared, difference)
      }
    }
    return (compared, nil)
  }

  private func smallestDifference(in term: Term) throws -> String? {
    for operand in term.operands {
      if let difference = try smallestDifference(in: operand) { return difference }
    }
    return try compare(term).difference
  }
}
