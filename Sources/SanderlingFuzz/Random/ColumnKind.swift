/// What a column of a record is for, and so which values it mostly holds.
enum ColumnKind: Hashable, Sendable {
  case placeKey, crateKey, loginKey, noteKey
  /// A part of a tag's key.
  case word
  case text, integer, real, flag, blob, date
  /// What days are calculated as. No column is one.
  case day

  var isNumber: Bool {
    switch self {
    case .integer, .real, .flag, .date, .day, .noteKey, .placeKey: true
    case .crateKey, .loginKey, .word, .text, .blob: false
    }
  }

  var isText: Bool {
    switch self {
    case .text, .loginKey, .word: true
    default: false
    }
  }
}
