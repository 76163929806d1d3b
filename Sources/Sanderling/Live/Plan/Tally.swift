/// The counts and integer sums that a query reads of groups, or of all rows, if changes of single rows determine their
/// new values.
struct Tally: Sendable {
  private enum Addend: Sendable {
    case one
    case oneIfNotNull(PreparedTerm)
    case integer(PreparedTerm)
    case magnitude(PreparedTerm)
  }

  /// The counts and sums. The first is the number of rows; at zero the group ends.
  let terms: [Term]
  /// The magnitudes of the sums. They decide whether changes of single rows maintain the sums: see ``SumBound``.
  let magnitudes: [Term]
  private let addends: [Addend]

  /// Makes the tally of a query; nil for a query that reads anything else.
  init?(_ statement: SelectStatement) {
    let groups = statement.groups
    let read = statement.columns + statement.orderings.map(\.term) + [statement.groupCondition].compactMap { $0 }
    var terms: [Term] = [.summary(.count, nil)]
    for term in read where !groups.contains(term) {
      guard let parts = term.talliedParts else { return nil }
      for part in parts where !terms.contains(part) { terms.append(part) }
    }
    guard let addends = try? terms.map(Self.addend) else { return nil }
    self.terms = terms
    magnitudes = terms.compactMap(\.sumOfMagnitudes)
    self.addends =
      addends
      + addends.compactMap { addend in
        if case .integer(let argument) = addend { .magnitude(argument) } else { nil }
      }
  }

  /// The values for no rows: all counts and sums are zero.
  var zeros: [Int64] { [Int64](repeating: 0, count: addends.count) }

  private static func addend(_ term: Term) throws -> Addend {
    switch term {
    case .summary(.count, let argument?): .oneIfNotNull(try PreparedTerm(argument))
    case .function(_, let operands):
      if case .summary(_, let argument?) = operands[0] { .integer(try PreparedTerm(argument)) } else { .one }
    default: .one
    }
  }

  /// The numbers that a row adds to each count and sum, and then to each magnitude; nil when only the database can
  /// tell.
  func addends(of row: some EvaluationContext) throws -> [Int64]? {
    var numbers: [Int64] = []
    for addend in addends {
      switch addend {
      case .one: numbers.append(1)
      case .oneIfNotNull(let argument): numbers.append(try argument.value(in: row).isNull ? 0 : 1)
      case .integer(let argument):
        switch try argument.value(in: row) {
        case .null: numbers.append(0)
        case .integer(let number): numbers.append(number)
        default: return nil
        }
      case .magnitude(let argument):
        switch try argument.value(in: row) {
        case .null: numbers.append(0)
        case .integer(let number) where number != .min: numbers.append(abs(number))
        default: return nil
        }
      }
    }
    return numbers
  }

  /// Adds or subtracts counts, sums and magnitudes; nil when the result is unknown, and the database must be read.
  func adding(_ others: [Int64], to known: [Int64], isNegative: Bool = false) -> [Int64]? {
    guard let sums = known.adding(others, isNegative: isNegative) else { return nil }
    // A magnitude at the bound may be far beyond it.
    let isBounded = (terms.count..<sums.count).allSatisfy {
      known[$0] < SumBound.greatest && sums[$0] < SumBound.greatest
    }
    return isBounded ? sums : nil
  }
}

extension Term {
  /// The counts and sums that the term consists of; nil when it contains anything else.
  fileprivate var talliedParts: [Term]? {
    switch self {
    case .summary(.count, _): return [self]
    // Without rows SUM is NULL. Only where that counts as 0, a sum and a change determine the next sum.
    case .function(.coalesce, let operands)
    where operands.count == 2 && operands[1] == .literal(.integer(0)):
      if case .summary(.sum, _?) = operands[0] { return [self] }
    case .constant, .literal: return []
    case .column, .aggregate, .subquery, .raw, .invalid, .summary: return nil
    default: break
    }
    var parts: [Term] = []
    for operand in operands {
      guard let more = operand.talliedParts else { return nil }
      parts += more
    }
    return parts
  }
}

extension [Int64] {
  /// The numbers with others added or subtracted; nil when a result exceeds 64 bits.
  func adding(_ others: [Int64], isNegative: Bool) -> [Int64]? {
    var result = self
    for (index, number) in others.enumerated() {
      let (sum, overflow) =
        isNegative ? self[index].subtractingReportingOverflow(number) : self[index].addingReportingOverflow(number)
      if overflow { return nil }
      result[index] = sum
    }
    return result
  }
}
