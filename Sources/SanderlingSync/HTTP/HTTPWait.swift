/// A wait before a request: the server asked for it, or a request has failed and is sent again.
public struct HTTPWait: Sendable, Hashable {
  /// The address of the request, without its query.
  public let address: String
  /// The status of the server's answer; nil if the server wasn't reached, or requested the wait in an earlier answer.
  public let status: Int?
  /// The duration of the wait.
  public let duration: Duration
  /// Whether the server asked for the wait, with `Retry-After` or `Backoff`.
  public let isRequested: Bool
}
