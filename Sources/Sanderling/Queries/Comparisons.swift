extension Field {
  /// Equal in SQL, which is unknown for NULL. A comparison with the constant `nil` means IS NULL.
  public static func == (lhs: Field, rhs: Value) -> Field<Bool> {
    equality(lhs, lhs.constant(rhs))
  }

  /// Equal in SQL, which is unknown for NULL. A comparison with the constant `nil` means IS NULL.
  public static func == (lhs: Value, rhs: Field) -> Field<Bool> {
    equality(rhs, rhs.constant(lhs))
  }

  /// Equal in SQL, which is unknown for NULL. A comparison with the constant `nil` means IS NULL.
  public static func == (lhs: Field, rhs: Field) -> Field<Bool> {
    Field<Bool>(.binary(.equal, lhs.term, rhs.term))
  }

  /// Equal in SQL, which is unknown for NULL. A comparison with the constant `nil` means IS NULL.
  public static func == (lhs: Field<Value?>, rhs: Field) -> Field<Bool> {
    Field<Bool>(.binary(.equal, lhs.term, rhs.term))
  }

  /// Equal in SQL, which is unknown for NULL. A comparison with the constant `nil` means IS NULL.
  public static func == (lhs: Field, rhs: Field<Value?>) -> Field<Bool> {
    Field<Bool>(.binary(.equal, lhs.term, rhs.term))
  }

  /// Different in SQL, which is unknown for NULL. A comparison with the constant `nil` means IS NOT NULL.
  /// ``isDistinct(from:)-(Value)`` treats NULL as a value.
  public static func != (lhs: Field, rhs: Value) -> Field<Bool> {
    inequality(lhs, lhs.constant(rhs))
  }

  /// Different in SQL, which is unknown for NULL. A comparison with the constant `nil` means IS NOT NULL.
  public static func != (lhs: Value, rhs: Field) -> Field<Bool> {
    inequality(rhs, rhs.constant(lhs))
  }

  /// Different in SQL, which is unknown for NULL. A comparison with the constant `nil` means IS NOT NULL.
  public static func != (lhs: Field, rhs: Field) -> Field<Bool> {
    Field<Bool>(.binary(.notEqual, lhs.term, rhs.term))
  }

  /// Different in SQL, which is unknown for NULL. A comparison with the constant `nil` means IS NOT NULL.
  public static func != (lhs: Field<Value?>, rhs: Field) -> Field<Bool> {
    Field<Bool>(.binary(.notEqual, lhs.term, rhs.term))
  }

  /// Different in SQL, which is unknown for NULL. A comparison with the constant `nil` means IS NOT NULL.
  public static func != (lhs: Field, rhs: Field<Value?>) -> Field<Bool> {
    Field<Bool>(.binary(.notEqual, lhs.term, rhs.term))
  }

  /// Rejects a comparison of a field that is never NULL with `nil`.
  @available(*, unavailable, message: "the field is not optional, so it is never nil")
  public static func == (lhs: Field, rhs: _OptionalNilComparisonType) -> Field<Bool> { neverRuns() }

  /// Rejects a comparison of a field that is never NULL with `nil`.
  @available(*, unavailable, message: "the field is not optional, so it is never nil")
  public static func != (lhs: Field, rhs: _OptionalNilComparisonType) -> Field<Bool> { neverRuns() }

  /// Different, where NULL is a value that equals only itself. Never unknown.
  public func isDistinct(from value: Value) -> Field<Bool> {
    Field<Bool>(.binary(.isNot, term, constant(value)))
  }

  /// Different, where NULL is a value that equals only itself. Never unknown.
  public func isDistinct(from other: Field) -> Field<Bool> {
    Field<Bool>(.binary(.isNot, term, other.term))
  }

  /// Whether the value is one of `values`, of any number. `nil` among the values matches NULL.
  ///
  /// Up to 512 values are bound one by one. More integers, texts, or blobs of one length are bound as one parameter.
  /// Larger sets of reals and dates are also bound one by one, and so limited by SQLite's number of variables: 32,766
  /// by default.
  public func `in`(_ values: some Sequence<Value>) -> Field<Bool> {
    var stored: [StorageValue] = []
    stored.reserveCapacity(values.underestimatedCount)
    var findsNull = false
    for value in values {
      do {
        let value = try coding.encode(value)
        if value.isNull { findsNull = true } else { stored.append(value) }
      } catch {
        return Field<Bool>(.invalid(error))
      }
    }
    let membership = Term.membership(term, Members(stored))
    return Field<Bool>(findsNull ? membership || .unary(.isNull, term) : membership)
  }

  /// Whether the value is among the values that a query of one column selects.
  public func `in`<Root>(_ query: Selection<Root, Value>) -> Field<Bool> {
    Field<Bool>(.subquery(term, Subquery(statement: query.statement)))
  }

  private static func equality(_ field: Field, _ constant: Term) -> Field<Bool> {
    Field<Bool>(constant.isNullLiteral ? .unary(.isNull, field.term) : .binary(.equal, field.term, constant))
  }

  private static func inequality(_ field: Field, _ constant: Term) -> Field<Bool> {
    Field<Bool>(constant.isNullLiteral ? .unary(.isNotNull, field.term) : .binary(.notEqual, field.term, constant))
  }
}

extension Term {
  var isNullLiteral: Bool {
    self == .literal(.null)
  }
}

extension Field where Value: SortableColumnValue {
  /// Less in SQL; unknown where a value is NULL.
  public static func < (lhs: Field, rhs: Value) -> Field<Bool> {
    Field<Bool>(.binary(.less, lhs.term, lhs.constant(rhs)))
  }

  /// Less in SQL; unknown where a value is NULL.
  public static func < (lhs: Field, rhs: Field) -> Field<Bool> {
    Field<Bool>(.binary(.less, lhs.term, rhs.term))
  }

  /// Less or equal in SQL; unknown where a value is NULL.
  public static func <= (lhs: Field, rhs: Value) -> Field<Bool> {
    Field<Bool>(.binary(.lessOrEqual, lhs.term, lhs.constant(rhs)))
  }

  /// Less or equal in SQL; unknown where a value is NULL.
  public static func <= (lhs: Field, rhs: Field) -> Field<Bool> {
    Field<Bool>(.binary(.lessOrEqual, lhs.term, rhs.term))
  }

  /// Greater in SQL; unknown where a value is NULL.
  public static func > (lhs: Field, rhs: Value) -> Field<Bool> {
    Field<Bool>(.binary(.greater, lhs.term, lhs.constant(rhs)))
  }

  /// Greater in SQL; unknown where a value is NULL.
  public static func > (lhs: Field, rhs: Field) -> Field<Bool> {
    Field<Bool>(.binary(.greater, lhs.term, rhs.term))
  }

  /// Greater or equal in SQL; unknown where a value is NULL.
  public static func >= (lhs: Field, rhs: Value) -> Field<Bool> {
    Field<Bool>(.binary(.greaterOrEqual, lhs.term, lhs.constant(rhs)))
  }

  /// Greater or equal in SQL; unknown where a value is NULL.
  public static func >= (lhs: Field, rhs: Field) -> Field<Bool> {
    Field<Bool>(.binary(.greaterOrEqual, lhs.term, rhs.term))
  }

  /// Whether the value lies in the range.
  public func `in`(_ range: ClosedRange<Value>) -> Field<Bool> where Value: Comparable {
    self >= range.lowerBound && self <= range.upperBound
  }

  /// Whether the value lies in the range.
  public func `in`(_ range: Range<Value>) -> Field<Bool> where Value: Comparable {
    self >= range.lowerBound && self < range.upperBound
  }
}

/// Ranges of optional fields. NULL lies in no range.
extension Field {
  /// Whether the value lies in the range; unknown for NULL.
  public func `in`<Wrapped: SortableColumnValue & Comparable>(_ range: ClosedRange<Wrapped>) -> Field<Bool>
  where Value == Wrapped? {
    self >= range.lowerBound && self <= range.upperBound
  }

  /// Whether the value lies in the range; unknown for NULL.
  public func `in`<Wrapped: SortableColumnValue & Comparable>(_ range: Range<Wrapped>) -> Field<Bool>
  where Value == Wrapped? {
    self >= range.lowerBound && self < range.upperBound
  }
}
