/// The stamps of rows that are being read: the key, the sort key, and the version of the selected columns of each.
struct StampRows {
  /// How many bytes of encoded values a row has at most: no chunk comes to 2³² of them.
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

  /// The greatest number of bytes of the key and the sort key.
  ///
  /// - Throws: ``RequeryReason`` for a key that is NULL, and for a text that is not UTF-8: Swift's text has another
  ///   place in the order and is another key.
  @inline(__always)
  private func sizeOfStamp() throws -> Int {
    var size = row.fixedSize
    for value in row.key {
      if case .null = value, let type = statements.keyedType { throw RequeryReason.keyIsNull(type) }
      size += try value.contentSize()
    }
    for value in row.rest { size += try value.contentSize() }
    if size > Self.greatestSize {
      throw RequeryReason("a row is sorted by more than \(Self.greatestSize) bytes, which would be kept in memory")
    }
    return size
  }
}

/// The values of the row at hand, which are valid until the next step: none is asked for twice. Lives on the thread that steps.
private final class RowBuffer {
  /// Owned: freed with the buffer. An array would be checked for other owners at each value.
  private let values: UnsafeMutableBufferPointer<EncodedValue>
  /// Where the values of a stamp are, in its order.
  private let stampColumns: [Int]
  /// The values of a stamp in order, if they are not selected in that order. This object owns the memory.
  private let stampValues: UnsafeMutableBufferPointer<EncodedValue>
  private let outputCount: Int
  private let keyCount: Int
  /// How many bytes the encoded values of a stamp take at most without their texts and blobs.
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
  /// How many bytes a text or a blob has.
  ///
  /// - Throws: ``RequeryReason`` for a text that is not UTF-8.
  @inline(__always)
  fileprivate func contentSize() throws -> Int {
    switch self {
    case .null, .integer, .real: return 0
    case .blob(let blob): return blob.count
    case .text(let text):
      guard text.isUTF8 else { throw RequeryReason("a text that it is sorted by is not UTF-8") }
      return text.count
    }
  }
}

extension EncodedValue {
  /// A key has one encoding, as ``RowKey`` says: it has no sign of zero.
  fileprivate var asKey: EncodedValue {
    if case .real(0) = self { .real(0) } else { self }
  }
}

extension UnsafeRawBufferPointer {
  /// O(bytes); most texts are ASCII, which is seen eight bytes at a time.
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
