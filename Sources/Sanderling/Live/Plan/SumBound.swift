/// The bound up to which sums of integers can be followed from the changes of single rows.
///
/// SQLite adds in the order in which its plan visits the rows. It fails with "integer overflow" at the first partial
/// sum that exceeds 64 bits, even if later rows would bring the sum back. The changes of single rows lead to the same
/// sum in any order, and never fail. Both agree if no order can fail: while the sum of the numbers' magnitudes is below
/// a bound. So each sum is read with the sum of its magnitudes, and is read again when that reaches the bound.
enum SumBound {
  /// Magnitudes are known up to here. Twice as much has no 64 bits: doubles, in which SQLite adds magnitudes up, round by less.
  static let greatest: Int64 = 1 << 62

  /// The contribution of one row to a sum by way of others is known to be small up to here: it takes as many of these to reach the bound.
  static let greatestSmall: UInt64 = 1 << 31

  /// A sum of magnitudes as SQLite returns it, no further than to the bound; the bound for a value that is no number.
  static func magnitude(_ value: EncodedValue) -> Int64 {
    switch value {
    case .integer(let integer): min(max(integer, 0), greatest)
    case .real(let real) where real < Double(greatest): Int64(max(real, 0))
    case .real, .null, .text, .blob: greatest
    }
  }
}

extension Term {
  /// The sum of the magnitudes for a followed sum of integers. SQLite adds the magnitudes as doubles, which can't fail.
  /// Nil for counts, and for sums of counts.
  var sumOfMagnitudes: Term? {
    switch self {
    case .function(.coalesce, let operands):
      operands[0].sumOfMagnitudes.map { .function(.coalesce, [$0, operands[1]]) }
    case .summary(.sum, let argument?): argument.magnitudes(in: .root).map { .summary(.sum, $0) }
    case .aggregate(let aggregate) where aggregate.function == .sum:
      aggregate.argument?.magnitudes(in: aggregate.rows.scope).map {
        .aggregate(AggregateTerm(function: .sum, argument: $0, rows: aggregate.rows))
      }
    default: nil
    }
  }

  /// The summand of a row in a scope, as a magnitude; nil if it is a count of other rows.
  private func magnitudes(in scope: _Scope) -> Term? {
    // Intermediate rows of a count of counts sum the numbers of the counted rows.
    if counted(from: scope) != nil { return sumOfMagnitudes }
    // As a double: SQLite's abs() fails with the least integer.
    return .function(.absolute, [.binary(.multiply, .literal(.real(1)), self)])
  }
}
