import Foundation
import GRDB
import Sanderling
import Synchronization

/// A long list of the given number of notes.
struct LongLists {
  private let store: Store
  private let pool: DatabasePool
  private let count: Int
  private static let visible = 50

  init(folder: String, count: Int) async throws {
    let path = "\(folder)/notes-\(count).sqlite"
    store = try await Store.open(.path(path), schema: [Note.self])
    pool = try DatabasePool(path: path)
    self.count = count
  }

  private static var query: Selection<Note, NoteRow> {
    Note.order { $0.changedAt.descending }.select(NoteRow.self)
  }

  func work() async throws -> BenchmarkWork {
    let (store, pool, count) = (store, pool, count)
    return BenchmarkWork(
      figures: [
        .init(name: "\(count) rows: first screen", unit: .microseconds),
        .init(name: "\(count) rows: all counted, from the first screen on", unit: .milliseconds),
        .init(name: "\(count) rows: memory of the list", unit: .bytes),
        .init(name: "\(count) rows: jump to a random position, until it shows", unit: .microseconds),
        .init(name: "\(count) rows: 10,000 rows scrolled through", unit: .milliseconds),
        .init(name: "\(count) rows: an insert in the middle, until it shows: CPU", unit: .microseconds),
        .init(name: "\(count) rows: 1,000 changes a second all over the list: CPU of a second", unit: .milliseconds),
        .init(name: "\(count) rows: a change meanwhile, from commit to rows on main: p99", unit: .milliseconds),
        .init(
          name: "\(count) rows: a commit that moves \(Self.burst(count)) rows, until it shows", unit: .milliseconds),
        .init(name: "\(count) rows: the longest that the main actor was held meanwhile", unit: .milliseconds),
      ],
      sanderling: .init(name: "Sanderling") { try await Self.longList(store, count) },
      limit: nil,
      peers: [
        .init(name: "a live list of 75 rows") { try await Self.shortList(store, count) },
        .init(name: "GRDB LIMIT/OFFSET") {
          let sql = "SELECT id, title, changedAt FROM note ORDER BY changedAt DESC, id LIMIT ? OFFSET ?"
          func page(_ limit: Int, _ offset: Int) async throws -> Double {
            try await seconds {
              _ = try await pool.read { db in
                let statement = try db.cachedStatement(sql: sql)
                return try Row.fetchCursor(statement, arguments: [limit, offset]).map { row in
                  (row[0] as Int64, row[1] as String, row[2] as Double)
                }.reduce(into: 0) { count, _ in count += 1 }
              }
            }
          }
          let all = try await seconds {
            _ = try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") }
          }
          return [
            try await page(75, 0), all, nil, try await page(150, .random(in: 0..<max(1, count - 150))),
            try await seconds {
              for start in stride(from: 0, to: min(count, 10_000), by: 50) { _ = try await page(50, start) }
            }, nil, nil, nil, nil, nil,
          ]
        },
        .init(name: "GRDB ValueObservation of the window") { try await Self.observed(pool, store, count) },
      ], rounds: 7)
  }

  @MainActor
  private static func shortList(_ store: Store, _ count: Int) async throws -> [Double?] {
    let before = ProcessFigures.allocatedBytes
    let list = store.liveList(query, window: 75)
    let start = ContinuousClock.now
    try await list.reached(store.lastCommit)
    let first = start.duration(to: .now).inSeconds
    let bytes = ProcessFigures.allocatedBytes - before
    let insert = try await Self.insert(store, count) { try await list.caughtUp() }
    let (writing, late) = try await writing(store, count) { try await list.reached($0) }
    let (shown, held) = try await burst(store, count) { try await list.caughtUp() }
    return [first, nil, bytes, nil, nil, insert, writing, late, shown, held]
  }

  /// GRDB's observation of the rows that a long list shows. It runs their query again at each commit.
  @MainActor
  private static func observed(_ pool: DatabasePool, _ store: Store, _ count: Int) async throws -> [Double?] {
    let sql = "SELECT id, title, changedAt FROM note ORDER BY changedAt DESC, id LIMIT 75 OFFSET \(count / 2)"
    let observation = ValueObservation.tracking { db in
      let statement = try db.cachedStatement(sql: sql)
      return try Array(
        Row.fetchCursor(statement).map { row in
          NoteRow(id: row[0], title: row[1], changedAt: Date(timeIntervalSinceReferenceDate: row[2]))
        })
    }
    let start = ContinuousClock.now
    let (values, continuation) = AsyncStream.makeStream(of: Void.self)
    let cancellable = observation.start(in: pool, scheduling: .async(onQueue: .main)) { _ in
      continuation.finish()
    } onChange: { _ in
      continuation.yield()
    }
    defer { cancellable.cancel() }
    var iterator = values.makeAsyncIterator()
    guard await iterator.next(isolation: #isolation) != nil else { throw BenchmarkError("GRDB's observation failed") }
    let first = start.duration(to: .now).inSeconds
    // Fewer writes than the other contenders make: each makes GRDB read half of the table.
    let writes = min(1_000, max(5, 20_000_000 / count))
    let time = ProcessFigures.processorTime
    for number in 0..<writes {
      let (id, date) = (number &* 7_919 % count, Double.random(in: 0..<1_000_000))
      try await pool.write { db in
        try db.execute(sql: "UPDATE note SET changedAt = ? WHERE id = ?", arguments: [date, id])
      }
      _ = await iterator.next(isolation: #isolation)
    }
    let each = (ProcessFigures.processorTime - time) / Double(writes)
    return [first, nil, nil, nil, nil, each, each * 1_000, nil, nil, nil]
  }

  @MainActor
  private static func longList(_ store: Store, _ count: Int) async throws -> [Double?] {
    let before = ProcessFigures.allocatedBytes
    var list: LongList<NoteRow>? = store.longList(query, visible: visible)
    guard let shown = list else { return [] }
    var start = ContinuousClock.now
    try await shown.reached(store.lastCommit)
    let first = start.duration(to: .now).inSeconds
    guard try await shown.counted() == count else { throw BenchmarkError("it doesn't count all") }
    let counted = start.duration(to: .now).inSeconds - first
    try await shown.caughtUp()
    let bytes = ProcessFigures.allocatedBytes - before
    let jump = try await Self.look(at: .random(in: 0..<max(1, count - visible)), shown)
    start = .now
    for position in stride(from: 0, to: min(count, 10_000) - visible, by: visible) {
      _ = try await Self.look(at: position, shown)
    }
    let scrolling = start.duration(to: .now).inSeconds
    shown.show(count / 2..<count / 2 + visible)
    try await shown.caughtUp()
    let insert = try await Self.insert(store, count) { try await shown.caughtUp() }
    let (writing, late) = try await writing(store, count) { try await shown.reached($0) }
    try await shown.caughtUp()
    let (burst, held) = try await burst(store, count) { try await shown.caughtUp() }
    try await shown.counted()
    try await shown.caughtUp()
    // The shown rows and the count must equal the database's.
    let fresh = try await store.fetch(query.limit(visible, offset: count / 2))
    let rows = (count / 2..<count / 2 + visible).compactMap { shown.current[$0]?.id }
    guard shown.count == count, shown.shownPositions.lowerBound != count / 2 || rows == fresh.map(\.id) else {
      throw BenchmarkError("the list is not what its query returns")
    }
    list = nil
    return [first, counted, bytes, jump, scrolling, insert, writing, late, burst, held]
  }

  /// The processor time of a second with a thousand changes of notes. Each has its own transaction and moves its note.
  /// The second figure is the 99th percentile of the delay until a change is shown.
  @MainActor
  private static func writing(
    _ store: Store, _ count: Int, reached: @escaping @MainActor (Commit) async throws -> Void
  ) async throws -> (time: Double, late: Double) {
    let time = ProcessFigures.processorTime
    let start = ContinuousClock.now
    var waiting: [Task<Double, any Error>] = []
    for number in 0..<1_000 {
      let id = Int64(number &* 7_919 % count)
      let date = Date(timeIntervalSinceReferenceDate: .random(in: 0..<1_000_000))
      let written = try await store.writeWithCommit("change") { tx in
        try tx.update(Note.self, key: id) { $0.changedAt = date }
      }
      if number % 5 == 0 {
        let start = ContinuousClock.now
        waiting.append(
          Task { @MainActor in
            try await reached(written.commit)
            return start.duration(to: .now).inSeconds
          })
      }
      try await Task.sleep(until: start + .milliseconds(number + 1))
    }
    let spent = ProcessFigures.processorTime - time
    var delays: [Double] = []
    for task in waiting { delays.append(try await task.value) }
    return (spent, delays.sorted()[delays.count * 99 / 100])
  }

  /// The number of rows that one commit moves: a tenth of all, up to a limit.
  private static func burst(_ count: Int) -> Int { min(100_000, count / 10) }

  /// The time until a commit of many rows is shown, and the longest time for which it occupies the main actor.
  @MainActor
  private static func burst(
    _ store: Store, _ count: Int, then wait: @MainActor () async throws -> Void
  ) async throws -> (shown: Double, held: Double) {
    let longest = Mutex(Duration.zero)
    let beats = Task { @MainActor in
      while !Task.isCancelled {
        let start = ContinuousClock.now
        try? await Task.sleep(for: .milliseconds(1))
        let late = start.duration(to: .now) - .milliseconds(1)
        longest.withLock { $0 = max($0, late) }
      }
    }
    defer { beats.cancel() }
    let moved = Int64(Self.burst(count))
    try await store.write("move many") { tx in
      try tx.execute("UPDATE note SET changedAt = changedAt + 1000 WHERE id < \(moved)")
    }
    let start = ContinuousClock.now
    try await wait()
    return (start.duration(to: .now).inSeconds, longest.withLock { $0 }.inSeconds)
  }

  /// The processor time of an insert into the middle of the list.
  @MainActor
  private static func insert(_ store: Store, _ count: Int, then wait: @MainActor () async throws -> Void) async throws
    -> Double
  {
    let middle = try await store.read {
      try $0.fetch(Note.order { $0.changedAt.descending }.limit(1, offset: count / 2))
    }
    guard var note = middle.first else { throw BenchmarkError("no note in the middle") }
    note.id = Int64(count) + 1
    let added = note
    let time = ProcessFigures.processorTime
    try await store.write("add") { try $0.insert(added) }
    try await wait()
    let insert = ProcessFigures.processorTime - time
    try await store.write("remove") { try $0.delete(Note.self, key: added.id) }
    try await wait()
    return insert
  }

  /// The time until the rows at a position are loaded.
  @MainActor
  private static func look(at position: Int, _ list: LongList<NoteRow>) async throws -> Double {
    let start = ContinuousClock.now
    list.show(position..<position + visible)
    while list.current[position] == nil || list.current[position + visible - 1] == nil { try await list.caughtUp() }
    return start.duration(to: .now).inSeconds
  }
}
