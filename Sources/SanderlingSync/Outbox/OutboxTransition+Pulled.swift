import Sanderling

/// The source's changes of a row with a pending change.
extension OutboxEntry {
  func pulled(
    _ change: SyncChange, _ version: String?, _ pulling: OutboxPulling, _ policy: OutboxPolicy
  ) throws -> OutboxTransition {
    if pulling == .news, Self.isEarlier(change.version, than: version) == true { return OutboxTransition(self) }
    guard case .sending(let sent, var meanwhile) = state else {
      if change.isDeparture { return OutboxTransition(departed) }
      let conflicts: ConflictPolicy =
        switch pulling {
        case .byPolicy, .news: policy.conflicts
        case .keepingLocal: .localWins
        case .unordered: policy.conflicts.whileSending
        }
      return try merged(change, version, conflicts, policy)
    }
    if change.isDeparture {
      meanwhile.held = nil
      return OutboxTransition(departed.with(.sending(sent, meanwhile)))
    }
    // A counter would count the mutation twice or not at all: only the answer shows whether the change contains it. A
    // possibly older deletion of a row that is being inserted says nothing of its columns, but follows a change that is
    // already held.
    let isHeld = !policy.conflicts.merges.isEmpty && (change.isRow || base != nil || meanwhile.held != nil)
    let merge = isHeld ? nil : try merged(change, version, policy.conflicts.whileSending, policy)
    // With versions, the server still has the row that the mutation is based on. Without versions, another device may
    // have restored it.
    let isRepetition = tellsBase(change, policy) && (change.version == nil || change.version == version)
    if meanwhile.held == nil || !isHeld, isRepetition {
      if change.version == nil, meanwhile.basis == .asSent { meanwhile.basis = .toldAgain }
      var entry = with(.sending(sent, meanwhile))
      entry.isDeparted = false
      return OutboxTransition(entry)
    }
    if let merge { return merge }
    meanwhile.held = meanwhile.held.map { change.following($0) ?? change } ?? change
    var entry = with(.sending(sent, meanwhile))
    entry.isDeparted = false
    return OutboxTransition(entry)
  }

  /// The row leaves when the server has this device's changes.
  private var departed: OutboxEntry {
    var entry = self
    entry.isDeparted = true
    return entry
  }

  private func merged(
    _ change: SyncChange, _ version: String?, _ conflicts: ConflictPolicy, _ policy: OutboxPolicy
  ) throws -> OutboxTransition {
    let table = policy.record.synced
    var theirs = table.row(of: change)
    // A row that comes back as it was sent is this device's own: no other device changed it.
    let isEcho = sent.map { $0.row == theirs.map { table.filling($0, from: self.base) } } ?? false
    var isTaken = false
    if case .taken(let sent, let version) = state, sent.kind == .insertion, self.base == nil, theirs != nil {
      isTaken = Self.isEarlier(change.version, than: version) != true
    }
    var base = isEcho || isTaken ? sent?.row : self.base
    if case .returned(let former) = state {
      base = returnedBase(former, theirs.map { table.filling($0, from: former.last ?? nil) }, conflicts, table)
    }
    if base == nil, row == nil, let named = theirs {
      // If a row was inserted and deleted locally before the answer, other clients may have changed it since. Without a
      // base it would be a new row that this device hasn't deleted. Another client may also have inserted it, so an
      // unnamed column has no value there.
      base = sent?.row
      theirs = table.filling(named, from: nil)
    }
    var isPartlyEcho = false
    if let known = base, let theirs {
      let echoed = withEcho(known, theirs, conflicts, table)
      (isPartlyEcho, base) = (echoed != known, echoed)
    }
    let merge = try policy.merger(conflicts).merge(base: base, local: row, theirs: theirs)
    var entry = self
    if case .sending(let sent, var meanwhile) = state {
      entry.rebase(merge.base, &meanwhile)
      entry.state = .sending(sent, meanwhile)
    } else {
      // A source that repeats the same row brings no news: the conflict stays.
      entry.rebase(merge.base, isNews: self.base != merge.base || change.version != version)
      // The source was polled after the server took it.
      if isReturned { entry.state = .unsent }
      if case .taken = state, change.isRow { entry.state = .unsent }
    }
    // The server had these rows and may go back to them.
    var kept: [OutboxEffect] = []
    if isSending || isEcho || isPartlyEcho, self.base != merge.base { kept = [.keep([self.base, merge.base])] }
    if case .returned(let former) = state { kept = [.keep(former)] }
    return OutboxTransition(
      entry,
      [.write(merge.row), .look, .setVersion(merge.base == nil ? nil : change.version)] + merge.logs + kept)
  }

  /// The base, if the row contains the sent values: other clients changed only the remaining columns.
  ///
  /// A column with a merge of its own counts only if the whole row agrees: another client may have raised a counter by
  /// the same amount.
  private func withEcho(
    _ base: Row, _ theirs: [StorageValue?], _ conflicts: ConflictPolicy, _ table: SyncedTable
  ) -> Row {
    guard let sent, let row = sent.row else { return base }
    return base.indices.map { place in
      let hasMerge = conflicts.merges[table.columns[place]] != nil
      return sent.columns.contains(place) && !hasMerge && theirs[place] == row[place] ? row[place] : base[place]
    }
  }

  /// Returns the base for a row of a server that went back. A row, or values, that the server had before are no changes
  /// by other authors.
  private func returnedBase(
    _ former: [Row?], _ theirs: Row?, _ conflicts: ConflictPolicy, _ table: SyncedTable
  ) -> Row? {
    if former.contains(theirs) { return theirs }
    guard let oldest = former.first ?? nil, let theirs else { return former.first ?? nil }
    return oldest.indices.map { place in
      let isFormer =
        conflicts.merges[table.columns[place]] == nil && former.contains { $0?[place] == theirs[place] }
      return isFormer ? theirs[place] : oldest[place]
    }
  }

  /// Whether a change says that the row equals the base of the local changes.
  func tellsBase(_ change: SyncChange, _ policy: OutboxPolicy) -> Bool {
    let table = policy.record.synced
    return table.row(of: change).map { table.filling($0, from: base) } == base
  }

  /// Whether a version precedes another one of the same row; nil if unknown. Only integers grow, as times and counters
  /// do.
  static func isEarlier(_ version: String?, than other: String?) -> Bool? {
    // A version may have the row's own id after it.
    func number(_ stored: String?) -> Int64? { HTTPVersion(stored: stored).version.flatMap { Int64($0) } }
    guard let version = number(version), let other = number(other), version != other else { return nil }
    return version < other
  }
}

extension RowMerge {
  var logs: [OutboxEffect] { losses.map { .log($0, kept: row) } }
}

extension SyncedTable {
  /// The values that a change gives to each column; nil for a missing row.
  func row(of change: SyncChange) -> [StorageValue?]? {
    guard case .row(let values) = change.content else { return nil }
    return columns.enumerated().map { index, column in
      key.firstIndex(of: index).map { change.key[$0] } ?? values[column]
    }
  }

  /// The row, with unnamed columns unchanged.
  func filling(_ row: [StorageValue?], from base: [StorageValue]?) -> [StorageValue] {
    columns.indices.map { row[$0] ?? base?[$0] ?? .null }
  }
}
