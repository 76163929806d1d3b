/// The coding of folded texts. It also folds the values that they are compared with.
enum FoldedCoding: ColumnCoding {
  typealias Value = String

  static var columnType: ColumnType { .text }

  static func encode(_ value: String) -> StorageValue { .text(TextFold.fold(value)) }

  static func decode(_ stored: StorageValue) throws -> String { try String.decode(stored) }

  static func read(_ row: ResultRow, at index: Int32) throws -> String { try String.read(row, at: index) }
}

extension Field<String> {
  /// The folded text: without case, diacritics and widths. The property must be declared `@Searchable`.
  ///
  /// ```swift
  /// Note.where { $0.title.folded == "Elan" }                       // "ÉLAN" too
  /// Note.where { $0.title.folded.hasPrefix(input) }.order { $0.title.folded }
  /// ```
  ///
  /// Compared values are folded as well. An index serves equality, prefixes, orderings and sections; ``contains(_:)``
  /// reads each folded text. If the property isn't searchable, running the query throws
  /// ``StoreError/invalidQuery(_:)``.
  public var folded: Field<String> {
    Field(term.folded, as: FoldedCoding.self)
  }
}

extension Field<String?> {
  /// The folded text; NULL if the text is NULL. See ``Field/folded-1zepl``.
  public var folded: Field<String?> {
    Field(term.folded, coding: FoldedCoding.optional)
  }
}

extension Term {
  /// The folded texts of a column. They are compared as bytes, whatever the collation of the other operand.
  fileprivate var folded: Term { isFolded ? self : .collate(.function(.folded, [self]), .binary) }

  /// Whether the term is the folded texts of a term.
  var isFolded: Bool {
    if case .collate(.function(.folded, _), .binary) = self { true } else { false }
  }

  /// Whether the term contains folded texts at any depth.
  var readsFolds: Bool { isFolded || operands.contains(where: \.readsFolds) }

  /// The column whose folded texts the term is; nil for other terms.
  var foldedColumn: ColumnTerm? {
    if case .collate(.function(.folded, let operands), .binary) = self, case .column(let column)? = operands.first {
      column
    } else {
      nil
    }
  }
}
