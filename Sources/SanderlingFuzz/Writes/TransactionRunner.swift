import Foundation
import GRDB
import Sanderling
import Synchronization

/// Runs transactions as apps do, which continue after a failed statement.
struct TransactionRunner: Sendable {
  private struct Abandoned: Error {}

  let store: Store
  let coverage: Coverage
  let problems: WriteProblems
  /// Whether no other task writes meanwhile.
  var isAlone = true

  /// Runs a transaction to its end, whether it succeeds or fails.
  func run(_ transaction: FuzzTransaction) async {
    let (writer, coverage, problems) = (store.writer, coverage, problems)
    transaction.stepKinds.forEach(coverage.note)
    do {
      switch transaction.route {
      case .store:
        let pending = try await store.write("fuzz") { tx in
          try Self.performCountingFolds(transaction, tx, coverage, problems)
        }
        try await requireFolds(before: pending)
      case .blocking:
        let pending = try await Self.offThread {
          try store.writeBlocking("fuzz") { tx in try Self.performCountingFolds(transaction, tx, coverage, problems) }
        }
        try await requireFolds(before: pending)
      case .grdb:
        try await writer.write { db in try Self.perform(transaction, db, nil, coverage, problems) }
      case .autocommit:
        try await writer.writeWithoutTransaction { db in
          for step in transaction.steps { try? Self.perform(step, db, nil, coverage, problems) }
          if db.isInsideTransaction { try db.rollback() }
        }
      case .handwritten:
        try await writer.writeWithoutTransaction { db in try Self.performByHand(transaction, db, coverage, problems) }
      case .undoable: try await runUndoably(transaction)
      }
    } catch {
      coverage.note(.failedStatement)
    }
  }

  /// - Returns: The number of texts that waited to be folded or indexed at its beginning.
  static func performCountingFolds(
    _ transaction: FuzzTransaction, _ tx: WriteTransaction, _ coverage: Coverage, _ problems: WriteProblems
  ) throws -> Int? {
    let pending = SearchIndexes.pendingCount(tx.database)
    try perform(transaction, tx.database, tx, coverage, problems)
    return pending
  }

  /// Checks that a transaction of the store leaves no text waiting to be folded or indexed. This holds if none waited
  /// before and no other task writes. A trigger of the app can prevent it.
  func requireFolds(before pending: Int?) async throws {
    guard isAlone, pending == 0 else { return }
    let left = try await store.writer.writeWithoutTransaction { db in
      FoldedTable.hasAppTriggers(db) ? nil : SearchIndexes.pendingCount(db)
    }
    if let left, left > 0 {
      problems.add("a transaction of the store leaves \(left) rows or tables that wait to be folded or indexed")
    }
  }

  /// Runs a transaction on another connection, with other work in the middle of it.
  static func run(
    _ transaction: FuzzTransaction, on connection: DatabaseQueue, _ coverage: Coverage, _ problems: WriteProblems,
    meanwhile: @escaping @Sendable () -> Void = {}
  ) async {
    do {
      try await connection.write { db in
        let half = transaction.steps.count / 2
        for step in transaction.steps.prefix(half) { try performUnlessItFails(step, db, nil, coverage, problems) }
        meanwhile()
        for step in transaction.steps.dropFirst(half) { try performUnlessItFails(step, db, nil, coverage, problems) }
        if transaction.isAbandoned { throw Abandoned() }
      }
    } catch {
      coverage.note(.failedStatement)
    }
  }

  /// Runs a transaction, and a function on the writer's thread right after its commit.
  func run(_ transaction: FuzzTransaction, committed: @escaping @Sendable () -> Void) async {
    let (coverage, problems) = (coverage, problems)
    do {
      try await store.writer.write { db in
        db.afterNextTransaction { _ in committed() }
        try Self.perform(transaction, db, nil, coverage, problems)
      }
    } catch {
      coverage.note(.failedStatement)
    }
  }

  /// Runs transactions in one access to the database, so that no other access falls between their commits.
  func run(_ stream: [FuzzTransaction]) async {
    // A stream counts as one step; its many statements would reduce the share of all others.
    let uncounted = Coverage()
    let problems = problems
    do {
      try await store.writer.writeWithoutTransaction { db in
        for transaction in stream { try? Self.performByHand(transaction, db, uncounted, problems) }
      }
    } catch {
      coverage.note(.failedStatement)
    }
  }

  static func perform(
    _ transaction: FuzzTransaction, _ db: Database, _ tx: WriteTransaction?, _ coverage: Coverage,
    _ problems: WriteProblems
  ) throws {
    for step in transaction.steps { try performUnlessItFails(step, db, tx, coverage, problems) }
    if transaction.isAbandoned { throw Abandoned() }
  }

  private static func performByHand(
    _ transaction: FuzzTransaction, _ db: Database, _ coverage: Coverage, _ problems: WriteProblems
  ) throws {
    try db.execute(sql: "BEGIN IMMEDIATE")
    do {
      try perform(transaction, db, nil, coverage, problems)
      try db.execute(sql: "COMMIT")
    } catch {
      if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
      throw error
    }
  }

  /// A failed statement changes nothing and the transaction goes on, unless the failure rolled back the transaction.
  private static func performUnlessItFails(
    _ step: WriteStep, _ db: Database, _ tx: WriteTransaction?, _ coverage: Coverage, _ problems: WriteProblems
  ) throws {
    do {
      let check = TouchCheck(step, db)
      let foldCheck = FoldCheck(step, db)
      try perform(step, db, tx, coverage, problems)
      if let problem = try check?.problem(db) { problems.add("\(problem): \(step)") }
      if let problem = foldCheck?.problem(db) { problems.add("\(problem): \(step)") }
    } catch {
      coverage.note(.failedStatement)
      if !db.isInsideTransaction { throw error }
    }
  }

  private static func perform(
    _ step: WriteStep, _ db: Database, _ tx: WriteTransaction?, _ coverage: Coverage, _ problems: WriteProblems
  ) throws {
    switch step {
    case .sql(let kind, let sql, let isCached):
      coverage.note(kind)
      var sql = sql
      // If a trigger fails after OR FAIL, the row stays written and the other triggers don't run. No kind of trigger then
      // notices the change.
      if sql.contains(" OR FAIL "), FoldedTable.hasFailingTriggers(db) {
        sql = sql.replacing(" OR FAIL ", with: " OR ABORT ")
      }
      try (isCached ? db.cachedStatement(sql: sql) : db.makeStatement(sql: sql)).execute()
    case .record(let operation, let record, let values):
      step.kinds.forEach(coverage.note)
      guard let tx else { return }
      try perform(operation, record, values, tx)
    case .savepoint(let steps, let isUndone):
      coverage.note(isUndone ? .undoneSavepoint : .savepoint)
      try db.inSavepoint {
        for step in steps { try performUnlessItFails(step, db, tx, coverage, problems) }
        return isUndone ? .rollback : .commit
      }
    }
  }

  private static func perform<R: FuzzRecord>(
    _ operation: WriteStep.RecordOperation, _ record: R.Type, _ values: [StorageValue], _ tx: WriteTransaction
  ) throws {
    let record = try R(_values: _StorageValues(values, table: R.table))
    if let note = record as? Note, try performOnTexts(operation, note, tx) { return }
    if let place = record as? Place, try performOnTexts(operation, place, tx) { return }
    switch operation {
    case .insert: try tx.insert(record)
    case .upsert: try tx.upsert(record)
    case .update: try tx.update(record)
    case .delete: try tx.delete(record)
    case .insertMany, .upsertText, .assign: preconditionFailure("\(record) is a note or a place")
    }
  }

  /// Performs an operation that only notes support.
  ///
  /// - Returns: Whether the operation is of this kind; false if nothing was done.
  private static func performOnTexts(
    _ operation: WriteStep.RecordOperation, _ note: Note, _ tx: WriteTransaction
  ) throws -> Bool {
    switch operation {
    case .insertMany:
      try tx.insert(
        contentsOf: (0..<40).map { number in
          var other = note
          other.id = 100 + note.id % 4 * 40 + number
          if number % 3 == 1 { other.text += "É" }
          return other
        })
    case .upsertText: try tx.upsert(note, updating: \.text)
    case .assign:
      let query = Note.where { $0.stars >= note.stars || $0.text.folded.hasPrefix(note.text) }
      if note.isDone {
        try tx.update(query, .set(\.text, to: note.text), .set(\.isDone, to: false))
      } else {
        try tx.update(query, .set(\.text) { $0.text.appending("É") })
      }
    case .insert, .upsert, .update, .delete: return false
    }
    return true
  }

  private static func performOnTexts(
    _ operation: WriteStep.RecordOperation, _ place: Place, _ tx: WriteTransaction
  ) throws -> Bool {
    switch operation {
    case .upsertText: try tx.upsert(place, updating: \.code)
    case .assign:
      let query = Place.where { $0.rank < place.rank || $0.code.folded == place.code }
      if place.isOpen {
        try tx.update(query, .set(\.code, to: place.code))
      } else {
        try tx.update(query, .set(\.code) { $0.code.appending("É") })
      }
    case .insert, .upsert, .update, .delete, .insertMany: return false
    }
    return true
  }

  /// Runs work that blocks on a thread of its own.
  static func offThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
    }
  }
}
