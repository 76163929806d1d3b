import GRDB
import Sanderling

/// The folding of texts in the background.
extension CaseRunner {
  func holdFolding(_ isHeld: Bool) {
    guard database.isOpen else { return }
    for store in [store] + others.compactMap(\.store) { store.holdFolding(isHeld) }
  }

  /// Stops folding and indexing in the background if its commits, which nothing records, would change the compared
  /// results. They do if triggers of the app write more, or if a query reads relevance.
  func stopFoldingThatWrites() async throws {
    guard database.isOpen else { return }
    let hasTriggers = try? await database.writer.writeWithoutTransaction { db in FoldedTable.hasAppTriggers(db) }
    guard hasTriggers != false || slots.values.contains(where: readsRelevance) else { return }
    holdFolding(true)
    // This waits until a running fold has ended.
    try? await database.writer.writeWithoutTransaction { _ in }
  }

  private func readsRelevance(_ slot: Slot) -> Bool {
    ([slot.query] + slot.recent.map(\.query)).contains { fuzzCase.queries[$0].readsRelevance }
  }

  /// Compares the stored folds with the texts.
  func compareFolds() async throws {
    guard database.isOpen else { return }
    let found = try? await database.writer.writeWithoutTransaction { db in
      (pending: FoldedTable.pendingCount(db), problem: FoldedTable.problem(db))
    }
    if let problem = found?.problem { throw FuzzFailure(kind: .write, message: problem) }
    if let pending = found?.pending { coverage.noteFolds(pending: pending) }
  }

  /// At the end of a round all texts must be folded, unless the database is read-only or a trigger of the app prevents
  /// it.
  func requireFoldingToEnd() async throws {
    guard database.isOpen, database.opening != .readOnly else { return }
    let hasTriggers = try? await database.writer.writeWithoutTransaction { db in FoldedTable.hasAppTriggers(db) }
    try await compareSearchIndexes()
    guard hasTriggers == false else { return }
    holdFolding(false)
    // A query that reads them folds them first.
    let fresh = Place.where {
      $0.code.folded == "a" && $0.padded.folded == "a" && $0.crates.filter { $0.label.folded == "a" }.isEmpty
    }
    let others = Note.where { $0.text.folded == "a" && $0.tag.comment.folded == "a" }
    guard (try? await store.count(fresh)) != nil, (try? await store.count(others)) != nil else { return }
    let isFinished = await finishes(within: patience) { [store] in await store.foldingFinished() }
    let pending = try await database.writer.writeWithoutTransaction { db in
      FoldedTable.all.map { "\(FoldedTable.pendingCount(of: [$0], db) ?? -1) of \($0.table)" }
        + fuzzRecords.map {
          "\((try? $0.table.hasPendingDocuments(db)) == false ? 0 : 1) of \($0.table.name)'s indexes"
        }
    }
    if !isFinished || pending.contains(where: { !$0.hasPrefix("0 ") }) {
      let text = pending.joined(separator: ", ")
      throw FuzzFailure(
        kind: .missing,
        message: "folding has \(isFinished ? "" : "not ")ended, and rows still wait to be folded or indexed: \(text)")
    }
    try await compareSearchIndexes()
  }
}
