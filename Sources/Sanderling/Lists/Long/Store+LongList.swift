extension Store {
  /// All rows of a query, followed: see ``LongList``.
  ///
  /// - Parameters:
  ///   - query: One without a limit. Its ordering is best served by an index.
  ///   - visible: How many rows are looked at first.
  /// - Precondition: `visible` is positive.
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
    precondition(visible > 0, "at least one row is looked at")
    return LongList(engine: live, definition, visible: visible, sizes)
  }
}
