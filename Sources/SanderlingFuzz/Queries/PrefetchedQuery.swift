import Sanderling

/// A query of records with their associated records, of any types.
struct PrefetchedQuery: Sendable {
  /// A `PrefetchingSelection`.
  private let query: any Sendable
  let fetch: @Sendable (ReadTransaction) throws -> [[StorageValue]]
  let explain: @Sendable (Store) async throws -> LiveExplanation
  let openList: @MainActor @Sendable (Store, _ window: Int, OpenStyle) -> any OpenResult
  let openLongList: @MainActor @Sendable (Store, _ window: Int, BlockSizes) -> any OpenResult
  let page: @Sendable (PageMove, _ size: Int, Store, ReadTransaction) throws -> ReadPage?
  let openValue: @MainActor @Sendable (Store, OpenStyle) -> any OpenResult

  /// - Parameter values: The stored values of a row and of its associated records, which comparisons use.
  init<Root, Output>(
    _ query: PrefetchingSelection<Root, Output>, _ values: @escaping @Sendable (Output) throws -> [StorageValue]
  ) {
    self.query = query
    fetch = { tx in try tx.fetch(query).map(values) }
    explain = { store in try await query.explainLive(store) }
    openList = { store, window, style in
      OpenList(
        store.liveList(query, window: window, start: style.start), style,
        snapshots: store.snapshots(of: query, window: window),
        replace: { list, spec in
          guard case .rows = spec.form, let other = spec.prefetchedQuery?.query as? PrefetchingSelection<Root, Output>
          else { return false }
          list.replace(other)
          return true
        }, values)
    }
    openLongList = { store, window, sizes in
      OpenLongList(store.longList(query, visible: window, sizes: sizes), window: window, values)
    }
    page = { move, size, store, tx in try ReadPage(store.pages(of: query, size: size), move, tx, values) }
    openValue = { store, style in OpenValue(store.liveValue(query, start: style.start), style, values) }
  }
}

extension LiveQuerySpec {
  /// The query with its associated records; nil for a query of rows alone.
  var prefetchedQuery: PrefetchedQuery? {
    guard case .prefetched(let prefetch) = reading else { return nil }
    return prefetch.query(statement)
  }
}
