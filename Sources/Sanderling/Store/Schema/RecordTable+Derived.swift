package import GRDB

/// The objects that searched texts need beside the record's own columns: for apps that make their tables themselves,
/// and for tests.
extension RecordTable {
  /// A trigger that notes which texts must be folded or indexed again.
  package struct DerivingTrigger: Sendable {
    package let name: String
    package let sql: String
    /// The statements that have all texts folded or indexed anew, for where the trigger wasn't there.
    package let renewalSQL: [String]
  }

  /// The definitions of the columns that no property has.
  package func derivedColumnSQL(inStrictTable isStrict: Bool) -> [String] {
    declaredDerivedColumns.map { $0.definition(inStrictTable: isStrict) }
  }

  /// The tables beside the searched one, with the statements that make them.
  package var derivedTables: [(name: String, sql: String)] { searchIndex?.tables ?? [] }

  /// The full-text tables. Each has a document for each row.
  package var fullTextTables: [String] { searchIndex?.fullTextTables.map(\.name) ?? [] }

  /// The triggers of searched texts, in the order in which they are made.
  package var derivingTriggers: [DerivingTrigger] {
    (FoldTriggers(self).triggers + SearchTriggers(self).triggers).map {
      DerivingTrigger(name: $0.name, sql: $0.sql, renewalSQL: $0.renewalSQL)
    }
  }

  /// Whether rows wait to be put into full-text indexes, or documents to be taken out.
  package func hasPendingDocuments(_ db: Database) throws -> Bool {
    try PendingDocuments(self)?.isPending(db) ?? false
  }

  /// The problems of the full-text indexes, apart from waiting rows; empty if there are none.
  package func searchIndexProblems(_ db: Database) throws -> [String] {
    try searchIndex.map { try SearchIndexCheck($0, of: self, db).problems() } ?? []
  }
}
