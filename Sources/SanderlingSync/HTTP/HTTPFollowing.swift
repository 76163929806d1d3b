/// How a source continues after all changes are read.
public struct HTTPFollowing: Sendable {
  enum Way: Sendable {
    case polling(Duration)
    case events(HTTPEvents)
  }

  let way: Way

  /// Polls again after each interval, without end.
  public static func polling(every interval: Duration) -> Self { HTTPFollowing(way: .polling(interval)) }

  /// Polls again when the server announces a change, without end.
  public static func events(_ events: HTTPEvents) -> Self { HTTPFollowing(way: .events(events)) }
}

/// A stream of server-sent events. Each event announces changes to read.
public struct HTTPEvents: Sendable {
  /// The path of the stream below the server's address.
  public var path: String
  /// The time to wait for further events before reading.
  public var gap: Duration = .milliseconds(100)
  /// Decides for each event, in order, whether the changes are read. It may also subscribe to the events of
  /// collections.
  public var onEvent: @Sendable (ServerEvent, HTTPConnection) async throws -> Bool

  public init(
    path: String, onEvent: @escaping @Sendable (ServerEvent, HTTPConnection) async throws -> Bool = { _, _ in true }
  ) {
    self.path = path
    self.onEvent = onEvent
  }
}
