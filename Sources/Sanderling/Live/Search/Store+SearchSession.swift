extension Store {
  /// Searches the rows of a query by one text of each, while the user types.
  ///
  /// ```swift
  /// let search = store.searchSession(Note.order { $0.title.folded }) { $0.title }
  /// search.input = "ca"
  /// ```
  ///
  /// - Parameters:
  ///   - query: The rows and their order; a limit counts.
  ///   - kind: Where the text is searched. It is declared ``Searchable(_:)`` with this kind.
  ///   - window: The most rows of the session, from 1 on. With a small window, most inputs are read from the database.
  ///     With a large one, the first input takes longer. With less than 1 the session fails with
  ///     ``StoreError/invalidQuery(_:)``.
  ///   - empty: The rows for an input without anything to look for.
  ///   - debounce: How long the database waits after an input for the next one. A search in memory doesn't wait.
  ///   - clock: The clock that measures the debounce.
  ///   - text: The text that is searched.
  @MainActor
  public func searchSession<Root, Output, Value: TextColumnValue>(
    _ query: Selection<Root, Output>, in kind: SearchKind = .words, window: Int = 200, empty: EmptySearch = .allRows,
    debounce: Duration = .milliseconds(30), clock: any Clock<Duration> = ContinuousClock(),
    _ text: (Root.Fields) -> Field<Value>
  ) -> SearchSession<Output> {
    searchSession(query, in: kind, window: window, empty: empty, debounce: debounce, clock: clock) {
      SearchedTexts(text($0))
    }
  }

  /// Searches the rows of a query by several texts of each, while the user types. Each word of the input may be in any
  /// of the texts.
  ///
  /// ```swift
  /// let search = store.searchSession(Note.order { $0.title.folded }) { SearchedTexts($0.title, $0.author) }
  /// ```
  @MainActor
  public func searchSession<Root, Output>(
    _ query: Selection<Root, Output>, in kind: SearchKind = .words, window: Int = 200, empty: EmptySearch = .allRows,
    debounce: Duration = .milliseconds(30), clock: any Clock<Duration> = ContinuousClock(),
    _ texts: (Root.Fields) -> SearchedTexts
  ) -> SearchSession<Output> {
    let texts = Nesting.atRoot { texts(Root.fields) }
    return SearchSession(
      self, SearchedQuery(query, texts, in: kind), in: kind, window: window, empty: empty, debounce: debounce,
      clock: clock)
  }
}
