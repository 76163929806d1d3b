import Foundation
import Sanderling

/// Sends changes of a device as the declarations of its records say.
struct HTTPPush: Sendable {
  private let connection: HTTPConnection
  private let codings: [String: HTTPRowCoding]

  init(_ connection: HTTPConnection, _ codings: [HTTPRowCoding]) {
    self.connection = connection
    self.codings = Dictionary(codings.map { ($0.declaration.record.name, $0) }) { first, _ in first }
  }

  /// What becomes of a mutation before it is sent.
  fileprivate enum Step {
    case request(HTTPRequest, HTTPWrites)
    case settled(MutationOutcome)
  }

  /// - Returns: Outcomes up to the first that failed: what comes after it may depend on it.
  func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] {
    var outcomes: [MutationOutcome] = []
    var next = 0
    while next < mutations.count {
      let (batch, count) = batch(mutations[next...])
      let sent = Array(mutations[next..<next + count])
      if let batch, count > 1, let together = try await send(sent, batch) {
        outcomes += together
      } else {
        for mutation in sent {
          outcomes.append(try await send(mutation))
          if case .failed? = outcomes.last { return outcomes }
        }
      }
      if case .failed? = outcomes.last { return outcomes }
      next += count
    }
    return outcomes
  }

  /// How many of the first mutations can go in one request.
  private func batch(_ mutations: ArraySlice<Mutation>) -> (HTTPBatch?, count: Int) {
    guard let first = mutations.first, let batch = codings[first.record]?.declaration.writes?.batch else {
      return (nil, 1)
    }
    return (batch, mutations.prefix(batch.size).prefix { codings[$0.record]?.declaration.writes?.batch == batch }.count)
  }

  // MARK: One by one

  private func send(_ mutation: Mutation) async throws -> MutationOutcome {
    switch step(mutation) {
    case .settled(let outcome): return outcome
    case .request(let request, let writes):
      return try await outcome(try await connection.send(request), of: request, mutation, writes)
    }
  }

  /// What an answer means, after the wait that it asks for was announced: the synchronisation waits then.
  private func outcome(
    _ response: HTTPResponse, of request: HTTPRequest, _ mutation: Mutation, _ writes: HTTPWrites
  ) async throws -> MutationOutcome {
    let outcome = await outcome(response, mutation, writes)
    if case .failed(_, let wait?) = outcome {
      try connection.announce(wait, of: request, status: response.status, isRequested: true)
    }
    return outcome
  }

  private func step(_ mutation: Mutation) -> Step {
    guard let coding = codings[mutation.record] else {
      return .settled(.refused("the adapter has no record \(mutation.record)"))
    }
    let declaration = coding.declaration
    guard let writes = declaration.writes else {
      return .settled(.refused("the adapter only reads \(mutation.record)"))
    }
    guard let id = declaration.key.id(mutation.key) else {
      return .settled(.refused("the key can't be in a path"))
    }
    var fields: [String: String] = [:]
    let write: HTTPWrites.Write
    switch mutation.content {
    case .insertion(let values):
      write = writes.insertion
      fields = coding.fields(values)
      if let idField = declaration.key.idField { fields[idField] = StoredJSON.text(.text(id)) }
    case .update(let values):
      write = writes.update
      fields = coding.fields(values)
    case .deletion: write = writes.deletion
    }
    fields.merge(write.extra) { $1 }
    let path = write.isOfCollection ? declaration.path : "\(declaration.path)/\(HTTPRequest.encoded(id))"
    var request = HTTPRequest(write.method, path)
    switch write.precondition {
    case .none: break
    case .ifNoneMatch: request.headers["If-None-Match"] = "*"
    case .ifMatch:
      // What it is based on was never read: that comes first.
      guard let version = mutation.baseVersion else { return .settled(.conflict) }
      request.headers["If-Match"] = "\"\(version)\""
    }
    if let header = writes.numberHeader { request.headers[header] = "\(mutation.client)/\(mutation.sequence)" }
    if mutation.content != .deletion || !fields.isEmpty {
      let row = Self.object(fields)
      request.body = Data((writes.wrapper.map { Self.object([$0: row]) } ?? row).utf8)
    }
    return .request(request, writes)
  }

  private static func object(_ members: [String: String]) -> String {
    let members = members.sorted { $0.key < $1.key }.map { "\(StoredJSON.text(.text($0.key))):\($0.value)" }
    return "{" + members.joined(separator: ",") + "}"
  }

  private func outcome(
    _ response: HTTPResponse, _ mutation: Mutation, _ writes: HTTPWrites
  ) async -> MutationOutcome {
    // Such as the page of a network that wants one to sign in: the server never saw the mutation.
    if !response.hasJSON, response.isSuccess || [404, 410].contains(response.status) {
      return .failed("something that isn't the server answered \(response.status): no JSON")
    }
    if let outcome = writes.outcome?(response, mutation) { return outcome }
    if connection.options.busyStatuses.contains(response.status) {
      return .failed("the server was busy with another request", retryAfter: connection.limited(response.wait))
    }
    switch response.status {
    case 200..<300:
      let field = codings[mutation.record]?.declaration.version
      let path = field.map { field in writes.wrapper.map { "\($0).\(field)" } ?? field }
      let header = writes.versionHeader.flatMap { response.header($0) }.map { $0.filter { $0 != "\"" } }
      return .acknowledged(version: path.flatMap { response.member($0) } ?? header)
    case 404, 410: return mutation.content == .deletion ? .acknowledged() : .conflict
    case 409, 412: return .conflict
    case 300..<400, 408, 425, 429, 500...:
      let reason = "the server answered \(response.status)"
      return .failed(reason, retryAfter: connection.limited(response.wait))
    default:
      let message = await connection.message(response)
      return .refused("the server answered \(response.status)\(message.isEmpty ? "" : ": \(message)")")
    }
  }

  // MARK: Together

  /// - Returns: nil where they have to go one by one: one of them spoils the others.
  private func send(_ mutations: [Mutation], _ batch: HTTPBatch) async throws -> [MutationOutcome]? {
    let steps = mutations.map(step)
    var requests: [String] = []
    for case .request(let request, _) in steps {
      var members = [
        "method": StoredJSON.text(.text(request.method)),
        "path": StoredJSON.text(.text(batch.pathPrefix + request.path)),
        "headers": Self.object(request.headers.mapValues { StoredJSON.text(.text($0)) }),
      ]
      if let body = request.body { members["body"] = String(decoding: body, as: UTF8.self) }
      requests.append(Self.object(members))
    }
    if requests.isEmpty { return steps.map(\.settledOutcome) }
    let body = Data("{\"requests\":[\(requests.joined(separator: ","))]}".utf8)
    let response = try await connection.send(HTTPRequest("POST", batch.path, body: body))
    if [400, 403, 404, 405, 413, 422].contains(response.status) { return nil }
    guard response.isSuccess else { throw await connection.error(response, batch.path) }
    var answers = try answers(response, batch.path)[...]
    guard answers.count == requests.count else {
      throw HTTPError.malformed(
        path: batch.path, reason: "there are \(answers.count) answers to \(requests.count) requests")
    }
    // A server that does them in one transaction may have taken all back.
    if answers.contains(where: { $0.status == 409 || $0.status >= 500 }) { return nil }
    var outcomes: [MutationOutcome] = []
    for (step, mutation) in zip(steps, mutations) {
      guard case .request(let request, let writes) = step, let answer = answers.popFirst() else {
        outcomes.append(step.settledOutcome)
        continue
      }
      outcomes.append(try await outcome(answer, of: request, mutation, writes))
    }
    return outcomes
  }

  private func answers(_ response: HTTPResponse, _ path: String) throws -> [HTTPResponse] {
    do {
      var reader = JSONReader(response.json, depthLimit: connection.options.limits.depth)
      return try (reader.page(rowsIn: "responses", limit: connection.options.limits.rows).rows ?? []).map { answer in
        guard case .integer(let status)? = answer["status"] else {
          throw HTTPError.malformed(path: path, reason: "an answer has no status")
        }
        var headers: [String: String] = [:]
        if case .json(let text)? = answer["headers"] {
          var reader = JSONReader(text)
          for (name, value) in try reader.object() { headers[name.lowercased()] = value.word }
        }
        var body: [UInt8] = []
        if case .json(let text)? = answer["body"] { body = Array(text.utf8) }
        return HTTPResponse(status: Int(clamping: status), headers: headers, body: body)
      }
    } catch let error as JSONSyntaxError {
      throw HTTPError.malformed(path: path, reason: "\(error.reason), at byte \(error.offset)")
    }
  }
}

extension HTTPPush.Step {
  /// What it became before it was sent.
  fileprivate var settledOutcome: MutationOutcome {
    if case .settled(let outcome) = self { outcome } else { .failed("it wasn't sent") }
  }
}
