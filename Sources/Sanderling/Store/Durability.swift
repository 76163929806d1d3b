/// How much an acknowledged write survives.
public enum Durability: Hashable, Sendable {
  /// The end of the process at any moment. After a loss of power the last commits may be missing; the database is
  /// consistent (`PRAGMA synchronous = NORMAL`).
  case normal
  /// A loss of power too: every commit waits until the drive has it (`PRAGMA synchronous = FULL`, on Apple platforms
  /// with `fullfsync`).
  case full
}
