public import Foundation

/// The errors between a device and a server, and how to deal with them.
///
/// Messages name hosts and paths, never queries, values or tokens.
public enum HTTPError: Error, Hashable, Sendable {
  /// The address can't be used for requests, or is not safe.
  case invalidURL(reason: String)
  /// The server refused the token and its replacement.
  case unauthorized(path: String)
  /// The server answered with the status of a refusal or an error.
  case status(path: String, code: Int, message: String)
  /// The server redirected the request to another address, which is given without its query. The redirection isn't
  /// followed, because a token would be sent along.
  case redirected(path: String, to: String)
  /// The answer exceeds the ``HTTPLimits``.
  case exceeds(path: String, what: String, limit: Int)
  /// The answer differs from the adapter's declaration.
  case malformed(path: String, reason: String)
  /// The server wasn't reached, or the answer ended in its middle.
  case unreachable(path: String, reason: String)
  /// A record's declaration is invalid for the reason.
  case invalidDeclaration(record: String, reason: String)
  /// A value has no place in a request.
  case invalidRequest(path: String, reason: String)
}

extension HTTPError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .invalidURL(let reason):
      "The server's address can't be used: \(reason)."
    case .unauthorized(let path):
      "\(path): the server doesn't accept the token. Sign in again, so that the authorization gives another token."
    case .status(let path, let code, let message):
      "\(path): the server answered \(code)\(message.isEmpty ? "" : ", \(message)"). Check the adapter's paths and the rights on the "
        + "server."
    case .redirected(let path, let address):
      "\(path): the server redirects the request to \(address). The redirection isn't followed, since the token would go along. If that is the "
        + "server's own address, give it to the adapter."
    case .exceeds(let path, let what, let limit):
      "\(path): the answer has more than \(limit) \(what). Ask for smaller pages, or raise HTTPLimits."
    case .malformed(let path, let reason):
      "\(path): the answer differs from the declaration: \(reason). Compare the adapter's declaration with the server's answers."
    case .unreachable(let path, let reason):
      "\(path): no complete answer: \(reason). Run it again when the server can be reached; it continues from here."
    case .invalidDeclaration(let record, let reason):
      "The declaration of \(record) can't work: \(reason)."
    case .invalidRequest(let path, let reason):
      "\(path): the request can't be made: \(reason). Change the record or its declaration."
    }
  }
}

extension HTTPError {
  /// An address with its scheme, host, port and path. The other parts may be secret.
  static func shown(_ url: URL?) -> String {
    guard let url, let host = url.host() else { return "no address" }
    let port = url.port.map { ":\($0)" } ?? ""
    return "\(url.scheme?.lowercased() ?? "https")://\(host)\(port)\(url.path())"
  }

  /// The status of the server's answer; nil for other errors.
  var status: Int? {
    if case .status(_, let code, _) = self { code } else { nil }
  }

  /// Whether a repetition of the same request may succeed.
  func isPassing(_ options: HTTPOptions) -> Bool {
    switch self {
    case .status(_, let code, _): HTTPMeaning(status: code, busy: options.busyStatuses) == .moment
    case .malformed, .unreachable: true
    default: false
    }
  }

  /// Whether the server is unreachable or temporarily unavailable.
  func isOfAbsence(_ options: HTTPOptions) -> Bool {
    if case .malformed = self { false } else { isPassing(options) }
  }
}
