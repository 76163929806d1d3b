/// The triggers that note which documents are outdated: see ``SearchIndex``.
///
/// They are plain SQL, and fire for every writer. REPLACE removes rows without a trigger for deletions. So a trigger before each insertion
/// notes the rows that it may remove. Where it doesn't after all, their documents are still those of rows, and who tidies up sees that.
struct SearchTriggers {
  let triggers: [DeclaredTrigger]

  init(_ table: RecordTable) {
    guard let index = table.searchIndex else {
      triggers = []
      return
    }
    let document = SearchIndex.documentColumn.quotedIdentifier
    let name = table.name.quotedIdentifier
    let texts = index.texts.map(\.name.quotedIdentifier)
    let columns = ([document] + texts).joined(separator: ", ")
    let outdated = index.outdatedTable.quotedIdentifier
    // One document may be noted twice: by an insertion that becomes an update. OR IGNORE would be overruled by what the statement says that
    // fires the trigger.
    func note(_ values: String, of noted: String, from rows: String) -> String {
      "INSERT INTO \(outdated) (\(columns)) SELECT \(values)\(rows) "
        + "NOT EXISTS (SELECT 1 FROM \(outdated) AS noted WHERE noted.\(document) = \(noted))"
    }
    let noteOld = note(
      ([document] + texts).map { "OLD.\($0)" }.joined(separator: ", "), of: "OLD.\(document)", from: " WHERE")
    let isChanged = texts.map { "NEW.\($0) IS NOT OLD.\($0) COLLATE BINARY" }.joined(separator: " OR ")
    func trigger(_ purpose: String, _ event: String, _ rest: String) -> DeclaredTrigger {
      DeclaredTrigger(
        "\(Self.purposePrefix)\(TextFold.version)_\(purpose)", of: table.name, event, rest,
        keeping: SearchIndex.derivedColumn)
    }
    triggers = [
      trigger(
        "change", "AFTER UPDATE OF \(texts.joined(separator: ", "))",
        "WHEN NEW.\(document) <> 0 AND NEW.\(document) = OLD.\(document) AND (\(isChanged)) BEGIN "
          + "\(noteOld); UPDATE \(name) SET \(document) = 0 WHERE \(table.keyEquals("NEW")); END"),
      trigger(
        "deletion", "AFTER DELETE", "WHEN OLD.\(document) <> 0 BEGIN \(noteOld); END"),
      trigger(
        "replacement", "BEFORE INSERT",
        "BEGIN "
          + note(
            columns, of: "\(name).\(document)",
            from: " FROM \(name) WHERE \(table.keyEquals("NEW")) AND \(document) <> 0 AND")
          + "; END"),
    ]
  }

  static let purposePrefix = "search_"
}
