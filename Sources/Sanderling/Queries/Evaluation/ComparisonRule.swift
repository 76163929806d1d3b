import SanderlingSQL

/// The conversions and the collation of a comparison between two expressions in SQLite.
///
/// Both depend on the expressions, not on the values. See
/// [Conversions](https://www.sqlite.org/datatype3.html#type_conversions_prior_to_comparison) and
/// [Collation](https://www.sqlite.org/datatype3.html#assigning_collating_sequences_from_sql).
package struct ComparisonRule: Hashable, Sendable {
  enum Conversion: Hashable, Sendable {
    case none
    /// Texts that are numbers become numbers.
    case numeric
    /// Numbers become texts.
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

  /// The rule for `IN`, in which the left side alone decides.
  package init(memberOf operand: Term) {
    conversion = operand.affinity.map(Conversion.init) ?? .none
    collation = operand.comparisonCollation ?? .binary
  }

  /// A value as it is compared.
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
  /// The affinity that the term brings into a comparison. A column without a type has one, `.blob`; an expression has
  /// none at all, nil, and so takes that of the other side.
  var affinity: Affinity? {
    switch self {
    case .column(let column): column.definition.type.affinity
    case .function(.folded, _): .text
    case .collate(let operand, _): operand.affinity
    // Written as CAST(X'…' AS TEXT), which has an affinity.
    case .literal(.text(let text)) where text.utf8.contains(0): .text
    default: nil
    }
  }

  /// Whether a COLLATE operator stands anywhere in the term. Such a term decides over one without.
  ///
  /// SQLite's flag `EP_Collate`, which operators and functions take over from their operands.
  var containsCollate: Bool {
    switch self {
    case .collate: true
    case .prefix: asWritten.containsCollate
    // SQLite's parser replaces the whole expression by the constant.
    case _ where isWrittenAsFalse: false
    default: operands.contains(where: \.containsCollate)
    }
  }

  /// The collation that the term brings into a comparison or an ordering: its column's, or that of the first COLLATE in
  /// it; nil for expressions without.
  var comparisonCollation: Collation? {
    switch self {
    case .column(let column): column.definition.collation
    case .collate(_, let collation): collation
    case .prefix: asWritten.comparisonCollation
    default: containsCollate ? operands.first(where: \.containsCollate)?.comparisonCollation : nil
    }
  }

  /// The term, compared as bytes.
  var asBytes: Term {
    comparisonCollation ?? .binary == .binary ? self : .collate(self, .binary)
  }

  /// Whether SQLite's parser takes the term for the constant 0: `x IN ()`, and AND with it.
  var isWrittenAsFalse: Bool {
    switch self {
    case .literal(.integer(0)): true
    case .membership(_, let members): members.values.isEmpty
    case .binary(.and, let lhs, let rhs): lhs.isWrittenAsFalse || rhs.isWrittenAsFalse
    default: false
    }
  }

  /// A search for a prefix as the SQL compiler writes it; other terms as they are.
  var asWritten: Term {
    guard case .prefix(let operand, let text) = self else { return self }
    let prefix = text.string
    let bytes = operand.asBytes
    return bytes.isInRange(from: prefix, upTo: prefix.prefixSuccessor)
  }

  /// Whether a text is at least one and, unless that is nil, less than another.
  func isInRange(from lowerBound: String, upTo upperBound: String?) -> Term {
    let isAtLeast = Term.binary(.greaterOrEqual, self, .constant(.text(lowerBound)))
    guard let upperBound else { return isAtLeast }
    return .binary(.and, isAtLeast, .binary(.less, self, .constant(.text(upperBound))))
  }
}
