import Foundation
import Sanderling
import SanderlingSync

extension StorageValue {
  /// The value on one line of a terminal, cut to 400 characters.
  var cell: String {
    switch self {
    case .null: ""
    case .integer(let integer): String(integer)
    case .real(let real): real.description
    case .text(let text): String(text.prefix(400)).printable
    case .blob(let data): "x'" + data.prefix(24).hexadecimalText + (data.count > 24 ? "…'" : "'")
    }
  }

  /// Returns the same text with the search's matches marked. Of a long text, it returns the part around the first
  /// match.
  func cell(marking highlights: SearchHighlights?) -> MarkedText {
    guard case .text(let text) = self, let highlights else { return MarkedText(cell) }
    // Matches beyond the first 20,000 characters of a long text are not marked.
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

  /// Whether the value is a number, which is aligned to the right.
  var isNumber: Bool {
    switch self {
    case .integer, .real: true
    case .null, .text, .blob: false
    }
  }

  /// Returns the value in a line of JSON, as `sanderling sync` reads it. A blob is base64. Infinities are `9e999` and
  /// `-9e999`, as SQLite writes them.
  ///
  /// A blob outside a column of blobs is an object `{"base64": …}`. A text in a column of blobs is an object `{"text":
  /// …}`. Without the object, each would be read as the other type.
  func json(inColumnOfBlobs holdsBlobs: Bool) -> String {
    switch self {
    case .blob(let data) where holdsBlobs: "\"\(data.base64EncodedString())\""
    case .text where holdsBlobs: "{\"text\":\(StoredJSON.text(self))}"
    case .null, .integer, .real, .text, .blob: StoredJSON.text(self)
    }
  }
}
