import GRDB
import SanderlingSQLite
import Sanderling

/// Steps with failing reads.
extension CaseRunner {
  func perform(_ step: FaultStep) async throws {
    guard FaultFileSystem.isRegistered else {
      throw FuzzFailure(kind: .other, message: "SQLite doesn't take the fuzzer's file system")
    }
    if step.fault.operation == .step { await setInterruptions(true) }
    let number = FaultSwitch.shared.begin()
    var isSettled = false
    switch step.moment {
    case .beforeWrite(let transaction):
      FaultSwitch.shared.arm(step.fault, in: number)
      await write(transaction)
    case .afterCommit(let transaction):
      if database.opening == .readOnly {
        await write(transaction)
        FaultSwitch.shared.arm(step.fault, in: number)
      } else {
        let fault = step.fault
        await transactions.run(transaction) { FaultSwitch.shared.arm(fault, in: number) }
      }
    case .opening(let opened):
      FaultSwitch.shared.arm(step.fault, in: number)
      open(opened)
    case .noticing(let transaction):
      if let connection = database.outsideConnection {
        try await run(transaction, on: connection)
      }
      FaultSwitch.shared.arm(step.fault, in: number)
      isSettled = await finishes(within: patience) { [store] in _ = try? await store.noticeOutsideChanges() }
      if !isSettled {
        FaultSwitch.shared.disarm()
        throw FuzzFailure(kind: .missing, message: "noticeOutsideChanges() does not return while reads fail")
      }
    }
    isSettled = await finishes(within: patience) { [store] in await store.settled() }
    let hitCount = FaultSwitch.shared.disarm()
    if step.fault.operation == .step { await setInterruptions(false) }
    coverage.noteFaults(hitCount, of: step.fault.operation)
    if !isSettled { throw FuzzFailure(kind: .missing, message: "settled() does not return while reads fail") }
    try await recover(step)
  }

  private func write(_ transaction: FuzzTransaction) async {
    if database.opening == .readOnly, let connection = database.outsideConnection {
      await TransactionRunner.run(transaction, on: connection, coverage, database.writeProblems)
    } else {
      await transactions.run(transaction)
    }
  }

  /// Makes everything current again: commits to each table and asks the results to read again.
  private func recover(_ step: FaultStep) async throws {
    // Rows that another connection wrote may be read and shown before the next write.
    if database.opening == .readOnly { try await note() }
    if step.retriesFirst { retry() }
    await run(step.touches)
    try await notice(byEvents: database.opening == .readOnly || step.moment.isOutside)
    if !step.retriesFirst {
      try await settle()
      retry()
    }
  }

  private func retry() {
    for slot in slots.values where !slot.isSuspended { slot.result.retry() }
    for result in battery { result.retry() }
    for other in others { for (_, result) in other.results { result.retry() } }
  }

  /// Makes the writer's connection ask the switch at intervals whether to continue.
  private func setInterruptions(_ isOn: Bool) async {
    guard database.opening != .readOnly else { return }
    _ = try? await store.writer.writeWithoutTransaction { db in
      guard isOn else { return sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
      sqlite3_progress_handler(
        db.sqliteConnection, 20, { _ in FaultSwitch.shared.code(for: .step) == nil ? 0 : 1 }, nil)
    }
  }
}
