import Foundation
import GRDB

/// All values that the cells of the server's rows ever had, with their authors.
struct CellHistory {
  private struct Entry {
    /// Nil if the row was deleted.
    var value: String?
    var client: String
  }

  private var entries: [[String]: [Entry]] = [:]
  /// The journals that replace the history if the server has none.
  private var journals: [DeviceJournal] = []
  private var told: ToldCells?
  private var mayLose = false

  init(_ db: Database) throws {
    for row in try Row.fetchAll(
      db, sql: "SELECT record, key, \"column\", value, client FROM history ORDER BY id")
    {
      entries[[row[0], row[1], row[2]], default: []].append(Entry(value: row[3], client: row[4]))
    }
  }

  /// Makes the history for a server that keeps none. It has the server's final values, and values that devices saw
  /// without having written them or have lost to another value.
  ///
  /// - Parameters:
  ///   - present: The final values of the server's rows.
  ///   - tidied: The values of rows that the server's owner deleted.
  ///   - mayLose: Whether the server may accept both of two simultaneous writes. Then every value that it ever sent
  ///     counts.
  init(
    _ journals: [DeviceJournal], _ present: [[String]: String], tidied: [[String]: String], _ told: ToldCells,
    mayLose: Bool
  ) {
    (self.journals, self.told, self.mayLose) = (journals, told, mayLose)
    for (cell, value) in tidied {
      entries[cell] = [Entry(value: value, client: "server"), Entry(value: nil, client: "server")]
    }
    for (cell, value) in present { entries[cell, default: []].append(Entry(value: value, client: "server")) }
  }

  func has(_ value: String, in cell: [String]) -> Bool {
    entries[cell]?.contains { $0.value == value } == true
      || journals.contains { $0.hasSeen(value, in: cell) || $0.hasLost(value, of: cell[0], cell[1]) }
      // A user who deletes a row doesn't see the columns that only a later version of the app has.
      || ((mayLose || cell[2] == "mark") && told?.contains(value, in: cell) == true)
  }

  func last(of cell: [String]) -> String? { entries[cell]?.last?.value }

  /// Whether the row of a cell was ever deleted.
  func hasDeletion(of cell: [String]) -> Bool {
    entries[cell]?.contains { $0.value == nil } == true || journals.contains { $0.hasLosses(of: cell[0], cell[1]) }
      || told?.hasDeletion(cell[0], cell[1]) == true
  }

  /// Checks that each overwritten or deleted value of another author was either seen by the user or is in the device's
  /// log.
  func checkOverwritten(_ journals: [DeviceJournal]) throws {
    for (record, column) in DeviceJournal.columns {
      for (cell, entries) in entries where cell[0] == record && cell[2] == column {
        for (before, after) in zip(entries, entries.dropFirst()) {
          guard let value = before.value, value != "NULL", before.client != after.client,
            let journal = journals.first(where: { $0.client == after.client }),
            // A user who deletes a row doesn't see the columns that only a later version of the app has. That also
            // holds if the row is inserted again before the deletion is sent.
            column != "mark" || (after.value != nil && !journal.hasDeleted(record, cell[1]))
          else { continue }
          if journal.hasSeen(value, in: cell) || journal.hasLost(value, of: record, cell[1]) { continue }
          throw SyncFuzzFailure(
            "\(journal.device) put \(after.value ?? "nothing") in the place of \(value) in \(cell), which its user never saw and its log doesn't have"
          )
        }
      }
    }
  }
}
