import Foundation
import Sanderling

/// What changed at a server, page by page.
///
/// One round reads each collection from where it was left, parents first. A collection that others change meanwhile is read to its present end;
/// what changed in another one after that is found by the next round. After a round without anything new, all records are as they were
/// at one moment.
struct HTTPPull: AsyncSequence, Sendable {
  typealias Element = SyncBatch
  typealias Failure = any Error

  let adapter: HTTPAdapter
  let cursor: String?

  func makeAsyncIterator() -> Iterator { Iterator(adapter, cursor) }

  /// How many rounds look for a moment at which nothing changes.
  private static let roundLimit = 5

  struct Iterator: AsyncIteratorProtocol {
    private let adapter: HTTPAdapter
    private var cursor: HTTPCursor
    private var place = 0
    private var round = 0
    /// Whether the next batch tells that everything comes anew.
    private var restarts = false
    private var hasChanged = false
    private var isCaughtUp = false
    private var hasCaughtUpBefore = false
    /// The number of the look under way; nil before the first.
    private var look: Int?
    /// How many looks have failed in a row, since the server wasn't there.
    private var failures = 0
    private var knownIncarnations: Set<String> = []
    /// The records that were asked for from a little earlier on: once, since then marks are as fresh as the rows.
    private var overlapped: Set<String> = []
    private var hints: HTTPHints?
    /// How many rows of each record are to come, where the server said it.
    private var counts: [String: Int] = [:]
    /// The lists that are being read.
    private var lists: [String: List] = [:]
    /// The records whose next page was stored by an earlier run.
    private var resumed: Set<String>
    /// Whether the server had forgotten a position in this look.
    private var hasBegunAnew = false

    /// What came of a list so far.
    private struct List {
      /// Whether it is read from the first row of the collection on, so that all of its rows come.
      var isOfAll: Bool
      var received = 0
      var largest = 0
      var last: [[String: ForeignValue]] = []
    }

    init(_ adapter: HTTPAdapter, _ text: String?) {
      self.adapter = adapter
      let known = text.flatMap { HTTPCursor($0) }
      cursor = known ?? HTTPCursor()
      // A position that can't be read is lost.
      restarts = text != nil && known == nil
      resumed = Set(cursor.records.filter { $0.value.page != nil }.keys)
      if adapter.isWhole, cursor.isWhole != true { beginAnew() }
    }

    /// The last batch of a look is empty, whatever it found.
    mutating func next() async throws -> SyncBatch? {
      try await adapter.prepare()
      for coding in adapter.codings { try coding.declaration.validatePages() }
      if hints == nil { hints = adapter.follows.map { HTTPHints($0, adapter.connection, adapter.writes) } }
      if look == nil { look = adapter.writes.beginLook() }
      while true {
        try Task.checkCancellation()
        if place < adapter.codings.count {
          if let batch = try await readPageOrWait() { return batch }
        } else if !isCaughtUp {
          if let batch = try endRound() { return batch }
        } else {
          guard try await hints?.next() == true else { return nil }
          beginLook()
        }
      }
    }

    private mutating func beginLook() {
      look = adapter.writes.beginLook()
      (place, round, isCaughtUp, overlapped, knownIncarnations, counts) = (0, 0, false, [], [], [:])
      (lists, hasBegunAnew) = ([:], false)
      if adapter.isWhole { beginAnew() }
    }

    /// Who follows a server waits for it while it isn't there.
    private mutating func readPageOrWait() async throws -> SyncBatch? {
      do {
        return try await readPage()
      } catch let error as HTTPError where error.isOfAbsence(adapter.connection.options) && hasCaughtUpBefore {
        failures += 1
        adapter.failedLooks.update { ($0.count, $0.error) = ($0.count + 1, error) }
        guard try await hints?.next(afterFailures: failures) == true else { throw error }
        beginLook()
        return nil
      }
    }

    private mutating func beginAnew() {
      let known = cursor.records
      cursor = HTTPCursor()
      cursor.records = known.mapValues { $0.fresh(incarnation: $0.incarnation) }
      cursor.isWhole = true
      restarts = true
      place = 0
      (lists, resumed) = ([:], [])
    }

    /// - Returns: nil where another round is needed.
    private mutating func endRound() throws -> SyncBatch? {
      let isQuiet = adapter.isWhole || !hasChanged || adapter.codings.count == 1
      (place, round, hasChanged) = (0, round + 1, false)
      if !isQuiet, round < HTTPPull.roundLimit { return nil }
      place = adapter.codings.count
      (isCaughtUp, hasCaughtUpBefore, failures) = (true, true, 0)
      if adapter.isWhole { cursor.records = cursor.records.mapValues { $0.fresh(incarnation: nil) } }
      cursor.isWhole = nil
      var last = try batch([], isCheckpoint: isQuiet)
      last.endOfLook = look
      return last
    }

    private mutating func batch(_ changes: [SyncChange], isCheckpoint: Bool = false) throws -> SyncBatch {
      defer { restarts = false }
      let remaining = counts.isEmpty ? nil : counts.values.reduce(0, +)
      return SyncBatch(
        changes, cursor: try cursor.text, isCheckpoint: isCheckpoint, restarts: restarts, remaining: remaining)
    }

    // MARK: Pages

    /// - Returns: nil where there is nothing to tell.
    private mutating func readPage() async throws -> SyncBatch? {
      let coding = adapter.codings[place]
      let declaration = coding.declaration
      let name = declaration.record.name
      var position = cursor.records[name] ?? HTTPCursor.Position()
      let before = position
      if try await isAnother(declaration, &position) {
        beginAnew()
        return nil
      }
      let isEarlier =
        overlapped.insert(name).inserted && position.page == nil && declaration.since.map { $0.overlap > .zero } == true
      let start = start(declaration, position, isEarlier: isEarlier)
      let request = request(declaration, position, from: start)
      let page: HTTPPage?
      do {
        page = try await adapter.connection.readPage(request, declaration)
      } catch HTTPError.status(_, let code, _) where [400, 404, 410, 422].contains(code) && resumed.contains(name) {
        // The server doesn't know a page any more that it gave to an earlier run.
        resumed.remove(name)
        (position.page, position.until, position.untilKey) = (nil, nil, nil)
        (position.begin, position.beginKey) = (nil, nil)
        cursor.records[name] = position
        overlapped.remove(name)
        return nil
      } catch HTTPError.status(_, 410, _) where (before.since != nil || before.page != nil) && !hasBegunAnew {
        // Once a look: a server that gives a position and doesn't know it is asked no more.
        hasBegunAnew = true
        beginAnew()
        return nil
      }
      resumed.remove(name)
      guard let page else {
        // Nothing changed: 304.
        place += 1
        return nil
      }
      if isForgotten(page, declaration, position) {
        beginAnew()
        return nil
      }
      let changes = try page.rows.map { try coding.change($0) }
      var list = lists[name] ?? List(isOfAll: before.since == nil && before.page == nil)
      switch declaration.pages {
      case .token, .numbers:
        if position.page == nil { (position.begin, position.beginKey) = (start?.value, start?.key) }
      default: break
      }
      let isMore = try page.move(
        &position, declaration, request.name, largest: list.largest, isRepeated: page.rows == list.last)
      list.received += page.rows.count
      list.largest = Swift.max(list.largest, page.rows.count)
      list.last = page.rows
      switch declaration.pages {
      case .linkHeader, .linkMember:
        position.page = try position.page.map { try adapter.connection.path(of: $0, from: request.name) }
      default: break
      }
      if isMore, !isEarlier, position == before {
        throw HTTPError.malformed(path: request.name, reason: "one page follows itself")
      }
      position.date = page.date?.timeIntervalSince1970 ?? position.date
      if (position.since, position.key) != (before.since, before.key) {
        hasChanged = true
        adapter.writes.found()
      }
      lists[name] = list
      if !isMore { try await compareCount(list, declaration) }
      try await count(page.rows.count, isMore: isMore, isLong: page.isLong(declaration.pages), position)
      if !isMore {
        lists[name] = nil
        place += 1
      }
      var (old, new) = (before, position)
      (old.date, new.date) = (nil, nil)
      return changes.isEmpty && old == new && !restarts ? nil : try batch(changes)
    }

    /// Asks once a look how much is to come, when it is more than a page.
    ///
    /// - Parameter position: Behind the page that was read. It is kept here.
    private mutating func count(_ taken: Int, isMore: Bool, isLong: Bool, _ position: HTTPCursor.Position) async throws
    {
      let name = adapter.codings[place].declaration.record.name
      cursor.records[name] = position
      if isMore, isLong, counts.isEmpty {
        for coding in adapter.codings[place...] {
          let declaration = coding.declaration
          guard let count = declaration.count else { continue }
          let position = cursor.records[declaration.record.name] ?? HTTPCursor.Position()
          var bare = position
          (bare.page, bare.begin) = (nil, nil)
          var request = request(declaration, bare, from: bare.mark)
          count.prepare(&request)
          counts[declaration.record.name] = try await adapter.connection.count(request, count)
        }
      } else if let before = counts[name] {
        counts[name] = isMore && before > taken ? before - taken : 0
      }
    }

    /// A list of all rows that has fewer of them than the server says isn't all of them.
    ///
    /// - Throws: ``HTTPError/malformed(path:reason:)``.
    private func compareCount(_ list: List, _ declaration: HTTPRecord) async throws {
      guard list.isOfAll, let count = declaration.count else { return }
      var request = request(declaration, HTTPCursor.Position(), from: nil)
      count.prepare(&request)
      // Twice: others may be deleting rows.
      for _ in 0..<2 {
        guard let told = try await adapter.connection.count(request, count), list.received < told else { return }
      }
      throw HTTPError.malformed(
        path: request.name,
        reason:
          "its pages have \(list.received) rows, and the server says that there are more. Look how pages follow each other"
      )
    }

    /// From where a list goes.
    private func start(
      _ declaration: HTTPRecord, _ position: HTTPCursor.Position, isEarlier: Bool
    ) -> HTTPSince.Mark? {
      if position.page != nil, let begin = position.begin {
        return HTTPSince.Mark(value: begin, key: position.beginKey)
      }
      guard let since = declaration.since, let mark = position.mark else { return nil }
      return isEarlier ? since.start(at: mark, lastAnswer: position.date.map { Date(timeIntervalSince1970: $0) }) : mark
    }

    private func request(
      _ declaration: HTTPRecord, _ position: HTTPCursor.Position, from start: HTTPSince.Mark?
    ) -> HTTPRequest {
      var request = HTTPRequest("GET", declaration.path, query: declaration.query)
      if let since = declaration.since, let start { request.query.merge(since.query(start)) { $1 } }
      switch (declaration.pages, position.page) {
      case (.linkHeader, let page?), (.linkMember, let page?): return HTTPRequest("GET", page)
      case (.token(_, let parameter, _), let page?): request.query[parameter] = page
      case (.numbers(let parameter, let first, _), let page): request.query[parameter] = page ?? String(first)
      default: break
      }
      if declaration.hasCollectionTag, position.page == nil, let tag = position.tag {
        request.headers["If-None-Match"] = tag
      }
      return request
    }

    /// Whether the collection isn't the one that was read before.
    private mutating func isAnother(
      _ declaration: HTTPRecord, _ position: inout HTTPCursor.Position
    ) async throws -> Bool {
      guard let incarnation = declaration.incarnation, knownIncarnations.insert(declaration.record.name).inserted
      else { return false }
      let value: String?
      do {
        value = try await adapter.connection.read(HTTPRequest("GET", incarnation.path)) { response in
          guard response.hasJSON else { throw HTTPError.malformed(path: incarnation.path, reason: "it is no JSON") }
          return response.member(incarnation.member)
        }
      } catch HTTPError.status(_, 403, _) {
        // Some may read the rows and not what they are in.
        return false
      }
      let known = position.incarnation
      position.incarnation = value ?? known
      cursor.records[declaration.record.name, default: HTTPCursor.Position()].incarnation = position.incarnation
      return known != nil && value != nil && known != value
    }

    /// Whether the server may not know any more what was deleted since.
    private func isForgotten(_ page: HTTPPage, _ declaration: HTTPRecord, _ position: HTTPCursor.Position) -> Bool {
      guard let since = position.since else { return false }
      if let kept = adapter.deletionsKept, let last = position.date, let now = page.date,
        now.timeIntervalSince1970 - last > kept / .seconds(1)
      {
        return true
      }
      // A collection's ETag that is behind what it gave before is that of another one.
      guard declaration.hasCollectionTag, let known = Int64(since), let tag = page.tag.flatMap(HTTPPage.number) else {
        return false
      }
      return tag < known
    }
  }
}

extension HTTPConnection {
  /// - Returns: nil for an answer of 304 to a request that may have it.
  fileprivate func readPage(_ request: HTTPRequest, _ declaration: HTTPRecord) async throws -> HTTPPage? {
    do {
      return try await read(request) {
        try HTTPPage(
          $0, declaration, request.name, self.options.limits, isConditional: request.headers["If-None-Match"] != nil)
      }
    } catch HTTPError.status(_, 404, _) {
      // The number after that of the last page.
      guard case .numbers(let parameter, let first, _) = declaration.pages, request.query[parameter] != String(first)
      else { throw HTTPError.status(path: request.name, code: 404, message: "") }
      return HTTPPage(after: HTTPResponse(status: 404))
    }
  }
}
