import Foundation
import Sanderling
import SanderlingSync

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

  /// The same, with the matches of the search marked. Of a long text that is the part around the first match.
  func cell(marking highlights: SearchHighlights?) -> MarkedText {
    guard case .text(let text) = self, let highlights else { return MarkedText(cell) }
    // A match that far behind can only be found, not shown.
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

  /// The value in a line of JSON, as `sanderling sync` reads it: a blob as base64. Infinities are `9e999` and `-9e999`, as SQLite writes them.
  ///
  /// A blob outside of a column of blobs is an object `{"base64": …}`, and a text in a column of blobs an object `{"text": …}`: there they would be
  /// taken for each other.
  func json(inColumnOfBlobs holdsBlobs: Bool) -> String {
    switch self {
    case .blob(let data) where holdsBlobs: "\"\(data.base64EncodedString())\""
    case .text where holdsBlobs: "{\"text\":\(StoredJSON.text(self))}"
    case .null, .integer, .real, .text, .blob: StoredJSON.text(self)
    }
  }
}
