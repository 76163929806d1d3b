import SanderlingSQL

/// The declared type of a column, which decides its affinity.
///
/// See [Datatypes in SQLite](https://www.sqlite.org/datatype3.html).
public enum ColumnType: String, Hashable, Sendable {
  /// Declared INTEGER: whole numbers, truth values.
  case integer = "INTEGER"
  /// No declared type, and so no conversion by SQLite.
  ///
  /// Floating-point columns use it: a column declared REAL stores integral values as integers and loses the sign of
  /// `-0.0`, and values must come back to the bit.
  case real = ""
  /// Declared TEXT.
  case text = "TEXT"
  /// Declared BLOB, so that SQLite converts nothing.
  case blob = "BLOB"

  /// The type in a message, and the storage class.
  var title: String {
    self == .real ? "REAL" : rawValue
  }

  /// The conversion of a value that is stored in the column or compared with it.
  package var affinity: Affinity {
    switch self {
    case .integer: .integer
    case .text: .text
    case .real, .blob: .blob
    }
  }
}

/// How texts are compared.
public enum Collation: String, Hashable, Sendable {
  /// As UTF-8 bytes.
  case binary = "BINARY"
  /// As UTF-8 bytes, with the 26 upper-case letters of ASCII folded.
  case nocase = "NOCASE"
  /// As UTF-8 bytes, without trailing spaces.
  case rtrim = "RTRIM"
}
