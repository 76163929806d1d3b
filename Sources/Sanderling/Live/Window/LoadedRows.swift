/// Rows that are being read for a list, put into chunks as they come.
struct LoadedRows<Element: Sendable> {
  private var stamps = StampBuilder()
  private var elements: [[Element]] = []

  init() {}

  /// Adds a row.
  mutating func append(_ stamp: RowStamp, _ element: Element) {
    if stamps.count == 0 || stamps.isChunkFull { elements.append([]) }
    stamps.append(stamp)
    elements[elements.count - 1].append(element)
  }

  /// All rows that were added.
  mutating func finish() -> LiveRows<Element> {
    LiveRows(stamps: stamps.finish(), values: ElementChunks(elements))
  }
}
