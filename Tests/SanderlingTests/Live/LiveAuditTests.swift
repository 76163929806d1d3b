import Foundation
import GRDB
import SanderlingTesting
import Testing

@testable import Sanderling

/// Audits: a store compares its live results with the database and reports differences.
@MainActor
@Suite struct LiveAuditTests {
  @Record
  struct Item: Hashable {
    var id: Int64?
    var name: String
    var n: Int = 0
  }

  @Record
  struct Other: Hashable {
    var id: Int64?
  }

  private let folder = TemporaryFolder()

  /// Collects the reported differences.
  private final class Reports: Sendable {
    private let reports = Lock<[LiveDifference]>([])
    var all: [LiveDifference] { reports.withLock { $0 } }
    var handler: LiveAudit.Handler {
      { difference in self.reports.withLock { $0.append(difference) } }
    }
  }

  enum Kind: CaseIterable {
    case file, memory
  }

  private func store(
    _ kind: Kind, _ audit: LiveAudit, clock: any Clock<Duration> = ContinuousClock(), interval: Duration = .zero,
    configuration: GRDB.Configuration? = nil
  ) throws -> Store {
    let schema: [any StoredRecord.Type] = [Item.self, Other.self]
    return switch kind {
    case .file:
      try Store(
        path: folder.path("store.sqlite"), schema: schema, configuration: configuration, clock: clock,
        liveInterval: interval, audit: audit)
    case .memory:
      try Store(
        inMemory: schema, configuration: configuration, clock: clock, liveInterval: interval, audit: audit)
    }
  }

  private func add(_ name: String, _ n: Int = 0, to store: Store) async throws {
    try await store.write("add") { try $0.insert(Item(id: nil, name: name, n: n)) }
  }

  /// A count that ignores changes, as if the engine had a fault.
  private final class DeafCount: LiveQuery {
    private let count: any LiveQuery<ValueContent<Int>>

    init(_ count: any LiveQuery<ValueContent<Int>>) {
      self.count = count
    }

    var following: QueryFollowing { count.following }
    func beginLoad(window: Int) -> @Sendable (Database) throws -> Void { count.beginLoad(window: window) }
    func endLoad(window: Int) -> QueryOutcome { count.endLoad(window: window) }
    func content(window: Int) -> ValueContent<Int>? { count.content(window: window) }
    func check(window: Int) -> LiveCheck? { count.check(window: window) }
  }

  /// Wraps the form of counts so that its queries ignore changes.
  private final class DeafForm: LiveForm {
    private let counts: any LiveForm

    init(_ counts: any LiveForm) {
      self.counts = counts
    }

    func makeQuery(_ values: [StorageValue], runAgain reason: RequeryReason?) -> any LiveQuery {
      guard let count = counts.makeQuery(values, runAgain: reason) as? any LiveQuery<ValueContent<Int>> else {
        preconditionFailure("a count has one number")
      }
      return DeafCount(count)
    }
  }

  private func deafCount(_ store: Store) -> LiveCount {
    let request = CountDefinition(Item.where { $0.n > 1 }).request(among: store.live.forms)
    let key = LiveQueryKey(form: DeafForm(request.key.form), values: request.key.values)
    return LiveValue(
      engine: store.live, request: LiveRequest(key: key, presentation: request.presentation), shown: nil)
  }

  @Test(arguments: Kind.allCases)
  func aFaultIsReportedWithItsQueryAndItsCommit(_ kind: Kind) async throws {
    let reports = Reports()
    let store = try store(kind, .everyCommit(handler: reports.handler))
    let count = deafCount(store)
    #expect(count.value == nil)
    await store.settled()
    try await add("one", 1, to: store)
    await store.settled()
    #expect(reports.all.isEmpty)
    let commit = try await store.writeWithCommit("add") { try $0.insert(Item(id: 7, name: "seven", n: 7)) }.commit
    await store.settled()
    let report = try #require(reports.all.first)
    #expect(reports.all.count == 1)
    #expect(report.commit == commit)
    #expect(report.reason == "it counts 0 rows, and the SELECT 1")
    #expect(report.statement.sql.contains("COUNT(*)") && report.statement.sql.contains(">"))
    #expect(report.lastChanges.last?.hasSuffix("item: 7 was not there") == true)
    #expect(store.liveAuditCounts.different == 1)
    #expect(count.value == 0)
  }

  @Test(arguments: Kind.allCases)
  func rightResultsAreComparedInSilence(_ kind: Kind) async throws {
    let reports = Reports()
    let store = try store(kind, .everyCommit(handler: reports.handler))
    let list = store.liveList(Item.where { $0.n > 1 }.order { $0.name }, window: 3)
    let total = store.liveValue(Item.select { $0.n.sum() })
    let names = store.liveList(
      RawQuery("SELECT name FROM item ORDER BY random()", as: String.self))
    _ = (list.rows, total.value, names.rows)
    for number in 0..<20 {
      try await add("\(number * 7 % 20)", number % 4, to: store)
      if number % 5 == 4 { try await store.write("delete") { try $0.delete(Item.where { $0.n == 3 }) } }
      await store.settled()
    }
    #expect(reports.all.isEmpty)
    #expect(store.liveAuditCounts.compared >= 30)
    #expect(store.liveAuditCounts.different == 0)
  }

  /// A list has more rows than its window holds, even if the next row is unreadable.
  @Test(arguments: Kind.allCases)
  func unreadableRowBeyondTheWindowCountsAsMore(_ kind: Kind) async throws {
    let reports = Reports()
    let store = try store(kind, .everyCommit(handler: reports.handler))
    let list = store.liveList(Item.order { $0.name }, window: 2)
    _ = list.rows
    for name in ["a", "b"] { try await add(name, to: store) }
    try await store.write("by hand") { try $0.execute("INSERT INTO item (name, n) VALUES ('c', 'many')") }
    try await add("A", to: store)
    await store.settled()
    #expect(list.elements.map(\.name) == ["A", "a"])
    #expect(list.hasMore)
    #expect(reports.all.isEmpty)
    #expect(store.liveAuditCounts.different == 0)
  }

  /// An audit of one commit in four compares some results at a time. It pauses until commits have taken enough time.
  @Test func someCommitsAreEnoughIfSoAsked() async throws {
    let store = try store(.memory, .oneCommit(in: 4))
    let counts = (0..<3).map { number in store.liveCount(Item.where { $0.n > number }) }
    for count in counts { _ = count.value }
    await store.settled()
    for number in 0..<400 {
      try await add("a", number, to: store)
      await store.settled()
    }
    let figures = store.liveAuditCounts
    #expect((1...300).contains(figures.compared))
    #expect(figures.skipped == 0)
    #expect(figures.different == 0)
  }

  /// Only an interruption ends the SELECT: the function `is_endless` keeps it running once the list has been read.
  @Test(.timeLimit(.minutes(10)), arguments: Kind.allCases)
  func aSelectThatTakesTooLongIsInterrupted(_ kind: Kind) async throws {
    let (reports, isEndless) = (Reports(), Flag())
    var configuration = GRDB.Configuration()
    configuration.prepareDatabase { db in
      db.add(function: DatabaseFunction("is_endless", argumentCount: 0) { _ in isEndless.value })
    }
    let store = try store(
      kind, .everyCommit(budget: .milliseconds(1), handler: reports.handler), configuration: configuration)
    let slow = store.liveList(
      RawQuery(
        """
        SELECT (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n % 9 + 1 FROM c WHERE is_endless() OR n < 9)
          SELECT max(n) FROM c) FROM item
        """, as: Int64.self))
    let others = store.liveCount(Other.query)
    _ = (slow.rows, others.value)
    try await add("a", to: store)
    await store.settled()
    isEndless.set()
    // This commit changes another table: a result that is reloaded at a commit need not be compared at this commit.
    try await store.write("others") { try $0.insert(Other(id: nil)) }
    await store.settled()
    #expect(store.liveAuditCounts.skipped >= 1 && reports.all.isEmpty)
    #expect(slow.state.isCurrent && slow.rows.count == 1)
    // The connection still works.
    #expect(try await store.count(Item.query) == 1)
  }

  @Test func outsideChangeIsNoFault() async throws {
    let (clock, reports) = (ManualClock(), Reports())
    let store = try store(.file, .everyCommit(handler: reports.handler), clock: clock, interval: .seconds(1))
    store.detectsOutsideChanges = false
    let count = store.liveCount(Item.query)
    _ = count.value
    await store.settled()
    try await add("first", to: store)
    await store.settled()
    let before = store.liveAuditCounts
    // The store notices its own commit, but not the later outside change, which the turn's snapshot contains.
    try await add("second", to: store)
    let other = try DatabaseQueue(beside: folder.path("store.sqlite"))
    try await other.write { try $0.execute(sql: "INSERT INTO item (name, n) VALUES ('theirs', 0)") }
    // Unlike `settled()`, it does not look for outside changes.
    try await count.reached(store.lastCommit)
    await store.settled()
    #expect(store.liveAuditCounts.skipped == before.skipped + 1)
    #expect(reports.all.isEmpty && count.value == 3)
  }

  @Test(arguments: [Duration.seconds(Int64.max), .zero])
  func aBudgetMayBeOfAnyLength(_ budget: Duration) async throws {
    let store = try store(.memory, .oneCommit(in: 1, budget: budget))
    let count = store.liveCount(Item.query)
    _ = count.value
    for _ in 0..<20 {
      try await add("a", to: store)
      await store.settled()
    }
    #expect(count.value == 20 && store.liveAuditCounts.different == 0)
    #expect(budget == .zero || store.liveAuditCounts.compared > 0)
  }

  @Test func auditThatIsOffComparesNothing() async throws {
    let store = try store(.memory, .off)
    let count = store.liveCount(Item.query)
    _ = count.value
    for _ in 0..<200 { try await add("a", to: store) }
    await store.settled()
    #expect(store.liveAuditCounts == LiveAuditCounts())
  }
}
