import Foundation
import Sanderling

/// Sends changes of a device according to the declarations of its records.
struct HTTPPush: Sendable {
  private let connection: HTTPConnection
  private let codings: [String: HTTPRowCoding]
  private let spoilt: HTTPSpoiltBatches
  private let standing: HTTPStanding

  init(
    _ connection: HTTPConnection, _ codings: [HTTPRowCoding], _ spoilt: HTTPSpoiltBatches, _ standing: HTTPStanding
  ) {
    self.connection = connection
    self.standing = standing
    self.codings = Dictionary(codings.map { ($0.declaration.record.name, $0) }) { first, _ in first }
    self.spoilt = spoilt
  }

  /// A mutation in its sent form.
  private struct Sent: Sendable {
    let mutation: Mutation
    let coding: HTTPRowCoding
    let writes: HTTPWrites
    let request: HTTPRequest
    let id: String
  }

  /// The step before a mutation is sent: a request, or an outcome without one.
  private enum Step: Sendable {
    case request(Sent)
    case settled(HTTPJudgement)

    static func settled(_ outcome: MutationOutcome) -> Step { .settled(HTTPJudgement(outcome: outcome)) }
  }

  /// - Returns: Outcomes up to the first failure, because later mutations may depend on it. Known outcomes are returned
  ///   even if a later request fails.
  /// - Throws: The error of the first request.
  func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] {
    var judgements: [HTTPJudgement] = []
    var rest = mutations[...]
    var failure: MutationOutcome?
    do {
      while !rest.isEmpty, !judgements.contains(where: \.outcome.isFailed) {
        let (batch, count) = batch(rest)
        if let batch, count > 1, let together = try await send(Array(rest.prefix(count)), batch) {
          judgements += together
          rest = rest.dropFirst(count)
        } else {
          for mutation in rest.prefix(count) where !judgements.contains(where: \.outcome.isFailed) {
            judgements.append(try await send(mutation))
          }
          rest = rest.dropFirst(count)
        }
      }
    } catch  where !judgements.isEmpty {
      if !(error is CancellationError) { failure = .failed(String(describing: error)) }
    }
    let outcomes = await standing.outcomes(judgements, of: mutations, mayRead: mayRead)
    return outcomes + [failure].compactMap { $0 }
  }

  /// Whether the server lets the caller read the record of a mutation.
  private func mayRead(_ mutation: Mutation) async -> Bool {
    guard let declaration = codings[mutation.record]?.declaration else { return false }
    let request = HTTPRequest("GET", declaration.path, query: declaration.query)
    // After a failure, the next run sends the change.
    let response = try? await connection.send(request)
    return response?.meaning(connection.options) == .done
  }

  /// The number of leading mutations that fit in one request.
  private func batch(_ mutations: ArraySlice<Mutation>) -> (HTTPBatch?, count: Int) {
    guard let first = mutations.first, let batch = codings[first.record]?.declaration.writes?.batch,
      !spoilt.contains(first)
    else { return (nil, 1) }
    let together = mutations.prefix(batch.size).prefix { mutation in
      codings[mutation.record]?.declaration.writes?.batch == batch && !spoilt.contains(mutation)
    }
    return (batch, together.count)
  }

  // MARK: One by one

  private func send(_ mutation: Mutation) async throws -> HTTPJudgement {
    do {
      switch try await step(mutation) {
      case .settled(let judgement): return judgement
      case .request(let sent):
        let response = try await connection.send(sent.request)
        let judgement = try await judgement(response, to: sent)
        try announce(judgement.outcome, sent.request, response)
        if !judgement.outcome.isFailed { spoilt.forget(mutation) }
        return judgement
      }
    } catch HTTPError.invalidRequest(_, let reason) {
      // Neither a later time nor another token can change this.
      return HTTPJudgement(outcome: .refused("the request can't be made: \(reason)"))
    }
  }

  /// Announces the wait that an answer requests: the synchronisation waits then.
  private func announce(_ outcome: MutationOutcome, _ request: HTTPRequest, _ response: HTTPResponse) throws {
    if case .failed(_, let wait?) = outcome {
      try connection.announce(wait, of: request, status: response.status, isRequested: true)
    }
  }

  /// - Parameter id: The record's id in the address; nil for the server's own id, or the one made from the key.
  private func step(_ mutation: Mutation, id: String? = nil) async throws -> Step {
    guard let coding = codings[mutation.record] else {
      return .settled(.refused("the adapter has no record \(mutation.record)"))
    }
    let declaration = coding.declaration
    guard let writes = declaration.writes else {
      return .settled(.refused("the adapter only reads \(mutation.record): declare its writes (HTTPRecord.writes)"))
    }
    let base = HTTPVersion(stored: mutation.baseVersion)
    guard let id = id ?? base.id ?? coding.id(of: mutation.key) else {
      return .settled(.refused("the key can't be written in a path"))
    }
    var fields: [String: String] = [:]
    let write: HTTPWrites.Write
    switch mutation.content {
    case .insertion(let values):
      write = writes.insertion
      fields = coding.fields(values, id: id, parents: mutation.parentIDs)
      if let idField = declaration.key.idField { fields[idField] = StoredJSON.text(.text(id)) }
    case .update(let values):
      write = writes.update
      fields = coding.fields(values, id: id, parents: mutation.parentIDs)
      // All changed columns stay on the device.
      if fields.isEmpty { return .settled(.acknowledged(version: mutation.baseVersion)) }
    case .deletion: write = writes.deletion
    }
    fields.merge(write.extra) { $1 }
    let path = write.isOfCollection ? declaration.path : "\(declaration.path)/\(HTTPRequest.encoded(id))"
    if write.precondition == .ifMatch, base.version == nil {
      // The row must be read first. If it never gets a version, it ends as a permanent conflict does.
      let field = declaration.version ?? ""
      return .settled(
        .conflicting(
          "the row came without a version in the field \(field), and its write needs the version for If-Match"))
    }
    if write.replaces, !mutation.isInsertion, !fields.isEmpty {
      let presence = HTTPPresentRow(connection, coding, writes)
      switch try await presence.row(at: path, isOf: write.precondition == .ifMatch ? base.version : nil) {
      case .row(let row): fields = row.merging(fields) { $1 }
      case .answer(let response): return .settled(await judgement(response, mutation))
      case .changed: return .settled(.conflicting("the server has another version of the row"))
      case .deleted: return .settled(.conflicting("the server keeps the row as deleted"))
      case .unclear(let reason): return .settled(.failed(reason))
      }
    }
    var request = HTTPRequest(write.method, path)
    switch write.precondition {
    case .none: break
    case .ifNoneMatch: request.headers["If-None-Match"] = "*"
    case .ifMatch: request.headers["If-Match"] = "\"\(base.version ?? "")\""
    }
    if let header = writes.numberHeader { request.headers[header] = "\(mutation.client)/\(mutation.sequence)" }
    if mutation.content != .deletion || !fields.isEmpty {
      let row = Self.object(fields)
      request.body = Data((writes.wrapper.map { Self.object([$0: row]) } ?? row).utf8)
    }
    return .request(Sent(mutation: mutation, coding: coding, writes: writes, request: request, id: id))
  }

  static func object(_ members: [String: String]) -> String {
    let members = members.sorted { $0.key < $1.key }.map { "\(StoredJSON.text(.text($0.key))):\($0.value)" }
    return "{" + members.joined(separator: ",") + "}"
  }

  // MARK: Answers

  private func judgement(_ response: HTTPResponse, to sent: Sent) async throws -> HTTPJudgement {
    let (mutation, meaning) = (sent.mutation, response.meaning(connection.options))
    // For example the sign-in page of a network: the server never saw the mutation.
    if !response.hasJSON, meaning == .done || meaning == .absence { return Self.foreign(response) }
    if meaning != .unknownCaller, let outcome = sent.writes.outcome?(response, mutation) {
      return HTTPJudgement(outcome: outcome, letsCallerIn: meaning.letsCallerIn && !outcome.isFailed)
    }
    if meaning == .absence || meaning == .conflict, !mutation.isInsertion,
      let id = sent.coding.otherID(of: mutation.key, than: sent.id), mutation.baseVersion.isOfNoID
    {
      // The row was stored before the server's own ids were kept.
      if case .request(let other) = try await step(mutation, id: id) {
        let response = try await connection.send(other.request)
        if response.meaning(connection.options) == .done { return try await judgement(response, to: other) }
      }
    }
    if meaning == .conflict, mutation.isInsertion, let again = try await replacingDeleted(sent) {
      let response = try await connection.send(again.request)
      guard response.meaning(connection.options) == .done else { return await judgement(response, mutation) }
      return try await judgement(response, to: again)
    }
    guard meaning == .done else { return await judgement(response, mutation) }
    let field = sent.coding.declaration.version
    let path = field.map { field in sent.writes.wrapper.map { "\($0).\(field)" } ?? field }
    let header = sent.writes.versionHeader.flatMap { response.header($0) }.map(HTTPVersion.unquoted)
    let ownID = sent.id == sent.coding.id(of: mutation.key) ? nil : sent.id
    let version = HTTPVersion(version: path.flatMap { response.member($0) } ?? header, id: ownID).stored
    return HTTPJudgement(outcome: .acknowledged(version: version), letsCallerIn: true)
  }

  /// Inserting a record that was deleted, at a server that keeps deleted records: it replaces the deleted one.
  ///
  /// - Returns: Nil if there is no such record.
  private func replacingDeleted(_ sent: Sent) async throws -> Sent? {
    let write = sent.writes.insertion
    guard sent.coding.declaration.deletedFlag != nil, !write.isOfCollection, write.precondition == .ifNoneMatch,
      sent.request.headers["If-None-Match"] != nil
    else { return nil }
    let presence = HTTPPresentRow(connection, sent.coding, sent.writes)
    guard case .deleted(let version?) = try await presence.row(at: sent.request.path, isOf: nil) else { return nil }
    var request = sent.request
    request.headers["If-None-Match"] = nil
    request.headers["If-Match"] = "\"\(version)\""
    return Sent(mutation: sent.mutation, coding: sent.coding, writes: sent.writes, request: request, id: sent.id)
  }

  /// The meaning of a status for a mutation: each request and each part of a batch follows the same rule.
  private func judgement(_ response: HTTPResponse, _ mutation: Mutation) async -> HTTPJudgement {
    let meaning = response.meaning(connection.options)
    // A firewall or a portal refuses with a page. A request too long for a proxy is too long for the server as well.
    if !response.hasJSON, meaning == .forbidden || meaning == .refusal, ![413, 414].contains(response.status) {
      return Self.foreign(response)
    }
    return HTTPJudgement(
      outcome: await statement(response, meaning, mutation), isForbidden: meaning == .forbidden,
      letsCallerIn: meaning.letsCallerIn)
  }

  private static func foreign(_ response: HTTPResponse) -> HTTPJudgement {
    HTTPJudgement(
      outcome: .failed(
        "the answer \(response.status) has no JSON, and may come from a firewall, a proxy or a sign-in page. Check the network; a server "
          + "that refuses without JSON needs HTTPWrites.outcome"))
  }

  private func statement(
    _ response: HTTPResponse, _ meaning: HTTPMeaning, _ mutation: Mutation
  ) async -> MutationOutcome {
    switch meaning {
    case .done: .acknowledged()
    case .absence where mutation.content == .deletion: .acknowledged()
    case .absence, .conflict: .conflicting(await reason(response))
    case .unknownCaller: .failed("the server answered \(response.status): it doesn't accept the token. Sign in again")
    case .moment where connection.options.busyStatuses.contains(response.status):
      .failed("the server was busy with another request", retryAfter: connection.limited(response.wait))
    case .moment: .failed("the server answered \(response.status)", retryAfter: connection.limited(response.wait))
    case .client:
      .failed(
        "\(await reason(response)). The cause is the account (402), a proxy (407) or the length of the token (431), not the change",
        retryAfter: connection.limited(response.wait))
    case .form:
      standing.noteMisformed(mutation)
        ? .refused("\(await reason(response)). Check the declaration of its writes (HTTPWrites)")
        : .failed("the server answered \(response.status)", retryAfter: connection.limited(response.wait))
    case .forbidden, .refusal: .refused(await reason(response))
    }
  }

  private func reason(_ response: HTTPResponse) async -> String {
    let message = await connection.message(response)
    return "the server answered \(response.status)\(message.isEmpty ? "" : ": \(message)")"
  }

  // MARK: Together

  /// - Returns: Nil if they must be sent one by one, because the server does not accept such a batch.
  private func send(_ mutations: [Mutation], _ batch: HTTPBatch) async throws -> [HTTPJudgement]? {
    var steps: [Step] = []
    for mutation in mutations { steps.append(try await step(mutation)) }
    let sent: [(index: Int, sent: Sent)] = steps.enumerated().compactMap { index, step in
      if case .request(let sent) = step { (index, sent) } else { nil }
    }
    var answers: [Int: HTTPResponse] = [:]
    if !sent.isEmpty {
      var asked = sent.map(\.index)
      let requests = Dictionary(uniqueKeysWithValues: sent.map { ($0.index, batch.part($0.sent.request)) })
      func request() -> HTTPRequest {
        let parts = asked.compactMap { requests[$0] }.joined(separator: ",")
        return HTTPRequest("POST", batch.path, body: Data("{\"requests\":[\(parts)]}".utf8))
      }
      let response = try await connection.send(request()) { response in
        guard response.isSuccess else { return self.connection.refusal(response, of: request()) }
        let parts = try batch.parts(response, count: asked.count, self.connection.options.limits)
        for (index, part) in zip(asked, parts) { answers[index] = part }
        // The batch itself may need no permission although its parts do.
        let meanings = asked.map { ($0, answers[$0]?.meaning(self.connection.options)) }
        asked = meanings.filter { $0.1 == .unknownCaller || $0.1 == .forbidden }.map(\.0)
        if asked.isEmpty { return nil }
        return HTTPCallerRefusal(request: request(), isForbidden: !meanings.contains { $0.1 == .unknownCaller })
      }
      if !response.isSuccess, answers.isEmpty {
        switch response.meaning(connection.options) {
        case .refusal, .forbidden, .absence, .form: return nil
        case .moment:
          let judgement = await judgement(response, mutations[0])
          try announce(judgement.outcome, request(), response)
          return [judgement]
        default: throw await connection.error(response, batch.path)
        }
      }
    }
    if let spoiling = answers.values.first(where: isSpoiling) {
      // A server that executes them in one transaction may have rolled back all. Each is sent alone next time, like one
      // with a lost answer.
      for mutation in mutations { spoilt.add(mutation) }
      let wait = connection.limited(answers.values.compactMap(\.wait).max())
      let outcome = MutationOutcome.failed(
        "the server answered \(spoiling.status) to a part of a batch", retryAfter: wait)
      try announce(outcome, HTTPRequest("POST", batch.path), spoiling)
      return [HTTPJudgement(outcome: outcome)]
    }
    var judgements: [HTTPJudgement] = []
    for (index, step) in steps.enumerated() {
      switch step {
      case .settled(let judgement): judgements.append(judgement)
      case .request(let sent):
        guard let answer = answers[index] else {
          judgements.append(HTTPJudgement(outcome: .failed("the server gave no answer")))
          continue
        }
        let judgement = try await judgement(answer, to: sent)
        try announce(judgement.outcome, sent.request, answer)
        judgements.append(judgement)
      }
    }
    return judgements
  }

  /// Whether a part's answer implies that the other parts may not have been executed either.
  private func isSpoiling(_ answer: HTTPResponse) -> Bool {
    answer.status == 409 || answer.status >= 500 || connection.options.busyStatuses.contains(answer.status)
  }
}

extension Mutation {
  fileprivate var isInsertion: Bool { if case .insertion = content { true } else { false } }
}

extension String? {
  /// Whether a stored version has no id of the row.
  fileprivate var isOfNoID: Bool { HTTPVersion(stored: self).id == nil }
}
