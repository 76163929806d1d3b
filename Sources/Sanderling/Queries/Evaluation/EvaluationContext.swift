/// A row from which a term's columns and aggregates get their values.
package protocol EvaluationContext {
  /// The stored value of a column.
  func value(of column: ColumnTerm) throws -> StorageValue

  /// The value of an aggregate for the row. The default throws, since an aggregate needs a query.
  func value(of aggregate: AggregateTerm) throws -> StorageValue
}

extension EvaluationContext {
  package func value(of aggregate: AggregateTerm) throws -> StorageValue {
    throw EvaluationError.needsDatabase(Term.aggregateObstacle)
  }
}

/// The reason why a term has no value outside the database.
package enum EvaluationError: Error, Hashable, Sendable {
  /// Only a query can evaluate the term, for the given reason.
  case needsDatabase(String)
  /// The value can't be represented in Swift, or SQLite failed to convert it.
  case unsupported(String)
  /// SQLite's run-time error "integer overflow", for the absolute value of the least integer.
  case integerOverflow

  /// SQLite puts 3.0 and 3 into one group, and gives the group either of both as its value.
  static let groupOfReals = EvaluationError.unsupported(
    "a number that is no integer may be in the group of one that is")

  static let invalidText = EvaluationError.unsupported(
    "a blob is used as a text, but its bytes are not UTF-8, so no Swift text equals it")
}

extension Term {
  /// The reason why the term can't be evaluated in Swift; nil if it can.
  ///
  /// - Parameter aggregatesAreKnown: Whether the ``EvaluationContext`` has the values of aggregates over associations.
  ///
  /// Columns of associated records are no obstacle: the context has their values, or throws.
  package func evaluationObstacle(aggregatesAreKnown: Bool) -> String? {
    switch self {
    case .invalid(let reason): return reason
    case .subquery: return "it looks for a value in the result of another query"
    case .summary: return "it aggregates the rows of the query itself"
    case .raw: return "it contains SQL written by hand, which only SQLite understands"
    case .aggregate: return aggregatesAreKnown ? nil : Self.aggregateObstacle
    case .function(let function, let arguments):
      if let obstacle = function.obstacle(toTaking: arguments.count) { return obstacle }
      if function == .relevance { return "the relevance of a text depends on all texts of the table" }
      if function == .jsonPart || function == .jsonContains { return "only SQLite reads parts of JSON" }
    default: break
    }
    for operand in operands {
      if let obstacle = operand.evaluationObstacle(aggregatesAreKnown: aggregatesAreKnown) { return obstacle }
    }
    return nil
  }

  /// The reason why the term can't be evaluated in Swift from the columns of one row; nil if it can.
  package var evaluationObstacle: String? { evaluationObstacle(aggregatesAreKnown: false) }

  static let aggregateObstacle = "it aggregates the rows that an association leads to"
}
