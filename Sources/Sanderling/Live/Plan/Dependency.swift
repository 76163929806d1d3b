/// Associated rows that a live query reads. Their changes concern the query's rows that lead to them.
///
/// Queries that read the same associated rows share a dependency.
struct Dependency: Hashable, Sendable {
  /// The associations from the query's rows to the associated rows; never empty.
  let chain: [Association]
  let columns: Set<Int>
  let filter: Term?
  /// The counted rows, if the filter is the only condition and nothing else is read of them.
  let counted: CountedRows?
  /// The columns that are read of counting rows on the way, for each association but the last. Their changes belong to
  /// this dependency. Empty when the rows on the way don't count: then each of them has a dependency of its own.
  let columnsOnTheWay: [Set<Int>]

  var root: RecordType { chain[0].origin }
  var type: RecordType { chain[chain.count - 1].destination }

  /// The tables whose changes concern the dependency.
  var types: Set<RecordType> {
    Set(chain.suffix(1 + columnsOnTheWay.count).map(\.destination))
  }
}
