import GRDB
import Sanderling

/// The stored form of entries: one row each in the table of changes, see ``SyncedTable``.
extension SyncedRecord {
  /// The entries that a statement selects.
  func entries(_ sql: String, _ values: [StorageValue], _ db: Database) throws -> [OutboxEntry] {
    var entries: [OutboxEntry] = []
    try db.forEachRow(of: sql) {
      try $0.bind(values)
    } row: {
      entries.append(try OutboxEntry(self, reading: $0))
    }
    return entries
  }

  /// The entry of a key. O(log changes).
  func entry(_ key: [StorageValue], _ db: Database) throws -> OutboxEntry? {
    try entries(synced.selectEntryOfKey, key, db).first
  }

  func store(_ entry: OutboxEntry?, replacing stored: OutboxEntry?, _ db: Database) throws {
    if let entry {
      if entry != stored { try synced.run(synced.writeEntry, entry.storedValues(synced), db) }
    } else if let stored {
      try synced.run(synced.deleteEntry, [.integer(stored.sequence)], db)
    }
  }
}

extension OutboxEntry {
  /// The stored numbers of the states.
  enum Stored: Int64 {
    /// All unsent states: with a mutation, the server may have it; with a second base, the server has it.
    case waiting = 0
    case sending = 1
    case refused = 2
  }

  /// Reads the columns of ``SyncedTable/entryColumns``, and the row.
  fileprivate init(_ record: SyncedRecord, reading result: ResultRow) throws {
    let table = record.synced
    var index: Int32 = 0
    func next() -> StorageValue {
      defer { index += 1 }
      return result.storageValue(at: index)
    }
    func number() -> Int64 { if case .integer(let number) = next() { number } else { 0 } }
    func text() -> String? { if case .text(let text) = next() { text } else { nil } }
    func row() -> Row { table.columns.map { _ in next() } }
    sequence = number()
    let stored = Stored(rawValue: number()) ?? .waiting
    let isEdited = number() == 1
    let existed = number() == 1
    let basis = Meanwhile.Basis(rawValue: number()) ?? .asSent
    isAssumed = number() == 1
    isDeparted = number() == 1
    conflicts = number()
    let mutation = number()
    let kind = Sent.Kind(rawValue: number())
    let columns = try text().map { try StoredJSON.names($0).compactMap(table.columns.firstIndex) } ?? []
    let version = text()
    let attempts = number()
    let reason = text()
    let held = text()
    let answer = text()
    key = table.key.map { _ in next() }
    let (base, sentRow) = (row(), row())
    let isPresent = number() == 1
    let present = row()
    self.base = existed ? base : nil
    self.row = isPresent ? present : nil
    if stored == .waiting { conflictReason = reason }
    guard let kind else {
      if let held { state = .returned(try StoredJSON.rows(held, table.columns)) }
      return
    }
    let isTaken = stored == .waiting && basis == .changed
    let sent = Sent(
      kind: kind, row: kind == .deletion ? nil : sentRow, columns: columns, number: mutation,
      baseVersion: isTaken ? nil : version, attempts: attempts)
    state =
      switch stored {
      case .waiting: isTaken ? .taken(sent, version: version) : .uncertain(sent)
      case .sending:
        .sending(
          sent,
          Meanwhile(
            basis: basis, isEdited: isEdited,
            held: try held.map { try SyncChange(record: record.name, key: StoredJSON.text(key), payload: $0) },
            failure: reason, acknowledgement: try answer.map(Acknowledgement.init(stored:))))
      case .refused: .refused(sent, reason: reason ?? "", isEdited: isEdited)
      }
  }

  /// The values of ``SyncedTable/writeEntry``.
  fileprivate func storedValues(_ table: SyncedTable) -> [StorageValue] {
    var stored = Stored.waiting
    var (isEdited, basis, version, reason) = (false, Meanwhile.Basis.asSent, sent?.baseVersion, String?.none)
    var (held, answer) = (String?.none, String?.none)
    switch state {
    case .unsent, .uncertain: reason = conflictReason
    case .returned(let rows): held = StoredJSON.text(rows: rows, table.columns)
    case .taken(_, let taken): (basis, version, reason) = (.changed, taken, conflictReason)
    case .sending(_, let meanwhile):
      (stored, isEdited, basis, reason) = (.sending, meanwhile.isEdited, meanwhile.basis, meanwhile.failure)
      (held, answer) = (meanwhile.held?.payload, meanwhile.acknowledgement?.stored)
    case .refused(_, let why, let isEditedSince): (stored, isEdited, reason) = (.refused, isEditedSince, why)
    }
    func flag(_ value: Bool) -> StorageValue { .integer(value ? 1 : 0) }
    func text(_ value: String?) -> StorageValue { value.map { .text($0) } ?? .null }
    let nothing = table.columns.map { _ in StorageValue.null }
    return [
      .integer(sequence), .integer(stored.rawValue), flag(isEdited), flag(base != nil), .integer(basis.rawValue),
      flag(isAssumed), flag(isDeparted), .integer(conflicts), sent.map { .integer($0.number) } ?? .null,
      .integer(sent?.kind.rawValue ?? 0),
      text(sent.map { StoredJSON.text(names: $0.columns.map { table.columns[$0] }) }), text(version),
      .integer(sent?.attempts ?? 0), text(reason), text(held), text(answer),
    ] + key + (base ?? nothing) + (sent?.row ?? nothing)
  }
}

extension OutboxEntry.Acknowledgement {
  fileprivate var stored: String { StoredJSON.text([version.map { .text($0) } ?? .null, .integer(lastStaged)]) }

  /// - Throws: `JSONSyntaxError` for a text that ``stored`` doesn't write.
  fileprivate init(stored text: String) throws {
    let values = try StoredJSON.values(text)
    guard values.count == 2, case .integer(let lastStaged) = values[1] else {
      throw JSONSyntaxError(reason: "a stored answer has no version and number", offset: 0)
    }
    var version: String?
    if case .text(let text) = values[0] { version = text }
    self.init(version: version, lastStaged: lastStaged)
  }
}
