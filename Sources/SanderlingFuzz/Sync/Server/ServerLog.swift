import Foundation
import GRDB

/// The changes at the server, in pages.
///
/// A cursor is `v` and the known version. During a snapshot it is `s`, the version at the snapshot's start, and the
/// last key that was sent.
struct ServerLog {
  private let db: Database

  init(_ db: Database) {
    self.db = db
  }

  func page(_ pull: WireRequest.Pull, _ random: inout SeededGenerator, isCalm: Bool) throws -> WireAnswer.Batch {
    var page = try self.page(pull)
    // The order within a page is not guaranteed.
    if !isCalm, random.chance(30) { page.changes.shuffle(using: &random) }
    for index in page.changes.indices where page.changes[index].row == nil {
      // For a device, a departure has the same effect as a deletion.
      page.changes[index].hasDeparted = ["remark", "tag"].contains(page.changes[index].record) && random.chance(30)
    }
    return page
  }

  private func page(_ pull: WireRequest.Pull) throws -> WireAnswer.Batch {
    let (version, cut) =
      try Row.fetchOne(db, sql: "SELECT version, cut FROM meta").map {
        ($0[0] as Int64, $0[1] as Int64)
      } ?? (0, 0)
    let cursor = pull.cursor ?? "v0"
    if cursor.hasPrefix("s") {
      let parts = cursor.dropFirst().split(separator: "/", maxSplits: 1)
      return try snapshot(began: Int64(parts.first ?? "") ?? 0, after: String(parts.last ?? ""), pull.limit)
    }
    let known = Int64(cursor.dropFirst()) ?? 0
    if known < cut {
      var page = try snapshot(began: version, after: "", pull.limit)
      page.restarts = true
      return page
    }
    let changes = try changes("version > ? ORDER BY version LIMIT ?", [known, pull.limit])
    return WireAnswer.Batch(
      changes: changes, cursor: "v\(changes.last?.version ?? "\(known)")", restarts: false,
      hasMore: changes.count == pull.limit)
  }

  /// All rows by their keys: children may come long before their parents.
  private func snapshot(began: Int64, after: String, _ limit: Int) throws -> WireAnswer.Batch {
    let changes = try changes(
      "row IS NOT NULL AND key || '/' || record > ? ORDER BY key || '/' || record LIMIT ?", [after, limit])
    guard changes.count == limit, let last = changes.last else {
      return WireAnswer.Batch(changes: changes, cursor: "v\(began)", restarts: false, hasMore: true)
    }
    return WireAnswer.Batch(
      changes: changes, cursor: "s\(began)/\(last.key)/\(last.record)", restarts: false, hasMore: true)
  }

  private func changes(_ condition: String, _ arguments: StatementArguments) throws -> [WireChange] {
    try Row.fetchAll(db, sql: "SELECT record, key, row, version FROM rows WHERE \(condition)", arguments: arguments)
      .map { row in
        let text: String? = row[2]
        return WireChange(
          record: row[0], key: row[1], row: try text.map { try WireCoding.value(WireRow.self, Data($0.utf8)) },
          version: String(row[3] as Int64))
      }
  }
}
