import Foundation
import GRDB
import Sanderling

/// Rows that exchange unique values.
extension PullTransaction {
  /// Applies rows that exchange unique values: all of them, or none.
  ///
  /// The rows get temporary values first, which are never visible outside the transaction.
  ///
  /// - Returns: Whether the changes were applied.
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

  func setAside(_ columns: [String], of key: [StorageValue], _ table: SyncTable) throws {
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
}
