import Foundation
import GRDB
import Sanderling

/// Applies changes of a source inside of one transaction.
///
/// Most changes are one statement. A change that can't be applied yet waits: for the end of its batch where another row has what must be
/// unique, or parked for its parent. One that will never fit goes to the quarantine.
struct PullTransaction {
  let tx: WriteTransaction
  let tables: SyncTables
  let name: String
  let misfits: SyncOptions.Misfits
  let pullGuard: any PullGuard
  private let hasLocalChanges: Bool
  /// Whether keys are noted, since the source began anew.
  let isRestarting: Bool
  /// Whether each change is looked at by itself, with what it refers to and what waits for it.
  let isCareful: Bool
  private(set) var counts = SyncCounts()
  private(set) var hasParked: Bool
  private var hasQuarantined: Bool
  /// The statements of the row before.
  private var last: (number: Int, columns: [Int], statements: RowStatements)?
  /// Parked changes whose parents came.
  private var ready: [Int64] = []

  /// How many of the changes that wait for a row are applied with it; the others follow when all that waits is looked through.
  private static let readyLimit = 64

  /// Something that only a look at each change tells.
  struct NeedsCare: Error {}

  /// A row that has what another row must not have too; that one may change later in the batch.
  struct Collision: Error {
    /// The columns that are to be unique, where SQLite names them.
    let columns: [String]
  }

  init(
    _ tx: WriteTransaction, _ tables: SyncTables, name: String, misfits: SyncOptions.Misfits,
    guard pullGuard: any PullGuard,
    isRestarting: Bool, isCareful: Bool
  ) throws {
    self.tx = tx
    self.tables = tables
    self.name = name
    self.misfits = misfits
    self.pullGuard = pullGuard
    hasLocalChanges = try pullGuard.hasLocalChanges(tx.database)
    self.isRestarting = isRestarting
    self.isCareful = isCareful
    hasParked = try tx.isTrue(SyncState.hasParked, [.text(name)])
    hasQuarantined = try tx.isTrue(SyncState.hasQuarantined, [.text(name)])
  }

  /// Whether a reference leads nowhere, of those that this transaction wrote.
  var hasBrokenReferences: Bool { tx.database.hasBrokenReferences }

  /// Applies a change, or has it wait.
  ///
  /// - Parameter isLast: Whether nothing more comes that could make room for it.
  /// - Throws: ``Collision`` unless it is the last try, ``NeedsCare`` unless it is careful, ``SyncError/misfit(record:key:column:reason:)``.
  mutating func place(_ planned: PlannedChange, isLast: Bool) throws {
    try placeOne(planned, isLast: isLast)
    while let id = ready.popLast() {
      guard let parked = try parked(id) else { continue }
      // It stays parked where another row has what must be unique.
      do { try placeOne(parked, isLast: false) } catch is Collision {}
    }
  }

  /// Applies a parked change if it can be.
  ///
  /// - Returns: Whether it waits no more.
  mutating func placeParked(_ id: Int64) throws -> Bool {
    guard let parked = try parked(id), let number = parked.table else { return false }
    let missing = try missingParents(of: parked.change, tables.all[number])
    if try !missing.isEmpty && parkedAncestors(of: parked.change, missing) == nil { return false }
    let before = counts.parked
    try place(parked, isLast: true)
    return counts.parked == before
  }

  /// What waited for the row before stays as it was where the change has to wait itself.
  private mutating func placeOne(_ planned: PlannedChange, isLast: Bool) throws {
    guard hasParked || hasQuarantined else { return try placeAlone(planned, isLast: isLast) }
    let before = counts
    do {
      try tx.savepoint { try placeAlone(planned, isLast: isLast) }
    } catch {
      counts = before
      throw error
    }
  }

  private mutating func placeAlone(_ planned: PlannedChange, isLast: Bool) throws {
    guard let number = planned.table else {
      return try reject(planned.change, Misfit("the synchronisation has no record of this name"))
    }
    let table = tables.all[number]
    var planned = planned
    do {
      try table.requireKey(planned.change.key)
      if isRestarting { try noteSeen(planned.change, table) }
      try absorbWaiting(&planned)
      if hasLocalChanges, try merge(planned.change, table) { return }
      try isCareful ? placeCarefully(planned, table, number) : write(planned, table, number)
    } catch let misfit as Misfit {
      try reject(planned.change, misfit)
    } catch StoreError.constraint(let violation) {
      switch violation.kind {
      case .unique, .primaryKey:
        if !isLast { throw Collision(columns: violation.columns) }
        try reject(planned.change, Misfit(violation))
      case .foreignKey where !planned.change.isRow:
        if !isCareful { throw NeedsCare() }
        try park(planned.change, waitingFor: [])
      default: try reject(planned.change, Misfit(violation))
      }
    }
  }

  // MARK: Rows with local changes

  /// - Returns: Whether the row has any.
  private mutating func merge(_ change: SyncChange, _ table: SyncTable) throws -> Bool {
    do {
      return try merge(change, table, keepsLocal: false)
    } catch is NeedsCare {
      let missing = try missingParents(of: change, table)
      // A parent that was deleted here doesn't come: the server takes its deletion when what it has refers to it no more.
      if try missing.contains(where: isDeletedHere) {
        do { return try merge(change, table, keepsLocal: true) } catch is NeedsCare {}
      }
      try park(change, waitingFor: missing)
      return true
    }
  }

  private mutating func merge(_ change: SyncChange, _ table: SyncTable, keepsLocal: Bool) throws -> Bool {
    let isMerged = try tx.savepoint {
      let isMerged = try pullGuard.merge(change, of: table.record, in: tx.database, keepsLocal: keepsLocal)
      // Without care, all references are looked at in the end.
      if isCareful, isMerged, hasBrokenReferences { throw NeedsCare() }
      return isMerged
    }
    counts.unchanged += isMerged ? 1 : 0
    if isMerged, case .row(let values) = change.content {
      try keepUnknown(values.filter { table.places[$0.key] == nil }, of: change.key, table)
    }
    return isMerged
  }

  private func isDeletedHere(_ parent: Parent) throws -> Bool {
    guard let record = parent.record, let key = parent.recordKey, let number = tables.place(ofRecord: record) else {
      return false
    }
    return try pullGuard.isDeleted(StoredJSON.values(key), of: tables.all[number].record, in: tx.database)
  }

  // MARK: Rows

  private mutating func write(_ planned: PlannedChange, _ table: SyncTable, _ number: Int) throws {
    guard case .row(let values) = planned.change.content else { return try remove(planned.change, table) }
    let row = try table.row(planned.change.key, values)
    let statements = statements(table, number, row.columns)
    let isWritten =
      planned.isFresh && !statements.isComplete
      ? try replace(row, table, statements) : try upsert(row, planned.change.key, table, statements)
    counts.written += isWritten ? 1 : 0
    counts.unchanged += isWritten ? 0 : 1
    try keepUnknown(row.unknown, of: planned.change.key, table)
    if let version = planned.change.version {
      try tx.run(table.record.synced.setVersion, planned.change.key + [.text(version)])
    }
  }

  /// Rows of one record mostly come with the same columns.
  private mutating func statements(_ table: SyncTable, _ number: Int, _ columns: [Int]) -> RowStatements {
    if let last, last.number == number, last.columns == columns { return last.statements }
    let statements = tables.statements.statements(table, number: number, columns)
    last = (number, columns, statements)
    return statements
  }

  private func upsert(
    _ row: SyncTable.KnownRow, _ key: [StorageValue], _ table: SyncTable, _ statements: RowStatements
  ) throws -> Bool {
    if !statements.isComplete {
      if let update = statements.update, try tx.changes(update, row.values) { return true }
      if try tx.isFound(table.exists, key) { return false }
    }
    return try tx.changes(statements.insert, row.values)
  }

  private func replace(
    _ row: SyncTable.KnownRow, _ table: SyncTable, _ statements: RowStatements
  ) throws -> Bool {
    try tx.savepoint {
      try delete(Array(row.values.prefix(table.keyNames.count)), table)
      return try tx.changes(statements.insert, row.values)
    }
  }

  private mutating func remove(_ change: SyncChange, _ table: SyncTable) throws {
    let isRemoved = try delete(change.key, table)
    counts.removed += isRemoved ? 1 : 0
    counts.unchanged += isRemoved ? 0 : 1
    try tx.run(table.record.synced.deleteVersion, change.key)
    try tx.run(table.deleteExtra, change.key)
  }

  /// - Returns: Whether there was such a row.
  @discardableResult
  private func delete(_ key: [StorageValue], _ table: SyncTable) throws -> Bool {
    guard hasLocalChanges else { return try tx.changes(table.delete, key) }
    return try pullGuard.deleting(key, of: table.record, in: tx.database) { try tx.changes(table.delete, key) }
  }

  private func noteSeen(_ change: SyncChange, _ table: SyncTable) throws {
    try tx.run(change.isRow ? table.noteSeen : table.deleteSeen, change.key)
  }

  private func keepUnknown(_ values: [String: StorageValue], of key: [StorageValue], _ table: SyncTable) throws {
    if values.isEmpty { return }
    var kept: [String: StorageValue] = [:]
    try tx.run(table.selectExtra, key) { kept = try StoredJSON.row($0.text(at: 0)) }
    for column in values.keys where kept[column] == nil {
      try tx.run(SyncState.hasSeenUnknown, [.text(table.table.name), .text(column)])
    }
    kept.merge(values) { $1 }
    try tx.run(table.writeExtra, key + [.text(StoredJSON.text(kept))])
  }

  // MARK: Exchanged values

  /// Applies rows that have each other's values where they must be unique: all of them, or none.
  ///
  /// They get other values first, which nobody sees outside of the transaction.
  ///
  /// - Returns: Whether it did.
  mutating func exchange(_ held: [PlannedChange]) throws -> Bool {
    let before = counts
    do {
      try tx.savepoint {
        for planned in held {
          guard let number = planned.table else { continue }
          try setAside(planned.uniqueColumns, of: planned.change.key, tables.all[number])
        }
        for planned in held { try place(planned, isLast: false) }
        if hasBrokenReferences || counts.quarantined > before.quarantined { throw NeedsCare() }
      }
      return true
    } catch is NeedsCare {
    } catch is Collision {
    } catch StoreError.constraint {
    }
    counts = before
    return false
  }

  private func setAside(_ columns: [String], of key: [StorageValue], _ table: SyncTable) throws {
    for column in columns where !table.keyNames.contains(column) {
      guard let place = table.places[column] else { continue }
      let value: StorageValue =
        switch (table.table.columns[place].acceptsNull, table.table.columns[place].type) {
        case (true, _): .null
        case (_, .integer): .integer(.random(in: Int64.min...(-1 << 32)))
        default: .text(UUID().uuidString)
        }
      try tx.run(table.setAside(column), [value] + key)
    }
  }

  // MARK: Parents and children

  private mutating func placeCarefully(_ planned: PlannedChange, _ table: SyncTable, _ number: Int) throws {
    let missing = try missingParents(of: planned.change, table)
    var together = [planned]
    if !missing.isEmpty {
      guard let parents = try parkedAncestors(of: planned.change, missing) else {
        return try park(planned.change, waitingFor: missing)
      }
      together = parents + together
    }
    do {
      let before = counts
      do {
        try tx.savepoint {
          for planned in together {
            guard let number = planned.table else { continue }
            try write(planned, tables.all[number], number)
          }
          if hasBrokenReferences { throw NeedsCare() }
          for planned in together.dropLast() { try removeParked(planned.change) }
        }
      } catch {
        counts = before
        throw error
      }
    } catch is NeedsCare {
      // A removed row that others refer to waits until they are gone.
      if !planned.change.isRow || !missing.isEmpty { return try park(planned.change, waitingFor: missing) }
      throw Misfit("a reference leads nowhere")
    }
    for planned in together { try awaken(planned) }
  }

  private struct Parent: Hashable {
    let target: String
    let key: String
    /// The record and the key that it has in the parked changes; nil where that can't be known.
    let record: String?
    let recordKey: String?
  }

  /// What the row refers to and isn't there.
  private func missingParents(of change: SyncChange, _ table: SyncTable) throws -> [Parent] {
    guard case .row(let values) = change.content else { return [] }
    let key = Dictionary(uniqueKeysWithValues: zip(table.keyNames.map { $0.lowercased() }, change.key))
    let named = Dictionary(values.map { ($0.key.lowercased(), $0.value) }) { $1 }
    func value(_ column: String) -> StorageValue? { key[column.lowercased()] ?? named[column.lowercased()] }
    return try table.references.compactMap { reference in
      let wanted = reference.columns.compactMap(value)
      guard wanted.count == reference.columns.count, !wanted.contains(where: \.isNull) else { return nil }
      if reference.parent.lowercased() == table.table.name.lowercased(),
        reference.parentColumns.compactMap(value) == wanted
      {
        return nil
      }
      if try tx.isFound(reference.probe, wanted) { return nil }
      let byColumn = Dictionary(zip(reference.parentColumns.map { $0.lowercased() }, wanted)) { $1 }
      let parent = tables.all.first { $0.table.name.lowercased() == reference.parent.lowercased() }
      let recordKey = parent?.keyNames.compactMap { byColumn[$0.lowercased()] }
      let isKey = recordKey?.count == wanted.count && recordKey?.count == parent?.keyNames.count
      return Parent(
        target: reference.target, key: StoredJSON.text(wanted), record: isKey ? parent?.record.name : nil,
        recordKey: isKey ? recordKey.map { StoredJSON.text($0) } : nil)
    }
  }

  /// Parked changes that make up all that is missing, theirs included, as rows that refer to each other do; nil where something is
  /// really missing.
  private func parkedAncestors(of change: SyncChange, _ missing: [Parent]) throws -> [PlannedChange]? {
    let own = [change.record, StoredJSON.text(change.key)]
    var found: [PlannedChange] = []
    var visited: Set<[String]> = [own]
    var wanted = missing
    while let parent = wanted.popLast() {
      guard let record = parent.record, let key = parent.recordKey, let number = tables.place(ofRecord: record) else {
        return nil
      }
      guard visited.insert([record, key]).inserted else { continue }
      guard let waiting = try waiting(ParkedChanges.find, record, key), waiting.change.isRow else { return nil }
      found.append(PlannedChange(table: number, change: waiting.change))
      wanted += try missingParents(of: waiting.change, tables.all[number])
    }
    return found.reversed()
  }

  /// Takes down which parked changes can be applied, now that a row is there or gone.
  private mutating func awaken(_ planned: PlannedChange) throws {
    guard hasParked, let number = planned.table, case .row(let values) = planned.change.content else { return }
    let table = tables.all[number]
    let key = Dictionary(uniqueKeysWithValues: zip(table.keyNames.map { $0.lowercased() }, planned.change.key))
    let named = Dictionary(values.map { ($0.key.lowercased(), $0.value) }) { $1 }
    for columns in tables.targets[number] {
      let values = columns.compactMap { key[$0] ?? named[$0] }
      guard values.count == columns.count else { continue }
      let target = SyncTable.Reference.target(table.table.name, columns)
      try tx.run(
        ParkedChanges.waiting, [.text(target), .text(StoredJSON.text(values)), .integer(Int64(Self.readyLimit))]
      ) { ready.append(try $0.integer(at: 0, for: Int64.self)) }
    }
  }

  // MARK: What waits

  private mutating func park(_ change: SyncChange, waitingFor parents: [Parent]) throws {
    let id = try ParkedChanges.park(change, of: name, tx.database)
    try tx.run(ParkedChanges.forgetParents, [.integer(id)])
    for parent in parents { try tx.run(ParkedChanges.wait, [.text(parent.target), .text(parent.key), .integer(id)]) }
    hasParked = true
    counts.parked += 1
  }

  private func parked(_ id: Int64) throws -> PlannedChange? {
    var found: PlannedChange?
    try tx.run(ParkedChanges.load, [.text(name), .integer(id)]) { row in
      let change = try SyncChange(record: row.text(at: 0), key: row.text(at: 1), payload: row.text(at: 2))
      found = PlannedChange(table: tables.place(ofRecord: change.record), change: change)
    }
    return found
  }

  private func removeParked(_ change: SyncChange) throws {
    guard let id = try waiting(ParkedChanges.find, change.record, StoredJSON.text(change.key))?.id else { return }
    try tx.run(ParkedChanges.forgetParents, [.integer(id)])
    try tx.run(ParkedChanges.remove, [.integer(id)])
  }

  private func waiting(_ sql: String, _ record: String, _ key: String) throws -> (id: Int64, change: SyncChange)? {
    var found: (id: Int64, change: SyncChange)?
    try tx.run(sql, [.text(name), .text(record), .text(key)]) { row in
      found = (
        try row.integer(at: 0, for: Int64.self), try SyncChange(record: record, key: key, payload: row.text(at: 1))
      )
    }
    return found
  }

  /// Adds what waited for the record's row before, which it is then no more.
  private mutating func absorbWaiting(_ planned: inout PlannedChange) throws {
    guard hasParked || hasQuarantined else { return }
    let key = StoredJSON.text(planned.change.key)
    var earlier: [SyncChange] = []
    if hasParked, let parked = try waiting(ParkedChanges.find, planned.change.record, key) {
      try removeParked(parked.change)
      earlier.append(parked.change)
    }
    while hasQuarantined, let refused = try waiting(QuarantinedChanges.find, planned.change.record, key) {
      try tx.run(QuarantinedChanges.remove, [.integer(refused.id)])
      earlier.append(refused.change)
    }
    for change in earlier {
      var merged = PlannedChange(table: planned.table, change: change)
      merged.follow(planned.change)
      planned.change = merged.change
      planned.isFresh = planned.isFresh || merged.isFresh
    }
  }

  private mutating func reject(_ change: SyncChange, _ misfit: Misfit) throws {
    guard misfits == .quarantine else {
      throw SyncError.misfit(
        record: change.record, key: change.key, column: misfit.column, reason: misfit.reason)
    }
    try tx.run(
      QuarantinedChanges.add,
      [
        .text(name), .text(change.record), .text(StoredJSON.text(change.key)), .text(misfit.reason),
        misfit.column.map { .text($0) } ?? .null, .text(change.payload), .real(SyncState.now),
      ])
    hasQuarantined = true
    counts.quarantined += 1
  }
}
