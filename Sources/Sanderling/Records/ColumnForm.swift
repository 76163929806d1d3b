import Foundation
import SanderlingSQL

/// The coding of a column as a value. It decides whether values of other writers have the coding's form.
package struct ColumnForm: Hashable, Sendable {
  /// The coding of values that aren't NULL.
  package let coding: any ColumnCoding.Type
  /// The same coding, if it checks more than the storage class. Determined once, because it is used for millions of
  /// values.
  private let formed: (any FormedCoding.Type)?
  /// The storage class of the coding's values.
  package let className: String
  /// Whether the coding reads every value that it includes.
  private let readsAll: Bool

  init(_ coding: any ColumnCoding.Type) {
    self.coding = (coding as? any NullableCoding.Type)?.wrapped ?? coding
    formed = self.coding as? any FormedCoding.Type
    className = self.coding.columnType.title.lowercased()
    readsAll = formed != nil || Self.plain.contains(ObjectIdentifier(self.coding))
  }

  private static let plain = Set(
    [String.self, Int.self, Int64.self, Double.self, Data.self].map { ObjectIdentifier($0 as Any.Type) })

  package static func == (lhs: ColumnForm, rhs: ColumnForm) -> Bool {
    ObjectIdentifier(lhs.coding) == ObjectIdentifier(rhs.coding)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(coding))
  }

  /// Whether recognizing the coding's values takes more than their storage class.
  package var needsValues: Bool { formed != nil }

  /// Whether the coding reads a value that isn't NULL as itself, and writes it unchanged.
  package func includes(_ stored: StorageValue) -> Bool {
    if let formed { return formed.includes(stored) }
    return stored.storageClassName == className || (try? coding.decode(stored)) != nil
  }

  /// Whether the coding can read a value that isn't NULL. A value that it ``includes(_:)`` may be an unknown case of an
  /// enumeration, which it can't read.
  package func canRead(_ stored: StorageValue) -> Bool {
    readsAll || (try? coding.decode(stored)) != nil
  }

  package var isPlainDate: Bool { coding is Date.Type }
  var isDate: Bool { coding is any ColumnCoding<Date>.Type }
  private var isDecimal: Bool { coding is any ColumnCoding<Decimal>.Type }
  var isUUID: Bool { coding is any ColumnCoding<UUID>.Type }

  /// The library's codings for the same type, each with the attribute that chooses it.
  var alternatives: [(form: ColumnForm, choice: String)] {
    if isDate {
      return [
        (ColumnForm(Date.self), "leave @Stored(as:) out"),
        (ColumnForm(DateTextCoding.self), "write @Stored(as: .dateText)"),
        (ColumnForm(ISO8601Coding.self), "write @Stored(as: .iso8601)"),
        (ColumnForm(UnixSecondsCoding.self), "write @Stored(as: .unixSeconds)"),
        (ColumnForm(UnixMillisecondsCoding.self), "write @Stored(as: .unixMilliseconds)"),
      ]
    }
    if isDecimal {
      return [
        (ColumnForm(Decimal.self), "leave @Stored(as:) out"),
        (ColumnForm(DecimalNumberCoding.self), "write @Stored(as: .decimalNumber)"),
      ]
    }
    if isUUID {
      return [
        (ColumnForm(UUID.self), "leave @Stored(as:) out"),
        (ColumnForm(UUIDTextCoding.self), "write @Stored(as: .uuidText)"),
        (ColumnForm(LowercaseUUIDTextCoding.self), "write @Stored(as: .lowercaseUUIDText)"),
      ]
    }
    return []
  }
}

/// A coding that adds NULL to another.
private protocol NullableCoding {
  static var wrapped: any ColumnCoding.Type { get }
}

extension Optional: NullableCoding where Wrapped: ColumnValue {
  fileprivate static var wrapped: any ColumnCoding.Type { Wrapped.self }
}

extension OptionalCoding: NullableCoding {
  fileprivate static var wrapped: any ColumnCoding.Type { Wrapped.self }
}

/// A coding that checks more than the storage class to recognize its values.
private protocol FormedCoding: ColumnCoding {
  /// Whether the coding reads a value as itself, and writes it unchanged. By default, whether the coding can read the
  /// value.
  static func includes(_ stored: StorageValue) -> Bool
}

extension FormedCoding {
  static func includes(_ stored: StorageValue) -> Bool {
    (try? decode(stored)) != nil
  }
}

extension Bool: FormedCoding {}
extension Int8: FormedCoding {}
extension Int16: FormedCoding {}
extension Int32: FormedCoding {}
extension UInt: FormedCoding {}
extension UInt8: FormedCoding {}
extension UInt16: FormedCoding {}
extension UInt32: FormedCoding {}
extension UInt64: FormedCoding {}
extension Float: FormedCoding {}
extension UUID: FormedCoding {}

extension Decimal: FormedCoding {
  /// Only texts: an integer can be read, but never equals the text that is written.
  fileprivate static func includes(_ stored: StorageValue) -> Bool {
    stored.storageClassName == "text" && (try? decode(stored)) != nil
  }
}

extension DecimalNumberCoding: FormedCoding {}

extension Date: FormedCoding {
  /// Only reals: seconds since 2001 are hardly ever whole, and whole numbers count from 1970 in most databases.
  fileprivate static func includes(_ stored: StorageValue) -> Bool {
    stored.storageClassName == "real"
  }
}

extension DateTextCoding: FormedCoding {
  fileprivate static func includes(_ stored: StorageValue) -> Bool {
    stored.isDateText(separatedBy: " ")
  }
}

extension ISO8601Coding: FormedCoding {
  fileprivate static func includes(_ stored: StorageValue) -> Bool {
    stored.isDateText(separatedBy: "T")
  }
}

extension UnixSecondsCoding: FormedCoding {
  /// The limit distinguishes seconds from milliseconds: it lies some 3,000 years from 1970 in seconds, and some three
  /// in milliseconds.
  fileprivate static func includes(_ stored: StorageValue) -> Bool {
    guard let real = try? Double.real(stored, for: Date.self) else { return false }
    return abs(real) < 100_000_000_000
  }
}

extension UnixMillisecondsCoding: FormedCoding {
  fileprivate static func includes(_ stored: StorageValue) -> Bool {
    guard let real = try? Double.real(stored, for: Date.self) else { return false }
    return real.rounded() == real
  }
}

extension UUIDTextCoding: FormedCoding {
  fileprivate static func includes(_ stored: StorageValue) -> Bool {
    stored.isUUIDText(in: .upper)
  }
}

extension LowercaseUUIDTextCoding: FormedCoding {
  fileprivate static func includes(_ stored: StorageValue) -> Bool {
    stored.isUUIDText(in: .lower)
  }
}

extension StorageValue {
  /// Whether the value is a date as text. Texts with both separators can be read, but don't sort together by time.
  fileprivate func isDateText(separatedBy separator: Unicode.Scalar) -> Bool {
    guard case .text(let text) = self, (try? CivilTime(parsing: text)) != nil else { return false }
    return text.utf8.dropFirst(10).first.map { $0 == UInt8(ascii: separator) } ?? true
  }

  /// Whether the value is a UUID as text. Texts in both cases can be read, but aren't equal in SQL.
  fileprivate func isUUIDText(in letterCase: ASCIICase) -> Bool {
    guard case .text(let text) = self, UUID(uuidString: text) != nil else { return false }
    return text.withASCIICase(letterCase).isIdentical(to: text)
  }
}
