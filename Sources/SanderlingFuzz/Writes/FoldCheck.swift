import GRDB
import Sanderling

/// Compares the rows waiting to be folded before and after a record is written: the statement must fold its own texts.
struct FoldCheck {
  private let record: any FuzzRecord.Type
  /// The rows waiting to be folded, and all folds.
  private let before: FoldedTable.Folds

  /// - Returns: Nil for steps that leave their texts to be folded before the commit, and if triggers of the app write
  ///   texts.
  init?(_ step: WriteStep, _ db: Database) {
    guard case .record(let operation, let record, let values) = step, !record.table.folded.isEmpty,
      operation != .delete
    else { return nil }
    // These texts are computed from the row.
    if operation == .assign, values[record.kinds.firstIndex(of: .flag) ?? 0] == .integer(0) { return nil }
    guard !FoldedTable.hasAppTriggers(db), let before = FoldedTable.folds(of: record, db) else { return nil }
    self.record = record
    self.before = before
  }

  /// The problem with the rows after the step; nil if there is none.
  func problem(_ db: Database) -> String? {
    guard let after = FoldedTable.folds(of: record, db) else { return nil }
    // A text with an unchanged fold is folded once more, as after a write by a connection that doesn't fold.
    let left = after.pending.subtracting(before.pending).filter { before[$0] != after[$0] }
    return left.isEmpty ? nil : "a record was written, and \(left.count) texts wait to be folded"
  }
}
