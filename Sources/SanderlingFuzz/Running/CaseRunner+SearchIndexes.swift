import GRDB
import Sanderling

/// The documents in full-text indexes.
extension CaseRunner {
  /// Compares the full-text indexes with the texts.
  func compareSearchIndexes() async throws {
    guard database.isOpen else { return }
    let hasUniqueIndexes = fuzzCase.hasUniqueIndexes
    let problem = try? await database.writer.writeWithoutTransaction { db in
      SearchIndexes.problem(db, mayHaveMore: hasUniqueIndexes)
    }
    if let problem = problem.flatMap(\.self) { throw FuzzFailure(kind: .write, message: problem) }
    coverage.noteIndexCheck()
  }

  /// Checks that the documents of deleted rows are removed from the indexes. Exception: a statement replaced the rows
  /// by another key than the table's. Such a document is removed when a row with its number is inserted.
  ///
  /// - Parameter action: The action that ran since the last count of documents.
  func compareLeftovers(after action: FuzzStep.Action) async throws {
    guard database.isOpen else { return }
    if action.mayLeaveDocuments(hasUniqueIndexes: fuzzCase.hasUniqueIndexes) { mayHaveNewLeftovers = true }
    guard !isFoldingHeld, database.opening != .readOnly else { return }
    let found = try? await database.writer.writeWithoutTransaction { db in
      FoldedTable.hasAppTriggers(db) ? nil : SearchIndexes.leftovers(db)
    }
    // If documents still wait to be indexed, the check is made at a later step.
    guard let now = found.flatMap(\.self) else {
      mayHaveNewLeftovers = true
      return
    }
    if !mayHaveNewLeftovers,
      let index = now.keys.sorted().first(where: { now[$0, default: 0] > leftovers[$0, default: 0] })
    {
      throw FuzzFailure(
        kind: .write,
        message: "\(index) has \(now[index] ?? 0) documents that are of no row, and had \(leftovers[index] ?? 0)")
    }
    if !mayHaveNewLeftovers { coverage.noteDocumentCheck() }
    leftovers = now
    mayHaveNewLeftovers = false
  }
}

extension FuzzStep.Action {
  /// Whether the action may leave documents of rows that it replaces.
  fileprivate func mayLeaveDocuments(hasUniqueIndexes isUnique: Bool) -> Bool {
    switch self {
    case .write(let transaction): transaction.mayLeaveDocuments(hasUniqueIndexes: isUnique)
    case .burst(let transactions), .stream(let transactions):
      transactions.contains { $0.mayLeaveDocuments(hasUniqueIndexes: isUnique) }
    case .concurrent(let tasks, _): tasks.joined().contains { $0.mayLeaveDocuments(hasUniqueIndexes: isUnique) }
    case .outside(let transaction, let own):
      transaction.mayLeaveDocuments(hasUniqueIndexes: isUnique)
        || own?.mayLeaveDocuments(hasUniqueIndexes: isUnique) == true
    case .statements, .life: true
    case .open, .close, .suspend, .resume, .replace, .grow, .growBattery: false
    }
  }
}

extension FuzzTransaction {
  fileprivate func mayLeaveDocuments(hasUniqueIndexes isUnique: Bool) -> Bool {
    steps.contains { $0.mayLeaveDocuments(hasUniqueIndexes: isUnique) }
  }
}

extension WriteStep {
  fileprivate func mayLeaveDocuments(hasUniqueIndexes isUnique: Bool) -> Bool {
    switch self {
    case .sql(_, let sql, _):
      sql.hasPrefix("UPDATE OR REPLACE") || sql.contains("INSERT OR REPLACE") && isUnique
    case .savepoint(let steps, _): steps.contains { $0.mayLeaveDocuments(hasUniqueIndexes: isUnique) }
    case .record: false
    }
  }
}

extension FuzzCase {
  /// Whether a unique index on columns other than the key exists at any time.
  fileprivate var hasUniqueIndexes: Bool {
    let statements = steps.flatMap { step -> [String] in
      if case .statements(_, let statements) = step.action { statements } else { [] }
    }
    return (world.features + statements).contains { $0.contains("UNIQUE INDEX") }
  }
}
