public import Sanderling

/// A source's statement about one record: its present values, or its absence.
public struct SyncChange: Sendable, Hashable {
  /// The record's present values, or the reason of its absence.
  public enum Content: Sendable, Hashable {
    /// The record's stored values, by the names of their columns. A missing column keeps its value; in a new record, it
    /// gets its default.
    case row([String: StorageValue])
    /// The record was deleted.
    case deletion
    /// The record no longer belongs to this device, because of a filter or a membership. Other devices may still have
    /// it.
    case departure
  }

  /// The record's name: the `named:` of its ``SyncedRecord``.
  public var record: String
  /// The values of its primary key, in the order of the key's columns.
  public var key: [StorageValue]
  /// The record's present values, or the reason of its absence.
  public var content: Content
  /// The server's version of this state of the record; nil if the server has no versions.
  public var version: String?
  /// The line of the record in its file, from 1.
  package var line: Int?
  /// Whether the texts are fields of a file without types, so that they may represent numbers.
  package var isOfFields = false
  /// The reason why the source names the row without its content; nil for other changes.
  package var refusal: RowRefusal?

  /// Creates a change, with the record's name and key.
  public init(_ record: String, key: [StorageValue], _ content: Content, version: String? = nil) {
    self.record = record
    self.key = key
    self.content = content
    self.version = version
  }
}

/// The changes that a source sends at once.
public struct SyncBatch: Sendable, Hashable {
  /// The changes in the order in which they happened. The last change of a record counts.
  public var changes: [SyncChange]
  /// The cursor after these changes; nil if the cursor stays the same.
  public var cursor: String?
  /// Whether the records, with these changes, equal the source at one moment. A source with constant changes may give a
  /// checkpoint at which each referenced row exists. The end of a sequence is no checkpoint.
  public var isCheckpoint: Bool
  /// Whether the source restarts, because it no longer knows the changes since the cursor.
  ///
  /// A record that the source doesn't list from here to the next checkpoint, or to the end of the sequence, no longer
  /// exists.
  public var restarts: Bool
  /// The beginning of an incomplete source with this batch; nil if the source continues or restarts as a whole.
  package var beginning: Beginning?
  /// The number of rows that the source left out because an earlier row is the same.
  package var repeatedCount = 0
  /// Whether the server lost earlier changes, as after a failover or from a restored backup. The source then restarts.
  /// The last 1,000 acknowledged changes are compared with the server's rows. Changes that the server lost are merged
  /// and sent again.
  public var serverWentBack = false
  /// The number of the poll that ends with this batch, of a ``LookingSource``.
  var endOfLook: Int?
  /// The source's estimate of the number of remaining changes, for ``SyncProgress/estimate``; nil if unknown.
  public var remaining: Int?

  /// Creates a batch of changes, in the order in which they happened.
  public init(
    _ changes: [SyncChange], cursor: String? = nil, isCheckpoint: Bool = false, restarts: Bool = false,
    remaining: Int? = nil
  ) {
    self.changes = changes
    self.cursor = cursor
    self.isCheckpoint = isCheckpoint
    self.restarts = restarts
    self.remaining = remaining
  }
}

extension SyncBatch {
  /// The kinds of first rows of an incomplete source. Rows that it doesn't list stay.
  package enum Beginning: Sendable, Hashable {
    /// The source sends all its rows again, as before. Quarantined rows are dropped, because the source sends them
    /// again.
    case again
    /// The source sends other rows each time, as a pipe does. Rows that didn't fit before stay in the quarantine.
    case other
  }
}

/// A place from which records are pulled: a server, a file, or another store.
public protocol SyncSource: Sendable {
  /// Returns all changes since a cursor; all records for nil. While a batch is being stored, the next batch is
  /// requested, and no further one.
  ///
  /// The sequence ends when all changes are known, or continues with changes as they happen. An error that it throws
  /// ends the synchronisation. The next run continues from the last stored cursor.
  func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable
}
