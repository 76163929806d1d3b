/// The coding of folded texts: compared values are folded too.
enum FoldedCoding: ColumnCoding {
  typealias Value = String

  static var columnType: ColumnType { .text }

  static func encode(_ value: String) -> StorageValue { .text(TextFold.fold(value)) }

  static func decode(_ stored: StorageValue) throws -> String { try String.decode(stored) }

  static func read(_ row: ResultRow, at index: Int32) throws -> String { try String.read(row, at: index) }
}

extension Field<String> {
  /// The text in the form that it is searched in: without case, diacritics and widths. The property is declared `@Searchable`.
  ///
  /// ```swift
  /// Note.where { $0.title.folded == "Elan" }                       // "ÉLAN" too
  /// Note.where { $0.title.folded.hasPrefix(input) }.order { $0.title.folded }
  /// ```
  ///
  /// The value that it is compared with is folded as well. An index serves equality, prefixes, orderings and sections, and ``contains(_:)``
  /// reads each folded text. If the property isn't searchable, running the query throws ``StoreError/invalidQuery(_:)``.
  public var folded: Field<String> {
    Field(term.folded, as: FoldedCoding.self)
  }
}

extension Field<String?> {
  /// The text in the form that it is searched in, NULL where the text is: see ``Field/folded-1zepl``.
  public var folded: Field<String?> {
    Field(term.folded, coding: FoldedCoding.optional)
  }
}

extension Term {
  /// The folded texts of a column. They are compared as bytes, whatever the collation of the other operand.
  fileprivate var folded: Term { isFolded ? self : .collate(.function(.folded, [self]), .binary) }

  /// Whether these are folded texts.
  var isFolded: Bool {
    if case .collate(.function(.folded, _), .binary) = self { true } else { false }
  }

  /// Whether folded texts are anywhere in the term.
  var readsFolds: Bool { isFolded || operands.contains(where: \.readsFolds) }

  /// The column whose folded texts these are.
  var foldedColumn: ColumnTerm? {
    if case .collate(.function(.folded, let operands), .binary) = self, case .column(let column)? = operands.first {
      column
    } else {
      nil
    }
  }
}
