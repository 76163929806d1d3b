import GRDB
import Testing

@testable import Sanderling

@Suite struct FollowedQueryTests {
  private let registry = QueryRegistry()

  /// Makes a query whose form no other query has, with a subscriber.
  private func follow(_ number: UInt64 = 1) throws -> FollowedQuery {
    let id = LiveConsumerID(number: number)
    let request = LiveRequest<LiveReading<Int>>(
      key: LiveQueryKey(form: try WorkingForm(), values: []), presentation: ValuePresentation<Int>.self)
    registry.attach(id, request.makeConsumer(LiveFeed(), window: 1))
    return try #require(registry.follow(id)).query
  }

  private func loading() throws -> FollowedQuery {
    let query = try follow()
    query.prepare()
    _ = query.beginLoad(now: .zero)
    return query
  }

  private func current() throws -> FollowedQuery {
    let query = try loading()
    query.endLoad(after: .zero, mark: nil)
    return query
  }

  /// Returns the kinds of queries under which the indexes list a query.
  private func kinds(_ query: FollowedQuery) -> QueryIndexes.Kinds {
    (0..<QueryIndexes.Kinds.count).map { QueryIndexes.Kinds(rawValue: 1 << $0) }
      .filter { registry.indexes[$0].contains(query) }.reduce(into: []) { $0.formUnion($1) }
  }

  /// A snapshot that fails gives up the loads under way. Such a load may end after the query's next load began. Its end
  /// is not taken for the end of the next load, whose rows are not there yet.
  @Test func abandonedLoadIsNotTakenForTheNext() throws {
    let query = try follow()
    query.prepare()
    let first = query.beginLoad(now: .zero)
    #expect(query.isUnderWay(first))
    query.fail(StoreError.suspended)
    #expect(!query.isUnderWay(first))
    query.unprepare()
    query.prepare()
    let second = query.beginLoad(now: .zero)
    #expect(!query.isUnderWay(first))
    #expect(query.isUnderWay(second))
    query.endLoad(after: .zero, mark: nil)
    #expect(query.isCurrent && query.isUpToDate)
    #expect(!query.isUnderWay(second))
  }

  /// Searches that begin where the last search ended reach each query, even with thousands of ended queries between
  /// two.
  @Test func aSearchPassesTheNumbersOfEndedQueries() throws {
    var live: Set<Int> = []
    for number in 1...3_000 as ClosedRange<UInt64> {
      let query = try follow(number)
      if [1, 2, 3, 2_999, 3_000].contains(number) {
        live.insert(query.number)
      } else {
        registry.remove(query)
      }
    }
    var (found, end) = (Set<Int>(), 0)
    for _ in 0..<100 {
      let search = registry.queries(after: end, count: 2)
      found.formUnion(search.queries.map(\.number))
      end = search.end
    }
    #expect(found == live)
  }

  @Test func eachPhaseIsInItsIndexes() throws {
    let query = try follow()
    #expect(kinds(query) == .waiting)
    query.prepare()
    #expect(kinds(query) == .due)
    _ = query.beginLoad(now: .zero)
    #expect(kinds(query) == .loading)
    query.noteChange()
    query.endLoad(after: .zero, mark: nil)
    #expect(kinds(query) == .noted)
    query.takeChanges()
    query.updateWork()
    #expect(kinds(query) == .working)
    query.noteChange()
    query.outdate()
    #expect(kinds(query) == [.due, .holding])
    _ = query.beginLoad(now: .zero)
    #expect(kinds(query) == [.loading, .holding])
    query.fail(StoreError.suspended)
    query.isRefused = true
    query.hasNews = true
    #expect(kinds(query) == [.failed, .refused, .undelivered])
    query.unprepare()
    #expect(kinds(query) == [.waiting, .refused, .undelivered])
  }

  /// Releasing a query removes it from all indexes, whatever its state, and nothing adds it again.
  @Test func aQueryThatEndedIsInNoIndex() throws {
    let waiting = try follow()
    let failed = try follow(2)
    failed.fail(StoreError.suspended)
    failed.isRefused = true
    let noted = try current()
    noted.noteChange()
    noted.updateWork()
    let holding = try current()
    holding.outdate()
    let read = try loading()
    for query in [waiting, failed, noted, holding, read] {
      query.hasNews = true
      #expect(!kinds(query).isEmpty)
      registry.remove(query)
      #expect(kinds(query).isEmpty)
      query.hasNews = true
      query.isRefused = true
      query.prepare()
      query.unprepare()
      query.outdate()
      query.noteChange()
      query.updateWork()
      query.fail(StoreError.suspended)
      #expect(kinds(query).isEmpty)
    }
    #expect(registry.isEmpty)
    #expect(!registry.routes.hasQueries(over: RecordType(NumberedRow.self)))
  }

  /// The marks that changes leave on a load end with the load: the next load begins without them.
  @Test func invalidatedLoadWaitsAgain() throws {
    let query = try loading()
    query.noteChange()
    query.outdate()
    query.endLoad(after: .zero, mark: nil)
    #expect(kinds(query) == .waiting)
    query.prepare()
    _ = query.beginLoad(now: .zero)
    query.endLoad(after: .zero, mark: nil)
    #expect(query.isUpToDate)
  }

  /// A failed load is retried if something changed while it read.
  @Test func loadThatFailsAfterAChangeIsRetried() throws {
    #expect(try !loading().fail(StoreError.suspended))
    let changed = try loading()
    changed.noteChange()
    #expect(changed.fail(StoreError.suspended))
    let outdated = try loading()
    outdated.unprepare()
    #expect(outdated.fail(StoreError.suspended))
    #expect(!outdated.fail(StoreError.suspended))
  }

  /// Queries with work take turns, even if one of them always has more work.
  @Test func queriesWithWorkTakeTurns() throws {
    let queries = try (0..<3).map { _ in try current() }
    for query in queries { query.updateWork() }
    let working = WorkQueue(registry.indexes)
    let order = (0..<6).compactMap { _ in working.next()?.number }
    #expect(order == (queries + queries).map(\.number))
    registry.remove(queries[1])
    #expect((0..<2).compactMap { _ in working.next()?.number } == [queries[0].number, queries[2].number])
  }
}

/// A form whose queries follow one table and always have work.
private final class WorkingForm: LiveForm {
  private let plan: RoutePlan

  init() throws {
    plan = try RoutePlan(root: RecordType(NumberedRow.self), condition: nil, orderings: [], outputs: [])
  }

  func makeQuery(_ values: [StorageValue], runAgain reason: RequeryReason?) -> any LiveQuery { WorkingQuery(plan) }
}

private final class WorkingQuery: LiveQuery {
  let following: QueryFollowing
  var hasWork: Bool { true }

  init(_ plan: RoutePlan) {
    following = .maintained(plan)
  }

  func beginLoad(window: Int) -> @Sendable (Database) throws -> Void { { _ in } }
  func endLoad(window: Int) -> QueryOutcome { .news }
  func content(window: Int) -> ValueContent<Int>? { nil }
  func check(window: Int) -> LiveCheck? { nil }
}
