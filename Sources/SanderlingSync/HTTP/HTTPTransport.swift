import Foundation

/// The way in which requests go to servers and answers come back.
protocol HTTPTransport: Sendable {
  /// Begins a request. What comes of it goes to the transfer, which ends exactly once.
  ///
  /// - Returns: Ends the request. Called from any thread, also after the request's end.
  func start(_ request: HTTPWireRequest, _ transfer: HTTPTransfer) -> @Sendable () -> Void
}

/// A request with its whole address and all of its headers.
struct HTTPWireRequest: Sendable {
  let url: URL
  let method: String
  let headers: [String: String]
  let body: Data?
  /// How long the server may be silent.
  let silence: Duration
}

/// The transport of this system.
///
/// On Linux, FoundationNetworking ends the process when an answer breaks off within its header, and waits for ever
/// after some answers of 401. So requests go over libcurl there, which FoundationNetworking uses too.
enum HTTPTransports {
  static func system() -> any HTTPTransport {
    #if canImport(Glibc) && (arch(x86_64) || arch(arm64))
      if let loop = CurlLoop.shared { return loop }
    #endif
    return URLSessionTransport()
  }
}
