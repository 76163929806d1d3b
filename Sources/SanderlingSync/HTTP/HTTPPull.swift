import Foundation
import Sanderling

/// The changes at a server, page by page.
///
/// One round reads each collection from its position, parents first. A collection that changes meanwhile is read to its
/// present end; the next round finds later changes of the other collections. After a round without changes, all records
/// are as they were at one moment. On a server with constant writes no round is without changes. So a last round reads
/// children first: each of their parents existed before and is read after them.
struct HTTPPull: AsyncSequence, Sendable {
  typealias Element = SyncBatch
  typealias Failure = any Error

  let adapter: HTTPAdapter
  let cursor: String?

  func makeAsyncIterator() -> Iterator { Iterator(adapter, cursor) }

  /// The number of rounds in search of a moment without changes, before the last round.
  private static let roundLimit = 5

  struct Iterator: AsyncIteratorProtocol {
    let adapter: HTTPAdapter
    var cursor: HTTPCursor
    private var place = 0
    private var round = 0
    /// Whether this is the last round, which reads children first.
    private var isLastRound = false
    /// Whether the next batch announces a restart.
    private var restarts = false
    private var hasChanged = false
    private var isCaughtUp = false
    private var hasCaughtUpBefore = false
    /// The number of the running poll; nil before the first.
    private var look: Int?
    /// The number of consecutive failed polls.
    private var failures = 0
    var knownIncarnations: Set<String> = []
    /// The records whose newest row was compared with the position. After the server was unreachable, the row is
    /// compared again, because another server may answer now.
    var comparedNewest: Set<String> = []
    /// The records that this poll has read with an overlap. One overlap is enough, because later marks are as fresh as
    /// the rows.
    private var overlapped: Set<String> = []
    private var hints: HTTPHints?
    /// The number of rows to come for each record, if the server gave it.
    private var counts: [String: Int] = [:]
    /// The lists whose last page was not read yet.
    private var lists: [String: HTTPList] = [:]
    /// The records whose next page was stored by an earlier run.
    private var resumed: Set<String>
    /// Whether the server rejected a position as unknown in this poll.
    private var hasBegunAnew = false
    /// Whether the next batch announces that the server lost changes.
    private var wentBack = false

    init(_ adapter: HTTPAdapter, _ text: String?) {
      self.adapter = adapter
      let known = text.flatMap { HTTPCursor($0) }
      cursor = known ?? HTTPCursor()
      // A position that can't be parsed is lost.
      restarts = text != nil && known == nil
      resumed = Set(cursor.records.filter { $0.value.page != nil }.keys)
      if adapter.isWhole, cursor.isWhole != true { beginAnew() }
    }

    /// The last batch of a poll is empty, whatever the poll found.
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
      isLastRound = false
      (lists, hasBegunAnew) = ([:], false)
      if adapter.isWhole { beginAnew() }
    }

    /// Reads a page. A source that follows a server waits while the server is unreachable.
    private mutating func readPageOrWait() async throws -> SyncBatch? {
      do {
        return try await readPage()
      } catch let error as HTTPError where error.isOfAbsence(adapter.connection.options) && hasCaughtUpBefore {
        failures += 1
        adapter.failedLooks.update { ($0.count, $0.error) = ($0.count + 1, error) }
        guard try await hints?.next(afterFailures: failures) == true else { throw error }
        comparedNewest = []
        beginLook()
        return nil
      }
    }

    private mutating func beginAnew(_ loss: Loss = .isForgotten) {
      if loss == .wentBack { wentBack = true }
      let known = cursor.records
      cursor = HTTPCursor()
      cursor.records = known.mapValues { $0.fresh(incarnation: $0.incarnation) }
      cursor.isWhole = true
      restarts = true
      place = 0
      (lists, resumed) = ([:], [])
    }

    /// - Returns: Nil if another round is needed.
    private mutating func endRound() throws -> SyncBatch? {
      let isLast = adapter.isWhole || !hasChanged || adapter.codings.count == 1 || isLastRound
      (place, round, hasChanged) = (0, round + 1, false)
      isLastRound = !isLast && round == HTTPPull.roundLimit
      if !isLast { return nil }
      place = adapter.codings.count
      (isCaughtUp, hasCaughtUpBefore, failures) = (true, true, 0)
      if adapter.isWhole { cursor.records = cursor.records.mapValues { $0.fresh(incarnation: nil) } }
      cursor.isWhole = nil
      var last = try batch([], isCheckpoint: true)
      last.endOfLook = look
      return last
    }

    private mutating func batch(_ changes: [SyncChange], isCheckpoint: Bool = false) throws -> SyncBatch {
      defer { (restarts, wentBack) = (false, false) }
      let remaining = counts.isEmpty ? nil : counts.values.reduce(0, +)
      var batch = SyncBatch(
        changes, cursor: try cursor.text, isCheckpoint: isCheckpoint, restarts: restarts, remaining: remaining)
      batch.serverWentBack = wentBack
      return batch
    }

    /// The codings in the order of this round.
    private var codings: [HTTPRowCoding] { isLastRound ? adapter.codings.reversed() : adapter.codings }

    // MARK: Pages

    /// - Returns: Nil if there is nothing to deliver.
    private mutating func readPage() async throws -> SyncBatch? {
      let coding = codings[place]
      let declaration = coding.declaration
      let name = declaration.record.name
      var position = cursor.records[name] ?? HTTPCursor.Position()
      let before = position
      if let change = try await incarnationChange(declaration, &position) {
        beginAnew(change)
        return nil
      }
      if try await isNewestEarlier(declaration, position) {
        beginAnew(.wentBack)
        return nil
      }
      let isEarlier =
        overlapped.insert(name).inserted && position.page == nil && declaration.since.map { $0.overlap > .zero } == true
      let start = declaration.start(position, isEarlier: isEarlier)
      let request = declaration.request(position, from: start)
      let answer: (page: HTTPPage?, date: Date?)
      do {
        answer = try await adapter.connection.readPage(request, declaration)
      } catch HTTPError.status(_, let code, _) where [400, 404, 410, 422].contains(code) && resumed.contains(name) {
        // The server no longer knows a page address that it gave to an earlier run.
        resumed.remove(name)
        (position.page, position.until, position.untilKey) = (nil, nil, nil)
        (position.begin, position.beginKey) = (nil, nil)
        cursor.records[name] = position
        overlapped.remove(name)
        return nil
      } catch HTTPError.status(_, 410, _) where (before.since != nil || before.page != nil) && !hasBegunAnew {
        // At most once in a poll: a server may not know even its own positions.
        hasBegunAnew = true
        beginAnew()
        return nil
      }
      resumed.remove(name)
      position.date = answer.date?.timeIntervalSince1970 ?? position.date
      guard let page = answer.page else {
        // No change since the position: 304.
        cursor.records[name] = position
        place += 1
        return nil
      }
      if let loss = loss(page, declaration, before) {
        beginAnew(loss)
        return nil
      }
      let changes = try page.rows.map { try coding.change($0) }
      var list = lists[name] ?? HTTPList()
      switch declaration.pages {
      case .token, .numbers:
        if position.page == nil { (position.begin, position.beginKey) = (start?.value, start?.key) }
      default: break
      }
      var next = try page.move(
        &position, declaration, request.name, largest: list.largest, isRepeated: page.rows == list.last)
      switch declaration.pages {
      case .linkHeader, .linkMember:
        position.page = try position.page.map { try adapter.connection.path(of: $0, from: request.name) }
      default: break
      }
      if next == .more, !isEarlier, position.isAt(before) {
        throw HTTPError.malformed(path: request.name, reason: "a page leads to itself as the next page")
      }
      if (position.since, position.key) != (before.since, before.key) {
        hasChanged = true
        adapter.writes.found()
      }
      let isOfAll = before.received != nil || (before.since == nil && before.page == nil)
      let new = list.take(page.rows)
      position.received = isOfAll ? (before.received ?? 0) + new : nil
      var isReadAgain = false
      if next != .more, isOfAll || next == .lastByCount {
        let received = position.received ?? new
        switch try await verdict(list, received: received, declaration, from: isOfAll ? nil : start) {
        case .isWhole: break
        case .isReadAgain(let second):
          (list, next, isReadAgain) = (second, .more, true)
          position = isOfAll ? position.fresh(incarnation: position.incarnation) : before
        case .isShort:
          throw HTTPError.malformed(
            path: request.name,
            reason:
              "its pages have \(received) rows, and the server says that there are more rows. Check the declaration of the pages (HTTPRecord.pages)"
          )
        }
      }
      if next != .more { position.received = nil }
      lists[name] = next == .more ? list : nil
      try await count(page.rows.count, isMore: next == .more, isLong: page.isLong(declaration.pages), position)
      if next != .more { place += 1 }
      let isAsBefore = isReadAgain || position.isAt(before)
      return changes.isEmpty && isAsBefore && !restarts ? nil : try batch(changes)
    }

    /// Asks for the number of rows to come once in a poll, if there is more than one page.
    ///
    /// - Parameter position: The position after the page.
    private mutating func count(_ taken: Int, isMore: Bool, isLong: Bool, _ position: HTTPCursor.Position) async throws
    {
      let name = codings[place].declaration.record.name
      cursor.records[name] = position
      if isMore, isLong, counts.isEmpty {
        for coding in codings[place...] {
          let declaration = coding.declaration
          guard let count = declaration.count else { continue }
          let position = cursor.records[declaration.record.name] ?? HTTPCursor.Position()
          var bare = position
          (bare.page, bare.begin) = (nil, nil)
          var request = declaration.request(bare, from: bare.mark)
          count.prepare(&request)
          counts[declaration.record.name] = try await adapter.connection.count(request, count)
        }
      } else if let before = counts[name] {
        counts[name] = isMore && before > taken ? before - taken : 0
      }
    }

    /// Asks the server for its number of rows, after the last page of a list.
    ///
    /// - Parameter start: The mark at which the list began; nil for the collection's first row.
    /// - Throws: ``HTTPError`` if the server doesn't give the number: without it, the list isn't known to be complete.
    private func verdict(
      _ list: HTTPList, received: Int, _ declaration: HTTPRecord, from start: HTTPSince.Mark?
    ) async throws -> HTTPList.Verdict {
      guard let count = declaration.count else { return .isWhole }
      var request = declaration.request(HTTPCursor.Position(), from: start)
      count.prepare(&request)
      let asked = request
      let told = try await adapter.connection.read(asked) { try count.read($0, asked.name) }
      return list.verdict(received: received, told: told)
    }
  }
}
