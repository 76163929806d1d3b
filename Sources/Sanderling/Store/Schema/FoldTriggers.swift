/// The triggers that mark texts as pending if a writer changed them without folding.
///
/// They are plain SQL, and fire for every writer. If a writer sets the folded text together with the text, it is kept.
/// Exception: if the fold is unchanged, the text is folded once more.
///
/// Texts are compared as bytes, because texts that are equal by a column's collation may have different folds. A new
/// row needs no trigger: its folded text is pending by default.
struct FoldTriggers {
  let triggers: [DeclaredTrigger]

  init(_ table: RecordTable) {
    let row = table.keyEquals("NEW")
    triggers = table.folded.map { column in
      let (text, folded) = (column.textName.quotedIdentifier, column.name.quotedIdentifier)
      return DeclaredTrigger(
        Self.purpose, of: table.name, column: column.textName, "AFTER UPDATE OF \(text)",
        "WHEN NEW.\(text) IS NOT OLD.\(text) COLLATE BINARY AND NEW.\(folded) IS OLD.\(folded) BEGIN UPDATE "
          + "\(table.name.quotedIdentifier) SET \(folded) = \(FoldedColumn.pendingSQL) WHERE \(row); END",
        keeping: .folds(column: column.name))
    }
  }

  /// The name includes the version of the fold, so that the database shows which version folded its texts. A trigger of
  /// another version is replaced, and all texts of its table are folded again.
  private static let purpose = "\(purposePrefix)\(TextFold.version)"

  static let purposePrefix = "fold_"
}
