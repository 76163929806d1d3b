import SanderlingSQL

/// The declared type of a column, which determines its affinity.
///
/// See [Datatypes in SQLite](https://www.sqlite.org/datatype3.html).
public enum ColumnType: String, Hashable, Sendable {
  /// Declared INTEGER, for whole numbers and truth values.
  case integer = "INTEGER"
  /// No declared type, so that SQLite converts nothing.
  ///
  /// Floating-point columns have no declared type, because their values must be read back to the bit. A column declared
  /// REAL stores integral values as integers, and loses the sign of `-0.0`.
  case real = ""
  /// Declared TEXT.
  case text = "TEXT"
  /// Declared BLOB, so that SQLite converts nothing.
  case blob = "BLOB"

  /// The name of the type in messages, which is also that of the storage class.
  var title: String {
    self == .real ? "REAL" : rawValue
  }

  /// The affinity: the conversion of values that are stored in the column or compared with it.
  package var affinity: Affinity {
    switch self {
    case .integer: .integer
    case .text: .text
    case .real, .blob: .blob
    }
  }
}

/// A collation: the comparison of texts.
public enum Collation: String, Hashable, Sendable {
  /// Compares UTF-8 bytes.
  case binary = "BINARY"
  /// Compares UTF-8 bytes, with the 26 upper-case letters of ASCII in lower case.
  case nocase = "NOCASE"
  /// Compares UTF-8 bytes without trailing spaces.
  case rtrim = "RTRIM"
}
