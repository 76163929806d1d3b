import Foundation
import Sanderling

/// An answer in transit.
final class HTTPTransfer: Sendable {
  private struct State {
    var response: HTTPResponse?
    var failure: HTTPError?
    /// The result if the transfer was cancelled before the wait began.
    var result: Result<HTTPResponse, any Error>?
    var continuation: CheckedContinuation<HTTPResponse, any Error>?
  }

  let path: String
  /// The server's address, for errors.
  private let server: String
  private let limits: HTTPLimits
  /// Receives the parts of a successful body and returns false for no more. If nil, the body is kept.
  private let take: (@Sendable ([UInt8]) -> Bool)?
  private let onStart: (@Sendable (HTTPResponse) -> Void)?
  private let state = Lock(State())

  init(
    path: String, server: String, limits: HTTPLimits, onStart: (@Sendable (HTTPResponse) -> Void)? = nil,
    take: (@Sendable ([UInt8]) -> Bool)? = nil
  ) {
    self.path = path
    self.server = server
    self.limits = limits
    self.onStart = onStart
    self.take = take
  }

  func begin(_ continuation: CheckedContinuation<HTTPResponse, any Error>) {
    let result = state.withLock { state in
      if state.result == nil { state.continuation = continuation }
      return state.result
    }
    if let result { continuation.resume(with: result) }
  }

  /// Whether the answer's header has arrived.
  var hasBegun: Bool { state.withLock { $0.response != nil } }

  /// The error of an answer that is missing or incomplete.
  func unreachable(_ reason: String) -> HTTPError { .unreachable(path: path, reason: "\(reason) (\(server))") }

  func fail(_ error: HTTPError) { state.withLock { $0.failure = $0.failure ?? error } }

  /// - Parameter size: The bytes of the answer's header so far.
  /// - Returns: Whether to continue.
  func receiveHeader(size: Int) -> Bool {
    if size <= limits.header { return true }
    fail(.exceeds(path: path, what: "bytes in its header", limit: limits.header))
    return false
  }

  /// - Parameter answer: The answer without its body.
  /// - Returns: Whether to continue.
  func receive(_ answer: HTTPResponse) -> Bool {
    let size = answer.headers.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    if !receiveHeader(size: size) { return false }
    state.withLock { $0.response = answer }
    onStart?(answer)
    return true
  }

  /// The server redirected the request. It isn't followed, because a token would be sent along.
  func redirect(to address: URL?) {
    fail(.redirected(path: path, to: HTTPError.shown(address)))
  }

  /// - Returns: Whether to continue.
  func receive(_ data: Data) -> Bool {
    let isTaken = state.withLock { $0.response?.isSuccess == true } && take != nil
    if isTaken, let take { return take(Array(data)) }
    return state.withLock { state in
      guard let count = state.response?.body.count, count + data.count <= limits.body else {
        state.failure = state.failure ?? .exceeds(path: path, what: "bytes", limit: limits.body)
        return false
      }
      state.response?.body.append(contentsOf: data)
      return true
    }
  }

  /// - Parameter problem: The reason why the answer is incomplete; nil if it is complete.
  func end(_ problem: String?) {
    let (continuation, result) = state.withLock { state in
      defer {
        state.continuation = nil
        state.response = nil
      }
      let result: Result<HTTPResponse, any Error> =
        if let failure = state.failure { .failure(failure) } else if let problem {
          .failure(unreachable(problem))
        } else if let response = state.response { .success(response) } else {
          .failure(unreachable("there was no answer of HTTP"))
        }
      if state.continuation == nil { state.result = result }
      return (state.continuation, result)
    }
    continuation?.resume(with: result)
  }
}
