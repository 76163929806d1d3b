/// The rows of a live list at one moment: an immutable collection, whose copies and successors share their storage.
///
/// A row is reached in O(log rows); going through all takes O(rows).
public struct LiveRows<Value: Sendable>: Sendable {
  private(set) var stamps = RowStamps()
  /// The elements of the rows that are stored, in chunks as those of the stamps.
  private var values = ChunkedArray<Value>()

  /// No rows.
  public init() {}

  init(_ rows: some Sequence<LiveRow<Value>>) {
    append(contentsOf: rows)
  }

  /// The rows without their identities. O(rows).
  public var elements: [Value] { values.array(in: stamps.bounds) }
}

extension LiveRows: RandomAccessCollection {
  public typealias Element = LiveRow<Value>

  public var startIndex: Int { 0 }
  public var endIndex: Int { stamps.count }

  public subscript(position: Int) -> LiveRow<Value> {
    precondition(position >= 0 && position < stamps.count, "There is no row at this position")
    let (chunk, offset) = stamps.storage.location(of: stamps.bounds.lowerBound + position)
    return row(chunk, offset)
  }

  private func row(_ chunk: Int, _ offset: Int) -> LiveRow<Value> {
    LiveRow(stamp: stamps.storage.chunks[chunk][offset], element: values.chunks[chunk][offset])
  }

  public func makeIterator() -> Iterator {
    Iterator(rows: self)
  }

  /// Goes through the rows chunk by chunk.
  public struct Iterator: IteratorProtocol {
    private let rows: LiveRows
    private var remaining: Int
    private var chunk = 0
    private var offset = 0

    fileprivate init(rows: LiveRows) {
      self.rows = rows
      remaining = rows.count
      if remaining > 0 { (chunk, offset) = rows.stamps.storage.location(of: rows.stamps.bounds.lowerBound) }
    }

    public mutating func next() -> LiveRow<Value>? {
      guard remaining > 0 else { return nil }
      let row = rows.row(chunk, offset)
      remaining -= 1
      offset += 1
      if offset == rows.stamps.storage.chunks[chunk].count {
        chunk += 1
        offset = 0
      }
      return row
    }
  }
}

extension LiveRows: Equatable where Value: Equatable {
  public static func == (lhs: LiveRows, rhs: LiveRows) -> Bool {
    lhs.count == rhs.count && lhs.elementsEqual(rhs)
  }
}

// MARK: - Changes

extension LiveRows {
  /// O(chunks), as all single changes.
  mutating func insert(_ row: LiveRow<Value>, at position: Int) {
    dropHidden()
    stamps.change { $0.insert(row.stamp, at: position) }
    values.insert(row.element, at: position)
  }

  mutating func remove(at position: Int) {
    dropHidden()
    stamps.change { $0.remove(at: position) }
    values.remove(at: position)
  }

  mutating func replace(at position: Int, with row: LiveRow<Value>) {
    dropHidden()
    stamps.change { $0[position] = row.stamp }
    values[position] = row.element
  }

  mutating func append(contentsOf rows: some Sequence<LiveRow<Value>>) {
    dropHidden()
    let rows = Array(rows)
    stamps.change { $0.append(contentsOf: rows.map { $0.stamp }) }
    values.append(contentsOf: rows.map { $0.element })
  }

  mutating func removeLast(_ removed: Int) {
    dropHidden()
    stamps.change { $0.removeLast(removed) }
    values.removeLast(removed)
  }

  /// Some of the rows, sharing their storage. O(1) when they touch all chunks, otherwise O(chunks).
  func slice(_ range: Range<Int>) -> LiveRows {
    var result = LiveRows()
    result.stamps = stamps.slice(range)
    result.values = values.chunks(holding: range.shifted(by: stamps.bounds.lowerBound)).array
    return result
  }

  /// Makes a slice a list of its own, so that positions in it are positions in the storage.
  private mutating func dropHidden() {
    if stamps.bounds == 0..<stamps.storage.count { return }
    self = LiveRows(Array(self))
  }
}
