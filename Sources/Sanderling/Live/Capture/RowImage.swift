import Foundation

/// The values of some columns of one row, as stored.
///
/// Two images are equal when they hold the same columns with the same bytes.
struct RowImage: Sendable {
  /// The columns of the image.
  let layout: CaptureLayout
  /// Memory that the images of one commit share.
  private let bytes: [UInt8]
  private let range: Range<Int>

  init(layout: CaptureLayout, bytes: [UInt8], range: Range<Int>) {
    self.layout = layout
    self.bytes = bytes
    self.range = range
  }

  /// Reads the columns of a layout from the first columns of a row, in order.
  init(reading row: ResultRow, layout: CaptureLayout) {
    bytes = row.encoding(layout.columns.count)
    range = bytes.indices
    self.layout = layout
  }

  /// The value of a column, by its position in the table; nil if the image does not hold the column.
  func value(ofColumn index: Int) -> StorageValue? {
    guard let place = layout.place(of: index) else { return nil }
    return withBytes { bytes in
      var decoder = ValueDecoder(bytes)
      for _ in 0..<place { _ = decoder.next() }
      return decoder.next()?.value
    }
  }

  /// Calls `body` with each column's position in the table and its value, which is valid only during the call.
  func forEachValue(_ body: (Int, EncodedValue) throws -> Void) rethrows {
    try withBytes { bytes in
      var decoder = ValueDecoder(bytes)
      for column in layout.columns {
        if let value = decoder.next() { try body(column, value) }
      }
    }
  }

  /// The columns in which another image of the row differs.
  func columns(differingFrom other: RowImage) -> ColumnMask {
    if self == other { return ColumnMask([]) }
    guard layout === other.layout || layout.columns == other.layout.columns else { return .all }
    return withBytes { bytes in
      other.withBytes { otherBytes in
        var (decoder, otherDecoder) = (ValueDecoder(bytes), ValueDecoder(otherBytes))
        return ColumnMask(
          layout.columns.filter { _ in
            let (start, otherStart) = (decoder.offset, otherDecoder.offset)
            _ = (decoder.next(), otherDecoder.next())
            return !bytes[start..<decoder.offset].elementsEqual(otherBytes[otherStart..<otherDecoder.offset])
          })
      }
    }
  }

  private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }
}

extension RowImage: Equatable {
  static func == (lhs: RowImage, rhs: RowImage) -> Bool {
    guard lhs.layout === rhs.layout || lhs.layout.columns == rhs.layout.columns, lhs.range.count == rhs.range.count
    else { return false }
    return lhs.withBytes { lhs in
      rhs.withBytes { rhs in
        guard let left = lhs.baseAddress, let right = rhs.baseAddress else { return true }
        return memcmp(left, right, lhs.count) == 0
      }
    }
  }
}
