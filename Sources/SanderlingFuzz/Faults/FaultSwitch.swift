import SanderlingSQLite
import Sanderling
import Synchronization

/// Decides for each call whether it fails. One for the process, as SQLite has one list of file systems.
final class FaultSwitch: Sendable {
  static let shared = FaultSwitch()

  private struct State {
    var fault: Fault?
    var hitCount = 0
    /// Of which step the fault is: 0 between two of them.
    var step = 0
    var lastStep = 0
  }

  /// So that calls need no lock while nothing fails.
  private let isArmed = Atomic(false)
  /// Guards what is to fail.
  private let state = Lock(State())

  /// Begins a step in which something is to fail, up to ``disarm()``.
  ///
  /// - Returns: What arms it.
  func begin() -> Int {
    state.withLock { state in
      state.lastStep += 1
      state.step = state.lastStep
      return state.step
    }
  }

  /// Has calls fail, unless the step is over: what waits for a commit can come long after it, where a statement rolled back of
  /// which GRDB tells nobody.
  func arm(_ fault: Fault, in step: Int) {
    state.withLock { state in
      guard state.step == step else { return }
      state.fault = fault
      state.hitCount = 0
      isArmed.store(true, ordering: .releasing)
    }
  }

  /// - Returns: How many calls failed.
  @discardableResult
  func disarm() -> Int {
    state.withLock { state in
      isArmed.store(false, ordering: .releasing)
      state.fault = nil
      state.step = 0
      defer { state.hitCount = 0 }
      return state.hitCount
    }
  }

  /// - Returns: With what the call fails; nil when it doesn't.
  func code(for operation: Fault.Operation) -> Int32? {
    guard isArmed.load(ordering: .acquiring) else { return nil }
    return state.withLock { state in
      guard let fault = state.fault, fault.operation == operation else { return nil }
      if fault.skipped > 0 {
        state.fault?.skipped -= 1
        return nil
      }
      guard fault.count > 0 else { return nil }
      state.fault?.count -= 1
      state.hitCount += 1
      if fault.isBusy { return SQLITE_BUSY }
      switch operation {
      case .open: return SQLITE_CANTOPEN
      case .write where fault.isFull: return SQLITE_FULL
      default: return SQLITE_IOERR
      }
    }
  }
}
