import Foundation
import Sanderling
import Synchronization

/// Where devices reach the fuzzer's server: what stands between them loses, delays, repeats, overtakes and falsifies messages.
final class FaultyListener: Sendable {
  private let connections: ConnectionPort
  private let server: FuzzServer
  /// Guards what happens to messages next.
  private let random: Lock<SeededGenerator>
  private let isCalm = Atomic(false)

  private enum Fate: CaseIterable {
    /// The request doesn't arrive.
    case lost
    /// It arrives when the device has long given it up.
    case late
    /// It arrives twice.
    case repeated
    /// The answer is lost, or its end is.
    case unanswered, cut
    /// The answer is said to be shorter or longer than it is.
    case shorter, longer
    /// Something else answers.
    case nonsense
    /// It takes a while, in which others overtake it.
    case slow
    case busy
  }

  init(_ server: FuzzServer, _ random: SeededGenerator) throws {
    self.server = server
    self.random = Lock(random)
    connections = try ConnectionPort()
    connections.begin { [self] in try answer($0) }
  }

  var port: UInt16 { connections.number }

  /// Has all messages arrive as they are, from here on.
  func calmDown() {
    isCalm.store(true, ordering: .relaxed)
    // A late message arrives before.
    connections.waitForAnswers()
  }

  func end() { connections.end() }

  private func answer(_ connection: WireSocket) throws {
    let message = try connection.message()
    let request = try WireCoding.value(WireRequest.self, message)
    let isCalm = isCalm.load(ordering: .relaxed)
    let (fate, number) = random.withLock { random -> (Fate?, Int) in
      (!isCalm && random.chance(30) ? random.element(of: Fate.allCases) : nil, random.number(0..<1_000_000))
    }
    switch fate {
    case .lost: return
    case .late:
      connection.shut()
      usleep(UInt32(20_000 + number % 300_000))
      _ = try server.answer(request, isCalm: isCalm)
      return
    case .busy:
      try connection.send(WireCoding.data(WireAnswer(retryAfter: number % 20)))
      return
    case .nonsense:
      try connection.send(Data("401 <html>{\"batch\":".utf8))
      return
    case .slow: usleep(UInt32(number % 40_000))
    case .repeated: if number % 2 == 0 { _ = try server.answer(request, isCalm: isCalm) }
    default: break
    }
    let answer = try WireCoding.data(server.answer(request, isCalm: isCalm))
    switch fate {
    case .unanswered: return
    case .cut: try connection.send(answer, sent: number % max(answer.count, 1))
    case .shorter: try connection.send(answer, told: number % max(answer.count, 1))
    case .longer: try connection.send(answer, told: answer.count + 1 + number % 100)
    case .repeated:
      if number % 2 == 1 { _ = try server.answer(request, isCalm: isCalm) }
      try connection.send(answer)
    default: try connection.send(answer)
    }
  }
}
