extension Selection {
  /// Tells how a live list or value of the query would be followed.
  ///
  /// - Throws: ``StoreError`` for a query that can't be run.
  public func explainLive(_ store: Store) async throws -> LiveExplanation {
    _ = try sql
    return try await store.live.explain(ValueDefinition(self).request(among: store.live.forms).key)
  }

  /// Tells how a live count of the query's rows would be followed.
  public func explainLiveCount(_ store: Store) async throws -> LiveExplanation {
    _ = try statement.countStatement
    return try await store.live.explain(CountDefinition(self).request(among: store.live.forms).key)
  }
}

extension PrefetchingSelection {
  /// Tells how a live list of the query would be followed, with all that is fetched beside its rows.
  public func explainLive(_ store: Store) async throws -> LiveExplanation {
    _ = try selection.sql
    return try await store.live.explain(RowsDefinition(self).request(among: store.live.forms).key)
  }
}

extension RawQuery {
  /// Tells how a live list of the query would be followed.
  public func explainLive(_ store: Store) async throws -> LiveExplanation {
    try await store.live.explain(RowsDefinition(self).request(among: store.live.forms).key)
  }
}
