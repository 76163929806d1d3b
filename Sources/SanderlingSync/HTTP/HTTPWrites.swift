import Sanderling

/// How the device's changes are sent.
public struct HTTPWrites: Sendable {
  /// The record that must be there, or must not.
  public enum Precondition: Sendable, Hashable {
    case none
    /// `If-Match` with the version that the change is based on.
    case ifMatch
    /// `If-None-Match: *`
    case ifNoneMatch
  }

  /// One kind of request.
  public struct Write: Sendable {
    public var method: String
    /// Whether it goes to the collection, and not to the record below it.
    public var isOfCollection: Bool
    public var precondition: Precondition
    /// What the body has beside the values; a deletion has a body only with it. JSON by the name of the field.
    public var extra: [String: String]

    public init(
      _ method: String, isOfCollection: Bool = false, precondition: Precondition = .none, extra: [String: String] = [:]
    ) {
      self.method = method
      self.isOfCollection = isOfCollection
      self.precondition = precondition
      self.extra = extra
    }
  }

  public var insertion = Write("PUT", precondition: .ifNoneMatch)
  public var update = Write("PATCH", precondition: .ifMatch)
  public var deletion = Write("DELETE", precondition: .ifMatch)
  /// The member that holds a row in bodies and in answers, as `data`; nil where they are the row.
  public var wrapper: String?
  /// The header for what tells a mutation from all others, for servers that apply each once.
  public var numberHeader: String?
  /// The answer's header that has the version, where no field has it.
  public var versionHeader: String?
  /// How many changes go in one request; nil where there is no such request.
  public var batch: HTTPBatch?
  /// What an answer means; nil for what it means by its status.
  ///
  /// 2xx has done it, as has 404 or 410 for a deletion. Any other 404 or 410, 409 and 412 are conflicts. 408, 425, 429, 5xx and
  /// ``HTTPOptions/busyStatuses`` are failures, which are sent again. All others refuse it for good. A 2xx, 404 or 410 with a body that isn't JSON is no answer of the server, and a failure: this
  /// isn't asked then.
  public var outcome: (@Sendable (HTTPResponse, Mutation) -> MutationOutcome?)?

  public init() {}
}

/// A request with requests in it, which are done in their order: `{"requests": [{"method", "path", "headers", "body"}]}`, answered by
/// `{"responses": [{"status", "headers", "body"}]}`.
public struct HTTPBatch: Sendable, Hashable {
  var path: String
  var size: Int
  /// Before the paths of the requests in it.
  var pathPrefix: String

  public init(path: String, size: Int, pathPrefix: String = "/") {
    self.path = path
    self.size = max(size, 1)
    self.pathPrefix = pathPrefix
  }
}
