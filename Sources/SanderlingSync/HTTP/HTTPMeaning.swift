/// The meaning of a status, wherever the status appears: in an answer, or in an answer to a part of a batch.
///
/// A status speaks of the request's content, or of the client and the moment. Only a statement about the content may quarantine a change.
enum HTTPMeaning: Sendable, Hashable {
  /// The server did the request: 2xx.
  case done
  /// The server doesn't know the caller: 401. Another token may be taken.
  case unknownCaller
  /// The caller may not do this: 403. It concerns the token until the request, sent again, is answered alike; then the
  /// change, unless the server forbids all changes: ``HTTPStanding``.
  case forbidden
  /// Something about the client, which others mend: a payment (402), a proxy (407), a shorter token (431).
  case client
  /// Something about the form of the request, which only another declaration mends: 406, 415, 417, 426, 428.
  case form
  /// Something about the moment: the same request may be taken later. 408, 421, 423, 424, 425, 429, 1xx, 3xx, 5xx, the declared
  /// ``HTTPOptions/busyStatuses``, and a refusal that says when to come again (`Retry-After`).
  case moment
  /// The record isn't there: 404, 410.
  case absence
  /// The record isn't what the request is based on: 409, 412.
  case conflict
  /// The server doesn't take the content: all other statuses.
  case refusal

  /// - Parameters:
  ///   - busy: The statuses that the server answers when it is busy.
  ///   - asksToWait: Whether the answer says when to come again.
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
  /// Whether the server let the caller in: it did the request, or judged the request's content.
  var letsCallerIn: Bool { [.done, .absence, .conflict, .refusal].contains(self) }
}

extension HTTPResponse {
  /// The meaning of the answer to a connection with these options.
  func meaning(_ options: HTTPOptions) -> HTTPMeaning {
    HTTPMeaning(status: status, busy: options.busyStatuses, asksToWait: header("Retry-After") != nil)
  }
}
