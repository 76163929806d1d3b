import GRDB

/// The cancellation of a running move, from any thread.
final class MoveControl: Sendable {
  private struct State {
    var isCancelled = false
    /// The connection of the move, whose long statements end when the move is cancelled.
    var connection: DatabaseQueue?
  }

  private let state = Lock(State())

  func cancel() {
    let connection = state.withLock { state in
      state.isCancelled = true
      return state.connection
    }
    connection?.interrupt()
  }

  /// Sets the connection to interrupt; nil when it closes.
  func use(_ connection: DatabaseQueue?) {
    state.withLock { $0.connection = connection }
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func check() throws {
    if isCancelled { throw CancellationError() }
  }
}
