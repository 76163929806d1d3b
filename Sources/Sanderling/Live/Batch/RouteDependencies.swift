/// Maps the engine's dependencies to those of one query.
struct RouteDependencies {
  /// The parts of the query that each can change, by its number.
  var usage: [Int: LiveUsage] = [:]
  /// The numbers of the dependencies that change the plan's counts and sums, in their order.
  var counted: [Int] = []
}
