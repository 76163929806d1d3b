import Foundation
import TestPrograms
import Testing

extension Program {
  /// Ends the program with a signal once `isAtWork` is true. Fails the test if the program ends by itself before.
  ///
  /// Polls in its own thread, because other tests block the threads that tasks share.
  func end(by signal: Int32, asking interval: TimeInterval, when isAtWork: @escaping @Sendable () -> Bool) async throws
  {
    let wasAtWork = await wasAtWork(endedBy: signal, asking: interval, when: isAtWork)
    try #require(wasAtWork, "the program ended before it could be interrupted")
  }

  /// Ends the program with a signal once `isAtWork` is true.
  ///
  /// - Returns: False if the program ended by itself before.
  func wasAtWork(
    endedBy signal: Int32, asking interval: TimeInterval, when isAtWork: @escaping @Sendable () -> Bool
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        while self.isRunning {
          if isAtWork() {
            self.signal(signal)
            return continuation.resume(returning: true)
          }
          Thread.sleep(forTimeInterval: interval)
        }
        continuation.resume(returning: false)
      }
    }
  }
}
