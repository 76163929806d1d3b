import Foundation
import Sanderling

/// A value as files and servers write it, which knows fewer types than a column has.
enum ForeignValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  /// A number that is neither a 64-bit integer nor one that a real holds with as many digits, as it is written.
  case number(String)
  case text(String)
  /// A value with parts, as JSON.
  case json(String)

  /// A stored value as it is outside of its column.
  init(_ stored: StorageValue) {
    switch stored {
    case .null: self = .null
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .text(let text): self = .text(text)
    case .blob(let data): self = .text(data.base64EncodedString())
    }
  }

  /// How it is stored where no column says.
  var plain: StorageValue {
    switch self {
    case .null: .null
    case .bool(let bool): .integer(bool ? 1 : 0)
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .number(let text): Double(text).map(\.isFinite) == true ? .text(text) : .beyondNumbers
    case .text(let text), .json(let text): .text(text)
    }
  }
}

/// A coding of several types that decides itself what a field of a file stands for that knows texts only.
protocol FieldCoding: ColumnCoding {
  static func stored(field text: String) -> StorageValue
}

extension StorageValue {
  /// A number of a file or a server that is beyond the range of a double, as `1e400`. No column takes it. SQLite would read infinity, which is
  /// another number, and keeps no NaN, so that no stored value is this one.
  static let beyondNumbers = StorageValue.real(.nan)

  var isBeyondNumbers: Bool { if case .real(let real) = self { real.isNaN } else { false } }
}

extension ColumnForm {
  /// How the coding stores a value of others: dates, UUIDs and numbers in its own form, blobs from base64.
  ///
  /// Outside of a column of blobs, a blob is an object `{"base64": …}`, and no text of JSON: a column of texts doesn't take it. An infinity is `9e999` or `-9e999`, as SQLite writes it.
  ///
  /// - Returns: A value that the form doesn't include where there is no such way.
  func stored(_ value: ForeignValue) -> StorageValue {
    switch value {
    case .null: .null
    case .real(let real) where real.isNaN: .beyondNumbers
    case .text(let text): stored(text: text) ?? value.plain
    case .number("9e999") where className == "real" || takesAnything: .real(.infinity)
    case .number("-9e999") where className == "real" || takesAnything: .real(-.infinity)
    // A record that has a double takes the nearest one.
    case .number(let text) where className == "real":
      Double(text).flatMap { $0.isFinite ? .real($0) : nil } ?? value.plain
    case .json(let text):
      if let coding = coding as? any JSONText.Type {
        coding.rewritten(text) ?? value.plain
      } else {
        Self.blob(text).map { .blob($0) } ?? value.plain
      }
    case .real(let real) where className == "integer": Int64(exactly: real).map { .integer($0) } ?? value.plain
    case .integer(let integer) where className == "real": normalized(.integer(integer))
    case .integer(let integer) where coding is Decimal.Type: .text(String(integer))
    case .real(let real) where coding is Decimal.Type: .text("\(real)")
    default: value.plain
    }
  }

  /// How the coding stores what a text of digits, or of a word, stands for, in a file that knows texts only.
  func stored(field text: String) -> StorageValue {
    switch className {
    case "integer":
      if let integer = Int64(text) { return .integer(integer) }
      if coding is Bool.Type {
        if text == "true" { return .integer(1) }
        if text == "false" { return .integer(0) }
      }
      // Beyond that, a double may be another integer than the text.
      if let real = Double(decimal: text), abs(real) < 0x1p53, let integer = Int64(exactly: real) {
        return .integer(integer)
      }
    case "real":
      if let integer = Int64(text) { return normalized(.integer(integer)) }
      if let real = Double(decimal: text), real.isFinite { return .real(real) }
    case "blob":
      if let coding = coding as? any FieldCoding.Type { return coding.stored(field: text) }
    default: break
    }
    return stored(.text(text))
  }

  /// A stored value as it is outside of its column, so that ``stored(_:)`` gives it back: truth values, dates of ISO 8601 with milliseconds,
  /// UUIDs, JSON with parts, and blobs in base64.
  func foreign(_ value: StorageValue) -> ForeignValue {
    if value.isNull { return .null }
    if coding is Bool.Type, case .integer(let integer) = value { return .bool(integer != 0) }
    if let coding = coding as? any ColumnCoding<Date>.Type, let date = try? coding.decode(value),
      case .text(let text)? = try? ISO8601Coding.encode(date)
    {
      return .text(text)
    }
    if case .blob = value, let coding = coding as? any ColumnCoding<UUID>.Type, let id = try? coding.decode(value) {
      return .text(id.uuidString)
    }
    if coding is any JSONText.Type, case .text(let text) = value { return .json(text) }
    return ForeignValue(value)
  }

  /// The value as the coding would have written it, where numbers are equal.
  func normalized(_ stored: StorageValue) -> StorageValue {
    guard className == "real", case .integer(let integer) = stored, !isPlainDate, let real = Double(exactly: integer)
    else { return stored }
    return .real(real)
  }

  private var takesAnything: Bool { coding is any ColumnCoding<StorageValue>.Type }

  /// The bytes of an object `{"base64": …}`.
  private static func blob(_ json: String) -> Data? {
    // Other objects aren't read for it.
    guard json.dropFirst().drop(while: \.isWhitespace).hasPrefix("\"base64\"") else { return nil }
    var reader = JSONReader(json)
    return (try? reader.object()).flatMap { $0.count == 1 ? StoredJSON.blob($0) : nil }
  }

  private func stored(text: String) -> StorageValue? {
    if let coding = coding as? any ColumnCoding<Date>.Type {
      return (try? ISO8601Coding.decode(.text(text))).flatMap { try? coding.encode($0) }
    }
    if let coding = coding as? any ColumnCoding<UUID>.Type {
      return UUID(uuidString: text).flatMap { try? coding.encode($0) }
    }
    guard className == "blob", coding is Data.Type else { return nil }
    return Data(base64Encoded: text).map { .blob($0) }
  }
}
