/// The counts and integer sums that a query reads of groups, or of all rows, if the changes of single rows tell their new values.
struct Tally: Sendable {
  private enum Addend: Sendable {
    case one
    case oneIfNotNull(PreparedTerm)
    case integer(PreparedTerm)
    case magnitude(PreparedTerm)
  }

  /// The counts and sums. The first is the number of rows, which tells when a group is gone.
  let terms: [Term]
  /// The magnitudes of the sums, which tell whether these follow from changes of single rows: see ``SumBound``.
  let magnitudes: [Term]
  private let addends: [Addend]

  /// Nil for a query that reads anything else.
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

  /// The values for no rows: nothing is counted, and nothing added up.
  var zeros: [Int64] { [Int64](repeating: 0, count: addends.count) }

  private static func addend(_ term: Term) throws -> Addend {
    switch term {
    case .summary(.count, let argument?): .oneIfNotNull(try PreparedTerm(argument))
    case .function(_, let operands):
      if case .summary(_, let argument?) = operands[0] { .integer(try PreparedTerm(argument)) } else { .one }
    default: .one
    }
  }

  /// The numbers that a row adds to each count and sum, and to each magnitude after them; nil when the database has to tell.
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

  /// Counts, sums and magnitudes with others added to them or taken away; nil where the database has to tell.
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
  /// The counts and sums that the term is made of; nil when it is made of more.
  fileprivate var talliedParts: [Term]? {
    switch self {
    case .summary(.count, _): return [self]
    // SUM of no rows is NULL. The sum itself determines the next one only if NULL counts as 0.
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
  /// The numbers with others added to them or taken away; nil where the result has no 64 bits.
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
