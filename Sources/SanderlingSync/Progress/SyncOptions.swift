/// How a synchronisation goes about what a source gives.
public struct SyncOptions: Sendable {
  /// What becomes of rows that don't fit: a value of another type, NULL where there can't be any, a constraint.
  public enum Misfits: Sendable, Hashable {
    /// They are put aside with the reason, and can be listed, mended and tried again: ``SyncSession/quarantine(limit:after:)``.
    case quarantine
    /// The synchronisation ends with ``SyncError/misfit(record:key:column:reason:)``. The batches before are stored.
    case stop
  }

  public var misfits: Misfits
  /// With which a run begins: tests have it cut batches.
  var pace = SlicePace()

  public init(misfits: Misfits = .quarantine) {
    self.misfits = misfits
  }
}
