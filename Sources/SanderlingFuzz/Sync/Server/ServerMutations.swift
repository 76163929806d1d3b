import Foundation
import GRDB
import Sanderling

/// The server's treatment of mutations from devices.
struct ServerMutations {
  /// The server's behaviour towards a mutation.
  enum Mood {
    case fair
    /// The server claims a version conflict, though there may be none.
    case contrary
    /// The server fails for now, and names the time of the next attempt.
    case failing(Int)

    static func random(_ random: inout SeededGenerator) -> Mood {
      switch random.number(0..<100) {
      case 0..<3: .contrary
      case 3..<6: .failing(random.number(0..<20))
      default: .fair
      }
    }
  }

  private let db: Database
  private let rule: FuzzServer.Rule

  /// The prefix of texts that the server refuses from every device.
  static let refusedPrefix = "bad"

  init(_ db: Database, _ rule: FuzzServer.Rule) {
    self.db = db
    self.rule = rule
  }

  func take(_ mutation: WireMutation, mood: Mood) throws -> WireOutcome {
    let text = String(decoding: try WireCoding.data(mutation), as: UTF8.self)
    let known = try Row.fetchOne(
      db, sql: "SELECT mutation, outcome FROM numbers WHERE client = ? AND sequence = ?",
      arguments: [mutation.client, mutation.sequence])
    if let known {
      if known[0] != text { try report("a number was sent with other content: \(known[0] as String) and then \(text)") }
      if rule != .match, let outcome: String = known[1] {
        return try WireCoding.value(WireOutcome.self, Data(outcome.utf8))
      }
    }
    if case .failing(let milliseconds) = mood { return WireOutcome(kind: .failed, retryAfter: milliseconds) }
    let outcome = if case .contrary = mood { WireOutcome(kind: .conflict) } else { try apply(mutation) }
    try db.execute(
      sql: "INSERT OR REPLACE INTO numbers VALUES (?, ?, ?, ?)",
      arguments: [
        mutation.client, mutation.sequence, text, String(decoding: try WireCoding.data(outcome), as: UTF8.self),
      ])
    return outcome
  }

  private func report(_ problem: String) throws {
    try db.execute(sql: "INSERT INTO problems VALUES (?)", arguments: [problem])
  }

  private func apply(_ mutation: WireMutation) throws -> WireOutcome {
    let found = try ServerTables.row(mutation.record, mutation.key, db)
    let present = found?.row
    if rule != .lastWins {
      let version = found.flatMap { $0.row == nil ? nil : String($0.version) }
      guard version == mutation.baseVersion else { return WireOutcome(kind: .conflict) }
    }
    var row: WireRow
    switch mutation.kind {
    case .insertion:
      if rule != .lastWins, present != nil { return WireOutcome(kind: .conflict) }
      row = mutation.values
    case .update:
      guard let present else { return WireOutcome(kind: .conflict) }
      row = present.merging(mutation.values) { $1 }
    case .deletion:
      guard present != nil else { return WireOutcome(kind: rule == .lastWins ? .acknowledged : .conflict) }
      let version = try ServerTables.write(mutation.record, mutation.key, nil, mutation.client, db)
      try ServerEdits.release(mutation.record, mutation.key, db)
      return WireOutcome(kind: .acknowledged, version: rule == .lastWins ? nil : String(version))
    }
    // An app version without the column sends no value for it.
    if mutation.record == "remark", row["mark"] == nil { row["mark"] = WireValue(.null) }
    if let outcome = try judge(row, mutation) { return outcome }
    let version = try ServerTables.write(mutation.record, mutation.key, row, mutation.client, db)
    return WireOutcome(kind: .acknowledged, version: rule == .lastWins ? nil : String(version))
  }

  /// The outcome that prevents the row from being stored; nil if there is none.
  private func judge(_ row: WireRow, _ mutation: WireMutation) throws -> WireOutcome? {
    if mutation.values.values.contains(where: { $0.description.hasPrefix(Self.refusedPrefix) }) {
      return WireOutcome(kind: .refused)
    }
    if mutation.record == "tag" {
      let isTaken = try ServerTables.rows("tag", db).contains {
        $0.key != mutation.key && $0.row["name"] == row["name"]
      }
      if isTaken { return WireOutcome(kind: .refused) }
    }
    for (record, column, parent) in ServerEdits.references where record == mutation.record {
      guard case .text(let key)? = row[column]?.value else { continue }
      // The parent was deleted, which the device learns before its next attempt.
      if key != mutation.key || parent != record, try ServerTables.row(parent, key, db)?.row == nil {
        return WireOutcome(kind: .conflict)
      }
    }
    return nil
  }
}
