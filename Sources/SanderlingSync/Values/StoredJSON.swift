import Foundation
import Sanderling

/// Stored values as JSON for any tool, exact to the bit: the form of waiting values in the database.
///
/// Blobs are objects with their bytes in base64, and reals have a point or an exponent. A number that no column can
/// hold is an object, too.
package enum StoredJSON {
  package static func text(_ value: StorageValue) -> String {
    switch value {
    case .null: "null"
    case .integer(let integer): String(integer)
    case .real where value.isBeyondNumbers: #"{"number":"beyond the range of a double"}"#
    // JSON has no infinity, but readers understand this form.
    case .real(let real): real.isInfinite ? (real < 0 ? "-9e999" : "9e999") : "\(real)"
    case .text(let text): quoted(text)
    case .blob(let data): "{\"base64\":\"\(data.base64EncodedString())\"}"
    }
  }

  static func text(_ values: [StorageValue]) -> String {
    "[" + values.map { text($0) }.joined(separator: ",") + "]"
  }

  /// Sorted, so that equal values are equal texts.
  static func text(_ values: [String: StorageValue]) -> String {
    let members = values.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\(text($0.value))" }
    return "{" + members.joined(separator: ",") + "}"
  }

  static func text(names: [String]) -> String { text(names.map { .text($0) }) }

  static func names(_ text: String) throws -> [String] {
    try values(text).compactMap { if case .text(let name) = $0 { name } else { nil } }
  }

  /// Rows by the names of their columns; null for a missing row.
  static func text(rows: [[StorageValue]?], _ columns: [String]) -> String {
    let texts = rows.map { row in
      row.map { text(Dictionary(zip(columns, $0)) { first, _ in first }) } ?? "null"
    }
    return "[" + texts.joined(separator: ",") + "]"
  }

  /// - Returns: The values of the columns; NULL if a row has none.
  static func rows(_ text: String, _ columns: [String]) throws -> [[StorageValue]?] {
    var reader = JSONReader(text)
    return try reader.array().map { value in
      guard case .json(let text) = value else { return nil }
      let row = try row(text)
      return columns.map { row[$0] ?? .null }
    }
  }

  /// A value that ``text(_:)-(StorageValue)`` wrote.
  package static func value(_ text: String) throws -> StorageValue {
    let values = try values("[\(text)]")
    guard let value = values.first, values.count == 1 else {
      throw JSONSyntaxError(reason: "it is not one stored value", offset: 0)
    }
    return value
  }

  static func values(_ text: String) throws -> [StorageValue] {
    var reader = JSONReader(text)
    return try reader.array().map { try value($0) }
  }

  static func row(_ text: String) throws -> [String: StorageValue] {
    var reader = JSONReader(text)
    return try reader.object().mapValues { try value($0) }
  }

  static func value(_ value: ForeignValue) throws -> StorageValue {
    if case .number(let text) = value, let real = Double(text), real.isInfinite { return .real(real) }
    guard case .json(let text) = value else { return value.plain }
    var reader = JSONReader(text)
    let members = try reader.object()
    if members["number"] != nil { return .beyondNumbers }
    guard let data = blob(members) else { throw JSONSyntaxError(reason: "a stored blob isn't base64", offset: 0) }
    return .blob(data)
  }

  /// The bytes of an object with the member `base64`.
  static func blob(_ members: [String: ForeignValue]) -> Data? {
    guard case .text(let base64)? = members["base64"] else { return nil }
    return Data(base64Encoded: base64)
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case ..<" ": result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
