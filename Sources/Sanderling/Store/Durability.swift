/// The failures that a committed write survives.
public enum Durability: Hashable, Sendable {
  /// Survives the end of the process at any moment. A loss of power may undo the last commits, and leaves the database
  /// consistent (`PRAGMA synchronous = NORMAL`).
  case normal
  /// Also survives a loss of power: every commit waits for the drive (`PRAGMA synchronous = FULL`, on Apple platforms
  /// with `fullfsync`).
  case full
}
