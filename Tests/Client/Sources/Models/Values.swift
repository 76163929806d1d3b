public import Foundation
public import Sanderling

/// A stored enum with raw values.
public enum Priority: Int, SortableColumnValue, CaseIterable {
  case low, medium, high
}

/// A stored enum that gets its conformance in an extension.
public enum Status: String {
  case open, closed
}

extension Status: SortableColumnValue {}

/// A type of the app whose storage an extension declares.
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

/// A type of the app that declares its storage itself, and reads and binds its values itself.
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

/// Another storage for a type of Foundation.
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

/// A coding that is declared in an extension. In a module whose declarations belong to the main actor, the extension
/// must be `nonisolated`.
public enum Reversed {}

nonisolated extension Reversed: ColumnCoding {
  public static var columnType: ColumnType { .text }
  public static func encode(_ value: String) -> StorageValue { .text(String(value.reversed())) }
  public static func decode(_ stored: StorageValue) throws -> String { String(try String.decode(stored).reversed()) }
}

/// A value that several records store as JSON. The database encodes and decodes it on its own threads.
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
