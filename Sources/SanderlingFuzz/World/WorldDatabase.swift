import Foundation
import GRDB
import Sanderling
import Synchronization

/// The problems that the stores of a round reported about their own results.
final class AuditReports: Sendable {
  /// Guards the reports. Stores add to them on their own threads.
  private let reports = Mutex<[String]>([])

  var first: String? { reports.withLock { $0.first } }

  @Sendable
  func add(_ difference: LiveDifference) {
    reports.withLock { $0.append("\(difference)") }
  }
}

/// The database of a round (a file in its own folder, or memory), and the store that follows it.
final class WorldDatabase {
  private let world: World
  /// The folder of the database's files; nil in memory.
  let folder: URL?
  /// Whether another process has made the database, and removes it.
  private let isJoined: Bool
  /// The app's own connections, which stores adopt; nil if the store opens the database itself.
  private let adopted: (any DatabaseWriter)?
  /// A connection like that of another process; nil in memory.
  private let outside: DatabaseQueue?
  /// A connection that notices outside changes; nil unless the store is read-only.
  let probe: DatabaseQueue?
  /// The clock with which all stores of the database space their results.
  let clock = RestlessClock()
  private var openStore: Store?
  /// The problems that the stores' audits reported.
  let auditReports = AuditReports()
  /// The problems of writes, independent of live results.
  let writeProblems = WriteProblems()

  /// - Parameter joinedFolder: The folder of a database that another process has made; nil to make one.
  init(_ world: World, joining joinedFolder: URL? = nil) throws {
    self.world = world
    isJoined = joinedFolder != nil
    let opening = world.configuration.opening
    folder = opening.isFile ? try joinedFolder ?? Self.makeFolder() : nil
    let path = folder.map { Self.path($0).path }
    let configuration = Self.configuration(world, folder)
    adopted =
      switch opening {
      case .memory: try DatabaseQueue(configuration: configuration)
      case .pool: try DatabasePool(path: path ?? "", configuration: configuration)
      case .queue: try DatabaseQueue(path: path ?? "", configuration: configuration)
      case .wrappedPool: AnyDatabaseWriter(try DatabasePool(path: path ?? "", configuration: configuration))
      case .wrappedQueue: AnyDatabaseWriter(try DatabaseQueue(path: path ?? "", configuration: configuration))
      case .ownMemory, .file, .readOnly: nil
      }
    if let path {
      var configuration = configuration
      configuration.observesSuspensionNotifications = false
      if opening == .readOnly { configuration.journalMode = .wal }
      // Creates the file, in the journal mode of the store's connections.
      if opening == .file { _ = try DatabasePool(path: path, configuration: configuration) }
      outside = try DatabaseQueue(path: path, configuration: configuration)
      probe = opening == .readOnly ? try DatabaseQueue(path: path, configuration: configuration) : nil
    } else {
      probe = nil
      outside = nil
    }
    if !isJoined, let maker = adopted ?? (opening == .readOnly ? outside : nil) {
      try Self.fill(maker, world, makesTables: true)
    }
    let store = try makeStore()
    openStore = store
    if opening.makesTables, !isJoined { try Self.fill(store.writer, world, makesTables: false) }
    // The files only need to last as long as the round.
    let connections: [(any DatabaseWriter)?] = [adopted ?? (opening == .file ? store.writer : nil), outside]
    for connection in connections {
      try connection?.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = OFF") }
    }
  }

  /// The database in a folder.
  static func path(_ folder: URL) -> URL { folder.appending(path: "world.sqlite") }

  /// Opens a plain connection to a database that another process has made.
  static func connect(_ world: World, _ folder: URL) throws -> DatabaseQueue {
    let connection = try DatabaseQueue(path: path(folder).path, configuration: configuration(world, folder))
    try connection.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = OFF") }
    return connection
  }

  private static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sanderling-fuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private static func configuration(_ world: World, _ folder: URL?) -> Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = world.configuration.enforcesForeignKeys
    configuration.acceptsDoubleQuotedStringLiterals = world.configuration.acceptsQuotedTexts
    configuration.busyMode = .timeout(10)
    configuration.observesSuspensionNotifications = world.configuration.observesSuspension
    let attached = world.configuration.attachesEverywhere ? attachedPath(folder) : nil
    configuration.prepareDatabase { db in
      db.add(collation: collation)
      try TextReference.register(on: db)
      try SearchReference.register(on: db)
      if world.configuration.hasRecursiveTriggers { try db.execute(sql: "PRAGMA recursive_triggers = ON") }
      if let attached { try db.execute(sql: "ATTACH \(StorageValue.text(attached).literal) AS extra") }
    }
    return configuration
  }

  private static func fill(_ writer: any DatabaseWriter, _ world: World, makesTables: Bool) throws {
    try writer.writeWithoutTransaction { db in
      if makesTables {
        for table in world.tables {
          for statement in [table.sql()] + table.searchStatements { try db.execute(sql: statement) }
        }
      }
      try db.execute(sql: World.auditTable)
      for statement in world.features + world.rows { try? db.execute(sql: statement) }
    }
  }

  /// A collation of the app that SQLite calls: the longer text comes last.
  private static let collation = DatabaseCollation(World.ownCollation) { lhs, rhs in
    let (left, right) = ((lhs.utf8.count, lhs), (rhs.utf8.count, rhs))
    return left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
  }

  /// Closes the connections and removes the files.
  func remove() {
    // Work that still waits for a sweep finds a database that is being closed.
    clock.advance(by: .seconds(3_600))
    try? outside?.close()
    try? probe?.close()
    try? openStore?.close()
    try? adopted?.close()
    if let folder, !isJoined { try? FileManager.default.removeItem(at: folder) }
  }
}

// MARK: - Stores

extension WorldDatabase {
  var opening: Opening { world.configuration.opening }

  /// The store of the round's results.
  var store: Store {
    guard let openStore else { preconditionFailure("steps run while a store is open") }
    return openStore
  }

  var isOpen: Bool { openStore != nil }

  /// The connection that writes: the store's own, or another one if the store is read-only.
  var writer: any DatabaseWriter {
    if opening == .readOnly, let outside { return outside }
    return adopted ?? store.writer
  }

  var outsideConnection: DatabaseQueue? { outside }

  /// A connection that stays open when no store is; nil for a database in memory that belongs to the store.
  var appConnection: (any DatabaseWriter)? { adopted ?? outside }

  /// Opens a store as the world describes.
  func makeStore() throws -> Store {
    let store = try openedStore()
    store.detectsOutsideChanges = world.configuration.detectsOutsideChanges
    return store
  }

  private func openedStore() throws -> Store {
    let interval = world.configuration.isSpaced ? Store.defaultLiveInterval : .zero
    if let adopted {
      return try Store(adopted, schema: fuzzRecords, clock: clock, liveInterval: interval, audit: audit)
    }
    var configuration = Self.configuration(world, folder)
    guard let folder else {
      return try Store(
        inMemory: fuzzRecords, configuration: configuration, clock: clock, liveInterval: interval, audit: audit)
    }
    configuration.readonly = opening == .readOnly
    return try Store(
      path: Self.path(folder).path, schema: fuzzRecords, configuration: configuration,
      clock: clock, liveInterval: interval, audit: audit)
  }

  private var audit: LiveAudit {
    world.configuration.isAudited ? .everyCommit(handler: auditReports.add) : .off
  }

  /// Opens another store on the connections of the round's store.
  func makeStoreBeside() throws -> Store {
    let beside = try Store(
      store.writer, schema: fuzzRecords, clock: clock,
      liveInterval: world.configuration.isSpaced ? Store.defaultLiveInterval : .zero, audit: audit)
    beside.detectsOutsideChanges = world.configuration.detectsOutsideChanges
    return beside
  }

  /// Releases the store and returns it, so that it can be closed.
  func takeStore() -> Store? {
    defer { openStore = nil }
    return openStore
  }

  func reopen() throws {
    openStore = try makeStore()
  }
}

// MARK: - Files beside the database

extension WorldDatabase {
  private static func attachedPath(_ folder: URL?) -> String {
    folder?.appending(path: "extra.sqlite").path ?? ":memory:"
  }

  /// The path of the app's other database.
  var attachedPath: String { Self.attachedPath(folder) }

  /// A path for a copy of the database; nil in memory, which has no folder.
  func copyPath(_ number: Int) -> String? {
    folder?.appending(path: "copy-\(number).sqlite").path
  }
}
