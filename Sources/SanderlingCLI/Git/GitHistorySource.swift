import AsyncAlgorithms
import Sanderling
import SanderlingSync

/// The history of a repository as a source: its authors, its commits, and the files that each changed.
///
/// Commits come newest first. A run that ends anywhere goes on behind the last batch of whole commits, and then with what was committed
/// since. A history that was rewritten meanwhile begins anew: what it doesn't have any more is removed. Authors are known by the names that the
/// mailmap gives when a commit is read.
struct GitHistorySource: SyncSource {
  let repository: GitRepository
  let tables: Set<GitHistoryTable>

  func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
    GitHistoryBatches { channel in
      try await read(after: cursor.flatMap(GitHistoryCursor.init)) { await channel.send($0) }
    }
  }

  private func read(
    after stored: GitHistoryCursor?, _ send: @Sendable (SyncBatch) async -> Void
  ) async throws {
    let shallowEnd = try await repository.shallowEnd()
    var cursor = stored ?? GitHistoryCursor(shallowEnd: shallowEnd)
    // A shallow clone that got older commits has them behind those that were read.
    var restarts = cursor.shallowEnd != shallowEnd
    if !restarts { restarts = try await !leadsToHead(cursor) }
    if restarts { cursor = GitHistoryCursor(shallowEnd: shallowEnd) }
    // First what a former run began, up to the head of that time.
    for head in [cursor.head, repository.head].compactMap({ $0 }) {
      if cursor.head != head { cursor = GitHistoryCursor(base: cursor.base, head: head, shallowEnd: shallowEnd) }
      try await read(&cursor, restarts: &restarts, isLast: head == repository.head, send)
      if head == repository.head { break }
    }
  }

  /// Whether all that was read is still part of the history.
  private func leadsToHead(_ cursor: GitHistoryCursor) async throws -> Bool {
    for commit in [cursor.base, cursor.head].compactMap({ $0 }) where try await !repository.leadsToHead(commit) {
      return false
    }
    return true
  }

  /// Reads the commits between a cursor's base and its head, of which it leaves the head as the base.
  private func read(
    _ cursor: inout GitHistoryCursor, restarts: inout Bool, isLast: Bool, _ send: @Sendable (SyncBatch) async -> Void
  ) async throws {
    guard let head = cursor.head else { return }
    let total = try await repository.commitCount(after: cursor.base, upTo: head)
    var batcher = LogBatcher()
    var (commits, rows) = (0, 0)
    func deliver(_ batch: LogBatch, isEnd: Bool) async {
      commits += batch.commits.count
      rows += batch.rowCount
      cursor.done += batch.commits.count
      if isEnd { cursor = GitHistoryCursor(base: head, shallowEnd: cursor.shallowEnd) }
      let left = total.map { $0 - cursor.done } ?? 0
      var pieces = batch.syncPieces(of: tables)
      let last = pieces.popLast() ?? []
      // A commit of many files is divided; behind it a run can go on only when all of it is here.
      for piece in pieces {
        await send(SyncBatch(piece, restarts: restarts))
        restarts = false
      }
      await send(
        SyncBatch(
          last, cursor: cursor.text, isCheckpoint: isEnd && isLast, restarts: restarts,
          remaining: isEnd ? 0 : left * rows / max(commits, 1)))
      restarts = false
    }
    try await repository.git.stream(
      CommitLogFormat.range(after: cursor.base, upTo: head, skipping: cursor.done)
    ) { buffer in
      try buffer.withUnsafeBytes { try batcher.consume($0) }
      for batch in batcher.takeFullBatches() { await deliver(batch, isEnd: false) }
    }
    await deliver(try batcher.finish(), isEnd: true)
  }
}

/// What `read` sends, one batch at a time: git waits while nobody asks for the next one.
private struct GitHistoryBatches: AsyncSequence, Sendable {
  typealias Failure = any Error
  typealias Channel = AsyncThrowingChannel<SyncBatch, any Error>

  let read: @Sendable (Channel) async throws -> Void

  func makeAsyncIterator() -> Iterator { Iterator(Reading(read)) }

  struct Iterator: AsyncIteratorProtocol {
    private let reading: Reading
    private var batches: Channel.AsyncIterator

    fileprivate init(_ reading: Reading) {
      self.reading = reading
      batches = reading.channel.makeAsyncIterator()
    }

    mutating func next() async throws -> SyncBatch? { try await batches.next() }
  }

  /// The task that reads. It ends with the iterator, and git with it.
  fileprivate final class Reading: Sendable {
    let channel = Channel()
    private let task: Task<Void, Never>

    init(_ read: @escaping @Sendable (Channel) async throws -> Void) {
      task = Task { [channel] in
        do {
          try await read(channel)
          channel.finish()
        } catch {
          channel.fail(error)
        }
      }
    }

    deinit { task.cancel() }
  }
}

extension LogBatch {
  /// Changes in a batch of the synchronisation, which has any number of commits or a part of one.
  private static let pieceSize = 4000

  /// Authors, commits and files, as rows of the tables that are wanted.
  fileprivate func syncPieces(of tables: Set<GitHistoryTable>) -> [[SyncChange]] {
    var pieces: [[SyncChange]] = []
    var piece: [SyncChange] = []
    func add(_ change: SyncChange) {
      piece.append(change)
      guard piece.count >= Self.pieceSize else { return }
      pieces.append(piece)
      piece = []
    }
    if tables.contains(.author) {
      // Names are one when their bytes are.
      for name in Set(commits.map { StorageValue.text($0.authorName) }) { add(SyncChange(.author, [name])) }
    }
    if tables.contains(.commit) { for commit in commits { add(SyncChange(commit)) } }
    if tables.contains(.change) {
      for (commit, change) in changes { add(SyncChange(change, of: commits[commit])) }
    }
    pieces.append(piece)
    return pieces
  }
}

extension SyncChange {
  fileprivate init(_ table: GitHistoryTable, _ key: [StorageValue], _ values: [String: StorageValue] = [:]) {
    self.init(table.rawValue, key: key, .row(values))
  }

  fileprivate init(_ commit: LoggedCommit) {
    self.init(
      .commit, [.text(commit.hash.hexadecimalText)],
      [
        "author": .text(commit.authorName), "isMerge": .integer(commit.isMerge ? 1 : 0),
        "committedAt": .integer(commit.committedAt), "authoredDay": .text(commit.authoredDay),
        "subject": .text(commit.subject),
      ])
  }

  fileprivate init(_ change: LoggedChange, of commit: LoggedCommit) {
    self.init(
      .change, [.text(commit.hash.hexadecimalText), .text(change.path)],
      [
        "linesAdded": change.linesAdded.map { .integer($0) } ?? .null,
        "linesDeleted": change.linesDeleted.map { .integer($0) } ?? .null,
      ])
  }
}
