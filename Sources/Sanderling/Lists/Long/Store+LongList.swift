extension Store {
  /// All rows of a query, followed: see ``LongList``.
  ///
  /// - Parameters:
  ///   - query: One without a limit. Its ordering is best served by an index.
  ///   - visible: The number of rows that are visible first, from 1 on. With fewer the list fails with ``StoreError/invalidQuery(_:)``.
  @MainActor
  public func longList<Root, Output>(_ query: Selection<Root, Output>, visible: Int = 50) -> LongList<Output> {
    makeLongList(RowsDefinition(query), visible: visible)
  }

  /// A list with blocks of another size, for tests.
  @MainActor
  package func longList<Root, Output>(
    _ query: Selection<Root, Output>, visible: Int, sizes: BlockSizes
  ) -> LongList<Output> {
    makeLongList(RowsDefinition(query), visible: visible, sizes)
  }

  /// All records of a query with their associated ones, followed: see ``LongList``.
  @MainActor
  public func longList<Root, Output>(_ query: PrefetchingSelection<Root, Output>, visible: Int = 50) -> LongList<Output>
  {
    makeLongList(RowsDefinition(query), visible: visible)
  }

  /// A list with blocks of another size, for tests.
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
