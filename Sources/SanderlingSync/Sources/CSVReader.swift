import Sanderling
import SanderlingSQL

/// Reads rows of comma-separated values (RFC 4180), with the line breaks of any system.
final class CSVReader {
  struct Field: Hashable {
    let text: String
    let isQuoted: Bool

    /// Whether the field is empty, which includes the position after a delimiter at the end of a row.
    var isMissing: Bool { text.isEmpty && !isQuoted }
  }

  let bytes: FileBytes
  /// The number of the next line, from 1.
  var line = 1
  /// Whether a line break ended the last row. A row that ends with the file may continue in a longer file.
  private(set) var isAtBreak = true
  private let limits: FileLimits
  private var delimiter = UInt8(ascii: ",")
  /// The start of the line in bytes.
  private var lineStart = 0
  /// The row's first field that is no text.
  private var unreadable: RowRefusal?
  /// The place of the open quote, in bytes and by line; nil outside quotes.
  private var openQuote: (offset: Int, line: Int)?

  init(_ bytes: FileBytes, _ limits: FileLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// Reads the names of the columns from the first row.
  ///
  /// - Parameters:
  ///   - delimiter: The character between fields; nil for the one with which the first row contains the key's columns.
  ///   - key: The names of the key's columns.
  ///   - findings: Records a delimiter other than a comma if none was given.
  /// - Throws: ``RowRefusal``, errors of the file.
  func head(_ delimiter: Character?, key: [String], _ findings: FileFindings?) throws -> [String] {
    if let delimiter { self.delimiter = try Self.byte(of: delimiter) } else { try findDelimiter(key, findings) }
    // A failed export may leave an empty file. Such a file is an error, so that it removes no rows.
    guard let fields = try row() else {
      throw RowRefusal(line: 1, reason: "the file has no first row with the names of the columns")
    }
    if let unreadable { throw unreadable }
    var names: Set<FoldedName> = []
    if let twice = fields.first(where: { !names.insert($0.text.folded).inserted })?.text {
      throw RowRefusal(
        line: 1, reason: twice.isEmpty ? "two columns have no name" : "two columns are called \(twice)")
    }
    return fields.map(\.text)
  }

  private static func byte(of delimiter: Character) throws -> UInt8 {
    guard let byte = delimiter.asciiValue, !isBreak(byte), byte != UInt8(ascii: "\"") else {
      throw RowRefusal(
        line: 1,
        reason:
          "\(delimiter) can't separate fields: the delimiter must be an ASCII character other than a quote (CSVFormat.delimiter)"
      )
    }
    return byte
  }

  /// Chooses the comma. Exception: exactly one other character divides the first row so that it contains the key's
  /// columns.
  private func findDelimiter(_ key: [String], _ findings: FileFindings?) throws {
    bytes.setMark()
    defer { bytes.dropMark() }
    func names(with delimiter: UInt8) throws -> Bool {
      self.delimiter = delimiter
      defer { rewind(to: 1) }
      do {
        let names = Set(try row()?.map(\.text.folded) ?? [])
        return key.allSatisfy { names.contains($0.folded) }
      } catch is RowRefusal {
        return false
      }
    }
    let others: [Character] = [";", "\t", "|"]
    var fitting: [Character] = []
    if try !names(with: UInt8(ascii: ",")) { fitting = try others.filter { try names(with: Self.byte(of: $0)) } }
    delimiter = UInt8(ascii: ",")
    guard fitting.count == 1, let found = fitting.first else { return }
    delimiter = try Self.byte(of: found)
    findings?.note(found)
  }

  /// Returns the fields of the next row, as many as there are columns, or the reason why they can't be read; nil at the
  /// end.
  ///
  /// An unreadable row ends with the line of its mistake. Exception: an unclosed quote would include all further rows,
  /// up to the size limit of a row. Such a row ends with the line of that quote.
  ///
  /// - Parameter isLastNamed: Whether the last column has a name. A column without a name may come from a delimiter at
  ///   the end of each row.
  /// - Throws: Errors of the file.
  func row(of count: Int, isLastNamed: Bool = true) throws -> ReadRow<[Field]>? {
    try passBreaks()
    let line = line
    bytes.setMark()
    defer { bytes.dropMark() }
    do {
      guard var fields = try row() else { return nil }
      if var refusal = unreadable {
        refusal.start = line
        return .refused(refusal)
      }
      if fields.count == count + 1, fields.last?.isMissing == true { fields.removeLast() }
      if fields.count == count - 1, !isLastNamed { fields.append(Field(text: "", isQuoted: false)) }
      guard fields.count == count else {
        let found = fields.count == 1 ? "one field" : "\(fields.count) fields"
        return .refused(RowRefusal(line: line, reason: "the row has \(found), and the first row has \(count)"))
      }
      return .row(fields, line: line)
    } catch let error as RowRefusal {
      var refusal = error
      refusal.start = line
      if let openQuote { try goBack(to: openQuote) }
      // The rest of the line may exceed the size limit of a row.
      bytes.dropMark()
      try passLine()
      return .refused(refusal)
    }
  }

  private func rewind(to line: Int) {
    bytes.rewind()
    (self.line, lineStart, unreadable, openQuote) = (line, bytes.offset, nil, nil)
  }

  /// Fields before the quote may contain line breaks and were read.
  private func goBack(to quote: (offset: Int, line: Int)) throws {
    rewind(to: quote.line)
    try bytes.skip(quote.offset - bytes.offset)
  }

  /// Skips empty lines.
  private func passBreaks() throws {
    while let byte = try bytes.peek(), Self.isBreak(byte) { try takeBreak() }
  }

  private func passLine() throws {
    while let byte = try bytes.peek(), !Self.isBreak(byte) { try bytes.next() }
    if try bytes.peek() != nil { try takeBreak() } else { isAtBreak = false }
  }

  /// The fields of the next row; nil at the end.
  private func row() throws -> [Field]? {
    try passBreaks()
    unreadable = nil
    guard try bytes.peek() != nil else { return nil }
    isAtBreak = false
    lineStart = bytes.offset
    let start = bytes.offset
    var fields: [Field] = []
    while true {
      fields.append(try field(limits.row - (bytes.offset - start)))
      if fields.count > limits.columns { throw malformed(limits.tooWide) }
      guard let byte = try bytes.peek() else {
        // Line breaks inside its fields don't count.
        isAtBreak = false
        return fields
      }
      if Self.isBreak(byte) {
        try takeBreak()
        return fields
      }
      // The byte is a delimiter, because nothing else ends a field here.
      try bytes.next()
    }
  }

  private func field(_ limit: Int) throws -> Field {
    let (quote, delimiter) = (UInt8(ascii: "\""), delimiter)
    var text: [UInt8] = []
    guard try bytes.peek() == quote else {
      let (startLine, startColumn) = (line, bytes.offset - lineStart + 1)
      try bytes.take(
        into: &text, upTo: { $0 == delimiter || Self.isBreak($0) || $0 == quote }, limit: limit + 1)
      if text.count > limit { throw malformed(limits.tooLong) }
      if try bytes.peek() == quote { throw malformed("a quote stands inside of an unquoted field") }
      return Field(text: self.text(text, startLine, startColumn), isQuoted: false)
    }
    openQuote = (bytes.offset, line)
    try bytes.next()
    let (startLine, startColumn) = (line, bytes.offset - lineStart)
    while true {
      try bytes.take(into: &text, upTo: { $0 == quote || Self.isBreak($0) }, limit: limit + 1)
      if text.count > limit { throw malformed(limits.tooLong) }
      guard let byte = try bytes.peek() else {
        throw RowRefusal(
          line: startLine, place: startColumn, reason: "the quoted field that begins here has no closing quote")
      }
      if byte != quote {
        text += try takeBreak()
        continue
      }
      try bytes.next()
      guard try bytes.peek() == quote else { break }
      text.append(quote)
      try bytes.next()
    }
    openQuote = nil
    if let byte = try bytes.peek(), byte != delimiter, !Self.isBreak(byte) {
      throw malformed("text follows the closing quote of a field")
    }
    return Field(text: self.text(text, startLine, startColumn), isQuoted: true)
  }

  /// The row's other fields are still read, because they may contain line breaks.
  private func text(_ bytes: [UInt8], _ line: Int, _ column: Int) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    if unreadable == nil {
      let reason = "the field has bytes that are no characters. Name the file's encoding (FileOptions.encoding)"
      unreadable = RowRefusal(line: line, place: column, reason: reason)
    }
    return ""
  }

  private static func isBreak(_ byte: UInt8) -> Bool { byte == 10 || byte == 13 }

  /// Reads a line break.
  @discardableResult
  private func takeBreak() throws -> [UInt8] {
    var taken: [UInt8] = []
    if try bytes.peek() == 13 {
      taken.append(13)
      try bytes.next()
    }
    if try bytes.peek() == 10 {
      taken.append(10)
      try bytes.next()
    }
    line += 1
    lineStart = bytes.offset
    isAtBreak = true
    return taken
  }

  private func malformed(_ reason: String) -> RowRefusal {
    RowRefusal(line: line, place: bytes.offset - lineStart + 1, reason: reason)
  }
}
