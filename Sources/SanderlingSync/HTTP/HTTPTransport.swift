import Foundation

/// Sends requests to servers and receives their answers.
protocol HTTPTransport: Sendable {
  /// Begins a request. The transfer receives its events and ends exactly once.
  ///
  /// - Returns: A closure that ends the request. It may be called from any thread, even after the request's end.
  func start(_ request: HTTPWireRequest, _ transfer: HTTPTransfer) -> @Sendable () -> Void
}

/// A request with its complete address and headers.
struct HTTPWireRequest: Sendable {
  let url: URL
  let method: String
  let headers: [String: String]
  let body: Data?
  /// The longest silence of the server.
  let silence: Duration
}

/// The transport of this system.
///
/// On Linux, FoundationNetworking crashes the process when an answer breaks off within its header, and waits for ever
/// after some 401 answers. So requests use libcurl there, which FoundationNetworking uses too.
enum HTTPTransports {
  static func system() -> any HTTPTransport {
    #if canImport(Glibc) && (arch(x86_64) || arch(arm64))
      if let loop = CurlLoop.shared { return loop }
    #endif
    return URLSessionTransport()
  }
}
