public import Foundation
import Sanderling

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests to one server: who asks, how often, and how much is taken.
///
/// Cookies and caches are left alone, certificates are verified as the system does, and redirections aren't followed. Bodies that come
/// compressed are decompressed as they come, and counted then.
///
/// All methods can be called from any task. A cancelled task's request ends at once.
public final class HTTPConnection: Sendable, CustomStringConvertible {
  /// The address that paths are below.
  public let url: URL
  public let options: HTTPOptions
  let clock: RunningClock
  private let token: HTTPToken?
  private let session: URLSession
  private let transfers = HTTPTransfers()
  /// When the next request may begin, and how much of that the server asked for.
  private let free = Lock((turn: Duration.zero, asked: Duration.zero))

  /// - Parameters:
  ///   - url: The address that paths are below, as `https://example.com/v1`.
  ///   - authorization: How requests tell who sends them; nil for those that anybody may send.
  /// - Throws: ``HTTPError/invalidURL(reason:)`` for an address that isn't encrypted, unless it is of this machine or
  ///   ``HTTPOptions/allowsPlainHTTP`` is set.
  public init(_ url: URL, authorization: HTTPAuthorization? = nil, options: HTTPOptions = HTTPOptions()) throws {
    guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), let host = url.host(),
      !host.isEmpty
    else { throw HTTPError.invalidURL(reason: "it has to begin with https:// and a host") }
    if url.user() != nil || url.query() != nil || url.fragment() != nil {
      throw HTTPError.invalidURL(
        reason: "it has a user, a query or a fragment. Give who asks by the authorization, and the rest to the records")
    }
    if scheme == "http", !options.allowsPlainHTTP, !Self.isLoopback(host) {
      throw HTTPError.invalidURL(
        reason:
          "http:// sends everything readable to all on the way. Use https://, or set allowsPlainHTTP in a network that you trust"
      )
    }
    self.url = url
    self.options = options
    clock = RunningClock(options.clock)
    token = authorization.map { HTTPToken($0) }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCredentialStorage = nil
    session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
  }

  deinit { session.finishTasksAndInvalidate() }

  public var description: String { "connection to \(url.host() ?? "")" }

  private static func isLoopback(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    let isAddress = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    return isAddress || host.lowercased() == "localhost" || host == "::1" || host == "[::1]"
  }
}

// MARK: - Requests

extension HTTPConnection {
  /// Sends a request once, and once more with a new token where the server answers 401.
  ///
  /// - Throws: ``HTTPError`` unless the server answered, whatever it answered but 401; `CancellationError`; what the authorization throws.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await authorized(request) { request in
      try await self.transfer(request, HTTPTransfer(path: request.name, limits: self.options.limits))
    }
  }

  /// Sends a request that changes nothing until it is answered, at most as often as ``HTTPOptions/backoff`` says.
  ///
  /// - Parameter read: Makes something of the answer to a success, or of 304. What it throws as ``HTTPError/malformed(path:reason:)`` is tried
  ///   again too: the answer may have been cut.
  /// - Throws: ``HTTPError``, `CancellationError`, what the authorization throws.
  public func read<Value: Sendable>(
    _ request: HTTPRequest, _ read: @Sendable (HTTPResponse) throws -> Value
  ) async throws -> Value {
    var failures = 0
    var generator = SystemRandomNumberGenerator()
    while true {
      var wait: Duration?
      do {
        let response = try await send(request)
        wait = response.wait
        guard response.isSuccess || response.status == 304 else { throw await error(response, request.name) }
        return try read(response)
      } catch let error as HTTPError where error.isPassing(options) {
        failures += 1
        if failures >= options.backoff.attempts { throw error }
        let delay = options.backoff.delay(after: failures, retryAfter: limited(wait), using: &generator)
        try announce(delay, of: request, status: error.status, isRequested: wait != nil)
        try await clock.sleep(delay)
      }
    }
  }

  /// What a status that says no means, without what a server repeats of the token.
  func error(_ response: HTTPResponse, _ path: String) async -> HTTPError {
    .status(path: path, code: response.status, message: await message(response))
  }

  func message(_ response: HTTPResponse) async -> String {
    await token?.redacted(response.message) ?? response.message
  }

  func limited(_ wait: Duration?) -> Duration? { wait.map { min($0, options.greatestWait) } }

  /// - Throws: What ``HTTPOptions/onWait`` does.
  func announce(_ wait: Duration, of request: HTTPRequest, status: Int?, isRequested: Bool) throws {
    let address = base + "/" + (request.path.drop { $0 == "/" }).prefix { $0 != "?" }
    try options.onWait?(HTTPWait(address: address, status: status, duration: wait, isRequested: isRequested))
  }

  /// Follows an answer that goes on, until it ends or the closure wants no more.
  func stream(
    _ request: HTTPRequest, onStart: @escaping @Sendable (HTTPResponse) -> Void,
    take: @escaping @Sendable ([UInt8]) -> Bool
  ) async throws -> HTTPResponse {
    try await authorized(request) { request in
      let transfer = HTTPTransfer(path: request.name, limits: self.options.limits, onStart: onStart, take: take)
      return try await self.transfer(request, transfer, isEndless: true)
    }
  }

  private func authorized(
    _ request: HTTPRequest, _ send: (HTTPRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    guard let token else {
      let response = try await send(request)
      if response.status == 401 { throw HTTPError.unauthorized(path: request.name) }
      return response
    }
    var value = try await token.current()
    for isLast in [false, true] {
      var request = request
      if value.unicodeScalars.contains(where: { $0.value < 32 }) {
        throw HTTPError.invalidRequest(path: request.name, reason: "the token has a line break")
      }
      request.headers[token.header] = value
      let response = try await send(request)
      if response.status != 401 { return response }
      if !isLast { value = try await token.replacement(for: value) }
    }
    throw HTTPError.unauthorized(path: request.name)
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
    let task = session.dataTask(with: try urlRequest(request, isEndless: isEndless))
    transfers.add(transfer, task)
    // One without end has to begin in time.
    let longest = isEndless ? options.timeout : options.greatestDuration
    let deadline = Task {
      try await Task.sleep(for: longest)
      if isEndless, transfer.hasBegun { return }
      transfer.fail(.unreachable(path: transfer.path, reason: "the answer took too long"))
      task.cancel()
    }
    defer { deadline.cancel() }
    do {
      let response = try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          transfer.begin(continuation)
          task.resume()
        }
      } onCancel: {
        task.cancel()
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

  private func urlRequest(_ request: HTTPRequest, isEndless: Bool) throws -> URLRequest {
    var urlRequest = URLRequest(url: try address(request))
    urlRequest.httpMethod = request.method
    urlRequest.httpBody = request.body
    urlRequest.httpShouldHandleCookies = false
    urlRequest.timeoutInterval = isEndless ? 600 : options.timeout / .seconds(1)
    urlRequest.setValue("application/json", forHTTPHeaderField: "Accept")
    if request.body != nil { urlRequest.setValue("application/json", forHTTPHeaderField: "Content-Type") }
    for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
    return urlRequest
  }

  /// The server's address without a slash at its end.
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
      throw HTTPError.invalidRequest(path: request.name, reason: "the path isn't one")
    }
    return address
  }

  /// The path, below the server's address, of a link that the server gave.
  ///
  /// - Throws: ``HTTPError/redirected(path:to:)`` for one that leads elsewhere.
  func path(of link: String, from path: String) throws -> String {
    let base = base
    guard let address = URL(string: link, relativeTo: URL(string: base + "/"))?.absoluteURL else {
      throw HTTPError.malformed(path: path, reason: "a link is no address")
    }
    let text = address.absoluteString
    guard text.hasPrefix(base + "/") else {
      throw HTTPError.redirected(path: path, to: HTTPError.shown(address))
    }
    return String(text.dropFirst(base.count + 1))
  }
}
