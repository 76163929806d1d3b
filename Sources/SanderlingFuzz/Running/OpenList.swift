import Sanderling

/// A live list with its consumers.
@MainActor
final class OpenList<Element: Sendable>: OpenResult {
  private let list: LiveList<Element>
  private let values: @Sendable (Element) throws -> [StorageValue]
  private let replacing: @MainActor (LiveList<Element>, LiveQuerySpec) -> Bool
  private var tasks: [Task<Void, Never>] = []
  private(set) var logs: [ConsumerLog] = []
  /// Sequences from the store, which follow the query independently of the list.
  private var ownSources: [ConsumerLog] = []

  init(
    _ list: LiveList<Element>, _ style: OpenStyle, changes: LiveChanges<Element>? = nil,
    snapshots: LiveSnapshots<Element>? = nil,
    replace: @escaping @MainActor (LiveList<Element>, LiveQuerySpec) -> Bool = { _, _ in false },
    _ values: @escaping @Sendable (Element) throws -> [StorageValue]
  ) {
    self.list = list
    self.values = values
    replacing = replace
    for consumer in style.consumers {
      switch consumer {
      case .changes: follow("list.changes", list.changes)
      case .snapshots: follow("list.snapshots", list.snapshots)
      case .storeChanges: changes.map { follow("store.changes", $0, isOwnSource: true) }
      case .storeSnapshots: snapshots.map { follow("store.snapshots", $0, isOwnSource: true) }
      }
    }
    if style.isSlow { for log in logs { log.setOpen(false) } }
    _ = list.rows
  }

  private func follow<Sequence: ObservableSequence>(
    _ name: String, _ sequence: Sequence, isOwnSource: Bool = false
  ) where Sequence.Row == Element {
    let log = ConsumerLog(name)
    logs.append(log)
    if isOwnSource { ownSources.append(log) }
    tasks.append(sequence.follow(log, values))
  }

  var window: Int { list.window }

  var shown: Shown {
    let current = list.current
    var problem: String?
    let rows = current.rows
    if Set(rows.identified.map(\.id)).count != rows.count { problem = "two rows have one identity" }
    // After a query was replaced, the rows of the old query stay until the new query is read. They may be more than the
    // new window holds, so only a current list is checked.
    let count = rows.count + current.unreadableRows.count
    if current.state.isCurrent, count > list.window {
      problem = "\(count) rows are shown in a window of \(list.window)"
    }
    let values = values
    if zip(rows.indices, rows).contains(where: { (try? values(rows[$0])) != (try? values($1)) }) {
      problem = "iteration and positions differ"
    }
    return Shown(
      rows: storedValues(of: rows, values) + current.unreadableRows.marks, state: current.state,
      hasMore: current.hasMore, commit: list.commit,
      problem: problem)
  }

  func suspend() { list.suspend() }
  func resume() { list.resume() }
  func retry() { list.retry() }

  func grow(by count: Int) {
    list.loadMore(count)
    endOwnSources()
  }

  func replace(with spec: LiveQuerySpec) -> Bool {
    guard replacing(list, spec) else { return false }
    endOwnSources()
    return true
  }

  /// Ends the sequences from the store: their query and window stay, while the query and window of the list change.
  private func endOwnSources() {
    for (log, task) in zip(logs, tasks) where ownSources.contains(where: { $0 === log }) {
      task.cancel()
      log.setOpen(true)
    }
    let kept = zip(logs, tasks).filter { log, _ in !ownSources.contains { $0 === log } }
    logs = kept.map(\.0)
    tasks = kept.map(\.1)
    ownSources = []
  }

  func reached(_ commit: Commit) async throws {
    try await list.reached(commit)
  }

  func close() {
    for task in tasks { task.cancel() }
    for log in logs { log.setOpen(true) }
  }
}

/// The values of rows as the database stores them, for comparisons.
func storedValues<Element>(
  of rows: LiveRows<Element>, _ values: (Element) throws -> [StorageValue]
) -> [[StorageValue]] {
  rows.map { row in (try? values(row)) ?? [.text("a value that can't be stored")] }
}
