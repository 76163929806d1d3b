/// A field whose value is a text, or may be.
nonisolated public protocol TextColumnValue: SortableColumnValue, ColumnCoding {}

extension String: TextColumnValue {}
extension Optional: TextColumnValue where Wrapped: TextColumnValue {}

extension Field where Value: TextColumnValue {
  /// Whether the text begins with the prefix, compared as bytes. An index on the column serves it.
  public func hasPrefix(_ prefix: String) -> Field<Bool> {
    Field<Bool>(.prefix(term, ExactText(prefix)))
  }

  /// Whether the text contains the other, compared as bytes. No index can serve it.
  public func contains(_ other: String) -> Field<Bool> {
    Field<Bool>(
      .binary(.greater, .function(.position, [term, .constant(.text(other))]), .literal(.integer(0))))
  }

  /// The text with the 26 upper-case letters of ASCII in lower case.
  public func lowercased() -> Field {
    Field(.function(.lowercased, [term]), coding: coding)
  }

  /// The text with the 26 lower-case letters of ASCII in upper case.
  public func uppercased() -> Field {
    Field(.function(.uppercased, [term]), coding: coding)
  }

  /// The text followed by another.
  public func appending(_ other: Field) -> Field {
    Field(.binary(.concatenate, term, other.term), coding: coding)
  }

  /// The text followed by another.
  public func appending(_ other: String) -> Field {
    Field(.binary(.concatenate, term, .constant(.text(other))), coding: coding)
  }

  /// The text as another collation compares it.
  public func collated(_ collation: Collation) -> Field {
    Field(.collate(term, collation), coding: coding)
  }
}

extension Field<String> {
  /// The number of Unicode scalars before the first NUL character.
  public var length: Field<Int> {
    Field<Int>(.function(.length, [term]), as: Int.self)
  }
}

extension Field<String?> {
  /// The number of Unicode scalars before the first NUL character.
  public var length: Field<Int?> {
    Field<Int?>(.function(.length, [term]), as: Int?.self)
  }
}
