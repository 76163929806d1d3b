import Observation
import Sanderling
import SanderlingSync

/// Keeps the store equal to a user's records on a server.
@MainActor @Observable
public final class SyncModel {
  public let status: SyncStatus
  /// The error that ended the last run; nil while a run goes well.
  public private(set) var problem: String?
  private let server: Server
  private let session: SyncSession
  private let pending: LiveList<Int>
  private var run: Task<Void, Never>?

  public init(_ store: Store, _ server: Server) async throws {
    self.server = server
    let adapter = try server.adapter
    session = try await SyncSession(
      "tasks of " + server.name, store: store, records: Server.records, source: adapter, sink: adapter)
    status = session.status
    pending = store.livePendingCount(of: Server.records)
  }

  /// The number of local changes that the server has not acknowledged.
  public var pendingCount: Int { pending.rows.first ?? 0 }

  /// Follows the server until ``stop()``, or until the run fails.
  public func start() {
    guard run == nil else { return }
    problem = nil
    run = Task {
      do {
        try await server.makeCollections()
        try await session.run()
      } catch is CancellationError {
      } catch {
        problem = error.localizedDescription
      }
      run = nil
    }
  }

  public func stop() async {
    run?.cancel()
    await run?.value
  }

  /// Exchanges changes now, and not at the next interval. Starts a run if the last one failed.
  public func refresh() async {
    guard run != nil else { return start() }
    do {
      try await session.refresh()
      problem = nil
    } catch is CancellationError {
    } catch {
      problem = error.localizedDescription
    }
  }
}
