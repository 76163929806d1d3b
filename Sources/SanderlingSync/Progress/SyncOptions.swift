/// The options for the changes of a source.
public struct SyncOptions: Sendable {
  /// The treatment of rows that don't fit: a value of another type, a forbidden NULL, a violated constraint.
  public enum Misfits: Sendable, Hashable {
    /// Rows that don't fit are quarantined with the reason. The app can list the rows, correct them and try them again:
    /// see ``SyncSession/quarantine(limit:after:)``.
    case quarantine
    /// The synchronisation ends with ``SyncError/misfit(record:key:column:reason:)``. Earlier batches stay stored.
    case stop
  }

  /// The moment at which pulled changes become visible: at their arrival, or at their checkpoint.
  public enum Visibility: Sendable, Hashable {
    /// Changes are applied as they arrive.
    case changes
    /// Changes wait in the database until their checkpoint arrives: <doc:Pulling>.
    case checkpoints
  }

  /// The treatment of rows that don't fit. They are quarantined by default.
  public var misfits: Misfits
  /// The moment at which pulled changes become visible: at their arrival by default.
  public var shows: Visibility
  /// Whether a source that lists all rows may leave out most rows of a table, and so remove them. Most rows are all
  /// rows, or more than half of 20 rows or more.
  ///
  /// `false` by default: such a run removes nothing, and ends with ``SyncError/massDeletion(table:unnamed:of:)``. See
  /// <doc:Pulling>.
  public var allowsMassDeletion: Bool
  /// Whether rows that the app wrote before the first synchronisation with a sink are sent.
  ///
  /// `false` by default: such rows stay on the device, and a source that lists all rows removes them. If `true`, the
  /// first run compares all rows with the source before it sends anything, and sends the rows that the source does not
  /// have. If both have a row with different values, the source's values win, unless the record's
  /// ``ConflictPolicy`` decides about whole rows, and the conflict log has the lost values.
  ///
  /// The option takes effect when a table is synchronised with a sink for the first time, and for the first time after
  /// an erasure. It needs a source that lists all rows in its first run, as all adapters of servers do. Don't set it for
  /// tables with rows of another user, or with rows that each device creates by itself under new keys.
  public var sendsEarlierRows: Bool
  /// The greatest number of staged changes, with ``Visibility/checkpoints``. 1,000,000 by default, at least 1.
  ///
  /// If a source gives more changes before a checkpoint, the changes are applied without a checkpoint, as with
  /// ``Visibility/changes``. Live results stay unchanged while these changes are applied. The changes of the current
  /// batch may exceed the limit. Each staged change takes about 200 bytes of the database, and the space of its values.
  public var stagedLimit = 1_000_000
  /// The pace at a run's beginning; tests set it to split batches.
  var pace = SlicePace()
  /// The delays after failed pushes; tests have none.
  package var backoff = PushBackoff()
  /// The clock of these delays. Tests use a stopped clock.
  var clock: any Clock<Duration> = ContinuousClock()
  /// The greatest number of mutations in one request.
  package var pushBatchSize = 100

  /// The number of changes in a run's first transaction.
  package var firstSlice: Int {
    get { pace.changes }
    set { pace = SlicePace(changes: newValue) }
  }

  /// Creates options.
  ///
  /// - Parameters:
  ///   - misfits: The treatment of rows that don't fit.
  ///   - shows: The moment at which pulled changes become visible: at their arrival, or at their checkpoint.
  ///   - allowsMassDeletion: Whether a source that lists all rows may remove most rows of a table.
  ///   - sendsEarlierRows: Whether rows from before the first synchronisation with a sink are sent.
  public init(
    misfits: Misfits = .quarantine, shows: Visibility = .changes, allowsMassDeletion: Bool = false,
    sendsEarlierRows: Bool = false
  ) {
    self.misfits = misfits
    self.shows = shows
    self.allowsMassDeletion = allowsMassDeletion
    self.sendsEarlierRows = sendsEarlierRows
  }
}
