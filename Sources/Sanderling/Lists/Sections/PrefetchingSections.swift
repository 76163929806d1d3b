/// A query in sections whose records come with associated records, as tuples.
public struct PrefetchingSections<Root: StoredRecord, Key: Sendable, Values: Sendable, Output: Sendable>: Sendable {
  let sections: SectionedSelection<Root, Key, Values, Root>
  /// Adds the prefetched rows to a query of the records.
  let attached: @Sendable (Selection<Root, Root>) -> PrefetchingSelection<Root, Output>

  /// The query of the sections' headers: see ``SectionedSelection/headers``.
  public var headers: Selection<Root, SectionHeader<Key, Values>> { sections.headers }

  /// The query of one section's rows.
  public func rows(in section: Key) -> PrefetchingSelection<Root, Output> { attached(sections.rows(in: section)) }
}

extension SectionedSelection where Root: StoredRecord, Output == Root {
  /// Adds associated records to each record of the sections. Those of closed sections aren't read.
  ///
  /// ```swift
  /// TodoTask.order { $0.title }.sectioned { $0.project.name }.with(TodoTask.labels.prefetch())
  /// ```
  public func with<First, each Other>(
    _ first: Prefetch<Root, First>, _ others: repeat Prefetch<Root, each Other>
  ) -> PrefetchingSections<Root, Key, Values, (Root, First, repeat each Other)> {
    PrefetchingSections(sections: self) { $0.with(first, repeat each others) }
  }
}
