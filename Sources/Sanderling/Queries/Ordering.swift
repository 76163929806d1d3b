/// One key of an ordering.
public struct Ordering: Hashable, Sendable {
  package enum Nulls: Hashable, Sendable { case first, last }

  package let term: Term
  package let isDescending: Bool
  /// The place of NULLs; nil for SQLite's default. By default NULLs come before all values in ascending and after them
  /// in descending order.
  package let nulls: Nulls?

  package init(term: Term, isDescending: Bool = false, nulls: Nulls? = nil) {
    self.term = term
    self.isDescending = isDescending
    self.nulls = nulls
  }

  /// The same key with NULLs before all values.
  public var nullsFirst: Ordering { Ordering(term: term, isDescending: isDescending, nulls: .first) }

  /// The same key with NULLs after all values.
  public var nullsLast: Ordering { Ordering(term: term, isDescending: isDescending, nulls: .last) }

  /// Whether NULLs come after all values. By default, NULL is less than every value.
  var putsNullsLast: Bool { nulls.map { $0 == .last } ?? isDescending }

  package var reversed: Ordering {
    let nulls: Nulls? =
      switch nulls {
      case .first: .last
      case .last: .first
      case nil: nil
      }
    return Ordering(term: term, isDescending: !isDescending, nulls: nulls)
  }
}

extension Field where Value: SortableColumnValue {
  /// The ascending ordering by the field.
  public var ascending: Ordering { Ordering(term: term) }

  /// The descending ordering by the field.
  public var descending: Ordering { Ordering(term: term, isDescending: true) }
}

/// An argument of `order`: a sortable field, which sorts ascending, or an ``Ordering``.
public protocol OrderingConvertible {
  /// The value as an ordering.
  var ordering: Ordering { get }
}

extension Ordering: OrderingConvertible {
  public var ordering: Ordering { self }
}

extension Field: OrderingConvertible where Value: SortableColumnValue {
  public var ordering: Ordering { ascending }
}
