/// What fails while faults are armed.
struct Fault: Sendable {
  enum Operation: String, CaseIterable, Sendable {
    /// Opening a file.
    case open
    /// Reading from a file.
    case read
    /// Writing to a file, for which the disk is full, or fails.
    case write
    /// Having what was written on the disk.
    case sync
    /// Mapping the memory that connections share.
    case map
    /// Locking: where each snapshot begins.
    case lock
    /// A step of a statement, which is interrupted. The only one that a database in memory has.
    case step
  }

  var operation: Operation
  /// How many calls succeed before.
  var skipped: Int
  /// How many calls fail then.
  var count: Int
  /// Whether SQLite is told that the file is busy, for which it tries again.
  var isBusy = false
  /// Whether SQLite is told that the disk is full, where it writes.
  var isFull = false
}
