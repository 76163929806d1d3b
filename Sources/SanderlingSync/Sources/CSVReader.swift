import Sanderling

/// Reads rows of comma-separated values (RFC 4180), with line breaks of any system.
final class CSVReader {
  struct Field: Hashable {
    let text: String
    let isQuoted: Bool
  }

  let bytes: FileBytes
  /// The number of the line that is read next, from 1.
  var line = 1
  /// Whether a line break ended the last row, or came after it: a row that the file's end ends may go on in a longer file.
  private(set) var isAtBreak = true
  private let name: String
  private let limits: FileLimits
  /// Where the line began, in bytes.
  private var lineStart = 0

  init(_ bytes: FileBytes, _ name: String, _ limits: FileLimits) {
    self.bytes = bytes
    self.name = name
    self.limits = limits
  }

  /// The names of the columns, which the first row has. Passes over a byte order mark.
  func head() throws -> [String] {
    try bytes.beginText()
    // An export that failed may leave such a file, and with it nothing is to be removed.
    guard let fields = try row() else { throw malformed(1, "there is no first row to name the columns", line: 1) }
    if fields.count == 1, !fields[0].isQuoted,
      let separator = [";": "semicolons", "\t": "tabs"].first(where: { fields[0].text.contains($0.key) })
    {
      throw malformed(1, "\(separator.value) stand between the fields, where commas have to", line: 1)
    }
    var names: Set<FoldedName> = []
    if let twice = fields.first(where: { !names.insert($0.text.folded).inserted })?.text {
      throw malformed(1, twice.isEmpty ? "two columns have no name" : "two columns are called \(twice)", line: 1)
    }
    return fields.map(\.text)
  }

  /// The fields of the next row; nil at the end.
  ///
  /// - Parameter count: How many there have to be.
  func row(of count: Int) throws -> [Field]? {
    let line = line
    guard let fields = try row() else { return nil }
    guard fields.count == count else {
      throw malformed(
        1, "the row has \(fields.count == 1 ? "one field" : "\(fields.count) fields"), and the first row has \(count)",
        line: line)
    }
    return fields
  }

  /// The fields of the next row; nil at the end. Lines without anything are passed over.
  private func row() throws -> [Field]? {
    while let byte = try bytes.peek(), Self.isBreak(byte) { try takeBreak() }
    guard try bytes.peek() != nil else { return nil }
    isAtBreak = false
    lineStart = bytes.offset
    let start = bytes.offset
    var fields: [Field] = []
    while true {
      fields.append(try field(limits.row - (bytes.offset - start)))
      if fields.count > limits.columns { throw malformed("the row has more than \(limits.columns) fields") }
      guard let byte = try bytes.peek() else {
        // Breaks within its fields don't count.
        isAtBreak = false
        return fields
      }
      if Self.isBreak(byte) {
        try takeBreak()
        return fields
      }
      // A comma: nothing else ends a field.
      _ = try bytes.next()
    }
  }

  private func field(_ limit: Int) throws -> Field {
    let quote = UInt8(ascii: "\"")
    var text: [UInt8] = []
    guard try bytes.peek() == quote else {
      try bytes.take(
        into: &text, upTo: { $0 == UInt8(ascii: ",") || Self.isBreak($0) || $0 == quote }, limit: limit + 1)
      if text.count > limit { throw malformed("the row has more than \(limits.row) bytes") }
      if try bytes.peek() == quote { throw malformed("a quote stands inside of a field without quotes") }
      return Field(text: try self.text(text), isQuoted: false)
    }
    _ = try bytes.next()
    let (startLine, startColumn) = (line, bytes.offset - lineStart)
    while true {
      try bytes.take(into: &text, upTo: { $0 == quote || Self.isBreak($0) }, limit: limit + 1)
      if text.count > limit { throw malformed("the row has more than \(limits.row) bytes") }
      guard let byte = try bytes.peek() else {
        throw malformed(startColumn, "the field that begins here doesn't end", line: startLine)
      }
      if byte != quote {
        text += try takeBreak()
        continue
      }
      _ = try bytes.next()
      guard try bytes.peek() == quote else { break }
      text.append(quote)
      _ = try bytes.next()
    }
    if let byte = try bytes.peek(), byte != UInt8(ascii: ","), !Self.isBreak(byte) {
      throw malformed("something follows a closing quote")
    }
    return Field(text: try self.text(text), isQuoted: true)
  }

  private func text(_ bytes: [UInt8]) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw malformed("the field is no UTF-8") }
    return text
  }

  private static func isBreak(_ byte: UInt8) -> Bool { byte == 10 || byte == 13 }

  /// Takes a line break.
  @discardableResult
  private func takeBreak() throws -> [UInt8] {
    var taken: [UInt8] = []
    if try bytes.peek() == 13 {
      taken.append(13)
      _ = try bytes.next()
    }
    if try bytes.peek() == 10 {
      taken.append(10)
      _ = try bytes.next()
    }
    line += 1
    lineStart = bytes.offset
    isAtBreak = true
    return taken
  }

  private func malformed(_ reason: String) -> SyncError {
    malformed(bytes.offset - lineStart + 1, reason, line: line)
  }

  func malformed(_ column: Int, _ reason: String, line: Int) -> SyncError {
    .malformedSource(path: name, line: line, column: column, reason: reason)
  }
}
