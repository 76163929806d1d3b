import SanderlingSQLite
import Sanderling
import Synchronization

/// Decides for each call whether it fails. There is one for the process, because SQLite has one list of file systems.
final class FaultSwitch: Sendable {
  static let shared = FaultSwitch()

  private struct State {
    var fault: Fault?
    var hitCount = 0
    /// The step that the fault belongs to; 0 between two steps.
    var step = 0
    var lastStep = 0
  }

  /// Lets calls skip the lock while no fault is armed.
  private let isArmed = Atomic(false)
  /// Guards the armed fault.
  private let state = Lock(State())

  /// Begins a step in which calls are to fail, until ``disarm()``.
  ///
  /// - Returns: The step's number, with which the fault is armed.
  func begin() -> Int {
    state.withLock { state in
      state.lastStep += 1
      state.step = state.lastStep
      return state.step
    }
  }

  /// Arms the fault, unless the step has ended. A hook that waits for a commit can run long after its step: GRDB
  /// reports no rollback that a statement makes.
  func arm(_ fault: Fault, in step: Int) {
    state.withLock { state in
      guard state.step == step else { return }
      state.fault = fault
      state.hitCount = 0
      isArmed.store(true, ordering: .releasing)
    }
  }

  /// - Returns: The number of calls that failed.
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

  /// - Returns: The code with which the call fails; nil if it succeeds.
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
