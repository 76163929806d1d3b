import Foundation
import Sanderling
import SanderlingTerminal

/// Imports a history into two new stores: first with live results open, then without.
struct LiveDemo: Sendable {
  let repository: GitRepository
  let output: BoardOutput
  let style: TextStyle
  /// The log of the statements.
  let log: StatementLog?
  /// Shows the progress of the second import.
  let plainOutput: ProgressOutput

  /// - Throws: ``GitError``, ``DemoStoreError``, ``LiveDemoError``, ``StoreError``, `CancellationError`.
  func run() async throws -> LiveDemoReport {
    // Counted before both imports, so that the count disturbs neither.
    let total = try await repository.commitCount()
    let stores = try TemporaryStores(for: "demo-live")
    // The folder stays until both imports end.
    defer { withExtendedLifetime(stores) {} }
    let followed = try await importFollowed(into: stores.path("followed.sqlite"), total: total)
    let plain = try await importPlain(into: stores.path("plain.sqlite"), total: total)
    return LiveDemoReport(
      imported: followed.report, deliveries: followed.deliveries, explanations: followed.explanations,
      followed: followed.cost, plain: plain)
  }

  private struct Followed: Sendable {
    let report: DemoReport
    let deliveries: DeliveryFigures
    let explanations: [LiveDemoReport.Explanation]
    let cost: LiveDemoReport.Cost
  }

  private func importFollowed(into path: String, total: Int?) async throws -> Followed {
    let store = try await open(path)
    let board = await LiveBoard(of: store)
    await board.open()
    await store.settled()

    let times = CommitTimes()
    let progress = ImportProgress(output: .none, total: total)
    let start = ContinuousClock.now
    let startTime = ProcessTime.current
    let (outcome, duration) = try await output.show(board, style: style) {
      Self.title(progress, total: total, start: start, repository: repository)
    } while: {
      let importer = HistoryImporter(
        repository: repository, store: store, progress: progress, onCommit: { times.append($0, $1) })
      let outcome = try await importer.run()
      let duration = start.duration(to: .now)
      // The cost includes the remaining work for the live results.
      await store.settled()
      await board.catchUp()
      return (outcome, duration)
    }
    let cost = LiveDemoReport.Cost(duration: duration, processTime: ProcessTime.current - startTime)
    if let error = await board.error { throw error }

    let frame = await board.frame
    let figures = await board.log.figures(times.sorted)
    await board.close()
    let report = try await DemoReport(of: store, repository: repository, outcome: outcome, importDuration: duration)
    guard frame.equals(report) else { throw LiveDemoError.differs }
    let explanations = [
      LiveDemoReport.Explanation("newest commits", try await NewestCommit.first(LiveBoard.rowCount).explainLive(store)),
      LiveDemoReport.Explanation(
        "author summaries", try await AuthorSummary.top(LiveBoard.rowCount).explainLive(store)),
    ]
    try store.close()
    return Followed(report: report, deliveries: figures, explanations: explanations, cost: cost)
  }

  private func importPlain(into path: String, total: Int?) async throws -> LiveDemoReport.Cost {
    let store = try await open(path)
    let progress = ImportProgress(output: plainOutput, total: total)
    defer { progress.finish() }
    let start = ContinuousClock.now
    let startTime = ProcessTime.current
    _ = try await HistoryImporter(repository: repository, store: store, progress: progress).run()
    let cost = LiveDemoReport.Cost(duration: start.duration(to: .now), processTime: ProcessTime.current - startTime)
    try store.close()
    return cost
  }

  private func open(_ path: String) async throws -> Store {
    let store = try await DemoStore.open(path)
    if let log { store.add(log) }
    return store
  }

  private static func title(
    _ progress: ImportProgress, total: Int?, start: ContinuousClock.Instant, repository: GitRepository
  ) -> String {
    var parts = ["Importing with live results", start.duration(to: .now).brief]
    if let total, total > 0 { parts.append("\(min(100, progress.commitCount * 100 / total)) %") }
    return parts.joined(separator: ", ") + ", from \(repository.gitDirectory.printable)"
  }
}

/// Why the demonstration of live results failed.
enum LiveDemoError: CommandError, Equatable {
  case differs

  var description: String {
    switch self {
    case .differs:
      "The live results differ from what a fresh SELECT returns: this is an error of Sanderling. "
        + "Report it with the repository's address."
    }
  }
}
