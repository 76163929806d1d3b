/// Which queries have to be read, and which are being read. Knows queries by their numbers only; confined to the engine's turns.
///
/// Each query is in one phase. A load that is taken ends by ``end(_:duration:mark:)`` or ``fail(_:with:)``, whatever
/// becomes of it.
final class LoadQueue {
  /// How far a query is from following the database.
  enum Phase {
    /// What it depends on has to be captured before it is read.
    case waiting
    /// It has to be read, for the first time or again.
    case due
    /// It is being read at the snapshot of a turn that is over; what concerns it since is remembered.
    case loading
    /// It could not be read.
    case failed
    case current
  }

  /// What is to be done with a query whose load has ended.
  enum End {
    case current
    /// What concerned it since the load began has to be applied.
    case changed
    /// It was outdated before the load ended.
    case outdated
  }

  /// What is known of each query, of which there are many: what few have is kept elsewhere.
  private struct Job {
    struct Flags: OptionSet {
      let rawValue: UInt8
      static let isRunAgain = Flags(rawValue: 1)
      /// Whether a load that is under way is outdated before it ends.
      static let needsAnotherLoad = Flags(rawValue: 2)
      /// Whether something concerned it since a load that is under way began.
      static let changedWhileLoading = Flags(rawValue: 4)
    }

    /// The state of the database that it was read in.
    var mark: SnapshotMark?
    var phase = Phase.waiting
    var flags: Flags
    /// How long reading took, in microseconds.
    var duration = LoadQueue.usualDuration

    init(isRunAgain: Bool) {
      flags = isRunAgain ? .isRunAgain : []
    }

    var isRunAgain: Bool { flags.contains(.isRunAgain) }
  }

  private var jobs: [Int: Job] = [:]
  /// When queries that are run again were read last.
  private var lastLoads: [Int: Duration] = [:]
  /// Why queries can't be read.
  private var failures: [Int: any Error] = [:]
  private(set) var waiting: Set<Int> = []
  private(set) var due: Set<Int> = []
  /// Those that are being read, and the number of the load.
  private(set) var loading: [Int: UInt64] = [:]
  private var lastLoad: UInt64 = 0
  /// Those that can't be read.
  private(set) var failed: Set<Int> = []
  /// Queries that are read again in place of being maintained, for whose values those of others wait: what one commit changes
  /// changes together.
  private var held: Set<Int> = []
  /// How many turns are over whose readers still read.
  private var readerCount = 0

  /// How many turns may still be reading queries when another begins.
  static let greatestReaderCount = 2
  /// How often a query is run again at most.
  static let requeryInterval = Duration.milliseconds(200)
  /// How long reading is taken to last before it was measured.
  private static let usualDuration: UInt32 = 200

  // MARK: Queries

  func add(_ query: Int, isRunAgain: Bool) {
    jobs[query] = Job(isRunAgain: isRunAgain)
    waiting.insert(query)
  }

  func remove(_ query: Int) {
    jobs[query] = nil
    lastLoads[query] = nil
    failures[query] = nil
    waiting.remove(query)
    due.remove(query)
    loading[query] = nil
    failed.remove(query)
    held.remove(query)
  }

  func phase(_ query: Int) -> Phase? { jobs[query]?.phase }
  func isCurrent(_ query: Int) -> Bool { jobs[query]?.phase == .current }
  func failure(_ query: Int) -> (any Error)? { failures[query] }
  func loadDuration(_ query: Int) -> Duration { .microseconds(jobs[query]?.duration ?? 0) }

  /// Whether nothing is left to be done before the query equals the database, or could not be read.
  func isSettled(_ query: Int) -> Bool {
    switch jobs[query]?.phase {
    case .current, .failed: true
    default: false
    }
  }

  var isSettled: Bool { waiting.isEmpty && due.isEmpty && loading.isEmpty }

  /// Whether all others wait for queries that are read again.
  var isHolding: Bool { !held.isEmpty }

  private func setPhase(_ phase: Phase, of query: Int) {
    guard let old = jobs[query]?.phase, old != phase else { return }
    switch old {
    case .waiting: waiting.remove(query)
    case .due: due.remove(query)
    case .loading: loading[query] = nil
    case .failed: failed.remove(query)
    case .current: break
    }
    jobs[query]?.phase = phase
    switch phase {
    case .waiting: waiting.insert(query)
    case .due: due.insert(query)
    case .loading:
      lastLoad += 1
      loading[query] = lastLoad
    case .failed: failed.insert(query)
    case .current: break
    }
  }

  // MARK: Reading

  /// What a query depends on is captured.
  func prepared(_ query: Int) {
    if jobs[query]?.phase == .waiting { setPhase(.due, of: query) }
  }

  /// What a query depends on isn't captured any more. Others don't wait for it: how long it takes is not known.
  func unprepare(_ query: Int) {
    held.remove(query)
    if jobs[query]?.phase == .loading {
      jobs[query]?.flags.insert(.needsAnotherLoad)
    } else {
      setPhase(.waiting, of: query)
    }
  }

  /// The query has to be read again. One that failed begins where ``unprepare(_:)`` puts it.
  func outdate(_ query: Int) {
    guard let job = jobs[query] else { return }
    switch job.phase {
    case .waiting, .due, .failed: break
    case .loading: jobs[query]?.flags.insert(.needsAnotherLoad)
    case .current:
      setPhase(.due, of: query)
      if !job.isRunAgain { held.insert(query) }
    }
  }

  /// Something concerned a query that is being read, which is worth another try if it fails.
  func changedWhileLoading(_ query: Int) {
    jobs[query]?.flags.insert(.changedWhileLoading)
  }

  /// Takes what is to be read now.
  ///
  /// - Parameter isUrgent: Whether someone waits for queries that are run again.
  /// - Returns: The queries, and the numbers of their loads.
  func take(isUrgent: Bool, now: Duration) -> [(query: Int, load: UInt64)] {
    guard hasFreeReader else { return [] }
    let taken = due.filter { isDue($0, isUrgent, now) }
    for query in taken {
      setPhase(.loading, of: query)
      jobs[query]?.flags.subtract([.needsAnotherLoad, .changedWhileLoading])
      if jobs[query]?.isRunAgain == true { lastLoads[query] = now }
    }
    return taken.compactMap { query in loading[query].map { (query, $0) } }
  }

  /// Whether a load is the last one that began, and was neither ended nor given up.
  func isUnderWay(_ load: UInt64, of query: Int) -> Bool { loading[query] == load }

  /// Whether a turn may leave something to be read when it is over.
  var hasFreeReader: Bool { readerCount < Self.greatestReaderCount }

  /// A reader begins to read what a turn leaves to it.
  func readerBegan() {
    readerCount += 1
  }

  /// A reader has read all that it was given.
  func readerEnded() {
    readerCount -= 1
  }

  /// Whether something is to be read now.
  func hasDue(isUrgent: Bool, now: Duration) -> Bool {
    hasFreeReader && due.contains { isDue($0, isUrgent, now) }
  }

  /// When the next query may be run again that waits for its turn; nil for none, and while all readers read.
  var nextTime: Duration? {
    guard hasFreeReader, !lastLoads.isEmpty else { return nil }
    return due.compactMap { lastLoads[$0] }.min().map { $0 + Self.requeryInterval }
  }

  private func isDue(_ query: Int, _ isUrgent: Bool, _ now: Duration) -> Bool {
    guard !lastLoads.isEmpty, let last = lastLoads[query], !isUrgent else { return true }
    return now >= last + Self.requeryInterval
  }

  // MARK: Ends

  /// A query was read.
  ///
  /// - Precondition: It is being read.
  /// - Parameter mark: The state of the database that it was read in.
  func end(_ query: Int, duration: Duration, mark: SnapshotMark?) -> End {
    guard let job = jobs[query], job.phase == .loading else { preconditionFailure("a load that ends is under way") }
    held.remove(query)
    jobs[query]?.duration = UInt32(clamping: Int64(duration / .microseconds(1)))
    jobs[query]?.mark = mark
    failures[query] = nil
    setPhase(.current, of: query)
    if job.flags.contains(.needsAnotherLoad) { return .outdated }
    return job.flags.contains(.changedWhileLoading) ? .changed : .current
  }

  /// A query could not be read, in a load or before one.
  ///
  /// - Returns: Whether it is outdated already, and worth another try.
  @discardableResult
  func fail(_ query: Int, with error: any Error) -> Bool {
    guard let job = jobs[query] else { return false }
    held.remove(query)
    failures[query] = error
    setPhase(.failed, of: query)
    return job.phase == .loading && !job.flags.isDisjoint(with: [.needsAnotherLoad, .changedWhileLoading])
  }

  /// Whether a query was read in the state of the database that a mark stands for.
  func wasRead(_ query: Int, in mark: SnapshotMark?) -> Bool {
    guard let mark, let job = jobs[query], job.phase == .current else { return false }
    return job.mark == mark
  }
}
