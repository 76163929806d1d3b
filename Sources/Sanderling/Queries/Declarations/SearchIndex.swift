/// The full-text indexes of a record's texts: see ``Searchable(_:)``.
///
/// A row's texts are in them as one *document*. Its number is the row's key, if that is an integer. Else it is in a column of the row that no
/// property has. A writer needs to know nothing of the indexes: triggers in plain SQL note which rows wait to be indexed, and searches look
/// at these themselves.
///
/// The indexes don't keep the texts. To take a document out of them, its texts must be known: triggers put those of rows that change or go
/// into the table of outdated documents. Of each document, the indexes have
///
/// - its texts in that table, if it is there,
/// - else nothing, if its row waits,
/// - else the texts of its row, and nothing where no row has the number.
///
/// Rows that are replaced in ways that no trigger sees leave more: REPLACE by a unique constraint that isn't declared. A search decides by
/// the text about what it finds, and so finds none of that.
package struct SearchIndex: Hashable, Sendable {
  /// The searched table.
  package let table: String
  private let numbering: Numbering
  /// The columns that are searched.
  let texts: [Text]
  /// One table for all columns whose words are found, and one for each of which all parts are: one for several could not tell them apart.
  let fullTextTables: [FullTextTable]

  /// Where the numbers of documents come from.
  private enum Numbering: Hashable {
    /// The rows' integer key, of this name. Rows that wait are in a table.
    case key(String)
    /// A column that no property has. It is 0 for rows that wait: by default, and by a trigger. Numbers aren't used again while anything of
    /// theirs is in an index.
    case column
  }

  /// A column that is searched.
  struct Text: Hashable, Sendable {
    let index: Int
    let name: String

    /// The column's name in indexes, which have names of their own that can't be given to others.
    var alias: String { "c\(index)" }
  }

  /// - Parameter rowID: The name of the key, if that is an integer.
  /// - Returns: nil where nothing is searched by a full-text index.
  init?(_ table: String, _ columns: [RecordColumn], rowID: String?) {
    func texts(_ kinds: Set<SearchKind>) -> [Text] {
      columns.indices.filter { !columns[$0].searchKinds.isDisjoint(with: kinds) }.map {
        Text(index: $0, name: columns[$0].name)
      }
    }
    self.table = table
    numbering = rowID.map { .key($0) } ?? .column
    self.texts = texts([.words, .substrings])
    if self.texts.isEmpty { return nil }
    let words = texts([.words])
    fullTextTables =
      (words.isEmpty ? [] : [FullTextTable(name: Self.wordsPrefix + table, kind: .words, texts: words)])
      + texts([.substrings]).map {
        FullTextTable(name: "\(Self.substringsPrefix)\(table).\($0.name)", kind: .substrings, texts: [$0])
      }
  }

  /// The column of a row's document, where its key can't be that. No property can have the name.
  package static let documentColumn = "sanderling_document"

  /// Whether the searched table has a column for documents.
  var hasDocumentColumn: Bool { numbering == .column }

  /// The column of the searched table that has the numbers of documents.
  package var document: String {
    if case .key(let name) = numbering { name } else { Self.documentColumn }
  }

  /// A query for the documents that are to be looked at beside what the indexes find.
  var waitingSQL: String {
    if let waitingTable { "SELECT document FROM \(waitingTable.quotedIdentifier)" } else { "SELECT 0" }
  }

  /// A condition for rows whose present texts are in the indexes.
  func isIndexedAndSettled(_ row: String) -> String {
    hasDocumentColumn
      ? isSettled(row)
      : "EXISTS (SELECT 1 FROM \(indexedTable.quotedIdentifier) AS indexed WHERE indexed.id = \(row).\(document.quotedIdentifier)) "
        + "AND \(isSettled(row))"
  }

  /// A condition for rows that don't wait.
  func isSettled(_ row: String) -> String {
    let document = "\(row).\(document.quotedIdentifier)"
    return if let waitingTable {
      "NOT EXISTS (SELECT 1 FROM \(waitingTable.quotedIdentifier) AS waiting WHERE waiting.document = \(document))"
    } else {
      "\(document) <> 0"
    }
  }

  /// The column as a table declares it.
  static let documentDefinition = RecordColumn(
    documentColumn, property: "", as: Int.self, default: .constant(.integer(0)))

  /// FTS5's own table of the documents that are in an index, with their lengths.
  var indexedTable: String { fullTextTables[0].name + "_docsize" }

  /// The table of documents that are to be taken out of the indexes, with their texts.
  var outdatedTable: String { Self.outdatedPrefix + table }

  /// The table of the keys of rows that wait to be indexed, and of some that have gone.
  ///
  /// A table that the app made may have a row whose key is no integer, which no index has. It waits for ever, and so is found.
  var waitingTable: String? { hasDocumentColumn ? nil : Self.waitingPrefix + table }

  private static let wordsPrefix = "sanderling_words_"
  private static let substringsPrefix = "sanderling_substrings_"
  private static let outdatedPrefix = "sanderling_outdated_"
  private static let waitingPrefix = "sanderling_waiting_"

  /// The names that the tables of a table's indexes may have, whichever of its columns are searched.
  static func tableNames(of table: String, columns: [String]) -> [String] {
    [wordsPrefix, outdatedPrefix, waitingPrefix].map { $0 + table }
      + columns.map { "\(substringsPrefix)\(table).\($0)" }
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

  /// The texts of a table's rows as the full-text table takes them.
  ///
  /// They are named with the table: SQLite may take a name by itself for a text where there is no such column any more.
  ///
  /// - Parameter name: The name of a column in that table.
  func tokens(of table: String, _ name: (SearchIndex.Text) -> String = \.name) -> String {
    texts.map { text in
      let column = "\(table.quotedIdentifier).\(name(text).quotedIdentifier)"
      return "\(TokenFunction.name)(\(kind.rawValue.quotedLiteral), \(column))"
    }.joined(separator: ", ")
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

  private var outdatedSQL: String {
    "CREATE TABLE \(outdatedTable.quotedIdentifier) (document INTEGER PRIMARY KEY\(texts.map { ", \($0.alias)" }.joined()))"
  }

  /// All tables beside the searched one, by their names, with the statements that make them.
  var tables: [(name: String, sql: String)] {
    fullTextTables.map { ($0.name, $0.sql) } + [(outdatedTable, outdatedSQL)]
      + (waitingTable.map { [($0, "CREATE TABLE \($0.quotedIdentifier) (document INTEGER PRIMARY KEY) WITHOUT ROWID")] }
        ?? [])
  }

  /// The statements that empty the indexes and have all texts indexed anew.
  var renewalSQL: [String] {
    let row = table.quotedIdentifier
    let document = document.quotedIdentifier
    let waiting =
      if let waitingTable {
        "INSERT OR IGNORE INTO \(waitingTable.quotedIdentifier) SELECT \(document) FROM \(row) "
          + "WHERE \(document) IS NOT NULL"
      } else {
        "UPDATE \(row) SET \(document) = 0 WHERE \(document) IS NOT 0"
      }
    return fullTextTables.map {
      "INSERT INTO \($0.name.quotedIdentifier) (\($0.name.quotedIdentifier)) VALUES ('delete-all')"
    }
      + ["DELETE FROM \(outdatedTable.quotedIdentifier)", waiting]
  }
}
