import Foundation
import GRDB
import Sanderling
import SanderlingSQL

/// Applies changes of a source inside of one transaction.
///
/// Most changes are one statement. A change that can't be applied yet waits: for the end of its batch where another row has what must be
/// unique, or parked for its parent. One that will never fit goes to the quarantine.
struct PullTransaction {
  let tx: WriteTransaction
  let tables: SyncTables
  let name: String
  let misfits: SyncOptions.Misfits
  /// Of a synchronisation that sends; nil where rows are as the source says, whatever the app did to them.
  let outbox: Outbox?
  private(set) var hasLocalChanges: Bool
  /// The records whose edits weren't noted: see ``UnnotedRecords``.
  var unnoted: [FoldedName: Int64]
  /// Whether keys are noted, since the source began anew.
  let isRestarting: Bool
  /// Whether each change is looked at by itself, with its parents and the changes that wait for it.
  let isCareful: Bool
  var counts = SyncCounts()
  var hasParked: Bool
  var hasQuarantined: Bool
  /// The statements of the row before.
  private var last: (number: Int, columns: [Int], statements: RowStatements)?
  /// By the numbers of tables that were written.
  private var forms: [Int: RowStatements.Form] = [:]
  /// Parked changes whose parents came.
  var ready: [Int64] = []
  /// How many rows were changed since they depend on one that is deleted.
  var cascaded = 0
  /// Whether a parked deletion still waits for what refers to its row.
  private(set) var hasWaitingDeletion = false

  /// How many of the changes that wait for a row are applied with it; the others follow when all that waits is looked through.
  static let readyLimit = 64

  /// Something that only a look at each change tells.
  struct NeedsCare: Error {}

  /// A row that has what another row must not have too; that one may change later in the batch.
  struct Collision: Error {
    /// The columns that are to be unique, where SQLite names them.
    let columns: [String]
  }

  init(
    _ tx: WriteTransaction, _ tables: SyncTables, name: String, misfits: SyncOptions.Misfits,
    outbox: Outbox?, isRestarting: Bool, isCareful: Bool
  ) throws {
    self.tx = tx
    self.tables = tables
    self.name = name
    self.misfits = misfits
    self.outbox = outbox
    hasLocalChanges = try outbox.map { try !$0.isEmpty(tx.database) } ?? false
    unnoted = try outbox == nil ? [:] : UnnotedRecords.sequences(of: name, tx.database)
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
  /// - Parameter isLast: Whether nothing more comes, so that a deletion needn't wait any longer for what refers to its row.
  /// - Returns: Whether it waits no more.
  mutating func placeParked(_ id: Int64, isLast: Bool) throws -> Bool {
    guard let parked = try parked(id), let number = parked.table else { return false }
    let missing = try missingParents(of: parked.change, tables.all[number])
    if try !missing.isEmpty && parkedAncestors(of: parked.change, missing) == nil { return false }
    let before = counts.parked
    try place(parked, isLast: true)
    if counts.parked == before { return true }
    guard parked.change.content == .deletion else { return false }
    guard isLast, let outbox,
      try outbox.keepReferred(parked.change, of: tables.all[number].record, in: tx.database)
    else {
      hasWaitingDeletion = true
      return false
    }
    hasLocalChanges = true
    try removeParked(parked.change)
    return true
  }

  /// Places a change. Changes that waited for its row before stay as they were where this change has to wait itself.
  mutating func placeOne(_ planned: PlannedChange, isLast: Bool) throws {
    guard hasParked || hasQuarantined else { return try placeAlone(planned, isLast: isLast) }
    let before = counts
    do {
      try tx.savepoint { try placeAlone(planned, isLast: isLast) }
    } catch {
      counts = before
      throw error
    }
  }

  mutating func placeAlone(_ planned: PlannedChange, isLast: Bool) throws {
    if let refusal = planned.change.refusal { return try reject(planned.change, Misfit(refusal.quarantined)) }
    guard let number = planned.table else {
      return try reject(planned.change, Misfit("the synchronisation has no record of this name"))
    }
    let table = tables.all[number]
    var planned = planned
    do {
      try table.requireKey(planned.change)
      if isRestarting { try noteSeen(planned.change, table) }
      try absorbWaiting(&planned)
      if try compareUnnoted(planned.change, table) { return }
      if hasLocalChanges {
        // A merged change is written without another look.
        if case .row(let values) = planned.change.content { _ = try table.row(planned.change, values) }
        if try merge(planned.change, table) { return }
      }
      try isCareful ? placeCarefully(planned, table, number) : write(planned, table, number)
    } catch let misfit as Misfit {
      try reject(planned.change, misfit)
    } catch StoreError.constraint(let violation) {
      // A trigger with RAISE(ROLLBACK) undid the earlier writes, too, and nothing can be put aside any more.
      guard tx.database.isInsideTransaction else { throw StoreError.constraint(violation) }
      if forms[number] == .failing { throw NeedsCare() }
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
  mutating func merge(_ change: SyncChange, _ table: SyncTable) throws -> Bool {
    do {
      return try merge(change, table, pulling)
    } catch is NeedsCare {
      let missing = try missingParents(of: change, table)
      // A parent that was deleted here doesn't come: the server takes its deletion when the server's rows refer to it no more.
      if try missing.contains(where: isDeletedHere) {
        do { return try merge(change, table, .keepingLocal) } catch is NeedsCare {}
      }
      try park(change, waitingFor: missing)
      return true
    }
  }

  /// A source that began anew may name a row with a version of before.
  var pulling: OutboxPulling { isRestarting ? .byPolicy : .news }

  mutating func merge(_ change: SyncChange, _ table: SyncTable, _ pulling: OutboxPulling) throws -> Bool {
    guard let outbox else { return false }
    let isMerged = try tx.savepoint {
      let isMerged = try outbox.merge(change, of: table.record, in: tx.database, pulling)
      // Without care, all references are looked at in the end.
      if isCareful, isMerged, hasBrokenReferences { throw NeedsCare() }
      return isMerged
    }
    counts.unchanged += isMerged ? 1 : 0
    if isMerged { try lookForParked() }
    if isMerged, case .row(let values) = change.content {
      try keepUnknown(table.unknown(values), of: change, table)
    }
    return isMerged
  }

  func isDeletedHere(_ parent: Parent) throws -> Bool {
    guard let record = parent.record, let key = parent.recordKey, let number = tables.place(ofRecord: record),
      let outbox
    else { return false }
    return try outbox.isDeleted(StoredJSON.values(key), of: tables.all[number].record, in: tx.database)
  }

  // MARK: Rows

  mutating func write(_ planned: PlannedChange, _ table: SyncTable, _ number: Int) throws {
    guard case .row(let values) = planned.change.content else { return try remove(planned.change, table) }
    let row = try table.row(planned.change, values)
    let statements = try statements(table, number, row.columns)
    let isWritten: Bool
    if row.computed.isEmpty {
      isWritten = try write(row, planned, table, statements)
    } else {
      isWritten = try tx.savepoint {
        let isWritten = try write(row, planned, table, statements)
        try requireComputed(row, planned.change.key, table)
        return isWritten
      }
    }
    counts.written += isWritten ? 1 : 0
    counts.unchanged += isWritten ? 0 : 1
    try keepUnknown(row.unknown, of: planned.change, table)
    if let version = planned.change.version {
      try tx.run(table.record.synced.setVersion, planned.change.key + [.text(version)])
    }
  }

  private mutating func write(
    _ row: SyncTable.KnownRow, _ planned: PlannedChange, _ table: SyncTable, _ statements: RowStatements
  ) throws -> Bool {
    planned.isFresh && !statements.isComplete
      ? try replace(row, table, statements) : try upsert(row, planned.change.key, table, statements)
  }

  /// Looks whether the table computes what the source says that it does.
  ///
  /// - Throws: ``Misfit`` where it doesn't: the source's value would be lost without a word.
  private func requireComputed(_ row: SyncTable.KnownRow, _ key: [StorageValue], _ table: SyncTable) throws {
    for (column, value) in row.computed {
      var isEqual = false
      try tx.run(table.select(column), key) { isEqual = $0.storageValue(at: 0).isEqual(to: value) }
      if isEqual { continue }
      let reason =
        "the table computes the column, and computes another value. Leave it out (FileOptions.ignoredColumns)"
      throw Misfit(reason, column: column)
    }
  }

  /// Rows of one record mostly come with the same columns.
  mutating func statements(_ table: SyncTable, _ number: Int, _ columns: [Int]) throws -> RowStatements {
    if let last, last.number == number, last.columns == columns { return last.statements }
    let statements = tables.statements.statements(table, number: number, columns, try form(table, number))
    last = (number, columns, statements)
    return statements
  }

  /// Where each change isn't looked at by itself, the transaction can be rolled back and be done with more care.
  private mutating func form(_ table: SyncTable, _ number: Int) throws -> RowStatements.Form {
    if let known = forms[number] { return known }
    var form = RowStatements.Form.upsert
    try tx.run(SyncTable.form, [.text(table.table.name)]) {
      form = RowStatements.Form(rawValue: try $0.integer(at: 0, for: Int64.self)) ?? .upsert
    }
    if isCareful, form == .failing { form = .apart }
    forms[number] = form
    return form
  }

  func upsert(
    _ row: SyncTable.KnownRow, _ key: [StorageValue], _ table: SyncTable, _ statements: RowStatements
  ) throws -> Bool {
    if try !statements.isUpsert && tx.isFound(table.exists, key) {
      return try statements.update.map { try tx.changes($0, row.values) } ?? false
    }
    let isWritten = try tx.changes(statements.insert, row.values)
    // It isn't there, and doesn't come.
    if !isWritten, !statements.isUpsert { throw Misfit("a trigger of the table ignores it") }
    return isWritten
  }

  mutating func replace(
    _ row: SyncTable.KnownRow, _ table: SyncTable, _ statements: RowStatements
  ) throws -> Bool {
    try tx.savepoint {
      try delete(Array(row.values.prefix(table.keyNames.count)), table)
      return try tx.changes(statements.insert, row.values)
    }
  }

  mutating func remove(_ change: SyncChange, _ table: SyncTable) throws {
    let isRemoved = try delete(change.key, table)
    counts.removed += isRemoved ? 1 : 0
    counts.unchanged += isRemoved ? 0 : 1
    try tx.run(table.record.synced.deleteVersion, change.key)
    try tx.run(table.deleteExtra, change.key)
  }

  /// - Returns: Whether there was such a row.
  @discardableResult
  mutating func delete(_ key: [StorageValue], _ table: SyncTable) throws -> Bool {
    guard hasLocalChanges, let outbox else { return try tx.changes(table.delete, key) }
    let isDeleted = try outbox.deleting(key, of: table.record, in: tx.database, at: Date()) {
      try tx.changes(table.delete, key)
    }
    try lookForParked()
    return isDeleted
  }

  /// Rows that go with a deleted row may be parked: see ``Outbox/deleting(_:of:in:at:_:)``.
  mutating func lookForParked() throws {
    if !hasParked { hasParked = try tx.isTrue(SyncState.hasParked, [.text(name)]) }
  }

  mutating func lookForEntries() throws {
    if !hasLocalChanges, let outbox { hasLocalChanges = try !outbox.isEmpty(tx.database) }
  }

  func noteSeen(_ change: SyncChange, _ table: SyncTable) throws {
    try tx.run(change.isRow ? table.noteSeen : table.deleteSeen, change.key)
  }

  func keepUnknown(_ values: [String: StorageValue], of change: SyncChange, _ table: SyncTable) throws {
    if values.isEmpty { return }
    var kept = KeptValues()
    try tx.run(table.selectExtra, change.key) { kept = try KeptValues(json: $0.text(at: 0)) }
    for column in values.keys where kept.values[column] == nil {
      try tx.run(SyncState.hasSeenUnknown, [.text(table.table.name), .text(column)])
    }
    kept.merge(values, areFields: change.isOfFields)
    try tx.run(table.writeExtra, change.key + [.text(kept.json)])
  }
}
