import Sanderling

/// The place in which a server gives the number of its rows. The number is requested once in a poll with more than one
/// page, and after each list that was read from its beginning. A list with fewer rows is read once more. If it still
/// has fewer rows than the server had announced, the poll fails and nothing is removed.
public struct HTTPCount: Sendable, Hashable {
  private let method: String
  private let query: [String: String]
  private let name: String

  /// A header of the answer to HEAD.
  public static func header(_ name: String) -> Self { HTTPCount(method: "HEAD", query: [:], name: name) }

  /// A member of the answer, such as `meta.total`.
  ///
  /// - Parameter query: Parameters added to the record's own query, or replacing them, so that the answer has few rows.
  public static func member(_ name: String, query: [String: String]) -> Self {
    HTTPCount(method: "GET", query: query, name: name)
  }

  /// Changes a request for rows to one for their number.
  func prepare(_ request: inout HTTPRequest) {
    request.method = method
    request.query.merge(query) { $1 }
    request.headers["If-None-Match"] = nil
  }

  /// - Throws: ``HTTPError/malformed(path:reason:)`` for an answer without the declared header or member.
  func read(_ response: HTTPResponse, _ path: String) throws -> Int {
    let text = method == "HEAD" ? response.header(name) : response.member(name)
    guard let count = text.flatMap({ Int($0) }) else {
      throw HTTPError.malformed(path: path, reason: "it lacks \(name), which is declared to hold the number of rows")
    }
    return max(count, 0)
  }
}

extension HTTPConnection {
  /// - Returns: Nil if the server can't be asked or refuses.
  /// - Throws: `CancellationError`, and ``HTTPError/malformed(path:reason:)`` for an answer without the number.
  func count(_ request: HTTPRequest, _ count: HTTPCount) async throws -> Int? {
    let response: HTTPResponse
    do {
      response = try await send(request)
    } catch {
      try Task.checkCancellation()
      return nil
    }
    return response.isSuccess ? try count.read(response, request.name) : nil
  }
}
