import Foundation
import Sanderling
import Synchronization

/// A port of this machine: each connection is answered on a thread of its own.
final class ConnectionPort: Sendable {
  let number: UInt16
  private let socket: WireSocket
  private let isOver = Atomic(false)
  /// Guards the numbers of running and of all connections.
  private let counts = Lock((running: 0, all: 0))

  init() throws {
    (socket, number) = try WireSocket.listening()
  }

  /// The number of connections so far.
  var count: Int { counts.withLock { $0.all } }

  /// Answers connections until ``end()``. An error ends its connection.
  func begin(_ answer: @escaping @Sendable (WireSocket) throws -> Void) {
    Thread { [self] in
      while !isOver.load(ordering: .relaxed) {
        guard let connection = socket.next() else { continue }
        counts.withLock { $0 = ($0.running + 1, $0.all + 1) }
        Thread { [self] in
          try? answer(connection)
          connection.end()
          counts.withLock { $0.running -= 1 }
        }.start()
      }
      socket.end()
    }.start()
  }

  /// Waits until no connection is being answered.
  func waitForAnswers() {
    while counts.withLock({ $0.running > 0 }) { usleep(1000) }
  }

  func end() { isOver.store(true, ordering: .relaxed) }
}
