/// Rows that are being read for a list, put into chunks one after the other.
struct LoadedRows<Element: Sendable> {
  private var stamps = StampBuilder()
  private var elements: [[Element]] = []
  private var unreadable: [OrderedRows<Element>.Unreadable] = []

  init() {}

  /// The number of added rows.
  var count: Int { stamps.count + unreadable.count }

  /// Adds a row.
  mutating func append(_ stamp: RowStamp, _ element: Element) {
    if stamps.count == 0 || stamps.isChunkFull { elements.append([]) }
    stamps.append(stamp)
    elements[elements.count - 1].append(element)
  }

  /// Adds a readable or unreadable row.
  mutating func append(_ row: Window<Element>.Row) {
    switch row {
    case .readable(let stamp, let element): append(stamp, element)
    case .unreadable(let row): unreadable.append(.init(position: count, row: row))
    }
  }

  /// Returns all added rows that are readable.
  mutating func finish() -> LiveRows<Element> {
    LiveRows(stamps: stamps.finish(), values: ElementChunks(elements))
  }

  /// Returns all added rows.
  mutating func finishAll() -> OrderedRows<Element> { OrderedRows(finish(), unreadable: unreadable) }
}
