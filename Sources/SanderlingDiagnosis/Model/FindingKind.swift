/// The stable name of a kind of problem, for filters and for scripts that read reports.
public enum FindingKind: String, CaseIterable, Sendable {
  case joinFanOut = "join-fan-out"
  case joinOrder = "join-order"
  case multipliedAggregate = "multiplied-aggregate"
  case fullScan = "full-scan"
  case sortWithoutIndex = "sort-without-index"
  case groupWithoutIndex = "group-without-index"
  case distinctWithoutIndex = "distinct-without-index"
  case indexNotCovering = "index-not-covering"
  case partialIndex = "partial-index"
  case expressionIndex = "expression-index"
  case orWithoutIndex = "or-without-index"
  case patternWithoutIndex = "pattern-without-index"
  case caseInsensitiveWithoutIndex = "case-insensitive-without-index"
  case functionOnColumn = "function-on-column"
  case typeMismatch = "type-mismatch"
  case automaticIndex = "automatic-index"
  case slowForeignKey = "foreign-key-without-index"
  case redundantIndex = "redundant-index"
  case duplicateIndex = "duplicate-index"
  case unusedIndex = "unused-index"
  case harmfulIndex = "harmful-index"
  case missingStatistics = "missing-statistics"
  case staleStatistics = "stale-statistics"
  case largeOffset = "large-offset"
  case repeatedStatement = "repeated-statement"
  case wideRowsForCount = "wide-rows-for-count"
  case subqueryPerRow = "subquery-per-row"
  case triggerWithoutColumns = "trigger-without-columns"
  case journalMode = "journal-mode"
  case synchronousMode = "synchronous-mode"
  case pageSize = "page-size"
  case cacheSize = "cache-size"
  case autoVacuum = "auto-vacuum"
  case fragmentation = "fragmentation"
}

extension FindingKind {
  /// Whether it concerns the database independently of its statements.
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
