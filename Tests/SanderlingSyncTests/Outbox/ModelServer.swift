import Sanderling

@testable import SanderlingSync

/// A server with one row, and other devices that change it.
struct ModelServer {
  typealias Row = OutboxEntry.Row

  let policy: OutboxPolicy
  /// Whether it gives versions.
  let hasVersions: Bool
  private(set) var row: Row?
  /// Grows with each change.
  private(set) var number: Int64 = 1
  /// Whether the device doesn't see the row.
  private(set) var isHidden = false
  /// The number of the last deletion of a row that this one refers to.
  private(set) var parentDeletion: Int64 = 0
  private var history: [(row: Row?, isHidden: Bool)]
  /// Whether it went back, and hasn't said so.
  var hasGoneBack = false
  /// By the numbers of the mutations.
  private(set) var answers: [Int64: MutationOutcome] = [:]
  private(set) var lastValue: Int64 = 100

  init(_ row: Row, _ policy: OutboxPolicy, hasVersions: Bool) {
    (self.row, self.policy, self.hasVersions) = (row, policy, hasVersions)
    history = [(row, false)]
  }

  var version: String? { hasVersions ? String(number) : nil }

  var visibleRow: Row? { isHidden ? nil : row }

  /// How it says that the row is.
  var change: SyncChange {
    let content: SyncChange.Content =
      if isHidden { .departure } else if let row {
        .row(Dictionary(uniqueKeysWithValues: zip(policy.record.synced.columns, row)))
      } else { .deletion }
    return SyncChange("notes", key: SampleEntries.key, content, version: version)
  }

  // MARK: Others

  mutating func take(_ step: ModelDevice.Step) {
    switch step {
    case .othersEdit(let column): if let row { set(changed(row, column), isHidden) }
    case .othersDelete: if row != nil { set(nil) }
    case .othersMake: if row == nil { set(newRow()) }
    case .othersDeleteParent:
      if row != nil {
        set(nil)
        parentDeletion = number
      }
    case .othersHide: if row != nil, !isHidden { set(row, true) }
    case .othersShow: if isHidden { set(row) }
    default: break
    }
  }

  private mutating func value() -> StorageValue {
    lastValue += 1
    return .integer(lastValue)
  }

  mutating func changed(_ row: Row, _ column: Int) -> Row {
    var row = row
    row[column] = value()
    return row
  }

  mutating func newRow() -> Row { [.text("a"), value(), value()] }

  private mutating func set(_ row: Row?, _ isHidden: Bool = false) {
    (self.row, self.isHidden) = (row, isHidden)
    number += 1
    history.append((row, isHidden))
  }

  mutating func goBack() {
    guard history.count > 1 else { return }
    history.removeLast()
    let last = history.removeLast()
    set(last.row, last.isHidden)
    (answers, hasGoneBack) = ([:], true)
  }

  // MARK: Mutations

  /// By number, or by version: what a server of either kind does.
  mutating func take(_ mutation: Mutation) -> MutationOutcome {
    if policy.isAppliedOnce, let known = answers[mutation.sequence] { return known }
    let isFit: Bool
    switch mutation.content {
    case .insertion: isFit = row == nil
    case .update, .deletion: isFit = row != nil && (!hasVersions || mutation.baseVersion == version)
    }
    var outcome = MutationOutcome.conflict
    if isFit {
      switch mutation.content {
      case .insertion(let values), .update(let values):
        set(policy.record.synced.columns.enumerated().map { values[$1] ?? row?[$0] ?? .null }, isHidden)
      case .deletion: set(nil)
      }
      outcome = .acknowledged(version: version)
    }
    answers[mutation.sequence] = outcome
    return outcome
  }

  /// - Returns: Whether it had no answer yet.
  mutating func refuse(_ mutation: Mutation, _ reason: String) -> Bool {
    guard answers[mutation.sequence] == nil else { return false }
    answers[mutation.sequence] = .refused(reason)
    return true
  }
}
