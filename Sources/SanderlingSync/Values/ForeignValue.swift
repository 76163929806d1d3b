import Foundation
import Sanderling

/// A value as files and servers write it, which knows fewer types than a column has.
enum ForeignValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  /// A number, as written, that is neither a 64-bit integer nor a real with the same number of digits.
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

  /// The stored value if no column determines its form.
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

/// A coding of several types that interprets the fields of a text-only file itself.
protocol FieldCoding: ColumnCoding {
  static func stored(field text: String) -> StorageValue
}

extension StorageValue {
  /// A number of a file or a server beyond the range of a double, such as `1e400`. No column accepts it. SQLite would
  /// read infinity, which is another number. SQLite stores no NaN, so no stored value equals this one.
  static let beyondNumbers = StorageValue.real(.nan)

  /// The number that SQLite or this package writes as a text, an infinity as `9e999`; nil for other texts, also for
  /// other spellings of a number, such as `0012` and `1.50`.
  init?(numberAsWritten text: String) {
    if let integer = Int64(text), String(integer) == text {
      self = .integer(integer)
    } else if let infinity = Self.infinities[text] {
      self = .real(infinity)
    } else if let real = Double(decimal: text), "\(real)" == text {
      self = .real(real)
    } else {
      return nil
    }
  }

  static let infinities = ["9e999": Double.infinity, "-9e999": -.infinity]

  var isBeyondNumbers: Bool { if case .real(let real) = self { real.isNaN } else { false } }
}

extension ColumnForm {
  /// Returns the stored value for a value from outside: dates, UUIDs and numbers in the coding's form, blobs from
  /// base64.
  ///
  /// Outside a column of blobs, a blob is an object `{"base64": …}` and no text of JSON, so a column of texts doesn't
  /// accept it. An infinity is `9e999` or `-9e999`, as SQLite writes it.
  ///
  /// - Returns: The stored value. Without a conversion, it is a value that the form doesn't include.
  func stored(_ value: ForeignValue) -> StorageValue {
    switch value {
    case .null: .null
    case .real(let real) where real.isNaN: .beyondNumbers
    case .text(let text): stored(text: text) ?? value.plain
    case .number("9e999") where className == "real" || takesAnything: .real(.infinity)
    case .number("-9e999") where className == "real" || takesAnything: .real(-.infinity)
    // A column of doubles takes the nearest double.
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

  /// Returns the stored value for a text of digits, or a word, from a text-only file.
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
      if let infinity = StorageValue.infinities[text] { return .real(infinity) }
    case "blob":
      if let coding = coding as? any FieldCoding.Type { return coding.stored(field: text) }
    default: break
    }
    return stored(.text(text))
  }

  /// Returns a stored value in its form outside the database, from which ``stored(_:)`` returns it. Forms: truth
  /// values, dates of ISO 8601 with milliseconds, UUIDs, JSON with parts, and blobs in base64.
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

  /// Returns the value as the coding would have written it, if numbers are equal.
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
