/// The treatment of a record whose insertion conflicts with an existing row, instead of an error.
///
/// To change the existing row, see ``WriteTransaction/upsert(_:onConflict:updating:leavingUnchangedRows:)``. There is
/// no REPLACE on purpose. It deletes the conflicting rows with all rows that refer to them, and runs none of their
/// delete triggers.
public struct ConflictResolution<Owner: StoredRecord>: Hashable, Sendable {
  /// The columns of the unique index that may conflict; nil for all unique indexes.
  private let target: [Int]?

  /// Keeps the existing row and skips the record, if they conflict by the key or by other unique columns.
  public static var ignore: ConflictResolution { ConflictResolution(target: nil) }

  /// Keeps the existing row and skips the record, if they have the same values in the columns of a unique index. A
  /// conflict in other columns is an error.
  public static func ignore(on columns: PartialKeyPath<Owner.Fields>...) -> ConflictResolution {
    ConflictResolution(target: columns.isEmpty ? Owner.table.key : columns.map { Association.columnIndex(of: $0) })
  }

  /// The clause for an INSERT. Unlike OR IGNORE, the clause skips no record with a missing or invalid value.
  var clause: String {
    guard let target else { return " ON CONFLICT DO NOTHING" }
    return " ON CONFLICT (\(target.map { Owner.table.columns[$0].name }.quotedIdentifiers)) DO NOTHING"
  }
}
