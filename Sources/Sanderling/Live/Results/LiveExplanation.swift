/// How a query is followed, and why so.
public struct LiveExplanation: Hashable, Sendable, CustomStringConvertible {
  /// Whether changes of rows maintain it. Otherwise it is run again after changes of its tables, at most five times a
  /// second; the results are as exact.
  public let isMaintained: Bool
  /// Why it is run again; nil when it is maintained.
  public let reason: String?
  /// The tables whose changes it follows.
  public let tables: [String]

  public var description: String {
    let tables = tables.joined(separator: ", ")
    guard let reason else { return "Maintained from the changes of rows of \(tables)." }
    return "Run again after changes of \(tables), at most five times a second, because \(reason)."
  }
}

extension Selection {
  /// Tells how a live list or value of the query would be followed.
  ///
  /// - Throws: ``StoreError`` for a query that can't be run.
  public func explainLive(_ store: Store) async throws -> LiveExplanation {
    _ = try sql
    return try await store.live.explain { core in
      statement.isGrouped && statement.groups.isEmpty
        ? ValueDefinition(self).query(in: core) : RowsDefinition(self).query(in: core)
    }
  }

  /// Tells how a live count of the query's rows would be followed.
  public func explainLiveCount(_ store: Store) async throws -> LiveExplanation {
    _ = try statement.countStatement
    return try await store.live.explain { CountDefinition(self).query(in: $0) }
  }
}

extension RawQuery {
  /// Tells how a live list of the query would be followed.
  public func explainLive(_ store: Store) async throws -> LiveExplanation {
    try await store.live.explain { RowsDefinition(self).query(in: $0) }
  }
}

extension LiveEngine {
  fileprivate func explain(_ makeQuery: @Sendable (LiveCore) -> LiveQuery) async throws -> LiveExplanation {
    do {
      return try await writer.writeWithoutTransaction { [writer, capture, clock] db in
        try db.throwIfClosed()
        let query = makeQuery(LiveCore(writer: writer, capture: capture, clock: clock))
        guard query.route != nil else {
          return LiveExplanation(
            isMaintained: false, reason: query.requeryReason?.description, tables: try query.readTables(db).sorted())
        }
        let obstacle = try capture.install(query.needs, on: db).values.first ?? capture.obstacle(to: query.needs)
        return LiveExplanation(
          isMaintained: obstacle == nil, reason: obstacle?.description,
          tables: query.needs.map(\.table.table.name).sorted())
      }
    } catch {
      throw writer.wrapping(error)
    }
  }
}
