/// The stable name of a kind of problem, for filters and for scripts that read reports.
public enum FindingKind: String, CaseIterable, Sendable {
  /// Joins to several to-many tables combine all their rows with each other.
  case joinFanOut = "join-fan-out"
  /// The joins begin with a table whose filter leaves more rows than the filter of another.
  case joinOrder = "join-order"
  /// A join repeats rows inside an aggregate, whose result is too large.
  case multipliedAggregate = "multiplied-aggregate"
  /// All rows of a table are read to find a few.
  case fullScan = "full-scan"
  /// The result is sorted, although an index could deliver it in order.
  case sortWithoutIndex = "sort-without-index"
  /// Rows are sorted for GROUP BY, although an index could deliver the groups.
  case groupWithoutIndex = "group-without-index"
  /// A set of all rows is built for DISTINCT, although an index could deliver them in order.
  case distinctWithoutIndex = "distinct-without-index"
  /// The index finds more rows than needed, or lacks columns that are read.
  case indexNotCovering = "index-not-covering"
  /// An index of only the rows that the statement concerns would be smaller and faster.
  case partialIndex = "partial-index"
  /// The statement searches by an expression that an index could hold.
  case expressionIndex = "expression-index"
  /// One side of an OR has no index, so that neither side uses one.
  case orWithoutIndex = "or-without-index"
  /// LIKE or GLOB reads all rows.
  case patternWithoutIndex = "pattern-without-index"
  /// A comparison ignores case, and its index doesn't.
  case caseInsensitiveWithoutIndex = "case-insensitive-without-index"
  /// A function around a column hides the column from its index.
  case functionOnColumn = "function-on-column"
  /// The compared value has another type than the column.
  case typeMismatch = "type-mismatch"
  /// SQLite builds an index for each execution.
  case automaticIndex = "automatic-index"
  /// Deleting or changing a parent reads all rows of the child table.
  case slowForeignKey = "foreign-key-without-index"
  /// Another index begins with the same columns.
  case redundantIndex = "redundant-index"
  /// Another index is the same.
  case duplicateIndex = "duplicate-index"
  /// No statement of a log uses the index.
  case unusedIndex = "unused-index"
  /// The planner prefers an index with which the statement is slower.
  case harmfulIndex = "harmful-index"
  /// ANALYZE never ran, and the planner's guesses lead to a slower plan.
  case missingStatistics = "missing-statistics"
  /// The statistics describe other data than the tables hold.
  case staleStatistics = "stale-statistics"
  /// OFFSET skips rows that were read for nothing.
  case largeOffset = "large-offset"
  /// An operation runs one statement for each row of another (N+1).
  case repeatedStatement = "repeated-statement"
  /// Whole rows are read, although their number, their existence or a few columns would suffice.
  case wideRowsForCount = "wide-rows-for-count"
  /// A subquery without a fitting index runs for each row of the outer query.
  case subqueryPerRow = "subquery-per-row"
  /// A trigger runs for updates of columns that it doesn't read.
  case triggerWithoutColumns = "trigger-without-columns"
  /// Another journal mode lets readers and a writer work at the same time.
  case journalMode = "journal-mode"
  /// Commits wait for the disk more often than needed, or less often than is safe.
  case synchronousMode = "synchronous-mode"
  /// The page size doesn't suit the rows.
  case pageSize = "page-size"
  /// The cache is smaller than the pages that statements read again and again.
  case cacheSize = "cache-size"
  /// Free pages are moved at each commit, or never return to the file system.
  case autoVacuum = "auto-vacuum"
  /// Much of the file is free, or out of order.
  case fragmentation = "fragmentation"
}

extension FindingKind {
  /// Whether the kind concerns the database independently of its statements.
  var isAboutDatabase: Bool {
    switch self {
    case .redundantIndex, .duplicateIndex, .unusedIndex, .journalMode, .synchronousMode, .pageSize, .cacheSize,
      .autoVacuum,
      .fragmentation:
      true
    default: false
    }
  }
}
