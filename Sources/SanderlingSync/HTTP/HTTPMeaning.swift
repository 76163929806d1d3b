/// The meaning of a status, whether it belongs to an answer or to a part of a batch.
///
/// A status concerns the request's content, or the client and the moment. Only a status about the content may
/// quarantine a change.
enum HTTPMeaning: Sendable, Hashable {
  /// The server executed the request: 2xx.
  case done
  /// The server doesn't know the caller: 401. It may accept another token.
  case unknownCaller
  /// The caller may not do this: 403. The first such answer concerns the token. If the repeated request gets the same
  /// answer, it concerns the change. Exception: the server forbids all changes, see ``HTTPStanding``.
  case forbidden
  /// A property of the client that its user can change: a payment (402), a proxy (407), a shorter token (431).
  case client
  /// The form of the request, which only another declaration changes: 406, 415, 417, 426, 428.
  case form
  /// The moment: the same request may succeed later. 408, 421, 423, 424, 425, 429, 1xx, 3xx, 5xx, the declared
  /// ``HTTPOptions/busyStatuses``, and a refusal with a time for the next attempt (`Retry-After`).
  case moment
  /// The record does not exist: 404, 410.
  case absence
  /// The record differs from the one that the request is based on: 409, 412.
  case conflict
  /// The server refuses the content: all other statuses.
  case refusal

  /// - Parameters:
  ///   - busy: The statuses of a busy server.
  ///   - asksToWait: Whether the answer gives a time for the next attempt.
  init(status: Int, busy: Set<Int> = [], asksToWait: Bool = false) {
    switch status {
    case 200..<300: self = .done
    case 401, 419, 440, 498: self = .unknownCaller
    case _ where busy.contains(status): self = .moment
    case ..<400, 408, 421, 423, 424, 425, 429, 499, 500...: self = .moment
    case 404, 410: self = .absence
    case 409, 412: self = .conflict
    case 402, 407, 431: self = .client
    case 406, 415, 417, 426, 428: self = .form
    case _ where asksToWait: self = .moment
    case 403: self = .forbidden
    default: self = .refusal
    }
  }
}

extension HTTPMeaning {
  /// Whether the server accepted the caller: it executed the request, or judged the request's content.
  var letsCallerIn: Bool { [.done, .absence, .conflict, .refusal].contains(self) }
}

extension HTTPResponse {
  /// The meaning of the answer to a connection with these options.
  func meaning(_ options: HTTPOptions) -> HTTPMeaning {
    HTTPMeaning(status: status, busy: options.busyStatuses, asksToWait: header("Retry-After") != nil)
  }
}
