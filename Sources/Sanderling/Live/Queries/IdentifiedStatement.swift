/// The statement of a rerun query, with leading columns that identify its rows.
struct IdentifiedStatement {
  let sql: SQLStatement
  /// How many columns tell the rows apart; none when only all of the selected ones do.
  let keyCount: Int
  /// The source of a row's identity.
  let origin: UnreadableRow.Origin

  /// - Parameter count: The greatest number of rows to read: SQLite then sorts no more than these. Handwritten SQL is
  ///   left unchanged.
  init(_ source: LiveForms.Key.Source, first count: Int = .max) throws {
    switch source {
    case .raw(let fragments):
      sql = try SQLCompiler.compile(raw: fragments)
      keyCount = 0
      origin = .values
    case .statement(var statement):
      // Values beside the selected ones would tell rows apart that are duplicates.
      let keys = statement.isDistinct ? [] : statement.identity
      // Rows that the ordering doesn't tell apart would come in any order, and seem to move.
      statement.orderings = statement.completeOrderings
      statement.columns = keys + statement.columns
      if count < .max { statement.limit = min(count, statement.limit ?? .max) }
      sql = try SQLCompiler.compile(statement)
      keyCount = keys.count
      origin = keys.isEmpty ? .values : statement.isGrouped ? .group : .table(statement.source.type)
    }
  }
}
