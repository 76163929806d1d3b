import Foundation
import GRDB
import SanderlingSQLite

/// Has the writer look for commits of other connections and processes when the files beside the database change.
///
/// A file event comes before the end of the commit that causes it: SQLite writes the log, then syncs it, then shows the
/// commit to other connections. Only the first step causes an event. So each event is followed by looks at growing
/// distances: after 5 ms, 15 ms, 35 ms, and so on up to 2.6 s. A commit is then noticed after at most twice the time
/// that its sync took. If the version numbers can't be read, since a process holds a lock, the looks go on every 1.3 s
/// until they can.
///
/// File events don't name the process that wrote. The store's own commits cause events too, and each report of events costs one comparison of
/// SQLite's version numbers on the writer's queue. At most one look waits for the writer.
///
/// Lifetime: a store's live engine makes it. Capture begins to watch with the first live result, and ends a minute after the last result was closed
/// (``CaptureRegistry/unwatchedTime``), when the store closes, and when the store leaves an adopted writer. Suspension of the app ends the watch,
/// and its end begins the watch again with a look. Erasing and migrating the database leave the watch as it is. A watch that fails becomes one that
/// asks once a second.
final class OutsideWatch: Sendable {
  private enum Source {
    case none
    case events(FileWatch)
    case polling(PollTimer)
  }

  private struct State {
    /// The path of the database while capture follows it; nil before and afterwards.
    var database: String?
    var source = Source.none
    var isEnabled = true
    var isSuspended = false
    /// Whether a look waits for the writer.
    var isLooking = false
    /// Whether the last look could not read the version numbers.
    var isUncertain = false
    /// The number of events so far. The later looks of an event end with the next event, and with the watch.
    var eventCount = 0
  }

  private let state = Lock(State())
  private let watchesFiles: Bool
  private let look: Look

  /// Makes the writer call `begin`, compare the version numbers, and call `end`. The argument of `end` says whether the
  /// numbers could be read. Does nothing once the store is gone.
  typealias Look =
    @Sendable (
      _ begin: @escaping @Sendable () -> Void, _ end: @escaping @Sendable (_ isCertain: Bool) -> Void
    ) -> Void

  /// - Parameters:
  ///   - watchesFiles: Whether file events are used where the system has them; false for
  ///     tests without file events.
  init(watchesFiles: Bool, look: @escaping Look) {
    self.watchesFiles = watchesFiles
    self.look = look
  }

  /// Begins to watch, unless it does. Called on the writer's queue before the version numbers are read with which later ones are compared.
  func begin(_ db: Database) {
    guard let connection = db.sqliteConnection, let name = sqlite3_db_filename(connection, "main") else { return }
    let path = String(cString: name)
    // A database in memory has no file.
    if path.isEmpty { return }
    state.withLock { state in
      if state.database != nil { return }
      state.database = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      start(&state)
    }
  }

  /// Ends the watch until ``begin(_:)`` is called again.
  func end() {
    state.withLock { state in
      state.database = nil
      state.source = .none
      state.isUncertain = false
      state.eventCount += 1
    }
  }

  var detection: OutsideChangeDetection {
    state.withLock { state in
      if !state.isEnabled { return .off }
      return switch state.source {
      case .none: .inactive
      case .events: .events
      case .polling: .polling
      }
    }
  }

  var isEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set {
      let isBegun = state.withLock { state in
        if state.isEnabled == newValue { return false }
        state.isEnabled = newValue
        start(&state)
        return newValue
      }
      if isBegun { requestLook() }
    }
  }

  /// Ends the watch while the app is suspended. Called only where the database's connections observe suspension.
  func setSuspended(_ isSuspended: Bool) {
    state.withLock { state in
      state.isSuspended = isSuspended
      start(&state)
    }
    // GRDB may hear of the resumption after this object. The pause lets it.
    if !isSuspended {
      FileWatch.queue.asyncAfter(deadline: .now() + FileWatch.pause) { [weak self] in self?.requestLook() }
    }
  }

  /// Makes the source that the state asks for.
  private func start(_ state: inout State) {
    state.source = .none
    guard let database = state.database, state.isEnabled, !state.isSuspended else { return }
    let watch =
      watchesFiles
      ? FileWatch(database) { [weak self] isLost in
        if isLost { self?.poll() }
        self?.eventCame()
      } : nil
    state.source = watch.map { .events($0) } ?? .polling(timer())
  }

  /// Asks once a second, since the directory is lost.
  private func poll() {
    state.withLock { state in
      if case .events = state.source { state.source = .polling(timer()) }
    }
  }

  private func timer() -> PollTimer { PollTimer { [weak self] in self?.requestLook() } }

  private func eventCame() {
    let event = state.withLock { state in
      state.eventCount += 1
      return state.eventCount
    }
    look(for: event, pause: Self.firstPause)
  }

  /// Looks now, and then at growing distances until another event comes.
  private func look(for event: Int, pause: Int) {
    guard state.withLock({ $0.eventCount == event && $0.database != nil && !$0.isSuspended }) else { return }
    requestLook()
    if pause > Self.lastPause, !state.withLock({ $0.isUncertain }) { return }
    FileWatch.queue.asyncAfter(deadline: .now() + .milliseconds(min(pause, Self.lastPause))) { [weak self] in
      self?.look(for: event, pause: 2 * min(pause, Self.lastPause))
    }
  }

  /// The shortest and the longest pause between two looks, in milliseconds. The first pause is the shortest.
  private static let (firstPause, lastPause) = (10, 1280)

  private func requestLook() {
    let isNew = state.withLock { state in
      if state.isLooking || state.database == nil || !state.isEnabled || state.isSuspended { return false }
      state.isLooking = true
      return true
    }
    guard isNew else { return }
    look { [weak self] in
      self?.state.withLock { $0.isLooking = false }
    } _: { [weak self] isCertain in
      self?.state.withLock { $0.isUncertain = !isCertain }
    }
  }
}

/// Calls a function once a second, until the last reference goes.
private final class PollTimer: Sendable {
  /// Safe: it is not changed after its making.
  private nonisolated(unsafe) let timer: any DispatchSourceTimer

  init(_ fire: @escaping @Sendable () -> Void) {
    timer = DispatchSource.makeTimerSource(queue: FileWatch.queue)
    timer.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(100))
    timer.setEventHandler(handler: fire)
    timer.resume()
  }

  deinit { timer.cancel() }
}
