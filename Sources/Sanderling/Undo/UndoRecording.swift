import GRDB
import SanderlingSQL

/// Records the changes of one transaction to the rows of a store's records, by the triggers of live results. Belongs to
/// the writer's queue.
///
/// The triggers exist for that transaction only, and capture nothing afterwards. If they can't be dropped at its end,
/// for example because the task was cancelled, ``CaptureRemains`` drops them later. Live results treat them like the
/// triggers of another store on the connection.
final class UndoRecording {
  private let buffer: CaptureBuffer
  private let triggers: CaptureTriggerSet
  private let obstacles: [RecordType: CaptureObstacle]
  private let layouts: [RecordType: CaptureLayout]
  private let written: WrittenTables

  static let defaultLimit = 64 << 20

  /// Adds the triggers. Must be called outside of a transaction.
  ///
  /// - Parameter limit: The most bytes of keys and rows that are kept.
  init(_ records: [RecordType], limit: Int = defaultLimit, on db: Database, of writer: any DatabaseWriter) throws {
    buffer = CaptureBuffer(limit: limit)
    var triggers = CaptureTriggerSet(buffer, requiresDeclaredCollations: false)
    written = WrittenTables()
    var obstacles: [RecordType: CaptureObstacle] = [:]
    for record in records {
      // Derived columns are no obstacle, because restored texts are folded again.
      let names = Set((record.table.columns.map(\.name) + record.table.derivedColumns).folded)
      let others = try TableReader(record.table.name, db).columns().filter {
        !$0.isGenerated && !names.contains($0.name.folded)
      }
      if let other = others.first {
        obstacles[record] = CaptureObstacle("its record lacks the column \(other.name.quotedIdentifier)")
      }
    }
    let captured = records.filter { obstacles[$0] == nil }
    do {
      let columns = captured.map { ($0, Set($0.table.columns.indices)) }
      let others = try triggers.capture(Dictionary(uniqueKeysWithValues: columns), isUncertain: false, on: db)
      obstacles.merge(others) { first, _ in first }
    } catch {
      CaptureRemains.leave(triggers, db, of: writer)
      throw error
    }
    self.triggers = triggers
    self.obstacles = obstacles
    layouts = triggers.layouts
    db.add(transactionObserver: written, extent: .observerLifetime)
  }

  /// Removes the triggers. Must be called outside of a transaction.
  func end(_ db: Database, of writer: any DatabaseWriter) {
    db.remove(transactionObserver: written)
    CaptureRemains.leave(triggers, db, of: writer)
  }

  /// Returns the write that undoes the transaction so far. Must be the last call in the transaction.
  ///
  /// - Throws: ``UndoError`` if a change can't be undone.
  func inverse(_ tx: ReadTransaction, name: String) throws -> InverseWrite {
    try requireWritable(tx.database)
    let programs = buffer.programs
    let (bytes, overflowed) = buffer.takeAll()
    if !overflowed.isEmpty { throw UndoError.tooLarge(tables: overflowed.map(\.table.name).sorted()) }
    // The first capture of a row has the row as it was before the transaction.
    var first: [(program: CaptureProgram, key: RowKey, before: RowImage?)] = []
    var seen: Set<Row> = []
    var malformed: CaptureProgram?
    bytes.withUnsafeBytes { buffer in
      CapturedEntry.forEach(in: buffer) { entry in
        guard let program = programs[entry.program] else { return }
        guard let key = RowKey(decoding: UnsafeRawBufferPointer(rebasing: buffer[entry.key])) else {
          malformed = program
          return
        }
        guard seen.insert(Row(table: program.table, key: key)).inserted else { return }
        first.append(
          (program, key, entry.isPresent ? RowImage(layout: program.layout, bytes: bytes, range: entry.image) : nil))
      }
    }
    if let malformed {
      throw UndoError.unsupported(table: malformed.table.table.name, reason: "a key is not valid UTF-8")
    }
    let rows = try first.compactMap { program, key, before -> InverseRow? in
      let after = try tx.image(of: key, program.layout)
      return before == after ? nil : InverseRow(key: key, layout: program.layout, before: before, after: after)
    }
    return InverseWrite(name: name, rows: rows)
  }

  private struct Row: Hashable {
    let table: RecordType
    let key: RowKey
  }

  /// Throws if the transaction may have written a table that can't be restored. Such a table can't be captured, or
  /// belongs to no record and changes with a record's rows by a foreign key.
  private func requireWritable(_ db: Database) throws {
    for (record, obstacle) in obstacles where written.contains(record.table.name) {
      throw UndoError.unsupported(table: record.table.name, reason: obstacle.description)
    }
    let records = Set((layouts.keys.map(\.self) + obstacles.keys).map(\.table.name.folded))
    for reference in try TableReference.all(db)
    where records.contains(reference.parent.folded) && !records.contains(reference.table.folded) {
      if reference.changesRows, written.contains(reference.table) {
        throw UndoError.unsupported(
          table: reference.table, reason: "no record declares the table, and it changes with table \(reference.parent)")
      }
    }
  }
}

extension ReadTransaction {
  /// The row with exactly this key; nil if there is none.
  func image(of key: RowKey, _ layout: CaptureLayout) throws -> RowImage? {
    var image: RowImage?
    try run(layout.selectByKey) {
      try key.bind(to: $0, from: 1)
    } row: {
      image = RowImage(reading: $0, layout: layout)
    }
    return image
  }
}

/// The names of the tables that statements may have written, including tables that triggers and foreign key actions
/// write.
private final class WrittenTables: TransactionObserver {
  private var names: Set<FoldedName> = []

  func contains(_ name: String) -> Bool { names.contains(name.folded) }

  // GRDB asks for each kind of event before a statement runs. The answer suppresses the events, since the names are
  // enough.
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
    switch eventKind {
    case .insert(let table), .delete(let table), .update(let table, _): names.insert(table.folded)
    }
    return false
  }

  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ db: Database) {}
  func databaseDidRollback(_ db: Database) {}
}
