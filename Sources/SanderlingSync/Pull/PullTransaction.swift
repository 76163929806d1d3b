import Foundation
import GRDB
import Sanderling
import SanderlingSQL

/// Applies a source's changes inside one transaction.
///
/// Most changes are one statement. A change that can't be applied yet waits: until the end of its batch if another row
/// has its unique value, or parked for its parent. A change that can never fit goes to the quarantine.
struct PullTransaction {
  let tx: WriteTransaction
  let tables: SyncTables
  let name: String
  let misfits: SyncOptions.Misfits
  /// The outbox of a synchronisation that sends; nil if the source's rows replace all local edits.
  let outbox: Outbox?
  private(set) var hasLocalChanges: Bool
  /// The records with unrecorded edits: see ``UnnotedRecords``.
  var unnoted: [FoldedName: Int64]
  /// Whether named keys are recorded, after a restart of the source.
  let isRestarting: Bool
  /// Whether each change is checked individually, with its parents and the changes that wait for it.
  let isCareful: Bool
  var counts = SyncCounts()
  var hasParked: Bool
  var hasQuarantined: Bool
  /// The statements of the previous row.
  private var last: (number: Int, columns: [Int], statements: RowStatements)?
  /// The form of the statements for each table that was written, by the table's number.
  private var forms: [Int: RowStatements.Form] = [:]
  /// Parked changes whose parents have arrived.
  var ready: [Int64] = []
  /// The number of rows that were changed because they depend on a deleted one.
  var cascaded = 0
  /// Whether a parked deletion still waits for rows that refer to its row.
  private(set) var hasWaitingDeletion = false

  /// The greatest number of waiting changes that are applied with the row they wait for. The others follow when all
  /// parked changes are processed.
  static let readyLimit = 64

  /// Thrown if only an individual check of each change can decide.
  struct NeedsCare: Error {}

  /// Another row has a unique value of this one, and may change later in the batch.
  struct Collision: Error {
    /// The unique columns, if SQLite names them.
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

  /// Whether a reference written in this transaction is broken.
  var hasBrokenReferences: Bool { tx.database.hasBrokenReferences }

  /// Applies a change, or makes it wait.
  ///
  /// - Parameter isLast: Whether no later change can make room for it.
  /// - Throws: ``Collision`` unless it is the last attempt, ``NeedsCare`` unless the transaction is careful,
  ///   ``SyncError/misfit(record:key:column:reason:)``.
  mutating func place(_ planned: PlannedChange, isLast: Bool) throws {
    try placeOne(planned, isLast: isLast)
    while let id = ready.popLast() {
      guard let parked = try parked(id) else { continue }
      // The change stays parked if another row has its unique value.
      do { try placeOne(parked, isLast: false) } catch is Collision {}
    }
  }

  /// Applies a parked change if possible.
  ///
  /// - Parameter isLast: Whether no further change follows, so that a deletion need not wait any longer for rows that
  ///   refer to its row.
  /// - Returns: Whether the change is no longer parked.
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

  /// Places a change. If the change itself must wait, earlier waiting changes of its row stay unchanged.
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
        // A merged change is written without a further check.
        if case .row(let values) = planned.change.content { _ = try table.row(planned.change, values) }
        if try merge(planned.change, table) { return }
      }
      try isCareful ? placeCarefully(planned, table, number) : write(planned, table, number)
    } catch let misfit as Misfit {
      try reject(planned.change, misfit)
    } catch StoreError.constraint(let violation) {
      // A trigger with RAISE(ROLLBACK) also undid the earlier writes, and nothing can be quarantined any more.
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

  /// - Returns: Whether the row has a pending change.
  mutating func merge(_ change: SyncChange, _ table: SyncTable) throws -> Bool {
    do {
      return try merge(change, table, pulling)
    } catch is NeedsCare {
      let missing = try missingParents(of: change, table)
      // A locally deleted parent doesn't come back: the server accepts its deletion once the server's rows no longer
      // refer to it.
      if try missing.contains(where: isDeletedHere) {
        do { return try merge(change, table, .keepingLocal) } catch is NeedsCare {}
      }
      try park(change, waitingFor: missing)
      return true
    }
  }

  /// A restarted source may name a row with an earlier version.
  var pulling: OutboxPulling { isRestarting ? .byPolicy : .news }

  mutating func merge(_ change: SyncChange, _ table: SyncTable, _ pulling: OutboxPulling) throws -> Bool {
    guard let outbox else { return false }
    let isMerged = try tx.savepoint {
      let isMerged = try outbox.merge(change, of: table.record, in: tx.database, pulling)
      // Without care, all references are checked at the end.
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

  /// Checks that the table computes the source's values.
  ///
  /// - Throws: ``Misfit`` if it doesn't: the source's value would be lost silently.
  private func requireComputed(_ row: SyncTable.KnownRow, _ key: [StorageValue], _ table: SyncTable) throws {
    for (column, value) in row.computed {
      var isEqual = false
      try tx.run(table.select(column), key) { isEqual = $0.storageValue(at: 0).isEqual(to: value) }
      if isEqual { continue }
      let reason =
        "the table computes another value for this generated column. Ignore the column (FileOptions.ignoredColumns)"
      throw Misfit(reason, column: column)
    }
  }

  /// Consecutive rows of one record mostly have the same columns.
  mutating func statements(_ table: SyncTable, _ number: Int, _ columns: [Int]) throws -> RowStatements {
    if let last, last.number == number, last.columns == columns { return last.statements }
    let statements = tables.statements.statements(table, number: number, columns, try form(table, number))
    last = (number, columns, statements)
    return statements
  }

  /// If changes aren't checked individually, the transaction can be rolled back and repeated with more care.
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
    // The row is missing and was not inserted.
    if !isWritten, !statements.isUpsert { throw Misfit("a trigger of the table prevents the insertion") }
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

  /// Rows that are deleted with another row may get parked: see ``Outbox/deleting(_:of:in:at:_:)``.
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
