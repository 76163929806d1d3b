/// A bound of the difference between two results of SQLite's SUM, TOTAL or AVG over the same numbers.
///
/// SQLite adds numbers in the order in which its plan visits the rows, and each addition of doubles rounds. So two
/// plans may give two results, and neither is wrong. A SUM of integers is exact and has no bound here.
///
/// With the unit roundoff u = 2⁻⁵³ and γ(k) = k·u / (1 − k·u), the computed sum of n numbers x differs from the exact
/// sum S
///
/// - before SQLite 3.43, which adds one number after the other, by at most γ(n − 1)·Σ|x|, since all additions but the
///   first round;
/// - from 3.43 on, which carries the rounding errors along (Kahan, Babuška and Neumaier), by at most u·|S| + γ(2n −
///   1)²·Σ|x|. The first term is the rounding at the end, the second that of the errors' own sum. It has 2n because
///   SQLite adds an integer beyond 2⁵² in two parts.
///
/// Two computed sums differ by at most twice this bound. See Higham, *Accuracy and Stability of Numerical Algorithms*,
/// §4.2, and Ogita, Rump and Oishi, *Accurate Sum and Dot Product*, 2005, proposition 4.5.
package enum SummationBound {
  /// The first version of SQLite whose sums carry their rounding errors along, as `sqlite3_libversion_number()` returns
  /// it.
  package static let firstCompensatedVersion: Int32 = 3_043_000

  private static let unitRoundoff = 0x1p-53

  /// The greatest difference between two sums of the same numbers.
  ///
  /// - Parameters:
  ///   - count: The number of numbers that aren't NULL; not negative.
  ///   - sumOfMagnitudes: Σ|x|, added in doubles in any order.
  ///   - sqliteVersion: The result of `sqlite3_libversion_number()`.
  /// - Returns: The bound. Infinity if a partial sum may be too large for a double: then one order may give infinity or
  ///   NULL, and another a number.
  package static func difference(count: Int, sumOfMagnitudes: Double, sqliteVersion: Int32) -> Double {
    guard count > 1 else { return sumOfMagnitudes.isFinite ? 0 : .infinity }
    let magnitudes = leastUpperBound(ofMagnitudes: sumOfMagnitudes, count: count)
    guard magnitudes.isFinite else { return .infinity }
    let bound: Double
    if sqliteVersion < firstCompensatedVersion {
      bound = growth(count - 1)
    } else {
      let growth = growth(2 * count - 1)
      bound = unitRoundoff + growth * growth
    }
    return (2 * bound * magnitudes).nextUp
  }

  /// The greatest difference between two averages of the same numbers: the difference of the sums, divided, and the
  /// rounding of each division.
  ///
  /// Before SQLite 3.43, integers are added as doubles. From then on, their average is the exact sum, divided, if the
  /// sum has 64 bits. The bound holds in any case.
  ///
  /// - Parameters: As ``difference(count:sumOfMagnitudes:sqliteVersion:)``.
  package static func differenceOfAverages(count: Int, sumOfMagnitudes: Double, sqliteVersion: Int32) -> Double {
    guard count > 1 else { return sumOfMagnitudes.isFinite ? 0 : .infinity }
    let difference = difference(count: count, sumOfMagnitudes: sumOfMagnitudes, sqliteVersion: sqliteVersion)
    guard difference.isFinite else { return .infinity }
    // The magnitude of each computed sum is at most Σ|x| plus the difference.
    let magnitudes = leastUpperBound(ofMagnitudes: sumOfMagnitudes, count: count) + difference
    // A quotient below the least normal number is rounded by up to half of the least subnormal number.
    return ((difference + 2 * unitRoundoff * magnitudes) / Double(count)).nextUp + .leastNonzeroMagnitude
  }

  /// γ(k), the bound of the relative error of k roundings in a row. Infinity if there is no bound.
  private static func growth(_ roundings: Int) -> Double {
    let error = Double(roundings) * unitRoundoff
    return error < 1 ? error / (1 - error) : .infinity
  }

  /// An upper bound of Σ|x|, from a sum in doubles that was itself rounded, of numbers that may be rounded integers.
  private static func leastUpperBound(ofMagnitudes sum: Double, count: Int) -> Double {
    (sum * (1 + 2 * growth(count + 1))).nextUp
  }
}
