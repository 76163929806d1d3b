import Foundation
import Sanderling
import Synchronization

/// The listener through which devices reach the fuzzer's server: it loses, delays, repeats, reorders and falsifies
/// messages.
final class FaultyListener: Sendable {
  private let connections: ConnectionPort
  private let server: FuzzServer
  /// Guards the source of the fates of requests.
  private let fates: Lock<Fates>
  private let isCalm = Atomic(false)

  private enum Fate: CaseIterable {
    /// The request never arrives.
    case lost
    /// The request arrives after the device's timeout.
    case late
    /// The request arrives twice.
    case repeated
    /// The answer is lost or cut off.
    case unanswered, cut
    /// The answer's declared length is too short or too long.
    case shorter, longer
    /// The listener answers with other bytes.
    case nonsense
    /// The request is delayed, so that others overtake it.
    case slow
    case busy
  }

  /// Decides about each request.
  private enum Fates {
    case random(SeededGenerator)
    case scripted(CutScript)

    /// - Returns: The fate of the next request, nil for none, and a number that quantifies the fate.
    mutating func next(for request: WireRequest, isCalm: Bool) -> (Fate?, Int) {
      switch self {
      case .random(var random):
        defer { self = .random(random) }
        let fate = !isCalm && random.chance(30) ? random.element(of: Fate.allCases) : nil
        return (fate, random.number(0..<1_000_000))
      case .scripted(var script):
        defer { self = .scripted(script) }
        guard let cut = script.next(isPull: request.pull != nil) else { return (nil, 0) }
        switch cut.side {
        case .request: return (.lost, 0)
        case .answer: return (.cut, cut.place)
        case .silence: return (.unanswered, 0)
        }
      }
    }
  }

  convenience init(_ server: FuzzServer, _ random: SeededGenerator) throws {
    try self.init(server, .random(random))
  }

  /// Creates a listener that only cuts connections, by the script. The server executes the requests.
  convenience init(_ server: FuzzServer, _ script: CutScript) throws {
    try self.init(server, .scripted(script))
    calmDown()
  }

  private init(_ server: FuzzServer, _ fates: Fates) throws {
    self.server = server
    self.fates = Lock(fates)
    connections = try ConnectionPort()
    connections.begin { [self] in try answer($0) }
  }

  var port: UInt16 { connections.number }

  /// Makes all later messages arrive unchanged.
  func calmDown() {
    isCalm.store(true, ordering: .relaxed)
    // Late messages arrive before this returns.
    connections.waitForAnswers()
  }

  /// The number of requests that the script has cut.
  var cutCount: Int { fates.withLock { if case .scripted(let script) = $0 { script.cutCount } else { 0 } } }

  func end() { connections.end() }

  private func answer(_ connection: WireSocket) throws {
    let message = try connection.message()
    let request = try WireCoding.value(WireRequest.self, message)
    let isCalm = isCalm.load(ordering: .relaxed)
    let (fate, number) = fates.withLock { $0.next(for: request, isCalm: isCalm) }
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
