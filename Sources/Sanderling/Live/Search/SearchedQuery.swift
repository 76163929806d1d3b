import GRDB
import SanderlingSQLite

/// A query whose rows are searched by texts of its record.
struct SearchedQuery<Element: Sendable>: Sendable {
  /// The query without the search condition.
  private let statement: SelectStatement
  private let makeDefinition: @Sendable (SelectStatement) -> RowsDefinition<SearchedRow<Element>>
  private let texts: [Term]
  private let kind: SearchKind
  /// Whether the texts are read with the rows. Of distinct rows and groups there are none, and of rows that are skipped nothing is known.
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

  /// The same texts of another query's rows.
  func replacing<Root>(_ query: Selection<Root, Element>) -> SearchedQuery {
    SearchedQuery(query, SearchedTexts(texts), in: kind)
  }

  /// Signals possible changes of the query's rows or of the found rows.
  var changes: ChangeSignal {
    var statement = statement
    if readsTexts { statement.columns += texts }
    return ChangeSignal { [statement] in try SQLCompiler.compile(statement) }
  }

  /// The rows that an input finds, all for nil.
  func read(_ input: String?, window: Int, _ db: Database) throws -> HeldRows<Element> {
    var statement = statement
    if let input {
      statement.choose(by: Nesting.atRoot { SearchedTexts(texts).matches(input, in: kind).condition })
    }
    let content = try makeDefinition(statement).fitting(window: window).firstRows(window.asWindow, db)
    let rows = content.rows.readable.indices.map { content.rows.readable.row(at: $0) }
    // As many rows as the query's limit may be all or not. Of rows that can't be read, no texts are kept.
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

/// A row that is searched, as it is read.
struct SearchedRow<Element: Sendable>: Sendable {
  let element: Element
  /// The texts of all rows that were read with this one, in their order.
  let texts: RowTexts?
}

/// The rows that a search read, with the folds of their texts if they can be searched further without the database.
struct HeldRows<Element: Sendable>: Sendable {
  let rows: [LiveRow<Element>]
  let unreadableRows: [UnreadableRow]
  let hasMore: Bool
  /// The folds of all found rows; nil if there are more rows, too many texts, or unreadable rows.
  let texts: RowFolds?

  /// The rows that an input finds too, all for nil. O(bytes).
  ///
  /// - Precondition: There are texts, unless there is no search.
  /// - Returns: `nil` when the task was cancelled.
  func found(by search: TextSearch?) -> LiveRows<Element>? {
    guard let search else { return LiveRows(rows) }
    guard let texts else { preconditionFailure("only rows with their texts are searched") }
    return texts.rows(matching: search).map { numbers in LiveRows(numbers.lazy.map { rows[$0] }) }
  }
}

/// The texts of all rows that were read together.
final class RowTexts: Sendable {
  /// Nil if they aren't read, or too long.
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

  /// How many bytes of folded texts are kept: searching them takes some milliseconds.
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

  /// All texts that were added; nil if they are too long.
  mutating func finish(for kind: SearchKind) -> RowFolds? {
    guard !isTooLong else { return nil }
    folds.finish(for: kind)
    return folds
  }
}

extension ResultRow {
  /// Calls `body` with the bytes of a text, as SQLite's functions get it; with nil for NULL.
  fileprivate func withText(at index: Int32, _ body: (UnsafeBufferPointer<UInt8>?) -> Void) {
    if isNull(at: index) { return body(nil) }
    let column = firstColumn + index
    // A blob of no bytes has no address.
    let text = sqlite3_column_text(statement, column)
    body(UnsafeBufferPointer(start: text, count: text == nil ? 0 : Int(sqlite3_column_bytes(statement, column))))
  }
}
