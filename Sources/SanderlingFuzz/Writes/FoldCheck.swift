import GRDB
import Sanderling

/// Counts the rows that wait to be folded before and after a record is written: the statement folds its texts itself.
struct FoldCheck {
  private let tables: [FoldedTable]
  private let before: Int

  /// - Returns: Nil for what leaves its texts to be folded before the commit, and where triggers of the app write texts.
  init?(_ step: WriteStep, _ db: Database) {
    guard case .record(let operation, let record, let values) = step, !record.table.folded.isEmpty else { return nil }
    // Texts that are calculated of the row.
    if operation == .assign, values[record.kinds.firstIndex(of: .flag) ?? 0] == .integer(0) { return nil }
    tables = FoldedTable.all(of: record)
    if FoldedTable.hasAppTriggers(db) { return nil }
    guard let before = FoldedTable.pendingCount(of: tables, db) else { return nil }
    self.before = before
  }

  /// What is wrong with the rows now; nil when nothing is.
  func problem(_ db: Database) -> String? {
    guard let after = FoldedTable.pendingCount(of: tables, db), after > before else { return nil }
    return "a record was written, and \(after - before) rows wait to be folded"
  }
}
