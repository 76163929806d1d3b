import Sanderling

@testable import SanderlingSync

/// A server in memory, with versions or numbers as its rule says.
actor MemoryServer {
  enum Rule: CaseIterable, Sendable {
    /// A mutation must be based on the row's present version.
    case ifMatch
    /// The last write wins. Repeated mutations are recognised by their numbers.
    case lastWriteWins
    /// A mutation must be based on the row's present version, and repeated mutations are recognised by their numbers.
    case ifMatchOnce
  }

  struct Key: Hashable, Sendable {
    let record: String
    let values: [StorageValue]
  }

  struct Number: Hashable, Sendable {
    let client: String
    let sequence: Int64
  }

  nonisolated let rule: Rule
  private(set) var rows: [Key: [String: StorageValue]] = [:]
  private var versions: [Key: Int] = [:]
  private var log: [Key] = []
  private var lastVersion = 0
  /// The answers by the numbers of their mutations.
  private var answers: [Number: MutationOutcome] = [:]
  /// The number of times that each mutation changed something.
  private var applied: [Number: Int] = [:]
  private var contents: [Number: Mutation] = [:]
  /// Mutations that arrived again with the same number and other content.
  private(set) var changedAgain: [Mutation] = []
  /// For each record, the column with the key of a parent row that must exist, and the parent's record.
  let parents: [String: (column: String, record: String)]

  init(_ rule: Rule, parents: [String: (column: String, record: String)] = [:]) {
    self.rule = rule
    self.parents = parents
  }

  /// The mutations that were applied more than once.
  var repeated: [Mutation] { applied.filter { $0.value > 1 }.compactMap { contents[$0.key] } }

  func take(_ mutation: Mutation) -> MutationOutcome {
    let number = Number(client: mutation.client, sequence: mutation.sequence)
    if let before = contents[number], before != mutation { changedAgain.append(mutation) }
    contents[number] = mutation
    if rule != .ifMatch, let answer = answers[number] { return answer }
    let answer = apply(mutation, number)
    answers[number] = answer
    return answer
  }

  private func apply(_ mutation: Mutation, _ number: Number) -> MutationOutcome {
    let key = Key(record: mutation.record, values: mutation.key)
    let present = rows[key]
    if rule != .lastWriteWins {
      let version = versions[key].flatMap { present == nil ? nil : String($0) }
      guard version == mutation.baseVersion else { return .conflict }
    }
    switch mutation.content {
    case .insertion(let row):
      if rule != .lastWriteWins, present != nil { return .conflict }
      rows[key] = row
    case .update(let values):
      guard let present else { return .conflict }
      rows[key] = present.merging(values) { $1 }
    case .deletion:
      guard present != nil else { return rule == .lastWriteWins ? .acknowledged() : .conflict }
      let isReferred = rows.contains { other, row in
        parents[other.record].map { $0.record == key.record && row[$0.column] == key.values[0] } ?? false
      }
      if isReferred { return .refused("others refer to it") }
      rows[key] = nil
    }
    if let row = rows[key], let parent = parents[key.record], let value = row[parent.column], !value.isNull,
      rows[Key(record: parent.record, values: [value])] == nil
    {
      rows[key] = present
      return .refused("its parent isn't there")
    }
    applied[number, default: 0] += 1
    return .acknowledged(version: note(key))
  }

  @discardableResult
  private func note(_ key: Key) -> String? {
    lastVersion += 1
    versions[key] = lastVersion
    log.append(key)
    return rule == .lastWriteWins ? nil : String(lastVersion)
  }

  /// Changes or deletes a row as another device.
  func edit(_ record: String, _ key: [StorageValue], _ row: [String: StorageValue]?) {
    let key = Key(record: record, values: key)
    if rows[key] == nil, row == nil { return }
    rows[key] = row
    note(key)
  }

  /// The changes after a cursor, only the latest of each row.
  func changes(after cursor: Int) -> (changes: [SyncChange], cursor: Int) {
    var seen: Set<Key> = []
    let changes = log.dropFirst(cursor).reversed().filter { seen.insert($0).inserted }.map { key in
      SyncChange(
        key.record, key: key.values, rows[key].map { .row($0) } ?? .deletion,
        version: rule == .lastWriteWins ? nil : versions[key].map { String($0) })
    }
    return (changes.reversed(), log.count)
  }
}

extension Mutation {
  var isInsertion: Bool { if case .insertion = content { true } else { false } }
}

/// A connection to a server that loses requests and answers.
struct LossySink: SyncSink {
  let server: MemoryServer
  /// The chance that a request or an answer is lost, and that the process ends before it stores an answer.
  let losses: Double

  init(_ server: MemoryServer, _ generator: SeededGenerator, losses: Double) {
    self.server = server
    self.losses = losses
    box = Box(generator)
  }

  private final class Box: Sendable {
    let generator: Lock<SeededGenerator>
    init(_ generator: SeededGenerator) { self.generator = Lock(generator) }
  }
  private let box: Box

  func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] {
    var outcomes: [MutationOutcome] = []
    for mutation in mutations {
      if chance() { throw Lost() }
      let outcome = await server.take(mutation)
      if chance() {
        outcomes.append(.failed("the answer was lost"))
      } else {
        outcomes.append(outcome)
      }
    }
    if chance() { throw Lost() }
    if chance() { withUnsafeCurrentTask { $0?.cancel() } }
    return outcomes
  }

  private func chance() -> Bool { box.generator.withLock { $0.chance(losses) } }

  struct Lost: Error {}
}
