import Foundation
import Sanderling

/// A source and sink for a server's collections, as declared.
///
/// ```swift
/// let server = try HTTPConnection(URL(string: "https://example.com")!, authorization: .bearer { wasRefused in
///   try await session.token(renewed: wasRefused)
/// })
/// let adapter = HTTPAdapter(server, records: [folders, notes], follows: .polling(every: .seconds(30)))
/// let session = try await SyncSession(
///   "example", store: store, records: adapter.syncedRecords, source: adapter, sink: adapter)
/// ```
///
/// A page is applied after all of it was received and decoded. A server's answers write only the tables of the records.
public struct HTTPAdapter: SyncSource, SyncSink, LookingSource {
  /// The connection that all requests use.
  public let connection: HTTPConnection
  public let knowsNumbers: Bool
  var follows: HTTPFollowing?
  let deletionsKept: Duration?
  /// The codings of the records, parents first.
  var codings: [HTTPRowCoding]
  let writes = HTTPOwnWrites()
  private let spoilt = HTTPSpoiltBatches()
  private let standing = HTTPStanding()
  private let preparation: Preparation

  /// Creates a source and sink for the records of one server.
  ///
  /// - Parameters:
  ///   - records: The records that are read and written, in any order.
  ///   - follows: How the source continues after all changes are read; nil for a source that ends then.
  ///   - knowsNumbers: Whether the server applies each mutation once, by ``HTTPWrites/numberHeader``.
  ///   - deletionsKept: The time for which the server remembers deletions, by its own clock; nil for ever. A device
  ///     that comes later reads everything again, and removes missing rows.
  ///   - prepare: Called once before the first request, to check the server.
  public init(
    _ connection: HTTPConnection, records: [HTTPRecord], follows: HTTPFollowing? = nil, knowsNumbers: Bool = false,
    deletionsKept: Duration? = nil, prepare: (@Sendable (HTTPConnection) async throws -> Void)? = nil
  ) {
    self.connection = connection
    self.knowsNumbers = knowsNumbers
    self.follows = follows
    self.deletionsKept = deletionsKept
    let codings = Self.parentsFirst(records).map { HTTPRowCoding($0, connection.options.limits) }
    self.codings = codings
    preparation = Preparation { connection in
      for coding in codings { try coding.declaration.validate() }
      try await prepare?(connection)
    }
  }

  /// The records, for the session.
  public var syncedRecords: [SyncedRecord] { codings.map(\.declaration.record) }

  public func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
    HTTPPull(adapter: self, cursor: cursor)
  }

  func lookNow() -> Int? { follows.map { _ in writes.lookNow() } }
  var failedLooks: AwaitedState<FailedLooks> { writes.failedLooks }

  /// The number of mutations that fit in one request, so that the server's answer is stored before the next request.
  public var batchLimit: Int { codings.map { $0.declaration.writes?.batch?.size ?? 1 }.max() ?? 1 }

  public func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] {
    try await prepare()
    let outcomes = try await HTTPPush(connection, codings, spoilt, standing).send(mutations)
    writes.note(outcomes)
    return outcomes
  }

  /// Returns the columns of a record's rows at the server. Reads all rows page by page and keeps none. O(rows).
  ///
  /// - Throws: ``HTTPError``.
  package func foundColumns(of record: SyncedRecord) async throws -> FoundColumns {
    var reader = self
    reader.follows = nil
    let key = codings.contains { $0.declaration.key.idField != nil } ? record.table.keyColumns.map(\.name) : []
    let found = Lock(FoundColumns(key: key))
    reader.codings = codings.filter { $0.declaration.record.name == record.name }.map { coding in
      var coding = coding
      coding.notes = { row in found.withLock { $0.add(row) } }
      return coding
    }
    for try await _ in reader.batches(after: nil) {}
    return found.withLock { $0 }
  }

  /// Whether each pull reads all rows, because some record has no query for changes.
  var isWhole: Bool { codings.contains { $0.declaration.since == nil } }

  func prepare() async throws { try await preparation.run(connection) }

  private static func parentsFirst(_ records: [HTTPRecord]) -> [HTTPRecord] {
    var left = records
    var ordered: [HTTPRecord] = []
    while !left.isEmpty {
      let names = Set(left.map(\.record.synced.name))
      let place = left.firstIndex { record in
        record.record.synced.references.allSatisfy {
          $0.parent == record.record.synced.name || !names.contains($0.parent)
        }
      }
      // A cycle may begin at any record.
      ordered.append(left.remove(at: place ?? 0))
    }
    return ordered
  }

  /// Work that is done once, and tried again after a failure.
  private actor Preparation {
    private let work: @Sendable (HTTPConnection) async throws -> Void
    private var isDone = false

    init(_ work: @escaping @Sendable (HTTPConnection) async throws -> Void) { self.work = work }

    func run(_ connection: HTTPConnection) async throws {
      if isDone { return }
      try await work(connection)
      isDone = true
    }
  }
}
