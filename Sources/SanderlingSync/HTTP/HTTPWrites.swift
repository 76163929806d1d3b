import Sanderling

/// How the device's changes are sent.
public struct HTTPWrites: Sendable {
  /// The record that must be there, or must not.
  public enum Precondition: Sendable, Hashable {
    /// The request has no precondition.
    case none
    /// `If-Match` with the version that the change is based on.
    case ifMatch
    /// `If-None-Match: *`
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
    /// Members of the body beside the values, as JSON by the name of the field. A deletion has a body only with them.
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
  /// The request for several changes; nil if there is no such request.
  public var batch: HTTPBatch?
  /// The meaning of an answer; nil for the meaning of its status.
  ///
  /// The status means the same in an answer and in a part of a batch:
  ///
  /// | status | what becomes of the change |
  /// | --- | --- |
  /// | 2xx, and 404 or 410 for a deletion | it is done |
  /// | other 404 or 410, 409, 412 | it is in conflict, and sent again when the record was pulled. If all that the server has was read, and told nothing else, it is refused |
  /// | 401, 419, 440, 498 | it is sent again with a new token, then it waits |
  /// | 402, 407, 408, 421, 423 to 425, 429, 431, 499, 5xx, ``HTTPOptions/busyStatuses``, and any refusal with `Retry-After` | it waits, and is sent again |
  /// | 406, 415, 417, 426, 428 | it is sent again, and refused at the third such answer: the declaration is wrong |
  /// | 403 | it is sent again with a new token, then it is refused. It waits where the server forbids each change, or to read the records |
  /// | 413, 414 | it is refused, and goes to the quarantine |
  /// | all others | it is refused, and goes to the quarantine. With a body that isn't JSON it waits: a firewall or a portal answered |
  ///
  /// Not asked for 401 and its kin, nor for a 2xx, 404 or 410 with a body that isn't JSON: that is no answer of the server, and a failure. A server that
  /// refuses changes with a body that isn't JSON needs a function here.
  public var outcome: (@Sendable (HTTPResponse, Mutation) -> MutationOutcome?)?

  public init() {}
}

/// A request with requests in it, which are done in their order: `{"requests": [{"method", "path", "headers", "body"}]}`, answered by
/// `{"responses": [{"status", "headers", "body"}]}`.
public struct HTTPBatch: Sendable, Hashable {
  var path: String
  var size: Int
  /// The prefix of the paths of the requests in it.
  var pathPrefix: String

  /// Declares the path of such requests, and the greatest number of changes in one.
  public init(path: String, size: Int, pathPrefix: String = "/") {
    self.path = path
    self.size = max(size, 1)
    self.pathPrefix = pathPrefix
  }
}
