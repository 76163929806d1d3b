/// The statement of a rerun query, with the columns that identify its rows in front.
struct IdentifiedStatement {
  let sql: SQLStatement
  /// The number of columns that identify a row; zero when only all selected columns do.
  let keyCount: Int
  /// The kind of identity that an unreadable row of the query has.
  let origin: UnreadableRow.Origin

  /// - Parameter count: The most rows to be read, so that SQLite sorts no more. SQL written by hand is not limited.
  init(_ source: LiveForms.Key.Source, first count: Int = .max) throws {
    switch source {
    case .raw(let fragments):
      sql = try SQLCompiler.compile(raw: fragments)
      keyCount = 0
      origin = .values
    case .statement(var statement):
      // DISTINCT rows get no key columns, which would make duplicates differ.
      let keys = statement.isDistinct ? [] : statement.identity
      // Otherwise rows with equal orderings could come in any order, and would seem to move.
      statement.orderings = statement.completeOrderings
      statement.columns = keys + statement.columns
      if count < .max { statement.limit = min(count, statement.limit ?? .max) }
      sql = try SQLCompiler.compile(statement)
      keyCount = keys.count
      origin = keys.isEmpty ? .values : statement.isGrouped ? .group : .table(statement.source.type)
    }
  }
}
