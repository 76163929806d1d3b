import Sanderling
import Foundation
import Synchronization

/// Prints the round's name if the process crashes or hangs, since no other code can print it then.
final class Watchdog: Sendable {
  private struct State {
    var limit: ContinuousClock.Instant?
    var name = ""
  }

  /// Guards the name of the current round and its time limit.
  private let state = Lock(State())

  init() {
    let timer = Thread { [weak self] in
      while let watchdog = self {
        watchdog.look()
        Thread.sleep(forTimeInterval: 1)
      }
    }
    timer.start()
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS] { signal(number, reportCrash) }
  }

  func begin(_ name: String, limit: Duration) {
    state.withLock { $0 = State(limit: .now + limit, name: name) }
    CrashMessage.set("\nCrashed. To run it again: \(name)\n")
  }

  func end() {
    state.withLock { $0.limit = nil }
  }

  private func look() {
    let name = state.withLock { state in
      state.limit.map { ContinuousClock.now > $0 } == true ? state.name : nil
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
