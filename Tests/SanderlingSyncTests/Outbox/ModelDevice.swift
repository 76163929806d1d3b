import Sanderling

@testable import SanderlingSync

/// A model of one row on a device and at a server, in memory. It checks the decisions of
/// ``OutboxEntry/transition(_:_:_:)`` without a database.
struct ModelDevice {
  typealias Row = OutboxEntry.Row

  enum Step: Hashable, Sendable {
    /// The app edits a column, deletes the row, or inserts it. The next cases with `others` do so at the server.
    case edit(column: Int), delete, make
    /// The app writes the value that a column had before its last edit.
    case revert
    case othersEdit(column: Int), othersDelete, othersMake
    /// Another client deletes the row that this row refers to, and the server deletes this row with it.
    case othersDeleteParent
    /// Another client deletes a row that this row refers to only through an edit of this device.
    case othersDeleteNewParent
    /// The row leaves the part of the server's rows that this device sees, or comes back.
    case othersHide, othersShow
    /// The device sends before or during a pull, or after the pull.
    case send, sendAfterPull
    /// The server receives the mutation, its answer arrives, or the mutation is sent again.
    case arrive, answer, lose
    /// The source is polled, and its statement is applied. With `askLater`, a restarted source lists the row in a later
    /// page.
    case ask, askLater, apply
    /// The staged changes are applied at their checkpoint.
    case checkpoint
    /// The server refuses the mutation, or refuses a row that it refers to.
    case refuse, refuseParent
    case retry, discard
    /// The server loses its last state.
    case goBack
  }

  struct Broken: Error, CustomStringConvertible {
    let description: String
  }

  let policy: OutboxPolicy
  /// Whether pulled changes are staged until their checkpoint.
  let isStaging: Bool
  var server: ModelServer
  var lastNumber: Int64 = 0

  var row: Row?
  var version: String?
  var entry: OutboxEntry?
  /// The value of the first column before its last edit.
  var before: StorageValue?
  /// The number of ends of polls that the pending change waits for.
  var awaitedLooks = 0
  var losses: [RowMerge.Loss] = []
  /// The rows before and after acknowledged mutations.
  var kept: [Row?] = []

  // The state of the pull follows.
  var cursor: Int64 = 1
  var statement: Statement?
  var stage: Stage?
  var lastStaged: Int64 = 0
  /// Whether the source is to send all rows again.
  var isComparisonDue = false
  var comparison: Comparison?
  /// Whether a restarted source has listed the row so far; nil while the source doesn't list all rows.
  var hasNamed: Bool?

  // The state of the push follows.
  var sending: Mutation?
  /// The number of the last staged change when the mutation was sent; 0 if unknown.
  var stagedBefore: Int64 = 0
  var answer: MutationOutcome?

  /// The mutations by their numbers.
  var mutations: [Int64: Mutation] = [:]
  /// The rows that the server has sent or acknowledged.
  var told: Set<Row?> = [nil]

  init(_ policy: OutboxPolicy, hasVersions: Bool, isStaging: Bool = false) {
    (self.policy, self.isStaging) = (policy, isStaging)
    server = ModelServer(SampleEntries.row(1, 1), policy, hasVersions: hasVersions)
    row = server.row
    version = server.version
    told.insert(row)
  }

  // MARK: Steps

  /// Takes a step. Does nothing if the step isn't possible now.
  mutating func take(_ step: Step) throws {
    switch step {
    case .edit(let column): if let row { try edit(server.changed(row, column)) }
    case .revert:
      if var row, let before {
        row[1] = before
        try edit(row)
      }
    case .delete: if row != nil { try edit(nil) }
    case .make: if row == nil { try edit(server.newRow()) }
    case .othersEdit, .othersDelete, .othersMake, .othersDeleteParent, .othersHide, .othersShow: server.take(step)
    case .othersDeleteNewParent: try cascade(isRestored: true)
    case .send: try send(isAfterPull: false)
    case .sendAfterPull: try send(isAfterPull: true)
    case .arrive: if let sending, answer == nil { answer = server.take(sending) }
    case .answer: try takeAnswer()
    case .lose:
      if sending != nil, entry?.isAnswered != true {
        (answer, stagedBefore) = (nil, 0)
        try run(.sentAgain)
      }
    case .ask: ask(isLater: false)
    case .askLater: ask(isLater: true)
    case .apply: try apply()
    case .checkpoint: try applyStage()
    case .refuse: refuse("no")
    case .refuseParent: refuse(Self.parentRefusal)
    case .retry: try run(.retried)
    case .discard: try run(.discarded)
    // If the server applied and then forgot the mutation, the mutation conflicts with itself. No side can detect that.
    case .goBack: if sending == nil { server.goBack() }
    }
    try check(step)
  }

  /// Delivers everything under way, then sends and pulls until nothing is pending.
  ///
  /// - Throws: ``Broken`` if a change stays pending, or if the device and the server differ.
  mutating func finish() throws {
    // Three conflicts, a comparison and the conflict after it. Another mutation may replace each of those mutations.
    for _ in 0..<12 {
      for step in [Step.discard, .arrive, .apply, .checkpoint, .answer, .send, .arrive] { try take(step) }
      for step in [Step.ask, .apply, .ask, .apply, .ask, .apply, .checkpoint, .answer] { try take(step) }
      for step in [Step.sendAfterPull, .arrive, .answer] { try take(step) }
    }
    for step in [Step.ask, .apply, .ask, .apply, .ask, .apply, .checkpoint] { try take(step) }
    if let entry { throw Broken(description: "something is pending in the end: \(entry)") }
    if row != server.visibleRow {
      throw Broken(description: "the device has \(row as Any), the server \(server.visibleRow as Any)")
    }
  }

  private mutating func edit(_ new: Row?) throws {
    before = row?[1]
    lastNumber += 1
    try run(.edited(from: row, to: new, number: lastNumber))
    row = new
    entry?.row = new
  }

  /// Deletes the row with a row that it refers to. If `isRestored`, the server's version of the row is restored.
  mutating func cascade(isRestored: Bool) throws {
    guard let lost = row, !isRestored || entry?.known != nil else { return }
    if entry == nil {
      (row, version) = (nil, nil)
    } else {
      row = isRestored ? entry?.known : nil
      if !isRestored { version = nil }
      entry?.row = row
      try run(.cascaded(lost: lost, isRestored: isRestored))
    }
  }

  // MARK: Effects

  mutating func run(_ event: OutboxEvent) throws {
    let transition = try OutboxEntry.transition(entry, event, policy)
    entry = transition.entry
    for effect in transition.effects { try perform(effect) }
  }

  private mutating func perform(_ effect: OutboxEffect) throws {
    switch effect {
    case .write(let new):
      row = new
      entry?.row = new
    case .look: if entry != nil { try run(.written) }
    case .setVersion(let new): version = new
    case .keep(let rows): kept += rows
    case .log(let loss, _): losses.append(loss)
    case .merge(let change, let pulling):
      if entry != nil { try run(.pulled(change, version: nil, pulling)) }
    case .attempt(let effects, _): for effect in effects { try perform(effect) }
    case .compareAll: if comparison?.isUnderWay != true { isComparisonDue = true }
    case .noteSeen: comparison?.isSeen = true
    case .stage(let change): addStaged(.change(change))
    case .quarantine, .unquarantine, .park: break
    }
  }

  // MARK: Rules

  private mutating func check(_ step: Step) throws {
    if let entry, entry.row != row { throw Broken(description: "\(step): the entry has another row") }
    // The base consists of values of one row that the server sent. If the order of two rows is unknown, it may mix
    // values of both.
    let isTold = entry?.base.map { base in
      base.indices.allSatisfy { place in told.contains { $0?[place] == base[place] } }
    }
    if let entry, isTold == false {
      throw Broken(description: "\(step): the base \(entry.base as Any) is none that the server told")
    }
    if let sent = entry?.sent, entry?.isSending == true {
      let mutation = sent.mutation(policy.record, key: SampleEntries.key, client: "device")
      if let known = mutations[sent.number], known != mutation {
        throw Broken(description: "\(step): \(sent.number) is sent with another content")
      }
      mutations[sent.number] = mutation
    }
    let isIdle = entry == nil && statement == nil && sending == nil && stage == nil
    if isIdle, hasNamed == nil, !isComparisonDue, cursor == server.number, row != server.visibleRow {
      throw Broken(description: "\(step): nothing is pending, and the device has another row")
    }
  }
}
