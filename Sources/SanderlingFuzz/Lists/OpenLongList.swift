import Sanderling

/// A long list that visits other positions when the round asks for more.
@MainActor
final class OpenLongList<Element: Sendable>: OpenResult {
  private let list: LongList<Element>
  private let values: @Sendable (Element) throws -> [StorageValue]
  let window: Int
  private(set) var logs: [ConsumerLog] = []
  private var task: Task<Void, Never>?
  private var moves = 0
  private var inquiries = 0
  /// Whether shown positions were set. The list then loads the rows around them as well.
  private var isShown = false

  /// - Parameter values: The stored values of a row, which comparisons use.
  init(
    _ list: LongList<Element>, window: Int, _ values: @escaping @Sendable (Element) throws -> [StorageValue]
  ) {
    self.list = list
    self.window = window
    self.values = values
    _ = list.current
  }

  var shown: Shown {
    let current = list.current
    let readable = current.loadedPositions.map { range in
      LongRows.Piece(
        start: range.lowerBound,
        rows: range.map { position in
          current[position].flatMap { try? values($0) } ?? [.text("a value that can't be stored")]
        })
    }
    let unreadable = current.unreadablePositions.map { position in
      LongRows.Piece(start: position, rows: [current.unreadableRow(at: position)].compactMap { $0 }.marks)
    }
    let pieces = (readable + unreadable).sorted { $0.start < $1.start }
    let visible = list.shownPositions
    // An inquiry does not set the shown positions. The last rows around those may stay unloaded.
    let wanted = isShown ? visible.lowerBound - visible.count..<visible.upperBound + visible.count : 0..<0
    let rows = LongRows(
      count: current.count, leastCount: current.leastCount, pieces: pieces,
      wanted: wanted.clamped(to: current.positions))
    return Shown(rows: [], state: current.state, hasMore: nil, commit: list.commit, long: rows)
  }

  func suspend() { list.suspend() }
  func resume() { list.resume() }
  func retry() { list.retry() }

  func grow(by count: Int) {
    moves += 1
    task?.cancel()
    switch moves % 4 {
    case 0, 1:
      isShown = false
      task =
        moves % 4 == 0
        ? Task { [list] in _ = try? await list.showEnd() } : Task { [list] in _ = try? await list.show(from: count) }
    case 2: show(0, window)
    default: show(moves &* 7_919 % max(1, list.positions.count), window)
    }
  }

  func wander(_ random: inout SeededGenerator) {
    guard random.chance(50) else { return }
    let count = max(1, list.positions.count)
    switch random.number(0..<5) {
    case 0:
      task?.cancel()
      isShown = false
      task = Task { [list] in _ = try? await list.showEnd() }
    case 1, 2:
      show(random.number(0..<count), window)
    case 3: show(list.shownPositions.lowerBound, random.number(1..<8))
    default: show(list.shownPositions.lowerBound + random.number(0..<5), window)
    }
  }

  private func show(_ start: Int, _ count: Int) {
    task?.cancel()
    isShown = true
    list.show(start..<start + count)
  }

  func inquire(_ rows: [[StorageValue]], of spec: LiveQuerySpec) async throws -> String? {
    inquiries += 1
    // A call of `counted()` counts all rows; they stay counted while others write. Most inquiries therefore skip it.
    if inquiries % 5 != 0 { return nil }
    let count = try await list.counted()
    guard count == rows.count else { return "\(count) rows were counted, but SQLite has \(rows.count)" }
    guard count > 0 else { return nil }
    let start = inquiries &* 7_919 % count
    let range = start..<min(start + 5, count)
    if rows[range].contains(where: \.isUnreadable) {
      let answer = try? await list.rows(at: range)
      return answer == nil ? nil : "the rows at \(range) were returned, although one can't be read"
    }
    let part = try await list.rows(at: range).rows.map(values)
    return part.elementsEqual(rows[range], by: spec.areSame)
      ? nil : "the rows at \(range) differ from the rows in SQLite"
  }

  func reached(_ commit: Commit) async throws {
    try await list.reached(commit)
  }

  func close() {
    task?.cancel()
  }
}

/// The rows that a long list shows.
struct LongRows: Sendable {
  struct Piece: Sendable {
    let start: Int
    let rows: [[StorageValue]]
  }

  let count: Int?
  let leastCount: Int
  let pieces: [Piece]
  /// The shown positions, and as many positions before and after them.
  let wanted: Range<Int>

  /// The first position that should be loaded but isn't, once everything was delivered; nil if there is none.
  var missing: Int? {
    if count == nil { return nil }
    let loaded = pieces.map { $0.start..<$0.start + $0.rows.count }
    return wanted.first { position in !loaded.contains { $0.contains(position) } }
  }

  /// The loaded and the visible positions.
  var extent: String {
    let loaded = pieces.map { "\($0.start)..<\($0.start + $0.rows.count)" }
    return "\(loaded.joined(separator: ", ")) of \(count.map(String.init) ?? "unknown"), and \(wanted) is wanted"
  }

  /// The difference from all rows of a SELECT; nil if there is none.
  func difference(from rows: [[StorageValue]], of spec: LiveQuerySpec) -> String? {
    if let count, count != rows.count { return "it counts \(count) rows, but SQLite has \(rows.count)" }
    if leastCount > rows.count { return "it counts at least \(leastCount) rows, but SQLite has \(rows.count)" }
    var start = 0
    for piece in pieces {
      let last = rows.count - piece.rows.count
      // If the rows before a piece aren't counted, the piece may begin at any position after the previous piece.
      let places = count == nil ? start...max(start, last) : piece.start...piece.start
      guard
        let place = places.first(where: {
          $0 <= last && rows[$0..<$0 + piece.rows.count].elementsEqual(piece.rows, by: spec.areSame)
        })
      else { return "the \(piece.rows.count) rows from \(piece.start) on differ from the rows in SQLite" }
      start = place + piece.rows.count
    }
    return nil
  }
}

extension LiveQuerySpec {
  /// Whether the query may be shown as a long list. Its form is that of all rows, and its values don't depend on
  /// SQLite's plan.
  var mayBeLong: Bool {
    guard case .rows = form, case .table = statement.source, !statement.isDistinct else { return false }
    return statement.limit == nil && statement.offset == 0 && PlanDependence(self) == nil
  }
}

extension BlockSizes {
  /// Sizes so small that few rows make many blocks, and commits fall between their slices. Empty blocks of fewer than 8
  /// rows are always joined, which would leave nothing to test. Blocks of 8 rows are counted no further until the next
  /// write.
  static func fuzzed(_ usual: Int) -> BlockSizes {
    BlockSizes(usual: usual, countedInSlice: usual + usual / 2, restsAfterSlice: usual == 8)
  }
}
