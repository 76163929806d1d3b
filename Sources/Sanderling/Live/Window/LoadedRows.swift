/// Rows that are being read for a list, put into chunks as they come.
struct LoadedRows<Element: Sendable> {
  private var stamps = StampBuilder()
  private var elements: [[Element]] = []
  private var unreadable: [OrderedRows<Element>.Unreadable] = []

  init() {}

  /// How many rows were added.
  var count: Int { stamps.count + unreadable.count }

  /// Adds a row.
  mutating func append(_ stamp: RowStamp, _ element: Element) {
    if stamps.count == 0 || stamps.isChunkFull { elements.append([]) }
    stamps.append(stamp)
    elements[elements.count - 1].append(element)
  }

  /// Adds a row, whether it can be read or not.
  mutating func append(_ row: Window<Element>.Row) {
    switch row {
    case .readable(let stamp, let element): append(stamp, element)
    case .unreadable(let row): unreadable.append(.init(position: count, row: row))
    }
  }

  /// All rows that were added and can be read.
  mutating func finish() -> LiveRows<Element> {
    LiveRows(stamps: stamps.finish(), values: ElementChunks(elements))
  }

  /// All rows that were added.
  mutating func finishAll() -> OrderedRows<Element> { OrderedRows(finish(), unreadable: unreadable) }
}
