import Foundation
import Sanderling

/// Runs rounds in which several processes write to one database. Some are killed, and some stop for a while.
///
/// While all pause, each live result of each process must become equal to a fresh SELECT, and the history replayed from
/// each earlier copy must lead to the present rows. The order of events depends on time, so a round may need repetition.
@MainActor
struct NeighbourRun {
  private let seed: UInt64
  private let executable: URL
  private let watchdog = Watchdog()

  nonisolated init(seed: UInt64, executable: URL) {
    self.seed = seed
    self.executable = executable
    StoredForms.areCompared.store(false, ordering: .relaxed)
    // A process that was killed reads nothing more.
    signal(SIGPIPE, SIG_IGN)
  }

  /// - Returns: Whether no failure was found.
  func run(for length: RunLength) async -> Bool {
    Console.print("sanderling-fuzz neighbours --seed \(seed)")
    let start = ContinuousClock.now
    var (round, counts) = (0, NeighbourCounts())
    while !length.isOver(afterRounds: round, since: start) {
      guard await run(round, &counts) else { return false }
      round += 1
    }
    Console.print("\((ContinuousClock.now - start).components.seconds) s: \(round) rounds, \(counts.description)")
    return true
  }

  /// - Returns: Whether no failure was found.
  func run(round: Int, times: Int) async -> Bool {
    var counts = NeighbourCounts()
    for _ in 0..<times {
      guard await run(round, &counts) else { return false }
    }
    Console.print("Round \(round) found nothing; \(counts.description)")
    return true
  }

  private func run(_ round: Int, _ counts: inout NeighbourCounts) async -> Bool {
    let name = "sanderling-fuzz neighbours --seed \(seed) --round \(round) --repeat 20"
    watchdog.begin(name, limit: .seconds(600))
    defer { watchdog.end() }
    do {
      let sharing = try Sharing(seed: seed, round: round, executable: executable)
      do {
        try await sharing.run()
      } catch {
        await sharing.end()
        throw error
      }
      await sharing.end()
      counts.add(sharing.counts)
      return true
    } catch {
      Console.print("\nRound \(round) failed: \(error)\nTo run it again: \(name)")
      return false
    }
  }
}

/// The numbers of events in rounds.
struct NeighbourCounts: CustomStringConvertible {
  var processes = 0
  var kills = 0
  var stops = 0
  var comparisons = 0
  var replays = 0

  mutating func add(_ other: NeighbourCounts) {
    processes += other.processes
    kills += other.kills
    stops += other.stops
    comparisons += other.comparisons
    replays += other.replays
  }

  var description: String {
    "\(processes) processes, \(kills) kills, \(stops) stops, \(comparisons) comparisons, \(replays) replays"
  }
}

/// One round: this process with its store, and its neighbours.
@MainActor
private final class Sharing {
  private(set) var counts = NeighbourCounts()
  private let (seed, round): (UInt64, Int)
  private let executable: URL
  private let world: World
  private let own: StoreNeighbour
  private let folder: URL
  private var random: SeededGenerator
  private var neighbours: [NeighbourProcess] = []
  /// The kinds of all processes so far, by their numbers. The first is this process.
  private var kinds: [NeighbourKind] = [.store]
  private var copies: [HistoryCopy] = []

  init(seed: UInt64, round: Int, executable: URL) throws {
    (self.seed, self.round, self.executable) = (seed, round, executable)
    let fuzzCase = FuzzCase.shared(seed: seed, round: round)
    world = fuzzCase.world
    random = SeededGenerator(seed: seed ^ 0x7368_6172, round: round)
    own = try StoreNeighbour(fuzzCase, process: 0, seed: random.next())
    guard let folder = own.folder else { throw NeighbourFailure("the database is not a file") }
    self.folder = folder
  }

  func run() async throws {
    try await keep(copy())
    for _ in 0..<random.number(1..<4) { try await start() }
    for _ in 0..<random.number(2..<5) {
      try await live(for: .milliseconds(random.number(50..<700)))
      try await compare()
    }
  }

  /// Ends all processes and removes the database.
  func end() async {
    for neighbour in neighbours { try? await neighbour.kill() }
    own.close()
  }

  // MARK: Living

  private func start() async throws {
    let kind = random.element(of: [NeighbourKind.store, .store, .grdb, .shell])
    for attempt in 1...Self.mostStarts {
      let neighbour = try NeighbourProcess(
        kind, number: kinds.count, folder: folder, seed: seed, round: round, acts: random.next(), world: world,
        executable: executable)
      kinds.append(kind)
      counts.processes += 1
      do {
        try await neighbour.waitUntilReady()
        neighbours.append(neighbour)
        return
      } catch  where attempt < Self.mostStarts {
        // While another process deletes a journal, SQLite may fail to open the database.
        try? await neighbour.kill()
      }
    }
  }

  /// The most tries to start a process.
  private static let mostStarts = 3

  private func live(for duration: Duration) async throws {
    let end = ContinuousClock.now + duration
    while ContinuousClock.now < end {
      for neighbour in neighbours where random.chance(50) { neighbour.feed() }
      let index = random.number(0..<neighbours.count)
      switch random.number(0..<100) {
      case 0..<3:
        try await neighbours.remove(at: index).kill()
        counts.kills += 1
        try await start()
      case 3..<6:
        // The neighbour may hold a lock. Writes of other processes wait until it continues.
        let neighbour = neighbours[index]
        neighbour.stop()
        counts.stops += 1
        let length = Duration.milliseconds(random.number(1..<200))
        let awakening = Task { @MainActor in
          try? await Task.sleep(for: length)
          neighbour.resume()
        }
        try await own.act()
        await awakening.value
      case 6..<8: try await prune(includingUnread: random.chance(20))
      default: try await own.act()
      }
    }
  }

  /// Prunes the history. Changes after a copy are kept, unless unread changes are included.
  private func prune(includingUnread: Bool) async throws {
    let count = random.number(1..<100)
    try await attempt { [own] in
      try await own.store.pruneHistory(keepingAtMost: count, includingUnread: includingUnread)
    }
    if includingUnread { copies = [] }
  }

  // MARK: Comparing

  private func compare() async throws {
    for neighbour in neighbours { try await neighbour.pause() }
    if let problem = try await own.problem() { throw NeighbourFailure("in this process: \(problem)") }
    counts.comparisons += 1
    for neighbour in neighbours {
      guard neighbour.kind == .store else { continue }
      if let problem = try await neighbour.problem() {
        throw NeighbourFailure("in process \(neighbour.number): \(problem)")
      }
      counts.comparisons += 1
    }
    try await replay()
    for neighbour in neighbours { neighbour.go() }
  }

  private func replay() async throws {
    let present = try await copy()
    let authors = kinds.enumerated().map { $1 == .store ? StoreNeighbour.author($0) : nil }
    for copy in copies {
      let problem = try await copy.problem(replayedTo: present, in: own.store, authors: authors)
      if let problem { throw NeighbourFailure(problem) }
      counts.replays += 1
    }
    try await keep(present)
  }

  /// Keeps a copy for later replays, in the place of the oldest of three. The changes since the oldest copy are unread.
  private func keep(_ copy: HistoryCopy) async throws {
    copies.append(copy)
    if copies.count > 3 { copies.removeFirst() }
    let token = copies[0].token
    let isNoted = try await attempt { [own] in try await own.store.noteHistoryRead(token, by: "replay") }
    if !isNoted { copies = [] }
  }

  /// Runs a write of the store's own. It fails while another process holds the lock, or if a constraint of the app
  /// prevents the folding of texts that wait.
  ///
  /// - Returns: Whether the write succeeded.
  @discardableResult
  private func attempt(_ write: () async throws -> Void) async throws -> Bool {
    do {
      try await write()
      return true
    } catch let error where !(error is HistoryError) {
      return false
    }
  }

  private func copy() async throws -> HistoryCopy { try await HistoryCopy(own.store) }
}
