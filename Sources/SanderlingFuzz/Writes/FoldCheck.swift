import GRDB
import Sanderling

/// Compares the rows that wait to be folded before and after a record is written: the statement folds its texts itself.
struct FoldCheck {
  private let record: any FuzzRecord.Type
  /// The rows that wait to be folded, and the folds of all.
  private let before: FoldedTable.Folds

  /// - Returns: Nil for what leaves its texts to be folded before the commit, and where triggers of the app write texts.
  init?(_ step: WriteStep, _ db: Database) {
    guard case .record(let operation, let record, let values) = step, !record.table.folded.isEmpty,
      operation != .delete
    else { return nil }
    // Texts that are calculated of the row.
    if operation == .assign, values[record.kinds.firstIndex(of: .flag) ?? 0] == .integer(0) { return nil }
    guard !FoldedTable.hasAppTriggers(db), let before = FoldedTable.folds(of: record, db) else { return nil }
    self.record = record
    self.before = before
  }

  /// What is wrong with the rows now; nil when nothing is.
  func problem(_ db: Database) -> String? {
    guard let after = FoldedTable.folds(of: record, db) else { return nil }
    // A text whose fold is that of before is folded once more, as for everybody who doesn't fold.
    let left = after.pending.subtracting(before.pending).filter { before[$0] != after[$0] }
    return left.isEmpty ? nil : "a record was written, and \(left.count) texts wait to be folded"
  }
}
