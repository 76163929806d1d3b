import Foundation
import GRDB

/// The edits of a device's user, and the conflicts in its log.
struct DeviceJournal {
  struct Edit {
    var old: String?
    var new: String?
  }

  let device: String
  let client: String
  /// The values written to each cell in order, by record, key and column.
  private var edits: [[String]: [Edit]] = [:]
  /// The lost values of each row, by its record's name and its key.
  private var losses: [[String]: String] = [:]
  /// The rows with a lost deletion, by their record's name and key.
  private var lostDeletions: Set<[String]> = []
  /// The texts of notes that were shown, then replaced, and then shown again.
  private let shownAgain: [TextShownAgain]
  /// The total increase of each counter.
  private(set) var counted: [String: Int] = [:]

  /// The columns in which each text is written only once.
  static let columns = [
    ("folder", "name"), ("note", "title"), ("note", "body"), ("remark", "text"), ("remark", "mark"),
  ]

  init(_ device: String, _ db: Database) throws {
    self.device = device
    client = try String.fetchOne(db, sql: "SELECT client FROM sanderling_sync_control") ?? ""
    for row in try Row.fetchAll(db, sql: "SELECT record, key, \"column\", old, new FROM journal ORDER BY id") {
      let (record, key, column) = (row[0] as String, row[1] as String, row[2] as String)
      let edit = Edit(old: row[3], new: row[4])
      edits[[record, key, column], default: []].append(edit)
      if record == "counter", column == "count", let new = edit.new.flatMap(Int.init) {
        counted[key, default: 0] += new - (edit.old.flatMap(Int.init) ?? 0)
      }
    }
    shownAgain = try Row.fetchAll(db, sql: "SELECT key, title, other FROM shown_again ORDER BY id")
      .map { TextShownAgain(key: $0[0], title: $0[1], other: $0[2]) }
    for row in try Row.fetchAll(
      db, sql: "SELECT record, json_extract(key, '$[0]'), lost, kind FROM sanderling_sync_conflicts ORDER BY id")
    {
      losses[[row[0], row[1]], default: ""] += EditJournal.text(row[2]) + "\n"
      if row[3] == "deletion" { lostDeletions.insert([row[0], row[1]]) }
    }
  }

  /// Whether the log has a text of a record. The quotes or the line's end around it prevent a match with a longer text
  /// that begins with it.
  func hasLost(_ text: String, of record: String, _ key: String) -> Bool {
    guard let lost = losses[[record, key]] else { return false }
    return lost.contains("\(text)\n") || lost.contains("\"\(text)\"")
  }

  func hasLosses(of record: String, _ key: String) -> Bool { losses[[record, key]] != nil }

  /// Whether the user deleted a row.
  func hasDeleted(_ record: String, _ key: String) -> Bool {
    edits[[record, key, "id"]]?.contains { $0.new == nil } == true
  }

  /// Whether the user saw a value of a cell before it was overwritten or deleted.
  func hasSeen(_ text: String, in cell: [String]) -> Bool { edits[cell]?.contains { $0.old == text } == true }

  /// Checks that the last value written to each cell reached the server or is in the log.
  func checkNothingIsLost(_ history: CellHistory) throws {
    for (record, column) in Self.columns {
      for (cell, edits) in edits where cell[0] == record && cell[2] == column {
        guard let last = edits.last else { continue }
        if let new = last.new, new != "NULL" {
          if history.has(new, in: cell) || hasLost(new, of: record, cell[1]) { continue }
          throw SyncFuzzFailure("\(device) wrote \(new) to \(cell), which is neither at the server nor in the log")
        }
        // A deletion must have reached the server, even if another device restored the row; otherwise the log must give
        // the reason.
        guard last.new == nil, let old = last.old, old != "NULL", history.last(of: cell) == old else { continue }
        if losses[[record, cell[1]]] == nil, !history.hasDeletion(of: cell) {
          throw SyncFuzzFailure("\(device) deleted \(record) \(cell[1]) with \(old), which is still there")
        }
      }
    }
  }

  /// Checks that each text of this device that was shown again was restored by a device whose log has the text shown in
  /// between. Such a device's row won as a whole, or the deletion of the row was lost. A text may also be written again
  /// by a user: it can be moved from one row to another and back.
  func checkNothingIsUndone(_ journals: [DeviceJournal]) throws {
    for text in shownAgain {
      let cell = ["note", text.key, "title"]
      let isExplained = journals.contains { journal in
        let written = journal.edits[cell]?.count { $0.new == text.title } ?? 0
        return journal.hasLost(text.other, of: "note", text.key)
          || journal.lostDeletions.contains(["note", text.key]) || written > (journal.client == client ? 1 : 0)
      }
      if isExplained { continue }
      throw SyncFuzzFailure(
        "\(device) showed note \(text.key) as \(text.title), then as \(text.other), and then as \(text.title) again, and no log says why"
      )
    }
  }
}

/// A text that was shown again after another text had replaced it.
struct TextShownAgain: Sendable {
  var key: String
  var title: String
  var other: String
}
