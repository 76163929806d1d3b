import SanderlingSQL

/// A column by whose values a row finds the queries that may contain it, and how its values are compared.
struct RouteColumn: Hashable, Sendable {
  /// The column, at level 0: of the query's own rows, or of a record that to-one associations lead to from there.
  let column: ColumnTerm
  let collation: Collation
  /// Kept, since the definition of a column is slow to reach.
  private let affinity: Affinity

  /// Makes the column of a term; nil for a term that is not just a column.
  init?(_ term: Term, collation: Collation) {
    guard let column = term.plainColumn, column.scope.level == 0 else { return nil }
    self.column = column
    self.collation = collation
    affinity = column.definition.type.affinity
  }

  /// The value in a form that is identical for equal values.
  func equalityKey(_ value: StorageValue) throws -> StorageValue {
    SQLiteComparison.equalityKey(try converted(value), collation: collation)
  }

  /// The value as it is looked up in ranges.
  ///
  /// Comparisons convert values, orderings don't. Ranges come from both, so no value may need conversion. None does in
  /// columns with the type that the record declares.
  ///
  /// - Throws: ``EvaluationError/unsupported(_:)`` for other values.
  func rangeKey(_ value: StorageValue) throws -> StorageValue {
    let isConverted =
      switch (affinity, value) {
      case (.text, .integer), (.text, .real): true
      case (.integer, .text), (.numeric, .text), (.real, .text): try value.asNumber() != value
      default: false
      }
    if isConverted {
      throw EvaluationError.unsupported("column \(column.definition.name) holds a value that its type would convert")
    }
    return value
  }

  /// The value as ``ComparisonRule`` converts it for comparisons with constants.
  private func converted(_ value: StorageValue) throws -> StorageValue {
    switch affinity {
    case .blob: value
    case .text: try value.asText()
    case .integer, .numeric, .real: try value.asNumber()
    }
  }
}

extension Term {
  /// The column that the term consists of, with or without a collation.
  fileprivate var plainColumn: ColumnTerm? {
    switch self {
    case .column(let column): column
    case .collate(let operand, _): operand.plainColumn
    default: nil
    }
  }
}
