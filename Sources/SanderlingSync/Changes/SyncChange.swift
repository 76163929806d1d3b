public import Sanderling

/// A source's statement about one record: its present values, or that it isn't there any more.
public struct SyncChange: Sendable, Hashable {
  /// The record's present values, or how it went.
  public enum Content: Sendable, Hashable {
    /// The record's values, by the names of their columns, as they are stored. A column that isn't among them keeps its value, and gets its
    /// default where the record is new.
    case row([String: StorageValue])
    /// The record was deleted.
    case deletion
    /// The record is none of this device's any more, by a filter or a membership, and may be there for others.
    case departure
  }

  /// The record's name: the `named:` of its ``SyncedRecord``.
  public var record: String
  /// The values of its primary key, in the order of the key's columns.
  public var key: [StorageValue]
  /// The record's present values, or how it went.
  public var content: Content
  /// The server's version of this state of the record; nil where it has no versions.
  public var version: String?
  /// The line of its file, from 1.
  package var line: Int?
  /// Whether its texts are fields of a file that knows only texts, so that they may represent numbers.
  package var isOfFields = false
  /// The reason why the source names the row without its content; nil for all others.
  package var refusal: RowRefusal?

  /// Creates a change, with the record's name and key.
  public init(_ record: String, key: [StorageValue], _ content: Content, version: String? = nil) {
    self.record = record
    self.key = key
    self.content = content
    self.version = version
  }
}

/// Changes that a source gives at once.
public struct SyncBatch: Sendable, Hashable {
  /// In the order in which they happened; the last of a record counts.
  public var changes: [SyncChange]
  /// From where to go on when all of them are here; nil where that is as before.
  public var cursor: String?
  /// Whether the records are, with these changes, as they were at the source at one moment. A source that others change all the time may give one
  /// where each row is there that another one refers to. The end of a sequence is no checkpoint.
  public var isCheckpoint: Bool
  /// Whether the source restarts, since it no longer knows the changes since the cursor. A record that it doesn't name from here to the
  /// next checkpoint, or to the end of the sequence, no longer exists.
  public var restarts: Bool
  /// The beginning of an incomplete source with this batch; nil if the source continues or restarts as a whole.
  package var beginning: Beginning?
  /// The number of rows that the source left out because an earlier row is the same.
  package var repeatedCount = 0
  /// Whether the server lost changes that it gave or took before, as after a failover or from a restored backup. The source begins anew then.
  /// The last 1,000 changes that the server acknowledged are compared with its rows, and sent again where it lost them, through a merge.
  public var serverWentBack = false
  /// The number of the poll that ends with this batch, of a ``LookingSource``.
  var endOfLook: Int?
  /// How many changes the source takes to come after these, for ``SyncProgress/estimate``; nil where it doesn't know.
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
  /// The first rows of an incomplete source: rows that it doesn't name stay.
  package enum Beginning: Sendable, Hashable {
    /// It gives all its rows again, as it did at first. Rows that didn't fit before leave the quarantine and come
    /// again.
    case again
    /// It has other rows each time, as a pipe has. Rows that didn't fit before stay in the quarantine.
    case other
  }
}

/// Where records come from: a server, a file, another store.
public protocol SyncSource: Sendable {
  /// All that changed since a cursor, all records for nil. While a batch is being stored, the next one is asked for, and no more.
  ///
  /// The sequence ends when no more is known, or goes on with changes as they happen. An error that it throws ends the
  /// synchronisation, which goes on from the last stored cursor when it is run again.
  func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable
}
