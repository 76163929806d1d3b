/// A limit for the work of the type checker on one expression, counted in the scopes that its solver opens.
///
/// The same source takes the same number of scopes on every machine, however busy the machine is. The compiler's own limit is 1,000,000.
/// Beyond a limit the compiler reports that it can't check the expression "in reasonable time".
enum SolverLimit: Int {
  /// For correct queries. Those of the tests take 150 scopes as a rule, and 400 at most.
  case correct = 1_000
  /// For correct queries that select several computed columns. Those of the tests take 12,800 at most (a tuple of five).
  case computed = 25_000
  /// For nine conditions with a mistake. Those of the tests take 145,000 at most.
  case mistaken = 250_000

  var flags: [String] { ["-Xfrontend", "-solver-scope-threshold=\(rawValue)"] }
}
