import Sanderling

/// The requests that send the device's changes.
public struct HTTPWrites: Sendable {
  /// A precondition on the record at the server.
  public enum Precondition: Sendable, Hashable {
    /// The request has no precondition.
    case none
    /// `If-Match` with the version that the change is based on.
    case ifMatch
    /// `If-None-Match: *`: the record must not exist.
    case ifNoneMatch
  }

  /// One kind of request.
  ///
  /// An insertion sends all columns, whatever its method. `PATCH`, and any other method, sends the changed columns.
  /// `PUT` replaces the record: the adapter reads the record, sets the changed fields, and sends all fields back. So
  /// fields that the app doesn't know are kept. Fields that only the server writes aren't sent back:
  /// ``HTTPRecord/ignoredFields``, the version, the flag of deletions and the place of ``HTTPSince``.
  public struct Write: Sendable {
    /// The method of the request.
    public var method: String
    /// Whether the request goes to the collection instead of the record below it.
    public var isOfCollection: Bool
    /// The precondition of the request.
    public var precondition: Precondition
    /// Members of the body beside the values, as JSON by the names of the fields. A deletion has a body only with them.
    public var extra: [String: String]

    /// Creates a kind of request with its method.
    public init(
      _ method: String, isOfCollection: Bool = false, precondition: Precondition = .none, extra: [String: String] = [:]
    ) {
      self.method = method
      self.isOfCollection = isOfCollection
      self.precondition = precondition
      self.extra = extra
    }

    /// Whether the server replaces the whole record by the body.
    var replaces: Bool { method.uppercased() == "PUT" && !isOfCollection }
  }

  /// The request for a new record: `PUT` with `If-None-Match: *` by default.
  public var insertion = Write("PUT", precondition: .ifNoneMatch)
  /// The request for a changed record: `PATCH` with `If-Match` by default.
  public var update = Write("PATCH", precondition: .ifMatch)
  /// The request for a deleted record: `DELETE` with `If-Match` by default.
  public var deletion = Write("DELETE", precondition: .ifMatch)
  /// The member that contains a row in bodies and in answers, such as `data`; nil if they are the row.
  public var wrapper: String?
  /// The header for the identity of a mutation, for servers that apply each mutation once.
  public var numberHeader: String?
  /// The header with the version in answers to writes, if their body lacks it. Rows that are read have it in
  /// ``HTTPRecord/version``.
  public var versionHeader: String?
  /// The request for several changes; nil if each change has its own request.
  public var batch: HTTPBatch?
  /// Returns the outcome for an answer. If the function is nil or returns nil, the answer's status decides.
  ///
  /// A status has the same meaning in an answer and in a part of a batch:
  ///
  /// | status | outcome of the change |
  /// | --- | --- |
  /// | 2xx, and 404 or 410 for a deletion | acknowledged |
  /// | other 404 or 410, 409, 412 | in conflict: sent again after the record was pulled, and refused without news |
  /// | 401, 419, 440, 498 | sent again with a new token, then pending |
  /// | 402, 407, 431 | pending, and sent again |
  /// | 408, 421, 423 to 425, 429, 499, 5xx, ``HTTPOptions/busyStatuses`` | pending, and sent again |
  /// | any refusal with `Retry-After` | pending, and sent again |
  /// | 406, 415, 417, 426, 428 | sent again, and refused at the third such answer: the declaration is wrong |
  /// | 403 | sent again with a new token, then refused; pending if the server forbids all changes or reading |
  /// | 413, 414 | refused |
  /// | all others | refused; pending if the body isn't JSON, because a firewall or a portal answered |
  ///
  /// A refused change is quarantined. The function isn't called for 401, 419, 440 and 498. Neither is it called for
  /// 2xx, 404 or 410 with a body that isn't JSON, which is no answer of the server and counts as a failure. A server
  /// that refuses changes with another body than JSON needs this function.
  public var outcome: (@Sendable (HTTPResponse, Mutation) -> MutationOutcome?)?

  public init() {}
}

/// A request that contains other requests, which the server executes in their order.
///
/// - Body: `{"requests": [{"method", "path", "headers", "body"}]}`
/// - Answer: `{"responses": [{"status", "headers", "body"}]}`
public struct HTTPBatch: Sendable, Hashable {
  var path: String
  var size: Int
  /// The prefix of the paths of the contained requests.
  var pathPrefix: String

  /// Declares the path of such requests, and the greatest number of changes in one request.
  public init(path: String, size: Int, pathPrefix: String = "/") {
    self.path = path
    self.size = max(size, 1)
    self.pathPrefix = pathPrefix
  }
}
