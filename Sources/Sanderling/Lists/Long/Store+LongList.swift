extension Store {
  /// Returns a live list of all rows of a query: see ``LongList``.
  ///
  /// - Parameters:
  ///   - query: A query without a limit. An index on its ordering makes the list fast.
  ///   - visible: The number of rows that are visible first, at least 1. With a smaller number the list fails with
  ///     ``StoreError/invalidQuery(_:)``.
  @MainActor
  public func longList<Root, Output>(_ query: Selection<Root, Output>, visible: Int = 50) -> LongList<Output> {
    makeLongList(RowsDefinition(query), visible: visible)
  }

  /// Returns a list with blocks of another size, for tests.
  @MainActor
  package func longList<Root, Output>(
    _ query: Selection<Root, Output>, visible: Int, sizes: BlockSizes
  ) -> LongList<Output> {
    makeLongList(RowsDefinition(query), visible: visible, sizes)
  }

  /// Returns a live list of all records of a query, with their associated records: see ``LongList``.
  @MainActor
  public func longList<Root, Output>(_ query: PrefetchingSelection<Root, Output>, visible: Int = 50) -> LongList<Output>
  {
    makeLongList(RowsDefinition(query), visible: visible)
  }

  /// Returns a list with blocks of another size, for tests.
  @MainActor
  package func longList<Root, Output>(
    _ query: PrefetchingSelection<Root, Output>, visible: Int, sizes: BlockSizes
  ) -> LongList<Output> {
    makeLongList(RowsDefinition(query), visible: visible, sizes)
  }

  @MainActor
  private func makeLongList<Output>(
    _ definition: RowsDefinition<Output>, visible: Int, _ sizes: BlockSizes = BlockSizes()
  ) -> LongList<Output> {
    LongList(engine: live, definition.fitting(window: visible), visible: visible.asWindow, sizes)
  }
}
