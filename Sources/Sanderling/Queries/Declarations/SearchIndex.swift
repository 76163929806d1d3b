/// The full-text indexes of a record's texts: see ``Searchable(_:)``.
///
/// A row's texts are in them as one *document*, whose number is in a column of the row that no property has. It is 0 where a text has
/// changed since, or the row is new: its default, and what a trigger sets. So whoever writes needs to know nothing of the indexes, and a
/// search looks at the rows of document 0 itself. Numbers are never used again while anything of theirs is in an index. So what is left of
/// a document whose row has gone or changed finds nothing.
///
/// The indexes don't keep the texts. To take a document out of them, its texts must be known: triggers put those of rows that change or go
/// into the table of outdated documents.
package struct SearchIndex: Hashable, Sendable {
  /// The searched table.
  package let table: String
  /// The columns that are searched.
  let texts: [Text]
  /// One table for all columns whose words are found, and one for each of which all parts are: one for several could not tell them apart.
  let fullTextTables: [FullTextTable]

  /// A column that is searched.
  struct Text: Hashable, Sendable {
    let index: Int
    let name: String

    /// What the column is called in indexes, which have names of their own that can't be given to others.
    var alias: String { "c\(index)" }
  }

  /// - Returns: nil where nothing is searched by a full-text index.
  init?(_ table: String, _ columns: [RecordColumn]) {
    func texts(_ kinds: Set<SearchKind>) -> [Text] {
      columns.indices.filter { !columns[$0].searchKinds.isDisjoint(with: kinds) }.map {
        Text(index: $0, name: columns[$0].name)
      }
    }
    self.table = table
    self.texts = texts([.words, .substrings])
    if self.texts.isEmpty { return nil }
    let words = texts([.words])
    fullTextTables =
      (words.isEmpty ? [] : [FullTextTable(name: Self.wordsPrefix + table, kind: .words, texts: words)])
      + texts([.substrings]).map {
        FullTextTable(name: "\(Self.substringsPrefix)\(table).\($0.name)", kind: .substrings, texts: [$0])
      }
  }

  /// The column of a row's document. No property can have the name.
  package static let documentColumn = "sanderling_document"

  static let derivedColumn = DerivedColumn(name: documentColumn, pendingSQL: "0")

  /// The column as a table declares it.
  static let documentDefinition = RecordColumn(
    documentColumn, property: "", as: Int.self, default: .constant(.integer(0)))

  var outdatedTable: String { Self.outdatedPrefix + table }

  private static let wordsPrefix = "sanderling_words_"
  private static let substringsPrefix = "sanderling_substrings_"
  private static let outdatedPrefix = "sanderling_outdated_"

  /// The names that the tables of a table's indexes may have, whichever of its columns are searched.
  static func tableNames(of table: String, columns: [String]) -> [String] {
    [wordsPrefix + table, outdatedPrefix + table] + columns.map { "\(substringsPrefix)\(table).\($0)" }
  }
}

/// One table of FTS5, of which the rows are documents.
struct FullTextTable: Hashable, Sendable {
  let name: String
  let kind: SearchKind
  let texts: [SearchIndex.Text]

  /// Contentless: texts are in the searched table, and their tokens nowhere else. The tokens are made by ``WordTokens`` and
  /// ``SubstringTokens``, so that SQLite's own tokenizer does: other tools need nothing of the library.
  ///
  /// Substrings keep which documents have a token and not where, which takes a third of the space, and those of two characters are found by
  /// an index of such beginnings.
  var sql: String {
    let options = kind == .words ? "" : ", detail=none, prefix='2'"
    return
      "CREATE VIRTUAL TABLE \(name.quotedIdentifier) USING fts5(\(columnList), content='', tokenize='ascii'\(options))"
  }

  /// Whether it keeps where in a text a token is.
  var keepsPlaces: Bool { kind == .words }

  /// The texts of rows as the table takes them.
  var tokens: String {
    texts.map { "\(TokenFunction.name)(\(kind.rawValue.quotedLiteral), \($0.name.quotedIdentifier))" }.joined(
      separator: ", ")
  }

  var columnList: String { texts.map(\.alias).joined(separator: ", ") }
}

extension FullTextTable {
  /// An expression of FTS5 that looks at some of the columns only.
  func limited(_ expression: String, to columns: [ColumnTerm]) -> String {
    let wanted = texts.filter { text in columns.contains { $0.index == text.index } }
    return wanted.count == texts.count
      ? expression : "{\(wanted.map(\.alias).joined(separator: " "))} : (\(expression))"
  }
}

extension SearchIndex {
  /// The tables of FTS5 in which documents are found by what some columns have.
  func fullTextTables(_ columns: [ColumnTerm], _ kind: SearchKind) -> [FullTextTable] {
    fullTextTables.filter { table in
      table.kind == kind && table.texts.contains { text in columns.contains { $0.index == text.index } }
    }
  }

  /// The table of the documents that are to be taken out of the indexes, with their texts as they are there.
  var outdatedSQL: String {
    let columns = texts.map { ", \($0.name.quotedIdentifier)" }.joined()
    return "CREATE TABLE \(outdatedTable.quotedIdentifier) (\"\(Self.documentColumn)\" INTEGER PRIMARY KEY\(columns))"
  }

  /// The statement that has all texts indexed anew.
  var pendingSQL: String { Self.derivedColumn.pendingStatement(in: table) }

  /// All tables beside the searched one, by their names, with the statements that make them.
  var tables: [(name: String, sql: String)] {
    fullTextTables.map { ($0.name, $0.sql) } + [(outdatedTable, outdatedSQL)]
  }
}
