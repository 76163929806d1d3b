/// How a store finds out that another connection or process wrote: see ``Store/outsideChangeDetection``.
public enum OutsideChangeDetection: Hashable, Sendable {
  /// No live result follows the database, the app is suspended, or the database is in memory. Nothing is watched.
  case inactive
  /// The system reports each write to the database's log. A quiet database costs nothing.
  case events
  /// The system reports no writes, on a network's file system for example. The store asks SQLite once a second.
  case polling
  /// The app turned detection off: ``Store/detectsOutsideChanges``.
  case off
}
