import Observation

/// A live list of all rows of a query, however many. Any position can be shown at once, and memory holds only the rows
/// near the visible ones.
///
/// ```swift
/// @State private var notes = store.longList(Note.order { $0.changedAt.descending })
/// …
/// List(notes.positions, id: \.self) { position in
///   if let note = notes[position] {
///     NoteRow(note)
///   } else if notes.unreadableRow(at: position) != nil {
///     Text("This note needs a newer version of the app")
///   } else {
///     NoteRow.placeholder
///   }
/// }
/// ```
///
/// The list loads the visible positions with those around them, and during scrolling the next ones too. A position
/// shows a placeholder until it is loaded, for about one frame. After the first rows are shown, the list counts all
/// rows in the background. Until then, and after bursts of changes, ``count`` is nil.
///
/// The list reads nothing until its rows are first accessed, and stops when it is released. It takes memory for the
/// rows near the visible ones, and some hundred bytes for every 256 other rows.
@MainActor
public final class LongList<Element: Sendable>: Observable, LiveResult {
  let shown: ShownLongRows<Element>
  var shownCommit = KnownCommit()
  var subscription: LiveSubscription<LongSnapshot<Element>>?
  let source: LiveSource<LongSnapshot<Element>>
  private let form: LongForm<Element>

  init(engine: LiveEngine, _ definition: RowsDefinition<Element>, visible: Int, _ sizes: BlockSizes) {
    let first = 0..<visible
    let (form, request) = definition.longForm(
      LongDemand(visible: first, wanted: 0..<visible + visible / 2), sizes, among: engine.forms)
    self.form = form
    source = LiveSource(engine: engine, request: request, window: 1)
    shown = ShownLongRows(visible: first)
    shown.onDemand = { [form, source] demand in
      form.take(demand)
      source.resize(1)
    }
  }
}

// MARK: - Content

extension LongList {
  /// The rows, their number, the commit and the state together.
  public var current: LongSnapshot<Element> { look() }

  /// The number of rows of the query; nil while not all are counted.
  public var count: Int? { current.count }

  /// The least number of rows that the query has.
  public var leastCount: Int { current.leastCount }

  /// The positions of the rows: see ``LongSnapshot/positions``.
  public var positions: Range<Int> { current.positions }

  /// The relation of the list to the database: loading, current, suspended or failed.
  public var state: LiveState { current.state }

  /// The row at a position. Nil if the position isn't loaded yet, its row can't be read, or no such position exists.
  ///
  /// An access counts as showing the position, and so makes the list load it. The visible positions are those that are
  /// accessed in one turn of the main actor, unless ``show(_:)`` sets them.
  public subscript(position: Int) -> Element? {
    let snapshot = current
    shown.noteAccess(position)
    return snapshot[position]
  }

  /// The unreadable row at a position, if one is loaded there. Unlike the subscript, this access doesn't count as
  /// showing the position.
  public func unreadableRow(at position: Int) -> UnreadableRow? { current.unreadableRow(at: position) }

  /// The latest commit at which the rows are known to be current; nil before the first read.
  public var commit: Commit? { lookAtCommit() }

  /// The visible positions, which move when rows before them are inserted or deleted.
  public var shownPositions: Range<Int> {
    _ = current
    return shown.visible
  }

  /// The sum of all moves of the visible rows by insertions and deletions before them, in positions. A view that shows
  /// rows by position moves its rows by the same number.
  public var shift: Int {
    _ = current
    return shown.shift
  }
}

// MARK: - Visible rows

extension LongList {
  /// Sets the visible positions. The list loads them, and as many before and after them. While the positions move, it
  /// loads more in that direction.
  ///
  /// For `UITableView` and `NSTableView`: pass the positions of the visible rows together with those of
  /// `prefetchRowsAt`.
  ///
  /// - Parameter positions: The visible positions. Negative ones are left out. For positions beyond the last row, the
  ///   list loads the last rows.
  public func show(_ positions: Range<Int>) {
    begin()
    shown.show(positions.clamped(to: 0..<SelectStatement.mostRows))
  }

  /// Shows the last rows, even while the rows before them aren't counted.
  ///
  /// - Returns: The position of the first shown row.
  /// - Throws: As ``counted()``.
  @discardableResult
  public func showEnd() async throws -> Int { try await show(.end) }

  /// Shows the row with a key, and the rows after it.
  ///
  /// - Returns: The row's position, which is an estimate while rows before it aren't counted.
  /// - Throws: ``LongListError/isGone``, and as ``counted()``.
  @discardableResult
  public func show(key: Element.Key) async throws -> Int where Element: StoredRecord {
    try await show(.key(Element.rowKey(key)))
  }

  /// Shows the rows from a value on, beginning with the first row that doesn't sort before it. The value is one of the
  /// query's first ordering: a date, a number or the beginning of a text.
  ///
  /// - Returns: The first row's position, which is an estimate while rows before it aren't counted. For a value after
  ///   all rows, the number of rows.
  /// - Throws: As ``counted()``.
  @discardableResult
  public func show<Value: SortableColumnValue>(from value: Value) async throws -> Int {
    try await show(.values([try Value.encode(value)]))
  }

  private func show(_ place: LongInquiry<Element>.Place) async throws -> Int {
    let count = max(shown.visible.count, 1)
    let answer = try await ask(.show(place, visible: count))
    try await reached(source.engine.processedCommit)
    _ = current
    // Since the answer, rows before it may have been counted, inserted or deleted.
    return shown.position(answer.number, of: answer.jump)
  }

  /// The position of the row with a key.
  ///
  /// Waits until the rows before it are counted. Reads some hundred keys. O(log rows), and O(rows / 256) at the first
  /// call after a change.
  ///
  /// - Throws: ``LongListError/isGone``, and as ``counted()``.
  public func position(of key: Element.Key) async throws -> Int where Element: StoredRecord {
    try await ask(.position(Element.rowKey(key))).number
  }

  /// Waits until all rows are counted.
  ///
  /// - Returns: The number of rows.
  /// - Throws: The error of a failed read, ``LiveError/suspended``, or `CancellationError`.
  @discardableResult
  public func counted() async throws -> Int { try await ask(.count).number }

  /// The rows at a range of positions at one commit, for example to answer a request for a range. The shown rows stay
  /// as they are.
  ///
  /// - Returns: The rows, and the number of all rows.
  /// - Throws: ``LongListError/outOfBounds(_:count:)``, the error of an unreadable row, and as ``counted()``.
  public func rows(at positions: Range<Int>) async throws -> (rows: [Element], count: Int) {
    let answer = try await ask(.rows(positions))
    return (answer.rows, answer.count ?? 0)
  }

  private func ask(_ question: LongInquiry<Element>.Question) async throws -> LongInquiry<Element>.Answer {
    begin()
    if source.isSuspended { throw LiveError.suspended }
    return try await form.inquiries.ask(question) { [source] in source.resize(1) }
  }
}

// MARK: - Following

extension LongList {
  /// Stops following the database until ``resume()``. The rows stay.
  public func suspend() {
    source.setSuspended(true)
  }

  /// Follows the database again and catches up.
  public func resume() {
    source.setSuspended(false)
  }

  /// Reads again after a failure.
  public func retry() {
    source.retry()
  }

  /// Waits until the rows show everything that the store committed before the call.
  ///
  /// - Throws: As ``reached(_:)``.
  public func caughtUp() async throws {
    try await reached(source.engine.lastCommit)
  }

  /// Waits until the rows show a commit.
  ///
  /// - Throws: ``LiveError/suspended``, the error of a failed read, or `CancellationError`.
  public func reached(_ commit: Commit) async throws { try await show(commit) }

  /// The snapshots of the list for any actor, beginning with the current one.
  public nonisolated var snapshots: LongSnapshots<Element> { LongSnapshots(source: source) }
}
