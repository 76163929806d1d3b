import Foundation
import Sanderling
import SanderlingTerminal

/// Writes rows as comma-separated values (RFC 4180), as `sanderling sync` reads them.
///
/// A field shows the type of its value. NULL is an empty field, and an empty text is `""`. A blob is `X'0aff'` without
/// quotes, and a text of that form has quotes. In a column without a type, texts always have quotes.
struct CSVRow {
  let forms: [ColumnForm]
  /// Whether characters that control a terminal are written as `\u{9B}`. A file gets them unchanged.
  let isForTerminal: Bool

  /// Returns the line of the columns' names.
  func line(names: [String]) -> String {
    names.map { quoted($0, always: $0.isEmpty) }.joined(separator: ",")
  }

  func line(_ values: ArraySlice<StorageValue>) -> String {
    // Readers skip an empty line. A delimiter at the end of a row makes no field.
    if values.count == 1, values.first?.isNull == true { return "," }
    return zip(values, forms).map(field).joined(separator: ",")
  }

  private func field(_ value: StorageValue, _ form: ColumnForm) -> String {
    switch value {
    case .null: ""
    case .integer(let integer): String(integer)
    case .real(let real): real.isInfinite ? (real < 0 ? "-9e999" : "9e999") : "\(real)"
    case .text(let text): quoted(text, always: form == .anything || text.isEmpty || text.looksLikeBlob)
    case .blob(let data): "X'\(data.hexadecimalText)'"
    }
  }

  private func quoted(_ text: String, always: Bool) -> String {
    let text = isForTerminal ? text.escapingControls(except: ["\n", "\t"]) : text
    let (space, quote) = (UInt8(ascii: " "), UInt8(ascii: "\""))
    // Some readers remove spaces at the edges of a field without quotes.
    let needsQuotes =
      always || text.utf8.first == space || text.utf8.last == space
      || text.utf8.contains { $0 == quote || $0 == UInt8(ascii: ",") || $0 == 0x0A || $0 == 0x0D }
    guard needsQuotes else { return text }
    // By bytes, because a quote with a combining mark is another character.
    var bytes = [quote]
    bytes.reserveCapacity(text.utf8.count + 2)
    for byte in text.utf8 {
      bytes.append(byte)
      if byte == quote { bytes.append(quote) }
    }
    bytes.append(quote)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension String {
  fileprivate var looksLikeBlob: Bool {
    let start = utf8.prefix(2)
    return start.count == 2 && start.first.map { $0 | 0x20 } == UInt8(ascii: "x") && start.last == UInt8(ascii: "'")
  }
}
