/// How values of a Swift type are stored in a column.
///
/// A type that has one obvious storage is a ``ColumnValue``, its own coding. A coding of another name chooses another
/// storage for one column:
///
/// ```swift
/// enum Cents: ColumnCoding {
///   typealias Value = Decimal
///   …
/// }
/// @Stored(as: Cents.self) var price: Decimal
/// ```
///
/// The methods must agree: ``bind(_:to:at:)`` stores the result of ``encode(_:)``, and both read methods return the value that was stored.
public protocol ColumnCoding<Value>: SendableMetatype {
  /// The Swift type of the values.
  associatedtype Value: Sendable

  /// The type that a column with this coding declares.
  static var columnType: ColumnType { get }

  /// Whether NULL is one of the values.
  static var acceptsNull: Bool { get }

  /// The value as stored.
  ///
  /// - Throws: ``ValueError`` for a value that has no storage, such as NaN.
  static func encode(_ value: Value) throws -> StorageValue

  /// The value that was stored.
  ///
  /// - Throws: ``ValueError`` when `stored` is not a value of this coding.
  static func decode(_ stored: StorageValue) throws -> Value

  /// Binds the value to a parameter of a statement. The default binds the result of ``encode(_:)``.
  static func bind(_ value: Value, to parameters: ParameterBinder, at index: Int32) throws

  /// Reads the value from a row. The default decodes the column's storage value.
  static func read(_ row: ResultRow, at index: Int32) throws -> Value
}

extension ColumnCoding {
  public static var acceptsNull: Bool { false }

  public static func bind(_ value: Value, to parameters: ParameterBinder, at index: Int32) throws {
    try parameters.bind(encode(value), at: index)
  }

  public static func read(_ row: ResultRow, at index: Int32) throws -> Value {
    do {
      return try decode(row.storageValue(at: index))
    } catch {
      throw row.locating(error, at: index)
    }
  }
}

// Each of the following protocols is `nonisolated` and names ColumnCoding itself: the compiler (6.3) then takes the methods of a
// conformance in an extension for such, too, where all else belongs to the main actor. One level below it doesn't.

/// A type whose values are stored in one column.
///
/// Conformances exist for `Bool`, every integer width, `Double`, `Float`, `String`, `Data`, `Date`, `UUID`, `URL`,
/// `Decimal`, and optionals of all. An enumeration with raw values conforms by declaring it:
///
/// ```swift
/// enum Priority: Int, SortableColumnValue { case low, medium, high }
/// ```
///
/// Values are stored and read on the database's threads. Where a module's declarations belong to the main actor by default,
/// the methods of a conformance, which may stand in an extension, still belong to none.
nonisolated public protocol ColumnValue: ColumnCoding, Sendable where Value == Self {}

/// An enumeration with raw values that reads those which it doesn't know, such as a case that a newer version of a server has.
///
/// ```swift
/// enum Priority: String, OpenColumnValue {
///   case low, high, unknown
///   static let unknownValue = Priority.unknown
/// }
/// ```
///
/// A column reads an unknown raw value as ``unknownValue``. The raw value stays stored until the column is written, and conditions compare with it: so
/// `task.priority == .unknown` finds rows that store `unknown`, and not the others. An update of the whole record writes ``unknownValue``; one that
/// sets other columns leaves the raw value.
///
/// A type without this protocol throws ``ValueError`` for an unknown raw value, and a synchronisation puts such a row into the quarantine.
nonisolated public protocol OpenColumnValue: ColumnValue, ColumnCoding, RawRepresentable where RawValue: ColumnValue {
  /// The value in place of raw values that the type doesn't know.
  static var unknownValue: Self { get }
}

/// A column value whose order in SQL is the order of its type, so that `<`, `order`, `min` and `max` mean something.
///
/// `Decimal` is not one: it is stored as text, which sorts "10" before "9". To sort by amounts, store an integer number
/// of the smallest unit.
nonisolated public protocol SortableColumnValue: ColumnValue, ColumnCoding {}

/// A column value that SQL can calculate with: a number, or an optional one.
nonisolated public protocol ArithmeticColumnValue: SortableColumnValue, ColumnCoding {
  /// The type of a quotient, which is NULL for a division by zero.
  associatedtype Quotient: ColumnValue
}

/// A number that SQL can calculate with.
nonisolated public protocol NumericColumnValue: ArithmeticColumnValue, ColumnCoding where Quotient == Self? {
  /// The result of SUM when there is nothing to add.
  static var zero: Self { get }
}
