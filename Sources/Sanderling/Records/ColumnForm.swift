import Foundation
import SanderlingSQL

/// The coding of a column as a value, to ask whether values that others stored are of the coding's form.
package struct ColumnForm: Hashable, Sendable {
  /// The coding of the values that are not NULL.
  package let coding: any ColumnCoding.Type
  /// The same coding, if it looks at more than the storage class. Determined once, because it is used for millions of
  /// values.
  private let formed: (any FormedCoding.Type)?
  /// The storage class of the coding's values.
  package let className: String
  /// Whether the coding reads each value that it includes.
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

  /// Whether the storage class alone doesn't tell the coding's values from others.
  package var needsValues: Bool { formed != nil }

  /// Whether the coding reads a value that is not NULL as itself, and writes it unchanged.
  package func includes(_ stored: StorageValue) -> Bool {
    if let formed { return formed.includes(stored) }
    return stored.storageClassName == className || (try? coding.decode(stored)) != nil
  }

  /// Whether the coding reads a value, which is not NULL: a value that it ``includes(_:)`` may be of a case that the app doesn't know.
  package func canRead(_ stored: StorageValue) -> Bool {
    readsAll || (try? coding.decode(stored)) != nil
  }

  package var isPlainDate: Bool { coding is Date.Type }
  var isDate: Bool { coding is any ColumnCoding<Date>.Type }
  var isUUID: Bool { coding is any ColumnCoding<UUID>.Type }

  /// The codings of the library for the same type, each with the attribute that chooses it.
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

/// A coding that looks at more than the storage class to recognize its values.
private protocol FormedCoding: ColumnCoding {
  /// Whether the coding reads a value as itself, and writes it unchanged. By default, whether it can be read.
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
  /// An integer could be read, but never equals the text that is written.
  fileprivate static func includes(_ stored: StorageValue) -> Bool {
    stored.storageClassName == "text" && (try? decode(stored)) != nil
  }
}

extension Date: FormedCoding {
  /// Seconds since 2001 are hardly ever whole; whole numbers count from 1970 in most databases.
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
  /// As seconds, these numbers lie within 3,000 years of 1970; as milliseconds, within three.
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
  /// Whether the value is a date as text. Texts of both forms can be read, but don't sort among each other.
  fileprivate func isDateText(separatedBy separator: Unicode.Scalar) -> Bool {
    guard case .text(let text) = self, (try? CivilTime(parsing: text)) != nil else { return false }
    return text.utf8.dropFirst(10).first.map { $0 == UInt8(ascii: separator) } ?? true
  }

  /// Whether the value is a UUID as text. Texts of both cases can be read, but are not equal in SQL.
  fileprivate func isUUIDText(in letterCase: ASCIICase) -> Bool {
    guard case .text(let text) = self, UUID(uuidString: text) != nil else { return false }
    return text.withASCIICase(letterCase).isIdentical(to: text)
  }
}
