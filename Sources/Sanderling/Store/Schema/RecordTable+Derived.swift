package import GRDB

/// The objects that searched texts need in addition to the record's own columns. For apps that create their tables
/// themselves, and for tests.
extension RecordTable {
  /// A trigger that marks texts that must be folded or indexed again.
  package struct DerivingTrigger: Sendable {
    package let name: String
    package let sql: String
    /// The statements that derive all texts again. They must run if the trigger was missing.
    package let renewalSQL: [String]
  }

  /// The definitions of the columns without a property.
  package func derivedColumnSQL(inStrictTable isStrict: Bool) -> [String] {
    declaredDerivedColumns.map { $0.definition(inStrictTable: isStrict) }
  }

  /// The tables of the full-text indexes, with the statements that create them.
  package var derivedTables: [(name: String, sql: String)] { searchIndex?.tables ?? [] }

  /// The names of the full-text tables. Each has a document for each indexed row.
  package var fullTextTables: [String] { searchIndex?.fullTextTables.map(\.name) ?? [] }

  /// The triggers of searched texts, in the order in which they are created.
  package var derivingTriggers: [DerivingTrigger] {
    (FoldTriggers(self).triggers + SearchTriggers(self).triggers).map {
      DerivingTrigger(name: $0.name, sql: $0.sql, renewalSQL: $0.renewalSQL)
    }
  }

  /// Whether rows wait for indexing in full-text indexes, or documents wait for removal.
  package func hasPendingDocuments(_ db: Database) throws -> Bool {
    try PendingDocuments(self)?.isPending(db) ?? false
  }

  /// The problems of the full-text indexes, apart from waiting rows; empty if there are none.
  package func searchIndexProblems(_ db: Database) throws -> [String] {
    try searchIndex.map { try SearchIndexCheck($0, of: self, db).problems() } ?? []
  }
}
