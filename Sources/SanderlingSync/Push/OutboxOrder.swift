import Foundation
import GRDB
import Sanderling

/// Chooses what is sent next.
///
/// Changes are sent in the order in which they happened, except that changes of a row are one: a child may have been changed before its new
/// parent was made. So each is preceded by what it depends on, which an index finds. It takes as many entries of each table as it sends at
/// most, whatever else waits.
struct OutboxOrder {
  private let records: [SyncedRecord]
  /// Of the synchronisation.
  private let name: String
  private let limit: Int
  private let moment: PushMoment
  /// New rows that wait since the server may have them: see ``PushMoment/beforePull``.
  private(set) var uncertain: Set<Int64> = []
  private var state: [Int64: State]
  private var chosen: [(SyncedRecord, OutboxEntry)] = []

  private enum State {
    case chosen
    /// It isn't sent now, and neither is what depends on it.
    case waiting
    case visited
  }

  private struct Visit {
    let record: SyncedRecord
    let entry: OutboxEntry
    /// What must be sent before; nil until it is looked for.
    var dependencies: [Int64]?
  }

  init(records: [SyncedRecord], name: String, held: Set<Int64>, limit: Int, at moment: PushMoment) {
    self.records = records
    self.limit = limit
    self.moment = moment
    self.name = name
    state = Dictionary(uniqueKeysWithValues: held.map { ($0, State.waiting) })
  }

  /// The entries to send, each with a difference. Those without one are removed: nothing is left to be told of them.
  mutating func entries(_ db: Database) throws -> [(SyncedRecord, OutboxEntry)] {
    var after = records.map { _ in Int64(0) }
    var isAtEnd = records.map { _ in false }
    while chosen.count < limit, isAtEnd.contains(false) {
      var page: [(index: Int, entry: OutboxEntry)] = []
      for (index, record) in records.enumerated() where !isAtEnd[index] {
        let entries = try record.synced.entries(
          record.synced.selectUnsent, [.integer(after[index]), .integer(Int64(limit))], db)
        isAtEnd[index] = entries.count < limit
        page += entries.map { (index, $0) }
      }
      page.sort { $0.entry.sequence < $1.entry.sequence }
      // Beyond the last of a full page, others of its table may come before those of other tables.
      let end =
        records.indices.filter { !isAtEnd[$0] }.compactMap { index in
          page.last { $0.index == index }?.entry.sequence
        }.min() ?? .max
      for (index, entry) in page where entry.sequence <= end {
        after[index] = entry.sequence
        if chosen.count < limit { try visit(records[index], entry, db) }
      }
      // What is left of a shorter page is read again with the next.
      for index in records.indices where page.contains(where: { $0.index == index && $0.entry.sequence > end }) {
        isAtEnd[index] = false
      }
    }
    return chosen
  }

  /// Chooses an entry, and before it what it depends on. With a stack of its own, since a tree of records can be deep.
  private mutating func visit(_ record: SyncedRecord, _ entry: OutboxEntry, _ db: Database) throws {
    var stack = [Visit(record: record, entry: entry)]
    while let visit = stack.popLast() {
      let id = visit.entry.sequence
      if let dependencies = visit.dependencies {
        let waits = dependencies.contains { state[$0] == .waiting }
        state[id] = waits ? .waiting : .chosen
        if !waits, chosen.count < limit { chosen.append((visit.record, visit.entry)) }
        continue
      }
      if state[id] != nil { continue }
      let table = visit.record.synced
      let ofRow = try table.entries(table.selectEntriesOfKey, visit.entry.key, db)
      let isUncertain = moment.isBeforePull && visit.entry.isUncertain && visit.entry.row != nil
      if isUncertain { uncertain.insert(id) }
      let waits = isUncertain || ofRow.contains { $0.state == .sending }
      state[id] = waits ? .waiting : .visited
      // It was visited also where nothing is left of it: a page that was read before still has it.
      guard !waits, let entry = try settled(visit.record, visit.entry, first: ofRow.first, db) else { continue }
      var expanded = Visit(record: visit.record, entry: entry, dependencies: [])
      var before: [Visit] = []
      for (record, other) in try dependencies(of: entry, db) where other.sequence != id {
        expanded.dependencies?.append(other.sequence)
        if other.state != .unsent {
          state[other.sequence] = .waiting
        } else if state[other.sequence] == nil {
          before.append(Visit(record: record, entry: other))
        }
      }
      stack.append(expanded)
      stack += before.reversed()
    }
  }

  /// The entry with a difference; nil where there is none any more.
  ///
  /// What was refused before is sent with what changed since.
  ///
  /// - Parameter first: The first entry of its row.
  private func settled(
    _ record: SyncedRecord, _ entry: OutboxEntry, first: OutboxEntry?, _ db: Database
  ) throws -> OutboxEntry? {
    let table = record.synced
    var entry = entry
    if let refused = first, refused.state == .refused {
      try table.run(table.deleteUnsent, entry.key, db)
      try table.run(table.setState, [.integer(refused.sequence), .integer(0), .null], db)
      try table.run(table.forgetSent, [.integer(refused.sequence)], db)
      guard let combined = try table.entries(table.selectEntry, [.integer(refused.sequence)], db).first else {
        return nil
      }
      entry = combined
    }
    if entry.difference != nil { return entry }
    if !moment.isAfterPull, entry.isUncertain { return nil }
    try table.run(table.deleteEntry, [.integer(entry.sequence)], db)
    try Quarantine.remove(entry.key, of: record.name, name: name, db)
    if entry.isDeparted { try entry.leave(record, Cascades(name: name, records: records), db, at: Date()) }
    return nil
  }

  // MARK: Dependencies

  /// What the server must know before: parents that it doesn't have, or that what it has referred to the deleted row doesn't any more.
  private func dependencies(of entry: OutboxEntry, _ db: Database) throws -> [(SyncedRecord, OutboxEntry)] {
    guard let row = entry.row else { return try formerChildren(of: entry, db) }
    var parents: [(SyncedRecord, OutboxEntry)] = []
    for reference in entry.table.references where !row[reference.column].isNull {
      guard let parent = record(reference.parent), parent.synced.key.count == 1 else { continue }
      let entries = try parent.synced.entries(parent.synced.selectEntriesOfKey, [row[reference.column]], db)
      guard let first = entries.first else { continue }
      let isUnknown = first.base == nil && first.row != nil
      if isUnknown || (first.state == .sending && first.sent == .deletion) { parents.append((parent, first)) }
    }
    return parents
  }

  private func formerChildren(of entry: OutboxEntry, _ db: Database) throws -> [(SyncedRecord, OutboxEntry)] {
    guard entry.key.count == 1 else { return [] }
    return try entry.table.references(among: records).flatMap { child, column in
      try child.synced.entries(child.synced.selectReferring(column), entry.key, db)
        .filter { $0.difference != nil || $0.state == .sending }.map { (child, $0) }
    }
  }

  private func record(_ table: String) -> SyncedRecord? {
    let name = table.folded
    return records.first { $0.synced.name.folded == name }
  }
}
