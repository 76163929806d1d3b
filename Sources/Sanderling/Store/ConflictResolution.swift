/// The way an insertion handles an existing row that conflicts with it, instead of failing.
///
/// To have the row that is there changed, see ``WriteTransaction/upsert(_:onConflict:updating:leavingUnchangedRows:)``. There is
/// no REPLACE: it deletes the rows in its way with all that refers to them, and runs none of their delete triggers.
public struct ConflictResolution<Owner: StoredRecord>: Hashable, Sendable {
  /// The columns of the unique index in question; nil for all unique columns.
  private let target: [Int]?

  /// Leaves any row alone that the record conflicts with, by its key or by other unique columns.
  public static var ignore: ConflictResolution { ConflictResolution(target: nil) }

  /// Leaves the row alone that has the same values in the columns of a unique index. A conflict over others is an error.
  public static func ignore(on columns: PartialKeyPath<Owner.Fields>...) -> ConflictResolution {
    ConflictResolution(target: columns.isEmpty ? Owner.table.key : columns.map { Association.columnIndex(of: $0) })
  }

  /// The clause that it adds to an INSERT. Unlike OR IGNORE, the clause skips no record for a value that is missing or
  /// not allowed.
  var clause: String {
    guard let target else { return " ON CONFLICT DO NOTHING" }
    return " ON CONFLICT (\(target.map { Owner.table.columns[$0].name }.quotedIdentifiers)) DO NOTHING"
  }
}
