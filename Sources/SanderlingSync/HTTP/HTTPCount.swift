import Sanderling

/// Where a server says how many rows it would give: asked when there is more than a page, once a look.
public struct HTTPCount: Sendable, Hashable {
  private let method: String
  private let query: [String: String]
  private let name: String

  /// A header of the answer to HEAD.
  public static func header(_ name: String) -> Self { HTTPCount(method: "HEAD", query: [:], name: name) }

  /// A member of the answer, as in `meta.total`.
  ///
  /// - Parameter query: What is asked beside or in place of the record's own query, so that the answer has few rows.
  public static func member(_ name: String, query: [String: String]) -> Self {
    HTTPCount(method: "GET", query: query, name: name)
  }

  /// Makes a request for rows one for their number.
  func prepare(_ request: inout HTTPRequest) {
    request.method = method
    request.query.merge(query) { $1 }
    request.headers["If-None-Match"] = nil
  }

  func read(_ response: HTTPResponse) -> Int? {
    guard response.isSuccess else { return nil }
    let text = method == "HEAD" ? response.header(name) : response.member(name)
    return text.flatMap { Int($0) }.map { max($0, 0) }
  }
}

extension HTTPConnection {
  /// - Returns: nil where the server doesn't say; nothing depends on it.
  /// - Throws: `CancellationError`.
  func count(_ request: HTTPRequest, _ count: HTTPCount) async throws -> Int? {
    do {
      return count.read(try await send(request))
    } catch {
      try Task.checkCancellation()
      return nil
    }
  }
}
