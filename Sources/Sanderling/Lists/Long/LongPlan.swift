import GRDB
import SanderlingSQL

/// The shared part of the long lists of one form: the statements for rows by their places, and the routes of changes.
final class LongPlan<Element: Sendable>: Sendable {
  let definition: RowsDefinition<Element>
  let decode: RowsDefinition<Element>.DecodeOne
  /// The query, with placeholders for its compared values.
  let statement: SelectStatement
  /// Statements that read whole rows.
  let statements: RowStatements
  /// Statements that read only the sort keys.
  let keys: RowStatements
  /// Statements that read the sort keys in the opposite direction. Their ordering includes the key, so that each sort
  /// key ends with the key twice.
  let reversedKeys: RowStatements
  let ordering: WindowOrdering
  /// The routes of changes to the lists, or the reason why the lists can't follow changes.
  let routes: Result<RoutePlan, RequeryReason>

  /// Plans the long lists of a query.
  ///
  /// - Throws: ``LongListError`` if the query can't be a long list, and the errors of compiling the query.
  init(_ definition: RowsDefinition<Element>) throws {
    guard case .statement(let statement) = definition.source, let decode = definition.decode else {
      throw LongListError.hasNoPlaces("it is written by hand")
    }
    if statement.isDistinct {
      throw LongListError.hasNoPlaces("it removes duplicates, and the remaining rows have no key")
    }
    if statement.limit != nil || statement.offset != 0 { throw LongListError.isLimited }
    if case .table = statement.source {} else { throw LongListError.hasNoPlaces("it doesn't start from a table") }
    for ordering in statement.orderings {
      if let obstacle = ordering.term.pageObstacle { throw LongListError.hasNoPlaces(obstacle) }
    }
    self.definition = definition
    self.decode = decode
    self.statement = statement
    statements = try RowStatements(statement)
    ordering = WindowOrdering(statements.orderings, keyCount: statements.keyCount)
    var keysOnly = statement
    keysOnly.columns = []
    keys = try RowStatements(keysOnly)
    keysOnly.orderings = statements.orderings.map(\.reversed)
    reversedKeys = try RowStatements(keysOnly)
    routes = Result {
      if let reason = statement.requeryReason { throw reason }
      if let reason = definition.prefetched.firstResult(of: \.requeryReason) { throw reason }
      if statement.isGrouped { throw RequeryReason("it has groups, and a change of one row may change their order") }
      let routes = try RoutePlan(
        root: statement.source.type, condition: statement.condition, orderings: statement.followedOrderings,
        outputs: statement.columns, prefetched: definition.prefetched)
      if !routes.isWholeCondition { throw RequeryReason("only SQLite can decide which rows satisfy its condition") }
      if routes.ordering == nil { throw RequeryReason("only SQLite can find the place of a row in its order") }
      return routes
    }.mapError { RequeryReason($0) }
  }
}

extension LongPlan {
  /// Requires that the columns that decide a row's place have their declared collations in the database, because Swift
  /// sorts by these. A table with other collations isn't captured, so that its lists are rerun after changes.
  ///
  /// - Throws: ``LongListError/hasNoPlaces(_:)`` if a column of the ordering has another collation in the database.
  func requireDeclaredCollations(_ db: Database) throws {
    for ordering in statement.placeOrderings {
      guard case .column(let column) = ordering.term, !column.owner.table.isView else { continue }
      let (table, definition) = (column.owner.table.name, column.definition)
      let actual = try TableReader(table, db).columns().named(definition.name)?.collation
      if let actual, actual.asciiLowercased != definition.collation.rawValue.asciiLowercased {
        throw LongListError.hasNoPlaces(
          "the column \(definition.name.quotedIdentifier) of table \(table) has the collation \(actual), which the record doesn't declare"
        )
      }
    }
  }
}
