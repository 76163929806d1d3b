/// The settings and limits of an ``HTTPConnection``.
public struct HTTPOptions: Sendable {
  /// The longest silence of a server within an answer. A stream of events has to begin in this time, and may be silent
  /// for ten minutes afterwards.
  public var timeout: Duration = .seconds(60)
  /// How long an answer may take altogether, except one of events.
  public var greatestDuration: Duration = .seconds(600)
  /// How often and when a read that failed is tried again. Writes are tried again by the synchronisation.
  public var backoff = PushBackoff(first: .milliseconds(500), greatest: .seconds(60), attempts: 6)
  /// Further statuses of a busy server, whose request may succeed a moment later. 408, 425, 429 and the statuses of
  /// server errors are always included.
  public var busyStatuses: Set<Int> = []
  /// The least time from one request to the next. A server can ask for more by `Retry-After` and `Backoff`.
  public var interval: Duration = .zero
  /// The longest time that a server can have a device wait.
  public var greatestWait: Duration = .seconds(3600)
  /// Called before each wait, to show it: a server may ask for an hour.
  ///
  /// ```swift
  /// options.onWait = { print("Waiting for \($0.address) until \(Date.now + $0.duration / .seconds(1))") }
  /// ```
  ///
  /// Called on the task of the request. An error that it throws ends the request in place of the wait: a read throws it, and a change stays to be
  /// sent.
  public var onWait: (@Sendable (HTTPWait) throws -> Void)?
  /// The limits of a server's answers.
  public var limits = HTTPLimits()
  /// Whether requests, and tokens with them, may go over the network without encryption. Without it that is refused, but for this
  /// machine itself.
  public var allowsPlainHTTP = false
  /// The clock for all waits. A test can pass a clock that doesn't wait.
  public var clock: any Clock<Duration> = ContinuousClock()

  public init() {}
}

/// The limits of a server's answer, so that a hostile one can't exhaust memory.
public struct HTTPLimits: Sendable, Hashable {
  /// Bytes of an answer, decompressed.
  public var body = 32 << 20
  /// Bytes of an answer's header.
  public var header = 64 << 10
  /// Bytes of one value.
  public var field = 8 << 20
  /// Members of a row.
  public var columns = 2000
  /// Rows of an answer.
  public var rows = 20_000
  /// How deep values are nested.
  public var depth = 64
  /// Bytes of an event, and of a line of it.
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
