/// The calls that fail while faults are armed.
struct Fault: Sendable {
  enum Operation: String, CaseIterable, Sendable {
    /// Opening a file.
    case open
    /// Reading from a file.
    case read
    /// Writing to a file: the disk is full, or the write fails.
    case write
    /// Syncing written data to the disk.
    case sync
    /// Mapping the memory that connections share.
    case map
    /// Locking, with which each snapshot begins.
    case lock
    /// A step of a statement, which is interrupted. The only operation that can fail for a database in memory.
    case step
  }

  var operation: Operation
  /// The number of calls that succeed first.
  var skipped: Int
  /// The number of calls that fail after that.
  var count: Int
  /// Whether SQLite receives the code for a busy file, after which it tries again.
  var isBusy = false
  /// Whether a write receives the code for a full disk.
  var isFull = false
}
