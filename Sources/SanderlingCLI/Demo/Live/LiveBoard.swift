import Observation
import Sanderling

/// The live results that are open during an import, as a screen of an app would show them.
@MainActor
final class LiveBoard {
  /// The number of rows of each list.
  nonisolated static let rowCount = 10
  /// The names of the live results, for the report.
  nonisolated static let contents = "the newest commits, the author summaries and four totals"

  /// The state of one result.
  private struct Standing {
    /// The commit of the last rows that the main actor received.
    var taken: Commit?
    /// The last commit that the result contains.
    var known: Commit?
    var state: LiveState
  }

  private let newest: LiveList<NewestCommit>
  private let authors: LiveList<AuthorSummary>
  private let commits: LiveCount
  private let merges: LiveCount
  private let authorCount: LiveCount
  private let fileChanges: LiveCount
  private var standings: [Standing] = []
  private(set) var log = DeliveryLog()
  private var isClosed = false

  init(of store: Store) {
    newest = store.liveList(NewestCommit.first(Self.rowCount), window: Self.rowCount)
    authors = store.liveList(AuthorSummary.top(Self.rowCount), window: Self.rowCount)
    commits = store.liveCount(GitCommit.query)
    merges = store.liveCount(GitCommit.where { $0.isMerge })
    authorCount = store.liveCount(Author.query)
    fileChanges = store.liveCount(FileChange.query)
  }

  /// Starts to record deliveries.
  func open() {
    standings = readAndTrack()
  }

  /// Stops recording deliveries.
  func close() {
    isClosed = true
  }

  /// The current contents.
  var frame: BoardFrame {
    BoardFrame(
      newestCommits: newest.elements, topAuthors: authors.elements, commits: commits.value ?? 0,
      merges: merges.value ?? 0, authors: authorCount.value ?? 0, fileChanges: fileChanges.value ?? 0,
      deliveryCount: log.count)
  }

  /// The first error of a result.
  var error: (any Error)? {
    standings.lazy.compactMap(\.state.error).first
  }

  /// Records the deliveries since the last call.
  func catchUp() {
    guard !isClosed else { return }
    let current = readAndTrack()
    let time = ContinuousClock.now
    for (before, now) in zip(standings, current) {
      if let taken = now.taken, taken != before.taken { log.append(after: before.known, through: taken, time: time) }
    }
    standings = current
  }

  private func readAndTrack() -> [Standing] {
    withObservationTracking {
      [standing(newest), standing(authors)] + [commits, merges, authorCount, fileChanges].map(standing)
    } onChange: { [weak self] in
      // One commit changes several results in this turn of the main actor. The next turn sees all of them.
      Task { @MainActor in self?.catchUp() }
    }
  }

  private func standing<Element>(_ list: LiveList<Element>) -> Standing {
    Standing(taken: list.current.commit, known: list.commit, state: list.state)
  }

  private func standing(_ count: LiveCount) -> Standing {
    Standing(taken: count.current.commit, known: count.commit, state: count.state)
  }
}
