import Foundation

/// An expression of SQL as a value. Fields, conditions, orderings and aggregates consist of terms.
///
/// A term can be compared, hashed, compiled to SQL (``SQLCompiler``) and evaluated in Swift (``TermEvaluator``).
package indirect enum Term: Hashable, Sendable {
  case column(ColumnTerm)
  /// A value that is bound as a parameter.
  case constant(StorageValue)
  /// A value that is written into the SQL: truth values, so that they match partial indexes, and the values in
  /// definitions.
  case literal(StorageValue)
  /// A Swift value that can't be stored. Compiling or evaluating the term throws this reason.
  case invalid(String)
  case unary(UnaryOperator, Term)
  case binary(BinaryOperator, Term, Term)
  /// True if the value is among the members. Unknown for NULL.
  case membership(Term, Members)
  /// True if the value is among the values that a query selects.
  case subquery(Term, Subquery)
  /// True if the text begins with the prefix, compared as bytes.
  case prefix(Term, ExactText)
  case function(Function, [Term])
  case collate(Term, Collation)
  /// An aggregate over a to-many association of the row.
  case aggregate(AggregateTerm)
  /// An aggregate over the rows of the query itself.
  case summary(AggregateFunction, Term?)
  case raw([RawFragment])
}

package enum UnaryOperator: String, Hashable, Sendable {
  case not = "NOT"
  case negate = "-"
  case isNull = "IS NULL"
  case isNotNull = "IS NOT NULL"
}

package enum BinaryOperator: String, Hashable, Sendable {
  case equal = "="
  case notEqual = "<>"
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  /// Equality in which NULL equals only NULL.
  case `is` = "IS"
  case isNot = "IS NOT"
  case and = "AND"
  case or = "OR"
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case remainder = "%"
  case concatenate = "||"

  package var isComparison: Bool {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .is, .isNot: true
    default: false
    }
  }
}

package enum Function: String, Hashable, Sendable {
  case absolute = "abs"
  case coalesce = "coalesce"
  /// The position of a text in another, counted from 1; 0 if it doesn't occur.
  case position = "instr"
  case length = "length"
  case lowercased = "lower"
  case uppercased = "upper"
  case round = "round"
  /// The second argument if the first is true, otherwise NULL: CASE WHEN … THEN … END.
  case when = "CASE"
  /// The day of an instant in a time zone: see ``DayArguments``. SQL has no such function, so that the compiler writes
  /// a calculation.
  case day
  /// The fold of a column's texts. SQL reads the column that contains the folds, or calls a function of the library
  /// while rows wait to be folded.
  case folded
  /// Whether the texts of columns match an input: see ``MatchArguments``. An index finds candidates, and a function of
  /// the library decides.
  case matches
  /// The relevance of columns' texts for an input: see ``MatchArguments``.
  case relevance
  /// The value at a path of a JSON text; NULL if the text is no JSON, or has nothing there.
  case jsonPart = "json_extract"
  /// Whether the JSON array at a path of a text has an element that equals a value; NULL if the text is no JSON.
  case jsonContains = "json_each"
}

package enum AggregateFunction: Hashable, Sendable {
  case count
  case countDistinct
  case exists
  case sum
  case minimum
  case maximum
  case average
  /// The texts in ascending order, with a separator between them.
  case joined(ExactText)
}

/// A column in the scope of a query.
package struct ColumnTerm: Hashable, Sendable {
  package var scope: _Scope
  package let owner: RecordType
  /// The position in the owner's table.
  package let index: Int

  package var definition: RecordColumn { owner.table.columns[index] }
}

/// An aggregate over the associated rows.
package struct AggregateTerm: Hashable, Sendable {
  package let function: AggregateFunction
  /// The aggregated term, in the scope of the rows; nil for counting rows.
  package let argument: Term?
  package let rows: AssociatedRows

  package init(function: AggregateFunction, argument: Term?, rows: AssociatedRows) {
    self.function = function
    self.argument = argument
    self.rows = rows
  }
}

/// The associated rows of a row in scope.
package struct AssociatedRows: Hashable, Sendable {
  /// The scope in which the association starts.
  package var origin: _Scope
  package let association: Association
  /// The level of the rows' own fields. It is deeper than any closure that encloses the use of the rows.
  package var level: Int
  /// The rows' condition beyond the association's own, in their own scope.
  package var condition: Term?

  package var scope: _Scope { _Scope(level: level) }

  /// The association's condition combined with ``condition``, in the scope of the rows.
  package var fullCondition: Term? {
    let own = association.condition?.rebased(onto: scope)
    guard let own, let condition else { return own ?? condition }
    return own && condition
  }

  /// The same rows with their fields at `newLevel`.
  package func moved(to newLevel: Int) -> AssociatedRows {
    var result = self
    result.level = newLevel
    result.condition = condition?.mapScopes { scope in
      scope.level < level ? scope : _Scope(level: scope.level + newLevel - level, path: scope.path)
    }
    return result
  }
}

/// The members of a set, in ascending order of their stored form and without duplicates. So equal sets are equal
/// values.
package struct Members: Hashable, Sendable {
  package let values: [StorageValue]

  package init(_ values: some Sequence<StorageValue>) {
    // Sorting first is several times faster than hashing first.
    let values = Array(values)
    let sorted = values.sortedAsUUIDs ?? values.sorted { $0.sortsBeforeInStorage($1) }
    var unique: [StorageValue] = []
    unique.reserveCapacity(sorted.count)
    for value in sorted where unique.last != value { unique.append(value) }
    self.values = unique
  }
}

/// A query of one column, whose values are members.
package struct Subquery: Hashable, Sendable {
  package let statement: SelectStatement
}

package enum RawFragment: Hashable, Sendable {
  case sql(ExactText)
  case value(StorageValue)
  case term(Term)
  indirect case query(SelectStatement)
  /// A column of the tree for each of its rows.
  case tree(TreeColumn)
  case invalid(String)
}

/// A text that equals another if their bytes are equal, as in SQL. Swift's own `==` considers the composed and the
/// decomposed "é" equal, and so would confuse two queries.
package struct ExactText: Hashable, Sendable, ExpressibleByStringInterpolation {
  package let string: String

  package init(_ string: String) {
    self.string = string
  }

  package init(stringLiteral string: String) {
    self.string = string
  }

  package static func == (lhs: ExactText, rhs: ExactText) -> Bool {
    lhs.string.utf8.elementsEqual(rhs.string.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var string = string
    string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}

extension StorageValue {
  /// A total order of stored forms, for canonical sets. Unlike SQL's order, it distinguishes 1 and 1.0.
  package func sortsBeforeInStorage(_ other: StorageValue) -> Bool {
    switch (self, other) {
    case (.integer(let lhs), .integer(let rhs)): lhs < rhs
    case (.real(let lhs), .real(let rhs)): lhs == rhs ? lhs.sign == .minus && rhs.sign == .plus : lhs < rhs
    case (.text(let lhs), .text(let rhs)): lhs.utf8.lexicographicallyPrecedes(rhs.utf8)
    case (.blob(let lhs), .blob(let rhs)): lhs.precedes(rhs)
    default: rank < other.rank
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer: 1
    case .real: 2
    case .text: 3
    case .blob: 4
    }
  }
}

extension [StorageValue] {
  /// The values in ascending order, if all are blobs of 16 bytes. Sorting by two numbers each is many times faster than
  /// by bytes.
  fileprivate var sortedAsUUIDs: [StorageValue]? {
    var keys: [(high: UInt64, low: UInt64, index: Int)] = []
    keys.reserveCapacity(count)
    for (index, value) in enumerated() {
      guard case .blob(let data) = value, data.count == 16 else { return nil }
      data.withUnsafeBytes { bytes in
        keys.append(
          (
            UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)), index
          ))
      }
    }
    keys.sort { ($0.high, $0.low) < ($1.high, $1.low) }
    return keys.map { self[$0.index] }
  }
}

extension Data {
  /// Whether the bytes precede other bytes. Many times faster than comparing byte by byte.
  fileprivate func precedes(_ other: Data) -> Bool {
    withUnsafeBytes { lhs in
      other.withUnsafeBytes { rhs in
        let common = Swift.min(lhs.count, rhs.count)
        guard common > 0, let left = lhs.baseAddress, let right = rhs.baseAddress else { return lhs.count < rhs.count }
        let order = memcmp(left, right, common)
        return order == 0 ? lhs.count < rhs.count : order < 0
      }
    }
  }
}
