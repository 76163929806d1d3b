@testable import SanderlingSync

/// Mutations and their answers, as ``PushLoop`` sends and settles them.
extension ModelDevice {
  static let parentRefusal = "the row that it refers to was refused"

  mutating func send(isAfterPull: Bool) throws {
    guard sending == nil, awaitedLooks == 0, entry?.isSendable == true || isAfterPull else { return }
    if isAfterPull {
      guard statement == nil, stage == nil, hasNamed == nil, comparison == nil else { return }
    } else if entry?.isUncertain == true, entry?.row != nil {
      return
    }
    try run(.due(isAfterPull: isAfterPull))
    guard entry?.isSendable == true, entry?.difference != nil else { return }
    lastNumber += 1
    try run(.sent(number: lastNumber, version: version))
    sending = entry?.sent?.mutation(policy.record, key: SampleEntries.key, client: "device")
    stagedBefore = lastStaged
  }

  mutating func refuse(_ reason: String) {
    if let sending, answer == nil, server.refuse(sending, reason) { answer = .refused(reason) }
  }

  /// Stores an acknowledgement at once, and settles it when all polls that may be older than the mutation have ended.
  mutating func takeAnswer() throws {
    guard let answer else { return }
    if case .acknowledged(let version) = answer {
      if entry?.isAnswered != true { try run(.answered(.init(version: version, lastStaged: stagedBefore))) }
      if statement != nil { return }
    }
    (self.answer, sending) = (nil, nil)
    try settle(answer)
  }

  private mutating func settle(_ outcome: MutationOutcome) throws {
    guard let before = entry, let sent = before.sent, before.isSending else { return }
    switch outcome {
    case .acknowledged(let version):
      told.insert(sent.row)
      let look = look(sent)
      try run(.acknowledged(version: version, look))
      // The next pull or comparison shows the state of the row at the server.
      let isCompared = look.isComparedBefore == false && entry?.state != .unsent
      awaitedLooks = entry.map { $0.isUncertain || isCompared } == true ? 1 : 0
    case .conflict, .conflicting:
      try run(.conflicted(reason: nil))
      var isRefused = false
      if case .refused? = entry?.state { isRefused = true }
      let isFree = isRefused || (entry.map { !$0.isUncertain && isRebased(before, sent) } ?? false)
      // The mutation may conflict with itself. A poll that began earlier can't show that.
      let isOlder = !policy.isAppliedOnce && (statement != nil || stage != nil)
      awaitedLooks = isFree ? 0 : isOlder ? 2 : 1
    case .refused(Self.parentRefusal): try run(.parentRefused)
    case .refused(let reason): try run(.refused(reason: reason))
    case .failed(let reason, _): try run(.failed(reason: reason))
    }
  }

  private func look(_ sent: OutboxEntry.Sent) -> OutboxLook {
    let staged = stage?.changes.last { $0.number > stagedBefore }
    var look = OutboxLook(isStaging: stage != nil)
    if case .change(let change)? = staged?.fact { look.staged = change }
    if sent.kind != .deletion, let comparison { look.isComparedBefore = sent.number > comparison.sequence }
    return look
  }

  private func isRebased(_ entry: OutboxEntry, _ sent: OutboxEntry.Sent) -> Bool {
    guard case .sending(_, let meanwhile) = entry.state, policy.isAppliedOnce || sent.attempts == 0 else {
      return false
    }
    return meanwhile.basis == .changed || meanwhile.held != nil
  }
}
