/// How a database is opened, and by whom.
enum Opening: String, CaseIterable, Sendable {
  /// A queue in memory that the app opens, and the store adopts.
  case memory
  /// A queue in memory that the store opens.
  case ownMemory = "own-memory"
  /// A pool that the app opens, and the store adopts.
  case pool
  /// A queue on a file that the app opens, and the store adopts.
  case queue
  /// A pool that the app hands over wrapped.
  case wrappedPool = "wrapped-pool"
  /// A queue on a file that the app hands over wrapped.
  case wrappedQueue = "wrapped-queue"
  /// A file that the store opens.
  case file
  /// A file that the store opens to read, while another connection writes.
  case readOnly = "read-only"

  var isFile: Bool { self != .memory && self != .ownMemory }

  /// Whether the app has the connection and goes on using it when a store is closed.
  var isAdopted: Bool {
    switch self {
    case .memory, .pool, .queue, .wrappedPool, .wrappedQueue: true
    case .ownMemory, .file, .readOnly: false
    }
  }

  /// Whether the store makes the tables itself, as the records declare them.
  var makesTables: Bool { self == .file || self == .ownMemory }
}
