import Sanderling
import Foundation
import Synchronization

/// Prints the round's name if the process crashes or hangs, since no other code can print it then.
///
/// A round hangs if its time is over and the process has stopped computing, or has computed for as long as the time
/// limit. A round that gets little of the processors goes on.
final class Watchdog: Sendable {
  private struct State {
    /// The end of the time; nil between two rounds.
    var end: ContinuousClock.Instant?
    /// The processor time of the process at which its computing has taken as long as the limit.
    var lastComputing: Duration = .zero
    var name = ""
  }

  /// The time for which the process must compute nothing to count as stopped, and the computing that counts as nothing:
  /// the timers of the library and of this thread.
  private static let (pause, noise) = (Duration.seconds(20), Duration.milliseconds(200))

  /// Guards the name of the current round and its time limit.
  private let state = Lock(State())

  init() {
    let timer = Thread { [weak self] in
      var last = (time: ContinuousClock.now, computing: Self.computing)
      while let watchdog = self {
        let (now, computing) = (ContinuousClock.now, Self.computing)
        watchdog.look(now, computing, isStopped: now - last.time >= Self.pause)
        if computing - last.computing > Self.noise { last = (now, computing) }
        Thread.sleep(forTimeInterval: 1)
      }
    }
    timer.start()
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS] { signal(number, reportCrash) }
  }

  func begin(_ name: String, limit: Duration) {
    state.withLock { $0 = State(end: .now + limit, lastComputing: Self.computing + limit, name: name) }
    CrashMessage.set("\nCrashed. To run it again: \(name)\n")
  }

  func end() {
    state.withLock { $0.end = nil }
  }

  /// The processor time of the process.
  private static var computing: Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private func look(_ now: ContinuousClock.Instant, _ computing: Duration, isStopped: Bool) {
    let name = state.withLock { state -> String? in
      guard let end = state.end, now > end, isStopped || computing > state.lastComputing else { return nil }
      return state.name
    }
    guard let name else { return }
    FileHandle.standardError.write(Data("\nHangs. To run it again: \(name)\n".utf8))
    _exit(1)
  }
}

/// The text that the signal handler writes. The handler must not allocate.
private enum CrashMessage {
  static let capacity = 512
  // Safe without isolation: only one thread writes the bytes, between rounds. The signal handler reads them at the end
  // of the process, and at worst prints a mixed text.
  nonisolated(unsafe) static let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
  static let count = Atomic(0)

  static func set(_ text: String) {
    let utf8 = Array(text.utf8.prefix(capacity))
    bytes.copyBytes(from: utf8)
    count.store(utf8.count, ordering: .releasing)
  }
}

private func reportCrash(_ number: Int32) {
  _ = write(2, CrashMessage.bytes.baseAddress, CrashMessage.count.load(ordering: .acquiring))
  signal(number, SIG_DFL)
  raise(number)
}
