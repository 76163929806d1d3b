import Foundation
import GRDB
import Sanderling

/// Changes of a record that the server hasn't acknowledged: what it was before them, what it is, and what is being sent.
struct OutboxEntry {
  enum State: Int64 {
    case unsent
    case sending
    /// The server has refused it. It waits for another change of the row, which is then sent with it.
    case refused
  }

  enum Sent: Int64 {
    case nothing, insertion, update, deletion
  }

  let table: SyncedTable
  /// Its number, by which changes of all tables are in order.
  let sequence: Int64
  let state: State
  /// Whether what it is based on changed while it was sent.
  let isRebased: Bool
  /// Whether what it is based on was told again while it was sent, by a server without versions.
  let isToldAgain: Bool
  /// Whether the record is none of this device's any more.
  let isDeparted: Bool
  /// The number that it was sent with.
  let mutation: Int64
  let sent: Sent
  /// The columns that were sent.
  let sentColumns: [String]
  /// The version that what was sent is based on; of an insertion the one that it became, see ``isTaken``.
  let version: String?
  let attempts: Int64
  /// What was pulled while it was sent, as it is stored.
  private let held: String?
  let key: [StorageValue]
  /// What the server had; nil for no row.
  let base: [StorageValue]?
  private let sentValues: [StorageValue]
  /// The row as it is; nil for none.
  let row: [StorageValue]?

  /// Reads what a statement of ``SyncedTable`` selects.
  init(_ table: SyncedTable, reading result: ResultRow) {
    var index: Int32 = 0
    func next() -> StorageValue {
      defer { index += 1 }
      return result.storageValue(at: index)
    }
    func number() -> Int64 { if case .integer(let number) = next() { number } else { 0 } }
    func text() -> String? { if case .text(let text) = next() { text } else { nil } }
    func values(_ count: Int) -> [StorageValue] { (0..<count).map { _ in next() } }
    self.table = table
    sequence = number()
    state = State(rawValue: number()) ?? .unsent
    let existed = number() == 1
    let rebased = number()
    isRebased = rebased == 1
    isToldAgain = rebased == 2
    isDeparted = number() == 1
    mutation = number()
    sent = Sent(rawValue: number()) ?? .nothing
    sentColumns = text().flatMap(ValueText.names(from:)) ?? []
    version = text()
    attempts = number()
    _ = text()
    held = text()
    key = values(table.key.count)
    let base = values(table.columns.count)
    self.base = existed ? base : nil
    sentValues = values(table.columns.count)
    let isPresent = number() == 1
    let row = values(table.columns.count)
    self.row = isPresent ? row : nil
  }

  /// What the server has of this device's; nil where it has nothing, or the row is none of this device's any more.
  var known: [StorageValue]? { isDeparted ? nil : base }

  /// Whether the server may have taken the insertion, since its answer was lost and the next was a conflict, with itself or with others, or
  /// since something was pulled meanwhile. The next pull tells.
  var isUncertain: Bool { state == .unsent && base == nil && sent == .insertion }

  /// Whether the server took the insertion, and the next pull tells what became of it.
  var isTaken: Bool { isUncertain && version != nil }

  /// Removes a row that isn't this device's any more. One that others refer to waits until they are gone.
  func leave(_ record: SyncedRecord, _ cascades: Cascades, _ db: Database, at date: Date) throws {
    let isGone = try db.isAllowed {
      try SyncControl.applying(db) {
        try cascades.write(nil, replacing: row, key: key, of: record, in: db, at: date)
      }
    }
    if !isGone { try ParkedChanges.park(SyncChange(record.name, key: key, .departure), of: cascades.name, db) }
    try table.setVersion(nil, of: key, db)
  }

  /// What was pulled while it was sent.
  func heldChange(of record: SyncedRecord) throws -> SyncChange? {
    try held.map { try SyncChange(record: record.name, key: StoredJSON.text(key), payload: $0) }
  }

  /// What was sent: nil for nothing, a row or the deletion.
  var sentState: [StorageValue]?? {
    switch sent {
    case .nothing: nil
    case .insertion, .update: .some(sentValues)
    case .deletion: .some(nil)
    }
  }

  /// What the server is to be told, and which columns of it; nil where the row is what the server has.
  var difference: (kind: Sent, columns: [String])? {
    switch (base, row) {
    case (nil, nil): nil
    case (nil, _?): (.insertion, table.columns)
    case (_?, nil): (.deletion, [])
    case (let base?, let row?):
      base == row ? nil : (.update, table.columns.indices.filter { base[$0] != row[$0] }.map { table.columns[$0] })
    }
  }

  /// What was sent, as a sink gets it.
  func sentMutation(_ record: String, client: String) -> Mutation {
    let values = Dictionary(zip(table.columns, sentValues)) { first, _ in first }
    let content: Mutation.Content =
      switch sent {
      // Without columns that the record got since: what is sent again is as before.
      case .insertion: .insertion(values.filter { sentColumns.contains($0.key) })
      case .update: .update(values.filter { sentColumns.contains($0.key) })
      case .nothing, .deletion: .deletion
      }
    return Mutation(record, key: key, content, baseVersion: version, client: client, sequence: mutation)
  }
}

extension SyncedTable {
  /// The entries that a statement selects.
  func entries(_ sql: String, _ values: [StorageValue], _ db: Database) throws -> [OutboxEntry] {
    var entries: [OutboxEntry] = []
    try db.forEachRow(of: sql) {
      try $0.bind(values)
    } row: {
      entries.append(OutboxEntry(self, reading: $0))
    }
    return entries
  }

  /// The row with a key.
  func row(_ key: [StorageValue], _ db: Database) throws -> [StorageValue]? {
    var row: [StorageValue]?
    try db.forEachRow(of: selectRow) {
      try $0.bind(key)
    } row: { result in
      row = columns.indices.map { result.storageValue(at: Int32($0)) }
    }
    return row
  }

  func version(_ key: [StorageValue], _ db: Database) throws -> String? {
    var version: String?
    try db.forEachRow(of: selectVersion) {
      try $0.bind(key)
    } row: {
      if case .text(let text) = $0.storageValue(at: 0) { version = text }
    }
    return version
  }

  func setVersion(_ version: String?, of key: [StorageValue], _ db: Database) throws {
    if let version {
      try run(setVersion, key + [.text(version)], db)
    } else {
      try run(deleteVersion, key, db)
    }
  }

  /// Writes a row: all of its columns, or its absence.
  func write(_ row: [StorageValue]?, replacing present: [StorageValue]?, key: [StorageValue], _ db: Database) throws {
    switch (present, row) {
    case (nil, nil): return
    case (_?, nil): try run(deleteRow, key, db)
    case (nil, let row?): try run(insertRow, row, db)
    case (let present?, let row?):
      if present == row { return }
      let others = columns.indices.filter { !self.key.contains($0) }.map { row[$0] }
      if let updateRow { try run(updateRow, key + others, db) }
    }
  }

  func run(_ sql: String, _ values: [StorageValue], _ db: Database) throws {
    try db.forEachRow(of: sql) {
      try $0.bind(values)
    } row: { _ in
    }
  }
}
