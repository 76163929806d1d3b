import Observation

/// A live list of all rows of a query, however many: any position can be shown at once, and the visible rows are held in memory.
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
/// A visible position is loaded with those around it, and during scrolling with the next ones; it has a placeholder for one frame. The rows
/// are counted in the background once the first ones are shown. Until then, and after bursts of changes, ``count`` is nil.
///
/// The list reads nothing until its rows are first accessed, and stops when it is released. It takes memory for the visible rows, and some
/// hundred bytes for every 256 others.
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

// MARK: - What it shows

extension LongList {
  /// The rows, their number, the commit and the state together.
  public var current: LongSnapshot<Element> { look() }

  /// How many rows the query has; nil while they aren't all counted.
  public var count: Int? { current.count }

  /// How many rows the query has at least.
  public var leastCount: Int { current.leastCount }

  /// The positions of the rows: see ``LongSnapshot/positions``.
  public var positions: Range<Int> { current.positions }

  /// The relation of the list to the database: loading, current, suspended or failed.
  public var state: LiveState { current.state }

  /// The row at a position. Nil for one that isn't loaded, which is, as soon as it was looked at, for one that can't be read, and for one that
  /// doesn't exist.
  ///
  /// An access counts as showing the position. The positions that are accessed in one turn of the main actor are the visible ones, unless
  /// ``show(_:)`` names them.
  public subscript(position: Int) -> Element? {
    let snapshot = current
    shown.noteAccess(position)
    return snapshot[position]
  }

  /// The row at a position, if it is loaded and can't be read: see ``UnreadableRow``. Looking at it loads nothing, other than the subscript.
  public func unreadableRow(at position: Int) -> UnreadableRow? { current.unreadableRow(at: position) }

  /// The last commit that the rows are known to stand for; nil before the first are read.
  public var commit: Commit? { lookAtCommit() }

  /// The visible positions, which move with their rows.
  public var shownPositions: Range<Int> {
    _ = current
    return shown.visible
  }

  /// The number of positions that the visible rows have moved in all, as rows came or went before them. A view that shows rows by their
  /// positions moves them by as many.
  public var shift: Int {
    _ = current
    return shown.shift
  }
}

// MARK: - What is looked at

extension LongList {
  /// Sets the visible positions. They are loaded, with as many before and after them and, while they move, more in that direction.
  ///
  /// For `UITableView` and `NSTableView`: the positions of the visible rows, and those of `prefetchRowsAt` with them.
  ///
  /// - Parameter positions: Those before the first row and beyond the last one don't count.
  public func show(_ positions: Range<Int>) {
    begin()
    shown.show(positions.clamped(to: 0..<SelectStatement.mostRows))
  }

  /// Shows the last rows, also while rows before them aren't counted.
  ///
  /// - Returns: The position of the first of them.
  /// - Throws: As ``counted()``.
  @discardableResult
  public func showEnd() async throws -> Int { try await show(.end) }

  /// Shows the row with a key, and those after it.
  ///
  /// - Returns: Its position, which is an estimate while rows before it aren't counted.
  /// - Throws: ``LongListError/isGone``, and as ``counted()``.
  @discardableResult
  public func show(key: Element.Key) async throws -> Int where Element: StoredRecord {
    try await show(.key(Element.rowKey(key)))
  }

  /// Shows the first row that doesn't sort before a value of the query's first ordering: a date, a number, the beginning of a text.
  ///
  /// - Returns: Its position, which is an estimate while rows before it aren't counted; the count for a value after all rows.
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
    // Rows before it may have been counted, have come or gone, since the answer was given.
    return shown.position(answer.number, of: answer.jump)
  }

  /// The position of the row with a key.
  ///
  /// Waits until the rows before it are counted. O(log rows), and reads some hundred keys.
  ///
  /// - Throws: ``LongListError/isGone``, and as ``counted()``.
  public func position(of key: Element.Key) async throws -> Int where Element: StoredRecord {
    try await ask(.position(Element.rowKey(key))).number
  }

  /// Waits until all rows are counted.
  ///
  /// - Returns: How many there are.
  /// - Throws: Why they could not be read, ``LiveError/suspended``, or `CancellationError`.
  @discardableResult
  public func counted() async throws -> Int { try await ask(.count).number }

  /// The rows at some positions at one commit, for the answer to a request of a range. The list goes on showing the same rows.
  ///
  /// - Returns: The rows, and how many there are in all.
  /// - Throws: ``LongListError/outOfBounds(_:count:)``, why one of the rows can't be read, and as ``counted()``.
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

// MARK: - What it follows

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

  /// Waits until the rows show everything that was written through the store before the call.
  ///
  /// - Throws: As ``reached(_:)``.
  public func caughtUp() async throws {
    try await reached(source.engine.lastCommit)
  }

  /// Waits until the rows show a commit.
  ///
  /// - Throws: ``LiveError/suspended``, why the rows could not be read, or `CancellationError`.
  public func reached(_ commit: Commit) async throws { try await show(commit) }

  /// Each snapshot, the current one first, for any actor.
  public nonisolated var snapshots: LongSnapshots<Element> { LongSnapshots(source: source) }
}
