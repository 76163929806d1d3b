import Foundation
import SanderlingSync

/// A user of a Kinto server.
public struct Server: Hashable, Sendable {
  public let url: URL
  public let user: String
  private let password: String

  /// - Parameter url: The address with the version of the interface, such as `https://example.com/v1`.
  public init(_ url: URL, user: String, password: String) {
    (self.url, self.user, self.password) = (url, user, password)
  }

  /// A name for the data of this user of this server.
  public var name: String { "\(user)@\(url.host() ?? "server")" }

  public static let records = [SyncedRecord(Project.self), SyncedRecord(TodoTask.self)]

  var bucket: String { "tasks-" + user }
  var authorization: HTTPAuthorization { .basic(user: user, password: password) }

  var adapter: KintoAdapter {
    get throws {
      try KintoAdapter(
        url: url, bucket: bucket, records: Self.records, authorization: authorization,
        follows: .polling(every: .seconds(10)))
    }
  }

  /// Makes the bucket and its collections unless they exist. A server makes no collection by itself.
  func makeCollections() async throws {
    let connection = try HTTPConnection(url, authorization: authorization)
    let bucket = "buckets/" + HTTPRequest.encoded(bucket)
    for path in [bucket] + Self.records.map({ "\(bucket)/collections/\($0.name)" }) {
      let answer = try await connection.send(HTTPRequest("PUT", path, headers: ["If-None-Match": "*"]))
      // The status 412 means that it exists.
      guard answer.isSuccess || answer.status == 412 else {
        throw HTTPError.status(path: path, code: answer.status, message: answer.member("message") ?? "")
      }
    }
  }
}
