import Observation

/// The progress of a synchronisation, for views.
///
/// ```swift
/// @State private var status = synchronization.status
/// …
/// ProgressView("\(status.progress.counts.received) notes")
/// ```
///
/// It changes at most once a frame, on the main actor, as long as the object is retained.
@MainActor
@Observable
public final class SyncStatus {
  /// The newest state.
  public private(set) var progress: SyncProgress
  @ObservationIgnored private var following: Task<Void, Never>?

  init(_ hub: ProgressHub) {
    progress = hub.current
    let updates = SyncProgressUpdates(hub: hub)
    following = Task { [weak self] in
      for await update in updates {
        guard let self else { return }
        self.progress = update
      }
    }
  }

  deinit {
    following?.cancel()
  }
}
