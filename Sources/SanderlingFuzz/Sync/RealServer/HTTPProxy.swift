import Foundation
import Sanderling
import Synchronization

/// A proxy between devices and a real server: it loses, delays, repeats, reorders and falsifies requests and answers,
/// and sends answers of its own.
final class HTTPProxy: Sendable {
  private let connections: ConnectionPort
  private let target: UInt16
  private let log: ProxyLog
  /// The values that the server sent, whether they arrived or not.
  let told = ToldCells()
  /// Guards the random choice of the next faults.
  private let random: Lock<SeededGenerator>
  private let isCalm = Atomic(false)

  /// The time limit of the server in seconds.
  private static let patience = 10.0
  private static let streamPatience = 2.0

  private enum Fate: CaseIterable {
    /// The request never arrives, or arrives after the device's timeout.
    case lost, late
    /// The request arrives twice.
    case repeated
    /// The answer is lost or cut off.
    case unanswered, cut
    /// The answer's declared length is too short or too long.
    case shorter, longer
    /// The proxy itself answers: the whole request, or parts of a batch, which the server doesn't receive.
    case nonsense, status, parts
    /// The request is delayed, so that others overtake it.
    case slow
  }

  private static let answers = [
    "401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"r\"\r\n", "401 Unauthorized\r\n", "403 Forbidden\r\n",
    "407 Proxy Authentication Required\r\n", "408 Request Timeout\r\n", "409 Conflict\r\n",
    "412 Precondition Failed\r\n", "425 Too Early\r\n", "429 Too Many Requests\r\nRetry-After: 1\r\n",
    "500 Internal Server Error\r\n", "503 Busy\r\nRetry-After: 0\r\n",
  ]
  /// The statuses of parts that are not executed.
  private static let partStatuses = [401, 403, 429, 500]

  /// Guards the requests and parts that were answered 403. A second 403 would mean a permanent refusal.
  private let forbidden = Lock<Set<String>>([])

  /// - Parameter log: A record of every request and its fate.
  init(to target: UInt16, _ random: SeededGenerator, log: ProxyLog) throws {
    self.target = target
    self.log = log
    self.random = Lock(random)
    connections = try ConnectionPort()
    connections.begin { [self] in try answer($0) }
  }

  var port: UInt16 { connections.number }

  /// The number of requests.
  var count: Int { connections.count }

  /// Makes the proxy forward all later requests unchanged.
  func calmDown() {
    isCalm.store(true, ordering: .relaxed)
    connections.waitForAnswers()
  }

  func end() { connections.end() }

  private func answer(_ connection: WireSocket) throws {
    let request = try Self.request(connection)
    let isCalm = isCalm.load(ordering: .relaxed)
    let (fate, number) = random.withLock { random -> (Fate?, Int) in
      (!isCalm && random.chance(15) ? random.element(of: Fate.allCases) : nil, random.number(0..<1_000_000))
    }
    if request.starts(with: Data("GET /api/realtime".utf8)) {
      return try stream(request, connection, fate == nil ? nil : .milliseconds(number % 1500))
    }
    let forward = { try self.forward(request, fate) }
    switch fate {
    case .lost: return
    case .late:
      connection.shut()
      usleep(UInt32(20_000 + number % 300_000))
      _ = try forward()
      return
    case .nonsense:
      let page = "<html><a href=\"login\">Sign in"
      return try connection.write(
        Data("HTTP/1.1 200 OK\r\nContent-Length: \(page.utf8.count)\r\nConnection: close\r\n\r\n\(page)".utf8))
    case .status where mayRefuse(request, number):
      let head = Self.answers[number % Self.answers.count]
      return try connection.write(Data("HTTP/1.1 \(head)Content-Length: 0\r\nConnection: close\r\n\r\n".utf8))
    case .parts:
      if let answer = try refuseParts(request, number) { return try connection.write(answer) }
    case .slow: usleep(UInt32(number % 150_000))
    case .repeated: if number % 2 == 0 { _ = try forward() }
    default: break
    }
    let answer = try forward()
    switch fate {
    case .unanswered: return
    case .cut: try connection.write(Self.cut(answer, number))
    case .shorter: try connection.write(Self.told(answer) { number % max($0, 1) })
    case .longer: try connection.write(Self.told(answer) { $0 + 1 + number % 100 })
    case .repeated:
      if number % 2 == 1 { _ = try forward() }
      try connection.write(answer)
    default: try connection.write(answer)
    }
  }

  // MARK: Messages

  private static let headEnd = Data("\r\n\r\n".utf8)

  /// A whole request, after which the server closes the connection.
  private static func request(_ connection: WireSocket) throws -> Data {
    var data = Data()
    while true {
      if let end = data.range(of: headEnd) {
        let length = self.length(data[..<end.lowerBound])?.value ?? 0
        while data.count < end.upperBound + length { data += try connection.read() }
        var lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        lines.removeAll { $0.lowercased().hasPrefix("connection:") }
        return Data((lines + ["Connection: close"]).joined(separator: "\r\n").utf8) + data[end.lowerBound...]
      }
      data += try connection.read()
    }
  }

  /// The header line with the body's length.
  private static func length(_ head: Data) -> (line: String, value: Int)? {
    for line in String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n") {
      guard line.lowercased().hasPrefix("content-length:") else { continue }
      return Int(line.dropFirst(15).trimmingCharacters(in: .whitespaces)).map { (line, $0) }
    }
    return nil
  }

  /// An answer with a wrong declared length.
  private static func told(_ answer: Data, _ length: (Int) -> Int) -> Data {
    guard let end = answer.range(of: headEnd), let (line, value) = self.length(answer[..<end.lowerBound]) else {
      return answer
    }
    let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
    return Data(head.replacingOccurrences(of: line, with: "Content-Length: \(length(value))").utf8)
      + answer[end.lowerBound...]
  }

  /// An answer that ends anywhere: in its head, in its body, or before its first byte.
  private static func cut(_ answer: Data, _ number: Int) -> Data { answer.prefix(number % max(answer.count, 1)) }

  // MARK: Refusals

  private func mayRefuse(_ request: Data, _ number: Int) -> Bool {
    if !Self.answers[number % Self.answers.count].hasPrefix("403") { return true }
    let line = request.prefix { $0 != UInt8(ascii: "\r") }
    return mayForbid(String(decoding: line, as: UTF8.self))
  }

  /// Whether the proxy may answer 403, which it may not do twice in a row for the same name.
  private func mayForbid(_ name: String) -> Bool {
    forbidden.withLock { $0.remove(name) == nil && $0.insert(name).inserted }
  }

  /// Answers some parts of a batch itself, and sends the other parts to the server.
  ///
  /// - Returns: Nil for a request that is no batch.
  private func refuseParts(_ request: Data, _ number: Int) throws -> Data? {
    guard request.starts(with: Data("POST /v1/batch".utf8)), let end = request.range(of: Self.headEnd),
      let body = try JSONSerialization.jsonObject(with: request[end.upperBound...]) as? [String: Any],
      let parts = body["requests"] as? [[String: Any]]
    else { return nil }
    let status = Self.partStatuses[number % Self.partStatuses.count]
    let refused = parts.indices.filter { index in
      guard (index + number) % 3 == 0 else { return false }
      return status != 403 || mayForbid("\(parts[index]["method"] ?? "") \(parts[index]["path"] ?? "")")
    }
    var answers: [[String: Any]] = []
    let left = parts.indices.filter { !refused.contains($0) }
    if !left.isEmpty {
      let rest = try JSONSerialization.data(withJSONObject: ["requests": left.map { parts[$0] }])
      let head = Self.told(request[..<end.upperBound]) { _ in rest.count }
      let answer = try forward(head + rest, .parts)
      guard let answerEnd = answer.range(of: Self.headEnd),
        let told = try? JSONSerialization.jsonObject(with: answer[answerEnd.upperBound...]) as? [String: Any],
        let responses = told["responses"] as? [[String: Any]], responses.count == left.count
      else { return answer }
      answers = responses
    }
    for index in refused {
      answers.insert(
        ["status": status, "path": "", "headers": [String: String](), "body": ["code": status]], at: index)
    }
    let whole = try JSONSerialization.data(withJSONObject: ["responses": answers])
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(whole.count)\r\nConnection: close\r\n\r\n"
    log.note(whole, "answer with \(refused.count) parts of \(status)")
    return Data(head.utf8) + whole
  }

  // MARK: The server

  private func forward(_ request: Data, _ fate: Fate?) throws -> Data {
    let number = log.note(request, fate.map { "\($0)" } ?? "")
    let server = try WireSocket.connecting(to: target, patience: Self.patience)
    defer { server.end() }
    try server.write(request)
    var answer = Data()
    while let part = try server.readIfAny() { answer += part }
    log.note(answer, "answer to \(number)")
    if let end = answer.range(of: Self.headEnd) { told.note(answer[end.upperBound...]) }
    return answer
  }

  /// Forwards an answer as it arrives, until the device or the server ends it or the time limit is reached.
  private func stream(_ request: Data, _ connection: WireSocket, _ limit: Duration?) throws {
    let server = try WireSocket.connecting(to: target, patience: Self.streamPatience)
    defer { server.end() }
    try server.write(request)
    let start = ContinuousClock.now
    while let part = try server.readIfAny(), .now - start < limit ?? .seconds(600) {
      try connection.write(part)
    }
  }
}
