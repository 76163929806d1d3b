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
    case .real(let real): real.isFinite ? nil : "it is a number beyond the range of a double"
    case .text(let text): isChanged(text) ? "it is a number with more digits than the column can hold" : nil
    case .null, .integer, .blob: nil
    }
  }

  /// Whether SQLite makes another number of a text.
  private static func isChanged(_ text: String) -> Bool {
    guard case .real(let real)? = try? Affinity.numeric.stored(.text(text)) else { return false }
    // A decimal is as near as in a column of reals. An integer is to stay itself.
    let isInteger = !text.utf8.contains { [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains($0) }
    return isInteger || !real.isFinite
  }
}
