/// A limit for the type checker's work on one expression, counted in the scopes that its solver opens.
///
/// The same source takes the same number of scopes on every machine, however busy it is. The compiler's own limit is
/// 1,000,000. Beyond a limit the compiler reports that it can't check the expression "in reasonable time".
enum SolverLimit: Int {
  /// The limit for correct queries. The queries of the tests usually take 150 scopes, and at most 400.
  case correct = 1_000
  /// The limit for correct queries that select several computed columns. The queries of the tests take at most 12,800
  /// scopes (a tuple of five).
  case computed = 25_000
  /// The limit for nine conditions with a mistake. The conditions of the tests take at most 145,000 scopes.
  case mistaken = 250_000

  var flags: [String] { ["-Xfrontend", "-solver-scope-threshold=\(rawValue)"] }
}
