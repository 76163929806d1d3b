import GRDB
import Sanderling

/// Executes the statements of a table.
extension SyncedTable {
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
