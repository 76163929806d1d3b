import Synchronization

/// One executed statement: its SQL, its operation, and its cost.
public struct StatementRecord: Hashable, Sendable {
  /// The operation in which the statement ran; nil outside of any.
  public let operation: StoreOperation?
  /// The SQL, with placeholders for the values.
  public let sql: String
  /// The SQL with its values; nil unless the recording asks for values, which may be private.
  public let expandedSQL: String?
  /// The number of returned rows. For a statement that writes, the number of rows that it changed itself, without
  /// triggers and cascades.
  public let rowCount: Int
  /// The time between the first step and the last, by a monotonic clock. It includes the reader's work between the
  /// steps.
  public let duration: Duration
  /// SQLite's counters of the work.
  public let counters: Counters

  /// SQLite's counters of one run of a statement.
  ///
  /// See [Prepared Statement Status](https://www.sqlite.org/c3ref/c_stmtstatus_counter.html).
  public struct Counters: Hashable, Sendable {
    /// Rows that full scans of tables stepped over.
    public let fullScanSteps: Int
    /// Sorts that no index made unnecessary.
    public let sorts: Int
    /// Rows that were inserted into indexes that SQLite made for this statement alone.
    public let automaticIndexRows: Int
    /// Instructions of SQLite's virtual machine: the amount of work, independent of the machine's speed.
    public let virtualMachineSteps: Int
  }
}

/// Receives the statements of a store as they finish, and the store's observations about them.
public protocol StatementSink: Sendable {
  /// Receives a finished statement on the thread that ran it. The thread waits, so return soon.
  func receive(_ statement: StatementRecord)

  /// Receives a missing index. Called once for each form of a query that is read in pages and sorted, if an index could
  /// give its order. Does nothing unless implemented.
  func receive(_ missingIndex: MissingIndex)
}

extension StatementSink {
  public func receive(_ missingIndex: MissingIndex) {}
}

/// Collects the statements of one piece of work.
final class StatementCollector: StatementSink {
  @TaskLocal static var current: StatementCollector?

  /// Guards the records, since the work may be concurrent.
  private let collected = Lock<[StatementRecord]>([])
  private let includesValues: Bool
  /// The collector of the surrounding work.
  private let parent = StatementCollector.current

  init(includesValues: Bool) {
    self.includesValues = includesValues
  }

  /// Whether this collector or a surrounding one asks for values.
  var asksForValues: Bool { includesValues || parent?.asksForValues == true }

  var statements: [StatementRecord] { collected.withLock { $0 } }

  func receive(_ statement: StatementRecord) {
    let own = includesValues ? statement : statement.withoutValues
    collected.withLock { $0.append(own) }
    parent?.receive(statement)
  }
}

/// Withholds values from a listener that didn't request them, while another listener did.
struct SinkWithoutValues: StatementSink {
  let sink: any StatementSink

  func receive(_ statement: StatementRecord) {
    sink.receive(statement.withoutValues)
  }

  func receive(_ missingIndex: MissingIndex) {
    sink.receive(missingIndex)
  }
}

extension StatementRecord {
  fileprivate var withoutValues: StatementRecord {
    StatementRecord(
      operation: operation, sql: sql, expandedSQL: nil, rowCount: rowCount, duration: duration, counters: counters)
  }
}
