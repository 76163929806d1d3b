import Foundation

/// The requests for a record's pages.
extension HTTPRecord {
  /// The mark at which a list begins.
  ///
  /// - Parameter isEarlier: Whether the list begins earlier than the position, so that both lists overlap.
  func start(_ position: HTTPCursor.Position, isEarlier: Bool) -> HTTPSince.Mark? {
    if position.page != nil, let begin = position.begin {
      return HTTPSince.Mark(value: begin, key: position.beginKey)
    }
    guard let since, let mark = position.mark else { return nil }
    return isEarlier ? since.start(at: mark, lastAnswer: position.date.map { Date(timeIntervalSince1970: $0) }) : mark
  }

  /// The request for the page at a position.
  func request(_ position: HTTPCursor.Position, from start: HTTPSince.Mark?) -> HTTPRequest {
    var request = HTTPRequest("GET", path, query: query)
    if let since, let start { request.query.merge(since.query(start)) { $1 } }
    switch (pages, position.page) {
    case (.linkHeader, let page?), (.linkMember, let page?): return HTTPRequest("GET", page)
    case (.token(_, let parameter, _), let page?): request.query[parameter] = page
    case (.numbers(let parameter, let first, _), let page): request.query[parameter] = page ?? String(first)
    default: break
    }
    if hasCollectionTag, position.page == nil, let tag = position.tag {
      request.headers["If-None-Match"] = tag
    }
    return request
  }
}

extension HTTPConnection {
  /// - Returns: The page, or nil for a permitted 304, and the server's time.
  func readPage(
    _ request: HTTPRequest, _ declaration: HTTPRecord
  ) async throws -> (page: HTTPPage?, date: Date?) {
    do {
      let isConditional = request.headers["If-None-Match"] != nil
      return try await read(request) {
        (try HTTPPage($0, declaration, request.name, self.options.limits, isConditional: isConditional), $0.date)
      }
    } catch HTTPError.status(_, 404, _) {
      // The number after that of the last page.
      guard case .numbers(let parameter, let first, _) = declaration.pages, request.query[parameter] != String(first)
      else { throw HTTPError.status(path: request.name, code: 404, message: "") }
      return (HTTPPage(after: HTTPResponse(status: 404)), nil)
    }
  }
}
