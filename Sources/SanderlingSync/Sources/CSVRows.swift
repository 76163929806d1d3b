import Foundation
import Sanderling

/// The rows of a CSV file after its header, as changes.
final class CSVRows: FileRows {
  private let reader: CSVReader
  private let reading: RowReading
  private let format: CSVFormat
  private let findings: FileFindings
  /// The columns of the file in order; nil for ignored ones.
  private var columns: [Column?] = []

  private struct Column {
    let name: String
    /// The way in which the record stores the column's fields; nil if the record doesn't have the column.
    let field: FieldForm?
  }

  var bytes: FileBytes { reader.bytes }
  var line: Int { reader.line }
  var isAtBreak: Bool { reader.isAtBreak }

  init(_ bytes: FileBytes, _ reading: RowReading, _ format: CSVFormat, _ findings: FileFindings) {
    reader = CSVReader(bytes, reading.options.limits)
    self.reading = reading
    self.format = format
    self.findings = findings
  }

  func readHead() throws {
    let blobs = Dictionary(format.blobColumns.map { ($0.key.folded, $0.value) }) { first, _ in first }
    let names = try reader.head(format.delimiter, key: reading.key, findings)
    if let missing = reading.missingKey(among: names) {
      throw RowRefusal(
        line: 1,
        reason:
          "the first row names no column \(missing), which belongs to the key. If the fields have another delimiter than "
          + "the comma, name the delimiter (CSVFormat.delimiter)")
    }
    columns = names.map { name in
      if reading.isIgnored(name) { return nil }
      let known = reading.column(name)
      let field = known.map { column in
        FieldForm(
          column, isOfKey: reading.isOfKey(column), nulls: format.nulls, blobs: blobs[name.folded] ?? format.blobs)
      }
      return Column(name: known?.name ?? name, field: field)
    }
  }

  func goOn(at cursor: FileCursor, isFirst: Bool) { reader.line = cursor.line }

  func next() throws -> SyncChange? {
    switch try reader.row(of: columns.count, isLastNamed: columns.last??.name != "") {
    case nil: return nil
    case .refused(let refusal)?: return reading.change(refusal)
    case .row(let fields, let line)?:
      var values: [String: StorageValue] = [:]
      values.reserveCapacity(fields.count)
      for (field, column) in zip(fields, columns) {
        guard let column else { continue }
        if let form = column.field {
          values[column.name] = form.value(field)
        } else if !column.name.isEmpty || !field.isMissing {
          let isNull = field.isMissing || !field.isQuoted && format.nulls.contains(field.text)
          values[column.name] = isNull ? .null : .text(field.text)
        }
      }
      var change = reading.change(values, line: line)
      change.isOfFields = true
      return change
    }
  }
}

/// The way in which a column stores fields of a file that knows only texts.
struct FieldForm: Sendable {
  private let column: RecordColumn
  /// Whether an empty unquoted field is an empty text.
  private let takesEmptyText: Bool
  private let nulls: Set<String>
  private let blobs: BlobText?
  private let isText: Bool
  private let holdsBlobs: Bool
  /// Whether the column has no type, so that a field has to show the type of its value.
  private let isUntyped: Bool

  init(_ column: RecordColumn, isOfKey: Bool, nulls: Set<String> = [], blobs: BlobText? = nil) {
    self.column = column
    self.nulls = nulls
    self.blobs = blobs
    isText = column.type == .text
    holdsBlobs = column.holdsBlobs
    isUntyped = column.isUntyped
    takesEmptyText = isText && !column.acceptsNull && !isOfKey
  }

  /// - Returns: If the field is not a valid value of the column, a value that the column refuses.
  func value(_ field: CSVReader.Field) -> StorageValue {
    if isUntyped { return untyped(field) }
    if field.text.isEmpty {
      if !field.isQuoted { return takesEmptyText ? .text("") : .null }
      if !isText { return .null }
    }
    if !field.isQuoted, !nulls.isEmpty, nulls.contains(field.text) { return .null }
    if holdsBlobs { return blob(field.text) }
    // Many tables have integers for truth values that files write as words.
    if column.type == .integer, let word = ["true": 1, "false": 0][field.text] as Int64? { return .integer(word) }
    return column.stored(field: field.text)
  }

  /// A quoted field is a text. A field without quotes is a number or a blob if it is SQLite's spelling of such a value.
  private func untyped(_ field: CSVReader.Field) -> StorageValue {
    if field.isMissing || !field.isQuoted && nulls.contains(field.text) { return .null }
    if field.isQuoted { return .text(field.text) }
    return Self.blobLiteral(field.text) ?? StorageValue(numberAsWritten: field.text) ?? .text(field.text)
  }

  /// The bytes of `X'0aff'`; nil for other texts.
  private static func blobLiteral(_ text: String) -> StorageValue? {
    let digits = text.utf8.dropFirst(2).dropLast()
    guard text.utf8.count >= 3, ["X'", "x'"].contains(text.prefix(2)), text.hasSuffix("'"),
      let bytes = digits.decodedHexadecimal
    else { return nil }
    return .blob(Data(bytes))
  }

  /// `X'0aff'` is always hexadecimal. Without a declared encoding, digits alone may also be base64.
  private func blob(_ text: String) -> StorageValue {
    if let blob = Self.blobLiteral(text) { return blob }
    switch blobs {
    case .hex?:
      if let bytes = text.utf8.decodedHexadecimal { return .blob(Data(bytes)) }
      // The digits stay a text. When the quarantine is tried again, no declaration is known, and base64 would give
      // other bytes.
      return .text(text.contains("'") ? text : "X'\(text)'")
    case .base64?: return column.stored(field: text)
    case nil: return text.utf8.allSatisfy(\.isHexDigit) ? .text(text) : column.stored(field: text)
    }
  }
}

extension RecordColumn {
  /// The value of a field that was read before the column existed, or that the table computes. Only of an empty field
  /// is it known that the field had quotes.
  func value(ofKeptField text: String) -> StorageValue {
    FieldForm(self, isOfKey: false).value(CSVReader.Field(text: text, isQuoted: text.isEmpty))
  }

  /// The reason why a field is no blob.
  func misfit(ofBlobField text: String) -> String {
    text.utf8.allSatisfy(\.isHexDigit) && !text.isEmpty
      ? "the text may be hexadecimal or base64. Write X'…', or name the encoding (CSVFormat.blobs)"
      : "the text is no blob: neither X'…' nor base64, or not in the encoding that was named (CSVFormat.blobs)"
  }
}
