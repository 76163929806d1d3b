/// What a sectioned list follows, without the type of the record.
struct SectionedDefinition<Key: Sendable, Values: Sendable, Element: Sendable>: Sendable {
  let headers: RowsDefinition<SectionHeader<Key, Values>>
  /// The rows of the section whose key is stored so.
  let rows: @Sendable (StorageValue) -> RowsDefinition<Element>
  /// The identity of the section with a key; nil for a key that can't be stored, which no section has.
  let section: @Sendable (Key) -> RowID?

  init<Root>(_ query: SectionedSelection<Root, Key, Values, Element>) {
    headers = RowsDefinition(query.headers)
    rows = { RowsDefinition(query.rows(in: $0)) }
    section = { key in
      (try? query.key.coding.encode(key)).map { RowID(key: RowKey($0)) }
    }
  }
}
