import Foundation
import GRDB
import Sanderling

/// The database of a round: a file in a folder of its own, or memory.
final class WorldDatabase {
  let store: Store
  private let folder: URL?
  /// A connection as of another process; nil in memory.
  private var outside: DatabaseQueue?

  init(_ world: World) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = world.configuration.enforcesForeignKeys
    configuration.busyMode = .timeout(10)
    configuration.prepareDatabase { db in
      db.add(collation: Self.collation)
      if world.configuration.hasRecursiveTriggers { try db.execute(sql: "PRAGMA recursive_triggers = ON") }
    }
    let writer: any DatabaseWriter
    if world.configuration.isFile {
      let folder = FileManager.default.temporaryDirectory.appending(path: "sanderling-fuzz-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      self.folder = folder
      let path = folder.appending(path: "world.sqlite").path
      writer = try DatabasePool(path: path, configuration: configuration)
      outside = try DatabaseQueue(path: path, configuration: configuration)
    } else {
      folder = nil
      writer = try DatabaseQueue(configuration: configuration)
    }
    try writer.writeWithoutTransaction { db in
      for table in world.tables { try db.execute(sql: table.sql()) }
      try db.execute(sql: World.auditTable)
      for statement in world.features + world.rows { try? db.execute(sql: statement) }
    }
    // Files only have to outlive the round.
    let connections: [(any DatabaseWriter)?] = [writer, outside]
    for connection in connections {
      try connection?.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = OFF") }
    }
    store = try Store(
      writer, schema: fuzzRecords, clock: RestlessClock(),
      liveInterval: world.configuration.isSpaced ? Store.defaultLiveInterval : .zero)
  }

  /// A collation of the app's, which only SQLite can ask for: the longer text comes last.
  private static let collation = DatabaseCollation(World.ownCollation) { lhs, rhs in
    let (left, right) = ((lhs.utf8.count, lhs), (rhs.utf8.count, rhs))
    return left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
  }

  var outsideConnection: DatabaseQueue? { outside }

  /// Closes the connections and removes the files.
  func remove() {
    try? outside?.close()
    try? store.close()
    if let folder { try? FileManager.default.removeItem(at: folder) }
  }
}
