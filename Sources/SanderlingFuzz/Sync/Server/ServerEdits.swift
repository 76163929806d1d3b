import Foundation
import GRDB
import Sanderling

/// Other events at the server: edits by other clients, and the consequences of a deletion.
enum ServerEdits {
  /// The references: each with its record, its column and the record that it refers to.
  static let references = [
    ("folder", "parent", "folder"), ("note", "folder", "folder"), ("remark", "note", "note"),
  ]

  /// Clears references to a deleted row, or deletes the referring rows.
  static func release(_ record: String, _ key: String, _ db: Database) throws {
    for (child, column, parent) in references where parent == record {
      for (other, row) in try ServerTables.rows(child, db) where row[column] == WireValue(.text(key)) {
        if child == "remark" {
          try ServerTables.write(child, other, nil, "server", db)
        } else {
          try ServerTables.write(child, other, row.merging([column: WireValue(.null)]) { $1 }, "server", db)
        }
      }
    }
  }

  static func edit(_ db: Database, _ random: inout SeededGenerator) throws {
    let record = random.element(of: ["folder", "note", "note", "note", "remark", "tag"])
    let key = EditWords.key(of: record, &random)
    let present = try ServerTables.row(record, key, db)?.row
    if present != nil, random.chance(20) {
      try ServerTables.write(record, key, nil, "server", db)
      return try release(record, key, db)
    }
    let version = try Int64.fetchOne(db, sql: "SELECT version FROM meta") ?? 0
    let text = WireValue(.text("s-\(version)"))
    func parent(_ record: String) throws -> WireValue {
      let keys = try ServerTables.rows(record, db).map(\.key)
      return keys.isEmpty ? WireValue(.null) : WireValue(.text(random.element(of: keys)))
    }
    var row = present ?? ["id": WireValue(.text(key))]
    switch record {
    case "folder":
      row["name"] = text
      row["parent"] = present?["parent"] ?? WireValue(.null)
    case "note":
      if present == nil || random.chance(60) { row["title"] = text }
      if present == nil || random.chance(40) { row["body"] = text }
      if present == nil || random.chance(20) { row["folder"] = try parent("folder") }
      row["at"] = WireValue(.real(Double(version)))
      row["flag"] = WireValue(.integer(Int64(random.number(0..<2))))
    case "remark":
      guard case let note = try parent("note"), note.value != .null else { return }
      row["note"] = note
      row["text"] = text
      row["mark"] = text
    default: row["name"] = text
    }
    try ServerTables.write(record, key, row, "server", db)
  }

  /// Adds notes, and changes the title of every third existing note.
  static func add(_ count: Int, _ db: Database) throws {
    let present = try ServerTables.rows("note", db)
    for (number, note) in present.enumerated() where number % 3 == 0 {
      let title = WireValue(.text("again \(note.key)"))
      try ServerTables.write("note", note.key, note.row.merging(["title": title]) { $1 }, "server", db)
    }
    for number in present.count..<present.count + count {
      let key = "n\(number)"
      try ServerTables.write(
        "note", key,
        [
          "id": WireValue(.text(key)), "folder": WireValue(.text("f\(number % 4 + 1)")),
          "title": WireValue(.text("title \(number)")), "body": WireValue(.null),
          "at": WireValue(.real(Double(number))),
          "flag": WireValue(.integer(Int64(number % 2))),
        ], "server", db)
    }
  }
}
