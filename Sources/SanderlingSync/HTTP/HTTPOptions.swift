/// The settings and limits of an ``HTTPConnection``.
public struct HTTPOptions: Sendable {
  /// The longest silence of a server within an answer. A stream of events must begin within this time, and may then be
  /// silent for ten minutes.
  public var timeout: Duration = .seconds(60)
  /// The longest duration of a whole answer, except a stream of events.
  public var greatestDuration: Duration = .seconds(600)
  /// The number and the delays of repetitions of a failed read. Failed writes are repeated by the synchronisation.
  public var backoff = PushBackoff(first: .milliseconds(500), greatest: .seconds(60), attempts: 6)
  /// Further statuses of a busy server, whose request may succeed a moment later. 408, 425, 429 and the statuses of
  /// server errors are always included.
  public var busyStatuses: Set<Int> = []
  /// The shortest time from one request to the next. A server can ask for more with `Retry-After` and `Backoff`.
  public var interval: Duration = .zero
  /// The longest wait that a server can ask for.
  public var greatestWait: Duration = .seconds(3600)
  /// Called before each wait, so that the app can show it: a server may ask for an hour.
  ///
  /// ```swift
  /// options.onWait = { print("Waiting for \($0.address) until \(Date.now + $0.duration / .seconds(1))") }
  /// ```
  ///
  /// Called on the task of the request. An error that it throws ends the request in place of the wait. A read then
  /// throws the error, and a change stays pending.
  public var onWait: (@Sendable (HTTPWait) throws -> Void)?
  /// The limits of a server's answers.
  public var limits = HTTPLimits()
  /// Whether requests, with their tokens, may be sent without encryption. Otherwise only requests to this machine may.
  public var allowsPlainHTTP = false
  /// The clock for all waits. A test can pass a clock that doesn't wait.
  public var clock: any Clock<Duration> = ContinuousClock()

  public init() {}
}

/// The limits of a server's answer, so that a hostile server can't exhaust memory.
public struct HTTPLimits: Sendable, Hashable {
  /// The bytes of an answer, decompressed.
  public var body = 32 << 20
  /// The bytes of an answer's header.
  public var header = 64 << 10
  /// The bytes of one value.
  public var field = 8 << 20
  /// The members of a row.
  public var columns = 2000
  /// The rows of an answer.
  public var rows = 20_000
  /// The depth to which values are nested.
  public var depth = 64
  /// The bytes of an event, and of each of its lines.
  public var event = 256 << 10

  public init() {}
}

/// A clock whose instants are durations since its first use.
struct RunningClock: Sendable {
  let now: @Sendable () -> Duration
  let sleep: @Sendable (Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0) }
  }
}
