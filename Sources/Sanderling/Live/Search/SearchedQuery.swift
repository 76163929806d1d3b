import GRDB
import SanderlingSQLite

/// A query whose rows are searched by texts of its record.
struct SearchedQuery<Element: Sendable>: Sendable {
  /// The query without the search.
  private let statement: SelectStatement
  private let makeDefinition: @Sendable (SelectStatement) -> RowsDefinition<SearchedRow<Element>>
  private let texts: [Term]
  private let kind: SearchKind
  /// Whether the texts are read with the rows. Distinct rows and groups have none, and nothing is known of rows that an
  /// offset skips.
  private let readsTexts: Bool

  init<Root>(_ query: Selection<Root, Element>, _ texts: SearchedTexts, in kind: SearchKind) {
    statement = query.statement
    self.texts = texts.terms
    self.kind = kind
    let readsTexts = !statement.isDistinct && !statement.isGrouped && statement.offset == 0
    self.readsTexts = readsTexts
    let (width, terms) = (query.statement.columns.count, texts.terms)
    let decode: @Sendable (ResultRow) throws -> Element = { [decode = query.decode] row in
      try StoreError.locating(Element.self) { try decode(row) }
    }
    makeDefinition = { statement in
      var statement = statement
      if readsTexts { statement.columns += terms }
      return RowsDefinition(
        Selection<Root, SearchedRow<Element>>(
          statement: statement,
          decode: { SearchedRow(element: try decode($0), texts: nil) },
          decodeAll: { rows in
            var reader = readsTexts ? RowFoldReader(textCount: terms.count) : nil
            let elements = try rows.map { row in
              let element = try decode(row)
              reader?.append(row, from: width)
              return element
            }
            let texts = RowTexts(folds: reader?.finish(for: kind))
            return elements.map { SearchedRow(element: $0, texts: texts) }
          }))
    }
  }

  /// The search of another query's rows by the same texts.
  func replacing<Root>(_ query: Selection<Root, Element>) -> SearchedQuery {
    SearchedQuery(query, SearchedTexts(texts), in: kind)
  }

  /// The signal of possible changes to the query's rows, or to the rows that a search finds.
  var changes: ChangeSignal {
    var statement = statement
    if readsTexts { statement.columns += texts }
    return ChangeSignal { [statement] in try SQLCompiler.compile(statement) }
  }

  /// Reads the rows that an input finds; all rows for nil.
  func read(_ input: String?, window: Int, _ db: Database) throws -> HeldRows<Element> {
    var statement = statement
    if let input {
      statement.choose(by: Nesting.atRoot { SearchedTexts(texts).matches(input, in: kind).condition })
    }
    let content = try makeDefinition(statement).fitting(window: window).firstRows(window.asWindow, db)
    let rows = content.rows.readable.indices.map { content.rows.readable.row(at: $0) }
    // With as many rows as the query's limit, there may be more. Texts of unreadable rows are not kept.
    let isWhole = !content.hasMore && rows.count < statement.limit ?? .max && content.rows.unreadable.isEmpty
    var folds: RowFolds?
    if isWhole, readsTexts {
      if let first = rows.first { folds = first.element.texts?.folds } else { folds = RowFolds(textCount: texts.count) }
    }
    return HeldRows(
      rows: rows.map { LiveRow(id: $0.id, element: $0.element.element, version: $0.version) },
      unreadableRows: content.rows.unreadableRows, hasMore: content.hasMore, texts: folds)
  }
}

/// A searched row as it is read.
struct SearchedRow<Element: Sendable>: Sendable {
  let element: Element
  /// The texts of all rows that were read with this one, in the order of the rows.
  let texts: RowTexts?
}

/// The rows that a search read, with their folded texts if these can be searched without the database.
struct HeldRows<Element: Sendable>: Sendable {
  let rows: [LiveRow<Element>]
  let unreadableRows: [UnreadableRow]
  let hasMore: Bool
  /// The folded texts of all found rows. Nil when there are more rows, too many texts, or unreadable rows.
  let texts: RowFolds?

  /// Finds the rows among these for a further search; all for nil. O(bytes).
  ///
  /// - Precondition: There are texts, unless there is no search.
  /// - Returns: Nil when the task was cancelled.
  func found(by search: TextSearch?) -> LiveRows<Element>? {
    guard let search else { return LiveRows(rows) }
    guard let texts else { preconditionFailure("only rows with their texts are searched") }
    return texts.rows(matching: search).map { numbers in LiveRows(numbers.lazy.map { rows[$0] }) }
  }
}

/// The texts of all rows that were read together.
final class RowTexts: Sendable {
  /// The folded texts; nil if the texts aren't read, or are too long.
  let folds: RowFolds?

  init(folds: RowFolds?) {
    self.folds = folds
  }
}

/// Folds the texts of rows as they are read.
struct RowFoldReader {
  private var folds: RowFolds
  private let buffer = FoldBuffer()
  private var isTooLong = false

  /// The most bytes of folded texts that are kept. Searching them takes some milliseconds.
  static let byteLimit = 8 << 20

  init(textCount: Int) {
    folds = RowFolds(textCount: textCount)
  }

  /// Adds the texts of a row, from a column on.
  mutating func append(_ row: ResultRow, from column: Int) {
    for index in 0..<folds.textCount where !isTooLong {
      row.withText(at: Int32(column + index)) { folds.append($0, buffer) }
      if folds.byteCount > Self.byteLimit {
        isTooLong = true
        folds = RowFolds(textCount: folds.textCount)
      }
    }
  }

  /// Returns all added texts; nil if they are too long.
  mutating func finish(for kind: SearchKind) -> RowFolds? {
    guard !isTooLong else { return nil }
    folds.finish(for: kind)
    return folds
  }
}

extension ResultRow {
  /// Calls `body` with the bytes of a text, as SQLite's functions receive it; with nil for NULL.
  fileprivate func withText(at index: Int32, _ body: (UnsafeBufferPointer<UInt8>?) -> Void) {
    if isNull(at: index) { return body(nil) }
    let column = firstColumn + index
    // A blob of no bytes has no address.
    let text = sqlite3_column_text(statement, column)
    body(UnsafeBufferPointer(start: text, count: text == nil ? 0 : Int(sqlite3_column_bytes(statement, column))))
  }
}
