import Sanderling

/// The values of a row that is browsed, as they are stored.
struct BrowsedValues {
  let values: [StorageValue]
  /// The places of the texts that aren't valid UTF-8, which have U+FFFD in place of some bytes.
  let invalidTexts: [Int]

  /// - Parameter count: How many columns the row has.
  init(_ row: ResultRow, count: Int) {
    let values = (0..<Int32(count)).map { row.storageValue(at: $0) }
    self.values = values
    invalidTexts = values.indices.filter { index in
      // Valid texts can have the character, too.
      guard case .text(let text) = values[index], text.utf8.contains(0xEF) else { return false }
      return row.isInvalidText(at: Int32(index))
    }
  }
}
