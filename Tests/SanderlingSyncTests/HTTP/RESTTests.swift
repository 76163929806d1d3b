import Foundation
import Sanderling
import Testing

@testable import SanderlingSync

/// Synchronisation with the server in `Servers/REST`, which resembles a server that a team writes for its app.
@Suite(.serialized, .enabled(if: TestServers.rest != nil, TestServers.missing)) struct RESTTests {
  private let scenarios = ServerScenarios(backend: .rest)

  @Test func pulls() async throws { try await scenarios.pulls() }
  @Test func exchanges() async throws { try await scenarios.exchanges() }
  @Test func merges() async throws { try await scenarios.merges() }
  @Test func refuses() async throws { try await scenarios.refuses() }
  @Test func reinserts() async throws { try await scenarios.reinserts() }
  @Test(.timeLimit(.minutes(10))) func follows() async throws { try await scenarios.follows() }
  @Test(.timeLimit(.minutes(10))) func comparesWhileItFollows() async throws {
    try await scenarios.comparesWhileItFollows()
  }

  private func note(_ number: Int) -> [String: ForeignValue] {
    [
      "id": .text("n\(number)"), "folderID": .integer(1), "title": .text("t"), "body": .text("kept"), "rank": .real(1),
      "isPinned": .bool(true),
    ]
  }

  private func filled(_ count: Int, _ change: (inout HTTPRecord) -> Void) async throws -> TestCollections {
    let records = TestRecords()
    let collections = try await RESTCollections(records).make(change: change)
    try await collections.fill(records.folder, [["id": .text("1"), "name": .text("f"), "parentID": .null]])
    try await collections.fill(records.note, (1...count).map(note))
    return collections
  }

  /// A page that is shorter than declared is not taken as the last page: the server sends 100 rows by default, and at
  /// most 500.
  @Test(arguments: ["size", "limit", "repeated"]) func shortPageIsNotTakenAsTheLast(mistake: String)
    async throws
  {
    let collections = try await filled(230) { record in
      record.query = mistake == "size" ? ["limit": "5000"] : [:]
      record.pages = .afterLastRow(size: 5000)
      record.since = HTTPSince(.field("updated_at", mistake == "repeated" ? .repeated : .unique)) { mark in
        // The server sends the row of this time again. The parameter `cursor` would skip the row.
        if mistake == "repeated" { return ["updated_since": mark.value] }
        let cursor = Data("[\"\(mark.value)\",\"~\"]".utf8).base64EncodedString()
        return ["cursor": cursor.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")]
      }
    }
    let device = try await TestDevice(collections)
    #expect(try await device.session.run().counts.written == 231)
    #expect(try await device.store.count("SELECT count(*) FROM note") == 230)
  }

  /// A declared page token that no answer has is an error, and doesn't mark the last page.
  @Test(arguments: ["next_cursor", "meta.next", "cursor.next"]) func aMisnamedTokenIsAnError(member: String)
    async throws
  {
    let collections = try await filled(130) { record in
      record.query = [:]
      record.pages = .token(member: member, parameter: "cursor")
    }
    let device = try await TestDevice(collections)
    await #expect { try await device.session.run() } throws: { "\($0)".contains("lacks the member \(member)") }
    #expect(try await device.store.count("SELECT count(*) FROM note") == 0)
  }

  /// A complete comparison with a wrong declaration, which misses most rows of the server, removes nothing.
  @Test func incompleteListRemovesNoRows() async throws {
    let collections = try await filled(130) { _ in }
    let device = try await TestDevice(collections)
    try await device.session.run()
    let wrong = collections.adapter.syncedRecords.map { record in
      var declaration = RESTCollections.declaration(record)
      declaration.query = [:]
      declaration.pages = .token(member: "meta.more", parameter: "cursor")
      declaration.since = nil
      return declaration
    }
    let adapter = HTTPAdapter(collections.adapter.connection, records: wrong)
    let session = try await SyncSession(
      "server", store: device.store, records: adapter.syncedRecords, source: adapter, sink: adapter)
    await #expect(throws: HTTPError.self) { try await session.run() }
    #expect(try await device.store.count("SELECT count(*) FROM note") == 130)
  }

  /// An update through PUT keeps the columns that the app didn't change, and the columns that the app doesn't know.
  @Test func replacementKeepsUnchangedAndUnknownColumns() async throws {
    let records = TestRecords()
    let collections = try await RESTCollections(records).make {
      $0.writes?.update = .init("PUT", precondition: .ifMatch)
    }
    let connection = collections.adapter.connection
    let columns = "\"folderID\":null,\"title\":null,\"body\":null,\"rank\":null,\"isPinned\":null,\"later\":null"
    let body = Data("{\"columns\":{\(columns)}}".utf8)
    _ = try await connection.read(HTTPRequest("PUT", "v1/collections/\(records.note)", body: body)) { $0 }
    try await collections.fill(records.folder, [["id": .text("1"), "name": .text("f"), "parentID": .null]])
    var row = note(1)
    row["later"] = .json("{\"a\":[1,true]}")
    try await collections.fill(records.note, [row])
    let device = try await TestDevice(collections)
    try await device.session.run()
    try await device.store.write { _ = try $0.update(Note.query, .set(\.title, to: "new")) }
    #expect(try await device.session.run().sent == SentCounts(acknowledged: 1))
    let path = "v1/\(records.note)/n1"
    let members = try await connection.read(HTTPRequest("GET", path)) { response in
      var reader = JSONReader(response.json)
      return try reader.object()
    }
    #expect(members["title"] == .text("new") && members["body"] == .text("kept") && members["rank"]?.word == "1.0")
    #expect(members["isPinned"] == .bool(true) && members.member("later.a") == .json("[1, true]"))
    // Another device changed the row in the meantime, so the next update must not replace the row.
    try await collections.edit(records.note, "n1", ["body": .text("theirs")])
    try await device.store.write { _ = try $0.update(Note.query, .set(\.title, to: "newer")) }
    try await device.session.run()
    #expect(try await device.store.fetch(Note.query).first?.body == "theirs")
    #expect(try await connection.read(HTTPRequest("GET", path)) { $0.member("title") } == "newer")
  }

  /// A token that expires before each request is renewed, and no change is quarantined.
  @Test func aTokenThatExpiresIsRenewed() async throws {
    let records = TestRecords()
    let collections = try await RESTCollections(records).make()
    let url = try #require(TestServers.rest)
    let expired = Lock(0)
    let authorization = HTTPAuthorization { wasRefused in
      if !wasRefused {
        expired.withLock { $0 += 1 }
        return try await RESTCollections.authorization(url, seconds: -1).value(false)
      }
      return try await RESTCollections.authorization(url).value(true)
    }
    let adapter = HTTPAdapter(
      try HTTPConnection(url, authorization: authorization), records: records.all.map(RESTCollections.declaration))
    let device = try await TestDevice(TestCollections(adapter: adapter, edit: collections.edit, fill: collections.fill))
    try await device.store.write { try $0.insert(Folder(id: 1, name: "one")) }
    #expect(try await device.session.run().sent == SentCounts(acknowledged: 1))
    #expect(expired.withLock { $0 } == 1)
  }
}
