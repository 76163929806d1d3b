import Foundation
import Testing

@testable import Sanderling

/// Every construct that an index can serve uses the index. The keys are not integers, so that an index for an order
/// must end with the key.
@Suite struct QueryPlanTests {
  @Record(indexes: [
    .on(\.projectID, \.isCompleted, \.dueAt, \.id), .on(\.title, \.id),
    .on(\.dueAt, .descending(\.rank), .descending(\.id)),
    .on(\.dueAt, \.id),
  ])
  struct Job {
    var id: UUID
    var projectID: UUID
    var title: String
    var isCompleted = false
    var dueAt: Date?
    var rank: Int
    static let project = belongsTo(Site.self, by: \.projectID)
  }

  @Record
  struct Site {
    var id: UUID
    var name: String
    var isHidden = false
    @Stored(collation: .nocase) var code: String
    var parentID: UUID?
    static let jobs = hasMany(Job.self, by: \.projectID)
    static let children = hasMany(Site.self, by: \.parentID)
    static let descendants = hasMany(Site.self, by: \.parentID).recursive()
    static let indexes: [Sanderling.Index<Site>] = [
      .on(.ascending(\.name), .ascending(\.id)).where { !$0.isHidden }, .on(.ascending(\.code)),
      .on(.ascending(\.parentID)),
      .on(.expression { $0.name.lowercased() }, name: "site_lower"),
    ]
  }

  let store: Store

  init() throws {
    store = try Store(inMemory: [Site.self, Job.self])
  }

  func expect<Root, Output>(
    _ query: Selection<Root, Output>, plan: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(try await store.plan(query.sql).joined(separator: "\n") == plan, sourceLocation: sourceLocation)
  }

  @Test func keys() async throws {
    let statement = SQLStatement(sql: Job.table.statements.selectByKey, arguments: [.null])
    #expect(try await store.plan(statement) == ["SEARCH job USING INDEX sqlite_autoindex_job_1 (id=?)"])
    try await expect(
      Job.where { $0.id == UUID(1) },
      plan: """
        SEARCH job USING INDEX sqlite_autoindex_job_1 (id=?)
        """)
    try await expect(
      Job.where { $0.id.in([UUID(1), UUID(2)]) },
      plan: """
        SEARCH job USING INDEX sqlite_autoindex_job_1 (id=?)
        """)
    try await expect(
      Job.where { $0.id.in((1...1000).map { UUID($0) }) },
      plan: """
        SEARCH job USING INDEX sqlite_autoindex_job_1 (id=?)
        """)
  }

  @Test func equalityRangeAndOrder() async throws {
    try await expect(
      Job.where { $0.projectID == UUID(1) && !$0.isCompleted && $0.dueAt < Date(at: 0) }.order { $0.dueAt }.limit(50),
      plan: """
        SEARCH job USING INDEX job_on_projectID_isCompleted_dueAt_id (projectID=? AND isCompleted=? AND dueAt<?)
        """)
    try await expect(
      Job.where { $0.projectID.in([UUID(1), UUID(2)]) && $0.isCompleted == false },
      plan: """
        SEARCH job USING INDEX job_on_projectID_isCompleted_dueAt_id (projectID=? AND isCompleted=?)
        """)
    try await expect(
      Job.order { ($0.dueAt, $0.rank.descending) }.limit(50),
      plan: """
        SCAN job USING INDEX job_on_dueAt_rank_desc_id_desc
        """)
    try await expect(
      Job.order { ($0.dueAt, $0.rank.descending) }.reversed().limit(50),
      plan: """
        SCAN job USING INDEX job_on_dueAt_rank_desc_id_desc
        """)
    try await expect(
      Job.where { $0.dueAt.in(Date(at: 0)..<Date(at: 9)) }.order { $0.dueAt },
      plan: """
        SEARCH job USING INDEX job_on_dueAt_id (dueAt>? AND dueAt<?)
        """)
  }

  @Test func prefixes() async throws {
    try await expect(
      Job.where { $0.title.hasPrefix("a") }.order { $0.title },
      plan: """
        SEARCH job USING INDEX job_on_title_id (title>? AND title<?)
        """)
    try await expect(
      Site.where { $0.name.lowercased().hasPrefix("a") },
      plan: """
        SEARCH site USING INDEX site_lower (<expr>>? AND <expr><?)
        """)
    try await expect(
      Site.where { $0.code.collated(.nocase).hasPrefix("A") },
      plan: """
        SEARCH site USING INDEX site_on_code (code>? AND code<?)
        """)
    try await expect(
      Site.where { $0.code == "a" },
      plan: """
        SEARCH site USING INDEX site_on_code (code=?)
        """)
  }

  /// Truth values are literals in the SQL, so that partial indexes serve them.
  @Test func partialIndexes() async throws {
    try await expect(
      Site.where { !$0.isHidden && $0.name == "a" },
      plan: """
        SEARCH site USING INDEX site_on_name_id_where_e6a528d9 (name=?)
        """)
    try await expect(
      Site.where { $0.isHidden == false && $0.name.hasPrefix("a") }.order { $0.name },
      plan: """
        SEARCH site USING INDEX site_on_name_id_where_e6a528d9 (name>? AND name<?)
        """)
    try await expect(
      Site.where { $0.name == "a" },
      plan: """
        SCAN site
        """)
  }

  @Test func aggregates() async throws {
    try await expect(
      Site.select { ($0.jobs.count, $0.jobs.filter { !$0.isCompleted }.count, $0.jobs.max(\.dueAt)) },
      plan: """
        SCAN site USING COVERING INDEX sqlite_autoindex_site_1
        SEARCH job USING COVERING INDEX job_on_projectID_isCompleted_dueAt_id (projectID=?)
        SEARCH job USING COVERING INDEX job_on_projectID_isCompleted_dueAt_id (projectID=? AND isCompleted=?)
        SEARCH job USING COVERING INDEX job_on_projectID_isCompleted_dueAt_id (projectID=?)
        """)
    try await expect(
      Site.where { $0.jobs.contains { !$0.isCompleted && $0.dueAt < Date(at: 0) } },
      plan: """
        SCAN site
        SEARCH job USING COVERING INDEX job_on_projectID_isCompleted_dueAt_id (projectID=? AND isCompleted=? AND dueAt<?)
        """)
    try await expect(
      Site.select { $0.descendants.count },
      plan: """
        SCAN site USING COVERING INDEX sqlite_autoindex_site_1
        SEARCH site2 USING INDEX site_on_parentID (parentID=?)
        SEARCH site2 USING INDEX site_on_parentID (parentID=?)
        SEARCH site2 USING COVERING INDEX sqlite_autoindex_site_1 (id=?)
        """)
    try await expect(
      Site.order { ($0.jobs.count.descending, $0.id) }.limit(9).select { ($0.name, $0.jobs.count, $0.children.count) },
      plan: """
        SCAN site USING COVERING INDEX sqlite_autoindex_site_1
        SEARCH job USING COVERING INDEX job_on_projectID_isCompleted_dueAt_id (projectID=?)
        USE TEMP B-TREE FOR ORDER BY
        SCAN chosen
        SEARCH site USING INDEX sqlite_autoindex_site_1 (id=?)
        SEARCH site2 USING COVERING INDEX site_on_parentID (parentID=?)
        USE TEMP B-TREE FOR ORDER BY
        """)
  }

  @Test func traversal() async throws {
    try await expect(
      Job.where { $0.project.name == "a" },
      plan: """
        SCAN site
        SEARCH job USING INDEX job_on_projectID_isCompleted_dueAt_id (projectID=?)
        """)
    try await expect(
      Site.where { $0.id.in(Job.where { $0.title == "a" }.select { $0.projectID }) },
      plan: """
        SEARCH site USING INDEX sqlite_autoindex_site_1 (id=?)
        SEARCH job USING INDEX job_on_title_id (title=?)
        """)
  }

  /// Prefetches find the rows of all keys by the index of the association, however many keys there are.
  @Test(arguments: [2, 1000]) func prefetches(_ count: Int) async throws {
    let query = Job.order { $0.dueAt }.statement
    let keys = (1...count).map { [UUID.encode(UUID(UInt64($0)))] }
    let all = try await store.plan(SQLCompiler.prefetch(Site.jobs.association, keys: keys, query))
    #expect(all.first == "SEARCH job USING INDEX job_on_projectID_isCompleted_dueAt_id (projectID=?)")
    #expect(!all.contains { $0.hasPrefix("SCAN job") })
    var limited = query
    limited.limit = 3
    let some = try await store.plan(SQLCompiler.prefetch(Site.jobs.association, keys: keys, limited))
    #expect(some.contains("SEARCH job USING COVERING INDEX job_on_projectID_isCompleted_dueAt_id (projectID=?)"))
    #expect(some.contains("SEARCH job USING INDEX sqlite_autoindex_job_1 (id=?)"))
    #expect(!some.contains { $0.hasPrefix("SCAN job") })
  }
}
