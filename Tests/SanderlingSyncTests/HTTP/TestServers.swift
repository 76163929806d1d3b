import Foundation
import Sanderling
import Testing

@testable import SanderlingSync

/// The addresses of the servers that `Scripts/servers` starts.
enum TestServers {
  struct Missing: Error {}

  static let missing: Comment = "Needs servers: eval \"$(Scripts/servers start .build/servers)\""

  static let kinto = address("SANDERLING_KINTO")
  static let pocketBase = address("SANDERLING_POCKETBASE")
  static let rest = address("SANDERLING_REST")
  static let secret = ProcessInfo.processInfo.environment["SANDERLING_SERVER_SECRET"] ?? ""
  static let areRequired = ProcessInfo.processInfo.environment["SANDERLING_SERVERS_REQUIRED"] != nil

  /// Options that repeat requests after 409, because Kinto answers 409 when two tests make a bucket at the same time.
  static let kintoOptions = {
    var options = HTTPOptions()
    options.busyStatuses = [409]
    return options
  }()

  private static func address(_ name: String) -> URL? {
    ProcessInfo.processInfo.environment[name].flatMap { URL(string: $0) }
  }
}

@Suite struct RequiredServersTests {
  @Test(.enabled(if: TestServers.areRequired, "Only CI requires servers"))
  func requiredServersAreAvailable() {
    #expect(TestServers.kinto != nil, TestServers.missing)
    #expect(TestServers.pocketBase != nil, TestServers.missing)
    #expect(TestServers.rest != nil, TestServers.missing)
  }
}

/// Collections of one server, made for one test.
struct TestCollections: Sendable {
  let adapter: HTTPAdapter
  /// Changes or deletes a record as another client of the server. Without fields it deletes the record.
  let edit: @Sendable (_ record: String, _ id: String, _ fields: [String: ForeignValue]?) async throws -> Void
  /// Inserts records as another client of the server.
  let fill: @Sendable (_ record: String, _ rows: [[String: ForeignValue]]) async throws -> Void
}

/// The folders, notes and taggings of one test, with collection names that other tests don't use.
struct TestRecords {
  let prefix = "t" + UUID().uuidString.lowercased().prefix(8).replacingOccurrences(of: "-", with: "")
  var folder: String { prefix + "folder" }
  var note: String { prefix + "note" }
  var tagging: String { prefix + "tagging" }

  var all: [SyncedRecord] {
    [
      SyncedRecord(Tagging.self, named: tagging), SyncedRecord(Note.self, named: note),
      SyncedRecord(Folder.self, named: folder),
    ]
  }
}

enum Backend: String, CaseIterable, Sendable {
  case kinto, pocketBase, rest

  /// Makes the collections of `records` on the server.
  ///
  /// - Parameters:
  ///   - options: The options of the devices' connections.
  ///   - interval: The time between two polls of a server without events; nil for devices that don't follow the server.
  func make(
    _ records: TestRecords, options: HTTPOptions = HTTPOptions(), following interval: Duration? = nil
  ) async throws -> TestCollections {
    switch self {
    case .kinto: try await kinto(records, options, interval)
    case .pocketBase: try await pocketBase(records, options, isFollowed: interval != nil)
    case .rest: try await RESTCollections(records).make(options, interval)
    }
  }

  static func json(_ fields: [String: ForeignValue]) -> String {
    "{" + fields.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value.json)" }.joined(separator: ",") + "}"
  }

  private func kinto(
    _ records: TestRecords, _ options: HTTPOptions, _ interval: Duration?
  ) async throws -> TestCollections {
    let url = try #require(TestServers.kinto)
    let authorization = HTTPAuthorization.basic(user: "tester", password: "secret")
    let other = try HTTPConnection(url, authorization: authorization, options: TestServers.kintoOptions)
    _ = try await other.read(HTTPRequest("PUT", "buckets/\(records.prefix)")) { $0 }
    for record in records.all {
      _ = try await other.read(HTTPRequest("PUT", "buckets/\(records.prefix)/collections/\(record.name)")) { $0 }
    }
    let adapter = try KintoAdapter(
      url: url, bucket: records.prefix, records: records.all, authorization: authorization,
      follows: interval.map { .polling(every: $0) }, options: options)
    return TestCollections(adapter: adapter.adapter) { record, id, fields in
      let path = "buckets/\(records.prefix)/collections/\(record)/records/\(id)"
      guard let fields else {
        _ = try await other.read(HTTPRequest("DELETE", path)) { $0 }
        return
      }
      let body = Data("{\"data\":\(Self.json(fields))}".utf8)
      _ = try await other.read(HTTPRequest("PATCH", path, body: body)) { $0 }
    } fill: { record, rows in
      for start in stride(from: 0, to: rows.count, by: 200) {
        let requests = rows[start..<min(start + 200, rows.count)].map {
          "{\"method\":\"POST\",\"path\":\"/buckets/\(records.prefix)/collections/\(record)/records\",\"body\":{\"data\":\(Self.json($0))}}"
        }
        let body = Data("{\"requests\":[\(requests.joined(separator: ","))]}".utf8)
        // The answer to a record that already exists is 200.
        try await other.read(HTTPRequest("POST", "batch", body: body)) {
          let text = String(decoding: $0.body, as: UTF8.self)
          guard text.firstMatch(of: /"status": ?[45]/) == nil else {
            throw HTTPError.malformed(path: "batch", reason: String(text.prefix(500)))
          }
        }
      }
    }
  }

  private func pocketBase(
    _ records: TestRecords, _ options: HTTPOptions, isFollowed: Bool
  ) async throws -> TestCollections {
    let url = try #require(TestServers.pocketBase)
    let authorization = PocketBaseAdapter.password(
      url: url, collection: "_superusers", identity: "admin@example.com", password: TestServers.secret)
    let other = try HTTPConnection(url, authorization: authorization)
    let columns = [
      records.folder: [("name", "text"), ("parentID", "json")],
      records.note: [
        ("folderID", "number"), ("title", "text"), ("body", "json"), ("rank", "number"), ("isPinned", "bool"),
      ],
      records.tagging: [("noteID", "text"), ("tag", "text")],
    ]
    for record in records.all {
      let fields = (columns[record.name] ?? []).map { name, type in
        "{\"name\":\"\(name)\",\"type\":\"\(type)\"\(name == "title" ? ",\"max\":40" : "")}"
      }
      let body = """
        {"name":"\(record.name)","type":"base","fields":[
          {"name":"id","type":"text","primaryKey":true,"required":true,"system":true,"pattern":"^[A-Za-z0-9_-]+$","min":1,"max":100,
           "autogeneratePattern":"[a-z0-9]{15}"},
          {"name":"version","type":"text"},{"name":"deleted","type":"bool"},
          {"name":"updated","type":"autodate","onCreate":true,"onUpdate":true},
          \(fields.joined(separator: ","))],
         "indexes":["CREATE INDEX \(record.name)_updated ON \(record.name) (updated, id)"]}
        """
      _ = try await other.read(HTTPRequest("POST", "api/collections", body: Data(body.utf8))) { $0 }
    }
    let adapter = try PocketBaseAdapter(
      url: url, records: records.all, authorization: authorization, followsEvents: isFollowed, options: options)
    return TestCollections(adapter: adapter.adapter) { record, id, fields in
      let body = fields.map(Self.json) ?? "{\"deleted\":true}"
      let path = "api/collections/\(record)/records/\(id)"
      _ = try await other.read(HTTPRequest("PATCH", path, body: Data(body.utf8))) { $0 }
    } fill: { record, rows in
      for row in rows {
        let request = HTTPRequest("POST", "api/collections/\(record)/records", body: Data(Self.json(row).utf8))
        _ = try await other.read(request) { $0 }
      }
    }
  }
}

/// A store with a session that synchronises the store with a server.
struct TestDevice: Sendable {
  let store: Store
  let session: SyncSession

  init(_ collections: TestCollections) async throws {
    store = try Store.synced()
    session = try await SyncSession(
      "server", store: store, records: collections.adapter.syncedRecords, source: collections.adapter,
      sink: collections.adapter)
  }

  /// All stored rows, as sorted texts.
  var rows: [String] {
    get async throws {
      let folders = try await store.fetch(Folder.query).map { String(describing: $0) }
      let notes = try await store.fetch(Note.query).map { String(describing: $0) }
      let taggings = try await store.fetch(Tagging.query).map { String(describing: $0) }
      return (folders + notes + taggings).sorted()
    }
  }
}
