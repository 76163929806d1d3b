import Sanderling

/// What a column of NUMERIC affinity stores, in which SQLite makes numbers of texts that look like some: whatever it is, but for numbers
/// that would be others then.
///
/// See [Type Affinity](https://www.sqlite.org/datatype3.html#type_affinity).
enum NumericCoding: ColumnCoding, ExplainedCoding {
  typealias Value = StorageValue
  static var columnType: ColumnType { .blob }
  static var acceptsNull: Bool { true }
  static func encode(_ value: StorageValue) -> StorageValue { value }

  static func decode(_ stored: StorageValue) throws -> StorageValue {
    if let reason = misfit(stored) { throw Misfit(reason) }
    return stored
  }

  static func misfit(_ stored: StorageValue) -> String? {
    switch stored {
    case .real(let real): real.isFinite ? nil : "it is beyond the numbers that the column can hold"
    case .text(let text): isChanged(text) ? "it is a number with more digits than the column can hold" : nil
    case .null, .integer, .blob: nil
    }
  }

  /// Whether a text is a number to SQLite that neither an integer nor a double is.
  private static func isChanged(_ text: String) -> Bool {
    let characters = text.utf8.filter { ![9, 10, 11, 12, 13, 32].contains($0) }
    guard let first = characters.first, (48...57).contains(first) || [43, 45, 46].contains(first),
      characters.allSatisfy({ (43...57).contains($0) || $0 == 69 || $0 == 101 })
    else { return false }
    let number = String(decoding: characters, as: UTF8.self)
    guard Int64(number) == nil, let nearest = Double(number) else { return false }
    // A decimal is as near as in a column of reals. An integer is to stay itself.
    let isInteger = number.utf8.dropFirst([43, 45].contains(first) ? 1 : 0).allSatisfy { (48...57).contains($0) }
    return isInteger || !nearest.isFinite
  }
}
