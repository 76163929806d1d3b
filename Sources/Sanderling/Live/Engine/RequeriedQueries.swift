import GRDB
import GRDBSQLite

/// The rows of a query that row changes can't maintain: it is run again after a change of any table that it reads.
final class RequeriedRows<Element: Sendable>: LiveQuery, RowsSource {
  private let definition: RowsDefinition<Element>
  private var loaded = LiveRows<Element>()
  private var hasMore = false

  init(key: AnyHashable, number: Int, definition: RowsDefinition<Element>, reason: RequeryReason) {
    self.definition = definition
    super.init(key: key, number: number, route: nil, requeryReason: reason)
  }

  func rows(window: Int) -> (rows: LiveRows<Element>, hasMore: Bool) {
    let rows = loaded.slice(0..<min(window, loaded.count))
    return (rows, hasMore || loaded.count > rows.count)
  }

  override func readTables(_ db: Database) throws -> Set<String> {
    try db.tables(readBy: IdentifiedStatement(definition.source).sql)
  }

  override func makeLoad() -> LiveLoad {
    let (definition, number) = (definition, number)
    let count = consumers.values.map(\.window).max() ?? 0
    return LiveLoad(query: number) { db in
      let statement = try IdentifiedStatement(definition.source)
      var rows: [LiveRow<Element>] = []
      var identities: [RowKey: Int64] = [:]
      try db.forEachRow(of: statement.sql.sql, limit: count + 1) {
        try $0.bind(statement.sql.arguments)
      } row: { row in
        let output = row.advanced(by: Int32(statement.keyCount))
        // Without a key, rows are told apart by their values.
        let identity = statement.keyCount > 0 ? 0..<statement.keyCount : 0..<definition.columnCount
        var values = identity.map { row.storageValue(at: Int32($0)) }
        let occurrence = identities[RowKey(values), default: 0]
        identities[RowKey(values)] = occurrence + 1
        if occurrence > 0 || statement.keyCount == 0 { values.append(.integer(occurrence)) }
        let element = try StoreError.locating(Element.self) { try definition.decode(output) }
        rows.append(
          LiveRow(id: RowID(key: RowKey(values)), element: element, version: output.fingerprint(definition.columnCount))
        )
      }
      return { [rows] core in
        guard let query = core.query(number) as? RequeriedRows else { return }
        query.hasMore = rows.count > count
        query.loaded = LiveRows(rows.prefix(count))
      }
    }
  }

  override func consumersChanged(_ core: LiveCore) {
    if hasMore, loaded.count < consumers.values.map(\.window).max() ?? 0 { core.reload(self) }
  }
}

/// A value that row changes can't maintain: it is read again after a change of any table that it depends on.
final class RequeriedValue<Value: Sendable>: LiveQuery, ValueSource {
  private let makeStatement: @Sendable () throws -> SQLStatement
  private let decode: @Sendable (ResultRow) throws -> Value
  private(set) var value: Value?
  private(set) var version: UInt64 = 0

  init(
    _ statement: SelectStatement, key: AnyHashable, number: Int, _ reason: RequeryReason,
    decode: @escaping @Sendable (ResultRow) throws -> Value
  ) {
    makeStatement = { try SQLCompiler.compile(statement) }
    self.decode = decode
    super.init(key: key, number: number, route: nil, requeryReason: reason)
  }

  init(countOf statement: SelectStatement, key: AnyHashable, number: Int, _ reason: RequeryReason) where Value == Int {
    makeStatement = { try statement.countStatement }
    decode = { Int(try $0.integer(at: 0, for: Int.self)) }
    super.init(key: key, number: number, route: nil, requeryReason: reason)
  }

  override func readTables(_ db: Database) throws -> Set<String> {
    try db.tables(readBy: makeStatement())
  }

  override func makeLoad() -> LiveLoad {
    let (makeStatement, decode, number) = (makeStatement, decode, number)
    return LiveLoad(query: number) { db in
      let (value, version) = try db.value(of: makeStatement(), decode)
      return { core in
        guard let query = core.query(number) as? RequeriedValue else { return }
        query.value = value
        query.version = version
      }
    }
  }
}

/// The statement of a query that is run again, with what tells its rows apart in front.
struct IdentifiedStatement {
  let sql: SQLStatement
  /// How many columns tell the rows apart; none when only all of the selected ones do.
  let keyCount: Int

  init(_ source: LiveQueryKey.Source) throws {
    switch source {
    case .raw(let fragments):
      sql = try SQLCompiler.compile(raw: fragments)
      keyCount = 0
    case .statement(var statement):
      var keys: [Term] = []
      if !statement.groups.isEmpty {
        keys = statement.groups
      } else if !statement.isGrouped && !statement.isDistinct {
        let type = statement.source.type
        keys = type.table.key.map { .column(ColumnTerm(scope: .root, owner: type, index: $0)) }
      }
      // Rows that the ordering doesn't tell apart would come in any order, and seem to move.
      statement.orderings += keys.map { Ordering(term: $0) }
      statement.columns = keys + statement.columns
      sql = try SQLCompiler.compile(statement)
      keyCount = keys.count
    }
  }
}

extension Database {
  /// The first row of a statement, and a number that differs when the row does.
  func value<Value>(
    of statement: SQLStatement, _ decode: (ResultRow) throws -> Value
  ) throws -> (value: Value?, version: UInt64) {
    var result: (Value?, UInt64) = (nil, 0)
    try forEachRow(of: statement.sql, limit: 1) {
      try $0.bind(statement.arguments)
    } row: { row in
      let count = Int(sqlite3_column_count(row.statement))
      result = (try StoreError.locating(Value.self) { try decode(row) }, row.fingerprint(count))
    }
    return result
  }

  /// The folded names of the tables of the main database that a statement reads.
  fileprivate func tables(readBy statement: SQLStatement) throws -> Set<String> {
    let region = try cachedStatement(sql: statement.sql).databaseRegion
    let tables = try String.fetchAll(self, sql: "SELECT name FROM main.sqlite_schema WHERE type = 'table'")
    return Set(tables.filter { region.isModified(byEventsOfKind: .insert(tableName: $0)) }.map(\.asciiFolded))
  }
}
