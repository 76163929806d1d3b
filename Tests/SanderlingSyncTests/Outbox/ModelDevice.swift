import Sanderling

@testable import SanderlingSync

/// One row on a device and at a server, in memory: what ``OutboxEntry/transition(_:_:_:)`` decides, without a database.
struct ModelDevice {
  typealias Row = OutboxEntry.Row

  enum Step: Hashable, Sendable {
    /// The app, or another device at the server, writes a column, deletes the row, or makes it.
    case edit(column: Int), delete, make
    /// The app writes the value that a column had before its last edit.
    case revert
    case othersEdit(column: Int), othersDelete, othersMake
    /// Others delete the row that this one refers to, and the server this one with it.
    case othersDeleteParent
    /// Others delete a row that the row refers to by an edit of this device only.
    case othersDeleteNewParent
    /// Others have the row leave what this device sees, or come back.
    case othersHide, othersShow
    /// Before a pull or beside it, or when all was pulled.
    case send, sendAfterPull
    /// The server gets the mutation, its answer arrives, or it is sent again.
    case arrive, answer, lose
    /// The source is asked, and its statement is applied. A source that begins anew may name the row in its first page, or later.
    case ask, askLater, apply
    /// The staged changes are applied.
    case checkpoint
    /// The server refuses the mutation, or a row that it refers to.
    case refuse, refuseParent
    case retry, discard
    /// The server loses its last state.
    case goBack
  }

  struct Broken: Error, CustomStringConvertible {
    let description: String
  }

  let policy: OutboxPolicy
  /// Whether changes wait for a checkpoint.
  let isStaging: Bool
  var server: ModelServer
  var lastNumber: Int64 = 0

  var row: Row?
  var version: String?
  var entry: OutboxEntry?
  /// The value of the first column before the last edit.
  var before: StorageValue?
  /// For the ends of how many looks the change waits.
  var awaitedLooks = 0
  var losses: [RowMerge.Loss] = []
  /// The rows before and after acknowledged mutations.
  var kept: [Row?] = []

  // The state of the pull.
  var cursor: Int64 = 1
  var statement: Statement?
  var stage: Stage?
  var lastStaged: Int64 = 0
  /// Whether the source is to be asked for everything.
  var isComparisonDue = false
  var comparison: Comparison?
  /// Whether the source has named the row since it began anew, if it has it; nil where it doesn't name everything.
  var hasNamed: Bool?

  // The state of the push.
  var sending: Mutation?
  /// The last staged change when it was sent; 0 where that isn't known.
  var stagedBefore: Int64 = 0
  var answer: MutationOutcome?

  /// The mutations of all numbers, and the rows that the server has told.
  var mutations: [Int64: Mutation] = [:]
  var told: Set<Row?> = [nil]

  init(_ policy: OutboxPolicy, hasVersions: Bool, isStaging: Bool = false) {
    (self.policy, self.isStaging) = (policy, isStaging)
    server = ModelServer(SampleEntries.row(1, 1), policy, hasVersions: hasVersions)
    row = server.row
    version = server.version
    told.insert(row)
  }

  // MARK: Steps

  /// Does nothing where the step isn't possible.
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
    // A mutation that the server applied and then forgot conflicts with itself, which no side can detect.
    case .goBack: if sending == nil { server.goBack() }
    }
    try check(step)
  }

  /// All that is on its way arrives, and the device sends and pulls until nothing is left to do.
  mutating func finish() throws {
    // Three conflicts, a comparison and the conflict after it, each of a mutation that another one may replace.
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

  /// The row is deleted with a row that it refers to. The server's version of it is restored, or is deleted too.
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
    // The base consists of values that the server sent, of one row. If the order of two rows is unknown, it can have
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
