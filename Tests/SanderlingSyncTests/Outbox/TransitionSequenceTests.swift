import Sanderling
import Testing

@testable import SanderlingSync

/// Random sequences of events keep the rules of ``ModelDevice``. A sequence that breaks a rule is shrunk and printed
/// with its seed.
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

  /// Takes the steps, and then all steps that are left to do.
  ///
  /// - Returns: The rule that the steps break, or nil.
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

  /// Removes steps from a failing sequence, ever fewer at once, until each remaining step is needed for the failure.
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
      // A step may have been needed only by a later step that was removed since.
      if size == 1, steps.count == count { return steps }
      size = max(size / 2, 1)
    }
  }

  /// Tries random sequences of steps until one breaks a rule, and records the shrunk sequence.
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

  /// The last value of a column that only one side edits arrives everywhere, whatever was lost on the way, and no value
  /// is logged as lost.
  ///
  /// Exceptions: without versions, the log may contain a value of this device that the device replaced since, because
  /// its author is unknown. The same holds for a server that doesn't know mutation numbers: a poll that began before a
  /// conflict may end after it, and then the value is sent again.
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

  /// A server with versions that loses its last states receives the values again that it acknowledged to this device.
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

  /// A value that the user reverts while it is being sent stays reverted, although it comes back in a pulled row. The
  /// pulled row also contains another client's value of another column, so the sent value could seem to be theirs.
  @Test func revertedValueStaysRevertedWhenAPulledRowHasIt() throws {
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

  /// Discarding a deletion doesn't restore a row that another client deleted. The pulled deletion is older or newer
  /// than the device's mutation, so the row that the server has is only assumed.
  @Test func discardedDeletionRestoresNoRowDeletedByAnotherClient() throws {
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

  /// If the base of a change is only assumed, all rows are compared when the change ends, however it ends.
  @Test func allRowsAreComparedWhenAChangeWithAnAssumedBaseEnds() throws {
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

  /// A value that comes back in a row with another client's change is sent again if the server loses both changes.
  @Test func pulledOwnValueIsSentAgainAfterTheServerGoesBack() throws {
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

  /// A staged acknowledgement that is older than the base of the entry doesn't change the entry.
  @Test func olderStagedAcknowledgementChangesNoEntry() throws {
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
    // If the source restarted, the server may have gone back, so an older row counts.
    #expect(try after(.byPolicy) != entry)
  }

  /// When an entry's row is restored from an assumed base, the base stays assumed.
  @Test func restoredRowKeepsItsAssumedBase() throws {
    let entry = OutboxEntry(
      sequence: 3, key: SampleEntries.key, base: SampleEntries.base, row: SampleEntries.base,
      state: .sending(SampleEntries.update, .init()), isAssumed: true)
    let event = OutboxEvent.cascaded(lost: SampleEntries.mine, isRestored: true)
    #expect(try OutboxEntry.transition(entry, event, SampleEntries.policy).entry?.isAssumed == true)
  }

  /// A row that left the device and comes back unchanged while its mutation is under way is present in the end.
  @Test func departedRowThatComesBackDuringAPushIsPresent() throws {
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

  /// A reverted value stays reverted if its mutation conflicts with itself. The source was polled before the server
  /// applied the mutation, and its statement is applied afterwards.
  @Test func revertedValueStaysRevertedAfterASelfConflict() throws {
    var device = device(isAppliedOnce: false)
    try run(
      [.edit(column: 1), .send, .arrive, .answer, .edit(column: 1), .send, .ask, .arrive, .revert, .lose, .arrive]
        + [.answer], &device)
    #expect(device.row?[1] == .integer(101) && device.server.row?[1] == .integer(101))
  }

  /// A change that may be in conflict with itself waits for the next pull, although nothing differs. The server may
  /// have the value that was reverted.
  @Test func changeInConflictWithItselfWaitsForTheNextPull() throws {
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

  /// Without versions, a value that was reverted while it was being sent is sent once more. The row that was pulled in
  /// the meantime may be older than the mutation.
  @Test func withoutVersionsARevertDuringSendingIsSent() throws {
    var device = device(hasVersions: false)
    try run([.othersEdit(column: 2), .ask, .edit(column: 1), .send, .revert], &device)
    #expect(device.server.row?[1] == .integer(1))
  }

  /// A change that is held while a mutation is being sent is merged once. After a conflict the entry keeps the
  /// mutation, and drops the held change.
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
      Issue.record("the entry isn't being sent")
      return
    }
    #expect(meanwhile.held == nil)
  }

  @Test func discardingARefusedChangeDeletesADepartedRow() throws {
    let entry = OutboxEntry(
      sequence: 3, key: SampleEntries.key, base: SampleEntries.base, row: SampleEntries.mine,
      state: .sending(SampleEntries.update, .init()), isDeparted: true)
    let refused = try OutboxEntry.transition(entry, .refused(reason: "no"), SampleEntries.policy)
    let given = try OutboxEntry.transition(refused.entry, .discarded, SampleEntries.policy)
    let departure = SyncChange("notes", key: SampleEntries.key, .departure)
    #expect(given.entry == nil)
    #expect(given.effects.contains(.attempt([.write(nil)], orElse: [.park(departure)])))
  }

  /// An acknowledged mutation of a row that left the device is not staged: its checkpoint would bring the row back.
  @Test func acknowledgementOfADepartedRowIsNotStaged() throws {
    let entry = OutboxEntry(
      sequence: 3, key: SampleEntries.key, base: SampleEntries.base, row: SampleEntries.mine,
      state: .sending(SampleEntries.update, .init()), isDeparted: true)
    let event = OutboxEvent.acknowledged(version: "2", OutboxLook(isStaging: true))
    let effects = try OutboxEntry.transition(entry, event, SampleEntries.policy).effects
    #expect(!effects.contains { if case .stage = $0 { true } else { false } })
  }
}
