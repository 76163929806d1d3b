import GRDB
import SanderlingSQLite
import Sanderling

/// The values of a query that depend on SQLite's plan. In sums of doubles and averages, each addition rounds. A minimum
/// or maximum is any of the values that SQLite takes for equal: 'a' and 'A' under NOCASE, or 3 and 3.0.
///
/// Used only after a difference was found. If no addition of the query's numbers rounds, and no different values are
/// equal, no difference is allowed. Otherwise sums that are read may differ within the ``SummationBound`` of these
/// numbers, and extremes by values that SQLite takes for equal.
struct PlanDependence: Sendable {
  private let spec: LiveQuerySpec
  /// The columns that are a sum or an average, by their positions.
  private let read: [Int: Term]
  /// The columns that are a minimum or a maximum, by their positions.
  private let extremes: [Int: Term]
  /// Whether there are other sums, in conditions, orderings or expressions, on which any rows can depend.
  private let hingesOnSums: Bool
  /// Whether there are other minimums or maximums of this kind.
  private let hingesOnExtremes: Bool
  /// The columns whose values are added up.
  private let summed: Set<ColumnTerm>
  /// The columns whose values are compared for an extreme.
  private let compared: Set<ColumnTerm>

  /// - Returns: Nil for a query without such values.
  init?(_ spec: LiveQuerySpec) {
    switch spec.form {
    case .raw, .key: return nil
    case .rows, .count, .value: self.spec = spec
    }
    let statement = spec.statement
    let outputs = Array(statement.columns.map(\.withoutZero).enumerated())
    let sums = outputs.filter { $1.sumArgument != nil }
    let extremes = outputs.filter { $1.extremeArgument != nil }
    read = Dictionary(uniqueKeysWithValues: sums.map { ($0, $1) })
    self.extremes = Dictionary(uniqueKeysWithValues: extremes.map { ($0, $1) })
    let others =
      outputs.map(\.element).filter { $0.sumArgument == nil && $0.extremeArgument == nil } + statement.groups
      + statement.orderings.map(\.term)
      + [statement.condition?.asCondition, statement.groupCondition].compactMap { $0 }
      + (sums + extremes).flatMap { $1.parts }
    hingesOnSums = others.contains { !$0.arguments(\.sumArgument).isEmpty }
    hingesOnExtremes = others.contains { !$0.arguments(\.extremeArgument).isEmpty }
    let terms = others + statement.columns
    summed = Set(terms.flatMap { $0.arguments(\.sumArgument) }.flatMap(\.columns))
    compared = Set(terms.flatMap { $0.arguments(\.extremeArgument) }.flatMap(\.columns))
    if summed.isEmpty && compared.isEmpty { return nil }
  }

  /// Whether the shown rows are another result of the same sums.
  func explains(_ shown: Shown, _ expectation: Expectation, window: Int, _ tx: ReadTransaction) throws -> Bool {
    let (rounds, ties) = (try rounds(tx), try ties(tx))
    guard rounds || ties else { return false }
    // Whether an intermediate sum overflows also depends on the order of additions.
    guard let rows = expectation.rows, shown.state.isCurrent else {
      let errors = [expectation.error ?? "", shown.state.error.map { "\($0)" } ?? ""]
      return errors.contains { $0.contains("integer overflow") }
    }
    return try hingesOnSums && rounds || hingesOnExtremes && ties || areNear(shown.rows, Array(rows.prefix(window)), tx)
  }

  /// Whether the order or the choice of rows may differ.
  func mayOrderOtherwise(_ tx: ReadTransaction) throws -> Bool {
    try hingesOnSums && rounds(tx) || hingesOnExtremes && ties(tx)
  }

  /// Whether the database has values for which two plans may give two results.
  func mayDiffer(_ tx: ReadTransaction) throws -> Bool { try rounds(tx) || ties(tx) }

  /// Whether there are different values that SQLite takes for equal.
  private func ties(_ tx: ReadTransaction) throws -> Bool {
    try compared.contains { column in
      let (table, name) = (column.owner.table.name, column.definition.name.quotedIdentifier)
      return try Bool.fetchOne(
        tx.database,
        sql: """
          SELECT EXISTS (SELECT 1 FROM \(table) AS a JOIN \(table) AS b ON a.\(name) = b.\(name)
          WHERE a.\(name) <> b.\(name) COLLATE BINARY OR typeof(a.\(name)) <> typeof(b.\(name)))
          """) == true
    }
  }

  /// Whether there are numbers whose addition may round.
  private func rounds(_ tx: ReadTransaction) throws -> Bool {
    try summed.contains { column in
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
        if extremes[place] != nil, shown[place].mayTie(with: expected[place]) { continue }
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

  /// The compared values, if the term is a minimum or a maximum.
  fileprivate var extremeArgument: Term? {
    switch self {
    case .summary(.minimum, let argument), .summary(.maximum, let argument): argument
    case .aggregate(let aggregate) where [.minimum, .maximum].contains(aggregate.function): aggregate.argument
    default: nil
    }
  }

  /// The operands of the term.
  fileprivate var parts: [Term] {
    guard case .aggregate(let aggregate) = self else { return operands }
    return [aggregate.argument, aggregate.rows.fullCondition].compactMap { $0 }
  }

  /// The arguments of all parts of the term of one kind.
  fileprivate func arguments(_ argument: (Term) -> Term?) -> [Term] {
    (argument(self).map { [$0] } ?? []) + parts.flatMap { $0.arguments(argument) }
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
  /// Whether a collation of SQLite takes two texts for equal, or a comparison two numbers.
  fileprivate func mayTie(with other: StorageValue) -> Bool {
    switch (self, other) {
    case (.text(let lhs), .text(let rhs)):
      func key(_ text: String) -> [UInt8] {
        let trimmed = text.utf8.reversed().drop { $0 == UInt8(ascii: " ") }
        return trimmed.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
      }
      return key(lhs) == key(rhs)
    case (.integer, .real), (.real, .integer), (.real, .real): return number == other.number
    default: return false
    }
  }

  /// The number; zero for NULL, which SQLite leaves out of a sum.
  fileprivate var number: Double {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .null, .text, .blob: 0
    }
  }
}
