import Foundation
import Sanderling
import SanderlingSync

/// The connection data with which a device reaches a real server.
struct ServerAccess: Sendable {
  /// The environment variable that passes the secret to a device's process.
  static let secretName = "SANDERLING_SERVER_SECRET"
  static let bucket = "fuzz"

  let kind: RealServer.Kind
  /// The administrator's password, if the server has one.
  let secret: String

  /// The guarantees of its adapter.
  var rule: FuzzServer.Rule { kind == .pocketbase ? .matchOnce : .match }

  func authorization(port: UInt16) -> HTTPAuthorization {
    switch kind {
    case .kinto: .basic(user: "fuzzer", password: "secret")
    case .pocketbase:
      PocketBaseAdapter.password(
        url: url(port: port), collection: "_superusers", identity: "admin@example.com", password: secret,
        options: options)
    case .rest:
      .bearer { [url = url(port: port), options] _ in
        let connection = try HTTPConnection(url, options: options)
        let body = Data("{\"api_key\":\"test\"}".utf8)
        return try await connection.read(HTTPRequest("POST", "v1/auth/token", body: body)) { response in
          guard let token = response.member("access_token") else {
            throw HTTPError.malformed(path: "v1/auth/token", reason: "there is no access_token")
          }
          return token
        }
      }
    }
  }

  private var options: HTTPOptions {
    var options = HTTPOptions()
    options.timeout = .seconds(2)
    options.greatestDuration = .seconds(5)
    options.greatestWait = .milliseconds(100)
    options.backoff = PushBackoff(first: .milliseconds(5), greatest: .milliseconds(50), attempts: 3)
    return options
  }

  /// - Parameter port: A port of this machine.
  func url(port: UInt16) -> URL { URL(string: "http://127.0.0.1:\(port)\(kind == .kinto ? "/v1" : "")")! }

  /// A device's source and sink for the server.
  func adapter(port: UInt16, records: [SyncedRecord], isFollowed: Bool) throws -> any SyncSource & SyncSink {
    let authorization = authorization(port: port)
    switch kind {
    case .kinto:
      return try KintoAdapter(
        url: url(port: port), bucket: Self.bucket, records: records, authorization: authorization, batchSize: 10,
        follows: isFollowed ? .polling(every: .milliseconds(50)) : nil, options: options)
    case .pocketbase:
      return try PocketBaseAdapter(
        url: url(port: port), records: records, authorization: authorization, followsEvents: isFollowed,
        options: options)
    case .rest:
      return HTTPAdapter(
        try HTTPConnection(url(port: port), authorization: authorization, options: options),
        records: records.map(Self.declaration), follows: isFollowed ? .polling(every: .milliseconds(50)) : nil)
    }
  }

  /// A record of the REST server, declared as in the guide.
  private static func declaration(_ record: SyncedRecord) -> HTTPRecord {
    var declaration = HTTPRecord(record, path: "v1/\(record.name)")
    declaration.rows = "data"
    // A limit so small that there are several pages.
    declaration.query = ["limit": "7"]
    declaration.version = "version"
    declaration.deletedFlag = "deleted_at"
    declaration.since = HTTPSince(.field("updated_at", .unique), parameter: "updated_since")
    declaration.pages = .token(member: "meta.next_cursor", parameter: "cursor")
    declaration.writes = HTTPWrites()
    return declaration
  }
}
