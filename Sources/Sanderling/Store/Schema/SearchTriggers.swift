/// The triggers that note outdated documents and waiting rows: see ``SearchIndex``.
///
/// They are plain SQL, and fire for every writer. REPLACE deletes rows without a trigger for deletions. So triggers
/// before each insertion, and before updates of unique columns, note the rows that may be replaced. If such a row
/// stays, the removal of outdated documents skips its document.
struct SearchTriggers {
  let triggers: [DeclaredTrigger]

  init(_ table: RecordTable) {
    guard let index = table.searchIndex else {
      triggers = []
      return
    }
    let name = table.name.quotedIdentifier
    let document = index.document.quotedIdentifier
    let outdated = index.outdatedTable.quotedIdentifier
    let columns = (["document"] + index.texts.map(\.alias)).joined(separator: ", ")
    let texts = index.texts.map(\.name.quotedIdentifier)
    func values(_ row: String) -> String { ([document] + texts).map { "\(row).\($0)" }.joined(separator: ", ") }
    /// Notes the texts of a row that is indexed and doesn't wait.
    ///
    /// The texts of a waiting row are in no index. But an index may have a document with the row's number, if REPLACE
    /// by a unique constraint that the record doesn't declare left it. Two triggers may note the same row, because an
    /// insertion can become an update. `OR IGNORE` can't prevent that: the conflict clause of the outer statement
    /// overrides it.
    func note(_ row: String, from rows: String = " WHERE") -> String {
      "INSERT INTO \(outdated) (\(columns)) SELECT \(values(row))\(rows) \(index.isIndexedAndSettled(row)) "
        + "AND NOT EXISTS (SELECT 1 FROM \(outdated) AS noted WHERE noted.document = \(row).\(document)); "
    }
    let uniques = table.uniqueParts
    /// Notes the rows that a new row may replace. An index finds each of them.
    func noteReplaced(except excluded: String = "") -> String {
      uniques.map { note(name, from: " FROM \(name) WHERE \($0.condition)\(excluded) AND") }.joined()
    }
    func trigger(_ purpose: String, _ event: String, _ body: String) -> DeclaredTrigger {
      DeclaredTrigger(
        "\(Self.purposePrefix)\(TextFold.version)_\(purpose)", of: table.name, event, body, keeping: .documents(index))
    }
    func isChanged(_ columns: [String]) -> String {
      columns.map { "NEW.\($0) IS NOT OLD.\($0) COLLATE BINARY" }.joined(separator: " OR ")
    }
    let uniqueColumns = Array(Set(uniques.flatMap(\.columns))).sorted().quotedIdentifiers
    let replacements = [
      trigger("replacement", "BEFORE INSERT", "BEGIN \(noteReplaced())END"),
      trigger(
        "update", "BEFORE UPDATE OF \(uniqueColumns)",
        "BEGIN \(noteReplaced(except: " AND NOT (\(table.keyEquals("OLD")))"))END"),
    ]
    guard let waiting = index.waitingTable?.quotedIdentifier else {
      triggers =
        [
          trigger(
            "change", "AFTER UPDATE OF \(texts.joined(separator: ", "))",
            "WHEN NEW.\(document) <> 0 AND NEW.\(document) = OLD.\(document) AND (\(isChanged(texts))) BEGIN "
              // A trigger of the app that ran first may have updated the row again. That update noted a text that was
              // never indexed.
              + "DELETE FROM \(outdated) WHERE document = OLD.\(document); "
              + "INSERT INTO \(outdated) (\(columns)) VALUES (\(values("OLD"))); "
              + "UPDATE \(name) SET \(document) = 0 WHERE \(table.keyEquals("NEW")); END"),
          trigger("deletion", "AFTER DELETE", "BEGIN \(note("OLD"))END"),
        ] + replacements
      return
    }
    let wait =
      "INSERT INTO \(waiting) (document) SELECT NEW.\(document) WHERE NEW.\(document) IS NOT NULL "
      + "AND NOT EXISTS (SELECT 1 FROM \(waiting) AS waiting WHERE waiting.document = NEW.\(document)); "
    let compared = texts + [document]
    // BEFORE, because a trigger of the app that ran first could have written the row, or another row with its key,
    // again.
    triggers =
      [
        trigger(
          "change", "BEFORE UPDATE OF \(compared.joined(separator: ", "))",
          "WHEN \(isChanged(compared)) BEGIN \(note("OLD"))\(wait)END"),
        trigger("deletion", "BEFORE DELETE", "BEGIN \(note("OLD"))END"),
        trigger("insertion", "AFTER INSERT", "BEGIN \(wait)END"),
      ] + replacements
  }

  static let purposePrefix = "search_"
}

extension RecordTable {
  /// The unique constraints: the columns, and a condition for the row with the same values as `NEW`.
  ///
  /// Constraints on expressions are left out.
  fileprivate var uniqueParts: [(columns: [String], condition: String)] {
    let declared = indexes.filter(\.isUnique).compactMap { index -> (columns: [String], condition: String)? in
      var columns: [String] = []
      var conditions: [String] = []
      for part in index.parts {
        guard case .column(let column) = part.term else { return nil }
        let name = column.definition.name.quotedIdentifier
        columns.append(column.definition.name)
        conditions.append("\(name) = NEW.\(name)" + (part.collation.map { " COLLATE \($0.rawValue)" } ?? ""))
      }
      return (columns, conditions.joined(separator: " AND "))
    }
    return [(keyColumns.map(\.name), keyEquals("NEW"))] + declared
  }
}
