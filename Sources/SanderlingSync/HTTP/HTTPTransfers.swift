import Foundation
import Sanderling

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An answer on its way.
final class HTTPTransfer: Sendable {
  private struct State {
    var response: HTTPResponse?
    var failure: HTTPError?
    /// What came of it before anybody waited: it was cancelled before it began.
    var result: Result<HTTPResponse, any Error>?
    var continuation: CheckedContinuation<HTTPResponse, any Error>?
  }

  let path: String
  private let limits: HTTPLimits
  /// Takes a part of the body of a success; false for no more. Without it the body is kept.
  private let take: (@Sendable ([UInt8]) -> Bool)?
  private let onStart: (@Sendable (HTTPResponse) -> Void)?
  private let state = Lock(State())

  init(
    path: String, limits: HTTPLimits, onStart: (@Sendable (HTTPResponse) -> Void)? = nil,
    take: (@Sendable ([UInt8]) -> Bool)? = nil
  ) {
    self.path = path
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

  /// Whether the answer's header is here.
  var hasBegun: Bool { state.withLock { $0.response != nil } }

  func fail(_ error: HTTPError) { state.withLock { $0.failure = $0.failure ?? error } }

  /// - Returns: Whether to go on.
  func receive(_ response: HTTPURLResponse) -> Bool {
    var headers: [String: String] = [:]
    var bytes = 0
    for (name, value) in response.allHeaderFields {
      guard let name = name as? String, let value = value as? String else { continue }
      bytes += name.utf8.count + value.utf8.count
      headers[name.lowercased()] = value
    }
    let answer = HTTPResponse(status: response.statusCode, headers: headers)
    if bytes > limits.header {
      fail(.exceeds(path: path, what: "bytes in its header", limit: limits.header))
      return false
    }
    state.withLock { $0.response = answer }
    onStart?(answer)
    return true
  }

  /// - Returns: Whether to go on.
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

  func end(_ error: (any Error)?) {
    let (continuation, result) = state.withLock { state in
      defer {
        state.continuation = nil
        state.response = nil
      }
      let result: Result<HTTPResponse, any Error> =
        if let failure = state.failure { .failure(failure) } else if let error {
          .failure(HTTPError.unreachable(path: path, reason: Self.reason(error)))
        } else if let response = state.response { .success(response) } else {
          .failure(HTTPError.unreachable(path: path, reason: "there was no answer of HTTP"))
        }
      if state.continuation == nil { state.result = result }
      return (state.continuation, result)
    }
    continuation?.resume(with: result)
  }

  /// What happened, without the address, whose query may have secrets.
  private static func reason(_ error: any Error) -> String {
    guard let error = error as? URLError else { return "the connection failed" }
    return switch error.code {
    case .timedOut: "the server was silent for too long"
    case .cannotFindHost, .dnsLookupFailed: "there is no such host"
    case .cannotConnectToHost: "nothing answers at the address"
    case .networkConnectionLost: "the connection was lost"
    case .notConnectedToInternet: "there is no network"
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected:
      "the server can't show that it is the one it says (TLS)"
    case .cancelled: "it was cancelled"
    case .badURL: "this system doesn't take the address: give the host a name where it is a number in brackets"
    default: "the connection failed (\(error.code.rawValue))"
    }
  }
}

/// Hands what comes over a session to the transfers that asked for it.
final class HTTPTransfers: NSObject, URLSessionDataDelegate, Sendable {
  private let transfers = Lock<[Int: HTTPTransfer]>([:])

  func add(_ transfer: HTTPTransfer, _ task: URLSessionTask) {
    transfers.withLock { $0[task.taskIdentifier] = transfer }
  }

  private func transfer(_ task: URLSessionTask) -> HTTPTransfer? {
    transfers.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    guard let response = response as? HTTPURLResponse, transfer(dataTask)?.receive(response) == true else {
      return completionHandler(.cancel)
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if transfer(dataTask)?.receive(data) != true { dataTask.cancel() }
  }

  /// No redirection is followed: the headers, and a token among them, would go along.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    if let transfer = transfer(task) {
      transfer.fail(.redirected(path: transfer.path, to: HTTPError.shown(request.url)))
    }
    completionHandler(nil)
    task.cancel()
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.end(error)
  }
}
