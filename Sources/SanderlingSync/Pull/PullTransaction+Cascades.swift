import GRDB
import Sanderling

/// Rows that change together with a row that a source deletes.
///
/// SQLite changes all of them in the statement that deletes the row, while the app's writes wait. So they are changed
/// beforehand, children first, in as many transactions as needed.
extension PullTransaction {
  /// The greatest number of dependent rows that are changed in one transaction.
  static let cascadeLimit = 256
  private static let cascadePage = 64

  /// A row that a deletion changes. The root is the deleted row.
  private struct Dependent {
    let number: Int
    let key: [StorageValue]
    /// The reference of the row to the row above; nil for the root.
    let reference: SyncTables.Dependence?

    var mark: [StorageValue] { [.integer(Int64(number))] + key }
  }

  /// Changes rows that depend on a row to be deleted, so that few remain for the statement that deletes it.
  ///
  /// Rows with pending changes are left to that statement: see ``Outbox/deleting(_:of:in:at:_:)``.
  ///
  /// - Parameter began: The start of the transaction, if it may be split.
  /// - Returns: Whether the deletion can be applied now. If not, another transaction continues.
  mutating func makeRoom(for planned: PlannedChange, since began: ContinuousClock.Instant?) throws -> Bool {
    guard let number = planned.table, try removesRow(planned.change, number) else { return true }
    let root = Dependent(number: number, key: planned.change.key, reference: nil)
    var path = [root]
    var visited: Set<[StorageValue]> = [root.mark]
    while let dependent = path.last {
      let others = try dependents(of: dependent).filter { !visited.contains($0.mark) }
      if !others.isEmpty {
        visited.formUnion(others.map(\.mark))
        path += others
        continue
      }
      path.removeLast()
      guard dependent.reference != nil else { break }
      if cascaded == Self.cascadeLimit { return false }
      try change(dependent)
      cascaded += 1
      if let began, .now - began > SlicePace.target { return false }
    }
    return true
  }

  /// Makes room for a parked change, as ``makeRoom(for:since:)`` does for a planned one.
  mutating func makeRoom(forParked id: Int64, since began: ContinuousClock.Instant?) throws -> Bool {
    guard let planned = try parked(id) else { return true }
    return try makeRoom(for: planned, since: began)
  }

  /// Whether a deletion removes its row, with no reference that prevents it.
  private func removesRow(_ change: SyncChange, _ number: Int) throws -> Bool {
    let table = tables.all[number]
    guard !change.isRow, change.refusal == nil, !tables.dependences[number].isEmpty,
      change.key.count == table.keyNames.count, !change.hasNullInKey
    else { return false }
    for reference in tables.dependences[number] where reference.action == .restrict {
      let keys = try keys(referring: reference, to: change.key, limit: 2)
      if keys.contains(where: { reference.child != number || $0 != change.key }) { return false }
    }
    guard hasLocalChanges, let outbox else { return true }
    return try outbox.removesRow(change, of: table.record, tx.database, pulling)
  }

  private func dependents(of parent: Dependent) throws -> [Dependent] {
    if parent.reference?.action == .setNull { return [] }
    return try tables.dependences[parent.number].flatMap { reference in
      guard reference.action != .restrict else { return [Dependent]() }
      return try keys(referring: reference, to: parent.key, limit: Self.cascadePage).map {
        Dependent(number: reference.child, key: $0, reference: reference)
      }
    }
  }

  /// The keys of some rows that refer to a key. Rows with pending changes are included only if they restrict its
  /// deletion.
  private func keys(
    referring reference: SyncTables.Dependence, to key: [StorageValue], limit: Int
  ) throws -> [[StorageValue]] {
    let child = tables.all[reference.child]
    let isOfUnchanged = outbox != nil && reference.action != .restrict
    var keys: [[StorageValue]] = []
    try tx.run(
      child.selectReferring(reference.columns, withoutChanges: isOfUnchanged),
      reference.places.map { key[$0] } + [.integer(Int64(limit))]
    ) { row in
      keys.append(child.keyNames.indices.map { row.storageValue(at: Int32($0)) })
    }
    return keys
  }

  /// Applies the reference's action to one row. If a constraint prevents it, the row is left to the statement that
  /// deletes the parent.
  private mutating func change(_ dependent: Dependent) throws {
    guard let reference = dependent.reference else { return }
    let table = tables.all[dependent.number]
    let wasBroken = hasBrokenReferences
    do {
      try tx.savepoint {
        switch reference.action {
        case .cascade:
          try delete(dependent.key, table)
          try tx.run(table.record.synced.deleteVersion, dependent.key)
          try tx.run(table.deleteExtra, dependent.key)
        case .setNull: try tx.run(table.setNull(reference.columns), dependent.key)
        case .restrict: break
        }
        if !wasBroken, hasBrokenReferences { throw NeedsCare() }
      }
    } catch is NeedsCare {
    } catch StoreError.constraint(let violation) {
      // A trigger with RAISE(ROLLBACK) also undid the earlier writes.
      guard tx.database.isInsideTransaction else { throw StoreError.constraint(violation) }
    }
  }
}

extension SyncTable {
  /// The keys of some rows with given values in columns.
  func selectReferring(_ columns: [String], withoutChanges: Bool) -> String {
    var conditions = columns.map { "present.\($0.quotedIdentifier) = ?" }
    if withoutChanges {
      let isOfRow = zip(keyAliases, keyNames).map { "entry.\($0) = present.\($1.quotedIdentifier)" }
      conditions.append(
        "NOT EXISTS (SELECT 1 FROM main.\(record.synced.changes) AS entry WHERE \(isOfRow.joined(separator: " AND ")))")
    }
    return "SELECT \(keyNames.map { "present.\($0.quotedIdentifier)" }.joined(separator: ", ")) "
      + "FROM main.\(name) AS present WHERE \(conditions.joined(separator: " AND ")) LIMIT ?"
  }

  func setNull(_ columns: [String]) -> String {
    let assignments = columns.map { "\($0.quotedIdentifier) = NULL" }.joined(separator: ", ")
    return "UPDATE main.\(name) SET \(assignments) WHERE \(keyCondition)"
  }
}

extension Outbox {
  /// Whether the source's deletion removes the row, even if a change of it may be pending.
  func removesRow(
    _ change: SyncChange, of record: SyncedRecord, _ db: Database, _ pulling: OutboxPulling
  ) throws -> Bool {
    guard let entry = try record.entry(change.key, db) else { return true }
    let event = OutboxEvent.pulled(change, version: try record.synced.version(change.key, db), pulling)
    let policy = OutboxPolicy(record: record, isAppliedOnce: isAppliedOnce)
    return try OutboxEntry.transition(entry, event, policy).effects.contains(.write(nil))
  }
}
