/// The stamps of rows that are being read: each row's key, sort values and the version of its selected columns.
struct StampRows {
  /// The most bytes of a row's encoded values. A chunk stays below 2³² bytes with it.
  static let greatestSize = 16_000_000

  let statements: RowStatements
  private(set) var stamps = StampBuilder()
  private let hashKeys = RowHash.Keys.random
  private let row: RowBuffer

  init(_ statements: RowStatements) {
    self.statements = statements
    row = RowBuffer(statements)
  }

  /// The stamp of one row.
  static func stamp(_ row: ResultRow, _ statements: RowStatements) throws -> RowStamp {
    var rows = StampRows(statements)
    try rows.read(row)
    return rows.stamps.finish().chunks[0].stamp(0)
  }

  mutating func closeChunk() { stamps.closeChunk() }

  mutating func finish() -> StampChunks { stamps.finish() }

  /// Adds the stamp of a row.
  mutating func read(_ row: ResultRow) throws {
    let version = self.row.read(row, hashKeys)
    let size = try sizeOfStamp()
    let counts = statements.countedColumns.isEmpty ? nil : statements.counts(row)
    let (key, rest) = (self.row.key, self.row.rest)
    stamps.appendRow(size: size + ValueTag.greatestFixedSize * (counts?.count ?? 0), version: version, hashKeys) {
      for value in key { $0.append(value.asKey) }
    } rest: {
      for value in rest { $0.append(value) }
      if let counts { for count in counts { $0.append(count) } }
    }
  }

  /// The most bytes that the key and the sort values take.
  ///
  /// - Throws: ``RequeryReason`` for a key that is NULL, and for a text that is not UTF-8. Swift's repaired text would
  ///   sort differently, and be another key.
  @inline(__always)
  private func sizeOfStamp() throws -> Int {
    var size = row.fixedSize
    for value in row.key {
      if case .null = value, let type = statements.keyedType { throw RequeryReason.keyIsNull(type) }
      size += try value.contentSize()
    }
    for value in row.rest { size += try value.contentSize() }
    if size > Self.greatestSize {
      throw RequeryReason(
        "the key and the ordering values of a row have more than \(Self.greatestSize) bytes, which would be kept in memory"
      )
    }
    return size
  }
}

/// The values of the current row, valid until the next step. Each is read from SQLite once. Lives on the thread that
/// steps.
private final class RowBuffer {
  /// The values of the current row. Owned, and freed with the buffer. An array would check for other owners at each
  /// value.
  private let values: UnsafeMutableBufferPointer<EncodedValue>
  /// The columns of the stamp's values, in the stamp's order.
  private let stampColumns: [Int]
  /// The stamp's values, in the stamp's order. Owned, and freed with the buffer.
  private let stampValues: UnsafeMutableBufferPointer<EncodedValue>
  private let outputCount: Int
  private let keyCount: Int
  /// The most bytes of a stamp's encoded values, without the contents of texts and blobs.
  let fixedSize: Int

  init(_ statements: RowStatements) {
    stampColumns = statements.stampColumns
    outputCount = statements.outputCount
    keyCount = statements.keyCount
    fixedSize = ValueTag.greatestFixedSize * stampColumns.count
    values = .allocate(capacity: max(outputCount, (stampColumns.max() ?? -1) + 1))
    values.initialize(repeating: .null)
    stampValues = .allocate(capacity: stampColumns.count)
    stampValues.initialize(repeating: .null)
  }

  deinit {
    values.deallocate()
    stampValues.deallocate()
  }

  var key: Slice<UnsafeMutableBufferPointer<EncodedValue>> { stampValues[..<keyCount] }
  var rest: Slice<UnsafeMutableBufferPointer<EncodedValue>> { stampValues[keyCount...] }

  /// Reads a row.
  ///
  /// - Returns: The version of the selected columns.
  @inline(__always)
  func read(_ row: ResultRow, _ keys: RowHash.Keys) -> UInt64 {
    var hash = RowHash(keys)
    for column in 0..<outputCount {
      let value = row.encodedValue(at: Int32(truncatingIfNeeded: column))
      values[column] = value
      hash.combine(value)
    }
    for column in outputCount..<values.count {
      values[column] = row.encodedValue(at: Int32(truncatingIfNeeded: column))
    }
    for position in stampColumns.indices { stampValues[position] = values[stampColumns[position]] }
    return hash.value
  }
}

extension EncodedValue {
  /// The number of bytes of a text or blob; zero for other values.
  ///
  /// - Throws: ``RequeryReason`` for a text that is not UTF-8.
  @inline(__always)
  fileprivate func contentSize() throws -> Int {
    switch self {
    case .null, .integer, .real: return 0
    case .blob(let blob): return blob.count
    case .text(let text):
      guard text.isUTF8 else { throw RequeryReason("a text in its key or its ordering is not UTF-8") }
      return text.count
    }
  }
}

extension EncodedValue {
  /// The value as a key, which has one encoding (see ``RowKey``): zero has no sign.
  fileprivate var asKey: EncodedValue {
    if case .real(0) = self { .real(0) } else { self }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are valid UTF-8. O(bytes); most texts are ASCII, which is checked eight bytes at a time.
  fileprivate var isUTF8: Bool {
    var offset = 0
    while offset + 8 <= count {
      if loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return isUTF8Text }
      offset += 8
    }
    return self[offset...].allSatisfy { $0 < 0x80 } || isUTF8Text
  }

  private var isUTF8Text: Bool { String(validating: self, as: UTF8.self) != nil }
}
