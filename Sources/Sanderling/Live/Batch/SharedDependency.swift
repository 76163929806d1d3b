/// Associated rows that live queries depend on, which all that read the same share.
final class SharedDependency {
  let number: Int
  let dependency: Dependency
  /// Decides which associated rows are read, as far as their own columns do.
  let filter: PreparedTerm?
  /// Whether the filter is the dependency's. A filter that can't be prepared accepts every row.
  let hasFilter: Bool
  /// The summed term of the rows; nil for counting them.
  let argument: PreparedTerm?
  /// Decides which of the rows on the way count, for each association but the last; nil where all do.
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
