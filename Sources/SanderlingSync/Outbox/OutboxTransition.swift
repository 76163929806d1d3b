import Sanderling

/// A pending change after an event (nil if nothing is pending any more), and the writes that belong to it.
struct OutboxTransition: Equatable, Sendable {
  var entry: OutboxEntry?
  var effects: [OutboxEffect] = []

  init(_ entry: OutboxEntry?, _ effects: [OutboxEffect] = []) {
    self.entry = entry
    self.effects = effects
  }
}

extension OutboxEntry {
  /// The fate of a pending change: a function of values only. `Documentation/PendingChanges.md` has the table of all
  /// cases.
  ///
  /// - Parameter entry: Nil if nothing is pending.
  /// - Throws: Errors of the app's own merges.
  static func transition(
    _ entry: OutboxEntry?, _ event: OutboxEvent, _ policy: OutboxPolicy
  ) throws -> OutboxTransition {
    var transition = try decided(entry, event, policy)
    // The row equals an assumed base, and no later change of the source need correct it.
    if let entry, entry.isAssumed, !entry.isDeparted, transition.entry == nil, !event.isAcknowledgement {
      transition.effects.append(.compareAll)
    }
    return transition
  }

  private static func decided(
    _ entry: OutboxEntry?, _ event: OutboxEvent, _ policy: OutboxPolicy
  ) throws -> OutboxTransition {
    if case .compared(let theirs, let row, let version, let isSame, let number) = event {
      return try compared(entry, theirs, row, version, isSameVersion: isSame, number: number, policy)
    }
    guard let entry else { return OutboxTransition(begun: event, policy) }
    switch event {
    case .compared: return OutboxTransition(entry)
    case .edited(_, let row, _): return OutboxTransition(entry.edited(to: row))
    case .due(let isAfterPull): return entry.due(isAfterPull, policy)
    case .sent(let number, let version): return OutboxTransition(entry.sent(number, version, policy))
    case .sentAgain, .failed: return OutboxTransition(entry.waiting(event))
    case .answered(let acknowledgement): return OutboxTransition(entry.answered(acknowledgement))
    case .acknowledged(let version, let look): return entry.acknowledged(version, look, policy)
    case .conflicted(let reason): return try entry.conflicted(reason, policy)
    case .refused(let reason): return entry.refused(reason)
    case .parentRefused: return entry.refused(nil)
    case .pulled(let change, let version, let pulling): return try entry.pulled(change, version, pulling, policy)
    case .written:
      let isWaiting = entry.isSending || entry.isReturned || (entry.waitsForNews && entry.conflicts > 0)
      if isWaiting || entry.difference != nil { return OutboxTransition(entry) }
      return OutboxTransition(nil, [.unquarantine])
    case .allNamed: return OutboxTransition(entry.afterAllWasNamed)
    case .wentBack(let rows, _, _): return entry.wentBack(rows)
    case .cascaded(let lost, let isRestored): return entry.cascaded(lost, isRestored)
    case .deletedUnderReferences: return OutboxTransition(entry)
    case .completed(let values): return OutboxTransition(entry.completed(values, policy))
    case .retried:
      guard case .refused = entry.state else { return OutboxTransition(entry) }
      return OutboxTransition(entry.with(.unsent), [.unquarantine])
    case .discarded:
      guard case .refused = entry.state else { return OutboxTransition(entry) }
      return OutboxTransition(nil, (entry.isDeparted ? entry.leaving(policy) : [.write(entry.base)]) + [.unquarantine])
    }
  }

  func with(_ state: State) -> OutboxEntry {
    var entry = self
    entry.state = state
    return entry
  }
}

extension OutboxTransition {
  /// The transition if nothing is pending.
  fileprivate init(begun event: OutboxEvent, _ policy: OutboxPolicy) {
    func key(_ row: OutboxEntry.Row?) -> [StorageValue] { policy.record.synced.key.map { row?[$0] ?? .null } }
    switch event {
    case .edited(let base, let row, let number):
      self.init(OutboxEntry(sequence: number, key: key(base ?? row), base: base, row: row))
    case .deletedUnderReferences(let row, let number):
      // The server deleted the row, but rows of this device refer to it. These references were made while the row
      // existed, so the row stays here and is sent as a new row.
      self.init(
        OutboxEntry(sequence: number, key: key(row), base: nil, row: row),
        [.setVersion(nil), .log(.deletion(.server), kept: row)])
    case .wentBack(let rows, let row, let number):
      let first = rows.first ?? nil
      if first == nil && row == nil {
        self.init(nil)
      } else {
        self.init(
          OutboxEntry(sequence: number, key: key(row ?? first), base: first, row: row, state: .returned(rows)),
          [.setVersion(nil)])
      }
    default: self.init(nil)
    }
  }
}

// MARK: - Edits and sending

extension OutboxEntry {
  private func edited(to row: Row?) -> OutboxEntry {
    var entry = self
    entry.row = row
    switch state {
    case .unsent, .uncertain, .taken, .returned: break
    case .sending(let sent, var meanwhile):
      meanwhile.isEdited = true
      entry.state = .sending(sent, meanwhile)
    case .refused(let sent, let reason, _): entry.state = .refused(sent, reason: reason, isEdited: true)
    }
    return entry
  }

  private func due(_ isAfterPull: Bool, _ policy: OutboxPolicy) -> OutboxTransition {
    var entry = self
    if isReturned, isAfterPull { entry.state = .unsent }
    guard entry.isSendable else { return OutboxTransition(self) }
    // The refused mutation is sent with the later edits.
    if case .refused = state { entry.state = .unsent }
    // The server may have a value that was reverted locally since: the pull shows it.
    if entry.difference != nil || (entry.waitsForNews && !isAfterPull) { return OutboxTransition(entry) }
    return OutboxTransition(nil, [.unquarantine] + (isDeparted ? leaving(policy) : []))
  }

  private func sent(_ number: Int64, _ version: String?, _ policy: OutboxPolicy) -> OutboxEntry {
    let before: Sent?
    switch state {
    case .unsent: before = nil
    case .uncertain(let sent), .taken(let sent, _): before = sent
    case .sending, .refused, .returned: return self
    }
    guard let difference else { return self }
    let sent = Sent(
      kind: difference.kind, row: row, columns: difference.columns, number: number,
      // A new row has no base, even if a row with its key existed before.
      baseVersion: difference.kind == .insertion ? nil : version, attempts: before?.attempts ?? 0)
    var entry = with(.sending(sent, Meanwhile()))
    if case .taken(let taken, _) = state, let base, let values = taken.row {
      // The mutation's values replace those that the server took.
      entry.base = base.indices.map { taken.columns.contains($0) ? values[$0] : base[$0] }
      entry.isAssumed = entry.base != base
    }
    return entry
  }

  private func waiting(_ event: OutboxEvent) -> OutboxEntry {
    guard case .sending(var sent, var meanwhile) = state, meanwhile.acknowledgement == nil else { return self }
    if case .failed(let reason) = event { meanwhile.failure = reason } else { sent.attempts += 1 }
    return with(.sending(sent, meanwhile))
  }

  private func answered(_ acknowledgement: Acknowledgement) -> OutboxEntry {
    guard case .sending(let sent, var meanwhile) = state else { return self }
    meanwhile.acknowledgement = acknowledgement
    return with(.sending(sent, meanwhile))
  }

  /// Removes a row that no longer belongs to this device. If other rows refer to it, it waits until these are gone.
  func leaving(_ policy: OutboxPolicy) -> [OutboxEffect] {
    let departure = SyncChange(policy.record.name, key: key, .departure)
    return [.attempt([.write(nil)], orElse: [.park(departure)]), .setVersion(nil)]
  }
}

// MARK: - Events of other rows

extension OutboxEntry {
  private var afterAllWasNamed: OutboxEntry {
    var entry = self
    if conflicts == Self.stuckCount { entry.conflicts += 1 }
    return entry
  }

  /// The number of conflicts without news of the row after which the run requests all rows from the server. The next
  /// conflict then counts as a refusal.
  static let stuckCount: Int64 = 3

  var isReturned: Bool { if case .returned = state { true } else { false } }

  /// The numbers that the server knew are invalid: a mutation that is being sent is one more row that it may have.
  private func wentBack(_ rows: [Row?]) -> OutboxTransition {
    var former = rows
    if case .returned(let before) = state { former = before + rows } else { former.append(base) }
    if let sent { former.append(sent.row) }
    var entry = with(.returned(former))
    (entry.base, entry.isAssumed) = (former[0], false)
    return OutboxTransition(entry, [.setVersion(nil), .unquarantine])
  }

  private func cascaded(_ lost: Row, _ isRestored: Bool) -> OutboxTransition {
    var entry = self
    var effects: [OutboxEffect] = []
    // A row that no longer belongs to this device stayed only because of its changes.
    if lost != known { effects.append(.log(.row(.local, lost), kept: known)) }
    if isDeparted { effects.append(.setVersion(nil)) }
    guard case .sending(let sent, var meanwhile) = state else {
      return OutboxTransition(nil, effects + [.unquarantine])
    }
    // No part of the mutation is a local change any more, whatever the answer is.
    meanwhile.isEdited = false
    entry.rebase(isRestored ? known : nil, &meanwhile)
    entry.isAssumed = isRestored && isAssumed
    return OutboxTransition(entry.with(.sending(sent, meanwhile)), effects)
  }

  private func completed(_ values: [String: StorageValue], _ policy: OutboxPolicy) -> OutboxEntry {
    func complete(_ row: Row?) -> Row? {
      row.map { zip(policy.record.synced.columns, $0).map { values[$0] ?? $1 } }
    }
    var entry = self
    entry.base = complete(base)
    if case .sending(var sent, let meanwhile) = state {
      sent.row = complete(sent.row)
      entry.state = .sending(sent, meanwhile)
    }
    return entry
  }

  /// Sets another row of the server as the base.
  mutating func rebase(_ base: Row?, _ meanwhile: inout Meanwhile) {
    rebase(base)
    meanwhile.basis = .changed
  }

  /// - Parameter isNews: Whether the server's row differs from the one before.
  mutating func rebase(_ base: Row?, isNews: Bool = true) {
    self.base = base
    (isAssumed, isDeparted) = (false, false)
    if isNews { (conflicts, conflictReason) = (0, nil) }
  }
}
