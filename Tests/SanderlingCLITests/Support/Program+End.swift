import Foundation
import TestPrograms
import Testing

extension Program {
  /// Ends the program by a signal as soon as it is at work. Fails the test when it ends by itself before.
  ///
  /// Works on a thread of its own: other tests block those that tasks share.
  func end(by signal: Int32, asking interval: TimeInterval, when isAtWork: @escaping @Sendable () -> Bool) async throws
  {
    let wasAtWork = await wasAtWork(endedBy: signal, asking: interval, when: isAtWork)
    try #require(wasAtWork, "the program ended before it could be interrupted")
  }

  /// Ends the program by a signal as soon as it is at work.
  ///
  /// - Returns: False when it ended by itself before.
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
