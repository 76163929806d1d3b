import Sanderling
import SanderlingSQL

/// The coding of a column of NUMERIC affinity: values stay unchanged, and a value that SQLite would change doesn't fit.
protocol NumericAffinityCoding: ExplainedCoding where Value == StorageValue {}

extension NumericAffinityCoding {
  static var columnType: ColumnType { .blob }
  static var acceptsNull: Bool { true }
  static func encode(_ value: StorageValue) -> StorageValue { value }

  static func decode(_ stored: StorageValue) throws -> StorageValue {
    if let reason = misfit(stored) { throw Misfit(reason) }
    return stored
  }
}

/// A column of NUMERIC affinity with a number type, such as DECIMAL(10, 2). SQLite converts texts that look like
/// numbers. The column accepts any value except numbers that this conversion would change.
///
/// See [Type Affinity](https://www.sqlite.org/datatype3.html#type_affinity).
enum NumericCoding: NumericAffinityCoding {
  static func misfit(_ stored: StorageValue) -> String? {
    switch stored {
    case .real(let real): real.isFinite ? nil : "it is a number beyond the range of a double"
    case .text(let text): isChanged(text) ? "it is a number with more digits than the column can hold" : nil
    case .null, .integer, .blob: nil
    }
  }

  /// Whether SQLite converts a text to a different number.
  private static func isChanged(_ text: String) -> Bool {
    guard case .real(let real)? = try? Affinity.numeric.stored(.text(text)) else { return false }
    // A decimal is as exact as in a column of reals. An integer must stay unchanged.
    let isInteger = !text.utf8.contains { [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains($0) }
    return isInteger || !real.isFinite
  }
}

/// A column of NUMERIC affinity with a type that is not a number type, such as UUID, STRING and DATETIME. It accepts
/// any value except texts that SQLite turns into numbers: `0012` would come back as 12.
enum NumberLikeCoding: NumericAffinityCoding, FieldCoding {
  static func misfit(_ stored: StorageValue) -> String? {
    guard case .text = stored else { return NumericCoding.misfit(stored) }
    if Affinity.numeric.keeps(stored) { return nil }
    return
      "the column's type turns the text into a number, which would be read as another text. Declare the column TEXT"
  }

  /// A field has no type: if it equals SQLite's spelling of a number, it is one.
  static func stored(field text: String) -> StorageValue {
    guard let stored = try? Affinity.numeric.stored(.text(text)) else { return .text(text) }
    let written =
      switch stored {
      case .integer(let integer): String(integer)
      case .real(let real): "\(real)"
      case .null, .text, .blob: text
      }
    return written == text ? stored : .text(text)
  }
}
