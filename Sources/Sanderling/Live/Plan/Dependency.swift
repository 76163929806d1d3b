/// Rows that a live query reads beside its own: changes of theirs concern those of the query's rows that lead to them.
///
/// Queries that read the same share one.
struct Dependency: Hashable, Sendable {
  /// The associations from the query's rows to these; never empty.
  let chain: [Association]
  let columns: Set<Int>
  let filter: Term?
  /// What is added up of the rows, if the filter is the only condition and nothing else is read of them.
  let counted: CountedRows?
  /// The columns that are read of the rows on the way, for each association but the last, where those rows count what is added up:
  /// then their changes are this dependency's too. Empty otherwise: each row on the way is of a dependency of its own.
  let columnsOnTheWay: [Set<Int>]

  var root: RecordType { chain[0].origin }
  var type: RecordType { chain[chain.count - 1].destination }

  /// The tables whose changes the dependency is about.
  var types: Set<RecordType> {
    Set(chain.suffix(1 + columnsOnTheWay.count).map(\.destination))
  }
}
