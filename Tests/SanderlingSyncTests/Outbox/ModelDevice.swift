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
    case othersEdit(column: Int), othersDelete
    /// Before a pull, or when all was pulled.
    case send, sendAfterPull
    /// The server gets the mutation, its answer arrives, or it is sent again.
    case arrive, answer, lose
    /// The source is asked, and its statement is applied.
    case ask, apply
    case refuse
    case retry, discard
    case depart
    /// The server loses its last state.
    case goBack
  }

  struct Broken: Error, CustomStringConvertible {
    let description: String
  }

  let policy: OutboxPolicy
  /// Whether the server gives versions.
  let hasVersions: Bool
  var lastValue: Int64 = 100
  var lastNumber: Int64 = 0

  // The server.
  var server: Row?
  var serverVersion: Int64 = 0
  var history: [Row?] = []
  /// Whether that isn't known to the device.
  var hasGoneBack = false
  /// By the numbers of the mutations that it took.
  var answers: [Int64: MutationOutcome] = [:]

  // The device.
  var row: Row?
  var version: String?
  var entry: OutboxEntry?
  var cursor: Int64 = 0
  /// The value of the first column before the last edit.
  var before: StorageValue?
  var isConflicted = false
  /// Whether the source is to be asked for everything.
  var isComparisonDue = false
  var losses: [RowMerge.Loss] = []
  /// The rows before and after acknowledged mutations.
  var kept: [Row?] = []

  // What is on its way.
  var sending: Mutation?
  var answer: MutationOutcome?
  var statement: (change: SyncChange?, cursor: Int64)?

  /// The mutations of all numbers, and the rows that the server has told.
  var mutations: [Int64: Mutation] = [:]
  var told: Set<Row?> = [nil]

  init(_ policy: OutboxPolicy, hasVersions: Bool) {
    (self.policy, self.hasVersions) = (policy, hasVersions)
    server = SampleEntries.row(1, 1)
    serverVersion = 1
    row = server
    version = hasVersions ? "1" : nil
    cursor = 1
    told.insert(server)
    history = [server]
  }

  // MARK: Steps

  /// Does nothing where the step isn't possible.
  mutating func take(_ step: Step) throws {
    switch step {
    case .edit(let column): if let row { try edit(changed(row, column)) }
    case .revert:
      if var row, let before {
        row[1] = before
        try edit(row)
      }
    case .delete: if row != nil { try edit(nil) }
    case .make: if row == nil { try edit(newRow()) }
    case .othersEdit(let column): if let server { setServer(changed(server, column)) }
    case .othersDelete: if server != nil { setServer(nil) }
    case .send: try send(isAfterPull: false)
    case .sendAfterPull: try send(isAfterPull: true)
    case .arrive: if let sending, answer == nil { answer = arrive(sending) }
    case .answer:
      // An answer waits for the statement that was asked for before.
      if let answer, statement == nil {
        (self.answer, sending) = (nil, nil)
        try settle(answer)
      }
    case .lose:
      if sending != nil {
        answer = nil
        try run(.sentAgain)
      }
    case .ask:
      if statement == nil, hasGoneBack {
        // The source says so, and begins anew.
        (hasGoneBack, cursor) = (false, -1)
        lastNumber += 1
        if !kept.isEmpty { try run(.wentBack(kept, row: row, number: lastNumber)) }
        kept = []
      }
      if statement == nil {
        if isComparisonDue { (isComparisonDue, cursor) = (false, -1) }
        statement = ask()
      }
    case .apply: try apply()
    case .refuse:
      if let sending, answer == nil, answers[sending.sequence] == nil {
        answers[sending.sequence] = .refused("no")
        answer = .refused("no")
      }
    case .retry: try run(.retried)
    case .discard: try run(.discarded)
    case .goBack:
      // A server that forgot that it took a mutation says of its repetition that it never did: nobody can know better.
      if history.count > 1, sending == nil {
        history.removeLast()
        setServer(history.removeLast())
        (answers, hasGoneBack) = ([:], true)
      }
    case .depart:
      if statement == nil, entry != nil {
        try run(.pulled(SyncChange("notes", key: SampleEntries.key, .departure), version: version, .byPolicy))
      }
    }
    try check(step)
  }

  /// All that is on its way arrives, and the device sends and pulls until nothing is left to do.
  mutating func finish() throws {
    for _ in 0..<12 {
      try take(.discard)
      for step in [Step.apply, .arrive, .answer, .ask, .apply, .sendAfterPull, .arrive, .answer] { try take(step) }
      if entry != nil || row != server {
        // A comparison.
        isConflicted = false
        isComparisonDue = true
      }
    }
    for step in [Step.ask, .apply] { try take(step) }
    if entry != nil { throw Broken(description: "something is pending in the end") }
    if row != server { throw Broken(description: "the device has \(row as Any), the server \(server as Any)") }
  }

  private mutating func value() -> StorageValue {
    lastValue += 1
    return .integer(lastValue)
  }

  private mutating func changed(_ row: Row, _ column: Int) -> Row {
    var row = row
    row[column] = value()
    return row
  }

  private mutating func newRow() -> Row { [.text("a"), value(), value()] }

  private mutating func edit(_ new: Row?) throws {
    before = row?[1]
    lastNumber += 1
    try run(.edited(from: row, to: new, number: lastNumber))
    row = new
    entry?.row = new
  }

  private mutating func setServer(_ new: Row?) {
    server = new
    serverVersion += 1
    history.append(new)
  }

  // MARK: Sending

  private mutating func send(isAfterPull: Bool) throws {
    guard sending == nil, !isConflicted, entry?.isSendable == true else { return }
    if isAfterPull ? statement != nil : entry?.isUncertain == true && entry?.row != nil { return }
    try run(.due(isAfterPull: isAfterPull))
    guard entry?.isSendable == true, entry?.difference != nil else { return }
    lastNumber += 1
    try run(.sent(number: lastNumber, version: version))
    sending = entry?.sent?.mutation(policy.record, key: SampleEntries.key, client: "device")
  }

  /// By number, or by version: what a server of either kind does.
  private mutating func arrive(_ mutation: Mutation) -> MutationOutcome {
    if policy.isAppliedOnce, let known = answers[mutation.sequence] { return known }
    let isFit: Bool
    switch mutation.content {
    case .insertion: isFit = server == nil
    case .update, .deletion:
      isFit = server != nil && (!hasVersions || mutation.baseVersion == String(serverVersion))
    }
    var outcome = MutationOutcome.conflict
    if isFit {
      switch mutation.content {
      case .insertion(let values), .update(let values):
        setServer(policy.record.synced.columns.enumerated().map { values[$1] ?? server?[$0] ?? .null })
      case .deletion: setServer(nil)
      }
      outcome = .acknowledged(version: hasVersions ? String(serverVersion) : nil)
    }
    answers[mutation.sequence] = outcome
    return outcome
  }

  private mutating func settle(_ outcome: MutationOutcome) throws {
    let sent = entry?.sent?.row
    switch outcome {
    case .acknowledged(let version):
      told.insert(sent)
      try run(.acknowledged(version: version, OutboxLook()))
    case .conflict, .conflicting:
      isConflicted = true
      try run(.conflicted(reason: nil))
    case .refused(let reason): try run(.refused(reason: reason))
    case .failed(let reason, _): try run(.failed(reason: reason))
    }
  }

  // MARK: Pulling

  private func ask() -> (change: SyncChange?, cursor: Int64) {
    if serverVersion <= cursor { return (nil, serverVersion) }
    let content: SyncChange.Content =
      if let server { .row(Dictionary(uniqueKeysWithValues: zip(policy.record.synced.columns, server))) } else {
        .deletion
      }
    let version = hasVersions ? String(serverVersion) : nil
    return (SyncChange("notes", key: SampleEntries.key, content, version: version), serverVersion)
  }

  private mutating func apply() throws {
    guard let (change, cursor) = statement else { return }
    statement = nil
    self.cursor = cursor
    isConflicted = false
    guard let change else { return }
    let theirs = policy.record.synced.row(of: change)?.map { $0 ?? .null }
    told.insert(theirs)
    if entry == nil {
      row = theirs
      version = theirs == nil ? nil : change.version
    } else {
      try run(.pulled(change, version: version, .byPolicy))
    }
  }

  // MARK: Effects

  private mutating func run(_ event: OutboxEvent) throws {
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
    case .compareAll: isComparisonDue = true
    case .log(let loss, _): losses.append(loss)
    case .merge(let change, let pulling):
      if entry != nil { try run(.pulled(change, version: nil, pulling)) }
    case .attempt(let effects, _): for effect in effects { try perform(effect) }
    case .quarantine, .unquarantine, .noteSeen, .stage, .park: break
    }
  }

  // MARK: Rules

  private mutating func check(_ step: Step) throws {
    if let entry, entry.row != row { throw Broken(description: "\(step): the entry has another row") }
    // The base has values that the server told, of one row or, where nobody knows which came last, of two.
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
    // Values grow: one that is less than the server's came before.
    if entry == nil, statement == nil, sending == nil, row != nil, cursor == serverVersion, !isComparisonDue,
      row != server
    {
      throw Broken(description: "\(step): nothing is pending, and the device has another row")
    }
  }
}
