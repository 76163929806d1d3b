import GRDB

/// The rows of a query that row changes can't maintain: it is run again after a change of any table that it reads.
final class RequeriedRows<Element: Sendable>: RowsResult<Element> {
  private let definition: RowsDefinition<Element>
  private var loaded = LiveRows<Element>()
  private var hasMore = false

  init(key: AnyHashable, number: Int, definition: RowsDefinition<Element>, reason: RequeryReason) {
    self.definition = definition
    super.init(key: key, number: number, route: nil, requeryReason: reason)
  }

  private var shownCount: Int { consumers.values.map(\.window).max() ?? 0 }

  override func rows(window: Int) -> (rows: LiveRows<Element>, hasMore: Bool) {
    let rows = loaded.slice(0..<min(window, loaded.count))
    return (rows, hasMore || loaded.count > rows.count)
  }

  override func readTables(_ db: Database) throws -> Set<String> {
    try db.tables(readBy: IdentifiedStatement(definition.source).sql)
  }

  override func makeLoad() -> LiveLoad {
    let (definition, number, count) = (definition, number, shownCount)
    return LiveLoad(query: number) { db in
      let statement = try IdentifiedStatement(definition.source)
      var rows: [LiveRow<Element>] = []
      var identities: [RowKey: Int64] = [:]
      var hasMore = false
      try db.forEachRow(of: statement.sql.sql, limit: count + 1) {
        try $0.bind(statement.sql.arguments)
      } row: { row in
        // The one beyond the window need not be one that can be read.
        if rows.count == count {
          hasMore = true
          return
        }
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
      return { [rows, hasMore] core in
        guard let query = core.query(number) as? RequeriedRows else { return }
        query.hasMore = hasMore
        query.loaded = LiveRows(rows)
        // Somebody may have come, or have grown, since the load began.
        query.consumersChanged(core)
      }
    }
  }

  override func consumersChanged(_ core: LiveCore) {
    if hasMore, loaded.count < shownCount { core.reload(self) }
  }
}
