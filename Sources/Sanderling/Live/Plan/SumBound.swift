/// The bound below which changes of single rows maintain sums of integers.
///
/// SQLite adds up in the order in which its plan visits the rows. It fails with "integer overflow" at the first partial
/// sum beyond 64 bits, even where later rows would bring the sum back. Adding the changes of single rows gives the same
/// sum in any order, and never fails. Both agree where no order can fail: while the sum of the numbers' magnitudes is
/// below a bound. So each sum is read together with the sum of its magnitudes. It is read again when that reaches the
/// bound.
enum SumBound {
  /// The greatest known magnitude. Twice as much exceeds 64 bits: SQLite adds magnitudes as doubles, whose rounding
  /// error is smaller than that margin.
  static let greatest: Int64 = 1 << 62

  /// The greatest contribution of one row to a sum by way of others that counts as small. At least 2³¹ small
  /// contributions are needed to reach the bound.
  static let greatestSmall: UInt64 = 1 << 31

  /// A sum of magnitudes as SQLite returns it, clamped to the bound; the bound for a value that is no number.
  static func magnitude(_ value: EncodedValue) -> Int64 {
    switch value {
    case .integer(let integer): min(max(integer, 0), greatest)
    case .real(let real) where real < Double(greatest): Int64(max(real, 0))
    case .real, .null, .text, .blob: greatest
    }
  }
}

extension Term {
  /// The sum of the magnitudes of a maintained sum of integers. SQLite adds it up as doubles, which never fails. Nil
  /// for counts, and for sums of counts.
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

  /// The number that a row in a scope adds to a sum, as a magnitude; nil for counts of other rows.
  private func magnitudes(in scope: _Scope) -> Term? {
    // Rows on the way to counting rows add up the numbers of these.
    if counted(from: scope) != nil { return sumOfMagnitudes }
    // Multiplied by 1.0 to make a double, since SQLite's abs() fails with the least integer.
    return .function(.absolute, [.binary(.multiply, .literal(.real(1)), self)])
  }
}
