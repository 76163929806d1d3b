import Foundation
import GRDB
import Sanderling
import SanderlingSQLite

/// The rows that the killed process writes: batches of ten, each in its own transaction.
@Record
struct Entry {
  var id: Int64
  var batch: Int
  var text: String
}

/// A later version of the same table, which must be rebuilt because its new default is not a constant.
@Record("entry")
struct ExtendedEntry {
  var id: Int64
  var batch: Int
  var text: String
  @Stored(default: "abs(-7)") var rank: Int
}

/// A record of a store of Core Data.
@Record("ZENTRY")
struct OldEntry {
  @PrimaryKey @Stored("Z_PK") var objectID: Int64
  @Stored("ZTEXT") var text: String?
}

/// Writes until it is killed, and prints each acknowledged batch.
///
/// usage: StoreKillHelper write|migrate|seed|erase|erase-and-end|share|leave|read|read-core-data|move PATH FIRST-BATCH
@main
struct StoreKillHelper {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let first = Int(arguments[3]) else {
      FileHandle.standardError.write(
        Data(
          "usage: StoreKillHelper write|migrate|seed|erase|erase-and-end|share|leave|read|read-core-data|move PATH FIRST-BATCH\n"
            .utf8))
      exit(64)
    }
    switch arguments[1] {
    case "migrate":
      say("opening")
      let store = try Store(path: arguments[2], schema: [ExtendedEntry.self])
      say("migrated \(try await store.count(ExtendedEntry.query))")
    case "seed":
      say("opening")
      let store = try Store(path: arguments[2], schema: [Entry.self]) { tx in
        try tx.insert(contentsOf: (0..<2000).map { Entry(id: $0, batch: 0, text: String(repeating: "x", count: 200)) })
      }
      say("seeded \(try await store.count(Entry.query))")
    case "erase", "erase-and-end":
      let endsItself = arguments[1] == "erase-and-end"
      let store = try Store(path: arguments[2], schema: [Entry.self]) { tx in
        try tx.insert(
          contentsOf: (0..<2000).map { Entry(id: $0, batch: first, text: String(repeating: "y", count: 200)) })
        if endsItself { kill(getpid(), SIGKILL) }
      }
      say("opened")
      try await store.erase()
      say("erased")
    case "share", "leave":
      let store = try Store(
        path: arguments[2], schema: [Entry.self], configuration: Sharing.writing(keepsFiles: arguments[1] == "share"))
      try await store.write("batch") { try $0.insert(Entry(id: Int64(first), batch: first, text: "shared")) }
      try store.close()
    case "read":
      // The superuser may write anywhere, so the process becomes another user.
      if geteuid() == 0 { _ = setuid(65534) }
      do {
        let store = try Store(path: arguments[2], schema: [Entry.self], configuration: Sharing.reading)
        say("read \(try await store.count(Entry.query))")
      } catch {
        say("\(error)")
      }
    case "read-core-data":
      if geteuid() == 0 { _ = setuid(65534) }
      do {
        let store = try Store(readingCoreData: arguments[2], schema: [OldEntry.self])
        say("read \(try await store.count(OldEntry.query))")
      } catch {
        say("\(error)")
      }
    case "move":
      say("opening")
      let move = Moving.move(from: arguments[2])
      if move.isNeeded { say("moved \(try await move.run().entities.map(\.rowCount).reduce(0, +))") }
    default:
      let store = try Store(path: arguments[2], schema: [Entry.self])
      for batch in first... {
        let entries = (0..<10).map { index in
          Entry(id: Int64(batch * 10 + index), batch: batch, text: String(repeating: "text \(batch) ", count: 20))
        }
        try await store.write("batch") { try $0.insert(contentsOf: entries) }
        say("\(batch)")
      }
    }
  }

  /// Writes a line without a buffer, which would be lost with the process.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
