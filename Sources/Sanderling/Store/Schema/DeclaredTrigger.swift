import SanderlingSQL

/// A trigger that a table must have.
struct DeclaredTrigger: Hashable, Sendable {
  let name: String
  let table: String
  /// The time and event, such as `AFTER INSERT`.
  private let event: String
  private let rest: String
  /// The derived texts that are right only if the trigger has always existed; nil for other triggers.
  let kept: DerivedTexts?

  /// The prefix of the names of all triggers in a store's schema.
  static let namePrefix = "sanderling_touch_"

  /// Creates a trigger.
  ///
  /// - Parameters:
  ///    - purpose: Distinguishes the trigger's name from the names of the table's other triggers.
  ///    - event: The time and event, such as `AFTER INSERT`.
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

  /// The statements that derive all texts of the table again. They must run if the trigger was missing.
  var renewalSQL: [String] { kept?.renewalSQL(in: table) ?? [] }

  /// Whether an existing trigger is equal to this one, regardless of spelling.
  func isEquivalent(to found: SchemaObject) -> Bool {
    guard let other = found.sql else { return false }
    let (tokens, otherTokens) = (SQLTokens(sql), SQLTokens(other))
    // The name of a trigger of derived texts includes the version of the fold, so it must be equal too.
    if kept != nil && name.folded != found.name.folded { return false }
    return tokens.normalized(tokens.tokens.indices).isIdentical(to: otherTokens.normalized(otherTokens.tokens.indices))
  }
}
