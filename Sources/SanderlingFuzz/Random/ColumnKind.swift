/// What a column of a record is for, and so which values it mostly holds.
enum ColumnKind: Hashable, Sendable {
  case placeKey, crateKey, loginKey, noteKey
  /// A part of a tag's key.
  case word
  case text, integer, real, flag, blob, date
  /// What days are calculated as. No column is one.
  case day
  /// The folded texts of a column that is searchable.
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
