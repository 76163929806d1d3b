import Foundation
import Sanderling

@testable import SanderlingSync

/// Collections of the server in `Servers/REST`, declared as the guide shows.
struct RESTCollections: Sendable {
  private let records: TestRecords
  private let url: URL

  init(_ records: TestRecords) throws {
    self.records = records
    guard let url = TestServers.rest else { throw TestServers.Missing() }
    self.url = url
  }

  /// Authorises with a token of the server that is valid for some seconds. A negative number makes an expired token.
  static func authorization(_ url: URL, seconds: Int = 60) -> HTTPAuthorization {
    .bearer { _ in
      let connection = try HTTPConnection(url)
      let body = Data("{\"api_key\":\"test\",\"seconds\":\(seconds)}".utf8)
      return try await connection.read(HTTPRequest("POST", "v1/auth/token", body: body)) { response in
        guard let token = response.member("access_token") else {
          throw HTTPError.malformed(path: "v1/auth/token", reason: "there is no access_token")
        }
        return token
      }
    }
  }

  static func declaration(_ record: SyncedRecord) -> HTTPRecord {
    var declaration = HTTPRecord(record, path: "v1/\(record.name)", idField: "id")
    declaration.rows = "data"
    declaration.query = ["limit": "500"]
    declaration.version = "version"
    declaration.deletedFlag = "deleted_at"
    declaration.since = HTTPSince(.field("updated_at", .unique), parameter: "updated_since")
    declaration.pages = .token(member: "meta.next_cursor", parameter: "cursor")
    declaration.writes = HTTPWrites()
    return declaration
  }

  func makeCollections() async throws -> HTTPConnection {
    let other = try HTTPConnection(url, authorization: Self.authorization(url))
    let columns = [
      records.folder: "\"name\":null,\"parentID\":null",
      records.note: "\"folderID\":null,\"title\":{\"max\":40},\"body\":null,\"rank\":null,\"isPinned\":null",
      records.tagging: "\"noteID\":null,\"tag\":null",
    ]
    for (name, columns) in columns {
      let body = Data("{\"columns\":{\(columns)}}".utf8)
      _ = try await other.read(HTTPRequest("PUT", "v1/collections/\(name)", body: body)) { $0 }
    }
    return other
  }

  func make(
    _ options: HTTPOptions = HTTPOptions(), _ interval: Duration? = nil, seconds: Int = 60,
    change: (inout HTTPRecord) -> Void = { _ in }
  ) async throws -> TestCollections {
    let other = try await makeCollections()
    let declarations = records.all.map { record in
      var declaration = Self.declaration(record)
      change(&declaration)
      return declaration
    }
    let adapter = HTTPAdapter(
      try HTTPConnection(url, authorization: Self.authorization(url, seconds: seconds), options: options),
      records: declarations, follows: interval.map { .polling(every: $0) })
    return TestCollections(adapter: adapter) { record, id, fields in
      let path = "v1/\(record)/\(id)"
      let body = fields.map { Data(Backend.json($0).utf8) }
      _ = try await other.read(HTTPRequest(fields == nil ? "DELETE" : "PATCH", path, body: body)) { $0 }
    } fill: { record, rows in
      for row in rows {
        guard case .text(let id)? = row["id"] else { continue }
        let request = HTTPRequest("PUT", "v1/\(record)/\(id)", body: Data(Backend.json(row).utf8))
        _ = try await other.read(request) { $0 }
      }
    }
  }
}
