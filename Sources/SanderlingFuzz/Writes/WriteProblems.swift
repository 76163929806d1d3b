import Sanderling

/// The problems found in writes themselves, and the inverses that may be applied later.
final class WriteProblems: Sendable {
  private struct State {
    var messages: [String] = []
    var inverses: [InverseWrite] = []
  }

  /// Guards the problems and the inverses, which concurrent writers add to.
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
