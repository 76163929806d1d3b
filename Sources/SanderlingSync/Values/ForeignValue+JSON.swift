import Sanderling

extension ForeignValue {
  /// The value as JSON.
  var json: String {
    switch self {
    case .bool(let bool): bool ? "true" : "false"
    case .number(let text), .json(let text): text
    case .null, .integer, .real, .text: StoredJSON.text(plain)
    }
  }

  /// The text or the number; nil for other values.
  var word: String? {
    switch self {
    case .text(let text), .number(let text): text
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .null, .bool, .json: nil
    }
  }

  var isTrue: Bool {
    switch self {
    case .null, .bool(false), .integer(0), .text(""): false
    default: true
    }
  }

  /// The bytes of a text.
  var size: Int {
    switch self {
    case .text(let text), .json(let text), .number(let text): text.utf8.count
    case .null, .bool, .integer, .real: 8
    }
  }
}
