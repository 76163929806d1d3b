/// The definition of a sectioned list, without the type of the record.
struct SectionedDefinition<Key: Sendable, Values: Sendable, Element: Sendable>: Sendable {
  let headers: RowsDefinition<SectionHeader<Key, Values>>
  /// The rows of the section with a stored key.
  let rows: @Sendable (StorageValue) -> RowsDefinition<Element>
  /// The identity of the section with a key; nil for a key that can't be stored.
  let section: @Sendable (Key) -> RowID?

  init<Root>(_ query: SectionedSelection<Root, Key, Values, Element>) {
    headers = RowsDefinition(query.headers)
    rows = { RowsDefinition(query.rows(in: $0)) }
    section = query.section
  }

  init<Root>(_ query: PrefetchingSections<Root, Key, Values, Element>) {
    headers = RowsDefinition(query.headers)
    rows = { RowsDefinition(query.attached(query.sections.rows(in: $0))) }
    section = query.sections.section
  }
}

extension SectionedSelection {
  fileprivate var section: @Sendable (Key) -> RowID? {
    { [key] in (try? key.coding.encode($0)).map { RowID(key: RowKey($0)) } }
  }
}
