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
  static func index(_ target: String) -> Remedy {
    Remedy(changes: ["CREATE INDEX corpus_best_1 ON \(target)"])
  }

  /// A change of the app's design.
  static let design = Remedy(isMeasurable: false)
}
