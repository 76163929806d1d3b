import Foundation

/// Finds positions that are not valid any more.
extension HTTPPull.Iterator {
  /// The reason why a position is invalid.
  enum Loss {
    /// The server may have forgotten deletions since then, or has another collection.
    case isForgotten
    /// The server lost changes that it gave before, for example by restoring a backup.
    case wentBack
  }

  /// Checks whether the collection is the one that was read before.
  ///
  /// - Returns: Nil for the same collection. A number lower than before means a backup.
  mutating func incarnationChange(
    _ declaration: HTTPRecord, _ position: inout HTTPCursor.Position
  ) async throws -> Loss? {
    guard let incarnation = declaration.incarnation, knownIncarnations.insert(declaration.record.name).inserted
    else { return nil }
    let value: String?
    do {
      value = try await adapter.connection.read(HTTPRequest("GET", incarnation.path)) { response in
        guard response.hasJSON else { throw HTTPError.malformed(path: incarnation.path, reason: "it is no JSON") }
        return response.member(incarnation.member)
      }
    } catch HTTPError.status(_, 403, _) {
      // Some users may read the rows but not their collection.
      return nil
    }
    let known = position.incarnation
    position.incarnation = value ?? known
    cursor.records[declaration.record.name, default: HTTPCursor.Position()].incarnation = position.incarnation
    guard let known, let value, known != value else { return nil }
    return HTTPSince.isEarlier(value, than: known) ? .wentBack : .isForgotten
  }

  /// Whether the server's newest row is older than the position, so that a backup was restored.
  mutating func isNewestEarlier(
    _ declaration: HTTPRecord, _ position: HTTPCursor.Position
  ) async throws -> Bool {
    guard let since = declaration.since, let query = since.newest, case .field(let name, _) = since.place,
      let known = position.since, position.page == nil, comparedNewest.insert(declaration.record.name).inserted
    else { return false }
    let asked = HTTPRequest("GET", declaration.path, query: declaration.query.merging(query) { $1 })
    let limits = adapter.connection.options.limits
    let newest = try await adapter.connection.read(asked) { response in
      try HTTPPage(response, declaration, asked.name, limits, isConditional: false)?.rows.first?.member(name)?.word
    }
    return newest.map { HTTPSince.isEarlier($0, than: known) } ?? true
  }

  /// The reason why the position is invalid, judged by the answer to it; nil if it is valid.
  func loss(_ page: HTTPPage, _ declaration: HTTPRecord, _ position: HTTPCursor.Position) -> Loss? {
    guard let since = position.since else { return nil }
    if let kept = adapter.deletionsKept, let last = position.date, let now = page.date,
      now.timeIntervalSince1970 - last > kept / .seconds(1)
    {
      return .isForgotten
    }
    // A collection's ETag lower than before means an older state, and so does a lower cursor.
    if declaration.hasCollectionTag, let known = Int64(since), let tag = page.tag.flatMap(HTTPPage.number),
      tag < known
    {
      return .wentBack
    }
    let isFirst = position.page == nil
    return isFirst && page.cursor(declaration).map { HTTPSince.isEarlier($0, than: since) } == true ? .wentBack : nil
  }
}
