public import Foundation

/// A source and sink for a [PocketBase](https://pocketbase.io) server, with one collection for each record, of the same
/// name.
///
/// The server needs the hook in the folder `Servers/PocketBase`. Each collection needs the fields `version`, `deleted`
/// and `updated`. See <doc:HTTP>.
public struct PocketBaseAdapter: SyncSource, SyncSink, LookingSource {
  /// The adapter that this type configures.
  public let adapter: HTTPAdapter

  /// Creates the source and sink for a PocketBase server.
  ///
  /// - Parameters:
  ///   - url: The server's address, without `/api`.
  ///   - authorization: The result of ``password(url:collection:identity:password:options:)``, or an authorization with
  ///     tokens of the app's own.
  ///   - overlap: The longest time on the server from the choice of a write's time to its commit.
  ///   - deletionsKept: The time for which the server keeps deleted records; nil for ever.
  ///   - followsEvents: Whether the source continues with changes as they happen.
  ///   - configure: Changes the declaration of a record, such as the names of its fields.
  /// - Throws: ``HTTPError/invalidURL(reason:)``.
  public init(
    url: URL, records: [SyncedRecord], authorization: HTTPAuthorization?, overlap: Duration = .seconds(30),
    deletionsKept: Duration? = nil, followsEvents: Bool = false, options: HTTPOptions = HTTPOptions(),
    configure: (inout HTTPRecord) -> Void = { _ in }
  ) throws {
    let connection = try HTTPConnection(url, authorization: authorization, options: options)
    let declarations = records.map { record in
      var declaration = HTTPRecord(
        record, path: "api/collections/\(HTTPRequest.encoded(record.name))/records", idField: "id")
      declaration.query = ["sort": "updated,id", "perPage": "500", "skipTotal": "1"]
      declaration.rows = "items"
      declaration.version = "version"
      declaration.deletedFlag = "deleted"
      declaration.ignoredFields = ["collectionId", "collectionName", "expand"]
      // Times have milliseconds and are set before the write. So the key distinguishes rows with the same time, and
      // each synchronisation begins a little earlier to find rows that were written late. Rows that change between two
      // pages follow at the end.
      var since = HTTPSince(.field("updated", .key("id"))) { mark in
        let time = Self.quoted(mark.value)
        let behind = mark.key.map { " || (updated = \(time) && id > \(Self.quoted($0)))" } ?? " || updated = \(time)"
        return ["filter": "updated > \(time)\(behind)"]
      }
      since.overlap = overlap
      since.newest = ["sort": "-updated,-id", "perPage": "1"]
      declaration.since = since
      declaration.pages = .afterLastRow(size: 500)
      declaration.count = .member("totalItems", query: ["skipTotal": "0", "perPage": "1", "fields": "id"])
      var writes = HTTPWrites()
      writes.insertion = .init("POST", isOfCollection: true, precondition: .ifNoneMatch)
      // Devices learn of deletions by a flag, because a physically deleted record leaves no trace.
      writes.deletion = .init("PATCH", precondition: .ifMatch, extra: ["deleted": "true"])
      writes.numberHeader = "Idempotency-Key"
      writes.outcome = { response, mutation in
        // The server's answer to a write contains the row's version.
        if response.isSuccess, response.member("version") == nil { return .failed("the answer has no version") }
        // The server answers so for forbidden rows, too. If the deletion counted as done, it would exist on this device
        // only.
        if response.status == 404, mutation.content == .deletion {
          return .refused("the server doesn't have the record, or doesn't let this user delete it")
        }
        return nil
      }
      declaration.writes = writes
      configure(&declaration)
      return declaration
    }
    adapter = HTTPAdapter(
      connection, records: declarations, follows: followsEvents ? .events(Self.events(records)) : nil,
      knowsNumbers: true, deletionsKept: deletionsKept
    ) { connection in
      let path = "api/sanderling"
      let missing = HTTPError.malformed(
        path: path, reason: "the server lacks the hook in the folder Servers/PocketBase: install the hook there")
      do {
        try await connection.read(HTTPRequest("GET", path)) { if $0.member("hook") != "1" { throw missing } }
      } catch HTTPError.status(_, 404, _) {
        throw missing
      }
    }
  }

  /// Signs in with a password, again whenever the server no longer accepts the token.
  ///
  /// - Parameter collection: The collection of the users: `users`, or `_superusers` for an administrator.
  public static func password(
    url: URL, collection: String = "users", identity: String, password: String, options: HTTPOptions = HTTPOptions()
  ) -> HTTPAuthorization {
    HTTPAuthorization { _ in
      let path = "api/collections/\(HTTPRequest.encoded(collection))/auth-with-password"
      let body = try JSONEncoder().encode(["identity": identity, "password": password])
      let connection = try HTTPConnection(url, options: options)
      return try await connection.read(HTTPRequest("POST", path, body: body)) { response in
        guard let token = response.member("token") else {
          throw HTTPError.malformed(path: path, reason: "there is no token")
        }
        return token
      }
    }
  }

  /// The server gives the connection a number, and then receives a request that names the events to send.
  private static func events(_ records: [SyncedRecord]) -> HTTPEvents {
    HTTPEvents(path: "api/realtime") { event, connection in
      guard event.type == "PB_CONNECT" else { return true }
      struct Subscription: Encodable {
        let clientId: String
        let subscriptions: [String]
      }
      let body = try JSONEncoder().encode(
        Subscription(clientId: event.id, subscriptions: records.map { "\($0.name)/*" }))
      _ = try await connection.read(HTTPRequest("POST", "api/realtime", body: body)) { $0.status }
      return true
    }
  }

  /// A quoted text in a filter.
  private static func quoted(_ text: String) -> String {
    "'" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "'", with: "\\'") + "'"
  }

  public var knowsNumbers: Bool { adapter.knowsNumbers }

  public var batchLimit: Int { adapter.batchLimit }

  func lookNow() -> Int? { adapter.lookNow() }
  var failedLooks: AwaitedState<FailedLooks> { adapter.failedLooks }

  public func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
    adapter.batches(after: cursor)
  }

  public func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] { try await adapter.send(mutations) }
}
