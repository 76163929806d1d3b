import Foundation
import Sanderling
import SanderlingSync
import SanderlingTerminal

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

  /// The number of bytes that a list holds of a text and of a blob. A search marks no match behind them.
  private static let (longestText, longestBlob) = (65_536, 32)

  /// The beginning of a long value, and any other value.
  var cutForList: StorageValue {
    switch self {
    case .text(let text) where text.utf8.count > Self.longestText:
      var end = text.utf8.index(text.startIndex, offsetBy: Self.longestText)
      while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
      return .text(String(text.unicodeScalars[..<end]))
    case .blob(let data) where data.count > Self.longestBlob: return .blob(Data(data.prefix(Self.longestBlob)))
    case .null, .integer, .real, .text, .blob: return self
    }
  }

  /// Returns the same text with the search's matches marked. Of a long text, it returns the part around the first
  /// match.
  func cell(marking highlights: SearchHighlights?) -> MarkedText {
    guard case .text(let searched) = self, let highlights else { return MarkedText(cell) }
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
  ///
  /// Characters that control a terminal are escaped.
  func json(inColumnOfBlobs holdsBlobs: Bool) -> String {
    switch self {
    case .blob(let data) where holdsBlobs: "\"\(data.base64EncodedString())\""
    case .text where holdsBlobs: "{\"text\":\(StoredJSON.text(self).escapingControlsOfJSON())}"
    case .text: StoredJSON.text(self).escapingControlsOfJSON()
    case .null, .integer, .real, .blob: StoredJSON.text(self)
    }
  }
}
