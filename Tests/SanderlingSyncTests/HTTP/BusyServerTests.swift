import Foundation
import Sanderling
import SanderlingTesting
import TestPrograms
import Testing

@testable import SanderlingSync

/// A pull from a server whose two collections gain rows during every reading round.
@Suite struct BusyServerTests {
  @Record("folders") struct Folder: Equatable {
    var id: Int
    var name: String
  }

  @Record("notes") struct Note: Equatable {
    var id: Int
    @References(Folder.self) var folder: Int
  }

  /// A server on which another client adds a folder and a note in that folder before each answer.
  private func server() throws -> ScriptedServer {
    let count = Lock(0)
    return try ScriptedServer { _, request in
      let last = count.withLock { count in
        count += 1
        return count
      }
      let since = request.query.split(separator: "=").last.flatMap { Int($0) } ?? 0
      let rows = (since + 1...max(last, since + 1)).filter { $0 <= last }.map { number in
        request.path == "/notes"
          ? "{\"id\":\(number),\"folder\":\(number),\"at\":\(number)}"
          : "{\"id\":\(number),\"name\":\"folder\",\"at\":\(number)}"
      }
      return .json("[\(rows.joined(separator: ","))]")
    }
  }

  @Test func checkpointsArriveFromABusyServer() async throws {
    let server = try server()
    let declarations = [SyncedRecord(Folder.self), SyncedRecord(Note.self)].map { record in
      var declaration = HTTPRecord(record, path: record.name)
      declaration.since = HTTPSince(.field("at", .unique), parameter: "since")
      declaration.pages = .single
      declaration.ignoredFields = ["at"]
      return declaration
    }
    let adapter = HTTPAdapter(try HTTPConnection(server.url), records: declarations)
    let store = try Store(inMemory: [Folder.self, Note.self])
    let session = try await SyncSession(
      "busy", store: store, records: adapter.syncedRecords, source: adapter,
      options: SyncOptions(shows: .checkpoints))
    let summary = try await session.run()
    #expect(summary.waiting == 0)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_staged") == 0)
    #expect(try await store.count("SELECT checkpoint IS NOT NULL FROM sanderling_sync_state") == 1)
    // The source reads five rounds without finding a quiet moment. The last round reads children first.
    let paths = server.requests.map(\.path)
    #expect(paths == Array(repeating: ["/folders", "/notes"], count: 5).flatMap { $0 } + ["/notes", "/folders"])
    #expect(try await store.count("SELECT count(*) FROM notes") == 11)
    #expect(
      try await store.count(
        "SELECT count(*) FROM notes LEFT JOIN folders ON folder = folders.id WHERE folders.id IS NULL") == 0)
  }
}
