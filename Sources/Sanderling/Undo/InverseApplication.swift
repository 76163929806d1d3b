import Foundation
import GRDB

/// Restores the rows of a write, including rows that cascades changed.
///
/// The transaction doesn't enforce foreign keys. ``ReferenceCheck`` checks the references at the end.
struct InverseApplication {
  private let tx: WriteTransaction
  private let inverse: InverseWrite

  init(_ inverse: InverseWrite, _ tx: WriteTransaction) {
    self.inverse = inverse
    self.tx = tx
  }

  func run() throws {
    try requireUnchanged()
    // Triggers of the app can change restored rows, as triggers that touch columns change new rows. So restoring is
    // tried three times.
    for _ in 1...3 {
      let rows = try inverse.rows.filter { try tx.image(of: $0.key, $0.layout) != $0.before }
      if rows.isEmpty { return }
      try putBack(rows)
    }
    if let row = try inverse.rows.first(where: { try tx.image(of: $0.key, $0.layout) != $0.before }) {
      throw UndoError.unstable(table: row.table.name)
    }
  }

  /// Checks that all rows still are as the write left them.
  ///
  /// - Throws: ``UndoError/changedSince(_:)`` with the rows that differ.
  private func requireUnchanged() throws {
    var changed = ChangedRowsList()
    for row in inverse.rows where try tx.image(of: row.key, row.layout) != row.after {
      changed.add(row.table.name, row.key.values)
    }
    try changed.throwUnlessEmpty()
  }

  /// Deletes first, so that keys and unique values are free. Then updates, and finally inserts.
  private func putBack(_ rows: [InverseRow]) throws {
    var missing: [InverseRow] = []
    for row in rows.reversed() where row.before == nil { try delete(row) }
    for row in rows {
      guard let before = row.before else { continue }
      if try tx.image(of: row.key, row.layout) == nil {
        missing.append(row)
        continue
      }
      do {
        try update(row, before)
      } catch StoreError.constraint(let violation) where violation.kind == .unique {
        // Another row to restore still has the value: two rows have exchanged values. Deleting this row frees its
        // value, and the row is inserted at the end.
        try delete(row)
        missing.append(row)
      }
    }
    for row in missing {
      if let before = row.before { try insert(row, before) }
    }
  }

  private func delete(_ row: InverseRow) throws {
    try tx.run("DELETE FROM main.\(row.table.name.quotedIdentifier) WHERE \(row.layout.keyCondition)") {
      try row.key.bind(to: $0, from: 1)
    }
  }

  /// Updates all columns, including unchanged ones, so that no trigger touches any of them.
  private func update(_ row: InverseRow, _ image: RowImage) throws {
    let table = row.table
    let columns = table.columns.indices.filter { !table.key.contains($0) }
    if columns.isEmpty { return }
    let assignments = columns.enumerated().map { "\(table.columns[$1].sql) = ?\(table.key.count + $0 + 1)" }
    let sql =
      "UPDATE main.\(table.name.quotedIdentifier) SET \(assignments.joined(separator: ", ")) WHERE \(row.layout.keyCondition)"
    try tx.run(sql) { parameters in
      try row.key.bind(to: parameters, from: 1)
      var index = Int32(table.key.count)
      try image.forEachValue { column, value in
        if table.key.contains(column) { return }
        index += 1
        try parameters.bind(value, at: index)
      }
    }
  }

  /// Inserts a row, and then restores the columns that a trigger of the table sets in new rows.
  ///
  /// If such a column is unique, another restored row may already have the value that the trigger sets.
  private func insert(_ row: InverseRow, _ image: RowImage) throws {
    let columns = row.table.columns
    let touched = columns.indices.filter { columns[$0].isSetInNewRows(image.value(ofColumn: $0) ?? .null) }
    if touched.isEmpty { return try insert(row, image, replacing: [:]) }
    do {
      try insert(row, image, replacing: [:])
    } catch StoreError.constraint(let violation) where violation.kind == .unique {
      // Another row may have the value that the trigger sets. The trigger leaves a row with a value of its own alone.
      let standIns = try touched.map { ($0, try unusedValue(of: columns[$0], in: row.table)) }
      try insert(row, image, replacing: Dictionary(uniqueKeysWithValues: standIns))
    }
    try update(row, image)
  }

  /// Inserts a row.
  ///
  /// - Parameter standIns: Values for some columns, which replace the values of the image.
  private func insert(_ row: InverseRow, _ image: RowImage, replacing standIns: [Int: StorageValue]) throws {
    try tx.run(row.table.statements.insert) { parameters in
      try image.forEachValue { column, value in
        if let standIn = standIns[column] {
          try parameters.bind(standIn, at: Int32(column + 1))
        } else {
          try parameters.bind(value, at: Int32(column + 1))
        }
      }
    }
  }

  /// A value that the column can hold and that no row of the table has in it.
  private func unusedValue(of column: RecordColumn, in table: RecordTable) throws -> StorageValue {
    if column.type == .text { return .text(UUID().uuidString) }
    var value = StorageValue.integer(1)
    let name = column.name.quotedIdentifier
    let sql = "SELECT max(\(name)) + 1 FROM main.\(table.name.quotedIdentifier)"
    try tx.run(SQLStatement(sql: sql, arguments: [])) { row in
      let next = row.storageValue(at: 0)
      if !next.isNull { value = next }
    }
    return value
  }
}

/// The rows that prevent an undo, by table.
struct ChangedRowsList {
  private var tables: [(name: String, keys: [[StorageValue]])] = []

  mutating func add(_ table: String, _ key: [StorageValue]) {
    if let index = tables.firstIndex(where: { $0.name == table }) {
      if !tables[index].keys.contains(key) { tables[index].keys.append(key) }
    } else {
      tables.append((table, [key]))
    }
  }

  func throwUnlessEmpty() throws {
    if tables.isEmpty { return }
    throw UndoError.changedSince(tables.map { UndoError.ChangedRows(table: $0.name, keys: $0.keys) })
  }
}
