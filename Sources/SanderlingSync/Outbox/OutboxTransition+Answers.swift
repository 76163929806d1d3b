import Sanderling

/// Server answers, together with changes of the same row that were pulled or staged meanwhile.
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
    // Staging would contain a change of the row.
    let isNamed = look.staged != nil || look.isComparedBefore != false
    guard look.isStaging, isNamed, meanwhile.held == nil, meanwhile.basis != .changed else {
      return acknowledged(sent, meanwhile, version, look, policy)
    }
    let isOlder = look.staged.flatMap { Self.isEarlier($0.version, than: version) }
    if isOlder == nil, base == nil, sent.kind == .insertion, look.staged?.content == .deletion {
      // The deletion concerns the inserted row or an earlier one of its key, and counts as applied.
      var rebased = meanwhile
      rebased.basis = .changed
      return acknowledged(sent, rebased, version, look, policy)
    }
    let isNews =
      look.staged.map { staged in
        isOlder.map { !$0 } ?? sent.baseVersion.map { $0 != staged.version } ?? !tellsBase(staged, policy)
      } ?? false
    var held = meanwhile
    // With versions, the staged change is later, because the server took the mutation for the row that it is based on.
    // Without versions the order is unknown.
    if isNews, version == nil, let staged = look.staged, !staged.isDeparture { held.held = staged }
    var transition = acknowledged(sent, held, version, look, policy)
    // All staged changes are then older and are applied later.
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
      // The source reports when it has named all rows, and the difference is sent once more then. A counter would count
      // that twice.
      return OutboxTransition(isNew ? taken(sent, version) : with(.uncertain(sent)), effects)
    }
    // The row was pulled meanwhile, and it is unknown whether it contains this change.
    let isPulled =
      meanwhile.basis == .changed || (meanwhile.basis == .toldAgain && (sent.attempts > 0 || base == nil))
    let isDeletedSince = base == nil && row == nil && sent.kind != .deletion && !isDeparted && meanwhile.isEdited
    if isPulled, !isDeletedSince {
      // The difference is sent once more. A locally inserted row would conflict with itself. The row comes with the
      // next pull, and the sent values are then its base, whichever device has changed the row since. If the row
      // doesn't come, it was deleted since.
      return OutboxTransition(taken(sent, version), effects)
    }
    // A deletion was pulled that may be older, and the row was deleted locally since. With that deletion as its base
    // there would be nothing to send. So the local deletion is based on the row that the server took.
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

  /// Another change of the row was pulled meanwhile.
  private func acknowledged(
    _ sent: Sent, _ meanwhile: Meanwhile, _ version: String?, before held: SyncChange
  ) -> OutboxTransition {
    guard version != nil, meanwhile.basis != .changed else {
      // It is unknown whether the held change is older than the mutation. The difference is sent once more.
      return OutboxTransition(with(.unsent), [.unquarantine, .merge(held, .unordered)])
    }
    // The server took the mutation for the row that it was based on. So a different pulled row is later, or contains
    // the mutation.
    var entry = with(.unsent)
    entry.rebase(sent.row)
    return OutboxTransition(
      entry, [.unquarantine, .setVersion(sent.kind == .deletion ? nil : version), .merge(held, .byPolicy)])
  }

  func conflicted(_ reason: String?, _ policy: OutboxPolicy) throws -> OutboxTransition {
    guard case .sending(let sent, let meanwhile) = state else { return OutboxTransition(self) }
    if conflicts > Self.stuckCount, !isDeparted {
      // The source has named all its rows since without news of the row, so no pull will bring any.
      var transition = refused(
        (reason ?? "the server has another version of the row than the base of the change")
          + ". The source gave no newer version of the row when it listed all rows")
      transition.entry?.conflicts = 0
      transition.entry?.conflictReason = nil
      return transition
    }
    if isDeparted {
      // The server would never send the row that the changes must be based on.
      let lost = row.map { OutboxEffect.log(.row(.local, $0), kept: nil) }
      return OutboxTransition(nil, [.unquarantine] + (lost.map { [$0] } ?? []) + leaving(policy))
    }
    // If the row comes back in a pull, the server may have applied the mutation the first time. That holds even for a
    // single send, because a proxy may repeat a request. Only values that another client may have raised by the same
    // amount then count as the server's.
    let isOthers = policy.isAppliedOnce || (sent.attempts == 0 && !policy.conflicts.merges.isEmpty)
    var entry = with(isOthers ? .unsent : .uncertain(sent))
    (entry.conflicts, entry.conflictReason) = (min(conflicts + 1, Self.stuckCount), reason)
    var effects = meanwhile.basis == .changed ? try deciding(policy) : []
    if let held = meanwhile.held {
      effects.append(.merge(held, .byPolicy))
    } else if entry.conflicts == Self.stuckCount {
      // The source had no news of the row, for example because it gave a deletion before the answer to the mutation.
      effects.append(.compareAll)
    }
    return OutboxTransition(entry, effects)
  }

  /// Decides about a change that the server didn't take and a row that was pulled while it was being sent: see
  /// ``ConflictPolicy/whileSending``.
  private func deciding(_ policy: OutboxPolicy) throws -> [OutboxEffect] {
    if row == base || (row != nil && base != nil && !policy.conflicts.isOfRows) { return [] }
    // It is no longer known which columns both sides changed: all differing columns count as changed by both sides.
    let start = policy.record.synced.columns.map { _ in StorageValue.null }
    let merge = try policy.merger(policy.conflicts.afterSending).merge(base: start, local: row, theirs: base)
    if merge.row == row { return [] }
    // A parent of the server's row may be deleted locally, or another row may have one of its unique values. Then the
    // server's row can't exist here, whichever side should win.
    let kept = try policy.merger(.localWins).merge(base: start, local: row, theirs: base)
    return [.attempt([.write(merge.row)] + merge.logs, orElse: kept.logs)]
  }

  /// - Parameter reason: Nil if a parent was refused together with it: it waits for that row and is sent with it.
  func refused(_ reason: String?) -> OutboxTransition {
    guard case .sending(let sent, let meanwhile) = state else { return OutboxTransition(self) }
    let held = meanwhile.held.map { [OutboxEffect.merge($0, .byPolicy)] } ?? []
    guard let reason else { return OutboxTransition(with(.unsent), held) }
    return OutboxTransition(
      with(meanwhile.isEdited ? .unsent : .refused(sent, reason: reason, isEdited: false)),
      [.quarantine(sent, reason: reason)] + held)
  }
}
