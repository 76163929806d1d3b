import Dispatch
import Foundation
import Synchronization

/// An interruption of the command by a signal.
struct Interruption: Error {
  let signalNumber: Int32
  /// The error that ended the work. It may contain the progress of the work.
  let cause: any Error

  /// The exit code that a shell reports for a process that a signal ended.
  var exitCode: Int32 { 128 + signalNumber }

  /// Runs work that signals cancel. A second signal ends the process at once. A signal that the process ignores from its
  /// start, as `nohup` arranges, stays ignored.
  ///
  /// - Throws: ``Interruption`` in place of the error of work that a signal cancelled.
  static func cancelling<Value: Sendable>(
    on signals: [Int32] = [SIGINT, SIGTERM], _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let received = Received()
    var sources: [any DispatchSourceSignal] = []
    defer { for source in sources { source.cancel() } }
    // The handlers are set before the work begins. An earlier signal ends the process, which loses nothing.
    for number in signals where !isIgnored(number) {
      sources.append(
        await source(of: number) {
          guard received.take(number) else {
            TerminalScreen.leave()
            TerminalKeyboard.leave()
            _exit(128 + number)
          }
        })
    }
    let task = Task { try await work() }
    received.begin { task.cancel() }
    do {
      return try await task.value
    } catch {
      if let number = received.signal { throw Interruption(signalNumber: number, cause: error) }
      throw error
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    let action = signal(number, SIG_DFL)
    signal(number, action)
    return unsafeBitCast(action, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Starts to handle a signal.
  static func source(of number: Int32, _ handler: @escaping @Sendable () -> Void) async -> any DispatchSourceSignal {
    let source = DispatchSource.makeSignalSource(signal: number)
    source.setEventHandler(handler: handler)
    await withCheckedContinuation { continuation in
      source.setRegistrationHandler {
        // On Apple's systems, the source and the signal's default action both run, so the action is removed. On Linux,
        // Dispatch replaces the action by its own handler, which must stay.
        #if canImport(Darwin)
          signal(number, SIG_IGN)
        #endif
        continuation.resume()
      }
      source.resume()
    }
    return source
  }

  /// The first received signal. It cancels the work on the thread that handles the signal, because the work may block
  /// all other threads.
  private final class Received: Sendable {
    /// Guards the signal and the function that cancels the work.
    private let state = Mutex<(signal: Int32?, cancel: (@Sendable () -> Void)?)>((nil, nil))

    var signal: Int32? { state.withLock { $0.signal } }

    func begin(_ cancel: @escaping @Sendable () -> Void) {
      let isLate = state.withLock { state in
        state.cancel = cancel
        return state.signal != nil
      }
      if isLate { cancel() }
    }

    /// - Returns: Whether the signal is the first.
    func take(_ signal: Int32) -> Bool {
      let (isFirst, cancel) = state.withLock { state in
        let isFirst = state.signal == nil
        if isFirst { state.signal = signal }
        return (isFirst, state.cancel)
      }
      if isFirst { cancel?() }
      return isFirst
    }
  }
}
