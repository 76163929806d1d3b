/// The remedy for a slow statement: changes to the database, another statement, or both.
struct Remedy: Sendable {
  /// DDL and ANALYZE, to be run before the statement.
  var changes: [String] = []
  /// The statement that takes the other's place.
  var replacement: String?
  /// The replacement's values, where they aren't the statement's own.
  var replacementExecutions: [[CorpusValue]]?
  /// Whether the replacement returns other rows than the statement: the right ones, or those of a page found by its
  /// key.
  var changesResults = false
  /// False when the remedy is a change of design that can't be applied by running SQL; then only naming the problem
  /// counts.
  var isMeasurable = true

  /// Creates an index on what `target` says: `"message (mailbox_id, date_received DESC)"`. UNIQUE is not needed.
  static func index(_ targets: String...) -> Remedy {
    Remedy(changes: indexes(targets))
  }

  static func change(_ changes: String...) -> Remedy {
    Remedy(changes: changes)
  }

  /// A statement that returns the same rows for the same values.
  static func rewrite(_ sql: String, with targets: String...) -> Remedy {
    Remedy(changes: indexes(targets), replacement: sql)
  }

  /// A statement that returns the right rows where the old one returned wrong ones.
  static func correct(_ sql: String, with targets: String...) -> Remedy {
    Remedy(changes: indexes(targets), replacement: sql, changesResults: true)
  }

  /// A statement that finds the page by the last row of the page before, instead of counting rows.
  static func keyset(_ sql: String, _ executions: [CorpusValue]..., with targets: String...) -> Remedy {
    Remedy(
      changes: indexes(targets), replacement: sql, replacementExecutions: executions)
  }

  /// One statement for all executions of an operation. Its rows are those of all of them together.
  static func batch(_ sql: String, _ values: [CorpusValue], with targets: String...) -> Remedy {
    Remedy(changes: indexes(targets), replacement: sql, replacementExecutions: [values])
  }

  /// A change of the app's design.
  static let design = Remedy(isMeasurable: false)

  private static func indexes(_ targets: [String]) -> [String] {
    targets.enumerated().map { "CREATE INDEX corpus_best_\($0.offset + 1) ON \($0.element)" }
  }
}
