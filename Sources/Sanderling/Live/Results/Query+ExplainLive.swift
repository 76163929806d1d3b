extension Selection {
  /// Explains how a live list or value of the query would be kept current.
  ///
  /// - Throws: ``StoreError`` for a query that can't be run.
  public func explainLive(_ store: Store) async throws -> LiveExplanation {
    _ = try sql
    return try await store.live.explain(ValueDefinition(self).request(among: store.live.forms).key)
  }

  /// Explains how a live count of the query's rows would be kept current.
  public func explainLiveCount(_ store: Store) async throws -> LiveExplanation {
    _ = try statement.countStatement
    return try await store.live.explain(CountDefinition(self).request(among: store.live.forms).key)
  }
}

extension PrefetchingSelection {
  /// Explains how a live list of the query and its prefetched records would be kept current.
  public func explainLive(_ store: Store) async throws -> LiveExplanation {
    _ = try selection.sql
    return try await store.live.explain(RowsDefinition(self).request(among: store.live.forms).key)
  }
}

extension RawQuery {
  /// Explains how a live list of the query would be kept current.
  public func explainLive(_ store: Store) async throws -> LiveExplanation {
    try await store.live.explain(RowsDefinition(self).request(among: store.live.forms).key)
  }
}
