public import Foundation

/// A source and sink for a [Kinto](https://docs.kinto-storage.org) server, with one collection for each record, of the
/// same name.
///
/// <doc:HTTP> lists the limits of a Kinto server.
public struct KintoAdapter: SyncSource, SyncSink, LookingSource {
  /// The adapter that this type configures.
  public let adapter: HTTPAdapter

  /// Creates the source and sink for one bucket of a Kinto server.
  ///
  /// - Parameters:
  ///   - url: The server's address with the version of its interface, such as `https://example.com/v1`.
  ///   - batchSize: The number of changes in one request. A server has a limit, `batch_max_requests`, which is 25
  ///     unless set.
  ///   - overlap: The longest time of a batch on the server.
  ///   - deletionsKept: The time for which the server keeps tombstones, as `kinto purge-deleted` is run; nil for ever.
  ///   - configure: Changes the declaration of a record, such as the names of its fields.
  /// - Throws: ``HTTPError/invalidURL(reason:)``.
  public init(
    url: URL, bucket: String, records: [SyncedRecord], authorization: HTTPAuthorization?, batchSize: Int = 25,
    overlap: Duration = .seconds(30), deletionsKept: Duration? = nil, follows: HTTPFollowing? = nil,
    options: HTTPOptions = HTTPOptions(),
    configure: (inout HTTPRecord) -> Void = { _ in }
  ) throws {
    var options = options
    // 409 means that two requests collided in its database. A conflict gets 412.
    options.busyStatuses.insert(409)
    let connection = try HTTPConnection(url, authorization: authorization, options: options)
    let declarations = records.map { record in
      let collection = "buckets/\(HTTPRequest.encoded(bucket))/collections/\(HTTPRequest.encoded(record.name))"
      var declaration = HTTPRecord(record, path: collection + "/records", idField: "id")
      declaration.query = ["_sort": "last_modified", "_limit": "1000"]
      declaration.rows = "data"
      declaration.version = "last_modified"
      declaration.deletedFlag = "deleted"
      // The server gives each record of a collection a unique time. So no row is missed between pages, and later
      // changes follow. But the time is set before the commit and without a lock: a batch may become visible after
      // records that were written later.
      var since = HTTPSince(.field("last_modified", .unique), parameter: "_since")
      since.overlap = overlap
      declaration.since = since
      declaration.pages = .whileHeader("Next-Page")
      declaration.count = .header("Total-Objects")
      declaration.hasCollectionTag = true
      // Deleting a collection also removes its tombstones.
      declaration.incarnation = HTTPIncarnation(path: collection, member: "data.last_modified")
      declaration.ignoredFields = ["schema"]
      var writes = HTTPWrites()
      writes.wrapper = "data"
      writes.batch = HTTPBatch(path: "batch", size: batchSize)
      writes.outcome = { response, _ in
        // The server's answer to a write contains the record's time of writing or deletion.
        let isItsAnswer = !response.isSuccess || response.member("data.last_modified") != nil
        return isItsAnswer ? nil : .failed("the answer has no data.last_modified")
      }
      declaration.writes = writes
      configure(&declaration)
      return declaration
    }
    adapter = HTTPAdapter(connection, records: declarations, follows: follows, deletionsKept: deletionsKept)
  }

  public var batchLimit: Int { adapter.batchLimit }

  func lookNow() -> Int? { adapter.lookNow() }
  var failedLooks: AwaitedState<FailedLooks> { adapter.failedLooks }

  public func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
    adapter.batches(after: cursor)
  }

  public func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] { try await adapter.send(mutations) }
}
