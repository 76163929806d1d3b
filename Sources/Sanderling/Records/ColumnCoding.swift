/// A coding: the form in which a column stores values of a Swift type.
///
/// A type with one obvious stored form is a ``ColumnValue``, its own coding. A coding of another name chooses another
/// form for one column:
///
/// ```swift
/// enum Cents: ColumnCoding {
///   typealias Value = Decimal
///   …
/// }
/// @Stored(as: Cents.self) var price: Decimal
/// ```
///
/// The methods must agree: ``bind(_:to:at:)`` stores the result of ``encode(_:)``, and both read methods return the
/// stored value.
public protocol ColumnCoding<Value>: SendableMetatype {
  /// The Swift type of the values.
  associatedtype Value: Sendable

  /// The type that a column with this coding declares.
  static var columnType: ColumnType { get }

  /// Whether NULL is one of the values.
  static var acceptsNull: Bool { get }

  /// Returns the stored form of a value.
  ///
  /// - Throws: ``ValueError`` for a value that can't be stored, such as NaN.
  static func encode(_ value: Value) throws -> StorageValue

  /// Returns the value of a stored form.
  ///
  /// - Throws: ``ValueError`` if `stored` is no value of this coding.
  static func decode(_ stored: StorageValue) throws -> Value

  /// Binds a value to a parameter of a statement. The default binds the result of ``encode(_:)``.
  static func bind(_ value: Value, to parameters: ParameterBinder, at index: Int32) throws

  /// Reads a value from a row. The default decodes the column's stored value.
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

// Each of the following protocols is `nonisolated` and names ColumnCoding itself. In a module whose declarations belong
// to the main actor by default, the compiler (6.3) then treats the methods of a conformance in an extension as
// nonisolated too. It doesn't if ColumnCoding is only inherited through another protocol.

/// A type whose values are stored in one column.
///
/// Conformances exist for `Bool`, every integer width, `Double`, `Float`, `String`, `Data`, `Date`, `UUID`, `URL`,
/// `Decimal`, and optionals of all these. An enumeration with raw values conforms by declaring it:
///
/// ```swift
/// enum Priority: Int, SortableColumnValue { case low, medium, high }
/// ```
///
/// Values are stored and read on the database's threads. So the methods of a conformance are nonisolated, even in an
/// extension, and even in a module whose declarations belong to the main actor by default.
nonisolated public protocol ColumnValue: ColumnCoding, Sendable where Value == Self {}

/// An enumeration that reads unknown raw values, such as a case of a newer version of a server.
///
/// ```swift
/// enum Priority: String, OpenColumnValue {
///   case low, high, unknown
///   static let unknownValue = Priority.unknown
/// }
/// ```
///
/// A column reads an unknown raw value as ``unknownValue``. The raw value stays stored until the column is written.
/// Conditions compare with the stored raw value, so that `task.priority == .unknown` finds only rows that store
/// `unknown`. An update of the whole record writes ``unknownValue``. An update of other columns leaves the raw value.
///
/// A type without this protocol throws ``ValueError`` for an unknown raw value, and synchronisation quarantines such a
/// row.
nonisolated public protocol OpenColumnValue: ColumnValue, ColumnCoding, RawRepresentable where RawValue: ColumnValue {
  /// The value that stands for all unknown raw values.
  static var unknownValue: Self { get }
}

/// A column value whose order in SQL is the order of its type. So `<`, `order`, `min` and `max` are meaningful.
///
/// `Decimal` isn't sortable: it is stored as text, which sorts "10" before "9". To sort by amounts, store an integer
/// number of the smallest unit.
nonisolated public protocol SortableColumnValue: ColumnValue, ColumnCoding {}

/// A column value that SQL can calculate with: a number, or an optional one.
nonisolated public protocol ArithmeticColumnValue: SortableColumnValue, ColumnCoding {
  /// The type of a quotient. It is NULL for a division by zero.
  associatedtype Quotient: ColumnValue
}

/// A number that SQL can calculate with.
nonisolated public protocol NumericColumnValue: ArithmeticColumnValue, ColumnCoding where Quotient == Self? {
  /// The result of SUM without values.
  static var zero: Self { get }
}
