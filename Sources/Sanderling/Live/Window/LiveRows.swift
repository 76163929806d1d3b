/// The rows of a live list at one commit: an immutable collection, whose copies and successors share their storage.
///
/// Its elements are the query's selected values. Records and projections with an `id` are identified by it, in
/// SwiftUI's `ForEach` and `List(selection:)` for example. Other elements are identified by ``identified``.
///
/// Access to one row takes O(log rows), iteration over all takes O(rows).
public struct LiveRows<Value: Sendable>: Sendable {
  private(set) var stamps = RowStamps()
  /// The elements of the stored rows, in the same chunks as the stamps.
  private var values = ElementChunks<Value>()

  /// Creates an empty collection.
  public init() {}

  init(_ rows: some Sequence<LiveRow<Value>>) {
    var loaded = LoadedRows<Value>()
    for row in rows { loaded.append(RowStamp(key: row.id.key, version: row.version), row.element) }
    self = loaded.finish()
  }

  /// Copies rows into storage of their own, which holds no other rows. O(rows).
  init(copying rows: LiveRows<Value>) {
    self = rows
    dropHidden()
  }

  /// - Parameters:
  ///   - stamps: The stamps of the rows: all data beside their elements.
  ///   - values: The elements, in the same chunks.
  init(stamps: StampChunks, values: ElementChunks<Value>) {
    self.stamps = RowStamps(stamps)
    self.values = values
  }

  /// The rows as an array. O(rows).
  public var elements: [Value] { values.array(from: stamps.bounds.lowerBound, count: stamps.count) }
}

extension LiveRows: RandomAccessCollection {
  public typealias Element = Value

  public var startIndex: Int { 0 }
  public var endIndex: Int { stamps.count }

  public subscript(position: Int) -> Value {
    let (chunk, offset) = location(of: position)
    return values.chunks[chunk][offset]
  }

  /// The row at a position with its identity.
  func row(at position: Int) -> LiveRow<Value> {
    let (chunk, offset) = location(of: position)
    let stamps = stamps.storage.chunks[chunk]
    return LiveRow(
      id: RowID(key: stamps.key(offset)), element: values.chunks[chunk][offset], version: stamps.version(offset))
  }

  private func location(of position: Int) -> (chunk: Int, offset: Int) {
    // A precondition as in any collection. For rows that may be gone there are ``LiveList/subscript(id:)`` and
    // `position(of:)`.
    precondition(position >= 0 && position < stamps.count, "There is no row at this position")
    return stamps.storage.location(of: stamps.bounds.lowerBound + position)
  }

  public func makeIterator() -> Iterator {
    Iterator(rows: self)
  }

  /// Iterates over the rows chunk by chunk.
  public struct Iterator: IteratorProtocol {
    private let values: ElementChunks<Value>
    private var remaining: Int
    private var chunk = 0
    private var offset = 0

    fileprivate init(rows: LiveRows) {
      values = rows.values
      remaining = rows.count
      if remaining > 0 { (chunk, offset) = rows.location(of: 0) }
    }

    public mutating func next() -> Value? {
      guard remaining > 0 else { return nil }
      let values = values.chunks[chunk]
      let value = values[offset]
      remaining -= 1
      offset += 1
      if offset == values.count {
        chunk += 1
        offset = 0
      }
      return value
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
  /// Inserts a row. O(chunks), like all changes of single rows.
  @discardableResult
  mutating func insert(_ stamp: RowStamp, _ element: Value, at position: Int) -> StampChunks.Insertion {
    dropHidden()
    let insertion = stamps.change { $0.insert(stamp, at: position) }
    values.insert(element, insertion)
    return insertion
  }

  @discardableResult
  mutating func remove(at position: Int) -> StampChunks.Removal {
    dropHidden()
    let removal = stamps.change { $0.remove(at: position) }
    values.remove(removal)
    return removal
  }

  /// - Parameter element: Nil to keep the present element.
  mutating func replace(at position: Int, with stamp: RowStamp, _ element: Value?) {
    dropHidden()
    stamps.change { $0.replace(at: position, with: stamp) }
    if let element { values.replace(stamps.storage.location(of: position), with: element) }
  }

  /// - Returns: Whether the first chunk of the added rows was joined to the last chunk.
  @discardableResult
  mutating func append(_ added: LiveRows) -> Bool {
    dropHidden()
    var added = added
    added.dropHidden()
    let joins = stamps.change { $0.append(added.stamps.storage) }
    values.append(added.values, joins: joins)
    return joins
  }

  mutating func removeLast(_ removed: Int) {
    dropHidden()
    stamps.change { $0.removeLast(removed) }
    values.removeLast(keeping: stamps.storage.chunks.count, last: stamps.storage.chunks.last?.count ?? 0)
  }

  /// Some of the rows, in shared storage. O(1) when they touch all chunks, otherwise O(chunks).
  func slice(_ range: Range<Int>) -> LiveRows {
    let (part, chunks) = stamps.slice(range)
    var result = LiveRows()
    result.stamps = part
    result.values = values[chunks]
    return result
  }

  /// Gives a slice its own storage, so that its positions are positions in the storage.
  private mutating func dropHidden() {
    if stamps.bounds == 0..<stamps.storage.count { return }
    var loaded = LoadedRows<Value>()
    for position in indices { loaded.append(stamps[position], self[position]) }
    self = loaded.finish()
  }
}
