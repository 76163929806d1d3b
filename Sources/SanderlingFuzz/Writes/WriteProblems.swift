import Sanderling

/// What was found wrong with writes themselves, and the inverses of those that may be undone later.
final class WriteProblems: Sendable {
  private struct State {
    var messages: [String] = []
    var inverses: [InverseWrite] = []
  }

  /// Guards what was found and kept, by the tasks that write at once.
  private let state = Lock(State())

  var first: String? { state.withLock { $0.messages.first } }

  func add(_ message: String) {
    state.withLock { $0.messages.append(message) }
  }

  func keep(_ inverse: InverseWrite) {
    state.withLock { $0.inverses.append(inverse) }
  }

  func takeInverse() -> InverseWrite? {
    state.withLock { $0.inverses.popLast() }
  }
}
