import Foundation
import Sanderling

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests with a URL session of its own, which ends with this object.
final class URLSessionTransport: HTTPTransport {
  private let session: URLSession
  private let transfers = URLSessionTransfers()

  init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCredentialStorage = nil
    session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
  }

  deinit { session.finishTasksAndInvalidate() }

  func start(_ request: HTTPWireRequest, _ transfer: HTTPTransfer) -> @Sendable () -> Void {
    var urlRequest = URLRequest(url: request.url)
    urlRequest.httpMethod = request.method
    urlRequest.httpBody = request.body
    urlRequest.httpShouldHandleCookies = false
    urlRequest.timeoutInterval = request.silence / .seconds(1)
    for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
    let task = session.dataTask(with: urlRequest)
    transfers.add(transfer, task)
    task.resume()
    return { task.cancel() }
  }
}

/// Passes a session's events to the transfers that they belong to.
private final class URLSessionTransfers: NSObject, URLSessionDataDelegate, Sendable {
  private let transfers = Lock<[Int: HTTPTransfer]>([:])
  /// Guards the answers that requested credentials, by task, until the tasks end.
  private let challenges = Lock<[Int: HTTPResponse]>([:])

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
    guard let response = response as? HTTPURLResponse else { return completionHandler(.cancel) }
    let isTaken = transfer(dataTask)?.receive(HTTPResponse(response)) == true
    completionHandler(isTaken ? .allow : .cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if transfer(dataTask)?.receive(data) != true { dataTask.cancel() }
  }

  /// Requests already contain their credentials. A challenge for others is refused, so that the server's answer is
  /// returned. Without a reply, FoundationNetworking waits for ever. With a refusal it cancels the task, whose answer
  /// is then this one. The system still verifies the server's identity.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let ofTheConnection = ["NSURLAuthenticationMethodServerTrust", "NSURLAuthenticationMethodClientCertificate"]
    if let answer = challenge.failureResponse as? HTTPURLResponse {
      challenges.withLock { $0[task.taskIdentifier] = HTTPResponse(answer) }
    }
    let isOfTheConnection = ofTheConnection.contains(challenge.protectionSpace.authenticationMethod)
    completionHandler(isOfTheConnection ? .performDefaultHandling : .rejectProtectionSpace, nil)
  }

  /// No redirection is followed, because the headers with a token would be sent along.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    transfer(task)?.redirect(to: request.url)
    completionHandler(nil)
    task.cancel()
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let challenge = challenges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    guard let transfer = transfers.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    if let challenge, error != nil {
      if !transfer.hasBegun { _ = transfer.receive(challenge) }
      return transfer.end(nil)
    }
    transfer.end(error.map { Self.reason($0) })
  }

  /// The error's description without the address, whose query may be secret.
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
      "the server can't prove its identity (TLS)"
    case .cancelled: "the request was cancelled"
    case .badURL: "this system doesn't support the address: give the host by name, not as a number in brackets"
    default: "the connection failed (\(error.code.rawValue))"
    }
  }
}

extension HTTPResponse {
  /// An answer without its body.
  fileprivate init(_ response: HTTPURLResponse) {
    self.init(status: response.statusCode)
    for case (let name as String, let value as String) in response.allHeaderFields {
      headers[name.lowercased()] = value
    }
  }
}
