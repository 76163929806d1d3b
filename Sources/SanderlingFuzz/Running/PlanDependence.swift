import GRDB
import SanderlingSQLite
import Sanderling

/// The sums and averages of a query. Sums of doubles depend on SQLite's plan, because each addition rounds.
///
/// Used only after a difference was found. If no addition of the query's numbers rounds, no difference is allowed.
/// Otherwise sums that are read may differ within the ``SummationBound`` of these numbers.
struct PlanDependence: Sendable {
  private let spec: LiveQuerySpec
  /// The columns that are a sum or an average, by their positions.
  private let read: [Int: Term]
  /// Whether there are other sums, in conditions, orderings or expressions, on which any rows can depend.
  private let isHinge: Bool
  /// The columns whose values are added up.
  private let columns: Set<ColumnTerm>

  /// - Returns: Nil for a query without sums and averages.
  init?(_ spec: LiveQuerySpec) {
    switch spec.form {
    case .raw, .key: return nil
    case .rows, .count, .value: self.spec = spec
    }
    let statement = spec.statement
    let outputs = statement.columns.map(\.withoutZero).enumerated().filter { $1.sumArgument != nil }
    read = Dictionary(uniqueKeysWithValues: outputs.map { ($0, $1) })
    let others =
      statement.columns.filter { $0.withoutZero.sumArgument == nil } + statement.groups
      + statement.orderings.map(\.term)
      + [statement.condition?.asCondition, statement.groupCondition].compactMap { $0 }
      + outputs.flatMap { $1.parts }
    isHinge = others.contains { !$0.sumArguments.isEmpty }
    let arguments = (others + statement.columns).flatMap(\.sumArguments)
    if arguments.isEmpty { return nil }
    columns = Set(arguments.flatMap(\.columns))
  }

  /// Whether the shown rows are another result of the same sums.
  func explains(_ shown: Shown, _ expectation: Expectation, window: Int, _ tx: ReadTransaction) throws -> Bool {
    guard try mayRound(tx) else { return false }
    // Whether an intermediate sum overflows also depends on the order of additions.
    guard let rows = expectation.rows, shown.state.isCurrent else {
      let errors = [expectation.error ?? "", shown.state.error.map { "\($0)" } ?? ""]
      return errors.contains { $0.contains("integer overflow") }
    }
    return try isHinge || areNear(shown.rows, Array(rows.prefix(window)), tx)
  }

  /// Whether there are numbers whose addition may round.
  func mayRound(_ tx: ReadTransaction) throws -> Bool {
    try columns.contains { column in
      let name = column.definition.name.quotedIdentifier
      return try Bool.fetchOne(
        tx.database,
        sql: """
          SELECT EXISTS (SELECT 1 FROM \(column.owner.table.name) WHERE abs(\(name) * 1.0) > \(1 << 30)
          OR \(name) * 1024.0 <> CAST(\(name) * 1024.0 AS INTEGER))
          """) == true
    }
  }

  private func areNear(_ shown: [[StorageValue]], _ expected: [[StorageValue]], _ tx: ReadTransaction) throws -> Bool {
    guard shown.count == expected.count else { return false }
    let places = read.keys.sorted()
    var measuring = spec
    measuring.reading = .stored
    measuring.statement.columns += places.flatMap { read[$0]?.measures ?? [] }
    guard let measures = measuring.expectation(tx).rows else { return false }
    let width = spec.statement.columns.count
    for (row, (shown, expected)) in zip(shown, expected).enumerated() {
      guard measures.indices.contains(row), shown.count == expected.count else { return false }
      for place in shown.indices where shown[place] != expected[place] {
        guard let sum = read[place], let number = places.firstIndex(of: place) else { return false }
        let count = measures[row][width + 2 * number].number
        let magnitudes = measures[row][width + 2 * number + 1].number
        let bound = sum.differenceBound(count: Int(count), sumOfMagnitudes: magnitudes)
        // With an infinite bound, the sum may have become infinite or NaN on the way.
        if bound == .infinity { continue }
        guard case .real(let lhs) = shown[place], case .real(let rhs) = expected[place], abs(lhs - rhs) <= bound else {
          return false
        }
      }
    }
    return true
  }
}

extension Term {
  /// The sum inside a term that replaces the sum of no rows by 0; any other term unchanged.
  fileprivate var withoutZero: Term {
    guard case .function(.coalesce, let operands) = self, operands.count == 2, operands[1] == .literal(.integer(0)),
      operands[0].sumArgument != nil
    else { return self }
    return operands[0]
  }

  /// The summands, if the term is a sum or an average.
  fileprivate var sumArgument: Term? {
    switch self {
    case .summary(.sum, let argument), .summary(.average, let argument): argument
    case .aggregate(let aggregate) where [.sum, .average].contains(aggregate.function): aggregate.argument
    default: nil
    }
  }

  /// The operands of the term.
  fileprivate var parts: [Term] {
    guard case .aggregate(let aggregate) = self else { return operands }
    return [aggregate.argument, aggregate.rows.fullCondition].compactMap { $0 }
  }

  /// The summands of all sums and averages in the term.
  fileprivate var sumArguments: [Term] {
    (sumArgument.map { [$0] } ?? []) + parts.flatMap(\.sumArguments)
  }

  fileprivate var columns: [ColumnTerm] {
    if case .column(let column) = self { return [column] }
    return parts.flatMap(\.columns)
  }

  /// The number of summands of the sum or average, and the sum of their magnitudes.
  fileprivate var measures: [Term] {
    guard let argument = sumArgument else { return [] }
    // Doubles, because integers could overflow.
    let magnitude = Term.function(.absolute, [.binary(.multiply, argument, .literal(.real(1)))])
    return [.unary(.isNotNull, argument), magnitude].map { summand in
      guard case .aggregate(let aggregate) = self else { return .summary(.sum, summand) }
      return .aggregate(AggregateTerm(function: .sum, argument: summand, rows: aggregate.rows))
    }
  }

  fileprivate func differenceBound(count: Int, sumOfMagnitudes: Double) -> Double {
    let version = sqlite3_libversion_number()
    return switch self {
    case .summary(.average, _):
      SummationBound.differenceOfAverages(
        count: count, sumOfMagnitudes: sumOfMagnitudes, sqliteVersion: version)
    case .aggregate(let aggregate) where aggregate.function == .average:
      SummationBound.differenceOfAverages(
        count: count, sumOfMagnitudes: sumOfMagnitudes, sqliteVersion: version)
    default:
      SummationBound.difference(count: count, sumOfMagnitudes: sumOfMagnitudes, sqliteVersion: version)
    }
  }
}

extension StorageValue {
  /// The number; zero for NULL, which SQLite leaves out of a sum.
  fileprivate var number: Double {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .null, .text, .blob: 0
    }
  }
}
