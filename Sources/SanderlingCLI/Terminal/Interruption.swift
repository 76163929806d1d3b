import Dispatch
import Foundation
import Synchronization

/// The user pressed Ctrl-C, or the system asked the process to end.
struct Interruption: Error {
  let signalNumber: Int32
  /// The error by which the work ended. It may say how far the work was.
  let cause: any Error

  /// What a shell reports for a process that a signal ended.
  var exitCode: Int32 { 128 + signalNumber }

  /// Runs work that SIGINT and SIGTERM cancel. A second signal ends the process at once.
  ///
  /// - Throws: ``Interruption`` in place of the error of work that was cancelled so.
  static func cancelling<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = Task { try await work() }
    let received = Received()
    let sources = [SIGINT, SIGTERM].map { number in
      // The source sees the signal only when its default action, which ends the process, is off.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler {
        guard received.set(number) else {
          TerminalScreen.leave()
          TerminalKeyboard.leave()
          _exit(128 + number)
        }
        task.cancel()
      }
      source.resume()
      return source
    }
    defer { for source in sources { source.cancel() } }
    do {
      return try await task.value
    } catch {
      if let number = received.signal { throw Interruption(signalNumber: number, cause: error) }
      throw error
    }
  }

  /// The first signal that came.
  private final class Received: Sendable {
    private let number = Atomic<Int32>(0)

    var signal: Int32? {
      let number = number.load(ordering: .acquiring)
      return number == 0 ? nil : number
    }

    /// - Returns: Whether none came before.
    func set(_ signal: Int32) -> Bool {
      number.compareExchange(expected: 0, desired: signal, ordering: .acquiringAndReleasing).exchanged
    }
  }
}
