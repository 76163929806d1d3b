@testable import SanderlingSync

/// The source's statements, applied as ``Puller`` applies them.
extension ModelDevice {
  enum Statement {
    case news([Fact], cursor: Int64)
    /// The source restarts and sends all its rows.
    case beginning([Fact], cursor: Int64, hasGoneBack: Bool)
    case page([Fact])
    /// The source has listed all its rows.
    case end
  }

  enum Fact {
    case change(SyncChange)
    /// The server deletes the row that the device's row refers to.
    case parentDeletion
  }

  /// The staged changes, which wait for their checkpoint.
  struct Stage {
    var changes: [(number: Int64, fact: Fact)] = []
    /// Whether the source restarted with these changes.
    var restarts = false
    /// Whether the source has listed all its rows.
    var isWhole = false
  }

  struct Comparison {
    /// The last mutation number when the source restarted.
    let sequence: Int64
    /// Whether the restart was applied. A staged restart waits for its checkpoint.
    var isUnderWay: Bool
    var isSeen = false
  }

  // MARK: The source

  mutating func ask(isLater: Bool) {
    guard statement == nil else { return }
    let named = server.visibleRow == nil ? [] : [Fact.change(server.change)]
    if server.hasGoneBack || (isComparisonDue && hasNamed == nil) {
      statement = .beginning(isLater ? [] : named, cursor: server.number, hasGoneBack: server.hasGoneBack)
      (server.hasGoneBack, hasNamed) = (false, !isLater)
    } else if let hasNamed {
      statement = hasNamed ? .end : .page(named)
      self.hasNamed = true
    } else if server.number > cursor {
      let deletion = server.parentDeletion > cursor ? [Fact.parentDeletion] : []
      statement = .news(deletion + [.change(server.change)], cursor: server.number)
    } else {
      statement = .news([], cursor: server.number)
    }
  }

  // MARK: The device

  mutating func apply() throws {
    guard let statement else { return }
    self.statement = nil
    switch statement {
    case .news(let facts, let cursor):
      self.cursor = cursor
      try take(facts)
      if stage == nil { endLook() }
    case .beginning(let facts, let cursor, let hasGoneBack):
      if hasGoneBack, !kept.isEmpty {
        lastNumber += 1
        let rows = kept
        kept = []
        try run(.wentBack(rows, row: row, number: lastNumber))
      }
      self.cursor = cursor
      stage = isStaging ? Stage(restarts: true) : nil
      comparison = Comparison(sequence: lastNumber, isUnderWay: !isStaging)
      if !isStaging { isComparisonDue = false }
      try take(facts)
    case .page(let facts): try take(facts)
    case .end:
      hasNamed = nil
      if stage == nil { try endComparison() } else { stage?.isWhole = true }
    }
  }

  private mutating func take(_ facts: [Fact]) throws {
    if isStaging, stage == nil { stage = Stage() }
    for fact in facts { if isStaging { addStaged(fact) } else { try place(fact) } }
  }

  mutating func addStaged(_ fact: Fact) {
    lastStaged += 1
    stage?.changes.append((lastStaged, fact))
    tell(fact)
  }

  private mutating func endLook() { awaitedLooks = max(awaitedLooks - 1, 0) }

  private mutating func tell(_ fact: Fact) {
    if case .change(let change) = fact { told.insert(policy.record.synced.row(of: change)?.map { $0 ?? .null }) }
  }

  mutating func applyStage() throws {
    guard let stage else { return }
    if stage.restarts {
      comparison?.isUnderWay = true
      comparison?.isSeen = false
      isComparisonDue = false
    }
    while self.stage?.changes.isEmpty == false {
      if let fact = self.stage?.changes.removeFirst().fact { try place(fact) }
    }
    self.stage = nil
    if stage.isWhole { try endComparison() }
    // A checkpoint within a comparison doesn't end a poll.
    if comparison == nil, !stage.isWhole { endLook() }
  }

  private mutating func place(_ fact: Fact) throws {
    guard case .change(let change) = fact else { return try cascade(isRestored: false) }
    tell(fact)
    if change.isRow { comparison?.isSeen = true }
    // A staged mutation that the server accepted contains only the columns that were sent.
    let table = policy.record.synced
    let theirs = table.row(of: change).map { table.filling($0, from: row) }
    if entry == nil {
      (row, version) = (theirs, theirs == nil ? nil : change.version)
    } else {
      try run(.pulled(change, version: version, comparison == nil ? .news : .byPolicy))
    }
  }

  /// Ends the comparison. A row that the source didn't list is deleted.
  private mutating func endComparison() throws {
    if comparison?.isSeen == false, row != nil || entry?.base != nil {
      try place(.change(SyncChange("notes", key: SampleEntries.key, .deletion)))
    }
    if entry?.conflicts == OutboxEntry.stuckCount { try run(.allNamed) }
    comparison = nil
    endLook()
  }
}
