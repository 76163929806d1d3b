/// The way in which a database is opened, by the app or by the store.
enum Opening: String, CaseIterable, Sendable {
  /// A queue in memory, opened by the app and adopted by the store.
  case memory
  /// A queue in memory, opened by the store.
  case ownMemory = "own-memory"
  /// A pool, opened by the app and adopted by the store.
  case pool
  /// A queue on a file, opened by the app and adopted by the store.
  case queue
  /// A pool that the app passes in a wrapper.
  case wrappedPool = "wrapped-pool"
  /// A queue on a file that the app passes in a wrapper.
  case wrappedQueue = "wrapped-queue"
  /// A file that the store opens.
  case file
  /// A file that the store opens read-only, while another connection writes.
  case readOnly = "read-only"

  var isFile: Bool { self != .memory && self != .ownMemory }

  /// Whether the app owns the connection and keeps using it after a store is closed.
  var isAdopted: Bool {
    switch self {
    case .memory, .pool, .queue, .wrappedPool, .wrappedQueue: true
    case .ownMemory, .file, .readOnly: false
    }
  }

  /// Whether the store creates the tables itself, as the records declare them.
  var makesTables: Bool { self == .file || self == .ownMemory }
}
