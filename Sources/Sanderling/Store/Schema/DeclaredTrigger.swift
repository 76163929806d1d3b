import SanderlingSQL

/// A trigger as SQL.
struct DeclaredTrigger: Hashable, Sendable {
  let name: String
  let table: String
  /// All that follows ON.
  private let event: String
  private let rest: String
  /// The derived values that are right only if the trigger was always there.
  let kept: DerivedTexts?

  /// The names of all triggers that a store makes begin so.
  static let namePrefix = "sanderling_touch_"

  /// - Parameters:
  ///    - purpose: Distinguishes its name from those of the table's other triggers.
  ///    - event: `AFTER INSERT`, for example.
  ///    - rest: The condition and the statements.
  init(
    _ purpose: String, of table: String, column: String? = nil, _ event: String, _ rest: String,
    keeping kept: DerivedTexts? = nil
  ) {
    self.kept = kept
    name = Self.namePrefix + purpose + "_" + table + (column.map { ".\($0)" } ?? "")
    self.table = table
    self.event = event
    self.rest = rest
  }

  /// The statement that creates the trigger.
  var sql: String {
    "CREATE TRIGGER \(name.quotedIdentifier) \(event) ON \(table.quotedIdentifier) \(rest)"
  }

  /// The statements that have all derived anew, for the table of a trigger that wasn't there.
  var renewalSQL: [String] { kept?.renewalSQL(in: table) ?? [] }

  /// Whether a trigger that was found is this one, however it is spelled.
  func isEquivalent(to found: SchemaObject) -> Bool {
    guard let other = found.sql else { return false }
    let (tokens, otherTokens) = (SQLTokens(sql), SQLTokens(other))
    // The name of this kind has a meaning.
    if kept != nil && name.folded != found.name.folded { return false }
    return tokens.normalized(tokens.tokens.indices).isIdentical(to: otherTokens.normalized(otherTokens.tokens.indices))
  }
}
