import GRDB
import Sanderling

/// All rows of the records' tables.
struct DatabaseImage: Sendable {
  /// The number of times that each row occurs, for each table.
  let rows: [String: [[StorageValue]: Int]]
  /// Whether triggers of the app change rows outside a transaction and its inverse.
  let hasAppTriggers: Bool
  /// Whether rows wait to be folded or indexed. Triggers of the app may then change rows in the background.
  let isPending: Bool
  /// Whether rows refer to missing rows, for example after a table was dropped. Restoring such a row is refused.
  let hasDanglingRows: Bool

  /// The tables that differ.
  func difference(from other: DatabaseImage) -> String? {
    let names = rows.keys.filter { rows[$0] != other.rows[$0] }.sorted()
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }
}

extension TransactionRunner {
  /// Runs a transaction, undoes it and redoes it, and compares the tables with their earlier contents.
  func runUndoably(_ transaction: FuzzTransaction) async throws {
    if transaction.undoesEarlier, let earlier = problems.takeInverse() {
      // Other writes may have changed the rows of the transaction since.
      if (try? await store.undo(earlier)) != nil { coverage.note(.undo) }
    }
    var before = try await image()
    let written = try await store.writeUndoably("fuzz") { [coverage, problems] tx in
      try Self.performCountingFolds(transaction, tx, coverage, problems)
    }
    try await requireFolds(before: written.value)
    if transaction.undoCount == 0 { return problems.keep(written.inverse) }
    var after = try await image()
    var inverse = written.inverse
    for _ in 0..<transaction.undoCount {
      let outcome: Result<InverseWrite, any Error>
      let pending = try await store.writer.writeWithoutTransaction { db in SearchIndexes.pendingCount(db) }
      do {
        outcome = .success(try await store.undo(inverse))
      } catch {
        outcome = .failure(error)
      }
      if case .success = outcome { try await requireFolds(before: pending) }
      let now = try await image()
      switch outcome {
      case .success(let other):
        coverage.note(.undo)
        inverse = other
        if isAlone, !now.hasAppTriggers, let tables = now.difference(from: before) {
          problems.add("after an undo, the rows are not as before, in \(tables)")
        }
        (before, after) = (after, now)
      case .failure(let error):
        let mayChange = after.hasAppTriggers && after.isPending
        if isAlone, !mayChange, let tables = now.difference(from: after) {
          problems.add("an undo that failed with \(error) left something, in \(tables)")
        }
        if isAlone, !now.hasAppTriggers, !before.hasDanglingRows, !Self.mayFail(error) {
          problems.add("an undo failed without a later write: \(error)")
        }
        return
      }
    }
  }

  /// Whether an undo may fail with this error even if no other write followed the transaction.
  private static func mayFail(_ error: any Error) -> Bool {
    switch error {
    case UndoError.changedSince, UndoError.unstable, StoreError.constraint: false
    default: true
    }
  }

  private func image() async throws -> DatabaseImage {
    try await store.writer.writeWithoutTransaction { db in
      var rows: [String: [[StorageValue]: Int]] = [:]
      // Another connection may have added a column. GRDB would name the columns of the schema that this connection read earlier.
      _ = try Row.fetchOne(db, sql: "SELECT 1 FROM main.sqlite_schema")
      for record in fuzzRecords {
        let cursor = try Row.fetchCursor(db, sql: "SELECT * FROM \(record.table.name)")
        var found: [[StorageValue]: Int] = [:]
        let derived = Set(record.table.derivedColumns)
        // The columns derived from texts are left out; folding and indexing have their own checks.
        while let row = try cursor.next() {
          let values = zip(row.columnNames, row.databaseValues).filter { !derived.contains($0.0) }
          found[values.map { StorageValue($0.1) }, default: 0] += 1
        }
        rows[record.table.name] = found
      }
      let hasAppTriggers = FoldedTable.hasAppTriggers(db)
      var hasDanglingRows = true
      do {
        hasDanglingRows =
          try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true
          && Row.fetchOne(db, sql: "PRAGMA foreign_key_check") != nil
      } catch {
        // Foreign keys that don't match their parent table can't be checked.
      }
      return DatabaseImage(
        rows: rows, hasAppTriggers: hasAppTriggers, isPending: SearchIndexes.pendingCount(db) != 0,
        hasDanglingRows: hasDanglingRows)
    }
  }
}
