import GRDB
import Sanderling

/// Steps of a round with a read-only store: another connection writes.
extension CaseRunner {
  /// - Returns: Whether the action was a write and was performed.
  func performOutside(_ action: FuzzStep.Action) async throws -> Bool {
    let transactions: [FuzzTransaction]
    switch action {
    case .write(let transaction): transactions = [transaction]
    case .burst(let burst): transactions = burst
    case .stream(let stream): transactions = stream
    case .concurrent(let tasks, _): transactions = Array(tasks.joined())
    case .outside(let transaction, let own): transactions = [transaction] + (own.map { [$0] } ?? [])
    case .statements(_, let statements):
      await run(statements)
      try await noticeAfter()
      return true
    default: return false
    }
    guard let connection = database.outsideConnection else { return true }
    coverage.note(.outside)
    // A result that is being read may show the state after any of these transactions.
    for transaction in transactions { try await run(transaction, on: connection) }
    try await noticeAfter()
    return true
  }

  /// Makes the store notice outside changes, and checks that it misses none.
  func noticeAfter() async throws {
    let version = try await dataVersion()
    let hasChanged = version != dataVersionAtLastLook
    dataVersionAtLastLook = version
    try await note()
    let hasNoticed = try await notice()
    if hasChanged, !hasNoticed {
      throw FuzzFailure(kind: .other, message: "noticeOutsideChanges() returns false, though another connection wrote")
    }
  }

  /// A number that changes with each commit of another connection.
  func dataVersion() async throws -> Int? {
    guard let probe = database.probe else { return nil }
    return try await probe.writeWithoutTransaction { db in try Int.fetchOne(db, sql: "PRAGMA data_version") }
  }
}
