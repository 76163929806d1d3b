/// The purpose of a record's column, and so the values that it mostly holds.
enum ColumnKind: Hashable, Sendable {
  case placeKey, crateKey, loginKey, noteKey
  /// A part of a tag's key.
  case word
  case text, integer, real, flag, blob, date
  /// The kind of calculated days. No column has it.
  case day
  /// The folds of a searchable column.
  case fold

  var isNumber: Bool {
    switch self {
    case .integer, .real, .flag, .date, .day, .noteKey, .placeKey: true
    case .crateKey, .loginKey, .word, .text, .fold, .blob: false
    }
  }

  var isText: Bool {
    switch self {
    case .text, .fold, .loginKey, .word: true
    default: false
    }
  }
}
