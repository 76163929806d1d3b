/// The dependencies of one query, by the engine's numbers.
struct RouteDependencies {
  /// The parts of the query that each dependency can change, by its number.
  var usage: [Int: LiveUsage] = [:]
  /// The numbers of the dependencies of the plan's counts and sums, in the plan's order.
  var counted: [Int] = []
}
