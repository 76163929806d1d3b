/// A type of texts or optional texts.
nonisolated public protocol TextColumnValue: SortableColumnValue, ColumnCoding {}

extension String: TextColumnValue {}
extension Optional: TextColumnValue where Wrapped: TextColumnValue {}

extension Field where Value: TextColumnValue {
  /// Whether the text begins with the prefix, compared as bytes, regardless of the column's collation. An index on the
  /// column serves it.
  ///
  /// After ``collated(_:)`` with `.nocase`, the 26 letters of ASCII match in both cases, and an index with that
  /// collation serves it. With `.rtrim`, which doesn't compare parts of a text, running the query throws
  /// ``StoreError/invalidQuery(_:)``.
  public func hasPrefix(_ prefix: String) -> Field<Bool> {
    if term.isFolded { return Field<Bool>(.prefix(term, ExactText(TextFold.fold(prefix)))) }
    return switch explicitCollation {
    case (_, .nocase)?: Field<Bool>(term.hasFoldedPrefix(prefix.asciiLowercased))
    case (_, .rtrim)?: .comparingParts("hasPrefix", as: .rtrim)
    default: Field<Bool>(.prefix(term, ExactText(prefix)))
    }
  }

  /// Whether the text contains the other, compared as bytes, regardless of the column's collation. No index can serve
  /// it.
  ///
  /// After ``collated(_:)`` with `.nocase`, the 26 letters of ASCII match in both cases. With `.rtrim`, which doesn't
  /// compare parts of a text, running the query throws ``StoreError/invalidQuery(_:)``.
  public func contains(_ other: String) -> Field<Bool> {
    if term.isFolded { return .contains(TextFold.fold(other), in: term) }
    return switch explicitCollation {
    case (let operand, .nocase)?: .contains(other.asciiLowercased, in: .function(.lowercased, [operand]))
    case (_, .rtrim)?: .comparingParts("contains", as: .rtrim)
    default: .contains(other, in: term)
    }
  }

  /// Whether the text has no characters, compared by its collation: with `.rtrim`, spaces are none. Unknown for NULL. An
  /// index on the column serves it.
  public var isEmpty: Field<Bool> { Field<Bool>(.binary(.equal, term, .constant(.text("")))) }

  /// The collation that the query assigns to the text, and the text without it.
  private var explicitCollation: (operand: Term, Collation)? {
    if case .collate(let operand, let collation) = term { (operand, collation) } else { nil }
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

  /// The text with another collation for comparisons.
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

extension Field<Bool> {
  fileprivate static func contains(_ other: String, in text: Term) -> Field {
    Field(.binary(.greater, .function(.position, [text, .constant(.text(other))]), .literal(.integer(0))))
  }

  fileprivate static func comparingParts(_ name: String, as collation: Collation) -> Field {
    Field(
      .invalid(
        "\(name) can't compare parts of a text by \(collation.rawValue): use .collated(.nocase), or no collation"))
  }
}

extension Term {
  /// The condition that a text under NOCASE begins with a prefix without upper-case letters.
  fileprivate func hasFoldedPrefix(_ prefix: String) -> Term {
    var successor = prefix.prefixSuccessor
    // "A" follows "@" but is compared as "a". So the successor of "@" among folded texts is "[". Scalars are compared,
    // because a letter may form one character with the text before it.
    if successor?.unicodeScalars.last == "A" {
      successor?.unicodeScalars.removeLast()
      successor?.unicodeScalars.append("[")
    }
    return isInRange(from: prefix, upTo: successor)
  }
}
