import Sanderling

@testable import SanderlingSync

/// A model of a server with one row, which other devices change, too.
struct ModelServer {
  typealias Row = OutboxEntry.Row

  let policy: OutboxPolicy
  /// Whether the server gives versions to rows.
  let hasVersions: Bool
  private(set) var row: Row?
  /// The number of the row's state. Each change raises it.
  private(set) var number: Int64 = 1
  /// Whether the device can't see the row.
  private(set) var isHidden = false
  /// The number of the last deletion of a row that this row refers to.
  private(set) var parentDeletion: Int64 = 0
  private var history: [(row: Row?, isHidden: Bool)]
  /// Whether the server went back and hasn't reported that yet.
  var hasGoneBack = false
  /// The answers by the numbers of their mutations.
  private(set) var answers: [Int64: MutationOutcome] = [:]
  private(set) var lastValue: Int64 = 100

  init(_ row: Row, _ policy: OutboxPolicy, hasVersions: Bool) {
    (self.row, self.policy, self.hasVersions) = (row, policy, hasVersions)
    history = [(row, false)]
  }

  var version: String? { hasVersions ? String(number) : nil }

  var visibleRow: Row? { isHidden ? nil : row }

  /// The row's state as a source would send it.
  var change: SyncChange {
    let content: SyncChange.Content =
      if isHidden { .departure } else if let row {
        .row(Dictionary(uniqueKeysWithValues: zip(policy.record.synced.columns, row)))
      } else { .deletion }
    return SyncChange("notes", key: SampleEntries.key, content, version: version)
  }

  // MARK: Other clients

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

  /// Answers a mutation. The server remembers answers by number if it applies mutations once, and compares versions if
  /// it has them.
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

  /// Refuses a mutation that has no answer yet.
  ///
  /// - Returns: Whether the mutation was refused.
  mutating func refuse(_ mutation: Mutation, _ reason: String) -> Bool {
    guard answers[mutation.sequence] == nil else { return false }
    answers[mutation.sequence] = .refused(reason)
    return true
  }
}
