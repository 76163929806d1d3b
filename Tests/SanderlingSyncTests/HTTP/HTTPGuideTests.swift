import Foundation
import Sanderling
import Testing

@testable import SanderlingSync

/// The example of the guide *HTTP* compiles and works.
@Suite struct HTTPGuideTests {
  @Record("note") struct Note: Equatable {
    @PrimaryKey var id: String
    var title: String
    var isPinned: Bool
    var draft = ""
  }

  private struct Account: Sendable {
    func token(renewed: Bool) async throws -> String { renewed ? "new" : "old" }
  }

  @Test func theExampleWorks() async throws {
    let script = try ScriptedServer { _, request in
      guard request.headers["authorization"] == "Bearer new" else { return .json("", status: 401) }
      if request.method == "PUT" { return .json("{\"etag\":\"b\"}") }
      let isFirst = !request.query.contains("updated_after")
      return .json(
        isFirst
          ? "{\"items\":[{\"id\":\"a\",\"title\":\"t\",\"is_pinned\":true,\"etag\":\"a\",\"updated_at\":\"2026-01-01 10:00:00Z\"}]}"
          : "{\"items\":[]}")
    }
    let account = Account()
    let store = try Store(inMemory: [Note.self])
    let server = try HTTPConnection(
      script.url, authorization: .bearer { wasRefused in try await account.token(renewed: wasRefused) })

    var notes = HTTPRecord(SyncedRecord(Note.self), path: "v2/notes")
    notes.rows = "items"
    notes.name(\Note.Fields.isPinned, "is_pinned")
    notes.keepOnDevice(\Note.Fields.draft)
    notes.version = "etag"
    notes.deletedFlag = "is_deleted"
    notes.since = HTTPSince(.field("updated_at", .key("id"))) {
      ["updated_after": $0.value, "after_id": $0.key ?? ""]
    }
    notes.since?.overlap = .seconds(30)
    notes.pages = .afterLastRow(size: 500)
    notes.writes = HTTPWrites()

    let adapter = HTTPAdapter(server, records: [notes])
    let session = try await SyncSession(
      "example", store: store, records: adapter.syncedRecords, source: adapter, sink: adapter)

    #expect(try await session.run().counts.written == 1)
    #expect(try await store.fetch(Note.query) == [Note(id: "a", title: "t", isPinned: true)])
    try await store.write { try $0.insert(Note(id: "b", title: "new", isPinned: false)) }
    #expect(try await session.run().sent?.acknowledged == 1)
    let put = try #require(script.requests.first { $0.method == "PUT" })
    #expect(put.path == "/v2/notes/b" && put.body == "{\"id\":\"b\",\"is_pinned\":false,\"title\":\"new\"}")
  }
}
