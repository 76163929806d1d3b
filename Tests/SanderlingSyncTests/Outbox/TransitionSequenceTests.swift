import Sanderling
import Testing

@testable import SanderlingSync

/// Random sequences of events keep the rules of ``ModelDevice``. A sequence that breaks one is shrunk and printed with its seed.
@Suite struct TransitionSequenceTests {
  private typealias Step = ModelDevice.Step

  struct Kind: Sendable, CustomTestStringConvertible {
    let name: String
    let conflicts: ConflictPolicy
    let isAppliedOnce: Bool
    let hasVersions: Bool
    var isStaging = false
    var testDescription: String { name }

    func device() -> ModelDevice {
      let record = SyncedRecord(SampleEntries.Note.self, conflicts: conflicts)
      return ModelDevice(
        OutboxPolicy(record: record, isAppliedOnce: isAppliedOnce), hasVersions: hasVersions, isStaging: isStaging)
    }

    fileprivate var staging: Kind {
      Kind(
        name: name + ", staged", conflicts: conflicts, isAppliedOnce: isAppliedOnce, hasVersions: hasVersions,
        isStaging: true)
    }
  }

  static let kinds = [
    Kind(name: "numbers", conflicts: .merge, isAppliedOnce: true, hasVersions: true),
    Kind(name: "versions", conflicts: .merge, isAppliedOnce: false, hasVersions: true),
    Kind(name: "no versions", conflicts: .merge, isAppliedOnce: true, hasVersions: false),
    Kind(name: "server wins", conflicts: .serverWins.deletions(.serverWins), isAppliedOnce: true, hasVersions: true),
    Kind(name: "client wins", conflicts: .clientWins.deletions(.clientWins), isAppliedOnce: true, hasVersions: true),
    Kind(name: "deletions win", conflicts: .merge.deletions(.deletionWins), isAppliedOnce: false, hasVersions: true),
    Kind(
      name: "counter", conflicts: .merge.merging(\SampleEntries.Note.Fields.x, .counter), isAppliedOnce: true,
      hasVersions: true),
  ]
  static let allKinds = kinds + kinds.map(\.staging)

  /// Takes steps, and all that is left to do.
  ///
  /// - Returns: The rule that they break.
  private static func failure(
    _ steps: [Step], _ kind: Kind, _ rule: (ModelDevice) -> String? = { _ in nil },
    after: (Step, ModelDevice) -> Void = { _, _ in }
  ) -> String? {
    var device = kind.device()
    do {
      for step in steps {
        try device.take(step)
        after(step, device)
      }
      try device.finish()
      return rule(device)
    } catch { return "\(error)" }
  }

  /// Leaves out steps, ever fewer at once, until each that is left is needed to break a rule.
  private static func shrunk(_ steps: [Step], _ failure: ([Step]) -> String?) -> [Step] {
    var steps = steps
    var size = max(steps.count / 2, 1)
    while true {
      let count = steps.count
      var start = 0
      while start < steps.count {
        var rest = steps
        rest.removeSubrange(start..<min(start + size, steps.count))
        if failure(rest) != nil { steps = rest } else { start += size }
      }
      // A step may have been needed for one that was left out after it.
      if size == 1, steps.count == count { return steps }
      size = max(size / 2, 1)
    }
  }

  /// Tries random sequences of steps until one breaks a rule.
  private static func tries(_ all: [Step], _ kind: Kind, _ failure: ([Step]) -> String?) {
    var generator = SeededGenerator()
    for _ in 0..<2000 {
      let steps = (0..<40).map { _ in generator.element(all) }
      guard failure(steps) != nil else { continue }
      let least = shrunk(steps, failure)
      Issue.record(
        "SANDERLING_SEED=\(generator.seed), \(kind.name): \(failure(least) ?? "") after \(least.map { ".\($0)" }.joined(separator: ", "))"
      )
      return
    }
  }

  @Test(arguments: allKinds) func sequencesKeepTheRules(kind: Kind) {
    let all: [Step] = [
      .edit(column: 1), .edit(column: 1), .edit(column: 2), .delete, .make, .revert, .othersEdit(column: 1),
      .othersEdit(column: 2), .othersDelete, .othersMake, .othersDeleteParent, .othersDeleteNewParent, .othersHide,
      .othersShow, .send, .send, .send, .sendAfterPull, .arrive, .arrive, .arrive, .answer, .answer, .answer, .lose,
      .ask,
      .ask, .ask, .askLater, .apply, .apply, .apply, .checkpoint, .refuse, .refuseParent, .retry, .discard,
    ]
    Self.tries(all, kind) { Self.failure($0, kind) }
  }

  private static let edits: [Step] = [
    .edit(column: 1), .revert, .othersEdit(column: 2), .send, .send, .arrive, .arrive, .answer, .answer, .lose, .ask,
    .apply, .checkpoint,
  ]

  /// Columns that one side edits alone: the last value of each is everywhere in the end, whatever got lost on the way,
  /// and nothing is logged as lost. Without versions the log may have a value of this device that it has replaced
  /// since: nothing tells whose it was. So may that of a server that doesn't know numbers: a look that was asked before
  /// may end after its conflict, and the value is sent again.
  @Test(arguments: kinds.prefix(3) + kinds.prefix(2).map(\.staging)) func noValueIsLost(kind: Kind) {
    Self.tries(Self.edits, kind) { steps in
      var last = SampleEntries.row(1, 1)
      return Self.failure(steps, kind) { device in
        device.row == last && (device.losses.isEmpty || !kind.hasVersions || !kind.isAppliedOnce)
          ? nil : "\(device.row as Any) in place of \(last)"
      } after: { step, device in
        if [.edit(column: 1), .revert].contains(step), let row = device.row { last[1] = row[1] }
        if case .othersEdit = step { last[2] = .integer(device.server.lastValue) }
      }
    }
  }

  /// A server with versions that loses its last states gets the values again that this device had told it.
  @Test(arguments: kinds.prefix(2) + kinds.prefix(2).map(\.staging))
  func noAcknowledgedValueIsLostByAServerThatWentBack(kind: Kind) {
    Self.tries(Self.edits + [.goBack], kind) { steps in
      var last = StorageValue.integer(1)
      return Self.failure(steps, kind) { device in
        device.row?[1] == last ? nil : "\(device.row as Any) in place of \(last)"
      } after: { step, device in
        if [.edit(column: 1), .revert].contains(step), let row = device.row { last = row[1] }
      }
    }
  }
}

/// Sequences that once broke a rule.
@Suite struct TransitionFaultTests {
  private func device(
    _ conflicts: ConflictPolicy = .merge, isAppliedOnce: Bool = true, hasVersions: Bool = true, isStaging: Bool = false
  ) -> ModelDevice {
    let record = SyncedRecord(SampleEntries.Note.self, conflicts: conflicts)
    return ModelDevice(
      OutboxPolicy(record: record, isAppliedOnce: isAppliedOnce), hasVersions: hasVersions, isStaging: isStaging)
  }

  private func run(_ steps: [ModelDevice.Step], _ device: inout ModelDevice) throws {
    for step in steps { try device.take(step) }
    try device.finish()
  }

  /// The server's row has the value that was sent, and another column of others: the value is none of theirs.
  @Test func aValueThatIsTakenBackWhileItComesBackStaysTakenBack() throws {
    var device = device()
    try run([.edit(column: 1), .send, .arrive, .othersEdit(column: 2), .ask, .lose, .revert, .apply], &device)
    #expect(device.row?[1] == .integer(1) && device.server.row?[1] == .integer(1))
    #expect(device.losses.isEmpty)
  }

  @Test func aDeletionFollowsAHeldChange() throws {
    var device = device(.merge.merging(\SampleEntries.Note.Fields.x, .counter))
    try run(
      [.delete, .send, .make, .arrive, .answer, .send, .arrive, .ask, .apply, .othersDelete, .ask, .delete], &device)
    #expect(device.row == nil && device.server.row == nil)
  }

  /// The deletion that was pulled came before the device's mutation or after it. The row that the server took is only assumed.
  @Test func aDeletionThatIsGivenUpBringsBackNoRowThatOthersDeleted() throws {
    for isAskedBefore in [false, true] {
      for hasVersions in [false, true] {
        var device = device(hasVersions: hasVersions)
        try run(
          [.edit(column: 1), .send, .arrive, .othersDelete, .ask, .delete, .apply, .answer, .send, .refuse, .answer]
            + (isAskedBefore ? [.ask, .discard, .apply] : [.discard]), &device)
        #expect(device.row == nil && device.server.row == nil)
      }
    }
  }

  /// The base is a row that the server may not have, in whatever way its change ends.
  @Test func anAssumedBaseIsComparedInTheEnd() throws {
    let refused = OutboxEntry.State.refused(SampleEntries.update, reason: "no", isEdited: false)
    for (state, event) in [(refused, OutboxEvent.discarded), (.unsent, .due(isAfterPull: true)), (.unsent, .written)] {
      for isAssumed in [false, true] {
        let entry = OutboxEntry(
          sequence: 3, key: SampleEntries.key, base: SampleEntries.mine, row: SampleEntries.mine, state: state,
          isAssumed: isAssumed)
        let transition = try OutboxEntry.transition(entry, event, SampleEntries.policy)
        #expect(transition.entry == nil)
        #expect(transition.effects.contains(.compareAll) == isAssumed)
      }
    }
  }

  /// The server has the device's value and another column of others: it may go back behind both.
  @Test func aValueThatCameBackInARowOfOthersIsSentAgain() throws {
    let others = ModelDevice.Step.othersEdit(column: 2)
    let sequences: [[ModelDevice.Step]] = [
      [.edit(column: 1), .send, .arrive, .lose, .revert, .arrive, .answer, others, .revert, .ask, .goBack, .goBack],
      [.edit(column: 1), .send, .arrive, .lose, others, .edit(column: 1), .arrive, .answer, .ask, .goBack, .goBack]
        + [.revert],
    ]
    for steps in sequences {
      var device = device(isAppliedOnce: false)
      try run(steps, &device)
      #expect(device.row?[1] == .integer(101) && device.server.row?[1] == .integer(101))
    }
  }

  /// Two acknowledgements wait for a checkpoint. The first is older than the base.
  @Test func anOlderStatementIsNoNewsOfAChangedRow() throws {
    var device = device(isStaging: true)
    try run(
      [.edit(column: 1), .ask, .send, .arrive, .apply, .answer, .edit(column: 1), .send, .arrive, .answer, .revert],
      &device)
    #expect(device.row?[1] == .integer(101) && device.server.row?[1] == .integer(101))
    let entry = OutboxEntry(sequence: 3, key: SampleEntries.key, base: SampleEntries.base, row: SampleEntries.mine)
    let older = SyncChange("notes", key: SampleEntries.key, .row(["x": .integer(7)]), version: "4")
    func after(_ pulling: OutboxPulling) throws -> OutboxEntry? {
      try OutboxEntry.transition(entry, .pulled(older, version: "5", pulling), SampleEntries.policy).entry
    }
    #expect(try after(.news) == entry)
    // A source that begins anew may have gone back.
    #expect(try after(.byPolicy) != entry)
  }

  /// The restored row is the base, which the server may not have.
  @Test func anAssumedBaseStaysOneWhenItIsRestored() throws {
    let entry = OutboxEntry(
      sequence: 3, key: SampleEntries.key, base: SampleEntries.base, row: SampleEntries.base,
      state: .sending(SampleEntries.update, .init()), isAssumed: true)
    let event = OutboxEvent.cascaded(lost: SampleEntries.mine, isRestored: true)
    #expect(try OutboxEntry.transition(entry, event, SampleEntries.policy).entry?.isAssumed == true)
  }

  /// The row was told as it is here, after it had left.
  @Test func aRowThatComesBackAsItWasWhileItsMutationIsUnderWayIsThere() throws {
    for hasVersions in [false, true] {
      var device = device(hasVersions: hasVersions)
      try run([.othersHide, .ask, .othersShow, .edit(column: 1), .apply, .send, .ask, .refuse], &device)
      #expect(device.row == SampleEntries.base)
    }
    let entry = OutboxEntry(
      sequence: 3, key: SampleEntries.key, base: SampleEntries.base, row: SampleEntries.mine,
      state: .sending(SampleEntries.update, .init()), isDeparted: true)
    let again = SyncChange("notes", key: SampleEntries.key, .row(["x": .integer(1), "y": .integer(1)]), version: "1")
    let event = OutboxEvent.pulled(again, version: "1", .byPolicy)
    #expect(try OutboxEntry.transition(entry, event, SampleEntries.policy).entry?.isDeparted == false)
  }

  /// A conflict of a mutation with itself: the statement that is applied after it was asked for before the server took the mutation.
  @Test func aValueThatIsTakenBackStaysTakenBackAfterAnOlderStatement() throws {
    var device = device(isAppliedOnce: false)
    try run(
      [.edit(column: 1), .send, .arrive, .answer, .edit(column: 1), .send, .ask, .arrive, .revert, .lose, .arrive]
        + [.answer], &device)
    #expect(device.row?[1] == .integer(101) && device.server.row?[1] == .integer(101))
  }

  /// Nothing differs, but the server may have the value that was taken back.
  @Test func aChangeInConflictWithItselfWaitsForNews() throws {
    for conflicts in [0, 1] as [Int64] {
      let entry = OutboxEntry(
        sequence: 3, key: SampleEntries.key, base: SampleEntries.base, row: SampleEntries.base,
        state: .uncertain(SampleEntries.update), conflicts: conflicts)
      for event in [OutboxEvent.due(isAfterPull: false), .written] {
        let left = try OutboxEntry.transition(entry, event, SampleEntries.policy).entry
        #expect((left == nil) == (conflicts == 0))
      }
      #expect(try OutboxEntry.transition(entry, .due(isAfterPull: true), SampleEntries.policy).entry == nil)
    }
  }

  /// Without versions: the statement that was pulled meanwhile may be older than what the server took.
  @Test func aValueThatIsTakenBackAfterAnOlderStatementIsSent() throws {
    var device = device(hasVersions: false)
    try run([.othersEdit(column: 2), .ask, .edit(column: 1), .send, .revert], &device)
    #expect(device.server.row?[1] == .integer(1))
  }

  /// A conflict of a server that may have applied the mutation keeps it in mind, and not the change that was held.
  @Test func aHeldChangeIsMergedOnce() throws {
    let policy = OutboxPolicy(
      record: SyncedRecord(SampleEntries.Note.self, conflicts: .merge.merging(\SampleEntries.Note.Fields.x, .counter)))
    let held = SyncChange("notes", key: SampleEntries.key, .row(["y": .integer(5)]), version: "5")
    var sent = SampleEntries.update
    sent.attempts = 1
    let entry = OutboxEntry(
      sequence: 3, key: SampleEntries.key, base: SampleEntries.base, row: SampleEntries.mine,
      state: .sending(sent, .init(held: held)))
    let answered = try OutboxEntry.transition(entry, .conflicted(reason: nil), policy)
    #expect(answered.effects == [.merge(held, .byPolicy)])
    let again = try OutboxEntry.transition(answered.entry, .sent(number: 9, version: "5"), policy)
    guard case .sending(_, let meanwhile)? = again.entry?.state else {
      Issue.record("it isn't sent")
      return
    }
    #expect(meanwhile.held == nil)
  }

  @Test func aRefusedRowThatLeftGoesWhenItIsGivenUp() throws {
    let entry = OutboxEntry(
      sequence: 3, key: SampleEntries.key, base: SampleEntries.base, row: SampleEntries.mine,
      state: .sending(SampleEntries.update, .init()), isDeparted: true)
    let refused = try OutboxEntry.transition(entry, .refused(reason: "no"), SampleEntries.policy)
    let given = try OutboxEntry.transition(refused.entry, .discarded, SampleEntries.policy)
    let departure = SyncChange("notes", key: SampleEntries.key, .departure)
    #expect(given.entry == nil)
    #expect(given.effects.contains(.attempt([.write(nil)], orElse: [.park(departure)])))
  }

  /// Applied with its checkpoint, the mutation would bring back a row that left.
  @Test func aRowThatLeftIsNotStaged() throws {
    let entry = OutboxEntry(
      sequence: 3, key: SampleEntries.key, base: SampleEntries.base, row: SampleEntries.mine,
      state: .sending(SampleEntries.update, .init()), isDeparted: true)
    let event = OutboxEvent.acknowledged(version: "2", OutboxLook(isStaging: true))
    let effects = try OutboxEntry.transition(entry, event, SampleEntries.policy).effects
    #expect(!effects.contains { if case .stage = $0 { true } else { false } })
  }
}
