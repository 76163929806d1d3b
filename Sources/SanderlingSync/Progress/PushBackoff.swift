/// The delay before a failed mutation is sent again. It doubles each time and is partly random, so that devices that
/// lost a server together don't return together.
public struct PushBackoff: Sendable, Hashable {
  /// The longest first wait.
  public var first: Duration
  /// The longest wait. A server can ask for a longer wait.
  public var greatest: Duration
  /// The number of times that a mutation is sent before a run of the loop ends; at least 1.
  public var attempts: Int

  public init(first: Duration = .seconds(1), greatest: Duration = .seconds(300), attempts: Int = 8) {
    self.first = first
    self.greatest = greatest
    self.attempts = max(attempts, 1)
  }

  /// The delay after a number of consecutive failures. It is random between half and all of a time that doubles with
  /// each failure, and at least the server's requested delay.
  func delay(after failures: Int, retryAfter: Duration?, using generator: inout some RandomNumberGenerator) -> Duration
  {
    let most = min(first * (1 << min(max(failures - 1, 0), 30)), greatest)
    let chosen = most * Double.random(in: 0.5...1, using: &generator)
    return max(chosen, retryAfter ?? .zero)
  }
}
