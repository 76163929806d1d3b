import Foundation
import Sanderling

/// Decides when to poll a server: at its events, after each connection to them, after an interval, and after a write of
/// this device. A new connection counts because earlier events are unknown. The push of a write waits for a poll that
/// began after it.
///
/// At most one hint waits, however many events arrive.
final class HTTPHints: Sendable {
  private let following: HTTPFollowing
  private let clock: RunningClock
  private let backoff: PushBackoff
  private let writes: HTTPOwnWrites
  private let listener: Int
  private let stream: AsyncThrowingStream<Void, any Error>
  private let continuation: AsyncThrowingStream<Void, any Error>.Continuation
  private let task: Task<Void, Never>?

  /// The number of events that may wait for a poll. If one is dropped, the earlier ones still request a read.
  private static let eventLimit = 16

  /// The wait for further writes of this device.
  private static let gap = Duration.milliseconds(20)

  init(_ following: HTTPFollowing, _ connection: HTTPConnection, _ writes: HTTPOwnWrites) {
    let (stream, continuation) = AsyncThrowingStream<Void, any Error>.makeStream(bufferingPolicy: .bufferingNewest(1))
    (self.stream, self.continuation, self.following, self.writes) = (stream, continuation, following, writes)
    (clock, backoff) = (connection.clock, connection.options.backoff)
    listener = writes.listen { continuation.yield() }
    guard case .events(let events) = following.way else {
      task = nil
      return
    }
    task = Task {
      do {
        try await Self.follow(events, connection) { continuation.yield() }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
  }

  deinit {
    task?.cancel()
    writes.forget(listener)
  }

  /// Waits until there may be news, or until a failed poll is due again.
  ///
  /// - Parameter failures: The number of consecutive failed polls.
  /// - Returns: False if the server wants no more listeners.
  /// - Throws: `CancellationError`, and errors that prevent following events.
  func next(afterFailures failures: Int = 0) async throws -> Bool {
    var wait: Duration?
    var gap = Self.gap
    switch following.way {
    case .polling(let interval): wait = interval
    case .events(let events):
      gap = events.gap
      // The hint was consumed, and another event need not come.
      if failures > 0 {
        var generator = SystemRandomNumberGenerator()
        wait = backoff.delay(after: failures, retryAfter: nil, using: &generator)
      }
    }
    let timer = wait.map { wait in
      Task { [clock, continuation] in
        try await clock.sleep(wait)
        continuation.yield()
      }
    }
    defer { timer?.cancel() }
    for try await _ in stream {
      try await clock.sleep(gap)
      return true
    }
    try Task.checkCancellation()
    return false
  }

  /// The events of one connection.
  private final class Listener: Sendable {
    private struct State {
      var parser: EventParser
      var isTooLong = false
      var hasBegun = false
    }

    let arrivals: AsyncStream<ServerEvent>
    private let arrived: AsyncStream<ServerEvent>.Continuation
    private let state: Lock<State>

    init(limit: Int, lastID: String) {
      (arrivals, arrived) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(HTTPHints.eventLimit))
      state = Lock(State(parser: EventParser(limit: limit, lastID: lastID)))
    }

    var isTooLong: Bool { state.withLock { $0.isTooLong } }
    var hasBegun: Bool { state.withLock { $0.hasBegun } }
    var lastID: String { state.withLock { $0.parser.lastID } }
    var retry: Duration? { state.withLock { $0.parser.retry } }

    func begin() { state.withLock { $0.hasBegun = true } }

    func end() { arrived.finish() }

    /// - Returns: Whether to continue.
    func take(_ bytes: [UInt8]) -> Bool {
      let events = state.withLock { state -> [ServerEvent]? in
        let events = try? state.parser.feed(bytes)
        state.isTooLong = events == nil
        return events
      }
      for event in events ?? [] { arrived.yield(event) }
      return events != nil
    }
  }

  private static func follow(
    _ events: HTTPEvents, _ connection: HTTPConnection, _ hint: @escaping @Sendable () -> Void
  ) async throws {
    let limit = connection.options.limits.event
    var lastID = ""
    var failures = 0
    var generator = SystemRandomNumberGenerator()
    while true {
      var request = HTTPRequest(
        "GET", events.path, headers: ["Accept": "text/event-stream", "Accept-Encoding": "identity"])
      if !lastID.isEmpty { request.headers["Last-Event-ID"] = lastID }
      let listener = Listener(limit: limit, lastID: lastID)
      var wait: Duration?
      do {
        let response = try await listen(request, listener, events, connection, hint)
        // The server wants no more listeners.
        if response?.status == 204 { return }
        if let response, !response.isSuccess { throw await connection.error(response, request.name) }
        wait = response?.wait
      } catch let error as HTTPError where error.isPassing(connection.options) {
        if listener.isTooLong {
          throw HTTPError.exceeds(path: request.name, what: "bytes in an event", limit: limit)
        }
      }
      failures = listener.hasBegun ? 1 : failures + 1
      lastID = listener.lastID
      let asked = connection.limited([listener.retry, wait].compactMap { $0 }.max())
      try await connection.clock.sleep(
        connection.options.backoff.delay(after: failures, retryAfter: asked, using: &generator))
    }
  }

  /// - Returns: The answer after its end.
  private static func listen(
    _ request: HTTPRequest, _ listener: Listener, _ events: HTTPEvents, _ connection: HTTPConnection,
    _ hint: @escaping @Sendable () -> Void
  ) async throws -> HTTPResponse? {
    try await withThrowingTaskGroup(of: HTTPResponse?.self) { group in
      group.addTask {
        defer { listener.end() }
        return try await connection.stream(request) { response in
          guard response.isSuccess else { return }
          listener.begin()
          hint()
        } take: { bytes in
          listener.take(bytes)
        }
      }
      group.addTask {
        for await event in listener.arrivals where try await events.onEvent(event, connection) { hint() }
        return nil
      }
      var response: HTTPResponse?
      while let result = try await group.next() { response = result ?? response }
      return response
    }
  }
}
