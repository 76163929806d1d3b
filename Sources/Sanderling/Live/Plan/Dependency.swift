/// The rows that a live query reads beside its own. A change of such a row concerns the query's rows that refer to it.
///
/// Queries that read the same rows share one dependency.
struct Dependency: Hashable, Sendable {
  /// The associations from the query's rows to these; never empty.
  let chain: [Association]
  let columns: Set<Int>
  let filter: Term?
  /// The counted rows, if the filter is the only condition and the query reads nothing else of the rows.
  let counted: CountedRows?
  /// The columns that are read of the intermediate rows, for each association but the last, if those rows count the
  /// rows below. Their changes belong to this dependency too then. Otherwise empty: each intermediate row has its own
  /// dependency.
  let columnsOnTheWay: [Set<Int>]

  var root: RecordType { chain[0].origin }
  var type: RecordType { chain[chain.count - 1].destination }

  /// The tables whose changes the dependency is about.
  var types: Set<RecordType> {
    Set(chain.suffix(1 + columnsOnTheWay.count).map(\.destination))
  }
}
