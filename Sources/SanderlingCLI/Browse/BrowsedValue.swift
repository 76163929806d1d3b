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

  /// The same, with what is searched for marked. Of a long text that is what is around the first of it.
  func cell(marking highlights: SearchHighlights?) -> MarkedText {
    guard case .text(let text) = self, let highlights else { return MarkedText(cell) }
    // What is that far behind can only be found, not shown.
    let searched = text.utf8.count > 65_536 ? String(text.prefix(20_000)) : text
    let ranges = highlights.ranges(in: searched)
    var (start, cell) = (searched.startIndex, MarkedText(""))
    if let first = ranges.first?.lowerBound,
      searched.index(start, offsetBy: 300, limitedBy: first) != nil
    {
      start = searched.index(first, offsetBy: -200)
      cell = MarkedText("…")
    }
    cell.append(MarkedText(searched[start...].prefix(400), marking: ranges))
    return cell
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
