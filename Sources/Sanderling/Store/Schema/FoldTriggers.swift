/// The triggers that note which texts are to be folded anew, since somebody changed them who folds none.
///
/// They are plain SQL, and fire for every writer. Who sets the folded text with the text is left alone, unless both folds are the same,
/// in which case the text is folded once more. Texts are compared as bytes: what a column's collation takes for one has two folds. A new row needs no trigger: its folded text is pending by default.
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

  /// Names the version of the fold, so that the database tells by which one its texts were folded: a trigger of another version is made
  /// anew, and with it all folded texts.
  private static let purpose = "\(purposePrefix)\(TextFold.version)"

  static let purposePrefix = "fold_"
}
