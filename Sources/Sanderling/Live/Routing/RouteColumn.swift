import SanderlingSQL

/// A column by whose values rows find the queries that may keep them, and how its values are compared there.
struct RouteColumn: Hashable, Sendable {
  /// At level 0: a column of the query's own rows, or of a record that to-one associations lead to from there.
  let column: ColumnTerm
  let collation: Collation
  /// Kept, since the definition of a column is slow to get at.
  private let affinity: Affinity

  /// The column of a term that is nothing else; nil for any other term.
  init?(_ term: Term, collation: Collation) {
    guard let column = term.plainColumn, column.scope.level == 0 else { return nil }
    self.column = column
    self.collation = collation
    affinity = column.definition.type.affinity
  }

  /// A form of the value that is the same for all equal values.
  func equalityKey(_ value: StorageValue) throws -> StorageValue {
    SQLiteComparison.equalityKey(try converted(value), collation: collation)
  }

  /// The value as it is looked up in ranges.
  ///
  /// Comparisons convert values, orderings don't. Ranges come from both, so there must be nothing to convert. There isn't
  /// in columns that have the type that the record declares.
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

  /// The column's value as ``ComparisonRule`` converts it in comparisons with constants.
  private func converted(_ value: StorageValue) throws -> StorageValue {
    switch affinity {
    case .blob: value
    case .text: try value.asText()
    case .integer, .numeric, .real: try value.asNumber()
    }
  }
}

extension Term {
  /// The column that the term is, in whichever collation.
  fileprivate var plainColumn: ColumnTerm? {
    switch self {
    case .column(let column): column
    case .collate(let operand, _): operand.plainColumn
    default: nil
    }
  }
}
