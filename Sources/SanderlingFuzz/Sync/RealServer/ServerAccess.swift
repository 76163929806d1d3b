import Foundation
import Sanderling
import SanderlingSync

/// How a device reaches a real server.
struct ServerAccess: Sendable {
  /// The variable by which a device's process gets the secret.
  static let secretName = "SANDERLING_SERVER_SECRET"
  static let bucket = "fuzz"

  let kind: RealServer.Kind
  /// The administrator's password, where the server has one.
  let secret: String

  /// What its adapter promises.
  var rule: FuzzServer.Rule { kind == .kinto ? .match : .matchOnce }

  func authorization(port: UInt16) -> HTTPAuthorization {
    switch kind {
    case .kinto: .basic(user: "fuzzer", password: "secret")
    case .pocketbase:
      PocketBaseAdapter.password(
        url: url(port: port), collection: "_superusers", identity: "admin@example.com", password: secret,
        options: options)
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

  /// - Parameter port: Of this machine.
  func url(port: UInt16) -> URL { URL(string: "http://127.0.0.1:\(port)\(kind == .kinto ? "/v1" : "")")! }

  /// A device's way to it.
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
    }
  }
}
