import SanderlingSQL

/// The conversion and the collation of a comparison between two expressions in SQLite.
///
/// Both depend on the expressions, not on the values. See
/// [Conversions](https://www.sqlite.org/datatype3.html#type_conversions_prior_to_comparison) and
/// [Collation](https://www.sqlite.org/datatype3.html#assigning_collating_sequences_from_sql).
package struct ComparisonRule: Hashable, Sendable {
  enum Conversion: Hashable, Sendable {
    case none
    /// A text that is a number becomes the number.
    case numeric
    /// A number becomes a text.
    case text
  }

  let conversion: Conversion
  package let collation: Collation

  /// The rule for an operator between two terms.
  package init(_ lhs: Term, _ rhs: Term) {
    switch (lhs.affinity, rhs.affinity) {
    case (let lhs?, let rhs?): conversion = lhs.isNumeric || rhs.isNumeric ? .numeric : .none
    case (let affinity?, nil), (nil, let affinity?): conversion = Conversion(affinity)
    case (nil, nil): conversion = .none
    }
    collation =
      if lhs.containsCollate {
        lhs.comparisonCollation ?? .binary
      } else if rhs.containsCollate {
        rhs.comparisonCollation ?? .binary
      } else {
        lhs.comparisonCollation ?? rhs.comparisonCollation ?? .binary
      }
  }

  /// The rule for `IN`, which depends only on the left side.
  package init(memberOf operand: Term) {
    conversion = operand.affinity.map(Conversion.init) ?? .none
    collation = operand.comparisonCollation ?? .binary
  }

  /// The value after the conversion.
  func converted(_ value: StorageValue) throws -> StorageValue {
    switch conversion {
    case .none: value
    case .numeric: try value.asNumber()
    case .text: try value.asText()
    }
  }

  func holds(_ op: BinaryOperator, _ lhs: StorageValue, _ rhs: StorageValue) throws -> Bool? {
    try SQLiteComparison.holds(op, converted(lhs), converted(rhs), collation: collation)
  }
}

extension ComparisonRule.Conversion {
  init(_ affinity: Affinity) {
    switch affinity {
    case .blob: self = .none
    case .text: self = .text
    case .numeric, .integer, .real: self = .numeric
    }
  }
}

extension Term {
  /// The affinity of the term in a comparison. A column without a type has the affinity `.blob`. An expression has none
  /// (nil), and so takes the affinity of the other side.
  var affinity: Affinity? {
    switch self {
    case .column(let column): column.definition.type.affinity
    case .function(.folded, _): .text
    case .collate(let operand, _): operand.affinity
    // The compiler writes CAST(X'…' AS TEXT), which has an affinity.
    case .literal(.text(let text)) where text.utf8.contains(0): .text
    default: nil
    }
  }

  /// Whether the term contains a COLLATE operator at any depth. Its collation takes precedence over that of a term
  /// without COLLATE.
  ///
  /// The equivalent of SQLite's flag `EP_Collate`, which operators and functions inherit from their operands.
  var containsCollate: Bool {
    switch self {
    case .collate: true
    case .prefix: asWritten.containsCollate
    // SQLite's parser replaces the whole expression by the constant.
    case _ where isWrittenAsFalse: false
    default: operands.contains(where: \.containsCollate)
    }
  }

  /// The collation of the term in a comparison or an ordering: the column's, or that of the first COLLATE in the term.
  /// Nil for expressions without COLLATE.
  var comparisonCollation: Collation? {
    switch self {
    case .column(let column): column.definition.collation
    case .collate(_, let collation): collation
    case .prefix: asWritten.comparisonCollation
    default: containsCollate ? operands.first(where: \.containsCollate)?.comparisonCollation : nil
    }
  }

  /// The term with the collation BINARY.
  var asBytes: Term {
    comparisonCollation ?? .binary == .binary ? self : .collate(self, .binary)
  }

  /// Whether SQLite's parser replaces the term by the constant 0: `x IN ()`, and an AND that contains it.
  var isWrittenAsFalse: Bool {
    switch self {
    case .literal(.integer(0)): true
    case .membership(_, let members): members.values.isEmpty
    case .binary(.and, let lhs, let rhs): lhs.isWrittenAsFalse || rhs.isWrittenAsFalse
    default: false
    }
  }

  /// The comparison that the SQL compiler writes for a prefix search. Other terms are unchanged.
  var asWritten: Term {
    guard case .prefix(let operand, let text) = self else { return self }
    let prefix = text.string
    let bytes = operand.asBytes
    return bytes.isInRange(from: prefix, upTo: prefix.prefixSuccessor)
  }

  /// The condition that the term is at least one text, and less than another text unless that is nil.
  func isInRange(from lowerBound: String, upTo upperBound: String?) -> Term {
    let isAtLeast = Term.binary(.greaterOrEqual, self, .constant(.text(lowerBound)))
    guard let upperBound else { return isAtLeast }
    return .binary(.and, isAtLeast, .binary(.less, self, .constant(.text(upperBound))))
  }
}
