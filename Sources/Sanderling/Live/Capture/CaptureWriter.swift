import GRDBSQLite

/// What capture keeps for the writer's connection. Belongs to the writer's queue.
final class CaptureWriter {
  /// A table that is captured.
  struct Slot {
    /// The number in the names of its triggers.
    let number: Int
    var program: Int
    var layout: CaptureLayout
  }

  let buffer: CaptureBuffer
  var slots: [RecordType: Slot] = [:]
  var lastSlotNumber = 0
  /// The connection, from the first installation on. Valid whenever GRDB calls its observers.
  var connection: OpaquePointer?
  /// Whether the transaction under way is capture's own.
  var isInstalling = false
  /// Whether triggers may be gone or wrong since the schema changed.
  var isUncertain = false
  /// What the connection's numbers were at the last look; nil while nothing is followed.
  var versions: ConnectionVersions?
  /// What they are at the end of the transaction that is about to be committed, where that was read already.
  var versionsToCommit: ConnectionVersions?
  var versionStatements = ConnectionVersions.Statements()

  init(limit: Int) {
    buffer = CaptureBuffer(limit: limit)
  }

  var isInWriteTransaction: Bool {
    connection.map { sqlite3_txn_state($0, "main") == SQLITE_TXN_WRITE } ?? false
  }
}
