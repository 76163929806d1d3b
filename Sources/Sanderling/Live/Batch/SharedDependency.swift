/// A dependency on associated rows, shared by all live queries that have it.
final class SharedDependency {
  let number: Int
  let dependency: Dependency
  /// Decides which associated rows are read, by their own columns as far as possible.
  let filter: PreparedTerm?
  /// Whether `filter`, `argument` and `filtersOnTheWay` are complete. A term that Swift can't prepare is left out.
  let hasFilter: Bool
  /// The number that a row adds to the sum; nil for counts.
  let argument: PreparedTerm?
  /// Decides which rows on the way count, for each association but the last; nil where all do.
  let filtersOnTheWay: [PreparedTerm?]

  init(number: Int, _ dependency: Dependency) {
    self.number = number
    self.dependency = dependency
    filter = dependency.filter.flatMap { try? PreparedTerm(condition: $0) }
    argument = dependency.counted?.argument.flatMap { try? PreparedTerm($0) }
    let levels = dependency.counted?.levels.prefix(dependency.columnsOnTheWay.count) ?? []
    filtersOnTheWay = levels.map { level in level.filter.flatMap { try? PreparedTerm(condition: $0) } }
    hasFilter =
      (filter != nil || dependency.filter == nil) && (argument != nil || dependency.counted?.argument == nil)
      && zip(levels, filtersOnTheWay).allSatisfy { $0.filter == nil || $1 != nil }
  }
}
