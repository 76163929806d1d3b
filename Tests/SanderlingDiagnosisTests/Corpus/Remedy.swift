/// The remedy for a slow statement: changes to the database, another statement, or both.
struct Remedy: Sendable {
  /// DDL and ANALYZE to run before the statement.
  var changes: [String] = []
  /// The statement that replaces the slow statement.
  var replacement: String?
  /// The replacement's values, if they differ from those of the slow statement.
  var replacementExecutions: [[CorpusValue]]?
  /// Whether the replacement returns other rows than the statement: the right rows, or the rows of a page that is found
  /// by its key.
  var changesResults = false
  /// Whether the remedy can be applied by SQL. If it is a change of design, only naming the problem counts.
  var isMeasurable = true

  /// The remedy that creates an index on a table and its keys, such as `"message (mailbox_id, date_received DESC)"`.
  /// UNIQUE is not needed.
  static func index(_ target: String) -> Remedy {
    Remedy(changes: ["CREATE INDEX corpus_best_1 ON \(target)"])
  }

  /// A change of the app's design.
  static let design = Remedy(isMeasurable: false)
}
