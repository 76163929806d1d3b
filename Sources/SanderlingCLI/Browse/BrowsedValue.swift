import Foundation
import Sanderling

extension StorageValue {
  /// The value on one line of a terminal, no longer than a few hundred characters.
  var cell: String {
    switch self {
    case .null: ""
    case .integer(let integer): String(integer)
    case .real(let real): real.description
    case .text(let text): String(text.prefix(400)).printable
    case .blob(let data): "x'" + data.prefix(24).hexadecimalText + (data.count > 24 ? "…'" : "'")
    }
  }

  /// Numbers stand at the right.
  var isNumber: Bool {
    switch self {
    case .integer, .real: true
    case .null, .text, .blob: false
    }
  }

  /// The value in a line of JSON: blobs as hexadecimal digits, what JSON has no number for as a text.
  var json: Any {
    switch self {
    case .null: NSNull()
    case .integer(let integer): NSNumber(value: integer)
    case .real(let real): real.isFinite ? NSNumber(value: real) : String(describing: real) as Any
    case .text(let text): text
    case .blob(let data): data.hexadecimalText
    }
  }
}
