import Foundation
import GRDB
import Sanderling
import SanderlingSQL

/// Rows that are deleted by their foreign keys together with a row that the server deleted.
///
/// The user made none of these changes, so they must not look like local ones. The rows' own changes are lost, which
/// the log of conflicts records. Rows that the server still has are restored, or parked if their parent was deleted
/// locally and may come back.
extension Outbox {
  /// The deleted row.
  private struct Root {
    let table: FoldedName
    let key: [StorageValue]
  }

  /// A row that may be deleted too, with its former values.
  private struct Descendant {
    let record: SyncedRecord
    let key: [StorageValue]
    let row: [StorageValue]
    let hasChanges: Bool
  }

  /// Deletes a row by key, without recording a local change.
  ///
  /// O(rows that refer to it), like the deletion itself.
  func deleting<Result>(
    _ key: [StorageValue], of record: SyncedRecord, in db: Database, at date: Date, _ delete: () throws -> Result
  ) throws -> Result {
    let root = Root(table: record.synced.name.folded, key: key)
    let descendants = try descendants(of: record, key, db)
    let result = try delete()
    // Parents come first.
    for descendant in descendants where try descendant.record.synced.row(descendant.key, db) == nil {
      if descendant.hasChanges {
        try forget(descendant, of: root, db, at: date)
      } else {
        _ = try restore(descendant.row, of: descendant, root, db, at: date)
      }
    }
    return result
  }

  /// Writes the state of a row: all of its columns, or its absence, with dependent rows.
  func write(
    _ row: [StorageValue]?, replacing present: [StorageValue]?, key: [StorageValue], of record: SyncedRecord,
    in db: Database, at date: Date
  ) throws {
    guard present != nil, row == nil else {
      return try record.synced.write(row, replacing: present, key: key, db)
    }
    try deleting(key, of: record, in: db, at: date) {
      try record.synced.write(nil, replacing: present, key: key, db)
    }
  }

  /// The rows with local changes that refer to a row directly or indirectly, and all rows that refer to those. Excludes
  /// the row itself, which a cycle may lead back to.
  private func descendants(of record: SyncedRecord, _ root: [StorageValue], _ db: Database) throws -> [Descendant] {
    var found: [Descendant] = []
    var visited: Set<[StorageValue]> = []
    var stack = [(record: record, key: root, isBelow: false)]
    while let parent = stack.popLast() {
      // A row may be reached a second time through a row with changes.
      let mark: [StorageValue] = [.text(parent.record.synced.name), .integer(parent.isBelow ? 1 : 0)]
      guard parent.key.count == 1, visited.insert(mark + parent.key).inserted else { continue }
      for (child, column) in parent.record.synced.references(among: records) {
        let table = child.synced
        try db.forEachRow(of: table.selectChildren(column)) {
          try $0.bind(parent.key)
        } row: { result in
          let row = table.columns.indices.map { result.storageValue(at: Int32($0)) }
          let key = table.key.map { row[$0] }
          if key == root, table.name.folded == record.synced.name.folded { return }
          let hasChanges = result.storageValue(at: Int32(row.count)) == .integer(1)
          let isBelow = parent.isBelow || hasChanges
          if isBelow { found.append(Descendant(record: child, key: key, row: row, hasChanges: hasChanges)) }
          stack.append((child, key, isBelow))
        }
      }
    }
    return found
  }

  /// Discards the row's changes.
  private func forget(_ descendant: Descendant, of root: Root, _ db: Database, at date: Date) throws {
    let (record, key) = (descendant.record, descendant.key)
    guard var entry = try record.entry(key, db) else { return }
    let isRestored = try entry.known.map { try restore($0, of: descendant, root, db, at: date) } ?? false
    entry.row = isRestored ? entry.known : nil
    try apply(
      .cascaded(lost: descendant.row, isRestored: isRestored), to: entry, key: key, of: record, db, at: date)
  }

  /// Restores a row as the server has it, or parks it if there is an obstacle. Another row may have the same unique
  /// value, or this device may have deleted its parent, a deletion that the server may not accept. Without such an
  /// obstacle, the row is deleted if its parent is missing.
  ///
  /// - Returns: Whether the row was restored.
  private func restore(
    _ row: [StorageValue], of descendant: Descendant, _ root: Root, _ db: Database, at date: Date
  ) throws -> Bool {
    let (record, table, key) = (descendant.record, descendant.record.synced, descendant.key)
    let values = table.columns.indices.filter { !table.key.contains($0) }.map { (table.columns[$0], row[$0]) }
    let change = SyncChange(
      record.name, key: key, .row(Dictionary(uniqueKeysWithValues: values)), version: try table.version(key, db))
    let parents = try parents(of: row, descendant, root, db)
    let effects: [OutboxEffect] =
      if parents.contains(.gone) {
        [.setVersion(nil)]
      } else if parents.contains(.away) {
        [.park(change), .setVersion(nil)]
      } else {
        [.attempt([.write(row)], orElse: [.park(change), .setVersion(nil)])]
      }
    return try perform(effects, key: key, of: record, db, at: date) != nil
  }

  private enum Parent {
    case present, gone
    /// The parent was deleted locally, or is parked itself.
    case away
  }

  private func parents(
    of row: [StorageValue], _ descendant: Descendant, _ root: Root, _ db: Database
  ) throws -> [Parent] {
    let table = descendant.record.synced
    return try table.references.compactMap { reference in
      let value = row[reference.column]
      guard !value.isNull else { return nil }
      let record = records.first { $0.synced.name.folded == reference.parent.folded }
      guard let record, record.synced.key.count == 1 else { return nil }
      let isItself = record.synced.name.folded == table.name.folded && value == descendant.key[0]
      if try isItself || record.synced.row([value], db) != nil { return .present }
      if record.synced.name.folded == root.table, [value] == root.key { return .gone }
      let parked = try Row.fetchOne(
        db.cachedStatement(sql: ParkedChanges.find), arguments: [name, record.name, StoredJSON.text([value])])
      if parked != nil { return .away }
      // The server still has a locally deleted row, but not a row that was deleted before this one.
      return try record.entry([value], db)?.known == nil ? .gone : .away
    }
  }
}
