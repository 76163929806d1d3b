public import Foundation
public import Sanderling

/// A type with raw values.
public enum Priority: Int, SortableColumnValue, CaseIterable {
  case low, medium, high
}

/// One that learns elsewhere how it is stored.
public enum Status: String {
  case open, closed
}

extension Status: SortableColumnValue {}

/// A type of the app's own with a storage of its own, which an extension says.
nonisolated public struct Money: Hashable, Sendable {
  public var cents: Int64

  public init(cents: Int64) {
    self.cents = cents
  }
}

extension Money: SortableColumnValue {
  public static var columnType: ColumnType { .integer }

  public static func encode(_ value: Money) throws -> StorageValue {
    .integer(value.cents)
  }

  public static func decode(_ stored: StorageValue) throws -> Money {
    guard case .integer(let cents) = stored else { throw ValueError("expected a number of cents") }
    return Money(cents: cents)
  }
}

/// A type that says so where it is declared, and reads and binds by itself.
public struct Tag: ColumnValue, Hashable {
  public var name: String

  public init(name: String) {
    self.name = name
  }

  public static var columnType: ColumnType { .text }
  public static func encode(_ value: Tag) -> StorageValue { .text(value.name) }
  public static func decode(_ stored: StorageValue) throws -> Tag { try Tag(name: String.decode(stored)) }

  public static func bind(_ value: Tag, to parameters: ParameterBinder, at index: Int32) throws {
    try String.bind(value.name, to: parameters, at: index)
  }

  public static func read(_ row: ResultRow, at index: Int32) throws -> Tag {
    try Tag(name: String.read(row, at: index))
  }
}

/// Another storage for a type of others.
public enum Cents: ColumnCoding {
  public static var columnType: ColumnType { .integer }

  public static func encode(_ value: Decimal) throws -> StorageValue {
    guard let cents = Int64(exactly: NSDecimalNumber(decimal: value * 100)) else {
      throw ValueError("an amount has two decimal places")
    }
    return .integer(cents)
  }

  public static func decode(_ stored: StorageValue) throws -> Decimal {
    guard case .integer(let cents) = stored else { throw ValueError("expected a number of cents") }
    return Decimal(cents) / 100
  }
}

/// And one in an extension. A module whose declarations belong to the main actor says that this one doesn't.
public enum Reversed {}

nonisolated extension Reversed: ColumnCoding {
  public static var columnType: ColumnType { .text }
  public static func encode(_ value: String) -> StorageValue { .text(String(value.reversed())) }
  public static func decode(_ stored: StorageValue) throws -> String { String(try String.decode(stored).reversed()) }
}

/// Stored as JSON, by more than one record. The database encodes and decodes it on threads of its own.
nonisolated public struct Place: Codable, Hashable, Sendable {
  public var name: String
  public var latitude: Double
  public var kind: Kind

  public enum Kind: String, Codable, Sendable { case home, work }

  public init(name: String, latitude: Double, kind: Kind = .home) {
    self.name = name
    self.latitude = latitude
    self.kind = kind
  }
}
