import Foundation

/// The way requests identify the user who sends them.
///
/// The result of the closure stays in memory as long as the server accepts it. It never appears in errors, descriptions
/// or the database.
public struct HTTPAuthorization: Sendable, CustomStringConvertible {
  let header: String
  let value: @Sendable (_ wasRefused: Bool) async throws -> String

  /// Creates an authorization that sends a header with each request.
  ///
  /// - Parameters:
  ///   - header: The header's name.
  ///   - value: Returns the header's value. Called at the first request. After the server answered 401 to the value, it
  ///     is called again with `true`, and must return a new value. After 403 it is called again at most once a minute.
  public init(
    header: String = "Authorization", value: @escaping @Sendable (_ wasRefused: Bool) async throws -> String
  ) {
    self.header = header
    self.value = value
  }

  /// Sends a token, as `Authorization: Bearer …`.
  public static func bearer(_ token: @escaping @Sendable (_ wasRefused: Bool) async throws -> String) -> Self {
    HTTPAuthorization { "Bearer " + (try await token($0)) }
  }

  /// Sends a name and a password, as `Authorization: Basic …`.
  public static func basic(user: String, password: String) -> Self {
    let value = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    return HTTPAuthorization { _ in value }
  }

  public var description: String { "authorization by \(header)" }
}

/// The value of an authorization, kept as long as the server accepts it.
actor HTTPToken {
  private let authorization: HTTPAuthorization
  private let clock: RunningClock
  private var value: String?
  /// The time of the last value that was requested after a refusal.
  private var renewed: Duration?
  /// Whether the authorization was called and has not returned yet.
  private var isAsking = false
  /// The requests that wait for a value, by number.
  private var waiting: [Int: CheckedContinuation<String, any Error>] = [:]
  private var lastNumber = 0

  /// The time after a renewal during which a 403 does not renew the token again, because it may concern the caller's
  /// rights. Later the token may have expired.
  private static let freshness = Duration.seconds(60)

  init(_ authorization: HTTPAuthorization, _ clock: RunningClock) {
    self.authorization = authorization
    self.clock = clock
  }

  nonisolated var header: String { authorization.header }

  func current() async throws -> String {
    if let value { return value }
    return try await ask(wasRefused: false)
  }

  /// A replacement for a refused value. Many simultaneous refusals make a single request.
  ///
  /// - Parameter isForbidden: Whether the server answered 403, which may concern the caller's rights and not the token.
  func replacement(for refused: String, isForbidden: Bool) async throws -> String {
    if let value, value != refused { return value }
    if isForbidden, let renewed, clock.now() - renewed < Self.freshness { return refused }
    let given = try await ask(wasRefused: true)
    renewed = clock.now()
    return given
  }

  /// A cancelled request stops waiting at once. The renewal continues to its end, because the server may already have
  /// issued a new refresh token. The next request uses its value.
  private func ask(wasRefused: Bool) async throws -> String {
    lastNumber += 1
    let number = lastNumber
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
        waiting[number] = continuation
        if isAsking { return }
        isAsking = true
        Task {
          let result: Result<String, any Error>
          do { result = .success(try await authorization.value(wasRefused)) } catch { result = .failure(error) }
          finish(result)
        }
      }
    } onCancel: {
      Task { await self.leave(number) }
    }
  }

  private func finish(_ result: Result<String, any Error>) {
    isAsking = false
    if case .success(let given) = result { value = given }
    let waiting = waiting
    self.waiting = [:]
    for continuation in waiting.values { continuation.resume(with: result) }
  }

  private func leave(_ number: Int) {
    waiting.removeValue(forKey: number)?.resume(throwing: CancellationError())
  }

  /// A text from a server without the token, which some servers repeat.
  func redacted(_ text: String) -> String {
    guard let value else { return text }
    return ([value] + value.split(separator: " ").dropFirst().map(String.init)).filter { !$0.isEmpty }
      .reduce(text) { $0.replacingOccurrences(of: $1, with: "…") }
  }
}
