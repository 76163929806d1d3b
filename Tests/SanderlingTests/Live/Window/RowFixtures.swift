@testable import Sanderling

typealias TestRow = LiveRow<String>

extension LiveRow<String> {
  /// Makes a row whose key is a number.
  init(_ number: Int, version: UInt64 = 0) {
    self.init(id: RowID(number), element: "\(number).\(version)", version: version)
  }
}

extension RowID {
  init(_ number: Int) {
    self.init(key: RowKey([.integer(Int64(number))]))
  }

  var number: Int {
    if case .integer(let number) = key.values.first { Int(number) } else { -1 }
  }
}

extension LiveRows<String> {
  init(_ numbers: [Int]) {
    self.init(numbers.map { LiveRow($0) })
  }

  var numbers: [Int] { identified.map(\.id.number) }

  mutating func move(from: Int, to: Int) {
    let row = row(at: from)
    remove(at: from)
    insert(row, at: to)
  }

  mutating func insert(_ row: TestRow, at position: Int) {
    insert(row.stamp, row.element, at: position)
  }

  mutating func replace(at position: Int, with row: TestRow) {
    replace(at: position, with: row.stamp, row.element)
  }

  mutating func append(contentsOf rows: [TestRow]) {
    append(LiveRows(rows))
  }
}

extension TestRow {
  var stamp: RowStamp { RowStamp(key: id.key, version: version) }
}

extension Window {
  /// Replaces the window's rows.
  ///
  /// - Parameter rows: The first rows of the query, sorted.
  mutating func reset(_ rows: [Row], isComplete: Bool) {
    let rows = OrderedRows(rows)
    reset(rows, index: WindowIndex(rows.readable.stamps.storage, ordering), isComplete: isComplete)
  }

  mutating func append(_ rows: [Row], isComplete: Bool) {
    append(OrderedRows(rows), isComplete: isComplete)
  }

  /// Returns the readable rows among `count` rows after `offset`.
  func rows(_ offset: Int, count: Int) -> LiveRows<Element> { part(after: offset, count: count).readable }
}

extension Window.Row {
  /// Makes a row.
  ///
  /// - Parameter sortKey: The values that the row is sorted by, ending with its key.
  init(key: RowKey, sortKey: [StorageValue], counts: [Int64] = [], element: Element, version: UInt64) {
    let sortValues = sortKey.dropLast(key.values.count) + counts.map { .integer($0) }
    let encodedKey = key.withEncoding { Array($0) }
    self.init(
      stamp: RowStamp(
        bytes: encodedKey + Array(sortValues).withEncoding { Array($0) }, keySize: encodedKey.count,
        hash: encodedKey.withUnsafeBytes { RowKey.hash(ofEncoding: $0) }, version: version),
      element: element)
  }

  init(stamp: RowStamp, element: Element) {
    self = .readable(stamp, element)
  }

  /// The same row, as unreadable.
  var unreadable: Window.Row { .unreadable(UnreadableRow(stamp, .group, ValueError("it can't be read"))) }
}

extension OrderedRows {
  init(_ rows: [Window<Element>.Row]) {
    var loaded = LoadedRows<Element>()
    for row in rows { loaded.append(row) }
    self = loaded.finishAll()
  }
}

/// Whether rows equal those of another list in identity and content.
func isSame(_ lhs: LiveRows<String>, _ rhs: some Sequence<TestRow>) -> Bool {
  isSame(lhs.identified, rhs) && lhs.elementsEqual(rhs.map(\.element))
}

func isSame(_ lhs: some Sequence<TestRow>, _ rhs: some Sequence<TestRow>) -> Bool {
  lhs.elementsEqual(rhs) { $0.id == $1.id && $0.version == $1.version && $0.element == $1.element }
}

extension LiveRows {
  /// The identities of the chunks that hold the rows.
  var chunkIdentities: [UInt] { stamps.runs(in: 0..<count).map(\.identity) }
}

extension Window {
  init(ordering: [Ordering], keyCount: Int) {
    self.init(ordering: WindowOrdering(ordering, keyCount: keyCount))
  }
}
