/// The full-text indexes of a record's texts: see ``Searchable(_:)``.
///
/// The indexes contain a row's texts as one *document*. The document's number is the row's key, if that is an integer.
/// Otherwise a column without a property contains the number. A writer need not know the indexes: triggers in plain SQL
/// record the rows that wait to be indexed, and searches read these rows themselves.
///
/// The indexes don't keep the texts. Removing a document requires its texts, so triggers copy the old texts of changed
/// and deleted rows into the table of outdated documents. For each document, the indexes contain
///
/// - its texts in that table, if it is there;
/// - otherwise nothing, if its row waits;
/// - otherwise the texts of its row, or nothing if no row has the number.
///
/// If a unique constraint that the record doesn't declare makes REPLACE delete a row, no trigger runs. The document of
/// that row stays in the indexes. A search compares the texts of found rows, and so never returns it.
package struct SearchIndex: Hashable, Sendable {
  /// The searched table.
  package let table: String
  private let numbering: Numbering
  /// The searched columns.
  let texts: [Text]
  /// One table for all columns that are searched by words, and one for each column that is searched by substrings. A
  /// common table for several columns could not distinguish their substrings.
  let fullTextTables: [FullTextTable]

  /// The source of the documents' numbers.
  private enum Numbering: Hashable {
    /// The rows' integer key, with its name. A table contains the rows that wait.
    case key(String)
    /// A column without a property. It is 0 for rows that wait: by default, and by a trigger. A number isn't reused
    /// while an index contains anything of its document.
    case column
  }

  /// A searched column.
  struct Text: Hashable, Sendable {
    let index: Int
    let name: String

    /// The column's name in indexes. FTS5 reserves some names, which the column itself may have.
    var alias: String { "c\(index)" }
  }

  /// Creates the indexes of a table.
  ///
  /// - Parameter rowID: The name of the key, if it is an integer.
  /// - Returns: Nil if no column is searched by a full-text index.
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

  /// The column of a row's document number, if the key can't be the number. No property can have this name.
  package static let documentColumn = "sanderling_document"

  /// Whether the searched table has a column for the documents' numbers.
  var hasDocumentColumn: Bool { numbering == .column }

  /// The column of the searched table that contains the documents' numbers.
  package var document: String {
    if case .key(let name) = numbering { name } else { Self.documentColumn }
  }

  /// A query for the documents that a search must read in addition to the documents that the index finds.
  var waitingSQL: String {
    if let waitingTable { "SELECT document FROM \(waitingTable.quotedIdentifier)" } else { "SELECT 0" }
  }

  /// A condition for rows whose current texts are in the indexes.
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

  /// FTS5's own table of an index's documents, with their lengths.
  var indexedTable: String { fullTextTables[0].name + "_docsize" }

  /// The table of documents that must be removed from the indexes, with their texts.
  var outdatedTable: String { Self.outdatedPrefix + table }

  /// The table with the keys of rows that wait to be indexed. Some of these rows may be deleted. Nil if a column has
  /// the numbers.
  ///
  /// In a table of the app, a row may have a key that isn't an integer, which no index can contain. Such a row waits
  /// forever, so that searches read it.
  var waitingTable: String? { hasDocumentColumn ? nil : Self.waitingPrefix + table }

  private static let wordsPrefix = "sanderling_words_"
  private static let substringsPrefix = "sanderling_substrings_"
  private static let outdatedPrefix = "sanderling_outdated_"
  private static let waitingPrefix = "sanderling_waiting_"

  /// The names that a table's indexes may have for their tables, whichever columns are searched.
  static func tableNames(of table: String, columns: [String]) -> [String] {
    [wordsPrefix, outdatedPrefix, waitingPrefix].map { $0 + table }
      + columns.map { "\(substringsPrefix)\(table).\($0)" }
  }
}

/// A table of FTS5. Its rows are documents.
struct FullTextTable: Hashable, Sendable {
  let name: String
  let kind: SearchKind
  let texts: [SearchIndex.Text]

  /// The statement that creates the table. The table is contentless: the texts are only in the searched table, and
  /// their tokens only here. ``WordTokens`` and ``SubstringTokens`` make the tokens, so that SQLite's own tokenizer
  /// suffices. Other tools then need nothing of the library.
  ///
  /// An index of substrings keeps the documents of each token without the places, which takes a third of the space. A
  /// prefix index finds substrings of two characters.
  var sql: String {
    let options = kind == .words ? "" : ", detail=none, prefix='2'"
    return
      "CREATE VIRTUAL TABLE \(name.quotedIdentifier) USING fts5(\(columnList), content='', tokenize='ascii'\(options))"
  }

  /// Whether the table keeps the places of tokens in a text.
  var keepsPlaces: Bool { kind == .words }

  /// The texts of a table's rows, as expressions for the full-text table.
  ///
  /// The column names are qualified by the table. SQLite may take an unqualified name as a text if the column no longer
  /// exists.
  ///
  /// - Parameter name: Returns the name of a text's column in the table.
  func tokens(of table: String, _ name: (SearchIndex.Text) -> String = \.name) -> String {
    texts.map { text in
      let column = "\(table.quotedIdentifier).\(name(text).quotedIdentifier)"
      return "\(TokenFunction.name)(\(kind.rawValue.quotedLiteral), \(column))"
    }.joined(separator: ", ")
  }

  var columnList: String { texts.map(\.alias).joined(separator: ", ") }
}

extension FullTextTable {
  /// An expression of FTS5 that is restricted to some of the columns.
  func limited(_ expression: String, to columns: [ColumnTerm]) -> String {
    let wanted = texts.filter { text in columns.contains { $0.index == text.index } }
    return wanted.count == texts.count
      ? expression : "{\(wanted.map(\.alias).joined(separator: " "))} : (\(expression))"
  }
}

extension SearchIndex {
  /// The tables of FTS5 that index some of the columns.
  func fullTextTables(_ columns: [ColumnTerm], _ kind: SearchKind) -> [FullTextTable] {
    fullTextTables.filter { table in
      table.kind == kind && table.texts.contains { text in columns.contains { $0.index == text.index } }
    }
  }

  private var outdatedSQL: String {
    "CREATE TABLE \(outdatedTable.quotedIdentifier) (document INTEGER PRIMARY KEY\(texts.map { ", \($0.alias)" }.joined()))"
  }

  /// The names of all tables of the indexes, with the statements that create them.
  var tables: [(name: String, sql: String)] {
    fullTextTables.map { ($0.name, $0.sql) } + [(outdatedTable, outdatedSQL)]
      + (waitingTable.map { [($0, "CREATE TABLE \($0.quotedIdentifier) (document INTEGER PRIMARY KEY) WITHOUT ROWID")] }
        ?? [])
  }

  /// The statements that empty the indexes and make all rows wait to be indexed.
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
