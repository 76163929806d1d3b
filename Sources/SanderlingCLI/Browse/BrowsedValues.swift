import Sanderling

/// The stored values of a browsed row.
struct BrowsedValues {
  let values: [StorageValue]
  /// The columns of the texts that aren't valid UTF-8. These texts have U+FFFD in place of the invalid bytes.
  let invalidTexts: [Int]

  /// - Parameter count: The number of the row's columns.
  init(_ row: ResultRow, count: Int) {
    let values = (0..<Int32(count)).map { row.storageValue(at: $0) }
    self.values = values
    invalidTexts = values.indices.filter { index in
      // U+FFFD begins with the byte EF in UTF-8, but valid texts can contain it, too.
      guard case .text(let text) = values[index], text.utf8.contains(0xEF) else { return false }
      return row.isInvalidText(at: Int32(index))
    }
  }
}
