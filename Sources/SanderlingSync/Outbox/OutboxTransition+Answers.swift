import Sanderling

/// A server's answers, beside the changes that were pulled or staged of the same row meanwhile.
extension OutboxEntry {
  func acknowledged(_ version: String?, _ look: OutboxLook, _ policy: OutboxPolicy) -> OutboxTransition {
    guard case .sending(let sent, let meanwhile) = state else { return OutboxTransition(self) }
    var transition = acknowledged(sent, meanwhile, version, beside: look, policy)
    if !isDeparted { transition.effects.append(.keep([base, sent.row])) }
    return transition
  }

  private func acknowledged(
    _ sent: Sent, _ meanwhile: Meanwhile, _ version: String?, beside look: OutboxLook, _ policy: OutboxPolicy
  ) -> OutboxTransition {
    // A staged change of the row would name it.
    let isNamed = look.staged != nil || look.isComparedBefore != false
    guard look.isStaging, isNamed, meanwhile.held == nil, meanwhile.basis != .changed else {
      return acknowledged(sent, meanwhile, version, look, policy)
    }
    let isOlder = look.staged.flatMap { Self.isEarlier($0.version, than: version) }
    if isOlder == nil, base == nil, sent.kind == .insertion, look.staged?.content == .deletion {
      // The deletion of the row that was made, or of one of its key before: as if it had been applied.
      var rebased = meanwhile
      rebased.basis = .changed
      return acknowledged(sent, rebased, version, look, policy)
    }
    let isNews =
      look.staged.map { staged in
        isOlder.map { !$0 } ?? sent.baseVersion.map { $0 != staged.version } ?? !tellsBase(staged, policy)
      } ?? false
    var held = meanwhile
    // With versions it came later, since the server took the mutation for the row that it is based on. Without versions
    // the order isn't known.
    if isNews, version == nil, let staged = look.staged, !staged.isDeparture { held.held = staged }
    var transition = acknowledged(sent, held, version, look, policy)
    // All that is staged is older then, and is applied later.
    if !isNews, !isDeparted {
      transition.effects.append(.stage(sent.change(policy.record, key: key, version: version)))
    }
    return transition
  }

  private func acknowledged(
    _ sent: Sent, _ meanwhile: Meanwhile, _ version: String?, _ look: OutboxLook, _ policy: OutboxPolicy
  ) -> OutboxTransition {
    if let held = meanwhile.held { return acknowledged(sent, meanwhile, version, before: held) }
    var effects = [OutboxEffect.unquarantine]
    let isNew = version != nil && base == nil && sent.kind == .insertion
    // The source may have read its rows before.
    if look.isComparedBefore == true { effects.append(.noteSeen) }
    if look.isComparedBefore == false, isNew || policy.conflicts.merges.isEmpty {
      // The source tells when it has named everything, and the difference is sent once more then. A counter would count that twice.
      return OutboxTransition(isNew ? taken(sent, version) : with(.uncertain(sent)), effects)
    }
    // The row was pulled meanwhile, and it isn't known whether with this change or before it.
    let isPulled =
      meanwhile.basis == .changed || (meanwhile.basis == .toldAgain && (sent.attempts > 0 || base == nil))
    let isDeletedSince = base == nil && row == nil && sent.kind != .deletion && !isDeparted && meanwhile.isEdited
    if isPulled, !isDeletedSince {
      // The difference is sent once more. A row that was made here would be in conflict with itself: it comes with the
      // next pull, and is based on the values that were sent, whoever has changed it since. If it doesn't, it was
      // deleted since.
      return OutboxTransition(taken(sent, version), effects)
    }
    // A deletion was pulled, maybe of before, and the row was deleted here since: on the base of it nothing would be
    // left to tell. The deletion is based on the row that the server took.
    effects.append(.setVersion(sent.kind == .deletion ? nil : version))
    guard meanwhile.isEdited else { return OutboxTransition(nil, effects + (isDeparted ? leaving(policy) : [])) }
    var entry = with(.unsent)
    (entry.base, entry.isAssumed, entry.conflicts) = (sent.row, isPulled, 0)
    return OutboxTransition(entry, effects)
  }

  private func taken(_ sent: Sent, _ version: String?) -> OutboxEntry {
    var sent = sent
    sent.baseVersion = nil
    return with(.taken(sent, version: version))
  }

  /// Something else of the row was pulled meanwhile.
  private func acknowledged(
    _ sent: Sent, _ meanwhile: Meanwhile, _ version: String?, before held: SyncChange
  ) -> OutboxTransition {
    guard version != nil, meanwhile.basis != .changed else {
      // Nobody knows whether it is older than the mutation. The difference is sent once more.
      return OutboxTransition(with(.unsent), [.unquarantine, .merge(held, .unordered)])
    }
    // The server took the mutation for the row that it was based on, so a pulled row that isn't that one came later, or is the mutation's.
    var entry = with(.unsent)
    entry.rebase(sent.row)
    return OutboxTransition(
      entry, [.unquarantine, .setVersion(sent.kind == .deletion ? nil : version), .merge(held, .byPolicy)])
  }

  func conflicted(_ reason: String?, _ policy: OutboxPolicy) throws -> OutboxTransition {
    guard case .sending(let sent, let meanwhile) = state else { return OutboxTransition(self) }
    if conflicts > Self.stuckCount, !isDeparted {
      // The source named all that it has since, and told nothing new of the row: no pull will.
      var transition = refused(
        (reason ?? "the server says that the row isn't the one that the change is based on")
          + ". The source had no other news of the row when it listed all of its rows")
      transition.entry?.conflicts = 0
      transition.entry?.conflictReason = nil
      return transition
    }
    if isDeparted {
      // The server would not tell the row that the changes have to be based on.
      let lost = row.map { OutboxEffect.log(.row(.local, $0), kept: nil) }
      return OutboxTransition(nil, [.unquarantine] + (lost.map { [$0] } ?? []) + leaving(policy))
    }
    // Should it come back in a pull, the server had applied it the first time: also where it was sent once, since a
    // proxy may repeat a request. Only values that others may have raised by as much are taken for theirs then.
    let isOthers = policy.isAppliedOnce || (sent.attempts == 0 && !policy.conflicts.merges.isEmpty)
    var entry = with(isOthers ? .unsent : .uncertain(sent))
    (entry.conflicts, entry.conflictReason) = (min(conflicts + 1, Self.stuckCount), reason)
    var effects = meanwhile.basis == .changed ? try deciding(policy) : []
    if let held = meanwhile.held {
      effects.append(.merge(held, .byPolicy))
    } else if entry.conflicts == Self.stuckCount {
      // The source has told nothing new of the row: as where it gave a deletion before the answer to the mutation.
      effects.append(.compareAll)
    }
    return OutboxTransition(entry, effects)
  }

  /// Decides about a change that the server didn't take, and a row that was pulled while it was under way: see
  /// ``ConflictPolicy/whileSending``.
  private func deciding(_ policy: OutboxPolicy) throws -> [OutboxEffect] {
    if row == base || (row != nil && base != nil && !policy.conflicts.isOfRows) { return [] }
    // The columns that both have changed aren't known any more: all that differ are taken for them.
    let start = policy.record.synced.columns.map { _ in StorageValue.null }
    let merge = try policy.merger(policy.conflicts.afterSending).merge(base: start, local: row, theirs: base)
    if merge.row == row { return [] }
    // A row that the server's refers to may be deleted here, or another one may have a value that is to be unique: it
    // can't be there, whoever is to win.
    let kept = try policy.merger(.localWins).merge(base: start, local: row, theirs: base)
    return [.attempt([.write(merge.row)] + merge.logs, orElse: kept.logs)]
  }

  /// - Parameter reason: nil where a row that it refers to was refused with it: it waits for that one, and is sent with it.
  func refused(_ reason: String?) -> OutboxTransition {
    guard case .sending(let sent, let meanwhile) = state else { return OutboxTransition(self) }
    let held = meanwhile.held.map { [OutboxEffect.merge($0, .byPolicy)] } ?? []
    guard let reason else { return OutboxTransition(with(.unsent), held) }
    return OutboxTransition(
      with(meanwhile.isEdited ? .unsent : .refused(sent, reason: reason, isEdited: false)),
      [.quarantine(sent, reason: reason)] + held)
  }
}
