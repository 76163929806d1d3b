public import Foundation
import Sanderling

/// Requests to one server: their authorization, retries and limits.
///
/// Cookies and caches aren't used, the system verifies certificates, and redirections aren't followed. Compressed
/// bodies are decompressed as they arrive. The limits apply to the decompressed bytes.
///
/// All methods can be called from any task. A cancelled task's request ends at once.
public final class HTTPConnection: Sendable, CustomStringConvertible {
  /// The address that contains all paths of requests.
  public let url: URL
  /// The timeouts, retries and limits of requests.
  public let options: HTTPOptions
  let clock: RunningClock
  private let token: HTTPToken?
  private let transport: any HTTPTransport
  /// The earliest time of the next request, and the part of the wait that the server requested.
  private let free = Lock((turn: Duration.zero, asked: Duration.zero))

  /// Creates a connection to a server. Nothing is sent yet.
  ///
  /// - Parameters:
  ///   - url: The address below which all paths are, such as `https://example.com/v1`.
  ///   - authorization: The way requests identify their user; nil for a server that needs none.
  /// - Throws: ``HTTPError/invalidURL(reason:)`` for an unencrypted address, unless it is on this machine or
  ///   ``HTTPOptions/allowsPlainHTTP`` is set.
  public init(_ url: URL, authorization: HTTPAuthorization? = nil, options: HTTPOptions = HTTPOptions()) throws {
    guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), let host = url.host(),
      !host.isEmpty
    else { throw HTTPError.invalidURL(reason: "it must begin with https:// and a host") }
    if url.user() != nil || url.query() != nil || url.fragment() != nil {
      throw HTTPError.invalidURL(
        reason:
          "it has a user, a query or a fragment. Name the user in the authorization, and declare queries in the records"
      )
    }
    if scheme == "http", !options.allowsPlainHTTP, !Self.isLoopback(host) {
      throw HTTPError.invalidURL(
        reason:
          "http:// sends all data unencrypted. Use https://, or set allowsPlainHTTP in a network that you trust"
      )
    }
    self.url = url
    self.options = options
    clock = RunningClock(options.clock)
    token = authorization.map { [clock] in HTTPToken($0, clock) }
    transport = HTTPTransports.system()
  }

  public var description: String { "connection to \(url.host() ?? "")" }

  private static func isLoopback(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    let isAddress = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    return isAddress || host.lowercased() == "localhost" || host == "::1" || host == "[::1]"
  }
}

// MARK: - Requests

extension HTTPConnection {
  /// Sends a request once, and once more with a new token if the server answers 401, or 403.
  ///
  /// - Throws: ``HTTPError`` if the server didn't answer, or answered 401; `CancellationError`; the errors of the
  ///   authorization.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await send(request) { response in self.refusal(response, of: request) }
  }

  /// - Parameter refusal: Finds the part of the request that a server refused because of the caller; nil if there is
  ///   none.
  func send(
    _ request: HTTPRequest, refusal: (HTTPResponse) throws -> HTTPCallerRefusal?
  ) async throws -> HTTPResponse {
    try await authorized(request, refusal) { request in
      try await self.transfer(
        request, HTTPTransfer(path: request.name, server: self.server, limits: self.options.limits))
    }
  }

  /// Whether an answer refuses its request because of the caller.
  func refusal(_ response: HTTPResponse, of request: HTTPRequest) -> HTTPCallerRefusal? {
    switch response.meaning(options) {
    case .unknownCaller: HTTPCallerRefusal(request: request, endsRequest: true)
    case .forbidden: HTTPCallerRefusal(request: request, isForbidden: true)
    default: nil
    }
  }

  /// Sends a request that changes nothing until it is answered, at most as often as ``HTTPOptions/backoff`` allows.
  ///
  /// - Parameter read: Returns the value of a successful answer, or of 304. If it throws
  ///   ``HTTPError/malformed(path:reason:)``, the request is repeated, too, because the answer may have been cut.
  /// - Throws: ``HTTPError``, `CancellationError`, the errors of the authorization.
  public func read<Value: Sendable>(
    _ request: HTTPRequest, _ read: @Sendable (HTTPResponse) throws -> Value
  ) async throws -> Value {
    var failures = 0
    var generator = SystemRandomNumberGenerator()
    while true {
      var wait: Duration?
      var isMoment = false
      do {
        let response = try await send(request)
        wait = response.wait
        if response.isSuccess || response.status == 304 { return try read(response) }
        isMoment = response.meaning(options) == .moment
        throw await error(response, request.name)
      } catch let error as HTTPError where isMoment || error.isPassing(options) {
        failures += 1
        if failures >= options.backoff.attempts { throw error }
        let delay = options.backoff.delay(after: failures, retryAfter: limited(wait), using: &generator)
        try announce(delay, of: request, status: error.status, isRequested: wait != nil)
        try await clock.sleep(delay)
      }
    }
  }

  /// The error for a failure status. Its message omits parts of the token that a server repeats.
  func error(_ response: HTTPResponse, _ path: String) async -> HTTPError {
    .status(path: path, code: response.status, message: await message(response))
  }

  func message(_ response: HTTPResponse) async -> String {
    await token?.redacted(response.message) ?? response.message
  }

  func limited(_ wait: Duration?) -> Duration? { wait.map { min($0, options.greatestWait) } }

  /// - Throws: The errors of ``HTTPOptions/onWait``.
  func announce(_ wait: Duration, of request: HTTPRequest, status: Int?, isRequested: Bool) throws {
    let address = base + "/" + (request.path.drop { $0 == "/" }).prefix { $0 != "?" }
    try options.onWait?(HTTPWait(address: address, status: status, duration: wait, isRequested: isRequested))
  }

  /// Reads an endless answer until it ends or the closure returns false.
  func stream(
    _ request: HTTPRequest, onStart: @escaping @Sendable (HTTPResponse) -> Void,
    take: @escaping @Sendable ([UInt8]) -> Bool
  ) async throws -> HTTPResponse {
    try await authorized(request, { self.refusal($0, of: request) }) { request in
      let transfer = HTTPTransfer(
        path: request.name, server: self.server, limits: self.options.limits, onStart: onStart, take: take)
      return try await self.transfer(request, transfer, isEndless: true)
    }
  }

  private func authorized(
    _ request: HTTPRequest, _ refusal: (HTTPResponse) throws -> HTTPCallerRefusal?,
    _ send: (HTTPRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    var request = request
    var value = try await token?.current()
    var isRenewed = false
    while true {
      var signed = request
      if let token, let value {
        if value.unicodeScalars.contains(where: { $0.value < 32 }) {
          throw HTTPError.invalidRequest(path: request.name, reason: "the token has a line break")
        }
        signed.headers[token.header] = value
      }
      let response = try await send(signed)
      guard let refusal = try refusal(response) else { return response }
      // Exactly one renewal follows, whatever the new token is. After the renewal, a temporary refusal is not repeated.
      if !isRenewed, let token, let refused = value {
        value = try await token.replacement(for: refused, isForbidden: refusal.isForbidden)
        (request, isRenewed) = (refusal.request, true)
        continue
      }
      if refusal.endsRequest { throw HTTPError.unauthorized(path: request.name) }
      return response
    }
  }

  /// Waits until the next request may be sent.
  private func waitForTurn(_ request: HTTPRequest) async throws {
    let now = clock.now()
    let (turn, asked) = free.withLock { free in
      let turn = max(now, free.turn)
      free.turn = turn + options.interval
      return (turn, free.asked)
    }
    if asked > now { try announce(turn - now, of: request, status: nil, isRequested: true) }
    if turn > now { try await clock.sleep(turn - now) }
    try Task.checkCancellation()
  }

  private func transfer(
    _ request: HTTPRequest, _ transfer: HTTPTransfer, isEndless: Bool = false
  ) async throws -> HTTPResponse {
    try await waitForTurn(request)
    let wireRequest = try wireRequest(request, isEndless: isEndless)
    let running = HTTPRunningTransfer()
    // An endless request must begin within the timeout.
    let longest = isEndless ? options.timeout : options.greatestDuration
    let deadline = Task {
      try await Task.sleep(for: longest)
      if isEndless, transfer.hasBegun { return }
      transfer.fail(transfer.unreachable("the answer took too long"))
      running.cancel()
    }
    defer { deadline.cancel() }
    do {
      let response = try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          transfer.begin(continuation)
          running.start { self.transport.start(wireRequest, transfer) }
        }
      } onCancel: {
        running.cancel()
      }
      if let wait = limited(response.wait) {
        let until = clock.now() + wait
        free.withLock { $0 = (max($0.turn, until), max($0.asked, until)) }
      }
      return response
    } catch {
      try Task.checkCancellation()
      throw error
    }
  }

  private func wireRequest(_ request: HTTPRequest, isEndless: Bool) throws -> HTTPWireRequest {
    var headers = ["Accept": "application/json"]
    if request.body != nil { headers["Content-Type"] = "application/json" }
    headers.merge(request.headers) { $1 }
    if headers.contains(where: { "\($0.key)\($0.value)".unicodeScalars.contains { $0.value < 32 || $0.value == 127 } })
    {
      throw HTTPError.invalidRequest(
        path: request.name, reason: "a header has a line break or another control character")
    }
    return HTTPWireRequest(
      url: try address(request), method: request.method, headers: headers, body: request.body,
      silence: isEndless ? .seconds(600) : options.timeout)
  }

  /// The server's address as errors show it.
  private var server: String { HTTPError.shown(url) }

  /// The server's address without a trailing slash.
  private var base: String {
    var text = url.absoluteString
    while text.hasSuffix("/") { text.removeLast() }
    return text
  }

  private func address(_ request: HTTPRequest) throws -> URL {
    var text = base + "/" + request.path.drop { $0 == "/" }
    let query = request.query.sorted { $0.key < $1.key }
      .map { "\(HTTPRequest.encoded($0.key))=\(HTTPRequest.encoded($0.value))" }
    if !query.isEmpty { text += (request.path.contains("?") ? "&" : "?") + query.joined(separator: "&") }
    guard let address = URL(string: text), address.host() == url.host(), address.port == url.port else {
      throw HTTPError.invalidRequest(path: request.name, reason: "the path gives no valid address")
    }
    return address
  }

  /// The path of a link from the server, relative to the server's address.
  ///
  /// - Throws: ``HTTPError/redirected(path:to:)`` for a link to another server.
  func path(of link: String, from path: String) throws -> String {
    let base = base
    guard let address = URL(string: link, relativeTo: URL(string: base + "/"))?.absoluteURL else {
      throw HTTPError.malformed(path: path, reason: "a link is no valid address")
    }
    let text = address.absoluteString
    guard text.hasPrefix(base + "/") else {
      throw HTTPError.redirected(path: path, to: HTTPError.shown(address))
    }
    return String(text.dropFirst(base.count + 1))
  }
}

/// The part of a request that a server refused because of the caller.
struct HTTPCallerRefusal {
  /// The request to send with another token: the whole one, or its refused parts.
  let request: HTTPRequest
  /// Whether the server knows the caller but does not allow the request: 403.
  var isForbidden = false
  /// Whether the request ends if no other token is accepted. Otherwise its answer contains further results.
  var endsRequest = false
}

/// A running request, which may be cancelled before it begins.
private final class HTTPRunningTransfer: Sendable {
  private enum State {
    case waiting
    case running(@Sendable () -> Void)
    case cancelled
  }

  private let state = Lock(State.waiting)

  /// - Parameter begin: Begins the request, and returns a closure that ends it.
  func start(_ begin: () -> @Sendable () -> Void) {
    let end = begin()
    let isCancelled = state.withLock { state in
      if case .cancelled = state { return true }
      state = .running(end)
      return false
    }
    if isCancelled { end() }
  }

  func cancel() {
    let end: (@Sendable () -> Void)? = state.withLock { state in
      defer { state = .cancelled }
      if case .running(let end) = state { return end }
      return nil
    }
    end?()
  }
}
