/// How the engine's dependencies are those of one query.
struct RouteDependencies {
  /// The parts of the query that each can change, by its number.
  var usage: [Int: LiveUsage] = [:]
  /// The numbers of those that change the plan's counts and sums, in their order.
  var counted: [Int] = []
}
