import Foundation
import GRDB
import Sanderling

/// What a server took, beside what was pulled or staged of the same row meanwhile.
extension Outbox {
  /// - Returns: What it comes to for who sent it.
  func acknowledge(
    _ sending: Sending, _ version: String?, _ entry: OutboxEntry, _ db: Database, at date: Date
  ) throws -> Settled {
    let record = sending.record
    var held = try entry.heldChange(of: record)
    guard held == nil, !entry.isRebased, try StagedChanges.isUnderWay(name, db) else {
      return try acknowledge(entry, version, held, of: record, db, at: date)
    }
    let staged = try StagedChanges.change(
      of: record.name, key: entry.key, behind: sending.lastStaged, of: name, db)
    // Staged, it would be named.
    if staged == nil, try isComparedBefore(entry, db) == false {
      return try acknowledge(entry, version, nil, of: record, db, at: date)
    }
    let isOlder = staged.flatMap { Self.isEarlier($0.version, than: version) }
    if isOlder == nil, entry.base == nil, entry.sent == .insertion, let staged, !staged.isRow, !staged.isDeparture {
      // A deletion of the row that was made, or of one of its key before: as if it had been applied.
      return try acknowledge(entry, version, nil, of: record, db, at: date, isRebased: true)
    }
    let isNews =
      staged.map { staged in
        isOlder.map { !$0 } ?? entry.version.map { $0 != staged.version }
          ?? !LocalChanges.tellsBase(staged, of: entry)
      } ?? false
    // With versions it came later, since the server took the mutation for what it is based on. Without, nobody knows.
    if isNews, version == nil, staged?.isDeparture == false { held = staged }
    let settled = try acknowledge(entry, version, held, of: record, db, at: date)
    // All that is staged is older then, and is applied later.
    if !isNews { try StagedChanges.append(SyncChange(sending.mutation, version: version), of: name, db) }
    return settled
  }

  private func acknowledge(
    _ entry: OutboxEntry, _ version: String?, _ held: SyncChange?, of record: SyncedRecord, _ db: Database,
    at date: Date, isRebased: Bool = false
  ) throws -> Settled {
    let table = entry.table
    let isRebased = isRebased || entry.isRebased
    try Quarantine.remove(entry.key, of: record.name, name: name, db)
    if let held {
      try acknowledge(entry, version, before: held, of: record, db, at: date)
      return .acknowledged
    }
    let isNew = version != nil && entry.base == nil && entry.sent == .insertion
    let isComparedBefore = try isComparedBefore(entry, db)
    // The source may have read its rows before.
    if isComparedBefore == true { try table.run(table.noteSeen, entry.key, db) }
    if isComparedBefore == false, isNew || record.conflicts.merges.isEmpty {
      // The source tells when it has named everything, and what differs then is sent once more. A counter would count that twice.
      try returnToUnsent(entry, db)
      if isNew { try noteTaken(entry, version, db) }
      return .conflict
    }
    // The row was pulled meanwhile, and nobody knows whether with this change or before it.
    let isPulledMeanwhile = isRebased || (entry.isToldAgain && entry.attempts > 0)
    if isPulledMeanwhile, entry.base == nil, entry.row == nil, entry.sent != .deletion, !entry.isDeparted,
      try table.entries(table.selectEntriesOfKey, entry.key, db).count > 1
    {
      // A deletion was pulled, maybe of before, and the row was deleted here since: on the base of it nothing would be left to tell. What was
      // noted then is based on what the server took.
      try table.run(table.deleteEntry, [.integer(entry.sequence)], db)
      try table.setVersion(version, of: entry.key, db)
      return .acknowledged
    }
    if isPulledMeanwhile {
      // What differs is sent once more.
      try returnToUnsent(entry, db)
      // A row that was made here would be in conflict with itself. It comes with the next pull, and is based on what was sent, whoever has
      // changed it since; if it doesn't, it was deleted since.
      if isNew {
        try noteTaken(entry, version, db)
        return .conflict
      }
      try table.run(table.forgetSent, [.integer(entry.sequence)], db)
      return .acknowledged
    }
    try table.run(table.deleteEntry, [.integer(entry.sequence)], db)
    try table.setVersion(entry.sent == .deletion ? nil : version, of: entry.key, db)
    guard entry.isDeparted else { return .acknowledged }
    if let later = try table.entries(table.selectEntriesOfKey, entry.key, db).first {
      try table.run(table.noteDeparture, [.integer(later.sequence)], db)
    } else {
      try entry.leave(record, cascades, db, at: date)
    }
    return .acknowledged
  }

  /// Notes what a server took, where something else of the row was pulled meanwhile.
  private func acknowledge(
    _ entry: OutboxEntry, _ version: String?, before held: SyncChange, of record: SyncedRecord, _ db: Database,
    at date: Date
  ) throws {
    let table = entry.table
    let id = StorageValue.integer(entry.sequence)
    guard version != nil, !entry.isRebased else {
      // Nobody knows whether it is older than what was sent. What differs is sent once more.
      try returnToUnsent(entry, db)
      try table.run(table.forgetSent, [id], db)
      return try release(held, of: record, by: record.conflicts.whileSending, db, at: date)
    }
    // The server took it for what it was based on, so what was pulled and isn't that came later, or is it.
    if try table.entries(table.selectEntriesOfKey, entry.key, db).count > 1 {
      try table.run(table.deleteEntry, [id], db)
    } else {
      let sent = entry.sentState ?? entry.base
      try table.run(
        table.setBase, [id, .integer(sent == nil ? 0 : 1)] + (sent ?? table.columns.map { _ in .null }), db)
      try table.run(table.setState, [id, .integer(OutboxEntry.State.unsent.rawValue), .null], db)
      try table.run(table.forgetSent, [id], db)
    }
    try table.setVersion(entry.sent == .deletion ? nil : version, of: entry.key, db)
    try release(held, of: record, db, at: date)
  }

  /// Notes the version that the server gave to a row that was made here.
  private func noteTaken(_ entry: OutboxEntry, _ version: String?, _ db: Database) throws {
    try entry.table.run(entry.table.noteTaken, [.integer(entry.sequence), version.map { .text($0) } ?? .null], db)
  }

  /// Whether a version is less than another one of the same row; nil where that isn't known: only whole numbers grow, as times and counters do.
  static func isEarlier(_ version: String?, than other: String?) -> Bool? {
    guard let version = version.flatMap({ Int64($0) }), let other = other.flatMap({ Int64($0) }), version != other
    else {
      return nil
    }
    return version < other
  }

  /// Whether the source began anew before the mutation of a row that is there got its number; nil for a deletion, and where nothing is compared.
  ///
  /// If not, nobody knows whether the row is there: somebody may have deleted it before the source began anew, too.
  private func isComparedBefore(_ entry: OutboxEntry, _ db: Database) throws -> Bool? {
    if entry.sent == .deletion { return nil }
    return try Bool.fetchOne(db.cachedStatement(sql: SyncState.isComparedBefore), arguments: [name, entry.mutation])
  }
}
